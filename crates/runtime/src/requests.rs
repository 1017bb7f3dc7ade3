//! What a caller asks for when it starts or resumes a run.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use legwork_agent::Assumption;
use legwork_browser::StorageState;
use legwork_model::ChatModel;
use legwork_protocol::{Action, RunId, Step, Workflow};
use secrecy::SecretString;
use serde_json::Value;

use crate::{decider::Decider, settings::Settings, tools::Tool, vault::SecretSpec};

/// Asks a person for the secret of a name.
pub type AskSecret = Box<dyn FnMut(&str) -> Option<SecretString> + Send + Sync>;

/// What to run, and what only its caller can give.
#[derive(Default)]
pub struct StartRequest {
    /// What to do.
    pub workflow: Workflow,
    /// Whether it is a lone task, whose answer is wanted.
    pub task: bool,
    /// Values for its inputs.
    pub inputs: BTreeMap<String, Value>,
    /// Its secrets: where from, where to.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for a secret by its name.
    pub ask_secret: Option<AskSecret>,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// Whether somebody is there to answer questions; else a question parks the run.
    pub interactive: bool,
    /// Parks the run when nobody answers a question for so long; without it a question waits as long as the run may last.
    pub answer_within: Option<Duration>,
    /// The run's name, when the caller had to give it away before the run could begin; else a fresh one.
    pub id: Option<RunId>,
    /// Tools that its model may call besides those of [`Runtime::with_tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// A model of one's own in place of those that the settings name.
    pub model: Option<Arc<dyn ChatModel>>,
    /// A decider of one's own, asked before the model.
    pub decider: Option<Arc<dyn Decider>>,
    /// The run's own settings in place of the runtime's. What is shared by all runs (data folder, browser) stays.
    pub settings: Option<Settings>,
}

impl StartRequest {
    /// A run of a workflow.
    pub fn workflow(workflow: Workflow) -> Self {
        StartRequest { workflow, ..StartRequest::default() }
    }

    /// A run of one action as it stands.
    pub fn action(action: Action) -> Self {
        let title = action.describe(None);
        let step = Step { action: Some(action), ..Step::new(&title) };
        StartRequest::workflow(Workflow { name: title, steps: vec![step], ..Workflow::default() })
    }

    /// A run of a lone task.
    pub fn task(workflow: Workflow) -> Self {
        StartRequest { workflow, task: true, ..StartRequest::default() }
    }
}

/// What a person says when a run is taken up again.
#[derive(Default)]
pub struct ResumeRequest {
    /// What became of the action whose result was lost.
    pub assume: Option<Assumption>,
    /// Secrets given anew; those that the run began with are got again from where they came.
    pub secrets: Vec<SecretSpec>,
    /// Asks a person for a secret by its name.
    pub ask_secret: Option<AskSecret>,
    /// Whether somebody is there to answer questions.
    pub interactive: bool,
    /// As in [`StartRequest::answer_within`].
    pub answer_within: Option<Duration>,
    /// As in [`StartRequest::tools`].
    pub tools: Vec<Arc<dyn Tool>>,
    /// As in [`StartRequest::model`].
    pub model: Option<Arc<dyn ChatModel>>,
    /// As in [`StartRequest::decider`].
    pub decider: Option<Arc<dyn Decider>>,
}
