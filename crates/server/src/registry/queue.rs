//! Work that waits for its turn: a new run, or a run that is taken up again.

use std::time::Duration;

use jiff::Timestamp;
use legwork::{
    Assumption, ResumeRequest, RunHandle,
    protocol::{Code, Event, EventKind, RunId, mask_passwords},
    store::{RunState, RunSummary},
};
use serde::{Deserialize, Serialize};

use super::steer;
use crate::{app::App, error::ApiError, request::Execute, template::Template};

/// The kind of the notes that keep what waits.
const KIND: &str = "queue";
/// How long a run's beginning may take to be on the disk.
const ON_RECORD: Duration = Duration::from_secs(10);

/// Work that waits, or is about to begin.
#[derive(Clone, Debug)]
pub(crate) struct QueuedRun {
    pub(crate) run: RunId,
    pub(crate) work: RunSpec,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum RunSpec {
    /// Begin it.
    Start(Box<Execute>),
    /// Take it up again.
    Resume {
        assume: Option<Assumption>,
        /// The answer to the question it waits with.
        answer: Option<String>,
    },
}

/// What is kept on the disk of work that waits: one of the two.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct PersistedWork {
    #[serde(skip_serializing_if = "Option::is_none")]
    execute: Option<Execute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<PersistedResume>,
}

/// A run that is to be taken up again.
#[derive(Serialize, Deserialize)]
struct PersistedResume {
    #[serde(skip_serializing_if = "Option::is_none")]
    assume: Option<Assumption>,
    /// Absent for a secret question, whose answer is kept nowhere: the run asks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// The last event when it was asked for. More of them say that it was taken up since, and then a person's word on what
    /// became of an action is used up.
    last_seq: u64,
}

impl QueuedRun {
    /// The page whose place it takes.
    pub(super) fn page(&self) -> Option<String> {
        match &self.work {
            RunSpec::Start(execute) => execute.page.clone(),
            RunSpec::Resume { .. } => None,
        }
    }

    /// How it is listed while it waits.
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

    /// Whether it could begin, as far as can be told now.
    pub(super) fn check(&self, app: &App) -> Result<(), ApiError> {
        match &self.work {
            RunSpec::Start(execute) => {
                let mut request = execute.start(app, self.run)?;
                Ok(app.runtime.check(&mut request)?)
            }
            RunSpec::Resume { .. } => Ok(()),
        }
    }

    /// Begins it.
    pub(super) async fn begin(self, app: &std::sync::Arc<App>) -> Result<RunHandle, ApiError> {
        match self.work {
            RunSpec::Start(execute) => {
                let handle = app.runtime.start(execute.start(app, self.run)?).await?;
                // Whoever gets the id may ask for the run at once: it is on record then.
                let begun = tokio::time::timeout(ON_RECORD, app.log().follow(self.run, 1).next()).await;
                if !matches!(begun, Ok(Ok(_))) {
                    tracing::warn!(run = %self.run, "its beginning is not on record yet");
                }
                Ok(handle)
            }
            RunSpec::Resume { assume, answer } => {
                let events = app.log().read(self.run, 1).await?;
                let request = ResumeRequest {
                    assume,
                    // A bundled template's secrets are nobody's: the run began with them as well.
                    ask_secret: begun_with(app, &events).as_ref().and_then(Template::ask),
                    interactive: true,
                    answer_within: Some(app.runtime.settings().server.answer_timeout),
                    ..ResumeRequest::default()
                };
                let from = events.last().map_or(1, |event| event.seq + 1);
                let asked = steer::open_question(&events);
                let handle = app.runtime.resume(self.run, request).await?;
                if let (Some(answer), Some(asked)) = (answer, asked) {
                    tokio::spawn(steer::answer_when_asked(app.log(), self.run, from, asked, answer, handle.ops()));
                }
                Ok(handle)
            }
        }
    }

    /// Kept on the disk until it begins.
    pub(super) async fn remember(&self, app: &App) -> Result<(), ApiError> {
        let kept = match &self.work {
            RunSpec::Start(execute) => PersistedWork { execute: Some((**execute).clone()), ..PersistedWork::default() },
            RunSpec::Resume { assume, answer } => {
                let events = app.log().read(self.run, 1).await?;
                let secret = steer::open_question(&events).is_some_and(|question| question.secret);
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
            tracing::warn!(%error, run = %self.run, "it would be begun again after a restart");
        }
    }
}

/// The template that a run was started by, if it still goes to the same place.
fn begun_with(app: &App, events: &[Event]) -> Option<Template> {
    let EventKind::WorkflowStarted(start) = &events.first()?.kind else { return None };
    let same = |template: &Template| template.url.is_some() && template.url == start.workflow.url;
    app.templates.all().into_iter().find(same)
}

impl super::Registry {
    /// Puts what waited when the server ended back into the queue.
    pub(crate) async fn restore(&self, app: &App) -> Result<usize, crate::ServeError> {
        let mut restored = 0;
        for note in app.key_value_store().entries(KIND).await? {
            let read: Option<RunId> = note.key.parse().ok();
            let Some((run, kept)) = read.zip(serde_json::from_str::<PersistedWork>(&note.body).ok()) else {
                tracing::warn!(run = note.key, "what waits in the queue cannot be read and is dropped");
                app.key_value_store().delete_entry(KIND, &note.key).await?;
                continue;
            };
            let last_seq = app.log().run(run).await?.map(|summary| summary.last_seq);
            let work = match kept {
                PersistedWork { execute: Some(execute), .. } if last_seq.is_none() => RunSpec::Start(Box::new(execute)),
                PersistedWork { resume: Some(resume), .. } if last_seq == Some(resume.last_seq) => {
                    RunSpec::Resume { assume: resume.assume, answer: resume.answer }
                }
                // It began, or was deleted, and the server ended before the note was dropped.
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
