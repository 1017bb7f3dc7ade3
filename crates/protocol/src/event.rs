//! The journal's facts: 002's names, every event numbered 1..n within its run without gaps.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Action, ActionResult, Artifact, CommandId, DecidedBy, Decision, Effect, ErrorReport, EventId, Findings, Outcome,
    PageLog, Phase, Plan, Purpose, Question, Reflection, Review, RunId, Status, StepResult, Tool, Usage, Workflow,
};

/// An appended fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
#[serde(tag = "type", content = "data", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// The run began. Holds all that is needed to begin it again.
    WorkflowStarted(RunStart),
    /// How far it is.
    WorkflowProgress(ExecutionProgress),
    /// It ended well.
    WorkflowCompleted(Outcome),
    /// The goal was not reached, or something broke; the outcome says which.
    WorkflowFailed(Outcome),
    /// A person or a program stopped it.
    RunCancelled(Outcome),
    /// It waits for a person and nobody drives it; the outcome says why. `legwork resume` continues it.
    RunParked(Outcome),
    /// Nothing is executed until it is resumed; the process that drives it waits.
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
        /// The id of the action.
        command_id: CommandId,
        /// What is about to be done; secrets are handles.
        action: Box<Action>,
        /// Who decided so.
        decider: DecidedBy,
        /// What may be done when the result is lost.
        effect: Effect,
    },
    /// The action worked.
    CommandCompleted {
        /// The id of the action.
        command_id: CommandId,
        /// What it did.
        result: Box<ActionResult>,
    },
    /// The action did not work.
    CommandFailed {
        /// The id of the action.
        command_id: CommandId,
        /// Why, and what else.
        result: Box<ActionResult>,
    },
    /// What the pages said to their consoles and asked for, since this was told last.
    PageLog(PageLog),
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
    PhaseChanged {
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
    ReflectionCompleted(Reflection),
    /// A plan was made or revised.
    PlanUpdated(Plan),
    /// An answer was checked against the plan's criteria.
    AnswerValidated(Review),
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

impl EventKind {
    /// How the run ended for now, if the event says so.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome)
            | EventKind::RunParked(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The event that ends a run with this outcome.
    pub fn of_outcome(outcome: Outcome) -> EventKind {
        match outcome.status {
            Status::Success => EventKind::WorkflowCompleted(outcome),
            Status::Cancelled => EventKind::RunCancelled(outcome),
            Status::Parked => EventKind::RunParked(outcome),
            // A run is never skipped; steps are.
            Status::Failure | Status::Error | Status::Skipped => EventKind::WorkflowFailed(outcome),
        }
    }
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

impl SessionState {
    /// The state in which a run leaves its session that ends so.
    pub fn of_outcome(status: Status) -> SessionState {
        match status {
            Status::Success => SessionState::Completed,
            Status::Parked => SessionState::Paused,
            Status::Cancelled => SessionState::Cancelled,
            Status::Failure | Status::Error | Status::Skipped => SessionState::Failed,
        }
    }
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
#[serde(rename_all = "camelCase")]
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
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// Of the observation that it is the text of.
    pub fingerprint: String,
    /// The text.
    pub text: Artifact,
}

/// The audit record of a call to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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

#[cfg(test)]
mod tests {
    use schemars::schema_for;

    use super::*;

    /// Fields of workflow documents, which people write: they are spelled as in a workflow file wherever they occur.
    const OF_DOCUMENTS: [&str; 2] = ["on_resume", "opened_by"];

    fn fields(schema: &Value, found: &mut Vec<String>) {
        match schema {
            Value::Object(map) => {
                let properties = map.get("properties").and_then(Value::as_object);
                found.extend(properties.into_iter().flat_map(|properties| properties.keys().cloned()));
                map.values().for_each(|inner| fields(inner, found));
            }
            Value::Array(list) => list.iter().for_each(|inner| fields(inner, found)),
            _ => {}
        }
    }

    #[test]
    fn every_field_of_the_journal_is_in_camel_case() {
        let mut found = Vec::new();
        fields(schema_for!(Event).as_value(), &mut found);
        assert!(found.len() > 200 && found.iter().any(|field| field == "commandId"), "{found:?}");
        let is_camel = |field: &str| {
            field.starts_with(|c: char| c.is_ascii_lowercase()) && field.chars().all(|c| c.is_ascii_alphanumeric())
        };
        found.retain(|field| !is_camel(field) && !OF_DOCUMENTS.contains(&field.as_str()));
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn each_status_of_a_run_has_an_event_of_its_own_and_gives_its_outcome_back() {
        let outcome = |status| Outcome {
            status,
            validation: Default::default(),
            answer: None,
            variables: BTreeMap::new(),
            usage: Usage::default(),
            budget: None,
            error: None,
        };
        let statuses = [Status::Success, Status::Failure, Status::Error, Status::Cancelled, Status::Parked];
        let names = statuses.map(|status| {
            let event = EventKind::of_outcome(outcome(status));
            assert_eq!(event.outcome(), Some(&outcome(status)));
            serde_json::to_value(event).unwrap()["type"].as_str().unwrap().to_owned()
        });
        assert_eq!(names, ["WORKFLOW_COMPLETED", "WORKFLOW_FAILED", "WORKFLOW_FAILED", "RUN_CANCELLED", "RUN_PARKED"]);
    }
}
