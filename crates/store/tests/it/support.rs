//! Short constructors for events and logs in tests.

use legwork_protocol::{
    AiCall, Artifact, Code, ErrorReport, Event, EventKind, Outcome, Purpose, RunStart, Status, Step, StepResult, Usage,
    Validation, Workflow,
};
use legwork_store::NewEvent;

pub(crate) fn started(name: &str, steps: usize) -> NewEvent {
    let steps = (0..steps).map(|n| Step::new(format!("Click \"{n}\""))).collect();
    let workflow = Workflow { name: name.to_owned(), url: None, inputs: Default::default(), steps };
    NewEvent::of_run(EventKind::WorkflowStarted(RunStart {
        workflow,
        task: false,
        inputs: Default::default(),
        options: serde_json::Value::Null,
        playbook: None,
    }))
}

pub(crate) fn warning(message: impl Into<String>) -> NewEvent {
    NewEvent::of_run(EventKind::WarningIssued { message: message.into() })
}

pub(crate) fn message(event: &Event) -> &str {
    match &event.kind {
        EventKind::WarningIssued { message } => message,
        other => panic!("not a warning: {other:?}"),
    }
}

pub(crate) fn step_done(index: usize) -> NewEvent {
    NewEvent::of_step(
        index,
        EventKind::StepCompleted(StepResult {
            index,
            text: String::new(),
            status: Status::Success,
            validation: Validation::Unvalidated,
            decider: None,
            iterations: 1,
            evidence: Vec::new(),
            duration: Default::default(),
            message: String::new(),
            final_page: None,
            expansion: None,
            error: None,
        }),
    )
}

pub(crate) fn call(usage: Usage) -> NewEvent {
    NewEvent::of_run(EventKind::AiResponseReceived(AiCall {
        purpose: Purpose::Act,
        model: "test/one".to_owned(),
        request: Artifact { hash: String::new(), media_type: String::new(), size: 0 },
        reply: None,
        usage,
        latency_ms: 1,
        retries: 0,
        finish: None,
        error: None,
    }))
}

pub(crate) fn failed(status: Status, error: &str) -> NewEvent {
    NewEvent::of_run(EventKind::WorkflowFailed(Outcome {
        status,
        validation: Validation::Unvalidated,
        answer: None,
        variables: Default::default(),
        usage: Usage::default(),
        budget: None,
        error: Some(ErrorReport::new(Code::NotFound, error)),
    }))
}

pub(crate) fn parked(error: &str) -> NewEvent {
    let NewEvent { kind, .. } = failed(Status::Parked, error);
    let EventKind::WorkflowFailed(outcome) = kind else { unreachable!("made above") };
    NewEvent::of_run(EventKind::RunParked(outcome))
}
