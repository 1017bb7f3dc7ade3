//! An advisory model call, with the data that is needed when its reply arrives: a plan, a reflection, or the review of
//! an answer. [`super::plan`], [`super::reflect`] and [`super::review`] create the prompts and parse the replies.

use legwork_protocol::{ChatReply, Decision, ModelFailure, Phase, Plan};

use super::{
    budgets,
    model_call::{PendingModelCall, ReplyFailure, ReplyOutcome},
    plan,
    reflect::{self, ReflectionReply},
    review::{self, ReviewReply},
    run_context::StepContext,
};
use crate::{Need, NeedResult};

/// A call in progress.
pub(crate) enum AdvisoryCall {
    Plan(PendingModelCall),
    Reflection(PendingModelCall, ReflectionSubject),
    Review(PendingModelCall, ClaimedResult),
}

/// The result of a call.
pub(crate) enum AdvisoryResult {
    Plan(Result<Plan, ReplyFailure>),
    Reflection(ReflectionSubject, Result<ReflectionReply, ReplyFailure>),
    Review(ClaimedResult, Result<ReviewReply, NoReview>),
}

/// The subject of a reflection.
pub(crate) enum ReflectionSubject {
    /// An uncertain decision.
    Decision(Box<Decision>),
    /// A description of consecutive failures.
    Failures(String),
}

/// A claim that the task is done.
pub(crate) struct ClaimedResult {
    pub(crate) message: String,
    pub(crate) answer: Option<String>,
}

/// The reason why an answer is not reviewed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoReview {
    #[error("the budget is used up")]
    Budget,
    #[error(transparent)]
    Reply(#[from] ReplyFailure),
}

/// What follows the response to an advisory call.
pub(crate) enum AdvisoryStep {
    /// The call has ended.
    Done(AdvisoryResult),
    /// The reply cannot be used, and is requested once more.
    Retry(Box<AdvisoryCall>),
}

impl AdvisoryCall {
    pub(crate) fn need(&self) -> Need {
        match self {
            AdvisoryCall::Plan(call) | AdvisoryCall::Reflection(call, _) | AdvisoryCall::Review(call, _) => call.need(),
        }
    }

    /// Parses the reply. Returns the call again if the reply is unusable and may be requested once more.
    pub(crate) fn handle_result(self, response: NeedResult, cx: &mut StepContext<'_>) -> AdvisoryStep {
        let reply = match response {
            NeedResult::Decided(reply) => reply,
            _ => return AdvisoryStep::Done(self.failed(ReplyFailure::Stray)),
        };
        match self {
            AdvisoryCall::Plan(call) => planned(call, reply, cx),
            AdvisoryCall::Reflection(call, subject) => match call.handle_response(reply, reflect::read, cx) {
                ReplyOutcome::Reply(reflection) => {
                    AdvisoryStep::Done(AdvisoryResult::Reflection(subject, Ok(reflection)))
                }
                ReplyOutcome::Retry(call) => AdvisoryStep::Retry(Box::new(AdvisoryCall::Reflection(call, subject))),
                ReplyOutcome::Failed(why) => AdvisoryStep::Done(AdvisoryResult::Reflection(subject, Err(why))),
            },
            AdvisoryCall::Review(call, claim) => match call.handle_response(reply, review::read, cx) {
                ReplyOutcome::Reply(review) => AdvisoryStep::Done(AdvisoryResult::Review(claim, Ok(review))),
                ReplyOutcome::Retry(call) if budgets::exceeded(call.request(), cx).is_some() => {
                    AdvisoryStep::Done(AdvisoryResult::Review(claim, Err(NoReview::Budget)))
                }
                ReplyOutcome::Retry(call) => AdvisoryStep::Retry(Box::new(AdvisoryCall::Review(call, claim))),
                ReplyOutcome::Failed(why) => AdvisoryStep::Done(AdvisoryResult::Review(claim, Err(why.into()))),
            },
        }
    }

    fn failed(self, why: ReplyFailure) -> AdvisoryResult {
        match self {
            AdvisoryCall::Plan(_) => AdvisoryResult::Plan(Err(why)),
            AdvisoryCall::Reflection(_, subject) => AdvisoryResult::Reflection(subject, Err(why)),
            AdvisoryCall::Review(_, claim) => AdvisoryResult::Review(claim, Err(why.into())),
        }
    }
}

fn planned(call: PendingModelCall, reply: Result<ChatReply, ModelFailure>, cx: &mut StepContext<'_>) -> AdvisoryStep {
    cx.phase(Phase::ProcessingResponse);
    match call.handle_response(reply, plan::read, cx) {
        ReplyOutcome::Reply(plan) => AdvisoryStep::Done(AdvisoryResult::Plan(Ok(plan))),
        ReplyOutcome::Retry(call) => {
            cx.phase(Phase::QueryingAi);
            AdvisoryStep::Retry(Box::new(AdvisoryCall::Plan(call)))
        }
        ReplyOutcome::Failed(why) => AdvisoryStep::Done(AdvisoryResult::Plan(Err(why))),
    }
}
