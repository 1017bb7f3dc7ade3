//! A viewer of a run: it reads the window at its own pace, and the journal if it has fallen behind the window.

use std::{collections::BTreeSet, sync::Arc};

use legwork::store::StoreError;
use tokio::sync::watch;

use super::{Frame, RunFeed, run_feed::Subscription};

/// Maximum number of events in one delivery.
const MAX_EVENTS: usize = 500;

/// What a viewer receives.
#[derive(Debug)]
pub(crate) enum Delivery {
    /// The next events in order, filtered by type.
    Events(Vec<Arc<Frame>>),
    /// The viewer was too slow. The events that it missed follow.
    Lag { behind: u64, next: u64 },
    /// The run has ended, at least until it is resumed.
    End(&'static str),
}

/// A viewer of a run.
pub(crate) struct Subscriber {
    feed: Arc<RunFeed>,
    /// The number of the next event for the viewer.
    next: u64,
    types: Option<BTreeSet<String>>,
    progress: watch::Receiver<u64>,
    /// Whether the viewer has had all events since the last `Lag`.
    caught_up: bool,
    /// The number of the event of the last `End` that was delivered.
    ended: Option<u64>,
}

impl Subscriber {
    /// A viewer of the events from number `from` on, optionally of some types only.
    pub(crate) fn new(feed: Arc<RunFeed>, from: u64, types: Option<BTreeSet<String>>) -> Self {
        feed.subscribed();
        Subscriber { progress: feed.progress(), feed, next: from.max(1), types, caught_up: false, ended: None }
    }

    /// The next delivery. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Delivery, StoreError> {
        loop {
            self.progress.mark_unchanged();
            match self.feed.find(self.next, MAX_EVENTS) {
                Subscription::Frames(frames) => {
                    self.next = frames.last().map_or(self.next, |frame| frame.seq + 1);
                    if let Some(progress) = self.filter(frames) {
                        return Ok(progress);
                    }
                }
                Subscription::Older if std::mem::take(&mut self.caught_up) => {
                    let behind = (self.feed.last() + 1).saturating_sub(self.next);
                    return Ok(Delivery::Lag { behind, next: self.next });
                }
                Subscription::Older => {
                    let page = self.feed.log.page(self.feed.run, self.next, MAX_EVENTS).await?;
                    let Some(last) = page.last().map(|event| event.seq) else {
                        // The run was deleted meanwhile, so nothing follows.
                        std::future::pending::<()>().await;
                        continue;
                    };
                    self.next = last + 1;
                    if let Some(progress) = self.filter(page.iter().map(|event| Arc::new(Frame::of(event))).collect()) {
                        return Ok(progress);
                    }
                }
                Subscription::Nothing(end) => {
                    self.caught_up = true;
                    if let Some((seq, status)) = end.filter(|(seq, _)| self.ended != Some(*seq)) {
                        self.ended = Some(seq);
                        return Ok(Delivery::End(status));
                    }
                    if self.progress.changed().await.is_err() {
                        return Err(StoreError::Closed);
                    }
                }
            }
        }
    }

    fn filter(&self, mut frames: Vec<Arc<Frame>>) -> Option<Delivery> {
        if let Some(types) = &self.types {
            frames.retain(|frame| types.contains(&frame.kind));
        }
        (!frames.is_empty()).then_some(Delivery::Events(frames))
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.feed.unsubscribed();
    }
}

#[cfg(test)]
mod tests {
    use legwork::{
        protocol::{EventKind, RunId},
        store::{NewEvent, RunLog, SqliteLog},
    };

    use super::*;
    use crate::hub::Hub;

    async fn append(log: &SqliteLog, run: RunId, last: &mut u64, count: usize) {
        let said = |at: usize| NewEvent::of_run(EventKind::WarningIssued { message: at.to_string() });
        let made = log.append(run, *last, (0..count).map(said).collect()).await.unwrap();
        *last += made.len() as u64;
    }

    /// The numbers of the next events, up to `until`.
    async fn numbers(subscriber: &mut Subscriber, until: u64) -> Vec<u64> {
        let mut seen = Vec::new();
        while seen.last() != Some(&until) {
            match subscriber.next().await.unwrap() {
                Delivery::Events(frames) => seen.extend(frames.iter().map(|frame| frame.seq)),
                other => panic!("{other:?} after {:?}", seen.last()),
            }
        }
        seen
    }

    #[tokio::test]
    async fn a_slow_viewer_receives_a_lag_notice_and_every_event() {
        let folder = tempfile::tempdir().unwrap();
        let log = SqliteLog::open(folder.path().join("runs.db")).unwrap();
        let (run, mut last) = (RunId::new(), 0);
        append(&log, run, &mut last, 10).await;
        let hub = Hub::new(Arc::new(log.clone()));
        let feed = hub.feed(run).await.unwrap();
        let mut slow = Subscriber::new(feed.clone(), 1, None);
        let mut quick = Subscriber::new(feed.clone(), 1, None);
        assert_eq!(numbers(&mut slow, 10).await, (1..=10).collect::<Vec<_>>());
        assert_eq!(numbers(&mut quick, 10).await, (1..=10).collect::<Vec<_>>());
        // The slow viewer had all events, and then pauses for longer than the window reaches back. The other viewer
        // does not pause, and is not delayed.
        for _ in 0..4 {
            // The viewer has caught up; otherwise it would read the journal in any case.
            assert!(futures_util::FutureExt::now_or_never(slow.next()).is_none());
            append(&log, run, &mut last, 700).await;
            let from = last - 699;
            assert_eq!(numbers(&mut quick, last).await, (from..=last).collect::<Vec<_>>());
            if last > 2_000 {
                break;
            }
            assert_eq!(numbers(&mut slow, last).await.len(), 700);
        }
        append(&log, run, &mut last, 700).await;
        numbers(&mut quick, last).await;
        match slow.next().await.unwrap() {
            Delivery::Lag { behind, next } => assert_eq!((behind, next), (1_400, last - 1_399)),
            other => panic!("{other:?}"),
        }
        assert_eq!(numbers(&mut slow, last).await, (last - 1_399..=last).collect::<Vec<_>>());
    }
}
