//! Third-party web applications that tests install and run: Django's admin from PyPI and TiddlyWiki from npm.
//!
//! Each is installed once into a cache folder (`test-apps` in the build's target folder, or `LEGWORK_TEST_APPS`) and
//! then run for each test on a free loopback port with its data in a temporary folder. Dropping the value ends the
//! server and removes the data. If a test is killed, the server ends too, because its standard input is closed. Tests
//! read the final state without the browser: through Django's ORM or TiddlyWiki's HTTP API.

mod django;
mod server;
mod tiddlywiki;

use std::{io, path::PathBuf};

use thiserror::Error;

pub use django::DjangoAdmin;
pub use server::{installed, run};
pub use tiddlywiki::TiddlyWiki;

/// Why an application could not be installed, started or queried.
#[derive(Debug, Error)]
pub enum AppError {
    /// A required program is missing or failed.
    #[error("`{program}` failed: {stderr}")]
    Program {
        /// The program, with its arguments.
        program: String,
        /// The end of its standard error, or why it could not be started.
        stderr: String,
    },
    /// The server ended, or exceeded the time limit, before it printed its address.
    #[error("{name} did not start: {stderr}")]
    NotStarted {
        /// The application.
        name: &'static str,
        /// The end of its standard error.
        stderr: String,
    },
    /// The application's own interface failed.
    #[error("{name} could not be asked for its state")]
    State {
        /// The application.
        name: &'static str,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A folder or file could not be created.
    #[error("no room for a test application")]
    Io(#[from] io::Error),
}

/// The folder of installed applications: `LEGWORK_TEST_APPS`, or `test-apps` in the target folder.
fn cache() -> PathBuf {
    let given = std::env::var_os("LEGWORK_TEST_APPS").map(PathBuf::from);
    given.unwrap_or_else(|| {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("test-apps")
    })
}
