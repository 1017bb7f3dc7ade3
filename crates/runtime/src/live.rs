//! What a run shows while it works and nobody keeps: a model's words as they come, and the browser's picture. A viewer who
//! is slow misses some; the run never waits for one.

use std::sync::Arc;

use legwork_protocol::Purpose;
use tokio::sync::{broadcast, watch};

/// Bounded; overflow = the oldest are dropped, and the viewer is told how many.
const DELTAS: usize = 256;

/// A piece of a model's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The call it belongs to, counted within the run from 1.
    pub call: u64,
    /// What the model was asked for.
    pub purpose: Purpose,
    /// The next piece; secrets are handles.
    pub text: String,
}

/// A picture of the page as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// `image/jpeg`.
    pub media_type: &'static str,
    /// The picture.
    pub bytes: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// What a run shows while it works.
#[derive(Debug)]
pub struct Live {
    deltas: broadcast::Sender<Arc<Delta>>,
    frames: watch::Sender<Option<Arc<Frame>>>,
}

impl Live {
    pub(crate) fn new() -> Self {
        Live { deltas: broadcast::channel(DELTAS).0, frames: watch::channel(None).0 }
    }

    /// The pieces of replies from now on.
    pub fn deltas(&self) -> broadcast::Receiver<Arc<Delta>> {
        self.deltas.subscribe()
    }

    /// The newest picture. Pictures are taken as long as somebody holds a receiver.
    pub fn frames(&self) -> watch::Receiver<Option<Arc<Frame>>> {
        self.frames.subscribe()
    }
}
