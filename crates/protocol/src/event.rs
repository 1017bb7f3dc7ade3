//! The events of a run's journal. Each event has a number, 1..n within its run without gaps.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Action, ActionIdentity, ActionResult, Artifact, CommandId, DecidedBy, Decision, DiscoveryMethod, Effect,
    ErrorReport, EventId, Findings, Outcome, PageLog, Phase, Plan, PolicyDecision, Provenance, Purpose, Question,
    Reflection, Review, RunId, Status, StepResult, Tool, Usage, Workflow,
};

/// An event in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The id of the event.
    pub id: EventId,
    /// The run it belongs to.
    pub run: RunId,
    /// Its number within the run: 1, 2, 3…
    pub seq: u64,
    /// The time at which it was appended.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// The step it belongs to, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// The kinds of events with their data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "data", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// The run started with these parameters.
    WorkflowStarted(RunStart),
    /// The progress of the run changed.
    WorkflowProgress(ExecutionProgress),
    /// The run succeeded.
    WorkflowCompleted(Outcome),
    /// The goal was not reached, or an error occurred; the outcome distinguishes the two.
    WorkflowFailed(Outcome),
    /// A person or a program cancelled the run.
    RunCancelled(Outcome),
    /// The run waits for a person and no process drives it; the outcome contains the reason. `legwork resume` continues
    /// it.
    RunParked(Outcome),
    /// The run executes nothing until it is resumed; the process that drives it waits.
    WorkflowPaused {
        /// The reason.
        reason: String,
    },
    /// The run continues, in this process or in another.
    WorkflowResumed {
        /// The step at which it continues, from 0.
        step: usize,
    },
    /// A step began.
    StepStarted {
        /// The instruction of the step.
        text: String,
    },
    /// A step succeeded or was skipped.
    StepCompleted(StepResult),
    /// A step ended without success.
    StepFailed(StepResult),
    /// The page was observed.
    PageObserved(PageObserved),
    /// A decider made a decision.
    AiReasoning {
        /// Who decided.
        decider: DecidedBy,
        /// The decision.
        decision: Box<Decision>,
    },
    /// A call to a model ended, with or without a reply: the audit record of the call.
    AiResponseReceived(AiCall),
    /// A rule decided about the action that follows. An action without this event was allowed, and no rule of a file
    /// matched it.
    PolicyDecided(PolicyDecision),
    /// The intent to execute an action. For an action that may change something, it is durable before the browser
    /// receives the command.
    CommandStarted {
        /// The id of the command.
        command_id: CommandId,
        /// The action; secrets are handles.
        action: Box<Action>,
        /// Who decided on the action.
        decider: DecidedBy,
        /// Whether the action may be repeated if its result is lost.
        effect: Effect,
        /// What identifies its elements again, and how a replay found them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        identity: Option<Box<ActionIdentity>>,
    },
    /// The action succeeded.
    CommandCompleted {
        /// The id of the command.
        command_id: CommandId,
        /// The result of the action.
        result: Box<ActionResult>,
    },
    /// The action failed.
    CommandFailed {
        /// The id of the command.
        command_id: CommandId,
        /// The result, which contains the failure.
        result: Box<ActionResult>,
    },
    /// What appeared on the page and what disappeared from it after the last action, as elements with role and name.
    /// Sent only if something did.
    ChangeObserved {
        /// The elements that appeared.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        appeared: Vec<String>,
        /// The elements that disappeared.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        disappeared: Vec<String>,
    },
    /// The console messages and requests of the pages since the last event of this kind.
    PageLog(PageLog),
    /// The text of a page was saved: of one on which a decider without a model decided, or at the end of a step.
    PageTextSaved(PageText),
    /// A screenshot was captured.
    ScreenshotCaptured(ScreenshotInfo),
    /// A variable has a new value.
    VariableUpdated(VariableInfo),
    /// The page navigated to another URL.
    PageNavigated(PageInfo),
    /// The cookies and the storage of the browser were saved, so that the run can be resumed.
    StateSaved {
        /// The saved state.
        state: Artifact,
        /// The URL at which the run continues.
        url: String,
    },
    /// A person was asked a question.
    QuestionAsked(Question),
    /// A person answered.
    QuestionAnswered {
        /// The answer; for a secret question only its handle.
        answer: String,
    },
    /// A person operated the browser of the run while it was paused or waited for an answer, and the run continues.
    /// What was typed is not recorded.
    UserControlEnded {
        /// The number of clicks.
        clicks: u32,
        /// Whether text was typed or a key was pressed.
        typed: bool,
        /// The URL of the page then.
        url: String,
    },
    /// The agent loop entered another phase.
    PhaseChanged {
        /// The phase.
        phase: Phase,
    },
    /// An investigation began.
    InvestigationStarted {
        /// The reason for it.
        reason: String,
    },
    /// A phase of an investigation began.
    InvestigationPhaseStarted {
        /// The phase.
        phase: Phase,
    },
    /// A phase of an investigation ended.
    InvestigationPhaseCompleted {
        /// The phase.
        phase: Phase,
        /// A summary of the result.
        summary: String,
    },
    /// An investigation started a tool.
    InvestigationToolStarted {
        /// The tool.
        tool: Tool,
        /// The part of the page to which the tool applies.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        target: String,
    },
    /// A tool of an investigation ended.
    InvestigationToolCompleted {
        /// The tool.
        tool: Tool,
        /// Whether it succeeded; if not, the next tool is tried.
        ok: bool,
        /// Its output, shortened.
        summary: String,
    },
    /// The investigation ended with findings, which can be partial.
    InvestigationCompleted(Findings),
    /// The investigation failed; the loop continues without its findings.
    InvestigationFailed(ErrorReport),
    /// A reflection on an uncertain decision or a failed action ended.
    ReflectionCompleted(Reflection),
    /// A plan was made or revised.
    PlanUpdated(Plan),
    /// An answer was checked against the plan's criteria.
    AnswerValidated(Review),
    /// Data was extracted from a page.
    DataExtracted {
        /// The data, in the requested shape.
        data: Value,
        /// The source of each value, by JSON pointer: a ref, or a line of the page's text.
        sources: BTreeMap<String, String>,
        /// The URL of the page.
        url: String,
        /// The instruction of the extraction.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        instruction: String,
        /// The values, as JSON pointers, that were not found at the place that the model named. They have no source.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unverified: Vec<String>,
        /// The URLs of the second and further pages that were read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pages: Vec<String>,
        /// The variable in which the data is saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
    },
    /// An element was identified as important.
    ElementDiscovered {
        /// A description of the element.
        element: String,
        /// Its purpose.
        purpose: String,
        /// How certain the investigation is of it, from 0 to 1. Events of versions before 0.19 have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        /// How it was found. Events of versions before 0.19 have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        method: Option<DiscoveryMethod>,
    },
    /// The working memory of the run changed.
    WorkingMemoryUpdated {
        /// The change.
        update: Value,
    },
    /// The state of the session changed.
    SessionStatus {
        /// The state.
        status: SessionState,
        /// Details.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
    },
    /// An error occurred.
    ErrorOccurred(ErrorReport),
    /// A warning was issued.
    WarningIssued {
        /// The text of the warning.
        message: String,
    },
}

impl EventKind {
    /// The outcome of the run so far, if the event contains one.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome)
            | EventKind::RunParked(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The event that records this outcome of a run.
    pub fn of_outcome(outcome: Outcome) -> EventKind {
        match outcome.status {
            Status::Success => EventKind::WorkflowCompleted(outcome),
            Status::Cancelled => EventKind::RunCancelled(outcome),
            Status::Parked => EventKind::RunParked(outcome),
            // A run cannot be skipped; only steps can.
            Status::Failure | Status::Error | Status::Skipped => EventKind::WorkflowFailed(outcome),
        }
    }
}

/// The parameters of a run. They are complete: the run can be started again with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunStart {
    /// The workflow. A single task is a workflow of one step.
    pub workflow: Workflow,
    /// Whether the run is a single task, which returns an answer.
    pub task: bool,
    /// The values of the inputs; secrets are handles.
    pub inputs: BTreeMap<String, Value>,
    /// The options of the run, in the format of the crate that starts it.
    #[serde(default)]
    pub options: Value,
    /// The playbook whose recorded actions the run uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playbook: Option<PlaybookUse>,
}

/// The playbook that a run uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaybookUse {
    /// The run from which it was recorded.
    pub run: RunId,
    /// The version of the stored playbook; absent for one that was recorded from a run and not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

/// The state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum SessionState {
    /// The session is being set up.
    Initializing,
    /// The run is executing.
    Active,
    /// Execution is paused until a person resumes it.
    Paused,
    /// The run succeeded.
    Completed,
    /// The run failed or an error ended it.
    Failed,
    /// A person cancelled the run.
    Cancelled,
    /// The session is being closed.
    Cleanup,
}

impl SessionState {
    /// The state of the session after a run that ended with this status.
    pub fn of_outcome(status: Status) -> SessionState {
        match status {
            Status::Success => SessionState::Completed,
            Status::Parked => SessionState::Paused,
            Status::Cancelled => SessionState::Cancelled,
            Status::Failure | Status::Error | Status::Skipped => SessionState::Failed,
        }
    }

    /// Whether this transition is legal. A session becomes active again only if a person or a program resumes its run,
    /// and a run that succeeded is never resumed.
    pub fn may_become(self, next: SessionState) -> bool {
        use SessionState::{Active, Cancelled, Cleanup, Completed, Failed, Initializing, Paused};
        match self {
            Initializing => matches!(next, Active | Failed | Cancelled),
            Active => matches!(next, Paused | Completed | Failed | Cancelled),
            Paused => matches!(next, Active | Failed | Cancelled),
            Failed | Cancelled => matches!(next, Active | Cleanup),
            Completed => next == Cleanup,
            Cleanup => next == Active,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionProgress {
    /// The number of steps.
    pub total_steps: usize,
    /// The number of steps that ended.
    pub completed_steps: usize,
    /// The index of the current step, from 0.
    pub current_step_index: usize,
    /// The instruction of the current step.
    pub current_step_name: String,
    /// Percentage, 0–100.
    pub overall_progress: f64,
    /// Estimated remaining time in milliseconds, from the mean duration of the steps so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_time_remaining: Option<u64>,
    /// Mean duration of a step in milliseconds.
    pub average_step_duration: u64,
}

/// The page was observed. The text itself is stored as an artifact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageObserved {
    /// The URL of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// A fingerprint of the content of the page.
    pub fingerprint: String,
    /// Tokens in the text, if a text was rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
    /// The text, if one was rendered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Artifact>,
    /// Duration in milliseconds.
    pub duration_ms: u64,
}

/// The full text of a page on which a decider without a model decided, or at which a step ended. For a model, the text
/// is part of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// The fingerprint of the observation to which the text belongs.
    pub fingerprint: String,
    /// The text.
    pub text: Artifact,
}

/// The audit record of a call to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiCall {
    /// The purpose of the call.
    pub purpose: Purpose,
    /// `provider/name`.
    pub model: String,
    /// The request; secrets are handles.
    pub request: Artifact,
    /// The reply; the values of secrets are masked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Artifact>,
    /// Tokens and cost.
    pub usage: Usage,
    /// Duration in milliseconds, including retries.
    pub latency_ms: u64,
    /// Number of transport retries.
    pub retries: u32,
    /// The finish reason that the provider reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The reason why there is no usable reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}

/// A screenshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotInfo {
    /// The image.
    pub image: Artifact,
    /// The command after which it was captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
    /// The name of the action.
    pub action_type: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The source of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariableSource {
    /// The caller provided it.
    UserInput,
    /// It was read from a page.
    Extracted,
    /// It was computed.
    Computed,
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VariableInfo {
    /// The name.
    pub name: String,
    /// The value.
    pub value: Value,
    /// The previous value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_value: Option<Value>,
    /// The source of the value.
    pub source: VariableSource,
    /// Where the value comes from, with the origin of the page. Older journals lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

impl VariableInfo {
    /// Where the value comes from. A value of an older journal that was read from a page has a page without an origin.
    pub fn provenance(&self) -> Provenance {
        self.provenance.clone().unwrap_or_else(|| match self.source {
            VariableSource::UserInput => Provenance::User,
            VariableSource::Extracted => Provenance::Page(String::new()),
            VariableSource::Computed => Provenance::Model,
        })
    }
}

/// The page to which a tab navigated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageInfo {
    /// The URL.
    pub url: String,
    /// The title.
    pub title: String,
    /// The HTTP status of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

#[cfg(test)]
mod tests {
    use schemars::schema_for;

    use super::*;

    /// Fields of workflow files. They keep their snake_case names in events.
    const OF_DOCUMENTS: [&str; 3] = ["for_each", "on_resume", "opened_by"];

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
    fn an_ended_session_becomes_active_only_by_a_resume_and_never_after_a_success() {
        use SessionState::{Active, Cancelled, Cleanup, Completed, Failed, Initializing, Paused};
        let all = [Initializing, Active, Paused, Completed, Failed, Cancelled, Cleanup];
        let next = |from: SessionState| all.into_iter().filter(|next| from.may_become(*next)).collect::<Vec<_>>();
        assert_eq!(next(Initializing), [Active, Failed, Cancelled]);
        assert_eq!(next(Active), [Paused, Completed, Failed, Cancelled]);
        assert_eq!(next(Paused), [Active, Failed, Cancelled]);
        assert_eq!((next(Failed), next(Cancelled)), (vec![Active, Cleanup], vec![Active, Cleanup]));
        assert_eq!((next(Completed), next(Cleanup)), (vec![Cleanup], vec![Active]));
    }

    #[test]
    fn the_event_of_an_outcome_contains_that_outcome() {
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
