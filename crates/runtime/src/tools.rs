//! Tools that a user adds to the agent: a function of a program that uses Legwork as a library, or the tools of an MCP
//! server. The model receives their names and schemas and calls them like any other command, with intent and result in
//! the journal and under the run's rules. The result of a tool is untrusted data, like the text of a page.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use legwork_agent::schema::ToolOffer;
use legwork_protocol::{ActionFailure, ActionResult, Call};
use serde_json::Value;
use thiserror::Error;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Maximum number of characters of a tool's result that a model receives.
const MAX_RESULT_CHARS: usize = 8_000;
/// Time limit of a call.
const CALL_TIMEOUT: Duration = Duration::from_secs(120);

/// A tool that the user supplies.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The description for the model.
    fn spec(&self) -> ToolSpec;

    /// Executes the tool. The arguments match the tool's schema; secrets in them are handles.
    ///
    /// # Errors
    /// The reason, in words that a model can act on.
    async fn call(&self, arguments: Value) -> Result<Value, ToolError>;
}

/// The description of a tool for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The tool's name: letters, digits, `_` and `-`, at most 64 characters.
    pub name: String,
    /// Its purpose in one sentence. The model receives the first 200 characters.
    pub about: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether it only reads. A tool that may change something needs approval, depending on `tools.approval`.
    pub reads: bool,
}

/// Why a tool failed.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ToolError(pub String);

/// When a person must approve a call of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approval {
    /// Never.
    Never,
    /// If the tool may change something.
    #[default]
    Mutating,
    /// Always.
    Always,
}

/// Two tools have the same name, or a tool has an invalid name.
#[derive(Debug, Error)]
pub enum ToolsError {
    /// Two tools have the same name.
    #[error("two tools are called {0:?}")]
    Twice(String),
    /// The name contains characters that a model cannot write.
    #[error("{0:?} is not a valid tool name: use letters, digits, _ and -, at most 64 characters")]
    Name(String),
}

/// The tools of a run.
#[derive(Clone, Default)]
pub(crate) struct Tools {
    by_name: BTreeMap<String, (ToolSpec, Arc<dyn Tool>)>,
    approve: Approval,
}

impl Tools {
    pub(crate) fn new(given: Vec<Arc<dyn Tool>>, approve: Approval) -> Result<Tools, ToolsError> {
        let mut by_name = BTreeMap::new();
        for tool in given {
            let spec = tool.spec();
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if spec.name.is_empty() || spec.name.len() > 64 || !spec.name.chars().all(fits) {
                return Err(ToolsError::Name(spec.name));
            }
            if by_name.contains_key(&spec.name) {
                return Err(ToolsError::Twice(spec.name));
            }
            by_name.insert(spec.name.clone(), (spec, tool));
        }
        Ok(Tools { by_name, approve })
    }

    /// The descriptions for the model.
    pub(crate) fn offers(&self) -> Arc<[ToolOffer]> {
        let offer = |(spec, _): &(ToolSpec, Arc<dyn Tool>)| ToolOffer {
            name: spec.name.clone(),
            about: spec.about.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect(),
            parameters: spec.parameters.to_string(),
        };
        self.by_name.values().map(offer).collect()
    }

    /// What the tools say about themselves: names, descriptions and schemas.
    pub(crate) fn descriptions(&self) -> Vec<String> {
        let said = |(spec, _): &(ToolSpec, Arc<dyn Tool>)| format!("{} {} {}", spec.name, spec.about, spec.parameters);
        self.by_name.values().map(said).collect()
    }

    /// The question for a person before this call, if it needs approval.
    pub(crate) fn question(&self, call: &Call) -> Option<String> {
        let (spec, _) = self.by_name.get(&call.tool)?;
        let asks = match self.approve {
            Approval::Never => false,
            Approval::Mutating => !spec.reads,
            Approval::Always => true,
        };
        asks.then(|| format!("Allow a call of the tool {} with {}? Answer yes or no.", call.tool, call.arguments))
    }

    pub(crate) async fn call(&self, call: &Call, cancel: &CancellationToken) -> ActionResult {
        let begun = Instant::now();
        let failed = |reason: String| {
            let failure = ActionFailure::ToolFailed { tool: call.tool.clone(), reason };
            ActionResult::failed(failure, begun.elapsed())
        };
        let Some((spec, tool)) = self.by_name.get(&call.tool) else {
            return failed("this run does not have this tool".to_owned());
        };
        if cancel.is_cancelled() {
            return ActionResult::failed(ActionFailure::Cancelled, begun.elapsed());
        }
        // The tool was called and did not return, so it may have changed something.
        let unanswered = |result: ActionResult| ActionResult { outcome_unknown: !spec.reads, ..result };
        tokio::select! {
            biased;
            () = cancel.cancelled() => unanswered(ActionResult::failed(ActionFailure::Cancelled, begun.elapsed())),
            answer = tokio::time::timeout(CALL_TIMEOUT, tool.call(call.arguments.clone())) => match answer {
                Ok(Ok(value)) => {
                    ActionResult { value: Some(shortened(value)), ..ActionResult::done(begun.elapsed()) }
                }
                Ok(Err(error)) => failed(error.0.chars().take(MAX_RESULT_CHARS).collect()),
                Err(_) => unanswered(failed(format!("no result within {} s", CALL_TIMEOUT.as_secs()))),
            },
        }
    }
}

/// The answers to a question that permits or refuses something.
pub(crate) const YES_OR_NO: [&str; 2] = ["yes", "no"];

/// Whether a person's answer means yes.
pub(crate) fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().trim_end_matches(['.', '!']), "yes" | "y" | "ok" | "allow" | "approve" | "ja")
}

fn shortened(value: Value) -> Value {
    let text = match &value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.chars().count() <= MAX_RESULT_CHARS {
        return value;
    }
    let kept: String = text.chars().take(MAX_RESULT_CHARS).collect();
    Value::String(format!("{kept}… (cut after {MAX_RESULT_CHARS} characters)"))
}
