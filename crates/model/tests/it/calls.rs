//! Successful calls: the request, the reply and its cost.

use std::time::Duration;

use legwork_model::{ModelError, ModelSettings, Price, Provider, RateLimit, providers};
use legwork_testing::model::{Reply, ScriptedTokens};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{FORMATS, KEY, PROVIDERS, ask, free_request, message, open, request, schema, serve, settings};

#[tokio::test]
async fn every_provider_end_to_end() {
    let decision = json!({"action": "PROCEED", "confidence": 0.9});
    for (name, wire) in PROVIDERS {
        let server = serve(wire, [Reply::Json(decision.clone())]).await;
        let model = open(settings(name, &server));
        assert_eq!(model.name(), name);
        let reply = ask(&*model, &request()).await.unwrap();

        assert_eq!(serde_json::from_str::<serde_json::Value>(&reply.text).unwrap(), decision, "{name}");
        assert_eq!((reply.model.as_str(), reply.finish.as_deref(), reply.retries), (name, Some("stop"), 0));
        let ScriptedTokens { prompt, cached, completion } = ScriptedTokens::default();
        let usage = reply.usage;
        assert_eq!(
            (usage.calls, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens),
            (1, prompt, cached, completion),
            "{name}"
        );

        let requests = server.requests();
        assert_eq!(requests.len(), 1, "{name}");
        let asked = &requests[0];
        assert_eq!(asked.key(), Some(KEY), "{name}");
        assert!(!asked.path.contains(KEY), "{name}: the key must be in a header");
        assert_eq!(asked.schema(), Some(&schema()), "{name}");
        assert_eq!(asked.images(), [("image/png".to_owned(), "aGVsbG8=".to_owned())], "{name}");
        let said: Vec<(String, String)> = asked.messages();
        let said: Vec<(&str, &str)> = said.iter().map(|(role, text)| (role.as_str(), text.as_str())).collect();
        assert_eq!(
            said,
            [
                ("system", "You drive a browser."),
                ("user", "Page: Sign in"),
                ("assistant", r#"{"action":"PROCEED","confidence":0.5}"#),
                ("user", "Page: Welcome, PRIVATE-WORDS"),
            ],
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_price_that_is_known_or_set() {
    let spent = ScriptedTokens { prompt: 1_000_000, cached: 0, completion: 100_000 };
    let reply = || Reply::Cost(spent, Box::new(Reply::text("ok")));
    let check = async |name: &str, price: Option<Price>, expect: Option<f64>| {
        let (_, wire) =
            PROVIDERS.into_iter().find(|(known, _)| known.split('/').next() == name.split('/').next()).unwrap();
        let server = serve(wire, [reply()]).await;
        let model = open(ModelSettings { price, ..settings(name, &server) });
        let cost = ask(&*model, &free_request()).await.unwrap().usage.cost_usd;
        match (cost, expect) {
            (Some(cost), Some(expect)) => assert!((cost - expect).abs() < 1e-9, "{name}: {cost}"),
            (cost, expect) => assert_eq!(cost, expect, "{name}"),
        }
    };
    check("openai/gpt-5-mini", None, Some(0.25 + 0.2)).await;
    check("anthropic/claude-sonnet-4-5", None, Some(3.0 + 1.5)).await;
    check("gemini/gemini-2.5-flash", None, Some(0.3 + 0.25)).await;
    check("compatible/local", None, None).await;
    let price = Price { input: 1.0, output: 10.0, cached: 0.0, cache_write: 0.0 };
    check("compatible/local", Some(price), Some(2.0)).await;
}

#[tokio::test]
async fn openrouter_tells_the_price_itself() {
    let body = json!({
        "choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.0123},
    });
    let server = serve(PROVIDERS[3].1, [Reply::Raw(body.to_string().into_bytes())]).await;
    let reply = ask(&*open(settings(PROVIDERS[3].0, &server)), &free_request()).await.unwrap();
    assert_eq!(reply.usage.cost_usd, Some(0.0123));
}

#[tokio::test]
async fn usage_that_is_not_told_is_not_free() {
    let body = json!({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]});
    let server = serve(FORMATS[0].1, [Reply::Raw(body.to_string().into_bytes())]).await;
    let reply = ask(&*open(settings(FORMATS[0].0, &server)), &free_request()).await.unwrap();
    assert_eq!((reply.usage.prompt_tokens, reply.usage.cost_usd), (0, None));
}

#[tokio::test]
async fn without_a_schema_no_json_is_asked_for() {
    for (name, wire) in FORMATS {
        let server = serve(wire, [Reply::text("It is blue.")]).await;
        let reply = ask(&*open(settings(name, &server)), &free_request()).await.unwrap();
        assert_eq!(reply.text, "It is blue.");
        let asked = &server.requests()[0];
        assert_eq!((asked.format(), asked.schema()), (None, None), "{name}");
        assert!(!asked.text().contains("JSON Schema"), "{name}");
    }
}

#[tokio::test]
async fn a_chat_of_system_messages_only() {
    // Anthropic and Gemini separate the instructions; the rest of the conversation is still a list.
    let mut asked = free_request();
    asked.messages = vec![message(legwork_protocol::ChatRole::System, "Say hello.")];
    for (name, wire) in FORMATS {
        let server = serve(wire, [Reply::text("hello")]).await;
        assert_eq!(ask(&*open(settings(name, &server)), &asked).await.unwrap().text, "hello");
        assert_eq!(server.requests()[0].messages().len(), 1, "{name}");
    }
}

#[tokio::test]
async fn no_more_than_one_at_once() {
    let (name, wire) = FORMATS[0];
    let server = serve(wire, [Reply::Silent, Reply::text("second")]).await;
    let rate = RateLimit { at_once: Some(1), per_minute: None };
    let model = open(ModelSettings { rate, ..settings(name, &server) });
    let cancel = CancellationToken::new();
    let first = tokio::spawn({
        let (model, cancel) = (model.clone(), cancel.clone());
        async move { model.chat(&free_request(), &cancel).await }
    });
    while server.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    let second = tokio::spawn({
        let model = model.clone();
        async move { ask(&*model, &free_request()).await }
    });
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.requests().len(), 1, "the second waits for the first");
    cancel.cancel();
    assert!(matches!(first.await.unwrap(), Err(ModelError::Cancelled)));
    assert_eq!(second.await.unwrap().unwrap().text, "second");
}

#[test]
fn settings_that_cannot_work_are_refused_at_once() {
    let refused = |settings: ModelSettings| Provider::open(settings).err().expect("refused");
    for info in providers() {
        let name = format!("{}/m", info.name);
        match (info.key_required, info.default_base_url) {
            (true, _) => assert!(matches!(refused(ModelSettings::new(name)), ModelError::NoKey { .. })),
            (false, Some(_)) => assert!(Provider::open(ModelSettings::new(name)).is_ok()),
            (false, None) => assert!(matches!(refused(ModelSettings::new(name)), ModelError::NoBaseUrl { .. })),
        }
    }
    let unknown = refused(ModelSettings::new("gpt-5")).to_string();
    assert!(unknown.contains("`gpt-5`") && unknown.contains("openai, anthropic"), "{unknown}");
    let key = |key: &str| ModelSettings { key: Some(key.into()), ..ModelSettings::new("openai/gpt-5") };
    let bad = refused(key("sk-two\nlines")).to_string();
    assert!(!bad.contains("sk-two"), "{bad}");
    assert!(matches!(refused(key(" ")), ModelError::NoKey { variable: "OPENAI_API_KEY", .. }));
    assert!(Provider::open(key("sk-from-a-file\n")).is_ok());
    let shown = format!("{:?}", key("sk-hidden"));
    assert!(!shown.contains("sk-hidden"), "{shown}");
    assert_eq!(ModelSettings::new("x/y").timeouts.request, Duration::from_secs(30));
}
