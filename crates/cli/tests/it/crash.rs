//! A run killed with -9, between and inside its steps, and resumed: no form post is lost and none is sent twice, by the
//! site's own ledger. Where nobody can know whether a post arrived the run parks, and the test answers as a person would
//! who looks at the site.

use std::{collections::BTreeMap, io::BufReader, process::Stdio};

use legwork_testing::demo::DemoSite;
use serde_json::Value;

use crate::driven::{Ended, Program, events_until};

const KILLS: usize = 50;
const ORDERS: usize = 3;
/// Steps before the first order, and of each order.
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

/// How often each customer's order was taken.
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

/// One life of the program: until it ends, or until so many events after `seen` it is killed. Gives how it ended, the
/// run's id and the number of the last event that was read. A run taken up again tells its past first.
fn live(program: &Program, arguments: &[&str], seen: u64, stride: u64) -> (Ended, Option<String>, u64) {
    let mut command = program.command(arguments);
    command.env("LEGWORK_SECRET_DEMO_PASSWORD", legwork_testing::demo::PASSWORD);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut last = seen;
    let events = events_until(&mut out, |event| {
        last = last.max(event["seq"].as_u64().unwrap());
        last >= seen.saturating_add(stride)
    });
    if last >= seen.saturating_add(stride) {
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
    // Where to strike next: after so many more events. A step has about eight, so that the kills fall everywhere in it.
    let mut strides = [7, 19, 31, 11, 23, 5, 37, 13, 29, 17].into_iter().cycle();
    while kills < KILLS {
        let before = taken(&site);
        let file = program.write("orders.yaml", &workflow(&site.url()));
        let mut arguments: Vec<String> =
            ["run", file.to_str().unwrap(), "--decider", "literal", "--events"].map(str::to_owned).into();
        let mut seen = 0;
        loop {
            let stride = if kills < KILLS { strides.next().unwrap() } else { u64::MAX };
            let line: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let (ended, run, last) = live(&program, &line, seen, stride);
            seen = last;
            let run = run.unwrap_or_else(|| panic!("no event\n{}", ended.err));
            arguments = ["resume", &run, "--events"].map(str::to_owned).into();
            match ended.code {
                0 => break,
                -1 => kills += 1,
                5 => {
                    parked += 1;
                    // The session of a sign-in went with its browser: it has to be done again, whatever the site saw.
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
    eprintln!("{kills} kills, {parked} parked");
    program.leaves_nothing_behind();
}
