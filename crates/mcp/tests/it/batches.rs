//! One run for each row of a call.

use legwork_demo_site::DemoSite;
use rmcp::{
    model::{CallToolRequest, ClientRequest},
    service::PeerRequestOptions,
};
use serde_json::{Value, json};

use crate::support::{Another, Place, call, done, joined, request};

/// Releases a parcel with the code of the row, and saves what the page says.
fn workflow(site: &DemoSite) -> String {
    format!(
        "name: Parcels\nurl: {}\ninputs:\n  code:\nsteps:\n- Type \"${{code}}\" into \"Pick-up code\"\n\
         - {{step: 'Click the button \"Release parcel\"', expect: '\"Code accepted\" is shown'}}\n",
        site.signed_in_url("/pickup")
    )
}

fn released(site: &DemoSite) -> usize {
    site.ledger().iter().filter(|entry| entry.path == "/pickup").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workflow_runs_once_for_each_row_and_a_batch_is_continued() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let another = Another::called("another");
    let client = joined(place.options(&[("decider", "literal")]).await, another.clone()).await;
    let rows = json!([{"code": "KH-2741"}, {"code": "wrong"}, {"code": "KH-2741"}]);
    let arguments = json!({"workflow": workflow(&site), "rows": rows, "jobs": 2, "output": "results.csv"});
    let reply = call(&client, "legwork_batch", arguments).await;
    assert!(reply.failed, "{}", reply.text);
    let lines: Vec<&str> = reply.text.lines().collect();
    assert!(lines[0].contains(" Parcels: 2 of 3 rows succeeded, 1 "), "{}", reply.text);
    // The row that did not succeed comes first.
    assert!(
        lines[1].starts_with("row 2: ") && lines[2].starts_with("row 1: success, validated, run "),
        "{}",
        reply.text
    );
    assert_eq!(released(&site), 3);
    let results = std::fs::read_to_string(place.folder.path().join("out/results.csv")).unwrap();
    assert!(results.starts_with("row,status,validation,run,error,code\n1,success,validated,"), "{results}");

    // Each row begins and ends with a notification, and each has progressed.
    let told = another.hears(|messages| messages.len() >= 6).await;
    assert!(told.windows(2).all(|two| two[0].progress < two[1].progress), "{told:?}");
    let last = told.last().unwrap();
    assert_eq!((last.progress, last.total), (3.0, Some(3.0)), "{told:?}");

    let batch = lines[0].split(' ').nth(1).unwrap();
    let listed = done(call(&client, "legwork_batches", json!({})).await);
    assert!(listed.starts_with(batch) && listed.contains("2 of 3 rows succeeded"), "{listed}");
    let shown = done(call(&client, "legwork_batches", json!({"batch": batch, "limit": 1})).await);
    assert!(shown.contains("row 2: ") && shown.ends_with("2 more: legwork_batches with from: 2"), "{shown}");
    let rest = done(call(&client, "legwork_batches", json!({"batch": batch, "from": 2})).await);
    assert!(rest.contains("row 1: ") && rest.contains("row 3: ") && !rest.contains("row 2: "), "{rest}");

    // Finished rows are not done again, except on request.
    call(&client, "legwork_batch", json!({"batch": batch})).await;
    assert_eq!(released(&site), 3);
    call(&client, "legwork_batch", json!({"batch": batch, "retryFailed": true})).await;
    assert_eq!(released(&site), 4);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rows_of_a_file_are_run_and_a_request_that_is_taken_back_starts_no_further_row() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let another = Another::called("another");
    let client = joined(place.options(&[("decider", "literal")]).await, another.clone()).await;
    let rows: String = (0..4).map(|_| "KH-2741\n").collect();
    std::fs::write(place.folder("out").join("parcels.csv"), format!("code\n{rows}")).unwrap();
    let arguments = json!({"workflow": workflow(&site), "file": "parcels.csv"});
    let wanted = ClientRequest::CallToolRequest(CallToolRequest::new(request("legwork_batch", arguments)));
    let running = client.send_cancellable_request(wanted, PeerRequestOptions::default()).await.unwrap();
    another.hears(|messages| messages.iter().any(|text| text.starts_with("row 1 started"))).await;
    running.cancel(Some("enough".to_owned())).await.unwrap();
    // Nothing works on the batch any more once it can be continued.
    let listed = done(call(&client, "legwork_batches", json!({})).await);
    let batch = listed.split(' ').next().unwrap();
    assert!(listed.contains("not started"), "{listed}");
    while call(&client, "legwork_batch", json!({"batch": batch})).await.text.contains("is driven by") {
        tokio::task::yield_now().await;
    }
    assert_eq!(released(&site), 4);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_cannot_run_is_refused_before_a_browser_opens() {
    let place = Place::new();
    let client = joined(place.options(&[("browser.path", "/nonexistent")]).await, Another::called("another")).await;
    let text = "inputs:\n  code:\nsteps:\n- Type \"${code}\" into \"Code\"\n";
    let row = json!([{"code": "a"}]);
    let check = async |arguments: Value, says: &str| {
        let reply = call(&client, "legwork_batch", arguments.clone()).await;
        assert!(reply.failed && reply.text.contains(says), "{arguments}: {}", reply.text);
    };
    let either = "give workflow or task with rows or file";
    check(json!({}), either).await;
    check(json!({"workflow": text}), either).await;
    check(json!({"workflow": text, "task": "b", "rows": row}), either).await;
    check(json!({"workflow": text, "rows": row, "assume": "done"}), either).await;
    check(json!({"batch": "0123", "rows": row}), either).await;
    check(json!({"batch": "0123"}), "there is no batch 0123").await;
    check(json!({"batch": "0123", "assume": "perhaps"}), "assume is done or not_done").await;
    check(json!({"workflow": text, "rows": row, "jobs": 0}), "jobs is a number from 1 to 64").await;
    check(json!({"workflow": text, "rows": []}), "there are no rows").await;
    check(json!({"workflow": text, "rows": [{"code": "a"}, {}]}), "row 2 (line 2), column \"code\"").await;
    check(json!({"workflow": text, "rows": [{"code": "a", "cod": "b"}]}), "did you mean \"code\"?").await;
    check(json!({"workflow": text, "rows": [{"code": "${secret:x}"}]}), "would name a variable").await;
    check(json!({"workflow": text, "rows": row, "inputs": {"code": "b"}}), "leave out one of them").await;
    check(json!({"workflow": "steps:\n  - Nonsense:\n", "rows": row}), "the workflow cannot be read").await;
    check(json!({"workflow": text, "file": "../rows.csv"}), "outside of the output folder").await;
    check(json!({"workflow": text, "file": "rows.txt"}), "rows.txt").await;
    check(json!({"workflow": text, "rows": row, "output": "results.txt"}), "must end in .csv or .jsonl").await;
    assert_eq!(done(call(&client, "legwork_batches", json!({})).await), "there are no batches yet");
    client.end().await;
}
