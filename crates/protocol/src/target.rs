//! How an action names its target element.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The target element of an action: a ref from the observation such as `e12`, or `text=…`, `role=button[name="Save"]`,
/// `xpath=…`, or a CSS selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Target(pub String);

/// A parsed target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetKind<'a> {
    /// `e12`, `@e12`, `ref=e12`: an element of an observation.
    Ref(Ref),
    /// `text=…`: the smallest element that contains this text; in quotes, the whole text must match.
    Text(&'a str),
    /// `role=button[name="Save"]`.
    Role {
        /// The ARIA role.
        role: &'a str,
        /// The accessible name, if the target has one.
        name: Option<&'a str>,
    },
    /// `xpath=…` or a path that starts with `//`.
    XPath(&'a str),
    /// A CSS selector: `css=…`, or any other text.
    Css(&'a str),
}

impl Target {
    /// Parses the target.
    pub fn kind(&self) -> TargetKind<'_> {
        let text = self.0.trim();
        let bare = text.strip_prefix("ref=").or_else(|| text.strip_prefix('@')).unwrap_or(text);
        if let Some(reference) = Ref::parse(bare) {
            return TargetKind::Ref(reference);
        }
        if let Some(text) = text.strip_prefix("text=") {
            return TargetKind::Text(text);
        }
        if let Some(path) = text.strip_prefix("xpath=").or_else(|| text.starts_with("//").then_some(text)) {
            return TargetKind::XPath(path);
        }
        if let Some(rest) = text.strip_prefix("role=") {
            let (role, filter) = rest.split_once('[').unwrap_or((rest, ""));
            let name = filter
                .strip_suffix(']')
                .and_then(|f| f.trim().strip_prefix("name="))
                .map(|name| name.trim().trim_matches(['"', '\'']));
            return TargetKind::Role { role: role.trim(), name };
        }
        TargetKind::Css(text.strip_prefix("css=").unwrap_or(text))
    }
}

impl From<Ref> for Target {
    fn from(reference: Ref) -> Self {
        Target(reference.to_string())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A reference to one element of an observation, `e12`. It is never reused for another element; using it fails when the
/// element no longer exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(pub u32);

impl Ref {
    /// Parses `e12`.
    pub fn parse(text: &str) -> Option<Ref> {
        let digits = text.strip_prefix('e')?;
        (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok().map(Ref))?
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}
