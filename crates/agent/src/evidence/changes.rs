//! How the content of a page differs from the page before.

use std::collections::{HashMap, HashSet};

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

use super::{EvidenceRule, Finding, FindingSubject, Observed, TEXTS, clipped, named};
use legwork_observe::{progress, wording};

/// How the content of the page differs, as far as no message says more.
pub(super) fn assess(observed: &Observed<'_>, findings: &[Finding]) -> Vec<Finding> {
    let Some(before) = observed.before else { return Vec::new() };
    let after = observed.after;
    // What a page shows while its server has not done it is what it hopes for.
    let has = |rule| findings.iter().any(|finding| finding.rule == rule);
    let is_open = has(EvidenceRule::Unanswered) || has(EvidenceRule::AcceptedForLater) && !has(EvidenceRule::Response);
    let told: HashSet<&str> = findings
        .iter()
        .filter_map(|finding| match &finding.subject {
            FindingSubject::Message(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let appeared = |roles: &[&str]| -> Vec<Finding> {
        let mut findings: Vec<Finding> = only_in(after, before, roles)
            .filter(|(_, name)| !told.contains(name))
            .map(|(at, name)| {
                let fact = format!("{:?} appeared", clipped(name));
                let finding = Finding::new(change_rule(observed, after, at, name), EvidenceKind::Text, fact);
                let is_done =
                    wording::tone(name, "") == wording::MessageTone::Success && !has(EvidenceRule::Unanswered);
                if is_open && !is_done || progress::is_under_way(name) { finding.neutral() } else { finding }
            })
            .collect();
        findings.sort_by_key(|finding| !finding.supports());
        findings.truncate(TEXTS);
        findings
    };
    // What a page says on purpose comes before what else it holds.
    let mut changes = appeared(&["alert", "status", "heading"]);
    changes.extend(appeared(&["text"]));
    changes.sort_by_key(|change| !change.supports());
    changes.truncate(TEXTS);
    if changes.is_empty() {
        // A menu that opened says nothing but what can be chosen.
        changes = appeared(&["link", "button", "menuitem", "option", "tab"]);
    }
    if changes.is_empty() {
        changes = appeared(&["cell", "gridcell", "rowheader", "listitem", "treeitem", "image"]);
    }
    if changes.is_empty() {
        changes.extend(new_field(before, after));
    }
    let supported =
        |changes: &[Finding]| changes.iter().chain(findings).any(|finding| finding.supports() || finding.contradicts());
    if !supported(&changes) {
        let held = ["alert", "status", "heading", "text", "link", "button", "row", "listitem", "option", "dialog"];
        let gone = only_in(before, after, &held).take(TEXTS).map(|(at, name)| {
            let fact = format!("{:?} is gone", clipped(name));
            let by_itself = after.removed_itself.iter().any(|text| text.contains(name))
                && !observed.disabled.contains(&EvidenceRule::SelfChanging);
            let rule = match change_rule(observed, before, at, name) {
                EvidenceRule::NewText if by_itself => EvidenceRule::SelfChanging,
                EvidenceRule::NewText => EvidenceRule::Removal,
                neutral => neutral,
            };
            let finding = Finding::new(rule, EvidenceKind::Text, fact);
            if is_open { finding.neutral() } else { finding }
        });
        changes.extend(gone);
    }
    // A header with an arrow is called otherwise once it was pressed.
    let renamed = observed.targets(before).find(|(was, is)| was.name != is.name && !is.states.self_changing());
    if let Some((was, is)) = renamed.filter(|(was, _)| !supported(&changes) && was.role.as_ref() != "textbox") {
        let fact = format!("{} is called {:?} now", named(was), clipped(&is.name));
        changes.push(Finding::new(EvidenceRule::NewText, EvidenceKind::Text, fact));
    }
    if !supported(&changes) && is_reordered(before, after) {
        let fact = "what the page shows is in another order";
        changes.push(Finding::new(EvidenceRule::Order, EvidenceKind::Text, fact));
    }
    changes
}

/// A field that came, such as an editor in a cell: it may have neither name nor value. The one with the focus comes first: of
/// fields without a name nothing else tells which is new.
fn new_field(before: &Snapshot, after: &Snapshot) -> Option<Finding> {
    let fields = |page: &Snapshot| page.nodes.iter().filter(|node| node.states.editable()).count();
    if fields(after) <= fields(before) {
        return None;
    }
    let focused = after.nodes.iter().find(|node| node.states.editable() && node.states.focused());
    let field = focused.or_else(|| added(after, before, |node| node.states.editable()).next())?;
    Some(Finding::new(EvidenceRule::NewText, EvidenceKind::Element, format!("{} appeared", named(field))))
}

/// By which rule a text that is new or gone counts.
fn change_rule(observed: &Observed<'_>, page: &Snapshot, at: NodeIndex, name: &str) -> EvidenceRule {
    let rule = if page.nodes[at].states.self_changing() || observed.churn.has(page, at) {
        EvidenceRule::SelfChanging
    } else if wording::is_clock(name) {
        EvidenceRule::Clock
    } else {
        EvidenceRule::NewText
    };
    if observed.disabled.contains(&rule) { EvidenceRule::NewText } else { rule }
}

/// Whether the same texts stand in another order: a table that was sorted.
fn is_reordered(before: &Snapshot, after: &Snapshot) -> bool {
    let texts = |page: &Snapshot| -> Vec<Box<str>> {
        page.nodes.iter().filter(|node| !node.name.is_empty()).map(|node| node.name.clone()).collect()
    };
    let (mut was, mut is) = (texts(before), texts(after));
    if was == is {
        return false;
    }
    was.sort_unstable();
    is.sort_unstable();
    was == is
}

/// The names that are on one page and not on the other, each once, with the first node that has it.
pub(super) fn only_in<'a>(
    page: &'a Snapshot,
    other: &'a Snapshot,
    roles: &[&str],
) -> impl Iterator<Item = (NodeIndex, &'a str)> {
    let known: HashSet<&str> = other.nodes.iter().map(|node| node.name.as_ref()).collect();
    let mut seen = HashSet::new();
    page.nodes
        .iter()
        .enumerate()
        .filter(move |(_, node)| roles.contains(&node.role.as_ref()))
        .map(|(at, node)| (at, node.name.as_ref()))
        .filter(move |(_, name)| name.contains(char::is_alphanumeric) && !known.contains(name) && seen.insert(*name))
}

/// The elements of a kind that are on one page and not on the other, by role and name: of three `Delete` buttons where there were
/// two, one.
pub(super) fn added<'a>(
    page: &'a Snapshot,
    other: &Snapshot,
    is_kind: fn(&Node) -> bool,
) -> impl Iterator<Item = &'a Node> {
    let mut known = HashMap::new();
    for node in other.nodes.iter().filter(|node| is_kind(node)) {
        *known.entry((node.role.clone(), node.name.clone())).or_insert(0_usize) += 1;
    }
    page.nodes.iter().filter(move |node| is_kind(node)).filter(move |node| {
        match known.get_mut(&(node.role.clone(), node.name.clone())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    })
}
