use crate::program::Place;

#[test]
fn a_wrong_command_line_is_answered_with_what_was_probably_meant() {
    let place = Place::new();
    let typo = place.run(&["run", "--max-cots", "3", "do it"]);
    assert_eq!(typo.code, 2, "{typo}");
    assert!(typo.err.contains("--max-cost"), "{typo}");
    let command = place.run(&["validat", "x.yaml"]);
    assert_eq!(command.code, 2, "{command}");
    assert!(command.err.contains("validate"), "{command}");
    let value = place.run(&["run", "do it", "--timeout", "soon"]);
    assert_eq!(value.code, 2, "{value}");
    assert!(value.err.contains("a positive time such as 90, 90s, 5m or 1h"), "{value}");
    for arguments in [
        &["run", "x", "--max-actions", "0"][..],
        &["run", "x", "--max-cost", "-1"],
        &["run", "x", "--max-cost", "nan"],
        &["run", "x", "--cdp", "ws://a", "--headed"],
        &["run", "x", "-q", "-v"],
        &["run", "missing.yaml"],
        &["run", ""],
        &["run"],
    ] {
        let said = place.run(arguments);
        assert_eq!(said.code, 2, "{arguments:?}\n{said}");
        assert_eq!(said.out, "", "{arguments:?}");
    }
    // With `--json`, errors are JSON too.
    let json = place.run(&["show", "x", "--json", "--events"]);
    assert_eq!(json.code, 2, "{json}");
    let told: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(told["error"]["name"], "REQUEST_VALIDATION_FAILED", "{json}");
    assert!(told["error"]["message"].as_str().unwrap().contains("cannot be used with '--events"), "{json}");
}

#[test]
fn a_broken_workflow_is_shown_with_every_problem_and_its_place() {
    let place = Place::new();
    place.file("shop.yaml", "name: Shop\nstpes:\n  - Open https://example.org\nurl: javascript:alert(1)\n");
    insta::assert_snapshot!(place.run(&["validate", "shop.yaml"]));
    let run = place.run(&["run", "shop.yaml"]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.err.contains("did you mean \"steps\"?"), "{run}");
}

#[test]
fn a_sound_workflow_is_said_to_be_sound() {
    let place = Place::new();
    place.file("shop.yaml", "name: Shop\nsteps:\n  - Open https://example.org\n  - Check that \"Example\" is shown\n");
    insta::assert_snapshot!(place.run(&["validate", "shop.yaml"]), @r"
    exit 0
    --- out
    ✓ shop.yaml: Shop, 2 steps
    --- err
    ");
    let json = place.run(&["validate", "shop.yaml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["valid"], &json["workflow"]["name"]), (&true.into(), &"Shop".into()));
    let input = place.finish(place.command(&["validate", "-"]), "Open https://example.org\n");
    assert_eq!(input.code, 0, "{input}");
}

#[test]
fn the_action_of_a_step_is_shown_beside_its_text() {
    let place = Place::new();
    let action = "{action: open, parameters: {url: \"https://evil.example/?x=1\"}}";
    place.file("shop.yaml", &format!("name: Shop\nsteps:\n  - step: Check the prices\n    action: {action}\n"));
    let sound = place.run(&["validate", "shop.yaml"]);
    let line = "\"Check the prices\" carries out its action: open https://evil.example/?x=1";
    assert!(sound.code == 0 && sound.out.contains(line), "{sound}");
}

#[test]
fn every_wrong_setting_is_listed() {
    let place = Place::new();
    place.file("legwork.toml", "[browser]\nheadde = true\n\n[timeouts]\nstep = \"2h\"\n");
    insta::assert_snapshot!(place.run(&["config"]));
    assert_eq!(place.run(&["doctor"]).code, 2);
}

#[test]
fn a_setting_can_be_set_and_is_shown_with_its_origin() {
    let place = Place::new();
    let set = place.run(&["config", "set", "limits.max_actions", "40"]);
    assert_eq!(set.code, 0, "{set}");
    let shown = place.run(&["config", "show", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown["settings"]["limits.max_actions"]["value"], "40");
    let origin = shown["settings"]["limits.max_actions"]["origin"].as_str().unwrap();
    assert!(origin.ends_with("config/legwork/config.toml:2"), "{origin}");
    let wrong = place.run(&["config", "set", "limits.max_actoins", "40"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("limits.max_actions"), "{wrong}");
}

/// The level of the log may be in a file. A run then writes a line for each action and step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_logged_at_the_level_of_the_settings() {
    let (site, place) = (legwork_demo_site::DemoSite::start().await.unwrap(), Place::new());
    place.file("legwork.toml", "[log]\nlevel = \"legwork=info\"\n");
    place.file("check.yaml", &format!("url: {}\nsteps:\n  - Check that the title is \"x\"\n", site.url()));
    let run = place.run(&["run", "check.yaml", "--decider", "literal"]);
    for part in ["[TaskLoop][INFO] [", ":1] [", "step begins: Check that", "page observed in", "run ended: failure"] {
        assert!(run.err.contains(part), "{part}: {run}");
    }
    let quiet = place.run(&["run", "check.yaml", "--decider", "literal", "-q"]);
    assert!(!quiet.err.contains("[TaskLoop]"), "{quiet}");
}

#[test]
fn a_key_is_said_to_be_there_and_never_shown() {
    let place = Place::new();
    let mut doctor = place.command(&["doctor"]);
    doctor.env("OPENAI_API_KEY", "sk-not-to-be-seen").env("LEGWORK_MODEL_NAME", "openai/gpt-5");
    let doctor = place.finish(doctor, "");
    assert!(doctor.out.contains("OPENAI_API_KEY"), "{doctor}");
    let mut config = place.command(&["config"]);
    config.env("OPENAI_API_KEY", "sk-not-to-be-seen");
    let config = place.finish(config, "");
    assert!(config.out.contains("OPENAI_API_KEY: set"), "{config}");
    for said in [doctor, config] {
        assert!(!said.out.contains("sk-not") && !said.err.contains("sk-not"));
    }
}

#[test]
fn every_model_that_may_be_asked_needs_its_key() {
    let place = Place::new();
    let mut doctor = place.command(&["doctor"]);
    doctor.env("OPENAI_API_KEY", "sk-1").env("LEGWORK_MODEL_NAME", "openai/gpt-5");
    doctor.env("LEGWORK_MODELS_VALIDATE", "anthropic/claude-x, openai/gpt-5").env("LEGWORK_MODELS_LOOK", "gemini/pro");
    let doctor = place.finish(doctor, "");
    assert!(doctor.out.contains("anthropic/claude-x, gemini/pro have no key"), "{doctor}");
    assert!(doctor.out.contains("export ANTHROPIC_API_KEY=…; export GEMINI_API_KEY=…"), "{doctor}");
}

#[test]
fn what_a_workflow_needs_and_nobody_gave_is_asked_for() {
    let place = Place::new();
    place.file(
        "shop.yaml",
        "name: Shop\ninputs:\n  city:\n    description: where to\nsteps:\n  - Type \"${city}\" into \"To\"\n",
    );
    let said = place.run(&["run", "shop.yaml"]);
    assert_eq!(said.code, 2, "{said}");
    assert!(said.err.contains("city: where to") && said.err.contains("--var city=VALUE"), "{said}");
}

#[test]
fn what_keeps_a_command_from_beginning_is_json_where_json_was_asked_for() {
    let place = Place::new();
    place.file("broken.yaml", "name: Shop\nstpes:\n  - Open https://example.org\n");
    let check = |arguments: &[&str], exit: i32, code: &str| {
        let said = place.run(arguments);
        assert_eq!(said.code, exit, "{arguments:?}\n{said}");
        let object: serde_json::Value =
            serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{arguments:?}\n{said}"));
        assert_eq!(object["status"], "error", "{object}");
        let error = &object["error"];
        assert_eq!(error["code"], code, "{object}");
        for field in ["name", "message", "suggestedAction", "category"] {
            assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "no {field}: {object}");
        }
        object
    };
    // Invalid flags, a missing file, a file that is not a workflow.
    check(&["run", "x", "--json", "--max-cots", "3"], 2, "FA001");
    check(&["run", "x", "--json", "--cdp", "ws://a", "--headed"], 2, "FA001");
    check(&["show", "x", "--json", "--events"], 2, "FA001");
    check(&["run", "missing.yaml", "--json"], 2, "FA001");
    check(&["validate", "missing.yaml", "--json"], 2, "FA001");
    let broken = check(&["run", "broken.yaml", "--json"], 2, "SP001");
    assert!(broken["error"]["details"].to_string().contains("did you mean"), "{broken}");
    check(&["show", "nothing", "--json"], 2, "CM001");
    check(&["resume", "nothing", "--json"], 2, "CM001");
    check(&["replay", "nothing", "--json"], 2, "CM001");
    // The error of a verb has the same form as its other replies.
    let verb = place.run(&["click", "--json", "--nonsense"]);
    let object: serde_json::Value = serde_json::from_str(&verb.out).unwrap_or_else(|_| panic!("{verb}"));
    assert_eq!((verb.code, &object["ok"]), (2, &false.into()), "{verb}");

    place.file("legwork.toml", "[browser]\nheadde = true\n\n[timeouts]\nstep = \"2h\"\n");
    for arguments in [
        &["run", "Open http://127.0.0.1:1/", "--json"][..],
        &["runs", "--json"],
        &["show", "last", "--json"],
        &["replay", "last", "--json"],
        &["resume", "last", "--json"],
        &["memory", "--json"],
        &["config", "show", "--json"],
    ] {
        let wrong = check(arguments, 2, "CF001");
        assert_eq!(wrong["error"]["details"].as_array().unwrap().len(), 2, "{wrong}");
    }
}

#[test]
fn a_workflow_without_an_address_is_said_to_have_none_before_a_browser_opens() {
    let place = Place::new();
    place.file("nourl.yaml", "name: Login\nsteps:\n  - Type \"ops\" into \"User name\"\n");
    let said = "no address is known: the first step needs a page, and nothing opens one";
    let validated = place.run(&["validate", "nourl.yaml"]);
    assert!(
        validated.code == 0 && validated.out.contains(said) && validated.out.contains("or give `--url`"),
        "{validated}"
    );
    let run = place.run(&["run", "nourl.yaml", "--decider", "literal"]);
    assert!(run.code == 2 && run.err.contains(said), "{run}");
}

#[test]
fn a_workflow_obtains_no_secret_by_naming_it() {
    let place = Place::new();
    place.file("pay.yaml", "url: https://evil.example\nsteps:\n  - Type \"${secret:bank}\" into \"Note\"\n");
    let mut run = place.command(&["run", "pay.yaml", "--decider", "literal"]);
    run.env("LEGWORK_SECRET_BANK", "canary");
    let refused = place.finish(run, "");
    assert_eq!(refused.code, 2, "{refused}");
    assert!(refused.err.contains("secret bank, which was not granted: add `--secret bank`"), "{refused}");

    place.file("note.yaml", "url: https://evil.example\nsteps:\n  - Type \"${note}\" into \"Note\"\n");
    let mut run = place.command(&["run", "note.yaml", "--var", "note=${secret:bank}", "--secret", "bank"]);
    run.env("LEGWORK_SECRET_BANK", "canary");
    let refused = place.finish(run, "");
    assert!(refused.code == 2 && refused.out.contains("a value cannot name a secret"), "{refused}");
}

#[test]
fn a_token_that_can_be_guessed_is_refused() {
    let place = Place::new();
    let mut mcp = place.command(&["mcp", "--http", "0"]);
    mcp.env("LEGWORK_MCP_TOKEN", "letmein");
    let refused = place.finish(mcp, "");
    assert_eq!(refused.code, 2, "{refused}");
    assert!(refused.err.contains("LEGWORK_MCP_TOKEN has fewer than 16 characters"), "{refused}");
}

#[test]
fn a_value_for_no_input_is_refused_before_anything_is_done() {
    let place = Place::new();
    place.file("shop.yaml", "inputs:\n  product: Tea\nsteps:\n  - Open https://example.org\n  - Type \"${product} ${size}\" into \"Product\"\n");
    place.file("rows.csv", "size\n3\n");
    for arguments in [
        &["run", "shop.yaml", "--var", "prodct=x", "--var", "size=3"][..],
        &["run", "shop.yaml", "--var", "prodct=x", "--each", "rows.csv"],
    ] {
        let refused = place.run(arguments);
        assert_eq!(refused.code, 2, "{refused}");
        assert!(refused.err.contains("no input \"prodct\"; it takes product, size"), "{refused}");
    }
    let output = place.run(&["run", "shop.yaml", "--each", "rows.csv", "--output", "none/there.csv"]);
    assert_eq!(output.code, 2, "{output}");
    assert!(output.err.contains("there is no folder none"), "{output}");
}

#[test]
fn errors_of_files_settings_and_tokens_have_a_code_for_people_and_programs() {
    let place = Place::new();
    for (arguments, code) in [
        (&["run", "missing.yaml"][..], "FA001"),
        (&["validate", "missing.yaml"], "FA001"),
        (&["import", "missing.json"], "FA001"),
        (&["config", "set", "bogus", "1"], "CF001"),
        (&["config", "set", "limits.max_actions", "x"], "CF001"),
        (&["token", "revoke", "nobody"], "FA001"),
    ] {
        let said = place.run(arguments);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments:?}: {said}");
        assert!(said.err.contains(&format!("({code} ")), "{arguments:?}: {said}");
        let said = place.run(&[arguments, &["--json"]].concat());
        assert_eq!(said.code, 2, "{arguments:?}: {said}");
        let object: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!((&object["status"], &object["error"]["code"]), (&"error".into(), &code.into()), "{said}");
    }
    let set = place.run(&["config", "set", "limits.max_actions", "7", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&set.out).unwrap();
    assert_eq!((&object["setting"], &object["value"]), (&"limits.max_actions".into(), &"7".into()), "{set}");
}
