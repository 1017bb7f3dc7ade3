//! Observes the page: captures all frames concurrently, usually with one round trip each, and assembles one snapshot.

use std::{collections::HashSet, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use legwork_observe::{Capture, DocumentKey, FrameCapture, PageFacts, Snapshot, is_loading};
use legwork_protocol::ActionFailure;
use tokio::time::Instant;

use crate::{
    Session,
    act::ActionScope,
    evaluate_error::{EvaluateError, value_of},
    frame_tree::{ExecutionContext, FrameRef},
    page_script::{self as script, PageExpression},
    session_inner::SessionInner,
};

/// The most frames that are captured or watched at the same time. Each call also waits for events of the tab, so with
/// two thousand concurrent calls, each event would wake all of them.
const AT_ONCE: usize = 32;
/// The most levels of nested closed shadow roots that one observation opens.
const NESTED: usize = 4;

impl Session {
    /// Observes the current page at once or, with a duration, after its next change within that duration.
    ///
    /// # Errors
    /// If the page crashed or does not answer, or the browser is gone.
    pub async fn observe(&self, after_change_within: Option<Duration>) -> Result<Arc<Snapshot>, ActionFailure> {
        let tab = self.inner.current_tab()?;
        if let Some(limit) = after_change_within {
            self.inner.next_change(tab, limit).await;
        }
        let deadline = Instant::now() + self.inner.options.timeouts.script;
        loop {
            let tab = self.inner.current_tab()?;
            match self.capture(tab).await {
                Ok(snapshot) => return Ok(Arc::new(snapshot)),
                Err(EvaluateError::DialogOpen(dialog)) => {
                    let facts =
                        PageFacts { url: self.url(), title: String::new(), tabs: self.tabs(), dialog: Some(dialog) };
                    return Ok(Arc::new(self.refs.assemble(facts, Vec::new(), &self.inner.living_documents())));
                }
                Err(EvaluateError::Failed(failure)) => return Err(failure),
                Err(EvaluateError::ContextDestroyed) if Instant::now() >= deadline => {
                    return Err(ActionFailure::Unresponsive);
                }
                // The page navigated during the capture, so the next document is observed.
                Err(EvaluateError::ContextDestroyed) => {
                    self.inner
                        .until(deadline, |state| state.tabs.get(tab).is_none_or(|tab| !tab.is_loading()).then_some(()))
                        .await;
                }
            }
        }
    }

    /// Observes the current page. If it shows that its content is still to come, and `before` did not show that, the
    /// page is observed again after each change until it does not, for at most `limit`.
    ///
    /// # Errors
    /// As [`Session::observe`].
    pub async fn observe_ready(
        &self,
        before: Option<&Snapshot>,
        limit: Duration,
    ) -> Result<Arc<Snapshot>, ActionFailure> {
        let deadline = Instant::now() + limit;
        let mut page = self.observe(None).await?;
        while is_loading(&page, before) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            page = self.observe(Some(left)).await?;
        }
        Ok(page)
    }

    async fn capture(&self, tab: u32) -> Result<Snapshot, EvaluateError> {
        let inner = &*self.inner;
        if let Some(dialog) = inner.state().dialogs.open_in(tab).cloned() {
            return Err(EvaluateError::DialogOpen(dialog));
        }
        let frames = inner.outer_frames(tab);
        let reading: Vec<_> = frames.iter().map(|frame| inner.capture_frame(frame)).collect();
        let captured = stream::iter(reading).buffered(AT_ONCE);
        let mut captured = std::pin::pin!(captured.enumerate());
        let mut captures: Vec<FrameCapture> = Vec::with_capacity(frames.len());
        while let Some((at, capture)) = captured.next().await {
            match capture {
                Ok(capture) => captures.push(capture),
                // The snapshot can do without a frame that was removed during the capture, but not without the page
                // itself.
                Err(
                    EvaluateError::ContextDestroyed
                    | EvaluateError::Failed(
                        ActionFailure::ScriptFailed { .. }
                        | ActionFailure::BrowserRefused { .. }
                        | ActionFailure::Unreadable { .. },
                    ),
                ) if at > 0 => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let main = captures.first().ok_or(EvaluateError::ContextDestroyed)?;
        let title = main.capture.title.clone();
        if let Some(tab) = inner.state().tabs.get_mut(tab) {
            tab.set_title(&title);
        }
        let facts = PageFacts { url: self.url(), title, tabs: self.tabs(), dialog: None };
        Ok(self.refs.assemble(facts, captures, &inner.living_documents()))
    }
}

impl SessionInner {
    /// The documents that tabs currently show.
    fn living_documents(&self) -> HashSet<DocumentKey> {
        let state = self.state();
        state.tabs.iter().flat_map(|tab| tab.frames().documents()).collect()
    }

    pub(crate) async fn capture_frame(&self, frame: &FrameRef) -> Result<FrameCapture, EvaluateError> {
        let limit = self.options.timeouts.script;
        let exec_context = self.exec_context(frame).await?;
        let capture = script::Capture { key: Some(&self.scripts.key) };
        let captured = self.captured(&exec_context, capture, limit);
        // A new document probably has elements to ask about, so that call is sent together with the capture and costs
        // no extra round trip.
        let sent_along = self.is_new(&exec_context).then(|| self.open_closed_roots(&exec_context, limit));
        let sent_along = async {
            match sent_along {
                Some(asked) => asked.await.map(Some),
                None => Ok(None),
            }
        };
        // The owner is requested concurrently, and only once for each frame.
        let (capture, parent, mut opened) = tokio::join!(captured, self.owner_of(frame), sent_along);
        let mut capture = capture?;
        for _ in 0..NESTED {
            let any = match std::mem::replace(&mut opened, Ok(None))? {
                Some(any) => any,
                None => capture.possible_closed_roots > 0 && self.open_closed_roots(&exec_context, limit).await?,
            };
            if !any {
                break;
            }
            capture = self.captured(&exec_context, script::Capture { key: None }, limit).await?;
        }
        Ok(FrameCapture { document: exec_context.document, capture, parent })
    }

    /// Whether a document was never captured before.
    fn is_new(&self, exec_context: &ExecutionContext) -> bool {
        let mut state = self.state();
        let tab = state.tabs.get_mut(exec_context.frame.tab);
        tab.is_some_and(|tab| tab.frames_mut().note_read(&exec_context.frame.id, exec_context.document))
    }

    /// Sends the call now; the future waits for its result.
    fn captured(
        &self,
        exec_context: &ExecutionContext,
        capture: script::Capture<'_>,
        limit: Duration,
    ) -> impl Future<Output = Result<Capture, EvaluateError>> {
        let text = self.call_within(exec_context, capture, limit);
        async move {
            let mut text = text.await?;
            self.guard().mask(&mut text);
            Capture::read(&text).map_err(|error| {
                EvaluateError::Failed(ActionFailure::Unreadable {
                    what: "the page".to_owned(),
                    reason: error.to_string(),
                })
            })
        }
    }

    /// Passes closed shadow roots that came from markup to the isolated world. Returns whether there were any that it
    /// did not know.
    fn open_closed_roots(
        &self,
        exec_context: &ExecutionContext,
        limit: Duration,
    ) -> impl Future<Output = Result<bool, EvaluateError>> {
        let elements = script::TakePossibleClosedRoots {}.expression();
        let handed = self.driver.with_closed_roots(exec_context.context_ref(), elements, script::REGISTER_CLOSED_ROOT);
        let tab = exec_context.frame.tab;
        async move { Ok(self.answer(tab, handed, limit).await? > 0) }
    }

    /// The frame's element, by its number in the world that captures it.
    pub(crate) async fn owner_of(&self, frame: &FrameRef) -> Option<(DocumentKey, u32)> {
        let (known, shown_by) = {
            let state = self.state();
            let frames = state.tabs.get(frame.tab)?.frames();
            let parent = frames.parent_of(&frame.id)?.to_owned();
            // The parent is captured in the world of its outermost same-origin ancestor.
            (frames.owner_of(&frame.id), FrameRef { tab: frame.tab, id: parent })
        };
        let outer = self.outermost(&shown_by)?;
        let exec_context = self.exec_context(&outer).await.ok()?;
        if let Some(known) = known.filter(|(document, _)| *document == exec_context.document) {
            return Some(known);
        }
        let limit = self.options.timeouts.script;
        let number = self.driver.of_owner(exec_context.context_ref(), &frame.id, script::ID_OF);
        let number = self.answer(frame.tab, number, limit).await.ok()?;
        let owner = (exec_context.document, value_of::<u32>(number).ok()?);
        self.state().tabs.get_mut(frame.tab)?.frames_mut().set_owner(&frame.id, owner)?;
        Some(owner)
    }

    /// The frame in whose world this one is captured: the frame itself, or its outermost ancestor of the same origin
    /// and process.
    fn outermost(&self, frame: &FrameRef) -> Option<FrameRef> {
        let id = self.state().tabs.get(frame.tab)?.frames().outermost(&frame.id)?;
        Some(FrameRef { tab: frame.tab, id })
    }

    /// Waits until the page changes and then settles.
    async fn next_change(&self, tab: u32, limit: Duration) {
        let deadline = Instant::now() + limit;
        let epoch = self.state().begin_epoch();
        // The main frame is first in the list. If there are more frames, changes in the others are noticed only by the
        // capture that follows.
        let frames = self.outer_frames(tab).into_iter().take(AT_ONCE);
        let change = script::WaitForChange { timeout_ms: limit.as_millis() as u64 };
        let watch = async |frame: FrameRef| -> Option<()> {
            let exec_context: ExecutionContext = self.exec_context(&frame).await.ok()?;
            match self.call_within(&exec_context, &change, limit + Duration::from_secs(1)).await {
                Ok(false) => None,
                // A document that is replaced is a change too.
                Ok(true) | Err(_) => Some(()),
            }
        };
        let mut watching: stream::FuturesUnordered<_> = frames.map(watch).collect();
        let any = async {
            while let Some(change) = watching.next().await {
                if change.is_some() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout_at(deadline, any).await;
        // A failure is ignored here, because the capture that follows reports it.
        let _ = self.settle(ActionScope { tab, epoch, awaits_answer: false }, None).await;
    }
}
