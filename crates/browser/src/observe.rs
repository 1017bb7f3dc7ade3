//! Reads the page: all frames at once, one round trip each, put together into one snapshot.

use std::{collections::HashSet, sync::Arc, time::Duration};

use futures_util::{StreamExt, stream};
use legwork_observe::{Capture, DocumentKey, FrameCapture, PageFacts, Snapshot, assemble};
use legwork_protocol::ActionFailure;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    Session,
    driver::Pending,
    frames::{FrameRef, Place, Trouble, value_of},
    shared::Shared,
};

/// Reads a document.
const CAPTURE: &str = "legwork.capture()";
/// Frames that are read, or watched, at a time. Each one waits for the tab's events as well, so that all of two thousand at
/// once would wake each other up millions of times.
const AT_ONCE: usize = 32;
/// Closed shadow roots within closed shadow roots that one reading goes after.
const NESTED: usize = 4;

impl Session {
    /// The current page as it is now, or, with a time, as it is after its next change within that time.
    ///
    /// # Errors
    /// When the page crashed, does not answer, or the browser is gone.
    pub async fn observe(&self, after_change_within: Option<Duration>) -> Result<Arc<Snapshot>, ActionFailure> {
        let tab = self.shared.current_tab()?;
        if let Some(limit) = after_change_within {
            self.shared.next_change(tab, limit).await;
        }
        let deadline = Instant::now() + self.shared.options.timeouts.script;
        loop {
            let tab = self.shared.current_tab()?;
            match self.capture(tab).await {
                Ok(snapshot) => return Ok(Arc::new(snapshot)),
                Err(Trouble::Dialog(dialog)) => {
                    let facts =
                        PageFacts { url: self.url(), title: String::new(), tabs: self.tabs(), dialog: Some(dialog) };
                    return Ok(Arc::new(assemble(facts, Vec::new(), &mut self.refs())));
                }
                Err(Trouble::Failed(failure)) => return Err(failure),
                Err(Trouble::Left) if Instant::now() >= deadline => return Err(ActionFailure::Unresponsive),
                // The page went elsewhere while it was read: the next one is what it is now.
                Err(Trouble::Left) => {
                    self.shared
                        .until(deadline, |state| state.tab(tab).is_none_or(|tab| !tab.is_loading()).then_some(()))
                        .await;
                }
            }
        }
    }

    pub(crate) fn refs(&self) -> std::sync::MutexGuard<'_, legwork_observe::RefTable> {
        self.refs.lock().expect("nobody panics while holding it")
    }

    async fn capture(&self, tab: u32) -> Result<Snapshot, Trouble> {
        let shared = &*self.shared;
        if let Some(dialog) = shared.state().tab(tab).and_then(|tab| tab.dialog.clone()) {
            return Err(Trouble::Dialog(dialog));
        }
        let frames = shared.outer_frames(tab);
        let reading: Vec<_> = frames.iter().map(|frame| shared.capture_frame(frame)).collect();
        let captured = stream::iter(reading).buffered(AT_ONCE);
        let mut captured = std::pin::pin!(captured.enumerate());
        let mut captures: Vec<FrameCapture> = Vec::with_capacity(frames.len());
        while let Some((at, capture)) = captured.next().await {
            match capture {
                Ok(capture) => captures.push(capture),
                // A frame that goes while it is read is no loss to the page; the page itself is.
                Err(Trouble::Left | Trouble::Failed(ActionFailure::Value { .. })) if at > 0 => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let main = captures.first().ok_or(Trouble::Left)?;
        let title = main.capture.title.clone();
        if let Some(tab) = shared.state().tab_mut(tab) {
            tab.title.clone_from(&title);
        }
        let facts = PageFacts { url: self.url(), title, tabs: self.tabs(), dialog: None };
        let documents: Vec<DocumentKey> = captures.iter().map(|capture| capture.document).collect();
        let snapshot = assemble(facts, captures, &mut self.refs());
        self.forget_gone(documents);
        Ok(snapshot)
    }

    /// Refs of documents that are there no more lead nowhere, and a long run sees many.
    fn forget_gone(&self, seen: Vec<DocumentKey>) {
        let living: HashSet<DocumentKey> = {
            let state = self.shared.state();
            let frames = state.tabs.iter().flat_map(|tab| tab.frames.values());
            frames.filter_map(|frame| frame.world.as_ref().map(|world| world.document)).collect()
        };
        let mut documents = self.documents.lock().expect("nobody panics while holding it");
        documents.extend(seen);
        let mut refs = self.refs();
        documents.retain(|document| {
            let lives = living.contains(document);
            if !lives {
                refs.forget(*document);
            }
            lives
        });
    }
}

impl Shared {
    async fn capture_frame(&self, frame: &FrameRef) -> Result<FrameCapture, Trouble> {
        let limit = self.options.timeouts.script;
        let place = self.place(frame).await?;
        let reply = self.send_script(&place, CAPTURE.to_owned());
        // A new document is likely to have elements to ask about: that is sent along, and costs no round trip of its own.
        let sent_along = self.is_new(&place).then(|| self.open_closed_roots(&place, limit));
        let sent_along = async {
            match sent_along {
                Some(asked) => asked.await.map(Some),
                None => Ok(None),
            }
        };
        // The owner is asked for at the same time, and only once in a frame's life.
        let (capture, parent, mut opened) =
            tokio::join!(self.captured(&place, reply, limit), self.owner_of(frame), sent_along);
        let mut capture = capture?;
        for _ in 0..NESTED {
            let any = match std::mem::replace(&mut opened, Ok(None))? {
                Some(any) => any,
                None => capture.doubts > 0 && self.open_closed_roots(&place, limit).await?,
            };
            if !any {
                break;
            }
            let reply = self.send_script(&place, CAPTURE.to_owned());
            capture = self.captured(&place, reply, limit).await?;
        }
        Ok(FrameCapture { document: place.document, capture, parent })
    }

    /// Whether a document was never read before.
    fn is_new(&self, place: &Place) -> bool {
        let mut state = self.state();
        let frame = state.tab_mut(place.frame.tab).and_then(|tab| tab.frames.get_mut(&place.frame.id));
        let world = frame.and_then(|frame| frame.world.as_mut()).filter(|world| world.document == place.document);
        world.is_some_and(|world| !std::mem::replace(&mut world.read, true))
    }

    async fn captured(&self, place: &Place, reply: Pending<Value>, limit: Duration) -> Result<Capture, Trouble> {
        let mut text: String = value_of(self.answer(place.frame.tab, reply, limit).await?)?;
        self.guard().mask(&mut text);
        Capture::read(&text).map_err(|error| {
            Trouble::Failed(ActionFailure::Value { what: "the page".to_owned(), reason: error.to_string() })
        })
    }

    /// Hands the closed shadow roots that markup made to our world; whether there are any that it did not have.
    fn open_closed_roots(&self, place: &Place, limit: Duration) -> impl Future<Output = Result<bool, Trouble>> {
        let elements = "legwork.takeDoubts()".to_owned();
        let hand_over = "function(root){legwork.registerClosedRoot(this,root)}";
        let handed = self.driver.with_closed_roots(place.world(), elements, hand_over);
        let tab = place.frame.tab;
        async move { Ok(self.answer(tab, handed, limit).await? > 0) }
    }

    /// The frame's element, by its number in the world that shows it.
    pub(crate) async fn owner_of(&self, frame: &FrameRef) -> Option<(DocumentKey, u32)> {
        let (known, shown_by) = {
            let state = self.state();
            let tab = state.tab(frame.tab)?;
            let found = tab.frames.get(&frame.id)?;
            let parent = found.parent.clone()?;
            // The world that captures the parent is that of its outermost same-origin ancestor.
            (found.owner, FrameRef { tab: frame.tab, id: parent })
        };
        let outer = self.outermost(&shown_by)?;
        let place = self.place(&outer).await.ok()?;
        if let Some(known) = known.filter(|(document, _)| *document == place.document) {
            return Some(known);
        }
        let limit = self.options.timeouts.script;
        let number = self.driver.of_owner(place.world(), &frame.id, "function(){return legwork.idOf(this)}");
        let number = self.answer(frame.tab, number, limit).await.ok()?;
        let owner = (place.document, value_of::<u32>(number).ok()?);
        self.state().tab_mut(frame.tab)?.frames.get_mut(&frame.id)?.owner = Some(owner);
        Some(owner)
    }

    /// The frame whose world reads this one: itself, or the outermost ancestor of the same origin and process.
    fn outermost(&self, frame: &FrameRef) -> Option<FrameRef> {
        let state = self.state();
        let tab = state.tab(frame.tab)?;
        let mut id = frame.id.clone();
        loop {
            let found = tab.frames.get(&id)?;
            match found.parent.as_ref().and_then(|parent| Some((parent, tab.frames.get(parent)?))) {
                Some((parent, above)) if *above.session == *found.session && above.origin == found.origin => {
                    id.clone_from(parent);
                }
                _ => return Some(FrameRef { tab: frame.tab, id }),
            }
        }
    }

    /// Waits for the page to change, and then to come to rest.
    async fn next_change(&self, tab: u32, limit: Duration) {
        let deadline = Instant::now() + limit;
        let mark = self.state().mark();
        // The page itself comes first; of very many frames the others are seen once the time is over.
        let frames = self.outer_frames(tab).into_iter().take(AT_ONCE);
        let millis = limit.as_millis() as u64;
        let watch = async |frame: FrameRef| -> Option<()> {
            let place: Place = self.place(&frame).await.ok()?;
            let expression = format!("legwork.changed({})", json!(millis));
            match self.script_within::<bool>(&place, expression, limit + Duration::from_secs(1)).await {
                Ok(false) => None,
                // A document that leaves is a change too.
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
        // What is wrong with the page, the capture that follows will say.
        let _ = self.settle(tab, None, mark).await;
    }
}
