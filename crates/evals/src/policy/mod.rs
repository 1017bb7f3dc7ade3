//! A scripted policy.
use legwork_testing::model::{Reply, Script};
pub(crate) fn script() -> Script { Script::of(|asked| { eprintln!("{}", asked.last()); Reply::status(404, "x") }) }
