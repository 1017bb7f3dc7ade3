//! The plan of an evaluation, as given on the command line.

use std::{
    collections::hash_map::RandomState,
    fmt,
    hash::{BuildHasher, Hasher},
    path::PathBuf,
    str::FromStr,
};

use clap::{Parser, ValueEnum};
use serde::Serialize;

/// Run a suite of tasks with judges in code and score it.
#[derive(Clone, Debug, Parser)]
#[command(name = "cargo xtask eval")]
pub struct EvalPlan {
    /// Suite
    #[arg(long, value_enum, default_value_t = SuiteName::Miniwob)]
    pub suite: SuiteName,
    /// Only this task; may be repeated. A name that ends with `*` selects all tasks with this beginning.
    #[arg(long = "task", value_name = "NAME")]
    pub tasks: Vec<String>,
    /// Run each task once for each of these seeds: `0-4`, `1,5,9`, or `random:5` for five random ones. Default:
    /// `0-4`, and `0` for the long suites todomvc and long.
    #[arg(long)]
    pub seeds: Option<Seeds>,
    /// Repetitions of each seed.
    #[arg(long, default_value_t = 1)]
    pub repeats: u32,
    /// Decider; `model` if a model is given.
    #[arg(long, value_enum)]
    pub decider: Option<DeciderName>,
    /// Model, as `provider/name`.
    #[arg(long)]
    pub model: Option<String>,
    /// Base URL of the model.
    #[arg(long, requires = "model")]
    pub base_url: Option<String>,
    /// A setting, as in `--set timeouts.request=5m`; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub settings: Vec<(String, String)>,
    /// Runs at the same time, in one browser.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub jobs: u8,
    /// Output, as FILE.json and FILE.md; by default `target/evals/SUITE-DECIDER`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SuiteName {
    /// The public tasks of MiniWoB++.
    Miniwob,
    /// TodoMVC in about fifty frameworks.
    Todomvc,
    /// The demo site.
    Demo,
    /// Tasks of fifty turns and more on the demo site.
    Long,
}

/// What makes the decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeciderName {
    /// The words of a step, without a model.
    Literal,
    /// A policy that receives the prompts of a model.
    Scripted,
    /// A model.
    Model,
}

impl EvalPlan {
    /// The decider of this plan.
    pub fn decider(&self) -> DeciderName {
        let unsaid = if self.model.is_some() { DeciderName::Model } else { DeciderName::Literal };
        self.decider.unwrap_or(unsaid)
    }

    /// The seeds of each task.
    pub fn seeds(&self) -> Vec<u64> {
        match (&self.seeds, self.suite) {
            (Some(seeds), _) => seeds.0.clone(),
            (None, SuiteName::Miniwob | SuiteName::Demo) => (0..5).collect(),
            (None, SuiteName::Todomvc | SuiteName::Long) => vec![0],
        }
    }

    /// Whether a task is selected.
    pub(crate) fn wants(&self, task: &str) -> bool {
        let fits = |wanted: &String| match wanted.strip_suffix('*') {
            Some(beginning) => task.starts_with(beginning),
            None => task == wanted,
        };
        self.tasks.is_empty() || self.tasks.iter().any(fits)
    }
}

impl fmt::Display for SuiteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl SuiteName {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SuiteName::Miniwob => "miniwob",
            SuiteName::Todomvc => "todomvc",
            SuiteName::Demo => "demo",
            SuiteName::Long => "long",
        }
    }
}

impl DeciderName {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DeciderName::Literal => "literal",
            DeciderName::Scripted => "scripted",
            DeciderName::Model => "model",
        }
    }
}

/// The seeds of a suite's tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(pub Vec<u64>);

/// The seeds cannot be parsed.
#[derive(Debug, thiserror::Error)]
#[error("write seeds as 0-4, 1,5,9 or random:5")]
pub struct NoSeeds;

impl FromStr for Seeds {
    type Err = NoSeeds;

    fn from_str(text: &str) -> Result<Seeds, NoSeeds> {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| NoSeeds);
        if let Some(count) = text.strip_prefix("random:") {
            // Seeds stay below 2^53, because pages read them as JavaScript numbers.
            return Ok(Seeds((0..number(count)?).map(|_| RandomState::new().build_hasher().finish() >> 11).collect()));
        }
        if let Some((first, last)) = text.split_once('-') {
            return Ok(Seeds((number(first)?..=number(last)?).collect()));
        }
        text.split(',').map(number).collect::<Result<_, _>>().map(Seeds)
    }
}

pub(crate) fn name_and_value(text: &str) -> Result<(String, String), clap::Error> {
    let split = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    split.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::ValueValidation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_ranges_lists_or_new() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0).ok();
        assert_eq!(seeds("0-4"), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(seeds("1,5, 9"), Some(vec![1, 5, 9]));
        assert_eq!(seeds("7"), Some(vec![7]));
        assert_eq!(seeds("a-b"), None);
        let (once, again) = (seeds("random:3").unwrap(), seeds("random:3").unwrap());
        assert!(once.len() == 3 && once != again && once.iter().all(|seed| *seed < 1 << 53), "{once:?} {again:?}");
    }

    #[test]
    fn what_is_not_said_has_a_default() {
        let plan = |arguments: &[&str]| EvalPlan::parse_from([&["eval"], arguments].concat());
        assert_eq!(plan(&[]).decider(), DeciderName::Literal);
        assert_eq!(plan(&["--model", "ollama/qwen3"]).decider(), DeciderName::Model);
        assert_eq!(plan(&["--decider", "scripted"]).decider(), DeciderName::Scripted);
        assert_eq!(plan(&[]).seeds(), [0, 1, 2, 3, 4]);
        assert_eq!(plan(&["--suite", "todomvc"]).seeds(), [0]);
        assert_eq!(plan(&["--suite", "todomvc", "--seeds", "7"]).seeds(), [7]);
    }

    #[test]
    fn tasks_are_named_whole_or_by_their_beginning() {
        let plan = EvalPlan::parse_from(["eval", "--task", "click-test-2", "--task", "focus*"]);
        let wanted = ["click-test-2", "click-test-2b", "focus-text", "unfocus"].map(|task| plan.wants(task));
        assert_eq!(wanted, [true, false, true, false]);
    }
}
