//! The phrases that may name an element, the best first: its name, then its name in the row, dialog, section or frame
//! that contains it or under its heading, and last its position among elements of the same name.

use legwork::observe::{Attributes, NodeIndex, Snapshot};

use crate::sentence::{self, Verb, named, ordinal, quoted};

/// The most characters of a name in a sentence.
const NAME: usize = 120;
/// The most characters of the text that identifies a row.
const ROW_TEXT: usize = 60;
/// The most texts of a row that are tried.
const ROW_TEXTS: usize = 5;
/// The largest position within a place that is tried.
const MOST_COUNTED: usize = 9;
/// The most nodes below an element whose texts are its name.
const CONTENT: usize = 60;

/// The words by which an element may be called, the best first: those that the page shows, then those of its author.
pub(super) fn names(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let mut names = shown_names(page, at);
    names.extend(technical_names(page, at).into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
    names
}

/// The names that the page shows.
fn shown_names(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let node = &page.nodes[at];
    let other = |get: fn(&Attributes) -> Option<&str>| node.attributes.as_deref().and_then(get).unwrap_or_default();
    let content = if node.end - at < CONTENT { page.text_of(at) } else { String::new() };
    usable([
        node.name.as_ref(),
        other(|attributes| attributes.placeholder.as_deref()),
        other(|attributes| attributes.description.as_deref()),
        &content,
    ])
}

/// The names that only the source of the page contains.
fn technical_names(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let node = &page.nodes[at];
    let other = |get: fn(&Attributes) -> Option<&str>| node.attributes.as_deref().and_then(get).unwrap_or_default();
    usable([
        other(|attributes| attributes.test_id.as_deref()),
        other(|attributes| attributes.form_name.as_deref()),
        other(|attributes| attributes.id.as_deref()),
    ])
}

/// The names that a sentence can contain, each once.
fn usable<const N: usize>(all: [&str; N]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in all.map(one_line) {
        if !name.is_empty() && name.chars().count() <= NAME && !name.contains("${") && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The phrases, the best first. Where a shown name is not unique, its place and its position come before an id, which
/// nobody sees on the page.
pub(crate) fn phrases(page: &Snapshot, at: NodeIndex, verb: &Verb) -> Vec<String> {
    let mut places = vec![String::new()];
    places.extend(self::places(page, at));
    let in_places = |names: &[String]| -> Vec<String> {
        let forms = forms(page, at, verb, names);
        places.iter().flat_map(|place| forms.iter().map(move |form| format!("{form}{place}"))).collect()
    };
    let shown = in_places(&shown_names(page, at));
    let technical = in_places(&technical_names(page, at));
    let positions = places.iter().flat_map(|place| counted(page, at, place));
    let mut phrases: Vec<String> = match shown.is_empty() {
        true => technical.into_iter().chain(positions).collect(),
        false => shown.into_iter().chain(positions).chain(technical).collect(),
    };
    let id = page.nodes[at].attributes.as_ref().and_then(|attributes| attributes.id.as_deref());
    let is_plain = |id: &&str| id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    phrases.extend(id.filter(is_plain).map(|id| format!("#{id}")));
    phrases
}

/// The ways to write names in a sentence.
fn forms(page: &Snapshot, at: NodeIndex, verb: &Verb, names: &[String]) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    for name in names {
        let plain = quoted(name);
        let with_noun = plain.as_ref().zip(noun(page, at)).map(|(plain, noun)| format!("the {noun} {plain}"));
        for form in [named(verb, Some(page.role(at)), name), plain, with_noun].into_iter().flatten() {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// Phrases with a position: `the second "Edit" button`.
fn counted(page: &Snapshot, at: NodeIndex, place: &str) -> Vec<String> {
    let Some(noun) = noun(page, at) else { return Vec::new() };
    let (role, name) = (page.role(at), &page.nodes[at].name);
    let words = quoted(&one_line(name)).filter(|_| !name.is_empty()).map(|name| format!("{name} ")).unwrap_or_default();
    let is_alike =
        |other: &NodeIndex| page.role(*other) == role && (words.is_empty() || page.nodes[*other].name == *name);
    let before = (1..at).filter(is_alike).count();
    // In a place, the position is at most that on the whole page.
    let positions = if place.is_empty() { before..=before } else { 0..=before.min(MOST_COUNTED) };
    positions.map(|position| format!("the {} {words}{noun}{place}", ordinal(position))).collect()
}

/// The word for the kind of an element.
fn noun(page: &Snapshot, at: NodeIndex) -> Option<&'static str> {
    let node = &page.nodes[at];
    let input = node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref());
    if input == Some("file") { Some("file field") } else { sentence::noun(&node.role) }
}

/// The places in which an element is, as words after its name, the best first.
fn places(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let (mut records, mut parts) = (Vec::new(), Vec::new());
    for above in page.ancestors(at) {
        let node = &page.nodes[above];
        let name = one_line(&node.name);
        let name = quoted(&name).filter(|_| !name.is_empty() && name.chars().count() <= NAME);
        let with_name = |before: &str, after: &str| name.as_ref().map(|name| format!("{before}{name}{after}"));
        match node.role.as_ref() {
            "row" => records.extend(texts_of(page, above, at).iter().map(|text| format!(" in the row of {text}"))),
            "listitem" | "article" | "treeitem" => {
                let texts = texts_of(page, above, at);
                records.extend(texts.iter().map(|text| format!(" in the item containing {text}")));
                records.extend(texts.iter().map(|text| format!(" for {text}")));
            }
            "dialog" | "alertdialog" => {
                parts.push(" in the dialog".to_owned());
                parts.extend(with_name(" in the dialog ", ""));
            }
            "iframe" => parts.push(with_name(" in the frame ", "").unwrap_or_else(|| " in the frame".to_owned())),
            "navigation" => {
                parts.push(" in the navigation".to_owned());
                parts.extend(with_name(" in the navigation ", ""));
            }
            "banner" => parts.push(" in the page header".to_owned()),
            "contentinfo" => parts.push(" in the footer".to_owned()),
            "complementary" => parts.push(" in the sidebar".to_owned()),
            "form" => parts.extend(with_name(" in the ", " form")),
            "table" | "grid" => parts.extend(with_name(" in the ", " table")),
            "list" => parts.extend(with_name(" in the ", " list")),
            "menu" | "menubar" => parts.extend(with_name(" in the ", " menu")),
            "region" | "group" | "radiogroup" | "tabpanel" | "toolbar" => {
                parts.extend(with_name(" in the ", " section"))
            }
            _ => {}
        }
    }
    parts.extend(headings(page, at).into_iter().map(|name| format!(" under the heading {name}")));
    let mut places = records.clone();
    places.extend(parts.iter().cloned());
    for record in records.iter().take(ROW_TEXTS) {
        places.extend(parts.iter().map(|part| format!("{record}{part}")));
    }
    places
}

/// The texts in a row or item that may identify it, without those of the element itself.
fn texts_of(page: &Snapshot, record: NodeIndex, at: NodeIndex) -> Vec<String> {
    const TEXTS: &[&str] = &["text", "cell", "gridcell", "rowheader", "link", "heading", "paragraph", "img"];
    let own = one_line(&page.nodes[at].name);
    let mut texts: Vec<String> = Vec::new();
    for inner in page.below(record).filter(|inner| page.has_role(*inner, TEXTS)) {
        let name = one_line(&page.nodes[inner].name);
        let is_usable = !name.is_empty() && name != own && name.chars().count() <= ROW_TEXT && !name.contains("${");
        texts.extend(quoted(&name).filter(|text| is_usable && !texts.contains(text)));
        if texts.len() == ROW_TEXTS {
            break;
        }
    }
    texts
}

/// The names of the headings before an element: the nearest, then those of higher levels.
fn headings(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let (mut level, mut names) = (u8::MAX, Vec::new());
    for node in page.nodes[..at].iter().rev().filter(|node| node.role.as_ref() == "heading") {
        if node.level < level {
            level = node.level;
            let name = one_line(&node.name);
            names.extend(quoted(&name).filter(|_| !name.is_empty() && name.chars().count() <= NAME));
        }
    }
    names
}
