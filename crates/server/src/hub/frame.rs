//! An event as it goes over the wire: made once, shared by all who look.

use std::sync::OnceLock;

use axum::body::Bytes;
use legwork::protocol::{Event, EventKind, SessionState};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// An event in bytes.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) seq: u64,
    /// `STEP_STARTED` …
    pub(crate) kind: String,
    /// As a server-sent event.
    pub(crate) sse: Bytes,
    /// Where the event's JSON stands in it.
    json: std::ops::Range<usize>,
    /// As a message of a WebSocket; made when the first one wants it.
    ws: OnceLock<Utf8Bytes>,
}

impl Frame {
    pub(crate) fn of(event: &Event) -> Frame {
        // Everything in an event is ours and has names that are strings: it can be written.
        let json = serde_json::to_string(event).expect("an event can be written as JSON");
        // Id, run, number and time stand before it, and hold no such text.
        let kind = json.split_once("\"type\":\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
        let head = format!("id: {}\nevent: {kind}\ndata: ", event.seq);
        let range = head.len()..head.len() + json.len();
        let kind = kind.to_owned();
        // JSON has no line breaks of its own, so one `data:` line holds it.
        Frame { seq: event.seq, kind, sse: Bytes::from(head + &json + "\n\n"), json: range, ws: OnceLock::new() }
    }

    /// As a message of a WebSocket.
    pub(crate) fn ws(&self) -> Utf8Bytes {
        let make = || {
            let json = std::str::from_utf8(&self.sse[self.json.clone()]).expect("it was made of a string");
            Utf8Bytes::from(format!("{{\"type\":\"event\",\"event\":{json}}}"))
        };
        self.ws.get_or_init(make).clone()
    }
}

/// How a run stands after an event, if the event ends it for now; the last event of every end is its session's status.
pub(crate) fn end_of(event: &Event) -> Option<&'static str> {
    match &event.kind {
        EventKind::SessionStatus { status, .. } => match status {
            SessionState::Completed => Some("success"),
            SessionState::Failed => Some("failure"),
            SessionState::Cancelled => Some("cancelled"),
            SessionState::Paused => Some("parked"),
            SessionState::Initializing | SessionState::Active | SessionState::Cleanup => None,
        },
        _ => None,
    }
}
