//! States that replaced another one and that nobody requested: the row of an invoice says `On hold` or `Declined` after
//! `Pay`. A row is content, so that its texts are no messages; but a state that the action replaced is its result.

use std::collections::HashMap;

use legwork_observe::{
    Node, NodeIndex, Snapshot,
    wording::{UnwantedState, unwanted_state},
};
use legwork_protocol::{Action, EvidenceKind, TargetKind};

use super::{
    EvidenceRule, Finding, FindingSubject, Observed, clipped, doubt, fields::target, not_all, requests::path_of,
};

/// The roles with which a state is shown.
const STATES: [&str; 9] =
    ["cell", "gridcell", "text", "status", "generic", "paragraph", "definition", "heading", "mark"];
/// If more entries change, the list was loaded anew.
const ENTRIES: usize = 10;
/// If more texts outside of lists change, another part of the page is shown.
const TEXTS: usize = 3;

/// Adds a finding about a state that was not requested. A state that waits is neutral, because some sites take a while;
/// what else the action showed no longer supports.
pub(super) fn note_unwanted_state(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::UnwantedState)
        || path_of(&before.url) != path_of(&observed.after.url)
        || !presses(observed, before)
    {
        return;
    }
    let names = observed.target_names();
    let unwanted = replaced_states(observed, before).into_iter().find_map(|(was, is)| {
        let unwanted = unwanted_state(&is, &names)?;
        // A state that was as bad before tells nothing about the action.
        unwanted_state(&was, &names).is_none_or(|old| old != unwanted).then_some((was, is, unwanted))
    });
    let Some((was, is, unwanted)) = unwanted else { return };
    let fact = format!("{:?} became {:?}", clipped(&was), clipped(&is));
    let finding = Finding::new(EvidenceRule::UnwantedState, EvidenceKind::Text, fact);
    if unwanted == UnwantedState::Refused {
        findings.push(finding.about(FindingSubject::Message(is)));
        return;
    }
    *findings = findings.drain(..).map(doubt).collect();
    findings.push(finding.neutral());
}

/// Whether a control was pressed that changes something. A tab, an option or a row shows other content.
fn presses(observed: &Observed<'_>, before: &Snapshot) -> bool {
    observed.actions.iter().map(Action::carried_out).any(|action| {
        matches!(action, Action::Click(_) | Action::Check(_) | Action::Uncheck(_))
            && target(action, before).is_some_and(|node| {
                matches!(node.role.as_ref(), "button" | "menuitem" | "link" | "checkbox" | "switch")
            })
    })
}

/// The states that were replaced, each with its successor: in the entry of the pressed control, in the ticked entries, in
/// the only entry that changed, or, if no entry changed, outside of all lists.
fn replaced_states(observed: &Observed<'_>, before: &Snapshot) -> Vec<(String, String)> {
    let after = observed.after;
    let own = observed.actions.iter().find_map(|action| {
        let TargetKind::Ref(reference) = action.carried_out().target()?.kind() else { return None };
        let at = before.find_ref(reference)?;
        before.ancestors(at).find(|up| is_entry(before, *up))
    });
    let changed: Vec<(NodeIndex, NodeIndex)> = changed_entries(before, after);
    if changed.len() > ENTRIES {
        return Vec::new();
    }
    let ticked: Vec<NodeIndex> = not_all::ticked_entries(before).collect();
    let is_meant = |was: &NodeIndex| match own {
        Some(own) => own == *was,
        None => ticked.contains(was) || ticked.is_empty() && changed.len() == 1 && observed.sends_change(),
    };
    let in_entries: Vec<(String, String)> = changed
        .iter()
        .filter(|(was, _)| is_meant(was))
        .flat_map(|(was, is)| replaced(before, before.below(*was), after, after.below(*is)))
        .collect();
    if own.is_some() || !in_entries.is_empty() || !observed.sends_change() {
        return in_entries;
    }
    let outside = replaced(before, 1..before.nodes.len(), after, 1..after.nodes.len());
    if outside.len() > TEXTS { Vec::new() } else { outside }
}

fn is_entry(page: &Snapshot, at: NodeIndex) -> bool {
    matches!(page.nodes[at].role.as_ref(), "row" | "listitem" | "article")
}

/// The entries whose text changed, each with the new entry that shares most texts with it.
fn changed_entries(before: &Snapshot, after: &Snapshot) -> Vec<(NodeIndex, NodeIndex)> {
    let entries = |page: &Snapshot| -> Vec<(NodeIndex, String)> {
        let all = (1..page.nodes.len()).filter(|at| is_entry(page, *at));
        all.map(|at| (at, page.text_of(at))).collect()
    };
    let (was, is) = (entries(before), entries(after));
    let only_in = |these: &[(NodeIndex, String)], others: &[(NodeIndex, String)]| -> Vec<NodeIndex> {
        let is_known = |text: &String| others.iter().any(|(_, other)| other == text);
        these.iter().filter(|(_, text)| !is_known(text)).map(|(at, _)| *at).collect()
    };
    let (gone, new) = (only_in(&was, &is), only_in(&is, &was));
    if gone.len() > ENTRIES || new.len() > ENTRIES {
        return Vec::new();
    }
    let shared = |was: NodeIndex, is: NodeIndex| {
        let known = texts(before, before.below(was));
        texts(after, after.below(is)).iter().filter(|text| known.contains(text)).count()
    };
    let best = |was: NodeIndex| new.iter().copied().max_by_key(|is| shared(was, *is)).filter(|is| shared(was, *is) > 0);
    gone.into_iter().filter_map(|was| Some((was, best(was)?))).collect()
}

/// The texts of some nodes that are no controls.
fn texts(page: &Snapshot, nodes: std::ops::Range<NodeIndex>) -> Vec<&str> {
    let is_text = |node: &&Node| STATES.contains(&node.role.as_ref()) && !node.name.trim().is_empty();
    page.nodes[nodes].iter().filter(is_text).map(|node| node.name.trim()).collect()
}

/// The texts that are new, each with the first text that is gone. Nothing was replaced if none is gone. Outside of
/// entries, the texts in entries and those that the page changes by itself do not count.
fn replaced(
    before: &Snapshot,
    was: std::ops::Range<NodeIndex>,
    after: &Snapshot,
    is: std::ops::Range<NodeIndex>,
) -> Vec<(String, String)> {
    let is_whole = was.start == 1;
    let counted = |page: &Snapshot, range: std::ops::Range<NodeIndex>| -> Vec<String> {
        let counts = |at: &NodeIndex| {
            let node = &page.nodes[*at];
            STATES.contains(&node.role.as_ref())
                && !node.name.trim().is_empty()
                && !node.states.self_changing()
                && !(is_whole && page.ancestors(*at).any(|up| is_entry(page, up)))
        };
        range.filter(counts).map(|at| page.nodes[at].name.trim().to_owned()).collect()
    };
    let (was, is) = (counted(before, was), counted(after, is));
    let new = without(&is, &was);
    let Some(gone) = without(&was, &is).first().cloned() else { return Vec::new() };
    new.into_iter().map(|text| (gone.clone(), text)).collect()
}

/// The texts that occur more often in the first list, without duplicates.
fn without(these: &[String], others: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in others {
        *counts.entry(text).or_default() += 1;
    }
    let mut left: Vec<String> = Vec::new();
    for text in these {
        match counts.get_mut(text.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ if !left.contains(text) => left.push(text.clone()),
            _ => {}
        }
    }
    left
}
