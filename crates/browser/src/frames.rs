//! Frames: calls of the injected bundle in the isolated worlds of frames. Each call has a deadline, and no call is
//! blocked by an open dialog.

use std::time::Duration;

use legwork_observe::NodeKey;
use legwork_protocol::ActionFailure;
use tokio::time::Instant;

use crate::{
    driver::{ContextRef, DriverError, Pending, SessionId},
    evaluate_error::{EvaluateError, failure_of, value_of},
    frame_tree::{ExecutionContext, FrameRef},
    page_script::PageCall,
    session_inner::SessionInner,
    state::SessionState,
    tabs::Tab,
};

impl SessionInner {
    /// Waits for a result from a tab until the limit, a dialog or a crash. A page that opens one alert after another is
    /// still working, so each alert extends the limit.
    pub(crate) async fn answer<R>(&self, tab: u32, reply: Pending<R>, limit: Duration) -> Result<R, EvaluateError> {
        let last = Instant::now() + limit.max(self.options.timeouts.navigation * 2);
        let stuck = async {
            let mut answered = self.state().dialogs.answered_in(tab);
            loop {
                let deadline = (Instant::now() + limit).min(last);
                let trouble = self.until(deadline, |state| {
                    if let Some(reason) = &state.gone {
                        return Some(EvaluateError::Failed(ActionFailure::BrowserGone { reason: reason.clone() }));
                    }
                    let Some(found) = state.tabs.get(tab) else { return Some(EvaluateError::ContextDestroyed) };
                    if found.is_crashed() {
                        return Some(EvaluateError::Failed(ActionFailure::Crashed));
                    }
                    state.dialogs.open_in(tab).cloned().map(EvaluateError::DialogOpen)
                });
                if let Some(trouble) = trouble.await {
                    return trouble;
                }
                let now = self.state().dialogs.answered_in(tab);
                if now == answered || Instant::now() >= last {
                    return EvaluateError::Failed(ActionFailure::Unresponsive);
                }
                answered = now;
            }
        };
        tokio::select! {
            biased;
            answer = reply => answer.map_err(|error| match &error {
                DriverError::TargetClosed => EvaluateError::ContextDestroyed,
                other => EvaluateError::Failed(failure_of(other)),
            }),
            trouble = stuck => {
                if trouble == EvaluateError::Failed(ActionFailure::Unresponsive) {
                    self.interrupt(tab);
                }
                Err(trouble)
            }
        }
    }

    /// As [`SessionInner::answer`] for an input. Also ends when the input makes the page navigate: Chromium then delays
    /// the result until the server has sent the next page, for which settling waits with its own limit.
    pub(crate) async fn answer_or_leaving(&self, tab: u32, reply: Pending<()>) -> Result<(), EvaluateError> {
        let limit = self.options.timeouts.script;
        let since = self.state().epoch;
        let leaving = async {
            let leaves =
                |state: &mut SessionState| state.tabs.iter().any(|tab| tab.unanswered(since).is_some()).then_some(());
            // This is longer than the limit of the result itself.
            self.within(limit * 2 + self.options.timeouts.navigation * 2, leaves).await
        };
        tokio::select! {
            biased;
            answer = self.answer(tab, reply, limit) => answer,
            _ = leaving => Err(EvaluateError::ContextDestroyed),
        }
    }

    /// Tries to stop the script that blocks the page, so that later calls find a page that answers.
    fn interrupt(&self, tab: u32) {
        let sessions: Vec<SessionId> = {
            let state = self.state();
            let Some(tab) = state.tabs.get(tab) else { return };
            tab.sessions()
        };
        for session in sessions {
            self.driver.interrupt(&session);
        }
    }

    /// The current tab, if the browser is reachable and a tab is current.
    pub(crate) fn current_tab(&self) -> Result<u32, ActionFailure> {
        let state = self.state();
        if let Some(reason) = &state.gone {
            return Err(ActionFailure::BrowserGone { reason: reason.clone() });
        }
        state.tabs.current().map(Tab::number).ok_or_else(|| ActionFailure::NotFound {
            target: "an open tab that is the current one".to_owned(),
            candidates: state.tabs.iter().map(|tab| format!("tab {} at {}", tab.number(), tab.url())).collect(),
        })
    }

    pub(crate) fn main_frame(&self, tab: u32) -> Option<FrameRef> {
        self.state().tabs.get(tab).map(|found| FrameRef { tab, id: found.target().to_owned() })
    }

    /// The frames that need their own capture because that of their parent does not include them: the main frame, and
    /// frames whose origin or process differs from their parent's. Parents precede their children.
    pub(crate) fn outer_frames(&self, tab: u32) -> Vec<FrameRef> {
        let state = self.state();
        let outer = state.tabs.get(tab).map(|found| found.frames().outer_frames()).unwrap_or_default();
        outer.into_iter().map(|id| FrameRef { tab, id }).collect()
    }

    /// The isolated world in the frame's document. It is created if the document has none.
    pub(crate) async fn exec_context(&self, frame: &FrameRef) -> Result<ExecutionContext, EvaluateError> {
        let limit = self.options.timeouts.script;
        if let Some(exec_context) = self.known_exec_context(frame)? {
            return Ok(exec_context);
        }
        // The event for the world of a new document arrives within moments. A document that never ran a script has no
        // world.
        let known = |state: &mut SessionState| state.tabs.get(frame.tab)?.frames().exec_context(frame.tab, &frame.id);
        if let Some(exec_context) = self.within(Duration::from_millis(50), known).await {
            return Ok(exec_context);
        }
        let session = self.frame_session(frame)?;
        self.answer(frame.tab, self.driver.create_isolated_world(&session, &frame.id), limit).await?;
        let (context, number) = {
            let state = self.state();
            let world = state.tabs.get(frame.tab).and_then(|tab| tab.frames().world_of(&frame.id));
            world.ok_or(EvaluateError::ContextDestroyed)?
        };
        let load = ContextRef { session: &session, name: &context, number };
        self.answer(frame.tab, self.driver.load(load, self.scripts.bundle.to_owned()), limit).await?;
        if let Some(tab) = self.state().tabs.get_mut(frame.tab) {
            tab.frames_mut().world_loaded(&frame.id, &context);
        }
        self.known_exec_context(frame)?.ok_or(EvaluateError::ContextDestroyed)
    }

    fn frame_session(&self, frame: &FrameRef) -> Result<SessionId, EvaluateError> {
        let state = self.state();
        let tab = state.tabs.get(frame.tab).ok_or(EvaluateError::ContextDestroyed)?;
        if tab.is_crashed() {
            return Err(EvaluateError::Failed(ActionFailure::Crashed));
        }
        tab.frames().session_of(&frame.id).cloned().ok_or(EvaluateError::ContextDestroyed)
    }

    fn known_exec_context(&self, frame: &FrameRef) -> Result<Option<ExecutionContext>, EvaluateError> {
        self.frame_session(frame)?;
        let state = self.state();
        Ok(state.tabs.get(frame.tab).and_then(|tab| tab.frames().exec_context(frame.tab, &frame.id)))
    }

    /// The world of an element that was observed.
    pub(crate) fn exec_context_of(&self, tab: u32, node: NodeKey) -> Option<ExecutionContext> {
        self.state().tabs.get(tab)?.frames().exec_context_of(tab, node.document)
    }

    /// Calls a function of the injected bundle in a world. The call is sent now; the future waits for its result.
    pub(crate) fn call<C: PageCall>(
        &self,
        exec_context: &ExecutionContext,
        call: C,
    ) -> impl Future<Output = Result<C::Returns, EvaluateError>> {
        self.call_within(exec_context, call, self.options.timeouts.script)
    }

    /// As [`SessionInner::call`], with its own limit.
    pub(crate) fn call_within<C: PageCall>(
        &self,
        exec_context: &ExecutionContext,
        call: C,
        limit: Duration,
    ) -> impl Future<Output = Result<C::Returns, EvaluateError>> {
        let reply = self.driver.evaluate(exec_context.context_ref(), call.expression());
        let tab = exec_context.frame.tab;
        async move { value_of(self.answer(tab, reply, limit).await?) }
    }
}
