//! Merges the replies about the chunks of several pages. Lists are concatenated without the items that overlapping
//! chunks repeat. Of single values, the first that is not null is used. Every value keeps its source.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{ExtractReply, LocatedValue, place};

/// If two chunks report an equal item at line numbers this close, it is the same item.
const CLOSE: usize = 8;

/// The data so far.
#[derive(Debug, Default)]
pub(crate) struct MergedItems {
    items: Vec<Item>,
    is_list: bool,
    one: Value,
    sources: BTreeMap<String, (u32, usize)>,
    unverified: BTreeSet<String>,
}

#[derive(Debug)]
struct Item {
    value: Value,
    page: u32,
    part: usize,
    line: Option<usize>,
    placed: LocatedValue,
}

/// The data and its sources.
#[derive(Debug, PartialEq)]
pub(crate) struct ExtractedData {
    pub(crate) data: Value,
    /// The sources, `line 12` or `page 2 line 12`, by JSON pointer.
    pub(crate) sources: BTreeMap<String, String>,
    pub(crate) unverified: Vec<String>,
}

impl MergedItems {
    /// Adds the reply about a chunk of a page; `page` counts from 1.
    pub(crate) fn add(&mut self, reply: ExtractReply, page: u32, part: usize, lines: &[String]) {
        match reply {
            ExtractReply::One(value, named) => {
                let placed = place(&value, &named, None, lines);
                let places = placed.lines.into_iter().map(|(at, line)| (at, Some((page, line))));
                let all = places.chain(placed.unverified.into_iter().map(|at| (at, None))).collect();
                let mut one = std::mem::take(&mut self.one);
                self.join(&mut one, value, "", "", &all);
                self.one = one;
            }
            ExtractReply::Items(items) => {
                self.is_list = true;
                let starts: BTreeSet<usize> = items.iter().filter_map(|(line, _)| *line).collect();
                for (line, value) in items {
                    let next = line.and_then(|line| starts.range(line + 1..).next().copied());
                    let placed = place(&value, line.as_slice(), next, lines);
                    let item = Item { value, page, part, line, placed };
                    if !self.items.iter().any(|known| known.is(&item)) {
                        self.items.push(item);
                    }
                }
            }
        }
    }

    /// Whether a page of a list contained only known items. Such a page is discarded.
    pub(crate) fn drop_repeated(&mut self, page: u32) -> bool {
        let (before, now): (Vec<&Item>, Vec<&Item>) = self.items.iter().partition(|item| item.page < page);
        let repeated = now.iter().all(|item| before.iter().any(|known| known.value == item.value));
        if repeated {
            self.items.retain(|item| item.page < page);
        }
        self.is_list && repeated
    }

    /// The complete data. `key` is the property that contains the list.
    pub(crate) fn whole(self, key: Option<&str>, pages: u32) -> ExtractedData {
        let said = |page: u32, line: usize| match pages {
            0 | 1 => format!("line {}", line + 1),
            _ => format!("page {page} line {}", line + 1),
        };
        if !self.is_list {
            let sources = self.sources.into_iter().map(|(at, (page, line))| (at, said(page, line))).collect();
            return ExtractedData { data: self.one, sources, unverified: self.unverified.into_iter().collect() };
        }
        let root = key.map(|key| format!("/{key}")).unwrap_or_default();
        let (mut values, mut sources, mut unverified) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (at, item) in self.items.into_iter().enumerate() {
            let place = |pointer: &str| format!("{root}/{at}{pointer}");
            sources.extend(item.placed.lines.iter().map(|(pointer, line)| (place(pointer), said(item.page, *line))));
            unverified.extend(item.placed.unverified.iter().map(|pointer| place(pointer)));
            values.push(item.value);
        }
        let data = match key {
            Some(key) => json!({ key: values }),
            None => Value::Array(values),
        };
        ExtractedData { data, sources, unverified }
    }

    /// Merges a value of another chunk into the data. `at` and `from` are the JSON pointers of the two.
    fn join(&mut self, into: &mut Value, more: Value, at: &str, from: &str, places: &Provenance) {
        match (into, more) {
            (_, Value::Null) => {}
            (slot @ Value::Null, more) => {
                *slot = more;
                for (pointer, place) in places.range(from.to_owned()..) {
                    let Some(rest) = pointer.strip_prefix(from) else { break };
                    if rest.is_empty() || rest.starts_with('/') {
                        self.keep(format!("{at}{rest}"), *place);
                    }
                }
            }
            (Value::Object(known), Value::Object(more)) => self.join_objects(known, more, at, from, places),
            (Value::Array(known), Value::Array(more)) => {
                for (nth, value) in more.into_iter().enumerate() {
                    if !known.contains(&value) {
                        let at = format!("{at}/{}", known.len());
                        known.push(Value::Null);
                        let slot = known.last_mut().expect("it was pushed a line above");
                        self.join(slot, value, &at, &format!("{from}/{nth}"), places);
                    }
                }
            }
            // The first value has priority.
            _ => {}
        }
    }

    fn join_objects(
        &mut self,
        known: &mut Map<String, Value>,
        more: Map<String, Value>,
        at: &str,
        from: &str,
        places: &Provenance,
    ) {
        for (key, value) in more {
            let step = key.replace('~', "~0").replace('/', "~1");
            let slot = known.entry(key).or_insert(Value::Null);
            self.join(slot, value, &format!("{at}/{step}"), &format!("{from}/{step}"), places);
        }
    }

    fn keep(&mut self, pointer: String, place: Option<(u32, usize)>) {
        match place {
            Some(place) => _ = self.sources.insert(pointer, place),
            None => _ = self.unverified.insert(pointer),
        }
    }
}

/// Page and line by JSON pointer; `None` for a value without a source.
type Provenance = BTreeMap<String, Option<(u32, usize)>>;

impl Item {
    /// Whether another chunk of the same page reports the same item at the same place. Equal rows at different places
    /// are two items.
    fn is(&self, other: &Item) -> bool {
        let close = match (self.line, other.line) {
            (Some(a), Some(b)) => a == b || self.part != other.part && a.abs_diff(b) <= CLOSE,
            _ => true,
        };
        self.page == other.page && close && self.value == other.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_list_has_each_row_once_and_like_rows_twice() {
        let page = lines("Ash 3\nOak 5\nAsh 3");
        let mut taken = MergedItems::default();
        let row = |line: usize, name: &str| (Some(line), json!({ "name": name }));
        taken.add(ExtractReply::Items(vec![row(0, "Ash"), row(1, "Oak")]), 1, 0, &page);
        taken.add(ExtractReply::Items(vec![row(1, "Oak"), (None, json!({"name": "Oak"}))]), 1, 1, &page);
        taken.add(ExtractReply::Items(vec![row(2, "Ash"), row(2, "Elm")]), 1, 0, &page);
        assert!(!taken.drop_repeated(1));
        taken.add(ExtractReply::Items(vec![row(0, "Ash"), row(1, "Oak")]), 2, 0, &page);
        assert!(taken.drop_repeated(2));
        let whole = taken.whole(Some("rows"), 1);
        assert_eq!(whole.data, json!({"rows": [{"name": "Ash"}, {"name": "Oak"}, {"name": "Ash"}, {"name": "Elm"}]}));
        assert_eq!(whole.sources["/rows/2/name"], "line 3");
        assert_eq!(whole.unverified, ["/rows/3/name"]);
    }

    #[test]
    fn of_single_values_the_first_one_stands() {
        let page = lines("Name: Ada\nMail: a@b.c\nTags: x y");
        let mut taken = MergedItems::default();
        taken.add(ExtractReply::One(json!({"name": "Ada", "mail": null, "tags": ["x"]}), vec![0]), 1, 0, &page);
        taken.add(ExtractReply::One(json!({"name": "Bob", "mail": "a@b.c", "tags": ["x", "y"]}), vec![1]), 2, 0, &page);
        let whole = taken.whole(None, 2);
        assert_eq!(whole.data, json!({"name": "Ada", "mail": "a@b.c", "tags": ["x", "y"]}));
        let expected = [
            ("/mail", "page 2 line 2"),
            ("/name", "page 1 line 1"),
            ("/tags/0", "page 1 line 3"),
            ("/tags/1", "page 2 line 3"),
        ];
        assert_eq!(whole.sources, expected.iter().map(|(at, line)| ((*at).to_owned(), (*line).to_owned())).collect());
        assert!(whole.unverified.is_empty());
    }
}
