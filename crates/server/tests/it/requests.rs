//! What goes in: mistakes and their answers, keys that make a request safe to send twice, limits, options.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Place};

#[tokio::test]
async fn errors_use_the_error_report() {
    let place = Place::new();
    let serving = place.open().await;
    let send = async |body: String, kind: &str| {
        let request = serving.ask(Method::POST, "/api/automation/execute").header("content-type", kind).body(body);
        Answer::of(request.send().await.unwrap()).await
    };
    let json_type = "application/json";
    for (body, status, says) in [
        ("{\"steps\": [".to_owned(), 400, "is not valid JSON: it ends before it is complete"),
        ("[]".into(), 400, "the body: must be an object; given a list"),
        (r#"[null,["Open http://127.0.0.1:1/x"]]"#.into(), 400, "the body: must be an object; given a list"),
        ("{\"steps\": \"x\"}".into(), 400, "steps: must be a list; given \\\"x\\\""),
        ("{\"task\": \"x\", \"options\": [1]}".into(), 400, "options: must be an object; given a list"),
        (
            "{\"steps\": [\"Click\"], \"colour\": 1}".into(),
            400,
            "colour: there is no such field; the fields are workflow, steps, text,",
        ),
        ("{}".into(), 400, "exactly one of"),
        (json!({ "steps": ["x"], "task": "y" }).to_string(), 400, "steps, task"),
        (json!({ "steps": [] }).to_string(), 422, "the workflow is invalid"),
        (json!({ "text": "name: x\nstpes: []\nsteps:\n  - a" }).to_string(), 422, "the workflow is invalid"),
        (json!({ "template": "none" }).to_string(), 400, "no template"),
        (
            json!({ "steps": ["Open http://a.test/${page}"], "inputs": { "page": "x", "pages": "y" } }).to_string(),
            400,
            "it takes page",
        ),
        (json!({ "task": " " }).to_string(), 400, "empty"),
        (json!({ "task": "x", "url": "file:///etc/passwd" }).to_string(), 400, "not an http or https address"),
        (json!({ "steps": ["x"], "options": { "headed": true } }).to_string(), 400, "the request is invalid"),
        (json!({ "steps": ["x"], "secrets": ["k=/etc/passwd"] }).to_string(), 400, "the request is invalid"),
        (
            json!({ "steps": ["Type \"${secret:nobody_has}\" into \"x\""], "url": "http://a.test" }).to_string(),
            422,
            "nobody_has",
        ),
        (format!("{{\"text\": \"{}\"}}", "x".repeat(1_100_000)), 413, "larger than"),
    ] {
        let error = send(body.clone(), json_type).await.refused(status);
        assert!(error.to_string().contains(says), "{says}: {error}");
    }
    send("steps=x".into(), "application/x-www-form-urlencoded").await.refused(415);
    send("{}".into(), "text/plain").await.refused(415);
    let wrong = json!({ "steps": ["x"], "options": { "decider": "dice", "model": "none", "timeout": "soon" } });
    let error = send(wrong.to_string(), json_type).await.refused(400);
    assert_eq!(error["details"].as_array().unwrap().len(), 3, "{error}");
    let answer = Answer::of(serving.ask(Method::DELETE, "/api/automation/execute").send().await.unwrap()).await;
    assert!(answer.refused(405)["message"].as_str().unwrap().contains("DELETE"));
    let verdict =
        serving.post("/api/automation/validate", json!({ "text": "name: x\nstpes: []\nsteps:\n  - a" })).await.data();
    assert_eq!((&verdict["valid"], &verdict["problems"][0]["line"]), (&json!(false), &json!(2)), "{verdict}");
    serving.stop().await;
}

#[tokio::test]
async fn a_request_with_a_key_is_done_once_also_across_a_restart() {
    let place = Place::new();
    let serving = place.open().await;
    let body = json!({ "task": "Ponder" });
    let send = async |serving: &crate::support::Serving, key: &str, body: &Value| {
        let request = serving.ask(Method::POST, "/api/automation/execute").header("idempotency-key", key);
        serving.send(request, body.clone()).await
    };
    let (one, two) = tokio::join!(send(&serving, "k", &body), send(&serving, "k", &body));
    let first = one.data()["sessionId"].clone();
    assert_eq!(first, two.data()["sessionId"]);
    assert_ne!(first, send(&serving, "other", &body).await.data()["sessionId"]);
    send(&serving, "k", &json!({ "steps": ["Wait for something else"] })).await.refused(422);
    send(&serving, &"x".repeat(300), &body).await.refused(400);
    // A refused request uses no key up.
    send(&serving, "mistake", &json!({ "steps": [] })).await.refused(422);
    send(&serving, "mistake", &body).await.data();
    serving.stop().await;
    let serving = place.open().await;
    assert_eq!(first, send(&serving, "k", &body).await.data()["sessionId"]);
    serving.stop().await;
}

/// The start page sends the values of the fields that a person has filled in.
#[tokio::test]
async fn a_variable_with_a_given_value_is_not_reported() {
    let place = Place::new();
    let serving = place.open().await;
    let problems = async |inputs: Value| {
        let body = json!({ "text": "url: http://a.test\nType \"${city}\" into \"Destination\"", "inputs": inputs });
        serving.post("/api/automation/validate", body).await.data()["problems"].as_array().unwrap().len()
    };
    assert_eq!(problems(json!({})).await, 1);
    assert_eq!(problems(json!({ "city": "Oslo" })).await, 0);
    serving.stop().await;
}

#[tokio::test]
async fn too_many_requests_are_told_to_wait() {
    let place = Place::new().set("server.requests_per_second", "1");
    let serving = place.open().await;
    let mut refused = None;
    for _ in 0..10 {
        let response = serving.ask(Method::GET, "/api/me").send().await.unwrap();
        if response.status() == 429 {
            refused = Some(response);
            break;
        }
    }
    let response = refused.expect("one is too many");
    assert!(response.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(Answer::of(response).await.refused(429)["code"], "FA003");
    serving.stop().await;
}

#[tokio::test]
async fn settings_are_shown_and_set_and_keys_are_only_named() {
    let place = Place::new().env("OPENAI_API_KEY", "sk-never-shown");
    let serving = place.open().await;
    let all = serving.get("/api/settings").await.data();
    assert!(!all.to_string().contains("sk-never-shown"));
    let openai = all["keys"].as_array().unwrap().iter().find(|key| key["provider"] == "openai").unwrap();
    assert_eq!((&openai["env"], &openai["present"]), (&json!("OPENAI_API_KEY"), &json!(true)));
    let put = async |name: &str, value: Value| {
        serving.send(serving.ask(Method::PUT, &format!("/api/settings/{name}")), json!({ "value": value })).await
    };
    put("limits.max_actions", json!(12)).await.data();
    let file = std::fs::read_to_string(place.data().with_file_name(".config/legwork/config.toml")).unwrap();
    assert!(file.contains("max_actions = 12"), "{file}");
    put("limits.max_actions", Value::Null).await.data();
    put("limits.max_actions", json!("many")).await.refused(422);
    put("no.such", json!(1)).await.refused(404);
    serving.stop().await;
}

/// A client learns what is wrong in its own terms, and what can be read of the rest.
#[tokio::test]
async fn the_problems_of_a_list_of_steps_have_numbers_and_the_rest_is_readable() {
    let place = Place::new();
    let serving = place.open().await;
    let body =
        json!({ "steps": ["Open https://shop.example", "Frobnicate the widget", "Type \"${who}\" into \"Name\""] });
    let refused = serving.post("/api/automation/execute", body.clone()).await.refused(422).to_string();
    assert!(refused.contains("step 2: ") && refused.contains("step 3: "), "{refused}");
    assert!(!refused.contains("line 1") && !refused.contains("--var"), "{refused}");
    let checked = serving.post("/api/automation/validate", body).await.data();
    assert_eq!((&checked["valid"], checked["steps"].as_array().unwrap().len()), (&json!(false), 3), "{checked}");
    assert_eq!(checked["problems"][0]["step"], 2, "{checked}");

    let text = "url: https://shop.example\ninputs:\n  who: Ada\nsteps:\n  - Type \"${who}\" into \"Name\"\n";
    let unknown = json!({ "text": text, "inputs": { "whoo": "Maria" } });
    let refused = serving.post("/api/automation/execute", unknown).await.refused(400).to_string();
    assert!(refused.contains("no input \\\"whoo\\\"; it takes who"), "{refused}");

    let nowhere = json!({ "steps": ["Click \"Sign in\""] });
    let refused = serving.post("/api/automation/execute", nowhere.clone()).await.refused(422).to_string();
    assert!(refused.contains("no address is known"), "{refused}");
    let checked = serving.post("/api/automation/validate", nowhere).await.data();
    assert_eq!(
        (&checked["valid"], &checked["problems"][0]["severity"]),
        (&json!(true), &json!("warning")),
        "{checked}"
    );
    serving.stop().await;
}

#[tokio::test]
async fn parameters_are_refused_with_their_name_and_what_they_must_be() {
    let place = Place::new();
    let serving = place.open().await;
    let sessions = "/api/automation/sessions";
    for (query, says) in [
        ("page=x", "page: must be a whole number of at least 0; given \"x\""),
        ("page=0", "page: must be a whole number of at least 1; given the number 0"),
        ("pageSize=1000000", "pageSize: must be a whole number from 1 to 200; given the number 1000000"),
        ("pageSize=0", "pageSize: must be a whole number from 1 to 200; given the number 0"),
        ("colour=red", "colour: there is no such parameter; the parameters are page, pageSize, state, q"),
    ] {
        let error = serving.get(&format!("{sessions}?{query}")).await.refused(400);
        assert_eq!(error["message"], says, "{query}");
        assert!(error["suggestedAction"].as_str().unwrap().contains("/api/openapi.json"), "{error}");
    }
    let error = serving.get(&format!("{sessions}?state=happy")).await.refused(400);
    assert!(error["message"].as_str().unwrap().starts_with("state: must be one of running, queued,"), "{error}");
    let error = serving.get("/api/dashboard?days=1000").await.refused(400);
    assert_eq!(error["message"], "days: must be a whole number from 1 to 366; given the number 1000");
    serving.stop().await;
}

#[tokio::test]
async fn every_route_refuses_parameters_that_it_does_not_know() {
    let place = Place::new();
    let serving = place.open().await;
    let document: Value = serde_json::from_str(&legwork_server::openapi()).unwrap();
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let path = path.replace("{hash}", &"0".repeat(64)).replace("{id}", "0").replace("{name}", "x");
            let request = serving.ask(method.clone(), &format!("{path}?bogus=1"));
            let error = Answer::of(request.send().await.unwrap()).await.refused(400);
            let message = error["message"].as_str().unwrap();
            assert!(message.starts_with("bogus: there is no such parameter; "), "{method} {path}: {message}");
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
    serving.stop().await;
}

#[tokio::test]
async fn a_route_without_a_body_refuses_fields() {
    let place = Place::new();
    let serving = place.open().await;
    let pause = "/api/automation/sessions/0/pause";
    let error = serving.post(pause, json!({ "bogus": 1 })).await.refused(400);
    assert_eq!(error["message"], "bogus: there is no such field; none are accepted here");
    serving.post(pause, json!([])).await.refused(400);
    // An empty object is as good as nothing: the run is looked for.
    serving.post(pause, json!({})).await.refused(404);
    let nothing = serving.ask(Method::POST, pause).send().await.unwrap();
    Answer::of(nothing).await.refused(404);
    serving.stop().await;
}
