//! How well a name that was said fits the names that an element has.

use legwork_observe::{NodeIndex, Snapshot};

use super::kinds;

/// From the same name to a part of it. The order is the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    Exact,
    Case,
    /// The same but for marks and spaces: `User name` and `Username:*`.
    Bare,
    /// Whole words of it.
    Words,
    /// A part of it.
    Part,
}

/// Compares a name that was said with one found on the page.
pub(super) struct Wanted {
    said: String,
    low: String,
    bare: String,
    /// The letters and digits of every name that can fit.
    letters: Vec<char>,
}

impl Wanted {
    pub(super) fn new(said: &str) -> Self {
        let said = squeeze(said);
        let low = said.to_lowercase();
        let bare = bare(&low);
        let letters = bare.chars().map(folded).collect();
        Wanted { said, low, bare, letters }
    }

    /// How well it fits; none when it does not.
    pub(super) fn tier(&self, found: &str) -> Option<Tier> {
        if found.is_empty() || self.said.is_empty() || !self.may_fit(found) {
            return None;
        }
        self.compared(found)
    }

    fn compared(&self, found: &str) -> Option<Tier> {
        if found == self.said {
            return Some(Tier::Exact);
        }
        let found = squeeze(found);
        if found == self.said {
            return Some(Tier::Exact);
        }
        let low = found.to_lowercase();
        if low == self.low {
            return Some(Tier::Case);
        }
        if !self.bare.is_empty() && bare(&low) == self.bare {
            return Some(Tier::Bare);
        }
        let at = low.find(&self.low)?;
        let whole = std::iter::once(at).chain(low.match_indices(&self.low).map(|(at, _)| at)).any(|at| {
            let before = low[..at].chars().next_back();
            let after = low[at + self.low.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        });
        if whole { Some(Tier::Words) } else { (self.low.chars().count() >= 3).then_some(Tier::Part) }
    }

    /// Whether the wanted letters and digits follow each other in what was found. Whatever fits has them so, and most of
    /// the names of a large page have not: they are passed over here, without making a text of any.
    fn may_fit(&self, found: &str) -> bool {
        let Some(first) = self.letters.first() else { return true };
        if found.is_ascii() {
            let same = |byte: u8, wanted: char| char::from(byte.to_ascii_lowercase()) == wanted;
            let mut rest = found.as_bytes();
            while let Some(at) = rest.iter().position(|byte| same(*byte, *first)) {
                let mut letters = rest[at..].iter().filter(|byte| byte.is_ascii_alphanumeric());
                if self.letters.iter().all(|wanted| letters.next().is_some_and(|byte| same(*byte, *wanted))) {
                    return true;
                }
                rest = &rest[at + 1..];
            }
            return false;
        }
        let mut rest = found.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).map(folded);
        while let Some(letter) = rest.next() {
            if letter == *first {
                let mut letters = rest.clone();
                if self.letters[1..].iter().all(|wanted| letters.next() == Some(*wanted)) {
                    return true;
                }
            }
        }
        false
    }
}

/// A sigma at the end of a word is written another way; alone it is not known to be there.
fn folded(c: char) -> char {
    if c == 'ς' { 'σ' } else { c }
}

/// White space squeezed, typographic quotes made plain.
pub(super) fn squeeze(text: &str) -> String {
    let plain = text.replace(['“', '”'], "\"").replace(['‘', '’'], "'").replace('…', "...").replace('\u{200b}', "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bare(low: &str) -> String {
    let low = low.strip_suffix("(required)").or_else(|| low.strip_suffix("(optional)")).unwrap_or(low);
    low.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Where a name comes from; the order is the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Name,
    Label,
    Content,
    Id,
    Beside,
    Row,
}

/// The best fit of a wanted name among everything an element is called by.
pub(super) fn fit(page: &Snapshot, at: NodeIndex, wanted: &Wanted) -> Option<(Tier, Source)> {
    let node = &page.nodes[at];
    let best = std::cell::Cell::new(None::<(Tier, Source)>);
    let offer = |tier: Option<Tier>, source: Source| {
        if let Some(tier) = tier
            && best.get().is_none_or(|found| (tier, source) < found)
        {
            best.set(Some((tier, source)));
        }
    };
    offer(wanted.tier(&node.name), Source::Name);
    if let Some(attributes) = &node.attributes {
        if let Some(label) = &attributes.placeholder {
            offer(wanted.tier(label), Source::Label);
        }
        if let Some(label) = &attributes.description {
            // A tooltip often tells at length what its element does; a word in passing there is no name of it.
            let whole = |tier: &Tier| *tier <= Tier::Bare || node.name.is_empty();
            offer(wanted.tier(label).filter(whole), Source::Label);
        }
        for id in [&attributes.test_id, &attributes.id, &attributes.form_name].into_iter().flatten() {
            offer(wanted.tier(id).filter(|tier| *tier <= Tier::Bare).map(|_| Tier::Bare), Source::Id);
        }
        if let Some(input) = attributes.input.as_deref()
            && matches!(
                input,
                "password"
                    | "email"
                    | "search"
                    | "date"
                    | "time"
                    | "file"
                    | "number"
                    | "tel"
                    | "url"
                    | "submit"
                    | "reset"
                    | "color"
                    | "month"
                    | "week"
                    | "range"
            )
        {
            offer(wanted.tier(input).filter(|tier| *tier <= Tier::Bare).map(|_| Tier::Bare), Source::Id);
        }
    }
    if node.role.as_ref() == "searchbox" {
        offer(wanted.tier("search").filter(|tier| *tier <= Tier::Bare).map(|_| Tier::Bare), Source::Id);
    }
    let role = node.role.as_ref();
    let button_like = matches!(
        role,
        "button"
            | "link"
            | "generic"
            | "row"
            | "listitem"
            | "article"
            | "cell"
            | "gridcell"
            | "option"
            | "menuitem"
            | "tab"
            | "treeitem"
            | "summary"
            | "paragraph"
            | "status"
            | "alert"
    );
    if button_like
        && node.end - at <= 60
        && node.end > at + 1
        && (node.name.is_empty() || !matches!(role, "button" | "link" | "option" | "menuitem" | "tab"))
    {
        offer(wanted.tier(&content(page, at)), Source::Content);
    }
    if role == "button"
        && let Some(value) = &node.value
    {
        offer(wanted.tier(value), Source::Label);
    }
    let labelled = kinds::is_field(role)
        || node.states.editable()
        || matches!(role, "combobox" | "listbox" | "checkbox" | "radio" | "switch" | "slider")
        || kinds::input(node) == "file";
    if labelled && node.name.is_empty() && best.get().is_none_or(|(tier, _)| tier > Tier::Bare) {
        if let Some(label) = beside(page, at) {
            offer(wanted.tier(&label), Source::Beside);
        }
        // A lone checkbox of a row is meant by what the row says.
        if matches!(role, "checkbox" | "radio" | "switch")
            && let Some(row) = page.ancestors(at).find(|up| matches!(page.nodes[*up].role.as_ref(), "row" | "listitem"))
        {
            offer(row_tier(page, row, wanted), Source::Row);
        }
    }
    best.get()
}

/// How well a row says a text: one of its cells is it, or the row contains it.
pub(super) fn row_tier(page: &Snapshot, row: NodeIndex, wanted: &Wanted) -> Option<Tier> {
    let own = page.below(row).filter_map(|at| {
        let node = &page.nodes[at];
        let name = wanted.tier(&node.name);
        let value = node.value.as_deref().filter(|_| !node.states.secret()).and_then(|value| wanted.tier(value));
        name.into_iter().chain(value).min()
    });
    own.chain(wanted.tier(&page.nodes[row].name))
        .chain(wanted.tier(&content(page, row)).map(|tier| tier.max(Tier::Words)))
        .min()
}

/// The text below an element, without the names that only repeat what lies below them.
pub(super) fn content(page: &Snapshot, at: NodeIndex) -> String {
    let mut text = String::new();
    for node in page.below(at) {
        let node = &page.nodes[node];
        let name = node.name.trim();
        let repeated = node.role.as_ref() != "text" && text.ends_with(name);
        if !name.is_empty() && !repeated {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(name);
        }
    }
    if text.is_empty() { page.nodes[at].name.to_string() } else { text }
}

/// The text just before an unlabelled field (just after, for a box), up to the next control.
fn beside(page: &Snapshot, at: NodeIndex) -> Option<String> {
    let role = page.nodes[at].role.as_ref();
    let label = |at: NodeIndex| {
        let node = &page.nodes[at];
        if matches!(
            node.role.as_ref(),
            "text"
                | "cell"
                | "rowheader"
                | "heading"
                | "paragraph"
                | "label"
                | "LabelText"
                | "term"
                | "strong"
                | "legend"
                | "gridcell"
                | "columnheader"
        ) && !node.name.is_empty()
        {
            Some(Some(node.name.to_string()))
        } else if kinds::is_control(&node.role) || node.states.editable() {
            Some(None)
        } else {
            None
        }
    };
    if matches!(role, "checkbox" | "radio" | "switch")
        && let Some(Some(text)) = (page.nodes[at].end..page.nodes.len()).take(3).find_map(label)
    {
        return Some(text);
    }
    (1..at).rev().take(6).find_map(label).flatten()
}

/// The value of what is only a label: what follows it at once (`Total` | `$12`), or the rest of its own text (`Total: $12`).
pub(super) fn labelled_value(page: &Snapshot, at: NodeIndex, label: &str) -> Option<String> {
    let plain = |at: NodeIndex| {
        let role = page.nodes[at].role.as_ref();
        !kinds::is_control(role)
            && !matches!(role, "heading" | "columnheader" | "row" | "list" | "table" | "listitem" | "iframe")
    };
    if !matches!(
        page.nodes[at].role.as_ref(),
        "text" | "cell" | "gridcell" | "rowheader" | "term" | "paragraph" | "strong" | "label"
    ) {
        return None;
    }
    let text = squeeze(&content(page, at));
    let label = squeeze(label);
    let wanted = Wanted::new(&label);
    if wanted.tier(&text).is_some_and(|tier| tier <= Tier::Bare) {
        let next = (page.nodes[at].end..page.nodes.len()).take(4).find(|next| !content(page, *next).is_empty())?;
        return plain(next).then(|| squeeze(&content(page, next)));
    }
    let rest = text
        .get(label.len()..)
        .filter(|_| text.is_char_boundary(label.len()) && text[..label.len()].eq_ignore_ascii_case(&label))?;
    let rest = rest.trim_start().strip_prefix([':', '='])?.trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is passed over without a closer look would not have fitted.
        #[test]
        fn nothing_that_fits_is_passed_over(
            said in "[a-cA-CßΣσςİéÉ1 .:*-]{1,5}( \\(required\\))?",
            before in "[a-c Σİ…“-]{0,4}",
            after in "[a-c Σς…)’-]{0,4}",
            shout in any::<bool>(),
        ) {
            let wanted = Wanted::new(&said);
            let middle = if shout { said.to_uppercase() } else { said.replace(' ', "\u{a0}") };
            for found in [format!("{before}{middle}{after}"), format!("{before}{after}"), middle] {
                if !wanted.may_fit(&found) {
                    prop_assert_eq!(wanted.compared(&found), None, "{:?} in {:?}", said, found);
                }
            }
        }
    }
}
