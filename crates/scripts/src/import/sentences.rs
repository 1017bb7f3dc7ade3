//! Sentences for recorded steps. A sentence is used only if the parser of steps reads it; otherwise the step has an action.

use legwork_protocol::{Action, Dialog, Press, Step, Target};

use super::{Element, Recorded};
use crate::sentence::{Verb, action_of, named, secret_name, sentence, with_action};

/// The names that an import invents.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) secrets: Vec<String>,
    pub(super) inputs: Vec<String>,
}

impl Names {
    /// The name of the secret for a password field; the same field has the same secret.
    fn secret(&mut self, field: &str) -> String {
        let name = secret_name(field);
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
            let sentence = on
                .name
                .as_deref()
                .and_then(|name| sentence(&verb, on.role.as_deref(), &named(&verb, on.role.as_deref(), name)?));
            with_action(action_of(&verb, target_of(on)), sentence)
        }
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
