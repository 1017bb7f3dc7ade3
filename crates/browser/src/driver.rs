//! What the executor asks of a driver: the words of a browser's protocol, without its grammar. A driver only speaks wire;
//! waiting for the page, retrying, hit-testing and settling are done above it, once for all drivers.
//!
//! Every command is sent when its method is called, in that order; its answer may be awaited, or dropped unheard.

use std::{
    future::Future,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use serde_json::Value;
use thiserror::Error;

use crate::{act::Point, keys::Stroke, shared::Scripts, storage::Cookie};

/// The driver's name for what commands go to: a tab, or a frame that it reaches apart from its tab.
pub(crate) type SessionId = Arc<str>;

/// Why a command has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum DriverError {
    #[error("the browser is gone: {0}")]
    Gone(Arc<str>),
    /// The document, the frame or the tab is there no more.
    #[error("the page is gone")]
    Left,
    #[error("the page crashed")]
    Crashed,
    #[error("not answered within {ms} ms")]
    Late { ms: u64 },
    /// The script itself failed.
    #[error("{0}")]
    Threw(String),
    #[error("{0}")]
    Refused(String),
}

/// An answer to come.
pub(crate) struct Pending<T> {
    answer: Pin<Box<dyn Future<Output = Result<T, DriverError>> + Send>>,
}

impl<T> Pending<T> {
    pub(crate) fn new(answer: impl Future<Output = Result<T, DriverError>> + Send + 'static) -> Self {
        Pending { answer: Box::pin(answer) }
    }

    /// Waits so long and no longer.
    pub(crate) async fn within(self, limit: Duration) -> Result<T, DriverError> {
        let late = DriverError::Late { ms: limit.as_millis() as u64 };
        tokio::time::timeout(limit, self).await.unwrap_or(Err(late))
    }
}

impl<T> Future for Pending<T> {
    type Output = Result<T, DriverError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.answer.as_mut().poll(context)
    }
}

/// What the mouse does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MouseInput {
    pub(crate) kind: MouseKind,
    pub(crate) button: Option<legwork_protocol::Button>,
    /// Whether the button is held during the event.
    pub(crate) held: bool,
    /// The how manieth of a double or triple click.
    pub(crate) count: i32,
    pub(crate) modifiers: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MouseKind {
    #[default]
    Move,
    Down,
    Up,
}

/// A part of a drag from outside of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    Enter,
    Over,
    Drop,
    Leave,
}

/// An answer that is given in place of the network's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mocked {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// What the page is made to believe of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Conditions {
    /// The CSS media type; empty for its own.
    pub(crate) media: String,
    /// CSS media features by name; an empty value is the page's own.
    pub(crate) features: Vec<(&'static str, String)>,
    pub(crate) offline: bool,
}

/// How a navigation by address began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival {
    /// Why no document came.
    pub(crate) error: Option<String>,
    pub(crate) is_download: bool,
}

/// A tab's history, and where in it the tab is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    pub(crate) current: i64,
    /// Names and addresses.
    pub(crate) entries: Vec<(i64, String)>,
}

/// A world in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldRef<'a> {
    pub(crate) session: &'a SessionId,
    pub(crate) name: &'a str,
    /// Some of the protocol's commands know it by a number only.
    pub(crate) number: i64,
}

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

/// How a tab or frame is watched from its first moment.
pub(crate) struct Watch<'a> {
    pub(crate) scripts: &'a Scripts,
    /// Puts back what the page's storage is to begin with.
    pub(crate) restore: Option<&'a str>,
    /// A whole tab, not a frame of one.
    pub(crate) tab: bool,
    /// The view, when there is no window that has one.
    pub(crate) viewport: Option<(u32, u32)>,
    /// Every request is asked about before it is made.
    pub(crate) judged: bool,
    /// File choosers are told of instead of being opened.
    pub(crate) holds_choosers: bool,
    /// What requests are answered with is kept for a while, to be asked for.
    pub(crate) keeps_bodies: bool,
    /// None but the real ones.
    pub(crate) conditions: Option<Conditions>,
}

/// A driver of a browser.
pub(crate) trait Driver: Send + Sync {
    /// Why there is no browser any more, if there is none.
    fn gone(&self) -> Option<Arc<str>>;
    /// Fails whatever waits for a session that will not answer any more.
    fn give_up(&self, session: &str, error: DriverError);

    /// Begins to tell of tabs; answers name and version.
    fn greet(&self) -> Pending<String>;
    fn close_browser(&self) -> Pending<()>;
    fn open_context(&self) -> Pending<String>;
    fn close_context(&self, context: &str) -> Pending<()>;
    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()>;
    fn cancel_download(&self, context: Option<&str>, download: &str) -> Pending<()>;
    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>>;
    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()>;
    fn clear_cookies(&self, context: Option<&str>) -> Pending<()>;
    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()>;

    /// Answers the tab's name.
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String>;
    fn close_tab(&self, tab: &str) -> Pending<()>;
    fn activate(&self, session: &SessionId) -> Pending<()>;
    /// Sets up what is told of a new tab or frame, and lets it begin.
    fn watch(&self, session: &SessionId, watch: &Watch<'_>);
    /// Lets it begin without being watched.
    fn resume(&self, session: &SessionId);
    /// Lets it go on without us.
    fn leave(&self, session: &SessionId);
    /// Runs in the page's own world before each document's first script.
    fn run_first(&self, session: &SessionId, source: String) -> Pending<()>;

    fn navigate(&self, session: &SessionId, url: &str) -> Pending<Arrival>;
    fn stop(&self, session: &SessionId);
    fn reload(&self, session: &SessionId) -> Pending<()>;
    fn history(&self, session: &SessionId) -> Pending<Past>;
    fn go(&self, session: &SessionId, entry: i64) -> Pending<()>;
    fn let_request(&self, session: &SessionId, request: &str, goes: bool);
    /// Lets a request go with these headers in place of its own.
    fn let_request_with(&self, session: &SessionId, request: &str, headers: &[(String, String)]);
    fn answer_request(&self, session: &SessionId, request: &str, answer: &Mocked);
    /// Asks about every request before it is made, or no more.
    fn judge_requests(&self, session: &SessionId, on: bool) -> Pending<()>;
    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String>;
    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>>;
    fn set_conditions(&self, session: &SessionId, conditions: &Conditions) -> Pending<()>;
    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()>;
    /// Begins to tell of how a tab is drawn, in pictures of at most this width; or ends it.
    fn watch_drawing(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()>;
    /// Lets the next picture come.
    fn let_draw(&self, session: &SessionId, picture: i64);
    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>>;
    /// The page as a PDF document.
    fn print(&self, session: &SessionId) -> Pending<Vec<u8>>;
    /// Makes the view this large.
    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()>;

    /// Makes a world in a frame's document; an event tells of it.
    fn make_world(&self, session: &SessionId, frame: &str) -> Pending<()>;
    /// The value of an expression, awaited if it is a promise.
    fn evaluate(&self, world: WorldRef<'_>, expression: String) -> Pending<Value>;
    /// The value of a script in the page's own world, or what it answers when it is a function; awaited.
    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value>;
    /// What a function in the page's own world answers for an element that an expression of ours names; awaited.
    fn call_in_page(&self, world: WorldRef<'_>, element: String, function: &str) -> Pending<Value>;
    /// Runs a script for what it does.
    fn load(&self, world: WorldRef<'_>, source: String) -> Pending<()>;
    /// Calls a function on each of the elements that an expression lists and that have a closed shadow root, with that root;
    /// answers how many.
    fn with_closed_roots(&self, world: WorldRef<'_>, elements: String, function: &str) -> Pending<usize>;
    /// Breaks off the script that runs now.
    fn interrupt(&self, session: &SessionId);
    /// What a function says of the element that shows a frame; called in a world of the frame's parent.
    fn of_owner(&self, world: WorldRef<'_>, frame: &str, function: &str) -> Pending<Value>;

    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()>;
    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()>;
    fn key_down(&self, session: &SessionId, stroke: &Stroke, with_text: bool) -> Pending<()>;
    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()>;
    fn insert_text(&self, session: &SessionId, text: &str) -> Pending<()>;
    /// Drags are told of instead of being handed to the system.
    fn intercept_drags(&self, session: &SessionId, on: bool);
    /// Takes what a drag carries through these parts of it, one after the other.
    fn drag(&self, session: &SessionId, at: Point, data: &Value, parts: &[Drag]) -> Pending<()>;
    fn intercept_choosers(&self, session: &SessionId, on: bool) -> Pending<()>;
    /// Puts files into the field that an expression names.
    fn set_files_of(&self, world: WorldRef<'_>, field: String, files: Vec<String>) -> Pending<()>;
    /// Puts files into the field of a chooser that was told of.
    fn set_files(&self, session: &SessionId, field: i64, files: Vec<String>) -> Pending<()>;
}
