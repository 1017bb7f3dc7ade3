//! Web applications that nobody here wrote, installed and run by the tests that drive them: Django's admin from PyPI and
//! TiddlyWiki from npm.
//!
//! Each is installed once into a cache folder (`test-apps` in the build's target folder, or `LEGWORK_TEST_APPS`) and
//! then run per test on a free loopback port with its data in a temporary folder. Dropping the value ends the server and
//! removes the data; a test that is killed takes its server along, because the server ends when its input does. What a
//! test ends up with is read past the browser: through Django's ORM, through TiddlyWiki's own HTTP API.

mod django;
mod server;
mod tiddlywiki;

use std::{io, path::PathBuf};

use thiserror::Error;

pub use django::DjangoAdmin;
pub use server::{installed, run};
pub use tiddlywiki::TiddlyWiki;

/// Why an application could not be installed, run or asked.
#[derive(Debug, Error)]
pub enum AppError {
    /// A program that it needs is not there or did not succeed.
    #[error("`{program}` failed: {stderr}")]
    Program {
        /// The program, with its arguments.
        program: String,
        /// The end of what it said, or that it could not be started.
        stderr: String,
    },
    /// The server ended, or stayed silent, before it said where it listens.
    #[error("{name} did not start: {stderr}")]
    NotStarted {
        /// The application.
        name: &'static str,
        /// The end of what it said.
        stderr: String,
    },
    /// Its own interface did not answer as it should.
    #[error("{name} could not be asked for its state")]
    State {
        /// The application.
        name: &'static str,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A folder or file could not be made.
    #[error("no room for a test application")]
    Io(#[from] io::Error),
}

/// Where applications are installed: `LEGWORK_TEST_APPS`, else `test-apps` in the target folder.
fn cache() -> PathBuf {
    let given = std::env::var_os("LEGWORK_TEST_APPS").map(PathBuf::from);
    given.unwrap_or_else(|| {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("test-apps")
    })
}
