//! A workflow as the text of a workflow file.

use legwork_protocol::{Step, Workflow};
use serde_json::Value;

/// The workflow as YAML, in the order in which people write it. Texts are in quotes as in JSON, which YAML reads unchanged.
pub fn workflow_text(workflow: &Workflow) -> String {
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
    text += "steps:\n";
    for step in &workflow.steps {
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
