//! What tools there are, and what their arguments mean.

mod arguments;
mod parse;
mod parse_optional;
mod table;

pub(crate) use parse::{Call, Run, Save, TabOp, call};
pub use table::Group;
pub(crate) use table::{TOOLS, ToolEntry};
