//! Distributes the events of runs to many viewers.
//!
//! One follower reads a run's journal, serializes each event once, and puts it into a window of the newest events.
//! Viewers read the window at their own pace. A viewer that falls behind the window reads the journal until it has
//! caught up. A viewer delays neither the run, which does not know its viewers, nor the other viewers.
//!
//! The record of a run (`record_feed`) is also folded once per run. Its viewers need no window, because each row stores
//! the number of the event that changed it last.

mod frame;
mod record_feed;
mod run_feed;
mod run_list_feed;
mod subscriber;

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use legwork::{
    live::LiveView,
    protocol::RunId,
    store::{RunLog, StoreError},
};
use parking_lot::Mutex;
use tokio::sync::watch;

pub(crate) use frame::Frame;
pub(crate) use record_feed::{RecordDelivery, RecordFeed, RecordSubscriber};
pub(crate) use run_feed::RunFeed;
pub(crate) use run_list_feed::RunListFeed;
pub(crate) use subscriber::{Delivery, Subscriber};

/// The live data of a run; `None` while the run is not in progress.
pub(crate) type LiveChannel = watch::Sender<Option<Arc<LiveView>>>;

/// The feeds that have viewers.
pub(crate) struct Hub {
    log: Arc<dyn RunLog>,
    feeds: Mutex<HashMap<RunId, Weak<RunFeed>>>,
    records: Mutex<HashMap<RunId, Weak<RecordFeed>>>,
    /// One entry for each run that is in progress or has viewers.
    live_channels: Mutex<HashMap<RunId, Weak<LiveChannel>>>,
    pub(crate) run_list: RunListFeed,
}

impl Hub {
    pub(crate) fn new(log: Arc<dyn RunLog>) -> Self {
        Hub {
            run_list: RunListFeed::new(log.clone()),
            log,
            feeds: Mutex::default(),
            records: Mutex::default(),
            live_channels: Mutex::default(),
        }
    }

    /// The feed of a run. Starts it if there is none.
    pub(crate) async fn feed(&self, run: RunId) -> Result<Arc<RunFeed>, StoreError> {
        let there = || self.feeds.lock().get(&run).and_then(Weak::upgrade);
        if let Some(feed) = there() {
            return Ok(feed);
        }
        let last = self.log.run(run).await?.map_or(0, |summary| summary.last_seq);
        let live_channel = self.live_channel(run);
        let mut feeds = self.feeds.lock();
        feeds.retain(|_, feed| feed.strong_count() > 0);
        if let Some(feed) = feeds.get(&run).and_then(Weak::upgrade) {
            return Ok(feed);
        }
        let feed = RunFeed::begin(run, last, self.log.clone(), live_channel);
        feeds.insert(run, Arc::downgrade(&feed));
        Ok(feed)
    }

    /// The record of a run. Starts to fold it if it is not folded yet.
    pub(crate) async fn record_feed(&self, run: RunId) -> Result<Arc<RecordFeed>, StoreError> {
        let last = self.log.run(run).await?.map_or(0, |summary| summary.last_seq);
        let live_channel = self.live_channel(run);
        let mut records = self.records.lock();
        records.retain(|_, feed| feed.strong_count() > 0);
        if let Some(feed) = records.get(&run).and_then(Weak::upgrade) {
            return Ok(feed);
        }
        let feed = RecordFeed::begin(run, last, self.log.clone(), live_channel);
        records.insert(run, Arc::downgrade(&feed));
        Ok(feed)
    }

    /// The place where a run's live data is published and read.
    pub(crate) fn live_channel(&self, run: RunId) -> Arc<LiveChannel> {
        let mut live_channels = self.live_channels.lock();
        live_channels.retain(|_, one| one.strong_count() > 0);
        if let Some(there) = live_channels.get(&run).and_then(Weak::upgrade) {
            return there;
        }
        let fresh = Arc::new(watch::Sender::new(None));
        live_channels.insert(run, Arc::downgrade(&fresh));
        fresh
    }

    /// Number of viewers of a run.
    pub(crate) fn viewers(&self, run: RunId) -> usize {
        let feeds = self.feeds.lock();
        let records = self.records.lock();
        let of_events = feeds.get(&run).and_then(Weak::upgrade).map_or(0, |feed| feed.viewers());
        of_events + records.get(&run).and_then(Weak::upgrade).map_or(0, |feed| feed.viewers())
    }

    /// Number of viewers of all runs.
    pub(crate) fn all_viewers(&self) -> usize {
        let feeds = self.feeds.lock();
        let records = self.records.lock();
        let of_events: usize = feeds.values().filter_map(Weak::upgrade).map(|feed| feed.viewers()).sum();
        of_events + records.values().filter_map(Weak::upgrade).map(|feed| feed.viewers()).sum::<usize>()
    }
}
