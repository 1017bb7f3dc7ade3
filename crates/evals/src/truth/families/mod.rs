//! The behaviours, a family a file.

mod fields;
mod login;
mod optimistic;
mod refusals;

use super::case::Behaviour;

/// All of them.
pub(super) fn all() -> Vec<Behaviour> {
    [login::behaviours(), refusals::behaviours(), optimistic::behaviours(), fields::behaviours()]
        .into_iter()
        .flatten()
        .collect()
}
