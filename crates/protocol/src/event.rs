//! The journal's facts: 002's names, every event numbered 1..n within its run without gaps.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Action, ActionResult, Artifact, CommandId, DecidedBy, Decision, Effect, ErrorReport, EventId, Findings, Outcome,
    PageActivity, Phase, Plan, Purpose, Question, Reflection, Review, RunId, StepResult, Tool, Usage, Workflow,
};

/// An appended fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Its own name.
    pub id: EventId,
    /// The run it belongs to.
    pub run: RunId,
    /// Its number within the run: 1, 2, 3…
    pub seq: u64,
    /// When it was appended.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The step it belongs to, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "data", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum EventKind {
    /// The run began. Holds all that is needed to begin it again.
    WorkflowStarted(RunStart),
    /// How far it is.
    WorkflowProgress(ExecutionProgress),
    /// It ended well.
    WorkflowCompleted(Outcome),
    /// It ended otherwise; the outcome says how.
    WorkflowFailed(Outcome),
    /// Nothing is executed until it is resumed.
    WorkflowPaused {
        /// Why.
        reason: String,
    },
    /// It goes on, in this process or in another.
    WorkflowResumed {
        /// The step it goes on with, from 0.
        step: usize,
    },
    /// A step began.
    StepStarted {
        /// Its words.
        text: String,
    },
    /// A step ended well, or was skipped.
    StepCompleted(StepResult),
    /// A step ended otherwise.
    StepFailed(StepResult),
    /// The page was observed.
    PageObserved(PageObserved),
    /// What the decider thinks.
    AiReasoning {
        /// Who decided.
        decider: DecidedBy,
        /// The decision.
        decision: Box<Decision>,
    },
    /// A model answered, or failed to: the audit record of the call.
    AiResponseReceived(AiCall),
    /// The intent: durable before the browser is told.
    CommandStarted {
        /// Its name.
        command: CommandId,
        /// What is about to be done; secrets are handles.
        action: Box<Action>,
        /// Who decided so.
        decider: DecidedBy,
        /// What may be done when the result is lost.
        effect: Effect,
    },
    /// The action worked.
    CommandCompleted {
        /// Its name.
        command: CommandId,
        /// What it did.
        result: Box<ActionResult>,
    },
    /// The action did not work.
    CommandFailed {
        /// Its name.
        command: CommandId,
        /// Why, and what else.
        result: Box<ActionResult>,
    },
    /// What the pages said to their consoles and asked for, since this was told last.
    PageActivity(PageActivity),
    /// The page as a decider without a model saw it was put on record.
    PageTextSaved(PageText),
    /// A picture was taken.
    ScreenshotCaptured(ScreenshotInfo),
    /// A variable has a new value.
    VariableUpdated(VariableInfo),
    /// The page went elsewhere.
    PageNavigated(PageInfo),
    /// The browser's cookies and storage were kept, for a resume.
    StateSaved {
        /// Where.
        state: Artifact,
        /// The address to return to.
        url: String,
    },
    /// A human is asked.
    QuestionAsked(Question),
    /// A human answered.
    QuestionAnswered {
        /// The answer; for a secret question only its handle.
        answer: String,
    },
    /// The loop is in another phase.
    LoopPhase {
        /// Which.
        phase: Phase,
    },
    /// An investigation began.
    InvestigationStarted {
        /// What set it off.
        reason: String,
    },
    /// A phase of it began.
    InvestigationPhaseStarted {
        /// Which.
        phase: Phase,
    },
    /// A phase of it ended.
    InvestigationPhaseCompleted {
        /// Which.
        phase: Phase,
        /// What it came to.
        summary: String,
    },
    /// A tool is used.
    InvestigationToolStarted {
        /// Which.
        tool: Tool,
        /// On what.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        target: String,
    },
    /// A tool answered.
    InvestigationToolCompleted {
        /// Which.
        tool: Tool,
        /// Whether it worked; when not, the next one is tried.
        ok: bool,
        /// What it said, clipped.
        summary: String,
    },
    /// The investigation came to something, partial or whole.
    InvestigationCompleted(Findings),
    /// It came to nothing; the loop goes on without.
    InvestigationFailed(ErrorReport),
    /// A doubtful decision or a failed action was thought over.
    Reflected(Reflection),
    /// A plan was made or revised.
    PlanMade(Plan),
    /// An answer was checked against the plan's criteria.
    AnswerReviewed(Review),
    /// Data was taken out of a page.
    DataExtracted {
        /// The data, of the shape that was asked for.
        data: Value,
        /// Where each value came from, by JSON pointer: a ref, or a line of the page's text.
        sources: BTreeMap<String, String>,
        /// The page's address.
        url: String,
        /// What was asked for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        instruction: String,
        /// The values that do not stand where the model says they do, by JSON pointer: they have no source.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unverified: Vec<String>,
        /// The addresses of the second and further pages it was taken from.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pages: Vec<String>,
        /// The variable that keeps it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
    },
    /// An element was found to matter.
    ElementDiscovered {
        /// In words.
        element: String,
        /// What for.
        purpose: String,
    },
    /// The working memory changed.
    WorkingMemoryUpdated {
        /// What is new.
        update: Value,
    },
    /// The state of the session.
    SessionStatus {
        /// Which.
        status: SessionState,
        /// More.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
    },
    /// Something went wrong.
    ErrorOccurred(ErrorReport),
    /// Something is worth knowing.
    WarningIssued {
        /// What.
        message: String,
    },
}

/// All that is needed to begin a run, or to begin it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunStart {
    /// What to do. A task is a workflow of one step.
    pub workflow: Workflow,
    /// Whether it is a lone task, whose answer is wanted.
    pub task: bool,
    /// The inputs' values; secrets are handles.
    pub inputs: BTreeMap<String, Value>,
    /// The options that shape the run, as the caller's crate writes them.
    #[serde(default)]
    pub options: Value,
}

/// The state of a session (contract §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SessionState {
    /// Being set up.
    Initializing,
    /// At work.
    Active,
    /// Waiting to be told to go on.
    Paused,
    /// Ended well.
    Completed,
    /// Ended otherwise.
    Failed,
    /// Stopped by a person.
    Cancelled,
    /// Being taken down.
    Cleanup,
}

/// How far a run is (002).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionProgress {
    /// Steps in all.
    pub total_steps: usize,
    /// Steps done.
    pub completed_steps: usize,
    /// The one at work, from 0.
    pub current_step_index: usize,
    /// Its words.
    pub current_step_name: String,
    /// 0–100.
    pub overall_progress: f64,
    /// Milliseconds, from the mean of the steps so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_time_remaining: Option<u64>,
    /// Milliseconds.
    pub average_step_duration: u64,
}

/// The page was observed. The text itself is kept out of band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageObserved {
    /// The page's address.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// A fingerprint of what it shows.
    pub fingerprint: String,
    /// Tokens of the text, when a text was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// The text, when one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Artifact>,
    /// Milliseconds it took.
    pub duration_ms: u64,
}

/// The whole page as a text: what a decider without a model decided on. A model's is in its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PageText {
    /// Of the observation that it is the text of.
    pub fingerprint: String,
    /// The text.
    pub text: Artifact,
}

/// The audit record of a call to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AiCall {
    /// What for.
    pub purpose: Purpose,
    /// `provider/name`.
    pub model: String,
    /// The request, secrets as handles.
    pub request: Artifact,
    /// The reply, word for word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Artifact>,
    /// What it cost.
    pub usage: Usage,
    /// Milliseconds it took, retries included.
    pub latency_ms: u64,
    /// Transport retries.
    pub retries: u32,
    /// Why it ended, as the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Why there is no usable reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}

/// A picture (002).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotInfo {
    /// The picture.
    pub image: Artifact,
    /// The command it was taken after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// The action's name.
    pub action_type: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Where a variable's value comes from (002).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariableSource {
    /// Given by the caller.
    UserInput,
    /// Taken from a page.
    Extracted,
    /// Worked out.
    Computed,
}

/// A variable (002).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VariableInfo {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// What it was before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_value: Option<Value>,
    /// Where it comes from.
    pub source: VariableSource,
}

/// A page (002).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageInfo {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The HTTP status of its document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}
