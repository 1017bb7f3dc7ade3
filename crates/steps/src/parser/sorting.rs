//! Builds the clauses of sentences that sort.

use super::{
    form::{FormResult, Matched},
    lists::{checked, instruction},
};
use crate::{
    ast::{Check, Operation},
    conditions::{self, Sorting},
};

/// `Sort the table by "Amount" descending`: at most two clicks on the header of the column, and the check of the order.
pub(super) fn sort(found: &Matched<'_>) -> FormResult {
    let sorting = conditions::sorting(found.words("place"), found.words("column"), None)?;
    let click = |is_second| {
        let Sorting { place, column, descending } = sorting.clone();
        instruction(found.clause.whole, Operation::Sort { place, column, descending, is_second })
    };
    let mut clauses = vec![click(false)];
    if sorting.descending.is_some() {
        clauses.push(click(true));
    }
    let check = Check::new(&found.clause.whole.text_as_written(), sorting.condition());
    clauses.push(checked(check.with_timeout(None).of_instruction()));
    Ok(clauses)
}
