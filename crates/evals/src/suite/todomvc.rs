//! TodoMVC: one small application written in about fifty frameworks, with the same tasks for each. The judge reads
//! the list that the page shows at the end.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    Judge, Scene,
    tasks::{Expectation, Tasks, Values},
};
use crate::{
    EvalError, JudgeServer, Root,
    packages::{Package, Registry},
    report::LeftOut,
};

const PACKAGE: Package = Package {
    folder: "todomvc-0.1.1",
    file: "todomvc-0.1.1.tgz",
    sha256: "fd6f05a878cddee9b987ee449d8defa447d087d6b6ffc1d816bbb2cd64a6705f",
    registry: Registry::Npm("todomvc@0.1.1"),
};
const FILE: &str = "todomvc.yaml";
const APPS: &str = "todomvc-apps.yaml";

/// The expected list.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// The items in order; a completed item begins with `[x] `.
    shown: Vec<String>,
    /// The number of open items, according to the page.
    left: Option<u64>,
}

/// The applications that run, and those that do not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Apps {
    apps: Vec<String>,
    /// Tasks, with the applications that lack the feature they need.
    lacks: BTreeMap<String, Vec<String>>,
    /// Applications that do not run, with reasons.
    left_out: BTreeMap<String, String>,
}

pub(crate) struct TodoMvc {
    server: JudgeServer,
    tasks: Tasks<List>,
    apps: Apps,
}

impl Expectation for List {
    fn filled(&self, values: &Values, _: &[Values]) -> List {
        List { shown: self.shown.iter().map(|item| values.fill(item)).collect(), left: self.left }
    }
}

impl List {
    /// The expected state in the form in which the script reports it.
    pub(super) fn as_state(&self) -> serde_json::Value {
        let mut state = serde_json::json!({ "shown": self.shown });
        if let Some(left) = self.left {
            state["left"] = left.into();
        }
        state
    }
}

impl TodoMvc {
    pub(crate) async fn open() -> Result<TodoMvc, EvalError> {
        let tasks = Tasks::read(FILE, include_str!("../../../../evals/todomvc.yaml"))?;
        let apps = serde_norway::from_str(include_str!("../../../../evals/todomvc-apps.yaml"))
            .map_err(|source| EvalError::Tasks { file: APPS, source })?;
        let folder = PACKAGE.unpacked().await?.join("package");
        let root = Root { name: "todomvc", folder, script: include_str!("../pages/todomvc.js") };
        let server = JudgeServer::start(root).await.map_err(EvalError::io("the judge's server"))?;
        Ok(TodoMvc { server, tasks, apps })
    }

    /// Every task on every application, `react/add`.
    pub(crate) fn tasks(&self) -> Vec<String> {
        let pairs = self.apps.apps.iter().flat_map(|app| self.tasks.tasks.iter().map(move |task| (app, &task.name)));
        let has = |(app, task): &(&String, &String)| !self.apps.lacks.get(*task).is_some_and(|apps| apps.contains(app));
        pairs.filter(has).map(|(app, task)| format!("{app}/{task}")).collect()
    }

    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        let lacking = self.apps.lacks.iter().flat_map(|(task, apps)| {
            apps.iter().map(move |app| LeftOut {
                task: format!("{app}/{task}"),
                why: "the application lacks the feature".to_owned(),
            })
        });
        let whole = self.apps.left_out.iter().map(|(app, why)| LeftOut { task: app.clone(), why: why.clone() });
        whole.chain(lacking).collect()
    }

    pub(crate) fn scene(&self, name: &str, seed: u64) -> Result<Scene, EvalError> {
        let nothing = || EvalError::NoSuchTask { suite: "todomvc", task: name.to_owned() };
        let (app, task) = name.split_once('/').ok_or_else(nothing)?;
        let task = self.tasks.tasks.iter().find(|known| known.name == task).ok_or_else(nothing)?;
        let task = self.tasks.of_seed(task, seed);
        let episode = self.server.episode(&format!("examples/{app}/index.html"), seed);
        let url = episode.url.clone();
        let judge = Judge::List { expected: task.judge.as_state(), episode };
        Ok(Scene { url, goal: task.goal, steps: task.steps, judge })
    }
}
