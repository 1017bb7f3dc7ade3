//! How far a run is: its steps, and the time that the rest may take.

use std::time::Duration;

use legwork_protocol::{ExecutionProgress, mask_passwords};

use super::WorkflowRun;

impl WorkflowRun {
    pub(super) fn progress(&self) -> ExecutionProgress {
        let total_steps = self.plan.steps().len();
        let completed_steps = self.results.len();
        let spent: Duration = self.results.iter().map(|result| result.duration).sum();
        let average: u64 = (spent.as_millis() / completed_steps.max(1) as u128).try_into().unwrap_or(u64::MAX);
        let current_step_index = completed_steps.min(total_steps.saturating_sub(1));
        ExecutionProgress {
            total_steps,
            completed_steps,
            current_step_index,
            current_step_name: self
                .plan
                .steps()
                .get(current_step_index)
                .map(|planned| mask_passwords(&planned.text()))
                .unwrap_or_default(),
            overall_progress: 100.0 * completed_steps as f64 / total_steps.max(1) as f64,
            estimated_time_remaining: Some(average * (total_steps - completed_steps) as u64),
            average_step_duration: average,
        }
    }
}
