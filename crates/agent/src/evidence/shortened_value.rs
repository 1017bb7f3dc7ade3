//! A text that repeats the beginning of an entered value as if it were the whole: `Saved “Quarterly maintenanc”`.
//! Servers shorten what is longer than their column. An ellipsis at the end says that only the text is shortened.

use legwork_observe::Snapshot;

use super::{changes::only_in, clipped, shown_value::named_fields, value_notation::contains_value};

/// The roles with which a page repeats a value.
const TEXTS: [&str; 8] = ["alert", "status", "heading", "text", "paragraph", "cell", "link", "listitem"];
/// The beginning of a value with fewer characters may be another word.
const TELLING: usize = 5;

/// The text with the beginning of a value, as a fact, if the whole value is in no text of the page.
pub(super) fn shortened_value(before: &Snapshot, after: &Snapshot) -> Option<String> {
    let new: Vec<&str> = only_in(after, before, &TEXTS).map(|(_, text)| text.trim()).collect();
    // The field itself may still hold what was entered.
    let is_shown = |value: &str| after.nodes.iter().any(|node| contains_value(&node.name, value));
    named_fields(before).filter(|(_, value)| value.chars().count() > TELLING).find_map(|(_, value)| {
        let is_cut = |shown: &str| is_cut(shown, value);
        let text = new.iter().find(|text| quotes(text).any(is_cut) || is_cut(text))?;
        (!is_shown(value)).then(|| format!("{:?} is shown, and {:?} was entered", clipped(text), clipped(value)))
    })
}

/// Whether a text is the beginning of a value that ends within a word.
fn is_cut(shown: &str, value: &str) -> bool {
    let shown = shown.trim();
    let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    shown.chars().count() >= TELLING
        && value
            .strip_prefix(shown)
            .is_some_and(|rest| is_inside(rest.chars().next()) && is_inside(shown.chars().next_back()))
}

/// The texts in quotes.
fn quotes(text: &str) -> impl Iterator<Item = &str> {
    const MARKS: [char; 8] = ['"', '“', '”', '„', '«', '»', '‹', '›'];
    text.split(MARKS).skip(1).step_by(2)
}
