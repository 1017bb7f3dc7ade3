//! Builds the clauses of sentences that sort.

use super::{
    form::{FormResult, Matched},
    lists::{checked, instruction},
};
use crate::{
    ast::{Check, Condition, Operation, RowsStatement},
    conditions,
};

/// `Sort the table by "Amount" descending`: at most two clicks on the header of the column, and the check of the order.
pub(super) fn sort(found: &Matched<'_>) -> FormResult {
    let condition = conditions::sorting(found.words("place"), found.words("column"), None)?;
    let Condition::Rows { place, statement: RowsStatement::Sorted { column: Some(column), descending } } = &condition
    else {
        return Err(found.missing("by which column").into());
    };
    let click = |is_second| {
        let (place, column, descending) = (place.clone(), column.clone(), *descending);
        instruction(found.clause.whole, Operation::Sort { place, column, descending, is_second })
    };
    let mut clauses = vec![click(false)];
    if descending.is_some() {
        clauses.push(click(true));
    }
    let check = Check::new(&found.clause.whole.text_as_written(), condition);
    clauses.push(checked(check.with_timeout(None)));
    Ok(clauses)
}
