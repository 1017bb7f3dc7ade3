use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use legwork::{
    Runtime, StartRequest,
    decider::{DecideError, Decider, DecisionContext},
    model::{ChatModel, DeltaSink, ModelError},
    page::{Page, PageRequest, PageTask},
    protocol::{
        Action, ActionFailure, ChatReply, ChatRequest, Click, DecidedBy, Decision, EventKind, Extract, Fill, Open,
        Status, Target, Usage, Validation, View, Workflow,
    },
    settings::{Settings, Sources},
    tools::{Tool, ToolError, ToolSpec},
};
use legwork_demo_site::DemoSite;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A model in this process. A closure computes the reply from the prompt.
pub(crate) struct ScriptedModelFn<F>(pub(crate) F);

#[async_trait]
impl<F: Fn(&str) -> Value + Send + Sync> ChatModel for ScriptedModelFn<F> {
    fn name(&self) -> &str {
        "mine/own"
    }

    async fn chat_stream(
        &self,
        request: &ChatRequest,
        _cancel: &CancellationToken,
        _hearer: &dyn DeltaSink,
    ) -> Result<ChatReply, ModelError> {
        let prompt: String = request.messages.iter().map(|message| message.text.to_string()).collect();
        Ok(ChatReply {
            model: self.name().to_owned(),
            text: (self.0)(&prompt).to_string(),
            finish: None,
            usage: Usage { calls: 1, ..Usage::default() },
            latency: Duration::ZERO,
            retries: 0,
            failed_attempts: Vec::new(),
        })
    }
}

/// A tool in this process.
struct Stock(Arc<AtomicUsize>);

#[async_trait]
impl Tool for Stock {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "stock".to_owned(),
            about: "How many of a product are in stock".to_owned(),
            parameters: json!({"type": "object", "properties": {"product": {"type": "string"}}, "required": ["product"]}),
            reads: true,
        }
    }

    async fn call(&self, arguments: Value) -> Result<Value, ToolError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        match arguments["product"].as_str() {
            Some("Lamp") => Ok(json!({"left": 7})),
            other => Err(ToolError(format!("nothing is known of {other:?}"))),
        }
    }
}

pub(crate) async fn runtime(folder: &tempfile::TempDir) -> Arc<Runtime> {
    runtime_with(folder, &[]).await
}

pub(crate) async fn runtime_with(folder: &tempfile::TempDir, flags: &[(&str, &str)]) -> Arc<Runtime> {
    let mut flags: Vec<_> = flags.iter().map(|(name, value)| (String::from(*name), String::from(*value))).collect();
    flags.push(("data_dir".to_owned(), folder.path().display().to_string()));
    let sources = Sources { flags, ..Sources::default() };
    Arc::new(Runtime::open(Settings::load(&sources).unwrap()).await.unwrap())
}

pub(crate) async fn act(page: &Page, action: Action) -> legwork::page::ActOutcome {
    let acted = page.act_with_diff(&action, &View::default(), &CancellationToken::new()).await;
    assert!(acted.result.ok(), "{action:?}: {:?}", acted.result.failure);
    acted
}

fn target(text: &str) -> Target {
    Target(text.to_owned())
}

pub(crate) fn line(command: &str) -> Value {
    json!({"why": "so", "do": command, "confidence": 0.9})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_accepts_actions_observations_and_steps_in_plain_language() {
    let (site, folder, never) =
        (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap(), CancellationToken::new());
    let runtime = runtime(&folder).await;
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    let opened = act(&page, Action::Open(Open { url: site.signed_in_url("/orders/new") })).await.change.unwrap();
    assert!(!opened.diff && opened.text.contains("New order"), "{opened:?}");

    let name = Fill { target: target("role=textbox[name=\"Customer\"]"), text: "Ada".to_owned(), submit: false };
    let filled = act(&page, Action::Fill(name)).await.change.unwrap();
    assert!(filled.diff && filled.text.contains("Ada") && filled.tokens < 200, "only the difference: {filled:?}");

    let shown = page.observe(&View { interactive: true, max_tokens: 300, ..View::default() }).await.unwrap();
    assert!(shown.tokens <= 300 && !shown.left_out.is_empty(), "{shown:?}");
    assert!(page.find("/customer/", 200).await.unwrap().unwrap().text.contains("Ada"));

    // A failed action returns its failure as a value.
    let click: Click = serde_json::from_value(json!({"target": "e9999"})).unwrap();
    let failed = page.act(&Action::Click(click), &never).await;
    assert!(matches!(failed.failure, Some(ActionFailure::StaleRef { .. })), "{failed:?}");

    // A step in plain language is a run with a journal. It uses the same page, which stays open.
    let done = page.run(PageTask::Step("Type \"ada@example.org\" into \"E-mail\"".into()), &never).await.unwrap();
    assert_eq!((done.status, done.validation), (Status::Success, Validation::Validated), "{done:?}");
    let changed = page.changes(&View::default(), None).await.unwrap();
    assert!(changed.text.contains("ada@example.org"), "{changed:?}");
    let holds = page.run(PageTask::Check("the field \"Customer\" contains \"Ada\"".into()), &never).await.unwrap();
    assert_eq!(holds.status, Status::Success, "{holds:?}");
    let fails = page.run(PageTask::Check("\"No such thing\" is shown".into()), &never).await.unwrap();
    assert_eq!((fails.status, fails.validation), (Status::Failure, Validation::Rejected), "{fails:?}");
    let task = page.run(PageTask::Task("buy something nice".into()), &never).await.unwrap();
    assert_eq!((task.status, task.usage.calls), (Status::Error, 0), "a task needs a model: {task:?}");
    assert_eq!(runtime.log().runs(legwork::store::RunQuery::default()).await.unwrap().len(), 4);

    // Another page shares nothing with it.
    let other = runtime.open_page(PageRequest::default()).await.unwrap();
    assert_eq!(other.session().cookies().await.unwrap(), []);
    page.close().await.unwrap();
    runtime.close().await;
    assert!(!other.is_alive());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_uses_a_custom_model_and_custom_tools() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let (calls, prompts) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let heard = prompts.clone();
    let model = ScriptedModelFn(move |prompt: &str| {
        let mut heard = heard.lock().unwrap();
        heard.push(prompt.to_owned());
        match heard.len() {
            1 => line(r#"call stock {"product": "Chair"}"#),
            2 => line(r#"stock {"product": "Lamp"}"#),
            _ => line("done \"seven\""),
        }
    });
    let steps = vec![legwork::protocol::Step::new("How many lamps are left?")];
    let workflow = Workflow { name: "stock".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let run = runtime
        .start(StartRequest {
            model: Some(Arc::new(model)),
            tools: vec![Arc::new(Stock(calls.clone()))],
            ..StartRequest::task(workflow)
        })
        .await
        .unwrap();
    let outcome = run.outcome().await;
    assert_eq!((outcome.status, outcome.answer.as_deref()), (Status::Success, Some("seven")), "{outcome:?}");
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    let prompts = prompts.lock().unwrap().clone();
    assert!(prompts[0].contains("stock {product}: How many of a product are in stock"), "{}", prompts[0]);
    assert!(prompts[1].contains("nothing is known of"), "the prompt contains the failure of the tool: {}", prompts[1]);
    assert!(prompts[2].contains("\"left\":7"), "{}", prompts[2]);

    // Two tools with the same name are refused before the run starts.
    let twice: Vec<Arc<dyn Tool>> = vec![Arc::new(Stock(calls.clone())), Arc::new(Stock(calls))];
    let refused = runtime.start(StartRequest { tools: twice, ..StartRequest::default() }).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("two tools are called \"stock\"")));
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_extract_action_is_executed_as_a_run_on_a_page() {
    let (site, folder, never) =
        (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap(), CancellationToken::new());
    let runtime = runtime(&folder).await;
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    act(&page, Action::Open(Open { url: site.signed_in_url("/products") })).await;
    let model = || -> Arc<dyn ChatModel> {
        Arc::new(ScriptedModelFn(|prompt: &str| {
            // The first row of the table below its head: `12 | Anchor | …`.
            let row = prompt.lines().find_map(|line| {
                let mut parts = line.split(" | ");
                let number: usize = parts.next()?.trim().parse().ok()?;
                let name = parts.next()?.trim().to_owned();
                parts.next().map(|_| (number, name))
            });
            let (line, name) = row.unwrap_or_else(|| panic!("no row in {prompt}"));
            json!({"items": [{"line": line, "value": {"name": name}}]})
        }))
    };
    let extract = Extract {
        instruction: "the lamps".into(),
        fields: vec!["name".into()],
        variable: Some("lamps".into()),
        ..Extract::default()
    };
    let request = StartRequest { model: Some(model()), ..StartRequest::action(Action::Extract(extract.clone())) };
    let taken = page.carry_out(request, &never, |_| ()).await.unwrap();
    assert_eq!(taken.status, Status::Success, "{taken:?}");
    let first = taken.variables["lamps"][0]["name"].as_str().unwrap();
    let shown = page.find(first, 500).await.unwrap().unwrap();
    assert!(!first.is_empty() && shown.matches > 0, "{taken:?}");

    // Without a model it says what is missing.
    let none = page.carry_out(StartRequest::action(Action::Extract(extract)), &never, |_| ()).await.unwrap();
    assert!(none.error.is_some_and(|error| error.message.contains("model")));
    runtime.close().await;
}

/// A decider that fills in the field "Customer" if it is empty, and otherwise ends the task.
struct CustomerFieldDecider;

#[async_trait]
impl Decider for CustomerFieldDecider {
    async fn decide(&self, situation: &DecisionContext) -> Result<Option<Decision>, DecideError> {
        if situation.task.contains("weather") {
            return Ok(None);
        }
        if situation.page.nodes.iter().any(|node| &*node.role == "alert") {
            return Err(DecideError("the page complains".to_owned()));
        }
        let empty = situation.page.nodes.iter().find(|node| &*node.name == "Customer" && node.value.is_none());
        Ok(Some(match empty {
            Some(_) => {
                let fill =
                    Fill { target: target("role=textbox[name=\"Customer\"]"), text: "Ada".into(), submit: false };
                Decision::act([Action::Fill(fill)], "the customer is missing")
            }
            None => Decision::done("filled in"),
        }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_custom_decider_decides_steps_that_cannot_be_parsed() {
    let (site, folder, never) =
        (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap(), CancellationToken::new());
    let runtime = runtime(&folder).await;
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    act(&page, Action::Open(Open { url: site.signed_in_url("/orders/new") })).await;
    let task = |words: &str| {
        let workflow = Workflow { steps: vec![legwork::protocol::Step::new(words)], ..Workflow::default() };
        StartRequest { decider: Some(Arc::new(CustomerFieldDecider)), ..StartRequest::task(workflow) }
    };
    let run = page.start(task("get the order ready")).await.unwrap();
    let (id, outcome) = (run.id(), run.outcome().await);
    assert_eq!((outcome.status, outcome.answer.as_deref()), (Status::Success, Some("filled in")), "{outcome:?}");
    assert!(page.find("Customer", 200).await.unwrap().unwrap().text.contains("Ada"));
    let decided = runtime.log().read(id, 1).await.unwrap().into_iter().filter_map(|event| match event.kind {
        EventKind::AiReasoning { decider, .. } => Some(decider),
        _ => None,
    });
    assert_eq!(decided.collect::<Vec<_>>(), [DecidedBy::Custom; 2]);

    // The replay of such a run does not need the custom decider.
    let again = runtime.replay(id).await.unwrap();
    let actions = &again.playbook.as_ref().unwrap().steps[0].actions;
    assert!(matches!(&actions[..], [one] if matches!(one.action, Action::Fill(_))), "{actions:?}");

    // If the decider makes no decision, a model is needed, and none is configured.
    let left = page.carry_out(task("what will the weather be?"), &never, |_| ()).await.unwrap();
    assert!(left.error.is_some_and(|error| error.message.contains("own decider made no decision")));
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_navigation_has_the_title_of_the_page() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let workflow = Workflow {
        name: "titles".to_owned(),
        url: Some(site.signed_in_url("/orders")),
        steps: vec![legwork::protocol::Step::new("Open \"/orders/new\"")],
        ..Workflow::default()
    };
    let run = runtime.start(StartRequest { workflow, ..StartRequest::default() }).await.unwrap();
    let id = run.id();
    run.outcome().await;
    let events = runtime.log().read(id, 1).await.unwrap();
    let mut observed = events.iter().filter_map(|event| match &event.kind {
        EventKind::PageObserved(page) => Some((page.url.clone(), page.title.clone())),
        _ => None,
    });
    let navigated: Vec<_> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::PageNavigated(page) => Some((page.url.clone(), page.title.clone())),
            _ => None,
        })
        .collect();
    assert!(!navigated.is_empty(), "{events:#?}");
    for (url, title) in navigated {
        assert!(!title.is_empty(), "{url}");
        assert!(observed.any(|page| page == (url.clone(), title.clone())), "{url}: {title}");
    }
    runtime.close().await;
}
