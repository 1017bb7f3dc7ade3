//! Gemini's `generateContent`. The schema is sent as `responseJsonSchema`, which accepts plain JSON Schema.
//! `responseSchema` accepts a dialect of OpenAPI that refuses `additionalProperties` and `$ref`.

use legwork_protocol::{ChatRole, Message};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ParsedReply, RequestParts, StructuredOutput, parse, schema_prompt, split_instructions};
use crate::{ModelError, ReplyProblem, price::Tokens};

pub(super) fn body(ask: &RequestParts<'_>) -> Value {
    let (instructions, talk) = split_instructions(&ask.request.messages);
    let mut system: Vec<Value> = instructions.iter().map(|message| json!({"text": *message.text})).collect();
    system.extend(schema_prompt(ask).map(|words| json!({"text": words})));
    let mut config = json!({"maxOutputTokens": ask.request.max_reply_tokens});
    if let Some(temperature) = ask.temperature {
        config["temperature"] = json!(temperature);
    }
    if let Some(schema) = ask.request.schema.as_ref().filter(|_| ask.shape != StructuredOutput::Prompt) {
        config["responseMimeType"] = json!("application/json");
        if ask.shape == StructuredOutput::Native {
            config["responseJsonSchema"] = (*schema.schema).clone();
        }
    }
    let mut body = json!({"contents": talk.iter().map(message).collect::<Vec<_>>(), "generationConfig": config});
    if !system.is_empty() {
        body["systemInstruction"] = json!({"parts": system});
    }
    body
}

fn message(message: &Message) -> Value {
    let role = match message.speaker {
        ChatRole::User | ChatRole::System => "user",
        ChatRole::Assistant => "model",
    };
    let images =
        message.images.iter().map(|image| json!({"inlineData": {"mimeType": image.media_type, "data": *image.data}}));
    let parts: Vec<Value> = images.chain([json!({"text": *message.text})]).collect();
    json!({"role": role, "parts": parts})
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiReply {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<Usage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    #[serde(default)]
    prompt_token_count: u64,
    #[serde(default)]
    cached_content_token_count: u64,
    #[serde(default)]
    candidates_token_count: u64,
    #[serde(default)]
    thoughts_token_count: u64,
}

pub(super) fn read(body: &[u8]) -> Result<ParsedReply, ModelError> {
    let reply: GeminiReply = parse(body, "Gemini's generateContent API")?;
    let tokens = reply.usage_metadata.map(|usage| Tokens {
        prompt: usage.prompt_token_count,
        cached: usage.cached_content_token_count,
        cache_written: 0,
        completion: usage.candidates_token_count + usage.thoughts_token_count,
    });
    let (text, finish) = match reply.candidates.into_iter().next() {
        Some(candidate) => {
            let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
            let text = parts.into_iter().filter(|part| !part.thought).filter_map(|part| part.text).collect();
            (text, candidate.finish_reason.map(normalize_finish_reason))
        }
        // The whole prompt was blocked. This is a valid reply without text.
        None => match reply.prompt_feedback.and_then(|feedback| feedback.block_reason) {
            Some(_) => (String::new(), Some("refusal".to_owned())),
            None => return Err(ReplyProblem::NoAnswer.into()),
        },
    };
    Ok(ParsedReply { text, finish, tokens: tokens.unwrap_or_default(), cost_usd: None })
}

fn normalize_finish_reason(reason: String) -> String {
    match reason.as_str() {
        "STOP" => "stop".to_owned(),
        "MAX_TOKENS" => "length".to_owned(),
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => "refusal".to_owned(),
        _ => reason.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_paid_for_and_not_read() {
        let body = json!({
            "candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "{}"}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 10, "cachedContentTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 7},
        });
        let answer = read(body.to_string().as_bytes()).unwrap();
        assert_eq!((answer.text.as_str(), answer.finish.as_deref()), ("{}", Some("stop")));
        assert_eq!(answer.tokens, Tokens { prompt: 10, cached: 4, cache_written: 0, completion: 9 });
    }

    #[test]
    fn a_blocked_question_is_a_refusal() {
        let answer = read(br#"{"promptFeedback": {"blockReason": "SAFETY"}}"#).unwrap();
        assert_eq!((answer.text.as_str(), answer.finish.as_deref()), ("", Some("refusal")));
        assert!(matches!(read(b"{}"), Err(ModelError::Reply(ReplyProblem::NoAnswer))));
    }
}
