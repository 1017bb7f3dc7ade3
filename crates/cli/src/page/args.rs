//! The arguments of page commands, parsed by clap: on the command line and in the lines of a batch.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::{
    assert_args::{HighlightArgs, VerifyArgs},
    mouse_args::{DropArgs, MouseArgs},
    network_args::{CookieArgs, EmulateArgs, NetworkArgs, RouteArgs, StorageArgs},
    open_args::OpenArgs,
    plain_args::PlainAction,
};

// The options of every verb. This is not a doc comment, because clap would show it in the help of each verb.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Flags {
    /// The name of the session, which has its own tabs, cookies and storage [env: LEGWORK_SESSION] [default: default]
    #[arg(long, value_name = "NAME", help_heading = "Verb")]
    pub(crate) session: Option<String>,
    /// Print one JSON object: ok, text, data, file, error, hint
    #[arg(long, help_heading = "Verb")]
    pub(crate) json: bool,
    /// The maximum size of the reply in tokens
    #[arg(long, value_name = "TOKENS", help_heading = "Verb")]
    pub(crate) max_output: Option<usize>,
}

/// A verb. TARGET is a ref from a snapshot (e12, @e12, ref=e12), CSS, text=…, xpath=… or role=button[name="Save"].
#[derive(Debug, Subcommand)]
pub(crate) enum PageArgs {
    /// Open an address, and the session if it is not open
    Open(Box<OpenArgs>),
    /// Show the page as text with a ref for each element
    Snapshot(SnapshotArgs),
    /// Click an element
    Click(ClickArgs),
    // Verbs that are derived from actions, such as `fill` and `hover`
    #[command(flatten)]
    Plain(PlainAction),
    /// Type text key by key, into TARGET or the focused element
    Type {
        /// The text for the focused element; with TEXT, the element
        #[arg(value_name = "TARGET", allow_negative_numbers = true)]
        first: String,
        /// The text; after `--` if it begins with a hyphen
        #[arg(allow_negative_numbers = true)]
        text: Option<String>,
    },
    /// Use the mouse at coordinates of the viewport, in CSS pixels
    Mouse {
        #[command(subcommand)]
        what: MouseArgs,
    },
    /// Drop files or data onto an element, as if dragged from another application
    Drop(DropArgs),
    /// Upload files to a file field, or to the file chooser that a button opens
    Upload {
        /// The field or button; with --chooser the first file
        target: String,
        /// The files, from the folder that `open --uploads` allows
        #[arg(value_hint = ValueHint::FilePath)]
        files: Vec<String>,
        /// Answer the file chooser that is already open
        #[arg(long)]
        chooser: bool,
    },
    /// Take a screenshot of the viewport, an element, or the full page
    Screenshot {
        /// The output file (png, jpg or webp), `-` for standard output; screenshot-TIME.png by default
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
        /// The full scrollable page
        #[arg(long, conflicts_with = "target")]
        full: bool,
        /// Only this element
        #[arg(long)]
        target: Option<String>,
    },
    /// Save the page as a PDF document
    Pdf {
        /// The output file; `-` for standard output
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Evaluate a script in the page: an expression or a function
    Eval {
        /// The script; `-` for standard input
        #[arg(allow_hyphen_values = true)]
        script: String,
        /// The element that the function is called with
        target: Option<String>,
    },
    /// Wait for a time, a text, an address, or the page to load
    Wait(WaitArgs),
    /// Scroll the page, or an element into view
    Scroll {
        /// up, down, left, right, top, bottom, or the element to scroll into view
        #[arg(value_name = "DIRECTION|TARGET", default_value = "down")]
        to: String,
        /// The distance in screens
        screens: Option<f64>,
        /// The element to scroll instead of the page
        #[arg(long)]
        target: Option<String>,
    },
    /// List tabs; `tab new [URL]`, `tab 2` or a part of its title, `tab close [2]`
    Tab {
        /// list, new [URL], close [TAB], or the tab to switch to
        #[arg(value_name = "WORDS", num_args = 0..=2)]
        words: Vec<String>,
    },
    /// Answer the open JavaScript dialog
    Dialog {
        /// Accept or dismiss the dialog
        #[arg(value_enum)]
        answer: DialogAnswer,
        /// The text for a prompt
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
    },
    /// List cookies; `cookies set NAME VALUE`, `cookies get NAME`, `cookies clear`
    Cookies {
        #[command(subcommand)]
        op: Option<CookieArgs>,
    },
    /// Save cookies and storage to a file, or reopen the session with them
    State {
        #[command(subcommand)]
        op: StateArgs,
    },
    /// List or change the entries of the page's localStorage
    Storage {
        #[command(subcommand)]
        op: Option<StorageArgs>,
    },
    /// List the network requests of the page, or show one request by its number
    Network(NetworkArgs),
    /// Answer requests locally, or send them with other headers
    Route {
        #[command(subcommand)]
        op: Option<RouteArgs>,
    },
    /// Emulate media features (dark colours, print) or an offline network
    Emulate(EmulateArgs),
    /// Show the console messages of the page
    Console {
        /// The lowest level to show
        #[arg(long, value_enum, default_value_t = LevelArg::Info)]
        level: LevelArg,
        /// Since the start of the session instead of since the page was loaded
        #[arg(long)]
        all: bool,
    },
    /// Find the lines of the page that contain a text, or match /a regular expression/
    Find {
        /// The text
        text: String,
    },
    /// Show the page, or an element, as text
    Text {
        /// Only this element
        target: Option<String>,
    },
    /// Resize the viewport
    Resize {
        /// Size in CSS pixels, such as 390x844
        #[arg(value_name = "WIDTHxHEIGHT", value_parser = size)]
        size: (u32, u32),
    },
    /// Extract data from the page with the configured model
    Extract(ExtractArgs),
    /// Assert an exact condition; a failure states what is there instead
    Verify {
        #[command(subcommand)]
        what: VerifyArgs,
    },
    /// Show locators for an element: Playwright's, and a target for Legwork
    Locate {
        /// The element
        target: String,
    },
    /// Draw a lasting box around an element, for a person who watches
    Highlight(HighlightArgs),
    /// Execute a step in plain language; a step with exact names needs no model
    Step {
        /// The step, such as: Click "Save", then check that "Saved" is shown
        #[arg(required = true, num_args = 1..)]
        words: Vec<String>,
    },
    /// Execute several verbs, one per line of standard input, until one fails
    Batch {
        /// A file instead of standard input
        #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// List the open sessions
    Sessions,
    /// Close the session
    Close {
        /// All sessions, and the background process
        #[arg(long)]
        all: bool,
    },
}

/// `legwork snapshot`.
#[derive(Debug, Args)]
pub(crate) struct SnapshotArgs {
    /// Only interactive elements
    #[arg(short, long)]
    pub(crate) interactive: bool,
    /// Without containers that have no name
    #[arg(short, long)]
    pub(crate) compact: bool,
    /// The maximum depth
    #[arg(short, long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Only this element and its descendants
    #[arg(short, long, value_name = "TARGET")]
    pub(crate) selector: Option<String>,
    /// Only the difference to the last observation
    #[arg(long, conflicts_with_all = ["interactive", "compact", "depth", "selector"])]
    pub(crate) diff: bool,
}

/// `legwork click`.
#[derive(Debug, Args)]
pub(crate) struct ClickArgs {
    /// The element
    pub(crate) target: String,
    /// A double click
    #[arg(long)]
    pub(crate) double: bool,
    /// The mouse button
    #[arg(long, value_enum, default_value_t = ButtonArg::Left)]
    pub(crate) button: ButtonArg,
    /// Modifier keys to hold: alt, control, meta, shift
    #[arg(long, value_enum, value_name = "KEYS", value_delimiter = ',')]
    pub(crate) holding: Vec<ModifierArg>,
}

/// `legwork wait`.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct WaitArgs {
    /// The time in seconds; with a condition, the time limit
    pub(crate) seconds: Option<f64>,
    /// Until this text is shown
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// Until this text is gone
    #[arg(long, value_name = "TEXT")]
    pub(crate) gone: Option<String>,
    /// Until the address contains this; `*` matches anything
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Until the page has reached this state
    #[arg(long, value_enum)]
    pub(crate) load: Option<LoadArg>,
}

/// `legwork extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// What to extract, in plain language
    pub(crate) instruction: String,
    /// The shape of the data: a JSON Schema, or a file that contains one
    #[arg(long, value_name = "FILE|JSON")]
    pub(crate) schema: Option<String>,
    /// The names of the fields of each item, instead of a schema
    #[arg(long, value_delimiter = ',', conflicts_with = "schema")]
    pub(crate) fields: Vec<String>,
    /// The maximum number of pages of a list to read
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateArgs {
    /// Save them to a file (Playwright's format)
    Save {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Reopen the session with those of a file
    Load {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialogAnswer {
    Accept,
    Dismiss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ButtonArg {
    Left,
    Middle,
    Right,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModifierArg {
    Alt,
    Control,
    Meta,
    Shift,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoadArg {
    Dom,
    Load,
    Idle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArg {
    Debug,
    Info,
    Warning,
    Error,
}

/// The value of a size argument is invalid.
#[derive(Debug, thiserror::Error)]
#[error("expected a size such as 390x844")]
pub(crate) struct InvalidSize;

pub(super) fn size(text: &str) -> Result<(u32, u32), InvalidSize> {
    let (width, height) = text.split_once(['x', 'X', '×', ',']).ok_or(InvalidSize)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=16_384).contains(side)).ok_or(InvalidSize);
    Ok((side(width)?, side(height)?))
}
