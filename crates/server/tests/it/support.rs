//! A server in a folder of its own, and a program that asks it.

use std::{path::PathBuf, time::Duration};

use legwork::{
    Runtime,
    settings::{Settings, Sources},
};
use legwork_access::ConnectionLimits;
use legwork_server::{ServeError, Server, ServerOptions, Template};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The time limit of each wait in these tests.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(90);

/// A data folder and the settings of the servers that are started in it.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) flags: Vec<(String, String)>,
    pub(crate) env: Vec<(String, String)>,
    pub(crate) templates: Vec<Template>,
    pub(crate) limits: ConnectionLimits,
    pub(crate) alert_retries: Vec<Duration>,
}

impl Place {
    pub(crate) fn new() -> Place {
        let flags = [("server.port", "0"), ("decider", "literal"), ("screenshots.enabled", "false")];
        Place {
            folder: tempfile::tempdir().unwrap(),
            flags: flags.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            env: Vec::new(),
            templates: Vec::new(),
            limits: ConnectionLimits::default(),
            alert_retries: ServerOptions::default().alert_retries,
        }
    }

    pub(crate) fn set(mut self, name: &str, value: &str) -> Place {
        self.flags.retain(|(known, _)| known != name);
        self.flags.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Place {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts a server.
    pub(crate) async fn open(&self) -> Serving {
        self.try_open().await.unwrap()
    }

    /// Starts a server, if it can be.
    pub(crate) async fn try_open(&self) -> Result<Serving, ServeError> {
        let mut flags = self.flags.clone();
        flags.push(("data_dir".to_owned(), self.data().display().to_string()));
        let home = ("HOME".to_owned(), self.folder.path().display().to_string());
        let env = self.env.iter().cloned().chain([home]).collect();
        let sources = Sources { flags, env, ..Sources::default() };
        let runtime = Runtime::open(Settings::load(&sources).unwrap()).await.unwrap();
        let options = ServerOptions {
            sources,
            templates: self.templates.clone(),
            limits: self.limits,
            alert_retries: self.alert_retries.clone(),
            ..ServerOptions::default()
        };
        let server = Server::bind(runtime, options).await?;
        let (url, link) = (server.origin().to_owned(), server.link().unwrap());
        let stop = CancellationToken::new();
        let stopped = stop.clone().cancelled_owned();
        let done = tokio::spawn(async move { server.run(stopped).await.unwrap() });
        let token = std::fs::read_to_string(self.data().join("server.token")).unwrap().trim().to_owned();
        let http = legwork_testing::http().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Ok(Serving { url, link, token, http, stop, done })
    }
}

/// A server at work.
pub(crate) struct Serving {
    pub(crate) url: String,
    /// The one-time link.
    pub(crate) link: String,
    pub(crate) token: String,
    pub(crate) http: reqwest::Client,
    stop: CancellationToken,
    done: JoinHandle<()>,
}

/// An answer in its envelope.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Answer {
        let status = response.status();
        let text = response.text().await.unwrap();
        let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}: no envelope: {text}"));
        Answer { status, body }
    }

    /// The data of a successful response.
    #[track_caller]
    pub(crate) fn data(self) -> Value {
        assert!(self.status.is_success() && self.body["success"] == true, "{self:?}");
        self.body["data"].clone()
    }

    /// The error of a refusal with this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> Value {
        assert_eq!((self.status.as_u16(), &self.body["success"]), (status, &Value::Bool(false)), "{self:?}");
        let error = self.body["error"].clone();
        for field in ["id", "category", "severity", "code", "name", "timestamp", "message", "suggestedAction"] {
            assert!(error[field].is_string(), "{field} is missing: {error}");
        }
        error
    }
}

impl Serving {
    /// A request of a program that has the token.
    pub(crate) fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(self.ask(Method::GET, path).send().await.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.ask(Method::POST, path), body).await
    }

    pub(crate) async fn send(&self, request: RequestBuilder, body: Value) -> Answer {
        let request = request.header("content-type", "application/json").body(body.to_string());
        Answer::of(request.send().await.unwrap()).await
    }

    /// Starts a run; its id.
    pub(crate) async fn execute(&self, body: Value) -> String {
        let started = self.post("/api/automation/execute", body).await.data();
        started["sessionId"].as_str().unwrap().to_owned()
    }

    /// Asks something of a run.
    pub(crate) async fn steer(&self, run: &str, what: &str, body: Value) -> Answer {
        self.post(&format!("/api/automation/sessions/{run}/{what}"), body).await
    }

    /// A run's events as they come.
    pub(crate) async fn stream(&self, path: &str) -> Stream {
        let response = self.ask(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), 200);
        Stream { response, text: String::new(), bytes: Vec::new() }
    }

    /// Follows a run from the beginning until it ends for now: its events and how it ended.
    pub(crate) async fn to_the_end(&self, run: &str) -> (Vec<Value>, String) {
        self.stream(&format!("/api/stream/sse/{run}")).await.until_the_end().await
    }

    /// Follows a run until an event that is wanted comes.
    pub(crate) async fn until(&self, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut stream = self.stream(&format!("/api/stream/sse/{run}")).await;
        loop {
            let frame = stream.next().await.expect("the stream goes on");
            if frame.id.is_some() && wanted(&frame.data) {
                return frame.data;
            }
        }
    }

    /// Stops it as a signal would, and waits until it is gone.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(TEST_TIMEOUT, self.done).await.expect("it stops").unwrap();
    }
}

/// A frame of server-sent events.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) id: Option<u64>,
    pub(crate) event: String,
    pub(crate) data: Value,
}

/// Server-sent events as a client reads them.
pub(crate) struct Stream {
    response: Response,
    text: String,
    /// The beginning of a character whose end has not arrived.
    bytes: Vec<u8>,
}

impl Stream {
    /// The next frame; none at the stream's end.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let frame = read(block);
                self.text = rest.to_owned();
                match frame {
                    Some(frame) => return Some(frame),
                    None => continue,
                }
            }
            let chunk =
                tokio::time::timeout(TEST_TIMEOUT, self.response.chunk()).await.expect("something comes").unwrap()?;
            // A chunk may end within a character.
            self.bytes.extend_from_slice(&chunk);
            let whole = match std::str::from_utf8(&self.bytes) {
                Ok(text) => text.len(),
                Err(error) => error.valid_up_to(),
            };
            let rest = self.bytes.split_off(whole);
            self.text.push_str(std::str::from_utf8(&self.bytes).unwrap());
            self.bytes = rest;
        }
    }

    /// All events until the run ends for now, and how.
    pub(crate) async fn until_the_end(&mut self) -> (Vec<Value>, String) {
        let mut events = Vec::new();
        loop {
            let frame = self.next().await.expect("the stream goes on");
            match frame.event.as_str() {
                "end" => return (events, frame.data["status"].as_str().unwrap().to_owned()),
                _ if frame.id.is_some() => {
                    assert_eq!(frame.id, frame.data["seq"].as_u64());
                    assert_eq!(frame.event, frame.data["type"].as_str().unwrap());
                    events.push(frame.data);
                }
                other => panic!("not asked for: {other}"),
            }
        }
    }
}

fn read(block: &str) -> Option<Frame> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = serde_json::from_str(field("data")?).unwrap();
    Some(Frame {
        id: field("id").map(|id| id.parse().unwrap()),
        event: field("event").unwrap_or("message").to_owned(),
        data,
    })
}

/// The types of events, in order.
pub(crate) fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}
