//! Converts the sentences of a task to actions. Each clause is matched against a list of forms. If one clause has no
//! known form, the policy does not attempt the task.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::prompt::regex;

/// The kinds of elements that the policy distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ControlKind {
    Button,
    Link,
    Tab,
    Field,
    Box,
    List,
}

impl ControlKind {
    pub(super) fn is(self, role: &str) -> bool {
        let roles: &[&str] = match self {
            ControlKind::Button => &["button"],
            ControlKind::Link => &["link", "generic"],
            ControlKind::Tab => &["tab"],
            ControlKind::Field => &["textbox", "searchbox", "spinbutton", "combobox", "date"],
            ControlKind::Box => &["checkbox", "radio"],
            ControlKind::List => &["combobox", "listbox"],
        };
        roles.contains(&role)
    }

    fn named(word: &str) -> &'static [ControlKind] {
        match word.trim() {
            "button" => &[ControlKind::Button],
            "link" => &[ControlKind::Link],
            "tab" => &[ControlKind::Tab],
            _ => &[],
        }
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PolicyAction {
    /// An element of one of these kinds, if any are given.
    Click(&'static [ControlKind], String),
    DoubleClick(String),
    /// A menu item, which then shows its submenu.
    Hover(String),
    Check(String),
    /// A checkbox without its own name.
    CheckBeside(String),
    /// A field by its name, else the nth field.
    Fill {
        field: Option<String>,
        nth: usize,
        text: String,
        submit: bool,
    },
    Focus(usize),
    /// An option of a list; by the name of the list if it has one.
    Select {
        field: Option<String>,
        values: Vec<String>,
    },
    /// A checkbox, or an option of the only list.
    Choose(String),
    Press(String),
    /// Types where the focus is.
    Type(String),
    Dialog,
    Wait(u32),
    /// An element that may be on another tab.
    FindInTabs(String),
    /// The answer is the text of the page after this label.
    Tell(String),
}

type Made = fn(&Captures<'_>) -> Vec<PolicyAction>;

/// The forms, the more specific ones first. Each is matched at the beginning of the rest of the task.
static FORMS: LazyLock<Vec<(Regex, Made)>> = LazyLock::new(|| {
    let forms: [(&str, Made); 23] = [
        (r#"Switch between the tabs to find and click on the link "([^"]*)""#, |c| {
            vec![PolicyAction::FindInTabs(text(c, 1))]
        }),
        (r#"Enter the username "([^"]*)" and the password "([^"]*)" into the text fields"#, |c| {
            vec![fill(None, 0, text(c, 1)), fill(None, 1, text(c, 2))]
        }),
        (r#"(?:Enter|Type) the password "([^"]*)" into both text fields"#, |c| {
            vec![fill(None, 0, text(c, 1)), fill(None, 1, text(c, 1))]
        }),
        (r#"(?:Enter|Type) "([^"]*)" in all (upper|lower) case letters in the text (?:input|field)"#, |c| {
            let given = text(c, 1);
            let cased = if &c[2] == "upper" { given.to_uppercase() } else { given.to_lowercase() };
            vec![fill(None, 0, cased)]
        }),
        (r#"(?:Enter|Type) "([^"]*)" (?:in|into) the (?:text ?field|text ?input|textbox|text ?box)"#, |c| {
            vec![fill(None, 0, text(c, 1))]
        }),
        (r#"(?:Enter|Type) "([^"]*)" (?:in|into|as|for) (?:the )?"([^"]*)"(?: field)?"#, |c| {
            vec![fill(Some(text(c, 2)), 0, text(c, 1))]
        }),
        (r"Focus into the (?:(\d)(?:st|nd|rd|th) (?:input )?)?(?:textbox|text ?field)", |c| {
            vec![PolicyAction::Focus(c.get(1).map_or(0, |nth| nth.as_str().parse::<usize>().unwrap_or(1) - 1))]
        }),
        (r#"Add the to-dos? ("[^"]*"(?:(?:, | and |, and )"[^"]*")*)"#, |c| {
            let todo = |text: String| PolicyAction::Fill {
                field: Some("What needs to be".into()),
                nth: 0,
                text,
                submit: true,
            };
            quoted(&c[1]).into_iter().map(todo).collect()
        }),
        (r#"Mark "([^"]*)" as done"#, |c| vec![PolicyAction::CheckBeside(text(c, 1))]),
        (r#"Change the to-do "([^"]*)" to "([^"]*)""#, |c| {
            vec![
                PolicyAction::DoubleClick(text(c, 1)),
                PolicyAction::Press("Control+A".into()),
                PolicyAction::Type(text(c, 2)),
                PolicyAction::Press("Enter".into()),
            ]
        }),
        (r#"(?:Choose|Select) ("[^"]*"(?:(?:, | and |, and )"[^"]*")*) (?:from|for|in) (?:the )?"([^"]*)""#, |c| {
            vec![PolicyAction::Select { field: Some(text(c, 2)), values: quoted(&c[1]) }]
        }),
        (r"Choose ([^,.]+?) from the drop-?down(?: list)?", |c| {
            vec![PolicyAction::Select { field: None, values: vec![text(c, 1)] }]
        }),
        (r"Select (\w+) from the list", |c| vec![PolicyAction::Select { field: None, values: vec![text(c, 1)] }]),
        (r#"(?:Tick|Check|Select) "([^"]*)""#, |c| vec![PolicyAction::Check(text(c, 1))]),
        (r"Select nothing", |_| vec![]),
        (r#"Close the dialog(?: box)? by clicking the "x""#, |_| {
            vec![PolicyAction::Click(&[ControlKind::Button], "Close".into())]
        }),
        (r"Select ([^\s>]+(?:>[^\s>.]+)+)", |c| {
            let mut items: Vec<&str> = c[1].split('>').collect();
            let last = items.pop().map(|item| PolicyAction::Click(&[], item.to_owned()));
            items.into_iter().map(|item| PolicyAction::Hover(item.to_owned())).chain(last).collect()
        }),
        (r"Select (\w+)\.?$", |c| vec![PolicyAction::Click(&[], text(c, 1))]),
        (r"Select ([^.]+?)(?:,? and|, then) (?:click|press|hit) ([Ss]ubmit)", |c| {
            let mut actions: Vec<PolicyAction> =
                text(c, 1).split(", ").map(|name| PolicyAction::Choose(name.to_owned())).collect();
            actions.push(PolicyAction::Click(&[ControlKind::Button], text(c, 2)));
            actions
        }),
        (r"[Ww]ait (\d+) seconds?", |c| vec![PolicyAction::Wait(c[1].parse().unwrap_or(1))]),
        (r"Accept the question", |_| vec![PolicyAction::Dialog]),
        (r#"(?:Tell|Say) the "([^"]*)""#, |c| vec![PolicyAction::Tell(text(c, 1))]),
        (
            r#"(?i:click|press|hit)(?: on)? (?:the )?(?:(button|link|tab) )?(?:in the dialog box labell?ed |labell?ed )?(?:"([^"]*)"|(ONE|TWO|[Ss]ubmit|[Ll]ogin|Tab #\d))(?: (button|link|tab))?"#,
            |c| {
                let name = c.get(2).or(c.get(3)).map_or("", |name| name.as_str());
                let kind = c.get(1).or(c.get(4)).map_or("", |kind| kind.as_str());
                vec![PolicyAction::Click(ControlKind::named(kind), name.to_owned())]
            },
        ),
    ];
    forms.into_iter().map(|(form, made)| (regex(&format!("^(?:{form})")), made)).collect()
});

static BETWEEN: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:[\s,.;]+|(?:and|then|now)\b)+"));

/// The actions of a task in order; `None` if a part of it has an unknown form.
pub(super) fn actions(task: &str) -> Option<Vec<PolicyAction>> {
    let mut left = task.trim();
    let mut actions = Vec::new();
    loop {
        left = BETWEEN.find(left).map_or(left, |between| &left[between.end()..]);
        if left.is_empty() {
            return Some(actions);
        }
        let capital = left.chars().next()?.to_uppercase().chain(left.chars().skip(1)).collect::<String>();
        let (made, length) = FORMS.iter().find_map(|(form, made)| {
            let found = form.captures(&capital)?;
            Some((made(&found), found[0].len()))
        })?;
        actions.extend(made);
        left = left.get(length..)?;
    }
}

fn text(captures: &Captures<'_>, group: usize) -> String {
    captures[group].to_owned()
}

fn fill(field: Option<String>, nth: usize, text: String) -> PolicyAction {
    PolicyAction::Fill { field, nth, text, submit: false }
}

/// The texts within quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(task: &str, expected: &[PolicyAction]) {
        assert_eq!(actions(task).as_deref(), Some(expected), "{task}");
    }

    #[test]
    fn sentences_become_actions() {
        let click = |name: &str| PolicyAction::Click(&[], name.into());
        let button = |name: &str| PolicyAction::Click(&[ControlKind::Button], name.into());
        let field = |name: &str, text: &str| fill(Some(name.into()), 0, text.into());
        check(
            "Click button ONE, wait 2 seconds, then click button TWO.",
            &[button("ONE"), PolicyAction::Wait(2), button("TWO")],
        );
        check(r#"Click the button in the dialog box labeled "x"."#, &[button("x")]);
        check(r#"Click on the link "justo.""#, &[PolicyAction::Click(&[ControlKind::Link], "justo.".into())]);
        check(
            r#"Type "Ada" into "Name", type "3" into "Quantity" and click "Save"."#,
            &[field("Name", "Ada"), field("Quantity", "3"), click("Save")],
        );
        check(
            r#"Type "VINA" in all lower case letters in the text input and press Submit."#,
            &[fill(None, 0, "vina".into()), click("Submit")],
        );
        check(
            r#"Enter the username "vina" and the password "US" into the text fields and press login."#,
            &[fill(None, 0, "vina".into()), fill(None, 1, "US".into()), click("login")],
        );
        check("Select kIK and click Submit.", &[PolicyAction::Choose("kIK".into()), button("Submit")]);
        check(
            r#"Choose "Navy" and "White" from "Colours", tick "Gift wrap"."#,
            &[
                PolicyAction::Select { field: Some("Colours".into()), values: vec!["Navy".into(), "White".into()] },
                PolicyAction::Check("Gift wrap".into()),
            ],
        );
        check(
            "Select Karrie>Lela>Jo.",
            &[PolicyAction::Hover("Karrie".into()), PolicyAction::Hover("Lela".into()), click("Jo")],
        );
        check("Select Martelle", &[click("Martelle")]);
        check("Select nothing and click Submit.", &[click("Submit")]);
        check(r#"Close the dialog box by clicking the "x"."#, &[button("Close")]);
        check("Focus into the 2nd input textbox.", &[PolicyAction::Focus(1)]);
        check(r#"Mark "Buy milk" as done"#, &[PolicyAction::CheckBeside("Buy milk".into())]);
    }

    #[test]
    fn a_task_with_a_clause_of_another_form_is_left_alone() {
        assert_eq!(actions("Click \"Save\", then draw a circle."), None);
        assert_eq!(actions("Book the cheapest flight."), None);
    }
}
