//! Queued runs: a new run, or a run that is resumed.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use legwork::{
    Assumption, RelayedBrowser, ResumeRequest, RunHandle,
    protocol::{Code, Event, EventKind, RunId, mask_passwords},
    store::{RunState, RunSummary},
};
use serde::{Deserialize, Serialize};

use super::question;
use crate::{app::App, error::ApiError, request::Execute, template::Template};

/// The kind of the key-value entries for queued runs.
const KIND: &str = "queue";
/// How long the first event of a run may take to be on disk.
const FIRST_EVENT_TIMEOUT: Duration = Duration::from_secs(10);

/// A run that is queued or being started.
#[derive(Clone, Debug)]
pub(crate) struct QueuedRun {
    pub(crate) run: RunId,
    pub(crate) work: RunSpec,
}

/// What to do when the run's turn comes.
#[derive(Clone, Debug)]
pub(crate) enum RunSpec {
    /// Start a new run.
    Start(Box<Execute>),
    /// Resume the run.
    Resume {
        assume: Option<Assumption>,
        /// The answer to the run's open question.
        answer: Option<String>,
        /// The id of an offered tab of the user's own browser, in which the run continues.
        tab: Option<String>,
    },
}

/// The stored form of a queued run; exactly one field is set.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct PersistedWork {
    #[serde(skip_serializing_if = "Option::is_none")]
    execute: Option<Execute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<PersistedResume>,
}

/// A queued resume.
#[derive(Serialize, Deserialize)]
struct PersistedResume {
    #[serde(skip_serializing_if = "Option::is_none")]
    assume: Option<Assumption>,
    /// `None` for a secret question, whose answer is not stored. The run asks again then.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// The last event at the time of the request. If there are more events now, the run was resumed since then, and the
    /// person's statement about the outcome of an action no longer applies.
    last_seq: u64,
}

impl QueuedRun {
    /// The page key, for which the run replaces another run.
    pub(super) fn page(&self) -> Option<String> {
        match &self.work {
            RunSpec::Start(execute) => execute.page.clone(),
            RunSpec::Resume { .. } => None,
        }
    }

    /// The id of the offered tab in which the run is to work.
    pub(super) fn tab(&self) -> Option<&str> {
        match &self.work {
            RunSpec::Start(execute) => execute.tab.as_deref(),
            RunSpec::Resume { tab, .. } => tab.as_deref(),
        }
    }

    /// Releases the tab of a run that will not start.
    pub(super) fn release_tab(&self, app: &App) {
        if let Some(tab) = self.tab() {
            app.relayed_tabs.release(tab);
        }
    }

    /// The saved workflow that a new run belongs to.
    pub(super) fn workflow_id(&self) -> Option<String> {
        match &self.work {
            RunSpec::Start(execute) => execute.workflow_id.clone(),
            RunSpec::Resume { .. } => None,
        }
    }

    /// The run's row in lists while it is queued.
    pub(crate) fn summary(&self, app: &App) -> Option<RunSummary> {
        let RunSpec::Start(execute) = &self.work else { return None };
        let subject = execute.subject(app).ok()?;
        let mut summary = RunSummary::new(self.run, Timestamp::now());
        let workflow = subject.reading.workflow.unwrap_or_default();
        (summary.name, summary.task) = (mask_passwords(&workflow.name), subject.task);
        summary.steps_total = workflow.steps.len();
        summary.state = RunState::Running;
        Some(summary)
    }

    /// Whether the run could start, as far as is known now.
    pub(super) fn check(&self, app: &App) -> Result<(), ApiError> {
        match &self.work {
            RunSpec::Start(execute) => {
                let mut request = execute.start(app, self.run)?;
                Ok(app.runtime.check(&mut request)?)
            }
            RunSpec::Resume { .. } => Ok(()),
        }
    }

    /// Starts the run.
    pub(super) async fn begin(self, app: &Arc<App>) -> Result<RunHandle, ApiError> {
        match self.work {
            RunSpec::Start(execute) => {
                let mut request = execute.start(app, self.run)?;
                request.browser = assigned(app, execute.tab.as_deref(), self.run).await?;
                let handle = app.runtime.start(request).await?;
                // A client that receives the id may request the run at once, so the run must be in the log by then.
                let begun = tokio::time::timeout(FIRST_EVENT_TIMEOUT, app.log().follow(self.run, 1).next()).await;
                if !matches!(begun, Ok(Ok(_))) {
                    tracing::warn!(run = %self.run.hyphenated(), "its beginning is not on record yet");
                }
                Ok(handle)
            }
            RunSpec::Resume { assume, answer, tab } => {
                let events = app.log().read(self.run, 1).await?;
                let request = ResumeRequest {
                    assume,
                    // The secrets of a bundled template are public, and the run was started with them too.
                    ask_secret: begun_with(app, &events).as_ref().and_then(Template::ask),
                    interactive: true,
                    answer_within: Some(app.runtime.settings().server.answer_timeout),
                    browser: assigned(app, tab.as_deref(), self.run).await?,
                    ..ResumeRequest::default()
                };
                let from = events.last().map_or(1, |event| event.seq + 1);
                let asked = question::open_question(&events);
                let handle = app.runtime.resume(self.run, request).await?;
                if let (Some(answer), Some(asked)) = (answer, asked) {
                    tokio::spawn(question::answer_when_asked(app.log(), self.run, from, asked, answer, handle.ops()));
                }
                Ok(handle)
            }
        }
    }

    /// Stores the run on disk until it starts.
    pub(super) async fn remember(&self, app: &App) -> Result<(), ApiError> {
        let kept = match &self.work {
            RunSpec::Start(execute) => PersistedWork { execute: Some((**execute).clone()), ..PersistedWork::default() },
            // A tab is not stored: it is gone when the server has ended.
            RunSpec::Resume { assume, answer, .. } => {
                let events = app.log().read(self.run, 1).await?;
                let secret = question::open_question(&events).is_some_and(|question| question.secret);
                let answer = answer.clone().filter(|_| !secret);
                let last_seq = events.last().map_or(0, |event| event.seq);
                PersistedWork {
                    resume: Some(PersistedResume { assume: *assume, answer, last_seq }),
                    ..PersistedWork::default()
                }
            }
        };
        let body = serde_json::to_string(&kept).map_err(|error| ApiError::internal(Code::Internal, &error))?;
        app.key_value_store().put_entry(KIND, &self.run.to_string(), body).await?;
        Ok(())
    }

    pub(super) async fn forget(&self, app: &App) {
        if let Err(error) = app.key_value_store().delete_entry(KIND, &self.run.to_string()).await {
            tracing::warn!(%error, run = %self.run.hyphenated(), "the queue entry could not be deleted; a restart would repeat the run");
        }
    }
}

/// The browser of a run that works in an offered tab.
async fn assigned(app: &App, tab: Option<&str>, run: RunId) -> Result<Option<RelayedBrowser>, ApiError> {
    let Some(tab) = tab else { return Ok(None) };
    let link = app.relayed_tabs.take(tab, run)?;
    let browser = RelayedBrowser::connect(link).await.map_err(|error| legwork::Error::Browser(Arc::new(error)))?;
    Ok(Some(browser))
}

/// The template that a run was started from, if that template still has the same address.
fn begun_with(app: &App, events: &[Event]) -> Option<Template> {
    let EventKind::WorkflowStarted(start) = &events.first()?.kind else { return None };
    let same = |template: &Template| template.url.is_some() && template.url == start.workflow.url;
    app.templates.all().into_iter().find(same)
}

impl super::Registry {
    /// Puts the runs that were queued when the server ended back into the queue.
    pub(crate) async fn restore(&self, app: &App) -> Result<usize, crate::ServeError> {
        let mut restored = 0;
        for note in app.key_value_store().entries(KIND).await? {
            let read: Option<RunId> = note.key.parse().ok();
            let Some((run, kept)) = read.zip(serde_json::from_str::<PersistedWork>(&note.body).ok()) else {
                tracing::warn!(run = note.key, "an unreadable queue entry is deleted");
                app.key_value_store().delete_entry(KIND, &note.key).await?;
                continue;
            };
            let last_seq = app.log().run(run).await?.map(|summary| summary.last_seq);
            let work = match kept {
                PersistedWork { execute: Some(execute), .. } if last_seq.is_none() => RunSpec::Start(Box::new(execute)),
                PersistedWork { resume: Some(resume), .. } if last_seq == Some(resume.last_seq) => {
                    RunSpec::Resume { assume: resume.assume, answer: resume.answer, tab: None }
                }
                // The run was started or deleted, and the server ended before it deleted the entry.
                _ => {
                    app.key_value_store().delete_entry(KIND, &note.key).await?;
                    continue;
                }
            };
            self.state().queue.push_back(QueuedRun { run, work });
            restored += 1;
        }
        self.next();
        Ok(restored)
    }
}
