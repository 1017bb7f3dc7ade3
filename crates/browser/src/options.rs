//! How a browser and a session are set up.

use std::{path::PathBuf, sync::Arc, time::Duration};

use legwork_protocol::Target;

use crate::{Guard, NoRules, StorageState};

/// How long a browser may take to start and to say its first word. One that cannot start ends instead, which is told at once.
/// How long the browser as a whole may take for what it does at once on an idle machine.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);
pub(crate) const START: Duration = Duration::from_secs(60);

/// How to start a browser.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The browser; without it, the first that [`crate::find_executable`] finds.
    pub executable: Option<PathBuf>,
    /// With a window.
    pub headed: bool,
    /// A profile to use and keep; without it a fresh one that is removed afterwards.
    pub profile: Option<PathBuf>,
    /// Further arguments for the browser.
    pub extra_args: Vec<String>,
    /// Where fresh profiles are made; without it the system's folder for temporary files.
    pub temporary: Option<PathBuf>,
    /// How long it may take to start and to answer for the first time.
    pub start_within: Duration,
    /// Sessions have rules that restrict them: pages send nothing over UDP, which goes past the proxy that holds sessions to their
    /// rules, and a kept profile has such a proxy from the start.
    pub restricted: bool,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        LaunchOptions {
            executable: None,
            headed: false,
            profile: None,
            extra_args: Vec::new(),
            temporary: None,
            start_within: START,
            restricted: false,
        }
    }
}

/// How long things may take.
#[derive(Clone, Debug)]
pub struct Timeouts {
    /// Until an element can be acted on, or a dialog, option or file chooser appears.
    pub action: Duration,
    /// Until a page is loaded.
    pub navigation: Duration,
    /// Until a page comes to rest after an action; afterwards it is reported as unsettled.
    pub settle: Duration,
    /// Until the page's script answers; afterwards it is unresponsive.
    pub script: Duration,
    /// The longest wait of a `wait` without seconds.
    pub wait: Duration,
    /// Until what actions set off would survive a close; what is pending then is told, and the session closes.
    pub flush: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            action: Duration::from_secs(5),
            navigation: Duration::from_secs(30),
            settle: Duration::from_secs(4),
            script: Duration::from_secs(8),
            wait: Duration::from_secs(30),
            flush: Duration::from_secs(5),
        }
    }
}

/// How to set up a session.
#[derive(Clone)]
pub struct SessionOptions {
    /// What the run allows.
    pub guard: Arc<dyn Guard>,
    /// Where downloads go; made when it is missing.
    pub downloads: PathBuf,
    /// Folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// The largest download, in bytes.
    pub max_download_bytes: u64,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
    /// Width and height of the view in CSS pixels.
    pub viewport: (u32, u32),
    /// A file chooser that a click opens waits for [`Session::choose_files`](crate::Session::choose_files): for who drives a
    /// page by hand, a click at a time.
    pub intercept_file_choosers: bool,
    /// Headers of requests are kept, and what they are answered with, a few megabytes of it: for who drives a page by hand
    /// and may ask what went over the wire.
    pub record_network: bool,
    /// How long things may take.
    pub timeouts: Timeouts,
}

impl SessionOptions {
    /// Without rules, into this downloads folder.
    pub fn new(downloads: impl Into<PathBuf>) -> Self {
        SessionOptions {
            guard: Arc::new(NoRules),
            downloads: downloads.into(),
            uploads: Vec::new(),
            max_download_bytes: 100 * 1024 * 1024,
            storage_state: None,
            viewport: (1280, 720),
            intercept_file_choosers: false,
            record_network: false,
            timeouts: Timeouts::default(),
        }
    }
}

/// A picture's format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    /// Small, for people.
    #[default]
    Jpeg,
    /// Smaller still.
    Webp,
    /// Exact.
    Png,
}

/// How to take a picture.
#[derive(Clone, Debug)]
pub struct ScreenshotOptions {
    /// Only this element; without it the view.
    pub target: Option<Target>,
    /// The format.
    pub format: PictureFormat,
    /// Scaled down to this width in pixels when it is wider.
    pub max_width: u32,
    /// 0 to 100, for the formats that lose something.
    pub quality: u8,
    /// The page as far as it can be scrolled, up to 16,384 pixels, not only what the view shows.
    pub full_page: bool,
    /// Elements around which boxes with their refs are drawn.
    pub marks: Vec<Target>,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        ScreenshotOptions {
            target: None,
            format: PictureFormat::Jpeg,
            max_width: 1280,
            quality: 70,
            full_page: false,
            marks: Vec::new(),
        }
    }
}

/// A picture of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The encoded picture.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}
