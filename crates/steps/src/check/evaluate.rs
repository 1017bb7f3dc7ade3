//! Evaluates a condition against the facts.

use legwork_protocol::EvidenceKind;

use super::{
    absence::may_be_absent,
    compare::{address, compared, says, variable},
    effects::{dialog, downloaded},
    finding::{Evaluation, Facts, Finding, decided, fails, holds},
    rows::rows,
    states::{count, empty, every, has_state, number_fits, plural},
    visibility::shown,
};
use crate::{ast::Condition, describe::tab_list};

pub(super) fn finding_of(condition: &Condition, facts: &Facts<'_>) -> Finding {
    let (Ok(finding) | Err(finding)) = evaluate(condition, facts);
    finding
}

fn evaluate(condition: &Condition, facts: &Facts<'_>) -> Evaluation {
    let page = facts.page;
    Ok(match condition {
        Condition::Shown(phrase) => shown(phrase, page)?,
        Condition::Says { subject, comparison, value } => says(subject, *comparison, value, facts)?,
        Condition::State { subject, state } => has_state(subject, *state, page)?,
        Condition::Empty(subject) => empty(subject, page)?,
        Condition::Title { comparison, value } => {
            compared("the title", &page.title, *comparison, value, EvidenceKind::Title)
        }
        Condition::Address { comparison, value } => address(&page.url, *comparison, value),
        Condition::Count { things, comparison, number } => count(things, *comparison, *number, page)?,
        Condition::Variable { name, comparison, value } => variable(name, *comparison, value, facts),
        Condition::Downloaded(name) => downloaded(name.as_deref(), facts.effects),
        Condition::Dialog { comparison, value } => dialog(*comparison, value.as_deref(), facts),
        Condition::Tabs { comparison, number } => {
            let there = page.tabs.len().max(1);
            let fact = format!("{there} {} open", plural("tab", there));
            let expected = format!("expected {} {number}", comparison.word());
            decided(number_fits(there, *comparison, *number), EvidenceKind::Tab, fact, &expected, tab_list(page))
        }
        Condition::Every { things, state, not } => every(things, *state, *not, page)?,
        Condition::Rows { place, statement } => rows(place.as_ref(), statement, page)?,
        Condition::Not(inner) => not(inner, facts)?,
        Condition::All(all) => {
            let mut evidence = Vec::new();
            let mut failed = None;
            for condition in all {
                match finding_of(condition, facts) {
                    Finding::Holds(more) => evidence.extend(more),
                    inconclusive @ Finding::Inconclusive { .. } => return Err(inconclusive),
                    fails => failed = failed.or(Some(fails)),
                }
            }
            failed.unwrap_or(Finding::Holds(evidence))
        }
        Condition::Either(all) => {
            let (mut whys, mut near, mut is_open) = (Vec::new(), Vec::new(), false);
            for condition in all {
                let finding = finding_of(condition, facts);
                is_open |= matches!(finding, Finding::Inconclusive { .. });
                let Err(unmet) = finding.clone().evidence() else { return Ok(finding) };
                whys.push(unmet.why);
                near.extend(unmet.nearest);
            }
            near.truncate(5);
            let why = whys.join("; and ");
            if is_open { Finding::Inconclusive { why, nearest: near } } else { fails(why, near) }
        }
    })
}

/// The negation of a condition that cannot be evaluated cannot be evaluated either.
fn not(inner: &Condition, facts: &Facts<'_>) -> Evaluation {
    if let Condition::Shown(phrase) = inner {
        may_be_absent(phrase, facts.page)?;
    }
    let why = match finding_of(inner, facts) {
        Finding::Holds(evidence) => {
            let held: Vec<String> = evidence.into_iter().map(|evidence| evidence.fact).collect();
            return Ok(fails(held.join("; "), Vec::new()));
        }
        inconclusive @ Finding::Inconclusive { .. } => return Err(inconclusive),
        Finding::Fails { why, .. } => why,
    };
    let (kind, fact) = match inner {
        Condition::Shown(phrase) => (EvidenceKind::Text, format!("{} is not on the page", phrase.display_text())),
        Condition::Title { .. } => (EvidenceKind::Title, format!("the title is “{}”", facts.page.title)),
        Condition::Address { .. } => (EvidenceKind::Url, format!("the address is {}", facts.page.url)),
        Condition::Variable { .. } => (EvidenceKind::Variable, why),
        Condition::Downloaded(_) => (EvidenceKind::Download, "no such file was downloaded".to_owned()),
        Condition::Dialog { .. } => (EvidenceKind::Dialog, why),
        Condition::Tabs { .. } => (EvidenceKind::Tab, why),
        _ => (EvidenceKind::Element, why),
    };
    Ok(holds(kind, fact))
}
