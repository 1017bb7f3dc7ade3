//! Structured output: if a server refuses a method, the next one is tried, and only once.

use legwork_model::ModelError;
use legwork_testing::model::{Asked, Reply, Wire};
use serde_json::json;

use crate::{FORMATS, ask, open, request, schema, serve, settings};

/// A server that accepts only these methods; `None` is a request without any.
fn only(ways: &'static [Option<&'static str>]) -> impl FnMut(&Asked) -> Reply + Send + 'static {
    move |asked| {
        if ways.contains(&way(asked)) {
            Reply::Json(json!({"ok": true}))
        } else {
            Reply::status(400, "'response_format.type' is unknown")
        }
    }
}

fn way(asked: &Asked) -> Option<&'static str> {
    let beside = asked.body.pointer("/response_format/schema").is_some();
    match (asked.format(), asked.schema().is_some() || beside) {
        (Some("json_object"), true) => Some("object with schema"),
        (Some("json_object" | "application/json"), false) => Some("object"),
        (Some("tool"), true) => Some("tool"),
        (Some(_), true) => Some("native"),
        (None, _) => None,
        (Some(other), false) => panic!("unknown way {other}"),
    }
}

async fn check(name: &str, wire: Wire, takes: &'static [Option<&'static str>], expect: &[Option<&str>]) {
    let server = serve(wire, only(takes)).await;
    let model = open(settings(name, &server));
    for _ in 0..2 {
        assert_eq!(ask(&*model, &request()).await.expect("taken in one of the ways").text, r#"{"ok":true}"#, "{name}");
    }
    let ways: Vec<_> = server.requests().iter().map(way).collect();
    assert_eq!(ways, expect, "{name}: down once, then remembered");
    for asked in server.requests() {
        let in_words = asked.text().contains(&schema().to_string());
        assert_eq!(
            in_words,
            !matches!(way(&asked), Some("native" | "tool")),
            "{name}: the schema is in words where nothing else carries it"
        );
    }
}

#[tokio::test]
async fn each_format_steps_down_to_what_is_taken() {
    let (native, tool, beside, object) = (Some("native"), Some("tool"), Some("object with schema"), Some("object"));
    check("compatible/x", Wire::OpenAi, &[Some("native")], &[native, native]).await;
    check("compatible/x", Wire::OpenAi, &[Some("object with schema")], &[native, beside, beside]).await;
    check("compatible/x", Wire::OpenAi, &[Some("object")], &[native, beside, object, object]).await;
    check("ollama/x", Wire::OpenAi, &[None], &[native, beside, object, None, None]).await;
    check("gemini/x", Wire::Gemini, &[Some("object")], &[native, object, object]).await;
    check("gemini/x", Wire::Gemini, &[None], &[native, object, None, None]).await;
    check("anthropic/x", Wire::Anthropic, &[Some("tool")], &[native, tool, tool]).await;
    check("anthropic/x", Wire::Anthropic, &[None], &[native, tool, None, None]).await;
}

/// llama-cpp-python answers 500 where others answer 400. Found with its server and SmolLM2.
#[tokio::test]
async fn a_server_that_calls_the_refusal_its_own_fault_is_asked_in_the_next_way() {
    let said = "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}";
    let server = serve(Wire::OpenAi, move |asked: &Asked| match way(asked) {
        Some("object with schema") => Reply::Json(json!({"ok": true})),
        _ => Reply::status(500, said),
    })
    .await;
    let model = open(settings("compatible/x", &server));
    let answer = ask(&*model, &request()).await.expect("taken in the second way");
    assert_eq!((answer.text.as_str(), answer.retries), (r#"{"ok":true}"#, 0));
    assert_eq!(server.requests().len(), 2, "and not sent again in the way that was refused");
}

#[tokio::test]
async fn a_refusal_of_something_else_is_not_remembered() {
    for (name, wire) in FORMATS {
        let mut calls = 0;
        let ways = if wire == Wire::OpenAi { 4 } else { 3 };
        let server = serve(wire, move |_: &Asked| {
            calls += 1;
            if calls <= ways { Reply::status(400, format!("bad picture {calls}")) } else { Reply::Json(json!({})) }
        })
        .await;
        let model = open(settings(name, &server));
        let refused = ask(&*model, &request()).await.unwrap_err();
        assert!(
            matches!(&refused, ModelError::Refused { status: 400, message } if message == "bad picture 1"),
            "{refused:?}"
        );
        ask(&*model, &request()).await.unwrap();
        assert_eq!(server.requests().last().map(way), Some(Some("native")), "{name}");
    }
}

#[tokio::test]
async fn a_question_that_is_too_long_is_sent_once() {
    for (name, wire) in FORMATS {
        let server =
            serve(wire, |_: &Asked| Reply::status(400, "This model's maximum context length is 4096 tokens")).await;
        let refused = ask(&*open(settings(name, &server)), &request()).await.unwrap_err();
        assert!(matches!(refused, ModelError::Refused { .. }), "{refused:?}");
        assert_eq!(server.requests().len(), 1, "{name}");
    }
}
