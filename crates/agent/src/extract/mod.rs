//! Extracts data from the text of a page: numbered lines and chunks that fit into a prompt ([`Text`]), the requested
//! shape ([`ExtractSchema`]), the actual source of each value ([`place`]), and the merged data of several chunks and
//! pages ([`MergedItems`]).
//!
//! Pure. The model names the line of each value. This code verifies that the value is there, so that a source is a
//! fact.

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
