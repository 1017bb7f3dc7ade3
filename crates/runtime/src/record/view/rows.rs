//! The rows of a record: the texts and figures for display, so that a viewer derives nothing.

use jiff::Timestamp;
use legwork_protocol::{
    ActionResult, AiCall, CommandId, ConsoleLine, DecidedBy, Decision, ElementBox, ErrorReport, PageInfo, PageLog,
    Purpose, Question, RequestLine, RunId, ScreenshotInfo, StepResult,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::{
    CommandRecord, DecisionRecord, QuestionRecord, RecordState, Resumption, Totals, Turn, describe, ms,
    verdict::{self, EvidenceRow, StatusLabel, Tone},
};
use super::plan::PlanRow;

/// Longer values and messages are cut: the text of a hostile page must not fill the server's memory.
const MAX_CHARACTERS: usize = 20_000;

/// A part of a record that is replaced as a whole when it changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "row", rename_all = "snake_case")]
pub enum RecordRow {
    /// The run and its state.
    Run(Box<RunRow>),
    /// The progress of the run.
    Progress(ProgressRow),
    /// Totals over its events.
    Totals(Totals),
    /// The current page.
    Page(PageRow),
    /// Its inputs and variables.
    Data(DataRow),
    /// Its errors.
    Problems(ProblemsRow),
    /// A step, without its turns.
    Step(Box<StepRow>),
    /// A turn of a step, or a turn outside all steps.
    Turn(TurnRow),
    /// A step on the timeline.
    Band(BandRow),
    /// A screenshot on the timeline.
    Picture(PictureRow),
    /// An event on the timeline.
    Moment(Box<MomentRow>),
}

/// The identity of a row. Rows are sent in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowKey {
    Run,
    Progress,
    Totals,
    Page,
    Data,
    Problems,
    Step(usize),
    /// The step (`None` outside all steps) and the number of the turn.
    Turn(Option<usize>, usize),
    Band(u64),
    Picture(u64),
    Moment(u64),
}

/// A run and its state.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// The run's id.
    pub run: RunId,
    /// The name that people see.
    pub name: String,
    /// Whether the run is a single task.
    pub task: bool,
    /// The address that the run began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its current state.
    pub state: RecordState,
    /// Whether no more events follow unless a person acts.
    pub ended: bool,
    /// Whether a process drives the run.
    pub live: bool,
    /// The state as it is displayed.
    pub verdict: StatusLabel,
    /// The time of its start.
    #[schemars(with = "String")]
    pub began: Timestamp,
    /// The time of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub end: Option<Timestamp>,
    /// Why it is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// The answer of a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether a person must state the outcome of an action before the run can continue.
    pub outcome_unknown: bool,
    /// The question that waits for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The newest plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanRow>,
}

/// The progress of a run, which changes with almost every event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgressRow {
    /// The number of the last event.
    pub seq: u64,
    /// The time of the last event.
    #[schemars(with = "String")]
    pub last: Timestamp,
    /// The current phase in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<&'static str>,
    /// The expected duration of the phase in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u64>,
    /// The time of the last event that can only follow a finished reply of a model, in microseconds since 1970; 0
    /// before the first. A reply that began earlier is over.
    pub reply_ended: i64,
}

/// The current page of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PageRow {
    /// The last observation of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<PageInfo>,
    /// The last screenshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<ScreenshotInfo>,
}

/// The inputs and variables of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DataRow {
    /// Its variables.
    pub variables: Vec<ValueRow>,
    /// Its inputs.
    pub inputs: Vec<ValueRow>,
    /// Warnings that belong to no step.
    pub warnings: Vec<String>,
    /// Where the run was resumed, one entry for each time.
    pub resumed: Vec<Resumption>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueRow {
    /// Its name.
    pub name: String,
    /// The value as text. A secret is a handle.
    pub value: String,
    /// The index of the step that set it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// The errors of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ProblemsRow {
    /// Errors that matter to a reader who wants to know the outcome.
    pub shown: Vec<ErrorReport>,
    /// Errors that the run recovered from.
    pub hidden: Vec<ErrorReport>,
}

/// A step, without its turns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// The position in the workflow, from 0.
    pub index: usize,
    /// The text of the step.
    pub text: String,
    /// Its current state.
    pub state: RecordState,
    /// The state as it is displayed.
    pub verdict: StatusLabel,
    /// The time of its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub began: Option<Timestamp>,
    /// The time of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub end: Option<Timestamp>,
    /// Who made the last decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decider: Option<DecidedBy>,
    /// How the step ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultRow>,
    /// The questions to a person.
    pub questions: Vec<QuestionRecord>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultRow {
    /// The text of the step.
    pub text: String,
    /// The time from its start to its end.
    pub duration_ms: u64,
    /// The model's message, or why the step was skipped; absent if it repeats the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The result as it is displayed.
    pub verdict: StatusLabel,
    /// Why the claim has this validation, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The facts.
    pub evidence: Vec<EvidenceRow>,
}

impl ResultRow {
    pub(super) fn of(result: &StepResult) -> ResultRow {
        let repeated = result.error.as_ref().is_some_and(|error| error.message == result.message);
        let verdict = verdict::of_result(result);
        ResultRow {
            text: result.text.clone(),
            duration_ms: ms(result.duration),
            message: some(cut(result.message.clone())).filter(|_| !repeated),
            error: result.error.clone(),
            reason: verdict.claim.map(verdict::ValidationLabel::reason),
            verdict,
            evidence: result.evidence.iter().map(EvidenceRow::of).collect(),
        }
    }
}

/// One cycle of observe → decide → act.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TurnRow {
    /// The index of its step, from 0; absent outside all steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Its number within the step, from 0.
    pub number: usize,
    /// Whether the turn contains no decision, no command and no other work of the model.
    pub idle: bool,
    /// The decision of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRow>,
    /// Other work of the model: plans, investigations, reflections, reviews, extracted data.
    pub thoughts: Vec<ThoughtRow>,
    /// The commands.
    pub commands: Vec<CommandRow>,
    /// The model calls.
    pub calls: Vec<CallRow>,
}

impl TurnRow {
    pub(super) fn of(step: Option<usize>, number: usize, turn: &Turn) -> TurnRow {
        TurnRow {
            step,
            number,
            idle: turn.idle() && turn.thoughts.is_empty(),
            decision: turn.decided.as_ref().and_then(DecisionRow::of),
            thoughts: turn.thoughts.iter().filter_map(super::thoughts::in_turn).collect(),
            commands: turn.commands.iter().map(CommandRow::of).collect(),
            calls: turn.calls.iter().map(CallRow::of).collect(),
        }
    }
}

/// The decision of a model.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DecisionRow {
    /// The model's evaluation of the last result.
    pub verdict: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The evaluation as a text.
    pub message: String,
    /// The reasons for the decision.
    pub reasons: Vec<ReasonRow>,
}

/// One part of the reasons for a decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReasonRow {
    /// The subject of the text.
    pub about: &'static str,
    /// The text.
    pub words: String,
}

impl DecisionRow {
    /// The row for a model's decision; `None` for other deciders, whose decisions have no text.
    pub(super) fn of(decided: &DecisionRecord) -> Option<DecisionRow> {
        (decided.decider == DecidedBy::Model).then(|| DecisionRow::of_model(&decided.decision))
    }

    pub(super) fn of_model(decision: &Decision) -> DecisionRow {
        let reasoning = &decision.reasoning;
        let reasons = [
            ("Sees", reasoning.analysis.as_str()),
            ("Because", &reasoning.rationale),
            ("Expects", &reasoning.expected_outcome),
            ("Or else", reasoning.alternatives.as_deref().unwrap_or_default()),
        ];
        DecisionRow {
            verdict: format!("{:?}", decision.verdict).to_lowercase(),
            confidence: decision.confidence,
            message: cut(decision.message.clone()),
            reasons: reasons
                .into_iter()
                .filter(|(_, words)| !words.is_empty())
                .map(|(about, words)| ReasonRow { about, words: cut(words.to_owned()) })
                .collect(),
        }
    }
}

/// A plan, an investigation, a reflection, a review or extracted data, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ThoughtRow {
    /// A short title.
    pub title: String,
    /// The details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The tone, which determines the colour.
    pub tone: Tone,
}

/// The state of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandState {
    /// The journal contains no result.
    Open,
    /// The action failed.
    Failed,
    /// The action was done, and the page responded with an error.
    Refused,
    /// The action succeeded.
    Ok,
}

/// A command in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRow {
    /// The command's id.
    pub command_id: CommandId,
    /// The action in words.
    pub words: String,
    /// Its state.
    pub state: CommandState,
    /// Who decided on it.
    pub decider: DecidedBy,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The effects of the action.
    pub effects: Vec<EffectRow>,
    /// The value that the action returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The duration of the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The element that the action was applied to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The position of that element before the action.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub element_box: Option<ElementBox>,
    /// The address of the page after the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// An effect of an action, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EffectRow {
    /// The effect in words.
    pub words: String,
    /// Whether it contradicts the success of the action.
    pub against: bool,
}

impl CommandRow {
    pub(super) fn of(command: &CommandRecord) -> CommandRow {
        let result = command.result.as_ref();
        let state = match result {
            None => CommandState::Open,
            Some(result) if !result.ok() => CommandState::Failed,
            Some(result) if result.effects.iter().any(verdict::is_against) => CommandState::Refused,
            Some(_) => CommandState::Ok,
        };
        let effects = |result: &ActionResult| {
            let row = |effect| EffectRow { words: describe::effect(effect), against: verdict::is_against(effect) };
            result.effects.iter().map(row).collect()
        };
        CommandRow {
            command_id: command.command_id,
            words: describe::command(command),
            state,
            decider: command.decider,
            failure: result.and_then(ActionResult::failure_text),
            effects: result.map_or_else(Vec::new, effects),
            value: result.and_then(|result| result.value.as_ref()).map(|value| cut(describe::value(value))),
            duration_ms: result.map(|result| ms(result.duration)),
            element: result.and_then(|result| result.element.clone()),
            element_box: result.and_then(|result| result.r#box),
            url: result.and_then(|result| some(result.url.clone())),
        }
    }
}

/// A model call.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallRow {
    /// The purpose of the call.
    pub purpose: Purpose,
    /// `provider/name`.
    pub model: String,
    /// Tokens and cost, in words.
    pub usage: String,
    /// The duration, including retries.
    pub duration_ms: u64,
    /// Transport retries.
    pub retries: u32,
    /// The finish reason of the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Why there is no usable reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The hash of the request's artifact.
    pub request: String,
    /// The hash of the reply's artifact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

impl CallRow {
    pub(super) fn of(call: &AiCall) -> CallRow {
        CallRow {
            purpose: call.purpose,
            model: call.model.clone(),
            usage: describe::call_usage(&call.usage),
            duration_ms: call.latency_ms,
            retries: call.retries,
            finish: call.finish.clone(),
            error: call.error.clone(),
            request: call.request.hash.clone(),
            reply: call.reply.as_ref().map(|reply| reply.hash.clone()),
        }
    }
}

/// A step on the timeline, once for each of its starts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BandRow {
    /// The number of the event that started it.
    pub seq: u64,
    /// The start, in milliseconds since the start of the run.
    pub from: u64,
    /// The end, in the same unit; absent while the step is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// The tone, which determines the colour.
    pub tone: Tone,
}

/// A screenshot on the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PictureRow {
    /// The number of its event.
    pub seq: u64,
    /// The moment that it shows, in milliseconds since the start of the run.
    pub at: u64,
    /// The hash of its artifact.
    pub hash: String,
}

/// The kind of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// A command.
    Action,
    /// A model call.
    Model,
    /// A plan, an investigation, a reflection, a review or extracted data.
    Thought,
    /// A question to a person.
    Question,
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// The end of a step.
    End,
}

/// An event on the timeline, with the facts that belong to it: screenshots before and after, the current page, and the
/// model call and decision that it resulted from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MomentRow {
    /// The number of its event.
    pub seq: u64,
    /// Its kind.
    pub kind: MomentKind,
    /// The index of its step, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The start, in milliseconds since the start of the run.
    pub from: u64,
    /// The end, in the same unit.
    pub to: u64,
    /// The duration in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    /// A short title.
    pub title: String,
    /// The details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The tone, which determines the colour.
    pub tone: Tone,
    /// The current page: its title, or else its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandRow>,
    /// The model call, if the moment is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRow>,
    /// The decision that resulted from this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRow>,
    /// The number of the moment of the call that it resulted from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<u64>,
    /// How the step ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultRow>,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionRecord>,
    /// The hash of the text of the current page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The hash of the text of the page before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_before: Option<String>,
    /// The hash of the last request that contained the page for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The hash of the request before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_before: Option<String>,
    /// Console lines and requests of the page during the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityRow>,
    /// The screenshot at its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ScreenshotInfo>,
    /// The screenshot after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<ScreenshotInfo>,
}

/// Console lines and requests of a page during an action, or since the action before.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRow {
    /// The console lines.
    pub console: Vec<ConsoleLine>,
    /// The number of further console lines.
    pub console_left_out: u64,
    /// The requests.
    pub requests: Vec<RequestLine>,
    /// The number of further requests.
    pub requests_left_out: u64,
}

impl ActivityRow {
    pub(super) fn of(log: &PageLog, requests: Vec<RequestLine>) -> ActivityRow {
        ActivityRow {
            console: log.console.clone(),
            console_left_out: log.console_left_out,
            requests,
            requests_left_out: log.requests_left_out,
        }
    }
}

/// The text; `None` if it is empty.
pub(super) fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The text, cut at its limit. A text that was cut ends with its full length.
pub(super) fn cut(text: String) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}… cut: {} characters in all", &text[..end], text.chars().count()),
    }
}
