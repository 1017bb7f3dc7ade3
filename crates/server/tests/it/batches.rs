//! A run for each row of a request.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use jiff::Timestamp;
use legwork::{
    protocol::{BatchId, Workflow},
    store::SqliteLog,
};
use legwork_batch::{Batch, BatchOptions, BatchStore, RowClaim, RowStage};
use legwork_demo_site::DemoSite;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Place, Serving, TEST_TIMEOUT};

/// Reads a batch until it satisfies `wanted`. It has no stream of its own.
async fn until(serving: &Serving, batch: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let shown = serving.get(&format!("/api/batches/{batch}")).await.data();
        if wanted(&shown) {
            return shown;
        }
        assert!(Instant::now() < deadline, "{shown}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_row_of_a_request_is_a_run() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new().set("server.requests_per_second", "100000"));
    let serving = place.open().await;
    let steps = ["Type \"${code}\" into \"Pick-up code\"", "Click the button \"Release parcel\""];
    let run = json!({ "steps": steps, "url": site.signed_in_url("/pickup") });
    let rows = json!([{ "code": "KH-2741" }, { "code": "wrong" }, { "code": "KH-2741" }]);
    let started = serving.post("/api/batches", json!({ "run": run, "rows": rows, "jobs": 2 })).await;
    assert_eq!(started.status, 202);
    let batch = started.data()["id"].as_str().unwrap().to_owned();
    let shown = until(&serving, &batch, |shown| shown["live"] == false).await;
    let rows: Vec<&Value> = shown["rows"].as_array().unwrap().iter().collect();
    assert_eq!((shown["counts"]["rows"].as_u64(), shown["counts"]["waiting"].as_u64()), (Some(3), Some(0)), "{shown}");
    assert_eq!((&rows[0]["status"], &rows[2]["status"]), (&json!("success"), &json!("success")), "{shown}");
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/pickup").count(), 3);
    // Each row is an ordinary run.
    let session = serving.get(&format!("/api/automation/sessions/{}", rows[1]["run"].as_str().unwrap())).await.data();
    assert_eq!(session["record"]["inputs"]["code"], "wrong", "{session}");

    // Nothing is left to do.
    serving.post(&format!("/api/batches/{batch}/resume"), json!({})).await.data();
    until(&serving, &batch, |shown| shown["live"] == false).await;
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/pickup").count(), 3);
    serving.post(&format!("/api/batches/{batch}/cancel"), json!({})).await.data();
    serving.post(&format!("/api/batches/{batch}/resume"), json!({})).await.refused(409);
    let listed = serving.get("/api/batches").await.data();
    assert_eq!((&listed[0]["id"], &listed[0]["cancelled"]), (&json!(batch), &json!(true)));
    serving.stop().await;
}

/// The command line began the batch; the server does not read its file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_with_secret_columns_is_not_resumed_without_its_file() {
    let place = Place::new();
    let serving = place.open().await;
    let steps = json!({ "steps": ["Wait 0.1 seconds", "Click \"No such button\""] });
    let (of_batch, other) = (serving.execute(steps.clone()).await, serving.execute(steps).await);
    for run in [&of_batch, &other] {
        serving.to_the_end(run).await;
    }
    let log = Arc::new(SqliteLog::open(place.data().join("runs.db")).unwrap());
    let store = BatchStore::new(log.clone(), log);
    let options = BatchOptions { secret_columns: vec!["pin".to_owned()], ..BatchOptions::default() };
    let (id, workflow) = (BatchId::new(), Workflow::default());
    let batch = Batch {
        id,
        created: Timestamp::now(),
        workflow,
        task: false,
        inputs: BTreeMap::new(),
        rows: Vec::new(),
        options,
    };
    store.create(&batch).await.unwrap();
    let claim = RowClaim { run: of_batch.parse().unwrap(), stage: RowStage::Started, earlier: Vec::new() };
    store.put_claim(id, 1, &claim).await.unwrap();
    let resume = async |run: &str| serving.steer(run, "resume", json!({})).await;
    let refused = resume(&of_batch).await.refused(409).to_string();
    assert!(refused.contains("secret columns") && refused.contains("legwork resume"), "{refused}");
    resume(&other).await.data();
    serving.stop().await;
}

#[tokio::test]
async fn rows_that_cannot_run_are_refused_with_their_place() {
    let place = Place::new();
    let serving = place.open().await;
    let run = json!({ "text": "url: http://a.test\ninputs:\n  code:\nsteps:\n- Type \"${code}\" into \"Code\"\n" });
    let check = async |body: Value, status: u16, says: &str| {
        let error = serving.post("/api/batches", body).await.refused(status);
        assert!(error.to_string().contains(says), "{says}: {error}");
    };
    check(
        json!({ "run": run, "rows": [{ "code": "a" }, {}] }),
        422,
        "row 2 (line 2), column \\\"code\\\": the cell is empty",
    )
    .await;
    check(json!({ "run": run, "rows": [{ "code": "a", "cod": "b" }] }), 422, "did you mean").await;
    check(json!({ "run": run, "rows": [{ "code": "${secret:x}" }] }), 422, "would name a variable").await;
    check(json!({ "run": run, "rows": [{ "code": ["a"] }] }), 422, "a list").await;
    check(json!({ "run": run, "rows": [] }), 422, "no rows").await;
    check(
        json!({ "run": run, "rows": [{ "code": "a" }], "colour": 1 }),
        400,
        "colour: there is no such field; the fields are run, rows, jobs, maxFailures",
    )
    .await;
    serving.get("/api/batches/0123").await.refused(404);
    assert_eq!(serving.get("/api/batches").await.data(), json!([]));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_rows_is_read_and_the_results_are_a_file() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new().set("server.requests_per_second", "100000"));
    let serving = place.open().await;
    let read = async |name: &str, content: &str| {
        let request = serving.ask(Method::POST, &format!("/api/batches/rows?name={name}")).body(content.to_owned());
        Answer::of(request.send().await.unwrap()).await
    };
    let table = read("codes.csv", "code;note\nKH-2741;\nwrong;x\n").await.data();
    let rows = json!([{ "code": "KH-2741" }, { "code": "wrong", "note": "x" }]);
    assert_eq!(table, json!({ "columns": ["code", "note"], "rows": rows, "problems": [] }));
    let refused = read("codes.csv", "code,note\nKH-2741\n").await.refused(422);
    assert!(refused.to_string().contains("row 1 (line 2): the row has 1 cells"), "{refused}");
    read("codes.txt", "code\n").await.refused(422);
    read("codes.csv", &"x".repeat(17 * 1024 * 1024)).await.refused(413);

    let text = "inputs:\n  code:\nsteps:\n- Type \"${code}\" into \"Pick-up code\"\n\
                - {step: 'Click the button \"Release parcel\"', expect: '\"Code accepted\" is shown'}\n";
    let draft = json!({ "name": "Parcels", "text": text, "url": site.signed_in_url("/pickup") });
    let workflow = serving.post("/api/workflows", draft).await.data()["id"].as_str().unwrap().to_owned();
    let body = json!({ "run": { "workflowId": workflow }, "rows": [{ "code": "KH-2741" }, { "code": "wrong" }] });
    let batch = serving.post("/api/batches", body).await.data()["id"].as_str().unwrap().to_owned();
    until(&serving, &batch, |shown| shown["live"] == false).await;

    let of_workflow = serving.get(&format!("/api/batches?workflow={workflow}")).await.data();
    assert_eq!((&of_workflow[0]["id"], &of_workflow[0]["workflowId"]), (&json!(batch), &json!(workflow)));
    assert_eq!(serving.get("/api/batches?workflow=other").await.data(), json!([]));
    let part = serving.get(&format!("/api/batches/{batch}?offset=1&limit=1")).await.data();
    let row = &part["rows"][0];
    assert_eq!((&part["matches"], &row["row"], &row["values"]["code"]), (&json!(2), &json!(2), &json!("wrong")));
    let good = serving.get(&format!("/api/batches/{batch}?state=success")).await.data();
    assert_eq!(good["rows"][0]["verdict"]["words"], "Success, validated", "{good}");
    let results = serving.ask(Method::GET, &format!("/api/batches/{batch}/results")).send().await.unwrap();
    let name = results.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert!(name.starts_with("attachment; filename=\"batch-") && name.ends_with(".csv\""), "{name}");
    let csv = results.text().await.unwrap();
    assert!(csv.starts_with("row,status,validation,run,error,code\n1,success,validated,"), "{csv}");
    // No playbook was recorded, because the words decided everything.
    assert_eq!(serving.get(&format!("/api/workflows/{workflow}/drift")).await.data(), json!([]));
    serving.stop().await;
}

#[tokio::test]
async fn a_file_of_rows_is_compared_with_the_workflow_before_anything_starts() {
    let place = Place::new();
    let serving = place.open().await;
    let text = "inputs:\n  customer:\n  city: Oslo\nsteps:\n- Type \"${customer}\" into \"Customer\"\n";
    let saved = serving.post("/api/workflows", json!({ "text": text, "name": "Orders" })).await.data();
    let id = saved["id"].as_str().unwrap();
    let read = async |query: &str, rows: &'static str| {
        let request = serving.ask(Method::POST, &format!("/api/batches/rows?name=rows.csv{query}"));
        Answer::of(request.header("content-type", "application/octet-stream").body(rows).send().await.unwrap()).await
    };
    let table = read(&format!("&workflow={id}"), "customr,city\nAda,\n").await.data();
    let expected = json!([
        { "kind": "unknownColumn", "column": "customr",
          "message": "column \"customr\": the workflow has no input of this name; did you mean \"customer\"?" },
        { "kind": "missingColumn", "column": "customer",
          "message": "column \"customer\": the workflow needs this input, and there is no such column" },
    ]);
    assert_eq!(table["problems"], expected);
    let table = read(&format!("&workflow={id}"), "customer,city\nAda,\n,Bergen\n").await.data();
    assert_eq!(table["problems"][0]["kind"], "content");
    assert!(table["problems"][0]["message"].as_str().unwrap().starts_with("row 2 (line 3), column \"customer\""));
    assert_eq!(read("", "customr\nAda\n").await.data()["problems"], json!([]));
    read("&workflow=nothing", "customer\nAda\n").await.refused(404);
    serving.stop().await;
}
