//! The server's side of the wire formats: complete replies as documented by the providers.

use std::{
    convert::Infallible,
    future::{pending, ready},
    io,
};

use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::Response,
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::{Reply, ScriptedTokens, Wire, aloud};

pub(super) fn is_endpoint(wire: Wire, path: &str) -> bool {
    match wire {
        Wire::OpenAi => path == "/v1/chat/completions",
        Wire::Anthropic => path == "/v1/messages",
        Wire::Gemini => {
            path.starts_with("/v1beta/models/")
                && (path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent"))
        }
    }
}

/// The HTTP response for a reply. `tool` is the tool that an Anthropic request forces. `is_streamed` streams the reply.
pub(super) async fn respond(wire: Wire, reply: Reply, tool: Option<&str>, is_streamed: bool) -> Response {
    let mut reply = reply;
    let mut spent = ScriptedTokens::default();
    loop {
        let body = match reply {
            Reply::Held(gate, answer) => {
                gate.pass().await;
                reply = *answer;
                continue;
            }
            Reply::Cost(cost, answer) => {
                spent = cost;
                reply = *answer;
                continue;
            }
            Reply::Silent => pending().await,
            Reply::Text(text) if is_streamed => return aloud::respond(wire, &said(wire, json!(text), None, spent)),
            Reply::Json(value) if is_streamed => return aloud::respond(wire, &said(wire, value, tool, spent)),
            Reply::Text(text) => said(wire, json!(text), None, spent).to_string().into(),
            Reply::Json(value) => said(wire, value, tool, spent).to_string().into(),
            Reply::Raw(body) => body.into(),
            Reply::RawStatus(status, body) => return response(status, None, body.into()),
            Reply::Status { status, retry_after, message } => {
                let retry_after = retry_after.map(|wait| (header::RETRY_AFTER, wait));
                return response(status, retry_after, complaint(wire, status, &message).to_string().into());
            }
            Reply::Redirect(to) => return response(307, Some((header::LOCATION, to)), Body::empty()),
            Reply::Huge(bytes) => huge(wire, bytes),
            Reply::Stalled => half(wire, spent, stream::pending()),
            Reply::Cut => half(wire, spent, stream::once(ready(Err(io::ErrorKind::ConnectionReset.into())))),
            Reply::Reset => {
                Body::from_stream(stream::once(ready(Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionReset)))))
            }
        };
        return response(200, None, body);
    }
}

fn response(status: u16, more: Option<(header::HeaderName, String)>, body: Body) -> Response {
    let status = StatusCode::from_u16(status).expect("a script names HTTP statuses");
    let mut response = Response::builder().status(status).header(header::CONTENT_TYPE, "application/json");
    if let Some((name, value)) = more {
        response = response.header(name, value);
    }
    response.body(body).expect("a script's headers are text")
}

/// The first half of a reply, followed by `then`.
fn half(
    wire: Wire,
    spent: ScriptedTokens,
    then: impl stream::Stream<Item = io::Result<Bytes>> + Send + 'static,
) -> Body {
    let whole = said(wire, json!("never heard"), None, spent).to_string();
    let first = Bytes::from(whole.as_bytes()[..whole.len() / 2].to_vec());
    Body::from_stream(stream::once(ready(Ok(first))).chain(then))
}

/// A reply with a very long text, which is created while it is sent.
fn huge(wire: Wire, bytes: usize) -> Body {
    const CHUNK: &[u8] = &[b'a'; 64 << 10];
    let marker = "\u{1}";
    let whole = said(wire, json!(marker), None, ScriptedTokens::default()).to_string();
    let (before, after) = whole.split_once(r"\u0001").expect("a control character is escaped");
    let (before, after) = (Bytes::from(before.to_owned()), Bytes::from(after.to_owned()));
    let filler = stream::iter(std::iter::repeat_n(Bytes::from_static(CHUNK), bytes / CHUNK.len()));
    let all = stream::once(ready(before)).chain(filler).chain(stream::once(ready(after)));
    Body::from_stream(all.map(Ok::<_, Infallible>))
}

fn said(wire: Wire, value: Value, tool: Option<&str>, spent: ScriptedTokens) -> Value {
    let ScriptedTokens { prompt, cached, completion } = spent;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match wire {
        Wire::OpenAi => json!({
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 1_760_000_000,
            "model": "scripted",
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": null, "annotations": []},
                "logprobs": null,
                "finish_reason": "stop",
            }],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
                "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
            },
            "service_tier": "default",
            "system_fingerprint": null,
        }),
        Wire::Anthropic => {
            let (content, stop) = match tool {
                Some(name) => {
                    (json!({"type": "tool_use", "id": "toolu_scripted", "name": name, "input": value}), "tool_use")
                }
                None => (json!({"type": "text", "text": text}), "end_turn"),
            };
            json!({
                "id": "msg_scripted",
                "type": "message",
                "role": "assistant",
                "model": "scripted",
                "content": [content],
                "stop_reason": stop,
                "stop_sequence": null,
                "usage": {
                    "input_tokens": prompt - cached,
                    "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": cached,
                    "output_tokens": completion,
                    "service_tier": "standard",
                },
            })
        }
        Wire::Gemini => json!({
            "candidates": [{
                "content": {"parts": [{"text": text}], "role": "model"},
                "finishReason": "STOP",
                "index": 0,
                "avgLogprobs": -0.1,
            }],
            "usageMetadata": {
                "promptTokenCount": prompt,
                "cachedContentTokenCount": cached,
                "candidatesTokenCount": completion,
                "totalTokenCount": prompt + completion,
                "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}],
            },
            "modelVersion": "scripted",
            "responseId": "scripted",
        }),
    }
}

fn complaint(wire: Wire, status: u16, message: &str) -> Value {
    match wire {
        Wire::OpenAi => json!({"error": {"message": message, "type": "error", "param": null, "code": null}}),
        Wire::Anthropic => {
            json!({"type": "error", "error": {"type": "error", "message": message}, "request_id": "req_scripted"})
        }
        Wire::Gemini => json!({"error": {"code": status, "message": message, "status": "ERROR"}}),
    }
}
