//! Support for tests: a scripted model server, foreign applications, an HTTP client. No released program contains it.

pub mod apps;
pub mod model;

use std::time::Duration;

/// The start of an HTTP client for the servers of this crate. They speak plain HTTP, but reqwest makes no client at all
/// before TLS has its cryptography.
pub fn http() -> reqwest::ClientBuilder {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if rustls::crypto::ring::default_provider().install_default().is_err() {
            tracing::debug!("another part of the program has chosen its cryptography before");
        }
    });
    reqwest::Client::builder().no_proxy()
}

/// Waits until nothing answers at an address any more: killing takes the system a moment.
///
/// # Panics
/// When something still answers after 20 seconds.
pub async fn is_gone(url: &str) {
    let http = http().build().expect("a client of no proxy and no certificates");
    let refused = async {
        while http.get(url).send().await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), refused).await.expect("the server is gone soon after its value");
}
