//! What ends a run: its time on a page of very many frames, and tokens that no provider tells of.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use legwork::{
    StartRequest,
    protocol::{Budget, EventKind, Status, Step, Workflow},
};
use legwork_demo_site::DemoSite;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::library::{ScriptedModelFn, line, runtime, runtime_with};

/// A page of 2,000 frames, each of an origin of its own, served on a loopback port; and how often the page was asked
/// for.
async fn many_frames() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let served = Arc::new(AtomicUsize::new(0));
    let count = served.clone();
    tokio::spawn(async move {
        let frames: String = (0..2_000)
            .map(|n| format!("<iframe width=40 height=20 src=\"data:text/html,<button>Frame {n}</button>\"></iframe>"))
            .collect();
        let body = format!("<!doctype html><title>Frames</title><h1>Frames</h1>{frames}");
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 2048];
            let read = stream.read(&mut request).await.unwrap_or_default();
            if request[..read].starts_with(b"GET / ") {
                count.fetch_add(1, Ordering::Relaxed);
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ";
            let _ = stream.write_all(format!("{head}{}\r\n\r\n{body}", body.len()).as_bytes()).await;
        }
    });
    (url, served)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_runs_time_holds_on_a_page_of_two_thousand_frames() {
    let (url, served) = many_frames().await;
    let folder = tempfile::tempdir().unwrap();
    // What is looked for never comes: only the run's time can end it.
    let flags = [("timeouts.workflow", "12s"), ("timeouts.element", "10m"), ("decider", "literal")];
    let runtime = runtime_with(&folder, &flags).await;
    let steps = vec![Step::new("Click the button \"Nowhere\"")];
    let workflow = Workflow { name: "frames".into(), url: Some(url), steps, ..Workflow::default() };
    let began = Instant::now();
    let outcome = runtime.start(StartRequest::workflow(workflow)).await.unwrap().outcome().await;
    assert_eq!(served.load(Ordering::Relaxed), 1, "the page of 2,000 frames was opened");
    assert_eq!((outcome.status, outcome.budget), (Status::Error, Some(Budget::Time)), "{outcome:?}");
    // Generous: closing the browser's context and a busy machine are in it. It took minutes.
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_that_no_provider_tells_of_are_counted() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let steps = vec![Step::new("Say something nice about what is there")];
    let workflow = Workflow { name: "nice".into(), url: Some(site.signed_in_url("/")), steps, ..Workflow::default() };
    let model = Arc::new(ScriptedModelFn(|_: &str| line("done \"nice\"")));
    let run = runtime.start(StartRequest { model: Some(model), ..StartRequest::task(workflow) }).await.unwrap();
    let id = run.id();
    let usage = run.outcome().await.usage;
    assert!(usage.estimated && usage.prompt_tokens > 300 && usage.completion_tokens > 5, "{usage:?}");
    let events = runtime.log().read(id, 1).await.unwrap();
    let on_record = events.iter().find_map(|event| match &event.kind {
        EventKind::AiResponseReceived(call) => Some(call.usage),
        _ => None,
    });
    assert_eq!(on_record, Some(usage));
    runtime.close().await;
}
