//! Why an evaluation could not run. A failed task is not an error: it is a result.

use std::{io, path::PathBuf};

use legwork_testing::apps::AppError;
use thiserror::Error;

/// An error of an evaluation.
#[derive(Debug, Error)]
pub enum EvalError {
    /// A package of a suite cannot be installed.
    #[error("the package {0} cannot be installed")]
    Package(&'static str, #[source] AppError),
    /// A package is not the one for which the tasks were written.
    #[error("{name} has the SHA-256 {found}, not {expected}")]
    Hash {
        /// The file.
        name: &'static str,
        /// The expected hash.
        expected: &'static str,
        /// The actual hash.
        found: String,
    },
    /// The settings are invalid.
    #[error("{0}")]
    Settings(String),
    /// The runtime did not start a run.
    #[error("a run cannot be started")]
    Runtime(#[from] legwork::Error),
    /// The journal of a run cannot be read.
    #[error("a run's journal cannot be read")]
    Journal(#[from] legwork::store::StoreError),
    /// The suite has no such task.
    #[error("the suite {suite} has no task {task:?}")]
    NoSuchTask {
        /// The suite.
        suite: &'static str,
        /// The requested task.
        task: String,
    },
    /// A task file cannot be parsed.
    #[error("evals/{file} cannot be parsed")]
    Tasks {
        /// The file in `evals/`.
        file: &'static str,
        /// The cause.
        source: serde_norway::Error,
    },
    /// A page did not report that its task is ready.
    #[error("the page of {0} did not report that its task is ready")]
    NotReady(String),
    /// The browser for the first load of a page failed.
    #[error("the browser for the first load of pages failed")]
    Browser(#[from] legwork::browser::BrowserError),
    /// A page cannot be opened.
    #[error("{0} cannot be opened")]
    Visit(String, #[source] legwork::protocol::ActionFailure),
    /// A server or a file failed.
    #[error("{what}")]
    Io {
        /// The operation.
        what: String,
        /// The cause.
        source: io::Error,
    },
}

impl EvalError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> EvalError {
        let what = what.into();
        move |source| EvalError::Io { what, source }
    }

    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(io::Error) -> EvalError {
        let path = PathBuf::from(path);
        move |source| EvalError::Io { what: path.display().to_string(), source }
    }
}
