//! Tasks as `evals/*.yaml` has them: what is asked, the same as literal steps, and what the judge wants to see, with
//! values that the seed picks.
//!
//! `vary` names lists; `{name}` in any text is the seed's entry of that list. Lists of different lengths vary apart.

use std::collections::BTreeMap;

use legwork::protocol::Step;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::EvalError;

/// A file of tasks, their judges being `J`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tasks<J> {
    /// Values by name, for the seed to pick from.
    #[serde(default)]
    vary: BTreeMap<String, Vec<String>>,
    pub(super) tasks: Vec<Task<J>>,
}

/// One task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task<J> {
    pub(super) name: String,
    /// From 1, what a click or two do, up to 5.
    #[serde(default)]
    pub(super) grade: u8,
    /// The path to begin with, where the suite has several.
    #[serde(default)]
    pub(super) start: String,
    /// What is asked, as a person would say it.
    pub(super) goal: String,
    /// The same in words that need no model.
    pub(super) steps: Vec<Step>,
    /// Repeats the rest for each of these, in place of `{field}`; the seed says with which of them it begins.
    #[serde(default)]
    each: Vec<BTreeMap<String, String>>,
    /// Goes on the goal for each.
    #[serde(default)]
    each_goal: String,
    /// Go on the steps for each.
    #[serde(default)]
    each_steps: Vec<Step>,
    /// What is wanted in the end.
    pub(super) judge: J,
}

/// A judge's wishes that may be repeated for each record of a task.
pub(super) trait Wishes: Clone {
    /// The same with every text filled in.
    fn filled(&self, fill: &dyn Fn(&str) -> String, records: &[&dyn Fn(&str) -> String]) -> Self;
}

impl<J: DeserializeOwned + Wishes> Tasks<J> {
    /// Reads a file of `evals/`.
    pub(super) fn read(file: &'static str, text: &str) -> Result<Tasks<J>, EvalError> {
        serde_norway::from_str(text).map_err(|source| EvalError::Tasks { file, source })
    }

    /// A task with the seed's values in place.
    pub(super) fn of_seed(&self, task: &Task<J>, seed: u64) -> Task<J> {
        let pick = |values: &[String]| values[usize::try_from(seed % values.len() as u64).unwrap_or(0)].clone();
        let picked: Vec<(String, String)> = self
            .vary
            .iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(name, values)| (format!("{{{name}}}"), pick(values)))
            .collect();
        let fill = |text: &str| picked.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
        let mut records = task.each.clone();
        if !records.is_empty() {
            let first = usize::try_from(seed % records.len() as u64).unwrap_or(0);
            records.rotate_left(first);
        }
        let fills: Vec<Box<dyn Fn(&str) -> String>> = records
            .iter()
            .map(|record| -> Box<dyn Fn(&str) -> String> {
                let record: Vec<_> = record.iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())).collect();
                Box::new(move |text: &str| record.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value)))
            })
            .collect();
        let step = |step: &Step, fill: &dyn Fn(&str) -> String| Step {
            step: fill(&step.step),
            expect: step.expect.as_deref().map(fill),
            when: step.when.as_deref().map(fill),
            ..step.clone()
        };
        let mut goal = fill(&task.goal);
        let mut steps: Vec<Step> = task.steps.iter().map(|one| step(one, &fill)).collect();
        for record in &fills {
            goal.push(' ');
            goal.push_str(fill(&record(&task.each_goal)).trim());
            steps.extend(task.each_steps.iter().map(|one| step(&step(one, record), &fill)));
        }
        let records: Vec<&dyn Fn(&str) -> String> = fills.iter().map(|fill| fill.as_ref() as &dyn Fn(&str) -> String).collect();
        Task { goal: goal.trim().to_owned(), steps, judge: task.judge.filled(&fill, &records), ..task.clone() }
    }
}

/// Whether a value has at least what is wanted: the wanted fields of objects, everything else the same.
pub(super) fn holds(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| holds(wanted, found)))
        }
        _ => wanted == found,
    }
}
