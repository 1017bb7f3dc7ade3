//! Telling another program that a run has ended: a signed POST, sent again when it was not taken.
//!
//! `X-Legwork-Signature: t=UNIX_SECONDS,v1=HEX` is HMAC-SHA256 over `UNIX_SECONDS.BODY`. The time is signed too, so that
//! whoever checks can refuse what is old.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use ring::hmac;

/// The waits before it is sent again.
const WAITS: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(120)];
/// How long whoever is told may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The start of an HTTP client.
pub(crate) fn http() -> reqwest::ClientBuilder {
    // Another part of the program may have chosen its cryptography before; then that is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none())
}

/// The header's value for a body at a time.
fn signature(key: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    let tag = hmac::sign(&key, format!("{at}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

/// Sends it until it is taken or the waits are used up; whether it was taken.
pub(crate) async fn send(url: String, key: String, body: String) -> bool {
    let Ok(client) = http().build() else { return false };
    let body: Arc<str> = body.into();
    let mut waits = WAITS.into_iter();
    loop {
        let signed = signature(&key, Timestamp::now().as_second(), &body);
        let request = client
            .post(&url)
            .header("content-type", "application/json")
            .header("x-legwork-signature", signed)
            .body(body.to_string());
        let problem = match request.send().await {
            Ok(answer) if answer.status().is_success() => return true,
            Ok(answer) => answer.status().to_string(),
            // Without its address, which may hold a secret.
            Err(error) => error.without_url().to_string(),
        };
        let Some(wait) = waits.next() else {
            tracing::error!(problem, "a webhook was not taken, and is given up");
            return false;
        };
        tracing::warn!(problem, again_in = wait.as_secs(), "a webhook was not taken");
        tokio::time::sleep(wait).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_openssl_says() {
        // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
        let signed = signature("key", 1_700_000_000, "{}");
        assert_eq!(signed, "t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae");
    }
}
