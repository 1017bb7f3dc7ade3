//! Tools that a user adds to the agent, and a replay without a model.

use std::sync::{Arc, Mutex};

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Asked, Reply, ScriptedModel, Wire};
use serde_json::json;

use crate::{
    deciding::{self, KEY, MADE_UP, reference},
    support::{Program, finish},
};

fn line(command: &str) -> Reply {
    Reply::Json(deciding::line(command))
}

/// The program itself is the external MCP server in these tests.
fn tools(program: &Program) -> String {
    let data = program.work().join("other");
    let server = json!({
        "command": env!("CARGO_BIN_EXE_legwork"),
        "args": ["mcp"],
        "env": {"LEGWORK_DATA_DIR": data, "XDG_CONFIG_HOME": program.work()},
    });
    let file = program.write("tools.json", &json!({"mcpServers": {"other": server}}).to_string());
    file.display().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_calls_the_tools_of_an_mcp_server_and_a_human_approves_what_changes_something() {
    let site = DemoSite::start().await.unwrap();
    for (approve, closes) in [("mutating", false), ("never", true)] {
        let prompts: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = prompts.clone();
        let answer = move |asked: &Asked| {
            let mut prompts = heard.lock().unwrap();
            prompts.push(asked.text());
            match prompts.len() {
                1 => line(r#"call other_legwork_runs {"limit": "ten"}"#),
                2 => line(r#"call other_legwork_runs {"limit": 3}"#),
                3 => line("call other_browser_close"),
                _ => line("done \"asked\""),
            }
        };
        let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
        let program = Program::new();
        let tools = tools(&program);
        let url = site.signed_in_url("/");
        let arguments = ["ask the other one", "--url", &url, "--tools", &tools];
        let mut run = deciding::run(&program, &model, &arguments);
        run.env("LEGWORK_TOOLS_APPROVAL", approve);
        let ended = finish(run);
        assert_eq!(ended.code, 0, "{}\n{}", program.show_last(), ended.err);
        let prompts = prompts.lock().unwrap();
        assert!(prompts[0].contains("other_browser_click {target"), "{}", prompts[0]);
        assert!(prompts[1].contains("limit"), "what is wrong with the arguments is said: {}", prompts[1]);
        assert!(prompts[2].contains("there are no runs yet"), "{}", prompts[2]);
        assert_eq!(prompts[3].contains("no page was open"), closes, "{}", prompts[3]);
        assert_eq!(prompts[3].contains("no person was available to approve"), !closes, "{}", prompts[3]);
        // The intent and the result are recorded.
        let events = program.events();
        let calls = events.iter().filter(|event| event["data"]["action"]["action"] == "call").count();
        assert_eq!(calls, 2, "{events:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_server_has_its_own_environment_and_none_of_ours() {
    let site = DemoSite::start().await.unwrap();
    let model = ScriptedModel::start(Wire::OpenAi, |_: &Asked| line("done \"nothing\"")).await.unwrap();
    let program = Program::new();
    let script = format!("env > env.txt; exec {} mcp", env!("CARGO_BIN_EXE_legwork"));
    let own = json!({"OWN": "given", "LEGWORK_DATA_DIR": program.work().join("other")});
    let server = json!({"command": "/bin/sh", "args": ["-c", script], "env": own});
    let file = program.write("tools.json", &json!({"mcpServers": {"other": server}}).to_string());
    let url = site.signed_in_url("/");
    let mut run = deciding::run(&program, &model, &["ask it", "--url", &url, "--tools", file.to_str().unwrap()]);
    run.env("LEGWORK_SECRET_X", "a secret").env("LEGWORK_MCP_TOKEN", "a token");
    finish(run).expect(0);
    let had = std::fs::read_to_string(program.work().join("env.txt")).unwrap();
    assert!(had.contains("OWN=given") && had.contains("PATH="), "{had}");
    for kept in [KEY, "a secret", "a token", "XDG_CONFIG_HOME"] {
        assert!(!had.contains(kept), "{kept}: {had}");
    }
}

#[test]
fn a_tool_server_that_does_not_come_up_is_named() {
    let program = Program::new();
    let file = program.write("t.json", r#"{"mcpServers": {"gone": {"command": "no-such-program"}}}"#);
    let ended = program.run(&["run", "Open http://127.0.0.1:9", "--tools", file.to_str().unwrap()]).expect(2);
    assert!(ended.err.contains("\"gone\"") && ended.err.contains("no-such-program"), "{}", ended.err);
    let file = program.write("u.json", r#"{"servers": {}}"#);
    let ended = program.run(&["run", "Open http://127.0.0.1:9", "--tools", file.to_str().unwrap()]).expect(2);
    assert!(ended.err.contains("mcpServers"), "{}", ended.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_model_decided_is_done_again_without_it() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        let page = asked.last();
        match page.contains("\nDone:") {
            true => line("done \"named\""),
            false => line(&format!("fill {} \"Ada\"", reference(&page, "textbox \"Customer\""))),
        }
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let file = program.write("order.txt", MADE_UP);
    let url = site.signed_in_url("/orders/new");
    let ended = finish(deciding::run(&program, &model, &[file.to_str().unwrap(), "--url", &url]));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let asked = model.requests().len();

    let again = program.run(&["replay", "last", "--json"]);
    assert_eq!(again.code, 0, "{}\n{}", program.show_last(), again.err);
    let summary = again.json();
    let deciders: Vec<_> = (0..3).map(|at| summary["steps"][at]["decider"].as_str().unwrap_or("none")).collect();
    assert_eq!(deciders, ["literal", "playbook", "literal"], "{summary}");
    assert_eq!(summary["steps"][1]["evidence"][0]["fact"], "textbox \"Customer\" holds \"Ada\"", "{summary}");
    // The check is made again. That the words of the second step were followed, only its model said.
    assert_eq!(summary["steps"][2]["validation"], "validated", "{summary}");
    assert_eq!(summary["validation"], "unvalidated", "{summary}");
    assert_eq!(model.requests().len(), asked, "no model is asked");

    // A run that failed cannot be replayed.
    program.run(&["run", &program.write("no.txt", &format!("Open {url}\nClick \"Nothing\"")).display().to_string()]);
    let refused = program.run(&["replay", "last"]).expect(2);
    assert!(refused.err.contains("success"), "{}", refused.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_run_repeats_what_a_model_did_and_both_runs_say_so() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        let page = asked.last();
        match page.contains("\nDone:") {
            true => line("done \"named\""),
            false => line(&format!("fill {} \"Ada\"", reference(&page, "textbox \"Customer\""))),
        }
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let workflow =
        "steps:\n- step: Make up a name for whoever it is that buys this\n  expect: '\"Customer\" contains \"Ada\"'\n";
    let file = program.write("order.yaml", workflow).display().to_string();
    let url = site.signed_in_url("/orders/new");
    let first = finish(deciding::command(&program, &model, &["run", &file, "--url", &url])).expect(0);
    let said = format!("{}{}", first.out, first.err);
    assert!(said.contains("(legwork playbook show order-"), "{said}");
    let asked = model.requests().len();

    let again = program.run(&["run", &file, "--url", &url]).expect(0);
    let said = format!("{}{}", again.out, again.err);
    assert!(said.contains("repeats the playbook of run") && said.contains("(version 1)"), "{said}");
    assert!(!said.contains("legwork playbook show"), "{said}");
    assert_eq!(model.requests().len(), asked, "no model is asked");
    let shown = program.run(&["show", "last"]).expect(0).out;
    assert!(shown.contains("repeats the playbook of run"), "{shown}");
    let drift = program.run(&["playbook", "drift", "order"]).expect(0).out;
    // The end of a run leaves the field, which is an action too.
    let repeated = "version 1: 2 playbook, 0 literal, 0 model, lowest agreement 100 %";
    assert!(drift.contains("no playbook: 0 playbook") && drift.contains(repeated), "{drift}");

    // Without it, the step cannot be decided.
    let off = program.run(&["run", &file, "--url", &url, "--playbook", "off"]);
    assert_eq!(off.code, 2, "{}", off.err);
}
