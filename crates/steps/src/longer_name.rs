//! Finds targets whose name is longer than the name in the sentence. If no element has exactly the name, an element
//! whose name contains it is used. Usually that is correct (`Save` for `Save changes`), sometimes it is something else
//! (`Acme` for `Acme (old)`, `Archive` for `Archive all invoices`, `Delete` for `Delete account`). Only the user knows,
//! so such a step is executed but not validated. A control that deletes everything is never chosen by a part of its
//! name ([`deletes_more`](crate::additional_words::deletes_more)), because such a click cannot be undone.

use legwork_observe::{Node, Snapshot};
use legwork_protocol::{Action, Effect, TargetKind};

use crate::{
    additional_words::{DELETIONS, EVERYTHING, METHODS, additional_words, is_one_of, words_of},
    ast::{Operation, Purpose, Scope, TargetPhrase},
    name_match::{NameMatcher, normalize_whitespace},
    roles::is_control,
    scope,
};

/// A name that starts with the name in the sentence and continues.
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
    scopes.iter().find_map(|scope| other_place(scope, page)).or_else(|| other_control(target?, actions, page))
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
    // A number is always matched as a whole.
    if name.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
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
    let found = nodes.iter().find(|node| continuation(&node.name, name).is_some_and(is_of_name))?;
    Some(LongerName { words: name.to_owned(), name: normalize_whitespace(&found.name) })
}

fn asks_for_part(phrase: &str) -> bool {
    let head = phrase.split('"').next().unwrap_or_default();
    head.split_whitespace().any(|word| matches!(word, "containing" | "contains" | "with" | "has" | "says" | "saying"))
}

/// The control whose name contains words that change its function, or that deletes something the sentence does not
/// name.
fn other_control(target: &TargetPhrase, actions: &[Action], page: &Snapshot) -> Option<LongerName> {
    let name = target.name.as_deref()?;
    actions.iter().find_map(|action| {
        let TargetKind::Ref(reference) = action.carried_out().target()?.kind() else { return None };
        let found = &page.nodes[page.find_ref(reference)?];
        let rest = additional_words(&found.name, name)?;
        let follows = continuation(&found.name, name).and_then(|rest| words_of(rest).into_iter().next());
        let deletes = || words_of(&found.name).iter().any(|word| is_one_of(DELETIONS, word));
        // A mark begins a description and not a part of the name: `Delete (2)`, `Delete – Ctrl+D`.
        let is_described = || rest.is_empty() || NameMatcher::new(name).is_explained_by(&found.name);
        let is_other = rest.iter().any(|word| is_one_of(EVERYTHING, word))
            || follows.is_some_and(|next| is_one_of(METHODS, &next))
            || is_control(&found.role) && deletes() && !is_described();
        is_other.then(|| LongerName { words: name.to_owned(), name: normalize_whitespace(&found.name) })
    })
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
