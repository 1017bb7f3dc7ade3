//! The start of a run. A new run and a resumed run differ in their events and in the state of their browser. Everything
//! else is the same and is set up here once: tools, model, rules, browser session, and the task that drives the run.

use std::{path::PathBuf, sync::Arc, time::Duration};

use legwork_agent::{
    AgentEvent, Assumption, Need, Rules, WorkflowRun,
    playbook::{Playbook, record},
    provenance::ProvenanceIndex,
};
use legwork_browser::{Session, StorageState};
use legwork_model::ChatModel;
use legwork_protocol::{Artifact, Code, ErrorReport, Event, EventKind, PlaybookUse, RunId, RunStart, Validation};
use legwork_store::{AppendError, Artifacts, Lease, Lessons, RunLog};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, ResumeRequest, RunHandle, Runtime, StartRequest,
    activity::ActivityCursor,
    browsers::RelayedBrowser,
    compose::{self, ModelChoice},
    control::RunControl,
    decider::Decider,
    drive::{Drive, drive},
    error::SavedStateError,
    executor::RunExecutor,
    guard::RunGuard,
    guard_setup::GuardSetup,
    journal::Journal,
    lessons,
    live::LiveView,
    playbooks::{self, ChosenPlaybook, PlaybookChoice, Playbooks},
    restore::SavedState,
    run_handle::failed_outcome,
    run_policy::{PolicySetup, RunPolicy},
    run_session::RunSession,
    settings::Settings,
    tools::{Tool, Tools},
    workflow_file,
};

/// Capacity of the channel for ops. A caller that sends more waits.
const OPS_CAPACITY: usize = 16;
/// The warning about rules in a tab of the user's own browser.
const WITHOUT_PROXY: &str = "the tab is in your own browser, where no proxy checks connections: requests of pages are \
    checked, but sockets and workers of pages could reach sites that the rules do not allow";
/// The warning about a proxy in a tab of the user's own browser.
const OWN_NETWORK: &str = "the tab is in your own browser, which has its own connection: `browser.proxy` is not used";
/// The largest artifact that a resume reads: a saved state, a prompt or the text of a page.
const MAX_ARTIFACT_BYTES: u64 = 64 * 1024 * 1024;

/// The parts of a run that its caller supplies, for a new run or a resumed one.
struct CallerParts {
    tools: Vec<Arc<dyn Tool>>,
    model: Option<Arc<dyn ChatModel>>,
    decider: Option<Arc<dyn Decider>>,
    interactive: bool,
    answer_within: Option<Duration>,
    /// A person's statement about an action whose result was lost.
    assume: Option<Assumption>,
}

/// The parts of a run that do not depend on whether it is new.
struct RunSetup {
    id: RunId,
    settings: Settings,
    guard: Arc<RunGuard>,
    warnings: Vec<String>,
    tools: Tools,
    model: compose::ModelChoice,
    decider: Option<Arc<dyn Decider>>,
    interactive: bool,
    answer_within: Option<Duration>,
    live: Arc<LiveView>,
    /// If the words are those of a client and the user named the sites: what the client was shown before.
    client: Option<ProvenanceIndex>,
    /// Where the playbook of the run is saved, if it may be.
    playbook_recording: Option<PlaybookRecording>,
}

/// What is needed to save a playbook after a run.
struct PlaybookRecording {
    playbooks: Playbooks,
    /// The playbook that the run used.
    used: Option<Playbook>,
}

/// The open page on which a client starts a run.
pub(crate) struct ClientPage {
    pub(crate) session: Arc<Session>,
    pub(crate) guard: Arc<RunGuard>,
    /// What the client was shown on it.
    pub(crate) shown: ProvenanceIndex,
}

/// The browser session of a run and its initial state.
struct SessionSetup {
    /// A page that is open already and stays open after the run.
    page: Option<Arc<Session>>,
    /// A browser of the caller instead of the runtime's.
    browser: Option<RelayedBrowser>,
    uploads: Vec<PathBuf>,
    storage_state: Option<StorageState>,
    restore: Option<SavedState>,
}

/// What the earlier processes of a resumed run left.
#[derive(Default)]
struct EarlierRun {
    /// The sequence number of the last event.
    seq: u64,
    events: Vec<Event>,
    /// The texts of pages that models were shown, each with the address of its page.
    shown: Vec<(String, String)>,
}

impl Runtime {
    /// Starts a run and returns at once.
    ///
    /// # Errors
    /// If its rules, secrets or model are invalid. Nothing has been done then.
    pub async fn start(&self, mut request: StartRequest) -> Result<RunHandle, Error> {
        let settings = request.settings.take().unwrap_or_else(|| Settings::clone(&self.settings()));
        let origin = workflow_file::first_page(&request.workflow);
        request.secrets = compose::add_requested_secrets(std::mem::take(&mut request.secrets), &request.workflow);
        let hidden = std::mem::take(&mut request.hidden);
        let guard_setup =
            self.guard(&settings, &request.secrets, origin.as_ref(), request.ask_secret.take(), hidden)?;
        self.begin(request, settings, guard_setup, None).await
    }

    /// As [`Runtime::start`], on a page that is already open and with the rules of that page.
    pub(crate) async fn start_on(
        &self,
        request: StartRequest,
        settings: Settings,
        page: ClientPage,
    ) -> Result<RunHandle, Error> {
        let ClientPage { session, guard, shown } = page;
        self.begin(request, settings, GuardSetup { guard, warnings: Vec::new() }, Some((session, shown))).await
    }

    async fn begin(
        &self,
        request: StartRequest,
        settings: Settings,
        guard_setup: GuardSetup,
        page: Option<(Arc<Session>, ProvenanceIndex)>,
    ) -> Result<RunHandle, Error> {
        let is_by_client = request.is_by_client || page.is_some();
        let (page, shown) = page.unzip();
        let client = (is_by_client && settings.limits_client_words()).then(|| shown.unwrap_or_default());
        let opens_own_page = page.is_none() && request.browser.is_none();
        let ChosenPlaybook { playbook, problem } = self.playbook(&request, &settings, opens_own_page)?;
        let GuardSetup { guard, mut warnings } = guard_setup;
        let has_decider = request.model.is_some()
            || request.decider.is_some()
            || request.task
            || playbook.is_some()
            || settings.preflight(&request.inputs).has_decider;
        if opens_own_page && workflow_file::missing_address(&request.workflow, has_decider).is_some() {
            return Err(Error::NoAddress);
        }
        if let Some(problem) = problem {
            warnings.push(format!("the recorded playbook is not used: {problem}; {}", problem.hint()));
        }
        let prefers_recorded_row = request.playbook.is_some() || settings.playbook.names_one();
        let relayed = request.browser.is_some();
        let mut options = compose::PersistedOptions::of(&settings, &request.secrets, &request.uploads, relayed);
        options.client = is_by_client;
        let start = RunStart {
            workflow: request.workflow,
            task: request.task,
            inputs: request.inputs,
            options: options.to_value(),
            playbook: playbook.as_ref().map(|playbook| PlaybookUse {
                run: playbook.run,
                version: Some(playbook.version).filter(|version| *version > 0),
            }),
        };
        let id = request.id.unwrap_or_else(RunId::new);
        let caller = CallerParts {
            tools: request.tools,
            model: request.model,
            decider: request.decider,
            interactive: request.interactive,
            answer_within: request.answer_within,
            assume: None,
        };
        let records_playbook = !start.task && opens_own_page && settings.playbook != PlaybookChoice::Off;
        let playbook_recording =
            records_playbook.then(|| PlaybookRecording { playbooks: self.playbooks(), used: playbook.clone() });
        let (setup, rules) = self.set_up(id, settings, GuardSetup { guard, warnings }, caller)?;
        let setup = RunSetup { playbook_recording, client, ..setup };
        let rules = Rules {
            closes_page: opens_own_page,
            is_lent_page: !opens_own_page,
            playbook: playbook.map(Arc::new),
            repeats_iterations: records_playbook,
            prefers_recorded_row,
            ..rules
        };
        let (workflow_run, opening) = WorkflowRun::begin(start, rules);
        let session = SessionSetup {
            page,
            browser: request.browser,
            uploads: request.uploads,
            storage_state: request.storage_state,
            restore: None,
        };
        let lease = self.log.lease(id).await.map_err(Error::Lease)?;
        Ok(self.spawn(setup, session, lease, workflow_run, opening, EarlierRun::default()))
    }

    /// Resumes a run at the end of its journal, in a browser with the saved state.
    ///
    /// # Errors
    /// If the run does not exist, has ended, is driven by another process, or needs a tab of the user's own browser.
    pub async fn resume(&self, id: RunId, request: ResumeRequest) -> Result<RunHandle, Error> {
        let lease = self.log.lease(id).await.map_err(Error::Lease)?;
        let events = self.log.read(id, 1).await.map_err(Error::Store)?;
        let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| event.kind.clone()) else {
            return Err(Error::NoSuchRun(id.to_string()));
        };
        let unreadable = |source| Error::SavedOptions { run: id, source };
        let kept = compose::PersistedOptions::from_value(&start.options).map_err(unreadable)?;
        if kept.relayed && request.browser.is_none() {
            return Err(Error::TabNeeded(id));
        }
        let settings = kept.apply_to(&self.settings()).map_err(unreadable)?;
        let origin = workflow_file::first_page(&start.workflow);
        let secrets = compose::add_requested_secrets(
            [kept.secrets().map_err(unreadable)?, request.secrets].concat(),
            &start.workflow,
        );
        let guard_setup = self.guard(&settings, &secrets, origin.as_ref(), request.ask_secret, request.hidden)?;
        let caller = CallerParts {
            tools: request.tools,
            model: request.model,
            decider: request.decider,
            interactive: request.interactive,
            answer_within: request.answer_within,
            assume: request.assume,
        };
        let client = (kept.client && settings.limits_client_words()).then(ProvenanceIndex::default);
        let (setup, rules) = self.set_up(id, settings, guard_setup, caller)?;
        let setup = RunSetup { client, ..setup };
        let opens_own_page = request.browser.is_none();
        let used = start.playbook.as_ref();
        let prefers_recorded_row =
            used.is_some_and(|used| used.version.is_none()) || setup.settings.playbook.names_one();
        let playbook = match used {
            Some(used) => self.playbook_in_use(used, &start, &setup.settings).await,
            None => None,
        };
        let rules = Rules {
            closes_page: opens_own_page,
            is_lent_page: !opens_own_page,
            playbook: playbook.map(Arc::new),
            prefers_recorded_row,
            ..rules
        };
        let (workflow_run, opening) = WorkflowRun::resume(&events, rules).map_err(|error| Error::Resume(id, error))?;
        let restore = self.saved_state(&events).await.map_err(|source| Error::SavedState { run: id, source })?;
        let storage_state = restore.as_ref().map(|saved| saved.storage.clone());
        let restore = restore.filter(|_| workflow_run.restores_page());
        let session = SessionSetup {
            page: None,
            browser: request.browser,
            uploads: kept.uploads.clone(),
            storage_state,
            restore,
        };
        let seq = events.last().map_or(0, |event| event.seq);
        let is_driven = setup.model.chat.is_some() || setup.decider.is_some();
        let has_policy = !setup.settings.policy.is_empty() || setup.settings.limits_runs();
        let shown = if is_driven && has_policy { self.shown_before(&events).await } else { Vec::new() };
        Ok(self.spawn(setup, session, lease, workflow_run, opening, EarlierRun { seq, events, shown }))
    }

    /// The texts that the models of earlier processes were shown, each with the address of the page. What a model
    /// copies from them after a resume keeps its origin.
    async fn shown_before(&self, events: &[Event]) -> Vec<(String, String)> {
        let (mut shown, mut url) = (Vec::new(), String::new());
        for event in events {
            let artifact = match &event.kind {
                EventKind::PageObserved(page) => {
                    url.clone_from(&page.url);
                    continue;
                }
                EventKind::AiResponseReceived(call) => &call.request,
                EventKind::PageTextSaved(page) => &page.text,
                _ => continue,
            };
            // A text that was deleted or damaged cannot be compared; the rules about sites hold without it.
            let Ok(content) = self.artifacts.get(&artifact.hash, MAX_ARTIFACT_BYTES).await else { continue };
            shown.push((url.clone(), String::from_utf8_lossy(&content).into_owned()));
        }
        shown
    }

    /// The playbooks of the data folder.
    pub fn playbooks(&self) -> Playbooks {
        Playbooks::new(&self.settings().data_dir)
    }

    /// The playbook that an interrupted run uses. If it is gone or was changed, the run continues as if it had none.
    async fn playbook_in_use(&self, used: &PlaybookUse, start: &RunStart, settings: &Settings) -> Option<Playbook> {
        let found = match (used.version, &settings.playbook) {
            (_, PlaybookChoice::File(path)) => playbooks::read_playbook(path).ok(),
            (Some(version), _) => self.playbooks().version_for(start, version),
            // A replay of a run uses what that run recorded.
            (None, _) => record(&self.log.read(used.run, 1).await.ok()?).ok(),
        };
        found.filter(|playbook| playbook.run == used.run)
    }

    /// The playbook for a request. Tasks and runs on a page that is open already begin anywhere, so they have none.
    fn playbook(
        &self,
        request: &StartRequest,
        settings: &Settings,
        opens_own_page: bool,
    ) -> Result<ChosenPlaybook, Error> {
        if request.task || !opens_own_page {
            return Ok(ChosenPlaybook::default());
        }
        playbooks::choose(&self.playbooks(), &settings.playbook, request).map_err(Error::Playbook)
    }

    /// Builds what every run needs, new or resumed, and its rules.
    fn set_up(
        &self,
        id: RunId,
        settings: Settings,
        guard_setup: GuardSetup,
        caller: CallerParts,
    ) -> Result<(RunSetup, Rules), Error> {
        let GuardSetup { guard, warnings } = guard_setup;
        let CallerParts { tools, model, decider, interactive, answer_within, assume } = caller;
        let tools = self.tools(tools, &settings)?;
        let model = match settings.playbook {
            PlaybookChoice::Only => ModelChoice::default(),
            _ => compose::model_with(&settings, model, self.user_vault(), &tools)?,
        };
        let rules = compose::rules(&settings, &model, decider.is_some(), assume, interactive);
        let live = Arc::new(LiveView::new());
        let setup = RunSetup {
            id,
            settings,
            guard,
            warnings,
            tools,
            model,
            decider,
            interactive,
            answer_within,
            live,
            client: None,
            playbook_recording: None,
        };
        Ok((setup, rules))
    }

    /// The content of the last saved state in the journal.
    async fn saved_state(&self, events: &[Event]) -> Result<Option<SavedState>, SavedStateError> {
        let state = events.iter().rev().find_map(|event| match &event.kind {
            EventKind::StateSaved { state, .. } => Some(state),
            _ => None,
        });
        let Some(Artifact { hash, .. }) = state else { return Ok(None) };
        let kept = self.artifacts.get(hash, MAX_ARTIFACT_BYTES).await?;
        let read = serde_json::from_slice(&kept);
        read.map(Some).map_err(|source| SavedStateError::Content { hash: hash.clone(), source })
    }

    /// Spawns the task that drives the run.
    fn spawn(
        &self,
        setup: RunSetup,
        session: SessionSetup,
        lease: Lease,
        workflow_run: WorkflowRun,
        mut opening: Vec<AgentEvent>,
        earlier: EarlierRun,
    ) -> RunHandle {
        let RunSetup {
            id,
            settings,
            guard,
            mut warnings,
            tools,
            model,
            decider,
            interactive,
            answer_within,
            live,
            client,
            playbook_recording,
        } = setup;
        let seq = earlier.seq;
        let is_relayed = session.browser.is_some();
        if is_relayed && settings.policy().restricts() {
            warnings.push(WITHOUT_PROXY.to_owned());
        }
        if is_relayed && settings.browser.proxy.is_some() {
            warnings.push(OWN_NETWORK.to_owned());
        }
        opening.extend(warned(warnings));
        let run_session = match session.page {
            Some(page) => RunSession::borrowed(page, live.clone()),
            // The run was refused, so it needs no browser.
            None if matches!(workflow_run.need(), Need::Done(_)) => RunSession::closed(live.clone()),
            None => {
                let options = compose::session(&settings, guard.clone(), id, session.uploads, session.storage_state);
                let browser = session.browser.map_or_else(|| self.browsers.get(), RelayedBrowser::pending);
                RunSession::new(browser, options, session.restore, live.clone())
            }
        };
        let (sender, ops) = mpsc::channel(OPS_CAPACITY);
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
        let mut policy = RunPolicy::new(PolicySetup {
            layers: settings.policy.clone(),
            flags: [settings.allow_write.clone(), settings.allowed_domains.clone()].concat(),
            has_default: settings.limits_runs(),
            secret_origins: guard.secret_origins(),
            client,
            is_driven: executor.model.is_some() || executor.decider.is_some(),
            tools: executor.tools.descriptions(),
            start: workflow_run.start(),
        });
        policy.restore(&earlier.events);
        earlier.shown.iter().for_each(|(url, text)| policy.note_shown(url, text));
        policy.index_entered();
        let drive_it = Drive {
            workflow_run,
            journal: Journal::new(self.log.clone(), id, seq, guard),
            executor,
            control: RunControl::new(ops, settings.timeouts.workflow, CancellationToken::new()),
            policy,
            interactive,
            answer_within,
        };
        let (log, memory) = (self.log.clone(), settings.memory);
        let done = tokio::spawn(async move {
            let ended = drive(drive_it, opening).await;
            if memory.enabled {
                lessons::learn(&log, id, seq, memory.max_lessons_per_site).await;
            }
            if let Some(playbook_recording) = playbook_recording {
                save_playbook(&*log, id, playbook_recording).await;
            }
            drop(lease);
            #[cfg(feature = "otel")]
            crate::otel::export(&*log, id).await;
            ended.unwrap_or_else(|error| failed_outcome(journal_error(&error)))
        });
        RunHandle { id, ops: sender, live, done }
    }
}

/// Saves the playbook of a run that was validated, if it is new. A failure must not change the outcome of the run.
async fn save_playbook(log: &dyn RunLog, run: RunId, playbook_recording: PlaybookRecording) {
    let Ok(events) = log.read(run, 1).await else { return };
    let is_validated = |event: &Event| match &event.kind {
        EventKind::WorkflowCompleted(outcome) => outcome.validation == Validation::Validated,
        _ => false,
    };
    let Some(EventKind::WorkflowStarted(start)) = events.first().map(|event| &event.kind) else { return };
    if !events.iter().any(is_validated) {
        return;
    }
    let Ok(mut recorded) = record(&events) else { return };
    if let Some(used) = &playbook_recording.used {
        recorded.complete_from(used);
    }
    if !playbooks::is_worth_saving(&events, &recorded, playbook_recording.used.as_ref()) {
        return;
    }
    let recorded = playbooks::of_workflow(recorded, start);
    let saved = tokio::task::spawn_blocking(move || {
        // If another run saved a version meanwhile, the next run uses that one, and heals it if it must.
        playbook_recording.playbooks.save_after(&recorded, playbook_recording.used.as_ref())
    });
    match saved.await {
        Ok(Ok(None)) => {}
        Ok(Ok(Some((id, version)))) => tracing::info!(run = %run.hyphenated(), id, version, "playbook saved"),
        Ok(Err(error)) => tracing::warn!(run = %run.hyphenated(), %error, "the playbook was not saved"),
        Err(_) => {}
    }
}

fn warned(messages: Vec<String>) -> impl Iterator<Item = AgentEvent> {
    messages.into_iter().map(|message| AgentEvent { step: None, kind: EventKind::WarningIssued { message } })
}

/// The error for a journal that cannot be written. The run cannot continue then.
fn journal_error(error: &AppendError) -> ErrorReport {
    let (code, hint) = match error {
        AppendError::Store(store) => (Code::Storage, Some(store.hint())),
        _ => (Code::EventPublishing, None),
    };
    let standard = ErrorReport::new(code, format!("the run was ended, its journal cannot be written: {error}"));
    let standard = standard.caused_by(error);
    match hint {
        Some(hint) => standard.suggest(format!("{hint}; then `legwork resume RUN` continues")),
        None => standard,
    }
}
