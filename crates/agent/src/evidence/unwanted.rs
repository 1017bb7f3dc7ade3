//! States that appeared and were not requested: the row of an invoice says `On hold` or `Declined` after
//! `Pay`. A row is content, so that its texts are no messages; but a state that the action replaced is its result.

use std::collections::{HashMap, HashSet};

use legwork_observe::{
    NodeIndex, Snapshot,
    wording::{UnwantedState, is_addressed_refusal, is_examination, unwanted_state},
};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, FindingSubject, Observed, clipped,
    fields::{position, target},
    outweigh, ticked_entries,
    url_path::path_of,
};

/// The roles with which a state is shown.
const STATES: [&str; 9] =
    ["cell", "gridcell", "text", "status", "generic", "paragraph", "definition", "heading", "mark"];
/// If more entries change, the list was reloaded.
const ENTRIES: usize = 10;
/// If more texts outside of lists change, another part of the page is shown.
const TEXTS: usize = 3;

/// Adds a finding about a state that was not requested. A state that waits is neutral, because some sites take a while;
/// other facts about the action no longer support it.
pub(super) fn note_unwanted_state(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::UnwantedState)
        || path_of(&before.url) != path_of(&observed.after.url)
        || !presses(observed, before)
    {
        return;
    }
    let names = observed.target_names();
    // What an examination finds is its result.
    if is_examination(&names) {
        return;
    }
    let unwanted =
        new_states(observed, before).into_iter().filter(|(_, is)| !observed.is_echo(is)).find_map(|(was, is)| {
            let unwanted = judge(&was, &is, &names)?;
            Some((was, is, unwanted))
        });
    let Some((was, is, unwanted)) = unwanted else { return };
    let fact = match was.as_str() {
        "" => format!("the state {:?} appeared", clipped(&is)),
        was => format!("{:?} became {:?}", clipped(was), clipped(&is)),
    };
    let finding = Finding::new(EvidenceRule::UnwantedState, EvidenceKind::Text, fact);
    if unwanted == UnwantedState::Refused {
        findings.push(finding.about(FindingSubject::Message(is)));
        return;
    }
    outweigh(findings, finding.neutral());
}

/// Judges a new state, also without the words that it shares with the old one: `shop Failed` after `shop Idle`.
fn judge(was: &str, is: &str, names: &str) -> Option<UnwantedState> {
    if is_addressed_refusal(is, names) && !is_addressed_refusal(was, names) {
        return Some(UnwantedState::Refused);
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (was.split_whitespace().collect(), is.split_whitespace().collect());
    let shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = shared(&mut old.iter().zip(&new));
    let end = shared(&mut old[begin..].iter().rev().zip(new[begin..].iter().rev()));
    let changed = new[begin..new.len() - end].join(" ");
    unwanted_state(is, names).or_else(|| unwanted_state(&changed, names))
}

/// Whether a control was pressed that changes something. A tab, an option or a row shows other content.
fn presses(observed: &Observed<'_>, before: &Snapshot) -> bool {
    observed.tried().map(Action::carried_out).any(|action| {
        matches!(action, Action::Click(_) | Action::Check(_) | Action::Uncheck(_))
            && target(action, before).is_some_and(|node| {
                matches!(node.role.as_ref(), "button" | "menuitem" | "link" | "checkbox" | "switch")
            })
    })
}

/// The new states, each with the one that it replaced, or with an empty text: in the entry of the pressed control, in
/// the ticked entries, in the only entry that changed, or, if no entry changed, outside of all lists.
fn new_states(observed: &Observed<'_>, before: &Snapshot) -> Vec<(String, String)> {
    let after = observed.after;
    let own = own_entry(observed, before);
    let changed: Vec<(NodeIndex, NodeIndex)> = changed_entries(before, after);
    if changed.len() > ENTRIES {
        return Vec::new();
    }
    let ticked: Vec<NodeIndex> = ticked_entries::ticked_entries(before).collect();
    let is_meant = |was: &NodeIndex| match own {
        Some(own) => own == *was,
        None => ticked.contains(was) || ticked.is_empty() && changed.len() == 1 && observed.sends_change(),
    };
    let in_entries: Vec<(String, String)> = changed
        .iter()
        .filter(|(was, _)| is_meant(was))
        .flat_map(|(was, is)| replaced(before, before.below(*was), after, after.below(*is)))
        .collect();
    // A link shows another part of the page.
    let is_link = observed
        .actions
        .iter()
        .filter_map(|action| target(action.carried_out(), before))
        .any(|node| node.role.as_ref() == "link");
    if own.is_some() || !in_entries.is_empty() || !observed.sends_change() || is_link {
        return in_entries;
    }
    let outside = replaced(before, 1..before.nodes.len(), after, 1..after.nodes.len());
    if outside.len() > TEXTS { Vec::new() } else { outside }
}

/// The entry of the pressed control.
pub(super) fn own_entry(observed: &Observed<'_>, before: &Snapshot) -> Option<NodeIndex> {
    observed.tried().find_map(|action| {
        let at = position(action.carried_out(), before)?;
        before.ancestors(at).find(|up| is_entry(before, *up))
    })
}

/// Removes the support from all findings if the entry of the pressed control is as it was, while others of the same
/// list changed or are gone: `Delete` in the row of `Acme` removed the row of `Acme Nord`.
pub(super) fn neutralize_on_other_entry(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    const FEW: usize = 3;
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::OtherEntry) || !observed.sends_change() || !presses(observed, before) {
        return;
    }
    let Some(own) = own_entry(observed, before) else { return };
    // An entry of another list, such as the cart beside the products, may change as a result.
    let is_beside =
        |at: &NodeIndex| before.nodes[*at].parent == before.nodes[own].parent && before.role(*at) == before.role(own);
    let was: Vec<String> = (1..before.nodes.len()).filter(is_beside).map(|at| before.text_of(at)).collect();
    let after = observed.after;
    let is: HashSet<String> =
        (1..after.nodes.len()).filter(|at| is_entry(after, *at)).map(|at| after.text_of(at)).collect();
    let own = before.text_of(own);
    let gone: Vec<&String> = was.iter().filter(|text| !is.contains(*text) && !text.contains(own.as_str())).collect();
    let Some(other) = gone.first().filter(|_| gone.len() <= FEW && is.contains(&own)) else { return };
    let (own, other) = (clipped(own.trim()), clipped(other.trim()));
    let fact = format!("the entry {other:?} changed or is gone, and {own:?}, in which the control is, is as it was");
    outweigh(findings, Finding::new(EvidenceRule::OtherEntry, EvidenceKind::Text, fact));
}

pub(super) fn is_entry(page: &Snapshot, at: NodeIndex) -> bool {
    matches!(page.nodes[at].role.as_ref(), "row" | "listitem" | "article")
}

/// The entries whose text changed, each with the new entry that shares most texts with it.
pub(super) fn changed_entries(before: &Snapshot, after: &Snapshot) -> Vec<(NodeIndex, NodeIndex)> {
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
    let words = |page: &Snapshot, at: NodeIndex| -> Vec<String> {
        page.text_of(at).split_whitespace().map(str::to_owned).collect()
    };
    let shared = |was: NodeIndex, is: NodeIndex| {
        let known = words(before, was);
        words(after, is).iter().filter(|word| known.contains(word)).count()
    };
    let best = |was: NodeIndex| new.iter().copied().max_by_key(|is| shared(was, *is)).filter(|is| shared(was, *is) > 0);
    gone.into_iter().filter_map(|was| Some((was, best(was)?))).collect()
}

/// The new texts, each with the first text that is gone, or with an empty one. Outside of entries, the texts in entries
/// and those that the page changes by itself do not count.
pub(super) fn replaced(
    before: &Snapshot,
    was: std::ops::Range<NodeIndex>,
    after: &Snapshot,
    is: std::ops::Range<NodeIndex>,
) -> Vec<(String, String)> {
    let is_whole = was.start == 1;
    let counted = |page: &Snapshot, range: std::ops::Range<NodeIndex>| -> Vec<String> {
        let counts = |at: &NodeIndex| {
            let node = &page.nodes[*at];
            let is_content = is_whole && page.ancestors(*at).any(|up| is_entry(page, up));
            let is_text = STATES.contains(&node.role.as_ref()) && !node.name.trim().is_empty();
            is_text && !is_content && !node.states.self_changing()
        };
        range.filter(counts).map(|at| page.nodes[at].name.trim().to_owned()).collect()
    };
    let (was, is) = (counted(before, was), counted(after, is));
    let new = without(&is, &was);
    let gone = without(&was, &is).first().cloned().unwrap_or_default();
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
