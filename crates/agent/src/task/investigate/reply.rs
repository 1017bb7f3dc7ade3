//! Parses a model's reply in a round of an investigation.

use legwork_protocol::{Purpose, Tool};
use serde_json::{Map, Value, json};

use crate::{
    context::one_line,
    schema::{self, SchemaProblem},
    task::model_call::ExpectedReply,
};

/// The maximum number of characters of a text.
const TEXT: usize = 400;

/// A reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InvestigationReply {
    pub(super) insight: String,
    pub(super) confidence: f64,
    pub(super) target: Option<String>,
    pub(super) purpose: String,
    /// The tool, or an unknown name.
    pub(super) tool: Option<Result<Tool, &'static str>>,
    pub(super) on: String,
}

impl InvestigationReply {
    pub(super) fn read(text: &str) -> Result<InvestigationReply, SchemaProblem> {
        let keys = ["insight", "confidence", "target", "tool"];
        let object = schema::parse_with(text, &keys, "insight, confidence, target, tool")?.object;
        let said = |key: &str| {
            let text = object.get(key).and_then(Value::as_str).unwrap_or_default().trim();
            (!text.is_empty() && text != "null").then(|| one_line(text, TEXT))
        };
        let tool = said("tool").filter(|tool| tool != "none").map(|tool| named(&tool));
        Ok(InvestigationReply {
            insight: said("insight").unwrap_or_default(),
            confidence: confidence(&object),
            target: said("target"),
            purpose: said("purpose").unwrap_or_default(),
            tool,
            on: said("on").unwrap_or_default(),
        })
    }
}

/// The confidence, 0 to 1. 0 to 100 is accepted as well; a missing value is 0.
fn confidence(object: &Map<String, Value>) -> f64 {
    let number = object.get("confidence").and_then(Value::as_f64).unwrap_or(0.0);
    if number > 1.0 { (number / 100.0).clamp(0.0, 1.0) } else { number.max(0.0) }
}

/// A tool by its name or an alias.
fn named(word: &str) -> Result<Tool, &'static str> {
    Ok(match word.to_ascii_lowercase().as_str() {
        "look" | "screenshot_analysis" | "screenshot" => Tool::Look,
        "read" | "text_extraction" => Tool::Read,
        "dom" | "full_dom_retrieval" => Tool::Dom,
        "subdom" | "sub_dom_extraction" => Tool::Subdom,
        "find" | "search" => Tool::Find,
        _ => return Err("no such tool"),
    })
}

pub(super) const SHAPE: ExpectedReply = ExpectedReply {
    purpose: Purpose::Investigate,
    name: "investigation",
    example: r#"{"insight":"…","confidence":0.9,"target":"e12","purpose":"…","tool":null,"on":null}"#,
    schema: || {
        let text = json!({"type": ["string", "null"]});
        let tools = json!({"type": ["string", "null"], "enum": ["find", "subdom", "read", "look", "dom", null]});
        json!({
            "type": "object",
            "properties": {
                "insight": {"type": "string"}, "confidence": {"type": "number"}, "target": text, "purpose": text,
                "tool": tools, "on": text,
            },
            "required": ["insight", "confidence", "target", "purpose", "tool", "on"],
            "additionalProperties": false,
        })
    },
};
