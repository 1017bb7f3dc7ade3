//! Reviews of an answer against the criteria of the task, with the evidence. Creates the prompt and parses the reply.
//!
//! What code can check needs no model: an expectation that the parser understands is checked on the page.

use std::borrow::Cow;

use legwork_observe::{Snapshot, tokens::count};
use legwork_protocol::{Purpose, Quality};
use serde_json::json;

use super::{
    StepNotes, Task,
    model_call::{ExpectedReply, PendingModelCall, ReplyFailure},
    plan, planning_policy, read_check,
    run_context::StepContext,
};
use crate::{
    context::{one_line, within},
    prompt::{ReviewAnswer, quote},
    schema::{self, SchemaProblem},
};

/// The maximum number of characters of feedback.
pub(super) const MAX_FEEDBACK: usize = 300;

const SHAPE: ExpectedReply = ExpectedReply {
    purpose: Purpose::Validate,
    name: "review",
    example: r#"{"quality":"failed|partial|complete|excellent","feedback":"…"}"#,
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "quality": { "type": "string", "enum": ["failed", "partial", "complete", "excellent"] },
                "feedback": { "type": "string" },
            },
            "required": ["quality", "feedback"],
            "additionalProperties": false,
        })
    },
};

const QUALITY: &[&str] = &["quality", "completionquality", "taskquality"];
const WORDS: &[&str] = &["feedback", "observation", "reason", "message"];

/// The criterion for a list of instructions, which the prompt contains as the task.
const WHOLE_LIST: &str = "every instruction of the task was carried out";

/// The reply of a review.
pub(crate) struct ReviewReply {
    pub(super) quality: Quality,
    pub(super) feedback: String,
}

/// The criteria for the answer, if a model must check them.
pub(super) fn criteria(task: &Task, notes: &StepNotes, cx: &StepContext<'_>) -> Option<String> {
    if !planning_policy::is_enabled(cx.rules.thinking.planning, task) {
        return None;
    }
    if task.expect.as_deref().is_some_and(|expect| read_check(expect).is_ok()) {
        return None;
    }
    let stated = with_criteria(task, notes).expect_text.clone();
    // A list of instructions is its own plan, and its instructions are the criteria.
    let of_list = (notes.plan.is_none() && planning_policy::is_a_list(&task.text)).then(|| WHOLE_LIST.to_owned());
    let all: Vec<String> = stated.into_iter().chain(of_list).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The task with the plan's criteria as its expectation.
pub(super) fn with_criteria<'a>(task: &'a Task, notes: &StepNotes) -> Cow<'a, Task> {
    let Some(plan) = notes.plan.as_ref().filter(|plan| !plan.success_criteria.is_empty()) else {
        return Cow::Borrowed(task);
    };
    let wanted = [task.expect_text.as_deref(), Some(&plan.success_criteria)];
    let expect_text = Some(wanted.into_iter().flatten().collect::<Vec<_>>().join("; "));
    Cow::Owned(Task { expect_text, ..task.clone() })
}

/// The call for the review of an answer, with the page at the end.
pub(super) fn call(
    answer: &str,
    criteria: &str,
    page: &Snapshot,
    task: &Task,
    notes: &StepNotes,
    cx: &StepContext<'_>,
) -> Result<PendingModelCall, ReplyFailure> {
    // The answer, the facts and the history share what the page and the instruction leave.
    let most = cx.rules.context_tokens / 8;
    let budget = (cx.rules.context_tokens * 3 / 4).saturating_sub(count(&task.text) + count(criteria)) / 4;
    let budget = budget.min(most);
    let prompt = ReviewAnswer {
        task: &task.text,
        criteria,
        answer: &quote("answer", &within(answer, budget)),
        trail: &quote("evidence", &trail(notes, budget)),
        page: &plan::shown(page, cx),
        shape: SHAPE.example,
    };
    PendingModelCall::new(&SHAPE, &prompt, None, cx)
}

/// The facts that code observed, then the actions.
fn trail(notes: &StepNotes, budget: usize) -> String {
    let facts: Vec<String> = notes.evidence.iter().map(|evidence| format!("- {}", evidence.fact)).collect();
    let facts = within(&facts.join("\n"), budget);
    [facts, notes.history.lines(budget).join("\n")].join("\n")
}

pub(super) fn read(text: &str) -> Result<ReviewReply, SchemaProblem> {
    let fields = schema::object(text, QUALITY)?;
    let word = fields.text(QUALITY).unwrap_or_default().to_lowercase();
    let quality = match word.trim_end_matches('.') {
        "failed" | "fail" | "failure" => Quality::Failed,
        "partial" | "incomplete" => Quality::Partial,
        "complete" | "completed" | "success" => Quality::Complete,
        "excellent" => Quality::Excellent,
        _ => return Err(SchemaProblem::whole("quality failed, partial, complete or excellent", word)),
    };
    let feedback = fields.text(WORDS).unwrap_or_else(|| "no reason was given".to_owned());
    Ok(ReviewReply { quality, feedback: one_line(&feedback, MAX_FEEDBACK) })
}
