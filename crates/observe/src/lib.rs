//! From captured pages to what a model reads: capture → tree → refs → fold → diff → render within a budget. Pure.
//!
//! The browser hands in [`capture::Capture`]s, one a frame, as the injected walk made them. Out comes a [`Snapshot`]: the
//! page as one tree in document order, with frames and shadow roots in their places. Everything else reads snapshots:
//! the renderer that makes an observation, the differ, and the deciders that look for an element by role and name.

pub mod assemble;
pub mod capture;
mod collapse;
mod diff;
mod find;
mod fingerprint;
pub mod fixture;
mod full_text;
mod line;
pub mod numbers;
mod outline;
pub mod progress;
pub mod refs;
mod render;
mod snapshot;
pub mod tokens;
pub mod wording;

pub use assemble::{FrameCapture, PageFacts, assemble};
pub use capture::{Capture, CaptureError};
pub use diff::diff;
pub use find::{FindError, TextMatches, expand, find};
pub use fingerprint::fingerprint;
pub use full_text::full_text;
pub use refs::{DocumentKey, NodeKey, RefTable, StaleRef};
pub use render::render;
pub use snapshot::{Attributes, Node, NodeIndex, Reversion, Snapshot, States};
