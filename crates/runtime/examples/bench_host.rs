//! A host for the side-by-side benchmark (`bench/run`): a JSON request a line on standard input, a JSON reply a line on
//! standard output. `open`, `click` and `type` answer with the new observation, as the MCP server's tools do.

use std::{
    io::{BufRead, Write},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use legwork::{
    Runtime, StartRequest, observe,
    protocol::{Action, ActionResult, Click, Fill, Open, Step, Target, View, Workflow},
    settings::{Settings, Sources},
};
use legwork_browser::{Browser, LaunchOptions, Session, SessionOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Request {
    Start,
    Open {
        url: String,
    },
    Snapshot,
    Click {
        #[serde(rename = "ref")]
        target: String,
    },
    Type {
        #[serde(rename = "ref")]
        target: String,
        text: String,
    },
    Many {
        n: usize,
        urls: Vec<String>,
    },
    Agent {
        url: String,
        task: String,
        llm: String,
    },
    Close,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Default)]
struct Host {
    /// Of the agent row. Kept until the end, so that its browser is not put away within what is measured.
    runtime: Option<Runtime>,
    browser: Option<Arc<Browser>>,
    session: Option<Session>,
}

fn chrome() -> Option<PathBuf> {
    std::env::var_os("BENCH_CHROME").map(PathBuf::from)
}

async fn session(browser: &Browser) -> Result<Session, Failure> {
    Ok(browser.session(SessionOptions::new(std::env::temp_dir().join("downloads"))).await?)
}

async fn observed(session: &Session) -> Result<String, Failure> {
    let page = session.observe(None).await?;
    Ok(observe::render(&page, &View::default()).text)
}

async fn acted(session: &Session, action: Action) -> Result<Value, Failure> {
    let ActionResult { failure, .. } = session.act(&action, &CancellationToken::new()).await;
    match failure {
        Some(failure) => Err(failure.into()),
        None => Ok(observed(session).await?.into()),
    }
}

impl Host {
    async fn answer(&mut self, request: Request) -> Result<Value, Failure> {
        if let Request::Start = request {
            let browser =
                Arc::new(Browser::launch(LaunchOptions { executable: chrome(), ..LaunchOptions::default() }).await?);
            self.session = Some(session(&browser).await?);
            self.browser = Some(browser);
            return Ok(Value::Null);
        }
        if let Request::Agent { url, task, llm } = request {
            let runtime = opened(llm).await?;
            let answer = agent(self.runtime.insert(runtime), url, task).await;
            return answer;
        }
        if let (Request::Close, Some(runtime)) = (&request, self.runtime.take()) {
            runtime.close().await;
            return Ok(Value::Null);
        }
        let (Some(browser), Some(page)) = (&self.browser, &self.session) else { return Err("not started".into()) };
        let target = Target;
        match request {
            Request::Open { url } => acted(page, Action::Open(Open { url })).await,
            Request::Snapshot => Ok(observed(page).await?.into()),
            Request::Click { target: to } => {
                acted(
                    page,
                    Action::Click(Click {
                        target: target(to),
                        button: Default::default(),
                        count: 1,
                        modifiers: vec![],
                    }),
                )
                .await
            }
            Request::Type { target: to, text } => {
                acted(page, Action::Fill(Fill { target: target(to), text, submit: false })).await
            }
            Request::Many { n, urls } => {
                let urls: Arc<[String]> = urls.into();
                let mut sessions = tokio::task::JoinSet::new();
                for _ in 0..n {
                    let (browser, urls) = (browser.clone(), urls.clone());
                    sessions.spawn(async move {
                        let page = session(&browser).await?;
                        for url in urls.iter() {
                            acted(&page, Action::Open(Open { url: url.clone() })).await?;
                        }
                        Ok::<_, Failure>(page)
                    });
                }
                // The pages stay open until all are there, as with the other contestants: memory is read at the end.
                let pages = sessions.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
                Ok(json!(pages.len()))
            }
            Request::Close | Request::Start | Request::Agent { .. } => {
                if let Some(session) = self.session.take() {
                    session.close().await?;
                }
                if let Some(browser) = self.browser.take() {
                    browser.close().await;
                }
                Ok(Value::Null)
            }
        }
    }
}

/// The same runtime as that of `legwork run`.
async fn opened(llm: String) -> Result<Runtime, Failure> {
    let flags = [
        ("model.name", "compatible/m".to_owned()),
        ("model.base_url", llm),
        ("decider", "model".to_owned()),
        ("screenshots.enabled", "false".to_owned()),
        ("browser.path", chrome().unwrap_or_default().display().to_string()),
        ("data_dir", std::env::temp_dir().join("legwork-data").display().to_string()),
    ];
    let flags = flags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let settings = Settings::load(&Sources { flags, ..Sources::default() }).map_err(|problems| problems[0].clone())?;
    Ok(Runtime::open(settings).await?)
}

/// One task.
async fn agent(runtime: &Runtime, url: String, task: String) -> Result<Value, Failure> {
    let workflow =
        Workflow { name: "benchmark".into(), url: Some(url), inputs: Default::default(), steps: vec![Step::new(task)] };
    let outcome = runtime.start(StartRequest::task(workflow)).await?.outcome().await;
    Ok(json!(outcome))
}

fn main() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut host = Host::default();
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let closing = matches!(request, Request::Close);
        let reply = match runtime.block_on(host.answer(request)) {
            Ok(reply) => json!({ "r": reply }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{reply}")?;
        out.flush()?;
        if closing {
            break;
        }
    }
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}
