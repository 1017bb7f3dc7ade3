//! What the entry of a list shows after one of its own controls sent a change: `Published` after `Publish`. The server
//! accepts many requests that it then does not carry out as requested, and only the entry shows this
//! (`Goes out Monday`, `Back with sales`). No list of words contains all of these, so the entry has to state the
//! result, or be gone after `Delete`.

use std::collections::HashSet;

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::EvidenceKind;

use super::{
    EvidenceRule, Finding, Observed,
    change_request::{ChangeRequest, OVERLAYS},
    changes::{MESSAGES, only_in},
    clipped, outweigh, questions, ticked_entries,
    unseen_change::first_text,
    unwanted::{changed_entries, is_entry, own_entry, replaced},
    url_path::path_of,
    whole_words::contains_whole,
};

/// Removes the support from all findings if the entry does not show that the change was made, and adds a finding that
/// says what it shows. If another action follows, that action finds what it needs or fails; but an entry that should be
/// gone is as it was for good.
pub(super) fn neutralize_on_unclear_entry(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let names = observed.target_names();
    if observed.disabled.contains(&EvidenceRule::UnclearEntry)
        || path_of(&before.url) != path_of(&observed.after.url)
        || !observed.sends_change()
        || !observed.presses_button(before)
        || findings.iter().any(Finding::contradicts)
        || wording::is_examination(&names)
    {
        return;
    }
    let own = own_entry(observed, before);
    // `Cancel` beside a form leaves it. In an entry, it cancels what the entry is about.
    let is_change = own.is_some() && (wording::takes_back(&names) || names.trim() == "close");
    if wording::asks_for_page(&names) && !is_change {
        return;
    }
    let fact = match own {
        Some(own) if observed.has_further_action => {
            let after = observed.after;
            stays(before, after, own, &names).or_else(|| counts_several(before, after, &names))
        }
        None if observed.has_further_action => None,
        Some(own) => unclear(observed, before, own, &names, findings),
        None => nothing_taken(observed, before, &names),
    };
    let Some(fact) = fact else { return };
    outweigh(findings, Finding::new(EvidenceRule::UnclearEntry, EvidenceKind::Text, fact));
}

fn unclear(
    observed: &Observed<'_>,
    before: &Snapshot,
    own: NodeIndex,
    names: &str,
    findings: &[Finding],
) -> Option<String> {
    let after = observed.after;
    let text = before.text_of(own);
    let shown = clipped(text.trim());
    let is_back = after.reversions.iter().any(|reversion| letters(&reversion.text) == letters(&text));
    if is_back {
        return Some(format!("the entry {shown:?} was gone for a moment and is there again"));
    }
    if let Some(fact) = stays(before, after, own, names) {
        return Some(fact);
    }
    let now: Vec<NodeIndex> = (1..after.nodes.len()).filter(|at| is_entry(after, *at)).collect();
    if now.iter().any(|at| after.text_of(*at) == text) {
        // A message, a state or an entry elsewhere may show the result, such as the number of items in a cart.
        // A dialog that was answered shows nothing of it.
        let shows_more = |finding: &Finding| {
            let is_dialog = finding.evidence.kind == EvidenceKind::Dialog;
            finding.supports() && finding.rule != EvidenceRule::Response && !is_dialog
        };
        return (!findings.iter().any(shows_more) && !is_reordered(before, after, own))
            .then(|| format!("the entry {shown:?} is as it was, and nothing else shows that the change was made"));
    }
    let changed = changed_entries(before, after).into_iter().find(|(was, _)| *was == own);
    // In a list that shows a part of its entries, the next one takes the place of the one that is gone.
    let is_next = |is: NodeIndex| wording::takes_away(names) && first_text(after, is) != first_text(before, own);
    let Some((_, is)) = changed.filter(|(_, is)| !is_next(*is)) else {
        return others_gone(before, after, own, names).or_else(|| counts_several(before, after, names));
    };
    let buttons_of = |page: &Snapshot, entry: NodeIndex| -> Vec<String> {
        let buttons = page.below(entry).filter(|at| page.role(*at) == "button");
        buttons.map(|at| wording::normalized(page.nodes[at].name.trim())).collect()
    };
    let buttons = buttons_of(after, is);
    // `Send again` beside an entry that is as it was.
    let asks_again = buttons.iter().find(|name| name.contains("again") || name.contains("retry"));
    let texts = |page: &Snapshot, entry: NodeIndex| -> Vec<String> {
        let is_text = |at: &NodeIndex| page.role(*at) != "button" && !page.nodes[*at].name.trim().is_empty();
        page.below(entry).filter(is_text).map(|at| page.nodes[at].name.trim().to_owned()).collect()
    };
    if let Some(name) = asks_again.filter(|_| texts(before, own) == texts(after, is)) {
        return Some(format!("the entry is as it was, and its button is called {:?} now", clipped(name)));
    }
    let is_other = |name: &String| name != names.trim() && is_other_state(names.trim(), name);
    if buttons.iter().any(is_other) || states_result_anywhere(observed, before, names) {
        return None;
    }
    let new = replaced(before, before.below(own), after, after.below(is));
    // What was added to a text, such as the name of the entry, is no other state of it.
    let is_other_text = |was: &str, is: &str| !contains_whole(is, was) && is_other_state(was, is);
    let request = ChangeRequest::of(observed, before);
    let is_stated = |was: &str, is: &str| match contains_whole(is, was) && !was.is_empty() {
        true => request.refers(is, &[was]),
        false => states(is, names) || wording::is_named_state(is, names),
    };
    if new.iter().any(|(was, is)| is_stated(was, is) || is_other_text(was, is)) {
        return None;
    }
    let renamed = questions::renamed_target(observed, before).map(str::to_owned).or_else(|| {
        let was = buttons_of(before, own);
        let is_pressed_gone = was.len() == buttons.len() && !buttons.iter().any(|name| name == names.trim());
        buttons.iter().find(|name| !was.contains(name)).filter(|_| is_pressed_gone).cloned()
    });
    if let Some(name) = renamed {
        return (!is_next_name(&name, names)).then(|| {
            format!("the button is called {:?} now, which does not state that the change was made", clipped(&name))
        });
    }
    let unclear = new.iter().find(|(_, text)| text.contains(char::is_alphabetic) && !observed.is_echo(text))?;
    Some(format!("the entry shows {:?} now, which does not state that the change was made", clipped(&unclear.1)))
}

/// Whether a button may have this name after it was pressed: its other state (`Unfollow` after `Follow`), the result
/// (`Requested`), or the next action (`View cart` after `Add to cart`, `Undo`).
pub(super) fn is_next_name(name: &str, names: &str) -> bool {
    const NEXT: [&str; 7] = ["view", "show", "see", "open", "manage", "details", "download"];
    let normal = wording::normalized(name.trim());
    let is_next = || normal.split_whitespace().next().is_some_and(|first| NEXT.contains(&first));
    let asks_again = ["again", "retry", "erneut", "nochmals"].iter().any(|word| normal.contains(word));
    !asks_again
        && (!name.contains(char::is_alphabetic)
            || states(name, names)
            || is_other_state(names.trim(), &normal)
            || wording::names_action(name, names)
            || wording::has_object(name, names)
            || wording::takes_back(name)
            || wording::asks_for_page(name)
            || is_next())
}

/// After a control that takes its own entry away: whether this entry is as it was. A message that it is gone
/// (`Acme deleted`) does not count then, because the page shows what is left. A control that names something else than
/// the entry (`Delete photo`) leaves it.
fn stays(before: &Snapshot, after: &Snapshot, own: NodeIndex, names: &str) -> Option<String> {
    if !wording::takes_away(names) {
        return None;
    }
    let text = before.text_of(own);
    let is_control = |at: &NodeIndex| matches!(before.role(*at), "button" | "link" | "menuitem");
    let texts: Vec<&str> =
        before.below(own).filter(|at| !is_control(at)).map(|at| before.nodes[at].name.as_ref()).collect();
    let of_entry = wording::normalized(&texts.join(" "));
    let is_of_entry = |word: &str| word.chars().count() < 3 || of_entry.contains(word);
    let dialogs = |page: &Snapshot| page.nodes.iter().filter(|node| OVERLAYS.contains(&node.role.as_ref())).count();
    // The words after the verb name what is taken away.
    if !names.split_whitespace().skip(1).all(is_of_entry)
        || text.trim().is_empty()
        // The page asks first.
        || dialogs(after) > dialogs(before)
    {
        return None;
    }
    // Of several entries with the same text, one may be gone.
    let count =
        |page: &Snapshot| (1..page.nodes.len()).filter(|at| is_entry(page, *at) && page.text_of(*at) == text).count();
    (count(after) >= count(before))
        .then(|| format!("the entry {:?}, which was to be taken away, is as it was", clipped(text.trim())))
}

/// After one entry was taken away: whether a number of entries (`24 customers`) went down by two or three.
fn counts_several(before: &Snapshot, after: &Snapshot, names: &str) -> Option<String> {
    const FEW: std::ops::RangeInclusive<i64> = 2..=3;
    if !wording::takes_away(names) {
        return None;
    }
    only_in(after, before, &MESSAGES).find_map(|(_, is)| {
        let is = is.trim();
        let (was, change) = only_in(before, after, &MESSAGES).find_map(|(_, was)| {
            let change = entries_counted(before, was.trim())? - entries_counted(after, is)?;
            (without_digits(was.trim()) == without_digits(is)).then_some((was.trim(), change))
        })?;
        FEW.contains(&change)
            .then(|| format!("{:?} became {:?} after one entry was taken away", clipped(was), clipped(is)))
    })
}

/// The number of entries that a text states (`Page 1 of 3 · 24 customers`, `24 results`): the number before the word
/// for the entries, which is also a heading or the name of the list, or is a usual one. Amounts and durations are no
/// such numbers.
fn entries_counted(page: &Snapshot, text: &str) -> Option<i64> {
    const USUAL: [&str; 6] = ["entries", "items", "rows", "records", "results", "total"];
    let text = wording::normalized(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &str| {
        let names =
            page.nodes.iter().filter(|node| matches!(node.role.as_ref(), "heading" | "table" | "list" | "grid"));
        let mut names = names.map(|node| wording::normalized(&node.name));
        names.any(|name| name.split_whitespace().any(|part| part == word))
    };
    words.windows(2).find_map(|pair| {
        let count: i64 = pair[0].parse().ok()?;
        (USUAL.contains(&pair[1]) || is_name(pair[1])).then_some(count)
    })
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Whether the entries of the list around an entry are in another order: it was moved.
fn is_reordered(before: &Snapshot, after: &Snapshot, own: NodeIndex) -> bool {
    let is_beside =
        |at: &NodeIndex| before.nodes[*at].parent == before.nodes[own].parent && before.role(*at) == before.role(own);
    let was: Vec<String> = (1..before.nodes.len()).filter(is_beside).map(|at| before.text_of(at)).collect();
    let entries = (1..after.nodes.len()).filter(|at| is_entry(after, *at)).map(|at| after.text_of(at));
    let is: Vec<String> = entries.filter(|text| was.contains(text)).collect();
    was.len() == is.len() && was != is
}

/// Whether a text states the requested result, or a state that only comes of success (`Active`).
fn states(text: &str, names: &str) -> bool {
    !wording::is_lesser(text, names)
        && !wording::is_undone(text, names)
        && (wording::states_result(text, names) || wording::states_done(text, names) || wording::is_good_state(text))
}

/// Whether two states are each other's opposite: `Active` and `Inactive`, `Paid` and `Unpaid`.
pub(super) fn is_other_state(was: &str, is: &str) -> bool {
    let (was, is) = (wording::normalized(was), wording::normalized(is));
    let differ = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|prefix| matches!(prefix, "in" | "un" | "not " | "de" | "dis" | "non-"))
    };
    wording::is_opposite(&was, &is) || differ(&was, &is) || differ(&is, &was)
}

/// Whether a new message, inside or outside of the entry, states the requested result.
fn states_result_anywhere(observed: &Observed<'_>, before: &Snapshot, names: &str) -> bool {
    only_in(observed.after, before, &MESSAGES).any(|(_, text)| states(text, names))
}

/// After an entry was deleted: whether others of the same list are gone as well.
fn others_gone(before: &Snapshot, after: &Snapshot, own: NodeIndex, names: &str) -> Option<String> {
    if !wording::empties(names) {
        return None;
    }
    let is_beside = |at: &NodeIndex| {
        *at != own && before.nodes[*at].parent == before.nodes[own].parent && before.role(*at) == before.role(own)
    };
    let now: HashSet<String> =
        (1..after.nodes.len()).filter(|at| is_entry(after, *at)).map(|at| after.text_of(at)).collect();
    // Entries that were renumbered or changed are no deleted ones.
    let changed: HashSet<NodeIndex> = changed_entries(before, after).into_iter().map(|(was, _)| was).collect();
    let other = (1..before.nodes.len())
        .filter(is_beside)
        .find(|at| !changed.contains(at) && !now.contains(&before.text_of(*at)))?;
    Some(format!("the entry {:?} is gone as well", clipped(before.text_of(other).trim())))
}

/// After ticked entries were deleted or archived together: whether all of them are as they were.
fn nothing_taken(observed: &Observed<'_>, before: &Snapshot, names: &str) -> Option<String> {
    let takes =
        wording::empties(names) && !names.contains("mark") || names.contains("archiv") || names.contains("move");
    let ticked: Vec<String> = ticked_entries::ticked_entries(before).map(|at| before.text_of(at)).collect();
    if !takes || ticked.is_empty() {
        return None;
    }
    let after = observed.after;
    // Some pages show the entries until they are loaded again, but then a message names what was done.
    if only_in(after, before, &MESSAGES).any(|(_, text)| wording::states_done(text, names)) {
        return None;
    }
    let now: HashSet<String> =
        (1..after.nodes.len()).filter(|at| is_entry(after, *at)).map(|at| after.text_of(at)).collect();
    ticked
        .iter()
        .all(|text| now.contains(text))
        .then(|| format!("the ticked entries are as they were, such as {:?}", clipped(ticked[0].trim())))
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
