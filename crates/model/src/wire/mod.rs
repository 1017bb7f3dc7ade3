//! Wire formats: the JSON of requests and replies for each API. Pure.
//!
//! Each API has a file with its `body` and its `read`; [`Format`] selects one. The differences in HTTP (path, key
//! header, fixed headers) are data in this file.

mod anthropic;
mod gather;
mod gemini;
mod openai;

use legwork_protocol::{ChatRequest, ChatRole, Message};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use crate::api_format::Format;
use crate::{ModelError, ReplyProblem, price::Tokens};

/// The methods of requesting JSON with a given schema, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructuredOutput {
    /// The API's own method, including the schema.
    Native,
    /// The input of a tool that the model must call; the older method of Anthropic.
    Tool,
    /// A JSON object with a schema beside it, for llama.cpp and similar servers; the prompt contains the schema too.
    ObjectWithSchema,
    /// A JSON object; the prompt contains the schema.
    Object,
    /// The prompt only.
    Prompt,
}

/// The parts from which a request body is built.
pub(crate) struct RequestParts<'a> {
    pub model: &'a str,
    pub request: &'a ChatRequest,
    pub shape: StructuredOutput,
    pub temperature: Option<f32>,
}

/// A reply, independent of the API.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedReply {
    pub text: String,
    pub finish: Option<String>,
    pub tokens: Tokens,
    /// The cost, if the provider states it.
    pub cost_usd: Option<f64>,
}

impl Format {
    /// The methods that servers of this API may accept, the best first.
    pub(crate) fn shapes(self) -> &'static [StructuredOutput] {
        match self {
            Self::OpenAi | Self::Compatible => &[
                StructuredOutput::Native,
                StructuredOutput::ObjectWithSchema,
                StructuredOutput::Object,
                StructuredOutput::Prompt,
            ],
            Self::Anthropic => &[StructuredOutput::Native, StructuredOutput::Tool, StructuredOutput::Prompt],
            Self::Gemini => &[StructuredOutput::Native, StructuredOutput::Object, StructuredOutput::Prompt],
        }
    }

    /// The path below the base URL.
    pub(crate) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi | Self::Compatible => "chat/completions".to_owned(),
            Self::Anthropic => "messages".to_owned(),
            Self::Gemini => format!("models/{model}:generateContent"),
        }
    }

    /// The header for the key, and the prefix of its value. The key is never a query parameter, because those end up
    /// in logs.
    pub(crate) fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenAi | Self::Compatible => ("authorization", "Bearer "),
            Self::Anthropic => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Fixed headers of every request.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// The body of a request.
    pub(crate) fn body(self, ask: &RequestParts<'_>) -> Value {
        match self {
            Self::OpenAi | Self::Compatible => openai::body(self, ask),
            Self::Anthropic => anthropic::body(ask),
            Self::Gemini => gemini::body(ask),
        }
    }

    /// Reads the body of a successful reply.
    pub(crate) fn read(self, body: &[u8]) -> Result<ParsedReply, ModelError> {
        match self {
            Self::OpenAi | Self::Compatible => openai::read(body),
            Self::Anthropic => anthropic::read(body),
            Self::Gemini => gemini::read(body),
        }
    }
}

/// The schema as a part of the prompt, for methods that do not carry it, and for those whose servers may ignore it.
fn schema_prompt(ask: &RequestParts<'_>) -> Option<String> {
    let schema = ask
        .request
        .schema
        .as_ref()
        .filter(|_| !matches!(ask.shape, StructuredOutput::Native | StructuredOutput::Tool))?;
    Some(format!("{}\n{}", include_str!("schema_in_words.md").trim_end(), schema.schema))
}

/// Splits the instructions at the beginning from the conversation, for APIs that separate them. An instruction within
/// the conversation stays where it is.
fn split_instructions(messages: &[Message]) -> (&[Message], &[Message]) {
    let talk = messages.iter().position(|message| message.speaker != ChatRole::System).unwrap_or(messages.len());
    messages.split_at(talk)
}

fn parse<T: DeserializeOwned>(body: &[u8], api: &'static str) -> Result<T, ModelError> {
    if body.trim_ascii().is_empty() {
        return Err(ReplyProblem::Empty.into());
    }
    serde_json::from_slice(body).map_err(|source| ReplyProblem::Shape { api, source }.into())
}

/// The message of an error body for a person: one short line, only from the fields that are meant for it. Bodies of
/// other forms may repeat the request, so nothing is taken from them.
pub(crate) fn provider_message(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let fields = [
        body.pointer("/error/message"),
        body.get("error"),
        body.get("message"),
        body.pointer("/detail/0/msg"),
        body.get("detail"),
    ];
    let fields = fields.into_iter().flatten().find_map(Value::as_str)?;
    let line = fields.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line: String = line.chars().filter(|c| !c.is_control()).collect();
    if let Some((cut, _)) = line.char_indices().nth(300) {
        line.truncate(cut);
        line.push('…');
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_the_line_meant_for_people() {
        let check = |body: &str, expect: Option<&str>| {
            assert_eq!(provider_message(body.as_bytes()).as_deref(), expect, "{body}")
        };
        check(r#"{"error":{"message":"no such\n  model","type":"x"}}"#, Some("no such model"));
        check(r#"[{"error":{"message":"bad"}}]"#, Some("bad"));
        check(r#"{"error":"plain"}"#, Some("plain"));
        check(
            r#"{"detail":[{"loc":["body"],"msg":"field required","input":{"messages":"SECRET"}}]}"#,
            Some("field required"),
        );
        check(r#"{"detail":"gone"}"#, Some("gone"));
        check(r#"{"input":{"messages":"SECRET"}}"#, None);
        check("<html>SECRET</html>", None);
        check("", None);
        let long = format!(r#"{{"message":"{}"}}"#, "é".repeat(400));
        assert_eq!(provider_message(long.as_bytes()).unwrap().chars().count(), 301);
    }
}
