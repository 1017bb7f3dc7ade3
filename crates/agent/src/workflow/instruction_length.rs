//! Refuses a workflow with an instruction that is too long for a prompt, before anything is done.

use std::collections::BTreeMap;

use legwork_protocol::VariableInfo;
use serde_json::Value;

use super::{WorkflowRun, variables::resolve};
use crate::task::{Ending, clauses, too_long};

impl WorkflowRun {
    /// The error for the first step that only a model can decide and whose instruction no prompt has room for. The
    /// values of variables that steps save are not known yet; such a step is refused when it begins.
    pub(super) fn too_long_instruction(&self, given: &[VariableInfo]) -> Option<Ending> {
        let variables: BTreeMap<String, Value> =
            given.iter().map(|variable| (variable.name.clone(), variable.value.clone())).collect();
        let recorded = self.rules.playbook.as_ref().map(|playbook| playbook.steps.as_slice()).unwrap_or_default();
        let steps = self.start.workflow.all_steps().into_iter().enumerate();
        let needs_model = steps.filter(|(index, step)| {
            let has_actions = recorded.get(*index).is_some_and(|step| !step.actions.is_empty());
            step.group.is_none() && step.action.is_none() && !has_actions
        });
        needs_model
            .map(|(_, step)| resolve(&step.step, &variables).text)
            .filter_map(|text| Some((too_long(&text, &self.rules)?, text)))
            .find(|(_, text)| !self.reads_steps() || clauses(text).is_err())
            .map(|(ending, _)| ending)
    }
}
