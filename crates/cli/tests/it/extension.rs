//! `legwork run --extension` in a Chromium with the unpacked extension: a person's browser, with a person's clicks in
//! the side panel. The browser is driven over its debugging port, as a person would use it; Legwork reaches it through
//! the extension only.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::Instant,
};

use legwork::browser::{Engine, find_executable};
use legwork_demo_site::{DEMO_WORKFLOW, DemoSite, PASSWORD};
use regex::Regex;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use crate::support::{Program, TEST_TIMEOUT};

const PANEL: &str = "chrome-extension://elponlmhahmnbnjlpmbkjlfinkjpacfg/panel.html";

/// The browser of a person. It is killed when the value is dropped.
struct PersonsBrowser {
    child: Child,
    _profile: TempDir,
    socket: WebSocket<tungstenite::stream::MaybeTlsStream<TcpStream>>,
    calls: u64,
}

impl Drop for PersonsBrowser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl PersonsBrowser {
    fn start() -> PersonsBrowser {
        let profile = tempfile::tempdir().unwrap();
        let extension = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/dist").canonicalize().unwrap();
        let mut command = Command::new(find_executable(Engine::Chromium).unwrap());
        command
            .args(["--headless=new", "--remote-debugging-port=0", "--no-first-run", "--no-default-browser-check"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--load-extension={}", extension.display()))
            .arg("--disable-features=DisableLoadExtensionCommandLineSwitch")
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        let mut child = command.spawn().unwrap();
        let address = found(child.stderr.take().unwrap(), r"DevTools listening on (ws://\S+)");
        let (socket, _) = tungstenite::connect(address).unwrap();
        PersonsBrowser { child, _profile: profile, socket, calls: 0 }
    }

    fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.try_call(session, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_call(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Value> {
        self.calls += 1;
        let mut command = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.calls {
                return if message["error"].is_null() { Ok(message["result"].clone()) } else { Err(message) };
            }
        }
    }

    /// Opens a tab; its session.
    fn open(&mut self, url: &str) -> String {
        let target = self.call(None, "Target.createTarget", json!({ "url": url }))["targetId"].clone();
        let attached = self.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        attached["sessionId"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn evaluate(&mut self, session: &str, script: &str) -> Value {
        self.try_evaluate(session, script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// The value of a script; an error if it throws, or if the page leaves its document meanwhile.
    fn try_evaluate(&mut self, session: &str, script: &str) -> Result<Value, Value> {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.try_call(Some(session), "Runtime.evaluate", params)?;
        if answer["exceptionDetails"].is_null() { Ok(answer["result"]["value"].clone()) } else { Err(answer) }
    }

    /// Evaluates a script until its value is true. A page sends no message when it has changed, so the test asks again;
    /// while a document is being replaced, it may lack what the script reads.
    #[track_caller]
    fn wait_for(&mut self, session: &str, script: &str) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            let said = self.try_evaluate(session, script);
            if said == Ok(true.into()) {
                return;
            }
            assert!(Instant::now() < deadline, "{script}: {said:?}");
        }
    }
}

/// What the first line that matches contains. The rest of the output is read and dropped.
#[track_caller]
fn found(output: impl std::io::Read + Send + 'static, pattern: &str) -> String {
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // The test has found its line.
            let _ = sender.send(line);
        }
    });
    let pattern = Regex::new(pattern).unwrap();
    let mut said = String::new();
    loop {
        let line = lines.recv_timeout(TEST_TIMEOUT).unwrap_or_else(|error| panic!("{error}: {said}"));
        if let Some(captures) = pattern.captures(&line) {
            return captures[1].to_owned();
        }
        said += &line;
        said.push('\n');
    }
}

/// The demo without its upload and its download, which stay with a person's own browser.
fn workflow() -> String {
    let (before, rest) = DEMO_WORKFLOW.split_once("  # An upload and a download.").unwrap();
    let after = rest.find("\n  # ").map_or("", |at| &rest[at..]);
    format!("{before}{after}")
}

#[test]
fn the_demo_runs_in_a_tab_that_a_person_assigned_in_the_side_panel() {
    let program = Program::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let site = runtime.block_on(DemoSite::start()).unwrap();
    let mut browser = PersonsBrowser::start();
    let tab = browser.open(&site.url());
    browser.wait_for(&tab, "document.readyState === 'complete'");

    program.write("demo.yaml", &workflow());
    let mut command = program.command(&[
        "run",
        "demo.yaml",
        "--extension",
        "--json",
        "--decider",
        "literal",
        "--url",
        &site.url(),
        "--secret",
        "demo_password",
    ]);
    command.env("LEGWORK_SERVER_PORT", "0").env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let server = found(run.stderr.take().unwrap(), r"Waiting for a tab of your browser \((http://\S+)\)");
    // It replaces the code that the program printed before it waited.
    let code = program.run(&["panel", "pair"]).expect(0).out.trim().to_owned();

    let panel = browser.open(PANEL);
    browser.wait_for(&panel, "document.readyState === 'complete' && !!globalThis.chrome?.storage");
    let number = browser.evaluate(
        &panel,
        &format!(
            "chrome.storage.local.set({{server: {server:?}}}).then(() => chrome.tabs.query({{}})) \
             .then(tabs => tabs.find(tab => tab.url.startsWith({:?})).id)",
            site.url()
        ),
    );
    browser.evaluate(&panel, &format!("location.href = {:?}; true", format!("{PANEL}?tab={number}")));
    browser.wait_for(
        &panel,
        "!!document.querySelector('#code')?.closest('li').previousElementSibling.matches('[aria-current]')",
    );
    browser.evaluate(
        &panel,
        &format!(
            "(() => {{ const field = document.querySelector('#code'); field.value = {code:?}; \
             field.dispatchEvent(new Event('input', {{bubbles: true}})); return true }})()"
        ),
    );
    browser.wait_for(&panel, "!document.querySelector('form button.primary').disabled");
    browser.evaluate(&panel, "document.querySelector('form button.primary').click(); true");
    browser.wait_for(&panel, "!!document.querySelector('[aria-label=Request] button:not(:disabled)')");
    browser.evaluate(&panel, "document.querySelector('[aria-label=Request] button').click(); true");

    let ended = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{said}\n{}", program.show_last());
    // The tab of the person stays, and nothing of its cookies was saved.
    assert_eq!(browser.evaluate(&tab, "document.visibilityState !== undefined"), true);
    assert!(!program.events().iter().any(|event| event["type"] == "STATE_SAVED"));
}
