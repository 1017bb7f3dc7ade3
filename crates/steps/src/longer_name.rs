//! Finds targets whose name is longer than the name in the sentence. If no element has exactly the name, an element
//! whose name contains it is used. Usually that is correct (`Save` for `Save changes`), sometimes it is something else
//! (`Acme` for `Acme (old)`, `Archive` for `Archive all invoices`, `Delete` for `Delete account`). Only the user knows,
//! so such a step is executed but not validated. A control that deletes everything is never chosen by a part of its
//! name ([`deletes_more`](crate::additional_words::deletes_more)), because such a click cannot be undone. Words before
//! the name are judged by `leading_words`.

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Action, Effect, TargetKind};

use crate::{
    additional_words::{DELETIONS, EVERYTHING, METHODS, additional_words, is_one_of, words_of},
    ast::{Condition, Operation, Purpose, Scope, TargetPhrase},
    element_kind::ElementKind,
    leading_words::{before_name, mentions_only, nouns, says_same},
    name_match::{MatchQuality, NameMatcher, normalize_whitespace},
    roles::is_control,
    scope,
};

/// A name that contains the name in the sentence and has further words after or before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongerName {
    /// The name in the sentence.
    pub words: String,
    /// The name on the page.
    pub name: String,
}

pub(super) fn longer_name(operation: &Operation, actions: &[Action], page: &Snapshot) -> Option<LongerName> {
    if actions.iter().all(|action| action.effect() == Effect::ReadOnly) {
        return None;
    }
    let (target, scopes) = named(operation)?;
    let is_of_field = !matches!(operation, Operation::Click(_) | Operation::Tick { .. });
    let other_control = || other_control(target?, actions, page, is_of_field);
    scopes.iter().find_map(|scope| other_place(scope, page)).or_else(other_control)
}

/// The row or entry of a condition whose name is longer than the name in the sentence. Text that is looked for is no
/// name.
pub(super) fn longer_name_of_condition(condition: &Condition, page: &Snapshot) -> Option<LongerName> {
    let of_scopes = |phrase: &TargetPhrase| phrase.scopes.iter().find_map(|scope| other_place(scope, page));
    let of_subject = |phrase: &TargetPhrase| {
        let is_record = phrase.property.is_some() || phrase.kind.is_some_and(ElementKind::named_by_content);
        let place = if phrase.kind.is_some() { Scope::In(phrase.owner()) } else { Scope::For(phrase.owner()) };
        of_scopes(phrase).or_else(|| is_record.then(|| other_place(&place, page)).flatten())
    };
    match condition {
        Condition::Shown(phrase) => of_scopes(phrase),
        Condition::Says { subject, .. } | Condition::State { subject, .. } | Condition::Empty(subject) => {
            of_subject(subject)
        }
        Condition::Count { things, .. } | Condition::Every { things, .. } => of_scopes(things),
        Condition::Not(inner) => longer_name_of_condition(inner, page),
        Condition::All(all) | Condition::Either(all) => {
            all.iter().find_map(|inner| longer_name_of_condition(inner, page))
        }
        _ => None,
    }
}

/// The target element and its scopes.
fn named(operation: &Operation) -> Option<(Option<&TargetPhrase>, &[Scope])> {
    match operation {
        Operation::Click(clicking) => Some((Some(&clicking.target), &clicking.target.scopes)),
        Operation::Tick { target, .. }
        | Operation::Fill { target, .. }
        | Operation::Clear(target)
        | Operation::Set { target, .. }
        | Operation::Act { target: Some(target), purpose: Purpose::Fill, .. } => Some((Some(target), &target.scopes)),
        Operation::Choose { scopes, from, .. } => {
            let of = from.as_ref().map(|from| from.scopes.as_slice()).unwrap_or_default();
            Some((None, if scopes.is_empty() { of } else { scopes }))
        }
        _ => None,
    }
}

/// The row, entry or section whose name continues after the name in the sentence.
fn other_place(scope: &Scope, page: &Snapshot) -> Option<LongerName> {
    let (Scope::In(place) | Scope::Under(place) | Scope::NextTo(place) | Scope::For(place)) = scope else {
        return None;
    };
    let name = match (&place.name, place.contains.as_slice()) {
        (Some(name), _) => name,
        // A row is identified by its contents. `the row containing "Acme"` explicitly asks for a part of them.
        (None, [name]) if !asks_for_part(&place.source_text) => name,
        _ => return None,
    };
    let matcher = NameMatcher::new(name);
    let ranges = scope::ranges(page, std::slice::from_ref(scope)).ok()?;
    let nodes = || ranges.iter().cloned().flatten().map(|at| &page.nodes[at]);
    // The element is beside the scope's element and not in it.
    let nodes: Vec<&Node> = match scope {
        Scope::NextTo(_) | Scope::Under(_) => page.nodes.iter().collect(),
        _ => nodes().collect(),
    };
    let is_same = |node: &&&Node| matcher.is(&node.name);
    if nodes.iter().any(|node| is_same(&node)) {
        return None;
    }
    // A number is always matched as a whole.
    let is_numbered = name.contains(|c: char| c.is_ascii_digit());
    let continues = |node: &&&Node| continuation(&node.name, name).is_some_and(is_of_name);
    let found = nodes.iter().find(continues).filter(|_| !is_numbered).map(|node| normalize_whitespace(&node.name));
    let found = found.or_else(|| mentioned_by(page, scope, name, &ranges))?;
    Some(LongerName { words: name.to_owned(), name: found })
}

/// The text of a row or entry that mentions the name and is about something else, if no other text of it has the name.
fn mentioned_by(page: &Snapshot, scope: &Scope, name: &str, ranges: &[std::ops::Range<NodeIndex>]) -> Option<String> {
    const RECORDS: &[&str] = &["row", "listitem", "article", "treeitem", "group", "cell", "gridcell"];
    let place = scope.anchor();
    // A section or a dialog is often called by a part of its heading.
    let are_records = scope.is_relative() || ranges.iter().all(|range| page.has_role(range.start, RECORDS));
    if !are_records || !place.kind.is_none_or(ElementKind::named_by_content) {
        return None;
    }
    let matcher = NameMatcher::new(name);
    let nouns = nouns(page, place);
    let mut other = None;
    for range in ranges {
        let is_text = |at: &NodeIndex| {
            let node = &page.nodes[*at];
            let is_leaf = node.end == at + 1 && !node.name.trim().is_empty();
            // A button may repeat the name of its row: `Delete Project A`.
            is_leaf && (!is_control(&node.role) || *node.role == *"link")
        };
        let mut texts = range.clone().filter(is_text);
        let first = texts.clone().next();
        if let Some(text) = texts.find(|at| matcher.quality(&page.nodes[*at].name) == Some(MatchQuality::Words)) {
            let before = before_name(&page.nodes[text].name, name)?;
            let is_label = before.trim_end().ends_with(':');
            let says_same =
                !mentions_only(&before) && says_same(page, text, &before, &nouns, !is_label || first == Some(text));
            if says_same {
                return None;
            }
            other.get_or_insert_with(|| normalize_whitespace(&page.nodes[text].name));
        }
    }
    other
}

fn asks_for_part(phrase: &str) -> bool {
    let head = phrase.split('"').next().unwrap_or_default();
    head.split_whitespace().any(|word| matches!(word, "containing" | "contains" | "with" | "has" | "says" | "saying"))
}

/// The control whose name contains words that change its function, or that deletes something the sentence does not
/// name.
fn other_control(target: &TargetPhrase, actions: &[Action], page: &Snapshot, is_of_field: bool) -> Option<LongerName> {
    let name = target.name.as_deref()?;
    actions.iter().find_map(|action| {
        let TargetKind::Ref(reference) = action.carried_out().target()?.kind() else { return None };
        let at = page.find_ref(reference)?;
        let found = &page.nodes[at];
        let rest = additional_words(&found.name, name)?;
        let follows = continuation(&found.name, name).and_then(|rest| words_of(rest).into_iter().next());
        let deletes = || words_of(&found.name).iter().any(|word| is_one_of(DELETIONS, word));
        // A mark begins a description and not a part of the name: `Delete (2)`, `Delete – Ctrl+D`.
        let is_described = || rest.is_empty() || NameMatcher::new(name).is_explained_by(&found.name);
        let is_other = rest.iter().any(|word| is_one_of(EVERYTHING, word))
            || follows.is_some_and(|next| is_one_of(METHODS, &next))
            || is_control(&found.role) && deletes() && !is_described()
            || is_other_by_its_beginning(page, at, target, is_of_field);
        is_other.then(|| LongerName { words: name.to_owned(), name: normalize_whitespace(&found.name) })
    })
}

/// Whether the words before the name of a control make it another one: `Tare weight` for `Weight`, `Copy of Offer 12`
/// for
/// `Offer 12`, `Do not send` for `Send`. A button or link is often called by its last words (`Shopping cart`,
/// `I accept the terms`), so that its words count only if they deny or mention the name, or if that is the name of a
/// record. The words before the name of a field make it another field.
fn is_other_by_its_beginning(page: &Snapshot, at: NodeIndex, target: &TargetPhrase, is_of_field: bool) -> bool {
    let Some(name) = target.name.as_deref() else { return false };
    let Some(before) = before_name(&page.nodes[at].name, name) else { return false };
    let is_numbered = || {
        let last = words_of(name).pop().unwrap_or_default();
        name.contains(|c: char| c.is_ascii_digit()) || name.contains(' ') && last.chars().count() == 1
    };
    mentions_only(&before)
        || (is_of_field || is_numbered()) && !says_same(page, at, &before, &nouns(page, target), true)
}

/// The rest of a text that starts with the words.
fn continuation<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let end = text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(words.chars().count())?;
    let (head, rest) = text.split_at(end);
    (head.to_lowercase() == words.to_lowercase() && !rest.is_empty()).then_some(rest)
}

/// Whether the rest belongs to the name: `Acme (old)`, `Acme Ltd`, `Smith-Jones`. In `Bob, 3 items` and `Bob – invited`
/// it is a description of Bob.
fn is_of_name(rest: &str) -> bool {
    let mut chars = rest.chars().filter(|c| !c.is_whitespace());
    let first = chars.next();
    first.is_some_and(char::is_alphabetic) && rest.starts_with(char::is_whitespace)
        || first == Some('(')
        || first == Some('-') && rest.starts_with('-') && chars.next().is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_on_with_words_and_ends_at_a_mark() {
        for rest in [" (old)", " Ltd", "-Jones", " Smith"] {
            assert!(is_of_name(rest), "{rest}");
        }
        for rest in [", 3 items", " – invited", " - invited", ": admin", " | 12", "s", ""] {
            assert!(!is_of_name(rest), "{rest}");
        }
        assert_eq!(continuation("Acme (old)", "acme"), Some(" (old)"));
        assert_eq!(continuation("Acme", "Acme"), None);
        assert_eq!(continuation("My Acme", "Acme"), None);
    }
}
