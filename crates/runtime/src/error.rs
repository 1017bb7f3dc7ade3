//! Why Legwork could not start, resume or find a run. Errors inside a run are in its outcome and its journal.

use std::{path::PathBuf, sync::Arc};

use legwork_agent::ResumeError;
use legwork_browser::BrowserError;
use legwork_model::ModelError;
use legwork_protocol::{Code, ErrorReport, RunId};
use legwork_store::{ArtifactError, LeaseError, StoreError};
use thiserror::Error;

use crate::{
    action_policy::PolicyProblem,
    playbooks::PlaybookError,
    replay::ReplayError,
    secrets::{SecretError, SpecError},
    settings::UnusableSetting,
    tools::ToolsError,
    workflow_file,
};

/// Why a run could not be started, resumed or found.
#[derive(Debug, Error)]
pub enum Error {
    /// The data folder cannot be created.
    #[error("the data folder {path} cannot be created")]
    DataDir {
        /// The path of the folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// An error of the run log.
    #[error(transparent)]
    Store(StoreError),
    /// An error of the artifact store.
    #[error(transparent)]
    Artifacts(ArtifactError),
    /// Another process drives the run.
    #[error(transparent)]
    Lease(LeaseError),
    /// An error of the browser.
    #[error("{0}")]
    Browser(#[source] Arc<BrowserError>),
    /// The run's tools are invalid.
    #[error(transparent)]
    Tools(ToolsError),
    /// The model's settings are invalid.
    #[error(transparent)]
    Model(ModelError),
    /// The run's cost is limited, and the price of a model is unknown.
    #[error("the cost limit of ${cap} cannot be enforced, because the price of {} is unknown; set it under `prices`", .models.join(" and of "))]
    UnknownPrice {
        /// The models, as `provider/name`.
        models: Vec<String>,
        /// The limit in US dollars.
        cap: f64,
    },
    /// Secrets that could not be obtained.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Secrets(Vec<SecretError>),
    /// The first step of the workflow needs a page, and nothing opens one.
    #[error("{}", workflow_file::NO_ADDRESS)]
    NoAddress,
    /// The run does not exist.
    #[error("there is no run {0:?}")]
    NoSuchRun(String),
    /// The text matches more than one run.
    #[error("{text:?} matches several runs: {}", .runs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    SeveralRuns {
        /// The text.
        text: String,
        /// The newest few of the matching runs.
        runs: Vec<RunId>,
    },
    /// The run cannot be replayed.
    #[error("run {0} cannot be replayed")]
    Replay(RunId, #[source] ReplayError),
    /// The playbook of the run cannot be used.
    #[error(transparent)]
    Playbook(PlaybookError),
    /// The run cannot be resumed.
    #[error("run {0} cannot be resumed")]
    Resume(RunId, #[source] ResumeError),
    /// The run worked in a tab of the user's own browser, and there is none to continue in.
    #[error("run {0} works in a tab of your own browser")]
    TabNeeded(RunId),
    /// The options that it began with cannot be read: the rules for sites, its policy or its secrets. Without them, the
    /// run would continue with fewer restrictions.
    #[error("run {run} cannot be resumed: the options that it began with cannot be read")]
    SavedOptions {
        /// The run.
        run: RunId,
        /// What cannot be read.
        #[source]
        source: SavedOptionsError,
    },
    /// The saved state of its browser cannot be read. Without its cookies and storage, the run would continue as
    /// another user.
    #[error("run {run} cannot be resumed: the cookies and storage that were kept for it cannot be read")]
    SavedState {
        /// The run.
        run: RunId,
        /// The reason.
        #[source]
        source: SavedStateError,
    },
}

/// Why the options that a run began with cannot be read.
#[derive(Debug, Error)]
pub enum SavedOptionsError {
    /// The event does not contain options.
    #[error("the saved options are not valid")]
    Form(#[from] serde_json::Error),
    /// A setting has a value that this version does not accept.
    #[error(transparent)]
    Setting(#[from] UnusableSetting),
    /// A secret is not described as on the command line.
    #[error(transparent)]
    Secret(#[from] SpecError),
    /// The policy has mistakes.
    #[error("the policy of the request: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Policy(Vec<PolicyProblem>),
}

/// Why a saved state cannot be read.
#[derive(Debug, Error)]
pub enum SavedStateError {
    /// Its file is missing or damaged.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// The artifact is not a saved state.
    #[error("artifact {hash} is not a saved state")]
    Content {
        /// The hash of the artifact.
        hash: String,
        /// The parse error.
        #[source]
        source: serde_json::Error,
    },
}

/// The code of an error of a browser as a whole.
pub(crate) fn browser_code(error: &BrowserError) -> Code {
    match error {
        BrowserError::Gone { .. } => Code::BrowserGone,
        BrowserError::TabRefused { .. } => Code::TabUnusable,
        _ => Code::BrowserLaunch,
    }
}

impl Error {
    /// What the user can try.
    pub fn hint(&self) -> String {
        match self {
            Error::DataDir { .. } => "set another folder with LEGWORK_DATA_DIR".into(),
            Error::Store(error) => error.hint().into(),
            Error::Browser(_) => "`legwork doctor` looks for browsers; `legwork install-browser` installs one".into(),
            Error::Tools(_) => "give each tool a unique name".into(),
            Error::Model(_) => "`legwork doctor` shows which keys and addresses are used".into(),
            Error::UnknownPrice { models, .. } => {
                let model = models.first().map_or("", String::as_str);
                format!(
                    "add it to the settings file, in US dollars per million tokens (`legwork config` names the file): \
                     [prices.\"{model}\"] with `input = 1.25` and `output = 10`, 0 for a model that is free; or set no `limits.max_cost`"
                )
            }
            Error::Secrets(_) => {
                "`--secret NAME` grants a secret to a run: its value comes from LEGWORK_SECRET_NAME, from `--secret NAME=FILE`, or from a prompt".into()
            }
            Error::NoAddress => workflow_file::ADDRESS_HINT.into(),
            Error::NoSuchRun(_) | Error::SeveralRuns { .. } => "`legwork runs` lists the runs".into(),
            Error::Lease(LeaseError::Lock { .. }) => {
                "free disk space, and allow this user to write to the data folder; `legwork doctor` shows where it is".into()
            }
            Error::Lease(_) => "wait for it, or stop the other process".into(),
            Error::Artifacts(_) => "`legwork doctor` shows where they are stored".into(),
            Error::Replay(..) => "`legwork show RUN` shows what it did; run its workflow again instead".into(),
            Error::Playbook(error) => error.hint().into(),
            Error::Resume(..) => "`legwork show RUN` shows how it ended".into(),
            Error::TabNeeded(_) => "resume it from the side panel, in the tab where it shall continue".into(),
            Error::SavedOptions { .. } => {
                "nothing was done; check the page and start a new run of the workflow, with the same options".into()
            }
            Error::SavedState { .. } => {
                "nothing was done; restore the data folder's `artifacts` from a backup, or check the page and start a new run"
                    .into()
            }
        }
    }

    /// The error in the common form of API, events and logs.
    pub fn standard(&self) -> ErrorReport {
        let code = match self {
            Error::Store(error) => error.code(),
            Error::DataDir { .. } | Error::Artifacts(_) => Code::Storage,
            Error::Lease(LeaseError::Lock { .. }) => Code::Storage,
            Error::Lease(_) => Code::SessionCreation,
            Error::Browser(error) => browser_code(error),
            Error::Tools(_) => Code::SettingsInvalid,
            Error::Model(error) => error.code(),
            Error::Secrets(_) | Error::UnknownPrice { .. } => Code::SettingsInvalid,
            Error::NoAddress => Code::WorkflowInvalid,
            Error::NoSuchRun(_) | Error::SeveralRuns { .. } => Code::RunNotFound,
            Error::Playbook(PlaybookError::Checksum { .. }) => Code::DataCorruption,
            Error::Playbook(PlaybookError::File { .. }) => Code::Storage,
            Error::Playbook(_) => Code::RequestInvalid,
            Error::Resume(_, ResumeError::Ended) | Error::Replay(..) | Error::TabNeeded(_) => Code::RequestInvalid,
            Error::Resume(..) | Error::SavedOptions { .. } | Error::SavedState { .. } => Code::DataCorruption,
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
        check(Error::TabNeeded(run), Code::RequestInvalid);
        check(Error::Resume(run, ResumeError::NoStart), Code::DataCorruption);
        check(Error::SavedOptions { run, source: SavedOptionsError::Policy(Vec::new()) }, Code::DataCorruption);
        let source = ArtifactError::Missing { hash: "0".into() }.into();
        check(Error::SavedState { run, source }, Code::DataCorruption);
    }
}
