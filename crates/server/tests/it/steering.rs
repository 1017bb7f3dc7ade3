//! Pause, resume, cancel, answer and replace; the queue; the state after a restart.

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Asked, Gate, Reply, Script, ScriptedModel, Wire};
use serde_json::{Value, json};

use crate::support::{Place, Serving, types};

/// A workflow of many steps. The last one waits for a text that never appears, so that the run continues until it is
/// stopped.
fn long(site: &DemoSite) -> Value {
    let mut steps = vec![format!("Open {}", site.signed_in_url("/"))];
    for _ in 0..30 {
        steps.push("Click the link \"Products\"".to_owned());
        steps.push("Click the link \"Orders\"".to_owned());
    }
    steps.push("Wait up to 280 seconds for \"This never comes\"".to_owned());
    json!(steps)
}

fn is(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |event| event["type"] == kind
}

/// A model whose replies gates delay: the first reply follows a link, the second one is never sent.
fn held_model() -> (Gate, Gate, impl FnMut(&Asked) -> Reply + Send + 'static) {
    let (first, second) = (Gate::new(), Gate::new());
    let mut gates = vec![second.clone(), first.clone()];
    let script = move |_: &Asked| {
        let click = json!({ "why": "as asked", "do": "click link \"Products\"", "confidence": 0.9 });
        Reply::Held(gates.pop().unwrap_or_default(), Box::new(Reply::Json(click)))
    };
    (first, second, script)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_run_executes_nothing_until_it_is_resumed() {
    let (decides, never, script) = held_model();
    let (site, _model, place) = with_a_model(script, "5m").await;
    let serving = place.open().await;
    let run = serving.execute(json!({ "task": "Look at the products", "url": site.signed_in_url("/") })).await;
    decides.reached().await;
    serving.steer(&run, "pause", json!({})).await.data();
    decides.open();
    let paused = serving.until(&run, is("WORKFLOW_PAUSED")).await["seq"].as_u64().unwrap();
    let session = serving.get(&format!("/api/automation/sessions/{run}")).await.data();
    assert_eq!(
        (&session["paused"], &session["live"], &session["state"]),
        (&json!(true), &json!(true), &json!("paused"))
    );
    serving.steer(&run, "resume", json!({})).await.data();
    serving.until(&run, is("WORKFLOW_RESUMED")).await;
    never.reached().await;
    serving.steer(&run, "cancel", json!({ "reason": "enough" })).await.data();
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "cancelled");
    // Between the pause and the resume nothing happened at all.
    let at = types(&events).iter().position(|kind| *kind == "WORKFLOW_RESUMED").unwrap() as u64 + 1;
    assert_eq!(at, paused + 1);
    assert!(events.iter().any(|event| event.to_string().contains("enough")));
    for what in ["pause", "cancel"] {
        serving.steer(&run, what, json!({})).await.refused(409);
    }
    serving.steer(&run, "answer", json!({ "text": "x" })).await.refused(409);
    serving.steer("00000000000000000000000000000000", "pause", json!({})).await.refused(404);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_over_the_limit_are_queued_and_refused_when_the_queue_is_full() {
    let (site, place) = (
        DemoSite::start().await.unwrap(),
        Place::new().set("server.max_concurrent_runs", "1").set("server.max_queued_runs", "2"),
    );
    let serving = place.open().await;
    let execute = |name: &str| json!({ "workflow": { "name": name, "steps": long(&site) } });
    let first = serving.execute(execute("first")).await;
    let mut waiting = Vec::new();
    for position in 1..=2 {
        let answer = serving.post("/api/automation/execute", execute("waits")).await.data();
        assert_eq!((&answer["state"], &answer["position"]), (&json!("queued"), &json!(position)));
        waiting.push(answer["sessionId"].as_str().unwrap().to_owned());
    }
    let refused = serving.post("/api/automation/execute", execute("too many")).await;
    assert_eq!(refused.refused(429)["code"], "SP004");
    let rows = serving.get("/api/automation/sessions?state=queued").await.data();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    let session = serving.get(&format!("/api/automation/sessions/{}", waiting[1])).await.data();
    assert_eq!((&session["state"], &session["position"]), (&json!("queued"), &json!(2)));
    serving.steer(&waiting[0], "pause", json!({})).await.refused(409);
    // A queued run that is cancelled has an outcome in its journal.
    serving.steer(&waiting[0], "cancel", json!({})).await.data();
    let (events, status) = serving.to_the_end(&waiting[0]).await;
    assert_eq!(
        (status.as_str(), types(&events)),
        ("cancelled", vec!["WORKFLOW_STARTED", "RUN_CANCELLED", "SESSION_STATUS"])
    );
    // A viewer can subscribe to a queued run before it has events.
    serving.steer(&first, "cancel", json!({})).await.data();
    serving.until(&waiting[1], is("STEP_COMPLETED")).await;
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_keeps_the_queue_and_interrupted_runs_can_be_resumed() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new().set("server.max_concurrent_runs", "1"));
    let serving = place.open().await;
    let first = serving.execute(json!({ "steps": long(&site) })).await;
    let waits = serving.execute(json!({ "steps": [format!("Open {}", site.url())] })).await;
    serving.until(&first, is("STEP_COMPLETED")).await;
    serving.stop().await;

    let serving = place.open().await;
    let (_, status) = serving.to_the_end(&waits).await;
    assert_eq!(status, "success");
    let session = serving.get(&format!("/api/automation/sessions/{first}")).await.data();
    assert_eq!((&session["state"], &session["live"]), (&json!("interrupted"), &json!(false)));
    let done = session["summary"]["stepsDone"].as_u64().unwrap();
    serving.steer(&first, "resume", json!({})).await.data();
    serving.until(&first, |event| event["type"] == "STEP_COMPLETED" && event["step"].as_u64() > Some(done)).await;
    serving.steer(&first, "cancel", json!({})).await.data();
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_keeps_a_queued_resume_with_its_options() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new().set("server.max_concurrent_runs", "1"));
    let serving = place.open().await;
    // This run is interrupted by the stop of the server and resumed later.
    let cut = serving.execute(json!({ "steps": long(&site) })).await;
    serving.until(&cut, is("STEP_COMPLETED")).await;
    serving.stop().await;
    let serving = place.open().await;
    let busy = serving.execute(json!({ "steps": long(&site) })).await;
    serving.until(&busy, is("STEP_COMPLETED")).await;
    let queued = serving.steer(&cut, "resume", json!({ "assume": "done" })).await.data();
    assert_eq!(queued["position"], json!(1), "{queued}");
    let before = serving.get(&format!("/api/automation/sessions/{cut}")).await.data();
    let last = before["summary"]["lastSeq"].as_u64().unwrap();
    serving.stop().await;

    let serving = place.open().await;
    serving.until(&cut, |event| event["type"] == "WORKFLOW_RESUMED" && event["seq"].as_u64() > Some(last)).await;
    serving.until(&cut, |event| event["type"] == "STEP_COMPLETED" && event["seq"].as_u64() > Some(last)).await;
    serving.steer(&cut, "cancel", json!({})).await.data();
    serving.to_the_end(&cut).await;
    serving.stop().await;

    // The queued resume was executed and is not executed again.
    let serving = place.open().await;
    let session = serving.get(&format!("/api/automation/sessions/{cut}")).await.data();
    assert_eq!((&session["state"], &session["live"]), (&json!("cancelled"), &json!(false)), "{session}");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_run_replaces_the_run_with_the_same_page_key() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let serving = place.open().await;
    let execute = |page: &str| json!({ "steps": long(&site), "page": page });
    let (old, other) = (serving.execute(execute("tab-1")).await, serving.execute(execute("tab-2")).await);
    serving.until(&old, is("STEP_COMPLETED")).await;
    let new = serving.execute(execute("tab-1")).await;
    let (events, status) = serving.to_the_end(&old).await;
    assert_eq!(status, "cancelled");
    assert!(
        events.iter().any(|event| event.to_string().contains(&new.replace('-', ""))),
        "the reason names the new run"
    );
    for run in [&new, &other] {
        serving.until(run, is("STEP_COMPLETED")).await;
        serving.steer(run, "cancel", json!({})).await.data();
    }
    serving.stop().await;
}

/// A model that asks a question and ends the task when it is answered.
fn asker(asked: &Asked) -> Reply {
    let reasoning = json!({ "analysis": "as shown", "rationale": "as asked", "expectedOutcome": "as said" });
    let mut decision = json!({ "decision": { "action": "PROCEED", "message": "blue it is" }, "reasoning": reasoning, "confidence": 0.9 });
    if !asked.text().contains("Navy") {
        decision["command"] = json!({ "action": "ask", "parameters": { "question": "Which colour?" } });
    }
    Reply::Json(decision)
}

async fn with_a_model(script: impl Into<Script>, wait: &str) -> (DemoSite, ScriptedModel, Place) {
    let model = ScriptedModel::start(Wire::OpenAi, script).await.unwrap();
    let place = Place::new()
        .set("decider", "model")
        .set("model.name", model.model_name())
        .set("model.base_url", &model.base_url)
        .set("server.answer_timeout", wait)
        .env("OPENAI_API_KEY", "sk-a-key-for-tests");
    (DemoSite::start().await.unwrap(), model, place)
}

async fn ask(serving: &Serving, site: &DemoSite) -> String {
    let task = json!({ "task": "Choose a colour for me", "url": site.signed_in_url("/") });
    let run = serving.execute(task).await;
    serving.until(&run, is("QUESTION_ASKED")).await;
    let session = serving.get(&format!("/api/automation/sessions/{run}")).await.data();
    assert_eq!(session["question"], json!({ "text": "Which colour?", "secret": false }));
    let listed = &serving.get("/api/automation/sessions").await.data()[0];
    assert_eq!((&listed["run"], &listed["question"]), (&json!(run), &session["question"]));
    assert_eq!(listed["verdict"]["words"], "Waiting for an answer");
    run
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_continues_the_run() {
    let (site, _model, place) = with_a_model(asker, "5m").await;
    let serving = place.open().await;
    let run = ask(&serving, &site).await;
    serving.steer(&run, "answer", json!({ "text": "Navy" })).await.data();
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "success", "{:?}", events.last());
    assert!(events.iter().any(|event| event["type"] == "QUESTION_ANSWERED" && event["data"]["answer"] == "Navy"));
    serving.stop().await;
}

/// The question of an approval names the row and the step, and only its options are answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_approval_names_what_it_is_about_and_takes_only_its_options() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let serving = place.open().await;
    let rule = "[[rule]]\naction = 'click'\nelement = 'Remove'\ndecision = 'ask'\n";
    let run = json!({
        "text": format!(
            "url: {}/fault/ambiguous\ninputs:\n  who:\nsteps:\n  - Click \"Remove\" in the row of \"${{who}}\"\n",
            site.url()
        ),
        "inputs": { "who": "Anna" },
        "options": { "policy": rule },
    });
    let run = serving.execute(run).await;
    serving.until(&run, is("QUESTION_ASKED")).await;
    let session = serving.get(&format!("/api/automation/sessions/{run}")).await.data();
    let question = &session["question"];
    assert_eq!((&question["options"], &question["closed"]), (&json!(["yes", "no"]), &json!(true)));
    let text = question["text"].as_str().unwrap();
    assert!(text.contains("In the row “Anna”."), "{text}");
    assert!(text.contains("Step: “Click \"Remove\" in the row of \"Anna\"”."), "{text}");
    let refused = serving.steer(&run, "answer", json!({ "text": "maybe" })).await.refused(422);
    assert!(refused.to_string().contains("the answers are: yes, no"), "{refused}");
    serving.steer(&run, "answer", json!({ "text": " YES " })).await.data();
    let (events, _) = serving.to_the_end(&run).await;
    assert!(events.iter().any(|event| event["type"] == "QUESTION_ANSWERED" && event["data"]["answer"] == "yes"));
    assert!(events.iter().any(|event| event["type"] == "COMMAND_COMPLETED"), "{events:?}");
    serving.stop().await;
}

/// A batch can have many rows; the one that needs a person must be seen among them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_whose_run_asks_is_shown_as_waiting_for_an_answer() {
    let (site, _model, place) = with_a_model(asker, "5m").await;
    let serving = place.open().await;
    let run = json!({ "steps": ["Choose a colour for ${who}"], "url": site.signed_in_url("/") });
    let body = json!({ "run": run, "rows": [{ "who": "Ada" }] });
    let batch = serving.post("/api/batches", body).await.data()["id"].as_str().unwrap().to_owned();
    let show = async || serving.get(&format!("/api/batches/{batch}")).await.data();
    let row = loop {
        let row = show().await["rows"][0].clone();
        // The row has the id of its run before the run exists.
        if let Some(run) = row["run"].as_str()
            && serving.ask(reqwest::Method::GET, &format!("/api/sessions/{run}")).send().await.unwrap().status() == 200
        {
            break row;
        }
        tokio::task::yield_now().await;
    };
    let run = row["run"].as_str().unwrap();
    serving.until(run, is("QUESTION_ASKED")).await;
    let shown = show().await;
    let row = &shown["rows"][0];
    assert_eq!(
        (&row["status"], &row["verdict"]["words"]),
        (&json!("asking"), &json!("Waiting for an answer")),
        "{shown}"
    );
    assert_eq!((&shown["counts"]["parked"], &shown["counts"]["unfinished"]), (&json!(1), &json!(0)), "{shown}");
    let asking = serving.get(&format!("/api/batches/{batch}?state=asking")).await.data();
    assert_eq!(asking["matches"], 1);
    serving.steer(run, "answer", json!({ "text": "Navy" })).await.data();
    serving.to_the_end(run).await;
    assert_ne!(show().await["rows"][0]["status"], "asking");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unanswered_question_parks_the_run_and_can_be_answered_after_a_restart() {
    let (site, _model, place) = with_a_model(asker, "10ms").await;
    let serving = place.open().await;
    let run = ask(&serving, &site).await;
    let (_, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "parked");
    serving.stop().await;

    let place = place.set("server.answer_timeout", "5m");
    let serving = place.open().await;
    let session = serving.get(&format!("/api/automation/sessions/{run}")).await.data();
    assert_eq!((&session["state"], &session["question"]["text"]), (&json!("parked"), &json!("Which colour?")));
    serving.steer(&run, "answer", json!({ "text": "Navy" })).await.data();
    let ended =
        serving.until(&run, |event| event["type"] == "WORKFLOW_COMPLETED" || event["type"] == "WORKFLOW_FAILED").await;
    assert_eq!(ended["data"]["status"], "success", "{ended}");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_aborts_the_model_call_and_ends_the_run() {
    let (site, model, place) = with_a_model(|_: &Asked| Reply::Silent, "5m").await;
    // Without the cancel, the call would outlast the timeout of this test.
    let place = place.set("timeouts.workflow", "1h").set("timeouts.step", "1h").set("timeouts.model", "10m");
    let serving = place.open().await;
    let run = serving.execute(json!({ "task": "Choose a colour for me", "url": site.signed_in_url("/") })).await;
    while model.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    serving.steer(&run, "cancel", json!({})).await.data();
    let (_, status) = serving.to_the_end(&run).await;
    while serving.get(&format!("/api/streams/{run}")).await.data()["live"] == true {
        tokio::task::yield_now().await;
    }
    assert_eq!(status, "cancelled");
    while model.disconnect_count() == 0 {
        tokio::task::yield_now().await;
    }
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_reports_its_state_and_a_cancelled_run_stays_cancelled() {
    let (site, _model, place) = with_a_model(asker, "5m").await;
    let serving = place.open().await;
    let run = ask(&serving, &site).await;
    let session = |serving: &Serving| {
        let request = serving.ask(reqwest::Method::GET, "/api/automation/sessions");
        async move { crate::support::Answer::of(request.send().await.unwrap()).await.data()[0]["session"].clone() }
    };
    assert_eq!(session(&serving).await, "ACTIVE");
    serving.steer(&run, "cancel", json!({})).await.data();
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "cancelled");
    // The command that asked has an end.
    let count = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
    assert_eq!(count("COMMAND_STARTED"), count("COMMAND_COMPLETED") + count("COMMAND_FAILED"), "{:?}", types(&events));
    // Neither an answer nor a restart of the server continues it; a request does.
    serving.steer(&run, "answer", json!({ "text": "Navy" })).await.refused(409);
    serving.stop().await;
    let serving = place.open().await;
    assert_eq!(session(&serving).await, "CANCELLED");
    assert_eq!(serving.to_the_end(&run).await.0.len(), events.len());
    serving.steer(&run, "resume", json!({})).await.data();
    serving.until(&run, is("WORKFLOW_RESUMED")).await;
    serving.steer(&run, "cancel", json!({})).await.data();
    serving.to_the_end(&run).await;
    serving.stop().await;
}

/// While a run waits for an answer, a person operates its browser. What they typed is on no record.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_operates_the_browser_of_a_run_that_waits() {
    let (site, _model, place) = with_a_model(asker, "5m").await;
    let serving = place.open().await;
    let run = ask(&serving, &site).await;
    let send = async |inputs: Value| serving.steer(&run, "input", json!({ "inputs": inputs })).await;
    let state = send(json!([])).await.data();
    assert_eq!((&state["sessionId"], &state["tabs"][0]["current"]), (&json!(run), &json!(true)), "{state}");
    let typed = "a text that only the page receives";
    let keys = json!([{ "type": "key", "key": "Tab" }, { "type": "text", "text": typed }]);
    send(keys).await.data();
    for (wrong, named) in [
        (json!([{ "type": "key", "key": "Hyperspace" }]), "Control+A"),
        (json!([{ "type": "move", "x": 3, "y": 0 }]), "fractions from 0 to 1"),
        (json!([{ "type": "jump" }]), "inputs[0].type: must be one of move, down, up, wheel"),
        (json!(vec![json!({ "type": "key", "key": "a" }); 201]), "more than 200"),
    ] {
        let refused = send(wrong).await.refused(400);
        assert!(refused.to_string().contains(named), "{refused}");
    }
    serving.steer(&run, "answer", json!({ "text": "Navy" })).await.data();
    let (events, status) = serving.to_the_end(&run).await;
    assert_eq!(status, "success", "{:?}", events.last());
    let operated: Vec<&Value> = events.iter().filter(|event| event["type"] == "USER_CONTROL_ENDED").collect();
    assert_eq!(operated.len(), 1, "{operated:?}");
    assert_eq!((&operated[0]["data"]["clicks"], &operated[0]["data"]["typed"]), (&json!(0), &json!(true)));
    assert!(!json!(events).to_string().contains(typed));
    send(json!([])).await.refused(409);
    // The audit log names who operated the browser, once.
    let audit = std::fs::read_to_string(place.data().join("audit.jsonl")).unwrap();
    let entries = audit.lines().filter(|line| line.contains("/input") && line.contains("200")).count();
    assert_eq!(entries, 1, "{audit}");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_at_work_accepts_no_input_of_a_person() {
    let (decides, never, script) = held_model();
    let (site, _model, place) = with_a_model(script, "5m").await;
    let serving = place.open().await;
    let run = serving.execute(json!({ "task": "Look at the products", "url": site.signed_in_url("/") })).await;
    decides.reached().await;
    let press = json!({ "inputs": [{ "type": "key", "key": "Tab" }] });
    let refused = serving.steer(&run, "input", press.clone()).await.refused(409);
    assert!(refused.to_string().contains("Pause the run first"), "{refused}");
    serving.steer(&run, "pause", json!({})).await.data();
    decides.open();
    serving.until(&run, is("WORKFLOW_PAUSED")).await;
    serving.steer(&run, "input", press.clone()).await.data();
    serving.steer(&run, "resume", json!({})).await.data();
    serving.until(&run, is("USER_CONTROL_ENDED")).await;
    never.reached().await;
    serving.steer(&run, "input", press).await.refused(409);
    serving.steer(&run, "cancel", json!({})).await.data();
    serving.to_the_end(&run).await;
    serving.stop().await;
}
