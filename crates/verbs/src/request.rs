//! The parameters of commands.

use legwork::browser::{Area, Route};
use legwork_protocol::Target;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The part of a page to show, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// Only this element and its descendants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Only interactive elements.
    pub interactive: bool,
    /// Without containers that have no name.
    pub compact: bool,
    /// The maximum depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
}

/// A field and its new value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The field.
    #[serde(alias = "ref")]
    pub target: Target,
    /// The text or the option. For a check box or radio button: `true` or `false`.
    pub value: String,
    /// `textbox`, `checkbox`, `radio`, `combobox` or `slider`. By default the role of the element.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// The format of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lossless.
    #[default]
    Png,
    /// Smaller than PNG.
    Jpeg,
    /// Smaller than JPEG.
    Webp,
}

/// An operation on cookies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum CookieOp {
    /// Lists names, values, domains and paths.
    List {
        /// Only cookies whose domain contains this text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        domain: Option<String>,
        /// Only cookies whose path starts with this text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    /// The cookies with a name, with all their attributes.
    Get {
        /// The name.
        name: String,
    },
    /// Sets a cookie.
    Set(NewCookie),
    /// Deletes the cookies with a name.
    Delete {
        /// The name.
        name: String,
    },
    /// Deletes all cookies.
    Clear,
}

/// A cookie to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewCookie {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// The domain. A leading dot includes subdomains. By default the host of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The path. `/` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The expiry time in seconds since 1970. Without it the cookie is a session cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
    /// Whether scripts cannot read it.
    #[serde(default, alias = "httpOnly")]
    pub http_only: bool,
    /// Whether it is sent over https only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, alias = "sameSite", skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

/// An operation on the entries of a storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryOp {
    /// The storage.
    pub area: Area,
    /// The operation.
    #[serde(flatten)]
    pub what: EntryWhat,
}

/// The kinds of operations on storage entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum EntryWhat {
    /// Lists names and values.
    List,
    /// The value of an entry.
    Get {
        /// The name of the entry.
        key: String,
    },
    /// Sets an entry.
    Set {
        /// The name of the entry.
        key: String,
        /// The value. `${secret:NAME}` is a secret.
        value: String,
    },
    /// Deletes an entry.
    Delete {
        /// The name of the entry.
        key: String,
    },
    /// Deletes all entries.
    Clear,
}

/// A part of a request or of its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestPart {
    /// The request headers.
    RequestHeaders,
    /// The request body.
    RequestBody,
    /// The response headers.
    ResponseHeaders,
    /// The response body.
    ResponseBody,
}

/// An operation on routes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum RouteOp {
    /// Lists the routes.
    List,
    /// Adds a route.
    Add(Route),
    /// Removes one route or all.
    Remove {
        /// The pattern of the route to remove. By default all routes are removed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
    },
}

/// An exact assertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Verify {
    /// An element with this role is shown, and its name contains this name.
    Element {
        /// The role, as in a snapshot.
        role: String,
        /// The name. Case and white space are ignored.
        name: String,
    },
    /// This text is shown.
    Text {
        /// The text. Case and white space are ignored.
        text: String,
    },
    /// An element contains these texts.
    List {
        /// The element.
        target: Target,
        /// The texts.
        items: Vec<String>,
    },
    /// A field has this value.
    Value {
        /// The field.
        target: Target,
        /// The text. For a check box or radio button: `true` or `false`.
        value: String,
        /// `textbox`, `checkbox`, `radio`, `combobox` or `slider`. By default the page determines whether the element
        /// can be checked.
        #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
    },
}

/// Data to extract from a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extraction {
    /// What to extract.
    pub instruction: String,
    /// The shape of the data, as a JSON Schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The names of the fields of each item, instead of a schema.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The maximum number of pages of a list to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
}
