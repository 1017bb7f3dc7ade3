//! How a page looks.

use super::pending::{Pending, SessionId};

/// What is drawn into a picture, in the page's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    pub(crate) format: crate::PictureFormat,
    pub(crate) quality: u8,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) scale: f64,
    /// Beyond what the view shows.
    pub(crate) beyond: bool,
}

pub(crate) trait Pictures {
    /// Begins to tell of how a tab is drawn, in pictures of at most this width; or ends it.
    fn start_screencast(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()>;
    /// Lets the next picture come.
    fn ack_screencast_frame(&self, session: &SessionId, picture: i64);
    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>>;
    /// The page as a PDF document.
    fn print(&self, session: &SessionId) -> Pending<Vec<u8>>;
    /// Makes the view this large.
    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()>;
}
