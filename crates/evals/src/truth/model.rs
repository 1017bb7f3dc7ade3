//! A scripted model over real HTTP that carries out a list of commands, a turn each, and then claims success whatever the
//! page says: to the agent, to its own review, and again when it is told that it was wrong.

use std::io;

use legwork_testing::model::{Asked, Reply, Script, ScriptedModel, Wire};
use serde_json::{Value, json};

/// Starts one for a case.
pub(super) async fn start(commands: Vec<String>) -> io::Result<ScriptedModel> {
    ScriptedModel::start(Wire::OpenAi, script(commands)).await
}

fn script(commands: Vec<String>) -> Script {
    let mut commands = commands.into_iter();
    Script::of(move |asked: &Asked| {
        let text = asked.last();
        // Each call beside the loop shows the shape of its reply.
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
