//! `extract`: parts, shapes, sources, pages.

use legwork_agent::{ExtractRules, ModelRules, Need, NeedResult, Rules};
use legwork_protocol::{Code, EventKind, Purpose, RunStart, Status};
use serde_json::{Value, json};

use crate::{
    model::{CLICK, DONE},
    support::{page, start},
    world::{CUT, Played, World},
};

fn rules() -> Rules {
    Rules { model: Some(ModelRules::default()), ..Rules::default() }
}

fn task() -> RunStart {
    RunStart { task: true, ..start(&["list the products"]) }
}

fn extract(parameters: Value) -> String {
    CLICK.replace(
        r#"{"action":"click","parameters":{"target":"e2"}}"#,
        &json!({"action": "extract", "parameters": parameters}).to_string(),
    )
}

const FIRST: &str = "- heading \"Products\"\n- button \"Next page\" [ref=e7]\n- text: Page 1";
const LAST: &str = "- heading \"Products\"\n- button \"Next page\" [ref=e8] [disabled]\n- text: Page 2";
const PAGE_1: &str =
    "# Products\n\n| Product | Price |\n| --- | --- |\n| Ash chair | 49.00 |\n| Oak desk | 1,249.50 |\n";
const PAGE_2: &str = "# Products\n\n| Product | Price |\n| --- | --- |\n| Elm shelf | 80.00 |\n";

/// What was extracted: data, sources, what is not verified.
fn extracted(played: &Played) -> (Value, Vec<String>, Vec<String>) {
    let events = played.script.journal.iter().rev();
    let found = events.filter_map(|event| match &event.kind {
        EventKind::DataExtracted { data, sources, unverified, .. } => {
            let sources = sources.iter().map(|(at, line)| format!("{at} {line}")).collect();
            Some((data.clone(), sources, unverified.clone()))
        }
        _ => None,
    });
    found.into_iter().next().unwrap_or_else(|| panic!("nothing extracted: {:#?}", played.script.told()))
}

#[test]
fn a_list_over_two_pages_with_a_source_for_each_value() {
    let items = |rows: &[(usize, &str, &str)]| {
        let item =
            |(line, name, price): &(usize, &str, &str)| json!({"line": line, "value": {"name": name, "price": price}});
        json!({"items": rows.iter().map(item).collect::<Vec<_>>()}).to_string()
    };
    let command = extract(json!({
        "instruction": "every product", "fields": ["name", "price"], "variable": "products", "pages": 5,
    }));
    let world = World {
        pages: vec![FIRST.into(), LAST.into()],
        texts: vec![Some(PAGE_1.into()), Some(PAGE_2.into())],
        ..World::default()
    };
    let played = world
        .replies(Purpose::Act, &[&command, DONE])
        .replies(
            Purpose::Extract,
            &[&items(&[(4, "Ash chair", "49.00"), (5, "Oak desk", "1,249.50")]), &items(&[(4, "Elm shelf", "99.00")])],
        )
        .play(task(), rules());
    assert_eq!(played.outcome.status, Status::Success);
    let data = json!([
        {"name": "Ash chair", "price": "49.00"}, {"name": "Oak desk", "price": "1,249.50"}, {"name": "Elm shelf", "price": "99.00"},
    ]);
    let (got, sources, unverified) = extracted(&played);
    assert_eq!((&got, &unverified), (&data, &vec!["/2/price".to_owned()]));
    assert_eq!(
        sources,
        [
            "/0/name page 1 line 4",
            "/0/price page 1 line 4",
            "/1/name page 1 line 5",
            "/1/price page 1 line 5",
            "/2/name page 2 line 4"
        ]
    );
    assert_eq!(played.outcome.variables["products"], data);
    assert_eq!((played.done.as_slice(), played.calls(Purpose::Extract)), (["click e7".to_owned()].as_slice(), 2));
    let told = played.events(&["WARNING"]);
    assert_eq!(told, ["[0] WARNING_ISSUED 1 extracted values are not in the lines that the model named: /2/price"]);
    insta::assert_snapshot!("prompt_extract", played.prompt(Purpose::Extract, 0));
    assert!(played.prompt(Purpose::Act, 1).contains("extract: instruction"), "{}", played.prompt(Purpose::Act, 1));
    // Another process that takes the step up knows the variable from the journal.
    let Played { mut script, .. } = played;
    let end = script.journal.iter().position(|event| matches!(event.kind, EventKind::StepCompleted(_)));
    script.journal.truncate(end.expect("the step ended"));
    let mut seen = String::new();
    script.resume(rules()).drive(|need| match need {
        Need::Decide(request) => {
            seen = request.messages[1].text.to_string();
            None
        }
        _ => Some(NeedResult::Observed(page(LAST))),
    });
    assert!(seen.contains("products = [{\"name\":\"Ash chair\""), "{seen}");
}

#[test]
fn a_long_page_is_asked_about_part_by_part() {
    let text: String = (1..=120).map(|n| format!("Article {n} costs {n}.00\n")).collect();
    let rules = Rules { extract: ExtractRules { chunk_tokens: 400, overlap: 2, ..ExtractRules::default() }, ..rules() };
    let schema = json!({"type": "object", "properties": {"first": {"type": "string"}, "last": {"type": "string"}}, "required": ["first", "last"]});
    let command = extract(json!({"instruction": "the first and the last article", "schema": schema}));
    let world = World { pages: vec![LAST.into()], texts: vec![Some(text)], ..World::default() };
    let last = r#"{"value":{"first":null,"last":"Article 120"},"lines":[120]}"#;
    let played = world
        .replies(Purpose::Act, &[&command, DONE])
        .replies(Purpose::Extract, &[r#"{"value":{"first":"Article 1","last":null},"lines":[1]}"#, last])
        .play(task(), rules);
    assert!(played.calls(Purpose::Extract) > 3, "{}", played.calls(Purpose::Extract));
    let (data, sources, _) = extracted(&played);
    assert_eq!(data, json!({"first": "Article 1", "last": "Article 120"}));
    assert_eq!(sources, ["/first line 1", "/last line 120"]);
    for (_, prompt, _) in played.asked.iter().filter(|(purpose, ..)| *purpose == Purpose::Extract) {
        assert!(legwork_observe::tokens::count(prompt) < 700, "{prompt}");
    }
    assert!(played.prompt(Purpose::Extract, 1).contains("Part 2 of "));
}

#[test]
fn what_does_not_fit_is_asked_for_again_twice_and_no_more() {
    let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]});
    let command = extract(json!({"instruction": "the total", "schema": schema}));
    let play = |replies: &[&str]| {
        let world =
            World { pages: vec![LAST.into()], texts: vec![Some("Total: 1.249,50 EUR".into())], ..World::default() };
        world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, replies).play(task(), rules())
    };
    let text = r#"{"value":{"total":"1.249,50 EUR"},"lines":[1]}"#;
    let played = play(&[
        text,
        "I see no total.",
        r#"```json
{"value":{"total":1249.5},"lines":[1]}
```"#,
    ]);
    assert_eq!(extracted(&played), (json!({"total": 1249.5}), vec!["/total line 1".to_owned()], vec![]));
    insta::assert_snapshot!("prompt_extract_again", played.prompt(Purpose::Extract, 1));
    let played = play(&[text]);
    assert_eq!(played.calls(Purpose::Extract), 3);
    assert!(played.prompt(Purpose::Act, 1).contains("→ failed: extract: no reply was of any use"));
    let told = played.events(&["COMMAND"]);
    assert_eq!(told, ["[0] COMMAND_STARTED model extract", "[0] COMMAND_FAILED"]);
}

#[test]
fn a_list_keeps_the_rows_that_fit() {
    let schema = json!({"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}}}});
    let command = extract(json!({"instruction": "prices", "schema": schema.to_string()}));
    let world = World { pages: vec![LAST.into()], texts: vec![Some(PAGE_1.into())], ..World::default() };
    let rows = r#"{"items":[{"line":4,"value":{"price":49}},{"line":5,"value":{"price":"many"}}]}"#;
    let played =
        world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, &[rows]).play(task(), rules());
    let (data, sources, _) = extracted(&played);
    assert_eq!((data, sources), (json!({"rows": [{"price": 49}]}), vec!["/rows/0/price line 4".to_owned()]));
    assert!(played.events(&["WARNING"]).last().is_some_and(|line| line.contains("1 items were left out")));
}

#[test]
fn without_a_text_the_observation_is_read_and_a_list_that_repeats_has_ended() {
    let row = r#"{"items":[{"line":1,"value":"Products"}]}"#;
    let command = extract(json!({"instruction": "headings", "pages": 3, "next": "e7"}));
    let next = FIRST.replace("e7", "e9").replace("Page 1", "Page 2");
    let world = World { pages: vec![FIRST.into(), next], texts: vec![], ..World::default() };
    let played = world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, &[row]).play(task(), rules());
    assert_eq!(extracted(&played).0, json!(["Products"]));
    // A ref is good for one page: the next one's button is found by what the first one's was.
    assert_eq!(played.done, ["click e7"]);
    let told = played.events(&["WARNING"]).join("\n");
    assert!(told.contains("taken from its observation") && told.contains("page 2 repeats earlier items"), "{told}");
}

#[test]
fn what_a_page_says_names_no_secret_of_ours() {
    let command = extract(json!({"instruction": "the note", "variable": "note"}));
    let world = World { pages: vec![LAST.into()], texts: vec![Some("Note: ${secret:KEY}".into())], ..World::default() };
    let value = r#"{"value":{"note":"${secret:KEY}"},"lines":[1]}"#;
    let played =
        world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, &[value]).play(task(), rules());
    assert_eq!(played.outcome.variables["note"], json!({"note": "$ {secret:KEY}"}));
}

#[test]
fn a_schema_that_is_none_is_told_and_nothing_is_asked() {
    let command = extract(json!({"instruction": "prices", "schema": {"type": "prize"}}));
    let world = World { pages: vec![LAST.into()], texts: vec![Some(PAGE_1.into())], ..World::default() };
    let played = world.replies(Purpose::Act, &[&command, DONE]).play(task(), rules());
    assert_eq!(played.calls(Purpose::Extract), 0);
    let said = format!("ERROR_OCCURRED {} the schema cannot be used", Code::SchemaGeneration.name());
    assert_eq!(played.events(&[&said]).len(), 1, "{:#?}", played.script.told());
}

#[test]
fn pages_are_turned_as_often_as_the_settings_allow() {
    let command = extract(json!({"instruction": "the pages", "pages": 40, "next": "e7"}));
    let pages = || (1..=6).map(|n| FIRST.replace("Page 1", &format!("Page {n}"))).collect();
    let texts = || (1..=6).map(|n| Some(format!("Page {n}"))).collect();
    let rows: Vec<String> = (1..=6).map(|n| format!(r#"{{"items":[{{"line":1,"value":"Page {n}"}}]}}"#)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let world = World { pages: pages(), texts: texts(), ..World::default() };
    let limited = Rules { extract: ExtractRules { pages: 3, ..ExtractRules::default() }, ..rules() };
    let played = world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, &rows).play(task(), limited);
    assert_eq!(extracted(&played).0, json!(["Page 1", "Page 2", "Page 3"]));
    assert_eq!(played.done.len(), 2);
}

#[test]
fn what_leads_on_and_changes_nothing_is_the_end_of_the_list() {
    let command = extract(json!({"instruction": "the products", "pages": 5, "next": "e7"}));
    let world = World {
        pages: vec![FIRST.into(), FIRST.into()],
        texts: vec![Some(PAGE_1.into()), Some(PAGE_2.into())],
        ..World::default()
    };
    let row = r#"{"items":[{"line":5,"value":"Ash chair"}]}"#;
    let other = r#"{"items":[{"line":5,"value":"Elm shelf"}]}"#;
    let played =
        world.replies(Purpose::Act, &[&command, DONE]).replies(Purpose::Extract, &[row, other]).play(task(), rules());
    assert_eq!(extracted(&played).0, json!(["Ash chair"]));
    let told = played.events(&["WARNING"]).join("\n");
    assert!(told.contains("did not change the page"), "{told}");
}

#[test]
fn data_that_was_cut_off_is_asked_for_in_halves() {
    let text: String = (1..=20).map(|n| format!("Article {n}\n")).collect();
    let world = World { pages: vec![LAST.into()], texts: vec![Some(text)], ..World::default() };
    let items = |lines: std::ops::RangeInclusive<usize>| {
        let item = |n: usize| json!({"line": n, "value": format!("Article {n}")});
        json!({"items": lines.map(item).collect::<Vec<_>>()}).to_string()
    };
    let cut = format!(r#"{CUT}{{"items":[{{"line":1,"value":"Arti"#);
    let command = extract(json!({"instruction": "every article"}));
    let played = world
        .replies(Purpose::Act, &[&command, DONE])
        .replies(Purpose::Extract, &[&cut, &items(1..=10), &items(10..=20)])
        .play(task(), rules());
    assert_eq!(played.calls(Purpose::Extract), 3);
    let all: Vec<String> = (1..=20).map(|n| format!("Article {n}")).collect();
    assert_eq!(extracted(&played).0, json!(all));
    assert!(played.prompt(Purpose::Extract, 1).contains("Part 1 of 2"), "{}", played.prompt(Purpose::Extract, 1));
}
