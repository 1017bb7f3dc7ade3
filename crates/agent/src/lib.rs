//! The agent. It performs no IO: it returns what it needs as a value. The drive loop obtains it and passes
//! the result in.
//!
//! [`WorkflowRun`] executes the steps in order and [`TaskRun`](task::TaskRun) repeats observe → decide → act until one
//! step is done. Both are plain values without IO, clock, browser or HTTP. The current time is an argument.

mod advisory_rules;
pub mod context;
mod evidence;
mod extract;
mod json_schema;
pub mod memory;
mod need;
pub mod playbook;
pub mod prompt;
pub mod provenance;
mod rules;
pub mod schema;
pub mod task;
pub mod workflow;

pub use advisory_rules::{AdvisoryRules, Trigger};
pub use context::{CompactBy, Compaction, Detail};
pub use evidence::{EvidenceRule, RefusedChange, refused_change};
pub use memory::MemoryRules;
pub use need::{
    AgentEvent, DeciderReply, DecisionContext, InspectRequest, InspectResult, Intent, Need, NeedResult, ObserveRequest,
};
pub use rules::{
    Assumption, DeciderChoice, ExtractRules, InvestigationMode, InvestigationRules, Limits, ModelRules, Rules,
    TokenPrice,
};
pub use workflow::{PreflightContext, ResumeError, StepProblem, WorkflowRun, step_problems, unknown_inputs};
