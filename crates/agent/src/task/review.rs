//! The answer held against the criteria (004), with the evidence in view: `failed` and `partial` go back to the model with
//! the feedback, a few times; then the answer is rejected. A judge that cannot be had leaves it unvalidated, and says so.
//!
//! What code can check is no question for a model: an expectation in words that can be read is left to the page.

use legwork_protocol::{
    ChatReply, EventKind, Evidence, EvidenceKind, ModelFailure, Phase, Purpose, Quality, Review, Validation,
};
use serde_json::json;

use super::{
    Ending, Move, Notes, Task,
    advice::{Advice, Heard, Shape, Unheard},
    budgets,
    known::Context,
    mind::{self, Thought},
    model::{ModelRun, Stage},
    plan, read_check,
};
use crate::{
    context::{one_line, within},
    prompt::{ReviewAnswer, quote},
    schema::{self, SchemaProblem},
};

/// The most characters of feedback that are kept.
const FEEDBACK: usize = 300;

const SHAPE: Shape = Shape {
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
pub(super) struct Claim {
    pub(super) message: String,
    pub(super) answer: Option<String>,
}

/// What the answer is held against, when that is a question for a model.
fn criteria(task: &Task, notes: &Notes, cx: &Context<'_>) -> Option<String> {
    if !mind::thinks(cx.rules.thinking.planning, task) {
        return None;
    }
    if task.expect.as_deref().is_some_and(|expect| read_check(expect).is_ok()) {
        return None;
    }
    mind::with_criteria(task, notes).expect_text.clone()
}

impl ModelRun {
    /// Has the claim judged, when there is something to judge it by.
    pub(super) fn review(
        &mut self,
        message: &str,
        answer: bool,
        task: &Task,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Option<Move> {
        let criteria = criteria(task, notes, cx)?;
        let page = self.page.clone()?;
        let claim = Claim { message: message.to_owned(), answer: answer.then(|| message.to_owned()) };
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
        Some(match Advice::new(&SHAPE, &prompt, None, cx) {
            // An answer is not lost because nothing is left to judge it with.
            Ok(advice) if budgets::exceeded(advice.request(), cx).is_some() => {
                unvalidated(claim, "nothing is left of the budget", cx)
            }
            Ok(advice) => self.think(|advice| Thought::Review(advice, claim), advice),
            Err(why) => unjudged(claim, &why, cx),
        })
    }

    /// Whether it waits for a judgement: one that comes late still counts.
    pub(super) fn is_reviewing(&self) -> bool {
        matches!(&self.stage, Stage::Thinking(thought) if matches!(**thought, Thought::Review(..)))
    }

    pub(super) fn reviewed(
        &mut self,
        advice: Advice,
        claim: Claim,
        reply: Result<ChatReply, ModelFailure>,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Move {
        let (quality, feedback) = match advice.hear(reply, read, cx) {
            Heard::Reply(read) => read,
            Heard::Again(advice) if budgets::exceeded(advice.request(), cx).is_some() => {
                return unvalidated(claim, "nothing is left of the budget", cx);
            }
            Heard::Again(advice) => return self.think(|advice| Thought::Review(advice, claim), advice),
            Heard::Nothing(why) => return unjudged(claim, &why, cx),
        };
        notes.reviews += 1;
        let attempt = notes.reviews;
        cx.fact(EventKind::AnswerReviewed(Review { quality, feedback: feedback.clone(), attempt }));
        if matches!(quality, Quality::Complete | Quality::Excellent) {
            return Move::Ended(Ending::success(claim.message, claim.answer, Validation::Validated));
        }
        if attempt >= cx.rules.thinking.reviews {
            let mut ending = Ending::rejected(format!("the answer was rejected {attempt} times, last: {feedback}"));
            let said = format!("the answer was: {}", one_line(&claim.message, FEEDBACK));
            ending.error = ending.error.map(|error| error.with_details([said]));
            return Move::Ended(ending);
        }
        let judged = if quality == Quality::Failed { "failed" } else { "partial" };
        notes.history.note(format!("said it was done; judged {judged}: {feedback}"));
        self.hint = Some("Your answer was not accepted; the history's last line says what is missing.".to_owned());
        self.look()
    }
}

fn unjudged(claim: Claim, why: &Unheard, cx: &mut Context<'_>) -> Move {
    cx.trouble(why.code(), format!("nobody checked the answer: {why}"));
    Move::Ended(Ending::success(claim.message, claim.answer, Validation::Unvalidated))
}

fn unvalidated(claim: Claim, why: &str, cx: &mut Context<'_>) -> Move {
    cx.warn(format!("nobody checked the answer: {why}"));
    Move::Ended(Ending::success(claim.message, claim.answer, Validation::Unvalidated))
}

/// The facts seen by code, then what was done.
fn trail(notes: &Notes, budget: usize) -> String {
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
