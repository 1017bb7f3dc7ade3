//! Sentences for recorded steps. A sentence is used only if the parser of steps reads it; otherwise the step has an
//! action.

use legwork_protocol::{Action, Click, Dialog, Press, Save, Step, Target};

use super::{Element, Position, Recorded};
use crate::sentence::{Verb, action_of, click_verb, named, noun, ordinal, quoted, secret_name, sentence, with_action};

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

/// The step for a recorded one; `None` if there is nothing to do. The error is the reason why nothing says the same.
pub(super) fn step_of(recorded: &Recorded, names: &mut Names) -> Result<Option<Step>, String> {
    Ok(Some(match recorded {
        Recorded::Nothing | Recorded::Comment(_) | Recorded::NextDialog { .. } | Recorded::NextDownload => {
            return Ok(None);
        }
        Recorded::Open(url) => Step::new(format!("Open {url}")),
        Recorded::Check(text) => understood(format!("Check that {text}"))?,
        Recorded::Sentence(text) => understood(text.clone())?,
        Recorded::Action(action) => with_action(action.clone(), None),
        Recorded::Dialog { accept, text } => with_action(Action::Dialog(Dialog::answer(*accept, text.clone())), None),
        Recorded::Press { key, on: None } => {
            with_action(Action::Press(Press { key: key.clone(), target: None }), Some(format!("Press {key}")))
        }
        Recorded::Press { key, on: Some(on) } => on_element(&Verb::Press(key.clone()), on)?,
        Recorded::Click { click, on } => {
            let named = phrase(&Verb::Click, on);
            let sentence = click_verb(click).zip(named).map(|(verb, named)| format!("{verb} {named}"));
            with_target(on, sentence, |target| Action::Click(Click { target, ..click.clone() }))?
        }
        Recorded::Save { variable, on } => {
            let sentence = phrase(&Verb::Hover, on).map(|named| format!("Save the text of {named} as {variable}"));
            let save = |target| Action::Save(Save { target, variable: variable.clone(), attribute: None });
            with_target(on, sentence, save)?
        }
        Recorded::Do { verb, on } => {
            let verb = match verb {
                Verb::Fill(_) if on.is_password => {
                    let field = on.name.as_deref().or(on.selector.as_deref()).unwrap_or_default();
                    Verb::Fill(format!("${{secret:{}}}", names.secret(field)))
                }
                other => other.clone(),
            };
            on_element(&verb, on)?
        }
    }))
}

fn understood(sentence: String) -> Result<Step, String> {
    match legwork_steps::read(&sentence) {
        Ok(_) => Ok(Step::new(sentence)),
        Err(_) => Err("no sentence says this".to_owned()),
    }
}

fn on_element(verb: &Verb, on: &Element) -> Result<Step, String> {
    let sentence = phrase(verb, on).and_then(|phrase| sentence(verb, on.role.as_deref(), &phrase));
    with_target(on, sentence, |target| action_of(verb, target))
}

/// The step with this sentence, if it is understood, otherwise with an action on the selector of the element. A
/// selector has neither the place nor the position of an element that words name.
fn with_target(on: &Element, sentence: Option<String>, action: impl FnOnce(Target) -> Action) -> Result<Step, String> {
    if let Some(sentence) = sentence.filter(|sentence| legwork_steps::read(sentence).is_ok()) {
        return Ok(Step::new(sentence));
    }
    if !on.place.is_empty() {
        return Err("no sentence names this element with its place".to_owned());
    }
    Ok(with_action(action(target_of(on)?), None))
}

/// The words for an element with its place and its position.
fn phrase(verb: &Verb, on: &Element) -> Option<String> {
    let name = on.name.as_deref();
    let role = on.role.as_deref();
    let head = match (on.position, name) {
        (Some(position), name) => {
            let name = name.map(|name| Some(quoted(name)? + " ")).unwrap_or_else(|| Some(String::new()))?;
            let which = match position {
                Position::Nth(at) => ordinal(at),
                Position::Last => "last".to_owned(),
            };
            format!("the {which} {name}{}", noun(role?)?)
        }
        (None, Some(name)) => named(verb, role, name)?,
        (None, None) => format!("the {}", noun(role?)?),
    };
    // Without a name, only a place says which element of the kind is meant.
    if name.is_none() && on.place.is_empty() && on.position.is_none() {
        return None;
    }
    Some(format!("{head}{}", on.place))
}

fn target_of(element: &Element) -> Result<Target, String> {
    let nth = match element.position {
        None => String::new(),
        Some(Position::Nth(at)) => format!(" >> nth={at}"),
        Some(Position::Last) => return Err("the last one of several elements".to_owned()),
    };
    let selector = match (&element.role, &element.name, &element.selector) {
        (Some(role), Some(name), _) if !name.contains('"') => format!("role={role}[name=\"{name}\"]"),
        (_, _, Some(selector)) => selector.clone(),
        (Some(role), None, None) => format!("role={role}"),
        _ => return Err("no sentence and no selector names this element".to_owned()),
    };
    Ok(Target(selector + &nth))
}
