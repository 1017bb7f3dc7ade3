//! External failures: pages, downloads, browsers, models, people. Each ends with its exit code and a typed error that
//! states the cause and what to try, and the run remains readable.

use std::{
    io::BufReader,
    process::{Command, Stdio},
    time::Duration,
};

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Reply, Script, ScriptedModel, ScriptedTokens, Wire};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    policy,
    support::{Ended, Program, events_until, finish, kill, naming},
};

/// Runs these steps without a model.
fn steps(program: &Program, steps: &str, more: &[&str]) -> Command {
    let file = program.write("steps.txt", steps);
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "--json"]);
    command.args(more);
    command
}

/// The error of a run. Also checks that `show` can read the run and prints the error.
#[track_caller]
fn error(program: &Program, command: Command, code: i32) -> Value {
    let ended = finish(command).expect(code);
    let summary = ended.json();
    let error = summary["error"].clone();
    for field in ["message", "suggestedAction", "code"] {
        assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "no {field}: {summary}");
    }
    let shown = program.show_last();
    assert!(shown.contains(error["code"].as_str().unwrap()), "{error}\n{shown}");
    assert!(shown.contains("try: "), "{shown}");
    program.assert_no_leftovers();
    error
}

#[track_caller]
fn says(error: &Value, code: &str, words: &str) {
    assert_eq!(error["name"], code, "{error}");
    assert!(error["message"].as_str().unwrap().contains(words), "{error}");
}

#[test]
fn an_address_that_can_never_be_loaded_is_tried_once() {
    let program = Program::new();
    let told = error(&program, steps(&program, "Open http://127.0.0.1:1/", &[]), 3);
    says(&told, "SITE_UNREACHABLE", "http://127.0.0.1:1/ could not be loaded: net::ERR_UNSAFE_PORT");
    let opened = |event: &&Value| event["type"] == "COMMAND_STARTED";
    assert_eq!(program.events().iter().filter(opened).count(), 1);
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let program = Program::new();
    // A port that was free just now, and has no listener.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let told = error(&program, steps(&program, &format!("Open http://127.0.0.1:{port}/"), &[]), 3);
    says(&told, "SITE_UNREACHABLE", "ERR_CONNECTION_REFUSED");
    let events = program.events();
    assert!(events.iter().filter(|event| event["type"] == "COMMAND_STARTED").count() <= 3);
    let pictures =
        |event: &&Value| event["data"]["message"].as_str().is_some_and(|said| said.contains("no screenshot"));
    assert_eq!(events.iter().filter(pictures).count(), 0, "an error page of the browser's own is no page");
}

#[test]
fn addresses_that_are_no_pages_are_refused_each_with_its_reason() {
    let program = Program::new();
    for (url, why) in [
        ("javascript:alert(1)", "would run code in the page"),
        ("file:///etc/passwd", "would read this machine's files"),
        ("data:text/html,hi", "has no origin"),
    ] {
        let told = error(&program, steps(&program, &format!("Open {url}"), &[]), 1);
        says(&told, "REFUSED_BY_POLICY", why);
    }
    let named = program.write("named.yaml", "url: file:///etc/passwd\nsteps:\n  - Reload the page\n");
    let ended = program.run(&["run", named.to_str().unwrap()]).expect(2);
    assert!(ended.err.contains("file:"), "{}", ended.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_leads_nowhere_that_is_not_allowed() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let open = format!("Open {}/fault/redirect-to?url={}/", site.url(), site.second_origin_url());
    let told = error(&program, steps(&program, &open, &["--allowed-domains", "127.0.0.1"]), 1);
    assert!(told["name"] == "REFUSED_BY_POLICY", "{told}");
    assert!(!told["message"].as_str().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_that_is_too_large_is_broken_off() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let text = "Click the link \"download\"";
    let mut command = steps(&program, text, &["--url", &format!("{}/fault", site.url())]);
    command.env("LEGWORK_DOWNLOADS_MAX_SIZE", "1MB");
    let told = error(&program, command, 1);
    says(&told, "DOWNLOAD_FAILED", "larger than");
    let kept: u64 =
        crate::support::files_below(&program.data()).iter().filter(|path| path.ends_with("crate.bin")).count() as u64;
    assert_eq!(kept, 0, "what was broken off is not kept");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_never_comes_back_ends_the_step_and_not_the_program() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let text = "Click the button \"Hang now\"\nClick the button \"Am I alive?\"";
    let mut command = steps(&program, text, &["--url", &format!("{}/fault/hang", site.url()), "--timeout", "40s"]);
    command.env("LEGWORK_TIMEOUTS_ELEMENT", "2s");
    let told = error(&program, command, 3);
    assert_eq!(told["name"], "PAGE_UNRESPONSIVE", "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_alerts_are_answered_and_told_in_a_few_words() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let text = "Click the button \"Raise a thousand alerts\" and check that \"1000 alerts were answered\" is shown";
    let url = format!("{}/fault/alerts", site.url());
    let summary = finish(steps(&program, text, &["--url", &url])).expect(0).json();
    assert_eq!(summary["status"], "success");
    let facts = summary["steps"][0]["evidence"].as_array().unwrap().len();
    assert!(facts < 100, "{facts} facts say no more than a few");
    program.show_last();
    program.assert_no_leftovers();
}

/// Starts a run that waits for a condition that never holds, and calls `act` with its process id once its page is open.
fn while_it_waits(program: &Program, url: &str, act: impl FnOnce(u32)) -> Ended {
    let mut command = steps(program, "Wait until \"Godot\" is shown", &["--url", url, "--events"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    events_until(&mut out, |event| event["type"] == "STEP_STARTED");
    act(child.id());
    let mut last = String::new();
    events_until(&mut out, |event| {
        last = event.to_string();
        false
    });
    let ended = Ended::of(child.wait_with_output().unwrap());
    Ended { out: last, ..ended }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_ends_a_run_cleanly() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let ended = while_it_waits(&program, &site.signed_in_url("/"), |id| kill(id, Signal::INT)).expect(130);
    let summary = ended.json();
    assert_eq!(
        (&summary["status"], &summary["error"]["name"]),
        (&json!("cancelled"), &json!("CANCELLED")),
        "{summary}"
    );
    assert!(program.show_last().contains("cancelled"));
    program.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_dies_is_named_and_the_run_can_go_on() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let ended = while_it_waits(&program, &site.signed_in_url("/"), |_| {
        let of_this_run = naming(program.temporary().to_str().unwrap());
        let browser =
            of_this_run.iter().find(|(_, line)| line.contains("remote-debugging") && !line.contains("--type="));
        kill(browser.expect("the browser runs").0, Signal::KILL);
    })
    .expect(3);
    let summary = ended.json();
    assert_eq!(summary["error"]["name"], "BROWSER_GONE", "{summary}");
    assert!(program.show_last().contains("legwork resume"));
    program.assert_no_leftovers();
}

/// A run of a task with a model that follows this script. Retries use short delays.
async fn asked(script: impl Into<Script>, more: &[&str]) -> (Program, ScriptedModel, Command) {
    let model = ScriptedModel::start(Wire::OpenAi, script).await.unwrap();
    let program = Program::new();
    let mut command = program.command(&["run", "Say what is there", "--json"]);
    command.args(["--model", model.model_name(), "--base-url", &model.base_url]).args(more);
    command.env("OPENAI_API_KEY", "sk-test").env("LEGWORK_RETRIES_FIRST_DELAY", "5ms");
    (program, model, command)
}

fn done() -> Reply {
    Reply::Json(policy::over("PROCEED", "Nothing."))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_model_says_that_is_no_decision_is_asked_for_again_and_then_given_up() {
    let half = policy::over("PROCEED", "Nothing.").to_string();
    let replies = [
        (Reply::text("I would love to help you with that!"), "RESPONSE_PARSING_ERROR"),
        (Reply::text(&half[..half.len() / 3]), "RESPONSE_PARSING_ERROR"),
        (Reply::Json(json!({ "thoughts": "none", "do": "click" })), "SCHEMA_VALIDATION_ERROR"),
        (Reply::text(""), "RESPONSE_EMPTY"),
        (Reply::Raw(Vec::new()), "RESPONSE_EMPTY"),
    ];
    for (reply, name) in replies {
        let bad = reply.clone();
        let (program, model, command) = asked(move |_: &_| bad.clone(), &[]).await;
        let told = error(&program, command, 3);
        assert_eq!(told["name"], name, "{reply:?}: {told}");
        let asked_for = model.requests().len();
        assert!((2..=12).contains(&asked_for), "{reply:?}: {asked_for} requests");

        let (_program, model, command) = asked([reply.clone(), done()], &[]).await;
        let summary = finish(command).expect(0).json();
        assert_eq!(summary["answer"], "Nothing.", "{reply:?}");
        assert_eq!(model.requests().len(), 2, "{reply:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_without_end_is_cut_off() {
    let (program, _model, command) = asked(|_: &_| Reply::Huge(100 << 20), &[]).await;
    let told = error(&program, command, 3);
    assert_eq!(told["category"], "INTEGRATION", "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_busy_is_asked_again_and_one_that_is_broken_is_given_up() {
    let (_program, model, command) = asked([Reply::too_many(0), Reply::status(503, "later"), done()], &[]).await;
    assert_eq!(finish(command).expect(0).json()["answer"], "Nothing.");
    assert_eq!(model.requests().len(), 3);

    let (program, model, command) = asked(|_: &_| Reply::status(500, "it broke"), &[]).await;
    says(&error(&program, command, 3), "MODEL_ERROR", "it broke");
    assert_eq!(model.requests().len(), 4, "once and three times again");

    let (program, model, command) = asked(|_: &_| Reply::status(401, "no such key"), &[]).await;
    says(&error(&program, command, 3), "AUTHENTICATION_ERROR", "no such key");
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_in_the_body_of_an_accepted_answer_is_told_as_what_it_is() {
    let body = r#"{"error": {"message": "upstream is asleep", "code": "asleep"}}"#;
    let (program, _model, command) = asked(move |_: &_| Reply::Raw(body.into()), &[]).await;
    let told = error(&program, command, 3);
    says(&told, "MODEL_ERROR", "(HTTP 200): it returned an error instead of a reply: upstream is asleep");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_did_nothing_is_not_said_to_have_done_everything() {
    let (program, _model, command) = asked([done()], &["--require", "validated"]).await;
    let told = error(&program, command, 1);
    says(&told, "NOT_VALIDATED", "nothing was done: no action supports the claim");
    assert_eq!(told["details"], json!(["step 1: Say what is there (no action was carried out)"]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_stalls_costs_the_runs_time_and_no_more() {
    let (program, _model, command) = asked(|_: &_| Reply::Stalled, &["--timeout", "6s"]).await;
    let summary = finish(command).expect(4).json();
    assert!(summary["error"]["message"].is_string(), "{summary}");
    program.assert_no_leftovers();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_cap_ends_a_run_with_its_own_reason() {
    let site = DemoSite::start().await.unwrap();
    let url = site.signed_in_url("/");
    let reload = || {
        Reply::Cost(
            ScriptedTokens { prompt: 1_000_000, cached: 0, completion: 1_000 },
            Box::new(Reply::Json(policy::act("reload", json!({})))),
        )
    };
    for (cap, words) in [
        (["--max-actions", "2"], "2 actions"),
        (["--max-tokens", "1500000"], "1500000 model tokens"),
        (["--max-cost", "0.5"], "of $0.5"),
    ] {
        let (program, _model, mut command) = asked(move |_: &_| reload(), &cap).await;
        let prices = program.write("prices.toml", "[prices.\"openai/scripted\"]\ninput = 1.0\noutput = 2.0\n");
        command.args(["--config", prices.to_str().unwrap(), "--url"]).arg(&url);
        let told = error(&program, command, 4);
        says(&told, "BUDGET_EXCEEDED", words);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn time_that_is_over_ends_a_run() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let text = "Wait until \"Godot\" is shown";
    let command = steps(&program, text, &["--url", &site.signed_in_url("/"), "--timeout", "4s"]);
    let began = std::time::Instant::now();
    finish(command).expect(4);
    assert!(began.elapsed() < Duration::from_secs(30));
    program.show_last();
}

#[test]
fn a_browser_that_does_not_start_is_named() {
    let program = Program::new();
    let told = error(&program, steps(&program, "Open http://127.0.0.1:1/", &["--browser", "/bin/false"]), 3);
    says(&told, "BROWSER_LAUNCH_FAILED", "");
}

/// A server that accepts connections and never responds is reported as a load timeout, not as a page that hangs.
#[test]
fn a_server_that_never_answers_is_a_timeout_and_a_fault() {
    let program = Program::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let open = format!("Open http://127.0.0.1:{}/", silent.local_addr().unwrap().port());
    let mut command = steps(&program, &open, &[]);
    command.env("LEGWORK_TIMEOUTS_REQUEST", "3s");
    let told = error(&program, command, 3);
    assert_eq!((told["code"].as_str(), told["name"].as_str()), (Some("EX004"), Some("PAGE_LOAD_TIMEOUT")), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cap_on_money_needs_a_price() {
    let (_program, model, command) = asked([done()], &["--max-cost", "0.5"]).await;
    let ended = finish(command).expect(2);
    let error = ended.json()["error"].clone();
    assert_eq!(error["code"], "CF001", "{error}");
    assert_eq!(
        error["message"],
        "the cost limit of $0.5 cannot be enforced, because the price of openai/scripted is unknown; set it under `prices`"
    );
    let hint = error["suggestedAction"].as_str().unwrap();
    assert!(hint.contains("[prices.\"openai/scripted\"] with `input = 1.25` and `output = 10`"), "{hint}");
    assert_eq!(model.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_that_nothing_shows_can_be_made_a_failure() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let url = site.signed_in_url("/");
    let ended = |more: &[&str], code: i32| {
        let more = [&["--url", &url], more].concat();
        finish(steps(&program, "Press F9", &more)).expect(code).json()
    };
    let loose = ended(&[], 0);
    assert_eq!((&loose["status"], &loose["validation"]), (&json!("success"), &json!("unvalidated")), "{loose}");
    assert!(program.run(&["runs"]).expect(0).out.contains("? unvalidated"));
    assert!(program.show_last().contains("? success, unvalidated"), "{}", program.show_last());

    let strict = ended(&["--require", "validated"], 1);
    assert_eq!((&strict["status"], &strict["validation"]), (&json!("failure"), &json!("unvalidated")), "{strict}");
    assert_eq!(strict["error"]["name"], "NOT_VALIDATED");
    assert_eq!(strict["error"]["details"], json!(["step 1: Press F9"]));

    let text = "Check that the button \"Nowhere\" is shown";
    let mut rejected = steps(&program, text, &["--url", &url]);
    rejected.env("LEGWORK_TIMEOUTS_ELEMENT", "100ms");
    assert_eq!(finish(rejected).expect(1).json()["validation"], "rejected");
    assert!(program.run(&["runs"]).expect(0).out.contains("✗ rejected"));
    let runs = program.run(&["runs", "--json"]).expect(0).json();
    let checked: Vec<_> = runs.as_array().unwrap().iter().map(|run| run["validation"].clone()).collect();
    assert_eq!(checked, ["rejected", "unvalidated", "unvalidated"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_written_in_a_step_is_shown_nowhere() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let task = "Log in as \"alice\" with password \"hunter2-long\"";
    let command = program.command(&["run", task, "--decider", "literal", "--json", "--url", &site.url()]);
    let run = finish(command);
    let shown = [
        run.out,
        run.err,
        program.run(&["runs"]).out,
        program.run(&["runs", "--json"]).out,
        program.show_last(),
        program.run(&["show", "last", "--json"]).out,
        program.run(&["export", "last", "--format", "html"]).out,
    ];
    for text in &shown {
        assert!(!text.contains("hunter2-long"), "{text}");
    }
    assert!(shown[2].contains("with password \"•••\""), "{}", shown[2]);
    // The text is needed to resume the run.
    let start = program.events().remove(0);
    assert_eq!(start["data"]["workflow"]["steps"], json!([task]), "{start}");
}
