//! Telling another program that a run has ended: a signed POST, sent again when it was not taken.
//!
//! `X-Legwork-Signature: t=UNIX_SECONDS,v1=HEX` is HMAC-SHA256 over `UNIX_SECONDS.BODY`. The time is signed too, so that
//! whoever checks can refuse what is old.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use ring::hmac;
use url::{Host, Url};

const NO_ADDRESS: &str = "an http or https address is needed";
/// Names of metadata services; they resolve to link-local addresses.
const METADATA_HOSTS: [&str; 2] = ["metadata.google.internal", "metadata"];

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

/// Reads the address of a webhook.
///
/// # Errors
/// When it is not an HTTP address, or a link-local one: there the metadata service of a cloud machine gives out credentials.
pub(crate) fn address(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| NO_ADDRESS)?;
    let is_link_local = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_link_local(),
        Some(Host::Ipv6(ip)) => match ip.to_ipv4_mapped() {
            Some(ip) => ip.is_link_local(),
            None => ip.is_unicast_link_local(),
        },
        Some(Host::Domain(name)) => METADATA_HOSTS.contains(&name.trim_end_matches('.')),
        None => false,
    };
    match url.scheme() {
        "http" | "https" if is_link_local => Err("link-local addresses are not allowed"),
        "http" | "https" => Ok(url),
        _ => Err(NO_ADDRESS),
    }
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
    fn a_webhook_does_not_reach_the_metadata_of_a_cloud_machine() {
        let check = |text: &str, taken: bool| assert_eq!(address(text).is_ok(), taken, "{text}");
        check("https://hooks.example/x", true);
        check("http://127.0.0.1:9000/x", true);
        check("http://10.0.0.8/x", true);
        check("http://169.254.169.254/latest/meta-data", false);
        check("http://2852039166/", false);
        check("http://[::ffff:169.254.169.254]/", false);
        check("http://[fe80::1]/", false);
        check("http://metadata.google.internal/", false);
        check("ftp://hooks.example/", false);
        check("no address", false);
    }

    #[test]
    fn a_signature_is_what_openssl_says() {
        // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
        let signed = signature("key", 1_700_000_000, "{}");
        assert_eq!(signed, "t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae");
    }
}
