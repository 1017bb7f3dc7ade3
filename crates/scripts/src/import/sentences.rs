//! Sentences for recorded steps. A sentence is used only if the parser of steps reads it; otherwise the step has an action.

use legwork_protocol::{Action, Button, Click, Dialog, Fill, Press, Select, Step, Target, TargetParams, Upload};

use super::{Element, Recorded, Verb};

/// The names that an import invents.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) secrets: Vec<String>,
    pub(super) inputs: Vec<String>,
}

impl Names {
    /// The name of the secret for a password field; the same field has the same secret.
    fn secret(&mut self, field: &str) -> String {
        let mut name: String =
            field.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        name = name.trim_matches('_').to_owned();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            name = format!("password{name}");
        }
        if !self.secrets.contains(&name) {
            self.secrets.push(name.clone());
        }
        name
    }
}

/// The step for a recorded one; `None` if there is nothing to do.
pub(super) fn step_of(recorded: &Recorded, names: &mut Names) -> Option<Step> {
    Some(match recorded {
        Recorded::Nothing => return None,
        Recorded::Open(url) => Step::new(format!("Open {url}")),
        Recorded::Check(text) => Step::new(format!("Check that {text}")),
        Recorded::Action(action) => with_action(action.clone(), None),
        Recorded::Dialog { accept, text } => with_action(Action::Dialog(Dialog::answer(*accept, text.clone())), None),
        Recorded::Press { key, on } => {
            let target = on.as_ref().map(target_of);
            let sentence = on.is_none().then(|| format!("Press {key}"));
            with_action(Action::Press(Press { key: key.clone(), target }), sentence)
        }
        Recorded::Do { verb, on } => {
            let verb = match verb {
                Verb::Fill(_) if on.is_password => {
                    let field = on.name.as_deref().or(on.selector.as_deref()).unwrap_or_default();
                    Verb::Fill(format!("${{secret:{}}}", names.secret(field)))
                }
                other => other.clone(),
            };
            let sentence = on.name.as_deref().and_then(|name| sentence(&verb, on.role.as_deref(), name));
            with_action(action_of(&verb, target_of(on)), sentence)
        }
    })
}

/// The step with this sentence, if the parser reads it; otherwise with the action.
fn with_action(action: Action, sentence: Option<String>) -> Step {
    match sentence.filter(|sentence| legwork_steps::read(sentence).is_ok()) {
        Some(sentence) => Step::new(sentence),
        None => Step { action: Some(action.clone()), ..Step::new(action.describe(None)) },
    }
}

fn sentence(verb: &Verb, role: Option<&str>, name: &str) -> Option<String> {
    // A text with a quotation mark cannot be in quotes.
    let quoted = |text: &str| (!text.contains(['"', '\n', '\\'])).then(|| format!("\"{text}\""));
    let name = quoted(name)?;
    let kind = match role {
        Some("button") => "the button ",
        Some("link") => "the link ",
        Some("tab") => "the tab ",
        Some("menuitem") => "the menu item ",
        Some("option") => "the option ",
        Some("checkbox") => "the checkbox ",
        Some("radio") => "the radio button ",
        Some("heading") => "the heading ",
        _ => "",
    };
    let all = |texts: &[String]| -> Option<String> {
        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect::<Option<_>>()?;
        Some(texts.join(" and "))
    };
    Some(match verb {
        Verb::Click => format!("Click {kind}{name}"),
        Verb::DoubleClick => format!("Double-click {kind}{name}"),
        Verb::RightClick => format!("Right-click {kind}{name}"),
        Verb::Hover => format!("Hover over {kind}{name}"),
        Verb::Fill(text) if text.is_empty() => format!("Clear {name}"),
        Verb::Fill(text) => format!("Type {} into {name}", quoted(text)?),
        Verb::Select(values) => format!("Choose {} from {name}", all(values)?),
        Verb::Check if role == Some("radio") => format!("Select the radio button {name}"),
        Verb::Check => format!("Tick {name}"),
        Verb::Uncheck => format!("Untick {name}"),
        Verb::Upload(files) => format!("Upload {} to {name}", all(files)?),
    })
}

fn target_of(element: &Element) -> Target {
    let quoted = |name: &str| name.replace('"', "'");
    Target(match (&element.role, &element.name, &element.selector) {
        (Some(role), Some(name), _) => format!("role={role}[name=\"{}\"]", quoted(name)),
        (_, _, Some(selector)) => selector.clone(),
        (None, Some(name), None) => format!("text={name}"),
        (Some(role), None, None) => format!("role={role}"),
        (None, None, None) => "body".to_owned(),
    })
}

fn action_of(verb: &Verb, target: Target) -> Action {
    match verb {
        Verb::Click => Action::Click(Click::on(target)),
        Verb::DoubleClick => Action::Click(Click { count: 2, ..Click::on(target) }),
        Verb::RightClick => Action::Click(Click { button: Button::Right, ..Click::on(target) }),
        Verb::Fill(text) => Action::Fill(Fill { target, text: text.clone(), submit: false }),
        Verb::Select(values) => Action::Select(Select { target, values: values.clone() }),
        Verb::Check => Action::Check(TargetParams { target }),
        Verb::Uncheck => Action::Uncheck(TargetParams { target }),
        Verb::Hover => Action::Hover(TargetParams { target }),
        Verb::Upload(files) => Action::Upload(Upload { target, files: files.clone() }),
    }
}
