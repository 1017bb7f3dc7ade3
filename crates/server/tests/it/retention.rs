//! Keeping house: old runs go with what only they had, schedules say what they missed, and a request narrows the rules
//! and never widens them.

use std::{
    fs::File,
    time::{Duration, SystemTime},
};

use jiff::{SignedDuration, Timestamp};
use legwork::{
    protocol::{Artifact, EventKind, RunId, RunStart, ScreenshotInfo, Step, Workflow},
    store::{Artifacts, FileArtifacts, KeyValueStore, NewEvent, RunLog, SqliteLog},
};
use legwork_demo_site::DemoSite;
use serde_json::{Value, json};

use crate::support::{Place, Serving};

/// Asks until the answer is what is waited for.
async fn until(serving: &Serving, path: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let begun = std::time::Instant::now();
    loop {
        let answer = serving.get(path).await.body;
        if holds(&answer) {
            return answer;
        }
        assert!(begun.elapsed() < crate::support::TEST_TIMEOUT, "{what}: {answer}");
    }
}

/// Puts a run on record as it was `days` ago, with a picture of its own.
async fn lived(log: &SqliteLog, artifacts: &FileArtifacts, days: i64) -> (RunId, Artifact) {
    let run = RunId::new();
    let then = Timestamp::now() - SignedDuration::from_hours(24 * days);
    let picture = artifacts.put(format!("a picture of {days} days ago").into_bytes(), "image/png").await.unwrap();
    let old = SystemTime::now() - Duration::from_secs(86_400 * days as u64);
    let path = artifacts.path(&picture.hash).unwrap();
    File::options().append(true).open(path).unwrap().set_modified(old).unwrap();
    let workflow = Workflow {
        name: "old".into(),
        url: None,
        inputs: Default::default(),
        steps: vec![Step::new("Click \"Ponder\"")],
    };
    let start = RunStart { workflow, task: false, inputs: Default::default(), options: Value::Null, playbook: None };
    let shot =
        ScreenshotInfo { image: picture.clone(), command_id: None, action_type: "open".into(), width: 1, height: 1 };
    let events = [EventKind::WorkflowStarted(start), EventKind::ScreenshotCaptured(shot)].map(|kind| NewEvent {
        step: None,
        kind,
        time: Some(then),
    });
    log.append(run, 0, events.into()).await.unwrap();
    (run, picture)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_runs_go_with_what_only_they_had() {
    let place = Place::new().set("retention.days", "7");
    let serving = place.open().await;
    serving.stop().await;
    let (log, artifacts) = stored(&place);
    let (old, old_picture) = lived(&log, &artifacts, 8).await;
    let (young, young_picture) = lived(&log, &artifacts, 6).await;
    drop(log);
    let serving = place.open().await;
    let path = format!("/api/sessions/{old}");
    until(&serving, &path, "the old run goes", |answer| answer["success"] == false).await;
    let picture = async |of: &Artifact| {
        let path = format!("/api/artifacts/{}", of.hash);
        serving.ask(reqwest::Method::GET, &path).send().await.unwrap().status()
    };
    // First the run, then what only it had.
    let begun = std::time::Instant::now();
    while picture(&old_picture).await != 404 {
        assert!(begun.elapsed() < crate::support::TEST_TIMEOUT, "the old picture stays");
    }
    serving.get(&format!("/api/sessions/{young}")).await.data();
    assert_eq!(picture(&young_picture).await, 200);
    serving.stop().await;
}

/// The log and the artifacts of a place whose server was there once.
fn stored(place: &Place) -> (SqliteLog, FileArtifacts) {
    (SqliteLog::open(place.data().join("runs.db")).unwrap(), FileArtifacts::new(place.data().join("artifacts")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_came_due_while_no_server_ran_is_told_and_not_made_up_for() {
    let place = Place::new();
    let serving = place.open().await;
    let plan = json!({ "name": "hourly", "cron": "0 * * * *", "timezone": "UTC", "workflow": "Wait 0.1 seconds\nClick \"Ponder\"" });
    let made = serving.post("/api/schedules", plan).await.data();
    serving.stop().await;
    // As if the server had been away for three hours.
    let (log, _) = stored(&place);
    let id = made["id"].as_str().unwrap();
    let note = log.entry("schedule", id).await.unwrap().unwrap();
    let mut schedule: Value = serde_json::from_str(&note.body).unwrap();
    schedule["lastChecked"] = json!((Timestamp::now() - SignedDuration::from_hours(3)).to_string());
    log.put_entry("schedule", id, schedule.to_string()).await.unwrap();
    drop(log);
    let serving = place.open().await;
    let told = until(&serving, "/api/schedules", "it is told", |answer| answer["data"][0]["missed"] != 0).await;
    assert_eq!((&told["data"][0]["missed"], &told["data"][0]["last"]), (&json!(3), &Value::Null), "{told}");
    let runs = serving.get("/api/sessions").await;
    assert_eq!(runs.body["pagination"]["total"], 0, "{:?}", runs.body);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_narrows_where_a_run_may_go_and_never_widens_it() {
    let site = DemoSite::start().await.unwrap();
    let place = Place::new().set("allowed_domains", "127.0.0.1,*.example.org");
    let serving = place.open().await;
    let steps = json!([format!("Open {}", site.url())]);
    for (domains, fits) in
        [(json!(["127.0.0.1"]), true), (json!(["shop.example.org"]), false), (json!(["*.example.org"]), false)]
    {
        let run = serving.execute(json!({ "steps": steps, "options": { "allowedDomains": domains } })).await;
        let (events, status) = serving.to_the_end(&run).await;
        assert_eq!(status == "success", fits, "{domains}: {:?}", events.last());
    }
    for wider in ["example.com", "*.com", "*.example.com"] {
        let body = json!({ "steps": steps, "options": { "allowedDomains": ["127.0.0.1", wider] } });
        let error = serving.post("/api/automation/execute", body).await.refused(400);
        let told = format!("options.allowedDomains: the server allows only 127.0.0.1, *.example.org, not {wider}");
        assert!(error.to_string().contains(&told), "{error}");
    }
    for empty in [json!([]), json!([""])] {
        let body = json!({ "steps": steps, "options": { "allowedDomains": empty } });
        let error = serving.post("/api/automation/execute", body).await.refused(400);
        assert!(error.to_string().contains("an empty list would allow everything"), "{error}");
    }
    serving.stop().await;

    let place = Place::new().set("allowed_domains", "https://example.org");
    let serving = place.open().await;
    for wider in ["example.org", "http://example.org"] {
        let body = json!({ "steps": steps, "options": { "allowedDomains": [wider] } });
        serving.post("/api/automation/execute", body).await.refused(400);
    }
    serving.stop().await;
}
