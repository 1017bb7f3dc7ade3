//! What a person does during a run: answers a question, pauses it, and operates its browser.

use std::{future::Future, sync::Arc, time::Duration};

use legwork_agent::NeedResult;
use legwork_browser::ViewerActivity;
use legwork_protocol::{EventKind, Question};
use legwork_store::AppendError;

use super::{Loop, interrupted};
use crate::control::Interrupt;

impl Loop {
    /// The answer of a person, if somebody can answer.
    pub(super) async fn ask(&mut self, question: Question) -> Result<NeedResult, Arc<AppendError>> {
        let secret = question.secret;
        // A person who reads the question can operate the browser at once.
        if self.drive.interactive {
            self.begin_control().await;
        }
        self.note(EventKind::QuestionAsked(question)).await;
        self.drive.journal.durable().await?;
        if !self.drive.interactive {
            return Ok(NeedResult::Unanswered);
        }
        let answer = with_optional_timeout(self.drive.answer_within, self.drive.control.answer()).await;
        self.drive.control.end_wait();
        self.end_control().await;
        let Some(answer) = answer else {
            return Ok(NeedResult::Unanswered);
        };
        Ok(match answer {
            Err(interrupt) => interrupted(interrupt),
            Ok(text) => {
                let answer = match secret {
                    true => self.drive.executor.guard.keep_answer(text, &self.drive.executor.url()),
                    false => text,
                };
                let answered = EventKind::QuestionAnswered { answer: answer.clone() };
                self.drive.policy.note_event(&answered);
                self.note(answered).await;
                NeedResult::Answered(answer)
            }
        })
    }

    /// Waits as long as the run is paused. Returns whether it was.
    pub(super) async fn hold_while_paused(&mut self) -> Result<bool, Interrupt> {
        if !self.drive.control.is_paused()? {
            return Ok(false);
        }
        self.begin_control().await;
        self.note(EventKind::WorkflowPaused { reason: "paused by the user".into() }).await;
        let resumed = self.drive.control.wait_resumed().await;
        self.end_control().await;
        resumed?;
        self.note(EventKind::WorkflowResumed { step: self.drive.workflow_run.results().len() }).await;
        Ok(true)
    }

    /// Lets a person operate the browser while the run waits for one.
    async fn begin_control(&mut self) {
        self.join_screenshot().await;
        if let Some(session) = self.drive.executor.run_session.open() {
            // What a person does is not limited to reading, as an action of a model may be.
            session.end_request_limits();
            self.drive.executor.live.begin_control(session.clone()).await;
        }
    }

    /// Ends the control by a person, and records what they did, but not what they typed.
    async fn end_control(&mut self) {
        let activity = self.drive.executor.live.end_control().await;
        if !activity.is_empty() {
            let ViewerActivity { clicks, typed, .. } = activity;
            self.note(EventKind::UserControlEnded { clicks, typed, url: self.drive.executor.url() }).await;
        }
    }
}

/// The result of `wait`, or `None` if it takes too long.
async fn with_optional_timeout<T>(within: Option<Duration>, wait: impl Future<Output = T>) -> Option<T> {
    match within {
        Some(within) => tokio::time::timeout(within, wait).await.ok(),
        None => Some(wait.await),
    }
}
