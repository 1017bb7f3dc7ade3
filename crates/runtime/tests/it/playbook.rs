//! Playbooks with a real browser: a run that a model decided is repeated without one, on a page that changes.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use legwork::{
    Error, Runtime, StartRequest,
    playbooks::{PlaybookError, drift, validate_with_playbook, written},
    protocol::{DecidedBy, EventKind, Input, Outcome, PlaybookUse, RunId, Status, Step, Validation, Workflow},
    record::RunRecord,
    workflow_file::Severity,
};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::library::{ScriptedModelFn, line, runtime_with};

/// A page with a row for each name, each with a button `Add` that reports the name. The rows can be changed.
struct Shop {
    rows: Arc<Mutex<Vec<&'static str>>>,
    address: String,
}

impl Shop {
    async fn start(rows: &[&'static str]) -> Shop {
        let rows = Arc::new(Mutex::new(rows.to_vec()));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let shown = rows.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let body = html(&shown.lock().unwrap());
                tokio::spawn(async move {
                    let mut request = vec![0; 8192];
                    let _ = stream.read(&mut request).await;
                    let head = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                        body.len()
                    );
                    let _ = stream.write_all((head + &body).as_bytes()).await;
                });
            }
        });
        Shop { rows, address }
    }

    fn show(&self, rows: &[&'static str]) {
        *self.rows.lock().unwrap() = rows.to_vec();
    }

    fn workflow(&self, step: &str) -> Workflow {
        self.workflow_with(step, "\"Table added\" is shown")
    }

    fn workflow_with(&self, step: &str, expect: &str) -> Workflow {
        let step = Step { expect: Some(expect.to_owned()), ..Step::new(step) };
        Workflow { name: "basket".into(), url: Some(self.address.clone()), steps: vec![step], ..Workflow::default() }
    }
}

fn html(rows: &[&str]) -> String {
    let rows: String = rows
        .iter()
        .map(|name| {
            format!(
                "<tr><td>{name}</td><td>in stock</td><td><button onclick=\"document.querySelector('[role=status]')\
                 .textContent = '{name} added'\">Add</button></td></tr>"
            )
        })
        .collect();
    format!("<!doctype html><title>Shop</title><h1>Shop</h1><table>{rows}</table><p role=status></p>")
}

/// A runtime with the default settings, which record and use playbooks.
async fn recording_runtime(folder: &tempfile::TempDir) -> Arc<Runtime> {
    runtime_with(folder, &[]).await
}

const NAMES: [&str; 3] = ["Chair", "Table", "Lamp"];
const STEP: &str = "put the table into the basket";

/// Runs a workflow; the model clicks the button of the second row and counts its calls.
async fn run(runtime: &Runtime, workflow: Workflow, calls: Option<&Arc<AtomicUsize>>) -> (RunId, Outcome) {
    let model = calls.map(|calls| {
        let calls = calls.clone();
        let reply = move |prompt: &str| -> Value {
            // The expectation is a part of the prompt, so that it does not show whether the button was pressed.
            if calls.fetch_add(1, Ordering::Relaxed) > 0 {
                return line("done \"added\"");
            }
            let row = prompt.split_once("Chair").and_then(|(_, rest)| rest.split_once("Table"));
            let reference = row.and_then(|(_, rest)| rest.split("[ref=").nth(1)?.split(']').next());
            line(&format!("click {}", reference.expect("the row of the table has a button")))
        };
        Arc::new(ScriptedModelFn(reply)) as Arc<dyn legwork::model::ChatModel>
    });
    let run = runtime.start(StartRequest { model, ..StartRequest::workflow(workflow) }).await.unwrap();
    let id = run.id();
    (id, run.outcome().await)
}

async fn deciders(runtime: &Runtime, run: RunId) -> Vec<DecidedBy> {
    let events = runtime.log().read(run, 1).await.unwrap();
    let of_step = events.iter().filter(|event| event.step.is_some());
    of_step
        .filter_map(|event| match &event.kind {
            EventKind::CommandStarted { decider, .. } => Some(*decider),
            _ => None,
        })
        .collect()
}

/// The texts of pages in the record of a run.
async fn saved_texts(runtime: &Runtime, run: RunId) -> Vec<String> {
    let mut texts = Vec::new();
    for event in runtime.log().read(run, 1).await.unwrap() {
        if let EventKind::PageTextSaved(saved) = event.kind {
            let content = runtime.artifacts().get(&saved.text.hash, u64::MAX).await.unwrap();
            texts.push(String::from_utf8(content).unwrap());
        }
    }
    texts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_a_model_decided_is_repeated_without_a_model() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let (first, outcome) = run(&runtime, shop.workflow(STEP), Some(&calls)).await;
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
    assert!(calls.swap(0, Ordering::Relaxed) > 0);
    let saved = runtime.playbooks().list().unwrap();
    assert_eq!((saved.len(), saved[0].versions.as_slice()), (1, [1].as_slice()));
    // No request to a model contains the last page. An export looks for the text of a check in its record.
    assert!(saved_texts(&runtime, first).await.iter().any(|text| text.contains("Table added")));

    // Every caller that reads the workflow accepts it, although no model is configured.
    let is_valid = |workflow: &Workflow| {
        let (text, settings) = (serde_json::to_string(workflow).unwrap(), runtime.settings());
        let inputs = std::collections::BTreeMap::new();
        let source = (text.as_str(), "workflow.json");
        validate_with_playbook(source, &settings, &inputs, None, Severity::Error).workflow.is_some()
    };
    assert!(is_valid(&shop.workflow(STEP)) && !is_valid(&shop.workflow("put the lamp into the basket")));

    // The model is configured, and it is not called.
    let (again, outcome) = run(&runtime, shop.workflow(STEP), Some(&calls)).await;
    let events = runtime.log().read(again, 1).await.unwrap();
    let record = RunRecord::fold(&events).unwrap();
    assert_eq!(record.playbook, Some(PlaybookUse { run: first, version: Some(1) }));
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    assert_eq!(deciders(&runtime, again).await, [DecidedBy::Playbook]);

    // A row above the recorded one, and no model at all.
    shop.show(&["Sofa", "Chair", "Table", "Lamp"]);
    let (_, outcome) = run(&runtime, shop.workflow(STEP), None).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let request = runtime.replay(first).await.unwrap();
    let outcome = runtime.start(request).await.unwrap().outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");

    // Without the row, nothing is clicked, and the playbook stays as it is.
    shop.show(&["Chair", "Lamp"]);
    let (gone, outcome) = run(&runtime, shop.workflow(STEP), None).await;
    assert_eq!(outcome.status, Status::Failure, "{outcome:?}");
    assert!(deciders(&runtime, gone).await.is_empty());
    assert!(!outcome.error.unwrap().details.is_empty());
    assert_eq!(runtime.playbooks().list().unwrap()[0].versions, [1]);
    runtime.close().await;
}

/// What a page shows of an input belongs to the run and not to its playbook, also in a step that does not name the
/// input.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_effect_names_the_input_that_the_page_showed() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let input = Input { default: Some("Table".into()), description: None };
    let workflow =
        Workflow { inputs: [("product".to_owned(), input)].into(), ..shop.workflow_with(STEP, "\"added\" is shown") };
    let calls = Arc::new(AtomicUsize::new(0));
    let (_, outcome) = run(&runtime, workflow, Some(&calls)).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let id = runtime.playbooks().list().unwrap().remove(0).id;
    let text = std::fs::read_to_string(folder.path().join("playbooks").join(&id).join("v1.json")).unwrap();
    assert!(text.contains("${product} added") && !text.contains("Table added"), "{text}");
    runtime.close().await;
}

/// The recorded row is meant only in a run that asks for the recorded run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_literal_ordinal_means_the_recorded_row_only_where_a_playbook_was_asked_for() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let step = "Click the second \"Add\" button";
    let (first, outcome) = run(&runtime, shop.workflow(step), None).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    shop.show(&["Sofa", "Chair", "Table", "Lamp"]);
    let (id, outcome) = run(&runtime, shop.workflow(step), None).await;
    assert_eq!(outcome.status, Status::Failure, "{outcome:?}");
    assert_eq!(deciders(&runtime, id).await, [DecidedBy::Literal]);
    let request = runtime.replay(first).await.unwrap();
    let run = runtime.start(request).await.unwrap();
    let id = run.id();
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(deciders(&runtime, id).await, [DecidedBy::Playbook]);
    runtime.close().await;
}

/// Nobody asked for the damaged playbook, so that it must not prevent the run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_playbook_is_not_used_and_is_recorded_again() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let calls = Arc::new(AtomicUsize::new(0));
    run(&runtime, shop.workflow(STEP), Some(&calls)).await;
    let id = runtime.playbooks().list().unwrap().remove(0).id;
    let path = folder.path().join("playbooks").join(&id).join("v1.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("Add", "Remove")).unwrap();
    calls.store(0, Ordering::Relaxed);
    let (again, outcome) = run(&runtime, shop.workflow(STEP), Some(&calls)).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert!(calls.load(Ordering::Relaxed) > 0);
    let events = runtime.log().read(again, 1).await.unwrap();
    let record = RunRecord::fold(&events).unwrap();
    assert!(record.warnings.iter().any(|warning| warning.message.contains("checksum")), "{:?}", record.warnings);
    assert_eq!(record.playbook, None);
    assert_eq!(runtime.playbooks().versions(&id).unwrap(), [1, 2]);
    runtime.close().await;
}

/// Of runs at the same time, the first one that ends records; the others add no versions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_at_once_record_one_playbook() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let (one, other) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let runs = [run(&runtime, shop.workflow(STEP), Some(&one)), run(&runtime, shop.workflow(STEP), Some(&other))];
    for (_, outcome) in futures_util::future::join_all(runs).await {
        assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    }
    assert!(one.load(Ordering::Relaxed) > 0 && other.load(Ordering::Relaxed) > 0);
    assert_eq!(runtime.playbooks().list().unwrap()[0].versions, [1]);
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_healed_action_is_saved_as_a_new_version() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let runtime = recording_runtime(&folder).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let workflow = shop.workflow_with(STEP, "\"added\" is shown");
    let (first, _) = run(&runtime, workflow.clone(), Some(&calls)).await;
    // The table is sold out, and a desk has taken its place.
    shop.show(&["Chair", "Desk", "Lamp"]);
    let others = Arc::new(AtomicUsize::new(0));
    let (healed, outcome) = run_with_click(&runtime, workflow.clone(), "e2", &others).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert!(others.swap(0, Ordering::Relaxed) > 0);
    let events = runtime.log().read(healed, 1).await.unwrap();
    let reason = events.iter().find_map(|event| match &event.kind {
        EventKind::CommandStarted { identity: Some(identity), .. } => identity.healed.clone(),
        _ => None,
    });
    assert!(reason.is_some_and(|reason| reason.contains("not certain")));
    let saved = runtime.playbooks().list().unwrap();
    assert_eq!(saved[0].versions, [1, 2]);
    let (last, outcome) = run_with_click(&runtime, workflow, "e2", &others).await;
    assert_eq!((outcome.status, others.load(Ordering::Relaxed)), (Status::Success, 0), "{outcome:?}");

    let mut journals = Vec::new();
    for id in [last, healed, first] {
        journals.push(runtime.log().read(id, 1).await.unwrap());
    }
    let drift = drift(saved[0].newest.as_ref().unwrap(), &journals).unwrap();
    let runs: Vec<_> = drift.runs.iter().map(|run| (run.run, run.version, run.model > 0, run.healed)).collect();
    assert_eq!(runs, [(first, None, true, 0), (healed, Some(1), true, 1), (last, Some(2), false, 0)]);
    let marks: Vec<_> = drift.steps[0].marks.iter().map(|mark| mark.as_ref().map(|mark| mark.healed)).collect();
    assert_eq!(marks, [None, Some(1), Some(0)]);
    assert!(drift.runs[2].lowest.is_some_and(|score| score > 0.9));
    runtime.close().await;
}

/// As [`run`], with a model that clicks this ref and says that it is done.
async fn run_with_click(
    runtime: &Runtime,
    workflow: Workflow,
    reference: &'static str,
    calls: &Arc<AtomicUsize>,
) -> (RunId, Outcome) {
    let calls = calls.clone();
    let model = ScriptedModelFn(move |prompt: &str| {
        calls.fetch_add(1, Ordering::Relaxed);
        if prompt.contains(" added") { line("done \"added\"") } else { line(&format!("click {reference}")) }
    });
    let run =
        runtime.start(StartRequest { model: Some(Arc::new(model)), ..StartRequest::workflow(workflow) }).await.unwrap();
    let id = run.id();
    (id, run.outcome().await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unsuitable_playbook_is_refused_before_the_browser_opens() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let first = recording_runtime(&folder).await;
    let calls = Arc::new(AtomicUsize::new(0));
    run(&first, shop.workflow(STEP), Some(&calls)).await;
    let playbook = first.playbooks().list().unwrap().remove(0).newest.unwrap();
    first.close().await;

    let file = folder.path().join("exported.json");
    let text = written(&playbook).unwrap();
    let path = file.display().to_string();
    let runtime = runtime_with(&folder, &[("playbook", &path), ("browser.path", "/nonexistent")]).await;
    let refused = async |content: String, workflow: Workflow| {
        std::fs::write(&file, content).unwrap();
        match runtime.start(StartRequest::workflow(workflow)).await {
            Err(Error::Playbook(error)) => error,
            Err(other) => panic!("{other:?}"),
            Ok(_) => panic!("the playbook was accepted"),
        }
    };
    let changed = text.replace("\"Add\"", "\"Remove\"");
    assert_ne!(changed, text);
    assert!(matches!(refused(changed, shop.workflow(STEP)).await, PlaybookError::Checksum { .. }));
    let newer = text.replacen("\"format\": ", "\"format\": 9", 1);
    assert!(matches!(refused(newer, shop.workflow(STEP)).await, PlaybookError::Format { .. }));
    assert!(matches!(refused("[]".into(), shop.workflow(STEP)).await, PlaybookError::Content { .. }));
    let elsewhere = Workflow { url: Some("http://127.0.0.1:1/".into()), ..shop.workflow(STEP) };
    assert!(matches!(refused(text.clone(), elsewhere).await, PlaybookError::Site { .. }));
    assert!(matches!(refused(text, shop.workflow("another step")).await, PlaybookError::Workflow { .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_playbooks_off_nothing_is_recorded_and_none_is_used() {
    let (shop, folder) = (Shop::start(&NAMES).await, tempfile::tempdir().unwrap());
    let step = "Click the second \"Add\" button";
    let recording = recording_runtime(&folder).await;
    run(&recording, shop.workflow(step), None).await;
    assert_eq!(recording.playbooks().list().unwrap().len(), 1);
    recording.close().await;

    let runtime = runtime_with(&folder, &[("playbook", "off")]).await;
    shop.show(&["Sofa", "Chair", "Table", "Lamp"]);
    let (id, outcome) = run(&runtime, shop.workflow_with(step, "\"Chair added\" is shown"), None).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(deciders(&runtime, id).await, [DecidedBy::Literal]);
    let (id, outcome) = run(&runtime, shop.workflow(step), None).await;
    assert_eq!(outcome.status, Status::Failure, "{outcome:?}");
    assert_eq!(deciders(&runtime, id).await, [DecidedBy::Literal]);
    assert_eq!(runtime.playbooks().list().unwrap()[0].versions, [1]);
    runtime.close().await;
}
