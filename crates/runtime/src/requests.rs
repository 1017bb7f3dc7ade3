//! The requests to start or resume a run.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use legwork_agent::{Assumption, playbook::Playbook};
use legwork_browser::StorageState;
use legwork_model::ChatModel;
use legwork_protocol::{Action, RunId, Step, Workflow};
use secrecy::SecretString;
use serde_json::Value;

use crate::{
    RelayedBrowser,
    decider::Decider,
    secrets::{HiddenValues, SecretSpec},
    settings::Settings,
    tools::Tool,
};

/// Asks a person for the secret with a name.
pub type AskSecret = Box<dyn FnMut(&str) -> Option<SecretString> + Send + Sync>;

/// What to run, and the parts that only the caller can supply.
#[derive(Default)]
pub struct StartRequest {
    /// The workflow.
    pub workflow: Workflow,
    /// Whether it is a single task that returns an answer.
    pub task: bool,
    /// The values of its inputs.
    pub inputs: BTreeMap<String, Value>,
    /// Its secrets: their sources and the origins they may be typed into.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for the secret with a name.
    pub ask_secret: Option<AskSecret>,
    /// The values of secrets of other runs, which this run hides wherever they occur.
    pub hidden: HiddenValues,
    /// Initial cookies and storage.
    pub storage_state: Option<StorageState>,
    /// Folders from which files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Whether somebody can answer questions. If not, a question parks the run.
    pub interactive: bool,
    /// Parks the run if a question stays unanswered for this time. If absent, a question waits until the run's time
    /// limit.
    pub answer_within: Option<Duration>,
    /// The run's id, if the caller had to publish it before the run could begin. If absent, the run gets a new one.
    pub id: Option<RunId>,
    /// Whether a client of MCP wrote the words, and not the user: where `allow_write` names sites, the run writes only
    /// there, and its words name no other ones.
    pub is_by_client: bool,
    /// Tools that its model may call, in addition to those of [`crate::Runtime::with_tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// A model of your own, instead of those in the settings.
    pub model: Option<Arc<dyn ChatModel>>,
    /// A decider of your own, which is called before the model.
    pub decider: Option<Arc<dyn Decider>>,
    /// The playbook of the run, instead of the one that the settings choose.
    pub playbook: Option<Playbook>,
    /// The browser of the run instead of the runtime's: a tab of the user's own, in which the run begins where the tab
    /// is, and which stays open.
    pub browser: Option<RelayedBrowser>,
    /// The run's own settings instead of the runtime's. Settings of shared parts (data folder, browser) have no effect.
    pub settings: Option<Settings>,
}

impl StartRequest {
    /// A request for a workflow.
    pub fn workflow(workflow: Workflow) -> Self {
        StartRequest { workflow, ..StartRequest::default() }
    }

    /// A request for one action.
    pub fn action(action: Action) -> Self {
        let title = action.describe(None);
        let step = Step { action: Some(action), ..Step::new(&title) };
        StartRequest::workflow(Workflow { name: title, steps: vec![step], ..Workflow::default() })
    }

    /// A request for a single task.
    pub fn task(workflow: Workflow) -> Self {
        StartRequest { workflow, task: true, ..StartRequest::default() }
    }
}

/// The parts that the caller supplies when a run is resumed.
#[derive(Default)]
pub struct ResumeRequest {
    /// The person's statement about the action whose result was lost.
    pub assume: Option<Assumption>,
    /// Additional or replaced secrets. The run's original secrets are read from their sources again.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for the secret with a name.
    pub ask_secret: Option<AskSecret>,
    /// As in [`StartRequest::hidden`].
    pub hidden: HiddenValues,
    /// Whether somebody can answer questions.
    pub interactive: bool,
    /// As in [`StartRequest::answer_within`].
    pub answer_within: Option<Duration>,
    /// As in [`StartRequest::tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// As in [`StartRequest::model`].
    pub model: Option<Arc<dyn ChatModel>>,
    /// As in [`StartRequest::decider`].
    pub decider: Option<Arc<dyn Decider>>,
    /// As in [`StartRequest::browser`]. A run that began in such a tab can only be resumed in one.
    pub browser: Option<RelayedBrowser>,
}
