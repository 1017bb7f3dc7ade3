//! What can be asked of a page. What a model may ask for as well is an [`Action`] of the protocol and is not said again here.

use legwork::browser::{Emulation, Gesture, StorageState};
use legwork_protocol::{Action, ConsoleLevel, Target};
use serde::{Deserialize, Serialize};

use crate::{CookieOp, EntryOp, Extraction, Field, Format, Part, RequestPart, RouteOp, Verify};

/// A verb, and how long its answer may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandRequest {
    /// What is wanted.
    #[serde(flatten)]
    pub verb: PageCommand,
    /// The most tokens (o200k) of the answer's text; without it, what suits the verb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
}

impl From<PageCommand> for CommandRequest {
    fn from(verb: PageCommand) -> Self {
        CommandRequest { verb, max_tokens: None }
    }
}

/// What is wanted of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum PageCommand {
    /// Actions in order, until one fails; answered with the difference that they made.
    Act {
        /// What to do.
        actions: Vec<Action>,
    },
    /// Fields of a form, each filled, chosen or ticked as its kind wants it.
    Fields {
        /// In order.
        fields: Vec<Field>,
    },
    /// The page as text with refs.
    Snapshot(Part),
    /// What changed since the last look.
    Changes,
    /// Lines that hold a text, or match a regular expression between slashes.
    Find {
        /// The text.
        text: String,
    },
    /// What the page says, as Markdown.
    Text,
    /// The mouse at a point, or something dropped from outside of the page; answered with the difference.
    Gesture(Gesture),
    /// What a page is made to believe of the medium it is shown on.
    Emulate {
        /// What to change.
        changes: Emulation,
    },
    /// Takes the network away, or gives it back.
    Offline {
        /// Away.
        offline: bool,
    },
    /// A script in the page's own world.
    Evaluate {
        /// An expression or a function.
        script: String,
        /// The element it is called with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
    },
    /// A picture of the view, an element, or the whole page.
    Screenshot {
        /// Only this element.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
        /// All that can be scrolled to.
        #[serde(default)]
        full_page: bool,
        /// The format.
        #[serde(default)]
        format: Format,
    },
    /// The page as a PDF document.
    Pdf,
    /// The size of the view.
    Resize {
        /// CSS pixels.
        width: u32,
        /// CSS pixels.
        height: u32,
    },
    /// What the page wrote to its console.
    Console {
        /// Only this and what is graver.
        #[serde(default = "info")]
        level: ConsoleLevel,
        /// Since the session began, not only since the page was loaded.
        #[serde(default)]
        all: bool,
    },
    /// What the page asked the network for.
    Network {
        /// Only addresses that match this regular expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        /// Pictures, fonts, styles and scripts that came well, too.
        #[serde(default)]
        with_static: bool,
        /// Since the session began, not only since the page was loaded.
        #[serde(default)]
        all: bool,
    },
    /// One of those requests: its headers, and its bodies.
    Request {
        /// As the list of requests shows it.
        number: u64,
        /// Only this part; without it all but the bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<RequestPart>,
        /// The part goes into a file, whole.
        #[serde(default)]
        to_file: bool,
    },
    /// Requests that are answered here or go with other headers.
    Routes(RouteOp),
    /// The session's cookies.
    Cookies(CookieOp),
    /// The entries of a storage of the page's origin.
    Entries(EntryOp),
    /// What must hold of the page, said exactly; it fails with what was found instead.
    Verify(Verify),
    /// How an element is named without a ref.
    Locate {
        /// Which.
        target: Target,
    },
    /// A box around an element, which stays and which no observation tells of.
    Highlight {
        /// Which.
        target: Target,
        /// CSS for the box.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        style: Option<String>,
    },
    /// Takes such boxes away.
    Unhighlight {
        /// Only this element's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
    },
    /// Cookies and storage, to be kept.
    SaveState,
    /// Cookies and storage that were kept: the session starts again with them.
    LoadState {
        /// As [`PageCommand::SaveState`] gave it.
        state: StorageState,
    },
    /// Files for the file chooser that waits; none cancels it.
    ChooseFiles {
        /// Paths inside the allowed folders.
        #[serde(default)]
        paths: Vec<String>,
    },
    /// An instruction in plain words.
    Step {
        /// `Click "Save"`, or what only a model can read.
        words: String,
    },
    /// A goal for the agent's own model.
    Task {
        /// The goal.
        goal: String,
    },
    /// What must hold on the page.
    Check {
        /// In the words of a check: `"Saved" is shown`.
        words: String,
    },
    /// Data out of the page, by a model.
    Extract(Extraction),
    /// Several, until one fails.
    Batch {
        /// In order.
        asks: Vec<PageCommand>,
    },
}

fn info() -> ConsoleLevel {
    ConsoleLevel::Info
}
