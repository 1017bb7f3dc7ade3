//! What is remembered, as a prompt shows it: the few lines that are to the point of a step on this page.

use std::cmp::Reverse;

use legwork_observe::tokens::count;
use legwork_protocol::{Lesson, LessonKind};

use super::pattern::telling;
use crate::{context::one_line, prompt::quote};

/// The most characters of a line: rows of a store are not trusted to be short.
const LINE: usize = 200;

/// What is remembered and worth a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Recollection<'a> {
    /// The lines, quoted.
    pub text: String,
    /// The lessons that are in it.
    pub used: Vec<&'a Lesson>,
}

/// The lessons that are to the point of a task on the page at `path`, the most relevant and most trusted first, within a
/// number of tokens; nothing when there are none. Those that come first in `lessons` win over others of the same words.
pub fn fragment<'a>(lessons: &[&'a Lesson], path: &str, task: &str, max_tokens: usize) -> Option<Recollection<'a>> {
    let words = telling(task);
    let mut known: Vec<(Reverse<u64>, &'a Lesson)> = lessons
        .iter()
        .filter_map(|lesson| {
            let shared = telling(&format!("{} {}", lesson.key, lesson.text)).intersection(&words).count();
            let alike = telling(&lesson.pattern).intersection(&words).count();
            let here = page(lesson) == path;
            // What a page is and what goes wrong on it is to the point of any step there; where its links lead is not.
            let told_here = here
                && match lesson.kind {
                    LessonKind::PageInsight => lesson.key == path,
                    kind => kind == LessonKind::PatternLearning,
                };
            let relevant = lesson.kind != LessonKind::InvestigationPreference && (shared + alike > 0 || told_here);
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
    let all = lesson.successes.saturating_add(lesson.failures);
    if lesson.failures > 0 && lesson.kind != LessonKind::PageInsight {
        line.push_str(&format!(" (worked {} of {all} times)", lesson.successes));
    }
    one_line(&line, LINE)
}

fn page(lesson: &Lesson) -> &str {
    lesson.data["page"].as_str().unwrap_or_default()
}

/// As far as it proved itself; one that only failed is still worth a warning, after the others.
fn reliability(lesson: &Lesson) -> f64 {
    let (good, bad) = (f64::from(lesson.successes), f64::from(lesson.failures));
    (good + 1.0) / (good + bad + 2.0)
}
