//! Records what identifies an element of a page, and finds the element on a later page ([`locate`]).
//!
//! The identity is computed from the snapshot on which an action was decided. A name alone is not enough: several rows
//! have a button `Add`, and ids are often generated or contain a number that belongs to a position. Therefore the row,
//! item or card around the element is recorded by the words that only it contains, and a position never counts unless
//! that surrounding part agrees.

mod locate;
mod words;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use legwork_protocol::{ContainerIdentity, ElementIdentity};
use url::Url;

use crate::{Attributes, Node, NodeIndex, Snapshot};
pub use locate::{ElementCandidate, ElementLocation, locate, locate_in_row};
pub(crate) use words::is_generated;
use words::{clip, words};

/// Roles of parts that repeat on a page, each with its own content.
const REPEATED: [&str; 7] = ["row", "listitem", "article", "treeitem", "option", "figure", "term"];
/// Roles of the named parts of a page.
const PLACES: [&str; 14] = [
    "dialog",
    "alertdialog",
    "form",
    "region",
    "navigation",
    "main",
    "banner",
    "contentinfo",
    "complementary",
    "search",
    "group",
    "radiogroup",
    "tabpanel",
    "menu",
];
/// The maximum number of containers of an element.
const MAX_CONTAINERS: usize = 3;
/// The maximum number of words that identify a container.
const MAX_KEYS: usize = 8;
/// The maximum number of texts that name a container.
const MAX_NAMES: usize = 4;
/// The maximum number of texts that say what a page is about.
const MAX_ABOUT: usize = 6;
/// The number of texts before and after an element.
const NEIGHBOURS: usize = 2;
/// The maximum length of a text in characters.
const MAX_TEXT: usize = 80;
/// The maximum number of nodes between an element and the text that belongs to it, if there is no other limit.
const REACH: usize = 12;
/// The maximum number of ancestors in a structural fingerprint.
const SHAPE: usize = 6;

/// What identifies an element of this page.
pub fn identity(page: &Snapshot, node: NodeIndex) -> ElementIdentity {
    Index::new(page).identity(node)
}

/// As [`identity`], with what the instruction names: the texts of the row, and of the page around an element that is
/// the only one of its name. `is_named` states whether the instruction names a text.
pub fn identity_named(page: &Snapshot, node: NodeIndex, is_named: &dyn Fn(&str) -> bool) -> ElementIdentity {
    let index = Index { is_named, ..Index::new(page) };
    let found = index.identity(node);
    let about = if found.count == 1 { index.about(node) } else { Vec::new() };
    ElementIdentity { about, ..found }
}

/// What identifies an element within the row of a loop. The loop determines the row, so that nothing that differs
/// between rows counts: no words of the row, and no attributes with a number.
pub fn identity_in_row(page: &Snapshot, row: NodeIndex, node: NodeIndex) -> ElementIdentity {
    let Some(reference) = page.nodes[node].reference else { return identity(page, node) };
    let (alone, row) = with_row_only(page, row);
    let Some(node) = alone.find_ref(reference).filter(|node| alone.below(row).contains(node)) else {
        return identity(page, node);
    };
    let index = Index::new(&alone);
    let inside = alone.ancestors(node).take_while(|up| *up != row).filter(|up| alone.has_role(*up, &REPEATED));
    let mut containers: Vec<ContainerIdentity> = inside
        .map(|up| ContainerIdentity {
            role: alone.role(up).to_owned(),
            keys: index.keys_of(up, node),
            ..ContainerIdentity::default()
        })
        .filter(|container| !container.keys.is_empty())
        .take(MAX_CONTAINERS)
        .collect();
    containers.push(ContainerIdentity { role: alone.role(row).to_owned(), ..ContainerIdentity::default() });
    let mut found = index.identity(node);
    found.attributes.retain(|key, value| key != "href" && !value.contains(|c: char| c.is_ascii_digit()));
    ElementIdentity { containers, before: Vec::new(), after: Vec::new(), ..found }
}

/// The page with nothing but this row and what is around it, and the row on that page.
fn with_row_only(page: &Snapshot, row: NodeIndex) -> (Snapshot, NodeIndex) {
    let own = row..page.nodes[row].end;
    let is_around = |at: NodeIndex| at < own.start && page.nodes[at].end >= own.end;
    let alone = page.without(|at| !own.contains(&at) && !is_around(at));
    let around = page.ancestors(row).count();
    (alone, around + 1)
}

/// A page whose elements are identified.
struct Index<'a> {
    page: &'a Snapshot,
    /// Whether the instruction names a text.
    is_named: &'a dyn Fn(&str) -> bool,
    /// How many elements have a role and the value of an attribute that is to be their own.
    shared: HashMap<(&'a str, &'static str, &'a str), usize>,
}

impl<'a> Index<'a> {
    fn new(page: &'a Snapshot) -> Self {
        let mut shared = HashMap::new();
        for node in page.nodes.iter().filter(|node| !node.states.unseen()) {
            for (key, value) in own_attributes(node) {
                *shared.entry((&*node.role, key, value)).or_default() += 1;
            }
        }
        Index { page, is_named: &names_nothing, shared }
    }

    fn identity(&self, node: NodeIndex) -> ElementIdentity {
        let page = self.page;
        let found = &page.nodes[node];
        let equal = self.equal(node);
        let ordinal = equal.iter().position(|other| *other == node).map_or(1, |at| at + 1);
        let mut containers = self.containers(node);
        if containers.is_empty() && equal.len() > 1 {
            containers.extend(self.surroundings(node, &equal));
        }
        ElementIdentity {
            role: found.role.to_string(),
            name: found.name.to_string(),
            ordinal,
            count: equal.len(),
            containers,
            place: self.place(node),
            frames: self.frames(node),
            attributes: self.attributes(node),
            before: self.neighbours(node, false),
            after: self.neighbours(node, true),
            shape: page.ancestors(node).take(SHAPE).map(|up| page.role(up).to_owned()).collect(),
            secret: found.states.secret(),
            about: Vec::new(),
            state: String::new(),
        }
    }

    /// The elements with the role and the name of a node, in document order.
    fn equal(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let (role, name) = (&self.page.nodes[node].role, &self.page.nodes[node].name);
        let is_equal = |other: &NodeIndex| {
            let other = &self.page.nodes[*other];
            other.role == *role && other.name == *name && !other.states.unseen()
        };
        (0..self.page.nodes.len()).filter(|other| *other == node || is_equal(other)).collect()
    }

    /// The rows, items and cards around a node that their texts identify, nearest first.
    fn containers(&self, node: NodeIndex) -> Vec<ContainerIdentity> {
        let page = self.page;
        let around = page.ancestors(node).filter(|up| page.has_role(*up, &REPEATED));
        let identified = around.filter_map(|up| {
            let mut keys = self.keys_of(up, node);
            if keys.is_empty() {
                return None;
            }
            let names = self.names_in(up..page.nodes[up].end, Some(node), &keys);
            // The instruction names the row by a text that no other one has, so that its other texts may change.
            let is_of = |name: &str, key: &String| words(name).contains(key);
            let tells = |name: &&String| (self.is_named)(name) && keys.iter().any(|key| is_of(name, key));
            if let Some(name) = names.iter().find(tells).cloned() {
                keys.retain(|key| is_of(&name, key));
            }
            let container = ContainerIdentity { role: page.role(up).to_owned(), names, column: None, keys };
            Some(self.with_column(container, up, node))
        });
        identified.take(MAX_CONTAINERS).collect()
    }

    /// The words that a container has and none of its siblings, without those of the element itself. A number that only
    /// states the position of the container is left out.
    fn keys_of(&self, container: NodeIndex, node: NodeIndex) -> Vec<String> {
        let page = self.page;
        let siblings: Vec<NodeIndex> = page
            .children(page.nodes[container].parent)
            .filter(|sibling| page.role(*sibling) == page.role(container))
            .collect();
        let position = siblings.iter().position(|sibling| *sibling == container).unwrap_or(0);
        let is_position =
            |word: &str| word.parse::<usize>().is_ok_and(|number| siblings.len() > 1 && position.abs_diff(number) <= 1);
        let others: BTreeSet<String> = siblings
            .iter()
            .filter(|sibling| **sibling != container)
            .flat_map(|sibling| self.words_in(*sibling..page.nodes[*sibling].end, None))
            .collect();
        let own = self.words_in(container..page.nodes[container].end, Some(node));
        own.into_iter().filter(|word| !others.contains(word) && !is_position(word)).take(MAX_KEYS).collect()
    }

    /// The texts of a range of nodes, without those of one of them and its descendants.
    fn texts_in(&self, range: Range<NodeIndex>, without: Option<NodeIndex>) -> impl Iterator<Item = &'a str> {
        let page = self.page;
        let left_out = without.map_or(0..0, |node| node..page.nodes[node].end);
        // An ancestor whose name is computed from its content repeats the words of the element.
        let repeats = move |at: NodeIndex| without.is_some_and(|node| at <= node && node < page.nodes[at].end);
        range
            .filter(move |at| !left_out.contains(at) && !repeats(*at))
            .map(|at| &page.nodes[at])
            .filter(|node| !node.states.self_changing() && !node.name.is_empty())
            .map(|node| &*node.name)
    }

    /// The words of a range of nodes, without those of one of them and its descendants.
    fn words_in(&self, range: Range<NodeIndex>, without: Option<NodeIndex>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for word in self.texts_in(range, without).flat_map(words) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }

    /// The texts by which a person names a part with these keys: those that share a word with the instruction,
    /// otherwise the first one with a key.
    fn names_in(&self, range: Range<NodeIndex>, without: Option<NodeIndex>, keys: &[String]) -> Vec<String> {
        let has_key = |text: &str| words(text).iter().any(|word| keys.contains(word));
        let mut first = None;
        let mut names: Vec<String> = Vec::new();
        for text in self.texts_in(range, without).filter(|text| text.chars().count() <= MAX_TEXT) {
            first = first.or_else(|| has_key(text).then_some(text));
            // A cell and the text inside it say the same.
            let is_new = !names.iter().any(|name| name == text);
            if (self.is_named)(text) && is_new && names.len() < MAX_NAMES {
                names.push(text.to_owned());
            }
        }
        if names.is_empty() { first.map(str::to_owned).into_iter().collect() } else { names }
    }

    /// A row, item or card with the number of the child that contains its first name.
    fn with_column(&self, container: ContainerIdentity, row: NodeIndex, node: NodeIndex) -> ContainerIdentity {
        let cells = self.page.children(row);
        let column = container.names.first().and_then(|name| {
            let has_name =
                |cell: NodeIndex| self.texts_in(cell..self.page.nodes[cell].end, Some(node)).any(|text| text == name);
            cells.into_iter().position(has_name)
        });
        ContainerIdentity { column, ..container }
    }

    /// The texts and values around an element that share a word with the instruction: what its page or dialog is about.
    /// Rows and items of lists are skipped: they are about other records. So are numbers that the instruction does not
    /// contain.
    fn about(&self, node: NodeIndex) -> Vec<String> {
        let page = self.page;
        let mut found: Vec<String> = Vec::new();
        let contains = |up: NodeIndex| up <= node && node < page.nodes[up].end;
        let is_of_list =
            |at: NodeIndex| page.ancestors(at).chain([at]).any(|up| page.has_role(up, &REPEATED) && !contains(up));
        for at in (0..page.nodes.len()).filter(|at| *at != node) {
            let other = &page.nodes[at];
            let is_message = page.has_role(at, &["status", "alert", "log"]);
            if other.states.self_changing() || other.states.unseen() || is_message || found.len() == MAX_ABOUT {
                continue;
            }
            let value = other.value.as_deref().filter(|_| !other.states.secret());
            for text in [Some(&*other.name), value].into_iter().flatten() {
                let is_short = !text.is_empty() && text.chars().count() <= MAX_TEXT;
                if is_short && (self.is_named)(text) && !found.iter().any(|known| known == text) && !is_of_list(at) {
                    found.push(text.to_owned());
                }
            }
        }
        found
    }

    /// The text that belongs to one of several equal elements which no row or item contains: the text between it and
    /// the previous one, or the next one, depending on which side of the first and the last one has text.
    fn surroundings(&self, node: NodeIndex, equal: &[NodeIndex]) -> Option<ContainerIdentity> {
        let at = equal.iter().position(|other| *other == node)?;
        let leading = !self.words_in(self.segment(equal, 0, false), None).is_empty();
        let trailing = !self.words_in(self.segment(equal, equal.len() - 1, true), None).is_empty();
        let side = match (leading, trailing) {
            (true, false) => Side::Before,
            (false, true) => Side::After,
            _ => Side::Around,
        };
        let keys = self.keys_around(equal, at, side);
        let names = match side {
            Side::Before => self.names_in(self.segment(equal, at, false), None, &keys),
            Side::After => self.names_in(self.segment(equal, at, true), None, &keys),
            // Both sides must agree completely, which is more than a name.
            Side::Around => Vec::new(),
        };
        (!keys.is_empty()).then(|| ContainerIdentity { role: side.role().to_owned(), names, column: None, keys })
    }

    /// The words on one side of an element that are not on the same side of an equal one.
    fn keys_around(&self, equal: &[NodeIndex], at: usize, side: Side) -> Vec<String> {
        let words_at = |at: usize| self.words_around(equal, at, side);
        let others: BTreeSet<String> = (0..equal.len()).filter(|other| *other != at).flat_map(words_at).collect();
        self.words_around(equal, at, side).into_iter().filter(|word| !others.contains(word)).take(MAX_KEYS).collect()
    }

    fn words_around(&self, equal: &[NodeIndex], at: usize, side: Side) -> Vec<String> {
        let before = || self.words_in(self.segment(equal, at, false), None);
        let after = || self.words_in(self.segment(equal, at, true), None);
        match side {
            Side::Before => before(),
            Side::After => after(),
            // The side is a part of the word: what stands after one element stands before the next.
            Side::Around => {
                let tagged = |side: &'static str| move |word: String| format!("{side}:{word}");
                before().into_iter().map(tagged("before")).chain(after().into_iter().map(tagged("after"))).collect()
            }
        }
    }

    /// The nodes between an element and the previous or next equal one, or the end of the part that contains all.
    fn segment(&self, equal: &[NodeIndex], at: usize, after: bool) -> Range<NodeIndex> {
        let page = self.page;
        let node = equal[at];
        let scope = self.common_ancestor(equal);
        if after {
            let start = page.nodes[node].end;
            let end = equal.get(at + 1).copied().unwrap_or_else(|| page.nodes[scope].end.min(start + REACH));
            start..end.max(start)
        } else {
            let previous = at.checked_sub(1).map(|at| page.nodes[equal[at]].end);
            let start = previous.unwrap_or_else(|| (scope + 1).max(node.saturating_sub(REACH)));
            start.min(node)..node
        }
    }

    /// The nearest node that contains all of these.
    fn common_ancestor(&self, nodes: &[NodeIndex]) -> NodeIndex {
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return 0 };
        self.page.ancestors(*first).find(|up| self.page.nodes[*up].end > *last).unwrap_or(0)
    }

    fn place(&self, node: NodeIndex) -> String {
        let page = self.page;
        let Some(place) = page.enclosing(node, &PLACES) else { return String::new() };
        format!("{} {}", page.role(place), clip(&page.nodes[place].name, MAX_TEXT)).trim_end().to_owned()
    }

    fn frames(&self, node: NodeIndex) -> Vec<String> {
        let page = self.page;
        let mut frames: Vec<String> = page
            .ancestors(node)
            .filter(|up| page.role(*up) == "iframe")
            .map(|up| {
                let frame = &page.nodes[up];
                let attributes = frame.attributes.as_deref();
                let named =
                    attributes.and_then(|attributes| attributes.form_name.as_deref().or(attributes.id.as_deref()));
                named.unwrap_or(&frame.name).to_owned()
            })
            .collect();
        frames.reverse();
        frames
    }

    /// The attributes that are likely to stay the same. Those that an author gives to one element are left out if
    /// another one of its role has them as well.
    fn attributes(&self, node: NodeIndex) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let element = &self.page.nodes[node];
        let Some(own) = element.attributes.as_deref() else { return found };
        let mut add = |key: &str, value: &str| {
            if !value.is_empty() && !is_generated(value) {
                found.insert(key.to_owned(), value.to_owned());
            }
        };
        add("tag", &own.tag);
        add("type", own.input.as_deref().unwrap_or_default());
        add("placeholder", own.placeholder.as_deref().unwrap_or_default());
        // The radio buttons of a group have one name.
        let is_own = |(key, value): &(&'static str, &'a str)| {
            self.shared.get(&(&*element.role, *key, *value)).is_none_or(|count| *count <= 1)
        };
        own_attributes(element).filter(is_own).for_each(|(key, value)| add(key, value));
        if let Some(href) = own.href.as_deref() {
            found.insert("href".to_owned(), path_of(href));
        }
        found
    }

    /// The nearest texts before or after a node, without those that repeat its name.
    fn neighbours(&self, node: NodeIndex, after: bool) -> Vec<String> {
        let page = self.page;
        let own = &page.nodes[node];
        let says = |at: &NodeIndex| {
            let other = &page.nodes[*at];
            let contains = *at < node && other.end > node;
            !contains && !other.name.is_empty() && other.name != own.name && !other.states.self_changing()
        };
        let text = |at: NodeIndex| clip(&page.nodes[at].name, MAX_TEXT);
        let mut texts: Vec<String> = Vec::new();
        let mut add = |text: String| {
            // A control and the text inside it say the same.
            if texts.len() < NEIGHBOURS && !texts.contains(&text) {
                texts.push(text);
            }
        };
        if after {
            let end = page.nodes.len().min(own.end + REACH);
            (own.end..end).filter(says).map(text).for_each(&mut add);
        } else {
            (node.saturating_sub(REACH)..node).rev().filter(says).map(text).for_each(&mut add);
        }
        texts
    }
}

/// On which side of equal elements the text is that belongs to them.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
    Around,
}

impl Side {
    const ALL: [Side; 3] = [Side::Before, Side::After, Side::Around];

    fn role(self) -> &'static str {
        match self {
            Side::Before => "text before",
            Side::After => "text after",
            Side::Around => "text around",
        }
    }

    fn of(role: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.role() == role)
    }
}

fn names_nothing(_: &str) -> bool {
    false
}

/// The attributes that an author gives to one element.
fn own_attributes(node: &Node) -> impl Iterator<Item = (&'static str, &str)> {
    let all = node.attributes.as_deref().into_iter().flat_map(|own: &Attributes| {
        [("id", own.id.as_deref()), ("name", own.form_name.as_deref()), ("testId", own.test_id.as_deref())]
    });
    all.filter_map(|(key, value)| Some((key, value.filter(|value| !value.is_empty())?)))
}

/// The path of an address. The query often contains values of one visit.
fn path_of(href: &str) -> String {
    match Url::parse(href) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
            format!("{}{fragment}", url.path())
        }
        _ => href.split('?').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests;
