//! A change that the server accepted, after which the page shows nothing that refers to it: a dialog that closed, a
//! counter of something else, a state that only got an addition. Servers accept requests that they do not carry out,
//! and no list of words contains everything that a page may show then. Therefore the page has to show something that is
//! tied to the request: a success, an entered value, the requested state, or an entry that is new or gone.

use std::collections::HashMap;

use legwork_observe::{Node, NodeIndex, Snapshot, numbers, wording};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, Observed,
    change_request::{ChangeRequest, OVERLAYS},
    fields::position,
    login,
    no_visible_effect::{keeps_values, states_success_for_a_moment},
    outweigh,
    own_entry::{is_next_name, is_other_state},
    questions,
    unrelated::{is_same_place, is_search, presses_enter},
    unwanted::{changed_entries, is_entry, own_entry, replaced},
};

/// Removes the support from all findings if nothing that the page shows refers to the change, and adds a finding that
/// says so. Other pages are judged by [`unrelated`](super::unrelated). An action that follows needs less (see
/// [`no_visible_effect`](super::no_visible_effect)).
pub(super) fn neutralize_on_unrelated_effect(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let names = observed.target_names();
    if observed.disabled.contains(&EvidenceRule::UnrelatedEffect)
        || observed.has_further_action
        || observed.is_login
        || !observed.sends_change()
        || !(observed.presses_button(before) || presses_enter(observed))
        || !findings.iter().any(Finding::supports)
        || findings.iter().any(Finding::contradicts)
        || !is_same_place(observed, before)
        || requests_page(observed, before, &names)
        || is_tied(observed, before, findings)
    {
        return;
    }
    let fact = "nothing that the page newly shows refers to what was asked for; state in `expect` what it is to show";
    outweigh(findings, Finding::new(EvidenceRule::UnrelatedEffect, EvidenceKind::Text, fact));
}

/// Whether the control shows something, examines something or ends the session, and changes no record.
fn requests_page(observed: &Observed<'_>, before: &Snapshot, names: &str) -> bool {
    let is_change = own_entry(observed, before).is_some() && wording::takes_back(names);
    wording::asks_for_page(names) && !is_change
        || wording::shows(names)
        || wording::is_examination(names)
        || is_search(observed, before)
        || login::sends_login(observed, before)
        || wording::logs_out(names)
}

/// Whether the page shows something that refers to the request.
fn is_tied(observed: &Observed<'_>, before: &Snapshot, findings: &[Finding]) -> bool {
    let after = observed.after;
    let request = ChangeRequest::of(observed, before);
    let new = new_texts(after, before, |at| is_own_change(observed, after, at));
    let gone = new_texts(before, after, |_| true);
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    let transient = after.transient.iter().map(|node| node.name.as_ref());
    let mut texts = new.iter().map(String::as_str).chain(transient);
    texts.any(|text| request.refers(text, &gone))
        || states_change(observed, before, &request)
        || changes_own_entry(observed, before, &request)
        || counts_on(&new, &gone, &request)
        || changes_target(observed, before, &request)
        || changes_list(observed, before, &request)
        || moves_own_entry(observed, before, findings, &request)
        || title_refers(observed, before, &request)
        || keeps_values(observed, before)
        || states_success_for_a_moment(observed)
        || findings.iter().any(|finding| {
            finding.rule == EvidenceRule::Effect && finding.supports() && finding.evidence.kind != EvidenceKind::Dialog
        })
}

fn title_refers(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    let title = observed.after.title.as_str();
    title != before.title && !observed.after.title_changes_itself && request.refers(title, &[before.title.as_str()])
}

/// Whether the page did not change a text by itself.
fn is_own_change(observed: &Observed<'_>, page: &Snapshot, at: NodeIndex) -> bool {
    !page.nodes[at].states.self_changing() && !observed.churn.has(page, at)
}

/// The texts that occur more often on the first page, without the names of controls and the choices of lists; and the
/// whole text of entries that are only on the first page, because a value may consist of several texts.
fn new_texts(page: &Snapshot, other: &Snapshot, counts: impl Fn(NodeIndex) -> bool) -> Vec<String> {
    let is_text = |node: &Node| {
        const CONTROLS: [&str; 9] =
            ["button", "option", "combobox", "listbox", "checkbox", "radio", "switch", "menuitem", "tab"];
        !node.states.editable() && !CONTROLS.contains(&node.role.as_ref()) && !node.name.trim().is_empty()
    };
    let mut known: HashMap<&str, usize> = HashMap::new();
    for node in other.nodes.iter().filter(|node| is_text(node)) {
        *known.entry(node.name.trim()).or_default() += 1;
    }
    let is_known = |text: &str, known: &mut HashMap<&str, usize>| match known.get_mut(text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let texts = (1..page.nodes.len()).filter(|at| is_text(&page.nodes[*at]) && counts(*at));
    texts.map(|at| page.nodes[at].name.trim()).filter(|text| !is_known(text, &mut known)).map(str::to_owned).collect()
}

/// Whether a state was replaced by its opposite: `Inactive` by `Active`.
fn states_change(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    let after = observed.after;
    let mut ranges = vec![(1..before.nodes.len(), 1..after.nodes.len())];
    if let Some(own) = own_entry(observed, before)
        && let Some((_, is)) = changed_entries(before, after).into_iter().find(|(was, _)| *was == own)
    {
        ranges.push((before.below(own), after.below(is)));
    }
    let pairs = ranges.into_iter().flat_map(|(was, is)| replaced(before, was, after, is));
    let mut pairs = pairs.filter(|(was, is)| !was.is_empty() && !wording::is_lesser(is, request.names()));
    pairs.any(|(was, is)| is_other_state(&was, &is) && !super::whole_words::contains_whole(&is, &was))
}

/// Whether a text in the entry of the pressed control was replaced by another one. What an unclear one says was judged
/// before, and what was only added to a text is no other one.
fn changes_own_entry(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    let after = observed.after;
    let Some(own) = own_entry(observed, before) else { return false };
    let Some((_, now)) = changed_entries(before, after).into_iter().find(|(was, _)| *was == own) else { return false };
    let names = request.names();
    replaced(before, before.below(own), after, after.below(now)).into_iter().any(|(was, is)| {
        !was.is_empty()
            && !super::whole_words::contains_whole(&is, &was)
            && !wording::is_lesser(&is, names)
            && !wording::is_undone(&is, names)
    })
}

/// Whether a text shows another number than before in the same words, as a counter does: the entered number, or one
/// more or less if no number was entered.
fn counts_on(new: &[String], gone: &[&str], request: &ChangeRequest<'_>) -> bool {
    // `0 items` becomes `1 item`.
    let letters = |text: &str| -> String {
        let words = text.split_whitespace().map(|word| word.strip_suffix('s').unwrap_or(word));
        words.flat_map(str::chars).filter(|c| !c.is_ascii_digit()).collect()
    };
    let digits = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<i64>().ok()
    };
    let entered: Vec<f64> =
        request.values().filter(|value| numbers::is_number(value)).filter_map(numbers::value).collect();
    new.iter().any(|is| {
        let was = gone.iter().find(|was| letters(was) == letters(is) && letters(is).contains(char::is_alphabetic));
        let Some((was, is)) = was.and_then(|was| digits(was).zip(digits(is))) else { return false };
        let change = (is - was).unsigned_abs();
        match entered.as_slice() {
            [] => change == 1,
            // The amounts of a page are far below the numbers that a float does not represent.
            entered => entered
                .iter()
                .any(|number| numbers::is_near(*number, change as f64) || numbers::is_near(*number, is as f64)),
        }
    })
}

/// Whether the pressed control is in another state, or has the name of the next action: `Following` after `Follow`.
fn changes_target(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    let is_other = |(was, is): (&Node, &Node)| {
        was.states.pressed() != is.states.pressed()
            || was.states.checked() != is.states.checked()
            || was.states.selected() != is.states.selected()
            || was.states.expanded() != is.states.expanded()
    };
    observed.targets(before).any(is_other)
        || questions::renamed_target(observed, before).is_some_and(|name| {
            // `Unfollow` after `Follow` takes back what was done, `Unsent` after `Send` says that it was not done.
            let normal = wording::normalized(name);
            let takes_back = normal
                .trim()
                .strip_prefix("un")
                .is_some_and(|action| request.names().split_whitespace().any(|word| word == action));
            is_next_name(name, request.names()) && (takes_back || !wording::is_undone(name, request.names()))
        })
}

/// Whether a list has a new entry after a control that adds one, or lacks one that the request was about.
fn changes_list(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    let after = observed.after;
    let names = request.names();
    let entries = |page: &Snapshot| -> Vec<(NodeIndex, String)> {
        let all = (1..page.nodes.len()).filter(|at| is_entry(page, *at));
        all.map(|at| (at, page.text_of(at))).collect()
    };
    let (was, is) = (entries(before), entries(after));
    // A list that was empty may have had an entry that says so.
    if wording::creates(&observed.target_names()) && is.len() > was.len() {
        return true;
    }
    let closed = closed_part(observed, before);
    let gone: Vec<&(NodeIndex, String)> =
        was.iter().filter(|(at, text)| !closed.contains(at) && !is.iter().any(|(_, other)| other == text)).collect();
    let changed: Vec<NodeIndex> = changed_entries(before, after).into_iter().map(|(was, _)| was).collect();
    let takes = wording::empties(names) || own_entry(observed, before).is_some() || in_overlay(observed, before);
    // An entry that stands elsewhere now (`Inactive (1): Luc Petit`) was not deleted but moved.
    let is_elsewhere = |entry: NodeIndex| {
        let name = before.below(entry).map(|at| before.nodes[at].name.trim()).find(|name| !name.is_empty());
        let stays = |text: &str| name.is_some_and(|name| text.contains(name)) && !request.states(text);
        wording::empties(names)
            && name.is_some_and(|name| name.chars().count() > 2)
            && new_texts(after, before, |_| true).iter().any(|text| stays(text))
    };
    let is_gone = gone.iter().any(|(at, _)| !changed.contains(at) && is.len() < was.len() && !is_elsewhere(*at));
    is_gone && takes || wording::empties(names) && removes_text(observed, before, &closed)
}

/// Whether a text outside of the closed part is gone, and none replaced it: a note that was deleted.
fn removes_text(observed: &Observed<'_>, before: &Snapshot, closed: &std::ops::Range<NodeIndex>) -> bool {
    let after = observed.after;
    let is_text = |at: &NodeIndex| {
        let node = &before.nodes[*at];
        matches!(node.role.as_ref(), "text" | "heading" | "link" | "img" | "paragraph" | "generic")
            && !node.name.trim().is_empty()
    };
    let is_gone = |at: &NodeIndex| !after.nodes.iter().any(|node| node.name == before.nodes[*at].name);
    let mut gone = (1..before.nodes.len()).filter(|at| is_text(at) && !closed.contains(at) && is_gone(at));
    gone.any(|at| is_own_change(observed, before, at))
}

/// The pressed control, if it is gone, and what is gone with it: the dialog or menu around it, or the texts and
/// controls beside it.
pub(super) fn closed_part(observed: &Observed<'_>, before: &Snapshot) -> std::ops::Range<NodeIndex> {
    let pressed = observed.tried().find_map(|action| position(action.carried_out(), before));
    let Some(pressed) = pressed else { return 0..0 };
    let remains = |at: NodeIndex| {
        let node = &before.nodes[at];
        observed.after.nodes.iter().any(|now| now.role == node.role && now.name == node.name)
    };
    if remains(pressed) {
        return 0..0;
    }
    if let Some(overlay) = before.enclosing(pressed, &OVERLAYS) {
        return overlay..before.nodes[overlay].end;
    }
    // An entry that is gone with its own controls is no part that closed.
    let is_limit = |at: NodeIndex| {
        let node = &before.nodes[at];
        is_entry(before, at) || !node.name.trim().is_empty() && remains(at)
    };
    let from = (1..pressed).rev().take_while(|at| !is_limit(*at)).last().unwrap_or(pressed);
    let end = before.nodes[pressed].end;
    let to = (end..before.nodes.len()).take_while(|at| !is_limit(*at)).last();
    from..to.map_or(end, |at| at + 1)
}

fn in_overlay(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let mut pressed = observed.tried().filter_map(|action| position(action.carried_out(), before));
    pressed.any(|at| before.enclosing(at, &OVERLAYS).is_some())
}

/// Whether the content is in another order after a control that moves something, or the entry of the control is at
/// another place.
fn moves_own_entry(
    observed: &Observed<'_>,
    before: &Snapshot,
    findings: &[Finding],
    request: &ChangeRequest<'_>,
) -> bool {
    const MOVES: [&str; 12] =
        ["sort", "move", "up", "down", "first", "last", "top", "swap", "reverse", "order", "↑", "↓"];
    let place = |page: &Snapshot, text: &str| {
        let mut entries = (1..page.nodes.len()).filter(|at| is_entry(page, *at));
        entries.position(|at| page.text_of(at) == text)
    };
    let own = own_entry(observed, before).map(|at| before.text_of(at));
    let is_elsewhere = own.is_some_and(|text| {
        let places = place(before, &text).zip(place(observed.after, &text));
        places.is_some_and(|(was, is)| was != is)
    });
    let is_reordered =
        is_elsewhere || findings.iter().any(|finding| finding.rule == EvidenceRule::Order && finding.supports());
    let mut names = request.names().split_whitespace();
    is_reordered && (own_entry(observed, before).is_some() || names.any(|name| MOVES.contains(&name)))
}
