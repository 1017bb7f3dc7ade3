//! A filter or sort order that only looks set: the list of choices holds `Paid`, and the list below still contains
//! entries that say `Open`. The request may have ignored the filter, or failed without a sign.
//!
//! Only an entry that contradicts the filter counts, because an unchanged list may match it: the entry has another
//! choice of the same filter as one of its texts, and not the chosen one.

use std::collections::{BTreeSet, HashSet};

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed, clipped,
    fields::{position, target},
    not_sent::save_button_after,
    outweigh,
    url_path::path_of,
};

/// The first words of choices that filter nothing.
const ALL: [&str; 12] =
    ["all", "any", "every", "everything", "none", "no", "alle", "tous", "toutes", "todos", "todas", "tutti"];
/// The first words of buttons that apply the filters beside them.
const APPLIES: [&str; 7] = ["apply", "filter", "search", "find", "anwenden", "filtern", "filtrer"];
/// Names of such buttons whose word begins others too: `View invoice`, `Go to cart`.
const APPLIES_ALONE: [&str; 3] = ["show", "go", "view"];

/// Removes the support from all findings if the list contradicts the filter or is not sorted, and adds a finding about
/// it. If another action follows, it may press the button that applies the filter.
pub(super) fn neutralize_on_ignored_filter(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::FilterIgnored) || observed.has_further_action {
        return;
    }
    let fact = observed.actions.iter().map(Action::carried_out).find_map(|action| {
        let filters = filters(action, before, observed.after);
        filters
            .iter()
            .find_map(|filter| filter.contradicted_by(observed.after))
            .or_else(|| unsorted(action, observed))
            .or_else(|| unsearched(action, before, observed.after))
    });
    let Some(fact) = fact else { return };
    outweigh(findings, Finding::new(EvidenceRule::FilterIgnored, EvidenceKind::Text, fact));
}

/// A chosen value and the other choices.
struct Filter {
    chosen: String,
    others: HashSet<String>,
}

impl Filter {
    fn new<'a>(chosen: &str, choices: impl Iterator<Item = &'a str>) -> Option<Filter> {
        let chosen = plain(chosen);
        let first = chosen.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
        let others: HashSet<String> =
            choices.map(plain).filter(|choice| *choice != chosen && !choice.is_empty()).collect();
        (!chosen.is_empty() && !others.is_empty() && !ALL.contains(&first.as_str()))
            .then_some(Filter { chosen, others })
    }

    /// A description of an entry that the filter should have removed.
    fn contradicted_by(&self, page: &Snapshot) -> Option<String> {
        entries(page).find_map(|entry| {
            let texts: Vec<String> = page.below(entry).map(|at| plain(&page.nodes[at].name)).collect();
            // The texts of an entry that is no row are often one: `Business Active`.
            let is_row = page.has_role(entry, &["row"]);
            let says = |choice: &String| {
                texts.contains(choice)
                    || !is_row
                        && texts.iter().any(|text| {
                            let rest =
                                text.strip_suffix(choice.as_str()).or_else(|| text.strip_prefix(choice.as_str()));
                            rest.is_some_and(|rest| rest.starts_with(' ') || rest.ends_with(' '))
                        })
            };
            let other = self.others.iter().find(|choice| says(choice))?;
            (!says(&self.chosen)).then(|| {
                format!("{:?} is chosen, and the list still has an entry with {:?}", self.chosen, clipped(other))
            })
        })
    }
}

/// The filters that an action sets or applies.
fn filters(action: &Action, before: &Snapshot, after: &Snapshot) -> Vec<Filter> {
    let Some(was) = target(action, before) else { return Vec::new() };
    match action {
        Action::Select(_) => {
            let list = target(action, after).filter(|list| save_button_after(after, list).is_none());
            list.and_then(|list| of_list(after, list)).into_iter().collect()
        }
        Action::Click(_) if was.role.as_ref() == "option" => of_option(action, before).into_iter().collect(),
        // The choices of a page say nothing about the list of another page.
        Action::Click(_)
            if was.role.as_ref() == "button" && applies(&was.name) && path_of(&before.url) == path_of(&after.url) =>
        {
            before.nodes.iter().filter_map(|list| of_list(before, list)).collect()
        }
        Action::Click(_) | Action::Check(_) => of_group(action, after).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn applies(name: &str) -> bool {
    let name = wording::normalized(name);
    let first = name.split_whitespace().next().unwrap_or_default();
    APPLIES.contains(&first) || APPLIES_ALONE.contains(&name.trim())
}

/// The filter of a pressed option: the other options of the same list.
fn of_option(action: &Action, page: &Snapshot) -> Option<Filter> {
    let at = position(action, page)?;
    let list = page.enclosing(at, &["listbox", "combobox"]).unwrap_or(page.nodes[at].parent);
    let options = page.below(list).filter(|at| page.role(*at) == "option");
    Filter::new(&page.nodes[at].name, options.map(|at| page.nodes[at].name.as_ref()))
}

/// The filter of a drop-down list.
fn of_list(page: &Snapshot, list: &Node) -> Option<Filter> {
    if list.role.as_ref() != "combobox" {
        return None;
    }
    let at = page.nodes.iter().position(|node| std::ptr::eq(node, list))?;
    let options = page.below(at).map(|at| &page.nodes[at]).filter(|node| node.role.as_ref() == "option");
    Filter::new(list.value.as_deref()?, options.map(|node| node.name.as_ref()))
}

/// The filter of a group of tabs, radio buttons or toggle buttons, of which one is set now.
fn of_group(action: &Action, page: &Snapshot) -> Option<Filter> {
    let node = target(action, page)?;
    let is_set = node.states.selected() || node.states.checked() || node.states.pressed();
    if !is_set || !matches!(node.role.as_ref(), "tab" | "radio" | "button" | "menuitemradio") {
        return None;
    }
    let parent = node.parent;
    let group = page.nodes.iter().filter(|other| other.role == node.role && other.parent == parent);
    Filter::new(&node.name, group.map(|other| other.name.as_ref()))
}

/// A text in lower case without the number of entries after it (`Paid (3)`). A text that is nothing but a number stays.
fn plain(text: &str) -> String {
    let text = wording::normalized(text);
    let label = text.trim().trim_end_matches(|c: char| c.is_ascii_digit() || "() ".contains(c));
    if label.is_empty() { text.trim().to_owned() } else { label.to_owned() }
}

/// The entries of lists and tables with content. An entry of a list of filters has nothing but controls.
fn entries(page: &Snapshot) -> impl Iterator<Item = NodeIndex> {
    (1..page.nodes.len()).filter(|at| {
        let is_header = || page.below(*at).any(|below| page.nodes[below].role.as_ref() == "columnheader");
        let has_choice =
            || page.below(*at).any(|below| matches!(page.nodes[below].role.as_ref(), "tab" | "radio" | "option"));
        page.has_role(*at, &["row", "listitem", "article"]) && !is_header() && !has_choice()
    })
}

/// A column whose header was pressed, if its order neither changed nor is an order.
fn unsorted(action: &Action, observed: &Observed<'_>) -> Option<String> {
    const FEW: usize = 3;
    let (before, after) = (observed.before?, observed.after);
    let pressed = position(action, before)?;
    let node = &before.nodes[pressed];
    let reference = node.reference?;
    // A list of orders (`Sort by`) names a column; otherwise a header is pressed.
    let named = match action {
        Action::Click(_) => None,
        Action::Select(select) if wording::normalized(&node.name).contains("sort") => Some(select.values.first()?),
        _ => return None,
    };
    let column = |page: &Snapshot| {
        let at = match named {
            Some(name) => {
                (1..page.nodes.len()).find(|at| page.role(*at) == "columnheader" && *page.nodes[*at].name == **name)?
            }
            None => page.find_ref(reference)?,
        };
        let header = std::iter::once(at).chain(page.ancestors(at)).find(|at| page.has_role(*at, &["columnheader"]))?;
        let row = page.enclosing(header, &["row"])?;
        let place = page.children(row).position(|child| child == header)?;
        let table = page.enclosing(row, &["table", "grid", "treegrid"])?;
        let rows = page.below(table).filter(|at| page.has_role(*at, &["row"]) && *at != row);
        let values: Vec<String> = rows
            .filter_map(|row| page.children(row).nth(place))
            .map(|cell| page.text_of(cell).trim().to_lowercase())
            .collect();
        Some(values)
    };
    let (was, is) = (column(before)?, column(after)?);
    if is.len() < FEW || is_in_order(&is) != Some(false) {
        return None;
    }
    // Numbers that were sorted as texts (1000, 120, 45) are in no order that was asked for. The order of words depends
    // on the language, so that only a list that did not change is certain.
    let are_numbers = is.iter().all(|value| value.parse::<f64>().is_ok());
    if was == is {
        Some("the list is in the same order as before, and not in that of the column".to_owned())
    } else {
        are_numbers.then(|| "the numbers of the column are neither ascending nor descending".to_owned())
    }
}

/// A list that a search ignored: it is the one of before, and only some of its entries contain what was searched for;
/// or it changed, and none of them does.
fn unsearched(action: &Action, before: &Snapshot, after: &Snapshot) -> Option<String> {
    let field = target(action, after).filter(|field| is_search_field(field))?;
    let wanted = wording::normalized(field.value.as_deref()?.trim());
    let lists = |page: &Snapshot| -> Vec<Vec<String>> {
        let parents: BTreeSet<NodeIndex> = entries(page).map(|at| page.nodes[at].parent).collect();
        let texts = |parent: NodeIndex| {
            let own = entries(page).filter(|at| page.nodes[*at].parent == parent);
            own.map(|at| wording::normalized(&page.text_of(at))).collect()
        };
        parents.into_iter().map(texts).collect()
    };
    let contains = |text: &String| text.contains(&wanted);
    let (was, is) = (lists(before), lists(after));
    let is_mixed = |list: &&Vec<String>| list.iter().any(contains) && !list.iter().all(contains);
    if wanted.is_empty() {
        return None;
    }
    if is.iter().filter(|list| was.contains(list)).any(|list| is_mixed(&list)) {
        return Some(format!("the list is as it was, and not all of its entries contain {:?}", clipped(&wanted)));
    }
    // Results may be found by what they do not show, but then the page did not show them for these words before either.
    let mut changed = is.iter().filter(|list| !was.contains(list));
    let first = changed.next().filter(|list| !list.is_empty() && was.iter().any(|list| list.iter().any(contains)))?;
    (!first.iter().any(contains) && changed.next().is_none())
        .then(|| format!("no entry of the list contains {:?}", clipped(&wanted)))
}

fn is_search_field(node: &Node) -> bool {
    let name = wording::normalized(&node.name);
    let input = node.attributes.as_ref().and_then(|attributes| attributes.input.as_deref());
    node.role.as_ref() == "searchbox"
        || node.states.editable()
            && (input == Some("search") || ["search", "find", "such"].iter().any(|word| name.starts_with(word)))
}

/// Whether values ascend or descend; `None` if their order is not known, as of dates and of letters with accents.
fn is_in_order(values: &[String]) -> Option<bool> {
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
    if let Some(numbers) = numbers {
        return Some(numbers.is_sorted() || numbers.iter().rev().is_sorted());
    }
    let is_word = |value: &String| value.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    values.iter().all(is_word).then(|| values.is_sorted() || values.iter().rev().is_sorted())
}
