//! Follows a run without gaps: first replays the log, then receives live events. A reader that falls behind reads the
//! log again.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use async_trait::async_trait;
use legwork_protocol::{Event, RunId};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{StoreError, log::PAGE};

/// How often a follower checks for events from another process.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The reading part of a log, from which a follower replays.
#[async_trait]
pub(crate) trait Pages: Send + Sync {
    /// At most `limit` events of a run, starting with number `from`.
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError>;
}

/// The events of a run in order, including future ones.
pub struct Follower {
    run: RunId,
    next: u64,
    pages: Arc<dyn Pages>,
    /// Bounded. On overflow the oldest events are dropped, and the follower reads them from the log.
    live: broadcast::Receiver<Arc<Event>>,
    waiting: VecDeque<Arc<Event>>,
    /// The log may contain events from `next` on that the live channel will not deliver.
    behind: bool,
}

impl Follower {
    /// The caller must subscribe to `live` before this call, so that no event is lost between replay and live events.
    pub(crate) fn new(run: RunId, from: u64, pages: Arc<dyn Pages>, live: broadcast::Receiver<Arc<Event>>) -> Self {
        Follower { run, next: from.max(1), pages, live, waiting: VecDeque::new(), behind: true }
    }

    /// Waits for the next event. Dropping the future loses no event.
    ///
    /// The events have no end, because a run that ended can be resumed. The caller decides when to stop.
    pub async fn next(&mut self) -> Result<Arc<Event>, StoreError> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                self.next = event.seq + 1;
                return Ok(event);
            }
            if self.behind {
                let page = self.pages.page(self.run, self.next, PAGE).await?;
                self.behind = page.len() == PAGE;
                self.waiting.extend(page.into_iter().map(Arc::new));
                continue;
            }
            match tokio::time::timeout(POLL_INTERVAL, self.live.recv()).await {
                Ok(Ok(event)) if event.seq < self.next => {}
                Ok(Ok(event)) if event.seq == self.next => self.waiting.push_back(event),
                // The number is not the next one: another process wrote in between.
                Ok(Ok(_)) | Ok(Err(RecvError::Lagged(_))) | Err(_) => self.behind = true,
                Ok(Err(RecvError::Closed)) => return Err(StoreError::Closed),
            }
        }
    }
}
