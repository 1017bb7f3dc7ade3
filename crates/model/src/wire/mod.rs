//! Wire formats: how each provider is asked and how it answers. Pure: values in, JSON out, and back.
//!
//! A file per API holds its `body` and its `read`; [`Format`] picks one. Everything of HTTP that differs between them
//! (path, key header, fixed headers) is here as data.

mod anthropic;
mod gather;
mod gemini;
mod openai;

use legwork_protocol::{ChatRequest, ChatRole, Message};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ModelError, ReplyProblem, price::Tokens};

/// An API, as a provider speaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// OpenAI's chat completions, at OpenAI.
    OpenAi,
    /// The same at everyone else's.
    Compatible,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

/// How a reply of a given schema is asked for, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StructuredOutput {
    /// In the API's own way, schema included.
    Native,
    /// As the input of a tool that must be called; Anthropic's older way.
    Tool,
    /// As a JSON object with the schema beside it, as llama.cpp and its like take it; and in the prompt.
    ObjectWithSchema,
    /// As a JSON object; the schema is in the prompt.
    Object,
    /// In the prompt alone.
    Prompt,
}

/// One question, as it goes on the wire.
pub(crate) struct RequestParts<'a> {
    pub model: &'a str,
    pub request: &'a ChatRequest,
    pub shape: StructuredOutput,
    pub temperature: Option<f32>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedReply {
    pub text: String,
    pub finish: Option<String>,
    pub tokens: Tokens,
    /// Where the provider says it itself.
    pub cost_usd: Option<f64>,
}

impl Format {
    /// The ways it may know of asking for JSON, the best first; each server is asked for less until it agrees.
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

    /// Below the base URL.
    pub(crate) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi | Self::Compatible => "chat/completions".to_owned(),
            Self::Anthropic => "messages".to_owned(),
            Self::Gemini => format!("models/{model}:generateContent"),
        }
    }

    /// The header that takes the key, and what stands before it. Never a query parameter: those end up in logs.
    pub(crate) fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenAi | Self::Compatible => ("authorization", "Bearer "),
            Self::Anthropic => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Headers that every request has.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// The request's body.
    pub(crate) fn body(self, ask: &RequestParts<'_>) -> Value {
        match self {
            Self::OpenAi | Self::Compatible => openai::body(self, ask),
            Self::Anthropic => anthropic::body(ask),
            Self::Gemini => gemini::body(ask),
        }
    }

    /// The reply's body, of a status that says all is well.
    pub(crate) fn read(self, body: &[u8]) -> Result<ParsedReply, ModelError> {
        match self {
            Self::OpenAi | Self::Compatible => openai::read(body),
            Self::Anthropic => anthropic::read(body),
            Self::Gemini => gemini::read(body),
        }
    }
}

/// The schema as words, for the ways that do not carry it, and for those that carry it but may not mind it.
fn schema_prompt(ask: &RequestParts<'_>) -> Option<String> {
    let schema = ask
        .request
        .schema
        .as_ref()
        .filter(|_| !matches!(ask.shape, StructuredOutput::Native | StructuredOutput::Tool))?;
    Some(format!("{}\n{}", include_str!("schema_in_words.md").trim_end(), schema.schema))
}

/// The standing instructions at the beginning, apart from the talk that follows. For APIs that keep them apart; an
/// instruction in the middle of the talk stays where it is.
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

/// What a provider says in an error's body, for a person: one short line of the field that is meant for it. Bodies of
/// other shapes may repeat the request, so nothing is taken from them.
pub(crate) fn provider_message(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let body = body.get(0).unwrap_or(&body);
    let said = [
        body.pointer("/error/message"),
        body.get("error"),
        body.get("message"),
        body.pointer("/detail/0/msg"),
        body.get("detail"),
    ];
    let said = said.into_iter().flatten().find_map(Value::as_str)?;
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
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
