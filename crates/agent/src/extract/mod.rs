//! Data out of a page's text: the text in numbered lines and parts that fit a prompt ([`Text`]), the shape that is wanted
//! ([`Shape`]), where each value really stands ([`place`]), and what several parts and pages say as one ([`Taken`]).
//!
//! Pure. The model names a line for what it takes; whether the value is there is seen here, so that a source is a fact.

mod lines;
mod next;
mod places;
mod shape;
mod taken;

pub(crate) use lines::Text;
pub(crate) use next::Next;
pub(crate) use places::{Placed, place};
pub(crate) use shape::{Reply, Shape};
pub(crate) use taken::Taken;
