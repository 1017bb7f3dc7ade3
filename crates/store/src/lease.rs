//! The right to drive a run: one lock file per run, which the system releases when its process ends in any way.
//!
//! A lock needs no renewal and no waiting time after a crash, unlike a heartbeat in the database. It gives an early
//! error, and shows which runs are driven (for lists and for `prune`). Correctness does not depend on it: the
//! compare-and-swap ensures that a process which lost its run cannot write.

use std::{
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use legwork_protocol::RunId;
use serde::{Deserialize, Serialize};

use crate::LeaseError;

/// The process that drives a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id; 0 if unknown.
    pub pid: u32,
    /// When it started to drive the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pid, self.since) {
            (0, _) => f.write_str("another process"),
            (pid, None) => write!(f, "process {pid}"),
            (pid, Some(since)) => write!(f, "process {pid} since {since:.0}"),
        }
    }
}

/// The right to drive a run, released when dropped.
#[derive(Debug)]
pub struct Lease {
    run: RunId,
    path: PathBuf,
    /// The open file keeps the lock.
    _file: File,
}

impl Lease {
    /// The run of this lease.
    pub fn run(&self) -> RunId {
        self.run
    }

    /// Locks `run` with a file in `folder`.
    pub(crate) fn take(folder: &Path, run: RunId) -> Result<Lease, LeaseError> {
        let path = folder.join(format!("{run}.lock"));
        let failed = |source| LeaseError::Lock { run, path: path.clone(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        loop {
            let mut file = open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LeaseError::Held { run, holder: read_holder(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
            // The previous owner may have removed the file between our open and our lock.
            if !is_still_at(&file, &path) {
                continue;
            }
            write_holder(&mut file).map_err(failed)?;
            return Ok(Lease { run, path, _file: file });
        }
    }

    /// Whether any process drives `run`.
    pub(crate) fn is_held(folder: &Path, run: RunId) -> bool {
        // A shared lock, released at once, so that two processes that only check do not disturb each other.
        let Ok(file) = File::open(folder.join(format!("{run}.lock"))) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // The file is removed while the lock is held, so that no other process's new file is removed. A file that
        // remains after a crash is harmless.
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!(%error, path = %self.path.display(), "lock file not removed");
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn write_holder(file: &mut File) -> io::Result<()> {
    let holder = Holder { pid: std::process::id(), since: Some(Timestamp::now()) };
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(serde_json::to_string(&holder)?.as_bytes())
}

fn read_holder(file: &mut File) -> Holder {
    let mut text = String::new();
    // On a system with mandatory locks, the file cannot be read while it is locked.
    let holder = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str(&text).ok());
    holder.unwrap_or(Holder { pid: 0, since: None })
}

#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(ours), Ok(there)) = (file.metadata(), fs::metadata(path)) else { return false };
    (ours.dev(), ours.ino()) == (there.dev(), there.ino())
}

#[cfg(not(unix))]
fn is_still_at(_file: &File, _path: &Path) -> bool {
    // Such a system cannot remove an open file.
    true
}
