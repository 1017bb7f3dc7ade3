//! The record of a run, folded from its events. `show`, `export`, `--json` and the live step list all use this one
//! fold.
//!
//! [`RunRecord::apply`] takes one event after the other, and the [`RunRecord`] can be read after each of them: header,
//! steps with their results, and in each step its turns (observation → model calls → decision → commands). The fold
//! uses nothing but the events. A run in progress, an interrupted run and a run from another machine therefore read the
//! same way.

pub mod describe;
mod export;
mod fold;
mod html;
mod metrics;
mod side_panel;
mod state;
mod task_plan;
mod totals;
mod verdict;
pub mod view;

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use legwork_protocol::{
    Action, ActionResult, AiCall, CommandId, DecidedBy, Decision, Effect, ErrorReport, Event, EventKind, Outcome,
    PageInfo, PageObserved, Phase, PlaybookUse, Question, RunId, ScreenshotInfo, StepPlan, StepResult, VariableSource,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use export::Export;
pub use html::{HtmlError, html};
pub use metrics::LoopMetrics;
pub use side_panel::{SidePanelEvent, SidePanelView};
pub use state::RecordState;
pub use totals::Totals;
pub use verdict::{EvidenceRow, StatusLabel, Tone, ValidationLabel};

/// A run, folded from its events.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// The run's id.
    pub run: RunId,
    /// The name that people see.
    pub name: String,
    /// Whether the run is a single task.
    pub task: bool,
    /// The address that the run began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The values of its inputs. A secret is a handle.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Value>,
    /// The playbook whose recorded actions the run uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playbook: Option<PlaybookUse>,
    /// Its current state.
    pub state: RecordState,
    /// The current phase of the drive loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Why the run is paused, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// The time of its start.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// The time of its last event.
    #[schemars(with = "String")]
    pub last: Timestamp,
    /// The time of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// How the run ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// All steps in order, including those that have not begun.
    pub steps: Vec<StepRecord>,
    /// The turns outside any step, for example opening the first page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Turn>,
    /// Its variables. A secret is a handle.
    pub variables: BTreeMap<String, Variable>,
    /// Its warnings.
    pub warnings: Vec<Warning>,
    /// Its errors.
    pub errors: Vec<ErrorReport>,
    /// Where the run was resumed, one entry for each time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumption>,
    /// Totals over all events.
    pub totals: Totals,
    /// The number of the last event.
    pub seq: u64,
    /// The time in which the run was stopped: from the event before each resume to the resume.
    #[serde(skip)]
    idle: Duration,
    /// Passwords that occur in the text of the steps. They are removed from what is shown.
    #[serde(skip)]
    written: Vec<String>,
    /// The steps as they are written, with the expanded ones.
    #[serde(skip)]
    plan: StepPlan,
    /// The newest plan of a task, and its progress.
    #[serde(skip)]
    task_plan: Option<task_plan::TaskPlan>,
    /// The question that waits for an answer.
    #[serde(skip)]
    asked: Option<Question>,
    /// The turn that the last event changed: its step (`None` outside all steps) and its number.
    #[serde(skip)]
    touched: Option<(Option<usize>, usize)>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRecord {
    /// The position in the workflow, from 0.
    pub index: usize,
    /// The text of the step.
    pub text: String,
    /// Its current state.
    pub state: RecordState,
    /// The time of its start. A step that was started again has the time of its last start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub started: Option<Timestamp>,
    /// The time of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// How the step ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<StepResult>,
    /// The turns of all its starts.
    pub turns: Vec<Turn>,
    /// The questions to a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<QuestionRecord>,
}

impl StepRecord {
    /// The time from start to end, or to `now` if the step is in progress.
    pub fn duration(&self, now: Timestamp) -> Duration {
        match (&self.result, self.started) {
            (Some(result), _) => result.duration,
            (None, Some(started)) => between(started, self.ended.unwrap_or(now)),
            (None, None) => Duration::ZERO,
        }
    }

    /// Who made the last decision.
    pub fn decider(&self) -> Option<DecidedBy> {
        let stated = self.result.as_ref().and_then(|result| result.decider);
        stated.or_else(|| self.turns.iter().rev().find_map(Turn::decider))
    }

    /// The command in progress, or else the last one.
    pub fn last_command(&self) -> Option<&CommandRecord> {
        self.turns.iter().rev().find_map(|turn| turn.commands.last())
    }
}

/// One cycle of observe → decide → act.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The last observation of the page before the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<PageObserved>,
    /// The number of observations in this turn.
    pub looks: u32,
    /// The model calls, including failed ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<AiCall>,
    /// Other work of the model in order: investigations, reflections, plans, reviews and extracted data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<EventKind>,
    /// The decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionRecord>,
    /// The commands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandRecord>,
    /// The pages that the turn navigated to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageInfo>,
    /// The screenshots that belong to no command.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ScreenshotInfo>,
}

impl Turn {
    /// Whether the turn contains neither a decision nor a command.
    pub fn idle(&self) -> bool {
        self.calls.is_empty() && self.decided.is_none() && self.commands.is_empty()
    }

    /// Who made the decision.
    pub fn decider(&self) -> Option<DecidedBy> {
        let decided = self.decided.as_ref().map(|decided| decided.decider);
        decided.or_else(|| self.commands.first().map(|command| command.decider))
    }
}

/// A decision and who made it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionRecord {
    /// Who made it.
    pub decider: DecidedBy,
    /// The decision.
    pub decision: Decision,
}

/// A command, from its intent to its result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRecord {
    /// The command's id.
    pub command_id: CommandId,
    /// The action. A secret is a handle.
    pub action: Action,
    /// Who decided on it.
    pub decider: DecidedBy,
    /// What a repetition of the action could do. It decides what happens if the result is lost.
    pub effect: Effect,
    /// For an action of a playbook: how well its element agrees with the recorded one, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Why the recorded action of a playbook could not be used, if this action replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub healed: Option<String>,
    /// The time at which the intent was committed.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// The result. Absent while the command is in progress, and permanently if the result was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ActionResult>,
    /// The screenshot after the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<ScreenshotInfo>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionRecord {
    /// The question.
    pub question: Question,
    /// The answer. The answer to a secret question is a handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// A variable and the origin of its value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// Its value.
    pub value: Value,
    /// Where the value comes from.
    pub source: VariableSource,
    /// The index of the step that set it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// A warning of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// The index of the step that it belongs to, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The text of the warning.
    pub message: String,
}

/// A point at which a run was resumed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resumption {
    /// The time of the resume.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The index of the step that the run continued with, from 0.
    pub step: usize,
    /// Whether the part before was interrupted, which means that the journal contains no end of it.
    pub cut_short: bool,
}

/// The events are not a complete journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The journal is empty.
    #[error("there are no events")]
    Empty,
    /// The first event is not `WORKFLOW_STARTED`.
    #[error("the first event has number {seq} and is not the start of a run")]
    NoStart {
        /// The number of the first event.
        seq: u64,
    },
    /// Events are missing in the middle.
    #[error("the journal is damaged: event {expected} is missing, {found} comes in its place")]
    Gap {
        /// The expected number.
        expected: u64,
        /// The number that was found instead.
        found: u64,
    },
    /// Events are missing at the end.
    #[error("the journal is damaged: it ends with event {found}, and {expected} were written")]
    Short {
        /// The number of events that were written.
        expected: u64,
        /// The number of the last event that was found.
        found: u64,
    },
}

impl RunRecord {
    /// Folds the events of one run, in order.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<RunRecord, RecordError> {
        let mut events = events.into_iter();
        let mut record = RunRecord::begin(events.next().ok_or(RecordError::Empty)?)?;
        for event in events {
            let expected = record.seq + 1;
            if event.seq != expected {
                return Err(RecordError::Gap { expected, found: event.seq });
            }
            record.apply(event);
        }
        Ok(record)
    }

    /// As [`RunRecord::fold`], for a run whose number of events is known from the log.
    ///
    /// # Errors
    /// Fails if events are missing: a part of a run must not look like the whole run.
    pub fn fold_whole<'a>(events: impl IntoIterator<Item = &'a Event>, last: u64) -> Result<RunRecord, RecordError> {
        let record = RunRecord::fold(events)?;
        if record.seq < last {
            return Err(RecordError::Short { expected: last, found: record.seq });
        }
        Ok(record)
    }

    /// Adds an end that could not be written to the journal, for example because the disk was full.
    pub fn add_unrecorded_end(&mut self, outcome: &Outcome) {
        if self.state == RecordState::Running && outcome.error.is_some() {
            self.abandoned();
            self.state = RecordState::Ended(outcome.status);
            self.outcome = Some(outcome.clone());
        }
    }

    /// Marks the run as no longer driven by any process: its running steps become interrupted.
    pub fn abandoned(&mut self) {
        if self.state == RecordState::Running {
            self.state = RecordState::Interrupted;
            for step in self.steps.iter_mut().filter(|step| step.state == RecordState::Running) {
                step.state = RecordState::Interrupted;
            }
        }
    }

    /// The time from start to end, or to `now` if the run is in progress, without the time between a stop and a resume.
    pub fn duration(&self, now: Timestamp) -> Duration {
        between(self.started, self.ended.unwrap_or(now)).saturating_sub(self.idle)
    }

    /// The steps as they are written. The groups that the run reached are followed by the steps to which they expanded.
    pub fn plan(&self) -> &StepPlan {
        &self.plan
    }

    /// All turns, inside and outside steps.
    pub fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.outside.iter().chain(self.steps.iter().flat_map(|step| &step.turns))
    }

    /// The question that waits for an answer. A parked run keeps its question.
    pub fn open_question(&self) -> Option<&Question> {
        self.asked.as_ref()
    }

    /// The screenshots in the order of the steps.
    pub fn pictures(&self) -> impl Iterator<Item = &ScreenshotInfo> {
        self.turns().flat_map(|turn| turn.commands.iter().filter_map(|c| c.picture.as_ref()).chain(&turn.pictures))
    }
}

fn between(start: Timestamp, end: Timestamp) -> Duration {
    // The difference is negative if the clock was set back during the run. The result is then zero.
    Duration::try_from(end.duration_since(start)).unwrap_or(Duration::ZERO)
}

/// A duration as whole milliseconds, for sums.
fn ms(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
