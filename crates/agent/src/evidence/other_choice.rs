//! A new text that names another choice or another address than the one that was entered: `Assigned to Priya Patel`
//! after `Priya Nair` was chosen, `Sent to ap@acme.test` for `ap@globex.test`. In a sentence there is no label to
//! compare, but the other choices of the same list are known, and so is the form of an e-mail address.

use legwork_observe::{Node, Snapshot};

use super::{
    changes::only_in,
    clipped,
    list_choice::{ListChoice, choices},
    shown_value::named_fields,
    whole_words::contains_whole,
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
    // The first choice may not be meant, as in a filter beside the form; names of several words occur in no other text.
    let is_meant = |choice: &ListChoice<'_>| !choice.is_first || choice.value.contains(' ');
    let of_choice = choices(before).filter(|list| is_meant(list) && !is_shown(list.value)).find_map(|list| {
        let is_other = |other: &str| is_telling(other) && (!list.is_first || other.contains(' '));
        let named = |text: &str| list.others.iter().any(|other| is_other(other) && has(text, other));
        Some((*new.iter().find(|text| named(text))?, list.value))
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
