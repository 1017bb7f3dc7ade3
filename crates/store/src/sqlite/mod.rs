//! The default log: one SQLite file, which several processes can use safely.
//!
//! One thread writes and groups commits (`writer`), readers have their own connections (`reader`), and followers are
//! notified of each commit (`watchers`). The write-ahead log with `synchronous=FULL` makes an append durable before
//! it returns.

mod key_value;
mod lessons;
mod listing;
mod reader;
mod schema;
pub(crate) mod wal;
mod watchers;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Event, RunId};

use self::{reader::Reader, watchers::Watchers, writer::Writer};
use crate::{
    AppendError, Follower, Lease, LeaseError, NewEvent, RunFilter, RunLog, RunMatch, RunPage, RunQuery, RunStats,
    RunSummary, StoreError, follow::Pages,
};

/// A run log in an SQLite file. Cheap to clone; the file is closed when the last clone and follower are dropped.
#[derive(Clone)]
pub struct SqliteLog {
    writer: Writer,
    reader: Reader,
    watchers: Arc<Watchers>,
    path: Arc<PathBuf>,
    locks: Arc<PathBuf>,
}

impl SqliteLog {
    /// Opens the log at `path`. Creates the file and its folder if necessary, and migrates an older one.
    ///
    /// Blocks for some milliseconds, and longer only while another process writes.
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteLog, StoreError> {
        let path = path.as_ref();
        let locks = path.with_extension("locks");
        let connection = schema::open_writer(path)?;
        let watchers = Arc::new(Watchers::default());
        let writer = Writer::start(connection, path.to_owned(), watchers.clone())
            .map_err(|source| StoreError::Open { path: path.to_owned(), source })?;
        Ok(SqliteLog {
            writer,
            reader: Reader::new(path, &locks),
            watchers,
            path: Arc::new(path.to_owned()),
            locks: Arc::new(locks),
        })
    }

    /// Checks the log at `path` for damage without changing it. A log that does not exist has no damage.
    ///
    /// Reads the whole file.
    pub fn check(path: impl AsRef<Path>) -> Result<(), StoreError> {
        schema::check(path.as_ref())
    }

    /// The database file.
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
        let watchers = self.watchers.subscribe(run);
        Follower::new(run, from, Arc::new(self.reader.clone()), watchers)
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError> {
        self.reader.runs(query).await
    }

    async fn list(&self, listing: RunFilter) -> Result<RunPage, StoreError> {
        self.reader.list(listing).await
    }

    async fn stats(&self, since: &str) -> Result<RunStats, StoreError> {
        self.reader.stats(since).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        self.reader.run(run).await
    }

    async fn find_run(&self, text: &str) -> Result<RunMatch, StoreError> {
        self.reader.find(text).await
    }

    async fn lease(&self, run: RunId) -> Result<Lease, LeaseError> {
        // Locking a file and reading a few bytes does not need a separate thread.
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
