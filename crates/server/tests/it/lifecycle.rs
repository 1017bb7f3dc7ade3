//! The basic sequence: a request with steps returns the id of a run at once, and its events follow in order until its
//! end.

use legwork_demo_site::{DEMO_WORKFLOW, DemoSite, PASSWORD, UPLOAD, UPLOAD_NAME};
use legwork_server::Template;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Frame, Place, types};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_a_run_are_streamed_in_order_to_every_viewer() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let serving = place.open().await;
    let steps = json!({ "steps": [
        format!("Open {}", site.signed_in_url("/")),
        "Click the link \"Products\"",
        "Check that \"Search products\" is shown",
    ] });
    let started = serving.post("/api/automation/execute", steps).await;
    assert_eq!(started.status, 202);
    let started = started.data();
    let run = started["sessionId"].as_str().unwrap();
    assert_eq!((&started["streamId"], &started["state"]), (&started["sessionId"], &json!("running")));

    let path = format!("/api/stream/sse/{run}");
    let (mut one, mut two) = (serving.stream(&path).await, serving.stream(&path).await);
    let ((events, status), (same, _)) = tokio::join!(one.until_the_end(), two.until_the_end());
    assert_eq!(status, "success");
    assert_eq!(events, same, "two viewers see the same");
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    let wanted = ["WORKFLOW_STARTED", "STEP_STARTED", "STEP_COMPLETED", "WORKFLOW_COMPLETED"];
    let told: Vec<&str> = types(&events).into_iter().filter(|kind| wanted.contains(kind)).collect();
    let step = ["STEP_STARTED", "STEP_COMPLETED"];
    assert_eq!(told, [&["WORKFLOW_STARTED"][..], &step, &step, &step, &["WORKFLOW_COMPLETED"]].concat());

    // A stream starts at any number, given by query or header (the header has precedence), and can be filtered by type.
    let total = events.len() as u64;
    for from in [2, total / 2, total] {
        let (tail, _) = serving.stream(&format!("{path}?from={from}")).await.until_the_end().await;
        assert_eq!(tail, events[from as usize - 1..]);
    }
    let request = serving.ask(Method::GET, &format!("{path}?from=2")).header("last-event-id", total - 1);
    let text = request.send().await.unwrap().chunk().await.unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&text).contains("id: 2\n"));
    let (ends, _) = serving.stream(&format!("{path}?types=step_completed")).await.until_the_end().await;
    assert_eq!(types(&ends), ["STEP_COMPLETED"; 3]);

    // The same events by ordinary requests, with a shortened id and the alternative path.
    let history = serving.get(&format!("/api/sessions/{}/history?from=2&limit=3", &run[run.len() - 8..])).await.data();
    assert_eq!(history["events"].as_array().unwrap()[..], events[1..4]);
    assert_eq!((&history["next"], &history["lastSeq"]), (&json!(5), &json!(total)));
    let session = serving.get(&format!("/api/automation/sessions/{run}")).await.data();
    assert_eq!(
        (&session["state"], &session["live"], &session["summary"]["stepsDone"]),
        (&json!("success"), &json!(false), &json!(3))
    );
    assert_eq!(session["record"]["steps"][1]["result"]["decider"], "literal");
    let list = serving.get("/api/automation/sessions?pageSize=1&q=open&state=success").await;
    assert_eq!((&list.body["pagination"]["total"], &list.body["pagination"]["hasNext"]), (&json!(1), &json!(false)));
    let metadata = &list.body["metadata"];
    assert!(metadata["requestId"].is_string() && metadata["processingTimeMs"].as_f64().unwrap() > 0.0);

    // The record stream: complete for a new viewer, only the changed rows for a viewer that reconnects.
    let path = format!("/api/stream/record/{run}");
    let mut stream = serving.stream(&path).await;
    let whole = stream.next().await.unwrap();
    assert_eq!((whole.event.as_str(), whole.id, &whole.data["seq"]), ("record", Some(total), &json!(total)));
    let rows = |frame: &Frame| frame.data["rows"].as_array().unwrap().clone();
    let row = |kind| rows(&whole).into_iter().find(|row| row["row"] == kind).unwrap();
    assert_eq!((&row("run")["state"], &row("run")["live"]), (&json!("success"), &json!(false)));
    assert_eq!(row("totals")["commands"], session["record"]["totals"]["commands"]);
    assert!(row("turn")["commands"][0]["words"].as_str().unwrap().starts_with("open http"), "{}", row("turn"));
    assert_eq!(
        stream.next().await.map(|end| (end.event, end.data)),
        Some(("end".into(), json!({ "status": "success" })))
    );
    let newer = serving.stream(&format!("{path}?from={}", total - 2)).await.next().await.unwrap();
    assert_eq!(newer.event, "patch");
    let few = rows(&newer);
    assert!(few.len() < rows(&whole).len() / 2 && few.iter().all(|row| rows(&whole).contains(row)), "{few:#?}");
    serving.get("/api/automation/sessions?page=first").await.refused(400);

    let stream = serving.get(&format!("/api/streams/{run}")).await.data();
    assert_eq!((&stream["lastSeq"], &stream["live"]), (&json!(total), &json!(false)));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_template_run_has_screenshots_artifacts_and_exports() {
    let (site, mut place) = (DemoSite::start().await.unwrap(), Place::new().set("screenshots.enabled", "true"));
    // Files of the data folder are never uploaded.
    let folder = tempfile::tempdir().unwrap();
    let uploads = folder.path().to_owned();
    std::fs::write(uploads.join(UPLOAD_NAME), UPLOAD).unwrap();
    place.templates.push(Template {
        id: "demo".into(),
        name: "Demo".into(),
        text: DEMO_WORKFLOW.into(),
        url: Some(site.url()),
        secrets: [("demo_password".to_owned(), PASSWORD.into())].into(),
        uploads: vec![uploads],
        ..Template::default()
    });
    let serving = place.open().await;
    let templates = serving.get("/api/automation/templates").await.data();
    assert_eq!(
        templates[0]["inputs"],
        json!([{ "name": "customer", "kind": "text", "description": null, "default": "Ada Lind", "required": false, "secret": false }])
    );
    let run = serving.execute(json!({ "template": "demo", "inputs": { "customer": "Grace" } })).await;
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "success", "{:?}", events.last());
    assert!(!serde_json::to_string(&events).unwrap().contains(PASSWORD));

    let pictures = serving.get(&format!("/api/automation/sessions/{run}/screenshots")).await.data();
    let picture = &pictures.as_array().unwrap()[0];
    let mut sizes = Vec::new();
    for path in ["", "/thumbnail"] {
        let response = serving
            .ask(Method::GET, &format!("/api/screenshots/{}{path}", picture["id"].as_str().unwrap()))
            .send()
            .await
            .unwrap();
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "image/jpeg");
        assert_eq!(header("content-security-policy"), "sandbox; default-src 'none'");
        assert_eq!(header("x-content-type-options"), "nosniff");
        let bytes = response.bytes().await.unwrap();
        assert_eq!(bytes[..2], [0xff, 0xd8]);
        sizes.push(bytes.len());
    }
    assert!(sizes[1] * 2 < sizes[0], "{sizes:?}");
    // A saved state contains the sign-ins of sites.
    let state = events.iter().find(|event| event["type"] == "STATE_SAVED").unwrap();
    let hash = state["data"]["state"]["hash"].as_str().unwrap();
    let refused = serving.get(&format!("/api/artifacts/{hash}")).await.refused(403);
    assert!(refused["message"].as_str().is_some_and(|message| message.contains("sign-ins")), "{refused}");
    // Artifacts contain text from pages and must not be rendered as documents of this origin.
    let text = events.iter().find(|event| event["type"] == "PAGE_TEXT_SAVED").unwrap();
    let hash = text["data"]["text"]["hash"].as_str().unwrap();
    let response = serving.ask(Method::GET, &format!("/api/artifacts/{hash}")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
    assert_eq!(response.headers()["content-security-policy"], "sandbox; default-src 'none'");
    serving.get(&format!("/api/screenshots/{hash}")).await.refused(404);
    serving.get("/api/artifacts/..%2F..%2Fserver.token").await.refused(400);

    for (format, begins) in [("json", "{"), ("csv", "step,text,state"), ("html", "<!doctype html>")] {
        let path = format!("/api/automation/sessions/{run}/export");
        let request = serving.ask(Method::POST, &path).header("content-type", "application/json");
        let response = request.body(json!({ "format": format }).to_string()).send().await.unwrap();
        let disposition = response.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert!(
            disposition.starts_with("attachment; ") && disposition.ends_with(&format!(".{format}\"")),
            "{disposition}"
        );
        let text = response.text().await.unwrap();
        assert!(text.to_lowercase().starts_with(begins) && !text.contains(PASSWORD), "{}", &text[..80]);
    }
    let detailed = serving.get("/api/health/detailed").await.data();
    assert_eq!((&detailed["status"], &detailed["integrity"]["ok"]), (&json!("ok"), &json!(true)), "{detailed}");
    let board = serving.get("/api/dashboard?days=1").await.data();
    assert_eq!((&board["totals"]["runs"], &board["totals"]["success"]), (&json!(1), &json!(1)));
    let figures = serving.ask(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(figures.contains("legwork_runs_ended_total{status=\"success\"} 1"), "{figures}");

    let delete = serving.ask(Method::DELETE, &format!("/api/automation/sessions/{run}")).send().await.unwrap();
    Answer::of(delete).await.data();
    serving.get(&format!("/api/automation/sessions/{run}")).await.refused(404);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_cannot_open_the_address_of_its_own_server() {
    let place = Place::new();
    let serving = place.open().await;
    let port = serving.url.rsplit(':').next().unwrap().to_owned();
    for address in [
        serving.url.clone(),
        format!("http://localhost:{port}/api/me"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://2130706433:{port}/"),
    ] {
        let run = serving.execute(json!({ "steps": [format!("Open {address}")] })).await;
        let (events, status) = serving.to_the_end(&run).await;
        assert_eq!(status, "failure", "{address}");
        let failed = events.iter().find(|event| event["type"] == "STEP_FAILED").unwrap();
        assert!(failed.to_string().contains("Legwork's own server"), "{failed}");
        // No setting allows this address, so the error suggests none.
        let suggested = failed["data"]["error"]["suggestedAction"].as_str().unwrap();
        assert!(suggested.contains("No setting allows this") && !suggested.contains("--allowed-domains"), "{failed}");
    }
    serving.stop().await;
}

#[tokio::test]
async fn the_run_list_stream_reports_state_changes() {
    let place = Place::new();
    let serving = place.open().await;
    let mut all = serving.stream("/api/stream/sse").await;
    let run = serving.execute(json!({ "task": "Ponder", "options": { "decider": "literal" } })).await;
    let mut states = Vec::new();
    while !states.last().is_some_and(|state: &Value| state == "error" || state == "failure") {
        let frame = all.next().await.unwrap();
        assert_eq!(
            (frame.event.as_str(), frame.data["run"].as_str().unwrap().replace('-', "")),
            ("run", run.replace('-', ""))
        );
        states.push(frame.data["state"].clone());
    }
    serving.stop().await;
}
