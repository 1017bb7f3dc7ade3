//! What verbs are asked with.

use legwork::browser::{Area, Route};
use legwork_protocol::Target;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    List {
        /// Only those whose host holds this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        domain: Option<String>,
        /// Only those whose path begins with this.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    /// Those of a name, with all that is known of them.
    Get {
        /// The name.
        name: String,
    },
    /// Sets one.
    Set(NewCookie),
    /// Throws those of a name away.
    Delete {
        /// The name.
        name: String,
    },
    /// Throws all away.
    Clear,
}

/// A cookie to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Until when, in seconds since 1970; without it, until the browser ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    /// Scripts cannot read it.
    #[serde(default, alias = "httpOnly")]
    pub http_only: bool,
    /// Only over https.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, alias = "sameSite", skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

/// What to do with the entries of a storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryOp {
    /// Of which storage.
    pub area: Area,
    /// What.
    #[serde(flatten)]
    pub what: EntryWhat,
}

/// What is done with entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum EntryWhat {
    /// Names and values.
    List,
    /// The value of one.
    Get {
        /// Its name.
        key: String,
    },
    /// Sets one.
    Set {
        /// Its name.
        key: String,
        /// Its value; `${secret:NAME}` for a secret.
        value: String,
    },
    /// Throws one away.
    Delete {
        /// Its name.
        key: String,
    },
    /// Throws all away.
    Clear,
}

/// A part of a request and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestPart {
    /// What it says of itself.
    RequestHeaders,
    /// What it carries.
    RequestBody,
    /// What the answer says of itself.
    ResponseHeaders,
    /// What the answer carries.
    ResponseBody,
}

/// What to do with routes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RouteOp {
    /// Which there are.
    List,
    /// One more.
    Add(Route),
    /// Takes one away, or all.
    Remove {
        /// The one with this pattern.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
    },
}

/// What must hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Verify {
    /// An element of this role is shown whose name holds this.
    Element {
        /// The role, as a snapshot shows it.
        role: String,
        /// The name; case and white space aside.
        name: String,
    },
    /// This text is shown.
    Text {
        /// The text; case and white space aside.
        text: String,
    },
    /// An element holds these texts.
    List {
        /// Which.
        target: Target,
        /// The texts.
        items: Vec<String>,
    },
    /// A field holds this value.
    Value {
        /// Which.
        target: Target,
        /// The text; `true` or `false` for what is ticked.
        value: String,
        /// `textbox`, `checkbox`, `radio`, `combobox` or `slider`; without it, what the page says it is.
        #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
    },
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
