//! Support for tests: a scripted model server, third-party applications, an HTTP client. No released program contains
//! it.

pub mod apps;
pub mod model;

use std::time::Duration;

/// A builder for an HTTP client of the servers in this crate. They use plain HTTP, but reqwest creates no client
/// without a TLS crypto provider.
pub fn http() -> reqwest::ClientBuilder {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if rustls::crypto::ring::default_provider().install_default().is_err() {
            tracing::debug!("another part of the program has chosen its cryptography before");
        }
    });
    reqwest::Client::builder().no_proxy()
}

/// Waits until nothing responds at an address, because a killed process does not end immediately.
///
/// # Panics
/// If something still responds after 20 seconds.
pub async fn is_gone(url: &str) {
    let http = http().build().expect("a client of no proxy and no certificates");
    let refused = async {
        while http.get(url).send().await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), refused).await.expect("the server is gone soon after its value");
}
