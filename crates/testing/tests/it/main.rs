//! The parts for tests, tested.

#![expect(
    clippy::unwrap_used,
    reason = "a test may; clippy grants it to functions marked as tests, not to their helpers"
)]

mod apps;
