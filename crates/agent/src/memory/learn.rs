//! Derives lessons from a run: a fold over the actions of each step and its end.
//!
//! Only a successful step shows what works: an element that accepted its action, the way from one page to the next, an
//! alternative that worked after a failure. A failed action counts against its element at once; a failed step counts
//! against the lessons that its prompts contained. Values that were typed or read are never stored: names come from
//! elements, URLs are stored without queries, and instructions without values.

use legwork_protocol::{
    Action, ActionFailure, ActionResult, Event, EventKind, Lesson, LessonKind, PageEffect, Status, VariableSource,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{LessonKey, Update, path_of, pattern_of, site_of};
use crate::context::one_line;

/// The maximum number of characters of a lesson's text, and of an element name in it.
const WORDS: usize = 160;
const NAME: usize = 80;
/// The maximum number of lessons of one step.
const STEP: usize = 40;

/// Folds the events of a run into lessons. Only steps that ended after event `after` count: the earlier ones were
/// learned from when the run first stopped.
pub fn learn(events: &[Event], after: u64) -> Vec<Lesson> {
    let mut learner = Learner::default();
    let mut open: Option<&Action> = None;
    let mut lessons = Vec::new();
    for event in events {
        match &event.kind {
            EventKind::StepStarted { text } => learner.begin(text),
            EventKind::PageObserved(page) => learner.at(&page.url),
            EventKind::CommandStarted { action, .. } => open = Some(action),
            EventKind::CommandCompleted { result, .. } | EventKind::CommandFailed { result, .. } => {
                if let Some(action) = open.take() {
                    learner.on_action(action, result);
                }
            }
            EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
                let learned = learner.end(result.status);
                if event.seq > after {
                    learned.into_iter().for_each(|lesson| merge(&mut lessons, lesson));
                }
            }
            kind => learner.on_event(kind),
        }
    }
    lessons
}

/// Adds a lesson to others. The counts of a known lesson are added up.
pub(super) fn merge(lessons: &mut Vec<Lesson>, new: Lesson) {
    match lessons.iter_mut().find(|known| LessonKey::of(known) == LessonKey::of(&new)) {
        Some(known) => {
            known.successes = known.successes.saturating_add(new.successes);
            known.failures = known.failures.saturating_add(new.failures);
            if !new.text.is_empty() {
                (known.text, known.data) = (new.text, new.data);
            }
        }
        None => lessons.push(new),
    }
}

/// The state of the current step.
#[derive(Clone, Debug, Default)]
pub(super) struct Learner {
    pattern: String,
    url: String,
    tried: Vec<ToolUse>,
    /// Lessons that the agent's events contain: discoveries, insights, the results of tools.
    said: Vec<Lesson>,
    shown: Vec<LessonKey>,
}

/// An action that was tried.
#[derive(Clone, Debug)]
struct ToolUse {
    verb: &'static str,
    element: Option<String>,
    site: String,
    page: String,
    /// The page that it led to.
    to: Option<String>,
    /// The variable in which its value was saved.
    variable: Option<String>,
    failed: Option<String>,
    /// Whether it failed because its target was the name of no element, or of several.
    names_nothing: bool,
}

impl Learner {
    pub(super) fn begin(&mut self, words: &str) {
        *self = Learner { pattern: pattern_of(words), url: std::mem::take(&mut self.url), ..Learner::default() };
    }

    /// Sets the URL of the page.
    pub(super) fn at(&mut self, url: &str) {
        if self.url != url {
            url.clone_into(&mut self.url);
        }
    }

    pub(super) fn on_action(&mut self, action: &Action, result: &ActionResult) {
        // This action only completes the previous one.
        if matches!(action, Action::Blur(_)) {
            return;
        }
        let from = self.url.clone();
        let navigated = result.effects.iter().rev().find_map(|effect| match effect {
            PageEffect::Navigated { to, .. } => Some(to.as_str()),
            _ => None,
        });
        if let Some(now) = navigated.or(Some(&*result.url).filter(|url| !url.is_empty())) {
            self.at(now);
        }
        let failed = match &result.failure {
            Some(failure) if !says_something_of_the_element(failure) => return,
            failure => failure.as_ref().map(ToString::to_string),
        };
        let Some(site) = site_of(&from).filter(|_| self.tried.len() < STEP) else { return };
        let names_nothing =
            matches!(&result.failure, Some(ActionFailure::NotFound { .. } | ActionFailure::Ambiguous { .. }));
        let named = || action.target().map(|target| target.0.clone()).filter(|target| !is_ref(target));
        let element = result.element.clone().or_else(named).map(|element| one_line(&element, NAME));
        let page = path_of(&from);
        let to = navigated.filter(|to| site_of(to).as_ref() == Some(&site)).map(path_of).filter(|to| *to != page);
        let variable = match action {
            Action::Save(save) => Some(save.variable.clone()),
            _ => None,
        };
        self.tried.push(ToolUse { verb: action.name(), element, site, page, to, variable, failed, names_nothing });
    }

    pub(super) fn on_event(&mut self, kind: &EventKind) {
        match kind {
            EventKind::InvestigationCompleted(findings) if !findings.insight.is_empty() => {
                self.say(LessonKind::PageInsight, path_of(&self.url), one_line(&findings.insight, WORDS), true);
            }
            EventKind::ElementDiscovered { element, purpose, .. } => {
                let element = one_line(element, NAME);
                let text = format!("{element}: {}", one_line(purpose, NAME));
                self.say(LessonKind::ElementDiscovery, element, text, true);
            }
            EventKind::InvestigationToolCompleted { tool, ok, .. } => {
                let name = json!(tool).as_str().unwrap_or_default().to_owned();
                let text = format!("{name} tells something here");
                self.say(LessonKind::InvestigationPreference, name, text, *ok);
            }
            EventKind::VariableUpdated(variable) if variable.source == VariableSource::Extracted => {
                if let Some(last) = self.tried.last_mut().filter(|last| last.failed.is_none() && last.verb == "save") {
                    last.variable = Some(variable.name.clone());
                }
            }
            EventKind::WorkingMemoryUpdated { update } => {
                if let Ok(Update::Shown(marks)) = Update::deserialize(update) {
                    self.shown.extend(marks);
                }
            }
            _ => {}
        }
    }

    fn say(&mut self, kind: LessonKind, key: String, text: String, ok: bool) {
        let Some(site) = site_of(&self.url).filter(|_| self.said.len() < STEP) else { return };
        let data = json!({ "page": path_of(&self.url) });
        let lesson = self.lesson(kind, &site, key, text, data);
        self.said.push(counted(lesson, ok));
    }

    fn lesson(&self, kind: LessonKind, site: &str, key: String, text: String, data: Value) -> Lesson {
        let pattern = if kind == LessonKind::PageInsight { String::new() } else { self.pattern.clone() };
        Lesson { kind, site: site.to_owned(), pattern, key, text, data, successes: 0, failures: 0 }
    }

    /// Returns the lessons of the step after it ended with this status. The next step keeps only the URL.
    pub(super) fn end(&mut self, status: Status) -> Vec<Lesson> {
        let well = status == Status::Success;
        let mut lessons = Vec::new();
        // Within one step, a lesson counts once, even if its action was repeated.
        let mut teach = |lesson: Lesson| {
            let seen = |known: &&Lesson| {
                LessonKey::of(known) == LessonKey::of(&lesson)
                    && (known.successes > 0) == (lesson.successes > 0)
                    && (known.failures > 0) == (lesson.failures > 0)
            };
            if !lessons.iter().any(|known| seen(&known)) {
                lessons.push(lesson);
            }
        };
        for (at, tried) in self.tried.iter().enumerate() {
            let Some(element) = &tried.element else { continue };
            // A name that no element had, or several: the page does not show it, so that nobody needs a warning.
            if tried.names_nothing {
                continue;
            }
            if tried.failed.is_some() || well {
                teach(counted(self.of_element(tried, element), tried.failed.is_none()));
            }
            if !well {
                continue;
            }
            if tried.failed.is_some()
                && let Some(worked) = self.tried[at + 1..].iter().find(|next| next.failed.is_none())
                && (worked.verb, &worked.element) != (tried.verb, &tried.element)
            {
                teach(counted(self.of_failure(tried, element, worked), true));
            }
            if let (Some(to), None) = (&tried.to, &tried.failed) {
                let text = format!("{element} leads to {to}");
                let key = format!("{} → {to}", tried.page);
                let data = json!({ "page": tried.page });
                teach(counted(self.lesson(LessonKind::PageInsight, &tried.site, key, text, data), true));
            }
            if let (Some(variable), None) = (&tried.variable, &tried.failed) {
                let text = format!("{variable} was saved from {element}");
                let data = json!({ "page": tried.page });
                let lesson = self.lesson(LessonKind::VariableExtraction, &tried.site, variable.clone(), text, data);
                teach(counted(lesson, true));
            }
        }
        if well {
            self.said.drain(..).for_each(&mut teach);
        }
        self.count_back(status, &mut teach);
        let mut merged = Vec::new();
        lessons.into_iter().for_each(|lesson| merge(&mut merged, lesson));
        *self = Learner { url: std::mem::take(&mut self.url), ..Learner::default() };
        merged
    }

    /// Updates the counts of the lessons that were shown. A lesson that was used helped; a lesson that was shown in a
    /// failed step did not. Only the counts change, so the text is omitted.
    fn count_back(&self, status: Status, teach: &mut impl FnMut(Lesson)) {
        for mark in &self.shown {
            let used = |tried: &&ToolUse| tried.failed.is_none() && tried.element.as_ref() == Some(&mark.key);
            let used = self.tried.iter().find(used).filter(|tried| tried.site == mark.site);
            let LessonKey { kind, site, pattern, key } = mark.clone();
            let ok = match (status, used) {
                (Status::Success, Some(_)) => true,
                (Status::Failure | Status::Error, _) => false,
                _ => continue,
            };
            let (text, data) = (String::new(), Value::Null);
            teach(counted(Lesson { kind, site, pattern, key, text, data, successes: 0, failures: 0 }, ok));
        }
    }

    fn of_element(&self, tried: &ToolUse, element: &str) -> Lesson {
        let (role, name) = element.split_once(' ').unwrap_or((element, ""));
        let data = json!({ "page": tried.page, "role": role, "name": name.trim_matches('"'), "action": tried.verb });
        let text = match &tried.failed {
            None => format!("{} {element}", tried.verb),
            Some(why) => format!("{} {element} failed: {}", tried.verb, one_line(why, NAME)),
        };
        self.lesson(LessonKind::ElementDiscovery, &tried.site, element.to_owned(), text, data)
    }

    fn of_failure(&self, failed: &ToolUse, element: &str, worked: &ToolUse) -> Lesson {
        let why = one_line(failed.failed.as_deref().unwrap_or_default(), NAME);
        let instead = match &worked.element {
            Some(other) => format!("{} {other}", worked.verb),
            None => worked.verb.to_owned(),
        };
        let text = one_line(&format!("{} {element} failed ({why}); then {instead} worked", failed.verb), WORDS);
        let data = json!({ "page": failed.page, "alternatives": [instead] });
        let key = one_line(&format!("{} {element}", failed.verb), NAME);
        self.lesson(LessonKind::PatternLearning, &failed.site, key, text, data)
    }
}

fn counted(lesson: Lesson, ok: bool) -> Lesson {
    Lesson { successes: u32::from(ok), failures: u32::from(!ok), ..lesson }
}

/// Whether the element caused the failure, rather than the browser, a rule or a person.
fn says_something_of_the_element(failure: &ActionFailure) -> bool {
    use ActionFailure::*;
    matches!(
        failure,
        NotFound { .. }
            | Ambiguous { .. }
            | Covered { .. }
            | NotVisible { .. }
            | Disabled { .. }
            | NotEditable { .. }
            | Moving { .. }
            | NoOption { .. }
            | NotAccepted { .. }
            | ValueDiffers { .. }
            | NotClickable { .. }
            | WrongKind { .. }
    )
}

/// `e12` is valid for one observation only.
fn is_ref(target: &str) -> bool {
    target.strip_prefix('e').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
