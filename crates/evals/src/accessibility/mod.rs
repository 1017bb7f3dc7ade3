//! Compares the roles and accessible names of an observation with those that the browser computes itself.
//!
//! The browser is started with a port for debugging. Legwork observes its page; the judge asks the browser's
//! accessibility tree about the same elements over a connection of its own. The pages are those of the perception
//! suite, with widgets of published packages, and the cases of the W3C for the computation of names, from a package of
//! the registry.

mod judge;
pub mod plan;
mod report;
mod survey;

pub use report::{AccessibilityReport, Difference, PageAgreement};
pub use survey::survey;
