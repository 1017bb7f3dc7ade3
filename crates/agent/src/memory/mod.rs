//! What is remembered: within a run from step to step, and from one run to the next.
//!
//! Both are the same noun, a [`Lesson`], and come out of the same fold ([`learn`]) of what was done and what came of it. A
//! run keeps those of its own steps, and at the first sight of a site asks for what other runs learned there. What is to
//! the point of a step's words goes into its prompt as a short quoted hint ([`fragment`]): page words that a model may use
//! and nobody obeys. Nothing of it ever becomes an action by itself.

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

/// Lessons of its own that a run keeps at most; the oldest give way.
const OWN: usize = 200;

/// What a run may remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRules {
    /// The most tokens of a prompt for what is remembered; none: nothing is.
    pub tokens: usize,
    /// What other runs learned is asked for.
    pub across_runs: bool,
}

impl Default for MemoryRules {
    fn default() -> Self {
        MemoryRules { tokens: 150, across_runs: false }
    }
}

/// A change of the working memory, as its event tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Update {
    /// A step that ended taught this.
    Learned(Vec<Lesson>),
    /// Lessons of other runs went into a prompt; how the step ends is counted back to them.
    Shown(Vec<LessonKey>),
}

/// What identifies a lesson.
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
    /// Learned in this run, the oldest first.
    own: Vec<Lesson>,
    /// Learned in others, by site; a site stands here once it was asked for.
    others: BTreeMap<String, Vec<Lesson>>,
    /// Those of others that were shown in the step at work.
    shown: BTreeSet<LessonKey>,
    fragment: Option<String>,
    /// The journal's updates could not be read.
    lost: bool,
}

impl Memory {
    /// A step begins.
    pub(crate) fn begin_step(&mut self, words: &str) {
        self.learner.begin(words);
        self.shown.clear();
        self.fragment = None;
    }

    /// The page at `url` was seen.
    pub(crate) fn at(&mut self, url: &str) {
        self.learner.at(url);
    }

    /// An action was carried out on the page at `url`.
    pub(crate) fn on_action(&mut self, url: Option<&str>, action: &Action, result: &ActionResult) {
        if let Some(url) = url {
            self.learner.at(url);
        }
        self.learner.on_action(action, result);
    }

    /// The agent stated something.
    pub(crate) fn on_event(&mut self, kind: &EventKind) {
        self.learner.on_event(kind);
    }

    /// A step ended: what it taught, if anything.
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

    /// Takes an update off the journal again. What cannot be read empties the memory: half of it may mislead.
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

    /// Whether the journal's updates could not be read, so that it is empty.
    pub(crate) fn was_lost(&self) -> bool {
        self.lost
    }

    /// The site whose lessons have not been asked for.
    pub(crate) fn unasked(&self, url: &str) -> Option<String> {
        site_of(url).filter(|site| !self.others.contains_key(site))
    }

    /// What other runs learned of a site.
    pub(crate) fn on_lessons(&mut self, site: String, lessons: Vec<Lesson>) {
        let lessons = lessons.into_iter().filter(|lesson| lesson.site == site).take(OWN).collect();
        self.others.insert(site, lessons);
    }

    /// How a tool of investigation fared on the site of `url`, for sorting: what told something there comes first, what
    /// only failed there last, and what nobody knows keeps its place between.
    pub(crate) fn preference(&self, url: &str, tool: &str) -> i64 {
        let Some(site) = site_of(url) else { return 0 };
        let others = self.others.get(&site).map_or(&[][..], Vec::as_slice);
        let known = self.own.iter().filter(|lesson| lesson.site == site).chain(others);
        let of_tool = |lesson: &&Lesson| lesson.kind == LessonKind::InvestigationPreference && lesson.key == tool;
        known.filter(of_tool).map(|lesson| i64::from(lesson.failures) - i64::from(lesson.successes)).sum()
    }

    /// Makes the fragment for a prompt on the page at `url`; answers with the lessons of others that are new in it.
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

    /// What is remembered, for the prompt.
    pub(crate) fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }
}

impl Update {
    /// As its event carries it.
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
