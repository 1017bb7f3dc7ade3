//! A serialized event: it is serialized once and shared by all viewers.

use std::sync::OnceLock;

use axum::body::Bytes;
use legwork::protocol::{Event, EventKind, SessionState};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// A serialized event.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) seq: u64,
    /// The type: `STEP_STARTED`, …
    pub(crate) kind: String,
    /// As a server-sent event.
    pub(crate) sse: Bytes,
    /// The position of the event's JSON in `sse`.
    json: std::ops::Range<usize>,
    /// As a WebSocket message; created when the first viewer needs it.
    ws: OnceLock<Utf8Bytes>,
}

impl Frame {
    pub(crate) fn of(event: &Event) -> Frame {
        // An event contains only our own types, whose maps have string keys, so it can be serialized.
        let json = serde_json::to_string(event).expect("an event can be written as JSON");
        // The fields before the type are id, run, number and time, which cannot contain this text.
        let kind = json.split_once("\"type\":\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
        let head = format!("id: {}\nevent: {kind}\ndata: ", event.seq);
        let range = head.len()..head.len() + json.len();
        let kind = kind.to_owned();
        // The JSON contains no line breaks, so one `data:` line is enough.
        Frame { seq: event.seq, kind, sse: Bytes::from(head + &json + "\n\n"), json: range, ws: OnceLock::new() }
    }

    /// As a WebSocket message.
    pub(crate) fn ws(&self) -> Utf8Bytes {
        let make = || {
            let json = std::str::from_utf8(&self.sse[self.json.clone()]).expect("it was made of a string");
            Utf8Bytes::from(format!("{{\"type\":\"event\",\"event\":{json}}}"))
        };
        self.ws.get_or_init(make).clone()
    }
}

/// The status of a run after this event, if the event ends the run for now. The session status is the last event of
/// every end.
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
