//! Holding a condition against the facts.

use super::{
    Facts, Finding, Op, What,
    compare::{address, compared, says, variable},
    effects::{dialog, downloaded, tabs},
    states::{count, empty, every, has_state, number_fits, plural},
    visibility::{shown, source_text},
};
use crate::{element_kind::ElementKind, literal::ResolveError, scope, target_phrase::TargetPhrase};
use legwork_observe::Snapshot;
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
        What::Every { things, state, not } => every(things, *state, *not, facts.page),
        What::Not(inner) => not(inner, facts),
        What::All(all) => {
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
        What::Either(all) => {
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

/// What a condition is about is not there.
pub(super) fn unjudged(unresolved: &ResolveError) -> Finding {
    cannot_tell(unresolved.to_string())
}

pub(super) fn cannot_tell(why: impl Into<String>) -> Finding {
    Finding::Unjudged { why: why.into(), nearest: Vec::new() }
}

/// The negation of a condition that cannot be judged cannot be judged either.
pub(super) fn not(inner: &What, facts: &Facts<'_>) -> Finding {
    if let What::Shown(phrase) = inner
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
            What::Shown(phrase) => holds(EvidenceKind::Text, format!("{} is not on the page", source_text(phrase))),
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

/// What has to be there for something to be absent: the places where it is not, the table whose row is not there, and a
/// page that was seen whole.
pub(super) fn may_be_absent(phrase: &TargetPhrase, page: &Snapshot) -> Result<(), Finding> {
    if page.nodes.len() <= 1 && page.dialog.is_none() {
        return Err(cannot_tell("the page shows nothing at all, so nothing can be said to be missing from it"));
    }
    if !page.cut.is_empty() {
        return Err(cannot_tell("the page was too large to be seen whole, so what is not on it cannot be told"));
    }
    scope::presupposed(page, &phrase.scopes).map_err(|unresolved| unjudged(&unresolved))?;
    let is_in_place = !phrase.scopes.is_empty();
    let ranges = scope::ranges(page, &phrase.scopes).unwrap_or_default();
    if (is_in_place || matches!(phrase.kind, Some(ElementKind::Row | ElementKind::Item)))
        && let Some((drawn, all)) = scope::partly_drawn(page, &ranges)
    {
        return Err(cannot_tell(format!(
            "only {drawn} of {all} rows or items are on the page, so what is not among them cannot be told; filter or search first"
        )));
    }
    let in_row = |range: &std::ops::Range<usize>| {
        page.ancestors(range.start).chain([range.start]).any(|at| page.nodes[at].role.as_ref() == "row")
    };
    if phrase.kind == Some(ElementKind::Row) && is_in_place && ranges.iter().all(in_row) {
        return Err(cannot_tell(format!(
            "a row is not in a part of rows, so nothing can be said of {}; write: the status of \"Globex\" is \"Paid\"",
            source_text(phrase)
        )));
    }
    if is_in_place {
        return Ok(());
    }
    // `the cookie banner`: words for a thing, which no text of the page has to say. The banner of ARIA is the page's header.
    let is_common_noun =
        matches!(phrase.kind, None | Some(ElementKind::Banner)) && !phrase.quoted && phrase.raw.is_none();
    if let Some(name) = phrase.name.as_deref().filter(|_| is_common_noun)
        && name.split(' ').all(|word| word.chars().all(|c| c.is_lowercase() || c == '-'))
    {
        return Err(cannot_tell(format!(
            "“{name}” is no kind of element that is known here, so nothing can be said of it; name a text that it shows, in quotes"
        )));
    }
    let (whole, roles): (&str, &[&str]) = match phrase.kind {
        Some(ElementKind::Row) => ("table", &["table", "grid", "treegrid", "list", "tree", "listbox", "row"]),
        Some(ElementKind::Cell | ElementKind::Column) => ("table", &["table", "grid", "treegrid"]),
        Some(ElementKind::Option) => {
            ("list of options", &["combobox", "listbox", "radiogroup", "menu", "option", "radio"])
        }
        _ => return Ok(()),
    };
    if page.nodes.iter().any(|node| roles.contains(&node.role.as_ref())) {
        return Ok(());
    }
    Err(cannot_tell(format!("there is no {whole} on the page, so nothing can be said of {}", source_text(phrase))))
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
