//! A loop over the rows of a table that is killed with SIGKILL in its rows, and resumed: according to the site's ledger
//! each row is done exactly once.

use std::{collections::BTreeMap, io::BufReader, process::Stdio};

use legwork_demo_site::DemoSite;
use serde_json::Value;

use crate::support::{Ended, Program, events_until};

fn workflow(site: &DemoSite) -> String {
    format!(
        "name: Clear the orders\nurl: {}\nsteps:\n\
         - {{step: 'Click \"Accept all cookies\"', optional: true}}\n\
         - for_each: order in \"Orders\"\n  steps:\n\
         \x20 - if: '\"Kirkholm Ferries\" is shown'\n    then: ['Check that \"Fender F3\" is shown']\n\
         \x20 - {{step: 'Click \"Delete\" and accept the dialog', expect: '\"${{order.Order}}\" is not shown', on_resume: ask}}\n\
         - Check that \"0 orders\" is shown\n",
        site.signed_in_url("/orders")
    )
}

/// How often the site deleted each order.
fn deleted(site: &DemoSite) -> BTreeMap<String, usize> {
    let mut deleted = BTreeMap::new();
    for entry in site.ledger().into_iter().filter(|entry| entry.path.ends_with("/delete")) {
        *deleted.entry(entry.path.replace("/orders/", "").replace("/delete", "")).or_default() += 1;
    }
    deleted
}

/// Runs a command until it ends, or until `strike` is true for an event; kills it then. Returns the events.
fn live(program: &Program, arguments: &[&str], mut strike: impl FnMut(&Value) -> bool) -> (Ended, Vec<Value>) {
    let mut command = program.command(arguments);
    command.env("LEGWORK_SCREENSHOTS_ENABLED", "false");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut is_struck = false;
    let events = events_until(&mut out, |event| {
        is_struck = strike(event);
        is_struck
    });
    if is_struck {
        child.kill().unwrap();
    }
    drop(out);
    (Ended::of(child.wait_with_output().unwrap()), events)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_that_is_killed_in_its_rows_does_each_row_once() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    let file = program.write("clear.yaml", &workflow(&site));
    let first = ["run", file.to_str().unwrap(), "--decider", "literal", "--events"];
    let mut arguments: Vec<String> = first.map(str::to_owned).into();
    let (mut kills, mut seen) = (0, 0);
    let ended = loop {
        let line: Vec<&str> = arguments.iter().map(String::as_str).collect();
        // In the click of a row, then after some more events, in turns.
        let (ended, events) = live(&program, &line, |event| {
            let number = event["seq"].as_u64().unwrap();
            let clicks = event["type"] == "COMMAND_STARTED" && event["data"]["action"]["action"] == "dialog";
            match kills {
                0 | 2 => number > seen && clicks,
                1 | 3 => number > seen + 25,
                _ => false,
            }
        });
        seen = events.last().map_or(seen, |event| seen.max(event["seq"].as_u64().unwrap()));
        let run = events.first().unwrap()["run"].as_str().unwrap().to_owned();
        arguments = ["resume", &run, "--events"].map(str::to_owned).into();
        match ended.code {
            -1 => kills += 1,
            5 => {
                // The text of the step names the row: the test looks at the site, like a person.
                let is_done = deleted(&site).contains_key(&in_doubt(&program));
                arguments.extend(["--assume".into(), if is_done { "done" } else { "not-done" }.into()]);
            }
            _ => break ended,
        }
    };
    assert_eq!(ended.code, 0, "{}\n{}", ended.err, program.show_last());
    assert_eq!(kills, 4);
    let deleted = deleted(&site);
    assert!(deleted.len() == 3 && deleted.values().all(|count| *count == 1), "{deleted:?}");
    let shown = program.show_last();
    assert!(shown.contains(&format!("order 2 of {}", deleted.len())), "{shown}");
    program.assert_no_leftovers();
}

/// The number of the order in whose iteration the run stopped.
fn in_doubt(program: &Program) -> String {
    let events = program.events();
    let texts = events.iter().rev().filter(|event| event["type"] == "STEP_STARTED");
    let text = texts.filter_map(|event| event["data"]["text"].as_str()).next().unwrap_or_default().to_owned();
    text.split_once("(HS-")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(order, _)| order.to_owned())
        .unwrap_or_default()
}
