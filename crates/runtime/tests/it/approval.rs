//! A tool that changes something is called only when a human says so.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use legwork::{
    StartRequest,
    protocol::{Event, EventKind, Op, Status, Step, Workflow},
    tools::{Tool, ToolError, ToolSpec},
};
use legwork_demo_site::DemoSite;
use serde_json::{Value, json};

use crate::library::{ScriptedModelFn, line, runtime_with};

/// Orders something.
struct Order(Arc<AtomicUsize>);

#[async_trait]
impl Tool for Order {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "order".to_owned(),
            about: "Orders a product".to_owned(),
            parameters: json!({"type": "object", "properties": {"product": {"type": "string"}}, "required": ["product"]}),
            reads: false,
        }
    }

    async fn call(&self, _: Value) -> Result<Value, ToolError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(json!("ordered"))
    }
}

/// Somebody who is asked.
#[derive(Clone, Copy)]
enum Human {
    Nobody,
    Silent,
    Says(&'static str),
}

/// A run whose model orders a lamp once; how often the tool was called, and the run's events.
async fn ordered(site: &DemoSite, human: Human) -> (usize, Vec<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime_with(&folder, &[("tools.approval", "mutating")]).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let asked = AtomicUsize::new(0);
    let model = ScriptedModelFn(move |_: &str| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => line(r#"call order {"product": "Lamp"}"#),
        _ => line("done \"over\""),
    });
    let steps = vec![Step::new("Order a lamp")];
    let workflow = Workflow { name: "order".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let (interactive, answer_within) = match human {
        Human::Nobody => (false, None),
        Human::Silent => (true, Some(Duration::from_millis(50))),
        Human::Says(_) => (true, None),
    };
    let request = StartRequest {
        model: Some(Arc::new(model)),
        tools: vec![Arc::new(Order(calls.clone()))],
        interactive,
        answer_within,
        ..StartRequest::task(workflow)
    };
    let run = runtime.start(request).await.unwrap();
    let (id, ops) = (run.id(), run.ops());
    let log = runtime.log();
    if let Human::Says(answer) = human {
        let mut follower = log.follow(id, 1);
        while !matches!(follower.next().await.unwrap().kind, EventKind::QuestionAsked(_)) {}
        ops.send(Op::Answer { text: answer.to_owned() }).await.unwrap();
    }
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let events = log.read(id, 1).await.unwrap();
    runtime.close().await;
    (calls.load(Ordering::Relaxed), events)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_nobody_approves_in_time_is_not_made() {
    let site = DemoSite::start().await.unwrap();
    for (human, wanted, why) in [
        (Human::Nobody, 0, "no person was available to approve it"),
        (Human::Silent, 0, "no person was available to approve it"),
        (Human::Says("no, wait"), 0, "the user refused"),
        (Human::Says("Yes."), 1, "ordered"),
    ] {
        let (calls, events) = ordered(&site, human).await;
        assert_eq!(calls, wanted, "{why}");
        let told: Vec<Value> = events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
        let at = |is: &dyn Fn(&Value) -> bool| told.iter().position(is);
        let asked = at(&|event| event["type"] == "QUESTION_ASKED").unwrap();
        let text = r#"Allow a call of the tool order with {"product":"Lamp"}? Answer yes or no."#;
        assert_eq!(told[asked]["data"]["text"], text);
        // There is no intent while nobody has answered: after a crash nobody has to find out what became of it.
        let intent = at(&|event| event["data"]["action"]["action"] == "call").unwrap();
        assert!(asked < intent && told[intent]["type"] == "COMMAND_STARTED");
        let result = &told[intent + 1];
        assert_eq!(result["type"], if wanted == 1 { "COMMAND_COMPLETED" } else { "COMMAND_FAILED" });
        assert!(result.to_string().contains(why), "{result}");
    }
}
