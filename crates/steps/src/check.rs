//! Conditions compared with what the run knows: the page, the variables, what the actions set off. The answer is a fact
//! with its evidence, or why not and what comes nearest. Used for `Check that …`, for `expect:` and for `when:`.

mod absence;
mod compare;
mod effects;
mod evaluate;
mod finding;
mod states;
mod visibility;

use crate::ast::Check;
pub use finding::{Facts, Finding, Unmet};

impl Check {
    /// Compares it with the facts.
    pub fn evaluate(&self, facts: &Facts<'_>) -> Finding {
        evaluate::judge(&self.condition, facts)
    }
}
