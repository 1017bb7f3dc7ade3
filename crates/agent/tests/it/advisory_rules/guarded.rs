//! Budgets, told before they bite.

use super::*;

/// A reply that used a thousand times as many tokens as the others of these tests: a budget of ten such calls has room
/// for the worst case of one more call when nine tenths of it are used.
fn long_reply(text: &str) -> NeedResult {
    let NeedResult::Decided(Ok(mut told)) = reply(text) else { unreachable!("it is a reply") };
    told.usage.prompt_tokens *= 1_000;
    told.usage.completion_tokens *= 1_000;
    NeedResult::Decided(Ok(told))
}

/// The notes of each turn's prompt about budgets.
fn told(change: impl Fn(&mut Rules), failing: bool) -> Vec<(usize, String)> {
    let mut rules = rules();
    change(&mut rules);
    let press = |n: usize| {
        let command = format!(r#"{{"action":"press","parameters":{{"key":"F{n}"}}}}"#);
        CLICK.replace(r#"{"action":"click","parameters":{"target":"e2"}}"#, &command)
    };
    let played = play(start(&["make it so"]), rules, Site { failing, ..Site::default() }, |_, n| long_reply(&press(n)));
    let notes = played
        .asked
        .iter()
        .enumerate()
        .filter_map(|(at, (_, prompt))| Some((at, prompt.split("Note: ").nth(1)?.trim().to_owned())));
    notes.collect()
}

#[test]
fn each_budget_is_told_at_seven_and_at_nine_tenths() {
    let check = |change: &dyn Fn(&mut Rules), failing, expected: &[(usize, &str)]| {
        let told = told(change, failing);
        let told: Vec<(usize, &str)> = told.iter().map(|(at, note)| (*at, note.as_str())).collect();
        assert_eq!(told, expected);
    };
    let turns = [(7, "Used: 7 of 10 turns."), (9, "Used: 9 of 10 turns; finish now or ABORT.")];
    check(&|_| {}, false, &turns);
    // 110,000 tokens and a cent a call.
    let tokens = [(7, "Used: 770000 of 1000000 tokens."), (9, "Used: 990000 of 1000000 tokens; finish now or ABORT.")];
    check(&|rules| (rules.limits.tokens, rules.limits.max_turns_per_step) = (Some(1_000_000), 90), false, &tokens);
    let money = [(7, "Used: $0.07 of $0.10."), (9, "Used: $0.09 of $0.10; finish now or ABORT.")];
    check(&|rules| (rules.limits.cost_usd, rules.limits.max_turns_per_step) = (Some(0.1), 90), false, &money);
    let actions = [(7, "Used: 7 of 10 actions."), (9, "Used: 9 of 10 actions; finish now or ABORT.")];
    check(&|rules| (rules.limits.actions, rules.limits.max_turns_per_step) = (Some(10), 90), false, &actions);
    check(&|_| {}, true, &[(4, "Used: 4 of 5 failures in a row.")]);
}
