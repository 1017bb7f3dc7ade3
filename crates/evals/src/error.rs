//! Why an evaluation could not be made. A task that fails is no error: that is what is measured.

use std::{io, path::PathBuf};

use legwork_testing::apps::AppError;
use thiserror::Error;

/// What went wrong.
#[derive(Debug, Error)]
pub enum EvalError {
    /// A suite's package could not be had.
    #[error("the package {0} cannot be installed")]
    Package(&'static str, #[source] AppError),
    /// A package is not the one that the tasks were written for.
    #[error("{name} has the SHA-256 {found}, not {expected}")]
    Hash {
        /// The file.
        name: &'static str,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The settings are not in order.
    #[error("{0}")]
    Settings(String),
    /// The runtime does not start a run.
    #[error("a run cannot be started")]
    Runtime(#[from] legwork::Error),
    /// A run's journal cannot be read.
    #[error("a run's journal cannot be read")]
    Journal(#[from] legwork::store::StoreError),
    /// There is no such task.
    #[error("the suite {suite} has no task {task:?}")]
    NoSuchTask {
        /// The suite.
        suite: &'static str,
        /// What was asked for.
        task: String,
    },
    /// A list of tasks does not say what it should.
    #[error("evals/{file} cannot be read")]
    Tasks {
        /// The file in `evals/`.
        file: &'static str,
        /// What is wrong with it.
        source: serde_norway::Error,
    },
    /// A page never said that its task is ready.
    #[error("the page of {0} did not say that its task is ready")]
    NotReady(String),
    /// The browser that looks at pages beforehand.
    #[error("the browser that looks at pages beforehand")]
    Browser(#[from] legwork::browser::BrowserError),
    /// A page cannot be opened.
    #[error("{0} cannot be opened")]
    Visit(String, #[source] legwork::protocol::ActionFailure),
    /// A server or a file.
    #[error("{what}")]
    Io {
        /// What was tried.
        what: String,
        /// Why not.
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
