//! Several models, each at its own server: which is called, which fallback answers, and which failures are reported.

use std::sync::Arc;

use legwork_model::{ChatModel, ModelError, ModelPurpose, ModelRouter};
use legwork_protocol::{ChatRequest, Code, ModelFailure, ModelTier, Purpose};
use legwork_testing::model::{Asked, Reply, Script, ScriptedModel, Wire};
use tokio_util::sync::CancellationToken;

use crate::{FORMATS, ask, open, request, serve, settings};

/// A model at its own server, which answers every request with its name.
async fn named(model: &'static str, wire: Wire) -> (Arc<dyn ChatModel>, ScriptedModel) {
    scripted(model, wire, move |_: &Asked| Reply::text(model)).await
}

async fn scripted(model: &str, wire: Wire, script: impl Into<Script>) -> (Arc<dyn ChatModel>, ScriptedModel) {
    let server = serve(wire, script).await;
    let mut wanted = settings(model, &server);
    wanted.retries.max_retries = 1;
    (open(wanted), server)
}

fn of(purpose: Purpose) -> ChatRequest {
    ChatRequest { purpose, ..request() }
}

const OPENAI: &str = FORMATS[0].0;
const CLAUDE: &str = FORMATS[1].0;
const GEMINI: &str = FORMATS[2].0;

#[tokio::test]
async fn each_purpose_goes_to_its_role_and_the_others_to_the_default() {
    let (act, _a) = named(OPENAI, Wire::OpenAi).await;
    let (plan, _b) = named(CLAUDE, Wire::Anthropic).await;
    let (look, _c) = named(GEMINI, Wire::Gemini).await;
    let purposes =
        ModelRouter::new(act, Vec::new()).with(ModelPurpose::Plan, vec![plan]).with(ModelPurpose::Look, vec![look]);
    assert_eq!(purposes.name(), OPENAI);
    let expected = [
        (Purpose::Act, OPENAI),
        (Purpose::Plan, CLAUDE),
        (Purpose::Validate, OPENAI),
        (Purpose::Extract, OPENAI),
        (Purpose::Look, GEMINI),
        (Purpose::Investigate, OPENAI),
        (Purpose::Reflect, OPENAI),
        (Purpose::Compact, OPENAI),
    ];
    for (purpose, model) in expected {
        let reply = ask(&purposes, &of(purpose)).await.expect("answers");
        assert_eq!((reply.model.as_str(), reply.text.as_str()), (model, model), "{purpose:?}");
        assert_eq!(reply.failed_attempts, [], "{purpose:?}");
    }
}

#[tokio::test]
async fn a_failure_that_another_may_not_have_passes_the_call_on_and_is_told() {
    let faults = [
        (Reply::status(503, "overloaded"), Code::ModelError, 1),
        (Reply::too_many(0), Code::ModelRateLimit, 1),
        (Reply::Reset, Code::ModelConnection, 1),
        (Reply::status(400, "this schema is not for us"), Code::ModelError, 0),
        (Reply::status(401, "wrong key"), Code::ModelAuth, 0),
        (Reply::Raw(b"no json".to_vec()), Code::ModelReply, 0),
    ];
    for (fault, code, retries) in faults {
        let (first, _a) = scripted(OPENAI, Wire::OpenAi, move |_: &Asked| fault.clone()).await;
        let (second, _b) = named(CLAUDE, Wire::Anthropic).await;
        let reply = ask(&ModelRouter::new(first, vec![second]), &request()).await.expect("the second answers");
        assert_eq!(reply.model, CLAUDE, "the reply says who gave it");
        let [passed] = reply.failed_attempts.as_slice() else { panic!("one failed: {:?}", reply.failed_attempts) };
        assert_eq!((passed.model.as_str(), passed.failure.code, passed.retries), (OPENAI, code, retries));
    }
}

#[tokio::test]
async fn a_failed_model_is_called_last_during_its_cooldown() {
    let broken = |_: &Asked| Reply::status(500, "down");
    let (first, at_first) = scripted(OPENAI, Wire::OpenAi, broken).await;
    let (second, at_second) = scripted(CLAUDE, Wire::Anthropic, [Reply::text("a"), Reply::text("b")]).await;
    let purposes = ModelRouter::new(first.clone(), vec![second.clone()]).with(ModelPurpose::Plan, vec![first, second]);
    assert_eq!(ask(&purposes, &request()).await.expect("answers").text, "a");
    let asked = at_first.requests().len();
    let reply = ask(&purposes, &of(Purpose::Plan)).await.expect("answers");
    assert_eq!((reply.text.as_str(), reply.failed_attempts.len()), ("b", 0));
    assert_eq!((at_first.requests().len(), at_second.requests().len()), (asked, 2));
    // The second model has no reply left, so the first one is called although it failed recently.
    let error = ask(&purposes, &request()).await.expect_err("nobody answers");
    assert!(at_first.requests().len() > asked, "{error}");
}

#[tokio::test]
async fn when_none_is_left_the_failure_names_them_all() {
    let (first, _a) = scripted(OPENAI, Wire::OpenAi, |_: &Asked| Reply::status(503, "overloaded")).await;
    let (second, _b) = scripted(CLAUDE, Wire::Anthropic, |_: &Asked| Reply::too_many(0)).await;
    let error = ask(&ModelRouter::new(first, vec![second]), &request()).await.expect_err("nobody answers");
    let (failed_attempts, last) = error.tried().expect("two were asked");
    assert_eq!((failed_attempts[0].model.as_str(), failed_attempts.len(), last), (OPENAI, 1, CLAUDE));
    let failure = ModelFailure::from(&error);
    assert_eq!((failure.code, failure.retryable), (Code::ModelRateLimit, true));
    assert!(failure.message.contains(OPENAI) && failure.message.contains(CLAUDE), "{}", failure.message);
}

#[tokio::test]
async fn the_cheap_one_is_asked_only_where_it_is_wanted_and_the_strong_one_stands_in_for_it() {
    let (strong, _a) = named(OPENAI, Wire::OpenAi).await;
    let (cheap, at_cheap) = scripted(GEMINI, Wire::Gemini, [Reply::text("cheap"), Reply::status(400, "no")]).await;
    let purposes = ModelRouter::new(strong, Vec::new()).with_cheap(vec![cheap]);
    let cheaply = |purpose| ChatRequest { tier: ModelTier::Cheap, ..of(purpose) };
    assert_eq!(ask(&purposes, &of(Purpose::Act)).await.expect("answers").model, OPENAI);
    assert_eq!(ask(&purposes, &cheaply(Purpose::Plan)).await.expect("answers").model, OPENAI);
    assert_eq!(at_cheap.requests().len(), 0);
    assert_eq!(ask(&purposes, &cheaply(Purpose::Act)).await.expect("answers").text, "cheap");
    let reply = ask(&purposes, &cheaply(Purpose::Act)).await.expect("answers");
    assert_eq!((reply.model.as_str(), reply.failed_attempts[0].model.as_str()), (OPENAI, GEMINI));
}

#[tokio::test]
async fn a_run_that_is_stopped_asks_nobody_else() {
    let (first, _a) = scripted(OPENAI, Wire::OpenAi, [Reply::Silent]).await;
    let (second, at_second) = named(CLAUDE, Wire::Anthropic).await;
    let purposes = ModelRouter::new(first, vec![second]);
    let cancel = CancellationToken::new();
    cancel.cancel();
    assert!(matches!(purposes.chat(&request(), &cancel).await, Err(ModelError::Cancelled)));
    assert_eq!(at_second.requests().len(), 0);
}
