//! The options of a browser and of a session.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use legwork_protocol::Target;

use crate::{Guard, NoRules, StorageState, upstream_proxy::UpstreamProxy};

/// How long the browser may take to answer a command that it executes at once on an idle machine.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);
/// How long a browser may take to start and to send its first message. The process of a browser that cannot start ends,
/// which is reported at once.
pub(crate) const START: Duration = Duration::from_secs(60);

/// The engine of a browser, which determines the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Chromium and Chrome, over the DevTools protocol.
    #[default]
    Chromium,
    /// Firefox, over WebDriver BiDi.
    Firefox,
    /// Browsers with WebKit, over classic WebDriver.
    WebKit,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// The word for it in settings.
    pub fn word(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }

    /// The name of the browsers with it.
    pub fn title(self) -> &'static str {
        match self {
            Engine::Chromium => "Chromium or Chrome",
            Engine::Firefox => "Firefox",
            Engine::WebKit => "WebKit",
        }
    }
}

/// How to start a browser.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The engine of the browser to start.
    pub engine: Engine,
    /// The browser's executable; `None` for the first that [`crate::find_executable`] finds.
    pub executable: Option<PathBuf>,
    /// Whether the browser has a window.
    pub headed: bool,
    /// A persistent profile; `None` for a temporary one, which is removed afterwards.
    pub profile: Option<PathBuf>,
    /// Further command-line arguments.
    pub extra_args: Vec<String>,
    /// The folder for temporary profiles; `None` for the system's folder for temporary files.
    pub temporary: Option<PathBuf>,
    /// How long the browser may take to start and to answer for the first time.
    pub start_within: Duration,
    /// Whether rules restrict the sessions. Pages then send nothing over UDP, which would bypass the proxy that
    /// enforces the rules, the browser resolves no name itself, and every session has such a proxy, also one without
    /// rules. A persistent profile uses it from the start.
    pub restricted: bool,
    /// The proxy through which the sessions reach the sites. Pages then send nothing over UDP either. It applies to the
    /// default context of a persistent profile; other sessions have it in their own options.
    pub proxy: Option<UpstreamProxy>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        LaunchOptions {
            engine: Engine::Chromium,
            executable: None,
            headed: false,
            profile: None,
            extra_args: Vec::new(),
            temporary: None,
            start_within: START,
            restricted: false,
            proxy: None,
        }
    }
}

/// Time limits.
#[derive(Clone, Debug)]
pub struct Timeouts {
    /// Until an element can be acted on, or a dialog, option or file chooser appears.
    pub action: Duration,
    /// Until a page is loaded.
    pub navigation: Duration,
    /// Until a page settles after an action; it is then reported as unsettled.
    pub settle: Duration,
    /// Until the server answers a request for a change that an action sent, if the page settles no earlier. It matters
    /// only if it is longer than `settle`.
    pub answer: Duration,
    /// Until the script in the page answers; the page is then reported as unresponsive.
    pub script: Duration,
    /// The limit of a `wait` without seconds.
    pub wait: Duration,
    /// Until the work that actions started would survive a close. Work that is still pending then is reported, and the
    /// session closes.
    pub flush: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            action: Duration::from_secs(5),
            navigation: Duration::from_secs(30),
            settle: Duration::from_secs(4),
            answer: Duration::from_secs(10),
            script: Duration::from_secs(8),
            wait: Duration::from_secs(30),
            flush: Duration::from_secs(5),
        }
    }
}

/// A folder, or a single file, that is never uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrivateFolder {
    /// The folder or file.
    pub path: PathBuf,
    /// Folders in it whose files may be uploaded if a folder for uploads names one of them, or one inside it.
    pub exceptions: Vec<PathBuf>,
}

impl PrivateFolder {
    /// Whether a file is private, although this folder for uploads contains it. Both paths are real.
    pub(crate) fn hides(&self, file: &Path, uploads: &Path) -> bool {
        let contains = |folder: &Path, path: &Path| folder.canonicalize().is_ok_and(|folder| path.starts_with(folder));
        contains(&self.path, file)
            && !self.exceptions.iter().any(|folder| contains(folder, file) && contains(folder, uploads))
    }
}

/// The options of a session.
#[derive(Clone)]
pub struct SessionOptions {
    /// The rules of the run.
    pub guard: Arc<dyn Guard>,
    /// The folder for downloads; it is created if it does not exist.
    pub downloads: PathBuf,
    /// The folders whose files may be uploaded.
    pub uploads: Vec<PathBuf>,
    /// The folders and files that are never uploaded, also if a folder for uploads contains them.
    pub private: Vec<PrivateFolder>,
    /// The largest download, in bytes.
    pub max_download_bytes: u64,
    /// Cookies and storage to start with.
    pub storage_state: Option<StorageState>,
    /// Width and height of the view in CSS pixels.
    pub viewport: (u32, u32),
    /// Whether a file chooser that a click opens stays open until
    /// [`Session::choose_files`](crate::Session::choose_files). This is for callers that control a page step by step.
    pub intercept_file_choosers: bool,
    /// Whether headers and bodies of requests are kept, up to a few megabytes. This is for callers that control a page
    /// step by step and inspect its traffic.
    pub record_network: bool,
    /// Whether the inputs of a person in the pages are reported ([`Session::next_user_event`](crate::Session)). Then
    /// all dialogs are left to the person. Only Chromium can do this.
    pub reports_input: bool,
    /// The proxy through which the session reaches the sites. A session in the default context of the browser has that
    /// of the browser instead ([`LaunchOptions::proxy`]).
    pub proxy: Option<UpstreamProxy>,
    /// The time limits.
    pub timeouts: Timeouts,
}

impl SessionOptions {
    /// Options without rules, with this downloads folder.
    pub fn new(downloads: impl Into<PathBuf>) -> Self {
        SessionOptions {
            guard: Arc::new(NoRules),
            downloads: downloads.into(),
            uploads: Vec::new(),
            private: Vec::new(),
            max_download_bytes: 100 * 1024 * 1024,
            storage_state: None,
            viewport: (1280, 720),
            intercept_file_choosers: false,
            record_network: false,
            reports_input: false,
            proxy: None,
            timeouts: Timeouts::default(),
        }
    }
}

/// The format of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    /// Small, for people.
    #[default]
    Jpeg,
    /// Smaller than JPEG.
    Webp,
    /// Lossless.
    Png,
}

/// How to take a picture.
#[derive(Clone, Debug)]
pub struct ScreenshotOptions {
    /// The element to show; `None` for the view.
    pub target: Option<Target>,
    /// The format.
    pub format: PictureFormat,
    /// The maximum width in pixels; a wider picture is scaled down.
    pub max_width: u32,
    /// The quality from 0 to 100, for the lossy formats.
    pub quality: u8,
    /// Whether the picture shows the whole scrollable page, up to 16,384 pixels, instead of the view.
    pub full_page: bool,
    /// The elements to mark with boxes and refs.
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
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}
