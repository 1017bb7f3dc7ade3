//! Faults of a model server, with each wire format.

use std::time::{Duration, Instant};

use legwork_model::{ModelError, ModelSettings, ReplyProblem, Retries, Timeouts};
use legwork_protocol::{Code, ModelFailure};
use legwork_testing::model::{Asked, Gate, Reply};
use tokio_util::sync::CancellationToken;

use crate::{FORMATS, KEY, ask, free_request, open, request, serve, settings};

/// Calls a server that always answers with this fault; returns the error and the number of requests.
async fn fault(
    name: &str,
    wire: legwork_testing::model::Wire,
    reply: Reply,
    change: impl FnOnce(&mut ModelSettings),
) -> (ModelError, usize) {
    let server = serve(wire, move |_: &Asked| reply.clone()).await;
    let mut settings = settings(name, &server);
    change(&mut settings);
    let error = ask(&*open(settings), &request()).await.expect_err("a fault");
    let failure = ModelFailure::from(&error);
    let mut said = vec![failure.message.clone(), format!("{error:?}")];
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        said.push(cause.to_string());
        source = cause.source();
    }
    for said in said {
        assert!(
            !said.contains(KEY) && !said.contains("PRIVATE-WORDS"),
            "the error contains the key or the request: {said}"
        );
    }
    (error, server.requests().len())
}

fn code(error: &ModelError) -> (Code, bool) {
    let failure = ModelFailure::from(error);
    (failure.code, failure.retryable)
}

#[tokio::test]
async fn any_reply_text_is_returned_unchanged() {
    for (name, wire) in FORMATS {
        for text in ["I would click the button.", r#"{"action": "PROC"#, r#"{"colour": "blue"}"#, ""] {
            let server = serve(wire, [Reply::text(text)]).await;
            let reply = ask(&*open(settings(name, &server)), &request()).await.unwrap();
            assert_eq!((reply.text.as_str(), server.requests().len()), (text, 1), "{name}");
        }
    }
}

#[tokio::test]
async fn unusable_bodies_are_reported_as_reply_errors() {
    for (name, wire) in FORMATS {
        for (body, expected, words) in [
            ("", Code::ReplyEmpty, "it is empty"),
            ("  \n", Code::ReplyEmpty, "it is empty"),
            ("<html>PRIVATE-WORDS</html>", Code::ModelReply, "it is not JSON"),
            (r#"{"object": "PRIVATE-WORDS"#, Code::ModelReply, "its JSON is truncated"),
            ("{}", Code::ReplyEmpty, "it is empty: it contains no answer"),
            ("[]", Code::ModelReply, "it is JSON, but not a reply of"),
            ("null", Code::ModelReply, "it is JSON, but not a reply of"),
        ] {
            let (error, asked) = fault(name, wire, Reply::Raw(body.as_bytes().to_vec()), |_| ()).await;
            assert!(matches!(error, ModelError::Reply(_)), "{name} {body:?}: {error:?}");
            assert_eq!((code(&error), asked), ((expected, true), 1), "{name} {body:?}: {error}");
            assert!(error.to_string().contains(words), "{name} {body:?}: {error}");
        }
    }
}

#[tokio::test]
async fn bodies_over_the_size_limit_are_not_read() {
    for (name, wire) in FORMATS {
        let (error, asked) = fault(name, wire, Reply::Huge(100 << 20), |_| ()).await;
        assert!(matches!(error, ModelError::Reply(ReplyProblem::TooLarge { limit: 4_194_304 })), "{error:?}");
        assert_eq!(asked, 1, "{name}");
        // The body of an error is also read only up to the limit; the status determines the error.
        let (error, _) = fault(name, wire, Reply::RawStatus(404, vec![b'x'; 1 << 20]), |_| ()).await;
        assert!(matches!(error, ModelError::Refused { status: 404, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_rate_limited_call_waits_for_retry_after_and_succeeds() {
    for (name, wire) in FORMATS {
        let server = serve(wire, [Reply::too_many("0.05"), Reply::text("ok")]).await;
        let began = Instant::now();
        let reply = ask(&*open(settings(name, &server)), &request()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.retries), ("ok", 1), "{name}");
        // The client waited as long as the server requested, not for its own delay of 1 ms, and the latency includes
        // the wait.
        assert!(began.elapsed() >= Duration::from_millis(50) && reply.latency >= Duration::from_millis(50), "{name}");
    }
}

#[tokio::test]
async fn a_retry_after_beyond_the_call_limit_fails_immediately() {
    for (name, wire) in FORMATS {
        let began = Instant::now();
        let (error, asked) = fault(name, wire, Reply::too_many(3600), |_| ()).await;
        assert!(
            matches!(error, ModelError::RateLimited { retry_after: Some(wait), .. } if wait.as_secs() == 3600),
            "{error:?}"
        );
        assert_eq!((code(&error), asked), ((Code::ModelRateLimit, true), 1));
        assert!(error.to_string().contains("wait 3600 s"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(60), "{name}");
    }
}

#[tokio::test]
async fn server_errors_are_retried_three_times() {
    for (name, wire) in FORMATS {
        for status in [500, 502, 503, 529, 408] {
            let (error, asked) = fault(name, wire, Reply::status(status, "overloaded"), |_| ()).await;
            assert_eq!((error.retries(), asked), (3, 4), "{name} {status}");
            assert_eq!(code(&error), (Code::ModelError, true), "{name} {status}");
            assert_eq!(
                error.to_string(),
                format!("the model's provider failed (HTTP {status}): overloaded (tried 4 times)")
            );
        }
    }
}

#[tokio::test]
async fn a_call_succeeds_after_three_server_errors() {
    for (name, wire) in FORMATS {
        let broken = || Reply::status(500, "oops");
        let server = serve(wire, [broken(), broken(), broken(), Reply::text("ok")]).await;
        let reply = ask(&*open(settings(name, &server)), &request()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.retries, reply.usage.calls), ("ok", 3, 1), "{name}");
    }
}

#[tokio::test]
async fn permanent_errors_are_not_retried() {
    for (name, wire) in FORMATS {
        for (status, expect) in [
            (401, (Code::ModelAuth, false)),
            (403, (Code::ModelAuth, false)),
            (402, (Code::ModelError, false)),
            (404, (Code::ModelError, false)),
            (413, (Code::ModelError, false)),
            (501, (Code::ModelError, false)),
        ] {
            let (error, asked) = fault(name, wire, Reply::status(status, format!("no, says {KEY}")), |_| ()).await;
            assert_eq!((code(&error), asked), (expect, 1), "{name} {status}");
            assert!(error.to_string().contains("no, says [key]"), "{error}");
        }
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for (name, wire) in FORMATS {
        let elsewhere = serve(wire, [Reply::text("stolen")]).await;
        let (error, _) = fault(name, wire, Reply::Redirect(elsewhere.base_url.clone()), |_| ()).await;
        assert!(matches!(error, ModelError::Refused { status: 307, .. }), "{error:?}");
        assert!(elsewhere.requests().is_empty(), "{name}: the key was sent to another host");
    }
}

#[tokio::test]
async fn missing_and_stalled_responses_time_out() {
    let short = |settings: &mut ModelSettings| {
        settings.timeouts.request = Duration::from_millis(150);
        settings.retries.max_retries = 1;
    };
    for (name, wire) in FORMATS {
        for reply in [Reply::Silent, Reply::Stalled] {
            let (error, asked) = fault(name, wire, reply.clone(), short).await;
            let ModelError::RetriesExhausted { retries: 1, last } = &error else { panic!("{error:?}") };
            assert!(
                matches!(**last, ModelError::Timeout { after, .. } if after == Duration::from_millis(150)),
                "{error:?}"
            );
            assert_eq!((code(&error), asked), ((Code::ModelConnection, true), 2), "{name} {reply:?}");
        }
    }
}

#[tokio::test]
async fn a_slow_reply_within_the_time_limit_succeeds() {
    for (name, wire) in FORMATS {
        let gate = Gate::new();
        let server = serve(wire, [Reply::Held(gate.clone(), Box::new(Reply::text("at last")))]).await;
        let (model, request) = (open(settings(name, &server)), request());
        let mut asked = std::pin::pin!(ask(&*model, &request));
        // Nothing arrives while the gate is closed.
        tokio::select! {
            biased;
            early = &mut asked => panic!("{name}: {early:?}"),
            () = gate.reached() => gate.open(),
        }
        assert_eq!(asked.await.unwrap().text, "at last");
    }
}

#[tokio::test]
async fn connection_failures_are_retried() {
    for (name, wire) in FORMATS {
        let server = serve(wire, [Reply::Reset, Reply::Cut, Reply::text("ok")]).await;
        let reply = ask(&*open(settings(name, &server)), &request()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.retries), ("ok", 2), "{name}");
        for reply in [Reply::Reset, Reply::Cut] {
            let (error, asked) = fault(name, wire, reply, |_| ()).await;
            assert_eq!((code(&error), asked), ((Code::ModelConnection, true), 4), "{name}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_refused_connection_is_retried_and_reported() {
    // Bound but not listening: the port is in use, and every connection is refused.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    for (name, wire) in FORMATS {
        let server = serve(wire, [Reply::text("never")]).await;
        let mut settings = settings(name, &server);
        settings.base_url = Some(format!("http://{address}").parse().unwrap());
        let error = ask(&*open(settings), &request()).await.unwrap_err();
        assert_eq!((code(&error), error.retries()), ((Code::ModelConnection, true), 3), "{error:?}");
        let said = error.to_string();
        assert!(said.contains(&address.to_string()) && said.contains("refused"), "{said}");
    }
}

#[tokio::test]
async fn the_call_timeout_limits_all_retries() {
    let (name, wire) = FORMATS[0];
    let began = Instant::now();
    let (error, _) = fault(name, wire, Reply::Silent, |settings| {
        settings.timeouts = Timeouts { call: Some(Duration::from_millis(80)), ..settings.timeouts };
        settings.retries = Retries { max_retries: 1000, first_delay: Duration::from_millis(1) };
    })
    .await;
    assert_eq!(code(&error), (Code::ModelConnection, true));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn cancelling_ends_a_pending_request_and_a_retry_delay() {
    for (name, wire) in FORMATS {
        for reply in [Reply::Silent, Reply::Stalled, Reply::too_many(15)] {
            let server = serve(wire, [reply.clone()]).await;
            let model = open(settings(name, &server));
            let cancel = CancellationToken::new();
            let began = Instant::now();
            let call = tokio::spawn({
                let cancel = cancel.clone();
                async move { model.chat(&free_request(), &cancel).await }
            });
            while server.requests().is_empty() {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
            let error = call.await.unwrap().unwrap_err();
            assert!(matches!(error, ModelError::Cancelled), "{name} {reply:?}: {error:?}");
            assert_eq!(code(&error), (Code::Cancelled, false));
            assert!(began.elapsed() < Duration::from_secs(10), "{name} {reply:?}");
        }
    }
}

#[tokio::test]
async fn cancelling_closes_the_connection() {
    let (name, wire) = FORMATS[0];
    let server = serve(wire, [Reply::Silent]).await;
    let model = open(settings(name, &server));
    let cancel = CancellationToken::new();
    let request = free_request();
    let asked = async {
        while server.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (reply, ()) = tokio::join!(model.chat(&request, &cancel), asked);
    assert!(matches!(reply, Err(ModelError::Cancelled)));
    let gone = async {
        while server.disconnect_count() == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.expect("the connection is closed");
}

#[tokio::test]
async fn a_call_that_is_cancelled_beforehand_sends_nothing() {
    let (name, wire) = FORMATS[0];
    let server = serve(wire, [Reply::text("never")]).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let error = open(settings(name, &server)).chat(&request(), &cancel).await.unwrap_err();
    assert!(matches!(error, ModelError::Cancelled));
    assert!(server.requests().is_empty());
}

/// The first call creates the client, which would panic without a provider of cryptography.
#[tokio::test]
async fn https_to_a_server_without_tls_is_a_connection_error() {
    let (name, wire) = FORMATS[0];
    let server = serve(wire, [Reply::text("never")]).await;
    let mut settings = settings(name, &server);
    settings.base_url = Some(format!("https://{}/v1", server.address()).parse().unwrap());
    settings.retries.max_retries = 0;
    let error = ask(&*open(settings), &request()).await.unwrap_err();
    assert_eq!(ModelFailure::from(&error).code, Code::ModelConnection, "{error:?}");
    assert!(server.requests().is_empty());
}
