//! Settings that are changed while the server runs: the next run uses them, or the answer says that a restart is
//! needed.

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Asked, Gate, Reply, ScriptedModel, Wire};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Place, Serving};

async fn put(serving: &Serving, name: &str, value: Value) -> Answer {
    let request = serving.ask(Method::PUT, &format!("/api/settings/{name}"));
    serving.send(request, json!({ "value": value })).await
}

/// The row of a setting in the list.
async fn row(serving: &Serving, name: &str) -> Value {
    let list = serving.get("/api/settings").await.data();
    list["settings"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone()
}

/// A place whose settings leave the decider and the model to the user's file.
fn without_decider() -> Place {
    let mut place = Place::new().env("OPENAI_API_KEY", "sk-a-key-for-tests");
    place.flags.retain(|(name, _)| name != "decider");
    place
}

fn finishes(_: &Asked) -> Reply {
    Reply::Json(json!({ "why": "it is there", "do": "done \"seen\"", "confidence": 1 }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_saved_is_used_by_the_next_run() {
    let site = DemoSite::start().await.unwrap();
    let model = ScriptedModel::start(Wire::OpenAi, finishes).await.unwrap();
    let place = without_decider();
    let serving = place.open().await;
    let task = json!({ "task": "Look at the products", "url": site.signed_in_url("/") });
    assert_eq!(serving.get("/api/setup").await.data()["model"]["state"], "none");

    put(&serving, "model.base_url", json!(model.base_url)).await.data();
    let saved = put(&serving, "model.name", json!(model.model_name())).await.data();
    assert_eq!((&saved["value"], &saved["restart"]), (&json!(model.model_name()), &json!(false)));
    assert!(saved["origin"].as_str().unwrap().contains("config.toml:"), "{saved}");
    let setup = serving.get("/api/setup").await.data();
    assert_eq!(setup["model"]["state"], "ready", "{setup}");
    assert_eq!(row(&serving, "model.name").await["value"], model.model_name());
    let run = serving.execute(task.clone()).await;
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "success", "{:?}", events.last());
    assert_eq!(model.requests().len(), 1);
    // A run with options of its own has the same model.
    let mut with_options = task;
    with_options["options"] = json!({ "maxActions": 5 });
    let run = serving.execute(with_options).await;
    assert_eq!(serving.to_the_end(&run).await.1, "success");

    put(&serving, "model.name", Value::Null).await.data();
    assert_eq!(serving.get("/api/setup").await.data()["model"]["state"], "none");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_setting_that_is_read_at_the_start_is_pending_until_the_server_restarts() {
    let place = Place::new();
    let serving = place.open().await;
    let saved = put(&serving, "server.max_queued_runs", json!(7)).await.data();
    let pending = |row: &Value| (row["value"].clone(), row["pending"].clone(), row["restart"].clone());
    assert_eq!(pending(&saved), (json!("100"), json!("7"), json!(true)));
    assert_eq!(pending(&row(&serving, "server.max_queued_runs").await), (json!("100"), json!("7"), json!(true)));
    // What is saved again as it is used has no effect to wait for.
    let back = put(&serving, "server.max_queued_runs", Value::Null).await.data();
    assert_eq!(back.get("pending"), None, "{back}");
    // A flag of the server has precedence over the file; the answer says which value is in use.
    let saved = put(&serving, "screenshots.enabled", json!(true)).await.data();
    assert_eq!((&saved["value"], &saved["origin"]), (&json!("false"), &json!("command line")));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_does_not_fit_is_refused_and_not_saved() {
    let place = Place::new();
    let serving = place.open().await;
    put(&serving, "timeouts.request", json!("40s")).await.data();
    let error = put(&serving, "timeouts.step", json!("10s")).await.refused(422);
    assert_eq!(error["message"], "the value does not fit the other settings");
    assert!(error["details"][0].as_str().unwrap().contains("timeouts.request"), "{error}");
    assert_eq!(row(&serving, "timeouts.step").await["origin"], "default");
    // The file still has the value before, and other settings can be changed.
    put(&serving, "timeouts.element", json!("6s")).await.data();
    let error = put(&serving, "smtp.from", json!("legwork")).await.refused(422);
    assert!(error["message"].as_str().unwrap().contains("is not an e-mail address"), "{error}");
    put(&serving, "smtp.from", json!("Legwork <legwork@example.org>")).await.data();
    put(&serving, "no.such_setting", json!(1)).await.refused(404);
    serving.stop().await;
}

/// Two runs on a server, of which the first call of the model is held.
struct TwoRuns {
    model: ScriptedModel,
    gate: Gate,
    serving: Serving,
    runs: [String; 2],
    _site: DemoSite,
    _place: Place,
}

async fn two_runs(setting: (&str, &str)) -> TwoRuns {
    let (site, gate) = (DemoSite::start().await.unwrap(), Gate::new());
    let mut gates = vec![gate.clone()];
    let script = move |asked: &Asked| match gates.pop() {
        Some(gate) => Reply::Held(gate, Box::new(finishes(asked))),
        None => finishes(asked),
    };
    let model = ScriptedModel::start(Wire::OpenAi, script).await.unwrap();
    let place = without_decider()
        .set("model.name", model.model_name())
        .set("model.base_url", &model.base_url)
        .set(setting.0, setting.1);
    let serving = place.open().await;
    let task = json!({ "task": "Look at the products", "url": site.signed_in_url("/") });
    let first = serving.execute(task.clone()).await;
    gate.reached().await;
    let second = serving.execute(task).await;
    TwoRuns { model, gate, serving, runs: [first, second], _site: site, _place: place }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_calls_of_all_runs_at_the_same_time_are_limited() {
    let TwoRuns { model, gate, serving, runs, _site, _place } = two_runs(("model.max_concurrent_calls", "1")).await;
    // The second run has seen the page and would call the model now.
    serving.until(&runs[1], |event| event["type"] == "PAGE_OBSERVED").await;
    for _ in 0..200 {
        serving.get("/api/health").await.data();
    }
    assert_eq!(model.requests().len(), 1, "the second call waits for the first one");
    gate.open();
    for run in &runs {
        assert_eq!(serving.to_the_end(run).await.1, "success");
    }
    assert_eq!(model.requests().len(), 2);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_calls_of_all_runs_in_a_minute_are_limited() {
    let TwoRuns { model, gate, serving, runs, _site, _place } = two_runs(("model.max_calls_per_minute", "1")).await;
    gate.open();
    assert_eq!(serving.to_the_end(&runs[0]).await.1, "success");
    serving.until(&runs[1], |event| event["type"] == "PAGE_OBSERVED").await;
    for _ in 0..200 {
        serving.get("/api/health").await.data();
    }
    assert_eq!(model.requests().len(), 1, "the second call waits for the next minute");
    serving.steer(&runs[1], "cancel", json!({})).await.data();
    assert_eq!(serving.to_the_end(&runs[1]).await.1, "cancelled");
    serving.stop().await;
}
