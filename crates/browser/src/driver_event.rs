//! What a driver tells of by itself: a browser's events, in words that no protocol owns. A driver turns its wire's events into
//! these; what they mean for a session is written down once, in [`events`](crate::events).

use legwork_protocol::{ConsoleLevel, DialogKind};
use serde_json::Value;

use crate::driver::SessionId;

/// Takes what a driver tells. Called on the reading task: it may note and send, never wait.
pub(crate) trait Listener: Send + Sync {
    /// Something happened: in the browser, or in the tab or frame with this session.
    fn on_event(&self, session: Option<&str>, event: DriverEvent);
    /// There is no browser any more, and why.
    fn gone(&self, reason: &str);
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DriverEvent {
    // Of the browser.
    TabCreated(NewTab),
    TabTitled {
        tab: String,
        title: String,
    },
    DownloadStarted {
        download: String,
        frame: String,
        url: String,
        name: String,
    },
    /// Bytes: what has arrived, or all of it where that is more.
    DownloadProgress {
        download: String,
        size: f64,
        state: DownloadState,
    },
    /// A tab or a frame is not reached by its session any more.
    SessionDetached {
        session: String,
    },

    // Frames.
    /// A frame of another process, which waits until it is said how it is to be watched.
    FrameAttached {
        session: SessionId,
        frame: String,
        url: String,
    },
    /// A worker of a tab, or a service worker, which waits too.
    WorkerAttached {
        session: SessionId,
        /// Of a service worker, which belongs to no tab.
        context: Option<String>,
    },
    /// What is of no interest waits too.
    OtherAttached {
        session: SessionId,
    },
    FrameAdded {
        frame: String,
        parent: String,
    },
    FrameRemoved {
        frame: String,
    },
    FrameNavigated(Document),
    /// The address changed, the document did not.
    FrameUrlChanged {
        frame: String,
        url: String,
    },
    /// Another document is on its way.
    FrameNavigationStarted {
        frame: String,
    },
    FrameLoading {
        frame: String,
    },
    /// Nothing is on its way any more; `loaded` when what was has come whole.
    FrameStopped {
        frame: String,
        loaded: bool,
    },
    /// The session's document is parsed; `whole` when all that belongs to it is there too.
    DocumentParsed {
        whole: bool,
    },
    /// A world of ours in a frame's document; `ready` when the bundle runs in it.
    ContextCreated {
        frame: String,
        world: String,
        number: i64,
        origin: String,
        ready: bool,
    },
    ContextDestroyed {
        world: String,
    },
    ContextsCleared,
    Crashed,

    // What a page asks for.
    /// It opens a window.
    WindowOpenRequested {
        url: String,
    },
    DialogOpened {
        kind: DialogKind,
        message: String,
    },
    DialogClosed,
    /// The field is absent when no element of the page is it.
    ChooserOpened {
        field: Option<i64>,
        multiple: bool,
    },
    DragIntercepted {
        data: Value,
    },
    /// The tab as it is drawn now; the next picture comes once this one was let go.
    ScreencastFrame(ScreencastPicture),

    /// The page's console has a new line.
    ConsoleMessage(ConsoleMessage),

    // Requests.
    RequestStarted(StartedRequest),
    /// One that must be judged before it is made.
    RequestPaused(PausedRequest),
    /// The head of an answer came.
    ResponseReceived {
        request: String,
        /// The document's own name, when the answer is one.
        document: Option<String>,
        /// It is a stream, whose end nobody waits for.
        endless: bool,
        answer: ResponseHead,
    },
    /// Ended; with the reason when it failed.
    RequestFinished {
        request: String,
        error: Option<String>,
        /// What came over the wire.
        bytes: Option<u64>,
        at: Seconds,
    },
}

/// A moment on the browser's own clock, which only runs forward.
pub(crate) type Seconds = f64;

/// A request, sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StartedRequest {
    pub(crate) request: String,
    pub(crate) method: String,
    pub(crate) url: String,
    /// The document that it belongs to.
    pub(crate) document: String,
    /// The frame that it belongs to; empty when that is not told.
    pub(crate) frame: String,
    /// What for, in lower case: `document`, `script`, `fetch`…
    pub(crate) kind: String,
    /// Its outcome may change what the page says.
    pub(crate) weighs: bool,
    /// What answered the request of the same name, which went elsewhere with it.
    pub(crate) redirected: Option<ResponseHead>,
    pub(crate) headers: Option<Headers>,
    /// It carries a body.
    pub(crate) posts: bool,
    /// 0 when it was not told.
    pub(crate) at: Seconds,
}

/// A request that waits for what is said of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PausedRequest {
    pub(crate) request: String,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Option<Headers>,
}

/// Headers as they came, in JSON: an object of strings. Most are never read.
pub(crate) type Headers = Box<str>;

/// The head of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ResponseHead {
    pub(crate) status: u16,
    pub(crate) media_type: String,
    pub(crate) headers: Option<Headers>,
}

/// A line of a page's console.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConsoleMessage {
    pub(crate) level: ConsoleLevel,
    pub(crate) text: String,
    /// The script or document; empty when it is not known.
    pub(crate) url: String,
    /// From 1.
    pub(crate) line: Option<u32>,
}

/// A picture of a tab, as it came: in base64.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScreencastPicture {
    pub(crate) number: i64,
    pub(crate) picture: String,
    /// Of the view, in its own pixels.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A tab that came into being and waits until it is said how it is to be watched.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewTab {
    pub(crate) session: SessionId,
    pub(crate) tab: String,
    pub(crate) context: Option<String>,
    pub(crate) opener: Option<String>,
    /// The frame of it that did.
    pub(crate) opener_frame: Option<String>,
    pub(crate) url: String,
    pub(crate) title: String,
}

/// A document that a frame now shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    pub(crate) frame: String,
    pub(crate) parent: Option<String>,
    /// The document's own name, which its request has too.
    pub(crate) document: String,
    /// As the address bar would show it, also when the page could not be reached.
    pub(crate) url: String,
    /// It was kept whole and is not loaded again.
    pub(crate) kept: bool,
    /// It is the browser's own page, which says that the address could not be loaded.
    pub(crate) unreachable: bool,
}

/// How far a download is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DownloadState {
    InProgress,
    Completed,
    Canceled,
}
