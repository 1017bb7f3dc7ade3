use super::*;

fn check(steps: &[&str], has_decider: bool) -> Vec<(Option<usize>, Code, String)> {
    let steps = steps.iter().map(|step| Step::new(*step)).collect();
    let workflow = Workflow { name: "test".into(), steps, ..Workflow::default() };
    let variables = BTreeMap::from([("cust".to_owned(), Value::from("Zoe"))]);
    let context = PreflightContext { variables: &variables, reads_steps: true, has_decider };
    let problems = step_problems(&workflow, context);
    problems.into_iter().map(|problem| (problem.step, problem.code, problem.message + "; " + &problem.hint)).collect()
}

#[test]
fn a_variable_that_means_a_secret_is_answered_with_the_notation_of_secrets() {
    for written in ["${secrets.pw}", "${secret.pw}", "${secrets:pw}", "${Secret:pw}"] {
        let found = check(&[&format!("Type \"{written}\" into \"Password\"")], true);
        let [(_, _, said)] = found.as_slice() else { panic!("{written}: {found:?}") };
        assert!(said.contains("write ${secret:pw} in its place") && !said.contains("--var"), "{said}");
    }
}

#[test]
fn an_undefined_variable_is_found_before_the_first_step() {
    let found = check(&["Click \"New\"", "Type \"${customer}\" into \"Name\""], true);
    let [(Some(1), Code::WorkflowInvalid, said)] = found.as_slice() else { panic!("{found:?}") };
    assert!(said.contains("${customer} has no value; known here: cust"), "{said}");
    assert!(said.contains("--var customer=…"), "{said}");
    // A model may save a value under any word of its step, but nobody means these words.
    let found = check(&["Look for the newest entry", "Type \"${customer}\" into \"Name\""], true);
    assert!(found[0].2.contains("; known here: cust; "), "{found:?}");
    let found = check(&["Type \"${Cust}\" into \"Name\""], false);
    assert!(found[0].2.contains("did you mean ${cust}?"), "{found:?}");
}

#[test]
fn a_given_or_saved_variable_is_defined() {
    for steps in [
        &["Type \"${cust}\" into \"Name\""] as &[_],
        &["Save the text of \"Total\" as total", "Type \"${total}\" into \"Amount\""],
        &["Save the address as url", "Open ${url}"],
        &["Save the number of rows as n", "Press Tab ${n} times"],
        &["Save the text of \"Total\" as total and check that \"${total}\" is \"42\""],
        &["Type \"${secret:PASSWORD}\" into \"Password\"", "Type \"${not a name}\" into \"Name\""],
    ] {
        assert_eq!(check(steps, false), [], "{steps:?}");
    }
    assert_eq!(check(&["Find the cheapest fare and keep it as fare", "Type \"${fare}\" into \"Amount\""], true), []);
}

#[test]
fn a_variable_is_undefined_before_it_is_saved() {
    for steps in [
        &["Type \"${total}\" into \"Amount\"", "Save the text of \"Total\" as total"] as &[_],
        &["Save the text of \"Total\" as total and type \"${total}\" into \"Amount\""],
        // An understood step saves only what it states.
        &["Click \"total\"", "Type \"${total}\" into \"Amount\""],
    ] {
        assert_eq!(check(steps, false).len(), 1, "{steps:?}");
    }
}

#[test]
fn the_condition_of_a_step_may_not_name_what_the_step_saves() {
    let save = Step::new("Save the text of \"Total\" as total");
    let problems = |step: Step| {
        let workflow = Workflow { name: "test".into(), steps: vec![step], ..Workflow::default() };
        let variables = BTreeMap::new();
        let context = PreflightContext { variables: &variables, reads_steps: true, has_decider: false };
        step_problems(&workflow, context).len()
    };
    let text = || Some("\"${total}\" is shown".to_owned());
    assert_eq!(problems(Step { when: text(), ..save.clone() }), 1);
    assert_eq!(problems(Step { expect: text(), ..save }), 0);
}

#[test]
fn a_step_that_needs_a_model_is_found_before_the_first_step_only_without_a_model() {
    let steps = ["Click \"Pay\" in the row of \"Initech\"", "Sort out the remaining problems with the delivery"];
    let found = check(&steps, false);
    let [(Some(1), Code::NotUnderstood, said)] = found.as_slice() else { panic!("{found:?}") };
    assert!(said.contains("configure a model"), "{said}");
    assert_eq!(check(&steps, true), []);
}

#[test]
fn conditions_are_read_before_the_first_step_too() {
    let step = Step { when: Some("the mood is good, broadly speaking, if not".into()), ..Step::new("Click \"Save\"") };
    let workflow = Workflow { name: "test".into(), steps: vec![step], ..Workflow::default() };
    let variables = BTreeMap::new();
    let context = PreflightContext { variables: &variables, reads_steps: true, has_decider: false };
    assert_eq!(step_problems(&workflow, context).len(), 1);
    assert_eq!(step_problems(&workflow, PreflightContext { has_decider: true, ..context }), []);
}

#[test]
fn an_action_by_which_a_model_decides_is_no_action_of_a_step() {
    let of = |action: &str| {
        let action = serde_json::from_str(action).unwrap();
        let step = Step { action: Some(action), ..Step::new("Do it") };
        let workflow = Workflow { name: "test".into(), steps: vec![step], ..Workflow::default() };
        let variables = BTreeMap::new();
        // Also with a model: the action of a step is carried out without one.
        step_problems(&workflow, PreflightContext { variables: &variables, reads_steps: true, has_decider: true })
    };
    for (action, name) in [
        (r#"{"action":"ask","parameters":{"question":"Which one?"}}"#, "ask"),
        (r#"{"action":"done","parameters":{"result":"x"}}"#, "done"),
        (r#"{"action":"abort","parameters":{"reason":"x"}}"#, "abort"),
    ] {
        let found = of(action);
        let [problem] = found.as_slice() else { panic!("{action}: {found:?}") };
        assert_eq!((problem.step, problem.code), (Some(0), Code::UnsupportedCommand));
        assert!(problem.message.starts_with(&format!("`{name}` cannot be the action of a step")), "{problem:?}");
    }
    assert_eq!(of(r#"{"action":"find","parameters":{"text":"Total"}}"#), []);
}
