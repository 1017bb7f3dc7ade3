//! Extraction, steps and tasks with a scripted model that responds over HTTP like its provider.

use legwork_demo_site::DemoSite;
use legwork_testing::model::{Asked, Reply, ScriptedModel, Wire};
use serde_json::{Value, json};

use crate::support::{Another, Place, call, done, joined, reference};

/// Extracts every table row that has a price.
fn take(asked: &Asked) -> Reply {
    let prompt = asked.last();
    // `12 | Anchor line 16 mm | Ropes | 4001 | 3.20 | …`. The first column is the line number.
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let line: usize = cells.first()?.parse().ok()?;
        let price: f64 = cells.get(4)?.parse().ok()?;
        Some(json!({"line": line, "value": {"name": cells[1], "price": price}}))
    };
    let items: Vec<Value> = prompt.lines().filter_map(row).collect();
    Reply::Json(json!({ "items": items }))
}

fn line(command: &str) -> Reply {
    Reply::Json(json!({"why": "so", "do": command, "confidence": 0.9}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn data_is_taken_off_the_page_in_the_shape_that_is_asked_for() {
    let site = DemoSite::start().await.unwrap();
    for wire in Wire::ALL {
        let (place, model) = (Place::new(), ScriptedModel::start(wire, take).await.unwrap());
        let client = joined(place.options_with(&model).await, Another::called("another")).await;
        done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/products")})).await);
        let item = json!({
            "type": "object", "required": ["name", "price"],
            "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
        });
        let schema = json!({"type": "object", "required": ["products"],
            "properties": {"products": {"type": "array", "items": item}}});
        let asks = json!({"instruction": "the name and the price of each product", "schema": schema});
        let taken: Value = serde_json::from_str(&done(call(&client, "browser_extract", asks.clone()).await)).unwrap();
        let products = taken["products"].as_array().unwrap();
        assert_eq!((products.len(), &products[0]["price"]), (10, &json!(41.2)), "{taken}");
        let asked = &model.requests()[0];
        assert!(asked.text().contains("the name and the price of each product"), "{}", asked.text());
        assert!(asked.text().contains(&item["properties"].to_string()), "its shape is told: {}", asked.text());

        // Two pages of the list are read, and the reply keeps to its token limit.
        let both: Value = {
            let mut asks = asks.clone();
            asks["pages"] = json!(2);
            serde_json::from_str(&done(call(&client, "browser_extract", asks).await)).unwrap()
        };
        assert_eq!(both["products"].as_array().unwrap().len(), 20, "{both}");
        let mut few = asks;
        few["max_tokens"] = json!(40);
        let few = done(call(&client, "browser_extract", few).await);
        assert!(few.ends_with("(cut after 40 tokens; ask for more tokens)") && few.len() < 300, "{few}");
        client.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_and_a_task_are_the_models_own_to_decide() {
    let site = DemoSite::start().await.unwrap();
    let answer = |asked: &Asked| {
        let prompt = asked.last();
        let over = prompt.contains("\nDone:") || prompt.contains("heading \"Orders\"");
        match () {
            () if over && prompt.contains("first") => line("done \"Kirkholm Ferries\""),
            () if over => line("done \"named\""),
            () if prompt.contains("first") => line(&format!("click {}", reference(&prompt, "link \"Orders\""))),
            () => line(&format!("fill {} \"Ada\"", reference(&prompt, "textbox \"Customer\""))),
        }
    };
    let model = ScriptedModel::start(Wire::OpenAi, answer).await.unwrap();
    let place = Place::new();
    let another = Another::called("another");
    let client = joined(place.options_with(&model).await, another.clone()).await;
    done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/orders/new")})).await);
    let step = call(&client, "legwork_step", json!({"step": "Make up a name for whoever buys this"})).await;
    let step = done(step);
    assert!(step.starts_with("done") && step.contains("textbox \"Customer\"") && step.contains("Ada"), "{step}");
    assert_eq!(model.requests().len(), 2);

    // A task has its own page, and the client receives progress notifications.
    let url = site.signed_in_url("/");
    let task = call(&client, "legwork_run", json!({"task": "Who ordered first?", "url": url})).await;
    let task = done(task);
    assert!(task.starts_with("run ") && task.contains("\nKirkholm Ferries\n"), "{task}");
    let here = done(call(&client, "browser_evaluate", json!({"function": "location.pathname"})).await);
    assert_eq!(here, "/orders/new");
    another.hears(|messages| messages.iter().any(|text| text == "click link \"Products\"")).await;
    client.end().await;
}
