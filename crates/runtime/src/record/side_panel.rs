//! The journal under the event names of the side panel (`task:started`, `agent:step`, `browser:action_completed`, …),
//! for a side panel and for `--events=side-panel`. A pure view: the same events always produce the same lines, and no
//! other source is read.
//!
//! One journal event produces zero, one or several of these events. Each carries the number of its journal event, so
//! that a reader who loses the connection can continue after it. What the side panel calls a task is a run here. Two
//! events are delayed: `task:started` waits for the plan if a plan may still follow, and `agent:step` waits for the
//! observation that begins a turn.

use legwork_protocol::{
    Action, ActionFailure, ActionResult, AiCall, DecidedBy, Decision, Event, EventKind, Outcome, Phase, Plan, Quality,
    RunStart, Status, mask_passwords,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{RunRecord, describe};

/// An event in the form of the side panel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SidePanelEvent {
    /// `task:started`.
    #[serde(rename = "type")]
    pub name: &'static str,
    /// Milliseconds since 1970.
    pub timestamp: i64,
    /// The number of the journal event that it was derived from.
    pub seq: u64,
    /// The content of the event.
    pub data: Value,
}

/// The view, to which a run's events are passed in order.
#[derive(Clone, Debug, Default)]
pub struct SidePanelView {
    record: Option<RunRecord>,
    /// The start of the run, until `task:started` was produced.
    unsaid: Option<Box<RunStart>>,
    turns: usize,
}

type PanelMessage = Vec<(&'static str, Value)>;

impl SidePanelView {
    /// The side panel events that one journal event produces.
    pub fn view(&mut self, event: &Event) -> Vec<SidePanelEvent> {
        match &mut self.record {
            Some(record) => record.apply(event),
            None => self.record = RunRecord::begin(event).ok(),
        }
        let mut said = PanelMessage::new();
        self.starts(event, &mut said);
        self.turns(event, &mut said);
        self.say(event, &mut said);
        let timestamp = event.time.as_millisecond();
        let whole = |(name, mut data): (&'static str, Value)| {
            data["taskId"] = json!(event.run);
            SidePanelEvent { name, timestamp, seq: event.seq, data }
        };
        said.into_iter().map(whole).collect()
    }

    /// Produces `task:setup` at once, and `task:started` with the plan, or at the first decision or action without a
    /// plan.
    fn starts(&mut self, event: &Event, said: &mut PanelMessage) {
        match &event.kind {
            EventKind::WorkflowStarted(start) => {
                said.push(("task:setup", json!({ "task": task(start), "url": start.workflow.url })));
                self.unsaid = Some(Box::new(start.clone()));
            }
            EventKind::PlanUpdated(plan) => match self.unsaid.take() {
                Some(start) => said.push(("task:started", started(&start, plan))),
                None => said.push(("agent:status", json!({ "message": describe::thought(&event.kind) }))),
            },
            EventKind::AiReasoning { .. }
            | EventKind::CommandStarted { .. }
            | EventKind::StepCompleted(_)
            | EventKind::StepFailed(_)
            | EventKind::WorkflowFailed(_)
            | EventKind::RunCancelled(_)
            | EventKind::RunParked(_) => {
                if let Some(start) = self.unsaid.take() {
                    said.push(("task:started", started(&start, &Plan::default())));
                }
            }
            _ => {}
        }
    }

    /// Produces `agent:step` where a turn begins.
    fn turns(&mut self, event: &Event, said: &mut PanelMessage) {
        let turns = self.record.as_ref().map_or(0, |record| record.turns().count());
        if turns > self.turns {
            self.turns = turns;
            let data = json!({ "iterationId": format!("{}-{turns}", event.run), "currentIteration": turns });
            said.push(("agent:step", data));
        }
    }

    fn say(&self, event: &Event, said: &mut PanelMessage) {
        let mut one = |name, data| said.push((name, data));
        let status = |message: &str| json!({ "message": message });
        match &event.kind {
            EventKind::StepStarted { text } => one("agent:status", status(text)),
            EventKind::PhaseChanged { phase } => {
                if let Some(operation) = phase_label(*phase) {
                    one("agent:processing", json!({ "operation": operation, "hasScreenshot": false }));
                }
            }
            EventKind::PageObserved(page) => {
                if let Some(text) = &page.text {
                    let data = json!({ "compressedSize": text.size, "tokens": page.tokens, "url": page.url });
                    one("system:debug_compression", data);
                }
            }
            EventKind::AiReasoning { decider, decision } => decided(*decider, decision, said),
            EventKind::AiResponseReceived(call) => said.push(called(call)),
            EventKind::CommandStarted { action, .. } => match &**action {
                Action::Wait(wait) if wait.seconds.is_some() => {
                    one("agent:waiting", json!({ "seconds": wait.seconds }))
                }
                action => one("browser:action_started", acted(action)),
            },
            EventKind::CommandCompleted { result, .. } | EventKind::CommandFailed { result, .. } => {
                one("browser:action_completed", done(result));
            }
            EventKind::PageNavigated(page) => one("browser:navigated", json!({ "title": page.title, "url": page.url })),
            EventKind::ScreenshotCaptured(picture) => {
                let data = json!({ "size": picture.image.size, "format": picture.image.media_type });
                one("browser:screenshot_captured", data);
            }
            EventKind::DataExtracted { data, .. } => one("agent:extracted", json!({ "extractedData": data })),
            EventKind::InvestigationStarted { reason } => {
                one("agent:status", status(&format!("looks closer: {reason}")))
            }
            EventKind::InvestigationToolStarted { tool, target } => {
                one("agent:action", json!({ "action": tool, "ref": Value::Null, "value": target }));
            }
            EventKind::InvestigationCompleted(findings) => {
                one("agent:reasoned", json!({ "reasoning": findings.insight }));
            }
            EventKind::ReflectionCompleted(reflection) => {
                one("agent:reasoned", json!({ "reasoning": reflection.thought }))
            }
            EventKind::AnswerValidated(review) => {
                let accepted = matches!(review.quality, Quality::Complete | Quality::Excellent);
                match accepted {
                    true => one(
                        "task:validated",
                        json!({ "observation": review.feedback, "completionQuality": review.quality }),
                    ),
                    false => one(
                        "task:validation_error",
                        json!({ "errors": [review.feedback], "retryCount": review.attempt, "completionQuality": review.quality }),
                    ),
                }
            }
            EventKind::QuestionAsked(question) => one("agent:status", status(&question.text)),
            EventKind::RunParked(outcome) => {
                let why = outcome.error.as_ref().map_or("waits for a person", |error| &error.message);
                one("agent:status", status(&format!("parked: {why}")));
            }
            EventKind::WorkflowPaused { reason } => one("agent:status", status(&format!("paused: {reason}"))),
            EventKind::WorkflowResumed { .. } => one("agent:status", status("resumed")),
            EventKind::WarningIssued { message } => one("system:debug_message", json!({ "messages": [message] })),
            EventKind::ErrorOccurred(error) | EventKind::InvestigationFailed(error) => {
                one("system:debug_message", json!({ "messages": [error.message], "isRecoverable": error.recoverable }));
            }
            EventKind::WorkflowProgress(_) => one("task:metrics_incremental", self.metrics(event)),
            EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome) => {
                said.push(ended(outcome));
                said.push(("task:metrics", self.metrics(event)));
            }
            _ => {}
        }
    }

    fn metrics(&self, event: &Event) -> Value {
        let Some(record) = &self.record else { return json!({}) };
        let totals = &record.totals;
        json!({
            "eventCounts": { "journal": event.seq },
            "stepCount": self.turns,
            "aiGenerationCount": totals.usage.calls,
            "aiGenerationErrorCount": totals.calls_failed,
            "totalInputTokens": totals.usage.prompt_tokens,
            "totalOutputTokens": totals.usage.completion_tokens,
        })
    }
}

fn task(start: &RunStart) -> String {
    match start.workflow.steps.first() {
        Some(step) if start.task => mask_passwords(&step.step),
        _ => mask_passwords(&start.workflow.name),
    }
}

fn started(start: &RunStart, plan: &Plan) -> Value {
    let steps = || start.workflow.steps.iter().map(|step| mask_passwords(&step.step)).collect::<Vec<_>>();
    let items = if start.task { plan.action_items.clone() } else { steps() };
    json!({
        "task": task(start), "plan": plan.plan, "successCriteria": plan.success_criteria, "actionItems": items,
        "url": plan.start_url.as_ref().or(start.workflow.url.as_ref()),
    })
}

fn phase_label(phase: Phase) -> Option<&'static str> {
    Some(match phase {
        Phase::QueryingAi => "Thinking about the next action",
        Phase::Investigating => "Looking closer",
        Phase::Reflecting => "Thinking it over",
        Phase::Validating => "Checking the result",
        _ => return None,
    })
}

fn decided(decider: DecidedBy, decision: &Decision, said: &mut PanelMessage) {
    if matches!(decider, DecidedBy::Model | DecidedBy::Custom) {
        let words = [&decision.reasoning.analysis, &decision.message];
        let reasoning = words.into_iter().find(|words| !words.is_empty());
        said.push(("agent:reasoned", json!({ "reasoning": reasoning, "confidence": decision.confidence })));
    }
    said.extend(decision.commands.iter().map(|command| ("agent:action", acted(&command.action))));
}

/// The action's name, its target and the value that it enters.
fn acted(action: &Action) -> Value {
    let wire = serde_json::to_value(action).unwrap_or_default();
    let mut parameters = wire["parameters"].as_object().cloned().unwrap_or_default();
    parameters.remove("target");
    let value = match parameters.len() {
        0 => Value::Null,
        1 => parameters.into_iter().next().map(|(_, value)| value).unwrap_or_default(),
        _ => parameters.remove("text").unwrap_or(Value::Object(Map::from_iter(parameters))),
    };
    json!({ "action": action.name(), "ref": action.target(), "value": value })
}

fn done(result: &ActionResult) -> Value {
    let error = result.failure_text();
    let recoverable = result.failure.as_ref().map(|failure| !matches!(failure, ActionFailure::BrowserGone { .. }));
    json!({ "success": result.ok(), "error": error, "isRecoverable": recoverable, "value": result.value })
}

fn called(call: &AiCall) -> (&'static str, Value) {
    match &call.error {
        Some(error) => (
            "ai:generation:error",
            json!({ "error": error.message, "isToolError": false, "isRecoverable": error.recoverable }),
        ),
        None => {
            let (input, output) = (call.usage.prompt_tokens, call.usage.completion_tokens);
            let usage = json!({ "inputTokens": input, "outputTokens": output, "totalTokens": input + output });
            let provider = json!({ "model": call.model, "cachedTokens": call.usage.cached_tokens });
            let data = json!({ "usage": usage, "finishReason": call.finish, "providerMetadata": provider });
            ("ai:generation", data)
        }
    }
}

/// The event for the end of a run. A cancelled run is neither a success nor an error: it becomes `task:aborted` with
/// the status as data.
fn ended(outcome: &Outcome) -> (&'static str, Value) {
    let answer = &outcome.answer;
    if outcome.status == Status::Success {
        let data = json!({ "success": true, "finalAnswer": answer, "validation": outcome.validation });
        return ("task:completed", data);
    }
    let reason = match &outcome.error {
        Some(error) => error.message.clone(),
        None if outcome.status == Status::Cancelled => "Task cancelled by user".to_owned(),
        None => outcome.status.name().to_owned(),
    };
    ("task:aborted", json!({ "reason": reason, "status": outcome.status, "finalAnswer": answer }))
}
