//! What a run shows while it works and nobody keeps: a model's words as they come, and the browser's picture. A viewer who
//! is slow misses some; the run never waits for one.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use legwork_browser::{Picture, Session};
use legwork_model::DeltaSink;
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
pub struct ReplyDelta {
    /// The call it belongs to, counted within the run from 1.
    pub call: u64,
    /// What the model was asked for.
    pub purpose: Purpose,
    /// When the call began. Events of the journal take another way to a viewer: one from before this says nothing of the call.
    pub began: Timestamp,
    /// What comes.
    pub words: DeltaKind,
}

/// What happens to a model's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeltaKind {
    /// The next piece. The model was shown handles for secrets, so it has none to tell.
    Piece(String),
    /// What came of this call so far is void: the model is asked again.
    Void,
}

/// What a run shows while it works.
#[derive(Debug)]
pub struct LiveView {
    deltas: broadcast::Sender<Arc<ReplyDelta>>,
    frames: watch::Sender<Option<Arc<Picture>>>,
    /// Somebody came to see the pictures.
    watched: Notify,
    calls: AtomicU64,
}

impl LiveView {
    pub(crate) fn new() -> Self {
        LiveView {
            deltas: broadcast::channel(DELTAS).0,
            frames: watch::channel(None).0,
            watched: Notify::new(),
            calls: AtomicU64::new(0),
        }
    }

    /// The pieces of replies from now on.
    pub fn deltas(&self) -> broadcast::Receiver<Arc<ReplyDelta>> {
        self.deltas.subscribe()
    }

    /// The newest picture of the current tab. Pictures are taken as long as somebody holds a receiver.
    pub fn frames(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        let frames = self.frames.subscribe();
        self.watched.notify_one();
        frames
    }

    /// Tells the words of a call that begins.
    pub(crate) fn call(&self, purpose: Purpose) -> Call<'_> {
        Call { live: self, call: self.calls.fetch_add(1, Ordering::Relaxed) + 1, purpose, began: Timestamp::now() }
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

/// One call of a model, told while it is answered.
pub(crate) struct Call<'a> {
    live: &'a LiveView,
    call: u64,
    purpose: Purpose,
    began: Timestamp,
}

impl Call<'_> {
    fn send(&self, words: DeltaKind) {
        // Nobody listens: nobody misses it.
        let Call { call, purpose, began, .. } = *self;
        let _ = self.live.deltas.send(Arc::new(ReplyDelta { call, purpose, began, words }));
    }
}

impl DeltaSink for Call<'_> {
    fn is_active(&self) -> bool {
        self.live.deltas.receiver_count() > 0
    }

    fn delta(&self, piece: &str) {
        self.send(DeltaKind::Piece(piece.to_owned()));
    }

    fn reset(&self) {
        self.send(DeltaKind::Void);
    }
}
