//! Replays recorded playbooks on pages that were changed in many ways, and looks for actions on a wrong element.
//!
//! A scenario is recorded once with a scripted model. Each mutation then changes the pages of the application as they
//! load: a proxy inserts `mutate.js`, which knows the elements of the scenario as they were before the change. It
//! reports each element that receives input, so that the judge does not depend on what Legwork says.

mod kinds;
pub mod plan;
mod proxy;
mod report;
mod run;
mod scenarios;

pub use kinds::{Expected, MutationKind};
pub use report::{MutationReport, MutationResult, MutationVerdict};
pub use run::mutate;
