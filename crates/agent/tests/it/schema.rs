//! What a model writes, and what is made of it.

use legwork_agent::schema::{Form, Mode, SchemaOptions, SchemaProblem, full, read, shape, summary, validate, wire};
use legwork_protocol::{Action, Decision, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

fn decide(reply: &str) -> Decision {
    read(reply, &SchemaOptions::default()).unwrap_or_else(|problems| panic!("{reply}: {problems:?}"))
}

fn refuse(reply: &str) -> Vec<String> {
    match read(reply, &SchemaOptions::default()) {
        Ok(decision) => panic!("{reply} was taken for {decision:?}"),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

fn reply(verdict: &str, command: Value) -> String {
    json!({
        "decision": { "action": verdict, "message": "m" },
        "reasoning": { "analysis": "a", "rationale": "r", "expectedOutcome": "e" },
        "confidence": 0.8,
        "command": command,
    })
    .to_string()
}

fn click() -> Value {
    json!({ "action": "click", "parameters": { "target": "e5" } })
}

fn only(decision: &Decision) -> Value {
    assert_eq!(decision.commands.len(), 1, "{decision:?}");
    serde_json::to_value(&decision.commands[0].action).expect("an action is plain data")
}

#[test]
fn proceed_goes_on_with_a_command_and_is_done_without_one() {
    let on = decide(&reply("PROCEED", click()));
    assert_eq!((on.verdict, on.confidence, only(&on)), (Verdict::Proceed, 0.8, click()));
    let done = decide(&reply("PROCEED", Value::Null));
    assert_eq!((done.verdict, done.commands.len(), done.message.as_str()), (Verdict::Proceed, 0, "m"));
    assert_eq!(refuse(&reply("GO", click())), ["decision.action: expected PROCEED, RETRY or ABORT, found \"GO\""]);
}

#[test]
fn a_problem_of_a_command_line_mentions_no_other_form_of_a_reply() {
    let options = SchemaOptions { form: Form::Line, ..SchemaOptions::default() };
    let refused = |reply: &str| -> Vec<String> {
        read(reply, &options).expect_err("it cannot be used").iter().map(ToString::to_string).collect()
    };
    let problems = refused(r#"{"why":"tick","do":"check the checkbox in the row of \"24\"","confidence":0.7}"#);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains(r#"find "24" shows the refs there"#), "{problems:?}");
    let problems = refused(r#"{"why":"tick","confidence":0.7}"#);
    assert!(problems.iter().all(|problem| !problem.contains("PROCEED")), "{problems:?}");
}

#[test]
fn retry_needs_a_command() {
    assert_eq!(decide(&reply("RETRY", click())).verdict, Verdict::Retry);
    assert_eq!(
        refuse(&reply("RETRY", Value::Null)),
        ["command: expected a command that corrects it, as the verdict is RETRY, found nothing"]
    );
}

#[test]
fn abort_forbids_a_command() {
    assert_eq!(decide(&reply("ABORT", Value::Null)).verdict, Verdict::Abort);
    assert_eq!(
        refuse(&reply("ABORT", click())),
        ["command: expected no command, as the verdict is ABORT, found \"1 commands\""]
    );
}

#[test]
fn the_examples_of_the_reply_format_are_read() {
    let seed = r#"{"decision": {"action": "RETRY", "resultValidation": {"success": false, "expectedElements": ["input[name='username']"],
        "actualState": "hidden", "issues": ["No input"]}, "message": "trying"}, "reasoning": {"analysis": "a", "rationale": "r",
        "expectedOutcome": "o", "confidence": 0.7, "alternatives": "x"}, "command": {"action": "INPUT_TEXT",
        "parameters": {"selector": "input[name='username']", "text": "${saved_username}"}, "reasoning": "why"}}"#;
    let decision = decide(seed);
    assert_eq!(decision.confidence, 0.7);
    assert_eq!(decision.commands[0].reasoning.as_deref(), Some("why"));
    assert_eq!(
        only(&decision),
        json!({"action": "fill", "parameters": {"target": "input[name='username']", "text": "${saved_username}"}})
    );
    let simple = r##"{"action": {"command": "SAVE_VARIABLE", "parameters": {"selector": "#total", "variableName": "total"}},
        "reasoning": "it is there", "confidence": 85, "flowControl": "continue"}"##;
    let decision = decide(simple);
    assert_eq!((decision.verdict, decision.confidence), (Verdict::Proceed, 0.85));
    assert_eq!(only(&decision), json!({"action": "save", "parameters": {"target": "#total", "variable": "total"}}));
    let gave_up = decide(r#"{"reasoning": "r", "confidence": "HIGH", "flowControl": "stop_failure", "command": null}"#);
    assert_eq!((gave_up.verdict, gave_up.confidence), (Verdict::Abort, 0.9));
}

#[test]
fn every_way_to_write_a_command_means_the_same() {
    for command in [
        r#""command": {"action": "click", "parameters": {"target": "e5"}}"#,
        r#""commands": [{"action": "CLICK_ELEMENT", "parameters": {"selector": "e5"}}]"#,
        r#""action": {"command": "click_element", "parameters": {"ref": "e5"}}"#,
        r#""command": {"action": "click", "target": "[ref=e5]"}"#,
        r#""command": {"click": {"target": "@e5"}}"#,
        r#""command": {"name": "browser_click", "arguments": {"element": {"ref": "e5"}}}"#,
        r#""action": "click", "parameters": {"target": "e5"}"#,
        r#""command": {"action": "click", "parameters": {"target": "e5", "count": null, "button": null}}"#,
    ] {
        let decision =
            decide(&format!(r#"{{"decision": {{"action": "PROCEED", "message": ""}}, "confidence": 1, {command}}}"#));
        let target = decision.commands[0].action.target().unwrap().0.clone();
        assert_eq!((decision.commands[0].action.name(), target.trim_start_matches('@')), ("click", "e5"), "{command}");
    }
}

/// Every other name of the contract's table (§2), with parameters as the seeds and the peers name them.
#[test]
fn aliases_of_other_tools_are_accepted() {
    let table = [
        (r#"OPEN_PAGE {"url":"https://a.test/"}"#, r#"open {"url":"https://a.test/"}"#),
        (r#"goto {"url":"https://a.test/"}"#, r#"open {"url":"https://a.test/"}"#),
        (r#"navigate {"address":"https://a.test/"}"#, r#"open {"url":"https://a.test/"}"#),
        (r##"CLICK_ELEMENT {"selector":"#a"}"##, r##"click {"target":"#a"}"##),
        (r#"click_element {"ref":"e1"}"#, r#"click {"target":"e1"}"#),
        (r#"INPUT_TEXT {"selector":"e1","value":"x"}"#, r#"fill {"target":"e1","text":"x"}"#),
        (r#"type_text {"ref":"e1","text":"x"}"#, r#"fill {"target":"e1","text":"x"}"#),
        (r#"input_text {"element":"e1","content":"x"}"#, r#"fill {"target":"e1","text":"x"}"#),
        (r#"enter {}"#, r#"press {"key":"Enter"}"#),
        (r#"select_option {"ref":"e1","value":"x"}"#, r#"select {"target":"e1","values":["x"]}"#),
        (r#"upload_file {"ref":"e1","path":"a.txt"}"#, r#"upload {"files":["a.txt"],"target":"e1"}"#),
        (r#"handle_dialog {"accept":true}"#, r#"dialog {"accept":true}"#),
        (r#"tabs {"op":"switch","to":"2"}"#, r#"tab {"op":"switch","to":"2"}"#),
        (r#"SAVE_VARIABLE {"selector":"e1","variableName":"v"}"#, r#"save {"target":"e1","variable":"v"}"#),
        (r#"GET_TEXT {"selector":"e1"}"#, r#"read {"target":"e1"}"#),
        (r#"GET_CONTENT {"selector":"e1"}"#, r#"read {"target":"e1"}"#),
        (r#"TEXT_EXTRACTION {"selector":"e1"}"#, r#"read {"target":"e1"}"#),
        (r#"GET_DOM {}"#, "dom {}"),
        (r#"FULL_DOM_RETRIEVAL {}"#, "dom {}"),
        (r#"GET_SUBDOM {"selector":"main"}"#, r#"subdom {"target":"main"}"#),
        (r#"SUB_DOM_EXTRACTION {"selector":"main"}"#, r#"subdom {"target":"main"}"#),
        (r#"SCREENSHOT_ANALYSIS {}"#, "look {}"),
        (r#"screenshot {}"#, "look {}"),
        (r#"request_user_data {"question":"which?"}"#, r#"ask {"question":"which?"}"#),
        (r#"task_complete {"result":"all of it"}"#, r#"done {"result":"all of it"}"#),
    ];
    let options = SchemaOptions { vision: true, ..SchemaOptions::default() };
    let canonical = |name: &str, parameters: &str| {
        let parameters: Value = serde_json::from_str(parameters).expect("a row holds JSON");
        let command = json!({ "action": name, "parameters": parameters });
        let decision = read(&reply("PROCEED", command), &options).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        decision.commands[0].action.clone()
    };
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(written, ours)| {
            let of = |row: &str| row.split_once(' ').map(|(name, rest)| canonical(name, rest)).expect("name {…}");
            let (written_as, meant) = (of(written), of(ours));
            let same = written_as == meant && ours.starts_with(meant.name());
            (!same).then(|| format!("{written} came out as {written_as:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_surely_meant_is_mended() {
    let whole = reply("PROCEED", click());
    let expected = decide(&whole);
    for written in [
        format!("```json\n{whole}\n```"),
        format!("Sure! I will {{click}} it now:\n\n{whole}\n\nLet me know."),
        format!("<think>maybe {{\"decision\": 1}}</think>{whole}"),
        whole.replace('"', "'"),
        whole.replace("}}", ",}}").replace("\"m\"", "\"m\","),
        whole.replace("\"decision\"", "decision").replace("\"command\"", "command"),
        whole.replace("\"PROCEED\"", "PROCEED"),
        whole.replace("{\"command", "{ // my reply\n \"command"),
        whole.strip_suffix('}').unwrap().to_owned(),
    ] {
        assert_eq!(decide(&written), expected, "{written}");
    }
}

#[test]
fn a_cut_off_reply_stands_only_when_its_command_came_through() {
    let cut = r#"{"command": {"action": "click", "parameters": {"target": "e5"}}, "decision": {"action": "PROCEED", "message": "m"}, "confidence": 0.8, "reasoning": {"analysis": "it is lo"#;
    assert_eq!(only(&decide(cut)), click());
    // Without its command it would mean that the task is done.
    for cut in [
        r#"{"decision": {"action": "PROCEED", "message": "m"}, "confidence": 0.8, "reasoning": {"analysis": "it is"#,
        r#"{"decision": {"action": "PROCEED", "message": "m"}, "command": {"action": "open", "parameters": {"url": "http://a.test/x"#,
        r#"{"decision": {"action": "PROCEED"#,
        "{",
    ] {
        refuse(cut);
    }
}

#[test]
fn each_problem_names_its_field() {
    let reply = reply("PROCEED", json!({ "action": "fill", "parameters": { "targte": "e5", "text": 5 } }))
        .replace("0.8", "\"sure\"");
    insta::assert_snapshot!(refuse(&reply).join("\n"), @r#"
    command.parameters.target: expected what fill needs, found nothing
    command.parameters.text: expected a string, found 5
    command.parameters.targte: expected no such parameter of fill, found "e5"
    confidence: expected a number from 0 to 1, found "sure"
    "#);
}

#[test]
fn hostile_replies_are_refused() {
    let nested = format!("{{\"decision\":{}", "{\"a\":".repeat(2_000_000));
    for hostile in [
        nested.as_str(),
        &"[".repeat(8 << 20),
        "",
        "I cannot help with that.",
        "null",
        r#"{"hello": "world"}"#,
        &reply("PROCEED", json!({ "action": "open", "parameters": { "url": "javascript:alert(1)" } })),
        &reply("PROCEED", json!({ "action": "open", "parameters": { "url": " JavaScript:alert(1)" } })),
        &reply("PROCEED", json!({ "action": "open", "parameters": { "url": "file:///etc/passwd" } })),
        &reply("PROCEED", json!({ "action": "open", "parameters": { "url": "data:text/html,x" } })),
        &reply("PROCEED", json!({ "action": "tab", "parameters": { "op": "open", "url": "javascript:alert(1)" } })),
        &reply("PROCEED", json!({ "action": "click", "parameters": { "target": "a{} body{display:none}" } })),
        &reply("PROCEED", json!({ "action": "click", "parameters": { "target": "" } })),
        &reply("PROCEED", json!({ "action": "click", "parameters": { "target": "e5", "sessionId": "x" } })),
        &reply("PROCEED", json!({ "action": "eval", "parameters": { "code": "1" } })),
        &reply("PROCEED", json!({ "action": "save", "parameters": { "target": "e5", "variable": "a b" } })),
        &reply("PROCEED", json!([click(), click()])),
        &reply("PROCEED", json!({ "$schema": "x", "type": "object", "action": "click" })),
    ] {
        refuse(hostile);
    }
}

#[test]
fn a_strict_reader_refuses_what_a_lenient_one_leaves_out() {
    let strict = SchemaOptions { mode: Mode::Strict, ..SchemaOptions::default() };
    let with_more = reply("PROCEED", click()).replace("\"confidence\"", "\"sessionId\":\"x\",\"confidence\"");
    assert_eq!(validate(&with_more, &SchemaOptions::default()).warnings, ["sessionId is no field and was left out"]);
    let problems: Vec<SchemaProblem> = read(&with_more, &strict).unwrap_err();
    assert_eq!(problems.iter().map(|problem| problem.path.as_str()).collect::<Vec<_>>(), ["sessionId"]);
    assert!(read(&reply("PROCEED", click()), &strict).is_ok());
}

/// Said apart from whether the whole reply is good: commands may be fine in a reply that lacks something else.
#[test]
fn whether_its_commands_fit_the_executor_is_said_of_every_reply() {
    let options = SchemaOptions::default();
    let said = |reply: &str| {
        let reading = validate(reply, &options);
        (reading.decision.is_some(), reading.executor_compatible)
    };
    let good = reply("PROCEED", click());
    let no_target = json!({ "action": "click", "parameters": {} });
    assert_eq!(said(&good), (true, true));
    assert_eq!(said(&good.replace("PROCEED", "PERHAPS")), (false, true));
    assert_eq!(said(&reply("PROCEED", no_target)), (false, false));
    assert_eq!(said(&reply("PROCEED", json!({ "action": "fly", "parameters": { "target": "e1" } }))), (false, false));
    assert_eq!(said("no reply at all"), (false, false));
}

#[test]
fn reasoning_is_required_where_it_is_set_so() {
    let bare = r#"{"decision":{"action":"PROCEED","message":"ok"},"confidence":0.9}"#;
    let strict =
        |require_reasoning| SchemaOptions { mode: Mode::Strict, require_reasoning, ..SchemaOptions::default() };
    assert!(read(bare, &strict(false)).is_ok());
    let problems = read(bare, &strict(true)).unwrap_err();
    assert_eq!(problems.iter().map(|problem| problem.path.as_str()).collect::<Vec<_>>(), ["reasoning"]);
}

#[test]
fn a_list_is_read_up_to_its_limit() {
    let two = SchemaOptions { max_commands: 2, ..SchemaOptions::default() };
    let list = |n: usize| reply("PROCEED", Value::Array(vec![click(); n]));
    assert_eq!(read(&list(2), &two).unwrap().commands.len(), 2);
    assert!(read(&list(3), &two).is_err());
}

/// Every schema in it is an object that names all its properties as required and forbids others.
fn assert_strict(schema: &Value) {
    for key in schema.as_object().into_iter().flat_map(|map| map.keys()) {
        let known = ["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"];
        assert!(known.contains(&key.as_str()), "{key} in {schema}");
    }
    if let Some(properties) = schema["properties"].as_object() {
        let keys: Vec<&String> = properties.keys().collect();
        assert_eq!(json!(keys), schema["required"]);
        assert_eq!(schema["additionalProperties"], json!(false));
        properties.values().for_each(assert_strict);
    }
    schema["anyOf"].as_array().into_iter().flatten().for_each(assert_strict);
    if schema.get("items").is_some() {
        assert_strict(&schema["items"]);
    }
}

#[test]
fn the_schema_that_goes_out_is_strict_small_and_made_once() {
    for options in [
        SchemaOptions::default(),
        SchemaOptions { include_optional_fields: true, max_commands: 3, ..SchemaOptions::default() },
        SchemaOptions { require_reasoning: false, ..SchemaOptions::default() },
    ] {
        assert_strict(&wire(&options).schema);
    }
    let schema = wire(&SchemaOptions::default()).schema;
    let tokens = legwork_observe::tokens::count(&schema.to_string());
    assert!(tokens <= 1_430, "{tokens} tokens");
    assert!(std::sync::Arc::ptr_eq(&schema, &wire(&SchemaOptions::default()).schema));
    insta::assert_snapshot!(
        "summary",
        format!("{}\n\n{}", shape(&SchemaOptions::default()), summary(&SchemaOptions::default()))
    );
    insta::assert_json_snapshot!("wire", *schema);
}

/// Users' sentences hold it (`click "Delete" and accept the dialog`); a model answers a dialog that it has seen.
#[test]
fn no_model_answers_a_dialog_with_the_action_that_opens_it() {
    let options = SchemaOptions { include_optional_fields: true, ..SchemaOptions::default() };
    for schema in [wire(&options).schema.to_string(), full(&options).to_string(), summary(&options)] {
        assert!(schema.contains("dialog") && !schema.contains("opened_by"), "{schema}");
    }
    let opened_by = json!({ "action": "click", "parameters": { "target": "e1" } });
    let answer = json!({ "action": "dialog", "parameters": { "accept": true, "opened_by": opened_by } });
    for mode in [Mode::Lenient, Mode::Strict] {
        let problems = read(&reply("PROCEED", answer.clone()), &SchemaOptions { mode, ..options.clone() }).unwrap_err();
        let problems: Vec<_> = problems.iter().map(|one| (one.path.as_str(), one.expected.as_str())).collect();
        assert_eq!(problems, [("command.parameters.opened_by", "no such parameter of dialog")]);
    }
}

#[test]
fn the_documented_schema_takes_what_the_reader_takes() {
    let schema = full(&SchemaOptions { include_optional_fields: true, ..SchemaOptions::default() });
    let address = "https://schema.invalid/reply";
    let (mut compiler, mut schemas) = (boon::Compiler::new(), boon::Schemas::new());
    compiler.add_resource(address, (*schema).clone()).unwrap();
    let index = compiler.compile(address, &mut schemas).unwrap();
    let is_valid = |reply: &Value| schemas.validate(reply, index).is_ok();
    for (verdict, command) in [("PROCEED", click()), ("RETRY", json!({"action": "tab", "parameters": {"op": "list"}}))]
    {
        let reply: Value = serde_json::from_str(&reply(verdict, command)).unwrap();
        assert!(is_valid(&reply), "{reply}");
    }
    let unknown: Value =
        serde_json::from_str(&reply("PROCEED", json!({"action": "click", "parameters": {"x": 1}}))).unwrap();
    assert!(!is_valid(&unknown));
}

proptest! {
    #[test]
    fn no_reply_makes_the_reader_panic(text in ".{0,200}") {
        let _ = validate(&text, &SchemaOptions::default());
    }

    #[test]
    fn no_damage_makes_the_reader_panic_or_invent(at in 0usize..250, junk in "[\"'{}\\[\\]:,a-z\\\\ ]{0,6}") {
        let mut text = reply("PROCEED", click());
        let at = at.min(text.len());
        text.insert_str(at, &junk);
        if let Ok(decision) = read(&text, &SchemaOptions::default()) {
            for command in &decision.commands {
                prop_assert!(matches!(command.action, Action::Click(_)));
            }
        }
    }

    #[test]
    fn a_reply_cut_anywhere_is_whole_or_refused(at in 0usize..300) {
        let text = reply("PROCEED", click());
        if let Ok(decision) = read(&text[..at.min(text.len())], &SchemaOptions::default()) {
            prop_assert_eq!(decision.commands.len(), 1);
        }
    }
}
