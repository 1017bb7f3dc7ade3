//! The tokens as a running server sees them. Every request reads the file, which is small, so that it never accepts a
//! token that was revoked before. For open streams, [`Tokens::watch`] reads the file regularly.
//!
//! The file is read and not watched with the means of the system: these do not report changes on network file systems,
//! or those of another container.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::Response,
};
use futures_util::StreamExt;
use jiff::Timestamp;
use parking_lot::Mutex;
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;

use crate::{RequestLimiter, TokenError, TokenFile, TokenRecord, token_file::hash};

/// How long an open stream may outlive its token.
const INTERVAL: Duration = Duration::from_millis(250);

/// A valid token.
#[derive(Debug)]
pub struct Grant {
    /// What is known of the token.
    pub record: TokenRecord,
    /// Bounds its requests.
    pub rate: RequestLimiter,
    /// Cancelled when the token is revoked or expires.
    pub ended: CancellationToken,
}

/// The tokens of a data folder, for a running server.
pub struct Tokens {
    file: TokenFile,
    per_second: u32,
    known: Mutex<TokenState>,
    /// Whether there ever was a file.
    exists: AtomicBool,
}

#[derive(Default)]
struct TokenState {
    /// The content of the file from which the grants were made; `None` if it does not exist or cannot be used.
    content: Option<Vec<u8>>,
    grants: Vec<Arc<Grant>>,
    /// Whether the log already states that the file cannot be used.
    failed: bool,
}

impl Tokens {
    /// The tokens of a data folder, each with this many requests per second.
    pub fn of(data: &Path, per_second: u32) -> Tokens {
        let known = Mutex::default();
        Tokens { file: TokenFile::of(data), per_second, known, exists: AtomicBool::new(false) }
    }

    /// The valid token with this text.
    pub async fn find(&self, text: &str) -> Option<Arc<Grant>> {
        let given = hash(text);
        self.valid(|record| record.hash.as_bytes().ct_eq(given.as_bytes()).into()).await
    }

    /// The valid token with this name or id, for a caller who has proved to be its owner.
    pub async fn by_name_or_id(&self, name_or_id: &str) -> Option<Arc<Grant>> {
        self.valid(|record| record.name == name_or_id || record.id == name_or_id).await
    }

    /// Whether a token was ever created in the data folder. The answer never changes back while the server runs:
    /// revoking the last token does not turn authentication off.
    pub async fn exist(&self) -> bool {
        self.valid(|_| false).await;
        self.exists.load(Ordering::Relaxed)
    }

    /// Ends what belongs to tokens that were revoked or have expired, until `stop`.
    pub async fn watch(&self, stop: &CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(INTERVAL)).await.is_some() {
            self.valid(|_| false).await;
        }
    }

    /// Reads the file, and finds a token in what this call has read: another call may still have older content.
    async fn valid(&self, matches: impl Fn(&TokenRecord) -> bool) -> Option<Arc<Grant>> {
        let file = self.file.clone();
        let content = tokio::task::spawn_blocking(move || file.read()).await.expect("reading a file does not panic");
        if !matches!(content, Ok(None)) {
            self.exists.store(true, Ordering::Relaxed);
        }
        let mut known = self.known.lock();
        known.update(content, &self.file, self.per_second);
        // The loop has no early end, so that its duration does not reveal which token matches.
        let mut found = None;
        for grant in &known.grants {
            if matches(&grant.record) {
                found = Some(grant.clone());
            }
        }
        found
    }
}

impl TokenState {
    /// Adopts the content. If it cannot be used, no token is valid: a token that may have been revoked is refused.
    fn update(&mut self, content: Result<Option<Vec<u8>>, TokenError>, file: &TokenFile, per_second: u32) {
        let now = Timestamp::now();
        let content = content.and_then(|content| {
            if content == self.content {
                return Ok(None);
            }
            let bytes = content.unwrap_or_default();
            let records = if bytes.is_empty() { Vec::new() } else { file.parse(&bytes)? };
            Ok(Some((bytes, records)))
        });
        match content {
            // The same as before; only time has passed.
            Ok(None) => self.retain(|grant| !grant.record.is_expired(now)),
            Ok(Some((bytes, records))) => {
                self.failed = false;
                self.retain(|grant| records.contains(&grant.record) && !grant.record.is_expired(now));
                for record in records {
                    if !record.is_expired(now) && !self.grants.iter().any(|grant| grant.record == record) {
                        let (rate, ended) = (RequestLimiter::per_second(per_second), CancellationToken::new());
                        self.grants.push(Arc::new(Grant { record, rate, ended }));
                    }
                }
                self.content = (!bytes.is_empty()).then_some(bytes);
            }
            Err(error) => {
                if !self.failed {
                    tracing::error!(error = &error as &dyn std::error::Error, hint = error.hint(), "no token is valid");
                }
                self.failed = true;
                self.content = None;
                self.retain(|_| false);
            }
        }
    }

    fn retain(&mut self, is_valid: impl Fn(&Grant) -> bool) {
        self.grants.retain(|grant| {
            let valid = is_valid(grant);
            if !valid {
                grant.ended.cancel();
            }
            valid
        });
    }
}

/// Ends a stream of events when the token of its reader ends. Other responses stay as they are.
pub fn end_stream_with(grant: &Grant, response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"text/event-stream")) {
        return response;
    }
    let ended = grant.ended.clone();
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(ended.cancelled_owned())))
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use secrecy::ExposeSecret;

    use super::*;
    use crate::{Scopes, TOKEN_FILE, TokenScope};

    #[tokio::test]
    async fn a_token_is_valid_from_its_creation_to_its_revocation() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (TokenFile::of(data.path()), Tokens::of(data.path(), 10));
        assert!(!tokens.exist().await);
        let made = file.create("ci", Scopes::all(), None).unwrap();
        let text = made.text.expose_secret();
        let grant = tokens.find(text).await.unwrap();
        assert_eq!(grant.record, made.record);
        assert!(tokens.find(&format!("{text}x")).await.is_none() && tokens.find("").await.is_none());
        assert!(tokens.find(&hash(text)).await.is_none(), "whoever reads the file has no token");
        file.create("other", [TokenScope::Read].into_iter().collect(), None).unwrap();
        assert!(Arc::ptr_eq(&tokens.find(text).await.unwrap(), &grant), "another token changes nothing for this one");
        file.revoke("ci").unwrap();
        assert!(tokens.find(text).await.is_none() && grant.ended.is_cancelled());
        file.revoke("other").unwrap();
        assert!(tokens.exist().await, "to revoke the last token opens nothing");
    }

    #[tokio::test]
    async fn a_token_ends_when_it_expires() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (TokenFile::of(data.path()), Tokens::of(data.path(), 10));
        let soon = Timestamp::now() + 1500.milliseconds();
        let made = file.create("ci", Scopes::all(), Some(soon)).unwrap();
        let grant = tokens.by_name_or_id(&made.record.id).await.unwrap();
        let stop = CancellationToken::new();
        tokio::select! {
            () = tokens.watch(&stop) => unreachable!("it is not stopped"),
            () = grant.ended.cancelled() => assert!(Timestamp::now() >= soon),
        }
        assert!(tokens.find(made.text.expose_secret()).await.is_none());
    }

    #[tokio::test]
    async fn with_a_damaged_file_no_token_is_valid() {
        let data = tempfile::tempdir().unwrap();
        let (file, tokens) = (TokenFile::of(data.path()), Tokens::of(data.path(), 10));
        let made = file.create("ci", Scopes::all(), None).unwrap();
        let text = made.text.expose_secret();
        let grant = tokens.find(text).await.unwrap();
        let path = data.path().join(TOKEN_FILE);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(tokens.find(text).await.is_none() && grant.ended.is_cancelled());
        std::fs::write(&path, &whole).unwrap();
        assert!(tokens.find(text).await.is_some());
        std::fs::remove_file(&path).unwrap();
        assert!(tokens.find(text).await.is_none() && tokens.exist().await);
    }
}
