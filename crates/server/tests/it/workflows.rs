//! Saved workflows: their versions, runs and files; the request that repeats a run; the examples on the demo site.

use legwork_demo_site::{DemoSite, EXAMPLES, PASSWORD};
use legwork_server::Template;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Place, Serving};

const ORDER: &str =
    "# Orders tea.\nname: Order tea\nurl: http://127.0.0.1:9/shop\ninputs:\n  cups: 2\nsteps:\n  - Click \"Tea\"\n";

async fn put(serving: &Serving, path: &str, body: Value) -> Answer {
    serving.send(serving.ask(Method::PUT, path), body).await
}

async fn delete(serving: &Serving, path: &str) -> Answer {
    Answer::of(serving.ask(Method::DELETE, path).send().await.unwrap()).await
}

async fn exported(serving: &Serving, path: &str) -> String {
    let response = serving.ask(Method::GET, &format!("{path}/export")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/yaml");
    response.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workflow_is_saved_changed_found_exported_and_deleted() {
    let place = Place::new();
    let serving = place.open().await;
    let saved = serving.post("/api/workflows", json!({ "text": ORDER, "description": "Every morning" })).await.data();
    assert_eq!((&saved["name"], &saved["version"], &saved["steps"]), (&json!("Order tea"), &json!(1), &json!(1)));
    assert_eq!(
        saved["inputs"],
        json!([{ "name": "cups", "kind": "number", "description": null, "default": 2, "required": false, "secret": false }])
    );
    let path = format!("/api/workflows/{}", saved["id"].as_str().unwrap());
    assert_eq!(exported(&serving, &path).await, ORDER, "a file remains as its author wrote it");

    // Steps that a person wrote without a file declare nothing, and the workflow still asks for what they name.
    let names = json!({ "name": "Order", "text": "Type \"${customer}\" into \"Name\"", "url": "http://127.0.0.1:9/" });
    let implied = serving.post("/api/workflows", names).await.data();
    let input = json!([{ "name": "customer", "kind": "text", "description": null, "default": null, "required": true, "secret": false }]);
    assert_eq!(implied["inputs"], input);
    delete(&serving, &format!("/api/workflows/{}", implied["id"].as_str().unwrap())).await.data();

    let lines = json!({ "name": "Order coffee", "text": "Click \"Coffee\"", "url": "http://127.0.0.1:9/" });
    let other = serving.post("/api/workflows", lines.clone()).await.data();
    let changed = put(&serving, &path, json!({ "version": 1, "draft": lines })).await.data();
    assert_eq!((&changed["name"], &changed["version"]), (&json!("Order coffee"), &json!(2)));
    // Somebody who still has version 1 does not overwrite version 2.
    let stale = put(&serving, &path, json!({ "version": 1, "draft": { "text": ORDER } })).await.refused(409);
    assert!(stale["message"].as_str().unwrap().contains("newest version is 2"), "{stale}");
    let versions = serving.get(&format!("{path}/versions")).await.data();
    let texts: Vec<_> = versions.as_array().unwrap().iter().map(|one| (&one["version"], &one["text"])).collect();
    assert_eq!(texts, [(&json!(2), &json!("Click \"Coffee\"")), (&json!(1), &json!(ORDER))]);
    // Plain lines become a file with a name and an address.
    let file = exported(&serving, &path).await;
    assert_eq!(file, "name: \"Order coffee\"\nurl: \"http://127.0.0.1:9/\"\nsteps:\n  - \"Click \\\"Coffee\\\"\"\n");
    let imported = serving.post("/api/workflows", json!({ "text": file })).await.data();
    assert_eq!((&imported["name"], &imported["steps"]), (&json!("Order coffee"), &json!(1)));

    delete(&serving, &format!("/api/workflows/{}", imported["id"].as_str().unwrap())).await.data();
    let found = |words: &'static str| {
        let serving = &serving;
        async move {
            let list = serving.get(&format!("/api/workflows?q={words}")).await.data();
            list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>()
        }
    };
    assert_eq!(found("COFFEE%20order").await, [changed["id"].clone(), other["id"].clone()]);
    assert_eq!(found("tea").await, [json!(null); 0]);
    delete(&serving, &path).await.data();
    for gone in [path.clone(), format!("{path}/versions"), format!("{path}/export")] {
        serving.get(&gone).await.refused(404);
    }
    delete(&serving, &path).await.refused(404);
    serving.stop().await;
    // They outlive the server.
    let serving = place.open().await;
    assert_eq!(serving.get("/api/workflows").await.data()[0]["id"], other["id"]);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_saved_is_refused_with_every_problem() {
    let place = Place::new();
    let serving = place.open().await;
    for (draft, wanted) in [
        (json!({ "text": " " }), &["text: it must not be empty", "name: it must not be empty"][..]),
        (json!({ "text": "steps:\n  - 5: 3\n", "name": "x" }), &["text: "]),
        (json!({ "text": "Reload", "name": "x", "url": "ftp://x" }), &["url: "]),
        (json!({ "text": "Reload", "name": "x", "basedOn": "nothing" }), &["basedOn: there is no template"]),
        (json!({ "text": "Reload", "name": "x".repeat(121) }), &["name: at most 120"]),
    ] {
        let error = serving.post("/api/workflows", draft.clone()).await.refused(422);
        for (detail, wanted) in error["details"].as_array().unwrap().iter().zip(wanted) {
            assert!(detail.as_str().unwrap().starts_with(wanted), "{draft}: {error}");
        }
    }
    serving.post("/api/automation/execute", json!({ "workflowId": "nothing" })).await.refused(404);
    serving.post("/api/automation/execute", json!({ "workflowVersion": 1, "text": "Reload" })).await.refused(400);
    assert_eq!(serving.get("/api/workflows").await.data(), json!([]));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_saved_workflow_runs_and_its_run_is_repeated_as_it_was() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let serving = place.open().await;
    let draft = json!({ "name": "Look", "text": "Check that \"Sign in\" is shown", "url": site.url() });
    let saved = serving.post("/api/workflows", draft).await.data();
    let (id, path) = (saved["id"].clone(), format!("/api/workflows/{}", saved["id"].as_str().unwrap()));
    let run = serving.execute(json!({ "workflowId": id })).await;
    assert_eq!(serving.to_the_end(&run).await.1, "success");
    let shown = serving.get(&path).await.data();
    let last = (&shown["lastRun"]["name"], &shown["lastRun"]["state"], &shown["lastRun"]["run"]);
    assert_eq!(last, (&json!("Look"), &json!("success"), &json!(run)));

    // The workflow changes, and its run is repeated as it was.
    let draft = json!({ "name": "Look", "text": "Check that \"Nothing\" is shown", "url": site.url() });
    put(&serving, &path, json!({ "version": 1, "draft": draft })).await.data();
    let request = serving.get(&format!("/api/automation/sessions/{run}/request")).await.data();
    assert_eq!(request["text"], "Check that \"Sign in\" is shown");
    assert_eq!((&request["request"]["workflowVersion"], &request["request"]["workflowId"]), (&json!(1), &id));
    let again = serving.execute(request["request"].clone()).await;
    assert_eq!(serving.to_the_end(&again).await.1, "success");
    // By its number, an old version runs too; the newest one fails.
    let old = serving.execute(json!({ "workflowId": id, "workflowVersion": 1 })).await;
    assert_eq!(serving.to_the_end(&old).await.1, "success");
    let new = serving.execute(json!({ "workflowId": id, "options": { "timeout": "60s" } })).await;
    assert_eq!(serving.to_the_end(&new).await.1, "failure");

    // A schedule runs the newest version, also by hand.
    let plan = json!({ "name": "Yearly", "cron": "0 0 1 1 *", "workflowId": id });
    let schedule = serving.post("/api/schedules", plan).await.data();
    assert_eq!(schedule["results"], json!([]));
    let now = format!("/api/schedules/{}/run", schedule["id"].as_str().unwrap());
    let started = serving.post(&now, json!({})).await.data();
    let scheduled = started["sessionId"].as_str().unwrap();
    assert_eq!(serving.to_the_end(scheduled).await.1, "failure");
    let listed = serving.get("/api/schedules").await.data();
    let result = &listed[0]["results"][0];
    assert_eq!((&result["run"], &result["state"]), (&json!(scheduled), &json!("failure")));
    serving.post("/api/schedules/nothing/run", json!({})).await.refused(404);

    // The request is deleted with its run.
    delete(&serving, &format!("/api/automation/sessions/{run}")).await.data();
    serving.get(&format!("/api/automation/sessions/{run}/request")).await.refused(404);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_examples_run_on_the_demo_site_and_so_do_changed_copies() {
    let (site, mut place) = (DemoSite::start().await.unwrap(), Place::new());
    let demo = Template {
        id: "demo".into(),
        url: Some(site.url()),
        secrets: [("demo_password".to_owned(), PASSWORD.into())].into(),
        ..Template::default()
    };
    place.templates = EXAMPLES.iter().map(|(id, text)| Template::of_text(id, text, &demo)).collect();
    let serving = place.open().await;
    let templates = serving.get("/api/automation/templates").await.data();
    for template in templates.as_array().unwrap() {
        assert!(!template["description"].as_str().unwrap().is_empty(), "{template}");
        // The demo site supplies its password.
        assert!(template["inputs"].as_array().unwrap().iter().all(|input| input["secret"] == false), "{template}");
        if template["needsModel"] == true {
            assert_eq!(template["id"], "find-cheapest");
            continue;
        }
        let run = serving.execute(json!({ "template": template["id"] })).await;
        let (events, status) = serving.to_the_end(&run).await;
        assert_eq!(status, "success", "{}: {:?}", template["id"], events.last());
    }
    let text = EXAMPLES[0].1.replace("In stock only\" is checked", "Products\" is shown");
    let saved = serving.post("/api/workflows", json!({ "text": text, "basedOn": "search-products" })).await.data();
    assert_eq!(saved["secrets"], json!([]));
    let run = serving.execute(json!({ "workflowId": saved["id"], "inputs": { "words": "rope" } })).await;
    assert_eq!(serving.to_the_end(&run).await.1, "success");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_setup_says_what_is_missing() {
    let place = Place::new().set("decider", "auto");
    let without = place.open().await;
    assert_eq!(without.get("/api/setup").await.data()["model"], json!({ "state": "none" }));
    without.stop().await;
    let place =
        Place::new().set("decider", "auto").set("model.name", "openai/gpt-5").set("browser.path", "/no/browser");
    let serving = place.open().await;
    let setup = serving.get("/api/setup").await.data();
    assert_eq!(
        setup["model"],
        json!({
            "state": "key_missing",
            "name": "openai/gpt-5",
            "keyVariable": "OPENAI_API_KEY",
            "origin": "https://api.openai.com"
        })
    );
    assert_eq!(
        (&setup["browser"]["found"], &setup["browser"]["problem"]),
        (&json!(false), &json!("/no/browser is not there"))
    );
    let key = |origin: &str| json!({ "value": "sk-tulip", "origins": [origin] });
    put(&serving, "/api/secrets/OPENAI_API_KEY", key("https://api.openai.com")).await.data();
    assert_eq!(serving.get("/api/setup").await.data()["model"]["state"], "ready");
    let keys = serving.get("/api/settings").await.data()["keys"].clone();
    assert!(
        keys.as_array().unwrap().iter().any(|key| key["env"] == "OPENAI_API_KEY" && key["stored"] == true),
        "{keys}"
    );
    assert!(!keys.to_string().contains("tulip"));
    delete(&serving, "/api/secrets/OPENAI_API_KEY").await.data();
    assert_eq!(serving.get("/api/setup").await.data()["model"]["state"], "key_missing");
    serving.stop().await;
    let place = place.env("OPENAI_API_KEY", "sk-x");
    let serving = place.open().await;
    assert_eq!(serving.get("/api/setup").await.data()["model"]["state"], "ready");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draft_is_answered_with_its_inputs_and_the_nearest_sentences() {
    let place = Place::new().set("decider", "auto").set("model.name", "ollama/x");
    let serving = place.open().await;
    let text = format!("{ORDER}  - Klick the button Save\n  - Type \"${{secret:pin}}\" into \"PIN\"\n");
    let reply = serving.post("/api/automation/validate", json!({ "text": text })).await.data();
    assert_eq!((&reply["inputs"][0]["name"], &reply["inputs"][0]["kind"]), (&json!("cups"), &json!("number")));
    assert_eq!(reply["secrets"], json!(["pin"]));
    let steps = reply["steps"].as_array().unwrap();
    assert!(steps[0]["suggestion"].is_null() && steps[1]["suggestion"].is_string(), "{reply}");
    serving.stop().await;
}
