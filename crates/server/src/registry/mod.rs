//! The runs of this server: some are in progress, the others wait in a queue, first come, first served.
//!
//! A run has its id before it starts. Queued runs are also stored on disk, so that a restart loses none. One tokio task
//! per run waits for its end and then starts the next queued run. A new run cancels an earlier run with the same page
//! key (the field `page` of the request).

mod completion;
mod idempotency;
mod question;
mod queue;
mod steer;

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, OnceLock, Weak},
};

use axum::http::StatusCode;
use legwork::{
    RunHandle,
    protocol::{Code, Op, RunId},
};
use parking_lot::{Mutex, MutexGuard};
use tokio::{
    sync::{broadcast, mpsc, watch},
    task::AbortHandle,
};

pub(crate) use idempotency::{Key, KeyClaim};
pub(crate) use queue::{QueuedRun, RunSpec};
pub(crate) use steer::Assume;

use crate::{app::App, error::ApiError, hub::LiveChannel, run_requests};

/// Capacity of the channel for ends of runs. The oldest ends are dropped for a receiver that is behind; it then asks
/// the registry.
const ENDS_CAPACITY: usize = 256;

/// The runs of this server.
pub(crate) struct Registry {
    app: OnceLock<Weak<App>>,
    state: Mutex<State>,
    max_concurrent: usize,
    max_queue: usize,
    ends: broadcast::Sender<RunId>,
    /// Number of runs in progress.
    busy: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    live: HashMap<RunId, LiveRun>,
    /// The runs that are being started. Each occupies a slot.
    beginning: Vec<QueuedRun>,
    queue: VecDeque<QueuedRun>,
    closing: bool,
}

/// A run in progress.
struct LiveRun {
    ops: mpsc::Sender<Op>,
    abandon: AbortHandle,
    page: Option<String>,
    /// Keeps the entry of the live data, so that viewers find it.
    live_channel: Arc<LiveChannel>,
}

/// What happened to a submitted run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is in progress.
    Running,
    /// It is queued at this position, from 1.
    Queued { position: usize },
}

impl Registry {
    pub(crate) fn new(max_concurrent: usize, max_queue: usize) -> Self {
        Registry {
            app: OnceLock::new(),
            state: Mutex::default(),
            max_concurrent,
            max_queue,
            ends: broadcast::channel(ENDS_CAPACITY).0,
            busy: watch::Sender::new(0),
        }
    }

    /// Sets the application of this registry. It is called once, after the application has been created.
    pub(crate) fn set_app(&self, app: &Arc<App>) {
        // A second call would set the same application.
        let _ = self.app.set(Arc::downgrade(app));
    }

    fn app(&self) -> Result<Arc<App>, ApiError> {
        self.app.get().and_then(Weak::upgrade).ok_or_else(stopping)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Accepts a run: starts it at once if a slot is free, and queues it otherwise. If it cannot start, the error is
    /// returned at once.
    pub(crate) async fn submit(&self, waiting: QueuedRun) -> Result<Admission, ApiError> {
        let app = self.app()?;
        if let RunSpec::Start(request) = &waiting.work {
            run_requests::store(&*app.key_value_store(), waiting.run, request).await;
        }
        let (run, workflow) = (waiting.run, waiting.workflow_id());
        let admission = self.admit(&app, waiting).await;
        match (&admission, workflow) {
            (Ok(_), Some(workflow)) => app.workflows.note_run(&workflow, run).await?,
            (Ok(_), None) => {}
            (Err(_), _) => run_requests::delete(&*app.key_value_store(), run).await?,
        }
        admission
    }

    async fn admit(&self, app: &Arc<App>, waiting: QueuedRun) -> Result<Admission, ApiError> {
        let replaced = self.replaced_by(&waiting);
        if !replaced.is_empty() {
            // A run that cannot start replaces none.
            waiting.check(app)?;
        }
        for run in replaced {
            // The error is ignored: the other run may have ended already.
            let _ = self.cancel(run, Some(format!("replaced by the newer run {}", waiting.run))).await;
        }
        let place = {
            let mut state = self.state();
            if state.closing {
                return Err(stopping());
            }
            if state.live.len() + state.beginning.len() < self.max_concurrent && state.queue.is_empty() {
                state.beginning.push(waiting.clone());
                true
            } else if state.queue.len() >= self.max_queue {
                return Err(full(self.max_queue));
            } else {
                false
            }
        };
        if place {
            self.begin(app, waiting).await?;
            return Ok(Admission::Running);
        }
        waiting.check(app)?;
        waiting.remember(app).await?;
        let run = waiting.run;
        // The queue may have become full, or the server may have begun to stop, while the request was stored.
        let queued = {
            let mut state = self.state();
            if state.closing {
                Err(stopping())
            } else if state.queue.len() >= self.max_queue {
                Err(full(self.max_queue))
            } else {
                state.queue.push_back(waiting.clone());
                Ok(state.queue.len())
            }
        };
        let position = match queued {
            Ok(position) => position,
            Err(refused) => {
                waiting.forget(app).await;
                return Err(refused);
            }
        };
        // A slot may have become free meanwhile.
        self.next();
        tracing::info!(run = %run.hyphenated(), position, "queued");
        Ok(Admission::Queued { position })
    }

    /// Starts a run that has a slot, and releases the slot if the run cannot start.
    async fn begin(&self, app: &Arc<App>, waiting: QueuedRun) -> Result<(), ApiError> {
        let (run, page) = (waiting.run, waiting.page());
        let begun = waiting.begin(app).await;
        let mut state = self.state();
        state.beginning.retain(|one| one.run != run);
        match begun {
            Ok(handle) => {
                let live_channel = app.hub.live_channel(run);
                live_channel.send_replace(Some(handle.live()));
                let live = LiveRun { ops: handle.ops(), abandon: handle.abandon(), page, live_channel };
                state.live.insert(run, live);
                self.busy.send_replace(state.live.len());
                if state.closing {
                    // The server began to stop while this run was starting.
                    handle.abandon().abort();
                }
                drop(state);
                tokio::spawn(supervise(app.clone(), handle));
                Ok(())
            }
            Err(refused) => {
                drop(state);
                self.next();
                Err(refused)
            }
        }
    }

    /// Starts queued runs as long as slots are free.
    pub(crate) fn next(&self) {
        let Ok(app) = self.app() else { return };
        loop {
            let waiting = {
                let mut state = self.state();
                if state.closing || state.live.len() + state.beginning.len() >= self.max_concurrent {
                    return;
                }
                let Some(waiting) = state.queue.pop_front() else { return };
                state.beginning.push(waiting.clone());
                waiting
            };
            let app = app.clone();
            tokio::spawn(async move {
                let kept = waiting.clone();
                let begun = app.registry.begin(&app, waiting).await;
                kept.forget(&app).await;
                if let Err(refused) = begun {
                    kept.release_tab(&app);
                    completion::finish_abandoned(&app, &kept, completion::failed_outcome(*refused.error)).await;
                }
            });
        }
    }

    /// Lets the panel steer a run that the program of the server started itself, until [`Registry::release`].
    pub(crate) fn adopt(&self, app: &Arc<App>, handle: &RunHandle) {
        let live_channel = app.hub.live_channel(handle.id());
        live_channel.send_replace(Some(handle.live()));
        let live = LiveRun { ops: handle.ops(), abandon: handle.abandon(), page: None, live_channel };
        self.state().live.insert(handle.id(), live);
    }

    /// The run of [`Registry::adopt`] has ended.
    pub(crate) fn release(&self, run: RunId) {
        if let Some(live) = self.state().live.remove(&run) {
            live.live_channel.send_replace(None);
        }
    }

    /// The runs that the new run replaces, because they have the same page key.
    fn replaced_by(&self, waiting: &QueuedRun) -> Vec<RunId> {
        let Some(page) = waiting.page() else { return Vec::new() };
        let state = self.state();
        let live = state.live.iter().filter(|(_, live)| live.page.as_ref() == Some(&page)).map(|(run, _)| *run);
        let queued = state.queue.iter().filter(|one| one.page().as_ref() == Some(&page)).map(|one| one.run);
        live.chain(queued).filter(|run| *run != waiting.run).collect()
    }

    /// The queued run for an offered tab.
    pub(crate) fn queued_for_tab(&self, tab: &str) -> Option<RunId> {
        let state = self.state();
        state.queue.iter().find(|one| one.tab() == Some(tab)).map(|one| one.run)
    }

    /// Whether this server drives the run now.
    pub(crate) fn is_live(&self, run: RunId) -> bool {
        self.state().live.contains_key(&run)
    }

    /// The run's position in the queue, from 1.
    pub(crate) fn position(&self, run: RunId) -> Option<usize> {
        self.queued().iter().position(|one| one.run == run).map(|index| index + 1)
    }

    /// The queued runs in order, beginning with those that are being started.
    pub(crate) fn queued(&self) -> Vec<QueuedRun> {
        let state = self.state();
        state.beginning.iter().chain(&state.queue).cloned().collect()
    }

    /// Number of runs in progress and number of queued runs.
    pub(crate) fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.live.len() + state.beginning.len(), state.queue.len())
    }

    /// The maximum of both numbers.
    pub(crate) fn limits(&self) -> (usize, usize) {
        (self.max_concurrent, self.max_queue)
    }

    /// The ends of runs from now on.
    pub(crate) fn ends(&self) -> broadcast::Receiver<RunId> {
        self.ends.subscribe()
    }
}

/// Waits for the end of a run and starts the next one.
async fn supervise(app: Arc<App>, handle: RunHandle) {
    let run = handle.id();
    let outcome = handle.outcome().await;
    let registry = &app.registry;
    {
        let mut state = registry.state();
        if let Some(live) = state.live.remove(&run) {
            live.live_channel.send_replace(None);
        }
        registry.busy.send_replace(state.live.len());
    }
    tracing::info!(run = %run.hyphenated(), status = outcome.status.name(), "ended");
    app.metrics.ended(&outcome);
    // Sending fails if there is no receiver, which is not an error.
    let _ = registry.ends.send(run);
    registry.next();
    // Each run reports its own end, so that no number of ends at once loses an alert.
    if app.closing.is_cancelled() {
        return;
    }
    if let Err(refused) = app.schedules.report_end(&app, run, &outcome).await {
        tracing::error!(error = %refused.error, run = %run.hyphenated(), "the end of a run could not be reported");
    }
}

fn stopping() -> ApiError {
    let mut refused = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, Code::SessionCreation, "the server is stopping");
    refused.retry_after = Some(5);
    refused.suggest("Wait until the server is running again.")
}

fn full(max: usize) -> ApiError {
    let mut refused =
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, Code::TooManyRuns, format!("{max} runs are already queued"));
    refused.retry_after = Some(10);
    refused.suggest("Wait for a run to end, or raise `server.max_queued_runs`.")
}
