//! TodoMVC: one small application written in some fifty frameworks, and the same tasks on each. The page itself is the
//! judge: what its list shows in the end.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    Judge, Scene,
    tasks::{Tasks, Values, Wishes},
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

/// What the list should show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// Its items in order; one that is done begins with `[x] `.
    shown: Vec<String>,
    /// How many are left, as the page counts them.
    left: Option<u64>,
}

/// Which applications are run, and which are not.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Apps {
    apps: Vec<String>,
    /// Tasks, and the applications that have nothing to do them with.
    lacks: BTreeMap<String, Vec<String>>,
    /// Applications that do not run here, and why.
    left_out: BTreeMap<String, String>,
}

pub(crate) struct TodoMvc {
    server: JudgeServer,
    tasks: Tasks<List>,
    apps: Apps,
}

impl Wishes for List {
    fn filled(&self, values: &Values, _: &[Values]) -> List {
        List { shown: self.shown.iter().map(|item| values.fill(item)).collect(), left: self.left }
    }
}

impl List {
    /// The page's state as the script tells it.
    pub(super) fn as_told(&self) -> serde_json::Value {
        let mut told = serde_json::json!({ "shown": self.shown });
        if let Some(left) = self.left {
            told["left"] = left.into();
        }
        told
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
            apps.iter().map(move |app| LeftOut { task: format!("{app}/{task}"), why: "it has none".to_owned() })
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
        let judge = Judge::List { wanted: task.judge.as_told(), episode };
        Ok(Scene { url, goal: task.goal, steps: task.steps, judge })
    }
}
