//! The commands that a page accepts. A command that a model may choose as well is an [`Action`] of the protocol and is
//! not defined a second time here.

use legwork::browser::{Emulation, Gesture, StorageState};
use legwork_protocol::{Action, ConsoleLevel, Target};
use serde::{Deserialize, Serialize};

use crate::{CookieOp, EntryOp, Extraction, Field, Format, Part, RequestPart, RouteOp, Verify};

/// A command, and the size limit of its reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandRequest {
    /// The command.
    #[serde(flatten)]
    pub verb: PageCommand,
    /// The maximum size of the reply's text, in tokens (o200k). By default it depends on the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
}

impl From<PageCommand> for CommandRequest {
    fn from(verb: PageCommand) -> Self {
        CommandRequest { verb, max_tokens: None }
    }
}

/// A command for a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum PageCommand {
    /// Executes actions in order until one fails. The reply contains the difference that they made.
    Act {
        /// The actions.
        actions: Vec<Action>,
    },
    /// Fills in the fields of a form. Each is filled, selected or checked according to its kind.
    Fields {
        /// The fields, in the order in which they are filled in.
        fields: Vec<Field>,
    },
    /// The page as text with refs.
    Snapshot(Part),
    /// The difference to the last observation.
    Changes,
    /// The lines that contain a text, or match a regular expression between slashes.
    Find {
        /// The text or the regular expression.
        text: String,
    },
    /// The content of the page as Markdown.
    Text,
    /// A mouse gesture at a point, or a drop of external data. The reply contains the difference that it made.
    Gesture(Gesture),
    /// Emulates media features.
    Emulate {
        /// The features to change.
        changes: Emulation,
    },
    /// Switches the network off or on.
    Offline {
        /// Whether the network is off.
        offline: bool,
    },
    /// Evaluates a script in the page's main world.
    Evaluate {
        /// An expression or a function.
        script: String,
        /// The element that the function is called with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
    },
    /// A screenshot of the viewport, an element, or the full page.
    Screenshot {
        /// Only this element.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
        /// The full scrollable page instead of the viewport.
        #[serde(default)]
        full_page: bool,
        /// The image format.
        #[serde(default)]
        format: Format,
    },
    /// The page as a PDF document.
    Pdf,
    /// Resizes the viewport.
    Resize {
        /// Width in CSS pixels.
        width: u32,
        /// Height in CSS pixels.
        height: u32,
    },
    /// The console messages of the page.
    Console {
        /// The lowest level to include.
        #[serde(default = "info")]
        level: ConsoleLevel,
        /// Since the start of the session instead of since the page was loaded.
        #[serde(default)]
        all: bool,
    },
    /// The network requests of the page.
    Network {
        /// Only requests whose URL matches this regular expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        /// Includes successful requests for static resources (images, fonts, style sheets, scripts, media).
        #[serde(default)]
        with_static: bool,
        /// Since the start of the session instead of since the page was loaded.
        #[serde(default)]
        all: bool,
    },
    /// One request: its headers, and its bodies if they are selected.
    Request {
        /// The number of the request in the list of requests.
        number: u64,
        /// Only this part. By default everything except the bodies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<RequestPart>,
        /// Writes the complete part to a file.
        #[serde(default)]
        to_file: bool,
    },
    /// Routes: requests that are answered locally or sent with other headers.
    Routes(RouteOp),
    /// The cookies of the session.
    Cookies(CookieOp),
    /// The storage entries of the page's origin.
    Entries(EntryOp),
    /// An exact assertion about the page. If it does not hold, the reply states what was found instead.
    Verify(Verify),
    /// Locators for an element, which find it without a ref.
    Locate {
        /// The element.
        target: Target,
    },
    /// Draws a box around an element. The box stays, and observations do not contain it.
    Highlight {
        /// The element.
        target: Target,
        /// CSS declarations for the box.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        style: Option<String>,
    },
    /// Removes highlights.
    Unhighlight {
        /// Only the highlight of this element.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<Target>,
    },
    /// Exports the cookies and storage of the session.
    SaveState,
    /// Reopens the session with exported cookies and storage. The caller executes it, because
    /// [`execute`](crate::execute()) has only the page of the session and cannot replace it.
    LoadState {
        /// A state that [`PageCommand::SaveState`] returned.
        state: StorageState,
    },
    /// Files for the open file chooser. An empty list cancels it.
    ChooseFiles {
        /// Paths inside the allowed folders.
        #[serde(default)]
        paths: Vec<String>,
    },
    /// A step in plain language.
    Step {
        /// The step, such as `Click "Save"`. A step that the grammar cannot parse needs a model.
        words: String,
    },
    /// A goal for the model of the agent.
    Task {
        /// The goal.
        goal: String,
    },
    /// A check of the page.
    Check {
        /// The check, such as `"Saved" is shown`.
        words: String,
    },
    /// Extracts data from the page, by a model.
    Extract(Extraction),
    /// Executes several commands until one fails.
    Batch {
        /// The commands, in order.
        asks: Vec<PageCommand>,
    },
}

fn info() -> ConsoleLevel {
    ConsoleLevel::Info
}
