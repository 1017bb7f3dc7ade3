//! From the journal of a run to the statements of a script.

mod actions;
mod assertions;
mod locators;
mod texts;

use std::collections::BTreeMap;

use legwork::record::{CommandRecord, RecordError, RecordState, RunRecord, StepRecord};
use legwork_protocol::{Action, CommandId, Event, EventKind, PageEffect, Status, Step};
use thiserror::Error;
use url::Url;

use self::texts::Texts;
use crate::{outline::PageOutline, statement::Statement};

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
    /// The script of a run. `outlines` are the stored texts of its pages, in order: without them, elements in frames and elements
    /// whose name is not unique cannot be told apart.
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
        let step_ends = events.iter().filter_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some((result.index, event.seq)),
            _ => None,
        });
        let mut writer = ScriptWriter {
            record: &record,
            outlines,
            seqs: seqs.collect(),
            step_ends: step_ends.collect(),
            texts: Texts::new(&start.workflow, &record, base_url(&record)),
        };
        let steps = writer.steps();
        let texts = writer.texts;
        Ok(PlaywrightScript {
            name: start.workflow.name.clone(),
            base_url: texts.base_url,
            inputs: texts.inputs.iter().map(|(name, value)| (name.clone(), texts::words(value))).collect(),
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
    /// The number of the event with the end of each step.
    step_ends: BTreeMap<usize, u64>,
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
            let statements = match &planned.step.group {
                // Its steps follow, as they were done in this run.
                Some(_) => {
                    let message = done.result.as_ref().map(|result| result.message.clone()).unwrap_or_default();
                    vec![Statement::Comment(format!("in the recorded run: {message}"))]
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
        let before = self.step_ends.get(&done.index).copied().unwrap_or(u64::MAX);
        statements.extend(self.checks(written, before));
        if written.expect.is_none() {
            statements.extend(self.evidence(&commands));
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
            statements.extend(around(acted, &result.effects));
        }
        statements
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
