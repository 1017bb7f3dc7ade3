//! Recordings of a person's work in a real browser. The person is the trusted input of the library itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should panic; the lint knows only #[test] functions")]

mod page;
mod person;
mod recording;
