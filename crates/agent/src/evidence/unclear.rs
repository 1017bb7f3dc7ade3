//! Messages that state neither success nor refusal (`You are the last owner`, `2 archived, 1 skipped`). No list of
//! phrases contains all refusals. Therefore a message that is the only change beside a sent request is no support,
//! unless it states what was requested: as a success, with the verb of the action, or with the entered value.

use legwork_observe::{
    Node, NodeIndex, Snapshot, progress,
    wording::{self, MessageTone},
};
use legwork_protocol::{Action, EvidenceKind, TargetKind};

use super::{
    EvidenceRule, Finding, Observed,
    changes::{added, only_in},
    not_all, questions, ticked_entries, unrelated,
    whole_words::contains_whole,
};

/// If there are more new texts than this, a part of the page opened and they are not a message.
const ALONE: usize = 3;
/// The roles that pages use for messages.
const MESSAGES: [&str; 4] = ["alert", "status", "heading", "text"];
/// A message has at least this many words, or is a short sentence. Shorter texts such as `Cart: 2 items` and
/// `Status: Paused` show the state of the page.
const WORDS: usize = 4;
/// A hint beside a rejected field has at least this many words (`11 characters, e.g. ATU1234`).
const HINT: usize = 3;

/// Removes the support from a message that is unclear or reports a smaller number than requested, and from the response
/// beside it.
pub(super) fn neutralize_unclear_message(observed: &Observed<'_>, findings: &mut [Finding]) {
    use EvidenceRule::{NewText, UnclearMessage};
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&UnclearMessage) || !asks_for_change(observed) {
        return;
    }
    let names = with_chosen_action(observed.target_names(), before);
    if !counts_less(observed, before, &names) && !is_alone_and_unclear(observed, before, &names, findings) {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.supports()) {
        let rule = if finding.rule == NewText { UnclearMessage } else { finding.rule };
        *finding = Finding { rule, ..finding.clone() }.neutral();
    }
}

/// Whether the page reports the action for fewer entries than are ticked, or for fewer addresses or files than were
/// given. `1 item left` counts other entries.
fn counts_less(observed: &Observed<'_>, before: &Snapshot, names: &str) -> bool {
    let given = not_all::parts_of_values(observed).map(|parts| parts.len()).max().unwrap_or_default();
    let ticked = ticked_entries::ticked_entries(before).count().max(given);
    only_in(observed.after, before, &MESSAGES).any(|(_, text)| {
        let is_done = wording::states_done(text, names) || wording::tone(text, names) == MessageTone::Success;
        is_done && (wording::begins_with_fewer(text, ticked) || wording::ends_with_fewer(text, ticked))
    })
}

/// Whether a message is the only change of the page and states neither success nor refusal.
fn is_alone_and_unclear(observed: &Observed<'_>, before: &Snapshot, names: &str, findings: &[Finding]) -> bool {
    // A server that redirects to the same page with its message in the query (`?notice=…`) leads nowhere else.
    let leads_on = !unrelated::is_same_place(observed, before);
    if findings.iter().any(|finding| says_more(finding, leads_on))
        || added(observed.after, before, is_field).next().is_some()
        || opens_part(observed, before)
        || wording::empties(names) && entries_are_gone(observed, before)
    {
        return false;
    }
    // The new name of the clicked button is also a message of the page: `Requested` after `Follow`.
    let renamed = only_in(observed.after, before, &["button"])
        .filter(|(_, name)| questions::renamed_target(observed, before) == Some(name));
    let new: Vec<(NodeIndex, &str)> = only_in(observed.after, before, &MESSAGES).chain(renamed).collect();
    // A text that replaced another shows the state of the page (`Cart: 2 items`). A text that was added is a message.
    let is_replaced = only_in(before, observed.after, &MESSAGES).next().is_some();
    let is_added = |at: NodeIndex, text: &str| {
        let is_text = !matches!(observed.after.nodes[at].role.as_ref(), "button" | "heading");
        let is_hint = || text.split_whitespace().count() >= HINT && keeps_input(observed, before);
        is_text && !is_replaced && !is_in_entry(observed.after, at) && (is_sentence(text) || is_hint())
    };
    // The row of an invoice that was `sent for approval` changes as well.
    let is_lesser = new.iter().any(|(_, text)| wording::is_lesser(text, names));
    (is_lesser || !entry_changed(observed, before))
        && new.len() <= ALONE
        && !new.iter().any(|(_, text)| {
            // `Thank you, Ann` beside a sentence: the sentence states the result of the request.
            let is_answered = new.len() > 1 && wording::is_courtesy(text);
            // `Falk` beside `Our host will answer you`: the value alone says nothing of the result.
            let is_only_value = is_lesser && !wording::states_result(text, names) && !wording::states_done(text, names);
            !is_answered && !is_only_value && states_what_was_asked_for(observed, text, names)
        })
        && new.iter().any(|(at, text)| {
            progress::is_under_way(text)
                || is_message(observed.after, *at, text, names)
                || is_added(*at, text)
                || is_other_name(observed, before, text)
                || says_nothing_done(observed, text, names)
        })
        && !new.iter().any(|(at, text)| is_new_entry(observed, *at, text, names))
}

/// Whether a finding shows more than a message: another page, a part of the page that opened, or an entry that changed.
fn says_more(finding: &Finding, leads_on: bool) -> bool {
    use EvidenceRule::{Address, ElementState, NewText, Response, Title};
    // That a dialog was answered says nothing of what the server did with the answer.
    let is_dialog = finding.evidence.kind == EvidenceKind::Dialog;
    finding.contradicts()
        || finding.rule == Address && leads_on
        || finding.supports()
            && !is_dialog
            && !matches!(finding.rule, Address | NewText | Response | ElementState | Title)
}

/// A field that is new: the page continues with something else, such as the next part of a form. Checkboxes do not
/// count, because each new row has one.
fn is_field(node: &Node) -> bool {
    let is_list = matches!(node.role.as_ref(), "combobox" | "listbox");
    is_list || node.states.editable() && !matches!(node.role.as_ref(), "checkbox" | "radio" | "switch")
}

/// Whether a text states that the request is done, or contains the entered value.
fn states_what_was_asked_for(observed: &Observed<'_>, text: &str, names: &str) -> bool {
    wording::states_result(text, names) && !wording::is_lesser(text, names)
        || wording::states_done(text, names)
        || wording::states_whole(text)
            && wording::tone(text, names) != MessageTone::Refusal
            && !wording::is_lesser(text, names)
        || observed.was_put_in(text) && !progress::is_under_way(text)
        || wording::tone(text, names) == MessageTone::Success
            && !wording::is_lesser(text, names)
            && names_value(observed, text)
}

/// Whether a text contains a value that was entered: `Welcome aboard, kim@harbour.test!` after an address was entered.
fn names_value(observed: &Observed<'_>, text: &str) -> bool {
    const TELLING: usize = 3;
    observed.values_put_in().any(|value| value.chars().count() >= TELLING && contains_whole(text, value))
}

/// Whether a text has the form of a message: a sentence, or an element for messages.
fn is_message(page: &Snapshot, at: NodeIndex, text: &str, names: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    page.nodes[at].role.as_ref() == "status"
        || page.ancestors(at).any(|up| page.nodes[up].role.as_ref() == "alert")
        || words >= WORDS
        || words > 1 && text.trim_end().ends_with(['.', '!'])
        || wording::is_lesser(text, names)
        || wording::asks_for_more(text)
        || wording::is_error_code(text)
}

/// Whether a short text is a part of a sentence (`Server stopped`), and not a name or a value (`Business`,
/// `Customer 13`, `Cart: 2 items`).
fn is_sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_plain = |word: &&str| word.starts_with(char::is_lowercase) && word.chars().all(char::is_alphabetic);
    let is_value = text.contains(|c: char| c == ':' || c.is_ascii_digit());
    words.len() > 1 && words.last().is_some_and(is_plain) && !is_value
}

/// Whether the new name of the clicked button is not another state of the old one: `Notify me` after `Add to cart`.
fn is_other_name(observed: &Observed<'_>, before: &Snapshot, text: &str) -> bool {
    questions::renamed_target(observed, before) == Some(text)
        && !observed.targets(before).any(|(was, _)| {
            wording::is_opposite(&was.name, text) || wording::has_object(text, &wording::normalized(&was.name))
        })
}

fn is_in_entry(page: &Snapshot, at: NodeIndex) -> bool {
    is_entry(page, &at) || page.ancestors(at).any(|up| is_entry(page, &up))
}

/// Whether a text states that nothing was done: `Nothing to publish`, `Export limit: 0 left`. If entries disappeared,
/// an empty list is the effect of the action, unless the text is about the action (`Nothing was deleted`).
fn says_nothing_done(observed: &Observed<'_>, text: &str, names: &str) -> bool {
    let are_gone = || observed.before.is_some_and(|before| entries_are_gone(observed, before));
    let is_wanted = || wording::empties(names) || are_gone();
    wording::has_denial(text) && (wording::names_action(text, names) || !is_wanted())
}

fn entries_are_gone(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let entries = |page: &Snapshot| (1..page.nodes.len()).filter(|at| is_entry(page, at)).count();
    entries(before) > entries(observed.after)
}

/// Whether the clicked element is expanded or selected now: the new content is the part that it opens.
fn opens_part(observed: &Observed<'_>, before: &Snapshot) -> bool {
    observed.targets(before).any(|(was, is)| {
        !was.states.expanded() && is.states.expanded() || !was.states.selected() && is.states.selected()
    })
}

/// Whether a text is a new entry that contains the entered value and names the action:
/// `ada@site.test Invitation pending` after `Invite`.
fn is_new_entry(observed: &Observed<'_>, at: NodeIndex, text: &str, names: &str) -> bool {
    let page = observed.after;
    observed.values_put_in().any(|value| value.chars().count() > 2 && text.contains(value))
        && wording::names_action(text, names)
        && is_in_entry(page, at)
}

/// Whether a request for a change was sent, or the action should submit a form that still has the entered values.
fn asks_for_change(observed: &Observed<'_>) -> bool {
    if observed.only_opens() || observed.is_login {
        return false;
    }
    if observed.sends_change() {
        return observed.submits() || observed.sends_choice();
    }
    let presses = observed.actions.iter().any(|action| matches!(action.carried_out(), Action::Click(_)));
    presses && observed.before.is_some_and(|before| keeps_input(observed, before))
}

/// Whether a text field still has its previous value.
fn keeps_input(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let is_filled = |node: &&Node| {
        node.role.as_ref() == "textbox" && node.value.as_deref().is_some_and(|value| !value.trim().is_empty())
    };
    let holds = |node: &Node| {
        observed.after.nodes.iter().any(|now| now.role == node.role && now.name == node.name && now.value == node.value)
    };
    before.nodes.iter().filter(is_filled).any(holds)
}

/// `Go` and `Apply` execute the action that is chosen in a list beside them, so the name includes that choice.
fn with_chosen_action(names: String, before: &Snapshot) -> String {
    const CARRIES_OUT: [&str; 8] = ["go", "apply", "run", "execute", "ok", "submit", "ausführen", "anwenden"];
    if !CARRIES_OUT.contains(&names.trim()) {
        return names;
    }
    let lists = before.nodes.iter().filter(|node| node.role.as_ref() == "combobox");
    let choices = lists.filter_map(|node| node.value.as_deref()).map(wording::normalized);
    std::iter::once(names).chain(choices).collect::<Vec<_>>().join(" ")
}

fn is_entry(page: &Snapshot, at: &NodeIndex) -> bool {
    matches!(page.nodes[*at].role.as_ref(), "row" | "listitem" | "article")
}

/// Whether the row or entry that contains the clicked element changed or disappeared: that is the effect.
fn entry_changed(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let entry = observed.actions.iter().find_map(|action| {
        let Action::Click(click) = action.carried_out() else { return None };
        let TargetKind::Ref(reference) = click.target.kind() else { return None };
        let at = before.find_ref(reference)?;
        before.ancestors(at).find(|up| is_entry(before, up))
    });
    let Some(entry) = entry else { return false };
    let text = before.text_of(entry);
    let after = observed.after;
    !(1..after.nodes.len()).any(|at| is_entry(after, &at) && after.text_of(at) == text)
}
