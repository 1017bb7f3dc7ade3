//! Starts the program with a scripted model, and helps such a model to read the page in its request.

use std::process::Command;

use legwork_testing::model::ScriptedModel;
use serde_json::{Value, json};

use crate::support::Program;

/// The API key in the requests to every provider.
pub(crate) const KEY: &str = "sk-a-key-for-tests";

/// The program with this model, and the key for its provider.
pub(crate) fn command(program: &Program, model: &ScriptedModel, arguments: &[&str]) -> Command {
    let mut command = program.command(arguments);
    command.args(["--model", model.model_name(), "--base-url", &model.base_url]);
    for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
        command.env(name, KEY);
    }
    command
}

/// `legwork run` with this model and JSON output.
pub(crate) fn run(program: &Program, model: &ScriptedModel, arguments: &[&str]) -> Command {
    let mut command = command(program, model, &["run"]);
    command.args(arguments).arg("--json");
    command
}

/// A decision in the short form of models: one line with a command.
pub(crate) fn line(command: &str) -> Value {
    json!({"why": "so", "do": command, "confidence": 0.9})
}

/// The ref of an element in a snapshot: `link "Orders"`.
#[track_caller]
pub(crate) fn reference(page: &str, element: &str) -> String {
    let line = regex::Regex::new(&format!(r"{}[^\n]*?\[ref=(e\d+)\]", regex::escape(element))).unwrap();
    line.captures(page).unwrap_or_else(|| panic!("no {element} in {page}"))[1].to_owned()
}

/// Three steps on the page for a new order. Only a model understands the second one.
pub(crate) const MADE_UP: &str = "Type \"ada@example.org\" into \"E-mail\"
Make up a name for whoever it is that buys this
Check that \"New order\" is shown";
