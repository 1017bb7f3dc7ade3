//! Rates how well the names of an element match a name in a sentence.

use legwork_observe::{Node, NodeIndex, Snapshot};

use crate::roles::{BOXES, LISTS, input, is_control, is_field_like, roles};

/// The quality of a match, from an equal name to a part of a name. The order of the variants is the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchQuality {
    Exact,
    Case,
    /// Equal except for punctuation and spaces: `User name` and `Username:*`.
    Bare,
    /// Some of the whole words of the name.
    Words,
    /// Text that starts at the beginning of a word of the name.
    Part,
}

/// Compares a name in a sentence with names on the page.
pub(super) struct NameMatcher {
    source_text: String,
    lower: String,
    bare: String,
    /// The letters and digits that every matching name contains.
    letters: Vec<char>,
}

impl NameMatcher {
    pub(super) fn new(source_text: &str) -> Self {
        let source_text = normalize_whitespace(source_text);
        let lower = source_text.to_lowercase();
        let bare = bare(&lower);
        let letters = bare.chars().map(folded).collect();
        NameMatcher { source_text, lower, bare, letters }
    }

    /// The quality of the match; `None` if the name does not match.
    pub(super) fn quality(&self, found: &str) -> Option<MatchQuality> {
        if found.is_empty() || self.source_text.is_empty() || !self.may_fit(found) {
            return None;
        }
        self.compared(found)
    }

    /// Whether the names are equal except for case, punctuation and spaces.
    pub(crate) fn is(&self, found: &str) -> bool {
        self.quality(found).is_some_and(|quality| quality <= MatchQuality::Bare)
    }

    /// The quality of the match with the name of an element, or otherwise with its text.
    pub(crate) fn quality_at(&self, page: &Snapshot, at: NodeIndex) -> Option<MatchQuality> {
        self.quality(&page.nodes[at].name).or_else(|| self.quality(&content(page, at)))
    }

    fn compared(&self, found: &str) -> Option<MatchQuality> {
        if found == self.source_text {
            return Some(MatchQuality::Exact);
        }
        let found = normalize_whitespace(found);
        if found == self.source_text {
            return Some(MatchQuality::Exact);
        }
        let lower = found.to_lowercase();
        if lower == self.lower {
            return Some(MatchQuality::Case);
        }
        if !self.bare.is_empty() && bare(&lower) == self.bare {
            return Some(MatchQuality::Bare);
        }
        let at = lower.find(&self.lower)?;
        let whole = std::iter::once(at).chain(lower.match_indices(&self.lower).map(|(at, _)| at)).any(|at| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + self.lower.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        });
        if whole { Some(MatchQuality::Words) } else { self.begins_word(&lower).then_some(MatchQuality::Part) }
    }

    /// Whether a text contains the name at the beginning of a word (`Sub` in `Submit`). The end of a word often has
    /// another meaning (`Total` in `Subtotal`), and so has a number with more digits (`Invoice 1` in `Invoice 10`).
    /// Scripts without letter case mostly have no spaces either, so any position can be the beginning of a word there.
    fn begins_word(&self, lower: &str) -> bool {
        let is_inside = |before: char, first: char| {
            first.is_numeric() && before.is_numeric() || first.is_lowercase() && before.is_alphanumeric()
        };
        let first = self.lower.chars().next().unwrap_or_default();
        let last = self.lower.chars().next_back().unwrap_or_default();
        self.lower.chars().count() >= 3
            && lower.match_indices(&self.lower).any(|(at, _)| {
                let before = lower[..at].chars().next_back();
                let after = lower[at + self.lower.len()..].chars().next();
                let continues = last.is_numeric() && after.is_some_and(char::is_numeric);
                !(before.is_some_and(|before| is_inside(before, first)) || continues)
            })
    }

    /// Whether a text starts with the name and continues with a qualifier and no further word: `Belgium (+32)`,
    /// `Large – $12`.
    pub(super) fn is_explained_by(&self, found: &str) -> bool {
        let lower = normalize_whitespace(found).to_lowercase();
        let rest = lower.strip_prefix(&self.lower).map(str::trim_start);
        rest.and_then(|rest| rest.chars().next()).is_some_and(|first| !first.is_alphanumeric())
    }

    /// Whether the text contains the letters and digits of the name in order. Every match does, and most names on a
    /// large page do not: this test skips them without allocating a string.
    fn may_fit(&self, found: &str) -> bool {
        let Some(first) = self.letters.first() else { return true };
        if found.is_ascii() {
            let same = |byte: u8, matcher: char| char::from(byte.to_ascii_lowercase()) == matcher;
            let mut rest = found.as_bytes();
            while let Some(at) = rest.iter().position(|byte| same(*byte, *first)) {
                let mut letters = rest[at..].iter().filter(|byte| byte.is_ascii_alphanumeric());
                if self.letters.iter().all(|matcher| letters.next().is_some_and(|byte| same(*byte, *matcher))) {
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
                if self.letters[1..].iter().all(|matcher| letters.next() == Some(*matcher)) {
                    return true;
                }
            }
        }
        false
    }
}

/// The case-folded character. A sigma at the end of a word has another form, and a single character does not show its
/// position.
fn folded(c: char) -> char {
    if c == 'ς' { 'σ' } else { c }
}

/// Collapses white space, replaces typographic quotes, and removes invisible characters such as the soft hyphen.
pub(super) fn normalize_whitespace(text: &str) -> String {
    let plain =
        text.replace(['“', '”'], "\"").replace(['‘', '’'], "'").replace('…', "...").replace(['\u{200b}', '\u{ad}'], "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bare(lower: &str) -> String {
    let lower = lower.strip_suffix("(required)").or_else(|| lower.strip_suffix("(optional)")).unwrap_or(lower);
    lower.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The items with the best quality, in their order.
pub(crate) fn best_of<T, Q: Copy + Ord>(all: impl Iterator<Item = (Q, T)>) -> Vec<T> {
    let all: Vec<(Q, T)> = all.collect();
    let best = all.iter().map(|(quality, _)| *quality).min();
    all.into_iter().filter(|(quality, _)| Some(*quality) == best).map(|(_, thing)| thing).collect()
}

/// The nodes that contain none of the others.
pub(crate) fn innermost(page: &Snapshot, nodes: &[NodeIndex]) -> Vec<NodeIndex> {
    let holds_other = |at: NodeIndex| nodes.iter().any(|other| *other > at && page.nodes[at].end > *other);
    nodes.iter().copied().filter(|at| !holds_other(*at)).collect()
}

/// The source of a name. The order of the variants is the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameSource {
    Name,
    Label,
    Content,
    Id,
    Beside,
    Column,
    Row,
}

/// Input types whose names people use for fields.
const INPUT_TYPES: &[&str] = roles![
    password email search date time file number tel url submit reset color month week range
];
/// Roles whose text is their name.
const NAMED_BY_TEXT: &[&str] = roles![
    generic row listitem article cell gridcell treeitem summary paragraph status alert
];
/// Roles whose text is their name if they have no other name.
const NAMED: &[&str] = &["button", "link", "option", "menuitem", "tab"];

/// Whether people name an element by the text beside it.
pub(super) fn is_labelled(node: &Node) -> bool {
    let role = node.role.as_ref();
    is_field_like(node) || LISTS.contains(&role) || BOXES.contains(&role) || role == "slider" || input(node) == "file"
}

/// The best match of a name among all names of an element.
pub(super) fn best_match(page: &Snapshot, at: NodeIndex, matcher: &NameMatcher) -> Option<(MatchQuality, NameSource)> {
    let node = &page.nodes[at];
    let role = node.role.as_ref();
    let mut best = None::<(MatchQuality, NameSource)>;
    let mut offer = |quality: Option<MatchQuality>, source: NameSource| {
        let fit = quality.map(|quality| (quality, source));
        best = best.into_iter().chain(fit).min();
        best
    };
    // An attribute that only programs read must match as a whole.
    let as_id = |text: &str| matcher.is(text).then_some(MatchQuality::Bare);
    offer(matcher.quality(&node.name), NameSource::Name);
    if let Some(attributes) = &node.attributes {
        offer(attributes.placeholder.as_deref().and_then(|text| matcher.quality(text)), NameSource::Label);
        // A tooltip often describes its element at length. A word in such a text is not a name of the element.
        let whole = |quality: &MatchQuality| *quality <= MatchQuality::Bare || node.name.is_empty();
        let description = attributes.description.as_deref().and_then(|text| matcher.quality(text));
        offer(description.filter(whole), NameSource::Label);
        for id in [&attributes.test_id, &attributes.id, &attributes.form_name].into_iter().flatten() {
            offer(as_id(id), NameSource::Id);
        }
        let input = attributes.input.as_deref().filter(|input| INPUT_TYPES.contains(input));
        offer(input.and_then(as_id), NameSource::Id);
    }
    if role == "searchbox" {
        offer(as_id("search"), NameSource::Id);
    }
    let by_text = NAMED_BY_TEXT.contains(&role) || node.name.is_empty() && NAMED.contains(&role);
    if by_text && (2..=60).contains(&(node.end - at)) {
        offer(matcher.quality(&content(page, at)), NameSource::Content);
    }
    if role == "button" {
        offer(node.value.as_deref().and_then(|value| matcher.quality(value)), NameSource::Label);
    }
    let best = offer(None, NameSource::Row);
    if !is_labelled(node) || !node.name.is_empty() || best.is_some_and(|(quality, _)| quality <= MatchQuality::Bare) {
        return best;
    }
    let row = page.enclosing(at, &["row", "listitem"]).filter(|_| BOXES.contains(&role));
    // The cell before or after a checkbox is another value of its row, and not a label.
    let in_cells = row.is_some_and(|row| page.role(row) == "row");
    let label = beside(page, at).filter(|_| !in_cells);
    offer(label.and_then(|label| matcher.quality(&label)), NameSource::Beside);
    // The text of a row identifies its only checkbox.
    offer(row.and_then(|row| row_quality(page, row, matcher)), NameSource::Row)
}

/// How well a row matches a text: one of its cells is equal, or the row contains the text in whole words. Rows are
/// identified by data, in which a part of a word has another meaning.
pub(super) fn row_quality(page: &Snapshot, row: NodeIndex, matcher: &NameMatcher) -> Option<MatchQuality> {
    let own = page.below(row).filter_map(|at| {
        let node = &page.nodes[at];
        let name = matcher.quality(&node.name);
        let value = node.value.as_deref().filter(|_| !node.states.secret()).and_then(|value| matcher.quality(value));
        name.into_iter().chain(value).min()
    });
    own.chain(matcher.quality(&page.nodes[row].name))
        .chain(matcher.quality(&content(page, row)).map(|quality| quality.max(MatchQuality::Words)))
        .min()
        .filter(|quality| *quality <= MatchQuality::Words)
}

/// The text below an element, without names that only repeat the text of their descendants.
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

/// Roles that can be the label of a field beside them.
const LABELS: &[&str] = roles![
    text cell rowheader heading paragraph label LabelText term strong legend gridcell columnheader
];

/// The text beside a field without a name, which people take for its label.
pub(super) fn label_beside(page: &Snapshot, at: NodeIndex) -> Option<String> {
    is_labelled(&page.nodes[at]).then(|| beside(page, at)).flatten()
}

/// The text immediately before a field without a label (immediately after, for a checkbox), up to the next control.
fn beside(page: &Snapshot, at: NodeIndex) -> Option<String> {
    let label = |at: NodeIndex| {
        let node = &page.nodes[at];
        // A label that reacts to clicks (it opens a menu, or folds the field) is a label too.
        let is_label = page.has_role(at, LABELS) || page.role(at) == "generic" && node.states.actionable();
        if is_label && !node.name.is_empty() {
            return Some(Some(node.name.to_string()));
        }
        (is_control(&node.role) || node.states.editable()).then_some(None)
    };
    let after = || (page.nodes[at].end..page.nodes.len()).take(3).find_map(label).flatten();
    let after = page.has_role(at, BOXES).then(after).flatten();
    after.or_else(|| (1..at).rev().take(6).find_map(label).flatten())
}

/// The value of a label: the following element (`Total` | `$12`), or the rest of its own text (`Total: $12`).
pub(super) fn labelled_value(page: &Snapshot, at: NodeIndex, label: &str) -> Option<String> {
    if !page.has_role(at, &["text", "cell", "gridcell", "rowheader", "term", "paragraph", "strong", "label"]) {
        return None;
    }
    let text = normalize_whitespace(&content(page, at));
    let label = normalize_whitespace(label);
    let matcher = NameMatcher::new(&label);
    let is_label = |text: &str| matcher.is(text);
    if is_label(&text) || is_label(without_owner(&text)) {
        return following_value(page, at);
    }
    let text = without_owner(&text);
    let rest = text.get(label.len()..).filter(|_| text[..label.len()].eq_ignore_ascii_case(&label))?.trim_start();
    let rest = match rest.strip_prefix([':', '=']) {
        Some(rest) => rest.trim(),
        // Two elements without white space between them: `Subtotal$100.00`, `Total due($45.00)`.
        None if is_glued(text, label.len()) => rest,
        // `Order no. A-1017`, `Order #1017`
        None if label.ends_with(['.', '#', '№']) || label.ends_with(" no") || label.ends_with(" nr") => {
            let value = rest.trim_end_matches(['.', '!']);
            Some(value).filter(|value| value.contains(|c: char| c.is_ascii_digit()) && !value.contains(' '))?
        }
        // In a sentence, the value is a single word; a longer rest contains more than the value.
        None => {
            let value = rest.strip_prefix("is ")?.trim().trim_end_matches(['.', '!']);
            Some(value).filter(|value| !value.contains(' '))?
        }
    };
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// Whether an amount follows the label without white space.
fn is_glued(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    let begins = rest.starts_with(['(', '-', '−', '+']) || rest.starts_with(legwork_observe::numbers::MONEY_SIGNS);
    begins && legwork_observe::numbers::is_number(rest)
}

/// The element after a label, unless it is a control or starts another part of the page.
fn following_value(page: &Snapshot, at: NodeIndex) -> Option<String> {
    let next = (page.nodes[at].end..page.nodes.len()).take(4).find(|next| !content(page, *next).is_empty())?;
    let role = page.role(next);
    let is_value = !is_control(role)
        && !matches!(role, "heading" | "columnheader" | "row" | "list" | "table" | "listitem" | "iframe" | "term");
    is_value.then(|| normalize_whitespace(&content(page, next)))
}

/// The term of a description list (`dt`) that contains an element or is the element, and its description.
pub(super) fn described_term(page: &Snapshot, at: NodeIndex) -> Option<(NodeIndex, Option<String>)> {
    let is_term = |at: &NodeIndex| page.role(*at) == "term";
    let term = std::iter::once(at).chain(page.ancestors(at)).find(is_term)?;
    Some((term, following_value(page, term)))
}

/// In `Your account number`, the name is `account number`.
fn without_owner(text: &str) -> &str {
    let owner = text.split(' ').next().filter(|word| {
        ["your", "the", "our", "my", "this", "its"].iter().any(|owner| word.eq_ignore_ascii_case(owner))
    });
    owner.map_or(text, |owner| text[owner.len()..].trim_start())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_of_a_name_is_the_beginning_of_a_word_and_never_of_a_longer_number() {
        let quality = |source_text: &str, found: &str| NameMatcher::new(source_text).quality(found);
        assert_eq!(quality("Sub", "Submit"), Some(MatchQuality::Part));
        assert_eq!(quality("登录", "用户登录"), None, "two letters are too few");
        assert_eq!(quality("录用户", "登录用户名"), Some(MatchQuality::Part));
        for (source_text, found) in
            [("Total", "Subtotal"), ("Invoice 1", "Invoice 10"), ("100", "2100"), ("read", "Unread")]
        {
            assert_eq!(quality(source_text, found), None, "{source_text} {found}");
        }
    }

    proptest! {
        /// `may_fit` never rejects a name that `compared` accepts.
        #[test]
        fn prefilter_never_rejects_a_match(
            source_text in "[a-cA-CßΣσςİéÉ1 .:*-]{1,5}( \\(required\\))?",
            before in "[a-c Σİ…“-]{0,4}",
            after in "[a-c Σς…)’-]{0,4}",
            shout in any::<bool>(),
        ) {
            let matcher = NameMatcher::new(&source_text);
            let middle = if shout { source_text.to_uppercase() } else { source_text.replace(' ', "\u{a0}") };
            for found in [format!("{before}{middle}{after}"), format!("{before}{after}"), middle] {
                if !matcher.may_fit(&found) {
                    prop_assert_eq!(matcher.compared(&found), None, "{:?} in {:?}", source_text, found);
                }
            }
        }
    }
}
