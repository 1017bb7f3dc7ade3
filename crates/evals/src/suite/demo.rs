//! The demo site: tasks of increasing difficulty, each on its own site. The judge reads the ledger of the site, which
//! contains every posted form, and the answer of the run.

use std::collections::BTreeMap;

use legwork::protocol::Outcome;
use legwork_demo_site::{DemoSite, Entry, PostOutcome};
use serde::Deserialize;

use super::{
    Judge, Scene, Verdict,
    tasks::{Expectation, Tasks, Values},
};
use crate::{EvalError, plan::SuiteName};

/// The expected result of a task.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LedgerExpectation {
    /// The expected posts, each once, in any order, and no other posts to their paths.
    posts: Vec<Post>,
    /// The expected posts for each record of the task.
    each_posts: Vec<Post>,
    /// The text that the answer or a saved value must contain.
    answer: Option<String>,
}

/// A posted form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Post {
    path: String,
    /// The fields that it must contain, each with all of its values: `a, b`.
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

pub(crate) struct Demo {
    suite: SuiteName,
    tasks: Tasks<LedgerExpectation>,
}

impl Expectation for LedgerExpectation {
    fn filled(&self, values: &Values, records: &[Values]) -> LedgerExpectation {
        let mut posts: Vec<Post> = self.posts.iter().map(|post| post.filled(values)).collect();
        for record in records {
            posts.extend(self.each_posts.iter().map(|post| post.filled(record)));
        }
        LedgerExpectation {
            posts,
            each_posts: Vec::new(),
            answer: self.answer.as_deref().map(|text| values.fill(text)),
        }
    }
}

impl LedgerExpectation {
    /// Compares the expectation with the ledger, and the answer with that of the run.
    pub(super) fn verdict(&self, ledger: &[Entry], outcome: &Outcome) -> Verdict {
        let mut open: Vec<&Entry> = ledger
            .iter()
            .filter(|entry| {
                entry.verdict == PostOutcome::Accepted && self.posts.iter().any(|post| post.path == entry.path)
            })
            .collect();
        for post in &self.posts {
            match open.iter().position(|entry| post.is(entry)) {
                Some(at) => _ = open.remove(at),
                None => return Verdict::not(format!("not posted to {}: {:?}", post.path, post.fields)),
            }
        }
        if let Some(entry) = open.first() {
            return Verdict::not(format!("posted to {} in addition: {:?}", entry.path, entry.fields));
        }
        match &self.answer {
            Some(answer) if !says(outcome, answer) => Verdict::not(format!("the answer does not contain {answer:?}")),
            _ => Verdict { solved: true, judged: format!("{} posts as expected", self.posts.len()) },
        }
    }
}

impl Post {
    fn filled(&self, values: &Values) -> Post {
        let fields = self.fields.iter().map(|(name, value)| (name.clone(), values.fill(value)));
        Post { path: values.fill(&self.path), fields: fields.collect() }
    }

    fn is(&self, entry: &Entry) -> bool {
        let value = |name: &str| {
            let all = entry.fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
            all.collect::<Vec<_>>().join(", ")
        };
        entry.path == self.path && self.fields.iter().all(|(name, wanted)| value(name) == *wanted)
    }
}

fn says(outcome: &Outcome, text: &str) -> bool {
    let values = outcome.variables.values().filter_map(|value| value.as_str());
    outcome.answer.as_deref().into_iter().chain(values).any(|said| said.contains(text))
}

impl Demo {
    pub(crate) fn open(suite: SuiteName) -> Result<Demo, EvalError> {
        let tasks = match suite {
            SuiteName::Long => Tasks::read("long.yaml", include_str!("../../../../evals/long.yaml")),
            _ => Tasks::read("demo.yaml", include_str!("../../../../evals/demo.yaml")),
        }?;
        Ok(Demo { suite, tasks })
    }

    pub(crate) fn tasks(&self) -> Vec<String> {
        self.tasks.tasks.iter().map(name).collect()
    }

    pub(crate) async fn scene(&self, task_name: &str, seed: u64) -> Result<Scene, EvalError> {
        let task = self.tasks.tasks.iter().find(|task| name(task) == task_name);
        let task =
            task.ok_or_else(|| EvalError::NoSuchTask { suite: self.suite.name(), task: task_name.to_owned() })?;
        let task = self.tasks.of_seed(task, seed);
        let site = DemoSite::start().await.map_err(EvalError::io("the demo site"))?;
        // The site redirects a user who is not logged in to the log-in form; some tasks start there.
        let url = match task.start.strip_prefix("signed out ") {
            Some(path) => format!("{}{path}", site.url()),
            None => site.signed_in_url(&task.start),
        };
        Ok(Scene { url, goal: task.goal, steps: task.steps, judge: Judge::Ledger { expected: task.judge, site } })
    }
}

/// The name begins with the difficulty, so that tables list the easy tasks first.
fn name(task: &super::tasks::Task<LedgerExpectation>) -> String {
    format!("{}-{}", task.grade, task.name)
}

#[cfg(test)]
mod tests {
    use legwork::protocol::{Status, Usage, Validation};

    use super::*;

    fn entry(path: &str, verdict: PostOutcome, fields: &[(&str, &str)]) -> Entry {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Entry { id: 1, at_ms: 0, path: path.to_owned(), verdict, fields, form_token: None, repeats: None }
    }

    fn outcome(answer: &str) -> Outcome {
        Outcome {
            status: Status::Success,
            validation: Validation::Unvalidated,
            answer: Some(answer.to_owned()),
            variables: BTreeMap::from([("number".to_owned(), "HS-7".into())]),
            usage: Usage::default(),
            budget: None,
            error: None,
        }
    }

    #[test]
    fn the_books_must_agree() {
        let expectation: LedgerExpectation = serde_norway::from_str(
            "posts: [{ path: /orders, fields: { customer: Ada, colours: \"Navy, White\" } }]\nanswer: Total 5",
        )
        .unwrap();
        let post = |verdict, customer| {
            entry("/orders", verdict, &[("customer", customer), ("colours", "Navy"), ("colours", "White")])
        };
        let check = |ledger: &[Entry], answer: &str, expected: &str| {
            let verdict = expectation.verdict(ledger, &outcome(answer));
            assert_eq!((verdict.solved, verdict.judged.as_str()), (expected == "1 posts as expected", expected));
        };
        let (good, other) = (post(PostOutcome::Accepted, "Ada"), post(PostOutcome::Accepted, "Bo"));
        let elsewhere = entry("/login", PostOutcome::Accepted, &[]);
        let refused = post(PostOutcome::Refused, "Ada");
        let missing = "not posted to /orders: {\"colours\": \"Navy, White\", \"customer\": \"Ada\"}";
        check(&[elsewhere.clone(), refused.clone(), good.clone()], "Total 5.", "1 posts as expected");
        check(&[refused], "Total 5", missing);
        check(std::slice::from_ref(&other), "Total 5", missing);
        let besides = format!("posted to /orders in addition: {:?}", other.fields);
        check(&[good.clone(), other], "Total 5", &besides);
        check(std::slice::from_ref(&good), "no idea", "the answer does not contain \"Total 5\"");
        let saved = LedgerExpectation { answer: Some("HS-7".into()), ..expectation.clone() };
        assert!(saved.verdict(&[good], &outcome("")).solved);
    }

    #[test]
    fn every_task_of_the_demo_site_can_be_read() {
        for (suite, count) in [(SuiteName::Demo, 7), (SuiteName::Long, 1)] {
            assert_eq!(Demo::open(suite).unwrap().tasks().len(), count);
        }
        let long = Demo::open(SuiteName::Long).unwrap();
        let task = long.tasks.of_seed(&long.tasks.tasks[0], 2);
        assert!(task.steps.len() >= 50, "{}", task.steps.len());
        assert_eq!(task.judge.posts.len(), 6);
        assert_eq!(task.judge.posts[0].fields["customer"], "Cleo Roy");
    }
}
