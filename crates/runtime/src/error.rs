//! Why Legwork could not begin a run. What goes wrong inside a run is in its outcome and its journal.

use std::{path::PathBuf, sync::Arc};

use legwork_agent::ResumeError;
use legwork_browser::BrowserError;
use legwork_model::ModelError;
use legwork_protocol::{Code, ErrorReport, RunId};
use legwork_store::{ArtifactError, LeaseError, StoreError};
use thiserror::Error;

use crate::{replay::ReplayError, tools::ToolsError, vault::VaultError};

/// Why a run could not be begun, taken up or found.
#[derive(Debug, Error)]
pub enum Error {
    /// The data folder cannot be made.
    #[error("the data folder {path} cannot be made")]
    DataDir {
        /// Which.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The run log.
    #[error(transparent)]
    Store(StoreError),
    /// The artifacts.
    #[error(transparent)]
    Artifacts(ArtifactError),
    /// Somebody else drives the run.
    #[error(transparent)]
    Lease(LeaseError),
    /// The browser.
    #[error("{0}")]
    Browser(#[source] Arc<BrowserError>),
    /// The tools given to the run.
    #[error(transparent)]
    Tools(ToolsError),
    /// The model's settings.
    #[error(transparent)]
    Model(ModelError),
    /// The run's money is capped, and nobody said what a model costs.
    #[error("at most ${cap} cannot be kept: the price of {} is not known", .models.join(" and of "))]
    UnknownPrice {
        /// The models, as `provider/name`.
        models: Vec<String>,
        /// US dollars of the run at most.
        cap: f64,
    },
    /// Secrets that could not be had.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Secrets(Vec<VaultError>),
    /// No such run.
    #[error("there is no run {0:?}")]
    NoSuchRun(String),
    /// More than one run.
    #[error("{text:?} stands for several runs: {}", .runs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    SeveralRuns {
        /// What was given.
        text: String,
        /// The newest few of them.
        runs: Vec<RunId>,
    },
    /// There is nothing to do again.
    #[error("run {0} cannot be replayed")]
    Replay(RunId, #[source] ReplayError),
    /// There is nothing to go on with.
    #[error("run {0} cannot be taken up")]
    Resume(RunId, #[source] ResumeError),
    /// What was kept of its browser cannot be had: without its cookies and storage it would go on as somebody else.
    #[error("run {run} cannot be taken up: the cookies and storage that were kept for it cannot be read")]
    SavedState {
        /// The run.
        run: RunId,
        /// Why.
        #[source]
        source: SavedStateError,
    },
}

/// Why a saved state cannot be read.
#[derive(Debug, Error)]
pub enum SavedStateError {
    /// Its file is missing or damaged.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// It is no saved state.
    #[error("artifact {hash} is no saved state")]
    Content {
        /// Its name.
        hash: String,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

impl Error {
    /// What to try.
    pub fn hint(&self) -> String {
        match self {
            Error::DataDir { .. } => "set another folder with LEGWORK_DATA_DIR".into(),
            Error::Store(error) => error.hint().into(),
            Error::Browser(_) => "`legwork doctor` looks for browsers; `legwork install-browser` installs one".into(),
            Error::Tools(_) => "give each tool a name of its own".into(),
            Error::Model(_) => "`legwork doctor` says which keys and addresses are looked for".into(),
            Error::UnknownPrice { models, .. } => {
                let model = models.first().map_or("", String::as_str);
                format!(
                    "put it into the settings file, in US dollars for a million tokens (`legwork config` names the file): \
                     [prices.\"{model}\"] with `input = 1.25` and `output = 10`, 0 for a model that is free; or leave out --max-cost"
                )
            }
            Error::Secrets(_) => {
                "`--secret NAME` grants a secret to a run: its value comes from LEGWORK_SECRET_NAME, from `--secret NAME=FILE`, or from a prompt".into()
            }
            Error::NoSuchRun(_) | Error::SeveralRuns { .. } => "`legwork runs` lists the runs there are".into(),
            Error::Lease(LeaseError::Lock { .. }) => {
                "make room in the data folder and let this user write to it; `legwork doctor` shows where it is".into()
            }
            Error::Lease(_) => "wait for it, or stop the other process".into(),
            Error::Artifacts(_) => "`legwork doctor` shows where they are kept".into(),
            Error::Replay(..) => "`legwork show RUN` tells what it did; run its workflow again instead".into(),
            Error::Resume(..) => "`legwork show RUN` tells how it ended".into(),
            Error::SavedState { .. } => {
                "nothing was done; put the data folder's `artifacts` back from a copy, or look at the page and begin the run anew"
                    .into()
            }
        }
    }

    /// In the one shape of API, events and logs.
    pub fn standard(&self) -> ErrorReport {
        let code = match self {
            Error::Store(error) => error.code(),
            Error::DataDir { .. } | Error::Artifacts(_) => Code::Storage,
            Error::Lease(LeaseError::Lock { .. }) => Code::Storage,
            Error::Lease(_) => Code::SessionCreation,
            Error::Browser(error) if matches!(**error, BrowserError::Gone { .. }) => Code::BrowserGone,
            Error::Browser(_) => Code::BrowserLaunch,
            Error::Tools(_) => Code::SettingsInvalid,
            Error::Model(error) => error.code(),
            Error::Secrets(_) | Error::UnknownPrice { .. } => Code::SettingsInvalid,
            Error::NoSuchRun(_) | Error::SeveralRuns { .. } => Code::RunNotFound,
            Error::Resume(_, ResumeError::Ended) | Error::Replay(..) => Code::RequestInvalid,
            Error::Resume(..) | Error::SavedState { .. } => Code::DataCorruption,
        };
        ErrorReport::new(code, self.to_string()).caused_by(self).suggest(self.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_to_begin_has_its_code() {
        let (run, path) = (RunId::new(), PathBuf::from("log"));
        let check = |error: Error, code: Code| assert_eq!(error.standard().code, code, "{error}");
        check(Error::Store(StoreError::Newer { path: path.clone(), found: 9, known: 3 }), Code::SchemaVersion);
        check(Error::Store(StoreError::DiskFull { path: path.clone() }), Code::Storage);
        check(Error::Store(StoreError::Corrupt { path: path.clone(), detail: "no".into() }), Code::DataCorruption);
        let source = std::io::Error::other("no");
        check(Error::Lease(LeaseError::Lock { run, path, source }), Code::Storage);
        let holder = legwork_store::Holder { pid: 1, since: None };
        check(Error::Lease(LeaseError::Held { run, holder }), Code::SessionCreation);
        check(Error::NoSuchRun("x".into()), Code::RunNotFound);
        check(Error::UnknownPrice { models: vec!["compatible/x".into()], cap: 0.5 }, Code::SettingsInvalid);
        check(Error::Resume(run, ResumeError::Ended), Code::RequestInvalid);
        check(Error::Resume(run, ResumeError::NoStart), Code::DataCorruption);
        let source = ArtifactError::Missing { hash: "0".into() }.into();
        check(Error::SavedState { run, source }, Code::DataCorruption);
    }
}
