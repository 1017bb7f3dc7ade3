//! Pictures of a page.

use std::sync::Arc;

use tokio::sync::Notify;

use super::pending::{Pending, SessionId};

/// A screencast for which a driver takes one picture after another, each when the last one was acknowledged. It ends
/// when this is dropped.
pub(crate) struct PictureSeries {
    acknowledged: Arc<Notify>,
    task: tokio::task::AbortHandle,
}

impl PictureSeries {
    /// Starts the task, which waits for an acknowledgement after each picture.
    pub(crate) fn start<F: Future<Output = ()> + Send + 'static>(task: impl FnOnce(Arc<Notify>) -> F) -> PictureSeries {
        let acknowledged = Arc::new(Notify::new());
        let task = tokio::spawn(task(Arc::clone(&acknowledged))).abort_handle();
        PictureSeries { acknowledged, task }
    }

    pub(crate) fn acknowledge(&self) {
        self.acknowledged.notify_one();
    }
}

impl Drop for PictureSeries {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The area and format of a screenshot, in the page's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    pub(crate) format: crate::PictureFormat,
    pub(crate) quality: u8,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) scale: f64,
    /// Whether the area extends beyond the view.
    pub(crate) beyond: bool,
}

pub(crate) trait Pictures {
    /// Starts to report how a tab is drawn, in pictures of at most this width; with `None`, stops.
    fn start_screencast(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()>;
    /// Acknowledges a picture, so that the next one is sent.
    fn ack_screencast_frame(&self, session: &SessionId, picture: i64);
    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>>;
    /// The page as a PDF document.
    fn print(&self, session: &SessionId) -> Pending<Vec<u8>>;
    /// Sets the size of the view.
    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()>;
}
