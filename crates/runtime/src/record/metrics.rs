//! The figures of a run under the names of 000's LoopMetrics: means and rates of what the events add up to, nothing more.

use std::{collections::BTreeMap, time::Duration};

use legwork_protocol::{Status, Usage};
use schemars::JsonSchema;
use serde::Serialize;

use super::{RunRecord, ms};

/// The figures of a run. Times in milliseconds; a mean of nothing is absent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoopMetrics {
    /// The run.
    pub session_id: String,
    /// Steps of the workflow.
    pub total_steps: usize,
    /// Steps that ended well; skipped ones are not among them.
    pub completed_steps: usize,
    /// Turns of the steps that ended.
    pub total_iterations: usize,
    /// Turns of a step that ended and was not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_iterations_per_step: Option<f64>,
    /// Steps that ended well of those that ended and were not skipped; 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// From the start to the end of a step that ended and was not skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_execution_time: Option<f64>,
    /// A call to a model, retries included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ai_response_time: Option<f64>,
    /// An action, waiting and settling included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executor_response_time: Option<f64>,
    /// Doubts and failures thought over.
    pub reflection_usage: usize,
    /// Failures by the name of their code.
    pub error_breakdown: BTreeMap<&'static str, usize>,
    /// Tokens and money.
    pub usage: Usage,
}

impl RunRecord {
    /// Its figures, so far.
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
