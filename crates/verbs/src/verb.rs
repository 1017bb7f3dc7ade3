//! What can be asked of a page. What a model may ask for as well is an [`Action`] of the protocol and is not said again here.

use legwork::browser::StorageState;
use legwork_protocol::{Action, ConsoleLevel, Target};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A verb, and how long its answer may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// What is wanted.
    #[serde(flatten)]
    pub verb: Verb,
    /// The most tokens (o200k) of the answer's text; without it, what suits the verb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
}

impl From<Verb> for Ask {
    fn from(verb: Verb) -> Self {
        Ask { verb, max_tokens: None }
    }
}

/// What is wanted of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "snake_case")]
pub enum Verb {
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
    /// The session's cookies.
    Cookies(CookieOp),
    /// Cookies and storage, to be kept.
    SaveState,
    /// Cookies and storage that were kept: the session begins anew with them.
    LoadState {
        /// As [`Verb::SaveState`] gave it.
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
        asks: Vec<Verb>,
    },
}

fn info() -> ConsoleLevel {
    ConsoleLevel::Info
}

/// Which part of a page, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// Only this element and what is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Only what can be acted on.
    pub interactive: bool,
    /// Without containers that have no name.
    pub compact: bool,
    /// How deep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
}

/// A field and what it is to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Which.
    #[serde(alias = "ref")]
    pub target: Target,
    /// The text, the option, or `true` and `false` for what is ticked.
    pub value: String,
    /// `textbox`, `checkbox`, `radio`, `combobox` or `slider`; without it, what the page says it is.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// A picture's format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Exact.
    #[default]
    Png,
    /// Small.
    Jpeg,
    /// Smaller.
    Webp,
}

/// What to do with cookies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum CookieOp {
    /// Names, values, where they go.
    List,
    /// Sets one.
    Set(NewCookie),
    /// Throws all away.
    Clear,
}

/// A cookie to set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewCookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host, with a leading dot for those below it; without it, that of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The path; without it `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// Data to take out of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extraction {
    /// What to take.
    pub instruction: String,
    /// Its shape, as a JSON Schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// In place of a schema: the names of each item's texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The most pages of a list to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
}
