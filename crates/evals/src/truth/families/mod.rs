//! The behaviours, with one file for each family.

mod answers;
mod bodies;
mod checks;
mod choices;
mod churn;
mod clicks;
mod effects;
mod evidence;
mod fields;
mod filters;
mod labelled;
mod leaving;
mod links;
mod login;
mod optimistic;
mod other_logins;
mod records;
mod refusals;
mod rows;
mod states;
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
        other_logins::behaviours(),
        states::behaviours(),
        bodies::behaviours(),
        filters::behaviours(),
        labelled::behaviours(),
        effects::behaviours(),
        records::behaviours(),
        evidence::behaviours(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
