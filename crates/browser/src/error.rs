//! What can go wrong with a browser as a whole. What goes wrong on a page is an `ActionFailure`, a value.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

use crate::driver::DriverError;

/// Why there is no browser or no session.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// No browser was found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The browser could not be started.
    #[error("{executable} could not be started")]
    Start {
        /// What was tried.
        executable: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The browser ended before it answered.
    #[error("the browser ended at its start: {said}")]
    Ended {
        /// The last lines it wrote.
        said: String,
    },
    /// The browser did not answer in time after its start.
    #[error("the browser did not answer within {within:?} of its start; `timeouts.browser_start` gives it more time")]
    Slow {
        /// How long was waited.
        within: Duration,
    },
    /// Its profile folder could not be used.
    #[error("the profile folder {path} cannot be used")]
    Profile {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another Legwork uses the profile.
    #[error("the profile folder {path} is in use by another run")]
    ProfileInUse {
        /// The folder.
        path: PathBuf,
    },
    /// A running browser could not be reached.
    #[error("no browser answers at {url}: {reason}")]
    Connect {
        /// Where.
        url: String,
        /// Why not.
        reason: String,
    },
    /// The browser did not do what a session needs.
    #[error("the browser failed: {reason}")]
    Protocol {
        /// What it said.
        reason: String,
    },
    /// The browser is gone.
    #[error("the browser is gone: {reason}")]
    Gone {
        /// What is known.
        reason: String,
    },
    /// The downloads folder cannot be used.
    #[error("the downloads folder {path} cannot be used")]
    Downloads {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl From<DriverError> for BrowserError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Disconnected(reason) => BrowserError::Gone { reason: reason.to_string() },
            other => BrowserError::Protocol { reason: other.to_string() },
        }
    }
}

/// No browser was found on this machine.
#[derive(Debug, Error)]
#[error("no Chromium or Chrome found; looked for {}", .looked.join(", "))]
pub struct NotFound {
    /// Where it was looked for.
    pub looked: Vec<String>,
}
