//! What a turn costs as a task grows long: `cargo run --release -p legwork-agent --example long_task`.
//!
//! A scripted model clicks through a page of 200 elements that changes with each action. For some turns it prints how
//! long the agent took from seeing the page to its prompt, the bytes it allocated on the way, and the prompt's tokens.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use legwork_agent::{DeciderChoice, Limits, ModelRules, Need, NeedResult, Rules, WorkflowRun};
use legwork_observe::{Snapshot, fixture, tokens::count};
use legwork_protocol::{ActionResult, ChatReply, RunStart, Step, Usage, Workflow};

const REPLY: &str = r#"{"decision":{"action":"PROCEED","message":"on"},"reasoning":{"analysis":"a","rationale":"b","expectedOutcome":"c"},"confidence":0.9,"command":{"action":"click","parameters":{"target":"text=NUMBER"}}}"#;
const TURNS: usize = 1_000;
const SHOWN: [usize; 7] = [2, 10, 50, 100, 300, 600, 1_000];

fn main() {
    let workflow = Workflow {
        name: "long".into(),
        url: None,
        inputs: Default::default(),
        steps: vec![Step::new("see what each of the parts is for")],
    };
    let start =
        RunStart { workflow, task: true, inputs: Default::default(), options: Default::default(), playbook: None };
    let limits = Limits { max_turns_per_task: u32::MAX, ..Limits::default() };
    let rules = Rules { limits, decider: DeciderChoice::Model, model: Some(ModelRules::default()), ..Rules::default() };
    let (mut run, _) = WorkflowRun::begin(start, rules);
    let (mut turn, mut took) = (0, Vec::new());
    println!("turn   prompt of   bytes allocated   time");
    while turn < TURNS {
        let got = match run.need() {
            Need::Observe(_) => {
                let got = NeedResult::Observed(page(turn));
                let began = Instant::now();
                let cost = allocation_counter::measure(|| drop(run.handle_result(got, Duration::ZERO)));
                let time = began.elapsed();
                turn += 1;
                took.push(time);
                if let (Need::Decide(request), true) = (run.need(), SHOWN.contains(&turn)) {
                    let tokens: usize = request.messages.iter().map(|message| count(&message.text)).sum();
                    let ms = time.as_secs_f64() * 1e3;
                    println!("{turn:>4}   {tokens:>5} tok   {:>12}   {ms:.2} ms", cost.bytes_total);
                }
                continue;
            }
            Need::Decide(_) => reply(turn),
            Need::Act(_) => NeedResult::Acted(vec![ActionResult {
                element: Some(format!("button \"Part {turn}\"")),
                url: format!("http://site.test/part/{}", turn / 20),
                ..ActionResult::done(Duration::ZERO)
            }]),
            other => panic!("a long task needs no {other:?}"),
        };
        run.handle_result(got, Duration::ZERO);
    }
    took.drain(..99);
    took.sort();
    let at = |share: usize| took[(took.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!("from turn 100 on: median {:.2} ms, 99th percentile {:.2} ms", at(50), at(99));
}

fn reply(turn: usize) -> NeedResult {
    NeedResult::Decided(Ok(ChatReply {
        model: "test/scripted".into(),
        text: REPLY.replace("NUMBER", &turn.to_string()),
        finish: None,
        usage: Usage::default(),
        latency: Duration::ZERO,
        retries: 0,
        failed_attempts: Vec::new(),
    }))
}

fn page(turn: usize) -> Arc<Snapshot> {
    let rows: String = (0..200).map(|n| format!("- button \"Part {n}\" [ref=e{n}]\n")).collect();
    Arc::new(fixture::snapshot(&format!("- status \"Turn {turn}\"\n{rows}")))
}
