//! Complete runs with extraction and vision: a list from two pages of the demo site with the source of each value, and
//! a model that receives a screenshot with refs. The models are scripted and see only the content of their requests.

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Asked, Reply, ScriptedModel, Wire};
use regex::Regex;
use serde_json::{Value, json};

use crate::{
    deciding, policy,
    support::{Ended, Program, finish},
};

/// A run with this model, with or without vision.
fn run(program: &Program, model: &ScriptedModel, arguments: &[&str], vision: &str) -> Ended {
    let mut command = deciding::run(program, model, arguments);
    command.env("LEGWORK_MODEL_VISION", vision);
    finish(command)
}

/// Extracts every table row in the text of a page, with its line number.
fn take_rows(text: &str) -> Value {
    let row = Regex::new(r"(?m)^(\d+) \| ([A-Z][^|]*?) +\| [^|]*\| +4\d{3} +\| +(\d+\.\d\d) +\|").unwrap();
    let items: Vec<Value> = row
        .captures_iter(text)
        .map(|row| {
            let line: usize = row[1].parse().unwrap();
            json!({"line": line, "value": {"name": &row[2], "price": &row[3]}})
        })
        .collect();
    json!({ "items": items })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_over_two_pages_is_taken_with_its_sources() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        let prompt = asked.last();
        Reply::Json(match prompt.contains("\nDone:") {
            _ if asked.text().starts_with("You take data out of") => take_rows(&prompt),
            true => policy::over("PROCEED", "There they are."),
            false => policy::act(
                "extract",
                json!({"instruction": "name and price of each product", "fields": ["name", "price"], "variable": "products", "pages": 2}),
            ),
        })
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let url = site.signed_in_url("/products");
    let ended = run(&program, &model, &["list what the first two pages sell", "--url", &url], "off");
    assert_eq!(ended.code, 0, "{}\n{}", program.show_last(), ended.err);
    let summary = ended.json();
    let products = summary["variables"]["products"].as_array().unwrap();
    assert_eq!(products.len(), 20, "{summary}");
    assert_eq!(summary["usage"]["calls"], 4, "{summary}");

    let events = program.events();
    let extracted = &events.iter().find(|event| event["type"] == "DATA_EXTRACTED").unwrap()["data"];
    let sources = extracted["sources"].as_object().unwrap();
    assert_eq!((sources.len(), extracted.get("unverified")), (40, None), "{extracted}");
    assert!(sources["/0/name"].as_str().unwrap().starts_with("page 1 line "), "{extracted}");
    assert!(sources["/19/price"].as_str().unwrap().starts_with("page 2 line "), "{extracted}");

    let table = program.run(&["show", "last", "--data=products", "--format", "csv"]).expect(0).out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines.len(), lines[0]), (21, "name,price"), "{table}");
    let first = format!("{},{}", products[0]["name"].as_str().unwrap(), products[0]["price"].as_str().unwrap());
    assert_eq!(lines[1], first);
    let all: Value = serde_json::from_str(&program.run(&["show", "last", "--data"]).expect(0).out).unwrap();
    assert_eq!(all[0]["data"], summary["variables"]["products"]);
    program.run(&["show", "last", "--data=nothing", "--format", "csv"]).expect(2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_sees_is_shown_the_page_with_refs() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        if asked.text().starts_with("Describe this picture") {
            return Reply::text("A table of products; e1 leads home.");
        }
        let seen = asked.last().contains("A table of products");
        Reply::Json(match seen {
            true => policy::over("PROCEED", "seen"),
            false => policy::act("look", json!({"marks": true})),
        })
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let program = Program::new();
    let url = site.signed_in_url("/products");
    run(&program, &model, &["what does it look like", "--url", &url], "on").expect(0);
    let pictures: Vec<(String, String)> = model.requests().iter().flat_map(Asked::images).collect();
    assert_eq!(pictures.len(), 1);
    assert!(pictures[0].0 == "image/jpeg" && pictures[0].1.len() > 10_000, "{}", pictures[0].1.len());
}
