//! The rows of a table, or the items of a list, over which a loop runs: which there are, what identifies each, and the
//! page as it is with only one of them.
//!
//! A row is identified by the text of its key columns and never by its position, because actions remove and reorder
//! rows.

use std::{collections::BTreeSet, ops::Range};

use legwork_observe::{NodeIndex, Snapshot};
use serde_json::{Map, Value};

use crate::{
    ast::TargetPhrase,
    describe::ambiguity,
    element_kind::ElementKind,
    error::{ParseError, ResolveError},
    name_match::{self, NameMatcher, content, normalize_whitespace},
    properties,
    roles::{TABLES, is_control},
    scope, target_phrase,
    tokens::{self, TokenStream},
};

/// The roles of lists and of their items.
const LISTS: [(&str, &str); 3] = [("list", "listitem"), ("feed", "article"), ("listbox", "option")];
/// The names of the texts of an item, which has no columns.
const ITEM_TITLE: &str = "title";
const ITEM_TEXT: &str = "text";

/// A loop as its author wrote it: `row in "Orders"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopWords {
    /// `row`: the variable.
    pub variable: String,
    /// `"Orders"`, or `${names}`.
    pub over: String,
}

/// Splits the words of a loop. The place is not parsed yet, because its variables must be replaced before.
pub fn read_loop(text: &str) -> Result<LoopWords, ParseError> {
    let error = |why: &str| ParseError::new(text, why).suggest("row in \"Orders\"");
    let trimmed = text.trim();
    let words = trimmed.strip_prefix("each ").unwrap_or(trimmed);
    let Some((variable, over)) = words.split_once(" in ") else {
        return Err(error("a loop names a variable and what it runs over"));
    };
    let (variable, over) = (variable.trim(), over.trim());
    if !legwork_protocol::is_variable_name(variable) {
        return Err(error("a loop begins with the name of a variable, which has letters, digits and _"));
    }
    if legwork_protocol::is_variable_name(over) {
        let why = format!("{over} is neither a quoted name nor a variable");
        return Err(ParseError::new(text, why).suggest(format!(
            "{variable} in \"{over}\" for a table, or {variable} in ${{{over}}} for a list of values"
        )));
    }
    Ok(LoopWords { variable: variable.to_owned(), over: over.to_owned() })
}

/// A phrase that names a table or list of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct RowPlace(TargetPhrase);

/// The rows of a table or the items of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopRows {
    /// The rows, in document order.
    pub rows: Vec<LoopRow>,
    /// The total number of rows, if the page declares more than it contains.
    pub declared: Option<usize>,
}

/// A row or an item.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopRow {
    node: NodeIndex,
    /// The texts by column, in order. An item of a list has the columns `title` and `text`.
    pub cells: Vec<(String, String)>,
    /// The columns whose texts change by themselves.
    changing: Vec<String>,
}

/// Where the row of an iteration is on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowPresence {
    /// It is there.
    Shown,
    /// The table is there, without the row.
    Missing,
    /// Several rows have its key.
    Several(usize),
    /// The row with its key has the other texts of another row of the loop: the key states a position.
    Moved,
    /// Neither the table nor any row of the loop is on the page.
    NoTable,
}

/// A page as the steps of an iteration see it.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationView {
    /// The page without the other rows of the loop.
    pub page: Snapshot,
    /// Whether the row of the iteration is on it.
    pub presence: RowPresence,
    /// The row on this page, if it is there.
    pub row: Option<NodeIndex>,
}

/// A row of the loop as it was when the loop began.
#[derive(Clone, Copy, Debug)]
pub struct KnownRow<'a> {
    /// The texts of its key columns.
    pub key: &'a [String],
    /// All its texts by column.
    pub cells: &'a Value,
}

/// A table or list with its rows.
struct Collection {
    node: NodeIndex,
    rows: Vec<LoopRow>,
}

impl RowPlace {
    /// Parses the words for a table or list. Variables must have been replaced before.
    pub fn read(words: &str) -> Result<RowPlace, ParseError> {
        let tokens = tokens::lex(words)?;
        let phrase = target_phrase::phrase(TokenStream::new(words, &tokens))?;
        if phrase.raw.is_some() || phrase.property.is_some() || phrase.ordinal.is_some() && phrase.kind.is_none() {
            return Err(ParseError::new(words, "a loop runs over a table or list").suggest("row in \"Orders\""));
        }
        Ok(RowPlace(phrase))
    }

    /// The rows on this page.
    pub fn rows(&self, page: &Snapshot) -> Result<LoopRows, ResolveError> {
        let collection = self.collection(page)?;
        let range = collection.node..page.nodes[collection.node].end;
        let declared = scope::partial_size(page, std::slice::from_ref(&range)).map(|(_, size)| size);
        Ok(LoopRows { rows: collection.rows, declared })
    }

    fn collection(&self, page: &Snapshot) -> Result<Collection, ResolveError> {
        let about = &self.0;
        let mut found = scope::containers(page, about).map(|ranges| tables_or_lists(page, &ranges));
        // An item of a menu may have the name too; the heading above the table says more.
        if let (Ok([]), Some(name)) = (found.as_deref(), &about.name) {
            let heading = TargetPhrase { kind: Some(ElementKind::Heading), ..TargetPhrase::named(name.clone()) };
            if let Ok(sections) = scope::under(page, &heading) {
                found = Ok(tables_or_lists(page, &sections));
            }
        }
        let found = found?;
        match found.as_slice() {
            [one] => Ok(collection(page, *one)),
            [] => Err(ResolveError::not_found(
                format!("table or list {}", about.display_text()),
                Vec::new(),
                "name the table or list, or the heading above it",
            )),
            several => Err(ambiguity(page, about.display_text(), several, "name the table, or say where it is")),
        }
    }

    /// The page without the other rows of the loop, so that the words of a step can only mean this row or something
    /// outside the table; and whether the row is there. `known` contains all rows of the loop.
    pub fn with_only(
        &self,
        page: &Snapshot,
        columns: &[String],
        known: &[KnownRow<'_>],
        current: &[String],
    ) -> IterationView {
        // The table may have lost its name (`Orders (5)`); its rows still identify it.
        let collections = match self.collection(page) {
            Ok(one) => vec![one],
            Err(_) => {
                let is_known =
                    |row: &LoopRow| row.key(columns).is_some_and(|key| known.iter().any(|row| row.key == key));
                let all = all_collections(page);
                all.into_iter().filter(|collection| collection.rows.iter().any(is_known)).collect()
            }
        };
        if collections.is_empty() {
            return IterationView { page: page.clone(), presence: RowPresence::NoTable, row: None };
        }
        let rows = collections.iter().flat_map(|collection| &collection.rows);
        let own: Vec<&LoopRow> = rows.filter(|row| row.key(columns).as_deref() == Some(current)).collect();
        let (kept, presence) = match own.as_slice() {
            [one] if one.is_of_another(columns, known, current) => (None, RowPresence::Moved),
            [one] => (Some(one.node), RowPresence::Shown),
            [] => (None, RowPresence::Missing),
            several => (None, RowPresence::Several(several.len())),
        };
        let mut page = page.clone();
        let mut removed: BTreeSet<NodeIndex> = BTreeSet::new();
        for Collection { node, rows } in &collections {
            let mut owner = None;
            for at in parts(&page, *node) {
                if rows.iter().any(|row| row.node == at) {
                    owner = Some(at);
                }
                // A row without cells of its own columns has details of the row before it.
                if owner.is_some() && owner != kept && !page.nodes[at].states.footer() {
                    removed.insert(at);
                }
            }
            // A button in the header or the footer concerns all rows: `Delete` in a row never means it.
            let is_shared = |part: &NodeIndex| scope::is_header(&page, *part) || page.nodes[*part].states.footer();
            let shared = parts(&page, *node).into_iter().filter(is_shared);
            let controls = shared.flat_map(|part| part..page.nodes[part].end);
            removed.extend(controls.filter(|at| is_control(page.role(*at))));
            // A declared size would say that the removed rows are not on the page. It stays if others are missing too.
            if let Some(attributes) = page.nodes[*node].attributes.as_mut()
                && attributes.size.is_some_and(|size| size as usize <= rows.len() + 1)
            {
                attributes.size = None;
            }
        }
        let row = kept.map(|row| row - removed_before(&page, &removed, row));
        IterationView { page: page.without(|at| removed.contains(&at)), presence, row }
    }
}

/// The rows of a table or list; without a place, of the only one on the page.
pub(crate) fn rows_of(page: &Snapshot, place: Option<&TargetPhrase>) -> Result<LoopRows, ResolveError> {
    if let Some(place) = place {
        return RowPlace(place.clone()).rows(page);
    }
    let whole = 1..page.nodes.len();
    let all = tables_or_lists(page, std::slice::from_ref(&whole));
    match all.as_slice() {
        [one] => {
            let range = *one..page.nodes[*one].end;
            let declared = scope::partial_size(page, std::slice::from_ref(&range)).map(|(_, size)| size);
            Ok(LoopRows { rows: collection(page, *one).rows, declared })
        }
        [] => Err(ResolveError::not_found("table or list", Vec::new(), "there is none on the page")),
        several => Err(ambiguity(page, "the rows", several, "name the table, or the heading above it")),
    }
}

/// The column that a sentence names: the one with this name, otherwise the only one whose name contains it as words.
pub(crate) fn column_named(rows: &[LoopRow], name: &str) -> Result<String, ResolveError> {
    let mut columns: Vec<&str> = Vec::new();
    for (column, _) in rows.iter().flat_map(|row| &row.cells) {
        if !columns.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    let matcher = NameMatcher::new(name);
    let quality = |column: &&str| matcher.quality(column);
    let found: Vec<&&str> = name_match::best_of(columns.iter().filter_map(|column| Some((quality(column)?, column))));
    match found.as_slice() {
        [one] => Ok((**one).to_owned()),
        [] => {
            let columns = columns.iter().map(|column| format!("“{column}”")).collect();
            Err(ResolveError::not_found(format!("column “{name}”"), columns, "name a column of the table"))
        }
        several => {
            let found = several.iter().map(|column| format!("“{column}”")).collect();
            Err(ResolveError::ambiguous(format!("column “{name}”"), several.len(), found, "write its whole name"))
        }
    }
}

/// The number of nodes before a node that are removed with these.
fn removed_before(page: &Snapshot, removed: &BTreeSet<NodeIndex>, node: NodeIndex) -> usize {
    let mut end = 0;
    let mut count = 0;
    for at in removed.range(..node).copied() {
        // What is in a removed part is removed with it.
        if at >= end {
            end = page.nodes[at].end;
            count += end - at;
        }
    }
    count
}

impl LoopRows {
    /// The columns that identify each row: the given one, or the first column whose texts all differ, or the first two
    /// columns that differ together. A column that numbers the rows does not identify them.
    pub fn key_columns(&self, given: Option<&str>) -> Result<Vec<String>, String> {
        let all = self.columns();
        if let Some(given) = given {
            let Some(column) = all.iter().find(|column| column.eq_ignore_ascii_case(given.trim())) else {
                return Err(format!("there is no column {given:?}; the columns are {}", all.join(", ")));
            };
            let columns = vec![column.clone()];
            return match self.equal_rows(&columns) {
                None => Ok(columns),
                Some(why) => Err(format!("the column {column:?} does not identify the rows: {why}")),
            };
        }
        let stable: Vec<String> = all.iter().filter(|column| self.is_stable(column)).cloned().collect();
        let single = stable.iter().map(|column| vec![column.clone()]);
        let pairs = stable
            .iter()
            .enumerate()
            .flat_map(|(at, first)| stable[at + 1..].iter().map(move |second| vec![first.clone(), second.clone()]));
        match single.chain(pairs).find(|columns| self.equal_rows(columns).is_none()) {
            Some(columns) => Ok(columns),
            None => Err(self.equal_rows(&stable).map_or_else(
                || "only all columns together identify the rows; choose one with `key`".to_owned(),
                |why| format!("{why}, so they cannot be told apart"),
            )),
        }
    }

    fn columns(&self) -> Vec<String> {
        let mut columns: Vec<String> = Vec::new();
        for (column, _) in self.rows.iter().flat_map(|row| &row.cells) {
            if !columns.contains(column) {
                columns.push(column.clone());
            }
        }
        columns
    }

    /// Whether the texts of a column belong to their rows: they do not change by themselves, and do not count the rows.
    fn is_stable(&self, column: &str) -> bool {
        let texts: Vec<Option<&str>> = self.rows.iter().map(|row| row.cell(column)).collect();
        let counts_from = |first: usize| {
            texts.iter().zip(first..).all(|(text, number)| text.is_some_and(|text| text.parse() == Ok(number)))
        };
        !self.rows.iter().any(|row| row.changing.iter().any(|changing| changing == column))
            && !counts_from(0)
            && !counts_from(1)
    }

    /// The reason why these columns do not identify the rows.
    fn equal_rows(&self, columns: &[String]) -> Option<String> {
        let mut known: Vec<Vec<String>> = Vec::new();
        for (row, number) in self.rows.iter().zip(1..) {
            let Some(key) = row.key(columns) else { return Some(format!("row {number} has no text there")) };
            if let Some(at) = known.iter().position(|other| *other == key) {
                return Some(format!("rows {} and {number} are both {}", at + 1, key.join(" · ")));
            }
            known.push(key);
        }
        None
    }
}

impl LoopRow {
    /// The texts of these columns; `None` if one of them is missing or empty.
    pub fn key(&self, columns: &[String]) -> Option<Vec<String>> {
        let texts = columns.iter().map(|column| self.cell(column).filter(|text| !text.is_empty()).map(str::to_owned));
        texts.collect::<Option<Vec<String>>>().filter(|key| !key.is_empty())
    }

    /// Whether the texts that identified the current row are gone from this row, and those of another row are in it.
    /// Then its key belongs to a position (`10`, `20`, `3 min ago`), and the row of the loop is elsewhere.
    fn is_of_another(&self, columns: &[String], known: &[KnownRow<'_>], current: &[String]) -> bool {
        let text = |row: &KnownRow<'_>, column: &str| row.cells[column].as_str().map(str::to_owned);
        let is_unique = |row: &KnownRow<'_>, column: &str| {
            let own = text(row, column).filter(|own| !own.is_empty());
            // Numbers may count the rows, and then change when another row is removed.
            let is_word = own.as_ref().is_some_and(|own| own.parse::<u64>().is_err());
            is_word && known.iter().filter(|other| text(other, column) == own).count() == 1
        };
        let has_texts_of = |row: &KnownRow<'_>| {
            self.cells
                .iter()
                .filter(|(column, _)| !columns.contains(column))
                .any(|(column, shown)| is_unique(row, column) && text(row, column).as_ref() == Some(shown))
        };
        let is_current = |row: &&KnownRow<'_>| row.key == current;
        !known.iter().filter(is_current).any(has_texts_of)
            && known.iter().filter(|row| !is_current(row)).any(has_texts_of)
    }

    /// Whether it is a row with columns, and not an item of a list.
    pub(crate) fn is_of_table(&self) -> bool {
        self.cells.first().is_none_or(|(column, _)| column != ITEM_TITLE)
    }

    /// All text of the row outside of buttons and fields.
    pub(crate) fn text(&self, page: &Snapshot) -> String {
        properties::text_of(page, self.node)
    }

    pub(crate) fn cell(&self, column: &str) -> Option<&str> {
        self.cells.iter().find(|(name, _)| name == column).map(|(_, text)| text.as_str())
    }

    /// The texts by column, as a value.
    pub fn value(&self) -> Value {
        let cells = self.cells.iter().map(|(column, text)| (column.clone(), Value::from(text.as_str())));
        Value::Object(cells.collect::<Map<String, Value>>())
    }

    /// The page with nothing but this row, its headers and what is around them: a condition on it applies to the row.
    pub fn alone(&self, page: &Snapshot) -> Snapshot {
        let own = self.node..page.nodes[self.node].end;
        let is_around = |at: NodeIndex| at < own.start && page.nodes[at].end >= own.end;
        let is_header = |at: NodeIndex| {
            let row = std::iter::once(at).chain(page.ancestors(at)).find(|up| page.role(*up) == "row");
            let table = page.enclosing(self.node, TABLES);
            row.is_some_and(|row| scope::is_header(page, row) && page.enclosing(row, TABLES) == table)
        };
        page.without(|at| !own.contains(&at) && !is_around(at) && !is_header(at) && !holds_header(page, at))
    }
}

/// Whether a header row is below the node: it stays as the parent of the header.
fn holds_header(page: &Snapshot, at: NodeIndex) -> bool {
    page.role(at) == "rowgroup"
        && page.below(at).any(|below| page.role(below) == "row" && scope::is_header(page, below))
}

/// The nodes with one of these roles that are in no other such node.
fn outermost(page: &Snapshot, roles: &[&str], is_inside: impl Fn(&NodeIndex) -> bool) -> Vec<NodeIndex> {
    let mut found: Vec<NodeIndex> = Vec::new();
    for at in (1..page.nodes.len()).filter(|at| is_inside(at) && page.has_role(*at, roles)) {
        if !page.nodes[at].states.unseen() && !found.iter().any(|other| page.below(*other).contains(&at)) {
            found.push(at);
        }
    }
    found
}

/// The tables in these parts of the page; without a table, the lists.
fn tables_or_lists(page: &Snapshot, ranges: &[Range<NodeIndex>]) -> Vec<NodeIndex> {
    let is_inside = |at: &NodeIndex| ranges.iter().any(|range| range.contains(at));
    let tables = outermost(page, TABLES, is_inside);
    if tables.is_empty() { outermost(page, &LISTS.map(|(list, _)| list), is_inside) } else { tables }
}

/// All tables and lists of the page.
fn all_collections(page: &Snapshot) -> Vec<Collection> {
    let is_any = |at: &NodeIndex| page.has_role(*at, TABLES) || LISTS.iter().any(|(list, _)| page.role(*at) == *list);
    (1..page.nodes.len()).filter(is_any).map(|at| collection(page, at)).collect()
}

/// The rows or items of a table or list, including headers and footers, without those of tables and lists in it.
fn parts(page: &Snapshot, node: NodeIndex) -> Vec<NodeIndex> {
    let item = LISTS.iter().find(|(list, _)| page.role(node) == *list).map(|(_, item)| *item);
    let is_part = |at: &NodeIndex| match item {
        None => page.role(*at) == "row" && page.enclosing(*at, TABLES) == Some(node),
        Some(item) => page.role(*at) == item && page.enclosing(*at, &LISTS.map(|(list, _)| list)) == Some(node),
    };
    page.below(node).filter(is_part).collect()
}

fn collection(page: &Snapshot, node: NodeIndex) -> Collection {
    let is_table = page.has_role(node, TABLES);
    let is_row = |at: &NodeIndex| !page.nodes[*at].states.unseen() && (!is_table || scope::is_record(page, *at));
    let rows = parts(page, node).into_iter().filter(is_row);
    let rows = rows.map(|at| if is_table { row(page, at) } else { item(page, at) }).collect();
    Collection { node, rows }
}

/// A row with its cells by the headers of their columns; without a header, by their number.
fn row(page: &Snapshot, node: NodeIndex) -> LoopRow {
    let text = |at: NodeIndex| normalize_whitespace(&content(page, at));
    let headers: Vec<String> = scope::header(page, node)
        .map(|header| scope::cells(page, header).into_iter().map(text).collect())
        .unwrap_or_default();
    let own = scope::cells(page, node);
    // A cell that spans rows or columns shifts the others, so that their columns are unknown.
    let is_whole =
        headers.is_empty() || (own.len() >= headers.len() && !scope::spans_next_row(page, node, headers.len()));
    let (mut cells, mut changing): (Vec<(String, String)>, Vec<String>) = Default::default();
    for (place, at) in own.into_iter().enumerate().filter(|_| is_whole) {
        let column = headers.get(place).filter(|_| !headers.is_empty()).cloned();
        let column = if headers.is_empty() { (place + 1).to_string() } else { column.unwrap_or_default() };
        if column.is_empty() || cells.iter().any(|(name, _)| *name == column) {
            continue;
        }
        if (at..page.nodes[at].end).any(|at| page.nodes[at].states.self_changing()) {
            changing.push(column.clone());
        }
        cells.push((column, properties::text_of(page, at)));
    }
    LoopRow { node, cells, changing }
}

/// An item of a list with its first text, and with all its text outside of buttons and fields.
fn item(page: &Snapshot, node: NodeIndex) -> LoopRow {
    let is_title = |at: &NodeIndex| {
        let found = &page.nodes[*at];
        let is_named = !found.name.trim().is_empty();
        is_named && (found.role.as_ref() == "link" || (found.end == at + 1 && !is_control(&found.role)))
    };
    let whole = properties::text_of(page, node);
    let title = page.below(node).find(is_title).map(|at| normalize_whitespace(&page.nodes[at].name));
    let cells = vec![(ITEM_TITLE.to_owned(), title.unwrap_or_else(|| whole.clone())), (ITEM_TEXT.to_owned(), whole)];
    let is_changing = (node..page.nodes[node].end).any(|at| page.nodes[at].states.self_changing());
    let changing = if is_changing { vec![ITEM_TEXT.to_owned()] } else { Vec::new() };
    LoopRow { node, cells, changing }
}

#[cfg(test)]
mod tests;
