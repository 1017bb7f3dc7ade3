//! Recordings of other tools as workflows: Chrome DevTools Recorder (JSON), Playwright's code generator (TypeScript, JavaScript,
//! Python) and Selenium IDE (`.side`).
//!
//! A reader converts each step of a recording to a [`Recorded`] action with the line on which it is. This module converts these to
//! steps: to a sentence if a sentence says the same, otherwise to an action with a selector.

mod chrome;
mod codegen;
mod sentences;
mod side;

use legwork_protocol::{Action, Input, Step, Workflow};
use thiserror::Error;

use self::sentences::Names;
use crate::sentence::Verb;

/// An imported recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The workflow. A step that could not be converted is not in it, unless it was requested.
    pub workflow: Workflow,
    /// The steps that could not be converted.
    pub problems: Vec<ImportProblem>,
    /// The names of the secrets that the steps type instead of recorded passwords.
    pub secrets: Vec<String>,
}

/// A step that could not be converted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}: {reason}")]
pub struct ImportProblem {
    /// The line of the recording, from 1.
    pub line: usize,
    /// The step, as the recording has it.
    pub what: String,
    /// Why it could not be converted.
    pub reason: String,
}

/// Why a recording cannot be imported at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportError {
    /// The content has none of the supported formats.
    #[error("the file is no recording of Chrome DevTools, Playwright or Selenium IDE")]
    UnknownFormat,
    /// The JSON is malformed.
    #[error("the file is not JSON: {0}")]
    NotJson(String),
    /// There are no steps.
    #[error("the recording has no steps")]
    Empty,
    /// A `.side` file has several tests.
    #[error("the project has several tests ({}); a workflow is one", .0.join(", "))]
    SeveralTests(Vec<String>),
}

/// One step of a recording, in the terms that all formats share.
#[derive(Clone, Debug, PartialEq)]
enum Recorded {
    Open(String),
    Do {
        verb: Verb,
        on: Element,
    },
    Press {
        key: String,
        on: Option<Element>,
    },
    /// A check in the syntax of steps.
    Check(String),
    Dialog {
        accept: bool,
        text: Option<String>,
    },
    Action(Action),
    /// Nothing that a workflow needs: the size of a window, a click into a field that is filled next.
    Nothing,
}

/// How a recording names an element.
#[derive(Clone, Debug, Default, PartialEq)]
struct Element {
    role: Option<String>,
    /// The accessible name, a label, or a text.
    name: Option<String>,
    /// A CSS selector or `xpath=…`, for an element without a name.
    selector: Option<String>,
    /// Whether what is typed is a password.
    is_password: bool,
}

/// A step of a recording with its place.
struct Line {
    number: usize,
    what: String,
    step: Result<Recorded, String>,
}

/// A recording before it is a workflow.
struct Recording {
    name: String,
    lines: Vec<Line>,
}

/// Imports a recording. `file` is the name of its file. With `partial`, a step that could not be converted becomes a step that
/// states this and fails; otherwise it is only reported.
///
/// # Errors
/// If nothing of the file can be read.
pub fn import(text: &str, file: &str, partial: bool) -> Result<Imported, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let recording = match file.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("side") => side::read(text)?,
        Some("json") => chrome::read(text)?,
        Some("ts" | "js" | "mjs" | "cjs" | "mts") => codegen::read(text, file, false)?,
        Some("py") => codegen::read(text, file, true)?,
        _ if text.trim_start().starts_with('{') && text.contains("\"tests\"") => side::read(text)?,
        _ if text.trim_start().starts_with('{') => chrome::read(text)?,
        _ if text.contains("playwright") => codegen::read(text, file, text.contains("sync_playwright"))?,
        _ => return Err(ImportError::UnknownFormat),
    };
    if recording.lines.iter().all(|line| line.step == Ok(Recorded::Nothing)) {
        return Err(ImportError::Empty);
    }
    Ok(workflow_of(recording, partial))
}

fn workflow_of(recording: Recording, partial: bool) -> Imported {
    let mut names = Names::default();
    let (mut workflow, mut problems) = (Workflow { name: recording.name, ..Workflow::default() }, Vec::new());
    for (index, line) in recording.lines.iter().enumerate() {
        let next = recording.lines.get(index + 1).and_then(|next| next.step.as_ref().ok());
        match &line.step {
            Ok(Recorded::Open(url)) if workflow.url.is_none() && workflow.steps.is_empty() => {
                workflow.url = Some(url.clone());
            }
            // A person clicks into a field before typing; the field is focused anyway.
            Ok(Recorded::Do { verb: Verb::Click, on }) if is_filled(next, on) => {}
            Ok(recorded) => attach(&mut workflow.steps, sentences::step_of(recorded, &mut names)),
            Err(reason) => {
                problems.push(ImportProblem { line: line.number, what: line.what.clone(), reason: reason.clone() });
                if partial {
                    let text = format!("NOT IMPORTED, line {}: {}", line.number, line.what.replace('"', "'"));
                    let expect = Some(format!("\"Replace this step of line {}\" is shown", line.number));
                    workflow.steps.push(Step { expect, ..Step::new(text) });
                }
            }
        }
    }
    for name in &names.inputs {
        workflow.inputs.insert(name.clone(), Input::default());
    }
    Imported { workflow, problems, secrets: names.secrets }
}

/// Whether words name a password field.
fn is_password(words: &str) -> bool {
    const WORDS: [&str; 7] = ["password", "passwort", "passwd", "passphrase", "passcode", "contraseña", "mot de passe"];
    let words = words.to_lowercase();
    WORDS.iter().any(|word| words.contains(word))
}

fn is_filled(next: Option<&Recorded>, on: &Element) -> bool {
    matches!(next, Some(Recorded::Do { verb: Verb::Fill(_), on: filled }) if filled.name == on.name && filled.selector == on.selector)
}

/// Adds a step; a check becomes the expectation of the step before it.
fn attach(steps: &mut Vec<Step>, step: Option<Step>) {
    let Some(step) = step else { return };
    if let (Some(check), Some(last)) = (step.step.strip_prefix("Check that "), steps.last_mut())
        && last.expect.is_none()
        && step.action.is_none()
        && !last.step.starts_with("Check that ")
    {
        last.expect = Some(check.to_owned());
        return;
    }
    steps.push(step);
}

#[cfg(test)]
mod tests;
