//! The behaviours, with one file for each family.

mod answers;
mod checks;
mod choices;
mod churn;
mod clicks;
mod evidence;
mod fields;
mod leaving;
mod links;
mod login;
mod optimistic;
mod refusals;
mod rows;
mod tied;
mod values;
mod waits;

use super::case::Behaviour;

/// All behaviours.
pub(super) fn all() -> Vec<Behaviour> {
    [
        login::behaviours(),
        refusals::behaviours(),
        optimistic::behaviours(),
        fields::behaviours(),
        choices::behaviours(),
        clicks::behaviours(),
        leaving::behaviours(),
        links::behaviours(),
        rows::behaviours(),
        churn::behaviours(),
        checks::behaviours(),
        values::behaviours(),
        waits::behaviours(),
        answers::behaviours(),
        tied::behaviours(),
        evidence::behaviours(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
