//! A run that is killed with SIGKILL, between and inside its steps, and resumed. According to the site's ledger no form
//! post is lost and none is sent twice. If the program cannot determine whether a post arrived, the run parks, and the
//! test answers like a person who looks at the site.

use std::{collections::BTreeMap, io::BufReader, process::Stdio, time::Instant};

use legwork_demo_site::DemoSite;
use serde_json::Value;

use crate::support::{Ended, Program, TEST_TIMEOUT, events_until};

const KILLS: usize = 50;
const ORDERS: usize = 3;
/// The number of steps before the first order, and of each order.
const SIGN_IN: usize = 4;
const ORDER: usize = 10;

fn workflow(site: &str) -> String {
    let mut text = format!("name: Three orders\nurl: {site}/login\nsteps:\n");
    let mut step = |line: &str| text.push_str(&format!("  - {line}\n"));
    step("{step: 'Click \"Accept all cookies\"', on_resume: retry}");
    step("Type \"alice\" into \"User name\"");
    step("Type \"${secret:demo_password}\" into \"Password\"");
    step("{step: 'Click the button \"Sign in\"', on_resume: verify, expect: '\"Welcome back, Alice\" is shown'}");
    for order in 1..=ORDERS {
        step(&format!("Open {site}/orders/new"));
        step(&format!("Type \"Customer {order}\" into \"Customer\""));
        step("Type \"ada@example.org\" into \"E-mail\"");
        step("Choose \"Anchor line 16 mm\" from \"Product\"");
        step(&format!("Type \"{order}\" into \"Quantity\""));
        step("{step: 'Choose \"Courier\" from \"Delivery\"', on_resume: retry}");
        step("Type \"2026-12-24\" into \"Delivery date\"");
        step("{step: 'Select the radio button \"Card\"', on_resume: retry}");
        step("Tick \"The customer accepts the terms\"");
        step("{step: 'Click the button \"Place order\"', expect: '\"Order placed\" is shown', on_resume: verify}");
    }
    text
}

/// The number of accepted orders for each customer.
fn taken(site: &DemoSite) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for entry in site.ledger().into_iter().filter(|entry| entry.path == "/orders") {
        let customer = entry
            .fields
            .iter()
            .find(|(name, _)| name == "customer")
            .map(|(_, value)| value.clone())
            .unwrap_or_default();
        *taken.entry(customer).or_default() += 1;
    }
    taken
}

/// The number of the step whose action has an intent and no result.
fn in_doubt(program: &Program, run: &str) -> usize {
    let shown = program.run(&["show", run, "--events"]).expect(0);
    let events = shown.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter_map(|event| event["step"].as_u64()).max().unwrap() as usize
}

/// When the program is killed.
#[derive(Clone, Copy)]
enum Strike {
    /// After this number of further events.
    After(u64),
    /// After the intent of the next click was recorded: before, while or after the browser receives it.
    InAClick,
    Never,
}

/// Runs the program until it ends or is killed. Returns its result, the id of the run and the number of the last event
/// that was read. A resumed run first prints its earlier events, up to `seen` and a few more.
fn live(program: &Program, arguments: &[&str], seen: u64, strike: Strike) -> (Ended, Option<String>, u64) {
    let mut command = program.command(arguments);
    command.env("LEGWORK_SECRET_DEMO_PASSWORD", legwork_demo_site::PASSWORD);
    // Screenshots would take most of the time and do not affect the result.
    command.env("LEGWORK_SCREENSHOTS_ENABLED", "false");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut last, mut struck) = (seen, false);
    let events = events_until(&mut out, |event| {
        let number = event["seq"].as_u64().unwrap();
        let clicks = || event["type"] == "COMMAND_STARTED" && event["data"]["action"]["action"] == "click";
        struck = match strike {
            Strike::After(more) => number >= seen + more,
            Strike::InAClick => number > seen && clicks(),
            Strike::Never => false,
        };
        last = last.max(number);
        struck
    });
    if struck {
        child.kill().unwrap();
    }
    drop(out);
    let run = events.first().map(|event| event["run"].as_str().unwrap().to_owned());
    (Ended::of(child.wait_with_output().unwrap()), run, last)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_kills_lose_no_post_and_repeat_none() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let (mut kills, mut parked) = (0, 0);
    // A step has about eight events, so the kills are spread over all parts of a step. Every third kill is in a click,
    // where a post may be in progress.
    use Strike::{After, InAClick, Never};
    let more = [7, 47, 11, 90, 13, 61, 120, 29, 71, 103];
    let mut strikes = more.into_iter().enumerate().map(|(at, n)| if at % 3 == 1 { InAClick } else { After(n) }).cycle();
    while kills < KILLS {
        let before = taken(&site);
        let file = program.write("orders.yaml", &workflow(&site.url()));
        let mut arguments: Vec<String> =
            ["run", file.to_str().unwrap(), "--decider", "literal", "--events", "--secret", "demo_password"]
                .map(str::to_owned)
                .into();
        let mut seen = 0;
        loop {
            let strike = if kills < KILLS { strikes.next().unwrap() } else { Never };
            let line: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let (ended, run, last) = live(&program, &line, seen, strike);
            seen = last;
            let run = run.unwrap_or_else(|| panic!("no event\n{}", ended.err));
            arguments = ["resume", &run, "--events"].map(str::to_owned).into();
            match ended.code {
                0 => break,
                -1 => kills += 1,
                5 => {
                    parked += 1;
                    // A log-in is lost with its browser. It must be repeated even if the site received it.
                    let order = in_doubt(&program, &run).checked_sub(SIGN_IN).map(|step| step / ORDER + 1);
                    let customer = format!("Customer {}", order.unwrap_or_default());
                    let sent = taken(&site).get(&customer) > before.get(&customer);
                    arguments.extend(["--assume".into(), if sent { "done" } else { "not-done" }.into()]);
                }
                code => panic!("exit {code} after {kills} kills\n{}\n{}", program.show_last(), ended.err),
            }
        }
        let after = taken(&site);
        for order in 1..=ORDERS {
            let customer = format!("Customer {order}");
            let (before, after) =
                (before.get(&customer).copied().unwrap_or(0), after.get(&customer).copied().unwrap_or(0));
            assert_eq!(
                after - before,
                1,
                "{customer} after {kills} kills, {parked} parked; ledger {:#?}",
                site.ledger()
            );
        }
    }
    program.assert_no_leftovers();
}

/// The site has received the post, and its response is delayed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_that_was_not_answered_when_the_program_died_is_not_sent_again() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let workflow = format!(
        "url: {}/fault/posts?ms=400\nsteps:\n  - Type \"only once\" into \"Entry\"\n  - Click the button \"Send\"\n",
        site.url()
    );
    let file = program.write("post.yaml", &workflow);
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "-q"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + TEST_TIMEOUT;
    while site.ledger().is_empty() {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "the post does not come");
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let parked = program.run(&["resume", "last"]).expect(5);
    let told = parked.err + &parked.out;
    assert!(told.contains("--assume done") && !told.contains("resume RUN"), "the advice can be copied: {told}");
    assert!(program.show_last().contains("the outcome of this action is unknown"), "{}", program.show_last());
    program.run(&["resume", "last", "--assume", "done"]).expect(0);
    assert_eq!(site.ledger().len(), 1, "{:?}", site.ledger());
    let again = program.run(&["resume", "last"]).expect(2);
    assert!(again.err.contains("the run has succeeded"), "{}", again.err);
    program.assert_no_leftovers();
}
