//! Comparing a condition with the facts.

use legwork_protocol::EvidenceKind;

use super::{
    absence::may_be_absent,
    compare::{address, compared, says, variable},
    effects::{dialog, downloaded, tabs},
    finding::{Facts, Finding, decided, fails, holds},
    states::{count, empty, every, has_state, number_fits, plural},
    visibility::shown,
};
use crate::ast::Condition;

pub(super) fn judge(what: &Condition, facts: &Facts<'_>) -> Finding {
    match what {
        Condition::Shown(phrase) => shown(phrase, facts.page),
        Condition::Says { subject, comparison, value } => says(subject, *comparison, value, facts),
        Condition::State { subject, state } => has_state(subject, *state, facts.page),
        Condition::Empty(subject) => empty(subject, facts.page),
        Condition::Title { comparison, value } => {
            compared("the title", &facts.page.title, *comparison, value, EvidenceKind::Title)
        }
        Condition::Address { comparison, value } => address(&facts.page.url, *comparison, value),
        Condition::Count { things, comparison, number } => count(things, *comparison, *number, facts.page),
        Condition::Variable { name, comparison, value } => variable(name, *comparison, value, facts),
        Condition::Downloaded(name) => downloaded(name.as_deref(), facts.effects),
        Condition::Dialog { comparison, value } => dialog(*comparison, value.as_deref(), facts),
        Condition::Tabs { comparison, number } => {
            let there = facts.page.tabs.len().max(1);
            let fact = format!("{} {} open", there, plural("tab", there));
            decided(
                number_fits(there, *comparison, *number),
                EvidenceKind::Tab,
                fact,
                || format!("expected {} {}", comparison.word(), number),
                tabs(facts.page),
            )
        }
        Condition::Every { things, state, not } => every(things, *state, *not, facts.page),
        Condition::Not(inner) => not(inner, facts),
        Condition::All(all) => {
            let mut evidence = Vec::new();
            let mut failed = None;
            for what in all {
                match judge(what, facts) {
                    Finding::Holds(more) => evidence.extend(more),
                    unjudged @ Finding::Unjudged { .. } => return unjudged,
                    fails => failed = failed.or(Some(fails)),
                }
            }
            failed.unwrap_or(Finding::Holds(evidence))
        }
        Condition::Either(all) => {
            let mut whys = Vec::new();
            let mut near = Vec::new();
            let mut open = false;
            for what in all {
                match judge(what, facts) {
                    holds @ Finding::Holds(_) => return holds,
                    Finding::Fails { why, nearest } => {
                        whys.push(why);
                        near.extend(nearest);
                    }
                    Finding::Unjudged { why, nearest } => {
                        open = true;
                        whys.push(why);
                        near.extend(nearest);
                    }
                }
            }
            near.truncate(5);
            let why = whys.join("; and ");
            if open { Finding::Unjudged { why, nearest: near } } else { Finding::Fails { why, nearest: near } }
        }
    }
}

/// The negation of a condition that cannot be judged cannot be judged either.
pub(super) fn not(inner: &Condition, facts: &Facts<'_>) -> Finding {
    if let Condition::Shown(phrase) = inner
        && let Err(why) = may_be_absent(phrase, facts.page)
    {
        return why;
    }
    match judge(inner, facts) {
        Finding::Holds(evidence) => {
            fails(evidence.into_iter().map(|evidence| evidence.fact).collect::<Vec<_>>().join("; "), Vec::new())
        }
        Finding::Unjudged { why, nearest } => Finding::Unjudged { why, nearest },
        Finding::Fails { why, .. } => match inner {
            Condition::Shown(phrase) => {
                holds(EvidenceKind::Text, format!("{} is not on the page", phrase.display_text()))
            }
            Condition::Count { .. } => holds(EvidenceKind::Element, why),
            Condition::Title { .. } => holds(EvidenceKind::Title, format!("the title is “{}”", facts.page.title)),
            Condition::Address { .. } => holds(EvidenceKind::Url, format!("the address is {}", facts.page.url)),
            Condition::Variable { .. } => holds(EvidenceKind::Variable, why),
            Condition::Downloaded(_) => holds(EvidenceKind::Download, "no such file was downloaded"),
            Condition::Dialog { .. } => holds(EvidenceKind::Dialog, why),
            Condition::Tabs { .. } => holds(EvidenceKind::Tab, why),
            _ => holds(EvidenceKind::Element, why),
        },
    }
}
