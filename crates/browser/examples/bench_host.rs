//! Speaks the benchmark's JSON lines: one request a line, `{"op": "open", "url": …}`, one reply a line, `{"r": …}` or `{"error": …}`.
//! Ops: start, open, snapshot, click, type, many, close. The browser is `$BENCH_CHROME`.

use std::{io::BufRead, path::PathBuf};

use legwork_browser::{Browser, LaunchOptions, Session, SessionOptions};
use legwork_observe::Snapshot;
use legwork_protocol::{Action, Button, Click, Fill, Open, Target, View};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

#[derive(Deserialize)]
struct Request {
    op: String,
    #[serde(default)]
    url: String,
    #[serde(default, rename = "ref")]
    reference: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    n: usize,
    #[serde(default)]
    urls: Vec<String>,
}

struct Host {
    browser: Browser,
    session: Session,
}

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut host: Option<Host> = None;
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let reply = match answer(&mut host, request).await {
            Ok(value) => json!({"r": value}),
            Err(error) => json!({"error": error.to_string()}),
        };
        println!("{reply}");
    }
    Ok(())
}

fn options() -> SessionOptions {
    SessionOptions::new(std::env::temp_dir().join("legwork-bench-downloads"))
}

async fn answer(host: &mut Option<Host>, request: Request) -> Result<Value, Failure> {
    if request.op == "start" {
        let executable = std::env::var_os("BENCH_CHROME").map(PathBuf::from);
        let browser = Browser::launch(LaunchOptions { executable, ..LaunchOptions::default() }).await?;
        let session = browser.session(options()).await?;
        *host = Some(Host { browser, session });
        return Ok(Value::Null);
    }
    if request.op == "close" {
        if let Some(host) = host.take() {
            host.session.close().await?;
            host.browser.close().await;
        }
        return Ok(Value::Null);
    }
    let Host { browser, session } = host.as_ref().ok_or("not started")?;
    match request.op.as_str() {
        "open" => act(session, Action::Open(Open { url: request.url })).await,
        "snapshot" => Ok(Value::String(text(&*session.observe(None).await?))),
        "click" => {
            let target = Target(request.reference);
            act(session, Action::Click(Click { target, button: Button::Left, count: 1, modifiers: vec![] })).await
        }
        "type" => {
            let target = Target(request.reference);
            act(session, Action::Fill(Fill { target, text: request.text, submit: false })).await
        }
        "many" => many(browser, request.n, &request.urls).await,
        other => Err(format!("no op {other}").into()),
    }
}

async fn act(session: &Session, action: Action) -> Result<Value, Failure> {
    match session.act(&action, &CancellationToken::new()).await.failure {
        None => Ok(Value::Null),
        Some(failure) => Err(failure.into()),
    }
}

async fn many(browser: &Browser, n: usize, urls: &[String]) -> Result<Value, Failure> {
    let one = async || -> Result<Session, Failure> {
        let session = browser.session(options()).await?;
        for url in urls {
            act(&session, Action::Open(Open { url: url.clone() })).await?;
            text(&*session.observe(None).await?);
        }
        Ok(session)
    };
    let sessions = futures_util::future::try_join_all((0..n).map(|_| one())).await?;
    Ok(json!(sessions.len()))
}

fn text(page: &Snapshot) -> String {
    legwork_observe::render(page, &View::default()).text
}
