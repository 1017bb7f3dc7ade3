//! The audit log: who did what, when, from where, and what was refused. It contains no secret and no body.
//!
//! Entries are lines of JSON that are only added to a file. There are two files: one for callers with a valid token,
//! and one for unauthenticated requests. The second one can be filled by anyone who reaches the server, and must not
//! displace the first one. A file that has become large is renamed (`audit.jsonl`, `audit.1.jsonl`, …), and the oldest
//! is deleted.

use std::{
    fs, io,
    io::Write,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};

use jiff::Timestamp;
use legwork_private_file::append_private;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::Identity;

/// The names of the files, without the ending.
const OF_CALLERS: &str = "audit";
const OF_NOBODY: &str = "audit-anonymous";
/// A process holds the lock of this file while it renames the others.
const LOCK_FILE: &str = "audit.lock";
/// The size in bytes from which on a file is renamed.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// The number of renamed files that are kept.
const KEPT: usize = 4;

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When it was answered.
    pub time: Timestamp,
    /// `serve` or `mcp`.
    pub server: String,
    /// The name of the token; absent if there was no valid one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The id of the token; absent for the token of the server itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_id: Option<String>,
    /// The address of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// The HTTP method.
    pub method: String,
    /// The route with the names of its parameters; absent if there is no such route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The tool that was called over MCP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The id of the run that the request concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The id or name of what the request concerns, if it is not a run: a setting, a schedule, a lesson, a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The HTTP status; absent if the client disconnected before the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl AuditEntry {
    /// An entry for a request to a server, without a caller yet.
    pub fn new(server: &str, method: &str, route: Option<&str>) -> AuditEntry {
        AuditEntry {
            time: Timestamp::now(),
            server: server.to_owned(),
            client: None,
            token_id: None,
            address: None,
            method: method.to_owned(),
            route: route.map(str::to_owned),
            tool: None,
            run: None,
            subject: None,
            status: None,
        }
    }

    /// States who sent the request.
    pub fn set_caller(&mut self, identity: &Identity) {
        self.client = Some(identity.name().to_owned());
        self.token_id = identity.grant().map(|grant| grant.record.id.clone());
    }
}

/// The audit log of a data folder.
#[derive(Debug)]
pub struct AuditLog {
    data: PathBuf,
    max_bytes: u64,
}

impl AuditLog {
    /// The log of a data folder.
    pub fn of(data: &Path) -> AuditLog {
        AuditLog { data: data.to_owned(), max_bytes: MAX_BYTES }
    }

    /// Adds an entry. It is in the file when this function returns, so that a client that has an answer finds its
    /// entry. An entry that cannot be written becomes an error in the log of the program; the request is answered
    /// nevertheless.
    pub fn record(&self, entry: &AuditEntry) {
        if let Err(error) = self.append(entry) {
            tracing::error!(%error, entry = %json(entry), "the audit log cannot be written");
        }
    }

    fn append(&self, entry: &AuditEntry) -> io::Result<()> {
        let name = if entry.client.is_some() { OF_CALLERS } else { OF_NOBODY };
        let mut file = append_private(&self.path(name, 0))?;
        // One write: lines of several processes are not mixed.
        file.write_all((json(entry) + "\n").as_bytes())?;
        if file.metadata()?.len() >= self.max_bytes {
            self.rotate(name)?;
        }
        Ok(())
    }

    /// A process that has just opened the file adds its line to the renamed one, which is not lost.
    fn rotate(&self, name: &str) -> io::Result<()> {
        let lock = append_private(&self.data.join(LOCK_FILE))?;
        lock.lock()?;
        // Another process may have renamed it in the meantime.
        if fs::metadata(self.path(name, 0)).map_or(0, |file| file.len()) < self.max_bytes {
            return Ok(());
        }
        for number in (0..KEPT).rev() {
            match fs::rename(self.path(name, number), self.path(name, number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The entries since a point in time, the oldest first. Lines that cannot be read are left out: the last one may be
    /// incomplete after a crash.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(&self, since: Option<Timestamp>) -> io::Result<Vec<AuditEntry>> {
        let mut entries = Vec::new();
        for name in [OF_CALLERS, OF_NOBODY] {
            for number in (0..=KEPT).rev() {
                match fs::read(self.path(name, number)) {
                    Ok(bytes) => {
                        let lines = bytes.split(|byte| *byte == b'\n');
                        let read = lines.filter_map(|line| serde_json::from_slice::<AuditEntry>(line).ok());
                        entries.extend(read.filter(|entry| since.is_none_or(|since| entry.time >= since)));
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
        }
        entries.sort_by_key(|entry| entry.time);
        Ok(entries)
    }

    fn path(&self, name: &str, number: usize) -> PathBuf {
        let number = if number == 0 { String::new() } else { format!(".{number}") };
        self.data.join(format!("{name}{number}.jsonl"))
    }
}

fn json(entry: &AuditEntry) -> String {
    serde_json::to_string(entry).expect("an entry consists of texts and numbers")
}

/// Where a handler states which run a request has started.
#[derive(Clone, Debug, Default)]
pub struct RunNote(Arc<Mutex<Option<String>>>);

impl RunNote {
    /// States the run.
    pub fn set(&self, run: impl ToString) {
        *self.0.lock() = Some(run.to_string());
    }
}

/// The entry of a request that is being answered. It is written when the answer is known, or when the client
/// disconnects before: the request may have had its effect.
pub struct PendingEntry {
    log: Arc<AuditLog>,
    /// The entry so far.
    pub entry: AuditEntry,
    note: RunNote,
    acts: bool,
}

impl PendingEntry {
    /// An entry. If the request does not act, it is written only if it is refused or if its handler states a run.
    pub fn new(log: Arc<AuditLog>, entry: AuditEntry, acts: bool) -> PendingEntry {
        PendingEntry { log, entry, note: RunNote::default(), acts }
    }

    /// For the handler.
    pub fn note(&self) -> RunNote {
        self.note.clone()
    }

    /// Ends the entry with the status of the answer.
    pub fn answered(mut self, status: u16) {
        self.entry.status = Some(status);
        // Unauthorized, forbidden, too many requests.
        self.acts |= matches!(status, 401 | 403 | 429);
    }
}

impl Drop for PendingEntry {
    fn drop(&mut self) {
        let run = self.note.0.lock().take();
        if self.acts || run.is_some() {
            self.entry.time = Timestamp::now();
            if run.is_some() {
                self.entry.run = run;
            }
            self.log.record(&self.entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(client: Option<&str>, subject: &str) -> AuditEntry {
        let client = client.map(str::to_owned);
        AuditEntry { client, subject: Some(subject.to_owned()), ..AuditEntry::new("serve", "POST", Some("/api/x")) }
    }

    #[test]
    fn a_flood_of_requests_of_nobody_displaces_no_entry_of_a_caller() {
        let data = tempfile::tempdir().unwrap();
        let log = AuditLog { max_bytes: 400, ..AuditLog::of(data.path()) };
        log.record(&entry(Some("ci"), "first"));
        for number in 0..100 {
            log.record(&entry(None, &number.to_string()));
        }
        let read = log.read(None).unwrap();
        assert_eq!(read.iter().filter(|entry| entry.client.is_some()).count(), 1);
        let last = read.iter().filter_map(|entry| entry.subject.as_deref()?.parse().ok()).max();
        assert_eq!(last, Some(99), "the newest entries are kept");
        assert!(read.len() < 60, "{} entries are kept, although files are deleted", read.len());
        let sizes = fs::read_dir(data.path()).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
        assert!(sizes.max().unwrap() < 800);
        assert_eq!(log.read(Some(Timestamp::MAX)).unwrap(), []);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_the_log_and_a_damaged_line_hides_no_other() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().unwrap();
        let log = AuditLog::of(data.path());
        log.record(&entry(Some("ci"), "a"));
        append_private(&log.path(OF_CALLERS, 0)).unwrap().write_all(b"{\"time\":\n").unwrap();
        log.record(&entry(Some("ci"), "b"));
        assert_eq!(log.read(None).unwrap().len(), 2);
        let mode = fs::metadata(log.path(OF_CALLERS, 0)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_client_that_disconnects_before_the_answer_leaves_an_entry() {
        let data = tempfile::tempdir().unwrap();
        let log = Arc::new(AuditLog::of(data.path()));
        let begin = |subject: &str, acts| PendingEntry::new(log.clone(), entry(Some("ci"), subject), acts);
        begin("read", false).answered(200);
        begin("read and refused", false).answered(403);
        let pending = begin("changed", true);
        pending.note().set("run-1");
        drop(pending);
        let read = log.read(None).unwrap();
        let told: Vec<_> = read.iter().map(|entry| (entry.subject.as_deref(), entry.status)).collect();
        assert_eq!(told, [(Some("read and refused"), Some(403)), (Some("changed"), None)]);
        assert_eq!(read[1].run.as_deref(), Some("run-1"));
    }
}
