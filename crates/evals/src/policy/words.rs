//! A task's sentences as deeds. Clause after clause is matched against a list of forms; a task with a clause of another
//! form is not read at all.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::prompt::regex;

/// Kinds of elements that the policy tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Button,
    Link,
    Tab,
    Field,
    Box,
    List,
}

impl Kind {
    pub(super) fn is(self, role: &str) -> bool {
        let roles: &[&str] = match self {
            Kind::Button => &["button"],
            Kind::Link => &["link", "generic"],
            Kind::Tab => &["tab"],
            Kind::Field => &["textbox", "searchbox", "spinbutton", "combobox", "date"],
            Kind::Box => &["checkbox", "radio"],
            Kind::List => &["combobox", "listbox"],
        };
        roles.contains(&role)
    }

    fn named(word: &str) -> &'static [Kind] {
        match word.trim() {
            "button" => &[Kind::Button],
            "link" => &[Kind::Link],
            "tab" => &[Kind::Tab],
            _ => &[],
        }
    }
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    /// Of one of these kinds, if any is given.
    Click(&'static [Kind], String),
    DoubleClick(String),
    /// At an item of a menu, which shows what it hides.
    Point(String),
    Check(String),
    /// A box without a name of its own.
    CheckBeside(String),
    /// By its name, else the nth.
    Fill {
        field: Option<String>,
        nth: usize,
        text: String,
        submit: bool,
    },
    Focus(usize),
    /// In a list, by its name if it has one.
    Select {
        field: Option<String>,
        values: Vec<String>,
    },
    /// A box or an option of the only list.
    Choose(String),
    Press(String),
    /// Where the focus is.
    Type(String),
    Dialog,
    Wait(u32),
    /// Something that may be behind a tab.
    Hunt(String),
    /// The answer is what the page says after this.
    Tell(String),
}

type Made = fn(&Captures<'_>) -> Vec<Deed>;

/// The forms, the more telling ones first. Each stands at the beginning of what is left of the task.
static FORMS: LazyLock<Vec<(Regex, Made)>> = LazyLock::new(|| {
    let forms: [(&str, Made); 23] = [
        (r#"Switch between the tabs to find and click on the link "([^"]*)""#, |c| vec![Deed::Hunt(text(c, 1))]),
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
            vec![Deed::Focus(c.get(1).map_or(0, |nth| nth.as_str().parse::<usize>().unwrap_or(1) - 1))]
        }),
        (r#"Add the to-dos? ("[^"]*"(?:(?:, | and |, and )"[^"]*")*)"#, |c| {
            let todo = |text: String| Deed::Fill { field: Some("What needs to be".into()), nth: 0, text, submit: true };
            quoted(&c[1]).into_iter().map(todo).collect()
        }),
        (r#"Mark "([^"]*)" as done"#, |c| vec![Deed::CheckBeside(text(c, 1))]),
        (r#"Change the to-do "([^"]*)" to "([^"]*)""#, |c| {
            vec![
                Deed::DoubleClick(text(c, 1)),
                Deed::Press("Control+A".into()),
                Deed::Type(text(c, 2)),
                Deed::Press("Enter".into()),
            ]
        }),
        (r#"(?:Choose|Select) ("[^"]*"(?:(?:, | and |, and )"[^"]*")*) (?:from|for|in) (?:the )?"([^"]*)""#, |c| {
            vec![Deed::Select { field: Some(text(c, 2)), values: quoted(&c[1]) }]
        }),
        (r"Choose ([^,.]+?) from the drop-?down(?: list)?", |c| {
            vec![Deed::Select { field: None, values: vec![text(c, 1)] }]
        }),
        (r"Select (\w+) from the list", |c| vec![Deed::Select { field: None, values: vec![text(c, 1)] }]),
        (r#"(?:Tick|Check|Select) "([^"]*)""#, |c| vec![Deed::Check(text(c, 1))]),
        (r"Select nothing", |_| vec![]),
        (r#"Close the dialog(?: box)? by clicking the "x""#, |_| vec![Deed::Click(&[Kind::Button], "Close".into())]),
        (r"Select ([^\s>]+(?:>[^\s>.]+)+)", |c| {
            let mut items: Vec<&str> = c[1].split('>').collect();
            let last = items.pop().map(|item| Deed::Click(&[], item.to_owned()));
            items.into_iter().map(|item| Deed::Point(item.to_owned())).chain(last).collect()
        }),
        (r"Select (\w+)\.?$", |c| vec![Deed::Click(&[], text(c, 1))]),
        (r"Select ([^.]+?)(?:,? and|, then) (?:click|press|hit) ([Ss]ubmit)", |c| {
            let mut deeds: Vec<Deed> = text(c, 1).split(", ").map(|name| Deed::Choose(name.to_owned())).collect();
            deeds.push(Deed::Click(&[Kind::Button], text(c, 2)));
            deeds
        }),
        (r"[Ww]ait (\d+) seconds?", |c| vec![Deed::Wait(c[1].parse().unwrap_or(1))]),
        (r"Accept the question", |_| vec![Deed::Dialog]),
        (r#"(?:Tell|Say) the "([^"]*)""#, |c| vec![Deed::Tell(text(c, 1))]),
        (
            r#"(?i:click|press|hit)(?: on)? (?:the )?(?:(button|link|tab) )?(?:in the dialog box labell?ed |labell?ed )?(?:"([^"]*)"|(ONE|TWO|[Ss]ubmit|[Ll]ogin|Tab #\d))(?: (button|link|tab))?"#,
            |c| {
                let name = c.get(2).or(c.get(3)).map_or("", |name| name.as_str());
                let kind = c.get(1).or(c.get(4)).map_or("", |kind| kind.as_str());
                vec![Deed::Click(Kind::named(kind), name.to_owned())]
            },
        ),
    ];
    forms.into_iter().map(|(form, made)| (regex(&format!("^(?:{form})")), made)).collect()
});

static BETWEEN: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:[\s,.;]+|(?:and|then|now)\b)+"));

/// What a task wants done, in order, or nothing when some of it has a form that is not known.
pub(super) fn deeds(task: &str) -> Option<Vec<Deed>> {
    let mut left = task.trim();
    let mut deeds = Vec::new();
    loop {
        left = BETWEEN.find(left).map_or(left, |between| &left[between.end()..]);
        if left.is_empty() {
            return Some(deeds);
        }
        let capital = left.chars().next()?.to_uppercase().chain(left.chars().skip(1)).collect::<String>();
        let (made, length) = FORMS.iter().find_map(|(form, made)| {
            let found = form.captures(&capital)?;
            Some((made(&found), found[0].len()))
        })?;
        deeds.extend(made);
        left = left.get(length..)?;
    }
}

fn text(captures: &Captures<'_>, group: usize) -> String {
    captures[group].to_owned()
}

fn fill(field: Option<String>, nth: usize, text: String) -> Deed {
    Deed::Fill { field, nth, text, submit: false }
}

/// The texts within quotes.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(task: &str, expected: &[Deed]) {
        assert_eq!(deeds(task).as_deref(), Some(expected), "{task}");
    }

    #[test]
    fn sentences_are_read_as_deeds() {
        let click = |name: &str| Deed::Click(&[], name.into());
        let button = |name: &str| Deed::Click(&[Kind::Button], name.into());
        let field = |name: &str, text: &str| fill(Some(name.into()), 0, text.into());
        check(
            "Click button ONE, wait 2 seconds, then click button TWO.",
            &[button("ONE"), Deed::Wait(2), button("TWO")],
        );
        check(r#"Click the button in the dialog box labeled "x"."#, &[button("x")]);
        check(r#"Click on the link "justo.""#, &[Deed::Click(&[Kind::Link], "justo.".into())]);
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
        check("Select kIK and click Submit.", &[Deed::Choose("kIK".into()), button("Submit")]);
        check(
            r#"Choose "Navy" and "White" from "Colours", tick "Gift wrap"."#,
            &[
                Deed::Select { field: Some("Colours".into()), values: vec!["Navy".into(), "White".into()] },
                Deed::Check("Gift wrap".into()),
            ],
        );
        check("Select Karrie>Lela>Jo.", &[Deed::Point("Karrie".into()), Deed::Point("Lela".into()), click("Jo")]);
        check("Select Martelle", &[click("Martelle")]);
        check("Select nothing and click Submit.", &[click("Submit")]);
        check(r#"Close the dialog box by clicking the "x"."#, &[button("Close")]);
        check("Focus into the 2nd input textbox.", &[Deed::Focus(1)]);
        check(r#"Mark "Buy milk" as done"#, &[Deed::CheckBeside("Buy milk".into())]);
    }

    #[test]
    fn a_task_with_a_clause_of_another_form_is_left_alone() {
        assert_eq!(deeds("Click \"Save\", then draw a circle."), None);
        assert_eq!(deeds("Book the cheapest flight."), None);
    }
}
