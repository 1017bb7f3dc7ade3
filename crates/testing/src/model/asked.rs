//! A request to a scripted model, with accessors that hide the wire format.

use axum::http::HeaderMap;
use serde_json::Value;

use super::Wire;

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The wire format.
    pub wire: Wire,
    /// The path and the query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body. `Null` if it is not JSON.
    pub body: Value,
}

impl Asked {
    pub(super) fn new(wire: Wire, path: String, headers: HeaderMap, body: &[u8]) -> Asked {
        Asked { wire, path, headers, body: serde_json::from_slice(body).unwrap_or(Value::Null) }
    }

    /// Whether the request asks for a streamed reply.
    pub fn with_stream(&self) -> bool {
        self.body["stream"] == true || self.path.contains(":streamGenerateContent")
    }

    /// The API key in the request.
    pub fn key(&self) -> Option<&str> {
        let header = match self.wire {
            Wire::OpenAi => "authorization",
            Wire::Anthropic => "x-api-key",
            Wire::Gemini => "x-goog-api-key",
        };
        let value = self.headers.get(header)?.to_str().ok()?;
        Some(value.strip_prefix("Bearer ").unwrap_or(value))
    }

    /// The role and the text of each message. The system instructions are first, with the role `system`. Gemini's
    /// `model` is `assistant`.
    pub fn messages(&self) -> Vec<(String, String)> {
        let mut messages = Vec::new();
        let instructions = match self.wire {
            Wire::OpenAi => None,
            Wire::Anthropic => self.body.get("system"),
            Wire::Gemini => self.body.pointer("/systemInstruction/parts"),
        };
        for part in parts(instructions) {
            messages.push(("system".to_owned(), text_of(part)));
        }
        let (list, content) = match self.wire {
            Wire::Gemini => ("contents", "parts"),
            Wire::OpenAi | Wire::Anthropic => ("messages", "content"),
        };
        for message in self.body[list].as_array().into_iter().flatten() {
            let role = match message["role"].as_str().unwrap_or_default() {
                "model" => "assistant",
                role => role,
            };
            let text = match &message[content] {
                Value::String(text) => text.clone(),
                parts_of => parts(Some(parts_of)).map(text_of).collect(),
            };
            messages.push((role.to_owned(), text));
        }
        messages
    }

    /// The text of all messages, separated by line breaks.
    pub fn text(&self) -> String {
        self.messages().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n")
    }

    /// The text of the last message.
    pub fn last(&self) -> String {
        self.messages().pop().map(|(_, text)| text).unwrap_or_default()
    }

    /// The schema for the reply, if it is in the provider's own parameter.
    pub fn schema(&self) -> Option<&Value> {
        match self.wire {
            Wire::OpenAi => self.body.pointer("/response_format/json_schema/schema"),
            Wire::Anthropic => {
                self.body.pointer("/output_config/format/schema").or(self.body.pointer("/tools/0/input_schema"))
            }
            Wire::Gemini => self.body.pointer("/generationConfig/responseJsonSchema"),
        }
    }

    /// How the request asks for JSON: `json_schema`, `json_object`, `tool`, `application/json`, or `None`.
    pub fn format(&self) -> Option<&str> {
        match self.wire {
            Wire::OpenAi => self.body.pointer("/response_format/type")?.as_str(),
            Wire::Anthropic => {
                self.body.pointer("/output_config/format/type").or(self.body.pointer("/tool_choice/type"))?.as_str()
            }
            Wire::Gemini => self.body.pointer("/generationConfig/responseMimeType")?.as_str(),
        }
    }

    /// The media type and the Base64 data of every image.
    pub fn images(&self) -> Vec<(String, String)> {
        let list = if self.wire == Wire::Gemini { "contents" } else { "messages" };
        let content = if self.wire == Wire::Gemini { "parts" } else { "content" };
        let messages = self.body[list].as_array().into_iter().flatten();
        messages.flat_map(|message| parts(Some(&message[content]))).filter_map(|part| self.image(part)).collect()
    }

    fn image(&self, part: &Value) -> Option<(String, String)> {
        let at = |pointer: &str| part.pointer(pointer).and_then(Value::as_str);
        let (media_type, data) = match self.wire {
            Wire::OpenAi => at("/image_url/url")?.strip_prefix("data:")?.split_once(";base64,")?,
            Wire::Anthropic => (at("/source/media_type")?, at("/source/data")?),
            Wire::Gemini => (at("/inlineData/mimeType")?, at("/inlineData/data")?),
        };
        Some((media_type.to_owned(), data.to_owned()))
    }

    /// The tool that an Anthropic request forces.
    pub(super) fn tool(&self) -> Option<String> {
        (self.wire == Wire::Anthropic).then(|| self.body.pointer("/tool_choice/name")?.as_str().map(str::to_owned))?
    }
}

fn parts(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn text_of(part: &Value) -> String {
    part["text"].as_str().unwrap_or_default().to_owned()
}
