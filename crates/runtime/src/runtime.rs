//! The composition root: opens the log, the artifacts, the browser and the model, and starts runs with them.

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use legwork_agent::{AgentEvent, Assumption, Rules, WorkflowRun};
use legwork_browser::{Browser, BrowserError, Session, StorageState};
use legwork_model::ChatModel;
use legwork_protocol::{
    Action, Artifact, Code, ErrorReport, Event, EventKind, Op, Outcome, RunId, RunStart, Status, Step, Workflow,
};
use legwork_store::{
    AppendError, Artifacts, FileArtifacts, KeyValueStore, Lease, Lessons, RunLog, RunMatch, SqliteLog,
};
use secrecy::SecretString;
use serde_json::Value;
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    Error,
    activity::ActivityCursor,
    browsers::Browsers,
    compose,
    control::RunControl,
    decider::Decider,
    drive::{Drive, drive},
    error::SavedStateError,
    executor::RunExecutor,
    guard::RunGuard,
    journal::Journal,
    lessons,
    live::LiveView,
    own_server::OwnServer,
    restore::SavedState,
    run_session::RunSession,
    settings::Settings,
    tools::{Tool, Tools},
    vault::{SecretSpec, Vault},
};

/// Ops a run has not heard yet; a caller with more of them waits.
const OPS: usize = 16;
/// The largest saved state that is read back.
const STATE_LIMIT: u64 = 64 * 1024 * 1024;

/// Legwork, opened: a log, a store of artifacts, and a browser that is started when the first run needs it.
pub struct Runtime {
    settings: Settings,
    log: Arc<SqliteLog>,
    artifacts: Arc<FileArtifacts>,
    browsers: Browsers,
    own_server: Option<OwnServer>,
    tools: Vec<Arc<dyn Tool>>,
}

/// Asks a person for the secret of a name.
pub type AskSecret = Box<dyn FnMut(&str) -> Option<SecretString> + Send + Sync>;

/// What to run, and what only its caller can give.
#[derive(Default)]
pub struct StartRequest {
    /// What to do.
    pub workflow: Workflow,
    /// Whether it is a lone task, whose answer is wanted.
    pub task: bool,
    /// Values for its inputs.
    pub inputs: BTreeMap<String, Value>,
    /// Its secrets: where from, where to.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for a secret by its name.
    pub ask_secret: Option<AskSecret>,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Whether somebody is there to answer questions; else a question parks the run.
    pub interactive: bool,
    /// Parks the run when nobody answers a question for so long; without it a question waits as long as the run may last.
    pub answer_within: Option<Duration>,
    /// The run's name, when the caller had to give it away before the run could begin; else a fresh one.
    pub id: Option<RunId>,
    /// Tools that its model may call besides those of [`Runtime::with_tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// A model of one's own in place of those that the settings name.
    pub model: Option<Arc<dyn ChatModel>>,
    /// A decider of one's own, asked before the model.
    pub decider: Option<Arc<dyn Decider>>,
    /// The run's own settings in place of the runtime's. What is shared by all runs (data folder, browser) stays.
    pub settings: Option<Settings>,
}

impl StartRequest {
    /// A run of a workflow.
    pub fn workflow(workflow: Workflow) -> Self {
        StartRequest { workflow, ..StartRequest::default() }
    }

    /// A run of one action as it stands.
    pub fn action(action: Action) -> Self {
        let title = action.describe(None);
        let step = Step { action: Some(action), ..Step::new(&title) };
        StartRequest::workflow(Workflow { name: title, steps: vec![step], ..Workflow::default() })
    }

    /// A run of a lone task.
    pub fn task(workflow: Workflow) -> Self {
        StartRequest { workflow, task: true, ..StartRequest::default() }
    }
}

/// What a person says when a run is taken up again.
#[derive(Default)]
pub struct ResumeRequest {
    /// What became of the action whose result was lost.
    pub assume: Option<Assumption>,
    /// Secrets given anew; those that the run began with are got again from where they came.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for a secret by its name.
    pub ask_secret: Option<AskSecret>,
    /// Whether somebody is there to answer questions.
    pub interactive: bool,
    /// As in [`StartRequest::answer_within`].
    pub answer_within: Option<Duration>,
    /// As in [`StartRequest::tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// As in [`StartRequest::model`].
    pub model: Option<Arc<dyn ChatModel>>,
    /// As in [`StartRequest::decider`].
    pub decider: Option<Arc<dyn Decider>>,
}

/// A run under way.
pub struct RunHandle {
    id: RunId,
    ops: mpsc::Sender<Op>,
    cancel: CancellationToken,
    live: Arc<LiveView>,
    done: JoinHandle<Outcome>,
}

impl RunHandle {
    /// Its id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Asks something of it. A run that has ended hears nothing any more; that is no error.
    pub async fn op(&self, op: Op) {
        let _ = self.ops.send(op).await;
    }

    /// Where ops may be sent from elsewhere, such as a signal handler.
    pub fn ops(&self) -> mpsc::Sender<Op> {
        self.ops.clone()
    }

    /// Stops it when the token is cancelled.
    pub fn cancellation(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// What it shows while it works.
    pub fn live(&self) -> Arc<LiveView> {
        self.live.clone()
    }

    /// Lets go of it where it stands, without an end on record: for a process that ends and means the run to be resumed.
    /// What was queued for the journal is still written; the browser's context goes with the browser.
    pub fn abandon(&self) -> AbortHandle {
        self.done.abort_handle()
    }

    /// Waits for its end.
    pub async fn outcome(self) -> Outcome {
        self.done.await.unwrap_or_else(|panic| {
            broken(ErrorReport::new(Code::Internal, format!("the run ended unexpectedly: {panic}")))
        })
    }
}

fn warned(messages: Vec<String>) -> impl Iterator<Item = AgentEvent> {
    messages.into_iter().map(|message| AgentEvent { step: None, kind: EventKind::WarningIssued { message } })
}

/// The journal cannot be written, so that the run could not go on.
fn unwritten(error: &AppendError) -> ErrorReport {
    let (code, hint) = match error {
        AppendError::Store(store) => (Code::Storage, Some(store.hint())),
        _ => (Code::EventPublishing, None),
    };
    let standard = ErrorReport::new(code, format!("the run was ended, its journal cannot be written: {error}"));
    let standard = standard.caused_by(error);
    match hint {
        Some(hint) => standard.suggest(format!("{hint}; then `legwork resume RUN` goes on")),
        None => standard,
    }
}

fn broken(error: ErrorReport) -> Outcome {
    Outcome {
        status: Status::Error,
        validation: Default::default(),
        answer: None,
        variables: BTreeMap::new(),
        usage: Default::default(),
        budget: None,
        error: Some(error),
    }
}

/// Everything about a run that does not depend on whether it is new.
struct Begun {
    id: RunId,
    seq: u64,
    lease: Lease,
    workflow_run: WorkflowRun,
    opening: Vec<AgentEvent>,
    guard: Arc<RunGuard>,
    run_session: RunSession,
    live: Arc<LiveView>,
    interactive: bool,
    answer_within: Option<Duration>,
    model: compose::ModelChoice,
    decider: Option<Arc<dyn Decider>>,
    tools: Tools,
    settings: Settings,
}

impl Runtime {
    /// Opens the log and the artifacts under the settings' data folder, and removes what a killed process left behind.
    pub async fn open(settings: Settings) -> Result<Runtime, Error> {
        let data = settings.data_dir.clone();
        std::fs::create_dir_all(&data).map_err(|source| Error::DataDir { path: data.clone(), source })?;
        let log = Arc::new(SqliteLog::open(data.join("runs.db")).map_err(Error::Store)?);
        let artifacts = Arc::new(FileArtifacts::new(data.join("artifacts")));
        let browsers = Browsers::new(compose::browser(&settings));
        Ok(Runtime { settings, log, artifacts, browsers, own_server: None, tools: Vec::new() })
    }

    /// The same, for a server that listens there: no page of a run may reach it.
    pub fn refusing(self, server: SocketAddr) -> Runtime {
        Runtime { own_server: Some(OwnServer(server)), ..self }
    }

    /// The same, with tools that the model of every run may call.
    pub fn with_tools(self, tools: Vec<Arc<dyn Tool>>) -> Runtime {
        Runtime { tools, ..self }
    }

    /// The settings it was opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The journal of all runs.
    pub fn log(&self) -> Arc<dyn RunLog> {
        self.log.clone()
    }

    /// What runs learned of sites.
    pub fn lessons(&self) -> Arc<dyn Lessons> {
        self.log.clone()
    }

    /// What the server keeps beside the runs.
    pub fn key_value_store(&self) -> Arc<dyn KeyValueStore> {
        self.log.clone()
    }

    /// What is too big for an event.
    pub fn artifacts(&self) -> Arc<dyn Artifacts> {
        self.artifacts.clone()
    }

    /// Starts a run and returns at once.
    ///
    /// # Errors
    /// When its rules, secrets or model are not in order: before anything is done.
    pub async fn start(&self, mut request: StartRequest) -> Result<RunHandle, Error> {
        let settings = request.settings.take().unwrap_or_else(|| self.settings.clone());
        let origin = request.workflow.url.as_deref().and_then(|url| Url::parse(url).ok());
        request.secrets = compose::with_implied(std::mem::take(&mut request.secrets), &request.workflow);
        let (guard, warnings) = self.guard(&settings, &request.secrets, origin.as_ref(), request.ask_secret.take())?;
        self.begin(request, settings, guard, warnings, None).await
    }

    /// As [`Runtime::start`], on a page that is open already and under its rules.
    pub(crate) async fn start_on(
        &self,
        request: StartRequest,
        settings: Settings,
        page: Arc<Session>,
        guard: Arc<RunGuard>,
    ) -> Result<RunHandle, Error> {
        self.begin(request, settings, guard, Vec::new(), Some(page)).await
    }

    async fn begin(
        &self,
        request: StartRequest,
        settings: Settings,
        guard: Arc<RunGuard>,
        warnings: Vec<String>,
        page: Option<Arc<Session>>,
    ) -> Result<RunHandle, Error> {
        let id = request.id.unwrap_or_else(RunId::new);
        let tools = self.tools(request.tools, &settings)?;
        let model = compose::model_with(&settings, request.model, &tools)?;
        let options = compose::PersistedOptions::of(&settings, &request.secrets, &request.uploads);
        let start = RunStart {
            workflow: request.workflow,
            task: request.task,
            inputs: request.inputs,
            options: options.to_value(),
        };
        let custom = request.decider.is_some();
        let rules = compose::rules(&settings, &model, custom, None, request.interactive);
        let rules = Rules { closes_page: page.is_none(), ..rules };
        let (workflow_run, mut opening) = WorkflowRun::begin(start, rules);
        opening.extend(warned(warnings));
        let live = Arc::new(LiveView::new());
        let run_session = match page {
            Some(page) => RunSession::borrowed(page, live.clone()),
            None => {
                let options = compose::session(&settings, guard.clone(), id, request.uploads, request.storage_state);
                RunSession::new(self.browsers.get(), options, None, live.clone())
            }
        };
        let lease = self.log.lease(id).await.map_err(Error::Lease)?;
        Ok(self.spawn(Begun {
            id,
            seq: 0,
            lease,
            workflow_run,
            opening,
            guard,
            run_session,
            live,
            interactive: request.interactive,
            answer_within: request.answer_within,
            model,
            decider: request.decider,
            tools,
            settings,
        }))
    }

    /// Looks whether a run could be started as it is asked for, without starting it.
    ///
    /// # Errors
    /// As [`Runtime::start`].
    pub fn check(&self, request: &mut StartRequest) -> Result<(), Error> {
        let settings = request.settings.as_ref().unwrap_or(&self.settings);
        let origin = request.workflow.url.as_deref().and_then(|url| Url::parse(url).ok());
        let secrets = compose::with_implied(request.secrets.clone(), &request.workflow);
        let mut ask = request.ask_secret.take();
        let looked = Vault::new(origin.as_ref())
            .gather(&secrets, &|name| std::env::var(name).ok(), &mut |name| ask.as_mut().and_then(|ask| ask(name)));
        request.ask_secret = ask;
        looked.map_err(Error::Secrets)?;
        compose::model(settings).map(drop)
    }

    /// Takes up a run where its journal ends, in a browser put back where it was.
    ///
    /// # Errors
    /// When there is no such run, it has ended, or somebody else drives it.
    pub async fn resume(&self, id: RunId, mut request: ResumeRequest) -> Result<RunHandle, Error> {
        let lease = self.log.lease(id).await.map_err(Error::Lease)?;
        let events = self.log.read(id, 1).await.map_err(Error::Store)?;
        let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| event.kind.clone()) else {
            return Err(Error::NoSuchRun(id.to_string()));
        };
        let kept = compose::PersistedOptions::from_value(&start.options);
        let settings = kept.over(&self.settings);
        let origin = start.workflow.url.as_deref().and_then(|url| Url::parse(url).ok());
        let secrets =
            compose::with_implied([kept.secrets(), std::mem::take(&mut request.secrets)].concat(), &start.workflow);
        let (guard, warnings) = self.guard(&settings, &secrets, origin.as_ref(), request.ask_secret.take())?;
        let tools = self.tools(std::mem::take(&mut request.tools), &settings)?;
        let model = compose::model_with(&settings, request.model.take(), &tools)?;
        let custom = request.decider.is_some();
        let rules = compose::rules(&settings, &model, custom, request.assume, request.interactive);
        let rules = Rules { closes_page: true, ..rules };
        let (workflow_run, mut opening) =
            WorkflowRun::resume(&events, rules).map_err(|error| Error::Resume(id, error))?;
        opening.extend(warned(warnings));
        let restore = self.saved_state(&events).await.map_err(|source| Error::SavedState { run: id, source })?;
        let storage = restore.as_ref().map(|saved| saved.storage.clone());
        let options = compose::session(&settings, guard.clone(), id, kept.uploads.clone(), storage);
        let live = Arc::new(LiveView::new());
        let run_session = RunSession::new(self.browsers.get(), options, restore, live.clone());
        let seq = events.last().map_or(0, |event| event.seq);
        Ok(self.spawn(Begun {
            id,
            seq,
            lease,
            workflow_run,
            opening,
            guard,
            run_session,
            live,
            interactive: request.interactive,
            answer_within: request.answer_within,
            model,
            decider: request.decider,
            tools,
            settings,
        }))
    }

    /// The run a person means: the beginning or end of its id, or `last`.
    pub async fn find_run(&self, text: &str) -> Result<RunId, Error> {
        match self.log.find_run(text).await.map_err(Error::Store)? {
            RunMatch::One(summary) => Ok(summary.run),
            RunMatch::None => Err(Error::NoSuchRun(text.to_owned())),
            RunMatch::Several(runs) => Err(Error::SeveralRuns { text: text.to_owned(), runs }),
        }
    }

    /// The browser that all share, started if none runs.
    pub(crate) async fn browser(&self) -> Result<Arc<Browser>, Arc<BrowserError>> {
        self.browsers.get().await
    }

    /// Closes the browser, if one was started.
    pub async fn close(&self) {
        self.browsers.close().await;
    }

    /// The run's rules and secrets; every secret that cannot be had is listed.
    pub(crate) fn guard(
        &self,
        settings: &Settings,
        secrets: &[SecretSpec],
        origin: Option<&Url>,
        ask: Option<AskSecret>,
    ) -> Result<(Arc<RunGuard>, Vec<String>), Error> {
        let vault = Vault::new(origin);
        let mut ask = ask.unwrap_or_else(|| Box::new(|_| None));
        let warnings = vault.gather(secrets, &|name| std::env::var(name).ok(), &mut *ask).map_err(Error::Secrets)?;
        Ok((Arc::new(RunGuard::new(settings.policy().refusing(self.own_server), vault)), warnings))
    }

    /// The run's own tools, and those of all runs.
    fn tools(&self, own: Vec<Arc<dyn Tool>>, settings: &Settings) -> Result<Tools, Error> {
        let all = own.into_iter().chain(self.tools.iter().cloned()).collect();
        Tools::new(all, settings.tools.approval).map_err(Error::Tools)
    }

    /// What the last state on record holds.
    async fn saved_state(&self, events: &[Event]) -> Result<Option<SavedState>, SavedStateError> {
        let state = events.iter().rev().find_map(|event| match &event.kind {
            EventKind::StateSaved { state, .. } => Some(state),
            _ => None,
        });
        let Some(Artifact { hash, .. }) = state else { return Ok(None) };
        let kept = self.artifacts.get(hash, STATE_LIMIT).await?;
        let read = serde_json::from_slice(&kept);
        read.map(Some).map_err(|source| SavedStateError::Content { hash: hash.clone(), source })
    }

    fn spawn(&self, begun: Begun) -> RunHandle {
        let Begun {
            id,
            seq,
            lease,
            workflow_run,
            opening,
            guard,
            run_session,
            live,
            interactive,
            answer_within,
            model,
            decider,
            tools,
            settings,
        } = begun;
        let (sender, ops) = mpsc::channel(OPS);
        let cancel = CancellationToken::new();
        let executor = RunExecutor {
            run_session,
            model: model.chat,
            decider,
            tools,
            live: live.clone(),
            artifacts: self.artifacts.clone(),
            guard: guard.clone(),
            screenshots: compose::screenshots(&settings),
            find_tokens: compose::FIND_TOKENS,
            prices: compose::Prices::new(&settings),
            lessons: settings.memory.enabled.then(|| self.log.clone() as Arc<dyn Lessons>),
            page: None,
            activity_cursor: ActivityCursor::default(),
            fault: None,
        };
        let drive_it = Drive {
            workflow_run,
            journal: Journal::new(self.log.clone(), id, seq, guard),
            executor,
            control: RunControl::new(ops, settings.timeouts.workflow, cancel.clone()),
            interactive,
            answer_within,
        };
        let (log, learns) = (self.log.clone(), settings.memory);
        let done = tokio::spawn(async move {
            let ended = drive(drive_it, opening).await;
            if learns.enabled {
                lessons::learn(&log, id, seq, learns.max_lessons_per_site).await;
            }
            drop(lease);
            #[cfg(feature = "otel")]
            crate::otel::export(&*log, id).await;
            ended.unwrap_or_else(|error| broken(unwritten(&error)))
        });
        RunHandle { id, ops: sender, cancel, live, done }
    }
}
