//! Errors of the log, each with a hint.

use std::path::{Path, PathBuf};

use legwork_protocol::{Code, RunId};
use rusqlite::ffi::ErrorCode;
use thiserror::Error;

use crate::{Holder, IllegalTransition, sqlite::wal};

/// The log cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file or its folder cannot be created or opened.
    #[error("the run log {path} cannot be opened")]
    Open {
        /// The database file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A later version wrote the file.
    #[error("the run log {path} was written by a newer Legwork (schema {found}; this version supports {known})")]
    Newer {
        /// The database file.
        path: PathBuf,
        /// The format of its tables.
        found: i64,
        /// The only format that this program reads.
        known: i64,
    },
    /// An earlier version wrote the file, in a format that is no longer supported.
    #[error("the run log {path} has format {found} of an older Legwork; this version supports only format {known}")]
    Older {
        /// The database.
        path: PathBuf,
        /// The format of its tables.
        found: i64,
        /// The only format that this program reads.
        known: i64,
    },
    /// The file is a database of another program.
    #[error("{path} is a database, but not a run log of Legwork")]
    NotOurs {
        /// The database file.
        path: PathBuf,
    },
    /// The file is damaged, or is not a database.
    #[error("the run log {path} is damaged: {detail}")]
    Corrupt {
        /// The database file.
        path: PathBuf,
        /// The position, as far as it is known.
        detail: String,
    },
    /// The disk is full.
    #[error("the disk that contains {path} is full")]
    DiskFull {
        /// The database file.
        path: PathBuf,
    },
    /// The file is not writable.
    #[error("the run log {path} is read-only")]
    ReadOnly {
        /// The database file.
        path: PathBuf,
    },
    /// Another process locked the file for too long.
    #[error("the run log {path} is locked by another process")]
    Busy {
        /// The database file.
        path: PathBuf,
    },
    /// Any other error of the database.
    #[error("the database of the run log {path} failed")]
    Sqlite {
        /// The database file.
        path: PathBuf,
        /// The error of SQLite.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// This version cannot parse the event.
    #[error("event {seq} of run {run} cannot be read")]
    Event {
        /// The run.
        run: RunId,
        /// The number of the event.
        seq: u64,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// The log was closed, or its writer thread ended.
    #[error("the run log is closed")]
    Closed,
}

impl StoreError {
    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            StoreError::Open { .. } => {
                "check that the data folder exists and is writable, or set another folder (`data_dir`)"
            }
            StoreError::Newer { .. } => "update Legwork, or set another `data_dir`",
            StoreError::Older { .. } => {
                "move the file (with its -wal and -shm) out of the way, or set another `data_dir`; the Legwork that wrote it can \
                 still export its runs"
            }
            StoreError::NotOurs { .. } => "set another `data_dir`",
            StoreError::Corrupt { path, .. } if wal::is_wal(path) => {
                "put the data folder back from a backup; or see on the sites what the last runs did, then cut the file off at \
                 that byte (`truncate -s BYTE FILE`): what was recorded before it is kept, and a resume does not know what runs \
                 did after it"
            }
            StoreError::Corrupt { .. } => {
                "move the file (with its -wal and -shm files) to another folder; `sqlite3 FILE .recover` may recover its content"
            }
            StoreError::DiskFull { .. } => "free some space, or delete old runs; no confirmed event is lost",
            StoreError::ReadOnly { .. } => "make the file and its folder writable, or set another `data_dir`",
            StoreError::Busy { .. } => {
                "wait for the other process; if `data_dir` is on a network disk, move it to a local one"
            }
            StoreError::Sqlite { .. } => "check the disk",
            StoreError::Event { .. } => "use the version of Legwork that wrote it, or delete the run",
            StoreError::Closed => "this is a defect; please report it",
        }
    }

    /// The error code.
    pub fn code(&self) -> Code {
        match self {
            StoreError::Newer { .. } | StoreError::Older { .. } => Code::SchemaVersion,
            StoreError::Corrupt { .. } => Code::DataCorruption,
            _ => Code::Storage,
        }
    }

    /// Sorts SQLite's errors by what a person can do about them.
    pub(crate) fn sqlite(path: &Path, source: rusqlite::Error) -> StoreError {
        use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};
        let path = path.to_owned();
        // Our tables contain the declared types unless the file is damaged.
        if matches!(source, FromSqlConversionFailure(..) | InvalidColumnType(..) | Utf8Error(..)) {
            return StoreError::Corrupt { path, detail: source.to_string() };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Corrupt { path, detail: source.to_string() }
            }
            Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::CannotOpen) => {
                // SQLite does not state why. A process that has no file handle left cannot open any file.
                let exhausted = std::fs::File::open(&path).err().filter(has_no_handle);
                StoreError::Open { path, source: exhausted.unwrap_or_else(|| std::io::Error::other(source)) }
            }
            _ => StoreError::Sqlite { path, source: Box::new(source) },
        }
    }
}

/// Whether the process or the machine has too many open files.
fn has_no_handle(error: &std::io::Error) -> bool {
    error.to_string().contains("Too many open files")
}

/// Why no event was appended.
#[derive(Debug, Error)]
pub enum AppendError {
    /// Another process has appended in the meantime. The process that gets this error has lost the run and must not
    /// write to it.
    #[error("run {run} is at event {found}, not {expected}: another process writes to it")]
    Conflict {
        /// The run.
        run: RunId,
        /// The number of events that the caller expected.
        expected: u64,
        /// The number of events in the log.
        found: u64,
    },
    /// The run cannot change its state in this way.
    #[error("the session of run {run} cannot change {transition}")]
    Illegal {
        /// The run.
        run: RunId,
        /// The transition.
        transition: IllegalTransition,
    },
    /// An event cannot be serialized.
    #[error("an event of run {run} cannot be serialized to JSON")]
    Unwritable {
        /// The run.
        run: RunId,
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// The log failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why this process may not drive a run.
#[derive(Debug, Error)]
pub enum LeaseError {
    /// Another process drives the run.
    #[error("run {run} is driven by {holder}; stop that process first, or follow the run")]
    Held {
        /// The run.
        run: RunId,
        /// The process that drives it.
        holder: Holder,
    },
    /// The lock file cannot be used.
    #[error("cannot lock run {run} ({path})")]
    Lock {
        /// The run.
        run: RunId,
        /// The lock file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
}
