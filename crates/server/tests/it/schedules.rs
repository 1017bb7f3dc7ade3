//! Schedules: made, shown, due, missed; the webhook and its signature.

use std::sync::Arc;

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, routing::post};
use jiff::{SignedDuration, Timestamp};
use legwork::store::{KeyValueStore, SqliteLog};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};

use crate::support::{Answer, Place};

type Heard = mpsc::UnboundedSender<(String, String)>;

/// A server that hears webhooks.
async fn listener() -> (String, mpsc::UnboundedReceiver<(String, String)>) {
    async fn hear(State(heard): State<Arc<Heard>>, headers: HeaderMap, body: Bytes) {
        let signed = headers["x-legwork-signature"].to_str().unwrap().to_owned();
        heard.send((signed, String::from_utf8(body.to_vec()).unwrap())).unwrap();
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", socket.local_addr().unwrap());
    let router = Router::new().route("/hook", post(hear)).with_state(Arc::new(sender));
    tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
    (url, receiver)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schedule_begins_runs_and_its_webhook_is_signed() {
    let place = Place::new();
    let serving = place.open().await;
    let (url, mut heard) = listener().await;
    let plan = json!({ "name": "often", "cron": "0 3 1 1 *", "timezone": "Europe/Lisbon", "workflow": "Wait 0.1 seconds\nClick \"Ponder\"", "webhook": url });
    let made = serving.post("/api/schedules", plan.clone()).await.data();
    assert!(made["next"].is_string() && made["enabled"] == true, "{made}");
    let id = made["id"].as_str().unwrap();
    let started = serving.post(&format!("/api/schedules/{id}/run"), json!({})).await.data();
    let (signature, body) = heard.recv().await.unwrap();
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&told["type"], &told["schedule"]["name"]), (&json!("run.ended"), &json!("often")));
    let (time, hex) = signature.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, made["webhookKey"].as_str().unwrap().as_bytes());
    let tag: Vec<u8> = (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    ring::hmac::verify(&key, format!("{time}.{body}").as_bytes(), &tag).unwrap();
    let run = told["run"].as_str().unwrap();
    assert_eq!(started["sessionId"], run);
    assert_eq!(serving.get(&format!("/api/automation/sessions/{run}")).await.data()["live"], false);

    let mut off = plan.clone();
    off["enabled"] = json!(false);
    let put = serving.send(serving.ask(Method::PUT, &format!("/api/schedules/{id}")), off).await.data();
    assert_eq!(put["next"], Value::Null);
    let listed = serving.get("/api/schedules").await.data();
    assert!(listed[0]["last"].is_string(), "{listed}");
    for (field, wrong) in [
        ("cron", json!("every day")),
        ("cron", json!("* * * * * *")),
        ("cron", json!("0 25 * * *")),
        ("cron", json!("0 0 30 2 *")),
        ("timezone", json!("Mars/Base")),
        ("webhook", json!("ftp://x")),
        ("name", json!("")),
    ] {
        let mut plan = plan.clone();
        plan[field] = wrong;
        let error = serving.post("/api/schedules", plan).await.refused(400);
        assert!(error["details"][0].as_str().unwrap().starts_with(field), "{error}");
    }
    let gone = serving.ask(Method::DELETE, &format!("/api/schedules/{id}")).send().await.unwrap();
    Answer::of(gone).await.data();
    let gone = serving.ask(Method::DELETE, &format!("/api/schedules/{id}")).send().await.unwrap();
    Answer::of(gone).await.refused(404);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_times_that_passed_while_the_machine_slept_start_one_run() {
    let place = Place::new();
    let serving = place.open().await;
    let (url, mut heard) = listener().await;
    // The clock leaves a schedule alone that is disabled, so its entry can be changed here.
    let plan = json!({ "name": "often", "cron": "* * * * *", "workflow": "Wait 0.1 seconds\nClick \"Ponder\"", "webhook": url, "enabled": false });
    let made = serving.post("/api/schedules", plan).await.data();
    let id = made["id"].as_str().unwrap();
    let log = SqliteLog::open(place.data().join("runs.db")).unwrap();
    let mut entry: Value = serde_json::from_str(&log.entry("schedule", id).await.unwrap().unwrap().body).unwrap();
    entry["enabled"] = json!(true);
    entry["lastChecked"] = json!((Timestamp::now() - SignedDuration::from_mins(60)).to_string());
    log.put_entry("schedule", id, entry.to_string()).await.unwrap();
    // Any change of a schedule makes the clock look again.
    let other = json!({ "name": "rare", "cron": "0 3 1 1 *", "workflow": "Wait 0.1 seconds\nClick \"Ponder\"" });
    serving.post("/api/schedules", other).await.data();
    let (_, body) = heard.recv().await.unwrap();
    let run = serde_json::from_str::<Value>(&body).unwrap()["run"].clone();
    let listed = serving.get("/api/schedules").await.data();
    let listed = listed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
    assert_eq!(listed["lastRun"], run);
    assert!((58..=60).contains(&listed["missed"].as_u64().unwrap()), "{listed}");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_server_does_not_start_the_schedules_of_the_first_one() {
    let place = Place::new();
    let serving = place.open().await;
    let Err(refused) = place.try_open().await else { panic!("two servers run on one data folder") };
    let told = format!("{refused}; {}", refused.hint());
    assert!(told.contains(&serving.url) && told.contains("--link"), "{told}");
    // The address of the first one is still known to other programs.
    assert!(std::fs::read_to_string(place.data().join("server.json")).unwrap().contains(&serving.url));
    serving.stop().await;
    place.open().await.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_names_the_next_start_times_or_what_is_wrong() {
    let place = Place::new();
    let serving = place.open().await;
    let preview = async |query: &str| serving.get(&format!("/api/schedules/preview?{query}")).await.data();
    let times = preview("cron=30%209%20*%20*%20*&timezone=Europe/Lisbon").await;
    assert_eq!((times["next"].as_array().unwrap().len(), &times["problems"]), (5, &json!([])), "{times}");
    let hour = preview("cron=0%2025%20*%20*%20*").await;
    assert_eq!(hour["problems"][0]["field"], "cron");
    assert!(hour["problems"][0]["message"].as_str().unwrap().starts_with("the hour \"25\" is not valid"), "{hour}");
    let never = preview("cron=0%200%2030%202%20*").await;
    assert!(never["problems"][0]["message"].as_str().unwrap().contains("would never run"), "{never}");
    let zone = preview("cron=@daily&timezone=Mars/Base").await;
    assert_eq!(zone["problems"][0]["field"], "timezone");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stored_schedule_that_never_runs_says_so() {
    // The test asks until the schedules were checked.
    let place = Place::new().set("server.requests_per_second", "1000000");
    let serving = place.open().await;
    let plan = json!({ "name": "never", "cron": "0 3 1 1 *", "workflow": "Wait 0.1 seconds\nClick \"Ponder\"" });
    let made = serving.post("/api/schedules", plan).await.data();
    let id = made["id"].as_str().unwrap();
    serving.stop().await;
    // Earlier versions accepted it.
    let log = SqliteLog::open(place.data().join("runs.db")).unwrap();
    let mut entry: Value = serde_json::from_str(&log.entry("schedule", id).await.unwrap().unwrap().body).unwrap();
    entry["cron"] = json!("0 0 30 2 *");
    log.put_entry("schedule", id, entry.to_string()).await.unwrap();
    drop(log);
    let serving = place.open().await;
    loop {
        let listed = serving.get("/api/schedules").await.data();
        let listed = listed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone();
        if let Some(problem) = listed["problem"].as_str() {
            assert!(problem.contains("would never run"), "{problem}");
            break;
        }
        tokio::task::yield_now().await;
    }
    serving.stop().await;
}
