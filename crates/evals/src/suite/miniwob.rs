//! MiniWoB++: small pages, each with one task in words and its own reward.
//!
//! The task is known only after the page has generated it from the seed. The page of each episode is therefore loaded
//! twice: once to read the task, then again by the run that is judged. The same seed must produce the same task; this
//! is checked.

use super::{Judge, Scene};
use crate::{
    EvalError, JudgeServer, Root,
    packages::{Package, Registry},
    scout::Scout,
};

const PACKAGE: Package = Package {
    folder: "miniwob-1.1.0",
    file: "miniwob-1.1.0-py3-none-any.whl",
    sha256: "297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9",
    registry: Registry::Pypi("miniwob==1.1.0"),
};
const TASKS: &str = include_str!("../../../../evals/miniwob.txt");

pub(crate) struct MiniWob {
    server: JudgeServer,
    scout: Scout,
}

impl MiniWob {
    pub(crate) async fn open() -> Result<MiniWob, EvalError> {
        let folder = PACKAGE.unpacked().await?.join("miniwob/html");
        let root = Root { name: "miniwob", folder, script: include_str!("../pages/miniwob.js") };
        let server = JudgeServer::start(root).await.map_err(EvalError::io("the judge's server"))?;
        Ok(MiniWob { server, scout: Scout::start().await? })
    }

    pub(crate) fn tasks(&self) -> Vec<String> {
        TASKS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
    }

    pub(crate) async fn scene(&self, task: &str, seed: u64) -> Result<Scene, EvalError> {
        let page = format!("miniwob/{task}.html");
        let first = self.server.episode(&page, seed);
        self.scout.visit(&first.url).await?;
        let goal = first.report().utterance.ok_or_else(|| EvalError::NotReady(task.to_owned()))?;
        let episode = self.server.episode(&page, seed);
        let url = episode.url.clone();
        Ok(Scene { url, judge: Judge::Reward { episode, asked: goal.clone() }, goal, steps: Vec::new() })
    }

    pub(crate) async fn close(self) {
        self.scout.close().await;
    }
}
