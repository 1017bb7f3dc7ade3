//! What a run shows while it works and nobody keeps: a model's words as they come, and the browser's picture. A viewer who
//! is slow misses some; the run never waits for one.

use std::{sync::Arc, time::Duration};

use legwork_browser::{Picture, Session};
use legwork_protocol::Purpose;
use tokio::sync::{Notify, broadcast, watch};

/// Bounded; overflow = the oldest are dropped, and the viewer is told how many.
const DELTAS: usize = 256;
/// Of the pictures, in pixels: readable on a phone and in half a window.
const WIDTH: u32 = 960;
/// At most so often: a person sees what goes on, and the browser has time for the page.
const PACE: Duration = Duration::from_millis(120);

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

/// What a run shows while it works.
#[derive(Debug)]
pub struct Live {
    deltas: broadcast::Sender<Arc<Delta>>,
    frames: watch::Sender<Option<Arc<Picture>>>,
    /// Somebody came to see the pictures.
    watched: Notify,
}

impl Live {
    pub(crate) fn new() -> Self {
        Live { deltas: broadcast::channel(DELTAS).0, frames: watch::channel(None).0, watched: Notify::new() }
    }

    /// The pieces of replies from now on.
    pub fn deltas(&self) -> broadcast::Receiver<Arc<Delta>> {
        self.deltas.subscribe()
    }

    /// The newest picture of the current tab. Pictures are taken as long as somebody holds a receiver.
    pub fn frames(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        let frames = self.frames.subscribe();
        self.watched.notify_one();
        frames
    }

    /// Shows a session to whoever watches, as long as this is polled.
    pub(crate) async fn show(&self, session: &Session) {
        loop {
            while self.frames.receiver_count() == 0 {
                self.watched.notified().await;
            }
            let hand_on = |picture| {
                self.frames.send_replace(Some(Arc::new(picture)));
            };
            tokio::select! {
                () = self.frames.closed() => {}
                () = session.watch(WIDTH, PACE, hand_on) => return,
            }
        }
    }
}
