//! The answer checked against the criteria (004), with the evidence in view: `failed` and `partial` go back to the model with
//! the feedback, a few times; then the answer is rejected. A judge that cannot be had leaves it unvalidated, and says so.
//!
//! What code can check is no question for a model: an expectation in words that can be read is left to the page.

use legwork_protocol::{
    ChatReply, EventKind, Evidence, EvidenceKind, ModelFailure, Phase, Purpose, Quality, Review, Validation,
};
use serde_json::json;

use super::{
    Ending, StepNotes, Task, Transition,
    advice::{ExpectedReply, PendingModelCall, ReplyFailure, ReplyOutcome},
    advisory::{self, PendingAdvisory},
    budgets,
    model::{ModelRun, ModelStage},
    plan, read_check,
    run_context::StepContext,
};
use crate::{
    context::{one_line, within},
    prompt::{ReviewAnswer, quote},
    schema::{self, SchemaProblem},
};

/// The most characters of feedback that are kept.
const FEEDBACK: usize = 300;

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

/// A claim that the task is done.
pub(super) struct ClaimedResult {
    pub(super) message: String,
    pub(super) answer: Option<String>,
}

/// What the answer is checked against, when that is a question for a model.
fn criteria(task: &Task, notes: &StepNotes, cx: &StepContext<'_>) -> Option<String> {
    if !advisory::is_enabled(cx.rules.thinking.planning, task) {
        return None;
    }
    if task.expect.as_deref().is_some_and(|expect| read_check(expect).is_ok()) {
        return None;
    }
    advisory::with_criteria(task, notes).expect_text.clone()
}

impl ModelRun {
    /// Has the claim judged, when there is something to judge it by.
    pub(super) fn review(
        &mut self,
        message: &str,
        answer: bool,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let criteria = criteria(task, notes, cx)?;
        let page = self.page.clone()?;
        let claim = ClaimedResult { message: message.to_owned(), answer: answer.then(|| message.to_owned()) };
        cx.phase(Phase::Validating);
        // Where it ended is part of what shows it.
        notes.saw([
            Evidence::seen(EvidenceKind::Url, format!("the address is {}", page.url)),
            Evidence::seen(EvidenceKind::Title, format!("the title is {:?}", page.title)),
        ]);
        let budget = cx.rules.context_tokens / 8;
        let prompt = ReviewAnswer {
            task: &within(&task.text, budget),
            criteria: &criteria,
            answer: &quote("answer", &within(message, budget)),
            trail: &quote("evidence", &trail(notes, budget)),
            page: &plan::shown(&page, cx),
            shape: SHAPE.example,
        };
        Some(match PendingModelCall::new(&SHAPE, &prompt, None, cx) {
            // An answer is not lost because nothing is left to judge it with.
            Ok(advice) if budgets::exceeded(advice.request(), cx).is_some() => {
                unvalidated(claim, "nothing is left of the budget", cx)
            }
            Ok(advice) => self.think(|advice| PendingAdvisory::Review(advice, claim), advice),
            Err(why) => unjudged(claim, &why, cx),
        })
    }

    /// Whether it waits for a judgement: one that comes late still counts.
    pub(super) fn is_reviewing(&self) -> bool {
        matches!(&self.stage, ModelStage::Thinking(call) if matches!(**call, PendingAdvisory::Review(..)))
    }

    pub(super) fn reviewed(
        &mut self,
        advice: PendingModelCall,
        claim: ClaimedResult,
        reply: Result<ChatReply, ModelFailure>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let (quality, feedback) = match advice.handle_response(reply, read, cx) {
            ReplyOutcome::Reply(read) => read,
            ReplyOutcome::Retry(advice) if budgets::exceeded(advice.request(), cx).is_some() => {
                return unvalidated(claim, "nothing is left of the budget", cx);
            }
            ReplyOutcome::Retry(advice) => return self.think(|advice| PendingAdvisory::Review(advice, claim), advice),
            ReplyOutcome::Failed(why) => return unjudged(claim, &why, cx),
        };
        notes.reviews += 1;
        let attempt = notes.reviews;
        cx.fact(EventKind::AnswerValidated(Review { quality, feedback: feedback.clone(), attempt }));
        if matches!(quality, Quality::Complete | Quality::Excellent) {
            // A model that judges its own work is believed as far as something was seen that the work led to.
            let validation = if notes.in_vain { Validation::Unvalidated } else { Validation::Validated };
            return Transition::Ended(Ending::success(claim.message, claim.answer, validation));
        }
        if attempt >= cx.rules.thinking.reviews {
            let mut ending = Ending::rejected(format!("the answer was rejected {attempt} times, last: {feedback}"));
            let said = format!("the answer was: {}", one_line(&claim.message, FEEDBACK));
            ending.error = ending.error.map(|error| error.with_details([said]));
            return Transition::Ended(ending);
        }
        let judged = if quality == Quality::Failed { "failed" } else { "partial" };
        notes.history.note(format!("said it was done; judged {judged}: {feedback}"));
        self.hint = Some("Your answer was not accepted; the history's last line says what is missing.".to_owned());
        self.look()
    }
}

fn unjudged(claim: ClaimedResult, why: &ReplyFailure, cx: &mut StepContext<'_>) -> Transition {
    cx.trouble(why.code(), format!("nobody checked the answer: {why}"));
    Transition::Ended(Ending::success(claim.message, claim.answer, Validation::Unvalidated))
}

fn unvalidated(claim: ClaimedResult, why: &str, cx: &mut StepContext<'_>) -> Transition {
    cx.warn(format!("nobody checked the answer: {why}"));
    Transition::Ended(Ending::success(claim.message, claim.answer, Validation::Unvalidated))
}

/// The facts seen by code, then what was done.
fn trail(notes: &StepNotes, budget: usize) -> String {
    let facts: Vec<String> = notes.evidence.iter().map(|evidence| format!("- {}", evidence.fact)).collect();
    let facts = within(&facts.join("\n"), budget);
    [facts, notes.history.lines(budget).join("\n")].join("\n")
}

fn read(text: &str) -> Result<(Quality, String), SchemaProblem> {
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
    Ok((quality, one_line(&feedback, FEEDBACK)))
}
