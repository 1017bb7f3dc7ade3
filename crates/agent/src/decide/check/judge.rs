//! Holding a condition against the facts.

use super::{
    Facts, Finding, Op, What,
    happened::{dialog, downloaded, tabs},
    says::{address, compared, known, plain, resolve, says, variable},
    shown::{said, shown},
    states::{count, empty, has_state, number_fits, plural, state_subject},
};
use crate::decide::{find, find::Purpose, values};
use legwork_protocol::{Evidence, EvidenceKind};

pub(super) fn judge(what: &What, facts: &Facts<'_>) -> Finding {
    match what {
        What::Shown(phrase) => shown(phrase, facts.page),
        What::Says { subject, op, value } => says(subject, *op, value, facts),
        What::State { subject, state } => has_state(subject, *state, facts.page),
        What::Empty(subject) => empty(subject, facts.page),
        What::Title { op, value } => compared("the title", &facts.page.title, *op, value, EvidenceKind::Title),
        What::Address { op, value } => address(&facts.page.url, *op, value),
        What::Count { things, op, number } => count(things, *op, *number, facts.page),
        What::Variable { name, op, value } => variable(name, *op, value, facts),
        What::Downloaded(name) => downloaded(name.as_deref(), facts.effects),
        What::Dialog { op, value } => dialog(*op, value.as_deref(), facts),
        What::Tabs { op, number } => {
            let there = facts.page.tabs.len().max(1);
            let fact = format!("{} {} open", there, plural("tab", there));
            decided(
                number_fits(there, *op, *number),
                EvidenceKind::Tab,
                fact,
                || format!("expected {} {}", op.word(), number),
                tabs(facts.page),
            )
        }
        What::Not(inner) => not(inner, facts),
        What::All(all) => {
            let mut evidence = Vec::new();
            for what in all {
                match judge(what, facts) {
                    Finding::Holds(more) => evidence.extend(more),
                    fails => return fails,
                }
            }
            Finding::Holds(evidence)
        }
        What::Either(all) => {
            let mut whys = Vec::new();
            let mut near = Vec::new();
            for what in all {
                match judge(what, facts) {
                    Finding::Fails { why, nearest } => {
                        whys.push(why);
                        near.extend(nearest);
                    }
                    holds => return holds,
                }
            }
            near.truncate(5);
            Finding::Fails { why: whys.join("; and "), nearest: near }
        }
    }
}

pub(super) fn holds(kind: EvidenceKind, fact: impl Into<String>) -> Finding {
    Finding::Holds(vec![Evidence::checked(kind, fact)])
}

pub(super) fn fails(why: impl Into<String>, nearest: Vec<String>) -> Finding {
    Finding::Fails { why: why.into(), nearest }
}

pub(super) fn decided(
    yes: bool,
    kind: EvidenceKind,
    fact: String,
    expected: impl Fn() -> String,
    nearest: Vec<String>,
) -> Finding {
    if yes { holds(kind, fact) } else { fails(format!("{fact}; {}", expected()), nearest) }
}

/// The negation of a condition that cannot be judged (no such element to have a state) does not hold either.
pub(super) fn not(inner: &What, facts: &Facts<'_>) -> Finding {
    match inner {
        What::State { subject, .. } | What::Empty(subject) => {
            if let Err(unresolved) = find::one(facts.page, subject, Purpose::Any)
                .or_else(|failed| state_subject(facts.page, subject).ok_or(failed))
            {
                return fails(unresolved.to_string(), Vec::new());
            }
        }
        What::Says { subject, .. }
            if values::number(&subject.said).is_none()
                && resolve(subject, facts).is_none()
                && !known(subject, facts)
                && plain(subject).is_none() =>
        {
            return match find::one(facts.page, subject, Purpose::Any) {
                Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
                Ok(_) => fails(format!("there is no {}", subject.said), Vec::new()),
            };
        }
        What::Variable { name, .. } if !facts.variables.contains_key(name) => return judge(inner, facts),
        _ => {}
    }
    match judge(inner, facts) {
        Finding::Holds(evidence) => {
            fails(evidence.into_iter().map(|evidence| evidence.fact).collect::<Vec<_>>().join("; "), Vec::new())
        }
        Finding::Fails { why, .. } => match inner {
            What::Shown(phrase) => holds(EvidenceKind::Text, format!("{} is not on the page", said(phrase))),
            What::Count { .. } => holds(EvidenceKind::Element, why),
            What::Title { .. } => holds(EvidenceKind::Title, format!("the title is “{}”", facts.page.title)),
            What::Address { .. } => holds(EvidenceKind::Url, format!("the address is {}", facts.page.url)),
            What::Variable { .. } => holds(EvidenceKind::Variable, why),
            What::Downloaded(_) => holds(EvidenceKind::Download, "no such file was downloaded"),
            What::Dialog { .. } => holds(EvidenceKind::Dialog, why),
            What::Tabs { .. } => holds(EvidenceKind::Tab, why),
            _ => holds(EvidenceKind::Element, why),
        },
    }
}

impl Op {
    pub(super) fn word(self) -> &'static str {
        match self {
            Op::Is => "exactly",
            Op::Contains => "containing",
            Op::StartsWith => "starting with",
            Op::EndsWith => "ending with",
            Op::Matches => "matching",
            Op::More => "more than",
            Op::Less => "less than",
            Op::AtLeast => "at least",
            Op::AtMost => "at most",
        }
    }
}
