//! The newest events of one run, read by the one task that follows the run.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use legwork::{
    live::LiveView,
    protocol::{Event, RunId},
    store::{Follower, RunLog},
};
use parking_lot::Mutex;
use tokio::{sync::watch, time::Instant};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    LiveChannel,
    frame::{Frame, end_of},
};

/// Number of newest events that viewers can read without the journal.
const WINDOW: usize = 1_024;
/// Number of events that the window starts with, so that a viewer of an ended run learns how it ended.
const TAIL: u64 = 64;
/// From this number of viewers on, events are delivered in batches, because waking every viewer for every event costs
/// more.
const BATCHING_VIEWERS: usize = 64;
/// How long a batch is collected.
const BATCH_DURATION: Duration = Duration::from_millis(40);

/// The newest events of one run.
pub(crate) struct RunFeed {
    pub(crate) run: RunId,
    pub(crate) log: Arc<dyn RunLog>,
    window: Mutex<Window>,
    /// The number of the newest event that viewers were notified of.
    progress: watch::Sender<u64>,
    viewers: AtomicUsize,
    live_channel: Arc<LiveChannel>,
    /// Stops the follower when the feed is dropped.
    _follower: DropGuard,
}

struct Window {
    /// The number of the window's first event, which may not have arrived yet.
    first: u64,
    frames: VecDeque<Arc<Frame>>,
    /// The event that ended the run, if no event followed it, and the status.
    end: Option<(u64, &'static str)>,
}

/// What the window contains for a viewer.
pub(super) enum Subscription {
    Frames(Vec<Arc<Frame>>),
    /// The requested event is older than the window.
    Older,
    /// There is no newer event. If the run has ended, this contains its end.
    Nothing(Option<(u64, &'static str)>),
}

impl RunFeed {
    /// Starts to follow a run whose newest event is `last`.
    pub(super) fn begin(run: RunId, last: u64, log: Arc<dyn RunLog>, live_channel: Arc<LiveChannel>) -> Arc<RunFeed> {
        let first = last.saturating_sub(TAIL) + 1;
        let follower = log.follow(run, first);
        let stop = CancellationToken::new();
        let feed = Arc::new(RunFeed {
            run,
            log,
            window: Mutex::new(Window { first, frames: VecDeque::new(), end: None }),
            progress: watch::Sender::new(0),
            viewers: AtomicUsize::new(0),
            live_channel,
            _follower: stop.clone().drop_guard(),
        });
        tokio::spawn(follow(Arc::downgrade(&feed), follower, stop));
        feed
    }

    /// At most `most` events, beginning with number `next`.
    pub(super) fn find(&self, next: u64, most: usize) -> Subscription {
        let window = self.window.lock();
        if next < window.first {
            return Subscription::Older;
        }
        let index = usize::try_from(next - window.first).unwrap_or(usize::MAX);
        if index >= window.frames.len() {
            return Subscription::Nothing(window.end);
        }
        Subscription::Frames(window.frames.range(index..).take(most).cloned().collect())
    }

    /// Notifies about each batch of events.
    pub(super) fn progress(&self) -> watch::Receiver<u64> {
        self.progress.subscribe()
    }

    /// The number of the newest event.
    pub(crate) fn last(&self) -> u64 {
        let window = self.window.lock();
        (window.first + window.frames.len() as u64).saturating_sub(1)
    }

    /// Number of viewers.
    pub(crate) fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    pub(super) fn subscribed(&self) {
        self.viewers.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn unsubscribed(&self) {
        self.viewers.fetch_sub(1, Ordering::Relaxed);
    }

    /// The live data of the run.
    pub(crate) fn show(&self) -> watch::Receiver<Option<Arc<LiveView>>> {
        self.live_channel.subscribe()
    }

    fn take(&self, event: &Event) {
        let frame = Arc::new(Frame::of(event));
        let mut window = self.window.lock();
        window.frames.push_back(frame);
        window.end = end_of(event).map(|end| (event.seq, end));
        if window.frames.len() > WINDOW {
            window.frames.pop_front();
            window.first += 1;
        }
    }
}

async fn follow(feed: Weak<RunFeed>, mut follower: Follower, stop: CancellationToken) {
    loop {
        let event = tokio::select! {
            () = stop.cancelled() => return,
            event = follower.next() => event,
        };
        let Some(feed) = feed.upgrade() else { return };
        let mut last = match event {
            Ok(event) => {
                feed.take(&event);
                event.seq
            }
            Err(error) => {
                // Current viewers keep what they have. A new viewer gets a new feed.
                tracing::warn!(%error, run = %feed.run.hyphenated(), "the run can no longer be followed");
                return;
            }
        };
        if feed.viewers() > BATCHING_VIEWERS {
            let until = Instant::now() + BATCH_DURATION;
            while let Ok(Ok(event)) = tokio::time::timeout_at(until, follower.next()).await {
                feed.take(&event);
                last = event.seq;
            }
        }
        feed.progress.send_replace(last);
    }
}
