//! A streamed reply equals the reply without streaming.

use std::sync::Mutex;

use legwork_model::{DeltaSink, ModelError};
use legwork_testing::model::{Asked, Reply};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{PROVIDERS, ask, open, request, serve, settings};

#[derive(Default)]
struct RecordingSink {
    text: Mutex<String>,
    pieces: Mutex<usize>,
    discarded: Mutex<Vec<String>>,
}

impl DeltaSink for RecordingSink {
    fn is_active(&self) -> bool {
        true
    }
    fn delta(&self, piece: &str) {
        self.text.lock().expect("the lock is not poisoned").push_str(piece);
        *self.pieces.lock().expect("the lock is not poisoned") += 1;
    }
    fn reset(&self) {
        self.discarded
            .lock()
            .expect("the lock is not poisoned")
            .push(std::mem::take(&mut self.text.lock().expect("the lock is not poisoned")));
    }
}

#[tokio::test]
async fn a_streamed_reply_equals_the_whole_one_for_every_provider() {
    let decision = json!({"action": "PROCEED", "reasoning": "the form is filled in, so it can be sent"});
    for (name, wire) in PROVIDERS {
        let server = serve(wire, [Reply::Json(decision.clone()), Reply::Json(decision.clone())]).await;
        let model = open(settings(name, &server));
        let sink = RecordingSink::default();
        let streamed = model.chat_stream(&request(), &CancellationToken::new(), &sink).await.unwrap();
        let whole = ask(&*model, &request()).await.unwrap();
        assert_eq!(
            (&streamed.text, &streamed.finish, streamed.usage),
            (&whole.text, &whole.finish, whole.usage),
            "{name}"
        );
        assert_eq!(*sink.text.lock().expect("the lock is not poisoned"), streamed.text, "{name}");
        assert!(*sink.pieces.lock().expect("the lock is not poisoned") > 3, "{name}");
        let asked = server.requests();
        assert_eq!(asked.iter().map(Asked::with_stream).collect::<Vec<_>>(), [true, false], "{name}");
    }
}

#[tokio::test]
async fn the_text_of_a_broken_reply_is_discarded() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, [Reply::status(503, "busy"), Reply::text("at last")]).await;
    let sink = RecordingSink::default();
    let reply = open(settings(name, &server)).chat_stream(&request(), &CancellationToken::new(), &sink).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.retries), ("at last", 1));
    assert_eq!(*sink.discarded.lock().expect("the lock is not poisoned"), [""]);
    assert_eq!(*sink.text.lock().expect("the lock is not poisoned"), "at last");
}

#[tokio::test]
async fn a_server_that_refuses_streaming_is_not_asked_to_stream_again() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, |asked: &Asked| match asked.with_stream() {
        true => Reply::status(400, "unknown field: stream_options"),
        false => Reply::text("whole"),
    })
    .await;
    let model = open(settings(name, &server));
    for _ in 0..2 {
        let sink = RecordingSink::default();
        let reply = model.chat_stream(&request(), &CancellationToken::new(), &sink).await.unwrap();
        assert_eq!((reply.text.as_str(), sink.text.lock().expect("the lock is not poisoned").as_str()), ("whole", ""));
    }
    let asked = server.requests();
    assert_eq!(asked.iter().map(Asked::with_stream).collect::<Vec<_>>(), [true, false, false]);
}

#[tokio::test]
async fn a_cancel_ends_a_streamed_reply() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, [Reply::Silent]).await;
    let model = open(settings(name, &server));
    let (cancel, sink) = (CancellationToken::new(), RecordingSink::default());
    let request = request();
    let (answer, ()) = tokio::join!(model.chat_stream(&request, &cancel, &sink), async { cancel.cancel() });
    assert!(matches!(answer, Err(ModelError::Cancelled)));
}
