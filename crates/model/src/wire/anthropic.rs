//! Anthropic's Messages API. Structured output uses the output format. Older models, and proxies that do not know it,
//! have to call one tool whose input has the schema; the newest models refuse this in turn.

use legwork_protocol::{ChatRole, Message};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ParsedReply, RequestParts, StructuredOutput, parse, schema_prompt, split_instructions};
use crate::{ModelError, ReplyProblem, price::Tokens};

pub(super) fn body(ask: &RequestParts<'_>) -> Value {
    let (instructions, talk) = split_instructions(&ask.request.messages);
    let mut system: Vec<Value> = instructions.iter().filter_map(|message| text(&message.text)).collect();
    system.extend(schema_prompt(ask).map(|words| json!({"type": "text", "text": words})));
    if let Some(last) = system.last_mut() {
        // Tools and instructions are the same in every turn. The provider caches only what is marked.
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    let mut messages: Vec<Value> = talk.iter().map(message).collect();
    // Only the newest message differs from turn to turn. The user message before it stays the same, including the
    // page, so it is marked too.
    if let [.., (before, sent), _] = talk.iter().zip(&mut messages).collect::<Vec<_>>().as_mut_slice()
        && before.speaker == ChatRole::User
        && let Some(last) = sent["content"].as_array_mut().and_then(|blocks| blocks.last_mut())
    {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
    let mut body = json!({
        "model": ask.model,
        "max_tokens": ask.request.max_reply_tokens,
        "messages": messages,
    });
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(schema) = &ask.request.schema {
        match ask.shape {
            StructuredOutput::Native => {
                body["output_config"] = json!({"format": {"type": "json_schema", "schema": *schema.schema}});
            }
            StructuredOutput::Tool => {
                let tool = json!({
                    "name": schema.name,
                    "description": "The only way to reply.",
                    "input_schema": *schema.schema,
                });
                body["tools"] = json!([tool]);
                body["tool_choice"] = json!({"type": "tool", "name": schema.name});
            }
            StructuredOutput::ObjectWithSchema | StructuredOutput::Object | StructuredOutput::Prompt => {}
        }
    }
    body
}

fn message(message: &Message) -> Value {
    let role = match message.speaker {
        ChatRole::User | ChatRole::System => "user",
        ChatRole::Assistant => "assistant",
    };
    let images = message.images.iter().map(|image| {
        json!({"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": *image.data}})
    });
    json!({"role": role, "content": images.chain(text(&message.text)).collect::<Vec<_>>()})
}

/// The API refuses empty blocks.
fn text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"type": "text", "text": text}))
}

#[derive(Deserialize)]
struct AnthropicReply {
    #[serde(default)]
    content: Vec<Block>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    ToolUse {
        input: Value,
    },
    /// Thinking, and block types of the future.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

pub(super) fn read(body: &[u8]) -> Result<ParsedReply, ModelError> {
    let reply: AnthropicReply = parse(body, "Anthropic's messages API")?;
    if reply.content.is_empty() && reply.stop_reason.is_none() {
        return Err(ReplyProblem::NoAnswer.into());
    }
    let called = reply.content.iter().find_map(|block| match block {
        Block::ToolUse { input } => Some(input.to_string()),
        _ => None,
    });
    let (text, finish) = match called {
        // A reply that calls the tool ends with `tool_use`. If it was truncated, it has another reason.
        Some(input) => (input, reply.stop_reason.map(|why| if why == "tool_use" { "stop".to_owned() } else { why })),
        None => {
            let texts = reply.content.iter().filter_map(|block| match block {
                Block::Text { text } => Some(text.as_str()),
                _ => None,
            });
            (texts.collect(), reply.stop_reason)
        }
    };
    let finish = finish.map(|why| match why.as_str() {
        "end_turn" | "stop_sequence" => "stop".to_owned(),
        "max_tokens" => "length".to_owned(),
        _ => why,
    });
    let tokens = reply.usage.map(|usage| {
        let cached = usage.cache_read_input_tokens.unwrap_or(0);
        let cache_written = usage.cache_creation_input_tokens.unwrap_or(0);
        // In this API, `input_tokens` does not include tokens that are read from or written to the cache.
        let prompt = usage.input_tokens + cached + cache_written;
        Tokens { prompt, cached, cache_written, completion: usage.output_tokens }
    });
    Ok(ParsedReply { text, finish, tokens: tokens.unwrap_or_default(), cost_usd: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_input_is_the_text_and_cache_counts_as_read() {
        let body = json!({
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Here"}, {"type": "tool_use", "id": "1", "name": "d", "input": {"a": 1}}],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 5, "output_tokens": 3, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 10},
        });
        let answer = read(body.to_string().as_bytes()).unwrap();
        assert_eq!(answer.text, r#"{"a":1}"#);
        assert_eq!(answer.finish.as_deref(), Some("stop"));
        assert_eq!(answer.tokens, Tokens { prompt: 105, cached: 90, cache_written: 10, completion: 3 });
    }

    #[test]
    fn what_stays_from_turn_to_turn_is_marked_for_the_cache() {
        let said = |speaker, text: &str| Message { speaker, text: text.into(), images: Vec::new() };
        let marked = |messages: Vec<Message>| {
            let request = legwork_protocol::ChatRequest {
                purpose: legwork_protocol::Purpose::Act,
                tier: Default::default(),
                messages,
                schema: None,
                max_reply_tokens: 10,
                time_limit: None,
            };
            let body = body(&RequestParts {
                model: "m",
                request: &request,
                shape: StructuredOutput::Prompt,
                temperature: None,
            });
            let blocks = body["messages"].as_array().unwrap().iter().flat_map(|one| one["content"].as_array().unwrap());
            let marked = |block: &&Value| block["cache_control"] == json!({"type": "ephemeral"});
            let text = |block: &Value| block["text"].as_str().unwrap().to_owned();
            body["system"].as_array().unwrap().iter().chain(blocks).filter(marked).map(text).collect::<Vec<_>>()
        };
        let rules = || said(ChatRole::System, "rules");
        assert_eq!(marked(vec![rules(), said(ChatRole::User, "page and news")]), ["rules"]);
        let parted = vec![rules(), said(ChatRole::User, "page"), said(ChatRole::User, "news")];
        assert_eq!(marked(parted), ["rules", "page"]);
        // A reply that is requested again is not worth a cache entry.
        let again =
            vec![rules(), said(ChatRole::User, "page"), said(ChatRole::Assistant, "?"), said(ChatRole::User, "!")];
        assert_eq!(marked(again), ["rules"]);
    }

    #[test]
    fn a_reply_cut_off_says_so() {
        let answer = read(br#"{"content": [{"type": "text", "text": "half"}], "stop_reason": "max_tokens"}"#).unwrap();
        assert_eq!((answer.text.as_str(), answer.finish.as_deref()), ("half", Some("length")));
    }
}
