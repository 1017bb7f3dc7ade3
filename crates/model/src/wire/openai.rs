//! OpenAI's chat completions API, which OpenRouter, Ollama, vLLM, llama.cpp and many others implement too.

use legwork_protocol::{ChatRole, Message};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Format, ParsedReply, RequestParts, StructuredOutput, parse, schema_prompt};
use crate::{ModelError, ReplyProblem, price::Tokens, transport};

pub(super) fn body(format: Format, ask: &RequestParts<'_>) -> Value {
    let mut messages: Vec<Value> = ask.request.messages.iter().map(message).collect();
    if let Some(words) = schema_prompt(ask) {
        // The schema follows the instructions, so that the beginning of the prompt stays the same from turn to turn
        // and can be cached.
        let (instructions, _) = super::split_instructions(&ask.request.messages);
        messages.insert(instructions.len(), json!({"role": "system", "content": words}));
    }
    // OpenAI's reasoning models refuse the old name; most other servers do not know the new one.
    let most = if format == Format::OpenAi { "max_completion_tokens" } else { "max_tokens" };
    let mut body =
        json!({"model": ask.model, "messages": messages, "stream": false, most: ask.request.max_reply_tokens});
    if let Some(temperature) = ask.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(schema) = &ask.request.schema {
        let wanted = match ask.shape {
            StructuredOutput::Native => json!({
                "type": "json_schema",
                "json_schema": {"name": schema.name, "strict": true, "schema": *schema.schema},
            }),
            StructuredOutput::ObjectWithSchema => json!({"type": "json_object", "schema": *schema.schema}),
            StructuredOutput::Object => json!({"type": "json_object"}),
            StructuredOutput::Tool | StructuredOutput::Prompt => return body,
        };
        body["response_format"] = wanted;
    }
    body
}

fn message(message: &Message) -> Value {
    let role = match message.speaker {
        ChatRole::System => "system",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
    };
    if message.images.is_empty() {
        return json!({"role": role, "content": *message.text});
    }
    let mut parts = vec![json!({"type": "text", "text": *message.text})];
    parts.extend(message.images.iter().map(|image| {
        let url = format!("data:{};base64,{}", image.media_type, image.data);
        json!({"type": "image_url", "image_url": {"url": url}})
    }));
    json!({"role": role, "content": parts})
}

#[derive(Deserialize)]
struct OpenAiReply {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    /// OpenRouter reports a failure of an upstream provider with status 200.
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Choice {
    message: ReplyMessage,
    finish_reason: Option<String>,
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    code: Option<Value>,
}

#[derive(Deserialize)]
struct ReplyMessage {
    content: Option<Content>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<Details>,
    /// DeepSeek's name for the cached tokens.
    prompt_cache_hit_tokens: Option<u64>,
    /// The cost that OpenRouter reports.
    cost: Option<f64>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
}

pub(super) fn read(body: &[u8]) -> Result<ParsedReply, ModelError> {
    let reply: OpenAiReply = parse(body, "a chat completion API")?;
    let failed = reply.error.as_ref().or(reply.choices.first().and_then(|choice| choice.error.as_ref()));
    if let Some(failure) = failed {
        let status = failure.code.as_ref().and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        return Err(transport::failure_in_body(status, body));
    }
    let choice = reply.choices.into_iter().next().ok_or(ReplyProblem::NoAnswer)?;
    let (text, finish) = match (choice.message.refusal, choice.message.content) {
        (Some(refusal), _) if !refusal.is_empty() => (refusal, Some("refusal".to_owned())),
        (_, Some(Content::Text(text))) => (text, choice.finish_reason),
        (_, Some(Content::Parts(parts))) => {
            (parts.into_iter().filter_map(|part| part.text).collect(), choice.finish_reason)
        }
        (_, None) => (String::new(), choice.finish_reason),
    };
    let usage = reply.usage;
    let cost_usd = usage.as_ref().and_then(|usage| usage.cost);
    let tokens = usage.map(|usage| Tokens {
        prompt: usage.prompt_tokens,
        cached: usage
            .prompt_tokens_details
            .and_then(|details| details.cached_tokens)
            .or(usage.prompt_cache_hit_tokens)
            .unwrap_or(0),
        cache_written: 0,
        completion: usage.completion_tokens,
    });
    Ok(ParsedReply { text: without_thoughts(text), finish, tokens: tokens.unwrap_or_default(), cost_usd })
}

/// Local servers that do not know the model's thinking format leave the thinking in front of the answer.
fn without_thoughts(text: String) -> String {
    match text.trim_start().strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, answer)) => answer.trim_start().to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: Value) -> (String, Option<String>) {
        let answer = read(body.to_string().as_bytes()).unwrap();
        (answer.text, answer.finish)
    }

    #[test]
    fn what_is_said_in_its_several_forms() {
        let said = |message: Value| json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        let stop = || Some("stop".to_owned());
        assert_eq!(text(said(json!({"content": "a"}))), ("a".to_owned(), stop()));
        assert_eq!(
            text(said(json!({"content": [{"type": "text", "text": "a"}, {"type": "x"}]}))),
            ("a".to_owned(), stop())
        );
        assert_eq!(text(said(json!({"content": null}))), (String::new(), stop()));
        assert_eq!(text(said(json!({"content": "<think>\nhm</think>\n{}"}))), ("{}".to_owned(), stop()));
        assert_eq!(text(said(json!({"content": "<think>\nhm"}))), ("<think>\nhm".to_owned(), stop()));
        assert_eq!(
            text(said(json!({"content": null, "refusal": "no"}))),
            ("no".to_owned(), Some("refusal".to_owned()))
        );
    }

    #[test]
    fn a_failure_within_a_reply_that_says_all_is_well() {
        let failed = read(br#"{"error": {"code": 429, "message": "upstream is busy"}}"#).unwrap_err();
        assert!(
            matches!(&failed, ModelError::RateLimited { message, .. } if message == "upstream is busy"),
            "{failed:?}"
        );
        let failed = read(br#"{"choices": [{"message": {"content": ""}, "error": {"code": 502}}]}"#).unwrap_err();
        assert!(matches!(failed, ModelError::Server { status: 502, .. }), "{failed:?}");
        assert!(matches!(read(br#"{"choices": []}"#), Err(ModelError::Reply(ReplyProblem::NoAnswer))));
    }
}
