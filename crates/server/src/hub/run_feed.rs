//! The newest events of one run, kept by the one task that follows it.

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
    Showing,
    frame::{Frame, end_of},
};

/// Events that viewers may be behind before they have to read the journal.
const WINDOW: usize = 1_024;
/// What the window begins with, so that a viewer who looks at the end knows how the run ended.
const TAIL: u64 = 64;
/// From so many viewers on, events are told in small heaps: waking each of them for each event costs more than it is worth.
const CROWD: usize = 64;
/// How long a heap is collected.
const HEAP: Duration = Duration::from_millis(40);

/// One run's newest events.
pub(crate) struct RunFeed {
    pub(crate) run: RunId,
    pub(crate) log: Arc<dyn RunLog>,
    window: Mutex<Window>,
    /// The number of the newest event that was told.
    progress: watch::Sender<u64>,
    viewers: AtomicUsize,
    showing: Arc<Showing>,
    /// Ends the follower with the feed.
    _follower: DropGuard,
}

struct Window {
    /// The number of its first event, there or to come.
    first: u64,
    frames: VecDeque<Arc<Frame>>,
    /// The event that ended the run, as long as nothing came after, and how.
    end: Option<(u64, &'static str)>,
}

/// What a viewer finds.
pub(super) enum Subscription {
    Frames(Vec<Arc<Frame>>),
    /// What it wants is older than the window.
    Older,
    /// There is nothing new; the end, when the run has ended.
    Nothing(Option<(u64, &'static str)>),
}

impl RunFeed {
    /// Begins to follow a run whose newest event is `last`.
    pub(super) fn begin(run: RunId, last: u64, log: Arc<dyn RunLog>, showing: Arc<Showing>) -> Arc<RunFeed> {
        let first = last.saturating_sub(TAIL) + 1;
        let follower = log.follow(run, first);
        let stop = CancellationToken::new();
        let feed = Arc::new(RunFeed {
            run,
            log,
            window: Mutex::new(Window { first, frames: VecDeque::new(), end: None }),
            progress: watch::Sender::new(0),
            viewers: AtomicUsize::new(0),
            showing,
            _follower: stop.clone().drop_guard(),
        });
        tokio::spawn(follow(Arc::downgrade(&feed), follower, stop));
        feed
    }

    /// At most `most` events from number `next` on.
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

    /// Told of each heap of events.
    pub(super) fn progress(&self) -> watch::Receiver<u64> {
        self.progress.subscribe()
    }

    /// The number of the newest event.
    pub(crate) fn last(&self) -> u64 {
        let window = self.window.lock();
        (window.first + window.frames.len() as u64).saturating_sub(1)
    }

    /// How many look.
    pub(crate) fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    pub(super) fn subscribed(&self) {
        self.viewers.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn unsubscribed(&self) {
        self.viewers.fetch_sub(1, Ordering::Relaxed);
    }

    /// What the run shows while it works.
    pub(crate) fn show(&self) -> watch::Receiver<Option<Arc<LiveView>>> {
        self.showing.subscribe()
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
                // Viewers keep what they have; a new one gets a new feed.
                tracing::warn!(%error, run = %feed.run, "the run can be followed no longer");
                return;
            }
        };
        if feed.viewers() > CROWD {
            let until = Instant::now() + HEAP;
            while let Ok(Ok(event)) = tokio::time::timeout_at(until, follower.next()).await {
                feed.take(&event);
                last = event.seq;
            }
        }
        feed.progress.send_replace(last);
    }
}
