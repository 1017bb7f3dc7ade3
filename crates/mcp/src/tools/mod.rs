//! What tools there are, and what their arguments mean.

mod arguments;
mod optional;
mod read;
mod table;

pub(crate) use read::{Call, Require, Run, Save, TabOp, call};
pub use table::Group;
pub(crate) use table::{Listed, TOOLS};
