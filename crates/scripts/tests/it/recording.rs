use legwork::protocol::Status;
use legwork_demo_site::{DemoSite, Entry, PASSWORD, UPLOAD, UPLOAD_NAME};
use serde_json::json;

use crate::person::{record, run, runtime, sentences};

/// The posts that the server received, without what differs between two visits.
fn posts(site: &DemoSite) -> Vec<(String, Vec<(String, String)>)> {
    site.ledger().into_iter().map(|Entry { path, fields, .. }| (path, fields)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_order_is_placed_again() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, Some(&site.url()), false, async |person| {
        person.click("role=button[name=\"Accept all cookies\"]").await;
        person.type_into("role=textbox[name=\"User name\"]", "alice").await;
        person.type_into("role=textbox[name=\"Password\"]", PASSWORD).await;
        person.press("Enter").await;
        person.click("role=link[name=\"Orders\"]").await;
        person.click("role=link[name=\"New order\"]").await;
        person.type_into("#customer", "Ada Lind").await;
        person.type_into("#email", "ada@example.org").await;
        person.choose("#product", "Anch").await;
        person.type_into("#quantity", "3").await;
        person.click("#delivery").await;
        person.click("text=Courier").await;
        person.act("focus", json!({"target": "#date"})).await;
        for key in "12242026".chars() {
            person.press(&key.to_string()).await;
        }
        person.click("text=Card").await;
        person.click("text=Gift wrap").await;
        person.click("role=checkbox[name=\"The customer accepts the terms\"]").await;
        person.click("role=button[name=\"Place order\"]").await;
        person.click("role=link[name=\"All orders\"]").await;
        person.click("role=button[name=\"Delete order HS-1002\"]").await;
        person.act("dialog", json!({"accept": true})).await;
    })
    .await;
    insta::assert_snapshot!(sentences(&recorder));
    assert!(!recorder.text().contains(PASSWORD));

    let again = DemoSite::start().await.unwrap();
    let outcome = run(&runtime, &recorder.text().replace(&site.url(), &again.url()), &[("password", PASSWORD)], &[]).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}\n{}", recorder.text());
    assert_eq!(posts(&again), posts(&site));
    assert!(!posts(&site).is_empty());
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_shadow_roots_tabs_and_files_are_recorded() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join(UPLOAD_NAME);
    std::fs::write(&file, UPLOAD).unwrap();
    let runtime = runtime(&folder).await;
    let start = site.signed_in_url("/documents");
    let recorder = record(&runtime, Some(&start), false, async |person| {
        person.page().session().allow_uploads(vec![files.path().to_owned()]);
        person.act("upload", json!({"target": "input[type=file]", "files": [file.display().to_string()]})).await;
        person.click("role=button[name=\"Upload document\"]").await;
        person.click("role=link[name=\"Settings\"]").await;
        person.choose("#zone", "Europe/L").await;
        person.click("role=button[name=\"Save settings\"]").await;
        person.type_into("#postcode", "5003").await;
        person.type_into("#weight", "12").await;
        person.press("Enter").await;
        person.click("role=link[name=\"Partners\"]").await;
        person.type_into("role=textbox[name=\"Member number\"]", "4711").await;
        person.click("role=button[name=\"Look up member\"]").await;
        person.open(&format!("{}/pickup", site.url())).await;
        person.click("role=link[name=\"Show the code\"]").await;
        person.act("tab", json!({"op": "switch", "to": "1"})).await;
        person.type_into("#code", "KH-2741").await;
        person.click("role=button[name=\"Release parcel\"]").await;
        person.act("back", json!({})).await;
    })
    .await;
    insta::assert_snapshot!(sentences(&recorder).replace(&site.url(), "SITE"));

    let again = DemoSite::start().await.unwrap();
    let outcome = run(&runtime, &recorder.text().replace(&site.url(), &again.url()), &[], &[files.path()]).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}\n{}", recorder.text());
    assert_eq!(posts(&again), posts(&site));
    runtime.close().await;
}
