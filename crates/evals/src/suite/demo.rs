//! The demo site: tasks of graded difficulty, each on a site of its own. The judge reads the site's ledger, where every
//! form stands that was posted, and what the run says at the end.

use std::collections::BTreeMap;

use legwork::protocol::Outcome;
use legwork_demo_site::{DemoSite, Entry, PostOutcome};
use serde::Deserialize;

use super::{
    Judge, Scene, Verdict,
    tasks::{Tasks, Values, Wishes},
};
use crate::{EvalError, plan::SuiteName};

/// What should have come of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Books {
    /// Posts that the site accepted, each once, in any order; and nothing else to their paths.
    posts: Vec<Post>,
    /// The same for each record of the task.
    each_posts: Vec<Post>,
    /// What the answer or a saved value should hold.
    answer: Option<String>,
}

/// A form that was posted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Post {
    path: String,
    /// Fields that it should hold, each with all of its values, `a, b`.
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

pub(crate) struct Demo {
    suite: SuiteName,
    tasks: Tasks<Books>,
}

impl Wishes for Books {
    fn filled(&self, values: &Values, records: &[Values]) -> Books {
        let mut posts: Vec<Post> = self.posts.iter().map(|post| post.filled(values)).collect();
        for record in records {
            posts.extend(self.each_posts.iter().map(|post| post.filled(record)));
        }
        Books { posts, each_posts: Vec::new(), answer: self.answer.as_deref().map(|text| values.fill(text)) }
    }
}

impl Books {
    /// Compares the books with the ledger, and the answer with what the run says.
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
            return Verdict::not(format!("posted to {} besides: {:?}", entry.path, entry.fields));
        }
        match &self.answer {
            Some(answer) if !says(outcome, answer) => Verdict::not(format!("the answer does not say {answer:?}")),
            _ => Verdict { solved: true, judged: format!("{} posts as wanted", self.posts.len()) },
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

    pub(crate) async fn scene(&self, wanted: &str, seed: u64) -> Result<Scene, EvalError> {
        let task = self.tasks.tasks.iter().find(|task| name(task) == wanted);
        let task = task.ok_or_else(|| EvalError::NoSuchTask { suite: self.suite.name(), task: wanted.to_owned() })?;
        let task = self.tasks.of_seed(task, seed);
        let site = DemoSite::start().await.map_err(EvalError::io("the demo site"))?;
        // Whoever is not signed in is sent to the form; some tasks begin there.
        let url = match task.start.strip_prefix("signed out ") {
            Some(path) => format!("{}{path}", site.url()),
            None => site.signed_in_url(&task.start),
        };
        Ok(Scene { url, goal: task.goal, steps: task.steps, judge: Judge::Ledger { wanted: task.judge, site } })
    }
}

/// The grade comes first, so that tables show the easy ones first.
fn name(task: &super::tasks::Task<Books>) -> String {
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
        let wanted: Books = serde_norway::from_str(
            "posts: [{ path: /orders, fields: { customer: Ada, colours: \"Navy, White\" } }]\nanswer: Total 5",
        )
        .unwrap();
        let post = |verdict, customer| {
            entry("/orders", verdict, &[("customer", customer), ("colours", "Navy"), ("colours", "White")])
        };
        let check = |ledger: &[Entry], answer: &str, expected: &str| {
            let verdict = wanted.verdict(ledger, &outcome(answer));
            assert_eq!((verdict.solved, verdict.judged.as_str()), (expected == "1 posts as wanted", expected));
        };
        let (good, other) = (post(PostOutcome::Accepted, "Ada"), post(PostOutcome::Accepted, "Bo"));
        let elsewhere = entry("/login", PostOutcome::Accepted, &[]);
        let refused = post(PostOutcome::Refused, "Ada");
        let missing = "not posted to /orders: {\"colours\": \"Navy, White\", \"customer\": \"Ada\"}";
        check(&[elsewhere.clone(), refused.clone(), good.clone()], "Total 5.", "1 posts as wanted");
        check(&[refused], "Total 5", missing);
        check(std::slice::from_ref(&other), "Total 5", missing);
        let besides = format!("posted to /orders besides: {:?}", other.fields);
        check(&[good.clone(), other], "Total 5", &besides);
        check(std::slice::from_ref(&good), "no idea", "the answer does not say \"Total 5\"");
        let saved = Books { answer: Some("HS-7".into()), ..wanted.clone() };
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
