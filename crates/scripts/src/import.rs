//! Recordings of other tools as workflows: Chrome DevTools Recorder (JSON), Playwright's code generator (TypeScript,
//! JavaScript, Python) and Selenium IDE (`.side`).
//!
//! A reader converts each step of a recording to a [`Recorded`] action with the line on which it is. This module
//! converts these to steps: to a sentence if a sentence says the same, otherwise to an action with a selector.

mod chrome;
mod codegen;
mod sentences;
mod side;

use legwork_protocol::{Action, Click, Dialog, Input, Step, Workflow};
use thiserror::Error;

use self::sentences::Names;
use crate::{
    sentence::{Verb, quoted},
    workflow_text::{CommentedStep, commented_text},
};

/// An imported recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The workflow. A step that could not be converted is not in it, unless it was requested.
    pub workflow: Workflow,
    /// The steps that could not be converted.
    pub problems: Vec<ImportProblem>,
    /// The names of the secrets that the steps type instead of recorded passwords.
    pub secrets: Vec<String>,
    /// The comments above each step, and those after the last one.
    comments: Vec<Vec<String>>,
}

impl Imported {
    /// The workflow as the text of a workflow file, with comments.
    pub fn text(&self) -> String {
        let count = self.workflow.steps.len();
        let steps = self.workflow.steps.iter().cloned().chain(std::iter::once(Step::default()));
        let comments = |index: usize| self.comments.get(index).cloned().unwrap_or_default();
        let steps: Vec<CommentedStep> = steps
            .take(count + 1)
            .enumerate()
            .map(|(index, step)| CommentedStep { step, comments: comments(index) })
            .collect();
        commented_text(&Workflow { steps: Vec::new(), ..self.workflow.clone() }, &steps)
    }
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
    #[error("the file is not a recording of Chrome DevTools, Playwright or Selenium IDE")]
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
    /// A click with another button, several times, or with keys held. Its target is not used.
    Click {
        click: Click,
        on: Element,
    },
    /// The text of an element becomes the value of a variable.
    Save {
        variable: String,
        on: Element,
    },
    /// A sentence that needs no element.
    Sentence(String),
    /// The answer to the dialog that the next action opens.
    NextDialog {
        accept: bool,
        text: Option<String>,
    },
    /// The next action starts a download.
    NextDownload,
    /// What a reader of the workflow should know.
    Comment(String),
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
    /// The texts that it contains, in quotes.
    contains: Vec<String>,
    /// Where it is: ` in the row of "Ada"`; empty for the whole page.
    place: String,
    /// Its position among the elements of its role and name, from 0.
    position: Option<Position>,
    /// Whether what is typed is a password.
    is_password: bool,
}

/// A position among equal elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Nth(usize),
    Last,
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

/// Imports a recording. `file` is the name of its file. With `partial`, a step that could not be converted becomes a
/// step that states this and fails; otherwise it is only reported.
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
    let mut comments: Vec<Vec<String>> = Vec::new();
    let mut above: Vec<String> = Vec::new();
    // What the recording announced for the next action.
    let (mut next_action, mut announcement) = (NextAction::default(), None);
    for (index, line) in recording.lines.iter().enumerate() {
        let next = recording.lines.get(index + 1).and_then(|next| next.step.as_ref().ok());
        let step = match &line.step {
            Ok(Recorded::Open(url)) if workflow.url.is_none() && workflow.steps.is_empty() => {
                workflow.url = Some(url.clone());
                continue;
            }
            // A person clicks into a field before typing; the field is focused anyway.
            Ok(Recorded::Do { verb: Verb::Click, on }) if is_filled(next, on) => continue,
            Ok(Recorded::Comment(text)) => {
                above.push(text.clone());
                continue;
            }
            Ok(Recorded::NextDialog { accept, text }) => {
                next_action.dialog = Some((*accept, text.clone()));
                announcement = Some(line);
                continue;
            }
            Ok(Recorded::NextDownload) => {
                next_action.download = true;
                announcement = Some(line);
                continue;
            }
            // The answer was part of the step that opened the dialog.
            Ok(Recorded::Dialog { .. }) if next_action.was_answered => {
                next_action.was_answered = false;
                continue;
            }
            Ok(recorded) => sentences::step_of(recorded, &mut names).and_then(|step| match step {
                Some(step) if next_action.is_announced() && is_action(recorded) => next_action.added_to(step).map(Some),
                other => {
                    next_action.was_answered &= !is_action(recorded);
                    Ok(other)
                }
            }),
            Err(reason) => {
                // It may be the action that was announced.
                next_action = NextAction::default();
                Err(reason.clone())
            }
        };
        let is_added = match step {
            Ok(step) => attach(&mut workflow.steps, step),
            Err(reason) => {
                problems.push(ImportProblem { line: line.number, what: line.what.clone(), reason });
                if partial {
                    let text = format!("NOT IMPORTED, line {}: {}", line.number, line.what.replace('"', "'"));
                    let expect = Some(format!("\"Replace this step of line {}\" is shown", line.number));
                    workflow.steps.push(Step { expect, ..Step::new(text) });
                }
                partial
            }
        };
        if is_added {
            comments.push(std::mem::take(&mut above));
        }
    }
    if let Some(line) = announcement.filter(|_| next_action.is_announced()) {
        let reason = "no action that can be converted follows".to_owned();
        problems.push(ImportProblem { line: line.number, what: line.what.clone(), reason });
    }
    comments.push(above);
    for name in &names.inputs {
        workflow.inputs.insert(name.clone(), Input::default());
    }
    Imported { workflow, problems, secrets: names.secrets, comments }
}

/// What a recording announces before the action that causes it.
#[derive(Debug, Default)]
struct NextAction {
    /// The answer to the dialog: whether it is accepted, and the text for a prompt.
    dialog: Option<(bool, Option<String>)>,
    download: bool,
    /// Whether the last step contained the answer to its dialog.
    was_answered: bool,
}

impl NextAction {
    fn is_announced(&self) -> bool {
        self.dialog.is_some() || self.download
    }

    /// The step with what was announced.
    fn added_to(&mut self, step: Step) -> Result<Step, String> {
        let mut whole = step.step.clone();
        let (dialog, download) = (self.dialog.take(), std::mem::take(&mut self.download));
        if let Some((accept, text)) = &dialog {
            whole += &match (accept, text) {
                (true, None) => " and accept the dialog".to_owned(),
                (false, _) => " and dismiss the dialog".to_owned(),
                (true, Some(text)) => {
                    let text = quoted(text).ok_or("the answer to the dialog cannot be in a sentence")?;
                    format!(" and answer the prompt with {text}")
                }
            };
        }
        if download {
            whole += " and wait for the download";
        }
        self.was_answered = dialog.is_some();
        match step.action {
            None if legwork_steps::read(&whole).is_ok() => Ok(Step { step: whole, ..step }),
            Some(action) if !download => {
                let (accept, text) = dialog.unwrap_or_default();
                let answer = Dialog { opened_by: Some(Box::new(action)), ..Dialog::answer(accept, text) };
                Ok(crate::sentence::with_action(Action::Dialog(answer), None))
            }
            _ => Err("no sentence combines this step with its dialog or download".to_owned()),
        }
    }
}

/// Whether a step acts on the page.
fn is_action(recorded: &Recorded) -> bool {
    matches!(recorded, Recorded::Do { .. } | Recorded::Click { .. } | Recorded::Press { .. })
}

/// Whether words name a password field.
fn is_password(words: &str) -> bool {
    const WORDS: [&str; 7] = ["password", "passwort", "passwd", "passphrase", "passcode", "contraseña", "mot de passe"];
    let words = words.to_lowercase();
    WORDS.iter().any(|word| words.contains(word))
}

fn is_filled(next: Option<&Recorded>, on: &Element) -> bool {
    matches!(next, Some(Recorded::Do { verb: Verb::Fill(_), on: filled }) if filled == on)
}

/// Adds a step; a check becomes the expectation of the step before it. Returns whether there is one step more.
fn attach(steps: &mut Vec<Step>, step: Option<Step>) -> bool {
    let Some(step) = step else { return false };
    if let (Some(check), Some(last)) = (step.step.strip_prefix("Check that "), steps.last_mut())
        && last.expect.is_none()
        && step.action.is_none()
        && !last.step.starts_with("Check that ")
    {
        last.expect = Some(check.to_owned());
        return false;
    }
    steps.push(step);
    true
}

#[cfg(test)]
mod tests;
