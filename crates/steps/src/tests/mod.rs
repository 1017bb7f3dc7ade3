//! Sentences on pages: what each comes to, in one line. A table holds one page; every wrong line is shown at once.

mod all_rows;
mod checks;
mod clickable_labels;
mod leading_words;
mod ordinary;
mod pages;
mod presuppositions;
mod qualified_values;
mod reading;
mod saved;
mod steps;
mod two_readings;
mod whole;
mod widgets;

use std::collections::BTreeMap;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Button, Dialog, PageEffect, Tab};
use serde_json::Value;

use crate::{Check, Clause, Facts, Finding, ResolveError, read, read_condition};

/// What a step comes to on a page that does not change: its actions, checks and errors.
fn outcome(step: &str, page: &Snapshot) -> String {
    let sentence = match read(step) {
        Ok(sentence) => sentence,
        Err(_) => return "not literal".into(),
    };
    let clauses = sentence.clauses().iter().map(|clause| match clause {
        Clause::Check(check) => match check.timeout() {
            Some(timeout) => {
                let limit = timeout.seconds.map(|seconds| format!(" {seconds}s")).unwrap_or_default();
                format!("await{limit} {}", finding(check, page))
            }
            None => finding(check, page),
        },
        Clause::Do(instruction) => match instruction.decide(page) {
            Ok(actions) => {
                let saved = instruction.saved_value(page).map(|saved| {
                    let record = saved
                        .record
                        .map(|record| format!(" at {:?}{}", record.name, if record.in_part { " in part" } else { "" }));
                    let record = record.unwrap_or_default();
                    format!("{}={}{record}", saved.variable, saved.value)
                });
                let all = actions.iter().map(action).chain(saved).collect::<Vec<_>>().join(" + ");
                if all.is_empty() { "nothing".into() } else { all }
            }
            Err(ResolveError::NotFound { candidates, .. }) => format!("none [{}]", candidates.join(", ")),
            Err(ResolveError::Ambiguous { count, .. }) => format!("several {count}"),
            Err(ResolveError::WrongKind { is, .. }) => format!("wrong {is}"),
        },
    });
    clauses.collect::<Vec<_>>().join("; ")
}

fn finding(check: &Check, page: &Snapshot) -> String {
    let variables = BTreeMap::new();
    match check.evaluate(&Facts { page, variables: &variables, effects: &[] }) {
        Finding::Holds(_) => "yes".into(),
        Finding::Fails { .. } => "no".into(),
        Finding::Inconclusive { .. } => "inconclusive".into(),
    }
}

fn action(action: &Action) -> String {
    let name = action.name();
    match action {
        Action::Click(click) => {
            let mut text = match (click.count, click.button) {
                (1, Button::Left) => format!("click {}", click.target),
                (2, Button::Left) => format!("double {}", click.target),
                (count, button) => format!("click {} {button:?} {count}", click.target),
            };
            click.modifiers.iter().for_each(|modifier| text.push_str(&format!(" {modifier:?}")));
            text
        }
        Action::Fill(fill) => {
            format!("fill {} {:?}{}", fill.target, fill.text, if fill.submit { " enter" } else { "" })
        }
        Action::Type(typed) => match &typed.target {
            Some(target) => format!("type {target} {:?}", typed.text),
            None => format!("type {:?}", typed.text),
        },
        Action::Press(press) => match &press.target {
            Some(target) => format!("press {} in {target}", press.key),
            None => format!("press {}", press.key),
        },
        Action::Select(select) => format!("select {} {}", select.target, select.values.join("|")),
        Action::Drag(drag) => format!("drag {} {}", drag.target, drag.to),
        Action::Upload(upload) => format!("upload {} {}", upload.target, upload.files.join("|")),
        Action::Dialog(Dialog { opened_by: Some(opened_by), accept, text }) => {
            let answer = Action::Dialog(Dialog::answer(*accept, text.clone()));
            format!("{} with {}", self::action(opened_by), self::action(&answer))
        }
        Action::Dialog(dialog) => format!("dialog {} {:?}", dialog.accept, dialog.text.as_deref().unwrap_or_default()),
        Action::Open(open) => format!("open {}", open.url),
        Action::Save(save) => format!(
            "save {} {}{}",
            save.target,
            save.variable,
            save.attribute.as_ref().map(|a| format!(" @{a}")).unwrap_or_default()
        ),
        Action::Tab(Tab::Switch { to }) => format!("tab {to}"),
        Action::Tab(Tab::Open { url }) => format!("new tab {}", url.as_deref().unwrap_or("blank")),
        Action::Tab(Tab::Close { tab }) => format!("close tab {}", tab.as_deref().unwrap_or("this")),
        Action::Scroll(scroll) => {
            let target = scroll.target.as_ref().map(|target| format!(" {target}")).unwrap_or_default();
            let direction = scroll.direction.map(|direction| format!(" {direction:?}")).unwrap_or_default();
            let screens = scroll.screens.map(|screens| format!(" {screens}")).unwrap_or_default();
            format!("scroll{target}{direction}{screens}")
        }
        Action::Wait(wait) => {
            let mut text = "wait".to_owned();
            let mut add = |part: Option<String>| part.into_iter().for_each(|part| text.push_str(&format!(" {part}")));
            add(wait.text.as_ref().map(|text| format!("{text:?}")));
            add(wait.gone.as_ref().map(|text| format!("gone {text:?}")));
            add(wait.url.as_ref().map(|text| format!("url {text:?}")));
            add(wait.state.map(|state| format!("{state:?}")));
            add(wait.seconds.map(|seconds| format!("{seconds}s")));
            text
        }
        other => match other.target() {
            Some(target) => format!("{name} {target}"),
            None => name.to_owned(),
        },
    }
}

/// Holds every line `sentence => outcome` of a table against a page.
fn table(page: &Snapshot, lines: &str) {
    let wrong: Vec<String> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter_map(|line| {
            let (step, expected) =
                line.rsplit_once(" => ").unwrap_or_else(|| panic!("a line is `sentence => outcome`: {line}"));
            let got = outcome(step.trim(), page);
            let detail = read(step.trim()).err().map(|error| format!("   ({error})")).unwrap_or_default();
            (got != expected.trim())
                .then(|| format!("{}\n   expected {}\n   got      {got}{detail}", step.trim(), expected.trim()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} lines came out otherwise:\n{}", wrong.len(), wrong.join("\n"));
}

/// Holds every line `condition => yes|no` against a page, variables and effects.
fn conditions(page: &Snapshot, variables: &[(&str, Value)], effects: &[PageEffect], lines: &str) {
    let variables: BTreeMap<String, Value> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let facts = Facts { page, variables: &variables, effects };
    let wrong: Vec<String> = lines
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .filter_map(|line| {
            let (condition, expected) =
                line.rsplit_once(" => ").unwrap_or_else(|| panic!("a line is `condition => outcome`: {line}"));
            let (got, detail) = match read_condition(condition.trim()) {
                Err(error) => ("not literal", error.to_string()),
                Ok(check) => match check.evaluate(&facts) {
                    Finding::Holds(evidence) => ("yes", format!("{evidence:?}")),
                    Finding::Fails { why, nearest } => ("no", format!("{why} {nearest:?}")),
                    Finding::Inconclusive { why, nearest } => ("inconclusive", format!("{why} {nearest:?}")),
                },
            };
            (got != expected.trim())
                .then(|| format!("{}\n   expected {}, got {got}: {detail}", condition.trim(), expected.trim()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} lines came out otherwise:\n{}", wrong.len(), wrong.join("\n"));
}
