//! Questions of a page before it continues (`Delete Acme?`): nothing has been done yet. A question can be a dialog,
//! texts with new buttons, or the new name of the clicked button (`Sure?`). If a request was already sent, the text is
//! not a question.

use std::collections::HashSet;

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, FindingSubject, Observed,
    changes::{added, only_in},
    clipped,
    lengths::MESSAGE,
};
use legwork_observe::wording;

/// The end of the facts about questions.
pub(super) const WAITS: &str = "waits for an answer";

pub(super) fn assess(observed: &Observed<'_>, names: &str) -> Vec<Finding> {
    let Some(before) = observed.before else { return Vec::new() };
    if observed.has_further_action || observed.is_reloaded() || observed.sends_change() {
        return Vec::new();
    }
    let waits = |what: &str, text: &str| {
        let fact = format!("{what} {:?} {WAITS}", clipped(text.trim()));
        let message = FindingSubject::Message(text.to_owned());
        Finding::new(EvidenceRule::Alert, EvidenceKind::Text, fact).about(message).weak(true)
    };
    let dialogs: Vec<Finding> =
        asking_dialogs(observed, before, names).iter().map(|text| waits("dialog", text)).collect();
    if !dialogs.is_empty() {
        return dialogs;
    }
    if let Some(name) = renamed_target(observed, before).filter(|name| wording::asks_to_confirm(name)) {
        return vec![waits("button", name)];
    }
    if let Some(text) = plain_question(observed, before) {
        return vec![waits("the question", text)];
    }
    buttons_of_question(observed, before).map(|answer| waits("the button", answer)).into_iter().collect()
}

/// Makes an open question neutral on a page that stays open after the run, because its owner can answer it: a person at
/// a terminal gives one step at a time. Nothing was done yet, so the other facts do not support the action.
pub(super) fn neutralize_on_lent_page(observed: &Observed<'_>, findings: &mut [Finding]) {
    let waits = |finding: &Finding| finding.rule == EvidenceRule::Alert && finding.evidence.fact.ends_with(WAITS);
    if observed.is_lent && findings.iter().any(waits) {
        for finding in findings.iter_mut().filter(|finding| finding.supports() || waits(finding)) {
            *finding = finding.clone().neutral();
        }
    }
}

/// The texts of new dialogs that ask a question: in words, or by the buttons `Cancel` and one that repeats the clicked
/// button's name. A dialog with fields is a form, unless its text asks for confirmation, or the action was to save.
fn asking_dialogs(observed: &Observed<'_>, before: &Snapshot, names: &str) -> Vec<String> {
    let page = observed.after;
    let dialogs = |page: &Snapshot| -> Vec<NodeIndex> {
        (1..page.nodes.len()).filter(|at| page.nodes[*at].role.as_ref() == "dialog").collect()
    };
    let known: HashSet<String> = dialogs(before).into_iter().map(|at| before.text_of(at)).collect();
    let saves = wording::saves(names) || observed.tried().any(presses_save);
    let asks = |at: NodeIndex, text: &str| {
        let buttons = || page.below(at).map(|at| &page.nodes[at]).filter(|node| is_button(node));
        let has_field = page.below(at).any(|at| page.nodes[at].states.editable());
        let repeats = |node: &Node| names.starts_with(wording::normalized(&node.name).trim()) && !node.name.is_empty();
        let confirms = || buttons().any(repeats) && buttons().any(|node| wording::leaves(&node.name));
        buttons().count() > 1
            && text.chars().count() <= 2 * MESSAGE
            && wording::tone(text, names) != wording::MessageTone::Success
            && (wording::asks_to_confirm(text)
                || !has_field && (text.contains('?') || confirms())
                // What was to be saved is not saved before its name is given.
                || saves && buttons().any(|node| wording::leaves(&node.name)))
    };
    let new = dialogs(page).into_iter().map(|at| (at, page.text_of(at))).filter(|(_, text)| !known.contains(text));
    new.filter(|(at, text)| asks(*at, text)).map(|(_, text)| text).collect()
}

/// `Ctrl+S`: many editors save with it.
fn presses_save(action: &Action) -> bool {
    let Action::Press(press) = action.carried_out() else { return false };
    let Some((modifier, key)) = press.key.rsplit_once('+') else { return false };
    key.eq_ignore_ascii_case("s") && matches!(modifier, "Control" | "Ctrl" | "Meta" | "Cmd" | "ControlOrMeta")
}

/// A question that appeared with two or more buttons, one of which cancels, or a request for confirmation that appeared
/// with a control.
fn plain_question<'a>(observed: &Observed<'a>, before: &'a Snapshot) -> Option<&'a str> {
    let page = observed.after;
    let is_answer = |node: &Node| is_button(node) || node.role.as_ref() == "textbox";
    let new: Vec<&str> = added(page, before, is_answer).map(|node| node.name.as_ref()).collect();
    let can_leave = new.len() > 1 && new.iter().any(|name| wording::leaves(name));
    let mut texts = only_in(page, before, &["heading", "text", "tooltip", "paragraph"]).map(|(_, text)| text);
    texts.find(|text| {
        text.chars().count() <= MESSAGE
            && (can_leave && text.trim_end().ends_with('?') || !new.is_empty() && wording::asks_to_confirm(text))
    })
}

/// A button that confirms, if it appeared with one that cancels and without any field: the bubble of a button that
/// deletes something often has no text.
fn buttons_of_question<'a>(observed: &Observed<'a>, before: &'a Snapshot) -> Option<&'a str> {
    const CONFIRMS: [&str; 7] = ["ok", "yes", "confirm", "ja", "oui", "sí", "sì"];
    let page = observed.after;
    let buttons: Vec<&str> = added(page, before, is_button).map(|node| node.name.as_ref()).collect();
    let has_field = added(page, before, |node| node.states.editable()).next().is_some();
    let cancels = buttons.iter().any(|name| wording::normalized(name).trim() == "cancel" || wording::leaves(name));
    let confirms = |name: &&&str| CONFIRMS.contains(&wording::normalized(name).trim());
    buttons.iter().find(confirms).copied().filter(|_| buttons.len() == 2 && cancels && !has_field)
}

fn is_button(node: &Node) -> bool {
    node.role.as_ref() == "button"
}

/// The new name of the clicked button, if its name changed.
pub(super) fn renamed_target<'a>(observed: &Observed<'a>, before: &'a Snapshot) -> Option<&'a str> {
    let renamed = |(was, is): &(&Node, &Node)| is_button(was) && is_button(is) && was.name != is.name;
    observed.targets(before).find(renamed).map(|(_, is)| is.name.as_ref())
}
