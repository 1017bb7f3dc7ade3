//! Runs that a model decides, over the wire format of each provider: a real server that uses the format, and a policy
//! that sees only the content of its request.

use legwork_demo_site::{DEMO_WORKFLOW, DemoSite, PASSWORD, UPLOAD, UPLOAD_NAME};
use legwork_testing::model::{Asked, Reply, ScriptedModel, ScriptedTokens, Wire};
use serde_json::{Value, json};

use crate::{
    deciding::{self, KEY, MADE_UP, reference},
    policy,
    support::{Ended, Program, finish},
};

fn run(program: &Program, model: &ScriptedModel, arguments: &[&str]) -> Ended {
    let mut command = deciding::run(program, model, arguments);
    command.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    finish(command)
}

async fn the_demo_over(wire: Wire) {
    let site = DemoSite::start().await.unwrap();
    let model = ScriptedModel::start(wire, |asked: &Asked| Reply::Json(policy::decide(asked))).await.unwrap();
    let program = Program::new();
    program.write(UPLOAD_NAME, std::str::from_utf8(UPLOAD).unwrap());
    let file = program.write("demo.yaml", DEMO_WORKFLOW);
    let arguments = [file.to_str().unwrap(), "--url", &site.url(), "--decider", "model", "--secret", "demo_password"];
    let ended = run(&program, &model, &arguments);
    assert_eq!(ended.code, 0, "{}\n{}", program.show_last(), ended.err);
    let summary = ended.json();
    assert_eq!(summary["status"], "success");
    let steps = summary["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 55);
    for step in steps {
        assert_eq!((&step["status"], &step["decider"]), (&json!("success"), &json!("model")), "{step}");
    }
    assert_eq!(summary["variables"]["pickup_code"], "KH-2741");

    let requests = model.requests();
    assert_eq!(summary["usage"]["calls"], requests.len());
    assert_eq!(summary["usage"]["promptTokens"], 120 * requests.len());
    assert_eq!(summary["usage"]["completionTokens"], 20 * requests.len());
    for asked in &requests {
        assert_eq!(asked.key(), Some(KEY));
        // A schema is only sent after an invalid reply, and this model sends none.
        assert!(asked.schema().is_none(), "tokens spent on a schema over {wire:?}");
        assert!(!asked.body.to_string().contains(PASSWORD), "the password reached the model");
    }
    audited(&program, requests.len());
}

/// Every call is recorded with its request and its reply, without the key or the password.
fn audited(program: &Program, calls: usize) {
    let events = program.events();
    let records: Vec<&Value> = events.iter().filter(|event| event["type"] == "AI_RESPONSE_RECEIVED").collect();
    assert_eq!(records.len(), calls);
    let files = crate::support::files_below(&program.data());
    let kept = |artifact: &Value| {
        let hash = artifact["hash"].as_str().unwrap();
        let holds = |path: &&std::path::PathBuf| path.to_string_lossy().replace('/', "").ends_with(hash);
        std::fs::read_to_string(files.iter().find(holds).unwrap()).unwrap()
    };
    for record in records {
        let request = kept(&record["data"]["request"]);
        assert!(request.contains("Task: ") && !request.contains(PASSWORD) && !request.contains(KEY), "{request}");
        assert!(kept(&record["data"]["reply"]).contains("\"decision\""));
        assert!(record["data"]["latencyMs"].is_u64() && record["data"]["usage"]["calls"] == 1, "{record}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_is_decided_over_openais_wire() {
    the_demo_over(Wire::OpenAi).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_is_decided_over_anthropics_wire() {
    the_demo_over(Wire::Anthropic).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_is_decided_over_geminis_wire() {
    the_demo_over(Wire::Gemini).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lone_task_goes_on_until_the_model_says_it_is_done() {
    let site = DemoSite::start().await.unwrap();
    // A model that finds a link, follows it and reads the answer from the page.
    let answer = |asked: &Asked| {
        let page = asked.last();
        Reply::Json(match page.contains("heading \"Orders\"") {
            true => policy::over("PROCEED", "Kirkholm Ferries ordered first."),
            false => policy::act("click", json!({ "target": reference(&page, "link \"Orders\"") })),
        })
    };
    let model = ScriptedModel::start(Wire::Anthropic, answer).await.unwrap();
    let program = Program::new();
    let ended = run(&program, &model, &["Who ordered first?", "--url", &site.signed_in_url("/")]).expect(0);
    let summary = ended.json();
    assert_eq!(summary["answer"], "Kirkholm Ferries ordered first.", "{summary}");
    assert_eq!(summary["usage"]["calls"], 2, "{summary}");
    assert_eq!(summary["steps"][0]["iterations"], 2);
    audited(&program, 2);
}

/// A model that plans where to begin, follows a link, first gives a wrong answer, and judges answers by the expected
/// name.
fn thorough(begin: String, name: &'static str) -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    move |asked: &Asked| {
        let prompt = asked.last();
        let answer = fence(&prompt, "answer");
        Reply::Json(match () {
            () if prompt.starts_with("Plan this task") => json!({
                "successCriteria": "The answer names the customer of the oldest order.",
                "plan": "Read the list of orders.",
                "actionItems": ["Open the orders", "Read the oldest one"],
                "startUrl": begin,
            }),
            () if prompt.starts_with("Judge whether") && answer.contains(name) => {
                json!({ "quality": "complete", "feedback": "The customer is named." })
            }
            () if prompt.starts_with("Judge whether") => {
                json!({ "quality": "partial", "feedback": "Nobody is named." })
            }
            () if prompt.contains("judged partial") => policy::over("PROCEED", "#2: Kirkholm Ferries ordered first."),
            () if prompt.contains("heading \"Orders\"") => policy::over("PROCEED", "Somebody did."),
            () => policy::act("click", json!({ "target": reference(&prompt, "link \"Orders\"") })),
        })
    }
}

fn fence(prompt: &str, label: &str) -> String {
    let after = prompt.split(&format!("```{label}\n")).nth(1).unwrap_or_default();
    after.split("```").next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_task_is_planned_and_its_answer_judged() {
    const TASK: &str = "Find out in the orders of the harbour shop which of all its customers was the very first one to \
                        order anything there, and tell me the name.";
    let site = DemoSite::start().await.unwrap();
    let begin = site.signed_in_url("/");
    let model = ScriptedModel::start(Wire::OpenAi, thorough(begin.clone(), "Kirkholm")).await.unwrap();
    let program = Program::new();
    let ended = run(&program, &model, &[TASK]).expect(0);
    let summary = ended.json();
    assert_eq!(summary["answer"], "Kirkholm Ferries ordered first.", "{summary}");
    assert_eq!((&summary["validation"], &summary["usage"]["calls"]), (&json!("validated"), &json!(6)), "{summary}");
    let events = program.events();
    let data = |kind: &str| {
        events.iter().filter(|event| event["type"] == kind).map(|event| &event["data"]).collect::<Vec<_>>()
    };
    assert_eq!(data("PLAN_UPDATED")[0]["startUrl"], begin.as_str());
    let judged: Vec<_> = data("ANSWER_VALIDATED").iter().map(|review| review["quality"].clone()).collect();
    assert_eq!(judged, ["partial", "complete"]);
    assert_eq!(data("PHASE_CHANGED").last().unwrap()["phase"], "COMPLETED");
    let shown = program.show_last();
    for line in ["plan: 1. Open the orders 2. Read the oldest one", "the answer was judged partial: Nobody is named."] {
        assert!(shown.contains(line), "{shown}");
    }

    let model = ScriptedModel::start(Wire::OpenAi, thorough(begin, "nobody at all")).await.unwrap();
    let summary = run(&program, &model, &[TASK]).expect(1).json();
    assert_eq!((&summary["status"], &summary["validation"]), (&json!("failure"), &json!("rejected")), "{summary}");
    assert!(summary.get("answer").is_none(), "{summary}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_auto_the_model_has_its_turn_only_where_the_words_decline() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        let page = asked.last();
        Reply::Cost(
            ScriptedTokens { prompt: 1_000_000, cached: 0, completion: 0 },
            Box::new(Reply::Json(match page.contains("\nDone:") {
                true => policy::over("PROCEED", "named"),
                false => {
                    policy::act("fill", json!({ "target": reference(&page, "textbox \"Customer\""), "text": "Ada" }))
                }
            })),
        )
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let file = program.write("order.txt", MADE_UP);
    let url = site.signed_in_url("/orders/new");
    let ended = run(&program, &model, &[file.to_str().unwrap(), "--url", &url, "--decider", "auto"]).expect(0);
    let summary = ended.json();
    let deciders: Vec<_> = (0..3).map(|at| summary["steps"][at]["decider"].as_str().unwrap()).collect();
    assert_eq!(deciders, ["literal", "model", "literal"], "{summary}");
    assert_eq!(summary["usage"]["promptTokens"], 2_000_000);
}
