//! The sentences of recorded steps, whoever recorded them: another tool ([`import`](crate::import)) or a person
//! ([`Recorder`](crate::Recorder)).

use legwork_protocol::{Action, Button, Click, Fill, Modifier, Press, Select, Step, Target, TargetParams, Upload};

/// What was done with an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verb {
    Click,
    DoubleClick,
    Fill(String),
    Select(Vec<String>),
    Check,
    Uncheck,
    Hover,
    Upload(Vec<String>),
    /// A key or chord.
    Press(String),
}

/// `Double-click`, `Ctrl-click`; `None` if no verb states it.
pub(crate) fn click_verb(click: &Click) -> Option<String> {
    let name = match (click.count, click.button) {
        (1, Button::Left) => "Click",
        (2, Button::Left) => "Double-click",
        (3, Button::Left) => "Triple-click",
        (1, Button::Right) => "Right-click",
        (1, Button::Middle) => "Middle-click",
        _ => return None,
    };
    let held = |modifier: &Modifier| match modifier {
        Modifier::Control => Some("Ctrl"),
        Modifier::Shift => Some("Shift"),
        Modifier::Alt | Modifier::Meta => None,
    };
    match click.modifiers.as_slice() {
        [] => Some(name.to_owned()),
        modifiers if name == "Click" => {
            let keys: Vec<&str> = modifiers.iter().map(held).collect::<Option<_>>()?;
            Some(format!("{}-click", keys.join("+")))
        }
        _ => None,
    }
}

/// The word for the kind of an element, by its role.
pub(crate) fn noun(role: &str) -> Option<&'static str> {
    Some(match role {
        "button" => "button",
        "link" => "link",
        "textbox" | "searchbox" | "spinbutton" => "field",
        "combobox" | "listbox" => "drop-down",
        "checkbox" => "checkbox",
        "radio" => "radio button",
        "switch" => "switch",
        "slider" => "slider",
        "tab" => "tab",
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => "menu item",
        "option" => "option",
        "heading" => "heading",
        "img" => "image",
        "row" => "row",
        "cell" | "gridcell" => "cell",
        "listitem" | "treeitem" => "item",
        "text" | "paragraph" => "text",
        _ => return None,
    })
}

/// `second` for 1.
pub(crate) fn ordinal(at: usize) -> String {
    const WORDS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    WORDS.get(at).map_or_else(|| format!("{}th", at + 1), |word| (*word).to_owned())
}

/// The step with this sentence, if the parser reads it; otherwise with the action.
pub(crate) fn with_action(action: Action, sentence: Option<String>) -> Step {
    match sentence.filter(|sentence| legwork_steps::read(sentence).is_ok()) {
        Some(sentence) => Step::new(sentence),
        None => Step { action: Some(action.clone()), ..Step::new(action.describe(None)) },
    }
}

/// The name of the secret that is typed into a field.
pub(crate) fn secret_name(field: &str) -> String {
    let name = variable_name(field);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) { format!("password{name}") } else { name }
}

/// The name of a field as that of a variable; empty if the name has no letter or digit of ASCII.
pub(crate) fn variable_name(field: &str) -> String {
    let mut name: String =
        field.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    name.trim_matches('_').to_owned()
}

/// A text in quotes that it does not contain; `None` if there are none, or it has several lines.
pub(crate) fn quoted(text: &str) -> Option<String> {
    let mark = ['"', '\'', '`'].into_iter().find(|mark| !text.contains(*mark))?;
    (!text.contains(['\n', '\r', '\\'])).then(|| format!("{mark}{text}{mark}"))
}

/// The word for elements with a role, as a phrase that a name follows.
fn kind(role: Option<&str>) -> &'static str {
    match role {
        Some("button") => "the button ",
        Some("link") => "the link ",
        Some("tab") => "the tab ",
        Some("menuitem") => "the menu item ",
        Some("option") => "the option ",
        Some("checkbox") => "the checkbox ",
        Some("radio") => "the radio button ",
        Some("heading") => "the heading ",
        Some("switch") => "the switch ",
        _ => "",
    }
}

/// The phrase that names an element by its role and name. Where the verb states the kind, only the name.
pub(crate) fn named(verb: &Verb, role: Option<&str>, name: &str) -> Option<String> {
    let kind = match verb {
        Verb::Fill(_) | Verb::Select(_) | Verb::Uncheck | Verb::Upload(_) => "",
        Verb::Check if role != Some("radio") => "",
        _ => kind(role),
    };
    Some(format!("{kind}{}", quoted(name)?))
}

/// The sentence for an element that a phrase names; `None` if a value cannot be in a sentence.
pub(crate) fn sentence(verb: &Verb, role: Option<&str>, phrase: &str) -> Option<String> {
    let all = |texts: &[String]| -> Option<String> {
        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect::<Option<_>>()?;
        Some(texts.join(" and "))
    };
    Some(match verb {
        Verb::Click => format!("Click {phrase}"),
        Verb::DoubleClick => format!("Double-click {phrase}"),
        Verb::Hover => format!("Hover over {phrase}"),
        Verb::Fill(text) if role == Some("slider") => format!("Set {phrase} to {}", quoted(text)?),
        Verb::Fill(text) if text.is_empty() => format!("Clear {phrase}"),
        Verb::Fill(text) => format!("Type {} into {phrase}", quoted(text)?),
        Verb::Select(values) if values.is_empty() => return None,
        Verb::Select(values) => format!("Choose {} from {phrase}", all(values)?),
        Verb::Check if role == Some("radio") => format!("Select {phrase}"),
        Verb::Check => format!("Tick {phrase}"),
        Verb::Uncheck => format!("Untick {phrase}"),
        Verb::Upload(files) => format!("Upload {} to {phrase}", all(files)?),
        Verb::Press(key) => format!("Press {key} in {phrase}"),
    })
}

/// The action on a target.
pub(crate) fn action_of(verb: &Verb, target: Target) -> Action {
    match verb {
        Verb::Click => Action::Click(Click::on(target)),
        Verb::DoubleClick => Action::Click(Click { count: 2, ..Click::on(target) }),
        Verb::Fill(text) => Action::Fill(Fill { target, text: text.clone(), submit: false }),
        Verb::Select(values) => Action::Select(Select { target, values: values.clone() }),
        Verb::Check => Action::Check(TargetParams { target }),
        Verb::Uncheck => Action::Uncheck(TargetParams { target }),
        Verb::Hover => Action::Hover(TargetParams { target }),
        Verb::Press(key) => Action::Press(Press { key: key.clone(), target: Some(target) }),
        Verb::Upload(files) => Action::Upload(Upload { target, files: files.clone() }),
    }
}
