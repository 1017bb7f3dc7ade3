//! What a run may do by default, and under the rules of a policy file. The scripted model decides against them.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use legwork::{
    Runtime, StartRequest,
    action_policy::{PolicyFile, PolicyLayers},
    browser::{Area, Cookie, Route},
    page::{PageRequest, PageTask},
    protocol::{
        Action, ActionFailure, Click, Event, EventKind, Fill, Op, Open, Outcome, PolicyEffect, Status, Step, Target,
        View, Wait, Workflow,
    },
    settings::Settings,
};
use legwork_demo_site::DemoSite;
use tokio_util::sync::CancellationToken;

use crate::library::{ScriptedModelFn, line, runtime_with};

/// The settings of a runtime with these rules of the user.
fn with_rules(runtime: &Runtime, rules: &str) -> Settings {
    let user = Some(PolicyFile::parse(Path::new("policy.toml"), rules).expect("good rules"));
    let mut settings = Settings::clone(&runtime.settings());
    settings.policy = PolicyLayers { user, ..PolicyLayers::default() };
    settings
}

/// A task whose model gives these commands; every question is answered so, if it is asked.
async fn task(
    site: &DemoSite,
    words: &str,
    flags: &[(&str, &str)],
    commands: Vec<String>,
    answer: Option<&'static str>,
) -> (Outcome, Vec<Event>) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime_with(&folder, flags).await;
    let next = AtomicUsize::new(0);
    let model = ScriptedModelFn(move |_: &str| match commands.get(next.fetch_add(1, Ordering::Relaxed)) {
        Some(command) => line(command),
        None => line("done \"over\""),
    });
    let url = Some(site.signed_in_url("/orders/new"));
    let workflow = Workflow { name: "policy".into(), url, steps: vec![Step::new(words)], ..Workflow::default() };
    let request =
        StartRequest { model: Some(Arc::new(model)), interactive: answer.is_some(), ..StartRequest::task(workflow) };
    let run = runtime.start(request).await.unwrap();
    let (id, ops) = (run.id(), run.ops());
    let person = answer.map(|answer| {
        let mut events = runtime.log().follow(id, 1);
        tokio::spawn(async move {
            while let Ok(event) = events.next().await {
                if matches!(event.kind, EventKind::QuestionAsked(_)) {
                    // The run may have ended.
                    let _ = ops.send(Op::Answer { text: answer.to_owned() }).await;
                }
            }
        })
    });
    let outcome = run.outcome().await;
    person.iter().for_each(tokio::task::JoinHandle::abort);
    let events = runtime.log().read(id, 1).await.unwrap();
    runtime.close().await;
    (outcome, events)
}

/// The rules that refused an action, in order.
fn refusals(events: &[Event]) -> Vec<String> {
    let of = |event: &Event| match &event.kind {
        EventKind::CommandFailed { result, .. } => match &result.failure {
            Some(ActionFailure::PolicyRefused { rule, .. }) => Some(rule.clone()),
            other => Some(format!("{other:?}")),
        },
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn decisions(events: &[Event]) -> Vec<(String, PolicyEffect, Option<bool>)> {
    let of = |event: &Event| match &event.kind {
        EventKind::PolicyDecided(decision) => Some((decision.rule.clone(), decision.effect, decision.approved)),
        _ => None,
    };
    events.iter().filter_map(of).collect()
}

fn carrier_posts(site: &DemoSite) -> usize {
    site.ledger().iter().filter(|entry| entry.path == "/quote").count()
}

/// The commands that fill in and send the form of the carrier.
fn quote(site: &DemoSite, postcode: &str) -> Vec<String> {
    vec![
        format!("open \"{}/quote\"", site.second_origin_url()),
        format!("fill #postcode \"{postcode}\""),
        "fill #weight \"3\"".to_owned(),
        "click \"role=button[name=\\\"Get a quote\\\"]\"".to_owned(),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_writes_only_where_the_user_is() {
    let site = DemoSite::start().await.unwrap();
    let away = site.second_origin_url();
    let commands = vec![
        format!("open \"{away}/quote?d=1\""),
        "fill \"role=textbox[name=\\\"Customer\\\"]\" \"Ada\"".to_owned(),
        format!("tab open \"{away}/quote?d=2\""),
    ];
    let (outcome, events) = task(&site, "Fill in the order form", &[], commands, None).await;
    // Whether a task with refused actions is done is the model's to say, and a matter of the review.
    assert_ne!(outcome.status, Status::Error, "{outcome:?}");
    assert_eq!(refusals(&events), ["default:address", "default:address"]);
    let asked = ("default:address".to_owned(), PolicyEffect::Ask, None);
    assert_eq!(decisions(&events), [asked.clone(), asked]);
    let done = events.iter().filter(|event| matches!(event.kind, EventKind::CommandCompleted { .. })).count();
    assert_eq!(done, 2, "the start page and the field");
    // The message names what allows it.
    assert!(serde_json::to_string(&events).unwrap().contains("--allow-write 127.0.0.2"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_default_policy_a_model_writes_anywhere() {
    let site = DemoSite::start().await.unwrap();
    let (outcome, events) = task(&site, "Look around", &[("default_policy", "off")], quote(&site, "N1"), None).await;
    assert_eq!((refusals(&events), decisions(&events)), (vec![], vec![]), "{outcome:?}");
    assert_eq!(carrier_posts(&site), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_the_user_names_receives_words_of_the_user_but_no_data_of_pages() {
    let site = DemoSite::start().await.unwrap();
    let flags = [("allow_write", "127.0.0.2,localhost")];
    let words = "Ask the carrier for the price of 3 kg to N1 9GU";
    let (outcome, events) = task(&site, words, &flags, quote(&site, "N1 9GU"), None).await;
    assert_eq!((refusals(&events), outcome.status), (vec![], Status::Success), "{outcome:?}");
    assert_eq!(carrier_posts(&site), 1);

    // The heading of the shop's form is a text of a page.
    let (_, events) = task(&site, words, &flags, quote(&site, "Saturday delivery"), None).await;
    assert_eq!(refusals(&events)[0], "default:page-data", "{:?}", refusals(&events));
    let both = format!("Take the delivery from {} to {}", site.url(), site.second_origin_url());
    let (_, events) = task(&site, &both, &[], quote(&site, "Saturday delivery"), None).await;
    assert_eq!(refusals(&events), [""; 0]);
    assert_eq!(carrier_posts(&site), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_may_approve_one_action() {
    let site = DemoSite::start().await.unwrap();
    let open = vec![format!("open \"{}/quote\"", site.second_origin_url()), "fill #postcode \"N1\"".to_owned()];
    let (outcome, events) = task(&site, "Look around", &[], open.clone(), Some("yes")).await;
    assert_eq!((refusals(&events), outcome.status), (vec![], Status::Success), "{outcome:?}");
    let approved = |rule: &str| (rule.to_owned(), PolicyEffect::Ask, Some(true));
    assert_eq!(
        decisions(&events),
        [approved("default:address"), approved("default:write-site")],
        "each is asked about"
    );
    let (_, events) = task(&site, "Look around", &[], open, Some("no")).await;
    assert_eq!(refusals(&events)[0], "default:address");
    assert_eq!(decisions(&events)[0].2, Some(false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_of_a_file_holds_for_literal_steps_and_stands_in_the_journal() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime_with(&folder, &[]).await;
    let rules = "[[rule]]\naction = 'pay'\ndecision = 'deny'\nreason = 'orders are placed by people'\n\
                 [[rule]]\naction = 'fill'\nmax_count = 1\ndecision = 'allow'\n";
    let run = async |steps: &[&str]| {
        let steps = steps.iter().map(|step| Step::new(*step)).collect();
        let url = Some(site.signed_in_url("/orders/new"));
        let workflow = Workflow { name: "order".into(), url, steps, ..Workflow::default() };
        let settings = Some(with_rules(&runtime, rules));
        let run = runtime.start(StartRequest { settings, ..StartRequest::workflow(workflow) }).await.unwrap();
        let id = run.id();
        (run.outcome().await, runtime.log().read(id, 1).await.unwrap())
    };
    let (outcome, events) = run(&["Click \"Place order\""]).await;
    let error = outcome.error.expect("the step is refused");
    assert_eq!(error.code.code(), "EX008");
    assert!(
        error.message.contains("policy.toml:1") && error.message.contains("orders are placed by people"),
        "{error}"
    );
    assert_eq!(decisions(&events), [("policy.toml:1".to_owned(), PolicyEffect::Deny, None)]);
    // The intent follows the decision, and has an end.
    let position = |wanted: fn(&EventKind) -> bool| events.iter().rposition(|event| wanted(&event.kind)).unwrap();
    let decided = position(|kind| matches!(kind, EventKind::PolicyDecided(_)));
    let started = position(|kind| matches!(kind, EventKind::CommandStarted { .. }));
    assert!(decided < started && started < position(|kind| matches!(kind, EventKind::CommandFailed { .. })));
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/orders").count(), 0);

    let (outcome, _) = run(&["Type \"Ada\" into \"Customer\"", "Type \"a@b.example\" into \"E-mail\""]).await;
    let error = outcome.error.expect("the second is refused");
    assert!(error.message.contains("permits 1 such actions") && error.step == Some(1), "{error}");
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn literal_steps_are_the_words_of_the_user() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime_with(&folder, &[]).await;
    let open = format!("Open {}/quote", site.second_origin_url());
    let save = "Save the text of the heading \"New order\" as customer";
    let steps = [save, &open, "Type \"${customer}\" into \"Postcode\""].iter().map(|step| Step::new(*step)).collect();
    let url = Some(site.signed_in_url("/orders/new"));
    let workflow = Workflow { name: "quote".into(), url, steps, ..Workflow::default() };
    let run = runtime.start(StartRequest::workflow(workflow)).await.unwrap();
    let id = run.id();
    let outcome = run.outcome().await;
    let events = runtime.log().read(id, 1).await.unwrap();
    runtime.close().await;
    assert_eq!((outcome.status, refusals(&events)), (Status::Success, vec![]), "{outcome:?}");
    let provenance = events.iter().find_map(|event| match &event.kind {
        EventKind::VariableUpdated(variable) => Some(variable.provenance().to_string()),
        _ => None,
    });
    assert_eq!(provenance, Some(format!("page:{}", site.url())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_of_a_client_obeys_the_rules_of_files() {
    let (site, folder, never) =
        (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap(), CancellationToken::new());
    let runtime = runtime_with(&folder, &[]).await;
    let rules = "[[rule]]\naction = 'pay'\ndecision = 'ask'\n[[rule]]\norigin = '127.0.0.2'\naction = 'write'\ndecision = 'deny'\n";
    let settings = Some(with_rules(&runtime, rules));
    let page = runtime.open_page(PageRequest { settings, ..PageRequest::default() }).await.unwrap();
    let open = Action::Open(Open { url: site.signed_in_url("/orders/new") });
    assert!(page.act(&open, &never).await.ok());
    let rule_of = async |action: Action| match page.act(&action, &never).await.failure {
        Some(ActionFailure::PolicyRefused { rule, reason, .. }) => format!("{rule}: {reason}"),
        other => format!("{other:?}"),
    };
    let click = |target: &str| Action::Click(Click::on(Target(target.into())));
    let fill = |target: &str| Action::Fill(Fill { target: Target(target.into()), text: "x".into(), submit: false });
    let paid = rule_of(click("role=button[name=\"Place order\"]")).await;
    assert!(paid.starts_with("policy.toml:1: ") && paid.contains("nobody can be asked"), "{paid}");
    assert_eq!(rule_of(fill("#customer")).await, "None");
    assert_eq!(rule_of(Action::Open(Open { url: format!("{}/quote", site.second_origin_url()) })).await, "None");
    assert!(rule_of(fill("#postcode")).await.starts_with("policy.toml:4: "));
    // The rule holds for what is written without an action as well.
    let rule_of = |done: Result<(), ActionFailure>| match done {
        Err(ActionFailure::PolicyRefused { rule, .. }) => rule,
        other => format!("{other:?}"),
    };
    let cookie = |domain: &str| Cookie {
        name: "d".into(),
        value: "x".into(),
        domain: domain.into(),
        path: "/".into(),
        expires: -1.0,
        ..Cookie::default()
    };
    let header = vec![("X-S".to_owned(), "x".to_owned())];
    let route = |pattern: String| Route { pattern, headers: header.clone(), ..Route::default() };
    for refused in [
        page.set_cookies(&[cookie("127.0.0.2")]).await.map(drop),
        page.set_entry(Area::Local, "d", "x").await,
        page.route(route(format!("{}/**", site.second_origin_url()))).await,
        page.route(route("**/quote".to_owned())).await,
    ] {
        assert_eq!(rule_of(refused), "policy.toml:4");
    }
    assert_eq!(rule_of(page.route(route(format!("{}/**", site.url()))).await), "Ok(())");
    assert_eq!(rule_of(page.set_cookies(&[cookie("127.0.0.1")]).await.map(drop)), "Ok(())");
    page.close().await.unwrap();
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn literal_steps_of_a_client_write_only_on_the_sites_of_the_flag() {
    let (site, folder, never) =
        (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap(), CancellationToken::new());
    let runtime = runtime_with(&folder, &[("allow_write", "127.0.0.1")]).await;
    let away = format!("{}/quote", site.second_origin_url());
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    let open = Action::Open(Open { url: site.signed_in_url("/orders/new") });
    assert!(page.act(&open, &never).await.ok());
    let refused = |outcome: Outcome| {
        let error = format!("{:?}", outcome.error);
        assert!(error.contains("`--allow-write 127.0.0.2` allows it") && !error.contains("a task"), "{error}");
    };
    let step = async |words: &str| page.run(PageTask::Step(words.to_owned()), &never).await.unwrap();
    refused(step(&format!("Open {away}?d=KD-4711-92")).await);
    assert_eq!(step("Type \"Ada\" into \"Customer\"").await.status, Status::Success);
    // A page leads to the other site.
    page.evaluate(&format!("location.href = '{away}'"), None, &View::default()).await.unwrap();
    let wait = Wait { text: Some("Northwind Parcels".into()), gone: None, url: None, state: None, seconds: Some(20.0) };
    assert!(page.act(&Action::Wait(wait), &never).await.ok());
    refused(step("Type \"KD-4711-92\" into \"Postcode\"").await);

    // A run in a context of its own, by the client and by the user.
    let run = async |is_by_client| {
        let steps = vec![Step::new("Type \"N1\" into \"Postcode\"")];
        let workflow = Workflow { name: "quote".into(), url: Some(away.clone()), steps, ..Workflow::default() };
        let request = StartRequest { is_by_client, ..StartRequest::workflow(workflow) };
        runtime.start(request).await.unwrap().outcome().await
    };
    refused(run(true).await);
    assert_eq!(run(false).await.status, Status::Success);
    page.close().await.unwrap();
    runtime.close().await;
}
