//! The mind: it never waits. It says what it needs; whoever drives it gets that and hands it back.
//!
//! [`WorkflowRun`] orders the steps and [`TaskRun`] turns one step into observe → decide → act until the step is done.
//! Both are plain values: no IO, no clock, no browser, no HTTP. Time comes in with what was got.

pub mod decide;
mod need;

pub use need::{Fact, Got, Intent, Look, Need};
