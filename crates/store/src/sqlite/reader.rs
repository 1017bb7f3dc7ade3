//! Reads on separate connections, so that a reader never waits for the writer.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::{Event, RunId};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::schema::open_reader;
use crate::{Lease, RunMatch, RunQuery, RunSummary, StoreError, follow::Pages};

/// The number of idle connections to keep. More are opened when many callers read at once, and closed afterwards.
const MAX_IDLE: usize = 2;

/// The maximum number of runs in [`RunMatch::Several`].
const MAX_MATCHES: usize = 10;

/// Reads on blocking threads.
#[derive(Clone)]
pub(crate) struct Reader {
    path: Arc<PathBuf>,
    /// The folder of the lock files.
    locks: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Reader {
    /// Creates a reader without opening a connection.
    pub(crate) fn new(path: &Path, locks: &Path) -> Reader {
        Reader { path: Arc::new(path.to_owned()), locks: Arc::new(locks.to_owned()), idle: Arc::default() }
    }

    /// Runs `read` on its own connection.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (path, idle) = (self.path.clone(), self.idle.clone());
        let task = tokio::task::spawn_blocking(move || {
            let kept = idle.lock().pop();
            let connection = match kept {
                Some(connection) => connection,
                None => open_reader(&path)?,
            };
            let result = read(&connection).map_err(|source| StoreError::sqlite(&path, source));
            let mut idle = idle.lock();
            if idle.len() < MAX_IDLE {
                idle.push(connection);
            }
            result
        });
        task.await.map_err(|_| StoreError::Closed)?
    }

    /// Runs, the newest first.
    pub(crate) async fn runs(&self, query: RunQuery) -> Result<Vec<RunSummary>, StoreError> {
        let rows = self
            .with(move |connection| {
                let before = query.before.map(|run| run.to_string());
                let state = query.state.map(|state| state.name());
                connection
                    .prepare_cached(
                        "SELECT id, summary FROM runs
                         WHERE (?1 IS NULL OR n < (SELECT n FROM runs WHERE id = ?1)) AND (?2 IS NULL OR state = ?2)
                         ORDER BY n DESC LIMIT ?3",
                    )?
                    .query_map(params![before, state, limit_of(query.limit)], row_of)?
                    .collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        self.summaries(rows)
    }

    /// One run.
    pub(crate) async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        let row = self
            .with(move |connection| {
                connection
                    .prepare_cached("SELECT id, summary FROM runs WHERE id = ?1")?
                    .query_row([run.to_string()], row_of)
                    .optional()
            })
            .await?;
        Ok(self.summaries(row.into_iter().collect())?.pop())
    }

    /// The run that a person means.
    pub(crate) async fn find(&self, text: &str) -> Result<RunMatch, StoreError> {
        let text = text.trim().replace('-', "").to_ascii_lowercase();
        let mut found = if matches!(text.as_str(), "last" | "latest") {
            self.runs(RunQuery { limit: 1, ..RunQuery::default() }).await?
        } else if text.is_empty() || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            Vec::new()
        } else {
            let rows = self
                .with(move |connection| {
                    connection
                        .prepare_cached(
                            "SELECT id, summary FROM runs
                             WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1
                             ORDER BY n DESC LIMIT ?2",
                        )?
                        .query_map(params![text, MAX_MATCHES as i64], row_of)?
                        .collect::<rusqlite::Result<Vec<_>>>()
                })
                .await?;
            self.summaries(rows)?
        };
        Ok(match found.len() {
            0 => RunMatch::None,
            1 => RunMatch::One(Box::new(found.remove(0))),
            _ => RunMatch::Several(found.into_iter().map(|summary| summary.run).collect()),
        })
    }

    /// Runs whose last event is older than `before`.
    pub(crate) async fn older_than(&self, before: Timestamp) -> Result<Vec<RunId>, StoreError> {
        let ids: Vec<String> = self
            .with(move |connection| {
                connection
                    .prepare_cached("SELECT id FROM runs WHERE updated_ms < ?1 ORDER BY n")?
                    .query_map([before.as_millisecond()], |row| row.get(0))?
                    .collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        ids.iter().map(|id| self.run_id(id)).collect()
    }

    /// The hashes of all artifacts that events name.
    pub(crate) async fn artifacts(&self) -> Result<Vec<String>, StoreError> {
        let hashes = self
            .with(|connection| {
                let mut hashes = BTreeSet::new();
                let mut bodies = connection.prepare_cached("SELECT body FROM events")?;
                let mut rows = bodies.query([])?;
                while let Some(row) = rows.next()? {
                    hashes_in(row.get_ref(0)?.as_str()?, &mut hashes);
                }
                Ok(hashes)
            })
            .await?;
        Ok(hashes.into_iter().collect())
    }

    pub(super) fn summaries(&self, rows: Vec<(String, String)>) -> Result<Vec<RunSummary>, StoreError> {
        rows.into_iter()
            .map(|(id, text)| {
                let run = self.run_id(&id)?;
                let mut summary: RunSummary =
                    serde_json::from_str(&text).map_err(|source| StoreError::Event { run, seq: 0, source })?;
                summary.driven = Lease::is_held(&self.locks, run);
                Ok(summary)
            })
            .collect()
    }

    fn run_id(&self, id: &str) -> Result<RunId, StoreError> {
        id.parse().map_err(|_| StoreError::Corrupt {
            path: self.path.to_path_buf(),
            detail: format!("{id:?} is not a run id"),
        })
    }
}

#[async_trait]
impl Pages for Reader {
    async fn page(&self, run: RunId, from: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        let bodies: Vec<(i64, String)> = self
            .with(move |connection| {
                connection
                    .prepare_cached(
                        "SELECT seq, body FROM events
                         WHERE run = (SELECT n FROM runs WHERE id = ?1) AND seq >= ?2 ORDER BY seq LIMIT ?3",
                    )?
                    .query_map(
                        params![run.to_string(), i64::try_from(from).unwrap_or(i64::MAX), limit_of(limit)],
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )?
                    .collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        bodies
            .into_iter()
            .map(|(seq, body)| {
                let seq = u64::try_from(seq).unwrap_or(0);
                serde_json::from_str(&body).map_err(|source| StoreError::Event { run, seq, source })
            })
            .collect()
    }
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<(String, String)> {
    Ok((row.get(0)?, row.get(1)?))
}

fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Every artifact of an event, at any place in its JSON, so that new kinds of events need no change here. An artifact
/// is serialized with its hash first, then its media type. A download has a hash too, but is stored elsewhere. Page
/// text of the same form is inside a JSON string, so its quotes are escaped.
fn hashes_in(body: &str, hashes: &mut BTreeSet<String>) {
    for after in body.split("\"hash\":\"").skip(1) {
        let artifact = after.get(64..).is_some_and(|rest| rest.starts_with("\",\"mediaType\":"));
        let hash = after.get(..64).filter(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()));
        if let Some(hash) = hash.filter(|_| artifact) {
            hashes.insert(hash.to_owned());
        }
    }
}
