//! Following a run without a gap: replay from the log, then live; a reader who falls behind reads the log again.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use async_trait::async_trait;
use legwork_protocol::{Event, RunId};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{StoreError, log::PAGE};

/// How often a follower looks for events that another process wrote.
const LOOK: Duration = Duration::from_millis(300);

/// What a follower replays from: the reading half of a log.
#[async_trait]
pub(crate) trait Pages: Send + Sync {
    /// At most `limit` events of a run from number `from` on.
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError>;
}

/// The events of a run, in order, those to come as well.
pub struct Follower {
    run: RunId,
    next: u64,
    pages: Arc<dyn Pages>,
    /// Bounded; overflow = the oldest are dropped, and the follower reads them from the log.
    live: broadcast::Receiver<Arc<Event>>,
    waiting: VecDeque<Arc<Event>>,
    /// The log may hold events from `next` on that will not come live.
    behind: bool,
}

impl Follower {
    /// `live` must have been subscribed before this, so that nothing falls between replay and live.
    pub(crate) fn new(run: RunId, from: u64, pages: Arc<dyn Pages>, live: broadcast::Receiver<Arc<Event>>) -> Self {
        Follower { run, next: from.max(1), pages, live, waiting: VecDeque::new(), behind: true }
    }

    /// The next event; waits for it. Dropping the future loses nothing.
    ///
    /// There is no end: a run that ended can be resumed. Who follows decides when it has seen enough.
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
            match tokio::time::timeout(LOOK, self.live.recv()).await {
                Ok(Ok(event)) if event.seq < self.next => {}
                Ok(Ok(event)) if event.seq == self.next => self.waiting.push_back(event),
                // A jump: another process wrote in between.
                Ok(Ok(_)) | Ok(Err(RecvError::Lagged(_))) | Err(_) => self.behind = true,
                Ok(Err(RecvError::Closed)) => return Err(StoreError::Closed),
            }
        }
    }
}
