//! Evaluates conditions against the state of the run: the page, the variables, the effects of actions. The result is a
//! fact with its evidence, or the reason why the condition does not hold and the most similar elements. Used for
//! `Check that …`, `expect:` and `when:`.

mod absence;
mod compare;
mod effects;
mod evaluate;
mod finding;
mod rows;
mod states;
mod visibility;

use legwork_observe::Snapshot;

use crate::{
    ast::Check,
    longer_name::{self, LongerName},
};
pub use finding::{Facts, Finding, Unmet};
pub(crate) use rows::{row_order, stated_order};

impl Check {
    /// Evaluates the check against the facts.
    pub fn evaluate(&self, facts: &Facts<'_>) -> Finding {
        evaluate::finding_of(&self.condition, facts)
    }

    /// The row or entry that it concerns, if its name is longer than the name in the sentence and may belong to
    /// something else.
    pub fn longer_name(&self, page: &Snapshot) -> Option<LongerName> {
        longer_name::longer_name_of_condition(&self.condition, page)
    }
}
