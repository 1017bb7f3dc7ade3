//! Resolves `Sort by "Amount"` to a click on the header of the column, if the rows are not sorted so.
//!
//! A header that is sorted by states the direction (`aria-sort`). Where it does not, only the order of the rows shows what
//! a click did, and rows that were in the requested order before say nothing: the first click is always made then.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Click};

use crate::{
    ast::TargetPhrase,
    check::row_order,
    error::{Actions, ResolveError},
    find::{self, Purpose},
    roles::LISTS,
};

pub(super) fn sort(
    page: &Snapshot,
    place: Option<&TargetPhrase>,
    column: &str,
    descending: Option<bool>,
    is_second: bool,
) -> Actions {
    let header = TargetPhrase::header(column, place);
    let at = find::one(page, &header, Purpose::Click).map_err(|error| with_list_hint(page, column, error))?;
    let is_sorted = match (stated_direction(page, at), descending) {
        (Some(stated), Some(descending)) => stated == descending,
        (Some(_), None) => true,
        (None, None) => is_second,
        (None, Some(descending)) => is_second && row_order(page, place, column) == Some(descending),
    };
    if is_sorted {
        return Ok(Vec::new());
    }
    Ok(vec![Action::Click(Click::on(find::target_of(page, at)))])
}

/// Whether the header says that the rows are sorted by its column in descending (`true`) or ascending order.
fn stated_direction(page: &Snapshot, at: usize) -> Option<bool> {
    let header = std::iter::once(at).chain(page.ancestors(at)).find(|up| page.role(*up) == "columnheader")?;
    crate::check::stated_order(page.nodes[header].states)
}

/// Names the drop-down list that sorts, if there is no such column.
fn with_list_hint(page: &Snapshot, column: &str, error: ResolveError) -> ResolveError {
    let sorts = |at: &usize| {
        let name = page.nodes[*at].name.to_lowercase();
        page.has_role(*at, LISTS) && ["sort", "order by"].iter().any(|word| name.starts_with(word))
    };
    match ((1..page.nodes.len()).find(sorts), error) {
        (Some(list), ResolveError::NotFound { what, candidates, .. }) => {
            let hint = format!("choose from the list: Choose \"{column}\" from \"{}\"", page.nodes[list].name);
            ResolveError::NotFound { what, candidates, hint }
        }
        (_, error) => error,
    }
}
