//! What of a run is done again: what worked and changed something, with what was expected of it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use legwork::{
    Error, StartRequest,
    protocol::{Action, Status, Step, Workflow},
};
use legwork_demo_site::DemoSite;

use crate::library::{ScriptedModelFn, line, runtime};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_worked_is_done_again() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let asked = AtomicUsize::new(0);
    // Looks, fails, does it, and says so.
    let model = ScriptedModelFn(move |_: &str| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => line("find \"Customer\""),
        1 => line("click e9999"),
        2 => line("fill textbox \"Customer\" \"Ada\""),
        _ => line("done \"named\""),
    });
    let expect = "the field \"Customer\" contains \"Ada\"".to_owned();
    let made_up = Step { expect: Some(expect), ..Step::new("Make up a name for whoever buys this") };
    let exact = Step::new("Type \"ada@example.org\" into \"E-mail\"");
    let url = Some(site.signed_in_url("/orders/new"));
    let steps = vec![made_up, exact.clone()];
    let workflow = Workflow { name: "order".into(), url: url.clone(), steps, ..Workflow::default() };
    let run =
        runtime.start(StartRequest { model: Some(Arc::new(model)), ..StartRequest::workflow(workflow) }).await.unwrap();
    let id = run.id();
    let outcome = run.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let again = runtime.replay(id).await.unwrap();
    assert_eq!((again.workflow.url.as_ref(), &again.workflow.steps[1]), (url.as_ref(), &exact));
    let playbook = again.playbook.as_ref().unwrap();
    let [repeated] = playbook.steps[0].actions.as_slice() else { panic!("{playbook:?}") };
    let Action::Fill(fill) = &repeated.action else { panic!("{playbook:?}") };
    assert_eq!((repeated.elements["target"].name.as_str(), fill.text.as_str()), ("Customer", "Ada"));
    let done = runtime.start(again).await.unwrap().outcome().await;
    assert_eq!(done.status, Status::Success, "{done:?}");

    // On a page that has changed it is refused, not guessed.
    let mut elsewhere = runtime.replay(id).await.unwrap();
    elsewhere.workflow.url = Some(site.signed_in_url("/notes"));
    let refused = runtime.start(elsewhere).await.unwrap();
    let other = refused.id();
    let refused = refused.outcome().await;
    assert_eq!(refused.status, Status::Failure, "{refused:?}");
    let error = runtime.replay(other).await.err().unwrap();
    assert!(matches!(error, Error::Replay(..)) && error.to_string().contains(&other.to_string()[..8]), "{error}");
    runtime.close().await;
}
