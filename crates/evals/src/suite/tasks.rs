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

/// A judge's wishes, with values to be put in.
pub(super) trait Wishes: Clone {
    /// The same with every text filled in: once with what the seed picked, and for each record of the task.
    fn filled(&self, values: &Values, records: &[Values]) -> Self;
}

/// What stands for `{name}`.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(String, String)>);

impl Values {
    fn of<'a>(pairs: impl IntoIterator<Item = (&'a String, &'a String)>) -> Values {
        Values(pairs.into_iter().map(|(name, value)| (format!("{{{name}}}"), value.clone())).collect())
    }

    /// A text with the values in it.
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

/// The seed's of several; nothing of none.
fn nth(seed: u64, of: usize) -> usize {
    usize::try_from(seed % (of.max(1) as u64)).unwrap_or(0)
}

impl<J: DeserializeOwned + Wishes> Tasks<J> {
    /// Reads a file of `evals/`.
    pub(super) fn read(file: &'static str, text: &str) -> Result<Tasks<J>, EvalError> {
        serde_norway::from_str(text).map_err(|source| EvalError::Tasks { file, source })
    }

    /// A task with the seed's values in place.
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

/// Whether a value has at least what is wanted: the wanted fields of objects, everything else the same.
pub(super) fn holds(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => {
            wanted.iter().all(|(key, wanted)| found.get(key).is_some_and(|found| holds(wanted, found)))
        }
        _ => wanted == found,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Clone, Debug, Deserialize)]
    struct Sum(String);

    impl Wishes for Sum {
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
        assert_eq!(error.to_string(), "evals/boats.yaml cannot be read");
    }

    #[test]
    fn more_than_is_wanted_does_no_harm() {
        let found = json!({ "shown": ["a"], "left": 1, "ready": true });
        assert!(holds(&json!({ "shown": ["a"], "left": 1 }), &found));
        assert!(!holds(&json!({ "shown": ["a", "b"] }), &found));
        assert!(!holds(&json!({ "right": 1 }), &found));
        assert!(!holds(&json!({ "left": 1 }), &serde_json::Value::Null));
    }
}
