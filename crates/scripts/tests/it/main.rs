//! Recordings of a person's work in a real browser. The person is the trusted input of the library itself.

mod page;
mod person;
mod recording;
