//! The events that a driver reports, in terms that are independent of the browser's protocol. A driver converts the
//! messages of its protocol into these events. Their meaning for a session is implemented once, in
//! [`events`](crate::events).

use legwork_protocol::{ConsoleLevel, DialogKind};
use serde_json::Value;

use crate::driver::SessionId;

/// Receives the events of a driver. It is called on the reading task: it may record events and send commands, but must
/// never wait.
pub(crate) trait Listener: Send + Sync {
    /// An event of the browser, or of the tab or frame with this session.
    fn on_event(&self, session: Option<&str>, event: DriverEvent);
    /// The browser is gone, for this reason.
    fn gone(&self, reason: &str);
}

/// The kinds of workers, which differ in how their requests can be limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerKind {
    /// Belongs to one document. Its requests are paused with those of the document's tab.
    Dedicated,
    /// Its requests can be paused in its own session.
    Service,
    /// Serves all tabs of its origin. Its requests cannot be paused, only blocked.
    Shared,
}

/// An event of a browser.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DriverEvent {
    // Events of the browser.
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
    /// The number of bytes that have arrived, or the announced total if that is larger.
    DownloadProgress {
        download: String,
        size: f64,
        state: DownloadState,
    },
    /// A tab or a frame can no longer be reached through its session.
    SessionDetached {
        session: String,
    },

    // Events of frames.
    /// A frame of another process. It is paused until it is set up.
    FrameAttached {
        session: SessionId,
        frame: String,
        url: String,
    },
    /// A worker. It is paused too.
    WorkerAttached {
        session: SessionId,
        kind: WorkerKind,
        /// The address of its script.
        url: String,
        /// The browser context of a shared or service worker, which belongs to no tab.
        context: Option<String>,
    },
    /// A target of another kind, which is paused too.
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
    /// The address changed without a new document.
    FrameUrlChanged {
        frame: String,
        url: String,
    },
    /// A navigation to another document began.
    FrameNavigationStarted {
        frame: String,
    },
    FrameLoading {
        frame: String,
    },
    /// The frame stopped loading; `loaded` when the document and its resources are complete.
    FrameStopped {
        frame: String,
        loaded: bool,
    },
    /// The document of this session is parsed; `whole` when its resources are loaded too.
    DocumentParsed {
        whole: bool,
    },
    /// An isolated world of Legwork in a frame's document; `ready` when the bundle runs in it.
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

    // Events of pages.
    /// The page opens a window.
    WindowOpenRequested {
        url: String,
    },
    DialogOpened {
        kind: DialogKind,
        message: String,
    },
    /// A dialog was answered; `text` is what was entered into a prompt.
    DialogClosed {
        accepted: bool,
        text: String,
    },
    /// The script in an isolated world reports an input of a person; `world` is the number of its context.
    InputReported {
        world: i64,
        report: String,
    },
    /// A file chooser was opened; `field` is the driver's name of its element, and absent when it has none.
    ChooserOpened {
        field: Option<String>,
        multiple: bool,
    },
    DragIntercepted {
        data: Value,
    },
    /// The tab as it is currently drawn. The next picture follows once this one was acknowledged.
    ScreencastFrame(ScreencastPicture),

    /// A new line in the page's console.
    ConsoleMessage(ConsoleMessage),

    // Events of requests.
    RequestStarted(StartedRequest),
    /// A request that must be checked before it is sent.
    RequestPaused(PausedRequest),
    /// The head of a response arrived.
    ResponseReceived {
        request: String,
        /// The document's identifier, when the response is a document.
        document: Option<String>,
        /// The response is a stream, whose end must not be waited for.
        endless: bool,
        answer: ResponseHead,
    },
    /// The request ended; `error` is the reason if it failed.
    RequestFinished {
        request: String,
        error: Option<String>,
        /// The number of bytes transferred.
        bytes: Option<u64>,
        at: Seconds,
    },
}

/// A time in seconds on the browser's monotonic clock.
pub(crate) type Seconds = f64;

/// A request that was sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StartedRequest {
    pub(crate) request: String,
    pub(crate) method: String,
    pub(crate) url: String,
    /// The identifier of the document that the request belongs to.
    pub(crate) document: String,
    /// The frame that the request belongs to; empty when it is unknown.
    pub(crate) frame: String,
    /// The resource type in lower case: `document`, `script`, `fetch`…
    pub(crate) kind: String,
    /// Whether the outcome of the request may change what the page shows.
    pub(crate) weighs: bool,
    /// The redirect response to the previous request with this identifier, which this request follows.
    pub(crate) redirected: Option<ResponseHead>,
    pub(crate) headers: Option<Headers>,
    /// Whether the request has a body.
    pub(crate) posts: bool,
    /// The time when it was sent; 0 when it is unknown.
    pub(crate) at: Seconds,
}

/// A request that is paused until it is continued, answered or refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PausedRequest {
    pub(crate) request: String,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Option<Headers>,
    /// The body, if it is a text that the browser reports.
    pub(crate) body: Option<Box<str>>,
    /// The frame that it is for; empty when it is unknown.
    pub(crate) frame: String,
    /// Whether it is for the document of that frame.
    pub(crate) is_document: bool,
    /// Whether the page sends it without waiting for an answer.
    pub(crate) is_beacon: bool,
}

/// Headers as received: a JSON object of strings, left unparsed because most are never read.
pub(crate) type Headers = Box<str>;

/// The head of a response.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ResponseHead {
    /// `None` if the browser does not report it.
    pub(crate) status: Option<u16>,
    pub(crate) media_type: String,
    pub(crate) headers: Option<Headers>,
}

/// A line of a page's console.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConsoleMessage {
    pub(crate) level: ConsoleLevel,
    pub(crate) text: String,
    /// The address of the script or document; empty when it is unknown.
    pub(crate) url: String,
    /// The line number, from 1.
    pub(crate) line: Option<u32>,
}

/// A picture of a tab as received: in base64.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScreencastPicture {
    pub(crate) number: i64,
    pub(crate) picture: String,
    /// The size of the view in CSS pixels.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A new tab, which is paused until it is set up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewTab {
    pub(crate) session: SessionId,
    pub(crate) tab: String,
    pub(crate) context: Option<String>,
    pub(crate) opener: Option<String>,
    /// The frame of the opener that opened the tab.
    pub(crate) opener_frame: Option<String>,
    pub(crate) url: String,
    pub(crate) title: String,
}

/// A document that a frame now shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Document {
    pub(crate) frame: String,
    pub(crate) parent: Option<String>,
    /// The document's identifier, which is also that of its request.
    pub(crate) document: String,
    /// The address as shown in the address bar, also when the page could not be reached.
    pub(crate) url: String,
    /// The document was restored from the back/forward cache and does not load again.
    pub(crate) kept: bool,
    /// The document is the browser's own error page, because the address could not be loaded.
    pub(crate) unreachable: bool,
}

/// The state of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DownloadState {
    InProgress,
    Completed,
    Canceled,
}
