//! The traffic between page and network, and emulated conditions.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::Cdp;
use crate::{
    cdp::wire::*,
    driver::{DriverError, Fulfillment, Network, NetworkEmulation, Pending, SessionId},
};

fn header_entries(headers: &[(String, String)]) -> Value {
    headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect()
}

impl Network for Cdp {
    fn continue_request(&self, session: &SessionId, request: &str, goes: bool) {
        let request_id = request.to_owned();
        if goes {
            self.send(session, &ContinueRequest { request_id, headers: None });
        } else {
            self.send(session, &FailRequest { request_id, error_reason: "BlockedByClient" });
        }
    }

    fn continue_request_with_headers(&self, session: &SessionId, request: &str, headers: &[(String, String)]) {
        let headers = Some(header_entries(headers));
        self.send(session, &ContinueRequest { request_id: request.to_owned(), headers });
    }

    fn fulfill_request(&self, session: &SessionId, request: &str, answer: &Fulfillment) {
        let fulfill = FulfillRequest {
            request_id: request.to_owned(),
            response_code: answer.status.into(),
            response_headers: header_entries(&answer.headers),
            body: STANDARD.encode(&answer.body),
        };
        self.send(session, &fulfill);
    }

    fn intercept_requests(&self, session: &SessionId, on: bool) -> Pending<()> {
        match on {
            true => self.tell(Some(session), &FetchEnable { patterns: json!([{"urlPattern": "*"}]) }),
            false => self.tell(Some(session), &FetchDisable {}),
        }
    }

    fn block_requests(&self, session: &SessionId, on: bool) -> Pending<()> {
        let urls = if on { vec!["*"] } else { Vec::new() };
        // The browser blocks only what is observed. No body of a worker is read.
        self.send(session, &NetworkEnable { max_total_buffer_size: 0, max_resource_buffer_size: 0 });
        self.tell(Some(session), &SetBlockedUrls { urls })
    }

    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String> {
        let got = self.ask(Some(session), &GetPostData { request_id: request.to_owned() });
        Pending::new(async move { Ok(got.await?.post_data) })
    }

    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>> {
        let got = self.ask(Some(session), &GetResponseBody { request_id: request.to_owned() });
        Pending::new(async move {
            let ResponseBody { body, base64_encoded } = got.await?;
            if !base64_encoded {
                return Ok(body.into_bytes());
            }
            STANDARD.decode(body).map_err(|error| DriverError::Refused(error.to_string()))
        })
    }

    fn set_conditions(&self, session: &SessionId, network_emulation: &NetworkEmulation) -> Pending<()> {
        let features =
            network_emulation.features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        drop(self.ask(Some(session), &EmulateMedia { media: network_emulation.media.clone(), features }));
        // No throughput limit.
        let (download_throughput, upload_throughput) = (-1.0, -1.0);
        let network =
            EmulateNetwork { offline: network_emulation.offline, latency: 0.0, download_throughput, upload_throughput };
        self.tell(Some(session), &network)
    }
}
