//! The tasks of `evals/*.yaml`: the goal, the same as literal steps, and the expectation of the judge, with values
//! that the seed selects.
//!
//! `vary` contains named lists; `{name}` in any text is the entry that the seed selects. Lists of different lengths
//! vary independently.

use std::collections::BTreeMap;

use legwork::protocol::Step;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::EvalError;

/// A file of tasks, whose judges are `J`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tasks<J> {
    /// Lists of values, from which the seed selects.
    #[serde(default)]
    vary: BTreeMap<String, Vec<String>>,
    pub(super) tasks: Vec<Task<J>>,
}

/// One task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task<J> {
    pub(super) name: String,
    /// The difficulty: from 1 for a click or two, to 5.
    #[serde(default)]
    pub(super) grade: u8,
    /// The path of the first page, if the suite has several.
    #[serde(default)]
    pub(super) start: String,
    /// The goal, as a person would state it.
    pub(super) goal: String,
    /// The same goal as literal steps.
    pub(super) steps: Vec<Step>,
    /// Records for which the task is repeated; their fields replace `{field}`. The seed selects the first record.
    #[serde(default)]
    each: Vec<BTreeMap<String, String>>,
    /// Appended to the goal for each record.
    #[serde(default)]
    each_goal: String,
    /// Appended to the steps for each record.
    #[serde(default)]
    each_steps: Vec<Step>,
    /// The expectation of the judge.
    pub(super) judge: J,
}

/// An expectation of a judge that contains placeholders.
pub(super) trait Expectation: Clone {
    /// Fills in all texts: once with the values of the seed, and for each record of the task.
    fn filled(&self, values: &Values, records: &[Values]) -> Self;
}

/// The values of `{name}`.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(String, String)>);

impl Values {
    fn of<'a>(pairs: impl IntoIterator<Item = (&'a String, &'a String)>) -> Values {
        Values(pairs.into_iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())).collect())
    }

    /// Fills in the values of a text.
    pub(super) fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    fn step(&self, step: &Step) -> Step {
        let fill = |text: &String| self.fill(text);
        Step {
            step: fill(&step.step),
            expect: step.expect.as_ref().map(fill),
            when: step.when.as_ref().map(fill),
            ..step.clone()
        }
    }
}

/// Selects an index by the seed; 0 for an empty list.
fn nth(seed: u64, of: usize) -> usize {
    usize::try_from(seed % (of.max(1) as u64)).unwrap_or(0)
}

impl<J: DeserializeOwned + Expectation> Tasks<J> {
    /// Parses a file of `evals/`.
    pub(super) fn read(file: &'static str, text: &str) -> Result<Tasks<J>, EvalError> {
        serde_norway::from_str(text).map_err(|source| EvalError::Tasks { file, source })
    }

    /// A task with the values of the seed.
    pub(super) fn of_seed(&self, task: &Task<J>, seed: u64) -> Task<J> {
        let picked = self.vary.iter().filter_map(|(name, values)| Some((name, values.get(nth(seed, values.len()))?)));
        let picked = Values::of(picked);
        let mut records: Vec<Values> = task.each.iter().map(Values::of).collect();
        let first = nth(seed, records.len());
        records.rotate_left(first);
        for record in &mut records {
            record.0.extend(picked.0.iter().cloned());
        }
        let goals = records.iter().map(|record| record.fill(&task.each_goal));
        let goal: Vec<String> = [picked.fill(&task.goal)].into_iter().chain(goals).collect();
        let mut steps: Vec<Step> = task.steps.iter().map(|step| picked.step(step)).collect();
        for record in &records {
            steps.extend(task.each_steps.iter().map(|step| record.step(step)));
        }
        let judge = task.judge.filled(&picked, &records);
        Task { goal: goal.join(" ").trim().to_owned(), steps, judge, ..task.clone() }
    }
}

/// Whether a value contains the expected one: the expected fields of objects, otherwise an equal value.
pub(super) fn holds(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().all(|(key, expected)| found.get(key).is_some_and(|found| holds(expected, found)))
        }
        _ => expected == found,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Clone, Debug, Deserialize)]
    struct Sum(String);

    impl Expectation for Sum {
        fn filled(&self, _: &Values, records: &[Values]) -> Sum {
            Sum(records.iter().map(|record| record.fill(&self.0)).collect::<Vec<_>>().join(" + "))
        }
    }

    const TASKS: &str = r#"
vary:
  colour: [red, blue]
tasks:
  - name: boats
    goal: Order in {colour}.
    steps: [Open the shop]
    each: [{ boat: gig }, { boat: punt }, { boat: yawl }]
    each_goal: Then a {colour} {boat}.
    each_steps:
      - step: Click "{boat}"
        expect: '"{colour} {boat}" is shown'
    judge: "{colour} {boat}"
"#;

    #[test]
    fn the_seed_picks_values_and_where_records_begin() {
        let tasks: Tasks<Sum> = Tasks::read("boats.yaml", TASKS).unwrap();
        let check = |seed, goal: &str, steps: &[&str], sum: &str| {
            let task = tasks.of_seed(&tasks.tasks[0], seed);
            assert_eq!(task.goal, goal);
            assert_eq!(task.steps.iter().map(|step| step.step.as_str()).collect::<Vec<_>>(), steps);
            assert_eq!(task.judge.0, sum);
        };
        check(
            0,
            "Order in red. Then a red gig. Then a red punt. Then a red yawl.",
            &["Open the shop", r#"Click "gig""#, r#"Click "punt""#, r#"Click "yawl""#],
            "red gig + red punt + red yawl",
        );
        check(
            1,
            "Order in blue. Then a blue punt. Then a blue yawl. Then a blue gig.",
            &["Open the shop", r#"Click "punt""#, r#"Click "yawl""#, r#"Click "gig""#],
            "blue punt + blue yawl + blue gig",
        );
        let step = tasks.of_seed(&tasks.tasks[0], 1).steps.remove(1);
        assert_eq!(step.expect.as_deref(), Some(r#""blue punt" is shown"#));
    }

    #[test]
    fn a_wrong_file_is_named() {
        let error = Tasks::<Sum>::read("boats.yaml", "tasks: [{ name: a }]").unwrap_err();
        assert_eq!(error.to_string(), "evals/boats.yaml cannot be parsed");
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let found = json!({ "shown": ["a"], "left": 1, "ready": true });
        assert!(holds(&json!({ "shown": ["a"], "left": 1 }), &found));
        assert!(!holds(&json!({ "shown": ["a", "b"] }), &found));
        assert!(!holds(&json!({ "right": 1 }), &found));
        assert!(!holds(&json!({ "left": 1 }), &serde_json::Value::Null));
    }
}
