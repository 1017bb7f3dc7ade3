//! From captured pages to the text that a model reads: capture → tree → refs → collapse → diff → render within a
//! budget. Pure.
//!
//! The browser crate passes one [`capture::Capture`] per frame, as the injected script produced it. The result is a
//! [`Snapshot`]: the page as one tree in document order, including frames and shadow roots. All other code reads
//! snapshots: the renderer that creates an observation, the diff, and the deciders that find an element by role and
//! name.

pub mod assemble;
pub mod capture;
mod collapse;
mod diff;
mod find;
mod fingerprint;
pub mod fixture;
mod full_text;
mod identity;
mod line;
pub mod numbers;
mod outline;
pub mod progress;
mod readiness;
pub mod refs;
mod render;
pub mod sites;
mod snapshot;
pub mod tokens;
pub mod wording;

pub use assemble::{FrameCapture, PageFacts, assemble};
pub use capture::{Capture, CaptureError};
pub use diff::diff;
pub use find::{FindError, TextMatches, expand, find};
pub use fingerprint::{fingerprint, fingerprint_text};
pub use full_text::full_text;
pub use identity::{
    ElementCandidate, ElementLocation, identity, identity_in_row, identity_named, locate, locate_in_row,
};
pub use readiness::is_loading;
pub use refs::{DocumentKey, NodeKey, RefTable, StaleRef};
pub use render::{render, render_since};
pub use snapshot::{Attributes, Node, NodeIndex, Reversion, Snapshot, States};
