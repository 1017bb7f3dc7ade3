//! What can go wrong with the log, each with what to do about it.

use std::path::{Path, PathBuf};

use legwork_protocol::{Code, RunId};
use rusqlite::ffi::ErrorCode;
use thiserror::Error;

use crate::{Holder, sqlite::wal};

/// The log cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file or its folder cannot be made or opened.
    #[error("the run log {path} cannot be opened")]
    Open {
        /// The database.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// Written by a later version.
    #[error("the run log {path} was written by a newer Legwork (format {found}; this one reads format {known})")]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The only format that this program reads.
        known: i64,
    },
    /// Written by an earlier version, in a format that is not read any more.
    #[error("the run log {path} has format {found} of an older Legwork, and this one reads only format {known}")]
    Older {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The only format that this program reads.
        known: i64,
    },
    /// A database of another program.
    #[error("{path} is a database, but not a run log of Legwork")]
    NotOurs {
        /// The database.
        path: PathBuf,
    },
    /// The file is damaged, or no database at all.
    #[error("the run log {path} is damaged: {detail}")]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// Where, as far as it is known.
        detail: String,
    },
    /// No room.
    #[error("the disk that holds {path} is full")]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// It may not be written.
    #[error("the run log {path} is read-only")]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// Another process kept it locked for too long.
    #[error("the run log {path} is locked by another process")]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// Any other trouble of the database.
    #[error("the run log {path} failed")]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A record that this version does not understand.
    #[error("event {seq} of run {run} cannot be read")]
    Event {
        /// The run.
        run: RunId,
        /// The event.
        seq: u64,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// The log was closed, or its writer died.
    #[error("the run log is closed")]
    Closed,
}

impl StoreError {
    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            StoreError::Open { .. } => {
                "check that the data folder exists and may be written, or set another one (`data_dir`)"
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
                "move the file (with its -wal and -shm) out of the way; `sqlite3 FILE .recover` may save what is in it"
            }
            StoreError::DiskFull { .. } => "free some space, or drop old runs; nothing that was confirmed is lost",
            StoreError::ReadOnly { .. } => "make the file and its folder writable, or set another `data_dir`",
            StoreError::Busy { .. } => "wait for the other process; `data_dir` on a network disk is not a good idea",
            StoreError::Sqlite { .. } => "check the disk",
            StoreError::Event { .. } => "use the version of Legwork that wrote it, or delete the run",
            StoreError::Closed => "this is a defect; please report it",
        }
    }

    /// The code in the one shape of errors.
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
        // Our own tables hold what they are declared to hold, unless the file was damaged.
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
            Some(ErrorCode::CannotOpen) => StoreError::Open { path, source: std::io::Error::other(source) },
            _ => StoreError::Sqlite { path, source: Box::new(source) },
        }
    }
}

/// Why events were not appended. None of them was.
#[derive(Debug, Error)]
pub enum AppendError {
    /// Somebody else appended meanwhile: whoever drives this run has lost it and may not write.
    #[error("run {run} is at event {found}, not {expected}: another process writes it")]
    Conflict {
        /// The run.
        run: RunId,
        /// What the caller believed.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// An event that cannot be written down.
    #[error("an event of run {run} cannot be written as JSON")]
    Unwritable {
        /// The run.
        run: RunId,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The log failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a run may not be driven here.
#[derive(Debug, Error)]
pub enum LeaseError {
    /// It is driven elsewhere.
    #[error("run {run} is driven by {holder}; stop that one first, or follow it")]
    Held {
        /// The run.
        run: RunId,
        /// By whom.
        holder: Holder,
    },
    /// The lock file failed.
    #[error("the lock of run {run} cannot be taken ({path})")]
    Lock {
        /// The run.
        run: RunId,
        /// The lock file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}
