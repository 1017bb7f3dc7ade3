//! Data out of a page's text: the text in numbered lines and parts that fit a prompt ([`Text`]), the shape that is wanted
//! ([`ExtractSchema`]), where each value really stands ([`place`]), and what several parts and pages say as one ([`MergedItems`]).
//!
//! Pure. The model names a line for what it takes; whether the value is there is seen here, so that a source is a fact.

mod lines;
mod merge;
mod pagination;
mod provenance;
mod shape;

pub(crate) use lines::Text;
pub(crate) use merge::MergedItems;
pub(crate) use pagination::Next;
pub(crate) use provenance::{LocatedValue, place};
pub(crate) use shape::{ExtractReply, ExtractSchema};
