//! Recorded runs that consist of written events.

use legwork::store::{NewEvent, RunLog, SqliteLog};
use legwork_protocol::{Event, RunId};

use crate::program::Place;

const SHOP: &str = include_str!("../../../runtime/src/record/fixtures/shop.ndjson");
const PARKED: &str = include_str!("../../../runtime/src/record/fixtures/parked.ndjson");

/// Stores a run.
fn store(place: &Place, lines: &str) -> RunId {
    std::fs::create_dir_all(place.data()).unwrap();
    let events: Vec<Event> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let run = events[0].run;
    let new = |event: &Event| NewEvent { step: event.step, kind: event.kind.clone(), time: Some(event.time) };
    let log = SqliteLog::open(place.data().join("runs.db")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(log.append(run, 0, events.iter().map(new).collect())).unwrap();
    run
}

#[test]
fn an_empty_store_says_how_to_fill_it() {
    let place = Place::new();
    let runs = place.run(&["runs"]);
    assert_eq!((runs.code, runs.err.as_str()), (0, ""));
    assert!(runs.out.starts_with("No runs yet."), "{runs}");
    assert_eq!(place.run(&["runs", "--json"]).out, "[]\n");
    for command in ["show", "resume"] {
        let said = place.run(&[command, "last"]);
        assert_eq!(said.code, 2, "{said}");
        assert!(said.err.contains("there are no runs yet (CM001 SESSION_NOT_FOUND)"), "{said}");
    }
    let said = place.run(&["export", "abc", "--format", "json"]);
    assert_eq!(said.code, 2, "{said}");
    assert!(said.err.contains("there is no run abc") && said.err.contains("hint: "), "{said}");
}

#[test]
fn a_run_is_shown_with_its_decisions_evidence_and_usage() {
    let place = Place::new();
    store(&place, SHOP);
    insta::assert_snapshot!(place.run(&["show", "last"]).out);
    let listed = place.run(&["runs"]).out;
    assert!(listed.contains("5e6f1a2b  ✗ rejected") && listed.contains("Buy an anchor"), "{listed}");
}

#[test]
fn a_parked_run_says_what_it_waits_for() {
    let place = Place::new();
    let run = store(&place, PARKED);
    let id = run.to_string();
    insta::assert_snapshot!(place.run(&["show", &id[..20]]).out);
}

#[test]
fn the_events_come_back_as_they_were_stored() {
    let place = Place::new();
    store(&place, SHOP);
    let out = place.run(&["show", "last", "--events"]).out;
    let read = |lines: &str| {
        let events = lines.lines().map(|line| serde_json::from_str::<Event>(line).unwrap());
        events.map(|event| (event.seq, event.time, event.step, event.kind)).collect::<Vec<_>>()
    };
    assert_eq!(read(&out), read(SHOP));
    assert_eq!(place.run(&["show", "last", "--events=journal"]).out, out);
    let panel = place.run(&["show", "last", "--events=side-panel"]).out;
    let names: Vec<String> = panel
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names[..3], ["task:setup", "task:started", "agent:step"]);
    assert_eq!(names[names.len() - 2..], ["task:aborted", "task:metrics"]);
    let json: serde_json::Value = serde_json::from_str(&place.run(&["show", "last", "--json"]).out).unwrap();
    assert_eq!(json["totals"]["usage"]["promptTokens"], 7660);
}

#[test]
fn a_run_is_exported_as_json_and_as_a_page() {
    let place = Place::new();
    store(&place, SHOP);
    let export: serde_json::Value =
        serde_json::from_str(&place.run(&["export", "last", "--format", "json"]).out).unwrap();
    assert_eq!(export["record"]["state"], "failure");
    assert_eq!(export["events"].as_array().unwrap().len(), SHOP.lines().count());
    let said = place.run(&["export", "last", "--format", "html", "-o", "run.html"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
    let page = std::fs::read_to_string(place.path().join("run.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("Buy an anchor") && !page.contains("<script"));
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let place = Place::new();
    store(&place, SHOP);
    let mut command = place.command(&["export", "last", "--format", "json"]);
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
