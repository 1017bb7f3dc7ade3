//! The verbs of the terminal, as clap reads them: on the command line, and as the lines of a batch.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::{
    assert_args::{HighlightArgs, VerifyArgs},
    mouse_args::{DropArgs, MouseArgs},
    network_args::{CookieArgs, EmulateArgs, NetworkArgs, RouteArgs, StorageArgs},
    open_args::OpenArgs,
    plain_args::PlainAction,
};

// What every verb takes. (Were it written as documentation, each verb's help would open with it.)
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Flags {
    /// The session: tabs, cookies and storage of its own [env: LEGWORK_SESSION] [default: default]
    #[arg(long, value_name = "NAME", help_heading = "Verb")]
    pub(crate) session: Option<String>,
    /// Print one JSON object: ok, text, data, file, error, hint
    #[arg(long, help_heading = "Verb")]
    pub(crate) json: bool,
    /// The most tokens of the answer
    #[arg(long, value_name = "TOKENS", help_heading = "Verb")]
    pub(crate) max_output: Option<usize>,
}

/// A verb. TARGET is a ref from a snapshot (e12, @e12, ref=e12), CSS, text=…, xpath=… or role=button[name="Save"].
#[derive(Debug, Subcommand)]
pub(crate) enum PageArgs {
    /// Begin the session if need be, and open an address in it
    Open(Box<OpenArgs>),
    /// Show the page as text, a ref for each element
    Snapshot(SnapshotArgs),
    /// Click an element
    Click(ClickArgs),
    // Verbs that follow from their actions, such as `fill` and `hover`
    #[command(flatten)]
    Plain(PlainAction),
    /// Type text key by key, into TARGET or into what has the focus
    Type {
        /// The text; with two words, the target first
        #[arg(num_args = 1..=2, required = true, allow_hyphen_values = true, value_names = ["[TARGET] TEXT"])]
        words: Vec<String>,
    },
    /// The mouse at points of the view, in CSS pixels
    Mouse {
        #[command(subcommand)]
        what: MouseArgs,
    },
    /// Drop files or data onto an element, as from outside of the page
    Drop(DropArgs),
    /// Put files into a file field, or into the chooser that a button opens
    Upload {
        /// The field or button; with --chooser the first file
        target: String,
        /// The files; they must lie in the folder that `open --uploads` names
        #[arg(value_hint = ValueHint::FilePath)]
        files: Vec<String>,
        /// Answer the file chooser that is open already
        #[arg(long)]
        chooser: bool,
    },
    /// Take a picture: of the view, an element, or the whole page
    Screenshot {
        /// Where to write it (png, jpg or webp), `-` for standard output; without it screenshot-TIME.png
        #[arg(value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
        /// All that can be scrolled to
        #[arg(long, conflicts_with = "target")]
        full: bool,
        /// Only this element
        #[arg(long)]
        target: Option<String>,
    },
    /// Write the page as a PDF document
    Pdf {
        /// Where to; `-` for standard output
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Run a script in the page: an expression or a function
    Eval {
        /// The script; `-` for standard input
        #[arg(allow_hyphen_values = true)]
        script: String,
        /// The element that the function is called with
        target: Option<String>,
    },
    /// Wait for seconds, a text, an address, or the page to have loaded
    Wait(WaitArgs),
    /// Scroll the page, or an element into view
    Scroll {
        /// up, down, left, right, top, bottom; or the element to bring into view
        #[arg(value_name = "DIRECTION|TARGET", default_value = "down")]
        to: String,
        /// How many screens
        screens: Option<f64>,
        /// The box to scroll instead of the page
        #[arg(long)]
        target: Option<String>,
    },
    /// List tabs; `tab new [URL]`, `tab 2` or a part of its title, `tab close [2]`
    Tab {
        /// list, new [URL], close [TAB], or the tab to go on in
        #[arg(value_name = "WORDS", num_args = 0..=2)]
        words: Vec<String>,
    },
    /// Answer the open JavaScript dialog
    Dialog {
        /// OK or Cancel
        #[arg(value_enum)]
        answer: DialogAnswer,
        /// The answer to a prompt
        #[arg(allow_hyphen_values = true)]
        text: Option<String>,
    },
    /// List cookies; `cookies set NAME VALUE`, `cookies get NAME`, `cookies clear`
    Cookies {
        #[command(subcommand)]
        op: Option<CookieArgs>,
    },
    /// Keep cookies and storage in a file, or begin anew with them
    State {
        #[command(subcommand)]
        op: StateArgs,
    },
    /// List or change the entries of the page's localStorage
    Storage {
        #[command(subcommand)]
        op: Option<StorageArgs>,
    },
    /// List what the page asked the network for, or show one request by its number
    Network(NetworkArgs),
    /// Answer requests here, or send them with other headers
    Route {
        #[command(subcommand)]
        op: Option<RouteArgs>,
    },
    /// Show the page as on another medium: dark, in print, offline
    Emulate(EmulateArgs),
    /// Show what the page wrote to its console
    Console {
        /// Only this and what is graver
        #[arg(long, value_enum, default_value_t = LevelArg::Info)]
        level: LevelArg,
        /// Since the session began, not only since the page was loaded
        #[arg(long)]
        all: bool,
    },
    /// Find the lines of the page that hold a text, or match /a regular expression/
    Find {
        /// The text
        text: String,
    },
    /// Read the page, or an element, as text
    Text {
        /// Only this element
        target: Option<String>,
    },
    /// Change the size of the view
    Resize {
        /// CSS pixels, such as 390x844
        #[arg(value_name = "WIDTHxHEIGHT", value_parser = size)]
        size: (u32, u32),
    },
    /// Take data out of the page, by the model of the settings
    Extract(ExtractArgs),
    /// Check what must hold, said exactly; fails with what is there instead
    Verify {
        #[command(subcommand)]
        what: VerifyArgs,
    },
    /// Name an element without its ref: in Playwright's words, and as a target
    Locate {
        /// The element
        target: String,
    },
    /// Draw a box around an element that stays, for who watches
    Highlight(HighlightArgs),
    /// Carry out one instruction in plain words; exact words need no model
    Step {
        /// Such as: Click "Save", then check that "Saved" is shown
        #[arg(required = true, num_args = 1..)]
        words: Vec<String>,
    },
    /// Do several verbs, one a line of standard input, until one fails
    Batch {
        /// A file instead of standard input
        #[arg(default_value = "-", value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// List the sessions that are open
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
    /// Only what can be acted on
    #[arg(short, long)]
    pub(crate) interactive: bool,
    /// Without containers that have no name
    #[arg(short, long)]
    pub(crate) compact: bool,
    /// How deep
    #[arg(short, long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Only this element and what is in it
    #[arg(short, long, value_name = "TARGET")]
    pub(crate) selector: Option<String>,
    /// Only what changed since the last look
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
    /// Which mouse button
    #[arg(long, value_enum, default_value_t = ButtonArg::Left)]
    pub(crate) button: ButtonArg,
    /// Keys held meanwhile: alt, control, meta, shift
    #[arg(long, value_enum, value_name = "KEYS", value_delimiter = ',')]
    pub(crate) holding: Vec<ModifierArg>,
}

/// `legwork wait`.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct WaitArgs {
    /// So many seconds; with a condition, the longest to wait for it
    pub(crate) seconds: Option<f64>,
    /// Until this text is shown
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// Until this text is gone
    #[arg(long, value_name = "TEXT")]
    pub(crate) gone: Option<String>,
    /// Until the address contains this; `*` stands for anything
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Until the page has come this far
    #[arg(long, value_enum)]
    pub(crate) load: Option<LoadArg>,
}

/// `legwork extract`.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// What to take, in words
    pub(crate) instruction: String,
    /// The shape of the data: a JSON Schema, or a file that holds one
    #[arg(long, value_name = "FILE|JSON")]
    pub(crate) schema: Option<String>,
    /// In place of a schema: the names of each item's texts
    #[arg(long, value_delimiter = ',', conflicts_with = "schema")]
    pub(crate) fields: Vec<String>,
    /// The most pages of a list to read
    #[arg(long, value_name = "N")]
    pub(crate) pages: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StateArgs {
    /// Write them into a file (Playwright's format)
    Save {
        /// The file
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Begin the session anew with those of a file
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

/// No size.
#[derive(Debug, thiserror::Error)]
#[error("expected a size such as 390x844")]
pub(crate) struct NoSize;

pub(super) fn size(text: &str) -> Result<(u32, u32), NoSize> {
    let (width, height) = text.split_once(['x', 'X', '×', ',']).ok_or(NoSize)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=16_384).contains(side)).ok_or(NoSize);
    Ok((side(width)?, side(height)?))
}
