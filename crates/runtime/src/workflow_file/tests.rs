use legwork_protocol::{Input, OnResume, Step, Workflow};
use serde_json::json;

use super::*;

fn problems(source: &str, name: &str) -> String {
    validate(source, name).problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

const FULL: &str = r##"
name: Buy a book
url: http://localhost:8080/shop
inputs:
  title: Moby Dick
  copies: 2
  who: { description: Who gets it }
steps:
  - Type "${title}" into "Search"
  - step: 'Click "Buy"'
    expect: '"Thank you" is shown'
    when: '"Sold out" is not shown'
    on_resume: verify
    timeout: 90s
  - step: Look into the cart
    action: { action: hover, parameters: { target: ".cart" } }
  - Save the text of "Total" as total
  - Check that "${total}" is shown # a remark
"##;

fn full() -> Workflow {
    Workflow {
        name: "Buy a book".to_owned(),
        url: Some("http://localhost:8080/shop".to_owned()),
        inputs: [
            ("title".to_owned(), Input { default: Some(json!("Moby Dick")), description: None }),
            ("copies".to_owned(), Input { default: Some(json!(2)), description: None }),
            ("who".to_owned(), Input { default: None, description: Some("Who gets it".to_owned()) }),
        ]
        .into(),
        steps: vec![
            Step::new("Type \"${title}\" into \"Search\""),
            Step {
                step: "Click \"Buy\"".to_owned(),
                expect: Some("\"Thank you\" is shown".to_owned()),
                when: Some("\"Sold out\" is not shown".to_owned()),
                on_resume: Some(OnResume::Verify),
                timeout: Some(std::time::Duration::from_secs(90)),
                ..Step::default()
            },
            Step {
                action: serde_json::from_value(json!({"action": "hover", "parameters": {"target": ".cart"}})).ok(),
                ..Step::new("Look into the cart")
            },
            Step::new("Save the text of \"Total\" as total"),
            Step::new("Check that \"${total}\" is shown"),
        ],
    }
}

#[test]
fn yaml_is_read_whole() {
    assert_eq!(
        validate(FULL, "buy.yaml"),
        ParsedWorkflow { workflow: Some(full()), readable: Some(full()), problems: vec![] }
    );
    assert_eq!(read(FULL, "-").expect("told by its looks"), full());
}

#[test]
fn json_is_read_and_what_we_write_comes_back() {
    let written = serde_json::to_string_pretty(&full()).expect("writes").replace("  ", "\t");
    assert_eq!(read(&written, "buy.json").expect("reads"), full());
    assert_eq!(read(&written, "-").expect("told by its looks"), full());
    insta::assert_snapshot!(problems("{\"steps\": [\n  \"Open x\",\n]}", "a.json"), @"line 3, column 1: this is not JSON: expected value");
    insta::assert_snapshot!(problems("{\"steps\": [\"Open x\"", "a.json"), @"line 1, column 19: this is not JSON: EOF while parsing a list");
}

#[test]
fn markdown_is_one_step_an_item() {
    let source = "---\nurl: https://example.org/\n---\n# Buy a book\n\nSome prose, which is no step.\n\n## Find it\n\n1. Open the shop\n2. Type \"x\" into\n   \"Search\"\n\n```\nnot a step\n```\n<!-- nor\nthis -->\n> nor this\n\n- [ ] Click \"Buy\"\n* Click \"Pay\"\n---\n";
    let workflow = read(source, "buy.md").expect("reads");
    assert_eq!((workflow.name.as_str(), workflow.url.as_deref()), ("Buy a book", Some("https://example.org/")));
    let steps: Vec<&str> = workflow.steps.iter().map(|step| step.step.as_str()).collect();
    assert_eq!(steps, ["Open the shop", "Type \"x\" into \"Search\"", "Click \"Buy\"", "Click \"Pay\""]);
}

#[test]
fn plain_text_is_one_step_a_line() {
    let source = "\u{feff}# a remark\r\nname: Buy\r\nurl: https://example.org\r\n\r\nOpen the shop\r\n  - Click \"Buy\"\r\n// a remark\r\nWait for: the end\r\n";
    let workflow = read(source, "dir/buy.txt").expect("reads");
    assert_eq!((workflow.name.as_str(), workflow.url.as_deref()), ("Buy", Some("https://example.org")));
    let steps: Vec<&str> = workflow.steps.iter().map(|step| step.step.as_str()).collect();
    assert_eq!(steps, ["Open the shop", "Click \"Buy\"", "Wait for: the end"]);
    assert_eq!(read("Open x", "dir/buy.txt").expect("reads").name, "buy");
    assert_eq!(read("Open x", "-").expect("reads").name, "workflow");
}

#[test]
fn every_problem_is_listed_with_its_place() {
    let source = r#"nme: Buy
url: localhost:8080
inputs:
  2nd: x
  who: { defualt: 1 }
steps:
  - Click: the button
  - step: Click "Buy"
    expects: x
    timeout: soon
    on_resume: maybe
  - expect: '"x" is shown'
  - [a, b]
  - ""
  -
  - step: Wait
    timeout: 0
  - Type "${whoo}" into "Name of ${9}"
  - Type "hunter2" into "Password"
  - Type "${secret:a b}" into "Password"
  - Click #submit
"#;
    insta::assert_snapshot!(problems(source, "buy.yaml"), @r##"
    line 1, column 1: unknown key "nme"; did you mean "name"?
    line 2, column 6: "localhost:8080" is not an http or https address; did you mean http://localhost:8080?
    line 4, column 3: "2nd" is not a valid variable name; letters, digits and _, not beginning with a digit
    line 5, column 10: unknown key "defualt"; did you mean "default"?
    line 7, column 5: the colon makes this step a map; put the whole step in quotes
    line 9, column 5: unknown key "expects"; did you mean "expect"?
    line 10, column 14: `timeout` "soon" is not a valid duration; write seconds, or a number with ms, s, m or h
    line 11, column 16: `on_resume` is retry, verify or ask
    line 12, column 5: a step that is a map needs the key `step`, `if` or `for_each`
    line 13, column 5: a step is a text, not a list
    line 14, column 5: a step is empty
    line 15, column 4: a step is empty
    line 17, column 14: `timeout` must be greater than zero; write seconds, or a number with ms, s, m or h
    line 18, column 5: warning: ${9} is not a variable and is left unchanged; a name has letters, digits and _, and does not begin with a digit
    line 18, column 5: warning: the variable ${whoo} has no value; known here: 2nd, who; give it with --var whoo=…, name it under `inputs`, or save it in an earlier step
    line 19, column 5: warning: this step seems to hold a secret in plain text; write ${secret:NAME} in its place and give it with --secret NAME
    line 20, column 5: "a b" is not a valid secret name; letters, digits, `_`, `.` and `-`
    line 21, column 5: warning: "#submit" is a comment and no part of the step; put the step in quotes if it belongs to it
    "##);
    assert_eq!(read(source, "buy.yaml").expect_err("errors"), validate(source, "buy.yaml").problems);
}

#[test]
fn an_action_that_is_none_is_named() {
    let source = "steps:\n  - step: Jump\n    action: { action: jump }\n";
    let problems = problems(source, "a.yaml");
    assert!(problems.starts_with("line 3, column 13: `action` cannot be read: unknown variant `jump`"), "{problems}");
}

#[test]
fn an_action_may_have_the_names_that_other_tools_use() {
    let action = "{ action: CLICK_ELEMENT, parameters: { selector: '#save' } }";
    let yaml = read(&format!("steps:\n  - step: Save\n    action: {action}\n"), "a.yaml").unwrap();
    let json: Workflow = serde_json::from_value(serde_json::json!({
        "name": "a",
        "steps": [{ "step": "Save", "action": { "action": "CLICK_ELEMENT", "parameters": { "selector": "#save" } } }],
    }))
    .unwrap();
    for workflow in [&yaml, &json] {
        let action = serde_json::to_value(&workflow.steps[0].action).unwrap();
        assert_eq!(action, serde_json::json!({ "action": "click", "parameters": { "target": "#save" } }));
    }
}

#[test]
fn what_is_no_workflow_at_all_says_so() {
    let of = |source: &str, name| problems(source, name);
    insta::assert_snapshot!(
        [
            of("", "a.yaml"),
            of("", "a.txt"),
            of("just words", "a.yaml"),
            of("name: x", "a.yaml"),
            of("steps: Open x", "a.yaml"),
            of("steps:\n  - \"Sign in\" is clicked\n", "a.yaml"),
            of("steps:\n- a\nsteps:\n- b\n", "a.yaml"),
            of("a: &a [x, x]\nsteps: [*a, *a]\n", "a.yaml"),
            of("steps: [a]\n---\nsteps: [b]\n", "a.yaml"),
            of(&"[".repeat(100), "a.yaml"),
            of(&format!("{}1{}", "[".repeat(100), "]".repeat(100)), "a.json"),
            of("\u{0}\u{1}PNG", "a.txt"),
            of(&"x".repeat(MAX_BYTES + 1), "a.txt"),
            of("---\nsteps: x\n---\nOpen x\n", "a.md"),
            of("steps: [Open x]\nurl: javascript:alert(1)\n", "a.yaml"),
        ]
        .join("\n"),
        @r#"
        line 1: the file is empty; begin with `steps:` and a list of steps
        line 1: there are no steps; write one instruction a line
        line 1, column 1: a workflow is a map with `steps`, not a text; name the file .txt or .md for one step a line
        line 1, column 1: there are no `steps`
        line 1, column 8: `steps` is a list, not a text; begin each step's line with `- `
        line 2, column 15: this is not YAML: invalid trailing content after double-quoted scalar; a step that begins with a quote, or has `: ` or ` #` in it, is best put in single quotes
        line 3, column 1: the key "steps" is here twice
        line 1, column 4: anchors and aliases (`&`, `*`) are not read; put a text that begins with `*` or `&` in quotes
        line 2, column 1: a second document begins here; a file holds one workflow
        line 1, column 33: this is nested too deeply for a workflow
        line 1, column 33: this is nested too deeply for a workflow
        line 1: the control character U+0000 is not allowed in a workflow; is this a text file in UTF-8?
        line 1: the file has 1048577 bytes; a workflow has at most 1048576
        line 2: unknown key "steps"; there is name, url
        line 2, column 6: `javascript:` addresses cannot be opened; use http or https
        "#
    );
}

#[test]
fn warnings_do_not_stop_it() {
    let reading = validate(
        "Click \"${what}\"\nFill \"API token\" with \"abc123\"\nClick \"Forgot password\"\nFill \"Password\" with \"${secret:pw}\"\n",
        "a.txt",
    );
    assert_eq!(reading.workflow.map(|workflow| workflow.steps.len()), Some(4));
    insta::assert_snapshot!(reading.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @"
    line 1, column 1: warning: the variable ${what} has no value; no variable is known here; give it with --var what=…, name it under `inputs`, or save it in an earlier step
    line 2, column 1: warning: this step seems to hold a secret in plain text; write ${secret:NAME} in its place and give it with --secret NAME
    ");
}

#[test]
fn a_problem_in_a_list_of_steps_has_the_number_of_its_step() {
    let one_line = r#"{"name": "x", "steps": ["Open https://a.test", {"step": "Click \"A\"", "timeuot": 3}, {"if": "\"B\" is shown", "then": [""]}]}"#;
    let reading = validate(one_line, "steps.json");
    assert_eq!(reading.problems.iter().map(|problem| problem.step).collect::<Vec<_>>(), [Some(2), Some(3)]);
    let readable = reading.readable.expect("the rest can be read");
    assert!(reading.workflow.is_none() && readable.steps.len() >= 2, "{readable:?}");
    let outside = validate("steps:\n  - Click \"A\"\nurll: x\n", "a.yaml");
    assert_eq!(outside.problems.iter().map(|problem| problem.step).collect::<Vec<_>>(), [None]);
}

#[test]
fn the_first_page_is_the_url_or_what_the_first_step_opens() {
    let first = |source| first_page(&read(source, "a.txt").expect("reads")).map(|url| url.to_string());
    assert_eq!(first("url: https://a.test/x\nOpen https://b.test").as_deref(), Some("https://a.test/x"));
    assert_eq!(first("Open \"https://b.test/login\"").as_deref(), Some("https://b.test/login"));
    assert_eq!(first("Go to http://b.test:81").as_deref(), Some("http://b.test:81/"));
    assert_eq!(first("Open https://b.test/${page}, click \"Next\"").as_deref(), Some("https://b.test/$%7Bpage%7D"));
    let none = [
        "Check that https://b.test is shown",
        "Open the shop",
        "Click \"Next\"\nOpen https://b.test",
        "Click \"Next\", open https://b.test",
        // An address that is not opened, and hosts that a value decides.
        "Open the menu \"Links\" and type \"https://b.test\" into \"Address\"",
        "Open ${site}",
        "Open https://${site}/login",
        "Open https://b.test${site}/login",
        "Open https://b.test:${port}/login",
    ];
    for source in none {
        assert_eq!(first(source), None, "{source}");
    }
    let action =
        "steps:\n  - step: Open the shop\n    action: { action: open, parameters: { url: https://b.test/login } }";
    let workflow = read(action, "a.yaml").expect("reads");
    assert_eq!(first_page(&workflow).map(|url| url.to_string()).as_deref(), Some("https://b.test/login"));
    assert_eq!(read("url: \" https://a.test \"\nOpen x", "a.txt").unwrap().url.as_deref(), Some("https://a.test"));
}

proptest::proptest! {
    /// Every input results in a workflow or in an error, and each problem is on a line of the file. A workflow that was
    /// read can be written again.
    #[test]
    fn any_text_is_a_workflow_or_has_an_error(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "steps:", "- ", "\n", "  ", "step: ", "\"", "'", "${", "}", "secret:", "#", "```", "---", "<!--", "url: ", "é", "[", "]",
            "{", ":", "|", "Open x", "password", "1. ", "\t", "“", "timeout: ", "inputs:", "\r\n", "*", "&a ",
        ]), 0..40),
        name in proptest::sample::select(vec!["a.yaml", "a.json", "a.md", "a.txt", "-"]),
    ) {
        let source = pieces.concat();
        let reading = validate(&source, name);
        let errors = reading.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        proptest::prop_assert_eq!(reading.workflow.is_none(), errors > 0);
        let lines = source.lines().count() + 2;
        proptest::prop_assert!(reading.problems.iter().all(|problem| (1..=lines).contains(&problem.line)));
        if let Some(workflow) = reading.workflow {
            proptest::prop_assert!(workflow.steps.iter().all(|step| !step.step.is_empty()));
            let written = serde_json::to_string(&workflow).expect("writes");
            proptest::prop_assert_eq!(read(&written, "a.json"), Ok(workflow));
        }
    }
}

#[test]
fn groups_are_read_with_the_positions_of_their_steps() {
    let source = "steps:\n- for_each: row in \"Orders\"\n  where: '\"${row.Status}\" is \"open\"'\n  key: Order\n  steps:\n  - if: '\"Late\" is shown'\n    then:\n    - Click \"Warn\"\n    else:\n    - step: Click \"Ship\"\n      optional: true\n";
    let read = validate(source, "w.yaml");
    assert_eq!(read.problems, []);
    let workflow = read.workflow.expect("a workflow");
    let texts: Vec<&str> = workflow.all_steps().iter().map(|step| step.step.as_str()).collect();
    assert_eq!(
        texts,
        [
            "For each row in \"Orders\" where \"${row.Status}\" is \"open\"",
            "If \"Late\" is shown",
            "Click \"Warn\"",
            "Click \"Ship\"",
        ]
    );
    assert!(workflow.all_steps()[3].optional);
    let wire = serde_json::to_string(&workflow).expect("json");
    assert_eq!(read_workflow(&wire), workflow);
}

fn read_workflow(json: &str) -> Workflow {
    read(json, "w.json").expect("the same workflow")
}

#[test]
fn a_wrong_group_says_what_it_needs() {
    let check = |source: &str, expected: &str| {
        let problems: Vec<String> = validate(source, "w.yaml").problems.iter().map(ToString::to_string).collect();
        assert!(problems.join("\n").contains(expected), "{expected:?} in {problems:?}");
    };
    check("steps:\n- else:\n  - Click \"A\"\n", "line 2, column 3: `else` needs `if` in the same step");
    check("steps:\n- if: '\"A\" is shown'\n", "`if` needs `then`");
    check("steps:\n- if: '\"A\" is shown'\n  then: []\n", "line 3, column 3: `then` has no steps");
    check("steps:\n- if: '\"A\" is shown'\n  then: Click \"A\"\n", "`then` is a list of steps, not a text");
    check(
        "steps:\n- if: '\"A\" is shown'\n  step: Click \"A\"\n  then:\n  - Click \"A\"\n",
        "a step with `if` has no `step`",
    );
    check("steps:\n- if: '\"A\" is shown'\n  thne:\n  - Click \"A\"\n", "did you mean \"then\"?");
    check("steps:\n- for_each: row in \"A\"\n", "`for_each` needs `steps`");
    check("steps:\n- steps:\n  - Click \"A\"\n", "`steps` needs `for_each`");
    check(
        "steps:\n- for_each: row in \"A\"\n  steps:\n  - Click \"B\"\n  - Type \"${rwo.X}\" into \"C\"\n",
        "line 5, column 5: warning: the variable ${rwo.X} has no value",
    );
    check(
        "steps:\n- for_each: rows of \"A\"\n  steps:\n  - Click \"B\"\n",
        "line 2, column 13: a loop names a variable",
    );
    check("steps:\n- step: Click \"A\"\n  optional: maybe\n", "`optional` is true or false");
}

#[test]
fn sentences_with_a_structure_become_groups() {
    let steps = |name: &str, source: &str| {
        let reading = validate(source, name);
        assert!(reading.workflow.is_some(), "{:#?}", reading.problems);
        serde_json::to_value(reading.workflow.unwrap().steps).unwrap()
    };
    let expected = serde_json::json!([
        {"step": "Click \"Accept all\"", "optional": true},
        {"for_each": "row in \"Orders\"", "where": "\"${row.Status}\" is \"open\"", "steps": [
            {"if": "\"Fragile\" is shown", "then": ["Tick \"Careful\""], "else": ["Tick \"Fast\""]},
            "Click \"Ship\""
        ]},
        {"for_each": "name in ${names}", "steps": ["Click \"${name}\""]},
        "Check that \"Done\" is shown"
    ]);
    let text = "Click \"Accept all\" if it is shown\nFor each row in \"Orders\" where \"${row.Status}\" is \"open\":\n  \
                If \"Fragile\" is shown:\n    Tick \"Careful\"\n  Otherwise:\n    Tick \"Fast\"\n  Click \"Ship\"\nFor each name in \
                ${names}: Click \"${name}\"\nCheck that \"Done\" is shown\n";
    assert_eq!(steps("a.txt", text), expected);
    let markdown = "# Ship\n\nSome words.\n\n1. If \"Accept all\" is shown, Click \"Accept all\"\n2. For each row in \"Orders\" where\n   \
                    \"${row.Status}\" is \"open\":\n   - If \"Fragile\" is shown, Tick \"Careful\", otherwise Tick \"Fast\"\n   - Click \
                    \"Ship\"\n3. For each name in ${names}: Click \"${name}\"\n4. Check that \"Done\" is shown\n";
    assert_eq!(steps("a.md", markdown), expected);
    let yaml =
        "steps:\n- For each row in \"Orders\", click \"Ship\"\n- step: Click \"A\" if it is shown\n  timeout: 5\n";
    let read = steps("a.yaml", yaml);
    assert_eq!(read[0], serde_json::json!({"for_each": "row in \"Orders\"", "steps": ["click \"Ship\""]}));
    // A map says with its keys what it is.
    assert_eq!(read[1]["step"], "Click \"A\" if it is shown");
}

#[test]
fn a_problem_in_a_sentence_with_a_structure_has_its_line() {
    let open = validate("Click \"A\"\nFor each row in \"Orders\":\nClick \"Ship\"\n", "a.txt");
    assert!(open.workflow.is_none());
    assert_eq!((open.problems[0].line, open.problems[0].message.as_str()), (2, "there are no steps behind the colon"));
    let context = PreflightContext { variables: &BTreeMap::new(), reads_steps: true, has_decider: false };
    let inner = validate_for("For each row in \"Orders\":\n  Juggle \"Ship\"\n", "a.txt", context, Severity::Error);
    assert_eq!(inner.problems[0].line, 2, "{:#?}", inner.problems);
}
