//! The program with a scripted model: how it is started with one, and what such a model reads off the page that it is shown.

use std::process::Command;

use legwork_testing::model::ScriptedModel;
use serde_json::{Value, json};

use crate::support::Program;

/// What every provider's requests come with.
pub(crate) const KEY: &str = "sk-a-key-for-tests";

/// The program with this model, and a key whoever its provider is.
pub(crate) fn command(program: &Program, model: &ScriptedModel, arguments: &[&str]) -> Command {
    let mut command = program.command(arguments);
    command.args(["--model", model.model_name(), "--base-url", &model.base_url]);
    for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
        command.env(name, KEY);
    }
    command
}

/// `legwork run` with this model, answered as JSON.
pub(crate) fn run(program: &Program, model: &ScriptedModel, arguments: &[&str]) -> Command {
    let mut command = command(program, model, &["run"]);
    command.args(arguments).arg("--json");
    command
}

/// A decision as models write it: one line that says what to do.
pub(crate) fn line(command: &str) -> Value {
    json!({"why": "so", "do": command, "confidence": 0.9})
}

/// The ref of what a page shows as this: `link "Orders"`.
#[track_caller]
pub(crate) fn reference(page: &str, element: &str) -> String {
    let line = regex::Regex::new(&format!(r"{}[^\n]*?\[ref=(e\d+)\]", regex::escape(element))).unwrap();
    line.captures(page).unwrap_or_else(|| panic!("no {element} in {page}"))[1].to_owned()
}

/// Three steps on the page of a new order, the second of which only a model understands.
pub(crate) const MADE_UP: &str = "Type \"ada@example.org\" into \"E-mail\"
Make up a name for whoever it is that buys this
Check that \"New order\" is shown";
