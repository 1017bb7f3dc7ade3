//! The tools and the meaning of their arguments.

mod arguments;
mod batch;
mod parse;
mod parse_optional;
mod table;

pub(crate) use batch::{BatchRows, BatchWork, NewBatch};
pub(crate) use parse::{Call, RunArguments, Save, TabOp, call};
pub use table::Group;
pub(crate) use table::{TOOLS, ToolEntry};
