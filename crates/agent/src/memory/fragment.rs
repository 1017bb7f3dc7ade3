//! Selects the lessons for a prompt: the few lines that are relevant to a step on this page.

use std::cmp::Reverse;

use legwork_observe::tokens::count;
use legwork_protocol::{Lesson, LessonKind};

use super::pattern::telling;
use crate::{context::one_line, prompt::quote};

/// The maximum number of characters of a line, because stored lessons can be long.
const LINE: usize = 200;

/// The maximum number of characters of the purpose of a lesson.
const PURPOSE: usize = 60;

/// The selected lessons.
#[derive(Clone, Debug, PartialEq)]
pub struct Recollection<'a> {
    /// The lines, quoted.
    pub text: String,
    /// The lessons that the lines contain.
    pub used: Vec<&'a Lesson>,
}

/// Selects the lessons that are relevant to a task on the page at `path`, most relevant and most trusted first, within
/// a number of tokens. Returns `None` if there are none. Earlier entries of `lessons` have priority over later ones
/// with the same text.
pub fn fragment<'a>(lessons: &[&'a Lesson], path: &str, task: &str, max_tokens: usize) -> Option<Recollection<'a>> {
    let words = telling(task);
    let mut known: Vec<(Reverse<u64>, &'a Lesson)> = lessons
        .iter()
        .filter_map(|lesson| {
            let shared = telling(&format!("{} {}", lesson.key, lesson.text)).intersection(&words).count();
            let alike = telling(&lesson.pattern).intersection(&words).count();
            let here = page(lesson) == path;
            // What a page is for and what fails on it is relevant to any step there; where its links lead is not.
            let told_here = here
                && match lesson.kind {
                    LessonKind::PageInsight => lesson.key == path,
                    kind => kind == LessonKind::PatternLearning,
                };
            // An element that never worked is no help; what worked instead is a lesson of another kind.
            let never_worked =
                lesson.kind == LessonKind::ElementDiscovery && lesson.successes == 0 && lesson.failures > 0;
            let is_told = lesson.kind != LessonKind::InvestigationPreference && !never_worked;
            let relevant = is_told && (shared + alike > 0 || told_here);
            let weight = (2 * shared + alike + usize::from(here)) as f64 * reliability(lesson);
            relevant.then_some((Reverse((weight * 1_000.0) as u64), *lesson))
        })
        .collect();
    known.sort_by_key(|(weight, _)| *weight);
    let mut left = max_tokens.saturating_sub(count(&quote("memory", "")));
    let (mut lines, mut used): (Vec<String>, Vec<&Lesson>) = (Vec::new(), Vec::new());
    for (_, lesson) in known {
        if used.iter().any(|other| other.kind == lesson.kind && other.key == lesson.key) {
            continue;
        }
        let line = line(lesson, path);
        let cost = count(&line) + 1;
        if cost <= left {
            left -= cost;
            lines.push(line);
            used.push(lesson);
        }
    }
    (!lines.is_empty()).then(|| Recollection { text: quote("memory", &lines.join("\n")), used })
}

fn line(lesson: &Lesson, path: &str) -> String {
    let mut line = match page(lesson) {
        "" => String::new(),
        page if page == path => "here: ".to_owned(),
        page => format!("on {page}: "),
    };
    line.push_str(&lesson.text);
    // What the element was for: the words of the step, without its values.
    if lesson.kind == LessonKind::ElementDiscovery && !lesson.pattern.is_empty() {
        line.push_str(&format!(", for {:?}", one_line(&lesson.pattern, PURPOSE)));
    }
    let all = lesson.successes.saturating_add(lesson.failures);
    if lesson.failures > 0 && lesson.kind != LessonKind::PageInsight {
        line.push_str(&format!(" (worked {} of {all} times)", lesson.successes));
    }
    one_line(&line, LINE)
}

fn page(lesson: &Lesson) -> &str {
    lesson.data["page"].as_str().unwrap_or_default()
}

/// The reliability of a lesson. What failed on a page is still useful as a warning, after the others.
fn reliability(lesson: &Lesson) -> f64 {
    let (good, bad) = (f64::from(lesson.successes), f64::from(lesson.failures));
    (good + 1.0) / (good + bad + 2.0)
}
