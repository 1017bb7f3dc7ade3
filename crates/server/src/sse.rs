//! Server-sent events: the events or the record of a run, and the list of runs with its changes.

use std::{collections::BTreeSet, convert::Infallible, future::pending, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::Response,
};
use bytes::BytesMut;
use futures_util::stream::{self, Stream};
use legwork::live::{DeltaKind, LiveView, ReplyDelta};
use serde_json::json;
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        watch,
    },
    time::{Instant, Interval, MissedTickBehavior, interval_at},
};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    hub::{Delivery, RecordDelivery, RecordFeed, RecordSubscriber, RunFeed, Subscriber},
};

/// The heartbeat lets both sides notice a connection that died silently.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);

/// A clock that ticks for the first time after one heartbeat.
pub(crate) fn heartbeat() -> Interval {
    let mut clock = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    clock
}

/// The pieces of a model's reply, while the run is in progress.
pub(crate) struct SseFrame {
    show: watch::Receiver<Option<Arc<LiveView>>>,
    deltas: Option<broadcast::Receiver<Arc<ReplyDelta>>>,
}

impl SseFrame {
    pub(crate) fn new(mut show: watch::Receiver<Option<Arc<LiveView>>>) -> Self {
        let deltas = show.borrow_and_update().as_ref().map(|live| live.deltas());
        SseFrame { show, deltas }
    }

    /// The next piece; waits until there is one. Missed pieces are not repeated, because they serve only for display.
    pub(crate) async fn next(&mut self) -> Arc<ReplyDelta> {
        loop {
            let Some(deltas) = &mut self.deltas else {
                if self.show.changed().await.is_err() {
                    return pending().await;
                }
                self.deltas = self.show.borrow_and_update().as_ref().map(|live| live.deltas());
                continue;
            };
            tokio::select! {
                delta = deltas.recv() => match delta {
                    Ok(delta) => return delta,
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => self.deltas = None,
                },
                changed = self.show.changed() => {
                    if changed.is_err() {
                        return pending().await;
                    }
                    self.deltas = self.show.borrow_and_update().as_ref().map(|live| live.deltas());
                }
            }
        }
    }
}

pub(crate) fn delta_json(delta: &ReplyDelta) -> serde_json::Value {
    let ReplyDelta { call, purpose, began, words } = delta;
    let mut json = json!({ "call": call, "purpose": purpose, "began": began.as_microsecond(), "text": "" });
    match words {
        DeltaKind::Piece(text) => json["text"] = text.as_str().into(),
        // The reply so far is void, because the model is called again.
        DeltaKind::Void => json["void"] = true.into(),
    }
    json
}

/// The source of a stream: events, or the rows of a record.
enum Source {
    Events(Subscriber),
    Record(RecordSubscriber),
}

impl Source {
    /// The next bytes; `None` if the source cannot be read any more.
    async fn next(&mut self) -> Option<Bytes> {
        match self {
            Source::Events(subscriber) => subscriber.next().await.ok().map(events),
            Source::Record(subscriber) => subscriber.next().await.ok().map(rows),
        }
    }
}

struct State {
    source: Source,
    words: Option<SseFrame>,
    clock: Interval,
    closing: CancellationToken,
}

/// The events of a run from number `from` on.
pub(crate) fn run(app: &App, feed: Arc<RunFeed>, from: u64, types: Option<BTreeSet<String>>, deltas: bool) -> Response {
    let words = deltas.then(|| SseFrame::new(feed.show()));
    stream(app, Source::Events(Subscriber::new(feed, from, types)), words)
}

/// The rows of a run's record that changed after event number `from`, and all later changes.
pub(crate) fn record(app: &App, feed: Arc<RecordFeed>, from: u64, deltas: bool) -> Response {
    let words = deltas.then(|| SseFrame::new(feed.show()));
    stream(app, Source::Record(RecordSubscriber::new(feed, from)), words)
}

fn stream(app: &App, source: Source, words: Option<SseFrame>) -> Response {
    let state = State { source, words, clock: heartbeat(), closing: app.closing.clone() };
    let hello = stream::once(async { Ok(Bytes::from_static(b"retry: 1000\n: hello\n\n")) });
    response(stream::StreamExt::chain(hello, stream::unfold(state, next)))
}

async fn next(mut state: State) -> Option<(Result<Bytes, Infallible>, State)> {
    let words = async {
        match &mut state.words {
            Some(words) => words.next().await,
            None => pending().await,
        }
    };
    let bytes = tokio::select! {
        // Journal events have priority over pieces of a reply, which serve only for display.
        biased;
        () = state.closing.cancelled() => return None,
        told = state.source.next() => told?,
        delta = words => display_event("delta", &delta_json(&delta)),
        _ = state.clock.tick() => Bytes::from_static(b": beat\n\n"),
    };
    Some((Ok(bytes), state))
}

fn events(delivery: Delivery) -> Bytes {
    match delivery {
        Delivery::Events(frames) if frames.len() == 1 => frames[0].sse.clone(),
        Delivery::Events(frames) => {
            let mut bytes = BytesMut::with_capacity(frames.iter().map(|frame| frame.sse.len()).sum());
            frames.iter().for_each(|frame| bytes.extend_from_slice(&frame.sse));
            bytes.freeze()
        }
        Delivery::Lag { behind, next } => display_event("lag", &json!({ "behind": behind, "next": next })),
        Delivery::End(status) => display_event("end", &json!({ "status": status })),
    }
}

fn rows(delivery: RecordDelivery) -> Bytes {
    match delivery {
        RecordDelivery::Rows { seq, whole, json } => {
            let kind = if whole { "record" } else { "patch" };
            Bytes::from(format!("id: {seq}\nevent: {kind}\ndata: {{\"seq\":{seq},\"rows\":{json}}}\n\n"))
        }
        RecordDelivery::End(status) => display_event("end", &json!({ "status": status })),
    }
}

/// An event for display only. It has no id, so that a client does not reconnect from its number.
fn display_event(kind: &str, data: &serde_json::Value) -> Bytes {
    Bytes::from(format!("event: {kind}\ndata: {data}\n\n"))
}

/// First all rows of the list, then the row of each run that changes.
pub(crate) async fn all(app: &Arc<App>) -> Response {
    struct All {
        rows: broadcast::Receiver<Bytes>,
        clock: Interval,
        app: Arc<App>,
    }
    // The receiver is created before the list is read: a change in between is sent twice instead of being lost.
    let rows = app.hub.run_list.watch();
    let now = app.hub.run_list.now().await.concat();
    let hello = stream::once(async move { Ok(Bytes::from([b"retry: 1000\n: hello\n\n", now.as_slice()].concat())) });
    let state = All { rows, clock: heartbeat(), app: app.clone() };
    let changes = stream::unfold(state, |mut state| async {
        let bytes = tokio::select! {
            () = state.app.closing.cancelled() => return None,
            row = state.rows.recv() => match row {
                Ok(row) => row,
                Err(RecvError::Lagged(_)) => Bytes::from(state.app.hub.run_list.now().await.concat()),
                Err(RecvError::Closed) => return None,
            },
            _ = state.clock.tick() => Bytes::from_static(b": beat\n\n"),
        };
        Some((Ok(bytes), state))
    });
    response(stream::StreamExt::chain(hello, changes))
}

fn response(stream: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    let mut response = Response::new(Body::from_stream(stream));
    let set = [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        // Without this header, nginx would buffer the events.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    for (name, value) in set {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
