//! Prompts that keep their budget however long the task, however big the page, however small the model.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use legwork_agent::{
    CompactBy, Compaction, DeciderChoice, Detail, Limits, ModelRules, Need, NeedResult, Rules, WorkflowRun,
};
use legwork_observe::{Snapshot, fixture, tokens::count};
use legwork_protocol::{ActionResult, Code, ModelFailure, Purpose, RunStart, Status};
use serde_json::json;

use crate::{
    model::{CLICK, DONE},
    support::{Script, done, reply, start},
};

/// A turn's page: its own address now and then, and something new on it each time.
fn page_of(turn: usize, rows: usize) -> Arc<Snapshot> {
    let mut page = bare(rows).clone();
    if let Some(status) = page.nodes.iter_mut().find(|node| &*node.role == "status") {
        status.name = format!("Turn {turn}").into();
    }
    page.url = format!("http://site.test/part/{}", ["cart", "list", "terms", "form"][turn / 7 % 4]);
    Arc::new(page)
}

/// Read once: a page of two megabytes takes a while.
fn bare(rows: usize) -> &'static Snapshot {
    static SMALL: OnceLock<Snapshot> = OnceLock::new();
    static HUGE: OnceLock<Snapshot> = OnceLock::new();
    let read = |rows: usize| {
        let row = |n| format!("- button \"Button number {n} of very many\" [ref=e{}]\n", n + 10);
        let rows: String = (0..rows).map(row).collect();
        fixture::snapshot(&format!("- button \"Send\" [ref=e2]\n- status \"Turn\"\n{rows}"))
    };
    if rows == HUGE_ROWS { HUGE.get_or_init(|| read(HUGE_ROWS)) } else { SMALL.get_or_init(|| read(rows)) }
}

/// A page of two megabytes.
const HUGE_ROWS: usize = 36_000;

pub(crate) struct Long {
    pub(crate) prompts: Vec<(Purpose, String)>,
    pub(crate) events: Vec<String>,
}

/// A task of so many turns; every third reads something long, every tenth is not understood at first.
pub(crate) fn long(turns: usize, rules: Rules, rows: usize, summary: impl Fn(usize) -> NeedResult) -> Long {
    let limits = Limits { max_turns_per_task: 1_000, max_total_errors: 1_000, ..Limits::default() };
    let rules = Rules { limits, model: Some(ModelRules::default()), ..rules };
    let begin = RunStart { task: true, ..start(&["go through all the parts and tell what was found"]) };
    let mut script = Script::begin(begin, rules);
    let (mut decided, mut compacted, mut prompts) = (0, 0, Vec::new());
    let outcome = script.drive(|need| {
        Some(match need {
            Need::Observe(_) => NeedResult::Observed(page_of(decided, rows)),
            Need::Decide(request) => {
                let text = request.messages.iter().map(|message| format!("{}\n", message.text)).collect();
                prompts.push((request.purpose, text));
                if request.purpose == Purpose::Compact {
                    compacted += 1;
                    return Some(summary(compacted));
                }
                let asked_again = request.messages.len() > 2;
                decided += usize::from(!asked_again);
                match decided {
                    n if n > turns => reply(DONE),
                    n if n % 10 == 2 && !asked_again => reply(&"I am not sure what to say. ".repeat(1_000)),
                    n if n % 3 == 0 => reply(&CLICK.replace("click", "read").replace("e2", &format!("text=part {n}"))),
                    n => reply(&CLICK.replace("e2", &format!("text=button {n}"))),
                }
            }
            Need::Act(intents) => {
                let url = page_of(decided, 0).url.clone();
                let value = (intents[0].action.name() == "read")
                    .then(|| json!(format!("what was read: {}", "long ".repeat(900))));
                NeedResult::Acted(vec![ActionResult {
                    element: Some(format!("button \"{decided}\"")),
                    value,
                    url,
                    ..done()
                }])
            }
            other => panic!("not needed: {other:?}"),
        })
    });
    assert_eq!(outcome.map(|outcome| outcome.status), Some(Status::Success));
    assert_eq!(decided, turns + 1);
    Long { prompts, events: script.told() }
}

fn no_summary(_: usize) -> NeedResult {
    panic!("no model is asked to make it short")
}

#[test]
fn three_hundred_turns_and_no_prompt_beyond_the_budget() {
    for (context_tokens, rows, turns) in [(4_000, 20, 300), (16_000, 20, 60), (4_000, HUGE_ROWS, 3)] {
        let rules = Rules { context_tokens, ..Rules::default() };
        for (at, (_, prompt)) in long(turns, rules, rows, no_summary).prompts.iter().enumerate() {
            let tokens = count(prompt);
            assert!(tokens <= context_tokens, "prompt {at} of {rows} rows: {tokens} of {context_tokens}");
        }
    }
}

/// The history of the last prompt.
pub(crate) fn history(long: &Long) -> String {
    let (_, prompt) = long.prompts.last().expect("prompts");
    let from = prompt.find("```history\n").expect("a history") + 11;
    prompt[from..].split("\n```").next().expect("its end").to_owned()
}

#[test]
fn a_long_history_in_each_detail() {
    for (name, detail) in [("minimal", Detail::Minimal), ("standard", Detail::Standard), ("detailed", Detail::Detailed)]
    {
        let compaction = Compaction { detail, by: CompactBy::Rule };
        let rules = Rules { context_tokens: 6_000, compaction, ..Rules::default() };
        let history = history(&long(120, rules, 20, no_summary));
        insta::assert_snapshot!(format!("history_{name}"), history);
    }
}

#[test]
fn what_is_folded_stays_so_for_many_turns() {
    let rules = Rules { context_tokens: 6_000, ..Rules::default() };
    let long = long(120, rules, 20, no_summary);
    let first_lines: Vec<&str> =
        long.prompts.iter().filter_map(|(_, prompt)| prompt.split("```history\n").nth(1)?.lines().next()).collect();
    let changes = first_lines.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((1..=24).contains(&changes), "{changes} changes in {} prompts", first_lines.len());
}

#[test]
fn a_model_makes_it_short_when_it_is_asked_to() {
    let compaction = Compaction { by: CompactBy::Model, ..Compaction::default() };
    let rules = Rules { context_tokens: 6_000, compaction, ..Rules::default() };
    let long = long(60, rules, 20, |nth| {
        reply(&format!("Summary {nth}:\n the cart was empty ``` and {}", "more ".repeat(2_000)))
    });
    let asked: Vec<&String> =
        long.prompts.iter().filter(|(purpose, _)| *purpose == Purpose::Compact).map(|(_, prompt)| prompt).collect();
    assert!((2..=20).contains(&asked.len()), "{}", asked.len());
    insta::assert_snapshot!("prompt_compact", asked[0]);
    assert!(asked[1].contains("Summary 1: the cart was empty"), "the second builds on the first: {}", asked[1]);
    let (_, last) = long.prompts.last().expect("prompts");
    assert!(last.contains(&format!("Summary {}: the cart was empty", asked.len())), "{last}");
    assert!(long.prompts.iter().all(|(_, prompt)| count(prompt) <= 6_000));
}

#[test]
fn when_the_model_says_nothing_the_rule_does_it() {
    for (got, said) in [
        (reply("  "), "the model did not shorten the history; a rule does"),
        (
            NeedResult::Decided(Err(ModelFailure {
                code: Code::ModelRateLimit,
                message: "slow down".into(),
                retryable: true,
            })),
            "a rule does: slow down",
        ),
    ] {
        let compaction = Compaction { by: CompactBy::Model, ..Compaction::default() };
        let rules = Rules { context_tokens: 6_000, compaction, ..Rules::default() };
        let long = long(60, rules, 20, move |_| got.clone());
        assert!(long.events.iter().any(|line| line.contains(said)), "{said}");
        assert!(history(&long).contains("actions on"), "{}", history(&long));
    }
}

/// What a turn allocates from seeing the page to its prompt: as much late as early.
#[test]
fn bytes_copied_per_turn_do_not_grow_with_the_history() {
    let limits = Limits { max_turns_per_task: 1_000, ..Limits::default() };
    let rules = Rules { limits, decider: DeciderChoice::Model, model: Some(ModelRules::default()), ..Rules::default() };
    let begin = RunStart { task: true, ..start(&["go through all the parts and tell what was found"]) };
    let (mut run, _) = WorkflowRun::begin(begin, rules);
    let (mut turn, mut copied) = (0, Vec::new());
    while turn < 300 {
        let got = match run.need() {
            Need::Observe(_) => NeedResult::Observed(page_of(turn, 20)),
            Need::Decide(_) => reply(&CLICK.replace("e2", &format!("text=button {turn}"))),
            Need::Act(_) => NeedResult::Acted(vec![ActionResult {
                element: Some(format!("button \"{turn}\"")),
                url: page_of(turn, 0).url.clone(),
                ..done()
            }]),
            other => panic!("not needed: {other:?}"),
        };
        let is_page = matches!(got, NeedResult::Observed(_));
        let cost = allocation_counter::measure(|| drop(run.handle_result(got, Duration::ZERO)));
        if is_page {
            turn += 1;
            copied.push(cost.bytes_total);
        }
    }
    let of = |turns: std::ops::Range<usize>| copied[turns.clone()].iter().sum::<u64>() / turns.len() as u64;
    let (early, late) = (of(50..100), of(250..300));
    assert!(late <= early * 12 / 10, "{late} bytes a turn after {early}");
}
