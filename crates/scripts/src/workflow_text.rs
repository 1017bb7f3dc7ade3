//! A workflow as the text of a workflow file.

use legwork_protocol::{Step, Workflow};
use serde_json::Value;

/// The workflow as YAML, in the order in which people write it. Texts are in quotes as in JSON, which YAML reads unchanged.
pub fn workflow_text(workflow: &Workflow) -> String {
    workflow_text_with_comments(workflow, &[])
}

/// As [`workflow_text`], with a comment above the steps that have one.
pub(crate) fn workflow_text_with_comments(workflow: &Workflow, comments: &[Option<&str>]) -> String {
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
    text += if workflow.steps.is_empty() { "steps: []\n" } else { "steps:\n" };
    for (index, step) in workflow.steps.iter().enumerate() {
        if let Some(comment) = comments.get(index).copied().flatten() {
            text += &format!("  # {}\n", comment.replace(['\n', '\r'], " "));
        }
        text += &step_text(step);
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
