//! A new text that names another choice or another address than the one that was entered: `Assigned to Priya Patel` after
//! `Priya Nair` was chosen, `Sent to ap@acme.test` for `ap@globex.test`. In a sentence there is no label to compare, but the
//! other choices of the same list are known, and so is the form of an e-mail address.

use legwork_observe::{Node, Snapshot};

use super::{
    changes::only_in,
    clipped,
    shown_value::{chosen, named_fields},
    unclear::contains_whole,
};

/// The roles with which a page states what was done.
const TEXTS: [&str; 8] = ["alert", "status", "heading", "text", "paragraph", "cell", "listitem", "definition"];
/// A choice with fewer characters occurs in any text.
const TELLING: usize = 3;

/// The text that names another choice or address, as a fact, if the entered one is nowhere on the page.
pub(super) fn other_choice(page: &Snapshot, before: &Snapshot) -> Option<String> {
    let is_text = |node: &&Node| !node.states.editable() && !matches!(node.role.as_ref(), "option" | "combobox");
    let is_shown = |value: &str| page.nodes.iter().filter(is_text).any(|node| has(&node.name, value));
    let new: Vec<&str> = only_in(page, before, &TEXTS).map(|(_, text)| text).collect();
    let of_choice = chosen(before).filter(|(_, value, _)| !is_shown(value)).find_map(|(_, value, others)| {
        let named = |text: &str| others.iter().any(|other| is_telling(other) && has(text, other));
        Some((*new.iter().find(|text| named(text))?, value))
    });
    let of_address = || {
        let entered = named_fields(before).map(|(_, value)| value).filter(|value| is_address(value));
        entered.filter(|value| !is_shown(value)).find_map(|value| {
            let names_other = |text: &&&str| text.split_whitespace().any(|word| is_address(trimmed(word)));
            Some((*new.iter().find(names_other)?, value))
        })
    };
    let (text, value) = of_choice.or_else(of_address)?;
    Some(format!("{:?} is shown, and {:?} was entered", clipped(text), clipped(value)))
}

fn has(text: &str, value: &str) -> bool {
    contains_whole(&text.to_lowercase(), &value.to_lowercase())
}

/// Whether a choice is a name or a time. A number occurs in many texts, and `–` or `Choose…` is no choice.
fn is_telling(choice: &str) -> bool {
    choice.chars().count() >= TELLING
        && !choice.ends_with('…')
        && choice.contains(|c: char| c.is_alphabetic() || c == ':')
}

fn is_address(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    !user.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
