//! The rows of a record: what a viewer shows, in words and figures, with nothing left to derive.

use jiff::Timestamp;
use legwork_protocol::{
    ActionResult, AiCall, CommandId, ConsoleLine, DecidedBy, Decision, ElementBox, ErrorReport, PageInfo, PageLog,
    Purpose, Question, RequestLine, RunId, ScreenshotInfo, StepResult,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::{
    CommandRecord, DecisionRecord, QuestionRecord, RecordState, Resumption, Totals, Turn, describe, ms,
    verdict::{self, EvidenceRow, Standing, Tone},
};

/// A value or message longer than this is cut: what a hostile page says must not fill the memory of the server.
const LONGEST: usize = 20_000;

/// A part of a record that is replaced as a whole when it changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "row", rename_all = "snake_case")]
pub enum RecordRow {
    /// What the run is and where it stands.
    Run(Box<RunRow>),
    /// How far it is.
    Progress(ProgressRow),
    /// What its events add up to.
    Totals(Totals),
    /// What its browser shows.
    Page(PageRow),
    /// What it was given and what it knows.
    Data(DataRow),
    /// What went wrong.
    Problems(ProblemsRow),
    /// A step, without its turns.
    Step(Box<StepRow>),
    /// A turn.
    Turn(TurnRow),
    /// A step on the line of time.
    Band(BandRow),
    /// A picture on the line of time.
    Picture(PictureRow),
    /// An event on the line of time.
    Moment(Box<MomentRow>),
}

/// Which row; in the order in which rows are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowKey {
    Run,
    Progress,
    Totals,
    Page,
    Data,
    Problems,
    Step(usize),
    /// Of a step, or outside all steps; the number of the turn.
    Turn(Option<usize>, usize),
    Band(u64),
    Picture(u64),
    Moment(u64),
}

/// What the run is and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// Its id.
    pub run: RunId,
    /// What people call it.
    pub name: String,
    /// Whether it is a lone task.
    pub task: bool,
    /// The page it began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where it stands.
    pub state: RecordState,
    /// Whether nothing more comes by itself.
    pub ended: bool,
    /// Whether a process drives it.
    pub live: bool,
    /// The same for people.
    pub verdict: Standing,
    /// When it began.
    #[schemars(with = "String")]
    pub began: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub end: Option<Timestamp>,
    /// Why it is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// The answer of a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether a person has to say what became of an action before it continues.
    pub outcome_unknown: bool,
    /// The question that waits for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The newest plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanRow>,
}

/// The plan of a task.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanRow {
    /// In words.
    pub plan: String,
    /// What to do, in order.
    pub action_items: Vec<String>,
    /// What shows that the task is done.
    pub success_criteria: String,
    /// How often it was revised.
    pub revision: u32,
}

/// How far a run is: what changes with almost every event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProgressRow {
    /// The number of the last event.
    pub seq: u64,
    /// When it was appended.
    #[schemars(with = "String")]
    pub last: Timestamp,
    /// What the run is busy with, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<&'static str>,
    /// How long it will take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u64>,
    /// The time of the last event after which no model writes a reply, in microseconds since 1970; 0 before the first. A reply that
    /// began earlier is over.
    pub reply_ended: i64,
}

/// What the browser shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PageRow {
    /// The page as it was last observed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<PageInfo>,
    /// The last picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<ScreenshotInfo>,
}

/// What a run was given and what it knows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DataRow {
    /// Its variables.
    pub variables: Vec<ValueRow>,
    /// Its inputs.
    pub inputs: Vec<ValueRow>,
    /// Warnings that belong to no step.
    pub warnings: Vec<String>,
    /// How often it was resumed, and where.
    pub resumed: Vec<Resumption>,
}

/// A value by name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueRow {
    /// Its name.
    pub name: String,
    /// In words; secrets are handles.
    pub value: String,
    /// The step that set it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// The errors of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ProblemsRow {
    /// Those that matter to whoever wants the outcome.
    pub shown: Vec<ErrorReport>,
    /// Those that the run got over.
    pub hidden: Vec<ErrorReport>,
}

/// A step, without its turns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// From 0.
    pub index: usize,
    /// Its words.
    pub text: String,
    /// Where it stands.
    pub state: RecordState,
    /// The same for people.
    pub verdict: Standing,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub began: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub end: Option<Timestamp>,
    /// Who decided last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decider: Option<DecidedBy>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultRow>,
    /// What a person was asked.
    pub questions: Vec<QuestionRecord>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultRow {
    /// The words of the step.
    pub text: String,
    /// From its start to its end.
    pub duration_ms: u64,
    /// The model's words, or why it was skipped; absent when they repeat the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// How it stands.
    pub verdict: Standing,
    /// Why the claim stands so, in words.
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

/// One observe → decide → act.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TurnRow {
    /// Its step, from 0; absent outside all steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Its number within the step, from 0.
    pub number: usize,
    /// Whether nothing was decided, done or thought in it.
    pub idle: bool,
    /// What a model decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRow>,
    /// What was thought besides.
    pub thoughts: Vec<ThoughtRow>,
    /// What was done.
    pub commands: Vec<CommandRow>,
    /// Calls to models.
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

/// A model's decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DecisionRow {
    /// Its verdict on the last result.
    pub verdict: String,
    /// 0 to 1.
    pub confidence: f64,
    /// The verdict in words.
    pub message: String,
    /// Why.
    pub reasons: Vec<ReasonRow>,
}

/// A reason of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReasonRow {
    /// What the words are about.
    pub about: &'static str,
    /// The words.
    pub words: String,
}

impl DecisionRow {
    /// Of a decision that a model made: the others have no words of their own.
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

/// A plan, an investigation, a reflection, a review or data that was taken, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ThoughtRow {
    /// In a few words.
    pub title: String,
    /// More.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How it looks.
    pub tone: Tone,
}

/// Where a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandState {
    /// No result is on record.
    Open,
    /// It did not work.
    Failed,
    /// It was done, and the page answered with an error.
    Refused,
    /// It worked.
    Ok,
}

/// A command in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRow {
    /// Its id.
    pub command_id: CommandId,
    /// What it does or did.
    pub words: String,
    /// Where it is.
    pub state: CommandState,
    /// Who decided so.
    pub decider: DecidedBy,
    /// Why it did not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What else happened.
    pub effects: Vec<EffectRow>,
    /// What was read, saved or found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The element it was done to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Where that element was before.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub element_box: Option<ElementBox>,
    /// Where the page was afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Something that an action caused, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EffectRow {
    /// In words.
    pub words: String,
    /// Whether it speaks against the action.
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
            failure: result.and_then(ActionResult::trouble),
            effects: result.map_or_else(Vec::new, effects),
            value: result.and_then(|result| result.value.as_ref()).map(|value| cut(describe::value(value))),
            duration_ms: result.map(|result| ms(result.duration)),
            element: result.and_then(|result| result.element.clone()),
            element_box: result.and_then(|result| result.r#box),
            url: result.and_then(|result| some(result.url.clone())),
        }
    }
}

/// A call to a model.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallRow {
    /// What for.
    pub purpose: Purpose,
    /// `provider/name`.
    pub model: String,
    /// Tokens and money, in words.
    pub usage: String,
    /// How long it took, retries included.
    pub duration_ms: u64,
    /// Transport retries.
    pub retries: u32,
    /// Why it ended, as the provider says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Why there is no usable reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// The hash of the request.
    pub request: String,
    /// The hash of the reply.
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

/// A step on the line of time, each time it was begun.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BandRow {
    /// The number of the event that began it.
    pub seq: u64,
    /// Milliseconds from the beginning of the run.
    pub from: u64,
    /// The same; absent while it is in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// How it looks.
    pub tone: Tone,
}

/// A picture on the line of time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PictureRow {
    /// The number of its event.
    pub seq: u64,
    /// The moment it shows: milliseconds from the beginning of the run.
    pub at: u64,
    /// Its hash.
    pub hash: String,
}

/// The kind of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// A command.
    Action,
    /// A call to a model.
    Model,
    /// A plan, an investigation, a reflection, a review, data that was taken.
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

/// An event on the line of time, with the facts around it: pictures before and after, the page in force, the call and the
/// decision that it came from.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MomentRow {
    /// The number of its event.
    pub seq: u64,
    /// What it is.
    pub kind: MomentKind,
    /// Its step, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// Milliseconds from the beginning of the run.
    pub from: u64,
    /// The same.
    pub to: u64,
    /// How long it took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    /// In a few words.
    pub title: String,
    /// More.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How it looks.
    pub tone: Tone,
    /// The page in force: its title, or its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandRow>,
    /// The call to a model that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<CallRow>,
    /// The decision that came of this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRow>,
    /// The number of the moment of the call that it came from.
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
    /// The hash of the text of the page in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// The hash of the text of the page before that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_before: Option<String>,
    /// The hash of the last request in which a model read the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// The hash of the request before that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_before: Option<String>,
    /// What the page said and requested meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityRow>,
    /// The picture when it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ScreenshotInfo>,
    /// The picture after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<ScreenshotInfo>,
}

/// What a page said and requested while an action was done, or since the one before.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRow {
    /// Lines of consoles.
    pub console: Vec<ConsoleLine>,
    /// How many more there were.
    pub console_left_out: u64,
    /// Requests.
    pub requests: Vec<RequestLine>,
    /// How many more there were.
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

/// The text, unless it is empty.
pub(super) fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The text within its limit; what was left out is stated.
pub(super) fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some((end, _)) => format!("{}… cut: {} characters in all", &text[..end], text.chars().count()),
    }
}
