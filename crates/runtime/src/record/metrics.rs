//! The metrics of a run: means and rates, computed from its totals only.

use std::{collections::BTreeMap, time::Duration};

use legwork_protocol::{Status, Usage};
use schemars::JsonSchema;
use serde::Serialize;

use super::{RunRecord, ms};

/// The metrics of a run. Times are in milliseconds. A mean without any values is absent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoopMetrics {
    /// The run's id.
    pub session_id: String,
    /// Number of steps in the workflow.
    pub total_steps: usize,
    /// Steps that ended as a success. Skipped steps are not included.
    pub completed_steps: usize,
    /// Turns of the steps that have ended.
    pub total_iterations: usize,
    /// Mean number of turns of a step that ended and was not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_iterations_per_step: Option<f64>,
    /// Share of successes among the steps that ended and were not skipped, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Mean time from start to end of a step that ended and was not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_execution_time: Option<f64>,
    /// Mean time of a model call, including retries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_response_time: Option<f64>,
    /// Mean time of an action, including waiting and settling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_response_time: Option<f64>,
    /// Reflections on uncertain decisions and on failures.
    pub reflection_usage: usize,
    /// Failures by the name of their error code.
    pub error_breakdown: BTreeMap<&'static str, usize>,
    /// Tokens and cost.
    pub usage: Usage,
}

impl RunRecord {
    /// The metrics of the run so far.
    pub fn metrics(&self) -> LoopMetrics {
        let totals = &self.totals;
        let ended = totals.steps_done + totals.steps_failed;
        let at_work: Duration = self
            .steps
            .iter()
            .filter(|step| !matches!(step.state, super::RecordState::Ended(Status::Skipped)))
            .filter_map(|step| step.result.as_ref())
            .map(|result| result.duration)
            .sum();
        let mean = |sum: u64, of: usize| (of > 0).then(|| sum as f64 / of as f64);
        LoopMetrics {
            session_id: self.run.to_string(),
            total_steps: totals.steps,
            completed_steps: totals.steps_done,
            total_iterations: totals.iterations,
            average_iterations_per_step: mean(totals.iterations as u64, ended),
            success_rate: mean(totals.steps_done as u64, ended),
            average_execution_time: mean(ms(at_work), ended),
            ai_response_time: mean(totals.thinking_ms, totals.usage.calls as usize),
            executor_response_time: mean(totals.acting_ms, totals.commands),
            reflection_usage: totals.reflections,
            error_breakdown: totals.errors.clone(),
            usage: totals.usage,
        }
    }
}
