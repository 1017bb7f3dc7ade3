//! Live data of a run that is not stored: the reply of a model while it is generated, and frames of the browser. A slow
//! viewer misses some of it; the run never waits for a viewer. While a run is paused or waits for an answer, a viewer
//! may operate its browser.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use legwork_browser::{Picture, Session, ViewerActivity, ViewerControl, ViewerInput, ViewerState};
use legwork_model::DeltaSink;
use legwork_protocol::{ActionFailure, Purpose};
use thiserror::Error;
use tokio::sync::{Mutex, Notify, broadcast, watch};

/// Capacity of the channel for pieces of replies. If a viewer falls behind, the oldest pieces are dropped, and the
/// viewer receives their number.
const DELTA_CAPACITY: usize = 256;
/// Width of the frames in pixels: readable on a phone and in half a window.
const FRAME_WIDTH: u32 = 960;
/// Minimum time between two frames: a person can follow the page, and the browser has time for the page itself.
const FRAME_INTERVAL: Duration = Duration::from_millis(120);

/// A piece of a model's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyDelta {
    /// The model call, counted within the run from 1.
    pub call: u64,
    /// The purpose of the call.
    pub purpose: Purpose,
    /// The start of the call. Journal events reach a viewer through another channel: an event with an earlier time
    /// states nothing about this call.
    pub began: Timestamp,
    /// The change to the reply.
    pub words: DeltaKind,
}

/// A change to a reply that is being generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeltaKind {
    /// The next piece. It contains no secrets, because the model receives only their handles.
    Piece(String),
    /// The reply so far is void, because the model is called again.
    Void,
}

/// Why an input of a viewer was not sent.
#[derive(Debug, Error)]
pub enum ControlError {
    /// The run is at work, so that the person and the run would disturb each other.
    #[error("the run is at work; pause it before you take control")]
    AtWork,
    /// The input is invalid, or the page cannot receive it.
    #[error(transparent)]
    Input(#[from] ActionFailure),
}

/// The live data of a run.
pub struct LiveView {
    deltas: broadcast::Sender<Arc<ReplyDelta>>,
    frames: watch::Sender<Option<Arc<Picture>>>,
    /// Notified when a viewer subscribes to the frames.
    watched: Notify,
    calls: AtomicU64,
    /// The control of the browser by viewers; `None` while the run is at work.
    control: Mutex<Option<ViewerControl>>,
}

impl LiveView {
    pub(crate) fn new() -> Self {
        LiveView {
            deltas: broadcast::channel(DELTA_CAPACITY).0,
            frames: watch::channel(None).0,
            watched: Notify::new(),
            calls: AtomicU64::new(0),
            control: Mutex::new(None),
        }
    }

    /// The pieces of replies from now on.
    pub fn deltas(&self) -> broadcast::Receiver<Arc<ReplyDelta>> {
        self.deltas.subscribe()
    }

    /// The newest frame of the current tab. Frames are captured as long as a receiver exists.
    pub fn frames(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        let frames = self.frames.subscribe();
        self.watched.notify_one();
        frames
    }

    /// Sends inputs of a person to the browser, in order, and returns what the frames do not show, and whether these
    /// are the first inputs since the run began to wait. Without inputs it only returns the state.
    ///
    /// # Errors
    /// If the run is at work, an input is invalid, or the page cannot receive it.
    pub async fn send(&self, inputs: &[ViewerInput]) -> Result<(ViewerState, bool), ControlError> {
        let mut control = self.control.lock().await;
        let control = control.as_mut().ok_or(ControlError::AtWork)?;
        let was_idle = control.activity().is_empty();
        control.send(inputs).await?;
        let is_first = was_idle && !control.activity().is_empty();
        // Pointer moves come many times a second; a viewer looks without inputs once a second.
        if inputs.is_empty() {
            control.refresh_titles().await;
        }
        Ok((control.state(), is_first))
    }

    /// Lets viewers operate the browser until [`LiveView::end_control`]. The run must not use it meanwhile.
    pub(crate) async fn begin_control(&self, session: Arc<Session>) {
        *self.control.lock().await = Some(ViewerControl::begin(session));
    }

    /// Waits for the input in progress and ends the control. Returns what was done.
    pub(crate) async fn end_control(&self) -> ViewerActivity {
        match self.control.lock().await.take() {
            Some(control) => control.end(),
            None => ViewerActivity::default(),
        }
    }

    /// Begins a model call whose reply is sent to the viewers.
    pub(crate) fn call(&self, purpose: Purpose) -> Call<'_> {
        Call { live: self, call: self.calls.fetch_add(1, Ordering::Relaxed) + 1, purpose, began: Timestamp::now() }
    }

    /// Captures frames of a session while there are viewers, as long as this future is polled.
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
                () = session.watch(FRAME_WIDTH, FRAME_INTERVAL, hand_on) => return,
            }
        }
    }
}

/// One model call whose reply is sent while it is generated.
pub(crate) struct Call<'a> {
    live: &'a LiveView,
    call: u64,
    purpose: Purpose,
    began: Timestamp,
}

impl Call<'_> {
    fn send(&self, words: DeltaKind) {
        // Without viewers the piece is dropped.
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
