//! Links that sign a browser in: each works once, within five minutes.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use super::token::random;
use crate::ServeError;

const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// Maximum number of unused links. A new link replaces the oldest.
const MAX_UNUSED: usize = 16;

/// A link that has not been used yet.
pub(crate) struct Link {
    code: String,
    since: Instant,
    /// The id of the token whose scopes the browser gets; `None` for the token of the server.
    pub(crate) token_id: Option<String>,
}

/// The links that have not been used yet.
#[derive(Default)]
pub(crate) struct Links(Mutex<Vec<Link>>);

impl Links {
    /// Creates a link; its code.
    pub(crate) fn issue(&self, token_id: Option<String>) -> Result<String, ServeError> {
        let code = random()?;
        let mut open = self.0.lock();
        open.retain(|link| link.since.elapsed() < LIFETIME);
        if open.len() == MAX_UNUSED {
            open.remove(0);
        }
        open.push(Link { code: code.clone(), since: Instant::now(), token_id });
        Ok(code)
    }

    /// The link with the code, if it is valid. It is invalid afterwards.
    pub(crate) fn redeem(&self, code: &str) -> Option<Link> {
        let mut open = self.0.lock();
        open.retain(|link| link.since.elapsed() < LIFETIME);
        let found = open.iter().position(|known| known.code.as_bytes().ct_eq(code.as_bytes()).into());
        found.map(|index| open.remove(index))
    }
}
