use std::{collections::BTreeMap, time::Duration};

use legwork_protocol::{
    AiCall, Code, ElementBox, ErrorReport, Event, EventKind, PageEffect, Plan, Purpose, Quality, Reflection, Review,
    Risk, Status, Usage, Validation, Verdict,
};

use super::*;

/// The side panel events of these journal events, one per line: the number, the name, the data.
fn side_panel_lines(events: &[Event]) -> Vec<String> {
    let mut view = SidePanelView::default();
    let line = |view: SidePanelEvent| {
        let mut data = view.data;
        assert!(data.as_object_mut().unwrap().remove("taskId").is_some(), "{data}");
        format!("{} {} {data}", view.seq, view.name)
    };
    events.iter().flat_map(|event| view.view(event)).map(line).collect()
}

#[test]
fn the_journal_under_the_names_of_the_side_panel() {
    insta::assert_snapshot!(side_panel_lines(&events(SHOP)).join("\n"));
}

#[test]
fn plans_reviews_and_failures_have_their_names_too() {
    let said = side_panel_lines(&thought_through());
    let has = |part: &str| assert!(said.iter().any(|line| line.contains(part)), "{part} in {said:#?}");
    // The task had begun when the plan was made.
    has(r#"agent:status {"message":"plan: "#);
    has("agent:reasoned");
    has(r#"task:validation_error {"errors":[""],"retryCount":1,"completionQuality":"partial"}"#);
    has(r#"system:debug_message {"messages":["once more"],"isRecoverable":false}"#);
    let starts = said.iter().filter(|line| line.contains("task:started")).count();
    let ends = said.iter().filter(|line| line.contains("task:aborted")).count();
    assert_eq!((starts, ends), (1, 1));
}

#[test]
fn a_task_starts_with_its_plan() {
    let plan = Plan { plan: "Look it up".into(), action_items: vec!["open it".into()], ..Plan::default() };
    let start = events(SHOP)[0].clone();
    let EventKind::WorkflowStarted(mut run) = start.kind.clone() else { unreachable!("runs begin so") };
    run.task = true;
    let made = Event { seq: 2, kind: EventKind::PlanUpdated(plan), ..start.clone() };
    let said = side_panel_lines(&[Event { kind: EventKind::WorkflowStarted(run), ..start }, made]);
    assert!(said[0].starts_with("1 task:setup"), "{said:#?}");
    let told = r#""plan":"Look it up","successCriteria":"","actionItems":["open it"]"#;
    assert!(said[1].starts_with("2 task:started") && said[1].contains(told), "{said:#?}");
}

#[test]
fn the_page_shows_what_was_thought() {
    let mut events = thought_through();
    for event in &mut events {
        match &mut event.kind {
            EventKind::PlanUpdated(plan) => plan.action_items = vec!["look for the offer".into()],
            EventKind::ReflectionCompleted(reflection) => reflection.thought = "it is <b>covered</b>".into(),
            EventKind::AnswerValidated(review) => review.feedback = "no price is named".into(),
            _ => {}
        }
    }
    let page = html(&RunRecord::fold(&events).unwrap(), &BTreeMap::new()).unwrap();
    for words in [
        "plan: 1. look for the offer",
        "it is &lt;b&gt;covered&lt;&#x2f;b&gt;",
        "the answer was judged partial: no price is named",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

const SHOP: &str = include_str!("fixtures/shop.ndjson");
const PARKED: &str = include_str!("fixtures/parked.ndjson");

fn events(lines: &str) -> Vec<Event> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn shop() -> RunRecord {
    RunRecord::fold(&events(SHOP)).unwrap()
}

/// Bytes for every artifact that the page shows.
fn artifacts(record: &RunRecord) -> BTreeMap<String, Vec<u8>> {
    let content = |media_type: &str| match media_type {
        "image/png" => b"\x89PNG\r\n".to_vec(),
        _ => b"</pre><script>alert('from the page')</script>".to_vec(),
    };
    record.shown_artifacts().map(|artifact| (artifact.hash.clone(), content(&artifact.media_type))).collect()
}

#[test]
fn every_step_stands_where_its_events_left_it() {
    let record = shop();
    let states: Vec<_> = record.steps.iter().map(|step| step.state.name()).collect();
    let expected = ["success", "success", "success", "success", "success", "skipped", "success", "failure", "pending"];
    assert_eq!(states, expected);
    assert_eq!(record.state, RecordState::Ended(Status::Failure));
    assert_eq!(record.outside.len(), 1, "the first page was opened outside any step");
}

#[test]
fn a_turn_is_observe_decide_act() {
    let turns: Vec<_> = shop().steps[4]
        .turns
        .iter()
        .map(|turn| (turn.looks, turn.calls.len(), turn.decider().map(DecidedBy::name), turn.commands.len()))
        .collect();
    assert_eq!(turns, [(1, 2, Some("model"), 1), (1, 1, Some("model"), 1), (1, 1, Some("model"), 2)]);
    // Two looks without a decision between are one turn: a check that waits.
    assert_eq!(shop().steps[7].turns[0].looks, 2);
}

#[test]
fn totals_equal_what_the_events_add_up_to() {
    let events = events(SHOP);
    let totals = shop().totals;
    let count = |wanted: fn(&EventKind) -> bool| events.iter().filter(|event| wanted(&event.kind)).count();
    assert_eq!(totals.observations, count(|kind| matches!(kind, EventKind::PageObserved(_))));
    assert_eq!(totals.commands, count(|kind| matches!(kind, EventKind::CommandStarted { .. })));
    assert_eq!(totals.commands_failed, count(|kind| matches!(kind, EventKind::CommandFailed { .. })));
    assert_eq!(totals.pictures, count(|kind| matches!(kind, EventKind::ScreenshotCaptured(_))));
    let decisions = totals.decisions;
    // A decision outside of the steps is the opening of the start page.
    let is_decision = |event: &&Event| matches!(event.kind, EventKind::AiReasoning { .. });
    let decided = events.iter().filter(|event| event.step.is_some()).filter(is_decision).count();
    assert_eq!(decisions.literal + decisions.model + decisions.custom, decided);
    let mut usage = Usage::default();
    for event in &events {
        if let EventKind::AiResponseReceived(call) = &event.kind {
            usage += call.usage;
        }
    }
    assert_eq!(totals.usage, usage);
    assert_eq!((totals.steps, totals.steps_done, totals.steps_failed, totals.steps_skipped), (9, 6, 1, 1));
    assert_eq!((totals.calls_failed, totals.retries, totals.thinking_ms), (1, 2, 2210 + 1840 + 1622 + 1398));
}

/// The run of the fixture, with a plan, a reflection, a review and their calls before the last step ends.
fn thought_through() -> Vec<Event> {
    let mut events = events(SHOP);
    let call = events.iter().find(|event| matches!(event.kind, EventKind::AiResponseReceived(_))).unwrap().clone();
    let end = events.iter().position(|event| matches!(event.kind, EventKind::StepFailed(_))).unwrap();
    let asked = |purpose| match call.kind.clone() {
        EventKind::AiResponseReceived(call) => EventKind::AiResponseReceived(AiCall { purpose, ..call }),
        other => other,
    };
    let review = Review { quality: Quality::Partial, feedback: String::new(), attempt: 1 };
    let (verdict, thought) = (Verdict::Retry, String::new());
    let reflection = Reflection { cause: String::new(), verdict, thought, risk: Risk::Low };
    let kinds = [
        asked(Purpose::Plan),
        EventKind::PlanUpdated(Plan::default()),
        asked(Purpose::Reflect),
        EventKind::ReflectionCompleted(reflection),
        asked(Purpose::Validate),
        EventKind::AnswerValidated(review),
        EventKind::ErrorOccurred(ErrorReport::new(Code::LoopDetected, "once more")),
    ];
    let step = events[end].step;
    events.splice(end..end, kinds.map(|kind| Event { step, kind, ..call.clone() }));
    renumbered(events)
}

/// With the numbers of a whole journal, which has no gaps.
fn renumbered(mut events: Vec<Event>) -> Vec<Event> {
    for (event, seq) in events.iter_mut().zip(1..) {
        event.seq = seq;
    }
    events
}

#[test]
fn the_figures_equal_what_the_events_add_up_to() {
    let events = thought_through();
    let record = RunRecord::fold(&events).unwrap();
    let (mut expected, mut usage, mut ended) = (record.metrics(), Usage::default(), Vec::new());
    let (mut thinking, mut acting, mut actions, mut reflections) = (0, 0, 0, 0);
    let mut errors: BTreeMap<&str, usize> = BTreeMap::new();
    for event in &events {
        let failed = match &event.kind {
            EventKind::AiResponseReceived(call) => {
                usage += call.usage;
                thinking += call.latency_ms;
                call.error.as_ref().map(|error| error.code)
            }
            EventKind::CommandStarted { .. } => {
                actions += 1;
                None
            }
            EventKind::CommandCompleted { result, .. } | EventKind::CommandFailed { result, .. } => {
                acting += result.duration.as_millis();
                result.failure.as_ref().map(Code::from)
            }
            EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
                ended.push(result);
                result.error.as_ref().map(|error| error.code)
            }
            EventKind::ReflectionCompleted(_) => {
                reflections += 1;
                None
            }
            EventKind::ErrorOccurred(error) => Some(error.code),
            _ => None,
        };
        if let Some(code) = failed {
            *errors.entry(code.name()).or_default() += 1;
        }
    }
    ended.retain(|result| result.status != Status::Skipped);
    let steps = ended.len() as f64;
    let well = ended.iter().filter(|result| result.status == Status::Success).count();
    let iterations: u32 = ended.iter().map(|result| result.iterations).sum();
    let took: u128 = ended.iter().map(|result| result.duration.as_millis()).sum();
    expected.completed_steps = well;
    expected.total_iterations = iterations as usize;
    expected.average_iterations_per_step = Some(f64::from(iterations) / steps);
    expected.success_rate = Some(well as f64 / steps);
    expected.average_execution_time = Some(took as f64 / steps);
    expected.ai_response_time = Some(thinking as f64 / f64::from(usage.calls));
    expected.executor_response_time = Some(acting as f64 / f64::from(actions));
    expected.reflection_usage = reflections;
    expected.error_breakdown = errors;
    expected.usage = usage;
    assert_eq!(record.metrics(), expected);
    assert_eq!((record.totals.plans, record.totals.reflections, record.totals.reviews), (1, 1, 1));
    assert!(expected.error_breakdown.len() > 1 && expected.success_rate < Some(1.0), "{expected:?}");
}

#[test]
fn second_thoughts_and_reviews_are_no_turns_of_their_own() {
    let plain = shop().totals.turns;
    // The plan begins a turn: nothing was decided since the step's last look.
    assert_eq!(RunRecord::fold(&thought_through()).unwrap().totals.turns, plain + 1);
}

#[test]
fn a_run_cut_short_folds_and_a_lost_result_stays_lost() {
    let events = events(PARKED);
    let resumed = events.iter().position(|event| matches!(event.kind, EventKind::WorkflowResumed { .. })).unwrap();
    let mut cut = RunRecord::fold(&events[..resumed]).unwrap();
    assert_eq!((cut.state, cut.steps[1].state), (RecordState::Running, RecordState::Running));
    assert_eq!(cut.steps[1].last_command().unwrap().result, None);
    cut.abandoned();
    assert_eq!((cut.state, cut.steps[1].state), (RecordState::Interrupted, RecordState::Interrupted));

    let whole = RunRecord::fold(&events).unwrap();
    assert_eq!(
        (whole.state, whole.steps[1].state),
        (RecordState::Ended(Status::Parked), RecordState::Ended(Status::Parked))
    );
    assert!(whole.resumed[0].cut_short);
    // The run was stopped for a minute before it was resumed.
    assert_eq!(whole.duration(whole.last), Duration::from_millis(164));
    assert_eq!(whole.steps[1].questions[0].question.text, "Was the order placed?");
    assert_eq!(whole.totals.steps_failed, 1);
}

#[test]
fn a_fold_from_any_prefix_goes_on_to_the_same_record() {
    let events = events(SHOP);
    for cut in 1..events.len() {
        let mut record = RunRecord::fold(&events[..cut]).unwrap();
        for event in &events[cut..] {
            record.apply(event);
        }
        assert_eq!(record, shop(), "cut after {cut}");
    }
}

#[test]
fn a_step_begun_again_is_counted_once() {
    let mut events = events(SHOP);
    let failed = events.iter().rposition(|event| matches!(event.kind, EventKind::StepFailed(_))).unwrap();
    let again = events.iter().rposition(|event| matches!(event.kind, EventKind::StepStarted { .. })).unwrap();
    let (started, failed) = (events[again].clone(), events[failed].clone());
    events.extend([started, failed]);
    let again = RunRecord::fold(&renumbered(events)).unwrap().totals;
    assert_eq!((again.steps_failed, again.iterations), (1, shop().totals.iterations));
}

#[test]
fn events_without_their_beginning_are_no_run() {
    assert_eq!(RunRecord::fold(&[]), Err(RecordError::Empty));
    assert_eq!(RunRecord::fold(&events(SHOP)[3..]), Err(RecordError::NoStart { seq: 4 }));
}

#[test]
fn the_page_shows_what_a_page_said_as_text() {
    let record = shop();
    let page = html(&record, &artifacts(&record)).unwrap();
    for hostile in ["<script", "<img src=x", "<b>placed", "onerror=alert(1)>", "javascript:", "http-equiv=\"refresh"] {
        assert!(!page.contains(hostile), "{hostile} is in the page as it is");
    }
    assert!(page.contains("&lt;script&gt;alert"), "the words are there, escaped");
    for outside in ["src=\"http", "<link", "@import", "url(", "<iframe"] {
        assert!(!page.contains(outside), "{outside} would load something");
    }
    let handlers = page.split('<').filter(|tag| tag.split('>').next().is_some_and(|tag| tag.contains(" on")));
    let handlers: Vec<_> = handlers.filter(|tag| tag.split_once(" on").unwrap().1.contains("=\"")).collect();
    assert_eq!(handlers, [""; 0], "no inline handlers");
    assert!(page.contains("src=\"data:image/png;base64,"));
    assert!(!page.contains("seven-seas"), "no secret was in the events, none is on the page");
}

#[test]
fn the_policy_of_the_page_permits_its_own_stylesheet_and_no_other_style() {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use sha2::{Digest, Sha256};
    let record = shop();
    let page = html(&record, &artifacts(&record)).unwrap();
    let policy = page.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1).unwrap();
    let policy = policy.split('"').next().unwrap();
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = STANDARD.encode(Sha256::digest(style));
    let expected =
        format!("default-src 'none'; style-src 'sha256-{hash}'; img-src data:; form-action 'none'; base-uri 'none'");
    assert_eq!(policy, expected);
    let body = page.split_once("<body").unwrap().1;
    assert!(!body.contains("style=") && !body.contains("<style"), "the policy would ignore it");
    assert!(style.contains("#bar-1 { left: 1.27%; width: 1.02%; }"), "bars are placed by rules");
}

#[test]
fn the_page_reads_the_same() {
    let page = html(&shop(), &BTreeMap::new()).unwrap();
    let body = page.split_once("<body").unwrap().1;
    insta::assert_snapshot!(body.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn the_page_tells_validated_unvalidated_and_rejected_apart() {
    let shown = |validation: Option<Validation>| {
        let mut record = shop();
        record.state = RecordState::Ended(if validation.is_some() { Status::Success } else { Status::Failure });
        let validation = validation.unwrap_or(Validation::Rejected);
        record.outcome.as_mut().unwrap().validation = validation;
        record.steps[0].result.as_mut().unwrap().validation = validation;
        html(&record, &BTreeMap::new()).unwrap()
    };
    let sign = |sign: &str| {
        format!("<span class=\"sign\" aria-hidden=\"true\">{sign}</span>\n      <span class=\"number\">1</span>")
    };
    for (validation, words, step, claim) in [
        (Some(Validation::Validated), "✓</span> Success, validated", "✓", "claim good\">validated"),
        (Some(Validation::Unvalidated), "?</span> Success, unvalidated", "?", "claim doubt\">unvalidated"),
        (None, "✗</span> Rejected", "✗", "claim bad\">rejected"),
    ] {
        let page = shown(validation);
        for words in [words, &sign(step), claim] {
            assert!(page.contains(words), "{words}");
        }
    }
}

#[test]
fn what_speaks_against_a_step_has_no_tick_and_takes_it_from_step_and_run() {
    let lines = SHOP.replacen(r#""evidence": [{"#, r#""evidence": [{"polarity": "contradicting", "#, 1);
    let mut record = RunRecord::fold(&events(&lines)).unwrap();
    record.state = RecordState::Ended(Status::Success);
    record.outcome.as_mut().unwrap().validation = Validation::Validated;
    let page = html(&record, &BTreeMap::new()).unwrap();
    assert!(page.contains("✗</span> Success contradicted by evidence"));
    assert!(page.contains("claim bad\">contradicted"));
    let fact = "<li class=\"contradicting\"><span class=\"sign\" aria-hidden=\"true\">✗</span>";
    assert!(page.contains(&format!("{fact}<span class=\"unseen\">Contradicts it:</span>")));
    assert_eq!(page.matches("class=\"contradicting\"").count(), 1);
}

#[test]
fn an_action_to_which_the_server_said_no_has_no_tick() {
    let mut record = shop();
    let commands = record.steps[0].turns.iter_mut().flat_map(|turn| &mut turn.commands);
    let result = commands.last().and_then(|command| command.result.as_mut()).unwrap();
    let answered = |status| PageEffect::Navigated {
        from: String::new(),
        to: "/order".into(),
        status: Some(status),
        status_unknown: false,
    };
    result.effects = vec![answered(500)];
    let page = html(&record, &BTreeMap::new()).unwrap();
    assert!(
        page.contains(
            "<li class=\"refused\">\n      <p class=\"did\"><span class=\"mark\" aria-hidden=\"true\">✗</span>"
        )
    );
    assert!(page.contains("<p class=\"effect against\">went to &#x2f;order (HTTP 500)</p>"));
    let commands = record.steps[0].turns.iter_mut().flat_map(|turn| &mut turn.commands);
    commands.last().and_then(|command| command.result.as_mut()).unwrap().effects = vec![answered(200)];
    assert!(!html(&record, &BTreeMap::new()).unwrap().contains("class=\"refused\""));
}

#[test]
fn the_target_of_the_next_action_is_outlined_on_the_picture_before() {
    let mut record = shop();
    let steps = record.steps.iter_mut();
    let mut commands = steps.flat_map(|step| &mut step.turns).flat_map(|turn| &mut turn.commands);
    commands.find(|command| command.picture.is_some()).unwrap();
    let next = commands.find_map(|command| command.result.as_mut()).unwrap();
    next.r#box = Some(ElementBox { x: 128, y: 360, width: 64, height: 72, view: [1280, 720] });
    let page = html(&record, &artifacts(&record)).unwrap();
    assert_eq!(page.matches("class=\"outline\"").count(), 1);
    assert!(page.contains(" .outline { left: 10.00%; top: 50.00%; width: 5.00%; height: 10.00%; }"));
    assert!(page.contains("Outlined: where the next action,"));
}

#[test]
fn a_picture_of_an_unknown_type_is_not_shown() {
    let record = shop();
    let lines = SHOP.replace("image/png", "image/svg+xml");
    let hostile = RunRecord::fold(&events(&lines)).unwrap();
    let page = html(&hostile, &artifacts(&record)).unwrap();
    assert!(!page.contains("data:image/svg"));
    assert!(page.contains("is not here"));
}

#[test]
fn times_and_sizes_read_well() {
    let took = |ms| describe::duration(Duration::from_millis(ms));
    let read = [0, 38, 999, 1_000, 1_249, 59_949, 59_950, 60_000, 185_400, 3_600_000, 5_430_000].map(took);
    let expected = [
        "0 ms",
        "38 ms",
        "999 ms",
        "1.0 s",
        "1.2 s",
        "59.9 s",
        "1 min 00 s",
        "1 min 00 s",
        "3 min 05 s",
        "1 h 00 min",
        "1 h 30 min",
    ];
    assert_eq!(read, expected);
    assert_eq!([812, 14_200, 3_200_000].map(describe::bytes), ["812 B", "14 kB", "3.2 MB"]);
}
