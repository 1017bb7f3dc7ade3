//! The upgrade of a request to a WebSocket, on top of hyper: axum's own would add a second version of tungstenite to
//! the program.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use legwork::protocol::Code;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        handshake::derive_accept_key,
        protocol::{Role, WebSocketConfig},
    },
};

use crate::error::ApiError;

/// A WebSocket of a client.
pub(crate) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Answers the handshake. `serve` then runs in a task of its own. Messages of the client may have `max_bytes`.
pub(crate) fn upgrade<F>(
    mut request: Request,
    max_bytes: usize,
    serve: impl FnOnce(Socket) -> F + Send + 'static,
) -> Result<Response, ApiError>
where
    F: Future<Output = ()> + Send + 'static,
{
    let text = |name| request.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let has = |name, word: &str| {
        text(name).is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    let asked = has(header::UPGRADE, "websocket") && has(header::CONNECTION, "upgrade");
    let key = request.headers().get(header::SEC_WEBSOCKET_KEY).filter(|key| key.len() == 24).cloned();
    let known = text(header::SEC_WEBSOCKET_VERSION) == Some("13");
    let upgrade = request.extensions_mut().remove::<OnUpgrade>();
    let (true, true, Some(key), Some(upgrade)) = (asked, known, key, upgrade) else {
        let status = StatusCode::UPGRADE_REQUIRED;
        return Err(ApiError::new(
            status,
            Code::StreamCreation,
            "this address speaks WebSocket, version 13, over HTTP/1.1",
        ));
    };
    let accept = derive_accept_key(key.as_bytes());
    tokio::spawn(async move {
        let upgraded = match upgrade.await {
            Ok(upgraded) => upgraded,
            Err(error) => return tracing::debug!(%error, "a WebSocket was not made"),
        };
        let config = WebSocketConfig::default().max_message_size(Some(max_bytes)).max_frame_size(Some(max_bytes));
        let io = TokioIo::new(upgraded);
        serve(WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await).await;
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, HeaderValue::from_str(&accept).expect("base64 is ASCII"));
    Ok(response)
}
