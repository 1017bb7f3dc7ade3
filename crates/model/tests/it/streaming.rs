//! A streamed reply equals the reply without streaming.

use std::sync::Mutex;

use legwork_model::{DeltaSink, ModelError};
use legwork_testing::model::{Asked, Reply};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{PROVIDERS, ask, open, request, serve, settings};

#[derive(Default)]
struct Ear {
    heard: Mutex<String>,
    pieces: Mutex<usize>,
    voided: Mutex<Vec<String>>,
}

impl DeltaSink for Ear {
    fn is_active(&self) -> bool {
        true
    }
    fn delta(&self, piece: &str) {
        self.heard.lock().expect("nobody panics while holding it").push_str(piece);
        *self.pieces.lock().expect("nobody panics while holding it") += 1;
    }
    fn reset(&self) {
        self.voided
            .lock()
            .expect("nobody panics while holding it")
            .push(std::mem::take(&mut self.heard.lock().expect("nobody panics while holding it")));
    }
}

#[tokio::test]
async fn every_provider_in_pieces() {
    let decision = json!({"action": "PROCEED", "reasoning": "the form is filled in, so it can be sent"});
    for (name, wire) in PROVIDERS {
        let server = serve(wire, [Reply::Json(decision.clone()), Reply::Json(decision.clone())]).await;
        let model = open(settings(name, &server));
        let ear = Ear::default();
        let aloud = model.chat_stream(&request(), &CancellationToken::new(), &ear).await.unwrap();
        let whole = ask(&*model, &request()).await.unwrap();
        assert_eq!((&aloud.text, &aloud.finish, aloud.usage), (&whole.text, &whole.finish, whole.usage), "{name}");
        assert_eq!(*ear.heard.lock().expect("nobody panics while holding it"), aloud.text, "{name}");
        assert!(*ear.pieces.lock().expect("nobody panics while holding it") > 3, "{name}");
        let asked = server.requests();
        assert_eq!(asked.iter().map(Asked::with_stream).collect::<Vec<_>>(), [true, false], "{name}");
    }
}

#[tokio::test]
async fn what_was_heard_of_a_reply_that_broke_is_void() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, [Reply::status(503, "busy"), Reply::text("at last")]).await;
    let ear = Ear::default();
    let reply = open(settings(name, &server)).chat_stream(&request(), &CancellationToken::new(), &ear).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.retries), ("at last", 1));
    assert_eq!(*ear.voided.lock().expect("nobody panics while holding it"), [""]);
    assert_eq!(*ear.heard.lock().expect("nobody panics while holding it"), "at last");
}

#[tokio::test]
async fn a_server_that_knows_no_pieces_is_asked_for_the_whole_from_then_on() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, |asked: &Asked| match asked.with_stream() {
        true => Reply::status(400, "unknown field: stream_options"),
        false => Reply::text("whole"),
    })
    .await;
    let model = open(settings(name, &server));
    for _ in 0..2 {
        let ear = Ear::default();
        let reply = model.chat_stream(&request(), &CancellationToken::new(), &ear).await.unwrap();
        assert_eq!(
            (reply.text.as_str(), ear.heard.lock().expect("nobody panics while holding it").as_str()),
            ("whole", "")
        );
    }
    let asked = server.requests();
    assert_eq!(asked.iter().map(Asked::with_stream).collect::<Vec<_>>(), [true, false, false]);
}

#[tokio::test]
async fn a_cancel_ends_a_reply_in_its_midst() {
    let (name, wire) = PROVIDERS[0];
    let server = serve(wire, [Reply::Silent]).await;
    let model = open(settings(name, &server));
    let (cancel, ear) = (CancellationToken::new(), Ear::default());
    let request = request();
    let (answer, ()) = tokio::join!(model.chat_stream(&request, &cancel, &ear), async { cancel.cancel() });
    assert!(matches!(answer, Err(ModelError::Cancelled)));
}
