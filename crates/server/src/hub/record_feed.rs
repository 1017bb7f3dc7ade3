//! The record of one run as rows, folded by the one task that follows the run, and its viewers.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use legwork::{
    live::LiveView,
    protocol::{Event, RunId},
    record::{RecordState, view::RecordView},
    store::{Follower, RunLog, StoreError},
};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, MissedTickBehavior, interval},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{LiveChannel, frame::end_of};

/// How long events are collected before viewers are woken, because a page does not redraw more often.
const BATCH_DURATION: Duration = Duration::from_millis(40);
/// How often the feed checks whether a process still drives the run, because no event reports that a process has died.
const LIVE_CHECK: Duration = Duration::from_secs(1);

/// The record feed of one run.
///
/// It folds the run once, for any number of viewers at any speed: the number of a viewer's last event determines what
/// the viewer needs. The feed ends with its last viewer.
pub(crate) struct RecordFeed {
    run: RunId,
    log: Arc<dyn RunLog>,
    folded: Mutex<FoldState>,
    /// The revision of the view that viewers may read; 0 until it includes all events that existed when the feed was
    /// created.
    revision: watch::Sender<u64>,
    viewers: AtomicUsize,
    live_channel: Arc<LiveChannel>,
    /// Stops the follower when the feed is dropped.
    _follower: DropGuard,
}

#[derive(Default)]
struct FoldState {
    /// `None` before the first event.
    view: Option<RecordView>,
    /// The event that ended the run, if no event followed it, and the status.
    end: Option<(u64, &'static str)>,
}

impl RecordFeed {
    /// Starts to fold a run whose newest event is `last`.
    pub(super) fn begin(
        run: RunId,
        last: u64,
        log: Arc<dyn RunLog>,
        live_channel: Arc<LiveChannel>,
    ) -> Arc<RecordFeed> {
        let follower = log.follow(run, 1);
        let stop = CancellationToken::new();
        let feed = Arc::new(RecordFeed {
            run,
            log,
            folded: Mutex::default(),
            revision: watch::Sender::new(0),
            viewers: AtomicUsize::new(0),
            live_channel,
            _follower: stop.clone().drop_guard(),
        });
        tokio::spawn(follow(Arc::downgrade(&feed), last, follower, stop));
        feed
    }

    /// Number of viewers.
    pub(crate) fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }

    /// The live data of the run.
    pub(crate) fn show(&self) -> watch::Receiver<Option<Arc<LiveView>>> {
        self.live_channel.subscribe()
    }

    fn with<T>(&self, act: impl FnOnce(&mut FoldState) -> T) -> T {
        act(&mut self.folded.lock())
    }

    fn take(&self, event: &Event) {
        self.with(|folded| {
            folded.end = end_of(event).map(|end| (event.seq, end));
            match &mut folded.view {
                Some(view) => view.apply(event),
                None => match RecordView::begin(event) {
                    Ok(view) => folded.view = Some(view),
                    Err(error) => tracing::warn!(%error, run = %self.run.hyphenated(), "the run has no record"),
                },
            }
        });
    }

    /// Checks whether a process drives the run, if the run is in progress according to its events.
    async fn check_live(&self) {
        let under_way = |view: &RecordView| matches!(view.record().state, RecordState::Running | RecordState::Paused);
        let Some(seq) = self.with(|folded| folded.view.as_ref().filter(|view| under_way(view)).map(RecordView::seq))
        else {
            return;
        };
        let Ok(Some(summary)) = self.log.run(self.run).await else { return };
        // If events are still to be read, they may change the state.
        if summary.last_seq == seq {
            self.with(|folded| folded.view.as_mut().map(|view| view.set_live(summary.driven)));
        }
    }

    /// Wakes the viewers once the view includes all events that existed at the beginning.
    fn publish(&self, first: u64) {
        let Some((seq, revision)) = self.with(|folded| folded.view.as_ref().map(|view| (view.seq(), view.revision())))
        else {
            return;
        };
        if seq >= first {
            self.revision.send_if_modified(|known| std::mem::replace(known, revision) != revision);
        }
    }
}

async fn follow(feed: Weak<RecordFeed>, last: u64, mut follower: Follower, stop: CancellationToken) {
    let mut clock = interval(LIVE_CHECK);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let event = tokio::select! {
            () = stop.cancelled() => return,
            event = follower.next() => Some(event),
            _ = clock.tick() => None,
        };
        let Some(feed) = feed.upgrade() else { return };
        match event {
            Some(Ok(event)) => {
                feed.take(&event);
                let until = Instant::now() + BATCH_DURATION;
                while let Ok(Ok(event)) = tokio::time::timeout_at(until, follower.next()).await {
                    feed.take(&event);
                }
                if *feed.revision.borrow() == 0 {
                    // Viewers must see at once if the run was interrupted.
                    feed.check_live().await;
                }
            }
            Some(Err(error)) => {
                // Current viewers keep what they have. A new viewer gets a new feed.
                tracing::warn!(%error, run = %feed.run.hyphenated(), "the run can no longer be followed");
                return;
            }
            None => feed.check_live().await,
        }
        feed.publish(last);
    }
}

/// What a viewer of a record receives.
#[derive(Debug)]
pub(crate) enum RecordDelivery {
    /// Rows that replace those at hand; all of them, if it had none.
    Rows {
        /// The number of the last event that they include.
        seq: u64,
        /// Whether these are all.
        whole: bool,
        /// The list of rows as JSON.
        json: String,
    },
    /// The run has ended, at least until it is resumed.
    End(&'static str),
}

/// A viewer of a record.
pub(crate) struct RecordSubscriber {
    feed: Arc<RecordFeed>,
    /// The number of the last event that the viewer's rows include, until the first delivery; 0 for none.
    from: u64,
    /// The revision of the last delivery.
    revision: Option<u64>,
    progress: watch::Receiver<u64>,
    /// The event of the last end that was delivered.
    ended: Option<u64>,
}

impl RecordSubscriber {
    /// A viewer whose rows include the events up to number `from`.
    pub(crate) fn new(feed: Arc<RecordFeed>, from: u64) -> Self {
        feed.viewers.fetch_add(1, Ordering::Relaxed);
        RecordSubscriber { progress: feed.revision.subscribe(), feed, from, revision: None, ended: None }
    }

    /// The next delivery. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<RecordDelivery, StoreError> {
        loop {
            let published = *self.progress.borrow_and_update();
            if published > 0
                && let Some(delivery) = self.find()
            {
                return Ok(delivery);
            }
            if self.progress.changed().await.is_err() {
                return Err(StoreError::Closed);
            }
        }
    }

    fn find(&mut self) -> Option<RecordDelivery> {
        let feed = self.feed.clone();
        feed.with(|folded| {
            let view = folded.view.as_ref()?;
            let known = self.revision.replace(view.revision());
            // A number that this run has not reached belongs to another run with the same id, so the viewer has nothing
            // of this run.
            let from = if self.from > view.seq() { 0 } else { self.from };
            let whole = known.is_none() && from == 0;
            let rows = match known {
                Some(revision) => view.since_revision(revision),
                None => view.since_event(from),
            };
            if !rows.is_empty() {
                let json = format!("[{}]", rows.join(","));
                return Some(RecordDelivery::Rows { seq: view.seq(), whole, json });
            }
            let (seq, status) = folded.end.filter(|(seq, _)| self.ended != Some(*seq))?;
            self.ended = Some(seq);
            Some(RecordDelivery::End(status))
        })
    }
}

impl Drop for RecordSubscriber {
    fn drop(&mut self) {
        self.feed.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use legwork::{
        protocol::{EventKind, Outcome, RunStart, SessionState, Status, Step, Workflow},
        store::{NewEvent, SqliteLog},
    };
    use serde_json::Value;

    use super::*;
    use crate::hub::Hub;

    struct Runs {
        _folder: tempfile::TempDir,
        log: SqliteLog,
        hub: Hub,
        run: RunId,
        last: u64,
    }

    impl Runs {
        /// A run that has begun.
        async fn new() -> Runs {
            let folder = tempfile::tempdir().unwrap();
            let log = SqliteLog::open(folder.path().join("runs.db")).unwrap();
            let hub = Hub::new(Arc::new(log.clone()));
            let mut runs = Runs { _folder: folder, log, hub, run: RunId::new(), last: 0 };
            let workflow = Workflow { name: "x".into(), steps: vec![Step::new("Wait")], ..Workflow::default() };
            let start = RunStart {
                workflow,
                task: false,
                inputs: Default::default(),
                options: Default::default(),
                playbook: None,
            };
            runs.append([EventKind::WorkflowStarted(start)]).await;
            runs
        }

        async fn append(&mut self, kinds: impl IntoIterator<Item = EventKind>) {
            let events = kinds.into_iter().map(NewEvent::of_run).collect();
            self.last += self.log.append(self.run, self.last, events).await.unwrap().len() as u64;
        }

        async fn warn(&mut self, count: u64) {
            let from = self.last;
            self.append((0..count).map(|at| EventKind::WarningIssued { message: (from + at).to_string() })).await;
        }
    }

    #[derive(Default)]
    struct Page {
        rows: BTreeMap<String, Value>,
        seq: u64,
        deliveries: usize,
    }

    impl Page {
        /// Reads until it has the event.
        async fn read(&mut self, subscriber: &mut RecordSubscriber, until: u64) {
            while self.seq < until {
                match subscriber.next().await.unwrap() {
                    RecordDelivery::Rows { seq, json, whole } => {
                        assert_eq!(whole, self.rows.is_empty() && self.seq == 0, "at {seq}");
                        (self.seq, self.deliveries) = (seq, self.deliveries + 1);
                        for row in serde_json::from_str::<Vec<Value>>(&json).unwrap() {
                            let key = match row["row"].as_str().unwrap() {
                                "moment" => format!("moment {}", row["seq"]),
                                other => other.to_owned(),
                            };
                            self.rows.insert(key, row);
                        }
                    }
                    end => panic!("{end:?}"),
                }
            }
        }
    }

    #[tokio::test]
    async fn viewers_of_any_pace_come_to_the_same_rows_and_none_misses_one() {
        let mut runs = Runs::new().await;
        let feed = runs.hub.record_feed(runs.run).await.unwrap();
        assert!(Arc::ptr_eq(&feed, &runs.hub.record_feed(runs.run).await.unwrap()), "folded once for all");
        let mut quick = (RecordSubscriber::new(feed.clone(), 0), Page::default());
        let mut slow = (RecordSubscriber::new(feed.clone(), 0), Page::default());
        let mut gone = Page::default();
        quick.1.read(&mut quick.0, 1).await;
        slow.1.read(&mut slow.0, 1).await;
        for round in 0..4 {
            runs.warn(700).await;
            quick.1.read(&mut quick.0, runs.last).await;
            if round == 1 {
                gone.read(&mut RecordSubscriber::new(feed.clone(), 0), runs.last).await;
            }
        }
        // However far behind the viewer was, it receives the newest rows once.
        let before = slow.1.deliveries;
        slow.1.read(&mut slow.0, runs.last).await;
        assert_eq!(slow.1.deliveries, before + 1);
        // A viewer that lost its connection continues from its number, on a server that was restarted.
        let anew = Hub::new(Arc::new(runs.log.clone())).record_feed(runs.run).await.unwrap();
        gone.read(&mut RecordSubscriber::new(anew, gone.seq), runs.last).await;
        assert_eq!(quick.1.rows.len(), 2_800 + 7, "{:?}", quick.1.rows.keys().take(9).collect::<Vec<_>>());
        let differences = |page: &Page| -> Vec<String> {
            let differs = |(key, row): (&String, &Value)| (page.rows.get(key) != Some(row)).then(|| row.to_string());
            quick.1.rows.iter().filter_map(differs).collect()
        };
        assert_eq!(differences(&slow.1), Vec::<String>::new(), "the slow one");
        // Nobody drives the run on the restarted server, which its own row states.
        assert_eq!(gone.rows["run"]["state"], "interrupted");
        gone.rows.insert("run".to_owned(), quick.1.rows["run"].clone());
        assert_eq!(differences(&gone), Vec::<String>::new(), "the one that came back");
    }

    #[tokio::test]
    async fn a_run_that_nobody_drives_is_shown_as_interrupted_and_one_that_ended_as_it_ended() {
        let mut runs = Runs::new().await;
        let feed = runs.hub.record_feed(runs.run).await.unwrap();
        let (mut subscriber, mut page) = (RecordSubscriber::new(feed, 0), Page::default());
        page.read(&mut subscriber, 1).await;
        assert_eq!((&page.rows["run"]["state"], &page.rows["run"]["live"]), (&"interrupted".into(), &false.into()));
        let outcome = Outcome {
            status: Status::Cancelled,
            validation: Default::default(),
            answer: None,
            variables: BTreeMap::new(),
            usage: Default::default(),
            budget: None,
            error: None,
        };
        let status = EventKind::SessionStatus { status: SessionState::Cancelled, message: String::new() };
        runs.append([EventKind::of_outcome(outcome), status]).await;
        page.read(&mut subscriber, 3).await;
        assert_eq!(page.rows["run"]["verdict"]["words"], "Cancelled");
        assert!(matches!(subscriber.next().await.unwrap(), RecordDelivery::End("cancelled")));
    }
}
