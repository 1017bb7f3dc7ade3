//! Reflections: a model reconsiders a decision of low confidence before it changes something that cannot be undone, and
//! reconsiders after consecutive failures. Creates the prompt and parses the reply. A single failure does not justify a
//! call, because the model reads it in its history anyway.

use legwork_observe::Snapshot;
use legwork_protocol::{Command, Purpose, Risk, TargetKind, Verdict};
use serde_json::json;

use super::{
    StepNotes, Task,
    model_call::{ExpectedReply, PendingModelCall, ReplyFailure},
    plan,
    run_context::StepContext,
};
use crate::{
    context::one_line,
    prompt::{Reflect, quote},
    schema::{self, SchemaProblem},
};

/// The maximum number of reflections of one task.
pub(super) const LIMIT: u32 = 8;
/// The maximum number of characters of a thought.
pub(super) const MAX_THOUGHT: usize = 300;
/// The number of consecutive failures that causes one reflection.
pub(super) const FAILURES_BEFORE_REFLECTION: u32 = 2;

const SHAPE: ExpectedReply = ExpectedReply {
    purpose: Purpose::Reflect,
    name: "reflection",
    example: r#"{"verdict":"PROCEED|RETRY|ABORT","risk":"LOW|MEDIUM|HIGH","thought":"…","planHolds":true}"#,
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "verdict": { "type": "string", "enum": ["PROCEED", "RETRY", "ABORT"] },
                "risk": { "type": "string", "enum": ["LOW", "MEDIUM", "HIGH"] },
                "thought": { "type": "string" },
                "planHolds": { "type": "boolean" },
            },
            "required": ["verdict", "risk", "thought", "planHolds"],
            "additionalProperties": false,
        })
    },
};

const VERDICT: &[&str] = &["verdict", "decision", "action"];
const WORDS: &[&str] = &["thought", "reasoning", "reason", "message", "suggestedmodifications"];
const RISK: &[&str] = &["risk", "risklevel", "riskassessment"];
const HOLDS: &[&str] = &["planholds"];

/// The reply of a reflection.
pub(crate) struct ReflectionReply {
    pub(super) verdict: Verdict,
    pub(super) risk: Risk,
    pub(super) thought: String,
    pub(super) plan_holds: bool,
}

/// The call for a reflection on an uncertain action or on the history.
pub(super) fn call(
    page: Option<&Snapshot>,
    doubt: Option<&str>,
    task: &Task,
    notes: &StepNotes,
    cx: &StepContext<'_>,
) -> Result<PendingModelCall, ReplyFailure> {
    let budget = cx.rules.context_tokens / 16;
    let at = page.map(|page| format!("{} {:?}", page.url, page.title)).unwrap_or_default();
    let trail = quote("history", &[at, notes.history.lines(budget).join("\n")].join("\n"));
    let plan = notes.plan.as_ref().map(plan::in_words);
    let prompt = Reflect { task: &task.text, doubt, plan: plan.as_deref(), trail: &trail, shape: SHAPE.example };
    PendingModelCall::new(&SHAPE, &prompt, None, cx)
}

/// `click button "Send"`: describes elements by role and name instead of their refs.
pub(super) fn in_words(commands: &[Command], page: Option<&Snapshot>) -> String {
    let one = |command: &Command| {
        let action = &command.action;
        let element = action.target().map(|target| match (target.kind(), page) {
            (TargetKind::Ref(reference), Some(page)) => page.find_ref(reference).map_or_else(
                || target.0.clone(),
                |index| {
                    let node = &page.nodes[index];
                    format!("{} {:?}", node.role, one_line(&node.name, 80))
                },
            ),
            _ => target.0.clone(),
        });
        [Some(action.name().to_owned()), element].into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    commands.iter().map(one).collect::<Vec<_>>().join(", then ")
}

/// Whether a person agrees.
pub(super) fn is_yes(answer: &str) -> bool {
    let answer = answer.trim().to_lowercase();
    matches!(answer.as_str(), "y" | "yes" | "ok" | "go on" | "do it" | "proceed")
}

pub(super) fn read(text: &str) -> Result<ReflectionReply, SchemaProblem> {
    let fields = schema::object(text, &[VERDICT, WORDS].concat())?;
    let word = fields.text(VERDICT).unwrap_or_default().to_uppercase();
    let verdict = match word.as_str() {
        "PROCEED" | "CONTINUE" => Verdict::Proceed,
        "RETRY" => Verdict::Retry,
        "ABORT" | "STOP" => Verdict::Abort,
        _ => return Err(SchemaProblem::whole("verdict PROCEED, RETRY or ABORT", word)),
    };
    let risk = match fields.text(RISK).unwrap_or_default().to_uppercase().as_str() {
        "HIGH" => Risk::High,
        "LOW" => Risk::Low,
        _ => Risk::Medium,
    };
    let thought = fields.text(WORDS).unwrap_or_else(|| "no reason was given".to_owned());
    Ok(ReflectionReply {
        verdict,
        risk,
        thought: one_line(&thought, MAX_THOUGHT),
        plan_holds: fields.flag(HOLDS).unwrap_or(true),
    })
}
