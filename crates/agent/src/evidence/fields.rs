//! The elements that were acted on, and the fields that the page does not accept.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, EvidenceKind, TargetKind};

use super::{EvidenceRule, Finding, Observed, Subject, clipped, named};

/// Fields whose value is written otherwise than it is shown or given: what they took is compared where it is put in.
const CONVERTED: [&str; 9] = ["date", "datetime-local", "time", "month", "week", "color", "range", "number", "file"];

pub(super) fn assess(observed: &Observed<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = observed.actions.iter().filter_map(|action| acted_on(action, observed)).collect();
    findings.extend(invalid(observed));
    findings
}

/// The state of the element that was acted on, when it shows what was done.
fn acted_on(action: &Action, observed: &Observed<'_>) -> Option<Finding> {
    let node = target(action, observed.after)?;
    let before = observed.before.and_then(|page| target(action, page));
    let what = named(node);
    let subject = || Subject::Field { role: node.role.to_string(), name: node.name.to_string() };
    let supports =
        |fact: String| Some(Finding::new(EvidenceRule::ElementState, EvidenceKind::Element, fact).about(subject()));
    let contradicts =
        |fact: String| Some(Finding::new(EvidenceRule::FieldValue, EvidenceKind::Element, fact).about(subject()));
    match action {
        Action::Fill(_) | Action::Type(_) if node.states.secret() || types_secret(action) => {
            let filled = node.value.as_deref().is_some_and(|value| !value.is_empty());
            match (filled, action) {
                (true, _) => supports(format!("{what} is filled in")),
                (false, Action::Fill(fill)) if is_plain_field(node) && !fill.submit && !fill.text.is_empty() => {
                    contradicts(format!("{what} is empty"))
                }
                (false, _) => None,
            }
        }
        Action::Fill(fill) => {
            let value = node.value.as_deref().unwrap_or_default();
            let holds = format!("{what} holds {:?}", clipped(value));
            // A field that sends may be emptied by it; one that is no plain field may show its value otherwise.
            let compares = !fill.submit && is_plain_field(node);
            if compares && !is_same_content(&fill.text, value) {
                return contradicts(format!("{holds} instead of {:?}", clipped(&fill.text)));
            }
            supports(holds).filter(|_| !value.is_empty() || fill.text.is_empty())
        }
        Action::Type(_) | Action::Select(_) | Action::Upload(_) => {
            let value = node.value.as_deref().unwrap_or_default();
            supports(format!("{what} holds {:?}", clipped(value))).filter(|_| !value.is_empty())
        }
        Action::Check(_) | Action::Uncheck(_) => {
            let wanted = matches!(action, Action::Check(_));
            let is = node.states.checked() || node.states.selected() || node.states.pressed();
            let fact = format!("{what} is {}", if is { "checked" } else { "not checked" });
            let is_box = matches!(node.role.as_ref(), "checkbox" | "radio" | "switch");
            match (is == wanted, is_box) {
                (true, _) => supports(fact),
                (false, true) => contradicts(fact),
                (false, false) => None,
            }
        }
        Action::Click(_) => {
            let states = |node: &Node| {
                [
                    (node.states.checked(), "checked"),
                    (node.states.selected(), "selected"),
                    (node.states.pressed(), "pressed"),
                    (node.states.expanded(), "expanded"),
                ]
            };
            let now = states(node);
            let was = before.map(states);
            let changed = now
                .iter()
                .enumerate()
                .find(|(at, (on, _))| was.is_none_or(|was| was[*at].0 != *on) && (*on || was.is_some()));
            match changed {
                Some((_, (true, word))) => supports(format!("{what} is {word}")),
                Some((_, (false, word))) => supports(format!("{what} is no longer {word}")),
                // A radio button or an option that is on already stays on.
                None => now
                    .iter()
                    .find(|(on, word)| *on && matches!(*word, "checked" | "selected"))
                    .filter(|_| matches!(node.role.as_ref(), "radio" | "option" | "menuitemradio" | "tab"))
                    .and_then(|(_, word)| supports(format!("{what} is {word}"))),
            }
        }
        _ => None,
    }
}

/// The node that an action is about, on this page.
fn target<'a>(action: &Action, page: &'a Snapshot) -> Option<&'a Node> {
    match action.target()?.kind() {
        TargetKind::Ref(reference) => Some(&page.nodes[page.find_ref(reference)?]),
        TargetKind::Role { role, name: Some(name) } => {
            let mut alike = page.nodes.iter().filter(|node| *node.role == *role && *node.name == *name);
            // Of two of one name nobody knows which it was.
            alike.next().filter(|_| alike.next().is_none())
        }
        _ => None,
    }
}

/// A field whose value is the text that was put there.
fn is_plain_field(node: &Node) -> bool {
    let attributes = node.attributes.as_deref();
    let tag = attributes.map_or("", |attributes| attributes.tag.as_ref());
    let input = attributes.and_then(|attributes| attributes.input.as_deref()).unwrap_or("text");
    let typed = matches!(node.role.as_ref(), "textbox" | "searchbox" | "combobox");
    // Where the tag is not known, only the fields that nothing but a text field is.
    typed
        && (matches!(tag, "input" | "textarea") || tag.is_empty() && node.role.as_ref() != "combobox")
        && !CONVERTED.contains(&input)
}

/// Whether a field holds what was put there: the same letters and digits in the same order. Case, blanks and punctuation are
/// what masks and formats add (`+49 (30) 1234` for `49301234`); a long value is shown shortened.
fn is_same_content(text: &str, value: &str) -> bool {
    let plain =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    if let Some((shown, _)) = value.split_once("… (+") {
        return plain(text).starts_with(&plain(shown));
    }
    let (text, value) = (plain(text), plain(value));
    if text.is_empty() { value.is_empty() } else { value == text }
}

/// Fields that are marked invalid and were not.
fn invalid(observed: &Observed<'_>) -> Vec<Finding> {
    let reloaded = observed.is_reloaded();
    let was_invalid = |node: &Node| {
        observed.before.filter(|_| !reloaded).is_some_and(|before| {
            before.nodes.iter().any(|old| old.states.invalid() && old.role == node.role && old.name == node.name)
        })
    };
    let submits = observed.submits();
    observed
        .after
        .nodes
        .iter()
        .filter(|node| node.states.invalid() && !was_invalid(node))
        .take(super::TEXTS)
        .map(|node| {
            let own = observed
                .actions
                .iter()
                .filter_map(|action| target(action, observed.after))
                .any(|acted| acted.role == node.role && acted.name == node.name);
            let finding = not_accepted(node);
            // While a form is filled in, what is still empty or does not fit yet says nothing of the field that was filled in.
            if submits && !observed.only_opens() || own { finding } else { finding.neutral() }
        })
        .collect()
}

/// Fields that are still marked invalid after a click or a key that changed nothing else: the form was not sent again.
pub(super) fn still_invalid(observed: &Observed<'_>, findings: &[Finding]) -> Vec<Finding> {
    let changed = findings.iter().any(|finding| finding.supports() || finding.contradicts());
    if changed || !observed.submits() || observed.only_opens() {
        return Vec::new();
    }
    observed.after.nodes.iter().filter(|node| node.states.invalid()).take(super::TEXTS).map(not_accepted).collect()
}

fn not_accepted(node: &Node) -> Finding {
    let fact = format!("{} is marked invalid", named(node));
    let subject = Subject::Field { role: node.role.to_string(), name: node.name.to_string() };
    Finding::new(EvidenceRule::InvalidField, EvidenceKind::Element, fact).about(subject)
}

fn types_secret(action: &Action) -> bool {
    match action {
        Action::Fill(fill) => fill.text.contains("${secret:"),
        Action::Type(typed) => typed.text.contains("${secret:"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_same_content;

    #[test]
    fn a_formatted_value_is_the_same_content_and_another_one_is_not() {
        for (text, value) in [("49301234", "+49 (30) 1234"), ("ada", " Ada "), ("a\nb", "a b"), ("", ""), ("…", "")] {
            assert!(is_same_content(text, value), "{text:?} {value:?}");
        }
        for (text, value) in [("1,5", "150"), ("alice", ""), ("abcdef", "abc"), ("", "old"), ("new", "oldnew")] {
            assert!(!is_same_content(text, value), "{text:?} {value:?}");
        }
    }
}
