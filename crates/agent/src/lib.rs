//! The agent: it never waits. It says what it needs; whoever drives it gets that and hands it back.
//!
//! [`WorkflowRun`] orders the steps and [`TaskRun`](task::TaskRun) turns one step into observe → decide → act until the
//! step is done. Both are plain values: no IO, no clock, no browser, no HTTP. Time comes in with what was got.

mod advisory_rules;
pub mod context;
mod evidence;
mod extract;
mod json_schema;
pub mod memory;
mod need;
pub mod prompt;
mod rules;
pub mod schema;
pub mod task;
pub mod workflow;

pub use advisory_rules::{AdvisoryRules, Trigger};
pub use context::{CompactBy, Compaction, Detail};
pub use evidence::EvidenceRule;
pub use memory::MemoryRules;
pub use need::{
    AgentEvent, Consulted, DecisionContext, InspectRequest, InspectResult, Intent, Need, NeedResult, ObserveRequest,
};
pub use rules::{
    Assumption, DeciderChoice, ExtractRules, InvestigationMode, InvestigationRules, Limits, ModelRules, Rules,
    TokenPrice,
};
pub use workflow::{ResumeError, WorkflowRun};
