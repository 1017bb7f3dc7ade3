//! A person who works in a browser, and the recorder that watches.

use std::{collections::BTreeMap, sync::Arc};

use legwork::{
    Runtime, StartRequest,
    page::{Page, PageRequest},
    protocol::{Action, ActionResult, Outcome},
    secrets::{Binding, SecretSpec, Source},
    settings::{Settings, Sources},
    workflow_file,
};
use legwork_scripts::{Recorder, RecorderOptions};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

pub(crate) async fn runtime(folder: &tempfile::TempDir) -> Arc<Runtime> {
    let flags = vec![
        ("data_dir".to_owned(), folder.path().display().to_string()),
        ("browser.sandbox".to_owned(), "off".to_owned()),
    ];
    let env: BTreeMap<String, String> = std::env::vars().collect();
    let settings = Settings::load(&Sources { flags, env, ..Sources::default() }).unwrap();
    Arc::new(Runtime::open(settings).await.unwrap())
}

pub(crate) struct Person {
    page: Page,
    never: CancellationToken,
}

impl Person {
    /// Executes an action, which must succeed.
    pub(crate) async fn act(&self, name: &str, parameters: Value) -> ActionResult {
        let action: Action = serde_json::from_value(json!({"action": name, "parameters": parameters})).unwrap();
        let result = self.page.act(&action, &self.never).await;
        assert!(result.ok(), "{name} {parameters}: {:?}", result.failure_text());
        result
    }

    pub(crate) async fn open(&self, url: &str) {
        self.act("open", json!({"url": url})).await;
    }

    pub(crate) async fn click(&self, target: &str) {
        self.act("click", json!({"target": target})).await;
    }

    /// Clicks into a field and types, key by key.
    pub(crate) async fn type_into(&self, target: &str, text: &str) {
        self.click(target).await;
        self.act("type", json!({"target": target, "text": text})).await;
    }

    /// Presses a key where the focus is.
    pub(crate) async fn press(&self, key: &str) {
        self.act("press", json!({"key": key})).await;
    }

    /// Chooses an option of a native list with the keyboard: by its first letters.
    pub(crate) async fn choose(&self, target: &str, letters: &str) {
        self.act("focus", json!({"target": target})).await;
        for letter in letters.chars() {
            self.press(&letter.to_string()).await;
        }
    }

    pub(crate) fn page(&self) -> &Page {
        &self.page
    }
}

/// Records what a person does in a tab that is at an address. Returns the recorder when the browser is closed.
pub(crate) async fn record(
    runtime: &Arc<Runtime>,
    url: Option<&str>,
    inputs: bool,
    work: impl AsyncFnOnce(&Person),
) -> Recorder {
    let page = runtime
        .open_page(PageRequest { reports_input: true, uploads: vec![".".into()], ..PageRequest::default() })
        .await
        .unwrap();
    let person = Person { page, never: CancellationToken::new() };
    if let Some(url) = url {
        person.open(url).await;
    }
    let options = RecorderOptions { name: "Recorded".to_owned(), url: url.map(str::to_owned), inputs };
    let mut recorder = Recorder::new(options);
    let listening = async {
        while let Some(event) = person.page.session().next_user_event().await {
            recorder.note(&event);
        }
    };
    let working = async {
        work(&person).await;
        for tab in person.page.session().tabs().iter().rev() {
            person.act("tab", json!({"op": "close", "tab": tab.number.to_string()})).await;
        }
    };
    tokio::join!(listening, working);
    recorder.finish();
    recorder
}

/// Runs the recorded workflow, and returns its outcome.
pub(crate) async fn run(
    runtime: &Arc<Runtime>,
    text: &str,
    secrets: &[(&str, &'static str)],
    uploads: &[&std::path::Path],
) -> Outcome {
    let workflow = workflow_file::read(text, "recorded.yaml").unwrap_or_else(|problems| panic!("{problems:?}\n{text}"));
    let mut request = StartRequest::workflow(workflow);
    request.secrets = secrets
        .iter()
        .map(|(name, _)| SecretSpec { source: Source::Named((*name).to_owned()), binding: Binding::Default })
        .collect();
    let values: BTreeMap<String, &'static str> =
        secrets.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    request.ask_secret = Some(Box::new(move |name| values.get(name).map(|value| (*value).into())));
    request.uploads = uploads.iter().map(|folder| folder.to_path_buf()).collect();
    runtime.start(request).await.unwrap().outcome().await
}

/// The steps, one per line, with doubts.
pub(crate) fn sentences(recorder: &Recorder) -> String {
    let mut text = recorder.url().map(|_| "url\n".to_owned()).unwrap_or_default();
    for recorded in recorder.steps() {
        text += &recorded.step.step;
        if let Some(action) = &recorded.step.action {
            text += &format!(" {}", serde_json::to_string(action).unwrap());
        }
        if recorded.doubt.is_some() {
            text += " (doubtful)";
        }
        text += "\n";
    }
    text
}
