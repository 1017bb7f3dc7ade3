//! The default log: one SQLite file, safe to use from several processes.
//!
//! One thread writes and group-commits (`writer`), readers have connections of their own (`reader`), followers are told
//! of each commit (`live`). The write-ahead log with `synchronous=FULL` makes an append durable before it returns.

mod kept;
mod lessons;
mod listing;
mod live;
mod reader;
mod schema;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Event, RunId};

use self::{live::Live, reader::Reader, writer::Writer};
use crate::{
    AppendError, Figures, Follower, Found, Lease, LeaseError, Listed, Listing, NewEvent, RunLog, RunQuery, RunSummary,
    StoreError, follow::Pages,
};

/// A run log in an SQLite file. Cheap to clone; the file is closed when the last clone and follower are gone.
#[derive(Clone)]
pub struct SqliteLog {
    writer: Writer,
    reader: Reader,
    live: Arc<Live>,
    path: Arc<PathBuf>,
    locks: Arc<PathBuf>,
}

impl SqliteLog {
    /// Opens the log at `path`, making it and its folder if need be and bringing an older one up to date.
    ///
    /// Blocks for some milliseconds; longer only while another process writes.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteLog, StoreError> {
        let path = path.as_ref();
        let locks = path.with_extension("locks");
        let connection = schema::open_writer(path)?;
        let live = Arc::new(Live::default());
        let writer = Writer::start(connection, path.to_owned(), live.clone())
            .map_err(|source| StoreError::Open { path: path.to_owned(), source })?;
        Ok(SqliteLog {
            writer,
            reader: Reader::new(path, &locks),
            live,
            path: Arc::new(path.to_owned()),
            locks: Arc::new(locks),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[async_trait]
impl RunLog for SqliteLog {
    async fn append(&self, run: RunId, expected_seq: u64, events: Vec<NewEvent>) -> Result<Vec<Event>, AppendError> {
        self.writer.append(run, expected_seq, events).await
    }

    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        self.reader.page(run, from, limit).await
    }

    fn follow(&self, run: RunId, from: u64) -> Follower {
        let live = self.live.subscribe(run);
        Follower::new(run, from, Arc::new(self.reader.clone()), live)
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError> {
        self.reader.runs(query).await
    }

    async fn list(&self, listing: Listing) -> Result<Listed, StoreError> {
        self.reader.list(listing).await
    }

    async fn figures(&self, since: &str) -> Result<Figures, StoreError> {
        self.reader.figures(since).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        self.reader.run(run).await
    }

    async fn find_run(&self, text: &str) -> Result<Found, StoreError> {
        self.reader.find(text).await
    }

    async fn lease(&self, run: RunId) -> Result<Lease, LeaseError> {
        // A try-lock and a few bytes: not worth a thread.
        Lease::take(&self.locks, run)
    }

    async fn artifacts(&self) -> Result<Vec<String>, StoreError> {
        self.reader.artifacts().await
    }

    async fn delete(&self, run: RunId) -> Result<bool, StoreError> {
        self.writer.forget(run).await
    }

    async fn prune(&self, before: Timestamp) -> Result<Vec<RunId>, StoreError> {
        let mut gone = Vec::new();
        for run in self.reader.older_than(before).await? {
            if !Lease::is_held(&self.locks, run) && self.writer.forget(run).await? {
                gone.push(run);
            }
        }
        Ok(gone)
    }
}
