//! Recordings: one for each provider in `tests/cassettes`, compared as a whole, and the recording itself.
//!
//! `cargo test -p legwork-model -- --ignored record` writes them again with the scripted server. The requests are
//! exactly ours; the replies have the form that the providers document.

use std::path::PathBuf;

use legwork_model::{Cassette, CassetteError, ModelError, ModelSettings};
use legwork_testing::model::Reply;
use serde_json::json;

use crate::{PROVIDERS, ask, free_request, open, request, serve, settings};

fn cassette(model: &str) -> PathBuf {
    let provider = model.split('/').next().expect("a name has a provider");
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cassettes").join(format!("{provider}.json"))
}

fn replies() -> [Reply; 2] {
    [Reply::Json(json!({"action": "PROCEED", "confidence": 0.9})), Reply::text("It is blue.")]
}

#[tokio::test]
async fn every_provider_is_asked_what_its_cassette_holds() {
    for (name, _) in PROVIDERS {
        let cassette = Cassette::replay(cassette(name)).unwrap();
        // The default address of the provider and no key: nothing is sent.
        let base_url = name.starts_with("compatible").then(|| "http://127.0.0.1:9/v1".parse().unwrap());
        let model = open(ModelSettings { base_url, cassette: Some(cassette.clone()), ..ModelSettings::new(name) });
        let reply = ask(&*model, &request()).await.unwrap();
        assert_eq!(reply.text, r#"{"action":"PROCEED","confidence":0.9}"#, "{name}");
        assert_eq!(ask(&*model, &free_request()).await.unwrap().text, "It is blue.", "{name}");
        assert_eq!(cassette.left(), 0, "{name}");
    }
}

#[tokio::test]
async fn what_a_provider_read_from_its_cache_is_counted_on_every_wire() {
    for (name, _) in PROVIDERS {
        let cassette = Cassette::replay(cassette(name)).unwrap();
        let base_url = name.starts_with("compatible").then(|| "http://127.0.0.1:9/v1".parse().unwrap());
        let model = open(ModelSettings { base_url, cassette: Some(cassette), ..ModelSettings::new(name) });
        let usage = ask(&*model, &request()).await.unwrap().usage;
        assert_eq!((usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens), (120, 100, 20), "{name}");
    }
}

#[tokio::test]
async fn another_request_is_refused_with_where_it_differs() {
    let cassette = Cassette::replay(cassette("openai/x")).unwrap();
    let model = open(ModelSettings { cassette: Some(cassette), ..ModelSettings::new(PROVIDERS[0].0) });
    let mut other = request();
    other.max_reply_tokens += 1;
    let error = ask(&*model, &other).await.unwrap_err();
    let ModelError::Cassette(CassetteError::NoMatch { differs: Some(at), .. }) = &error else { panic!("{error:?}") };
    assert_eq!(at, "/max_completion_tokens");
    assert!(!error.to_string().contains("PRIVATE-WORDS"), "{error}");
}

#[tokio::test]
async fn what_is_recorded_is_what_is_replayed() {
    for (name, wire) in PROVIDERS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/tape.json");
        let server = serve(wire, [Reply::status(503, "busy"), Reply::Raw(b"no json".to_vec())]).await;
        let recording = ModelSettings { cassette: Some(Cassette::record(&file)), ..settings(name, &server) };
        let live = ask(&*open(recording), &request()).await.unwrap_err();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains(crate::KEY), "{name}: the recording contains a key");

        let replaying = ModelSettings { cassette: Some(Cassette::replay(&file).unwrap()), ..settings(name, &server) };
        let again = ask(&*open(replaying), &request()).await.unwrap_err();
        assert_eq!((live.to_string(), live.retries()), (again.to_string(), again.retries()), "{name}");
        assert_eq!(server.requests().len(), 2, "{name}: a replay sends nothing");
    }
}

#[test]
fn a_file_that_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Cassette::replay(folder.path().join("none.json")), Err(CassetteError::File { .. })));
    let file = folder.path().join("bad.json");
    std::fs::write(&file, "{}").unwrap();
    assert!(matches!(Cassette::replay(&file), Err(CassetteError::Form { .. })));
}

#[tokio::test]
#[ignore = "writes the cassettes"]
async fn record() {
    for (name, wire) in PROVIDERS {
        let server = serve(wire, replies()).await;
        let model = open(ModelSettings { cassette: Some(Cassette::record(cassette(name))), ..settings(name, &server) });
        ask(&*model, &request()).await.unwrap();
        ask(&*model, &free_request()).await.unwrap();
    }
}
