//! A scripted model over real HTTP that executes a list of commands, one per turn. Then it claims success whatever the
//! page shows: to the agent, in its own review, and again after an objection.

use std::io;

use legwork_testing::model::{Asked, Reply, Script, ScriptedModel, Wire};
use serde_json::{Value, json};

/// Starts a model for a case.
pub(super) async fn start(commands: Vec<String>) -> io::Result<ScriptedModel> {
    ScriptedModel::start(Wire::OpenAi, script(commands)).await
}

fn script(commands: Vec<String>) -> Script {
    let mut commands = commands.into_iter();
    Script::of(move |asked: &Asked| {
        let text = asked.last();
        // Each request outside the main loop contains the shape of its reply.
        Reply::Json(if text.contains("\"successCriteria\"") {
            json!({ "successCriteria": "it is done", "plan": "do it", "actionItems": ["do it"], "startUrl": null })
        } else if text.contains("\"quality\"") {
            json!({ "quality": "excellent", "feedback": "everything was done" })
        } else if text.contains("\"planHolds\"") {
            json!({ "verdict": "PROCEED", "risk": "LOW", "thought": "all is well", "planHolds": true })
        } else {
            decision(commands.next())
        })
    })
}

fn decision(command: Option<String>) -> Value {
    match command {
        Some(command) => json!({ "why": "as asked", "do": command, "confidence": 0.95 }),
        None => json!({ "why": "it worked", "do": "done \"It was done successfully.\"", "confidence": 0.99 }),
    }
}
