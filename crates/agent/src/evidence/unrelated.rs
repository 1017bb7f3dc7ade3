//! A page that a change led to and that says nothing of what was asked for: the plans of the provider after `Create project`, the
//! first part of a form after `Finish`, the start page of somebody whose session has ended after `Save`. That another page came
//! shows that the server answered, not that it did what it was asked for.

use legwork_observe::{
    Node, Snapshot,
    wording::{self, MessageTone},
};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed, changes::only_in, clipped, doubt, fields::target, login, requests::path_of,
};

/// The roles in which a page says what it is about or what was done.
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
/// A text of fewer characters is found on any page.
const TELLING: usize = 2;

/// Takes the support from everything beside a page that a pressed button led to with a change, where nothing ties the page to what was
/// asked for. An action that follows finds what it looks for, or fails.
pub(super) fn doubt_on_unrelated_page(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::UnrelatedPage)
        || observed.goes_on
        || observed.is_login
        || !observed.sends_change()
        || !presses_button(observed, before)
        || findings
            .iter()
            .any(|finding| finding.contradicts() || finding.rule == EvidenceRule::Effect && finding.supports())
    {
        return;
    }
    if let Some(error) = error_in_address(before, observed.after) {
        *findings = findings.drain(..).map(doubt).collect();
        let fact = format!("the address says {:?}", clipped(&error));
        findings.push(Finding::new(EvidenceRule::UnrelatedPage, EvidenceKind::Url, fact));
        return;
    }
    if is_same_place(before, observed.after) {
        return;
    }
    let names = observed.target_names();
    if wording::asks_for_page(&names) || login::is_log_out(&names) || is_tied(observed, before, &names) {
        return;
    }
    let fact = format!("{} says nothing of what was asked for", clipped(&observed.after.url));
    *findings = findings.drain(..).map(doubt).collect();
    findings.push(Finding::new(EvidenceRule::UnrelatedPage, EvidenceKind::Text, fact));
}

/// An error that a redirect has in its query, as OAuth and many frameworks do: `?error=limit`.
fn error_in_address(before: &Snapshot, after: &Snapshot) -> Option<String> {
    const ERRORS: [&str; 6] = ["error", "err", "errors", "error_code", "errorcode", "failed"];
    let url = url::Url::parse(&after.url).ok().filter(|_| before.url != after.url)?;
    url.query_pairs().find_map(|(name, value)| {
        let is_error = ERRORS.contains(&name.to_lowercase().as_str())
            && !matches!(value.to_lowercase().as_str(), "" | "0" | "false" | "none" | "null");
        is_error.then(|| format!("{name}={value}"))
    })
}

/// A link leads somewhere, a button does something.
fn presses_button(observed: &Observed<'_>, before: &Snapshot) -> bool {
    observed.actions.iter().any(|action| {
        matches!(action.carried_out(), Action::Click(_))
            && target(action.carried_out(), before)
                .is_some_and(|node| matches!(node.role.as_ref(), "button" | "menuitem"))
    })
}

/// Whether the address is the same but for its query: the page shows its own answer.
fn is_same_place(before: &Snapshot, after: &Snapshot) -> bool {
    let place = |page: &Snapshot| {
        let fragment = page.url.split_once('#').map(|(_, fragment)| fragment.to_owned());
        (path_of(&page.url).trim_end_matches('/').to_owned(), fragment.unwrap_or_default())
    };
    place(before) == place(after)
}

/// Whether the page states that it was done, shows what was put in, is called as what was asked for, or lacks what was taken away.
fn is_tied(observed: &Observed<'_>, before: &Snapshot, names: &str) -> bool {
    let after = observed.after;
    let states = |text: &str| {
        !wording::is_lesser(text, names)
            && !wording::greets(text)
            && (wording::tone(text, names) == MessageTone::Success || wording::states_done(text, names))
    };
    let choices = before.nodes.iter().filter(|node| is_chosen(node)).map(|node| node.name.as_ref());
    let lists = observed.values_before(|node| node.role.as_ref() == "combobox");
    let values: Vec<&str> = observed.values_put_in().chain(lists).chain(choices).collect();
    let shows_value = |text: &str| values.iter().any(|value| value.chars().count() >= TELLING && text.contains(*value));
    let is_called_so = |text: &str| wording::has_object(text, names);
    let title = Some(after.title.as_str()).filter(|title| *title != before.title);
    only_in(after, before, &TEXTS).any(|(_, text)| states(text) || shows_value(text))
        || after.nodes.iter().filter_map(|node| node.value.as_deref()).any(shows_value)
        || only_in(after, before, &["heading"]).map(|(_, text)| text).chain(title).any(is_called_so)
        || title.is_some_and(states)
        || new_path(before, after).is_some_and(|path| is_called_so(&path))
        || wording::empties(names) && lacks_record(before, after, names)
}

fn is_chosen(node: &Node) -> bool {
    matches!(node.role.as_ref(), "radio" | "checkbox") && node.states.checked()
}

/// The parts of the address that were not in the one before.
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

/// Whether a word of the headings before, which the button does not have, is nowhere on the page: the project that was deleted.
fn lacks_record(before: &Snapshot, after: &Snapshot, names: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let text = wording::normalized(text);
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > TELLING)
            .map(str::to_owned)
            .collect()
    };
    let headings = before.nodes.iter().filter(|node| node.role.as_ref() == "heading");
    let shown: Vec<String> = after.nodes.iter().flat_map(|node| words(&node.name)).collect();
    headings.flat_map(|node| words(&node.name)).any(|word| !names.contains(&word) && !shown.contains(&word))
}
