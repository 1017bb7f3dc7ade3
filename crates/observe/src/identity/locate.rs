//! Finds a recorded element on a live page, with certainty or not at all.
//!
//! A candidate must have the role of the element and be in the row, item or card that the recorded words identify.
//! Then it is scored. An element is certain if something that is its own (its name, or an attribute that only it had)
//! is unchanged, its surroundings agree, and no other candidate comes close.

use std::collections::HashMap;

use legwork_protocol::{ContainerIdentity, ElementIdentity, Ref};

use super::{Index, REPEATED, Side};
use crate::{
    NodeIndex, Snapshot,
    identity::words::{similarity, without_counter, words},
};

/// The score that an element with an unchanged name needs.
const MIN_SCORE: f64 = 0.6;
/// The score that an element with another name needs.
const MIN_RENAMED_SCORE: f64 = 0.4;
/// The agreement of names that are the same but for a counter.
const SAME_NAME: f64 = 0.9;
/// How much better than any other candidate it must be.
const MIN_MARGIN: f64 = 0.08;
/// The agreement of neighbouring texts that counts as unchanged surroundings.
const SAME_NEIGHBOUR: f64 = 0.5;
/// The share of the recorded words that a container must have.
const SAME_CONTAINER: f64 = 0.6;
/// Maximum number of candidates in a result.
const MAX_CANDIDATES: usize = 5;
/// Maximum number of candidates that are compared in detail.
const MAX_COMPARED: usize = 400;

/// Roles of elements whose name is the text of a label, while the element is known by its own attributes. The label of
/// a checkbox or radio button states what it chooses, so that another one is another choice.
const FIELDS: [&str; 6] = ["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"];
/// Attributes that are enough to recognize an element whose name changed.
const ANCHORS: [&str; 4] = ["testId", "id", "name", "href"];

/// The result of a search for a recorded element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementLocation {
    /// It is this element.
    Certain(ElementCandidate),
    /// No element is certainly the recorded one. The candidates are the most similar ones, best first.
    Uncertain {
        /// The reason.
        reason: &'static str,
        /// The elements that are similar.
        candidates: Vec<ElementCandidate>,
    },
}

/// An element that may be the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementCandidate {
    /// The element.
    pub node: NodeIndex,
    /// Its ref.
    pub reference: Ref,
    /// The agreement with the recorded element, 0 to 1.
    pub score: f64,
    /// The element in words.
    pub description: String,
    /// Whether its name has not even the words of the recorded one, so that only its attributes identify it.
    pub is_renamed: bool,
}

/// Finds the recorded element on this page.
pub fn locate(recorded: &ElementIdentity, page: &Snapshot) -> ElementLocation {
    let index = Index::new(page);
    if !has_names(&recorded.about, texts_and_values(page)) {
        let reason = "the page does not show all that the instruction names, as it did then";
        return ElementLocation::Uncertain { reason, candidates: Vec::new() };
    }
    let mut scored: Vec<(ElementCandidate, bool)> = Vec::new();
    let similar = candidates(recorded, page);
    let mut excluded = false;
    for (node, reference) in similar.into_iter().take(MAX_COMPARED) {
        let live = index.identity(node);
        let agreement = Agreement::of(recorded, &live);
        let is_inside = recorded.containers.iter().all(|container| agrees(&index, container, node));
        excluded |= !is_inside;
        let score = if is_inside { agreement.score() } else { agreement.score() / 2.0 };
        let suits = is_inside && agreement.is_certain(score);
        let (description, is_renamed) = (live.describe(), agreement.is_renamed());
        scored.push((ElementCandidate { node, reference, score, description, is_renamed }, suits));
    }
    scored.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
    let mut suitable = scored.iter().filter(|(_, suits)| *suits);
    let best = suitable.next().map(|(candidate, _)| candidate.clone());
    let rival = best.as_ref().and_then(|best| scored.iter().find(|(other, _)| other.node != best.node));
    let reason = match (best, rival) {
        (None, None) => "no element of the page is similar",
        (None, _) if excluded => "the elements of that kind are in another row, item or part of the page",
        (None, _) => "no element agrees well enough",
        (Some(best), Some((rival, _))) if best.score - rival.score < MIN_MARGIN => {
            "another element agrees almost as well"
        }
        (Some(best), _) => return ElementLocation::Certain(best),
    };
    let candidates = scored.into_iter().map(|(candidate, _)| candidate).take(MAX_CANDIDATES).collect();
    ElementLocation::Uncertain { reason, candidates }
}

/// Finds an element that was recorded within the row of a loop, in this row.
pub fn locate_in_row(recorded: &ElementIdentity, page: &Snapshot, row: NodeIndex) -> ElementLocation {
    locate(recorded, &super::with_row_only(page, row).0)
}

/// The elements of the page that share the role and at least one other property with the recorded one.
fn candidates(recorded: &ElementIdentity, page: &Snapshot) -> Vec<(NodeIndex, Ref)> {
    let name = without_counter(&recorded.name);
    let mut found = Vec::new();
    for (at, node) in page.nodes.iter().enumerate() {
        let Some(reference) = node.reference.filter(|_| !node.states.unseen() && *node.role == *recorded.role) else {
            continue;
        };
        let has = |key: &str, value: Option<&str>| {
            value.is_some_and(|value| recorded.attributes.get(key).is_some_and(|known| known == value))
        };
        let attributes = node.attributes.as_deref();
        let is_similar = without_counter(&node.name) == name
            || similarity(&node.name, &recorded.name) > 0.0
            || attributes.is_some_and(|own| {
                has("id", own.id.as_deref())
                    || has("name", own.form_name.as_deref())
                    || has("testId", own.test_id.as_deref())
                    || own.href.as_deref().is_some_and(|href| has("href", Some(&super::path_of(href))))
            });
        if is_similar {
            found.push((at, reference));
        }
    }
    found
}

/// Whether an element is in the container that was recorded.
fn agrees(index: &Index<'_>, recorded: &ContainerIdentity, node: NodeIndex) -> bool {
    if let Some(side) = Side::of(&recorded.role) {
        let equal = index.equal(node);
        let Some(at) = equal.iter().position(|other| *other == node) else { return false };
        let (least, texts) = match side {
            Side::Before => (SAME_CONTAINER, index.segment(&equal, at, false)),
            Side::After => (SAME_CONTAINER, index.segment(&equal, at, true)),
            Side::Around => (1.0, 0..0),
        };
        return has_names(&recorded.names, index.texts_in(texts, None))
            && holds(&recorded.keys, &index.words_around(&equal, at, side), least);
    }
    let page = index.page;
    page.ancestors(node).filter(|up| page.role(*up) == recorded.role && REPEATED.contains(&&*recorded.role)).any(|up| {
        let own = up..page.nodes[up].end;
        let cell = recorded.column.map(|column| page.children(up).nth(column));
        let first = recorded.names.get(..1).unwrap_or_default();
        let is_in_column = match cell {
            None => true,
            Some(None) => false,
            Some(Some(cell)) => has_names(first, index.texts_in(cell..page.nodes[cell].end, Some(node))),
        };
        is_in_column
            && has_names(&recorded.names, index.texts_in(own.clone(), Some(node)))
            && holds(&recorded.keys, &index.words_in(own, Some(node)), SAME_CONTAINER)
    })
}

/// The names and values of all elements.
fn texts_and_values(page: &Snapshot) -> impl Iterator<Item = &str> {
    let texts = page.nodes.iter().flat_map(|node| [Some(&*node.name), node.value.as_deref()]);
    texts.flatten().filter(|text| !text.is_empty())
}

/// Whether each name is one of these texts, in any order of its words. `Smith, Jane` in the city of `Smith, John` is
/// somebody else, whatever else the rows have in common.
fn has_names<'t>(names: &[String], texts: impl Iterator<Item = &'t str>) -> bool {
    // Signs belong to a name: `AB+` is not `AB-`.
    let sorted = |text: &str| {
        let trimmed = |word: &str| word.trim_matches([',', ';', ':', '.']).to_lowercase();
        let mut words: Vec<String> = text.split_whitespace().map(trimmed).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words
    };
    let mut missing: Vec<Vec<String>> = names.iter().map(|name| sorted(name)).collect();
    for text in texts {
        if missing.is_empty() {
            break;
        }
        let own = sorted(text);
        missing.retain(|name| *name != own);
    }
    missing.is_empty()
}

/// Whether these words contain the first key and enough of the others. The first key is usually what people name the
/// row by; an amount or a state may occur in other rows as well.
fn holds(keys: &[String], words: &[String], least: f64) -> bool {
    let Some(first) = keys.first() else { return true };
    // A recorded key may contain a value of several words that a parameter stands for.
    let has = |key: &String| super::words::words(key).iter().all(|word| words.contains(word));
    let shared = keys.iter().filter(|key| has(key)).count();
    has(first) && shared as f64 >= least * keys.len() as f64
}

/// How the properties of a live element agree with the recorded ones.
struct Agreement {
    role: String,
    /// 0 to 1; 1 if the names are the same.
    name: f64,
    /// Whether one name has all words of the other one, and the rest of its words changes nothing.
    has_extended_name: bool,
    has_name: bool,
    names_differ_in_numbers: bool,
    /// Whether an attribute that was its own is unchanged.
    anchor: bool,
    /// Whether one of the attributes rules the element out.
    conflict: bool,
    neighbours: f64,
    has_neighbours: bool,
    in_container: bool,
    /// Whether its role and name were and are the only ones, in the same named part of the page.
    is_only: bool,
    /// Whether only its position distinguished it from equal elements, and the position has changed.
    lost_position: bool,
    points: f64,
    possible: f64,
}

impl Agreement {
    fn of(recorded: &ElementIdentity, live: &ElementIdentity) -> Agreement {
        let name = name_agreement(&recorded.name, &live.name);
        let before = texts_agree(&recorded.before, &live.before);
        let after = texts_agree(&recorded.after, &live.after);
        let mut this = Agreement {
            role: recorded.role.clone(),
            name,
            has_extended_name: is_extended(&recorded.name, &live.name),
            has_name: !recorded.name.is_empty(),
            names_differ_in_numbers: numbers(&recorded.name) != numbers(&live.name),
            anchor: false,
            // A secret is typed only into a field for secrets.
            conflict: recorded.secret && !live.secret,
            neighbours: before.unwrap_or(0.0).max(after.unwrap_or(0.0)),
            has_neighbours: before.is_some() || after.is_some(),
            in_container: !recorded.containers.is_empty(),
            is_only: !recorded.place.is_empty()
                && (recorded.count, live.count) == (1, 1)
                && (&recorded.place, &recorded.frames, &recorded.shape) == (&live.place, &live.frames, &live.shape),
            lost_position: recorded.count > 1
                && recorded.containers.is_empty()
                && (recorded.count, recorded.ordinal) != (live.count, live.ordinal),
            points: 0.0,
            possible: 0.0,
        };
        this.add(4.0, this.has_name.then_some(name));
        this.attributes(recorded, live);
        this.add(3.0, this.in_container.then_some(1.0));
        this.add(1.5, before);
        this.add(1.0, after);
        this.add(1.0, (!recorded.place.is_empty()).then(|| f64::from(recorded.place == live.place)));
        this.add(1.0, Some(f64::from(recorded.frames == live.frames)));
        this.add(1.0, (!recorded.shape.is_empty()).then(|| shapes_agree(&recorded.shape, &live.shape)));
        // A position counts only among as many equal elements as before.
        if recorded.count > 1 && recorded.count == live.count {
            this.add(2.0, Some(f64::from(recorded.ordinal == live.ordinal)));
        }
        this
    }

    fn attributes(&mut self, recorded: &ElementIdentity, live: &ElementIdentity) {
        let weights: HashMap<&str, f64> = HashMap::from([
            ("testId", 4.0),
            ("id", 3.0),
            ("name", 2.0),
            ("href", 2.0),
            ("type", 1.0),
            ("placeholder", 1.0),
            ("tag", 0.5),
        ]);
        for (key, value) in &recorded.attributes {
            let Some(weight) = weights.get(key.as_str()) else { continue };
            let is_same = live.attributes.get(key) == Some(value);
            self.add(*weight, Some(f64::from(is_same)));
            // A number in an id often is the position of a row.
            self.anchor |= is_same && ANCHORS.contains(&key.as_str()) && !value.contains(|c: char| c.is_ascii_digit());
            self.conflict |= key == "href" && !is_same && live.attributes.contains_key("href");
            self.conflict |= key == "type" && !is_same && live.attributes.contains_key("type");
        }
    }

    fn add(&mut self, weight: f64, value: Option<f64>) {
        if let Some(value) = value {
            self.points += weight * value;
            self.possible += weight;
        }
    }

    fn score(&self) -> f64 {
        if self.possible == 0.0 { 0.0 } else { self.points / self.possible }
    }

    fn is_certain(&self, score: f64) -> bool {
        let same_surroundings = self.neighbours >= SAME_NEIGHBOUR;
        if self.conflict || self.lost_position && !self.anchor {
            return false;
        }
        if self.has_name && self.name >= SAME_NAME {
            // Nothing around it agrees: it may be another element of the same name.
            let is_supported =
                self.anchor || self.in_container || same_surroundings || !self.has_neighbours || self.is_only;
            return score >= MIN_SCORE && is_supported;
        }
        // An icon without a name may be another one in the same place.
        if !self.has_name {
            return score >= MIN_SCORE && self.anchor;
        }
        // The name changed. A field is known by its attributes. Anything else must also be where it was and have all
        // words of the recorded name, because another function may have taken its place, also one that shares a word
        // with it: `Unlock account` for `Lock account`.
        let is_field = FIELDS.contains(&self.role.as_str());
        let is_rephrased = same_surroundings && self.has_extended_name;
        let is_same = self.anchor && !self.names_differ_in_numbers && (is_field || is_rephrased);
        is_same && score >= MIN_RENAMED_SCORE
    }

    fn is_renamed(&self) -> bool {
        self.has_name && self.name < SAME_NAME && !self.has_extended_name
    }
}

/// Whether one name has all words of the other one, and none in addition that changes what the element does: `Save` and
/// `Save address`, but not `Delete` and `Delete all`.
fn is_extended(recorded: &str, live: &str) -> bool {
    const CHANGING: [&str; 44] = [
        "all",
        "everything",
        "every",
        "everyone",
        "not",
        "no",
        "don't",
        "without",
        "never",
        "cancel",
        "delete",
        "remove",
        "discard",
        "undo",
        "un",
        "alle",
        "alles",
        "nicht",
        "kein",
        "keine",
        "ohne",
        "abbrechen",
        "löschen",
        "entfernen",
        "verwerfen",
        "tout",
        "tous",
        "toutes",
        "ne",
        "pas",
        "sans",
        "annuler",
        "supprimer",
        "todo",
        "todos",
        "todas",
        "sin",
        "cancelar",
        "eliminar",
        "tutto",
        "tutti",
        "senza",
        "annulla",
        "elimina",
    ];
    let (a, b) = (words(&without_counter(recorded)), words(&without_counter(live)));
    let (shorter, longer) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let added = longer.iter().filter(|word| !shorter.contains(word));
    !shorter.is_empty()
        && shorter.iter().all(|word| longer.contains(word))
        && added.into_iter().all(|word| !CHANGING.contains(&word.as_str()))
}

fn name_agreement(recorded: &str, live: &str) -> f64 {
    if recorded == live {
        1.0
    } else if without_counter(recorded) == without_counter(live) {
        0.95
    } else {
        0.7 * similarity(recorded, live)
    }
}

/// The numbers in a name. They distinguish names with the same words: order 17 is not order 18.
fn numbers(name: &str) -> Vec<String> {
    let name = without_counter(name);
    words(&name).into_iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect()
}

/// The best agreement of a recorded text with a live one; `None` if there was no text.
fn texts_agree(recorded: &[String], live: &[String]) -> Option<f64> {
    let pairs = recorded.iter().flat_map(|a| live.iter().map(move |b| if a == b { 1.0 } else { similarity(a, b) }));
    (!recorded.is_empty()).then(|| pairs.fold(0.0, f64::max))
}

/// The share of the recorded ancestors that a live element has in the same order.
fn shapes_agree(recorded: &[String], live: &[String]) -> f64 {
    let (mut next, mut common) = (0, 0);
    for role in recorded {
        if let Some(at) = live[next..].iter().position(|other| other == role) {
            next += at + 1;
            common += 1;
        }
    }
    f64::from(common) / recorded.len() as f64
}
