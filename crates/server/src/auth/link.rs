//! Links that sign a browser in: each works once, within five minutes.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use super::token::random;
use crate::ServeError;

const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// Maximum number of unused links. A new link replaces the oldest.
const MAX_UNUSED: usize = 16;

/// The codes of links that have not been used yet.
#[derive(Default)]
pub(crate) struct Links(Mutex<Vec<(String, Instant)>>);

impl Links {
    /// Creates a code.
    pub(crate) fn issue(&self) -> Result<String, ServeError> {
        let code = random()?;
        let mut open = self.0.lock();
        open.retain(|(_, since)| since.elapsed() < LIFETIME);
        if open.len() == MAX_UNUSED {
            open.remove(0);
        }
        open.push((code.clone(), Instant::now()));
        Ok(code)
    }

    /// Whether the code is valid. It is invalid afterwards.
    pub(crate) fn redeem(&self, code: &str) -> bool {
        let mut open = self.0.lock();
        open.retain(|(_, since)| since.elapsed() < LIFETIME);
        let found = open.iter().position(|(known, _)| known.as_bytes().ct_eq(code.as_bytes()).into());
        found.map(|index| open.remove(index)).is_some()
    }
}
