//! A table that was in the requested order before it was sorted: the page is the same, and only its address shows that
//! the order was requested.

use std::cmp::Ordering;

use legwork_observe::{NodeIndex, Snapshot, numbers};
use url::Url;

use super::Observed;

const CELLS: &[&str] = &["cell", "gridcell", "columnheader", "rowheader"];
const TABLES: &[&str] = &["table", "grid", "treegrid"];
/// The names of query parameters that state an order.
const ORDERS: [&str; 9] = ["sort", "order", "orderby", "sortby", "ordering", "sorting", "direction", "dir", "o"];

/// Whether a column header was pressed, the new address states an order that the previous one did not, and the cells of
/// the column are in order.
pub(super) fn is_in_order(observed: &Observed<'_>) -> bool {
    let Some(before) = observed.before else { return false };
    states_order(&before.url, &observed.after.url)
        && observed.actions.iter().filter_map(|action| action.carried_out().target()).any(|target| {
            let legwork_protocol::TargetKind::Ref(reference) = target.kind() else { return false };
            before.find_ref(reference).and_then(|at| column(before, at)).is_some_and(|cells| are_sorted(&cells))
        })
}

fn states_order(before: &str, after: &str) -> bool {
    let pairs = |url: &str| -> Vec<(String, String)> {
        Url::parse(url).map(|url| url.query_pairs().into_owned().collect()).unwrap_or_default()
    };
    let known = pairs(before);
    pairs(after).iter().any(|pair| {
        let key: String = pair.0.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        !known.contains(pair) && ORDERS.contains(&key.as_str())
    })
}

/// The texts of the cells below the column header that is or contains an element.
fn column(page: &Snapshot, at: NodeIndex) -> Option<Vec<String>> {
    let is_header = |at: &NodeIndex| page.role(*at) == "columnheader";
    let header = std::iter::once(at).chain(page.ancestors(at)).find(is_header)?;
    let (row, table) = (page.enclosing(header, &["row"])?, page.enclosing(header, TABLES)?);
    let cells = |row: NodeIndex| page.children(row).filter(|at| page.has_role(*at, CELLS));
    let place = cells(row).position(|cell| cell == header)?;
    let rows = page.below(table).filter(|at| page.role(*at) == "row" && *at != row);
    let texts = rows.filter_map(|row| Some(page.text_of(cells(row).nth(place)?).trim().to_lowercase()));
    Some(texts.collect())
}

/// Whether at least two different texts are in ascending or descending order, as numbers if all of them are.
fn are_sorted(texts: &[String]) -> bool {
    let values: Option<Vec<f64>> = texts.iter().map(|text| numbers::value(text)).collect();
    let steps: Vec<Ordering> = match values {
        Some(values) => values.windows(2).map(|pair| pair[0].total_cmp(&pair[1])).collect(),
        None => texts.windows(2).map(|pair| pair[0].cmp(&pair[1])).collect(),
    };
    let has = |step: Ordering| steps.contains(&step);
    has(Ordering::Less) != has(Ordering::Greater)
}
