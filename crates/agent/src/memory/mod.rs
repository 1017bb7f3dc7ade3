//! What a run remembers between its steps, and what is remembered between runs.
//!
//! Both consist of [`Lesson`]s and come from the same fold ([`learn`]) over actions and results. A run keeps the
//! lessons of its own steps. When it observes a site for the first time, it requests the lessons of other runs on that
//! site. The lessons that are relevant to a step are added to its prompt as a short quoted hint ([`fragment`]). They
//! are data from pages: a model may use them but must not follow instructions in them. A lesson never becomes an action
//! by itself.

mod fragment;
mod learn;
mod pattern;

use std::collections::{BTreeMap, BTreeSet};

use legwork_protocol::{Action, ActionResult, EventKind, Lesson, LessonKind, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use fragment::{Recollection, fragment};
pub use learn::learn;
use learn::{Learner, merge};
pub use pattern::{path_of, pattern_of, site_of};

/// The maximum number of own lessons of a run. The oldest are removed first.
const OWN: usize = 200;

/// The options of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRules {
    /// The maximum number of tokens for lessons in a prompt; 0 disables the memory.
    pub tokens: usize,
    /// Whether to request the lessons of other runs.
    pub across_runs: bool,
}

impl Default for MemoryRules {
    fn default() -> Self {
        MemoryRules { tokens: 150, across_runs: false }
    }
}

/// A change of the working memory, as its event contains it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Update {
    /// The lessons of a step that ended.
    Learned(Vec<Lesson>),
    /// Lessons of other runs that were added to a prompt. The result of the step updates their counts.
    Shown(Vec<LessonKey>),
}

/// The key of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LessonKey {
    pub(crate) kind: LessonKind,
    pub(crate) site: String,
    pub(crate) pattern: String,
    pub(crate) key: String,
}

impl LessonKey {
    fn of(lesson: &Lesson) -> LessonKey {
        let Lesson { kind, site, pattern, key, .. } = lesson;
        LessonKey { kind: *kind, site: site.clone(), pattern: pattern.clone(), key: key.clone() }
    }
}

/// The working memory of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    learner: Learner,
    /// The lessons of this run, oldest first.
    own: Vec<Lesson>,
    /// The lessons of other runs, by site. A site is present after its lessons were requested.
    others: BTreeMap<String, Vec<Lesson>>,
    /// The lessons of other runs that were shown in the current step.
    shown: BTreeSet<LessonKey>,
    fragment: Option<String>,
    /// Whether the updates in the journal were not readable.
    lost: bool,
}

impl Memory {
    /// Starts a step.
    pub(crate) fn begin_step(&mut self, words: &str) {
        self.learner.begin(words);
        self.shown.clear();
        self.fragment = None;
    }

    /// Records that the page at `url` was observed.
    pub(crate) fn at(&mut self, url: &str) {
        self.learner.at(url);
    }

    /// Records an action that was executed on the page at `url`.
    pub(crate) fn on_action(&mut self, url: Option<&str>, action: &Action, result: &ActionResult) {
        if let Some(url) = url {
            self.learner.at(url);
        }
        self.learner.on_action(action, result);
    }

    /// Records an event of the agent.
    pub(crate) fn on_event(&mut self, kind: &EventKind) {
        self.learner.on_event(kind);
    }

    /// Ends a step; returns its lessons, if it has any.
    pub(crate) fn end_step(&mut self, status: Status) -> Option<Update> {
        let lessons = self.learner.end(status);
        self.keep(&lessons);
        (!lessons.is_empty()).then_some(Update::Learned(lessons))
    }

    fn keep(&mut self, lessons: &[Lesson]) {
        lessons.iter().for_each(|lesson| merge(&mut self.own, lesson.clone()));
        let over = self.own.len().saturating_sub(OWN);
        self.own.drain(..over);
    }

    /// Restores an update from the journal. An update that is not readable clears the memory, because an incomplete
    /// memory may mislead.
    pub(crate) fn restore(&mut self, update: &Value) {
        match Update::deserialize(update) {
            _ if self.lost => {}
            Ok(Update::Learned(lessons)) => self.keep(&lessons),
            Ok(Update::Shown(_)) => {}
            Err(_) => {
                self.own.clear();
                self.lost = true;
            }
        }
    }

    /// Whether the memory was cleared because the updates in the journal were not readable.
    pub(crate) fn was_lost(&self) -> bool {
        self.lost
    }

    /// The site, if its lessons have not been requested yet.
    pub(crate) fn site_to_recall(&self, url: &str) -> Option<String> {
        site_of(url).filter(|site| !self.others.contains_key(site))
    }

    /// Adds the lessons of other runs on a site.
    pub(crate) fn on_lessons(&mut self, site: String, lessons: Vec<Lesson>) {
        let lessons = lessons.into_iter().filter(|lesson| lesson.site == site).take(OWN).collect();
        self.others.insert(site, lessons);
    }

    /// The sort key of an investigation tool on the site of `url`: tools that led to a result there come first, tools
    /// that only failed there come last, and unknown ones stay in between.
    pub(crate) fn preference(&self, url: &str, tool: &str) -> i64 {
        let Some(site) = site_of(url) else { return 0 };
        let others = self.others.get(&site).map_or(&[][..], Vec::as_slice);
        let known = self.own.iter().filter(|lesson| lesson.site == site).chain(others);
        let of_tool = |lesson: &&Lesson| lesson.kind == LessonKind::InvestigationPreference && lesson.key == tool;
        known.filter(of_tool).map(|lesson| i64::from(lesson.failures) - i64::from(lesson.successes)).sum()
    }

    /// Creates the fragment for a prompt on the page at `url`. Returns the lessons of other runs that it contains for
    /// the first time.
    pub(crate) fn recollect(&mut self, url: &str, task: &str, tokens: usize) -> Option<Update> {
        let Some(site) = site_of(url) else {
            self.fragment = None;
            return None;
        };
        let others = self.others.get(&site).map_or(&[][..], Vec::as_slice);
        let own = self.own.iter().filter(|lesson| lesson.site == site);
        let known: Vec<&Lesson> = own.chain(others).collect();
        let recollection = fragment(&known, &path_of(url), task, tokens);
        let Some(Recollection { text, used }) = recollection else {
            self.fragment = None;
            return None;
        };
        let theirs = |lesson: &&&Lesson| others.iter().any(|other| std::ptr::eq(other, **lesson));
        let new: Vec<LessonKey> = used.iter().filter(theirs).map(|lesson| LessonKey::of(lesson)).collect();
        let new: Vec<LessonKey> = new.into_iter().filter(|mark| !self.shown.contains(mark)).collect();
        self.fragment = Some(text);
        self.shown.extend(new.iter().cloned());
        (!new.is_empty()).then_some(Update::Shown(new))
    }

    /// The fragment for the prompt.
    pub(crate) fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }
}

impl Update {
    /// The event for this update.
    pub(crate) fn into_event(self) -> EventKind {
        EventKind::WorkingMemoryUpdated { update: serde_json::to_value(self).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(site: &str, key: usize) -> Lesson {
        Lesson {
            kind: LessonKind::PageInsight,
            site: site.into(),
            pattern: String::new(),
            key: format!("/page/{key}"),
            text: format!("page {key} lists the orders"),
            data: serde_json::json!({ "page": format!("/page/{key}") }),
            successes: 1,
            failures: 0,
        }
    }

    #[test]
    fn the_oldest_lessons_of_a_run_give_way() {
        let mut memory = Memory::default();
        memory.keep(&(0..300).map(|key| lesson("http://a.test", key)).collect::<Vec<_>>());
        assert_eq!(memory.own.len(), OWN);
        assert_eq!(memory.own.first().map(|lesson| lesson.key.as_str()), Some("/page/100"));
    }

    #[test]
    fn a_site_is_told_nothing_of_another() {
        let mut memory = Memory::default();
        memory.keep(&[lesson("http://a.test", 1)]);
        memory.recollect("http://b.test/page/1", "look at the orders", 150);
        assert_eq!(memory.fragment(), None);
        memory.recollect("http://a.test/page/1", "look at the orders", 150);
        assert!(memory.fragment().is_some_and(|text| text.contains("page 1 lists the orders")));
    }
}
