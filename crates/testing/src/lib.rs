//! The demo site, a scripted model server and other real parts for tests.

pub mod apps;
pub mod demo;
pub mod model;

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
