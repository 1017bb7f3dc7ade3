use std::collections::BTreeMap;

use legwork_protocol::{
    Artifact, CommandId, ConsoleLevel, ConsoleLine, ErrorReport, EventKind, PageLog, PageObserved, PageText,
    RequestLine,
};
use serde_json::{Value, json};

use super::*;
use crate::record::Export;

const SHOP: &str = include_str!("../fixtures/shop.ndjson");
const PARKED: &str = include_str!("../fixtures/parked.ndjson");
const ANCHOR: &str = include_str!("../fixtures/anchor.json");

fn lines(lines: &str) -> Vec<Event> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A task that a model executed, as it was exported.
fn anchor() -> Vec<Event> {
    let exported: Value = serde_json::from_str(ANCHOR).unwrap();
    serde_json::from_value(exported["events"].clone()).unwrap()
}

fn renumbered(mut events: Vec<Event>) -> Vec<Event> {
    for (event, seq) in events.iter_mut().zip(1..) {
        event.seq = seq;
    }
    events
}

fn view(events: &[Event]) -> RecordView {
    let mut view = RecordView::begin(&events[0]).unwrap();
    events[1..].iter().for_each(|event| view.apply(event));
    view
}

/// Stores rows by their identity, as a page does.
fn put(page: &mut BTreeMap<String, Value>, rows: &[&str]) {
    for row in rows {
        let row: Value = serde_json::from_str(row).unwrap();
        let seq = match row["row"].as_str().unwrap() {
            "moment" | "band" | "picture" => row["seq"].clone(),
            _ => Value::Null,
        };
        page.insert(format!("{} {} {} {} {seq}", row["row"], row["index"], row["step"], row["number"]), row);
    }
}

fn rows(view: &RecordView, kind: &str) -> Vec<Value> {
    let rows = view.since_event(0).into_iter().map(|row| serde_json::from_str::<Value>(row).unwrap());
    rows.filter(|row| row["row"] == kind).collect()
}

fn moments(events: &[Event]) -> Vec<Value> {
    rows(&view(events), "moment")
}

#[test]
fn a_run_folds_to_the_record_that_was_exported() {
    let exported: Value = serde_json::from_str(ANCHOR).unwrap();
    let events = anchor();
    let record = RunRecord::fold(&events).unwrap();
    assert_eq!(serde_json::to_value(Export::new(&record, &events)).unwrap()["record"], exported["record"]);
}

/// Wherever a viewer was disconnected, the rows that it receives afterwards complete its view.
#[test]
fn a_viewer_that_comes_back_at_any_event_misses_nothing() {
    for events in [lines(SHOP), lines(PARKED), anchor()] {
        let (mut whole, anew) = (BTreeMap::new(), view(&events));
        put(&mut whole, &anew.since_event(0));
        for cut in 1..events.len() {
            let mut early = view(&events[..cut]);
            let mut page = BTreeMap::new();
            put(&mut page, &early.since_event(0));
            let mut watching = page.clone();
            let seen = early.revision();
            // Another process may fold the run again; the numbers are the same.
            put(&mut page, &anew.since_event(early.seq()));
            assert_eq!(page, whole, "cut off at {cut}");
            // A viewer that stays connected receives what changed after its revision.
            events[cut..].iter().for_each(|event| early.apply(event));
            put(&mut watching, &early.since_revision(seen));
            assert_eq!(watching, whole, "watching from {cut}");
            assert!(early.since_revision(early.revision()).is_empty());
        }
    }
}

#[test]
fn one_event_changes_a_few_small_rows() {
    for events in [lines(SHOP), anchor()] {
        let mut view = RecordView::begin(&events[0]).unwrap();
        let mut sent = 0;
        for event in &events[1..] {
            let revision = view.revision();
            view.apply(event);
            let changed = view.since_revision(revision);
            assert!(!changed.is_empty() && changed.len() <= 12, "{}: {changed:#?}", event.seq);
            sent += changed.iter().map(|row| row.len()).sum::<usize>();
        }
        let journal: usize = events.iter().map(|event| serde_json::to_string(event).unwrap().len()).sum();
        // The comparison assumes that every event is sent alone; in practice, events are collected first.
        assert!(sent < 5 * journal, "{sent} bytes of rows for {journal} of events");
    }
}

#[test]
fn a_run_that_nobody_drives_is_interrupted_until_somebody_does() {
    let events = lines(PARKED);
    let resumed = events.iter().position(|event| matches!(event.kind, EventKind::WorkflowResumed { .. })).unwrap();
    let mut view = view(&events[..resumed]);
    let standing = |view: &RecordView| {
        let run = rows(view, "run").remove(0);
        let step = rows(view, "step").remove(1);
        json!([
            run["state"],
            run["live"],
            run["ended"],
            run["verdict"]["words"],
            step["state"],
            step["verdict"]["words"]
        ])
    };
    assert_eq!(standing(&view), json!(["running", true, false, "Running", "running", "Running"]));
    let revision = view.revision();
    view.set_live(false);
    let interrupted = json!(["interrupted", false, true, "Interrupted", "interrupted", "Interrupted"]);
    assert_eq!(standing(&view), interrupted);
    assert_eq!(view.since_revision(revision).len(), 2, "the run and its step at work");
    // A viewer that has the last event receives that event's rows again when it reconnects.
    let mut page = BTreeMap::new();
    put(&mut page, &view.since_event(view.seq()));
    assert!(page.values().any(|row| row["state"] == "interrupted"), "{page:#?}");
    view.apply(&events[resumed]);
    assert_eq!(standing(&view), json!(["running", true, false, "Running", "running", "Running"]));
}

#[test]
fn the_items_of_a_plan_are_ticked_off() {
    let mut events = anchor();
    let plan = legwork_protocol::Plan { action_items: ["a", "b", "c"].map(String::from).into(), ..Default::default() };
    let decided = |event: &Event| matches!(event.kind, EventKind::AiReasoning { .. });
    let first = events.iter().position(decided).unwrap();
    let planned = Event { step: Some(0), kind: EventKind::PlanUpdated(plan), ..events[first].clone() };
    events.insert(first, planned);
    let decisions: Vec<usize> =
        events.iter().enumerate().filter_map(|(at, event)| decided(event).then_some(at)).collect();
    for (at, words) in decisions.iter().zip(["#1: begin", "go on", "#3: the last"]) {
        let EventKind::AiReasoning { decision, .. } = &mut events[*at].kind else { unreachable!("it is a decision") };
        decision.message = words.to_owned();
    }
    let events = renumbered(events);
    let ticks = |view: &RecordView| {
        let items = rows(view, "run").remove(0)["plan"]["actionItems"].as_array().unwrap().clone();
        let states = items.iter().map(|item| item["state"].as_str().unwrap().chars().next().unwrap());
        states.collect::<String>()
    };
    let after = |count: usize| ticks(&view(&events[..count]));
    assert_eq!(after(first + 1), "ioo", "the plan was just made");
    assert_eq!(after(decisions[1] + 1), "ioo", "a decision that names no item continues the one before");
    assert_eq!(after(decisions[2] + 1), "ddi");
    assert_eq!(after(events.len()), "ddd", "the step succeeded");
    let mut left = view(&events[..=decisions[2]]);
    left.set_live(false);
    assert_eq!(ticks(&left), "ddo", "nobody works on it");
}

#[test]
fn a_parked_run_still_asks_and_a_cancelled_one_does_not() {
    let end = |kind| {
        let mut events = lines(PARKED);
        let last = events.pop().unwrap();
        let asked = legwork_protocol::Question::open("Which colour?");
        events.push(Event { step: Some(1), kind: EventKind::QuestionAsked(asked), ..last.clone() });
        let outcome = last.kind.outcome().unwrap().clone();
        events
            .push(Event { kind: EventKind::of_outcome(legwork_protocol::Outcome { status: kind, ..outcome }), ..last });
        let row = rows(&view(&renumbered(events)), "run").remove(0);
        (row["verdict"]["words"].as_str().unwrap().to_owned(), row["question"]["text"].clone())
    };
    use legwork_protocol::Status;
    assert_eq!(end(Status::Parked), ("Waiting for an answer".to_owned(), json!("Which colour?")));
    assert_eq!(end(Status::Cancelled), ("Cancelled".to_owned(), Value::Null));
}

#[test]
fn a_trace_has_every_action_with_its_pictures_its_call_and_its_decision() {
    let events = anchor();
    let moments = moments(&events);
    let kinds: Vec<_> = moments.iter().map(|moment| moment["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "action", "warning", "model", "action", "model", "action", "thought", "model", "thought", "thought",
            "model", "end"
        ]
    );
    let click = &moments[3];
    assert_eq!((&click["title"], &click["tone"]), (&json!("click link \"Anchors\""), &json!("good")));
    assert_eq!(click["before"]["actionType"], "open");
    assert_eq!(click["after"]["commandId"], click["command"]["commandId"]);
    assert_eq!(click["model"], moments[2]["seq"]);
    assert_eq!((&moments[2]["call"]["purpose"], &moments[2]["decision"]["confidence"]), (&json!("act"), &json!(0.9)));
    let missed = &moments[5];
    assert_eq!(missed["tone"], "bad");
    assert!(missed["note"].as_str().unwrap().contains("nothing matches"), "{missed}");
    assert_ne!(missed["reading"], click["reading"]);
    assert_eq!(missed["readingBefore"], click["reading"]);
    // Done, and not checked.
    let bands = rows(&view(&events), "band");
    assert_eq!(bands.iter().map(|band| band["tone"].as_str().unwrap()).collect::<Vec<_>>(), ["doubt"]);
}

#[test]
fn an_intent_without_a_result_stays_unknown() {
    let events = anchor();
    let started = events.iter().position(|event| matches!(event.kind, EventKind::CommandStarted { .. })).unwrap();
    let last = moments(&events[..=started]).pop().unwrap();
    assert_eq!(last["tone"], "wait");
    assert_eq!((&last["note"], &last["command"]["state"]), (&json!("no result on record"), &json!("open")));
}

fn request(number: u64, status: Option<u16>) -> RequestLine {
    RequestLine {
        number,
        method: "GET".into(),
        url: format!("/{number}"),
        kind: "fetch".into(),
        status,
        media_type: None,
        duration: None,
        bytes: None,
        failure: None,
        tab: 1,
        at: "2026-01-01T00:00:00Z".parse().unwrap(),
    }
}

#[test]
fn what_a_page_did_stands_with_its_action_and_a_request_recorded_again_stays_in_its_place() {
    let mut events = anchor();
    let ended: Vec<(usize, CommandId)> = events
        .iter()
        .enumerate()
        .filter_map(|(at, event)| match &event.kind {
            EventKind::CommandCompleted { command_id, .. } | EventKind::CommandFailed { command_id, .. } => {
                Some((at, *command_id))
            }
            _ => None,
        })
        .collect();
    let said = ConsoleLine {
        number: 1,
        level: ConsoleLevel::Warning,
        text: "<b>careful</b>".into(),
        url: String::new(),
        line: None,
        tab: 1,
        at: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let mut log = |at: usize, requests, left_out| {
        let (at, id) = ended[at];
        let log = PageLog {
            command_id: Some(id),
            console: vec![said.clone()],
            requests,
            console_left_out: 0,
            requests_left_out: left_out,
        };
        let event = Event { kind: EventKind::PageLog(log), ..events[at].clone() };
        events.insert(at + 1, event);
    };
    // The later request comes first, so the position of the other one does not change.
    log(1, vec![request(1, Some(200)), request(3, None)], 7);
    log(0, vec![request(1, None), request(2, Some(404))], 0);
    let moments = moments(&renumbered(events));
    let with: Vec<&Value> = moments.iter().map(|moment| &moment["activity"]).filter(|one| !one.is_null()).collect();
    let listed = |activity: &Value| -> Vec<(u64, Option<u64>)> {
        let lines = activity["requests"].as_array().unwrap().iter();
        lines.map(|line| (line["number"].as_u64().unwrap(), line["status"].as_u64())).collect()
    };
    assert_eq!(with.len(), 2);
    assert_eq!(listed(with[0]), [(1, Some(200)), (2, Some(404))]);
    assert_eq!(listed(with[1]), [(3, None)]);
    assert_eq!((&with[1]["requestsLeftOut"], &with[0]["console"][0]["text"]), (&json!(7), &json!("<b>careful</b>")));
}

#[test]
fn the_text_of_a_page_is_found_by_its_fingerprint_also_when_it_came_later() {
    let start = anchor().remove(0);
    let event = |kind| Event { step: Some(0), kind, ..start.clone() };
    let seen = |fingerprint: &str| {
        event(EventKind::PageObserved(PageObserved {
            url: "/".into(),
            title: String::new(),
            fingerprint: fingerprint.into(),
            tokens: None,
            text: None,
            duration_ms: 1,
        }))
    };
    let text = |fingerprint: &str, hash: &str| {
        let text = Artifact { hash: hash.into(), media_type: "text/plain".into(), size: 1 };
        event(EventKind::PageTextSaved(PageText { fingerprint: fingerprint.into(), text }))
    };
    let warning = event(EventKind::WarningIssued { message: "here".into() });
    let events =
        vec![start.clone(), seen("one"), seen("two"), seen("two"), text("one", "aa"), warning, text("two", "bb")];
    let moments = moments(&renumbered(events));
    let pages: Vec<_> = moments.iter().map(|moment| (&moment["page"], &moment["pageBefore"])).collect();
    assert_eq!(pages, [(&json!("bb"), &json!("aa"))]);
}

fn problems(events: &[Event]) -> (Vec<Value>, Vec<Value>) {
    let row = rows(&view(events), "problems").remove(0);
    (row["shown"].as_array().unwrap().clone(), row["hidden"].as_array().unwrap().clone())
}

#[test]
fn fatal_errors_are_shown_and_what_the_run_got_over_is_not() {
    let events = lines(SHOP);
    let record = RunRecord::fold(&events).unwrap();
    let (shown, hidden) = problems(&events);
    assert_eq!(shown, [serde_json::to_value(record.outcome.unwrap().error).unwrap()]);
    assert_eq!(hidden.iter().map(|error| &error["name"]).collect::<Vec<_>>(), ["MODEL_RATE_LIMIT_EXCEEDED"]);
}

#[test]
fn failed_validations_are_hidden_below_the_third() {
    let start = lines(SHOP).remove(0);
    let failed = |message: &str| Event {
        kind: EventKind::ErrorOccurred(ErrorReport::new(legwork_protocol::Code::ExpectationNotMet, message)),
        ..start.clone()
    };
    let (shown, hidden) = problems(&renumbered(vec![start.clone(), failed("a"), failed("b"), failed("c")]));
    let words = |errors: Vec<Value>| errors.iter().map(|error| error["message"].clone()).collect::<Vec<_>>();
    assert_eq!((words(shown), words(hidden)), (vec![json!("c")], vec![json!("a"), json!("b")]));
}

#[test]
fn a_reply_is_over_after_its_call_and_after_what_comes_only_without_a_model_at_work() {
    let events = anchor();
    let call = events.iter().position(|event| matches!(event.kind, EventKind::AiResponseReceived(_))).unwrap();
    let ended = |events: &[Event]| rows(&view(events), "progress").remove(0)["replyEnded"].clone();
    assert_eq!(ended(&events[..=call]), json!(events[call].time.as_microsecond()));
    let started = events[call..].iter().position(|event| matches!(event.kind, EventKind::CommandStarted { .. }));
    let started = call + started.unwrap();
    assert_eq!(ended(&events[..=started]), json!(events[started].time.as_microsecond()));
    // A phase does not affect it.
    let phase = events.iter().position(|event| matches!(event.kind, EventKind::PhaseChanged { .. })).unwrap();
    assert_eq!(ended(&events[..=phase]), ended(&events[..phase]));
}

#[test]
fn a_long_text_is_cut_and_says_so() {
    let start = lines(SHOP).remove(0);
    let kind = EventKind::VariableUpdated(legwork_protocol::VariableInfo {
        name: "all".into(),
        value: json!("é".repeat(1_000_000)),
        previous_value: None,
        source: legwork_protocol::VariableSource::Extracted,
        provenance: None,
    });
    let view = view(&renumbered(vec![start.clone(), Event { kind, ..start }]));
    let row = rows(&view, "data").remove(0);
    let value = row["variables"][0]["value"].as_str().unwrap();
    assert!(value.len() < 50_000 && value.ends_with("cut: 1000000 characters in all"), "{}", value.len());
}
