//! What a tool's answer may bring with it, and when it is asked about first.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use legwork::{
    StartRequest,
    protocol::{EventKind, Status, Step, Workflow},
    secrets::SecretSpec,
    tools::{Tool, ToolError, ToolSpec},
};
use legwork_demo_site::DemoSite;
use serde_json::{Value, json};

use crate::library::{ScriptedModelFn, line, runtime_with};

/// A tool that answers so.
struct Answers(&'static str, fn() -> Result<Value, ToolError>);

#[async_trait]
impl Tool for Answers {
    fn spec(&self) -> ToolSpec {
        let parameters = json!({"type": "object", "properties": {}});
        ToolSpec { name: self.0.to_owned(), about: "Answers".to_owned(), parameters, reads: true }
    }

    async fn call(&self, _: Value) -> Result<Value, ToolError> {
        (self.1)()
    }
}

const SECRET: &str = "tide-4-tables";

/// What a model is told after it called this tool, and everything on record.
async fn called(tool: Answers, flags: &[(&str, &str)]) -> (String, String, usize) {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime_with(&folder, flags).await;
    let file = folder.path().join("pw.txt");
    std::fs::write(&file, SECRET).unwrap();
    let prompts = Arc::new(Mutex::new(Vec::new()));
    let (heard, asked) = (prompts.clone(), AtomicUsize::new(0));
    let model = ScriptedModelFn(move |prompt: &str| {
        heard.lock().unwrap().push(prompt.to_owned());
        match asked.fetch_add(1, Ordering::Relaxed) {
            0 => line("call ask"),
            _ => line("done \"over\""),
        }
    });
    let steps = vec![Step::new("Ask it")];
    let workflow = Workflow { name: "ask".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let run = runtime
        .start(StartRequest {
            model: Some(Arc::new(model)),
            tools: vec![Arc::new(tool)],
            secrets: vec![SecretSpec::parse(&format!("tide={}", file.display())).unwrap()],
            ..StartRequest::task(workflow)
        })
        .await
        .unwrap();
    let id = run.id();
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let events = runtime.log().read(id, 1).await.unwrap();
    let questions = events.iter().filter(|event| matches!(event.kind, EventKind::QuestionAsked(_))).count();
    runtime.close().await;
    let last = prompts.lock().unwrap().last().cloned().unwrap();
    (last, serde_json::to_string(&events).unwrap(), questions)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_comes_back_with_a_tools_answer() {
    let answers: [fn() -> Result<Value, ToolError>; 3] = [
        || Ok(json!(format!("it is {SECRET}"))),
        || Ok(json!({"all": [{"value": SECRET}], SECRET: 1})),
        || Err(ToolError(format!("{SECRET} is wrong"))),
    ];
    for answer in answers {
        let (prompt, events, _) = called(Answers("ask", answer), &[]).await;
        assert!(prompt.contains("${secret:tide}") && !prompt.contains(SECRET), "{prompt}");
        assert!(!events.contains(SECRET), "{events}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_answer_is_cut_and_always_means_always() {
    let long = Answers("ask", || Ok(json!({"words": "word ".repeat(9_000)})));
    let (prompt, events, questions) = called(long, &[("tools.approval", "mutating")]).await;
    assert!(events.contains("… (cut after 8000 characters)"), "{prompt}");
    assert!(events.len() < 40_000 && prompt.len() < 30_000, "{} {}", events.len(), prompt.len());
    assert_eq!(questions, 0, "what only reads needs no yes");
    let (prompt, _, questions) = called(Answers("ask", || Ok(json!("read"))), &[("tools.approval", "always")]).await;
    assert!(questions == 1 && prompt.contains("no person was available to approve it"), "{prompt}");
}

/// Found by `cargo xtask attack`: the events were masked, but neither the answer that the caller receives nor the
/// stored reply of the model.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_that_repeats_a_secret_is_masked_for_the_caller_and_on_record() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime_with(&folder, &[]).await;
    let file = folder.path().join("pw.txt");
    std::fs::write(&file, SECRET).unwrap();
    let model = ScriptedModelFn(|_: &str| line(&format!("done \"it is {SECRET}\"")));
    let steps = vec![Step::new("Say it")];
    let workflow = Workflow { name: "say".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let request = StartRequest {
        model: Some(Arc::new(model)),
        secrets: vec![SecretSpec::parse(&format!("tide={}", file.display())).unwrap()],
        ..StartRequest::task(workflow)
    };
    let run = runtime.start(request).await.unwrap();
    let id = run.id();
    let outcome = run.outcome().await;
    let mut replies = 0;
    for event in runtime.log().read(id, 1).await.unwrap() {
        let EventKind::AiResponseReceived(call) = event.kind else { continue };
        let Some(reply) = call.reply else { continue };
        let stored = runtime.artifacts().get(&reply.hash, 100_000).await.unwrap();
        let stored = String::from_utf8(stored).unwrap();
        assert!(stored.contains("${secret:tide}") && !stored.contains(SECRET), "{stored}");
        replies += 1;
    }
    runtime.close().await;
    assert!(replies > 0, "the reply of the model is stored");
    assert_eq!(outcome.answer.as_deref(), Some("it is ${secret:tide}"), "{outcome:?}");
}

#[tokio::test]
async fn a_tool_has_a_name_that_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime_with(&folder, &[]).await;
    for name in ["", "two words", "späti", "a.b"] {
        let tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Answers(name, || Ok(json!(1))))];
        let refused = runtime.start(StartRequest { tools, ..StartRequest::default() }).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("is not a valid tool name")), "{name:?}");
    }
    runtime.close().await;
}
