//! Exchanges with a provider, recorded to a file and replayed from it, so that tests need no network.
//!
//! A cassette contains paths, bodies and statuses. It contains no headers and therefore no key. On replay, a request
//! must equal a recorded request that has not been replayed yet, in its path and its complete body. Otherwise the
//! call fails and reports the first difference.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http_exchange::HttpExchange;

/// A recording, either being written or being replayed. Clones share it.
#[derive(Clone, Debug)]
pub struct Cassette {
    path: PathBuf,
    playing: bool,
    entries: Arc<Mutex<Vec<CassetteEntry>>>,
}

/// One exchange.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct CassetteEntry {
    path: String,
    request: Value,
    status: u16,
    /// The reply as JSON, or as text if it is not JSON.
    reply: Value,
    #[serde(skip)]
    played: bool,
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CassetteError {
    /// The file could not be read or written.
    #[error("the recording {path} cannot be read or written")]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is not a recording.
    #[error("{path} is not a recording of model calls")]
    Form {
        /// The file.
        path: PathBuf,
        /// The position and the cause.
        source: serde_json::Error,
    },
    /// The request is not in the recording.
    #[error("the recording {path} does not contain this request: {}", match .differs { Some(at) => format!("the next one differs at `{at}`"), None => "all recorded requests were replayed".to_owned() })]
    NoMatch {
        /// The file.
        path: PathBuf,
        /// The first difference between the next recorded request and this one, as a JSON pointer.
        differs: Option<String>,
    },
}

impl Cassette {
    /// Records to this file and replaces its content.
    pub fn record(path: impl Into<PathBuf>) -> Cassette {
        Cassette { path: path.into(), playing: false, entries: Arc::default() }
    }

    /// Replays this file. Nothing is sent.
    pub fn replay(path: impl Into<PathBuf>) -> Result<Cassette, CassetteError> {
        let path = path.into();
        let file = fs::read(&path).map_err(|source| CassetteError::File { path: path.clone(), source })?;
        let entries: Vec<CassetteEntry> =
            serde_json::from_slice(&file).map_err(|source| CassetteError::Form { path: path.clone(), source })?;
        Ok(Cassette { path, playing: true, entries: Arc::new(Mutex::new(entries)) })
    }

    /// The number of recorded requests that have not been replayed.
    pub fn left(&self) -> usize {
        self.entries().iter().filter(|entry| !entry.played).count()
    }

    /// The recorded reply to this request, when replaying.
    pub(crate) fn replayed(&self, path: &str, request: &Value) -> Option<Result<HttpExchange, CassetteError>> {
        if !self.playing {
            return None;
        }
        let mut entries = self.entries();
        let fits = entries.iter_mut().find(|entry| !entry.played && entry.path == path && entry.request == *request);
        Some(match fits {
            Some(entry) => {
                entry.played = true;
                let body = entry.reply.as_str().map_or_else(|| entry.reply.to_string(), str::to_owned);
                Ok(HttpExchange { status: entry.status, retry_after: None, body: body.into_bytes() })
            }
            None => {
                let next = entries.iter().find(|entry| !entry.played);
                let differs = next
                    .map(|next| if next.path == path { difference(&next.request, request) } else { next.path.clone() });
                Err(CassetteError::NoMatch { path: self.path.clone(), differs })
            }
        })
    }

    /// Adds an exchange, when recording. The whole file is written each time: recordings are short, and a run that is
    /// killed leaves a complete file.
    pub(crate) fn append(&self, path: &str, request: &Value, exchange: &HttpExchange) -> Result<(), CassetteError> {
        if self.playing {
            return Ok(());
        }
        let text = || Value::String(String::from_utf8_lossy(&exchange.body).into_owned());
        let reply = serde_json::from_slice(&exchange.body).unwrap_or_else(|_| text());
        let mut entries = self.entries();
        entries.push(CassetteEntry {
            path: path.to_owned(),
            request: request.clone(),
            status: exchange.status,
            reply,
            played: true,
        });
        let file = serde_json::to_string_pretty(&*entries).expect("entries are JSON values with string keys");
        write(&self.path, &file).map_err(|source| CassetteError::File { path: self.path.clone(), source })
    }

    fn entries(&self) -> parking_lot::MutexGuard<'_, Vec<CassetteEntry>> {
        self.entries.lock()
    }
}

fn write(path: &Path, file: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, format!("{file}\n"))
}

/// The JSON pointer of the first difference between two values that differ.
fn difference(a: &Value, b: &Value) -> String {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let first = keys.into_iter().find(|key| a.get(*key) != b.get(*key));
            first.map_or_else(String::new, |key| match (a.get(key), b.get(key)) {
                (Some(a), Some(b)) => format!("/{key}{}", difference(a, b)),
                _ => format!("/{key}"),
            })
        }
        (Value::Array(a), Value::Array(b)) => {
            let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
            match (a.get(at), b.get(at)) {
                (Some(a), Some(b)) => format!("/{at}{}", difference(a, b)),
                _ => format!("/{at}"),
            }
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference() {
        let check = |a: Value, b: Value, expect: &str| assert_eq!(difference(&a, &b), expect);
        check(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]}), "/a/1/b");
        check(json!({"a": 1}), json!({"a": 1, "c": 2}), "/c");
        check(json!({"a": [1]}), json!({"a": [1, 2]}), "/a/1");
        check(json!({"a": [1]}), json!({"a": "x"}), "/a");
    }
}
