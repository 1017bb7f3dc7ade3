//! Links that hand the page its cookie: each works once, for five minutes.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use super::token::random;
use crate::ServeError;

const HOLDS: Duration = Duration::from_secs(5 * 60);
/// More are not open at a time; the oldest gives way.
const OPEN: usize = 16;

/// The codes of links that were given out and not used yet.
#[derive(Default)]
pub(crate) struct Links(Mutex<Vec<(String, Instant)>>);

impl Links {
    /// A new code.
    pub(crate) fn give(&self) -> Result<String, ServeError> {
        let code = random()?;
        let mut open = self.0.lock();
        open.retain(|(_, since)| since.elapsed() < HOLDS);
        if open.len() == OPEN {
            open.remove(0);
        }
        open.push((code.clone(), Instant::now()));
        Ok(code)
    }

    /// Whether the code is good; it is not any more afterwards.
    pub(crate) fn take(&self, code: &str) -> bool {
        let mut open = self.0.lock();
        open.retain(|(_, since)| since.elapsed() < HOLDS);
        let found = open.iter().position(|(known, _)| known.as_bytes().ct_eq(code.as_bytes()).into());
        found.map(|index| open.remove(index)).is_some()
    }
}
