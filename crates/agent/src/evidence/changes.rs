//! Evidence from the differences between the content of the page before and after.

use std::collections::{HashMap, HashSet};

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

use super::{EvidenceRule, Finding, FindingSubject, Observed, TEXTS, clipped, named};
use legwork_observe::{progress, wording};

/// The roles with which pages write messages.
pub(super) const MESSAGES: [&str; 5] = ["alert", "status", "heading", "text", "paragraph"];

/// The differences of the content, if there is no message that is more specific.
pub(super) fn assess(observed: &Observed<'_>, findings: &[Finding]) -> Vec<Finding> {
    let Some(before) = observed.before else { return Vec::new() };
    let after = observed.after;
    // While the server has not executed a change, the page shows it only optimistically.
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
                let is_done = wording::tone(name, "") == wording::MessageTone::Success
                    && !wording::is_mere_thanks(name)
                    && !has(EvidenceRule::Unanswered);
                if is_open && !is_done || progress::is_under_way(name) { finding.neutral() } else { finding }
            })
            .collect();
        findings.sort_by_key(|finding| !finding.supports());
        findings.truncate(TEXTS);
        findings
    };
    // Messages have priority over other content.
    let mut changes = appeared(&["alert", "status", "heading"]);
    changes.extend(appeared(&["text"]));
    changes.sort_by_key(|change| !change.supports());
    changes.truncate(TEXTS);
    if changes.is_empty() {
        // A menu that opened shows only the available choices.
        changes = appeared(&["link", "button", "menuitem", "option", "tab"]);
    }
    if changes.is_empty() {
        changes = appeared(&["cell", "gridcell", "rowheader", "listitem", "treeitem", "img"]);
    }
    if changes.is_empty() {
        changes.extend(new_field(before, after));
    }
    let supported =
        |changes: &[Finding]| changes.iter().chain(findings).any(|finding| finding.supports() || finding.contradicts());
    if !supported(&changes) {
        let gone = removed(observed, before).take(TEXTS).map(|(name, rule)| {
            let finding = Finding::new(rule, EvidenceKind::Text, format!("{:?} is gone", clipped(name)));
            if is_open { finding.neutral() } else { finding }
        });
        changes.extend(gone);
    }
    // The name of a column header with a sort arrow changes when it is clicked.
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

/// The texts that disappeared, each with its rule.
fn removed<'a>(observed: &Observed<'a>, before: &'a Snapshot) -> impl Iterator<Item = (&'a str, EvidenceRule)> {
    const ROLES: [&str; 13] = [
        "alert", "status", "heading", "text", "link", "button", "row", "cell", "gridcell", "article", "listitem",
        "option", "dialog",
    ];
    let observed = *observed;
    only_in(before, observed.after, &ROLES).map(move |(at, name)| {
        let by_itself = observed.after.removed_itself.iter().any(|text| text.contains(name))
            && !observed.disabled.contains(&EvidenceRule::SelfChanging);
        let rule = match change_rule(&observed, before, at, name) {
            EvidenceRule::NewText if by_itself => EvidenceRule::SelfChanging,
            EvidenceRule::NewText => EvidenceRule::Removal,
            neutral => neutral,
        };
        (name, rule)
    })
}

/// Whether a text appeared or disappeared, a control appeared, the target of an action has another name, or the content
/// is in another order. A text that was only a choice of a list before (`Owner: Omar Said`) has appeared as well.
pub(super) fn has_other_content(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let by_itself = |text: &str| observed.after.removed_itself.iter().any(|removed| removed.contains(text));
    removed(observed, before).any(|(_, rule)| rule == EvidenceRule::Removal)
        || added(observed.after, before, is_content).next().is_some()
        || added(before, observed.after, is_shown_text).any(|node| !by_itself(&node.name))
        || observed.targets(before).any(|(was, is)| was.name != is.name && !is.states.self_changing())
        || is_reordered(before, observed.after)
}

/// Whether a node is a control or a text, whose appearance shows an effect.
fn is_content(node: &Node) -> bool {
    is_shown_text(node) || node.reference.is_some() && !node.states.self_changing()
}

/// Whether a node is a text of the page itself: neither the content of a field nor a choice of a list.
fn is_shown_text(node: &Node) -> bool {
    let is_field = node.states.editable() || matches!(node.role.as_ref(), "option" | "combobox" | "listbox");
    // A tick states that it was done; other symbols say nothing.
    let is_telling =
        node.name.contains(|c: char| c.is_alphanumeric() || matches!(c, '✓' | '✔')) && !wording::is_clock(&node.name);
    is_telling && !is_field && !node.states.self_changing()
}

/// A field that appeared, such as a cell editor. It may have neither name nor value. The focused field comes first:
/// among fields without a name, only the focus shows which one is new.
fn new_field(before: &Snapshot, after: &Snapshot) -> Option<Finding> {
    let fields = |page: &Snapshot| page.nodes.iter().filter(|node| node.states.editable()).count();
    if fields(after) <= fields(before) {
        return None;
    }
    let focused = after.nodes.iter().find(|node| node.states.editable() && node.states.focused());
    let field = focused.or_else(|| added(after, before, |node| node.states.editable()).next())?;
    Some(Finding::new(EvidenceRule::NewText, EvidenceKind::Element, format!("{} appeared", named(field))))
}

/// The rule for a text that appeared or disappeared.
fn change_rule(observed: &Observed<'_>, page: &Snapshot, at: NodeIndex, name: &str) -> EvidenceRule {
    let by_itself = page.nodes[at].states.self_changing() || observed.churn.has(page, at);
    let rule = if by_itself && !observed.repeats_closed_field(name) {
        EvidenceRule::SelfChanging
    } else if wording::is_clock(name) && !is_result(observed, name) {
        EvidenceRule::Clock
    } else {
        EvidenceRule::NewText
    };
    if observed.disabled.contains(&rule) { EvidenceRule::NewText } else { rule }
}

/// Whether a text with a time states what was done (`Booked: Monday at 09:00`) or contains an entered time.
fn is_result(observed: &Observed<'_>, text: &str) -> bool {
    let is_time = |value: &&str| value.len() > 3 && value.contains(':');
    wording::states_done(text, &observed.target_names())
        || observed.values_put_in().filter(is_time).any(|value| text.contains(value))
}

/// Whether the same texts are in another order: a table that was sorted.
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

/// The names of elements with these roles that are on the first page but not on the second, without duplicates, each
/// with its first node.
pub(super) fn only_in<'a>(
    page: &'a Snapshot,
    other: &'a Snapshot,
    roles: &[&str],
) -> impl Iterator<Item = (NodeIndex, &'a str)> {
    names_only_in(page, other, |at| roles.contains(&page.role(at)))
}

/// As [`only_in`], of the elements that are meant.
pub(crate) fn names_only_in<'a, F: Fn(NodeIndex) -> bool>(
    page: &'a Snapshot,
    other: &'a Snapshot,
    is_meant: F,
) -> impl Iterator<Item = (NodeIndex, &'a str)> + use<'a, F> {
    let known: HashSet<&str> = other.nodes.iter().map(|node| node.name.as_ref()).collect();
    let mut seen = HashSet::new();
    let meant = (0..page.nodes.len()).filter(move |at| is_meant(*at));
    meant
        .map(|at| (at, page.nodes[at].name.as_ref()))
        .filter(move |(_, name)| name.contains(char::is_alphanumeric) && !known.contains(name) && seen.insert(*name))
}

/// The elements of a kind that are on the first page but not on the second, by role and name. If there are three
/// `Delete` buttons where there were two, one is returned.
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
