//! A change that led to a page which does not mention what was requested: the provider's plans after `Create project`,
//! the first part of a form after `Finish`, the start page after `Save` because the session has expired. Another page
//! shows that the server responded, but not that it did what was requested.

use std::collections::HashSet;

use legwork_observe::{Node, NodeIndex, Snapshot, progress, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed,
    change_request::{ChangeRequest, is_sentence},
    changes::only_in,
    clipped,
    fields::target,
    login, outweigh,
    uploaded_file::is_file_field,
    url_path::path_of,
    whole_words::contains_whole,
};

/// The roles with which a page states its subject or a result.
const TEXTS: [&str; 14] = [
    "alert",
    "status",
    "heading",
    "text",
    "paragraph",
    "link",
    "button",
    "cell",
    "gridcell",
    "rowheader",
    "listitem",
    "row",
    "img",
    "term",
];
/// A sentence has at least this many words.
const SENTENCE: usize = 4;
/// A text with fewer characters occurs on any page.
const TELLING: usize = 2;

/// Removes the support from all findings if a button or the Enter key led with a change to a page that has no
/// connection to the request. The next action, if there is one, finds its target or fails; but an error in the address
/// counts in any case, because the next action may be possible on every page.
pub(super) fn neutralize_on_unrelated_page(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::UnrelatedPage)
        || observed.is_login
        || !observed.sends_change()
        || !(observed.presses_button(before) || presses_enter(observed))
        || findings
            .iter()
            .any(|finding| finding.contradicts() || finding.rule == EvidenceRule::Effect && finding.supports())
    {
        return;
    }
    if let Some(error) = error_in_address(before, observed.after) {
        let fact = format!("the address says {:?}", clipped(&error));
        outweigh(findings, Finding::new(EvidenceRule::UnrelatedPage, EvidenceKind::Url, fact));
        return;
    }
    if observed.has_further_action || is_same_place(observed, before) {
        return;
    }
    let names = observed.target_names();
    // Any page may follow a log-in; the rules of log-ins decide whether it succeeded.
    let is_session = login::sends_login(observed, before) || wording::logs_out(&names);
    if is_session || is_search(observed, before) || wording::asks_for_page(&names) || is_tied(observed, before, &names)
    {
        return;
    }
    let fact = format!(
        "{} says nothing of what was asked for; if it is the right page, state in `expect` what it shows",
        clipped(&observed.after.url)
    );
    outweigh(findings, Finding::new(EvidenceRule::UnrelatedPage, EvidenceKind::Text, fact));
}

/// Whether the Enter key submits a form, like the button of that form.
pub(super) fn presses_enter(observed: &Observed<'_>) -> bool {
    observed.actions.iter().map(Action::carried_out).any(|action| match action {
        Action::Press(press) => press.key == "Enter",
        Action::Fill(fill) => fill.submit,
        _ => false,
    })
}

/// Whether the Enter key was pressed in a search field, which requests another page.
pub(super) fn is_search(observed: &Observed<'_>, before: &Snapshot) -> bool {
    observed.actions.iter().filter_map(|action| target(action.carried_out(), before)).any(|node| {
        let name = wording::normalized(&node.name);
        node.role.as_ref() == "searchbox" || name.contains("search") || name.contains("find")
    })
}

/// An error in the query of a redirect, as in OAuth and many frameworks: `?error=limit`.
fn error_in_address(before: &Snapshot, after: &Snapshot) -> Option<String> {
    const ERRORS: [&str; 6] = ["error", "err", "errors", "error_code", "errorcode", "failed"];
    let url = url::Url::parse(&after.url).ok().filter(|_| before.url != after.url)?;
    url.query_pairs().find_map(|(name, value)| {
        let is_error = ERRORS.contains(&name.to_lowercase().as_str())
            && !matches!(value.to_lowercase().as_str(), "" | "0" | "false" | "none" | "null");
        is_error.then(|| format!("{name}={value}"))
    })
}

/// Whether the page is the same one: its path and fragment are the same, and if the query differs, the pressed button
/// is still there. Forms of several steps often have one path for all steps.
pub(super) fn is_same_place(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let after = observed.after;
    let place = |page: &Snapshot| {
        let fragment = page.url.split_once('#').map(|(_, fragment)| fragment.to_owned());
        (path_of(&page.url).trim_end_matches('/').to_owned(), fragment.unwrap_or_default())
    };
    let is_still_there = |node: &Node| after.nodes.iter().any(|now| now.role == node.role && now.name == node.name);
    let mut pressed = observed.actions.iter().filter_map(|action| target(action.carried_out(), before));
    place(before) == place(after) && (before.url == after.url || pressed.all(is_still_there))
}

/// Whether the page states success, shows an entered value, has a title with the requested name, or no longer contains
/// the deleted item.
fn is_tied(observed: &Observed<'_>, before: &Snapshot, names: &str) -> bool {
    let after = observed.after;
    let request = ChangeRequest::of(observed, before);
    let states = |text: &str| request.states(text);
    let shows_value = |text: &str| request.shows_value(text);
    let known: HashSet<&str> = shown_names(before).map(|(_, name)| name).collect();
    let lacks_own_record = lacks_named_record(before, after);
    // A choice of a list was no text of the page before. A value in the row of another record is not the entered one.
    let new_values = || {
        let new = shown_names(after)
            .filter(|(at, text)| !(known.contains(text) || lacks_own_record && is_of_other_record(before, after, *at)));
        new.map(|(_, text)| text)
    };
    // `Choose how you want to pay` on the page `Order summary`: something has to be done first.
    let asks_first = only_in(after, before, &TEXTS).any(|(_, text)| wording::asks_for_more(text));
    let is_called_so = |text: &str| !asks_first && wording::has_object(text, names);
    let title = Some(after.title.as_str()).filter(|title| *title != before.title);
    // `Thank you, Ann` above a sentence: the sentence states the result of the request.
    let is_sentence = |text: &str| text.split_whitespace().count() >= SENTENCE && !wording::is_courtesy(text);
    let has_sentence = only_in(after, before, &["text", "paragraph", "status"]).any(|(_, text)| is_sentence(text));
    let is_answered = |text: &str| has_sentence && wording::is_courtesy(text);
    // `Falk` above `Our host will answer you`: the value alone says nothing of the result.
    let leaves_open = only_in(after, before, &TEXTS).any(|(_, text)| wording::is_lesser(text, names))
        || asks_to_continue(observed, before, &request);
    let is_value = |text: &str| shows_value(text) && !progress::is_under_way(text) && !leaves_open;
    only_in(after, before, &TEXTS).any(|(_, text)| states(text) && !is_answered(text))
        || new_values().any(|text| is_value(text) && !is_answered(text))
        || after.nodes.iter().filter_map(|node| node.value.as_deref()).any(shows_value)
        || only_in(after, before, &["heading"]).map(|(_, text)| text).chain(title).any(is_called_so)
        || title.is_some_and(states)
        || !leaves_open && title.is_some_and(shows_value)
        || !leaves_open && new_path(before, after).is_some_and(|path| is_in_path(&request, &path))
        || new_path(before, after).is_some_and(|path| is_called_so(&path))
        || wording::empties(names) && lacks_record(before, after, names)
}

/// The names of the elements that are neither fields nor choices of a list.
fn shown_names(page: &Snapshot) -> impl Iterator<Item = (NodeIndex, &str)> {
    let is_shown = |node: &Node| TEXTS.contains(&node.role.as_ref()) && !node.states.editable();
    (0..page.nodes.len()).filter(move |at| is_shown(&page.nodes[*at])).map(|at| (at, page.nodes[at].name.as_ref()))
}

/// Whether the form was on the page of a record (`Customer Huber`), and a list of such records (`Customers`) follows
/// that does not have this one.
fn lacks_named_record(before: &Snapshot, after: &Snapshot) -> bool {
    const STEM: usize = 4;
    let headings = |page: &Snapshot| -> Vec<String> {
        let headings = page.nodes.iter().filter(|node| node.role.as_ref() == "heading");
        headings.map(|node| node.name.trim().to_owned()).collect()
    };
    let stem = |word: &str| word.to_lowercase().chars().take(STEM).collect::<String>();
    let kinds: Vec<String> = headings(after)
        .iter()
        .chain([&after.title])
        .filter_map(|text| Some(stem(text.split_whitespace().next()?)))
        .collect();
    let named = headings(before).into_iter().filter_map(|heading| {
        let (kind, name) = heading.split_once(' ')?;
        let is_name = name.trim().chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
        let is_kind = stem(kind).chars().count() == STEM && kinds.contains(&stem(kind));
        (is_kind && is_name).then(|| name.trim().to_lowercase())
    });
    let is_shown = |name: &str| after.nodes.iter().any(|node| contains_whole(&node.name.to_lowercase(), name));
    let mut named = named.peekable();
    named.peek().is_some() && named.all(|name| !is_shown(&name))
}

/// Whether a text is in a row of a table whose other texts the page before did not contain, and is not its first one,
/// which may be the new name of the record.
fn is_of_other_record(before: &Snapshot, after: &Snapshot, at: NodeIndex) -> bool {
    const TELLING: usize = 3;
    let Some(row) = (after.role(at) == "row").then_some(at).or_else(|| after.enclosing(at, &["row"])) else {
        return false;
    };
    let texts: Vec<&str> =
        after.below(row).map(|at| after.nodes[at].name.trim()).filter(|text| !text.is_empty()).collect();
    let text = after.nodes[at].name.trim();
    let is_known = |text: &&str| {
        let has = |other: &str| contains_whole(other, text);
        text.chars().count() >= TELLING
            && before.nodes.iter().any(|node| has(&node.name) || node.value.as_deref().is_some_and(has))
    };
    texts.first() != Some(&text) && !texts.iter().filter(|other| **other != text).any(is_known)
}

/// Whether a page that repeats the input asks for something before the request is carried out: with a button that
/// commits (`Confirm and submit`), a field for a file, or a sentence that does not state what was done
/// (`Please sign it`).
fn asks_to_continue(observed: &Observed<'_>, before: &Snapshot, request: &ChangeRequest<'_>) -> bool {
    const COMMITS: [&str; 12] = [
        "pay", "sign", "start", "accept", "verify", "identify", "upload", "bezahlen", "payer", "pagar", "paga",
        "conferma",
    ];
    let after = observed.after;
    let is_entered = |text: &str| request.values().any(|value| text.contains(value) && value.len() * 2 >= text.len());
    let commits = |name: &str| {
        let name = wording::normalized(name);
        let first = name.split_whitespace().next().unwrap_or_default();
        wording::ends_form(&name) || wording::leads_on(&name) || COMMITS.contains(&first)
    };
    let is_open = |text: &str| {
        is_sentence(text) && !request.states(text) && !is_entered(text) && !wording::is_courtesy(text)
            || wording::asks_to_confirm(text)
            || wording::is_instruction(text)
    };
    only_in(after, before, &["text", "paragraph", "heading", "status"]).any(|(_, text)| is_open(text))
        || only_in(after, before, &["button"]).any(|(_, name)| commits(name))
        || after.nodes.iter().any(is_file_field) && !before.nodes.iter().any(is_file_field)
}

/// Whether a segment of the path is an entered value: the folder `minutes-x` was created and opened.
fn is_in_path(request: &ChangeRequest<'_>, path: &str) -> bool {
    let slug = |text: &str| text.to_lowercase().replace([' ', '_'], "-");
    let decoded = |part: &str| percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned();
    let mut values = request.values().filter(|value| value.chars().count() > TELLING);
    values.any(|value| path.split(' ').any(|part| slug(&decoded(part)) == slug(value)))
}

/// The segments of the URL path that the previous URL does not contain.
fn new_path(before: &Snapshot, after: &Snapshot) -> Option<String> {
    let parts = |url: &str| -> Vec<String> {
        let (path, fragment) = url.split_once('#').unwrap_or((url, ""));
        let path = path_of(path).splitn(4, '/').nth(3).unwrap_or_default().to_owned();
        path.split('/').chain(fragment.split('/')).map(str::to_lowercase).collect()
    };
    let known = parts(&before.url);
    let new: Vec<String> = parts(&after.url).into_iter().filter(|part| !known.contains(part)).collect();
    (!new.is_empty()).then(|| new.join(" "))
}

/// Whether a word of the previous headings that is not in the button's name is nowhere on the page: the project was
/// deleted.
fn lacks_record(before: &Snapshot, after: &Snapshot, names: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let text = wording::normalized(text);
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > TELLING)
            .map(str::to_owned)
            .collect()
    };
    // `Delete project` names its object, so the heading `Workspace` is no record that could be gone.
    let has_object = words(names).iter().any(|word| !wording::empties(word));
    let is_record = |name: &str| !has_object || words(name).iter().any(|word| names.contains(word.as_str()));
    let headings = before.nodes.iter().filter(|node| node.role.as_ref() == "heading" && is_record(&node.name));
    let shown: Vec<String> = after.nodes.iter().flat_map(|node| words(&node.name)).collect();
    headings.flat_map(|node| words(&node.name)).any(|word| !names.contains(&word) && !shown.contains(&word))
}
