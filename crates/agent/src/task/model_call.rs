//! Model calls outside of the turns: a plan, a reflection, a review, a round of an investigation, a chunk of an
//! extraction. All follow one procedure: call the model; if its reply is unusable, call it again with a description of
//! the defects; if that fails, continue without the result. A call that only advises must not end a task.

use std::{sync::Arc, time::Duration};

use legwork_protocol::{ChatReply, ChatRequest, ChatRole, Code, Image, Message, ModelFailure, Purpose, ReplySchema};
use serde_json::Value;

use super::run_context::StepContext;
use crate::{
    Need,
    context::clipped,
    prompt::{self, Prompt, PromptError},
    schema::{self, SchemaProblem},
};

/// The maximum number of characters of an unusable reply that the repair prompt quotes.
pub(super) const REPLY: usize = 2_000;

/// The shape of a reply.
#[derive(Clone, Copy)]
pub(super) struct ExpectedReply {
    pub(super) purpose: Purpose,
    /// The name of the shape, for providers and warnings.
    pub(super) name: &'static str,
    /// An example of a reply, for the prompt.
    pub(super) example: &'static str,
    /// The JSON Schema, for providers that enforce one.
    pub(super) schema: fn() -> Value,
}

/// A call in progress.
#[derive(Debug)]
pub(crate) struct PendingModelCall {
    name: &'static str,
    example: &'static str,
    /// The first request. Descriptions of defects are added to a copy.
    first: ChatRequest,
    request: ChatRequest,
    /// The schema of the reply. After a reply that does not match it, it is sent to the provider.
    schema: Option<ReplySchema>,
    /// How often the model may still be called again.
    retries_left: u32,
}

/// The result of a call.
pub(super) enum ReplyOutcome<T> {
    Reply(T),
    /// The reply is unusable: call the model once more.
    Retry(PendingModelCall),
    /// The call failed; continue without its result.
    Failed(ReplyFailure),
}

/// The reason for which a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplyFailure {
    #[error("no model is configured")]
    NoModel,
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error("{}", .0.message)]
    Unanswered(ModelFailure),
    /// A result of another need. Only a defect can cause it.
    #[error("an unexpected result was received")]
    Stray,
    /// The defects of the last reply.
    #[error("{}", .problems.join("; "))]
    UnusableReply { content: String, problems: Vec<String> },
}

impl ReplyFailure {
    /// The code of the error.
    pub(super) fn code(&self) -> Code {
        match self {
            ReplyFailure::NoModel => Code::SettingsInvalid,
            ReplyFailure::Prompt(_) => Code::Prompt,
            ReplyFailure::Unanswered(_) => Code::AiCommunication,
            ReplyFailure::Stray => Code::Internal,
            ReplyFailure::UnusableReply { .. } => Code::SchemaValidation,
        }
    }
}

impl PendingModelCall {
    /// A call with one prompt, which may be repeated once.
    pub(super) fn new(
        shape: &ExpectedReply,
        prompt: &impl Prompt,
        image: Option<Image>,
        cx: &StepContext<'_>,
    ) -> Result<PendingModelCall, ReplyFailure> {
        let rules = cx.rules.model.as_ref().ok_or(ReplyFailure::NoModel)?;
        let schema =
            ReplySchema { name: shape.name.to_owned(), schema: Arc::new(schema::normalised(&(shape.schema)())) };
        let request = ChatRequest {
            schema: rules.native_schema.then(|| schema.clone()),
            ..request(shape.purpose, prompt::render(prompt)?, image, rules.max_reply_tokens)
        };
        Ok(PendingModelCall::of(request, Some(schema), shape.name, shape.example, 1))
    }

    /// A call with a finished request.
    pub(super) fn of(
        request: ChatRequest,
        schema: Option<ReplySchema>,
        name: &'static str,
        example: &'static str,
        retries_left: u32,
    ) -> PendingModelCall {
        PendingModelCall { name, example, first: request.clone(), request, schema, retries_left }
    }

    /// Limits the number of tokens of the reply.
    pub(super) fn within(mut self, tokens: u32) -> PendingModelCall {
        for request in [&mut self.first, &mut self.request] {
            request.max_reply_tokens = request.max_reply_tokens.min(tokens);
        }
        self
    }

    /// Limits the time until the reply.
    pub(super) fn until(mut self, limit: Duration) -> PendingModelCall {
        self.request.time_limit = Some(limit);
        self
    }

    pub(super) fn need(&self) -> Need {
        Need::Decide(self.request.clone())
    }

    /// The next request.
    pub(super) fn request(&self) -> &ChatRequest {
        &self.request
    }

    /// Parses the reply. Its cost is counted even if the reply is unusable.
    pub(super) fn handle_response<T, E: Into<Vec<SchemaProblem>>>(
        self,
        reply: Result<ChatReply, ModelFailure>,
        read: impl FnOnce(&str) -> Result<T, E>,
        cx: &mut StepContext<'_>,
    ) -> ReplyOutcome<T> {
        let (content, problems) = match reply {
            Ok(reply) => {
                cx.run_context.usage += reply.usage;
                match read(&reply.text) {
                    Ok(read) => return ReplyOutcome::Reply(read),
                    Err(problems) => (reply.text, problems.into()),
                }
            }
            // The transport has already retried. An unusable reply may be accidental, so the model is called again.
            Err(failure) if failure.is_unusable_reply() && failure.retryable => {
                (String::new(), vec![SchemaProblem::whole("a JSON object", &failure.message)])
            }
            Err(failure) => return ReplyOutcome::Failed(ReplyFailure::Unanswered(failure)),
        };
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if self.retries_left == 0 {
            return ReplyOutcome::Failed(ReplyFailure::UnusableReply { content, problems });
        }
        let mut request = self.first.clone();
        request.schema = request.schema.or_else(|| self.schema.clone());
        match repair(&mut request, &clipped(&content, REPLY), &problems, self.example) {
            Ok(()) => {
                cx.warn(format!("the {} is unusable and is requested again: {}", self.name, problems.join("; ")));
                ReplyOutcome::Retry(PendingModelCall { request, retries_left: self.retries_left - 1, ..self })
            }
            Err(error) => ReplyOutcome::Failed(error.into()),
        }
    }
}

/// Adds a reply and the description of its defects to a request.
pub(super) fn repair(
    request: &mut ChatRequest,
    content: &str,
    problems: &[String],
    shape: &str,
) -> Result<(), PromptError> {
    let repair = prompt::render(&prompt::Repair { problems, shape })?;
    let content = if content.trim().is_empty() { "(no reply)" } else { content };
    request.messages.push(message(ChatRole::Assistant, content.to_owned()));
    request.messages.push(message(ChatRole::User, repair));
    Ok(())
}

/// A request with one text, and optionally an image.
pub(super) fn request(purpose: Purpose, text: String, image: Option<Image>, max_reply_tokens: u32) -> ChatRequest {
    let mut content = message(ChatRole::User, text);
    content.images.extend(image);
    ChatRequest {
        purpose,
        tier: Default::default(),
        messages: vec![content],
        schema: None,
        max_reply_tokens,
        time_limit: None,
    }
}

pub(super) fn message(speaker: ChatRole, text: String) -> Message {
    Message { speaker, text: text.into(), images: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelRules, Rules, task::RunContext};

    #[derive(serde::Serialize)]
    struct Nowhere;
    impl Prompt for Nowhere {
        const NAME: &'static str = "nowhere";
    }

    #[test]
    fn a_prompt_that_cannot_be_made_is_no_call() {
        let shape = ExpectedReply { purpose: Purpose::Plan, name: "plan", example: "{}", schema: || Value::Null };
        let (mut run_context, mut facts) = (RunContext::default(), Vec::new());
        let rules = Rules { model: Some(ModelRules::default()), ..Rules::default() };
        let cx =
            StepContext { now: Default::default(), rules: &rules, run_context: &mut run_context, facts: &mut facts };
        let why = PendingModelCall::new(&shape, &Nowhere, None, &cx).expect_err("there is no such template");
        assert_eq!(why.code(), Code::Prompt);
        assert_eq!(why.to_string(), "the prompt nowhere cannot be rendered");
    }

    #[test]
    fn a_reply_that_did_not_fit_is_asked_for_again_with_the_schema() {
        let shape =
            ExpectedReply { purpose: Purpose::Plan, name: "plan", example: "{}", schema: || serde_json::json!({}) };
        let (mut run_context, mut facts) = (RunContext::default(), Vec::new());
        let rules =
            Rules { model: Some(ModelRules { native_schema: false, ..ModelRules::default() }), ..Rules::default() };
        let mut cx =
            StepContext { now: Default::default(), rules: &rules, run_context: &mut run_context, facts: &mut facts };
        let prompt = prompt::LookAt { task: "x", marks: false };
        let advice = PendingModelCall::new(&shape, &prompt, None, &cx).expect("there is a model");
        assert_eq!(advice.request.schema, None, "it costs tokens, and most models need none");
        let failure = ModelFailure { code: Code::ModelReply, message: "cut off".into(), retryable: true };
        let heard = advice.handle_response(Err(failure), |_| Err::<(), _>(SchemaProblem::whole("a plan", "")), &mut cx);
        let ReplyOutcome::Retry(again) = heard else { panic!("it is asked for again") };
        assert_eq!(again.request.schema.map(|schema| schema.name), Some("plan".to_owned()));
        assert_eq!(again.request.messages.len(), 3);
    }
}
