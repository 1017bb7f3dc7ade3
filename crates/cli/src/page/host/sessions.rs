//! The sessions: each in the browser that it was opened with. Sessions with the same browser share one process, each in a
//! context of its own; another browser (with a window, another profile, one that runs elsewhere) is another runtime.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use legwork::{
    Runtime,
    browser::StorageState,
    page::Page,
    settings::{BrowserSettings, Settings, Sources},
    vault::{SecretSpec, Source},
};
use legwork_protocol::{Action, Code, ErrorReport, Open};
use legwork_verbs::{CommandRequest, PageCommand, PageOptions, PagePool, PagePoolError, PageReply, closed, execute};
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    super::{
        exit_code,
        wire::{HostReply, Opening},
    },
    idle::Idle,
};
use crate::exit::{self, Exit};

/// More sessions than this are a loop that forgot to close them.
const MOST: usize = 64;

/// What browsers are told apart by.
type Engine = (PathBuf, BrowserSettings);

/// All sessions.
#[derive(Default)]
pub(super) struct Sessions {
    known: Mutex<SessionTable>,
    /// Held while a session is opened or closed: those that are open are not kept waiting.
    changing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct SessionTable {
    sessions: BTreeMap<String, SessionEntry>,
    pools: Vec<(Engine, Arc<PagePool>)>,
}

/// A session.
#[derive(Clone)]
struct SessionEntry {
    pool: Arc<PagePool>,
    page_options: PageOptions,
    chosen: BTreeMap<String, String>,
}

impl Sessions {
    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        !self.known().sessions.is_empty()
    }

    /// Has something done on a session's page.
    pub(super) async fn ask(
        &self,
        name: &str,
        ask: CommandRequest,
        opening: Option<Opening>,
        idle: &Idle,
        cancel: &CancellationToken,
    ) -> HostReply {
        let found = match opening {
            Some(opening) => self.open(name, opening, idle).await,
            None => self.page(name).await,
        };
        let page = match found {
            Ok(page) => page,
            Err(refused) => return *refused,
        };
        exit_code::reply(match ask.verb {
            PageCommand::LoadState { state } => match self.load(name, &page, state, ask.max_tokens, cancel).await {
                Ok(said) => said,
                Err(refused) => return *refused,
            },
            verb => execute(&page, CommandRequest { verb, ..ask }, cancel).await,
        })
    }

    /// The names of all.
    pub(super) async fn list(&self) -> HostReply {
        let sessions = self.known().sessions.clone();
        let (mut lines, mut data) = (Vec::new(), Vec::new());
        for (name, entry) in sessions {
            let page = entry.pool.known(&name).await.filter(|page| page.is_alive());
            let url = page.map_or_else(|| "its browser has ended".to_owned(), |page| page.session().url());
            lines.push(format!("{name}: {url}"));
            data.push(json!({"session": name, "url": url}));
        }
        let text = if lines.is_empty() { "no sessions are open".to_owned() } else { lines.join("\n") };
        HostReply {
            said: PageReply { text, data: json!({"sessions": data}), ..PageReply::default() },
            ..HostReply::default()
        }
    }

    /// Closes a session, and its browser with the last one in it.
    pub(super) async fn close(&self, name: &str) -> HostReply {
        let _one_at_a_time = self.changing.lock().await;
        let text = match self.put_away(name).await {
            Some(pending) => closed(&pending).replacen("closed", &format!("closed {name}"), 1),
            None => format!("{name} was not open"),
        };
        HostReply { said: PageReply { text, ..PageReply::default() }, ..HostReply::default() }
    }

    /// Closes everything.
    pub(super) async fn close_all(&self) {
        let _one_at_a_time = self.changing.lock().await;
        let known = std::mem::take(&mut *self.known());
        for (_, pool) in known.pools {
            pool.close_all().await;
        }
    }

    fn known(&self) -> MutexGuard<'_, SessionTable> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page of a session that is open.
    async fn page(&self, name: &str) -> Result<Arc<Page>, Box<HostReply>> {
        let entry = self.known().sessions.get(name).cloned();
        let page = match &entry {
            Some(entry) => entry.pool.known(name).await,
            None => return Err(no_session(name)),
        };
        page.filter(|page| page.is_alive()).ok_or_else(|| {
            let text = format!("the browser of session {name} has ended");
            refused(Exit::Fault, text, &format!("`legwork open URL{}` begins it anew", of(name)))
        })
    }

    /// The page of a session, opened now if it is not.
    async fn open(&self, name: &str, opening: Opening, idle: &Idle) -> Result<Arc<Page>, Box<HostReply>> {
        let _one_at_a_time = self.changing.lock().await;
        let entry = self.known().sessions.get(name).cloned();
        if let Some(entry) = entry {
            if let Some(page) = entry.pool.known(name).await.filter(|page| page.is_alive()) {
                let differs = |(flag, value): &(&String, &String)| entry.chosen.get(*flag) != Some(*value);
                if let Some((flag, _)) = opening.chosen.iter().find(differs) {
                    let has = entry.chosen.get(flag).map_or("not given".to_owned(), |value| format!("{value:?}"));
                    let text = format!("session {name} was opened with other options ({flag}: {has})");
                    let hint = format!("`legwork close{}` first, or take another --session", of(name));
                    return Err(refused(Exit::Usage, text, &hint));
                }
                return Ok(page);
            }
            self.put_away(name).await;
        }
        self.begin(name, opening, idle).await
    }

    async fn begin(&self, name: &str, opening: Opening, idle: &Idle) -> Result<Arc<Page>, Box<HostReply>> {
        let chosen = opening.chosen.clone();
        let (settings, page_options) = page_options(opening)?;
        let engine = (settings.data_dir.clone(), engine(&settings.browser));
        let keep = settings.terminal.idle_timeout;
        let known = self.known().pools.iter().find(|(known, _)| *known == engine).map(|(_, pool)| pool.clone());
        let pool = match known {
            Some(pool) => pool,
            None => {
                let runtime = Runtime::open(settings).await.map_err(|error| standard(&error.standard()))?;
                let pool = Arc::new(PagePool::new(Arc::new(runtime), MOST));
                self.known().pools.push((engine, pool.clone()));
                pool
            }
        };
        match pool.page(name, &page_options).await {
            Ok((page, _)) => {
                self.known().sessions.insert(name.to_owned(), SessionEntry { pool, page_options, chosen });
                idle.keep(keep);
                Ok(page)
            }
            Err(error) => {
                self.put_away_unused(&pool).await;
                Err(match error {
                    PagePoolError::Open(error) => standard(&error.standard()),
                    full => refused(Exit::Fault, full.to_string(), "`legwork sessions` lists them"),
                })
            }
        }
    }

    /// Begins a session anew with other cookies and storages, at the page where it was.
    async fn load(
        &self,
        name: &str,
        page: &Page,
        state: StorageState,
        max_tokens: Option<usize>,
        cancel: &CancellationToken,
    ) -> Result<PageReply, Box<HostReply>> {
        let url = page.session().url();
        let (cookies, origins) = (state.cookies.len(), state.origins.len());
        let entry = self.known().sessions.get(name).cloned().ok_or_else(|| no_session(name))?;
        let page = entry.pool.reopen(name, &entry.page_options, state).await.map_err(|error| match error {
            PagePoolError::Open(error) => standard(&error.standard()),
            full => refused(Exit::Fault, full.to_string(), "`legwork sessions` lists them"),
        })?;
        let text = format!("the session begins anew with {cookies} cookies, storage of {origins} origins");
        if !url.starts_with("http") {
            return Ok(PageReply { text, ..PageReply::default() });
        }
        let verb = PageCommand::Act { actions: vec![Action::Open(Open { url })] };
        let said = execute(&page, CommandRequest { verb, max_tokens }, cancel).await;
        Ok(PageReply { text: format!("{text}\n{}", said.text), ..said })
    }

    /// Closes a session; nothing when there was none, else what was still under way in it.
    async fn put_away(&self, name: &str) -> Option<Vec<String>> {
        let entry = self.known().sessions.remove(name)?;
        let pending = entry.pool.close(name).await.unwrap_or_default();
        self.put_away_unused(&entry.pool).await;
        Some(pending)
    }

    /// Closes a browser that has no sessions any more.
    async fn put_away_unused(&self, pool: &Arc<PagePool>) {
        if pool.names().await.is_empty() {
            self.known().pools.retain(|(_, known)| !Arc::ptr_eq(known, pool));
            pool.close_all().await;
        }
    }
}

/// What a session may do, by the settings of who opens it.
fn page_options(opening: Opening) -> Result<(Settings, PageOptions), Box<HostReply>> {
    let Opening { sources, folder, secrets, site, uploads, storage_state, .. } = opening;
    let wrong = |text: String| refused(Exit::Usage, text, "`legwork config` shows all settings");
    let mut settings = Settings::load(&Sources::from(sources))
        .map_err(|problems| wrong(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))?;
    resolve(&mut settings, &folder);
    let (mut specs, mut values) = (Vec::new(), BTreeMap::new());
    for given in secrets {
        let spec =
            SecretSpec::parse(&format!("{}{}", given.name, given.places)).map_err(|error| wrong(error.to_string()))?;
        // As one that is only ever asked for: nothing of this process's environment is meant.
        specs.push(SecretSpec { source: Source::Prefixed(given.name.clone()), ..spec });
        values.insert(given.name, SecretString::from(given.value));
    }
    let site = site.and_then(|site| Url::parse(&site).ok());
    let page_options =
        PageOptions { secrets: specs, values, site, uploads, storage_state, settings: Some(settings.clone()) };
    Ok((settings, page_options))
}

/// Relative paths are meant from the folder of who asks.
fn resolve(settings: &mut Settings, folder: &Path) {
    let whole = |path: &mut PathBuf| *path = folder.join(&*path);
    whole(&mut settings.data_dir);
    let single = [&mut settings.browser.path, &mut settings.browser.profile, &mut settings.downloads.dir];
    single.into_iter().flatten().chain(&mut settings.uploads.roots).for_each(whole);
}

/// The view's size is each session's own; all else makes another browser.
fn engine(browser: &BrowserSettings) -> BrowserSettings {
    BrowserSettings { viewport: (0, 0), ..browser.clone() }
}

fn no_session(name: &str) -> Box<HostReply> {
    refused(Exit::Usage, format!("session {name} is not open"), &format!("`legwork open URL{}` begins it", of(name)))
}

/// How the session is named on a command line.
fn of(name: &str) -> String {
    if name == "default" { String::new() } else { format!(" --session {name}") }
}

fn refused(exit: Exit, text: String, hint: &str) -> Box<HostReply> {
    let said = PageReply { text, failed: true, ..PageReply::default() };
    Box::new(HostReply { said, exit: exit.code(), hint: Some(hint.to_owned()) })
}

fn standard(error: &ErrorReport) -> Box<HostReply> {
    let exit = if error.code == Code::BrowserLaunch { Exit::Fault } else { exit::of_error(error) };
    let causes = error.causes.iter().filter(|cause| !error.message.contains(*cause));
    let text = std::iter::once(&error.message).chain(causes).cloned().collect::<Vec<_>>().join("\n  because: ");
    refused(exit, text, &error.suggested_action)
}
