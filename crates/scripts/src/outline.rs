//! The stored texts of pages, in which an element is found by its ref: its role and name, the frames that contain it,
//! and its number among elements of the same role and name.

use std::{cmp::Reverse, collections::BTreeSet, ops::Range, sync::LazyLock};

use legwork_protocol::Ref;
use regex::Regex;

/// The text of a page, and the number of the event that stored it.
#[derive(Clone, Debug)]
pub struct PageOutline {
    /// The number of the event.
    pub seq: u64,
    /// The text, as an observation has it.
    pub text: String,
}

/// An element that can be acted on, as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedElement {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
}

/// The maximum number of elements that [`named_elements`] returns, and of characters of a name: a longer one is no name
/// that a person writes.
const MAX_NAMED: usize = 300;
const MAX_NAME: usize = 80;

/// An element as another tool can find it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ElementPath {
    /// The names of the frames that contain it, the outermost first.
    pub(crate) frames: Vec<String>,
    pub(crate) role: String,
    pub(crate) name: String,
    /// Its index among several elements of this role and name, from 0.
    pub(crate) nth: Option<usize>,
    /// The type of an input, such as `date`.
    pub(crate) input_type: Option<String>,
    /// Whether the browser itself offers its options.
    pub(crate) has_options: bool,
    /// The row of a table that contains it.
    pub(crate) row: Option<OutlineRow>,
}

/// A row of a table, as the text of a page shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutlineRow {
    /// Its texts, in order.
    pub(crate) texts: Vec<String>,
    /// The texts of the other rows of the page.
    pub(crate) others: BTreeSet<String>,
    /// The index of the element among several elements of its role and name in the row, from 0.
    pub(crate) nth: Option<usize>,
}

/// The longest text of a cell that names a row.
const CELL_TEXT: usize = 80;

/// `role "name" [attribute] …`
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"([a-z]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)"#).expect("a constant that a test reads")
});

/// The elements of a page that can be acted on and have a name, each once, in order. The values of fields are left out.
pub fn named_elements(text: &str) -> Vec<NamedElement> {
    let mut seen = BTreeSet::new();
    lines_with_frames(text)
        .flat_map(|(line, _)| ELEMENT.captures_iter(line))
        .filter(|found| found[3].contains("[ref="))
        .filter_map(|found| {
            let name = unescape(found.get(2)?.as_str());
            Some(NamedElement { role: found[1].to_owned(), name })
        })
        .filter(|element| !element.name.trim().is_empty() && element.name.chars().count() <= MAX_NAME)
        .filter(|element| seen.insert((element.role.clone(), element.name.clone())))
        .take(MAX_NAMED)
        .collect()
}

/// The newest path of a ref before the event with this number. The page on which a run begins is stored only after its
/// first step; its elements are found in the first text after the event.
pub(crate) fn find(outlines: &[PageOutline], before: u64, reference: Ref) -> Option<ElementPath> {
    let (earlier, later): (Vec<_>, Vec<_>) = outlines.iter().partition(|outline| outline.seq < before);
    earlier.iter().rev().chain(&later).find_map(|outline| in_text(&outline.text, reference))
}

/// The frames in which a text is shown on the newest page before the event that has it; none if it is on the page
/// itself, or on no page. A page that was seen before is not stored again, so that the newest text need not be that of
/// the current page. The text of the page may be stored after the end of the step, because a run does not wait for it.
pub(crate) fn frames_of_text(outlines: &[PageOutline], before: u64, text: &str) -> Vec<String> {
    let wanted = plain_quotes(text);
    let on = |outline: &PageOutline| {
        let found = lines_with_frames(&outline.text).find(|(line, _)| plain_quotes(line).contains(&wanted));
        found.map(|(_, frames)| frames)
    };
    let (earlier, later): (Vec<_>, Vec<_>) = outlines.iter().partition(|outline| outline.seq < before);
    earlier.into_iter().rev().chain(later).find_map(on).unwrap_or_default()
}

fn plain_quotes(text: &str) -> String {
    text.replace(['“', '”', '\\'], "\"").replace("\"\"", "\"").to_lowercase()
}

fn in_text(text: &str, reference: Ref) -> Option<ElementPath> {
    let wanted = format!("[ref={reference}]");
    let (line, frames) = lines_with_frames(text).find(|(line, _)| line.contains(&wanted))?;
    let found = ELEMENT.captures_iter(line).find(|found| found[3].contains(&wanted))?;
    let (role, name) = (found[1].to_owned(), unescape(found.get(2).map_or("", |name| name.as_str())));
    let same: Vec<bool> = lines_with_frames(text)
        .filter(|(_, other)| *other == frames)
        .flat_map(|(line, _)| ELEMENT.captures_iter(line))
        .filter(|other| other[1] == role && other.get(2).is_some_and(|other| unescape(other.as_str()) == name))
        .map(|other| other[3].contains(&wanted))
        .collect();
    let input_type = found[3].split("[type=").nth(1).and_then(|rest| rest.split(']').next()).map(str::to_owned);
    let after = &line[found.get(0).map_or(0, |whole| whole.end())..];
    let own = ELEMENT.captures_iter(after).find(|next| next[3].contains("[ref=")).and_then(|next| next.get(0));
    let has_options = after[..own.map_or(after.len(), |next| next.start())].contains("(options: ");
    let nth = (same.len() > 1).then(|| same.iter().position(|is_it| *is_it).unwrap_or(0));
    let row = row_in_text(text, &wanted, &role, &name);
    Some(ElementPath { frames, role, name, nth, input_type, has_options, row })
}

/// The innermost row that contains the element.
fn row_in_text(text: &str, wanted: &str, role: &str, name: &str) -> Option<OutlineRow> {
    let lines: Vec<&str> = text.lines().collect();
    let own = lines.iter().position(|line| line.contains(wanted))?;
    let rows = rows_of(&lines);
    let row = rows.iter().rev().find(|row| row.contains(&own))?;
    let equal: Vec<bool> = lines[row.clone()]
        .iter()
        .flat_map(|line| ELEMENT.captures_iter(line))
        .filter(|other| &other[1] == role && other.get(2).is_some_and(|other| unescape(other.as_str()) == name))
        .map(|other| other[3].contains(wanted))
        .collect();
    let nth = (equal.len() > 1).then(|| equal.iter().position(|is_it| *is_it).unwrap_or(0));
    Some(OutlineRow { nth, ..row_at(&lines, &rows, row) })
}

/// The rows of a page, as ranges of its lines.
fn rows_of(lines: &[&str]) -> Vec<Range<usize>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_row = |line: &str| {
        let content = line.trim_start().trim_start_matches("- ");
        content.strip_prefix("row").is_some_and(|rest| rest.starts_with([':', ' ']))
    };
    let block = |at: usize| -> Range<usize> {
        let below = lines[at + 1..].iter().take_while(|line| indent(line) > indent(lines[at])).count();
        at..at + 1 + below
    };
    (0..lines.len()).filter(|at| is_row(lines[*at])).map(block).collect()
}

fn row_at(lines: &[&str], rows: &[Range<usize>], row: &Range<usize>) -> OutlineRow {
    let contains = |other: &Range<usize>| other.start <= row.start && row.end <= other.end;
    let others = rows.iter().filter(|other| !contains(other)).flat_map(|other| row_texts(&lines[other.clone()]));
    OutlineRow { texts: row_texts(&lines[row.clone()]), others: others.collect(), nth: None }
}

impl OutlineRow {
    /// The texts that no other row has and that contain one of the words that identify the row, the best first: what
    /// the author of the step named, then what has letters, because a number often changes.
    pub(crate) fn naming_texts(&self, keys: &[String], named: &str) -> Vec<String> {
        let named = words(named);
        let said = |text: &str| words(text).iter().filter(|word| named.contains(word)).count();
        let is_naming = |text: &&String| {
            !self.others.contains(*text) && (keys.is_empty() || words(text).iter().any(|word| keys.contains(word)))
        };
        let mut texts: Vec<String> = self.texts.iter().filter(is_naming).cloned().collect();
        texts.sort_by_key(|text| (Reverse(said(text)), !text.chars().any(char::is_alphabetic)));
        texts
    }
}

/// The texts that name the row with these words on the newest page that has it.
pub(crate) fn naming_texts(outlines: &[PageOutline], keys: &[String], named: &str) -> Vec<String> {
    let on = |outline: &PageOutline| {
        let lines: Vec<&str> = outline.text.lines().collect();
        let rows = rows_of(&lines);
        let found = rows.iter().rev().map(|row| row_at(&lines, &rows, row)).find(|row| {
            let all: Vec<String> = row.texts.iter().flat_map(|text| words(text)).collect();
            keys.iter().all(|key| all.contains(key))
        });
        found.map(|row| row.naming_texts(keys, named)).filter(|texts| !texts.is_empty())
    };
    outlines.iter().rev().find_map(on).unwrap_or_default()
}

/// The words of a text as an identity has them: in lower case, without punctuation at their ends.
fn words(text: &str) -> Vec<String> {
    let trimmed = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect()
}

/// The texts of the cells of a row, each once. A text that the outline shortened is left out.
fn row_texts(lines: &[&str]) -> Vec<String> {
    const ROLES: [&str; 7] = ["cell", "gridcell", "rowheader", "link", "heading", "text", "paragraph"];
    let mut texts: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() && text.chars().count() <= CELL_TEXT && !text.contains('…') && !texts.contains(&text) {
            texts.push(text);
        }
    };
    for line in lines {
        let content = line.trim_start().trim_start_matches("- ");
        if let Some(cells) = content.strip_prefix("row: ") {
            // A row of short cells is one line. A cell with elements has their roles and refs.
            for cell in cells.split(" | ").filter(|cell| !cell.contains(['"', '['])) {
                add(cell);
            }
        } else if let Some(text) = content.strip_prefix("text: ").filter(|text| !text.contains(['"', '['])) {
            add(text);
        }
        for element in ELEMENT.captures_iter(content).filter(|element| ROLES.contains(&&element[1])) {
            add(&unescape(element.get(2).map_or("", |name| name.as_str())));
        }
    }
    texts
}

fn unescape(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The lines of a page with the names of the frames around each.
fn lines_with_frames(text: &str) -> impl Iterator<Item = (&str, Vec<String>)> {
    let mut open: Vec<(usize, String)> = Vec::new();
    text.lines().map(move |line| {
        let depth = line.len() - line.trim_start().len();
        open.retain(|(outer, _)| *outer < depth);
        let frames = open.iter().map(|(_, name)| name.clone()).collect();
        let content = line.trim_start().trim_start_matches("- ");
        if content.starts_with("iframe") {
            let name = ELEMENT.captures(content).and_then(|found| Some(unescape(found.get(2)?.as_str())));
            open.push((depth, name.unwrap_or_default()));
        }
        (content, frames)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "- main:\n  - button \"Add\" [ref=e1] button \"Add\" [ref=e2] [disabled]\n  - iframe \"Quote\":\n    \
                        - textbox \"Say \\\"hi\\\"\" [ref=e3] [type=date]: 2026\n    - button \"Add\" [ref=e4]\n    - status: It costs 9\n  \
                        - combobox \"Way\" [ref=e5]: A (options: A, B) combobox \"Own\" [ref=e6]\n";

    #[test]
    fn an_element_has_its_frames_its_number_and_its_kind() {
        let outlines = [PageOutline { seq: 5, text: PAGE.into() }];
        let find = |number| find(&outlines, 9, Ref(number)).unwrap();
        let plain =
            |role: &str, name: &str| ElementPath { role: role.into(), name: name.into(), ..ElementPath::default() };
        assert_eq!(find(1), ElementPath { nth: Some(0), ..plain("button", "Add") });
        assert_eq!(find(2), ElementPath { nth: Some(1), ..plain("button", "Add") });
        let frames = vec!["Quote".to_owned()];
        let date =
            ElementPath { frames: frames.clone(), input_type: Some("date".into()), ..plain("textbox", "Say \"hi\"") };
        assert_eq!(find(3), date);
        assert_eq!(find(4), ElementPath { frames: frames.clone(), ..plain("button", "Add") });
        assert_eq!(find(5), ElementPath { has_options: true, ..plain("combobox", "Way") });
        assert_eq!(find(6), plain("combobox", "Own"));
        assert_eq!(frames_of_text(&outlines, 9, "it costs 9"), frames);
        assert_eq!(frames_of_text(&outlines, 5, "it costs 9"), frames);
        // A text that was stored after the action names it as well.
        assert_eq!(super::find(&outlines, 5, Ref(1)), Some(find(1)));
        assert_eq!(super::find(&outlines, 9, Ref(7)), None);
    }

    #[test]
    fn elements_are_listed_by_name_once_and_without_their_values() {
        let named = named_elements(PAGE);
        let names: Vec<_> = named.iter().map(|one| (one.role.as_str(), one.name.as_str())).collect();
        let expected = [("button", "Add"), ("textbox", "Say \"hi\""), ("combobox", "Way"), ("combobox", "Own")];
        assert_eq!(names, expected);
        assert_eq!(named_elements("- textbox \"\" [ref=e1]: hidden\n- heading \"Top\"\n"), []);
    }

    #[test]
    fn an_element_has_the_texts_of_its_row_and_those_of_the_others() {
        let page = "- table \"Users\":\n  - row: Name | City | \n  - row:\n    - cell \"Smith, John\"\n    - cell \"Berlin\"\n    \
                    - cell:\n      - button \"Edit\" [ref=e3]\n  - row: Ada | Berlin | link \"More\" [ref=e5] | button \"Edit\" [ref=e4] \
                    button \"Edit\" [ref=e6]\n";
        let outlines = [PageOutline { seq: 5, text: page.into() }];
        let row = |number| find(&outlines, 9, Ref(number)).unwrap().row.unwrap();
        assert_eq!(row(3).texts, ["Smith, John", "Berlin"]);
        assert!(row(3).others.contains("Berlin") && !row(3).others.contains("Smith, John"));
        assert_eq!((row(3).nth, row(6).nth), (None, Some(1)));
        assert_eq!(row(4).texts, ["Ada", "Berlin", "More"]);
    }
}
