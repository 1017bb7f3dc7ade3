//! The network traffic of a page from DevTools events: HTTP requests and the opening of WebSockets. Bodies are not
//! included, and headers are passed on unparsed.

use serde_json::value::RawValue;

use super::{events::shape, wire::*};
use crate::driver_event::{DriverEvent, ResponseHead, StartedRequest};

/// The driver event for an event of the Network domain; `None` if it is not needed.
pub(super) fn read(method: &str, params: &RawValue) -> Option<DriverEvent> {
    Some(match method {
        "Network.requestWillBeSent" => {
            let request: RequestSent = shape(params)?;
            let kind = request.r#type.as_deref();
            if kind == Some("Other") && is_own(&request.request.url) {
                return None;
            }
            sent(request)
        }
        "Network.responseReceived" => {
            let response: ResponseReceived = shape(params)?;
            DriverEvent::ResponseReceived {
                request: response.request_id,
                document: (response.r#type == "Document").then_some(response.loader_id),
                endless: response.response.mime_type == "text/event-stream",
                answer: response.response.into(),
            }
        }
        "Network.loadingFinished" => {
            let ended: LoadingEnded = shape(params)?;
            let bytes = Some(ended.encoded_data_length as u64);
            DriverEvent::RequestFinished { request: ended.request_id, error: None, bytes, at: ended.timestamp }
        }
        "Network.loadingFailed" => {
            let ended: LoadingEnded = shape(params)?;
            let error = Some(ended.error_text.unwrap_or_default());
            DriverEvent::RequestFinished { request: ended.request_id, error, bytes: None, at: ended.timestamp }
        }
        "Network.webSocketCreated" => {
            let SocketCreated { request_id: request, url } = shape(params)?;
            let (method, kind) = ("GET".to_owned(), "websocket".to_owned());
            DriverEvent::RequestStarted(StartedRequest { request, method, url, kind, ..StartedRequest::default() })
        }
        "Network.webSocketHandshakeResponseReceived" => {
            let SocketAnswered { request_id: request, response } = shape(params)?;
            DriverEvent::ResponseReceived { request, document: None, endless: true, answer: response.into() }
        }
        "Network.webSocketFrameError" => {
            let SocketFailed { request_id: request, error_message, timestamp: at } = shape(params)?;
            DriverEvent::RequestFinished { request, error: Some(error_message), bytes: None, at }
        }
        "Network.webSocketClosed" => {
            let SocketClosed { request_id: request, timestamp: at } = shape(params)?;
            DriverEvent::RequestFinished { request, error: None, bytes: None, at }
        }
        _ => return None,
    })
}

/// Whether the browser requests the address by itself. If it is missing, the page is not at fault.
pub(super) fn is_own(url: &str) -> bool {
    url.ends_with("/favicon.ico")
}

fn sent(sent: RequestSent) -> DriverEvent {
    let kind = sent.r#type.unwrap_or_default();
    DriverEvent::RequestStarted(StartedRequest {
        request: sent.request_id,
        method: sent.request.method,
        url: sent.request.url,
        document: sent.loader_id,
        frame: sent.frame_id.unwrap_or_default(),
        weighs: matters(&kind),
        kind: kind.to_ascii_lowercase(),
        redirected: sent.redirect_response.map(ResponseHead::from),
        headers: sent.request.headers.map(Into::into),
        posts: sent.request.has_post_data == Some(true),
        at: sent.timestamp,
    })
}

/// Whether the outcome of such a request may change what the page shows. Images, media and the like do not change it.
fn matters(kind: &str) -> bool {
    matches!(kind, "Document" | "Script" | "Stylesheet" | "XHR" | "Fetch")
}

impl From<Response> for ResponseHead {
    fn from(response: Response) -> Self {
        ResponseHead {
            status: Some(response.status),
            media_type: response.mime_type,
            headers: response.headers.map(Into::into),
        }
    }
}
