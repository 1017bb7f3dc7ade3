//! Resolves named properties: `the amount of Initech` is the cell below "Amount" in the row of Initech, `the total` is
//! the text beside that label, `the number of people` is the 24 in "24 people". Nothing else matches.

use std::ops::Range;

use legwork_observe::numbers;
use legwork_observe::{NodeIndex, Snapshot};

use crate::{
    ast::{Scope, TargetPhrase},
    describe::describe,
    element_kind::ElementKind,
    error::ResolveError,
    name_match::{self, MatchQuality, NameMatcher, normalize_whitespace},
    roles::{is_control, is_field_like},
    scope,
};

/// A row, card or section whose name differs from the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRecord {
    /// Its name.
    pub name: String,
    /// Whether the sentence contains only a part of its name. The amount of `Initech` may be that of `Initech Ltd`, and
    /// only the user knows whether they are the same. An order may also be identified by the number in its second
    /// column.
    pub in_part: bool,
}

/// Names of amounts of money. If no label has such a name, the only amount with a currency matches.
const MONEY: &[&str] = &["price", "amount", "cost", "total", "fee", "sum", "balance"];
/// The maximum number of columns or texts that an error message lists.
const LISTED: usize = 8;

/// The value of a property. Without `of`, the whole page is searched.
pub(super) fn value(page: &Snapshot, name: &str, of: Option<&TargetPhrase>) -> Result<String, ResolveError> {
    let matcher = NameMatcher::new(name);
    let ranges = match of {
        Some(of) => owners(page, of)?,
        None => scope::everywhere(page),
    };
    let mut found: Vec<(NodeIndex, String)> = Vec::new();
    if of.is_some() {
        for range in &ranges {
            found.extend(cell(page, range.start, &matcher).map(|at| (at, text_of(page, at))));
        }
        if found.is_empty()
            && let Some(of) = of.and_then(|of| of.label())
        {
            found.extend(crossing_cells(page, &matcher, &NameMatcher::new(of)));
        }
    }
    for name in &labels(name) {
        if !found.is_empty() {
            break;
        }
        let matcher = NameMatcher::new(name);
        found =
            ranges.iter().cloned().flatten().filter_map(|at| Some((at, beside(page, at, name, &matcher)?))).collect();
    }
    // The columns of a table name its amounts.
    let has_columns = of.is_some()
        && ranges.iter().any(|range| row_of(page, range.start).is_some_and(|row| scope::header(page, row).is_some()));
    if found.is_empty() && !has_columns && MONEY.contains(&name.to_lowercase().as_str()) {
        found = ranges
            .iter()
            .cloned()
            .flatten()
            .filter(|at| is_leaf(page, *at) && is_money(&page.nodes[*at].name))
            .map(|at| (at, normalize_whitespace(&page.nodes[at].name)))
            .collect();
    }
    let what = || of.map_or_else(|| format!("“{name}”"), |of| format!("“{name}” of {}", named(of)));
    found.dedup_by(|a, b| a.1 == b.1);
    match found.as_slice() {
        [(_, text)] if !text.is_empty() => Ok(text.clone()),
        [(at, _)] => Err(ResolveError::wrong_kind(what(), "empty", format!("it is {}", describe(page, *at)))),
        [] => Err(ResolveError::not_found(what(), Vec::new(), alternatives(page, of, &ranges, &matcher))),
        several => Err(ResolveError::ambiguous(
            what(),
            several.len(),
            several.iter().take(5).map(|(_, text)| format!("“{text}”")).collect(),
            "say which: `… of \"…\"`, `… in the row of \"…\"`",
        )),
    }
}

/// The name of the row, card or section that represents the thing, unless it equals the name in the sentence.
pub(super) fn other_record(page: &Snapshot, of: &TargetPhrase) -> Option<OtherRecord> {
    let asked = of.label()?;
    let matcher = NameMatcher::new(asked);
    let [range] = owners(page, of).ok()?.try_into().ok()?;
    let name = |at: NodeIndex| normalize_whitespace(&name_match::content(page, at));
    let is_same = |text: &str| matcher.is(text);
    let in_part = !range.clone().any(|at| is_same(&page.nodes[at].name));
    let text = match row_of(page, range.start) {
        Some(row) => scope::cells(page, row).into_iter().map(name).find(|text| !text.is_empty())?,
        None => range.filter(|at| page.role(*at) == "heading").map(name).find(|text| !text.is_empty())?,
    };
    (!is_same(&text)).then_some(OtherRecord { name: text, in_part })
}

/// Labels that pages use for a name: the order number is often labelled `Order no.` or `Order #`.
fn labels(name: &str) -> Vec<String> {
    let mut labels = vec![name.to_owned()];
    let lower = name.to_lowercase();
    if let Some(stem) = lower.strip_suffix(" number").map(|stem| &name[..stem.len()]) {
        labels.extend(["no.", "no", "nr.", "nr", "#", "№"].map(|short| format!("{stem} {short}")));
    }
    labels
}

/// The number beside a noun: `24 people`, `People: 24`, `People (24)`.
pub(super) fn number_of(page: &Snapshot, noun: &str) -> Result<Option<f64>, ResolveError> {
    let stem = stem(noun);
    let mut found: Vec<(f64, String)> = Vec::new();
    for at in 1..page.nodes.len() {
        let node = &page.nodes[at];
        if is_control(&node.role) || node.name.is_empty() || in_control(page, at) {
            continue;
        }
        let text = normalize_whitespace(&node.name);
        found.extend(counted(&text, &stem).into_iter().map(|number| (number, text.clone())));
        let label = NameMatcher::new(noun);
        if let Some(beside) = beside(page, at, noun, &label)
            && let Ok(number) = beside.replace([',', '\u{a0}', ' '], "").parse()
        {
            found.push((number, format!("{text} {beside}")));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    match found.as_slice() {
        [] => Ok(None),
        [(number, _)] => Ok(Some(*number)),
        several => Err(ResolveError::ambiguous(
            format!("number of {noun}"),
            several.len(),
            several.iter().take(5).map(|(_, text)| format!("“{text}”")).collect(),
            "save the text that says it: `Save the text of \"…\" as n`",
        )),
    }
}

/// The name of the thing without the property.
fn named(of: &TargetPhrase) -> &str {
    of.label().unwrap_or(&of.source_text)
}

fn stem(noun: &str) -> String {
    let lower = noun.to_lowercase();
    match lower.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => lower.strip_suffix('s').unwrap_or(&lower).to_owned(),
    }
}

/// The numbers immediately before a noun, or in brackets immediately after it.
fn counted(text: &str, stem_of: &str) -> Vec<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let number = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        let whole = digits.chars().all(|c| c.is_ascii_digit() || c == ',') && !digits.is_empty();
        let bare = word.trim_matches(['(', ')', '[', ']', ':', '.', ',']).len() == digits.len();
        (whole && bare).then(|| digits.replace(',', "").parse::<f64>().ok()).flatten()
    };
    let nouns: Vec<&str> = stem_of.split(' ').collect();
    let is_noun = |at: usize| {
        words
            .get(at..at + nouns.len())
            .is_some_and(|found| found.iter().zip(&nouns).all(|(word, noun)| stem(&plain(word)) == stem(noun)))
    };
    (0..words.len())
        .filter(|at| is_noun(*at))
        .filter_map(|at| {
            let before = at.checked_sub(1).and_then(|before| number(words[before]));
            let after = words.get(at + nouns.len()).filter(|word| word.starts_with('(')).and_then(|word| number(word));
            before.or(after)
        })
        .collect()
}

fn in_control(page: &Snapshot, at: NodeIndex) -> bool {
    page.ancestors(at).any(|up| is_control(&page.nodes[up].role))
}

/// The parts of the page about a thing: its row, its card, the section under its heading.
fn owners(page: &Snapshot, of: &TargetPhrase) -> Result<Vec<Range<NodeIndex>>, ResolveError> {
    let place = match of.kind {
        None | Some(ElementKind::Text) => Scope::For(of.clone()),
        Some(ElementKind::Heading) => Scope::Under(of.clone()),
        _ => Scope::In(of.clone()),
    };
    let mut all = of.scopes.clone();
    all.push(place);
    match scope::ranges(page, &all) {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Ok(Vec::new()),
        Err(failed) => {
            let headed = TargetPhrase { kind: Some(ElementKind::Heading), ..of.clone() };
            scope::ranges(page, &[Scope::Under(headed)]).map_err(|_| failed)
        }
    }
}

fn row_of(page: &Snapshot, at: NodeIndex) -> Option<NodeIndex> {
    std::iter::once(at).chain(page.ancestors(at)).find(|at| page.role(*at) == "row")
}

fn cell(page: &Snapshot, owner: NodeIndex, matcher: &NameMatcher) -> Option<NodeIndex> {
    let row = row_of(page, owner)?;
    let header = scope::header(page, row)?;
    let fits = scope::cells(page, header).into_iter().enumerate().filter_map(|(place, at)| {
        let quality = matcher.quality_at(page, at).filter(|quality| *quality <= MatchQuality::Words)?;
        Some((quality, place))
    });
    let [place] = name_match::best_of(fits)[..] else { return None };
    let below = scope::cells(page, row);
    // A cell that spans rows or columns shifts the others. Cells without a header are allowed at the end if they
    // contain only controls.
    let columns = scope::cells(page, header).len();
    let more = below.get(columns..).unwrap_or_default();
    let is_control_cell = |at: &NodeIndex| page.below(*at).any(|inner| is_control(&page.nodes[inner].role));
    let is_one_record =
        below.len() >= columns && more.iter().all(is_control_cell) && !scope::spans_next_row(page, row, columns);
    is_one_record.then(|| below.get(place).copied()).flatten()
}

/// The same for a transposed table: the row is the property and the column is the thing.
fn crossing_cells(page: &Snapshot, matcher: &NameMatcher, of: &NameMatcher) -> Vec<(NodeIndex, String)> {
    let whole = |matcher: &NameMatcher, at: NodeIndex| matcher.is(&name_match::content(page, at));
    let rows = (1..page.nodes.len()).filter(|at| page.role(*at) == "row");
    rows.filter(|row| scope::cells(page, *row).first().is_some_and(|first| whole(matcher, *first)))
        .filter_map(|row| {
            let place = scope::cells(page, scope::header(page, row)?).iter().position(|at| whole(of, *at))?;
            let at = *scope::cells(page, row).get(place)?;
            Some((at, text_of(page, at)))
        })
        .collect()
}

/// The value of a label or of a field with that name.
fn beside(page: &Snapshot, at: NodeIndex, name: &str, matcher: &NameMatcher) -> Option<String> {
    let node = &page.nodes[at];
    if is_field_like(node) || matches!(node.role.as_ref(), "combobox" | "slider" | "spinbutton") {
        let named = name_match::best_match(page, at, matcher).is_some_and(|(quality, _)| quality <= MatchQuality::Bare);
        return (named && !node.states.secret()).then(|| node.value.as_deref().unwrap_or_default().to_owned());
    }
    if in_control(page, at) {
        return None;
    }
    name_match::labelled_value(page, at, name)
}

/// The text of a cell without its buttons and fields (`− 2 +` is 2), or the value of its field if it has no other text.
pub(super) fn text_of(page: &Snapshot, at: NodeIndex) -> String {
    let is_apart = |at: NodeIndex| page.role(at) == "button" || is_field_like(&page.nodes[at]);
    let whole = || normalize_whitespace(&name_match::content(page, at));
    if !page.below(at).any(is_apart) {
        return whole();
    }
    let (mut text, mut next) = (String::new(), at + 1);
    while next < page.nodes[at].end {
        let node = &page.nodes[next];
        if is_apart(next) {
            next = node.end;
            continue;
        }
        // The name of a container repeats that of its descendants.
        if node.end == next + 1 {
            text.push_str(&node.name);
            text.push(' ');
        }
        next += 1;
    }
    let text = normalize_whitespace(&text);
    if !text.is_empty() {
        return text;
    }
    let field = page.below(at).find(|at| is_field_like(&page.nodes[*at]) && !page.nodes[*at].states.secret());
    field.and_then(|at| page.nodes[at].value.as_deref()).map_or_else(whole, str::to_owned)
}

fn is_leaf(page: &Snapshot, at: NodeIndex) -> bool {
    page.nodes[at].end == at + 1 && !is_control(&page.nodes[at].role) && !in_control(page, at)
}

/// Whether a text is only an amount of money. A further word may indicate another amount (`Shipping $5.00`).
fn is_money(text: &str) -> bool {
    const CODES: [&str; 8] = ["USD", "EUR", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY"];
    const QUALIFIERS: [&str; 5] = ["now", "only", "just", "from", "each"];
    let mut words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    numbers::value(text).is_some()
        && (text.contains(numbers::MONEY_SIGNS) || CODES.iter().any(|code| text.contains(code)))
        && words.all(|word| CODES.contains(&word) || QUALIFIERS.contains(&word.to_lowercase().as_str()))
}

/// The names that exist instead.
fn alternatives(
    page: &Snapshot,
    of: Option<&TargetPhrase>,
    ranges: &[Range<NodeIndex>],
    matcher: &NameMatcher,
) -> String {
    let quoted = |texts: Vec<String>| texts.iter().map(|text| format!("“{text}”")).collect::<Vec<_>>().join(", ");
    let Some(of) = of else {
        let column = (1..page.nodes.len())
            .any(|at| page.role(at) == "columnheader" && matcher.is(&name_match::content(page, at)));
        return if column {
            "that is a column; say of which row: `Save the … of \"…\" as …`".into()
        } else {
            "nothing on the page is labelled so".into()
        };
    };
    if let Some(row) = ranges.first().and_then(|range| row_of(page, range.start))
        && let Some(header) = scope::header(page, row)
    {
        let columns: Vec<String> = scope::cells(page, header)
            .into_iter()
            .map(|at| normalize_whitespace(&name_match::content(page, at)))
            .filter(|name| !name.is_empty())
            .take(LISTED)
            .collect();
        // The column is there, and a cell that spans several rows or columns shifts the others.
        if columns.iter().any(|column| matcher.is(column)) {
            let cells = scope::cells(page, row).into_iter().map(|at| text_of(page, at)).take(LISTED).collect();
            return format!(
                "which cell of the row belongs to that column is unknown, because a cell spans several rows or columns; \
                 the row has {}",
                quoted(cells)
            );
        }
        return format!("the row of {} has the columns {}", named(of), quoted(columns));
    }
    let texts: Vec<String> = ranges
        .iter()
        .cloned()
        .flatten()
        .filter(|at| is_leaf(page, *at) && !page.nodes[*at].name.is_empty())
        .map(|at| normalize_whitespace(&page.nodes[at].name))
        .take(LISTED)
        .collect();
    if texts.is_empty() { String::new() } else { format!("what is said of {}: {}", named(of), quoted(texts)) }
}
