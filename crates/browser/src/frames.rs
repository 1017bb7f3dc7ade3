//! Frames: calls of the injected bundle in the isolated worlds of frames. Each call has a deadline, and no call is
//! blocked by an open dialog.

use std::time::Duration;

use legwork_observe::{DocumentKey, NodeKey};
use legwork_protocol::{ActionFailure, DialogInfo};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

use crate::{
    driver::{ContextRef, DriverError, Pending, SessionId},
    page_script::PageCall,
    session_inner::SessionInner,
    state::TabsState,
};

/// A frame of a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameRef {
    pub(crate) tab: u32,
    pub(crate) id: String,
}

/// An isolated world in which scripts are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct ExecutionContext {
    pub(crate) frame: FrameRef,
    pub(crate) session: SessionId,
    pub(crate) context: String,
    pub(crate) context_id: i64,
    pub(crate) document: DocumentKey,
}

impl ExecutionContext {
    pub(crate) fn context_ref(&self) -> ContextRef<'_> {
        ContextRef { session: &self.session, name: &self.context, number: self.context_id }
    }
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EvaluateError {
    /// A dialog is open, and it blocks the page until it is answered.
    DialogOpen(DialogInfo),
    /// The document is gone; the frame has a new one or was removed.
    ContextDestroyed,
    Failed(ActionFailure),
}

impl From<ActionFailure> for EvaluateError {
    fn from(failure: ActionFailure) -> Self {
        EvaluateError::Failed(failure)
    }
}

impl From<EvaluateError> for ActionFailure {
    fn from(trouble: EvaluateError) -> Self {
        match trouble {
            EvaluateError::DialogOpen(dialog) => dialog_open(&dialog),
            EvaluateError::ContextDestroyed => ActionFailure::StaleRef { target: "the page".to_owned() },
            EvaluateError::Failed(failure) => failure,
        }
    }
}

pub(crate) fn dialog_open(dialog: &DialogInfo) -> ActionFailure {
    let kind = format!("{:?}", dialog.kind).to_ascii_lowercase();
    ActionFailure::DialogOpen { dialog: kind, message: dialog.message.clone() }
}

pub(crate) fn failure_of(error: &DriverError) -> ActionFailure {
    match error {
        DriverError::Disconnected(reason) => ActionFailure::BrowserGone { reason: reason.to_string() },
        DriverError::Crashed => ActionFailure::Crashed,
        DriverError::TargetClosed => ActionFailure::StaleRef { target: "the tab".to_owned() },
        DriverError::Timeout { .. } => ActionFailure::Unresponsive,
        DriverError::Exception(reason) => ActionFailure::ScriptFailed { reason: reason.clone() },
        DriverError::Refused(reason) => ActionFailure::BrowserRefused { reason: reason.clone() },
    }
}

impl SessionInner {
    /// Waits for a result from a tab until the limit, a dialog or a crash. A page that opens one alert after another is
    /// still working, so each alert extends the limit.
    pub(crate) async fn answer<R>(&self, tab: u32, reply: Pending<R>, limit: Duration) -> Result<R, EvaluateError> {
        let last = Instant::now() + limit.max(self.options.timeouts.navigation * 2);
        let stuck = async {
            let mut alerts = self.state().tab(tab).map_or(0, |tab| tab.alerts);
            loop {
                let deadline = (Instant::now() + limit).min(last);
                let trouble = self.until(deadline, |state| {
                    if let Some(reason) = &state.gone {
                        return Some(EvaluateError::Failed(ActionFailure::BrowserGone { reason: reason.clone() }));
                    }
                    let Some(tab) = state.tab(tab) else { return Some(EvaluateError::ContextDestroyed) };
                    if tab.crashed {
                        return Some(EvaluateError::Failed(ActionFailure::Crashed));
                    }
                    tab.dialog.clone().map(EvaluateError::DialogOpen)
                });
                if let Some(trouble) = trouble.await {
                    return trouble;
                }
                let now = self.state().tab(tab).map_or(0, |tab| tab.alerts);
                if now == alerts || Instant::now() >= last {
                    return EvaluateError::Failed(ActionFailure::Unresponsive);
                }
                alerts = now;
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
                |state: &mut TabsState| state.tabs.iter().any(|tab| tab.unanswered(since).is_some()).then_some(());
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
            let Some(tab) = state.tab(tab) else { return };
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
        state.current().map(|tab| tab.number).ok_or_else(|| ActionFailure::NotFound {
            target: "an open tab that is the current one".to_owned(),
            candidates: state.tabs.iter().map(|tab| format!("tab {} at {}", tab.number, tab.url())).collect(),
        })
    }

    pub(crate) fn main_frame(&self, tab: u32) -> Option<FrameRef> {
        self.state().tab(tab).map(|found| FrameRef { tab, id: found.target.clone() })
    }

    /// The frames that need their own capture because that of their parent does not include them: the main frame, and
    /// frames whose origin or process differs from their parent's. Parents precede their children.
    pub(crate) fn outer_frames(&self, tab: u32) -> Vec<FrameRef> {
        let state = self.state();
        let Some(tab) = state.tab(tab) else { return Vec::new() };
        let mut found: Vec<(usize, FrameRef)> = Vec::new();
        for (id, frame) in &tab.frames {
            let outer = match frame.parent.as_ref().and_then(|parent| tab.frames.get(parent)) {
                None => true,
                Some(parent) => *parent.session != *frame.session || (frame.origin != parent.origin),
            };
            if outer {
                let mut depth = 0;
                let mut at = frame;
                while let Some(parent) = at.parent.as_ref().and_then(|parent| tab.frames.get(parent)) {
                    depth += 1;
                    at = parent;
                    if depth > 64 {
                        break;
                    }
                }
                found.push((depth, FrameRef { tab: tab.number, id: id.clone() }));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.id.cmp(&b.1.id)));
        found.into_iter().map(|(_, frame)| frame).collect()
    }

    /// The isolated world in the frame's document. It is created if the document has none.
    pub(crate) async fn exec_context(&self, frame: &FrameRef) -> Result<ExecutionContext, EvaluateError> {
        let limit = self.options.timeouts.script;
        if let Some(exec_context) = self.known_exec_context(frame)? {
            return Ok(exec_context);
        }
        // The event for the world of a new document arrives within moments. A document that never ran a script has no
        // world.
        if let Some(exec_context) =
            self.within(Duration::from_millis(50), |state| known_exec_context_in(state, frame)).await
        {
            return Ok(exec_context);
        }
        let session = self.frame_session(frame)?;
        self.answer(frame.tab, self.driver.create_isolated_world(&session, &frame.id), limit).await?;
        let world = {
            let state = self.state();
            let found = state.tab(frame.tab).and_then(|tab| tab.frames.get(&frame.id));
            found.and_then(|frame| frame.world.clone()).ok_or(EvaluateError::ContextDestroyed)?
        };
        let (context, number) = (world.context, world.id);
        let load = ContextRef { session: &session, name: &context, number };
        self.answer(frame.tab, self.driver.load(load, self.scripts.bundle.to_owned()), limit).await?;
        if let Some(frame) = self.state().tab_mut(frame.tab).and_then(|tab| tab.frames.get_mut(&frame.id))
            && let Some(world) = frame.world.as_mut().filter(|world| world.context == context)
        {
            world.ready = true;
        }
        self.known_exec_context(frame)?.ok_or(EvaluateError::ContextDestroyed)
    }

    fn frame_session(&self, frame: &FrameRef) -> Result<SessionId, EvaluateError> {
        let state = self.state();
        let tab = state.tab(frame.tab).ok_or(EvaluateError::ContextDestroyed)?;
        if tab.crashed {
            return Err(EvaluateError::Failed(ActionFailure::Crashed));
        }
        tab.frames.get(&frame.id).map(|frame| frame.session.clone()).ok_or(EvaluateError::ContextDestroyed)
    }

    fn known_exec_context(&self, frame: &FrameRef) -> Result<Option<ExecutionContext>, EvaluateError> {
        self.frame_session(frame)?;
        Ok(known_exec_context_in(&self.state(), frame))
    }

    /// The world of an element that was observed.
    pub(crate) fn exec_context_of(&self, tab: u32, node: NodeKey) -> Option<ExecutionContext> {
        let state = self.state();
        let found = state.tab(tab)?;
        let (id, _) = found
            .frames
            .iter()
            .find(|(_, frame)| frame.world.as_ref().is_some_and(|world| world.document == node.document))?;
        known_exec_context_in(&state, &FrameRef { tab, id: id.clone() })
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

fn known_exec_context_in(state: &TabsState, frame: &FrameRef) -> Option<ExecutionContext> {
    let found = state.tab(frame.tab)?.frames.get(&frame.id)?;
    let world = found.world.as_ref().filter(|world| world.ready)?;
    Some(ExecutionContext {
        frame: frame.clone(),
        session: found.session.clone(),
        context: world.context.clone(),
        context_id: world.id,
        document: world.document,
    })
}

/// Parses the result of a call.
pub(crate) fn value_of<T: DeserializeOwned>(answer: Value) -> Result<T, EvaluateError> {
    serde_json::from_value(answer).map_err(|error| {
        EvaluateError::Failed(ActionFailure::Unreadable {
            what: "the page's answer".to_owned(),
            reason: error.to_string(),
        })
    })
}
