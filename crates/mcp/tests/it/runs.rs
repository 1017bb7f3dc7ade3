//! Workflows: progress notifications, cancellation and replay.

use legwork_demo_site::DemoSite;
use rmcp::{
    model::{CallToolRequest, ClientRequest},
    service::PeerRequestOptions,
};
use serde_json::json;

use crate::support::{Another, Place, call, done, joined, request, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workflow_is_told_as_it_goes_and_can_be_done_again() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let another = Another::called("another");
    let client = joined(place.options(&[]).await, another.clone()).await;
    let workflow = "inputs:\n  who:\n    default: Ada\nsteps:\n  - Type \"${who}\" into \"Customer\"\n  \
                    - Check that the field \"Customer\" contains \"${who}\"\n";
    let arguments = json!({"workflow": workflow, "url": site.signed_in_url("/orders/new"), "inputs": {"who": "Eve"}});
    let text = done(call(&client, "legwork_run", arguments).await);
    assert!(text.contains("success, validated") && text.contains("\n2. [success] Check"), "{text}");
    assert!(text.contains("Eve"), "{text}");
    let told = another.hears(|messages| messages.len() == 7).await;
    let messages: Vec<&str> = told.iter().filter_map(|note| note.message.as_deref()).skip(1).collect();
    let expected = [
        "step 1 of 2: Type \"${who}\" into \"Customer\"",
        "fill textbox \"Customer\" with “Eve”",
        "1 of 2 steps done",
        "step 2 of 2: Check that the field \"Customer\" contains \"${who}\"",
        // Before the page is closed, the field loses the focus.
        "leave textbox \"Customer\"",
        "2 of 2 steps done",
    ];
    assert_eq!(messages, expected);
    assert!(told.windows(2).all(|two| two[0].progress < two[1].progress), "{told:?}");
    assert!(told.iter().all(|note| note.total == Some(2.0)), "{told:?}");

    let run = text.split(' ').nth(1).unwrap();
    assert!(done(call(&client, "legwork_runs", json!({})).await).starts_with(run));
    let one = done(call(&client, "legwork_runs", json!({ "run": run })).await);
    assert!(one.contains("1. [success]"), "{one}");
    let again = done(call(&client, "legwork_replay", json!({"run": run, "inputs": {"who": "Zoe"}})).await);
    assert!(again.contains("success, validated") && again.contains("Zoe"), "{again}");
    assert_eq!(done(call(&client, "legwork_runs", json!({"limit": 1})).await).lines().count(), 1);
    let failed = call(&client, "legwork_run", json!({"workflow": "Click \"Nothing\"", "url": site.url()})).await;
    assert!(failed.failed && failed.text.contains("Nothing"), "{}", failed.text);
    let refused = call(&client, "legwork_replay", json!({"run": "last"})).await;
    assert!(refused.failed && refused.text.contains("success"), "{}", refused.text);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_taken_back_ends_its_run() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let another = Another::called("another");
    let client = joined(place.options(&[]).await, another.clone()).await;
    let workflow = format!("Open {}\nWait 60 seconds", site.url());
    let wanted =
        ClientRequest::CallToolRequest(CallToolRequest::new(request("legwork_run", json!({"workflow": workflow}))));
    let running = client.send_cancellable_request(wanted, PeerRequestOptions::default()).await.unwrap();
    another.hears(|messages| messages.iter().any(|text| text.starts_with("wait"))).await;
    running.cancel(Some("enough".to_owned())).await.unwrap();
    until("it does not end", || async {
        let runs = done(call(&client, "legwork_runs", json!({})).await);
        assert!(!runs.contains(" success ") && !runs.contains(" failure "), "{runs}");
        runs.contains(" cancelled ")
    })
    .await;
    client.end().await;
}
