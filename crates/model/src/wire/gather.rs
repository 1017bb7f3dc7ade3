//! Assembles a streamed reply, event by event, into the body that the provider would have sent without streaming.

use serde_json::{Value, json};

use super::Format;
use crate::{ModelError, transport::failure_in_body};

impl Format {
    /// The body of a streaming request.
    pub(crate) fn with_stream(self, mut body: Value) -> Value {
        match self {
            Self::OpenAi | Self::Compatible => {
                body["stream"] = json!(true);
                body["stream_options"] = json!({"include_usage": true});
            }
            Self::Anthropic => body["stream"] = json!(true),
            // The path of the request selects streaming.
            Self::Gemini => {}
        }
        body
    }

    /// The path and query of a streaming request, where they differ.
    pub(crate) fn stream_path(self, path: &str) -> Option<(String, &'static str)> {
        let before = path.strip_suffix(":generateContent").filter(|_| self == Self::Gemini)?;
        Some((format!("{before}:streamGenerateContent"), "alt=sse"))
    }

    /// Adds an event to the body, and returns the text that the event contained.
    ///
    /// # Errors
    /// When the event reports a failure.
    pub(crate) fn assemble(self, whole: &mut Value, event: Value) -> Result<Option<String>, ModelError> {
        if let Some(failure) = event.get("error").filter(|failure| !failure.is_null()) {
            let by_type = match failure["type"].as_str() {
                Some("rate_limit_error") => Some(429),
                Some("overloaded_error") => Some(529),
                Some("invalid_request_error") => Some(400),
                _ => None,
            };
            let code = failure["code"].as_u64().and_then(|code| u16::try_from(code).ok());
            return Err(failure_in_body(code.or(by_type), event.to_string().as_bytes()));
        }
        Ok(match self {
            Self::OpenAi | Self::Compatible => completion(whole, event),
            Self::Anthropic => message(whole, event),
            Self::Gemini => candidate(whole, event),
        })
    }
}

fn append(to: &mut Value, piece: &str) {
    match to {
        Value::String(text) => text.push_str(piece),
        other => *other = json!(piece),
    }
}

fn text_at(event: &Value, pointer: &str) -> Option<String> {
    event.pointer(pointer)?.as_str().map(str::to_owned)
}

/// `chat.completion.chunk`: the `delta`s of the first choice; usage arrives in a separate chunk.
fn completion(whole: &mut Value, event: Value) -> Option<String> {
    if whole.is_null() {
        *whole = json!({"choices": []});
    }
    if event["usage"].is_object() {
        whole["usage"] = event["usage"].clone();
    }
    let choice = event.pointer("/choices/0")?;
    if whole["choices"].as_array().is_some_and(Vec::is_empty) {
        whole["choices"] = json!([{"message": {}, "finish_reason": null}]);
    }
    let gathered = &mut whole["choices"][0];
    if !choice["finish_reason"].is_null() {
        gathered["finish_reason"] = choice["finish_reason"].clone();
    }
    if let Some(refusal) = choice.pointer("/delta/refusal").and_then(Value::as_str) {
        append(&mut gathered["message"]["refusal"], refusal);
    }
    let piece = text_at(choice, "/delta/content")?;
    append(&mut gathered["message"]["content"], &piece);
    Some(piece)
}

/// A message that starts empty, then its blocks, and finally the reason for its end.
fn message(whole: &mut Value, mut event: Value) -> Option<String> {
    match event["type"].as_str()? {
        "message_start" => *whole = event["message"].take(),
        "content_block_start" => whole["content"].as_array_mut()?.push(event["content_block"].take()),
        "content_block_delta" => {
            let index = usize::try_from(event["index"].as_u64()?).ok()?;
            let block = whole["content"].get_mut(index)?;
            if let Some(piece) = text_at(&event, "/delta/text") {
                append(&mut block["text"], &piece);
                return Some(piece);
            }
            // The input of a tool arrives as the text of its JSON.
            let piece = text_at(&event, "/delta/partial_json")?;
            append(&mut block["written"], &piece);
            if let Some(input) = block["written"].as_str().and_then(|json| serde_json::from_str(json).ok()) {
                block["input"] = input;
            }
            return Some(piece);
        }
        "message_delta" => {
            if let Some(changed) = event["delta"].as_object() {
                for (name, value) in changed {
                    whole[name.as_str()] = value.clone();
                }
            }
            if let Some(usage) = event["usage"].as_object() {
                for (name, value) in usage.iter().filter(|(_, value)| !value.is_null()) {
                    whole["usage"][name.as_str()] = value.clone();
                }
            }
        }
        _ => {}
    }
    None
}

/// Responses of one type, each with the next parts.
fn candidate(whole: &mut Value, mut event: Value) -> Option<String> {
    let parts = event.pointer_mut("/candidates/0/content/parts").map(Value::take);
    let mut parts = parts.and_then(|parts| parts.as_array().cloned()).unwrap_or_default();
    parts.retain(|part| part["thought"] != json!(true));
    let piece: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    let mut gathered = whole.pointer_mut("/candidates/0/content/parts").map(Value::take).unwrap_or_else(|| json!([]));
    gathered.as_array_mut()?.extend(parts);
    let finish = whole.pointer("/candidates/0/finishReason").cloned();
    for (name, value) in event.as_object()?.iter().filter(|(name, _)| *name != "candidates") {
        whole[name.as_str()] = value.clone();
    }
    let finish = event.pointer("/candidates/0/finishReason").cloned().or(finish);
    if event.get("candidates").is_some() || whole.get("candidates").is_some() {
        whole["candidates"] = json!([{"content": {"parts": gathered}, "finishReason": finish}]);
    }
    Some(piece)
}
