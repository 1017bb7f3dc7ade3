//! The parts for tests, tested.

#![expect(
    clippy::unwrap_used,
    reason = "a test may; clippy grants it to functions marked as tests, not to their helpers"
)]

use std::time::Duration;

mod apps;
mod demo;

/// Killing takes the system a moment, so a port is asked until it no longer answers.
async fn is_gone(url: &str) {
    let http = legwork_testing::http().build().unwrap();
    let refused = async {
        while http.get(url).send().await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), refused).await.expect("the server is gone soon after its value");
}
