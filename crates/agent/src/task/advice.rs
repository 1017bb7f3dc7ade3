//! A call beside the loop (a plan, a review, a reflection): asked once more when its reply cannot be used, and done
//! without when that does not help. Nothing that only advises may end a task.

use std::sync::Arc;

use legwork_protocol::{ChatReply, ChatRequest, Code, ModelFailure, Purpose, ReplySchema, Speaker};
use serde_json::Value;

use super::{known::Context, model::message};
use crate::{
    Need,
    context::clipped,
    prompt::{self, Prompt},
    schema::{self, SchemaProblem},
};

/// The most characters of an unusable reply that are shown to its author.
const REPLY: usize = 600;

/// What is asked, and the shape of its answer.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) purpose: Purpose,
    /// The name under which providers get it.
    pub(super) name: &'static str,
    /// An example of a reply, for the prompt.
    pub(super) example: &'static str,
    /// The JSON Schema, for providers that keep to one.
    pub(super) schema: fn() -> Value,
}

/// A call under way.
#[derive(Debug)]
pub(super) struct Advice {
    request: ChatRequest,
    example: &'static str,
    repeated: bool,
}

/// What came of it.
pub(super) enum Heard<T> {
    Reply(T),
    /// The reply cannot be used: asked once more.
    Again(Advice),
    /// It is done without; why.
    Nothing(String),
}

impl Advice {
    /// The call, or why there is none.
    pub(super) fn new(shape: &Shape, prompt: &impl Prompt, cx: &Context<'_>) -> Result<Advice, String> {
        let Some(rules) = cx.rules.model.as_ref() else { return Err("no model is configured".to_owned()) };
        let text = prompt::render(prompt).map_err(|error| error.to_string())?;
        let schema =
            || ReplySchema { name: shape.name.to_owned(), schema: Arc::new(schema::normalised(&(shape.schema)())) };
        let request = ChatRequest {
            tier: Default::default(),
            purpose: shape.purpose,
            messages: vec![message(Speaker::User, text)],
            schema: rules.native_schema.then(schema),
            max_reply_tokens: rules.max_reply_tokens,
        };
        Ok(Advice { request, example: shape.example, repeated: false })
    }

    pub(super) fn need(&self) -> Need {
        Need::Decide(self.request.clone())
    }

    /// Reads the reply. What it cost counts, whatever it is worth.
    pub(super) fn hear<T>(
        mut self,
        reply: Result<ChatReply, ModelFailure>,
        read: impl FnOnce(&str) -> Result<T, SchemaProblem>,
        cx: &mut Context<'_>,
    ) -> Heard<T> {
        let (said, problem) = match reply {
            Ok(reply) => {
                cx.known.usage += reply.usage;
                match read(&reply.text) {
                    Ok(read) => return Heard::Reply(read),
                    Err(problem) => (reply.text, problem),
                }
            }
            Err(failure) if failure.code == Code::ModelReply && failure.retryable => {
                (String::new(), SchemaProblem::whole("a JSON object", &failure.message))
            }
            Err(failure) => return Heard::Nothing(failure.message),
        };
        let problem = problem.to_string();
        if self.repeated {
            return Heard::Nothing(problem);
        }
        let repair = prompt::Repair { problems: std::slice::from_ref(&problem), shape: self.example };
        let Ok(repair) = prompt::render(&repair) else { return Heard::Nothing(problem) };
        let said = if said.trim().is_empty() { "(no reply)".to_owned() } else { clipped(&said, REPLY) };
        self.request.messages.push(message(Speaker::Assistant, said));
        self.request.messages.push(message(Speaker::User, repair));
        self.repeated = true;
        Heard::Again(self)
    }
}
