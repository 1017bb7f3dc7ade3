//! The errors of a browser as a whole. A failure on a page is not an error but an `ActionFailure`, which is a value.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

use crate::{Engine, driver::DriverError};

/// Why there is no browser or no session.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// No browser was found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The browser could not be started.
    #[error("{executable} could not be started")]
    Start {
        /// The executable.
        executable: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// The browser ended before it first answered.
    #[error("the browser ended at its start: {said}")]
    Ended {
        /// The last lines that it wrote to its standard error.
        said: String,
    },
    /// The browser did not answer in time after it was started.
    #[error("the browser did not answer within {within:?} of its start; `timeouts.browser_start` gives it more time")]
    Slow {
        /// The time limit.
        within: Duration,
    },
    /// There is no display for the browser's windows.
    #[error("the browser has no display: {reason}")]
    NoDisplay {
        /// The reason.
        reason: String,
    },
    /// The profile folder could not be used.
    #[error("the profile folder {path} cannot be used")]
    Profile {
        /// The folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// Another run uses the profile.
    #[error("the profile folder {path} is in use by another run")]
    ProfileInUse {
        /// The folder.
        path: PathBuf,
    },
    /// A running browser could not be reached.
    #[error("no browser answers at {url}: {reason}")]
    Connect {
        /// The address.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The browser is too old.
    #[error("{found} is too old; version {oldest} or later is needed")]
    Outdated {
        /// The browser's name and version.
        found: String,
        /// The oldest version that can be used.
        oldest: u32,
    },
    /// A browser with another engine answers at the address.
    #[error("{found} answers at {url}, not {wanted}; set `browser.engine` to {setting} (`--engine {setting}`) to use it",
        found = found.title(), wanted = wanted.title(), setting = found.word())]
    OtherEngine {
        /// The address.
        url: String,
        /// The engine of the browser there.
        found: Engine,
        /// The engine that was asked for.
        wanted: Engine,
    },
    /// The browser did not carry out a command that a session needs.
    #[error("the browser failed: {reason}")]
    Protocol {
        /// The browser's reason.
        reason: String,
    },
    /// The tab of the user's own browser cannot be used.
    #[error("the tab of your browser cannot be used: {reason}")]
    TabRefused {
        /// The browser's or the extension's reason.
        reason: String,
    },
    /// The browser cannot do something that the session needs.
    #[error("{what} is not available: {reason}; docs/engines.md compares the engines")]
    NotCapable {
        /// What is needed.
        what: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// The browser is gone.
    #[error("the browser is gone: {reason}")]
    Gone {
        /// The reason, as far as it is known.
        reason: String,
    },
    /// The downloads folder cannot be used.
    #[error("the downloads folder {path} cannot be used")]
    Downloads {
        /// The folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
}

impl From<DriverError> for BrowserError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Disconnected(reason) => BrowserError::Gone { reason: reason.to_string() },
            DriverError::Outdated { found, oldest } => BrowserError::Outdated { found, oldest },
            other => BrowserError::Protocol { reason: other.to_string() },
        }
    }
}

/// No browser, or no program that it needs, was found on this machine.
#[derive(Debug, Error)]
#[error("no {what} found; looked for {}", .looked.join(", "))]
pub struct NotFound {
    /// The engine that was looked for.
    pub engine: Engine,
    /// What is missing: the browser or a program that it needs.
    pub what: &'static str,
    /// The names and paths that were tried.
    pub looked: Vec<String>,
}
