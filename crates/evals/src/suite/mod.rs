//! The suites. Each lists its tasks and creates a [`Scene`] for a task and a seed: the first page, the task in words,
//! and the judge.

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
    Episode, EpisodeReport, EvalError,
    plan::{DeciderName, SuiteName},
    report::LeftOut,
};

/// A suite that is ready to run.
pub(crate) enum Suite {
    MiniWob(miniwob::MiniWob),
    TodoMvc(todomvc::TodoMvc),
    Demo(demo::Demo),
}

/// One prepared episode.
pub(crate) struct Scene {
    /// The first page.
    pub(crate) url: String,
    /// The task in the words that a model reads.
    pub(crate) goal: String,
    /// The same task as literal steps, if the goal itself is not one.
    pub(crate) steps: Vec<Step>,
    judge: Judge,
}

/// Decides whether the task was solved.
enum Judge {
    /// The reward of the page must be positive, and its task must be the given one.
    Reward { episode: Episode, asked: String },
    /// The content of the list on the page.
    List { episode: Episode, expected: Value },
    /// The forms that were posted to the site.
    Ledger { site: DemoSite, expected: demo::LedgerExpectation },
}

/// The verdict of the judge.
pub(crate) struct Verdict {
    pub(crate) solved: bool,
    /// What the judge saw, in a few words.
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
    /// The run to start. Without a model it carries out the steps, if there are any.
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

    /// The verdict after the run has ended.
    pub(crate) fn verdict(&self, outcome: &Outcome) -> Verdict {
        match &self.judge {
            Judge::Reward { episode, asked } => rewarded(&episode.report(), asked),
            Judge::List { episode, expected } => {
                let found = episode.report().state.unwrap_or_default();
                Verdict { solved: tasks::holds(expected, &found), judged: found.to_string() }
            }
            Judge::Ledger { site, expected } => expected.verdict(&site.ledger(), outcome),
        }
    }
}

impl Verdict {
    fn not(judged: String) -> Verdict {
        Verdict { solved: false, judged }
    }
}

fn rewarded(EpisodeReport { utterance, reward, .. }: &EpisodeReport, asked: &str) -> Verdict {
    match reward {
        _ if utterance.as_deref() != Some(asked) => {
            Verdict::not(format!("the page stated a different task: {utterance:?}"))
        }
        Some(reward) => Verdict { solved: *reward > 0.0, judged: format!("reward {reward}") },
        None => Verdict::not("no reward".to_owned()),
    }
}
