//! The suites. Each names its tasks, and for a task and a seed sets a [`Scene`]: where to begin, what is asked, who judges.

mod demo;
mod miniwob;
mod tasks;
mod todomvc;

use legwork::{
    StartRequest,
    protocol::{Outcome, Step, Workflow},
};

use legwork_demo_site::DemoSite;
use serde_json::Value;

use crate::{
    Episode, EvalError, Told,
    plan::{DeciderName, SuiteName},
    report::LeftOut,
};

/// A suite that is ready to be run.
pub(crate) enum Suite {
    MiniWob(miniwob::MiniWob),
    TodoMvc(todomvc::TodoMvc),
    Demo(demo::Demo),
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
    /// The page: what its list shows.
    List { episode: Episode, wanted: Value },
    /// The site: what was posted to it.
    Ledger { site: DemoSite, wanted: demo::Books },
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
            SuiteName::Todomvc => todomvc::TodoMvc::open().await.map(Suite::TodoMvc),
            SuiteName::Demo | SuiteName::Long => demo::Demo::open(name).map(Suite::Demo),
        }
    }

    pub(crate) fn tasks(&self) -> Vec<String> {
        match self {
            Suite::MiniWob(suite) => suite.tasks(),
            Suite::TodoMvc(suite) => suite.tasks(),
            Suite::Demo(suite) => suite.tasks(),
        }
    }

    pub(crate) async fn close(self) {
        if let Suite::MiniWob(suite) = self {
            suite.close().await;
        }
    }

    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        match self {
            Suite::TodoMvc(suite) => suite.left_out(),
            Suite::MiniWob(_) | Suite::Demo(_) => Vec::new(),
        }
    }

    pub(crate) async fn scene(&self, task: &str, seed: u64) -> Result<Scene, EvalError> {
        match self {
            Suite::MiniWob(suite) => suite.scene(task, seed).await,
            Suite::TodoMvc(suite) => suite.scene(task, seed),
            Suite::Demo(suite) => suite.scene(task, seed).await,
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
    pub(crate) fn verdict(&self, outcome: &Outcome) -> Verdict {
        match &self.judge {
            Judge::Reward { episode, asked } => rewarded(&episode.told(), asked),
            Judge::List { episode, wanted } => {
                let found = episode.told().state.unwrap_or_default();
                Verdict { solved: tasks::holds(wanted, &found), judged: found.to_string() }
            }
            Judge::Ledger { site, wanted } => wanted.verdict(&site.ledger(), outcome),
        }
    }
}

impl Verdict {
    fn not(judged: String) -> Verdict {
        Verdict { solved: false, judged }
    }
}

fn rewarded(Told { utterance, reward, .. }: &Told, asked: &str) -> Verdict {
    match reward {
        _ if utterance.as_deref() != Some(asked) => {
            Verdict::not(format!("the page asked something else: {utterance:?}"))
        }
        Some(reward) => Verdict { solved: *reward > 0.0, judged: format!("reward {reward}") },
        None => Verdict::not("no reward".to_owned()),
    }
}
