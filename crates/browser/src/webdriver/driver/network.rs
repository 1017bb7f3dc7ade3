//! The traffic between page and network, of which WebDriver shows nothing. What scripts send is noted by the reporter.

use serde_json::{Value, json};

use super::{WebDriver, done, gone, refused};
use crate::driver::{DriverError, Fulfillment, Network, NetworkEmulation, Pending, SessionId};

const NONE: &str = "WebDriver does not intercept requests";

impl Network for WebDriver {
    fn continue_request(&self, _session: &SessionId, _request: &str, _goes: bool) {
        // No request is paused.
    }

    fn continue_request_with_headers(&self, _session: &SessionId, _request: &str, _headers: &[(String, String)]) {
        // No request is paused.
    }

    fn fulfill_request(&self, _session: &SessionId, _request: &str, _answer: &Fulfillment) {
        // No request is paused.
    }

    fn intercept_requests(&self, _session: &SessionId, on: bool) -> Pending<()> {
        if on { refused(NONE) } else { done() }
    }

    fn request_body(&self, _session: &SessionId, _request: &str) -> Pending<String> {
        refused("the bodies of requests are not kept with WebKit")
    }

    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>> {
        // The identifier begins with the name of the world whose script sent the request.
        let world = request.rsplit_once('-').map(|(world, _)| world.to_owned()).unwrap_or_default();
        let Some(queue) = self.queue(session) else { return gone() };
        let (tab, request) = (session.to_string(), request.to_owned());
        queue.in_tab(session, move |context| {
            Box::pin(async move {
                let expression = format!("window[{}].bodies.get({})??null", json!(world), json!(request));
                match context.evaluate_now(&tab, &world, &expression).await? {
                    Value::String(body) => Ok(body.into_bytes()),
                    _ => Err(DriverError::Refused("only short texts that scripts received are kept".to_owned()).into()),
                }
            })
        })
    }

    fn set_conditions(&self, _session: &SessionId, emulation: &NetworkEmulation) -> Pending<()> {
        if *emulation == NetworkEmulation::default() {
            return done();
        }
        refused("WebDriver emulates no conditions")
    }
}
