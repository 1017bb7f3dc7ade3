//! Lessons from earlier runs, in the program's output and in the next run's request to its model; and fallback models.

use std::{
    process::Command,
    sync::{Arc, Mutex},
};

use legwork::store::{Lessons, SqliteLog};
use legwork_demo_site::DemoSite;
use legwork_protocol::{Lesson, LessonKind};
use legwork_testing::model::{Asked, Reply, ScriptedModel, Wire};
use serde_json::{Value, json};

use crate::{
    deciding::{KEY, reference},
    policy,
    program::Place,
    support::{Ended, Program, finish},
};

fn lesson(site: &str, text: &str, successes: u32, failures: u32) -> Lesson {
    Lesson {
        kind: LessonKind::ElementDiscovery,
        site: site.into(),
        pattern: "log in as …".into(),
        key: text.into(),
        text: text.into(),
        data: json!({ "page": "/login" }),
        successes,
        failures,
    }
}

/// Stores lessons, and a row that is invalid.
fn taught(place: &Place) {
    std::fs::create_dir_all(place.data()).unwrap();
    let path = place.data().join("runs.db");
    let log = SqliteLog::open(&path).unwrap();
    let lessons = vec![
        lesson("https://shop.test", "click button \"Sign in\"", 7, 1),
        lesson("https://shop.test", &format!("fill textbox \"{}\x1b[31m\"", "Name ".repeat(40)), 1, 0),
        Lesson {
            kind: LessonKind::PageInsight,
            ..lesson("https://shop.test", "link \"Orders\" leads to /orders", 3, 0)
        },
        lesson("http://127.0.0.1:8080", "click button \"Gone\"", 0, 40),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(log.learn(lessons, jiff::Timestamp::now(), 100)).unwrap();
}

#[test]
fn what_is_remembered_is_listed_pruned_and_forgotten() {
    let place = Place::new();
    assert!(place.run(&["memory"]).out.starts_with("There are no lessons yet."));
    taught(&place);
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let listed = place.run(&["memory"]);
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    insta::assert_snapshot!("memory", listed.out.replace(&today, "[TODAY]"));
    let site: Value = serde_json::from_str(&place.run(&["memory", "shop.test", "--json"]).out).unwrap();
    let of = |at: usize, name: &str| site["lessons"][at][name].clone();
    assert_eq!(site["lessons"].as_array().unwrap().len(), 3);
    assert_eq!((of(0, "successes"), of(0, "kind")), (json!(7), json!("element_discovery")));
    assert!(of(0, "trust").as_f64().unwrap() > of(2, "trust").as_f64().unwrap());

    assert_eq!(place.run(&["memory", "prune"]).out, "1 lesson deleted\n");
    assert_eq!(place.run(&["memory", "forget", "https://shop.test/login"]).out, "3 lessons deleted\n");
    assert_eq!(place.run(&["memory", "forget", "--all"]).out, "0 lessons deleted\n");
    assert!(place.run(&["memory"]).out.starts_with("There are no lessons yet."));
    for wrong in [&["memory", "forget"][..], &["memory", "forget", "--all", "x"], &["memory", "about:blank"]] {
        assert_eq!(place.run(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn rows_that_cannot_be_read_are_told_and_pruned() {
    let place = Place::new();
    taught(&place);
    let file = rusqlite::Connection::open(place.data().join("runs.db")).unwrap();
    file.execute("UPDATE lessons SET body = 'x' WHERE site = 'https://shop.test' AND successes = 1", []).unwrap();
    let listed = place.run(&["memory", "https://shop.test"]);
    assert_eq!((listed.code, listed.out.lines().count()), (0, 3), "{listed}");
    assert!(listed.err.contains("1 rows cannot be read"), "{listed}");
    assert_eq!(place.run(&["memory", "prune"]).out, "2 lessons deleted\n");
    assert_eq!(place.run(&["memory"]).err, "");
}

fn with_key(program: &Program, arguments: &[&str], model: &ScriptedModel) -> Command {
    let mut command = program.command(&["run"]);
    command.args(arguments).args(["--base-url", &model.base_url]).env("OPENAI_API_KEY", KEY);
    command
}

/// A model that follows the link to the orders and answers who was first.
fn looks_for_orders(asked: &Asked) -> Value {
    let page = asked.last();
    match page.contains("heading \"Orders\"") {
        true => policy::over("PROCEED", "Kirkholm Ferries"),
        false => policy::act("click", json!({ "target": reference(&page, "link \"Orders\"") })),
    }
}

fn warnings(program: &Program) -> Vec<String> {
    // A warning with a code is `ERROR_OCCURRED`, one without is `WARNING_ISSUED`. The run continues after both.
    let warned = program.events().into_iter();
    let warned = warned.filter(|event| event["type"] == "WARNING_ISSUED" || event["type"] == "ERROR_OCCURRED");
    warned.map(|event| event["data"]["message"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_run_is_told_what_the_first_one_learned() {
    let site = DemoSite::start().await.unwrap();
    let model = ScriptedModel::start(Wire::OpenAi, |asked: &Asked| Reply::Json(looks_for_orders(asked))).await.unwrap();
    let program = Program::new();
    let url = site.signed_in_url("/");
    let arguments = ["Who of the orders was first?", "--url", &url, "--model", model.model_name(), "--json"];
    let run = |memory: &str| -> Ended {
        let mut command = with_key(&program, &arguments, &model);
        command.env("LEGWORK_MEMORY_ENABLED", memory);
        finish(command).expect(0)
    };
    let first_prompt = |from: usize| model.requests()[from].last();
    run("on");
    assert!(!first_prompt(0).contains("Remembered"), "{}", first_prompt(0));
    let listed = program.run(&["memory"]).expect(0).out;
    assert!(listed.contains("click link \"Orders\""), "{listed}");

    let before = model.requests().len();
    run("on");
    let prompt = first_prompt(before);
    assert!(prompt.contains("```memory\n") && prompt.contains("here: click link \"Orders\""), "{prompt}");
    let shown = program.events().into_iter().any(|event| {
        event["type"] == "WORKING_MEMORY_UPDATED" && event["data"]["update"]["shown"][0]["key"] == "link \"Orders\""
    });
    assert!(shown, "what was shown is on record");
    let listed: Value = serde_json::from_str(&program.run(&["memory", "--json"]).expect(0).out).unwrap();
    let link = listed["lessons"].as_array().unwrap().iter().find(|one| one["key"] == "link \"Orders\"").unwrap();
    assert_eq!(link["successes"], 2, "{link}");

    let before = model.requests().len();
    run("off");
    assert!(!first_prompt(before).contains("Remembered"), "{}", first_prompt(before));

    // Invalid rows cause a warning, and the run continues without lessons.
    let file = rusqlite::Connection::open(program.data().join("runs.db")).unwrap();
    file.execute("UPDATE lessons SET body = 'x'", []).unwrap();
    run("on");
    let warned = warnings(&program);
    assert!(warned.iter().any(|line| line.contains("rows cannot be read")), "{warned:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_is_stood_in_for_and_each_is_accounted_for() {
    let site = DemoSite::start().await.unwrap();
    let asked_of = Arc::new(Mutex::new(Vec::new()));
    let kept = asked_of.clone();
    let answer = move |asked: &Asked| {
        let model = asked.body["model"].as_str().unwrap().to_owned();
        kept.lock().unwrap().push(model.clone());
        match model.as_str() {
            "broken" => Reply::status(400, "this model is retired"),
            "cheap" => {
                let mut unsure = looks_for_orders(asked);
                unsure["confidence"] = json!(if asked.last().contains("\nDone:") { 0.9 } else { 0.3 });
                Reply::Json(unsure)
            }
            _ => Reply::Json(looks_for_orders(asked)),
        }
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let arguments = ["Who of the orders was first?", "--url", &site.signed_in_url("/"), "--json"];
    let mut command = with_key(&program, &arguments, &model);
    command.env("LEGWORK_MODELS_ACT", "openai/broken, openai/good").env("LEGWORK_MODELS_ACT_CHEAP", "openai/cheap");
    let summary = finish(command).expect(0).json();
    assert_eq!(summary["answer"], "Kirkholm Ferries", "{summary}");

    // A request that a model refuses is repeated in every form of requesting JSON, so repeated names are removed.
    let mut order = asked_of.lock().unwrap().clone();
    order.dedup();
    assert_eq!(order, ["cheap", "broken", "good", "cheap"]);
    let events = program.events();
    let calls: Vec<(&str, bool)> = events
        .iter()
        .filter(|event| event["type"] == "AI_RESPONSE_RECEIVED")
        .map(|event| (event["data"]["model"].as_str().unwrap(), event["data"].get("error").is_none()))
        .collect();
    let (cheap, broken, good) = ("openai/cheap", "openai/broken", "openai/good");
    assert_eq!(calls, [(cheap, true), (broken, false), (good, true), (cheap, true)]);
    let warned = warnings(&program);
    let all = warned.join("\n");
    assert!(all.contains("30 % sure") && all.contains("the strong model is asked"), "{all}");
    assert!(all.contains("openai/broken failed") && all.contains("openai/good answered instead"), "{all}");
    let shown = program.show_last();
    assert!(shown.contains("    openai/cheap: 2 model calls, 240 tokens in (200 cached), 40 out"), "{shown}");
    assert!(shown.contains("    openai/broken: 1 model call, 0 tokens in, 0 out"), "{shown}");
}
