//! The events of a run as log lines: `[TaskLoop][INFO] [session:step] [PHASE] message`. They contain the same masked
//! texts as the journal.

use std::time::Duration;

use legwork_protocol::{EventKind, Phase, RunId};
use serde::Serialize;

use crate::record::describe;

/// Writes one event to the log. `phase` is the phase of the run, which the event may change.
pub(crate) fn write(run: RunId, step: Option<usize>, phase: &mut Phase, kind: &EventKind) {
    *phase = phase_after(*phase, kind);
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let Some((is_warning, message)) = line(kind) else { return };
    let step = step.map_or_else(|| "-".to_owned(), |step| (step + 1).to_string());
    let (phase, run) = (name_of(*phase), run.hyphenated());
    match is_warning {
        true => tracing::warn!(%run, step, phase, "{message}"),
        false => tracing::info!(%run, step, phase, "{message}"),
    }
}

/// The phase of the run after an event. A step begins in the first phase, before an event names it.
fn phase_after(phase: Phase, kind: &EventKind) -> Phase {
    match kind {
        EventKind::PhaseChanged { phase } => *phase,
        EventKind::StepStarted { .. } => Phase::Initializing,
        _ => phase,
    }
}

/// The wire name of a phase: `QUERYING_AI`.
fn name_of(phase: Phase) -> String {
    let name = phase.serialize(serde_json::value::Serializer).ok();
    name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The text of an event and whether it is a warning; `None` if it has no line.
fn line(kind: &EventKind) -> Option<(bool, String)> {
    let info = |message: String| Some((false, message));
    let warning = |message: String| Some((true, message));
    match kind {
        EventKind::PhaseChanged { .. } => info("phase begins".to_owned()),
        EventKind::StepStarted { text } => info(format!("step begins: {text}")),
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
            let (status, time) = (result.status.name(), seconds(result.duration));
            info(format!("step ended: {status}, {}, in {time}", result.validation.name()))
        }
        EventKind::CommandStarted { action, decider, .. } => {
            info(format!("action begins: {}, decided by {}", action.describe(None), decider.name()))
        }
        EventKind::CommandCompleted { result, .. } => {
            let element = result.element.as_deref().unwrap_or("no element");
            info(format!("action done in {}: {element}", seconds(result.duration)))
        }
        EventKind::CommandFailed { result, .. } => {
            let why = result.failure_text().unwrap_or_default();
            warning(format!("action failed in {}: {why}", seconds(result.duration)))
        }
        EventKind::PageObserved(page) => {
            let tokens = page.tokens.map_or_else(|| "not rendered".to_owned(), |tokens| format!("{tokens} tokens"));
            info(format!("page observed in {} ms: {tokens}", page.duration_ms))
        }
        EventKind::AiResponseReceived(call) => {
            let (model, usage) = (&call.model, &call.usage);
            let answered = match &call.error {
                None => "answered".to_owned(),
                Some(error) => format!("failed ({})", error.message),
            };
            let retries = match call.retries {
                0 => String::new(),
                retries => format!(", {retries} retries"),
            };
            let message = format!(
                "model {model} {answered} in {} ms: {} prompt tokens, {} cached, {} completion tokens{retries}",
                call.latency_ms, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens,
            );
            Some((call.error.is_some(), message))
        }
        EventKind::WarningIssued { message } => warning(message.clone()),
        EventKind::ErrorOccurred(error) => {
            let recovery = if error.recoverable { "the run continues" } else { "the run cannot continue" };
            warning(format!("{} {}: {}; {recovery}", error.code.code(), error.name, error.message))
        }
        EventKind::WorkflowPaused { reason } => info(format!("paused: {reason}")),
        EventKind::WorkflowResumed { step } => info(format!("resumed at step {}", step + 1)),
        EventKind::WorkflowCompleted(outcome)
        | EventKind::WorkflowFailed(outcome)
        | EventKind::RunCancelled(outcome)
        | EventKind::RunParked(outcome) => info(format!("run ended: {}", outcome.status.name())),
        kind => info(describe::thought(kind)?),
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use legwork_protocol::{ActionFailure, ActionResult, CommandId};

    use super::*;

    #[test]
    fn an_action_has_a_line_with_its_time_and_a_failure_is_a_warning() {
        let result = Box::new(ActionResult::failed(ActionFailure::Crashed, Duration::from_millis(1_250)));
        let (is_warning, message) = line(&EventKind::CommandFailed { command_id: CommandId::new(), result }).unwrap();
        assert!(is_warning && message.starts_with("action failed in 1.25 s: "), "{message}");
    }

    #[test]
    fn a_step_does_not_begin_in_the_phase_of_the_step_before() {
        let begins = EventKind::StepStarted { text: "Click \"Save\"".to_owned() };
        assert_eq!(phase_after(Phase::Completed, &begins), Phase::Initializing);
        let warning = EventKind::WarningIssued { message: "slow".to_owned() };
        assert_eq!(phase_after(Phase::QueryingAi, &warning), Phase::QueryingAi);
    }

    #[test]
    fn a_phase_is_named_as_in_events() {
        assert_eq!(name_of(Phase::QueryingAi), "QUERYING_AI");
    }
}
