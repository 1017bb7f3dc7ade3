//! The result of an evaluation: every episode and the score of every task, as JSON and as a table.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Serialize;

use crate::{
    EvalError,
    plan::{DeciderName, SuiteName},
    score::{Score, Share, Spent, scores},
};

/// One run of one task.
#[derive(Clone, Debug, Serialize)]
pub struct EpisodeResult {
    /// The task.
    pub task: String,
    /// The seed.
    pub seed: u64,
    /// The number of the repetition with this seed, from 0.
    pub repeat: u32,
    /// The task in words.
    pub asked: String,
    /// Whether the judge counts it as solved.
    pub solved: bool,
    /// What the judge saw, in a few words.
    pub judged: String,
    /// Whether the run ended as a success.
    pub claimed: bool,
    /// How the run ended: status and validation.
    pub ended: String,
    /// The error of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The cost of the run.
    pub spent: Spent,
    /// The id of the run in the data folder of the evaluation.
    pub run: String,
}

/// An evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The suite.
    pub suite: SuiteName,
    /// The decider.
    pub decider: DeciderName,
    /// The model, if it was the decider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The start time.
    pub began: Timestamp,
    /// The seeds of each task.
    pub seeds: Vec<u64>,
    /// The number of repetitions.
    pub repeats: u32,
    /// The score of all episodes.
    pub total: Score,
    /// The score of each task.
    pub tasks: Vec<Score>,
    /// The tasks that were left out, with reasons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// All episodes.
    pub episodes: Vec<EpisodeResult>,
}

/// A task that was left out.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOut {
    /// The task.
    pub task: String,
    /// The reason.
    pub why: String,
}

impl Report {
    /// Computes the scores of episodes.
    pub fn of(
        head: (SuiteName, DeciderName, Option<String>),
        began: Timestamp,
        tried: (Vec<u64>, u32),
        mut episodes: Vec<EpisodeResult>,
        left_out: Vec<LeftOut>,
    ) -> Report {
        episodes.sort_by(|a, b| (&a.task, a.seed, a.repeat).cmp(&(&b.task, b.seed, b.repeat)));
        let (tasks, total) = scores(&episodes);
        let ((suite, decider, model), (seeds, repeats)) = (head, tried);
        Report { suite, decider, model, began, seeds, repeats, total, tasks, left_out, episodes }
    }

    /// Writes `FILE.json` and `FILE.md`, and returns the path of the first.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&self, out: Option<&Path>) -> Result<PathBuf, EvalError> {
        let name = format!("{}-{}", self.suite.name(), self.decider.name());
        let out = out.map_or_else(|| folder().join(name), Path::to_owned);
        if let Some(folder) = out.parent() {
            std::fs::create_dir_all(folder).map_err(EvalError::file(folder))?;
        }
        let file = out.with_extension("json");
        write_json(&file, self)?;
        let table = out.with_extension("md");
        std::fs::write(&table, self.markdown()).map_err(EvalError::file(&table))?;
        Ok(file)
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let who = match &self.model {
            Some(model) => format!("{} ({model})", self.decider.name()),
            None => self.decider.name().to_owned(),
        };
        let mut text = format!(
            "{}, {who}: solved {} of {} ({}), seeds {}{}.\n\n",
            self.suite.name(),
            self.total.solved.successes,
            self.total.solved.tries,
            interval(&self.total.solved),
            self.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            if self.repeats > 1 { format!(", each {} times", self.repeats) } else { String::new() },
        );
        let models = self.total.mean.calls > 0.0;
        text.push_str("| task | solved | 95 % interval | false success | s | turns | actions |");
        text.push_str(if models { " calls | prompt tokens | cached | reply tokens | $ |\n" } else { "\n" });
        text.push_str(if models {
            "|---|---|---|---|---|---|---|---|---|---|---|---|\n"
        } else {
            "|---|---|---|---|---|---|---|\n"
        });
        for score in self.tasks.iter().chain([&self.total]) {
            row(&mut text, score, models);
        }
        for LeftOut { task, why } in &self.left_out {
            writeln!(text, "\nLeft out: {task}, {why}").expect("writing to a string does not fail");
        }
        text
    }
}

/// Writes results to a file as JSON.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(file: &Path, results: &impl Serialize) -> Result<(), EvalError> {
    let json = serde_json::to_string_pretty(results).expect("numbers and texts are always JSON");
    std::fs::write(file, json + "\n").map_err(EvalError::file(file))
}

/// The folder for results and runs.
pub(crate) fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("evals")
}

fn interval(share: &Share) -> String {
    format!("{:.0}–{:.0} %", 100.0 * share.low, 100.0 * share.high)
}

fn row(text: &mut String, score: &Score, models: bool) {
    let Score { task, solved, false_claims, mean } = score;
    let mut row = format!(
        "| {task} | {}/{} | {} | {false_claims} | {:.1} | {:.1} | {:.1} |",
        solved.successes,
        solved.tries,
        interval(solved),
        mean.seconds,
        mean.turns,
        mean.actions
    );
    if models {
        let cost = mean.cost_usd.map_or_else(|| "–".to_owned(), |cost| format!("{cost:.4}"));
        write!(
            row,
            " {:.1} | {:.0} | {:.0} | {:.0} | {cost} |",
            mean.calls, mean.prompt_tokens, mean.cached_tokens, mean.completion_tokens
        )
        .expect("writing to a string does not fail");
    }
    text.push_str(&row);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(task: &str, seed: u64, solved: bool, claimed: bool, calls: f64) -> EpisodeResult {
        EpisodeResult {
            task: task.to_owned(),
            seed,
            repeat: 0,
            asked: "Click it.".to_owned(),
            solved,
            judged: String::new(),
            claimed,
            ended: "success".to_owned(),
            error: None,
            spent: Spent {
                seconds: 0.5 + seed as f64,
                turns: 2.0,
                actions: 1.0,
                calls,
                prompt_tokens: calls * 900.0,
                ..Spent::default()
            },
            run: String::new(),
        }
    }

    fn report(calls: f64) -> Report {
        let episodes = vec![
            episode("click", 1, true, true, calls),
            episode("type", 0, false, true, calls),
            episode("click", 0, true, false, calls),
            episode("type", 1, false, false, calls),
        ];
        let left_out = vec![LeftOut { task: "fly".into(), why: "it needs wings".into() }];
        let head = (SuiteName::Miniwob, DeciderName::Literal, None);
        Report::of(head, Timestamp::UNIX_EPOCH, (vec![0, 1], 1), episodes, left_out)
    }

    #[test]
    fn the_table_without_a_model() {
        insta::assert_snapshot!(report(0.0).markdown());
    }

    #[test]
    fn the_table_of_a_model() {
        insta::assert_snapshot!(
            Report { decider: DeciderName::Model, model: Some("ollama/qwen3".into()), ..report(2.0) }.markdown()
        );
    }

    #[test]
    fn it_is_written_as_json_and_as_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let report = report(1.0);
        let file = report.write(Some(&folder.path().join("deep/result"))).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(json["total"]["solved"]["successes"], 2);
        assert_eq!(json["total"]["false_claims"], 1);
        assert_eq!(json["episodes"][1]["seed"], 1);
        assert_eq!(std::fs::read_to_string(file.with_extension("md")).unwrap(), report.markdown());
    }
}
