//! The suites. Each names its tasks, and for a task and a seed sets a [`Scene`]: where to begin, what is asked, who judges.

mod miniwob;

use legwork::{
    StartRequest,
    protocol::{Outcome, Step, Workflow},
};

use crate::{EvalError, Episode, Told, plan::{DeciderName, SuiteName}, report::LeftOut};

/// A suite that is ready to be run.
pub(crate) enum Suite {
    MiniWob(miniwob::MiniWob),
}

/// One episode, set up.
pub(crate) struct Scene {
    /// The page to begin with.
    pub(crate) url: String,
    /// What is asked, in the words that a model reads.
    pub(crate) goal: String,
    /// The same as steps that can be read without a model, where the goal itself is none.
    pub(crate) steps: Vec<Step>,
    judge: Judge,
}

/// Who says whether it was solved.
enum Judge {
    /// The page: a reward above nothing, for what was asked.
    Reward { episode: Episode, asked: String },
}

/// What the judge says.
pub(crate) struct Verdict {
    pub(crate) solved: bool,
    /// What it saw, in a few words.
    pub(crate) judged: String,
}

impl Suite {
    pub(crate) async fn open(name: SuiteName) -> Result<Suite, EvalError> {
        match name {
            SuiteName::Miniwob => miniwob::MiniWob::open().await.map(Suite::MiniWob),
            SuiteName::Todomvc | SuiteName::Demo | SuiteName::Long => unimplemented!(),
        }
    }

    pub(crate) fn tasks(&self) -> Vec<String> {
        match self {
            Suite::MiniWob(suite) => suite.tasks(),
        }
    }

    pub(crate) async fn close(self) {
        match self {
            Suite::MiniWob(suite) => suite.close().await,
        }
    }

    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        Vec::new()
    }

    pub(crate) async fn scene(&self, task: &str, seed: u64) -> Result<Scene, EvalError> {
        match self {
            Suite::MiniWob(suite) => suite.scene(task, seed).await,
        }
    }
}

impl Scene {
    /// The run to start. Without a model it goes by the steps, if there are any.
    pub(crate) fn request(&self, decider: DeciderName) -> StartRequest {
        let workflow = |steps| Workflow {
            name: "evaluation".to_owned(),
            url: Some(self.url.clone()),
            inputs: Default::default(),
            steps,
        };
        if decider == DeciderName::Literal && !self.steps.is_empty() {
            return StartRequest::workflow(workflow(self.steps.clone()));
        }
        StartRequest::task(workflow(vec![Step::new(&self.goal)]))
    }

    /// What the judge says once the run has ended.
    pub(crate) fn verdict(&self, _outcome: &Outcome) -> Verdict {
        match &self.judge {
            Judge::Reward { episode, asked } => {
                let Told { utterance, reward, .. } = episode.told();
                let same = utterance.as_ref() == Some(asked);
                let judged = match reward {
                    _ if !same => format!("the page asked something else: {utterance:?}"),
                    Some(reward) => format!("reward {reward}"),
                    None => "no reward".to_owned(),
                };
                Verdict { solved: same && reward.is_some_and(|reward| reward > 0.0), judged }
            }
        }
    }
}
