//! Opens connections with the required durability, and creates the tables. `user_version` is the format of the log; a
//! log with another format is refused.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::wal;
use crate::StoreError;

/// `Lgwk`: identifies the file as ours.
const APPLICATION_ID: i64 = 0x4c67_776b;

/// How long to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The format of the log: of its tables and of the events in them. It is incremented with every change after which an
/// older program cannot read the log, or this program cannot read an older log.
const FORMAT: i64 = 5;

const TABLES: &str =
    // `runs` is a fold of `events`, updated in the same transaction. It can be deleted and built again. Its columns are
    // what lists and statistics of many runs need, so that no summary is parsed for them; `search` is the name in lower
    // case.
    "CREATE TABLE runs (
         n INTEGER PRIMARY KEY AUTOINCREMENT,
         id TEXT NOT NULL UNIQUE,
         last_seq INTEGER NOT NULL,
         state TEXT NOT NULL,
         updated_ms INTEGER NOT NULL,
         summary TEXT NOT NULL,
         name TEXT NOT NULL DEFAULT '',
         search TEXT NOT NULL DEFAULT '',
         day TEXT NOT NULL DEFAULT '',
         took_ms REAL,
         prompt_tokens INTEGER NOT NULL DEFAULT 0,
         completion_tokens INTEGER NOT NULL DEFAULT 0,
         cost_usd REAL,
         validation TEXT
     ) STRICT;
     CREATE INDEX runs_by_state ON runs (state, n);
     CREATE INDEX runs_figures ON runs (day, name, state, took_ms, prompt_tokens, completion_tokens, cost_usd,
         validation);
     CREATE INDEX runs_search ON runs (state, search, id);
     CREATE TABLE events (
         run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
         seq INTEGER NOT NULL,
         body TEXT NOT NULL,
         PRIMARY KEY (run, seq)
     ) STRICT, WITHOUT ROWID;
     -- Lessons about sites. `body` is JSON; trust is computed from the counts.
     CREATE TABLE lessons (
         n INTEGER PRIMARY KEY,
         site TEXT NOT NULL,
         kind TEXT NOT NULL,
         pattern TEXT NOT NULL,
         key TEXT NOT NULL,
         body TEXT NOT NULL,
         successes INTEGER NOT NULL,
         failures INTEGER NOT NULL,
         learned_ms INTEGER NOT NULL,
         proved_ms INTEGER NOT NULL,
         UNIQUE (site, kind, pattern, key)
     ) STRICT;
     -- Key-value entries of the server: idempotency keys, the queue, schedules.
     CREATE TABLE kept (
         kind TEXT NOT NULL,
         key TEXT NOT NULL,
         body TEXT NOT NULL,
         made_ms INTEGER NOT NULL,
         PRIMARY KEY (kind, key)
     ) STRICT, WITHOUT ROWID;";

/// Opens the connection of the writer; creates and migrates the file.
pub(crate) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| StoreError::Open { path: path.to_owned(), source })?;
    }
    wal::check(path)?;
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let is_ours = identify(&connection, path)?;
    if let Err(source) = enter_wal(&connection) {
        return Err(StoreError::sqlite(path, source));
    }
    if !is_ours {
        create(&mut connection, path)?;
    }
    Ok(connection)
}

/// Checks every page for damage. Does not compare indices with their tables, which would take longer.
pub(crate) fn check(path: &Path) -> Result<(), StoreError> {
    if !path.exists() {
        return Ok(());
    }
    wal::check(path)?;
    let connection = open_reader(path)?;
    identify(&connection, path)?;
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|source| StoreError::sqlite(path, source))?;
    match found.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::Corrupt {
            path: path.to_owned(),
            detail: found.trim_start_matches("*** ").replace('\n', " "),
        }),
    }
}

/// Opens a connection of a reader. The connection of the writer must have been opened before.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let failed = |source| StoreError::sqlite(path, source);
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(failed)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    // A small cache (in KiB, therefore negative), because pages of the log are read once and in order.
    connection
        .execute_batch("PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;")
        .map_err(failed)?;
    Ok(connection)
}

/// Whether the file is ours already, and not empty. A database of another program is not touched.
fn identify(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let read = || -> rusqlite::Result<(i64, i64, i64)> {
        Ok((
            connection.pragma_query_value(None, "application_id", |row| row.get(0))?,
            connection.pragma_query_value(None, "user_version", |row| row.get(0))?,
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?,
        ))
    };
    match read().map_err(|source| StoreError::sqlite(path, source))? {
        (APPLICATION_ID, FORMAT, _) => Ok(true),
        (APPLICATION_ID, found, _) if found > FORMAT => {
            Err(StoreError::Newer { path: path.to_owned(), found, known: FORMAT })
        }
        (APPLICATION_ID, found, _) => Err(StoreError::Older { path: path.to_owned(), found, known: FORMAT }),
        (0, 0, 0) => Ok(false),
        _ => Err(StoreError::NotOurs { path: path.to_owned() }),
    }
}

/// Write-ahead log; every commit is on the disk before it is confirmed.
fn enter_wal(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        // SQLite does not call its busy handler when the mode changes, so two processes that start at once wait here.
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            other => break other?,
        }
    }
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 8388608;",
    )
}

/// Makes the tables of an empty file.
fn create(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sqlite(path, source);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Asked again under the lock: another process may have made them meanwhile.
    if identify(&transaction, path)? {
        return Ok(());
    }
    transaction.execute_batch(TABLES).map_err(failed)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    transaction.pragma_update(None, "user_version", FORMAT).map_err(failed)?;
    transaction.commit().map_err(failed)
}
