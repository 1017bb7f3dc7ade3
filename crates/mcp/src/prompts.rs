//! Prompts that a client can offer to its user.

use rmcp::{
    ErrorData,
    model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role},
};
use serde_json::{Map, Value};

/// Instructions for the model that uses the tools. Every client receives them at initialization.
pub(crate) const INSTRUCTIONS: &str = include_str!("instructions.md");

pub(crate) fn list() -> Vec<Prompt> {
    let goal = PromptArgument::new("goal").with_description("What is to be achieved").with_required(true);
    vec![
        Prompt::new("do", Some("Do something in the browser, by hand, and prove it"), Some(vec![goal.clone()])),
        Prompt::new(
            "write_workflow",
            Some("Try something out in the browser and write it down as a workflow that needs no model"),
            Some(vec![goal]),
        ),
    ]
}

pub(crate) fn get(name: &str, arguments: &Map<String, Value>) -> Result<GetPromptResult, ErrorData> {
    let source = match name {
        "do" => include_str!("prompts/do.md"),
        "write_workflow" => include_str!("prompts/write_workflow.md"),
        other => return Err(ErrorData::invalid_params(format!("there is no prompt {other:?}"), None)),
    };
    let goal = arguments.get("goal").and_then(Value::as_str).filter(|goal| !goal.trim().is_empty());
    let goal = goal.ok_or_else(|| ErrorData::invalid_params(format!("the prompt {name} needs a goal"), None))?;
    let text = source.replace("{goal}", goal.trim());
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}
