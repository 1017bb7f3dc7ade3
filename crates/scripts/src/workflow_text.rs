//! A workflow as the text of a workflow file.

use legwork_protocol::{Step, Workflow};
use serde_json::Value;

use crate::comment::comment_lines;

/// The workflow as YAML, in the order in which people write it. Texts are in quotes as in JSON, which YAML reads
/// unchanged.
pub fn workflow_text(workflow: &Workflow) -> String {
    commented_text(workflow, &[])
}

/// A step with the comments above it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CommentedStep {
    /// The step; none if its text is empty.
    pub(crate) step: Step,
    pub(crate) comments: Vec<String>,
}

impl CommentedStep {
    /// A step without a comment.
    pub(crate) fn plain(step: Step) -> CommentedStep {
        CommentedStep { step, comments: Vec::new() }
    }
}

/// As [`workflow_text`], with a comment above the steps that have one.
pub(crate) fn workflow_text_with_comments(workflow: &Workflow, comments: &[Option<&str>]) -> String {
    let steps = workflow.steps.iter().enumerate().map(|(index, step)| CommentedStep {
        step: step.clone(),
        comments: comments.get(index).copied().flatten().map(str::to_owned).into_iter().collect(),
    });
    let steps: Vec<CommentedStep> = steps.collect();
    commented_text(&Workflow { steps: Vec::new(), ..workflow.clone() }, &steps)
}

/// The workflow with its own steps and then these.
pub(crate) fn commented_text(workflow: &Workflow, steps: &[CommentedStep]) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = format!("name: {}\n", quoted(&workflow.name));
    if let Some(url) = &workflow.url {
        text += &format!("url: {}\n", quoted(url));
    }
    if !workflow.inputs.is_empty() {
        text += "inputs:\n";
        for (name, input) in &workflow.inputs {
            let value = serde_json::to_string(input).unwrap_or_default();
            text += &format!("  {name}: {}\n", if value == "{}" { "" } else { &value });
        }
    }
    let is_empty = workflow.steps.is_empty() && steps.iter().all(|step| step.step == Step::default());
    text += if is_empty { "steps: []\n" } else { "steps:\n" };
    workflow.steps.iter().for_each(|step| text += &step_text(step));
    for CommentedStep { step, comments } in steps {
        for line in comments.iter().flat_map(|comment| comment_lines(comment)) {
            text += &format!("  # {line}\n");
        }
        if *step != Step::default() {
            text += &step_text(step);
        }
    }
    text
}

fn step_text(step: &Step) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(step) else {
        return format!("  - {}\n", Value::from(step.step.as_str()));
    };
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    format!("  - {}", lines.join("    "))
}
