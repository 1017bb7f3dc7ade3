//! The traffic between page and network, and emulated conditions.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::Bidi;
use crate::driver::{DriverError, Fulfillment, Network, NetworkEmulation, Pending, SessionId};

fn header_entries(headers: &[(String, String)]) -> Value {
    let entry = |(name, value): &(String, String)| json!({"name": name, "value": {"type": "string", "value": value}});
    headers.iter().map(entry).collect()
}

/// The bytes of a protocol value.
fn bytes_of(value: &Value) -> Result<Vec<u8>, DriverError> {
    let text = value["value"].as_str().unwrap_or_default();
    match value["type"].as_str() {
        Some("base64") => STANDARD.decode(text).map_err(|error| DriverError::Refused(error.to_string())),
        _ => Ok(text.as_bytes().to_vec()),
    }
}

impl Bidi {
    /// Pauses requests as long as one tab or user context needs it.
    pub(super) fn pause_requests(&self, whom: &str, on: bool) -> Pending<()> {
        let (begin, end) = {
            let mut state = self.state();
            let was_empty = state.intercepted.is_empty();
            match on {
                true => drop(state.intercepted.insert(whom.to_owned())),
                false => drop(state.intercepted.remove(whom)),
            }
            let begin = on && was_empty;
            (begin, (!on && state.intercepted.is_empty()).then(|| state.intercept.take()).flatten())
        };
        if let Some(intercept) = end {
            return self.tell(None, "network.removeIntercept", &json!({ "intercept": intercept }));
        }
        if !begin {
            return Pending::new(async { Ok(()) });
        }
        let added = self.ask(None, "network.addIntercept", &json!({"phases": ["beforeRequestSent"]}));
        let inner = Arc::clone(&self.inner);
        Pending::new(async move {
            let intercept = added.await?["intercept"].as_str().map(str::to_owned);
            inner.state.lock().intercept = intercept;
            Ok(())
        })
    }

    fn data(&self, session: &SessionId, request: &str, kind: &str) -> Pending<Vec<u8>> {
        let request = self.state().wire_request(request);
        let data = self.ask(Some(session), "network.getData", &json!({"dataType": kind, "request": request}));
        Pending::new(async move { bytes_of(&data.await?["bytes"]) })
    }
}

impl Network for Bidi {
    fn continue_request(&self, session: &SessionId, request: &str, goes: bool) {
        let wire = {
            let mut state = self.state();
            let wire = state.wire_request(request);
            if !goes {
                state.refused.insert(wire.clone());
            }
            wire
        };
        let method = if goes { "network.continueRequest" } else { "network.failRequest" };
        self.send(session, method, &json!({ "request": wire }));
    }

    fn continue_request_with_headers(&self, session: &SessionId, request: &str, headers: &[(String, String)]) {
        let wire = self.state().wire_request(request);
        let params = json!({"request": wire, "headers": header_entries(headers)});
        self.send(session, "network.continueRequest", &params);
    }

    fn fulfill_request(&self, session: &SessionId, request: &str, answer: &Fulfillment) {
        let wire = self.state().wire_request(request);
        let params = json!({
            "request": wire,
            "statusCode": answer.status,
            "reasonPhrase": "",
            "headers": header_entries(&answer.headers),
            "body": {"type": "base64", "value": STANDARD.encode(&answer.body)},
        });
        self.send(session, "network.provideResponse", &params);
    }

    fn intercept_requests(&self, session: &SessionId, on: bool) -> Pending<()> {
        self.pause_requests(session, on)
    }

    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String> {
        let bytes = self.data(session, request, "request");
        Pending::new(async move { Ok(String::from_utf8_lossy(&bytes.await?).into_owned()) })
    }

    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>> {
        self.data(session, request, "response")
    }

    fn set_conditions(&self, session: &SessionId, network_emulation: &NetworkEmulation) -> Pending<()> {
        let conditions = if network_emulation.offline { json!({"type": "offline"}) } else { Value::Null };
        // A setting is of tabs, not of the frames inside them.
        let tab = self.state().tab_of(session).unwrap_or_else(|| session.clone());
        let params = json!({"networkConditions": conditions, "contexts": [&*tab]});
        self.tell(Some(session), "emulation.setNetworkConditions", &params)
    }
}
