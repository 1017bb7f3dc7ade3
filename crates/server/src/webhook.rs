//! Webhooks: a signed POST reports the end of a run.
//!
//! `X-Legwork-Signature: t=UNIX_SECONDS,v1=HEX` is the HMAC-SHA256 of `UNIX_SECONDS.BODY`. The time is part of the
//! signed text, so that a receiver can refuse an old request.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use jiff::Timestamp;
use ring::hmac;
use url::{Host, Url};

use crate::alerts::AlertError;

const INVALID_URL: &str = "an http or https address is needed";
/// Metadata services at other addresses: Alibaba Cloud and Oracle Cloud.
const METADATA_IPV4: [Ipv4Addr; 2] = [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(192, 0, 0, 192)];
/// The metadata service of AWS.
const METADATA_IPV6: [Ipv6Addr; 1] = [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)];
/// Names of metadata services, which resolve to link-local addresses.
const METADATA_HOSTS: [&str; 2] = ["metadata.google.internal", "metadata"];

/// Time limit for the receiver.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The base configuration of an HTTP client.
pub(crate) fn http() -> reqwest::ClientBuilder {
    // Another part of the program may have installed its cryptography provider already; then that one is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none())
}

/// Parses the URL of a webhook.
///
/// # Errors
/// If it is not an HTTP URL, or its address is link-local or that of the metadata service of a cloud machine, which
/// would return credentials.
pub(crate) fn address(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| INVALID_URL)?;
    let is_link_local = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_link_local() || METADATA_IPV4.contains(&ip),
        Some(Host::Ipv6(ip)) => match ip.to_ipv4_mapped() {
            Some(ip) => ip.is_link_local() || METADATA_IPV4.contains(&ip),
            None => ip.is_unicast_link_local() || METADATA_IPV6.contains(&ip),
        },
        Some(Host::Domain(name)) => METADATA_HOSTS.contains(&name.trim_end_matches('.')),
        None => false,
    };
    match url.scheme() {
        "http" | "https" if is_link_local => Err("link-local addresses are not allowed"),
        "http" | "https" => Ok(url),
        _ => Err(INVALID_URL),
    }
}

/// The value of the header for a body at a time.
fn signature(key: &str, at: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    let tag = hmac::sign(&key, format!("{at}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

/// Sends the body once, signed if there is a key.
///
/// # Errors
/// The reason, without the URL, which may contain a secret.
pub(crate) async fn send(url: &str, key: Option<&str>, body: String) -> Result<(), AlertError> {
    let client = http().build()?;
    let request = client.post(url).header("content-type", "application/json");
    let request = match key {
        Some(key) => {
            let signed = signature(key, Timestamp::now().as_second(), &body);
            request.header("x-legwork-signature", signed)
        }
        None => request,
    };
    let answer = request.body(body).send().await.map_err(reqwest::Error::without_url)?;
    if answer.status().is_success() { Ok(()) } else { Err(AlertError::Answer(answer.status())) }
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
        check("http://100.100.100.200/", false);
        check("http://[fd00:ec2::254]/", false);
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
