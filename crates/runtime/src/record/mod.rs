//! What a run was, read back from its events: the one fold behind `show`, `export`, `--json` and the live step list.
//!
//! Events go in, one after the other, and a [`RunRecord`] is always ready to be read: header, steps with their results,
//! and within each step its turns (observation → calls to models → decision → commands). Nothing is looked up elsewhere,
//! so a run that is still open, was cut short, or comes from another machine reads the same way.

pub mod describe;
mod fold;
mod html;
mod metrics;
mod side_panel;
mod totals;
mod verdict;
pub mod view;

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use legwork_protocol::{
    Action, ActionResult, AiCall, CommandId, DecidedBy, Decision, Effect, ErrorReport, Event, EventKind, Outcome,
    PageInfo, PageObserved, Phase, Question, RunId, ScreenshotInfo, Status, StepResult, VariableSource,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

pub use html::{HtmlError, html};
pub use metrics::LoopMetrics;
pub use side_panel::{SidePanelEvent, SidePanelView};
pub use totals::Totals;
pub use verdict::{EvidenceRow, Standing, Tone, ValidationLabel};

/// A run as its events tell it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// Its id.
    pub run: RunId,
    /// What people call it.
    pub name: String,
    /// Whether it is a lone task.
    pub task: bool,
    /// The page it began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The inputs it was given; secrets are handles.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Value>,
    /// Where it stands.
    pub state: RecordState,
    /// What the loop was last busy with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Why it is paused, when it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// When it began.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// When its last event was appended.
    #[schemars(with = "String")]
    pub last: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Its steps, in order; those not begun yet are there too.
    pub steps: Vec<StepRecord>,
    /// What happened outside any step, such as opening the first page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<Turn>,
    /// What it knows; secrets are handles.
    pub variables: BTreeMap<String, Variable>,
    /// What was worth knowing.
    pub warnings: Vec<Warning>,
    /// What went wrong.
    pub errors: Vec<ErrorReport>,
    /// How often it was taken up again, and where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumption>,
    /// What the events add up to.
    pub totals: Totals,
    /// The number of the last event.
    pub seq: u64,
    /// Passwords that its steps' words have, which are not shown.
    #[serde(skip)]
    written: Vec<String>,
    /// The question that waits for an answer.
    #[serde(skip)]
    asked: Option<Question>,
    /// The turn that the last event changed: its step, or none outside all steps, and its number.
    #[serde(skip)]
    touched: Option<(Option<usize>, usize)>,
}

/// Where a run or a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordState {
    /// Not started.
    Pending,
    /// Begun, and no end on record.
    Running,
    /// Waits to be told to go on.
    Paused,
    /// Begun, and whoever drove it is gone.
    Interrupted,
    /// Ended so.
    Ended(Status),
}

impl RecordState {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Pending => "pending",
            RecordState::Running => "running",
            RecordState::Paused => "paused",
            RecordState::Interrupted => "interrupted",
            RecordState::Ended(status) => status.name(),
        }
    }
}

impl JsonSchema for RecordState {
    fn schema_name() -> Cow<'static, str> {
        "RecordState".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let ended = ["success", "failure", "error", "cancelled", "parked", "skipped"];
        let names: Vec<&str> = ["pending", "running", "paused", "interrupted"].into_iter().chain(ended).collect();
        json_schema!({ "type": "string", "description": "Where a run or a step stands.", "enum": names })
    }
}

impl Serialize for RecordState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRecord {
    /// From 0.
    pub index: usize,
    /// Its words.
    pub text: String,
    /// Where it stands.
    pub state: RecordState,
    /// When it began, the last time if it was begun again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub started: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ended: Option<Timestamp>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<StepResult>,
    /// What was seen, decided and done, of every time it was begun.
    pub turns: Vec<Turn>,
    /// What a human was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<QuestionRecord>,
}

impl StepRecord {
    /// From its start to its end, or to `now` while it is at work.
    pub fn duration(&self, now: Timestamp) -> Duration {
        match (&self.result, self.started) {
            (Some(result), _) => result.duration,
            (None, Some(started)) => between(started, self.ended.unwrap_or(now)),
            (None, None) => Duration::ZERO,
        }
    }

    /// Who decided last.
    pub fn decider(&self) -> Option<DecidedBy> {
        let stated = self.result.as_ref().and_then(|result| result.decider);
        stated.or_else(|| self.turns.iter().rev().find_map(Turn::decider))
    }

    /// The command at work, or the last one.
    pub fn last_command(&self) -> Option<&CommandRecord> {
        self.turns.iter().rev().find_map(|turn| turn.commands.last())
    }
}

/// One observe → decide → act.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The page as it was last seen before the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<PageObserved>,
    /// How often the page was looked at.
    pub looks: u32,
    /// Calls to models, failed ones too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<AiCall>,
    /// What was thought besides: investigation, reflection, plans, reviews, data taken; in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<EventKind>,
    /// What was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionRecord>,
    /// What was done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandRecord>,
    /// Pages that were come to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageInfo>,
    /// Pictures that belong to no command.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ScreenshotInfo>,
}

impl Turn {
    /// Whether nothing was decided or done in it.
    pub fn idle(&self) -> bool {
        self.calls.is_empty() && self.decided.is_none() && self.commands.is_empty()
    }

    /// Who decided.
    pub fn decider(&self) -> Option<DecidedBy> {
        let decided = self.decided.as_ref().map(|decided| decided.decider);
        decided.or_else(|| self.commands.first().map(|command| command.decider))
    }
}

/// A decision and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionRecord {
    /// Who decided.
    pub decider: DecidedBy,
    /// What.
    pub decision: Decision,
}

/// A command from its intent to its result.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRecord {
    /// Its name.
    pub command_id: CommandId,
    /// What was to be done; secrets are handles.
    pub action: Action,
    /// Who decided so.
    pub decider: DecidedBy,
    /// What may be done when the result is lost.
    pub effect: Effect,
    /// When the intent was committed.
    #[schemars(with = "String")]
    pub started: Timestamp,
    /// What it did. Absent while it is under way, or for ever when its result was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ActionResult>,
    /// The picture taken afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<ScreenshotInfo>,
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionRecord {
    /// What was asked.
    pub question: Question,
    /// What was answered; for a secret its handle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// A variable and where its value comes from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// Its value.
    pub value: Value,
    /// Where from.
    pub source: VariableSource,
    /// The step that set it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// Something worth knowing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// The step it belongs to, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// What.
    pub message: String,
}

/// A run was taken up again.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resumption {
    /// When.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// With which step, from 0.
    pub step: usize,
    /// Whether the part before has no end on record: it was cut short.
    pub cut_short: bool,
}

/// The events do not begin with the beginning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// There are none.
    #[error("there are no events")]
    Empty,
    /// The first is not WORKFLOW_STARTED.
    #[error("the first event is number {seq} and not the start of a run")]
    NoStart {
        /// Its number.
        seq: u64,
    },
    /// Events are missing in between.
    #[error("the journal is damaged: event {expected} is missing, {found} comes in its place")]
    Gap {
        /// The number that should come.
        expected: u64,
        /// The one that comes.
        found: u64,
    },
    /// Events are missing at the end.
    #[error("the journal is damaged: it ends with event {found}, and {expected} were written")]
    Short {
        /// How many there were.
        expected: u64,
        /// The last there is.
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

    /// As [`RunRecord::fold`], for a run of which the log says how many events it has.
    ///
    /// # Errors
    /// When the events are not all of them: a part of a run must not look like the whole.
    pub fn fold_whole<'a>(events: impl IntoIterator<Item = &'a Event>, last: u64) -> Result<RunRecord, RecordError> {
        let record = RunRecord::fold(events)?;
        if record.seq < last {
            return Err(RecordError::Short { expected: last, found: record.seq });
        }
        Ok(record)
    }

    /// Tells the record of an end that could not be written into the journal: a full disk ends a run as well.
    pub fn end_unwritten(&mut self, outcome: &Outcome) {
        if self.state == RecordState::Running && outcome.error.is_some() {
            self.abandoned();
            self.state = RecordState::Ended(outcome.status);
            self.outcome = Some(outcome.clone());
        }
    }

    /// Tells the record that nobody drives the run any more: what is open was cut short.
    pub fn abandoned(&mut self) {
        if self.state == RecordState::Running {
            self.state = RecordState::Interrupted;
            for step in self.steps.iter_mut().filter(|step| step.state == RecordState::Running) {
                step.state = RecordState::Interrupted;
            }
        }
    }

    /// From its start to its end, or to `now` while it is at work. Time between a stop and a resume counts.
    pub fn duration(&self, now: Timestamp) -> Duration {
        between(self.started, self.ended.unwrap_or(now))
    }

    /// All turns, in and outside steps.
    pub fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.outside.iter().chain(self.steps.iter().flat_map(|step| &step.turns))
    }

    /// The question that waits for an answer. A parked run still waits for it.
    pub fn open_question(&self) -> Option<&Question> {
        self.asked.as_ref()
    }

    /// The pictures, in order of steps.
    pub fn pictures(&self) -> impl Iterator<Item = &ScreenshotInfo> {
        self.turns().flat_map(|turn| turn.commands.iter().filter_map(|c| c.picture.as_ref()).chain(&turn.pictures))
    }
}

/// A run handed to somebody else: what `export --format json` writes.
#[derive(Serialize)]
pub struct Export<'a> {
    /// The version of Legwork that wrote it.
    pub legwork: &'static str,
    /// The run, folded.
    pub record: &'a RunRecord,
    /// Its figures.
    pub metrics: LoopMetrics,
    /// The journal itself: a bug report can be replayed from it.
    pub events: &'a [Event],
}

impl<'a> Export<'a> {
    /// The record and its events.
    pub fn new(record: &'a RunRecord, events: &'a [Event]) -> Self {
        Export { legwork: env!("CARGO_PKG_VERSION"), record, metrics: record.metrics(), events }
    }
}

fn between(start: Timestamp, end: Timestamp) -> Duration {
    // A clock that was set back makes it negative; nothing took less than no time.
    Duration::try_from(end.duration_since(start)).unwrap_or(Duration::ZERO)
}

/// Whole milliseconds of a stretch of time, for those who add them up.
fn ms(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
