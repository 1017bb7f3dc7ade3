//! Streamed replies in the format of each provider: server-sent events that are created from the complete reply.

use axum::{
    body::{Body, Bytes},
    http::header,
    response::Response,
};
use futures_util::stream;
use serde_json::{Value, json};

use super::Wire;

/// The number of characters in an event.
const PIECE: usize = 12;

/// Streams a complete reply.
pub(super) fn respond(wire: Wire, whole: &Value) -> Response {
    let events = match wire {
        Wire::OpenAi => chunks(whole),
        Wire::Anthropic => blocks(whole),
        Wire::Gemini => candidates(whole),
    };
    let frames = events.into_iter().map(|event| {
        let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
        Ok::<_, std::convert::Infallible>(Bytes::from(format!("{name}data: {event}\n\n")))
    });
    let end = (wire == Wire::OpenAi).then(|| Ok(Bytes::from_static(b"data: [DONE]\n\n")));
    Response::builder()
        .header(header::CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .body(Body::from_stream(stream::iter(frames.chain(end).collect::<Vec<_>>())))
        .expect("the headers are text")
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}

fn chunks(whole: &Value) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": whole["id"], "object": "chat.completion.chunk", "model": whole["model"], "usage": null,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    let text = whole["choices"][0]["message"]["content"].as_str().unwrap_or_default();
    events.extend(pieces(text).map(|piece| chunk(json!({"content": piece}), Value::Null)));
    events.push(chunk(json!({}), whole["choices"][0]["finish_reason"].clone()));
    events.push(json!({"object": "chat.completion.chunk", "choices": [], "usage": whole["usage"]}));
    events
}

fn blocks(whole: &Value) -> Vec<Value> {
    let mut start = whole.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    let block = &whole["content"][0];
    let (empty, text, delta) = match block["type"].as_str() {
        Some("tool_use") => {
            let empty = json!({"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}});
            (empty, block["input"].to_string(), ("input_json_delta", "partial_json"))
        }
        _ => {
            let text = block["text"].as_str().unwrap_or_default().to_owned();
            (json!({"type": "text", "text": ""}), text, ("text_delta", "text"))
        }
    };
    let mut events = vec![
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "ping"}),
    ];
    events.extend(pieces(&text).map(|piece| {
        let mut change = json!({"type": delta.0});
        change[delta.1] = json!(piece);
        json!({"type": "content_block_delta", "index": 0, "delta": change})
    }));
    events.push(json!({"type": "content_block_stop", "index": 0}));
    let (reason, written) = (&whole["stop_reason"], &whole["usage"]["output_tokens"]);
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null}, "usage": {"output_tokens": written}}),
    );
    events.push(json!({"type": "message_stop"}));
    events
}

fn candidates(whole: &Value) -> Vec<Value> {
    let text = whole["candidates"][0]["content"]["parts"][0]["text"].as_str().unwrap_or_default();
    let part = |text: String| {
        json!({
            "candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, "index": 0}],
            "usageMetadata": {"promptTokenCount": whole["usageMetadata"]["promptTokenCount"]},
            "modelVersion": whole["modelVersion"], "responseId": whole["responseId"],
        })
    };
    let mut events: Vec<Value> = pieces(text).map(part).collect();
    let mut last = part(String::new());
    last["candidates"][0]["finishReason"] = whole["candidates"][0]["finishReason"].clone();
    last["usageMetadata"] = whole["usageMetadata"].clone();
    events.push(last);
    events
}
