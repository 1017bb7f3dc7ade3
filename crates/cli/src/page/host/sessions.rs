//! The sessions of the host, each in the browser that it was opened with. Sessions with the same browser settings share
//! one browser process, each in its own context. Other settings (a window, another profile, a remote browser) need
//! another runtime.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use legwork::{
    Runtime,
    browser::StorageState,
    page::Page,
    secrets::{SecretSpec, Source},
    settings::{BrowserSettings, Settings, Sources},
};
use legwork_protocol::{Action, Code, ErrorReport, Open};
use legwork_verbs::{
    CommandRequest, PageCommand, PageOptions, PageReply, SessionLease, SessionPool, SessionPoolError, closed, execute,
    refused,
};
use secrecy::SecretString;
use serde_json::json;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    super::wire::{HostReply, OpenRequest, Refusal},
    idle::Idle,
};
use crate::exit::{self, Exit};

/// The maximum number of sessions. A caller that opens more has probably forgotten to close them.
const MAX_SESSIONS: usize = 64;

/// The key of a browser: sessions with equal keys share it.
type Engine = (PathBuf, BrowserSettings);

/// All sessions, and their browsers.
pub(super) struct Sessions {
    pool: SessionPool,
    /// Locked while a session is opened or closed, so that no browser is closed before a session that is about to use
    /// it is open. Commands on open sessions do not take the lock.
    browsers: Mutex<Vec<(Engine, Arc<Runtime>)>>,
}

impl Default for Sessions {
    fn default() -> Self {
        Sessions { pool: SessionPool::new(MAX_SESSIONS), browsers: Mutex::default() }
    }
}

impl Sessions {
    /// Whether any session is open.
    pub(super) fn any(&self) -> bool {
        !self.pool.is_empty()
    }

    /// Executes a command on the page of a session.
    pub(super) async fn execute(
        &self,
        name: &str,
        request: CommandRequest,
        opening: Option<OpenRequest>,
        idle: &Idle,
        cancel: &CancellationToken,
    ) -> HostReply {
        let found = match opening {
            Some(opening) => self.open(name, opening, idle).await,
            None => self.page(name).await,
        };
        let done = match (found, request.verb) {
            (Ok(page), PageCommand::LoadState { state }) => {
                self.load(name, page, state, request.max_tokens, cancel).await
            }
            (Ok(page), verb) => Ok(execute(&page, CommandRequest { verb, ..request }, cancel).await),
            (Err(refusal), _) => Err(refusal),
        };
        done.map_or_else(HostReply::Refused, HostReply::Executed)
    }

    /// Lists all sessions with their URLs.
    pub(super) async fn list(&self) -> HostReply {
        let (mut lines, mut data) = (Vec::new(), Vec::new());
        for name in self.pool.names() {
            let page = self.pool.lease(&name).await.filter(|page| page.is_alive());
            let url = page.map_or_else(|| "its browser has ended".to_owned(), |page| page.session().url());
            lines.push(format!("{name}: {url}"));
            data.push(json!({"session": name, "url": url}));
        }
        let text = if lines.is_empty() { "no sessions are open".to_owned() } else { lines.join("\n") };
        HostReply::Executed(PageReply::with(text, json!({"sessions": data})))
    }

    /// Closes a session, and its browser if no other session uses it.
    pub(super) async fn close(&self, name: &str) -> HostReply {
        let mut browsers = self.browsers.lock().await;
        let text = match self.pool.close(name).await {
            Some(pending) => closed(name, &pending),
            None => format!("{name} was not open"),
        };
        self.close_unused(&mut browsers).await;
        HostReply::Executed(PageReply::text(text))
    }

    /// Closes all sessions and browsers.
    pub(super) async fn close_all(&self) {
        let mut browsers = self.browsers.lock().await;
        self.pool.close_all().await;
        self.close_unused(&mut browsers).await;
    }

    /// The page of an open session.
    async fn page(&self, name: &str) -> Result<SessionLease, Refusal> {
        let page = self.pool.lease(name).await.ok_or_else(|| no_session(name))?;
        if page.is_alive() {
            return Ok(page);
        }
        let text = format!("the browser of session {name} has ended");
        Err(refusal(Exit::Fault, text, &format!("`legwork open URL{}` opens it again", of(name))))
    }

    /// The page of a session. The session is opened if it is not open.
    async fn open(&self, name: &str, opening: OpenRequest, idle: &Idle) -> Result<SessionLease, Refusal> {
        let mut browsers = self.browsers.lock().await;
        if let Some(page) = self.pool.lease_with(name, &opening.chosen).await.map_err(|error| not_open(name, error))? {
            return Ok(page);
        }
        let (settings, options) = page_options(opening)?;
        let engine = (settings.data_dir.clone(), engine(&settings.browser));
        let keep = settings.terminal.idle_timeout;
        let known = browsers.iter().find(|(known, _)| *known == engine).map(|(_, runtime)| runtime.clone());
        let runtime = match known {
            Some(runtime) => runtime,
            None => {
                let runtime = Runtime::open(settings).await.map_err(|error| standard(&error.standard()))?;
                let runtime = Arc::new(runtime);
                browsers.push((engine, runtime.clone()));
                runtime
            }
        };
        let opened = self.pool.open(name, &runtime, &options).await;
        // The session may have failed to open, or its previous browser may have ended.
        self.close_unused(&mut browsers).await;
        let page = opened.map_err(|error| not_open(name, error))?;
        idle.keep(keep);
        Ok(page)
    }

    /// Reopens a session with other cookies and storage, at its current URL.
    async fn load(
        &self,
        name: &str,
        page: SessionLease,
        state: StorageState,
        max_tokens: Option<usize>,
        cancel: &CancellationToken,
    ) -> Result<PageReply, Refusal> {
        let url = page.session().url();
        drop(page);
        let (cookies, origins) = (state.cookies.len(), state.origins.len());
        let (runtime, options) = self.pool.options(name).ok_or_else(|| no_session(name))?;
        if let Err(failure) = runtime.permit_storage_state(&state, options.settings.as_ref()) {
            return Ok(refused(&failure));
        }
        let options = PageOptions { storage_state: Some(state), ..options };
        let page = self.pool.reopen(name, &runtime, options).await.map_err(|error| not_open(name, error))?;
        let text = format!("the session starts again with {cookies} cookies, storage of {origins} origins");
        if !url.starts_with("http") {
            return Ok(PageReply::text(text));
        }
        let reply = open_url(&page, url, max_tokens, cancel).await;
        Ok(PageReply { text: format!("{text}\n{}", reply.text), ..reply })
    }

    /// Closes the browsers that no session uses.
    async fn close_unused(&self, browsers: &mut Vec<(Engine, Arc<Runtime>)>) {
        for (_, runtime) in browsers.extract_if(.., |(_, runtime)| !self.pool.uses(runtime)) {
            runtime.close().await;
        }
    }
}

async fn open_url(page: &Page, url: String, max_tokens: Option<usize>, cancel: &CancellationToken) -> PageReply {
    let verb = PageCommand::Act { actions: vec![Action::Open(Open { url })] };
    execute(page, CommandRequest { verb, max_tokens }, cancel).await
}

/// The settings and options of a session, from what the client sent.
fn page_options(opening: OpenRequest) -> Result<(Settings, PageOptions), Refusal> {
    let OpenRequest { sources, folder, chosen, secrets, site, uploads, storage_state } = opening;
    let wrong = |text: String| refusal(Exit::Usage, text, "`legwork config` shows all settings");
    let mut settings = Settings::load(&Sources::from(sources))
        .map_err(|problems| wrong(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))?;
    resolve(&mut settings, &folder);
    let (mut specs, mut values) = (Vec::new(), BTreeMap::new());
    for given in secrets {
        let spec =
            SecretSpec::parse(&format!("{}{}", given.name, given.places)).map_err(|error| wrong(error.to_string()))?;
        // Only the given value may be used, not a variable of this process's environment.
        specs.push(SecretSpec { source: Source::Requested(given.name.clone()), ..spec });
        values.insert(given.name, SecretString::from(given.value));
    }
    let site = site.and_then(|site| Url::parse(&site).ok());
    let settings_of_page = Some(settings.clone());
    let options = PageOptions {
        secrets: specs,
        values,
        site,
        uploads,
        storage_state,
        settings: settings_of_page,
        tab: None,
        chosen,
    };
    Ok((settings, options))
}

/// Resolves relative paths against the working directory of the client.
fn resolve(settings: &mut Settings, folder: &Path) {
    let whole = |path: &mut PathBuf| *path = folder.join(&*path);
    whole(&mut settings.data_dir);
    let single = [&mut settings.browser.path, &mut settings.browser.profile, &mut settings.downloads.dir];
    single.into_iter().flatten().chain(&mut settings.uploads.roots).for_each(whole);
}

/// The viewport is a property of a session. Any other difference requires another browser.
fn engine(browser: &BrowserSettings) -> BrowserSettings {
    BrowserSettings { viewport: (0, 0), ..browser.clone() }
}

fn no_session(name: &str) -> Refusal {
    refusal(Exit::Usage, format!("session {name} is not open"), &format!("`legwork open URL{}` opens it", of(name)))
}

fn not_open(name: &str, error: SessionPoolError) -> Refusal {
    match error {
        SessionPoolError::Open(error) => standard(&error.standard()),
        // Pages of the terminal request no tab of the user's own browser.
        SessionPoolError::Tab(error) => refusal(Exit::Fault, error.to_string(), "assign a tab in the side panel"),
        SessionPoolError::Full { .. } => refusal(Exit::Fault, error.to_string(), "`legwork sessions` lists them"),
        SessionPoolError::OtherOptions { .. } => {
            let hint = format!("`legwork close{}` first, or use another --session", of(name));
            refusal(Exit::Usage, error.to_string(), &hint)
        }
    }
}

/// The option that selects the session on a command line.
fn of(name: &str) -> String {
    if name == "default" { String::new() } else { format!(" --session {name}") }
}

fn refusal(exit: Exit, text: String, hint: &str) -> Refusal {
    Refusal { text, exit, hint: hint.to_owned() }
}

fn standard(error: &ErrorReport) -> Refusal {
    let exit = if error.code == Code::BrowserLaunch { Exit::Fault } else { exit::of_error(error) };
    let causes = error.causes.iter().filter(|cause| !error.message.contains(*cause));
    let text = std::iter::once(&error.message).chain(causes).cloned().collect::<Vec<_>>().join("\n  because: ");
    refusal(exit, text, &error.suggested_action)
}
