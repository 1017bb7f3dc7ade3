//! From the journal of a run to the statements of a script.

mod actions;
mod assertions;
mod locators;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use legwork::record::{CommandRecord, RecordError, RecordState, RunRecord, StepRecord};
use legwork_protocol::{
    Action, CommandId, ElementIdentity, Event, EventKind, IterationPlace, PageEffect, Status, Step,
};
use legwork_steps::Clause;
use thiserror::Error;
use url::Url;

pub(crate) use self::texts::contains_words;
use self::texts::{Texts, words};
use crate::{
    outline::PageOutline,
    statement::{Expression, Statement, Value},
};

/// A run as a script.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaywrightScript {
    pub(crate) name: String,
    /// The origin that every address of the site begins with.
    pub(crate) base_url: Option<String>,
    /// The inputs with their defaults.
    pub(crate) inputs: BTreeMap<String, String>,
    /// The names of the secrets.
    pub(crate) secrets: Vec<String>,
    /// The variables that steps save.
    pub(crate) saved: Vec<String>,
    pub(crate) steps: Vec<ScriptStep>,
}

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScriptStep {
    /// Its number and its sentence.
    pub(crate) title: String,
    pub(crate) statements: Vec<Statement>,
}

/// Why a run cannot be exported as a script.
#[derive(Debug, Error)]
pub enum ScriptError {
    /// The journal cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The run did not end as a success, so that a script of it would prove nothing.
    #[error("the run did not succeed: it ended as {0}")]
    NotSuccessful(&'static str),
}

impl PlaywrightScript {
    /// The script of a run. `outlines` are the stored texts of its pages, in order: without them, elements in frames
    /// and elements whose name is not unique cannot be told apart.
    ///
    /// # Errors
    /// If the run did not succeed.
    pub fn of_run(events: &[Event], outlines: &[PageOutline]) -> Result<PlaywrightScript, ScriptError> {
        let record = RunRecord::fold(events)?;
        let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else {
            return Err(RecordError::Empty.into());
        };
        if record.state != RecordState::Ended(Status::Success) {
            return Err(ScriptError::NotSuccessful(record.state.name()));
        }
        let seqs = events.iter().filter_map(|event| match &event.kind {
            EventKind::CommandStarted { command_id, .. } => Some((*command_id, event.seq)),
            _ => None,
        });
        let mut identities: BTreeMap<CommandId, BTreeMap<String, ElementIdentity>> = BTreeMap::new();
        for event in events {
            let (command, elements) = match &event.kind {
                EventKind::CommandStarted { command_id, identity: Some(identity), .. } => {
                    (command_id, &identity.elements)
                }
                EventKind::CommandCompleted { command_id, result } => (command_id, &result.elements),
                _ => continue,
            };
            identities.entry(*command).or_default().extend(elements.clone());
        }
        let step_ends = events.iter().filter_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some((result.index, event.seq)),
            _ => None,
        });
        let mut writer = ScriptWriter {
            record: &record,
            outlines,
            seqs: seqs.collect(),
            identities,
            step_ends: step_ends.collect(),
            sentence: String::new(),
            within: Vec::new(),
            texts: Texts::new(&start.workflow, &record, base_url(&record)),
        };
        let steps = writer.steps();
        let texts = writer.texts;
        Ok(PlaywrightScript {
            name: start.workflow.name.clone(),
            base_url: texts.base_url,
            inputs: texts.inputs.iter().map(|(name, value)| (name.clone(), words(value))).collect(),
            secrets: texts.secrets,
            saved: texts.saved,
            steps,
        })
    }
}

/// The origin of the first page.
fn base_url(record: &RunRecord) -> Option<String> {
    let turns = record.outside.iter().chain(record.steps.iter().flat_map(|step| &step.turns));
    let mut opened = turns.flat_map(|turn| &turn.commands).filter_map(|command| match &command.action {
        Action::Open(open) => Some(open.url.clone()),
        _ => None,
    });
    let url = record.url.clone().or_else(|| opened.next())?;
    Some(Url::parse(&url).ok()?.origin().ascii_serialization())
}

/// What the statements are made from.
struct ScriptWriter<'a> {
    record: &'a RunRecord,
    outlines: &'a [PageOutline],
    /// The number of the event with the intent of each command.
    seqs: BTreeMap<CommandId, u64>,
    /// What identifies the elements of each command, by the parameter that names them.
    identities: BTreeMap<CommandId, BTreeMap<String, ElementIdentity>>,
    /// The number of the event with the end of each step.
    step_ends: BTreeMap<usize, u64>,
    /// The sentence of the current step, as its author wrote it.
    sentence: String,
    /// The iterations of the loops around the current step, the outermost first.
    within: Vec<IterationPlace>,
    texts: Texts,
}

impl ScriptWriter<'_> {
    fn steps(&mut self) -> Vec<ScriptStep> {
        let mut steps = Vec::new();
        let opening: Vec<&CommandRecord> = self.record.outside.iter().flat_map(|turn| &turn.commands).collect();
        let opened = self.commands(&opening, "");
        if !opened.is_empty() {
            steps.push(ScriptStep { title: "Open the first page".to_owned(), statements: opened });
        }
        for (planned, done) in self.record.plan().steps().iter().zip(&self.record.steps) {
            let title = format!("{}. {}", done.index + 1, planned.text());
            self.within.clone_from(&planned.within);
            self.sentence.clone_from(&planned.step.step);
            let values =
                planned.within.iter().map(|place| (place.iterations.variable.clone(), place.item().value.clone()));
            self.texts.loop_values = values.collect();
            let statements = match &planned.step.group {
                // Its steps follow, as they were done in this run.
                Some(_) => {
                    let message = done.result.as_ref().map(|result| result.message.clone()).unwrap_or_default();
                    vec![Statement::Comment(format!(
                        "in the recorded run: {message}\nThe script does what this run did, with the values of this run."
                    ))]
                }
                None => self.step(&planned.step, done),
            };
            steps.push(ScriptStep { title, statements });
        }
        answer_dialogs_before(&mut steps);
        steps
    }

    fn step(&mut self, written: &Step, done: &StepRecord) -> Vec<Statement> {
        if done.state == RecordState::Ended(Status::Skipped) {
            let why = match &written.when {
                Some(when) => format!("was skipped, because this did not hold: {when}"),
                None => "was optional, and its element was not there".to_owned(),
            };
            return vec![Statement::Comment(why)];
        }
        let commands: Vec<&CommandRecord> = done.turns.iter().flat_map(|turn| &turn.commands).collect();
        let mut statements = Vec::new();
        if let Some(when) = &written.when {
            statements.push(Statement::Comment(format!("only if {when}")));
        }
        statements.extend(self.commands(&commands, &written.step));
        statements.extend(self.saved_without_action(written, &commands));
        let before = self.step_ends.get(&done.index).copied().unwrap_or(u64::MAX);
        statements.extend(self.checks(written, before));
        if written.expect.is_none() {
            statements.extend(self.evidence(&commands));
        }
        // A step may use what it saves itself.
        statements.splice(0..0, self.unknown_values(written));
        statements
    }

    /// Lines that fail, for variables of the step whose values the script cannot know.
    fn unknown_values(&self, written: &Step) -> Vec<Statement> {
        let texts = std::iter::once(&written.step).chain(&written.expect);
        let unknown: BTreeSet<String> = texts.filter_map(|text| self.texts.unknown_in(text)).collect();
        let fail = |reference| {
            Statement::Fail(format!("cannot be expressed: no statement of the script gives {reference} its value"))
        };
        unknown.into_iter().map(fail).collect()
    }

    /// Lines that fail, for variables that the sentence saves from the page without an action on an element: a number
    /// of rows.
    fn saved_without_action(&mut self, written: &Step, commands: &[&CommandRecord]) -> Vec<Statement> {
        let Ok(sentence) = legwork_steps::read(&written.step) else { return Vec::new() };
        let is_saved = |name: &str| {
            commands.iter().any(|command| matches!(&command.action, Action::Save(save) if save.variable == name))
        };
        let mut statements = Vec::new();
        for clause in sentence.clauses() {
            let Clause::Do(instruction) = clause else { continue };
            let Some(name) = instruction.saved_variable().filter(|name| !is_saved(name)) else { continue };
            let value = self.record.variables.get(name).map(|variable| variable.value.clone()).unwrap_or_default();
            self.texts.save(name, value);
            statements.push(Statement::Fail(format!(
                "cannot be expressed: {instruction}: the value is not the text of one element"
            )));
        }
        statements
    }

    /// The statements of the commands that worked.
    fn commands(&mut self, commands: &[&CommandRecord], sentence: &str) -> Vec<Statement> {
        let mut statements = Vec::new();
        for command in commands {
            let Some(result) = command.result.as_ref() else { continue };
            if !result.ok() {
                statements.push(Statement::Comment(format!(
                    "failed in the run, and is left out: {}",
                    command.action.describe(result.element.as_deref())
                )));
                continue;
            }
            let acted = self.action(command, &command.action, sentence);
            if acted.iter().any(is_by_position) {
                statements.push(Statement::Comment(BY_POSITION.to_owned()));
            }
            statements.extend(around(acted, &result.effects));
        }
        statements
    }
}

/// The comment above a statement with a position.
const BY_POSITION: &str = "The element is found by its position, because the run recorded nothing else that distinguishes it from \
                           equal ones. If the page changes, this may be another element.";

/// Whether a statement finds its element by a position.
fn is_by_position(statement: &Statement) -> bool {
    let has_nth = |expression: &Expression| expression.calls.iter().any(|call| call.method == "nth");
    match statement {
        Statement::Call(call) => {
            let in_arguments = call.calls.iter().flat_map(|call| &call.arguments).any(|argument| match argument {
                Value::Locator(locator) => has_nth(locator),
                _ => false,
            });
            has_nth(call) || in_arguments
        }
        Statement::Save { value, .. } => has_nth(value),
        Statement::Popup(action) | Statement::Download { action, .. } | Statement::FileChooser { action, .. } => {
            action.iter().any(is_by_position)
        }
        _ => false,
    }
}

/// The statements of an action within those that wait for its effects.
fn around(acted: Vec<Statement>, effects: &[PageEffect]) -> Vec<Statement> {
    let is_call = acted.iter().any(|statement| matches!(statement, Statement::Call(_)));
    let mut acted = acted;
    for effect in effects.iter().filter(|_| is_call) {
        acted = match effect {
            PageEffect::Downloaded(download) => {
                vec![Statement::Download { action: acted, name: download.name.clone() }]
            }
            PageEffect::TabOpened { current: true, .. } => vec![Statement::Popup(acted)],
            _ => acted,
        };
    }
    acted
}

/// Moves the answer of a dialog before the action that opens it: Playwright needs it by then.
fn answer_dialogs_before(steps: &mut [ScriptStep]) {
    for index in 1..steps.len() {
        let is_answer = |statement: &Statement| matches!(statement, Statement::AnswerDialog { .. });
        let Some(at) = steps[index].statements.iter().position(is_answer).filter(|at| *at == 0) else { continue };
        let is_act = |statement: &Statement| matches!(statement, Statement::Call(_));
        let Some(opener) = (0..index).rev().find(|earlier| steps[*earlier].statements.iter().any(is_act)) else {
            continue;
        };
        let answer = steps[index].statements.remove(at);
        steps[index].statements.insert(0, Statement::Comment("answered above, where the dialog opens".to_owned()));
        let call = steps[opener].statements.iter().rposition(is_act).unwrap_or(0);
        steps[opener].statements.insert(call, answer);
    }
}

#[cfg(test)]
mod tests;
