//! A pause applies before every action, not only before the first of several.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use legwork::{
    RunHandle, Runtime, StartRequest,
    decider::{DecideError, Decider, DecisionContext},
    protocol::{Action, Call, Decision, EventKind, Op, Status, Step, Workflow},
    store::Follower,
    tools::{Tool, ToolError, ToolSpec},
};
use legwork_demo_site::DemoSite;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use crate::library::runtime;

/// Pauses the run in its first call.
struct Pausing {
    ops: watch::Receiver<Option<mpsc::Sender<Op>>>,
    calls: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Pausing {
    fn spec(&self) -> ToolSpec {
        let parameters = json!({"type": "object", "properties": {}});
        ToolSpec { name: "note".to_owned(), about: "Notes it".to_owned(), parameters, reads: true }
    }

    async fn call(&self, _: Value) -> Result<Value, ToolError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) == 0 {
            let ops = self.ops.clone().wait_for(Option::is_some).await.unwrap().clone().unwrap();
            ops.send(Op::Pause).await.unwrap();
        }
        Ok(json!("noted"))
    }
}

/// Calls the tool twice in one decision.
struct CallsTwice;

#[async_trait]
impl Decider for CallsTwice {
    async fn decide(&self, situation: &DecisionContext) -> Result<Option<Decision>, DecideError> {
        let call = Action::Call(Call { tool: "note".to_owned(), arguments: json!({}) });
        Ok(Some(match situation.last.is_empty() {
            true => Decision::act([call.clone(), call], "both are needed"),
            false => Decision::done("over"),
        }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_run_that_is_cancelled_ends() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let steps = vec![Step::new("Note it twice")];
    let workflow = Workflow { name: "note".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let (ops, given) = watch::channel(None);
    let run = runtime
        .start(StartRequest {
            decider: Some(Arc::new(CallsTwice)),
            tools: vec![Arc::new(Pausing { ops: given, calls: Arc::default() })],
            ..StartRequest::task(workflow)
        })
        .await
        .unwrap();
    let mut follower = runtime.log().follow(run.id(), 1);
    ops.send(Some(run.ops())).unwrap();
    while !matches!(follower.next().await.unwrap().kind, EventKind::WorkflowPaused { .. }) {}
    run.op(Op::Cancel { reason: None }).await;
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Cancelled, "{outcome:?}");
    drop(follower);
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_during_an_action_withholds_the_next_one() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let (ops, given) = watch::channel(None);
    let calls = Arc::new(AtomicUsize::new(0));
    let steps = vec![Step::new("Note it twice")];
    let workflow = Workflow { name: "note".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let run = runtime
        .start(StartRequest {
            decider: Some(Arc::new(CallsTwice)),
            tools: vec![Arc::new(Pausing { ops: given, calls: calls.clone() })],
            ..StartRequest::task(workflow)
        })
        .await
        .unwrap();
    let id = run.id();
    let mut follower = runtime.log().follow(id, 1);
    ops.send(Some(run.ops())).unwrap();
    loop {
        match &follower.next().await.unwrap().kind {
            EventKind::WorkflowPaused { .. } => break,
            EventKind::WorkflowCompleted(outcome) => panic!("the run was not paused: {outcome:?}"),
            _ => {}
        }
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1, "the second action was executed despite the pause");
    run.op(Op::Resume).await;
    let outcome = run.outcome().await;
    assert_eq!((outcome.status, calls.load(Ordering::Relaxed)), (Status::Success, 2), "{outcome:?}");
    drop(follower);
    runtime.close().await;
}

/// A run with one literal step.
async fn started(runtime: &Runtime, site: &DemoSite, step: &str) -> RunHandle {
    let steps = vec![Step::new(step)];
    let workflow = Workflow { name: "wait".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    runtime.start(StartRequest::workflow(workflow)).await.unwrap()
}

/// A run with one literal step, and its events up to the beginning of its wait.
async fn waiting(runtime: &Runtime, site: &DemoSite, step: &str) -> (RunHandle, Follower) {
    let run = started(runtime, site, step).await;
    let mut follower = runtime.log().follow(run.id(), 1);
    until(
        &mut follower,
        |kind| matches!(kind, EventKind::CommandStarted { action, .. } if matches!(**action, Action::Wait(_))),
    )
    .await;
    (run, follower)
}

/// Reads until an event that is wanted. The end of the run is a failure of the test.
async fn until(follower: &mut Follower, wanted: impl Fn(&EventKind) -> bool) {
    loop {
        match &follower.next().await.unwrap().kind {
            kind if wanted(kind) => return,
            EventKind::WorkflowCompleted(outcome) | EventKind::WorkflowFailed(outcome) => panic!("ended: {outcome:?}"),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_interrupts_a_wait_which_is_repeated_when_the_run_is_resumed() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let is_paused = |kind: &EventKind| matches!(kind, EventKind::WorkflowPaused { .. });
    let is_resumed = |kind: &EventKind| matches!(kind, EventKind::WorkflowResumed { .. });
    let (run, mut follower) = waiting(&runtime, &site, "Wait 250 seconds").await;
    // Without the interruption, each of these pauses would begin only after the wait.
    for _ in 0..2 {
        run.op(Op::Pause).await;
        until(&mut follower, is_paused).await;
        run.op(Op::Resume).await;
        until(&mut follower, is_resumed).await;
    }
    let id = run.id();
    run.op(Op::Cancel { reason: None }).await;
    assert_eq!(run.outcome().await.status, Status::Cancelled);
    let events = runtime.log().read(id, 1).await.unwrap();
    let is_wait = |kind: &EventKind| matches!(kind, EventKind::CommandStarted { action, .. } if matches!(**action, Action::Wait(_)));
    assert_eq!(events.iter().filter(|event| is_wait(&event.kind)).count(), 1, "the journal has one action");

    // So does a step that looks at the page until it shows a text, which has no action.
    let run = started(&runtime, &site, "Wait up to 250 seconds for \"Never there\"").await;
    let mut follower = runtime.log().follow(run.id(), 1);
    until(&mut follower, |kind| matches!(kind, EventKind::StepStarted { .. })).await;
    for _ in 0..3 {
        run.op(Op::Pause).await;
        until(&mut follower, is_paused).await;
        run.op(Op::Resume).await;
        until(&mut follower, is_resumed).await;
    }
    run.op(Op::Cancel { reason: None }).await;
    assert_eq!(run.outcome().await.status, Status::Cancelled);

    // A wait for a time goes on after the pause and succeeds.
    let (run, mut follower) = waiting(&runtime, &site, "Wait 1 second").await;
    run.op(Op::Pause).await;
    until(&mut follower, is_paused).await;
    run.op(Op::Resume).await;
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    drop(follower);
    runtime.close().await;
}
