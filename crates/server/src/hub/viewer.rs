//! One who looks at a run: reads the window at its own pace, and the journal when it has fallen out of it.

use std::{collections::BTreeSet, sync::Arc};

use legwork::store::StoreError;
use tokio::sync::watch;

use super::{Feed, Frame, feed::Found};

/// Events handed over in one go.
const MOST: usize = 500;

/// What a viewer is told.
#[derive(Debug)]
pub(crate) enum Told {
    /// The next events, in order, those left out that were not asked for.
    Events(Vec<Arc<Frame>>),
    /// It was slow; what it missed follows now.
    Lag { behind: u64, next: u64 },
    /// The run has ended for now.
    End(&'static str),
}

/// One who looks at a run.
pub(crate) struct Viewer {
    feed: Arc<Feed>,
    /// The number of the event it wants next.
    next: u64,
    types: Option<BTreeSet<String>>,
    told: watch::Receiver<u64>,
    /// Whether it had all there was, once.
    caught_up: bool,
    /// The end it was told of.
    ended: Option<u64>,
}

impl Viewer {
    /// One who wants the events from number `from` on; only these types, if any are named.
    pub(crate) fn new(feed: Arc<Feed>, from: u64, types: Option<BTreeSet<String>>) -> Self {
        feed.came();
        Viewer { told: feed.told(), feed, next: from.max(1), types, caught_up: false, ended: None }
    }

    /// What it is told next. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Told, StoreError> {
        loop {
            self.told.mark_unchanged();
            match self.feed.find(self.next, MOST) {
                Found::Frames(frames) => {
                    self.next = frames.last().map_or(self.next, |frame| frame.seq + 1);
                    if let Some(told) = self.wanted(frames) {
                        return Ok(told);
                    }
                }
                Found::Older if std::mem::take(&mut self.caught_up) => {
                    let behind = (self.feed.last() + 1).saturating_sub(self.next);
                    return Ok(Told::Lag { behind, next: self.next });
                }
                Found::Older => {
                    let page = self.feed.log.page(self.feed.run, self.next, MOST).await?;
                    let Some(last) = page.last().map(|event| event.seq) else {
                        // The run was deleted while it was looked at: nothing more will come.
                        std::future::pending::<()>().await;
                        continue;
                    };
                    self.next = last + 1;
                    if let Some(told) = self.wanted(page.iter().map(|event| Arc::new(Frame::of(event))).collect()) {
                        return Ok(told);
                    }
                }
                Found::Nothing(end) => {
                    self.caught_up = true;
                    if let Some((seq, status)) = end.filter(|(seq, _)| self.ended != Some(*seq)) {
                        self.ended = Some(seq);
                        return Ok(Told::End(status));
                    }
                    if self.told.changed().await.is_err() {
                        return Err(StoreError::Closed);
                    }
                }
            }
        }
    }

    fn wanted(&self, mut frames: Vec<Arc<Frame>>) -> Option<Told> {
        if let Some(types) = &self.types {
            frames.retain(|frame| types.contains(&frame.kind));
        }
        (!frames.is_empty()).then_some(Told::Events(frames))
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.feed.left();
    }
}
