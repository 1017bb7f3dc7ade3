//! How an action names its target element.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The target element of an action: a ref from the observation such as `e12`, or `button "Save"` as an observation
/// shows it, `text=…`, `role=button[name="Save"]`, `xpath=…`, or a CSS selector. Of several matches, ` >> nth=0` is the
/// first and ` >> nth=-1` the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Target(pub String);

/// A parsed target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetKind<'a> {
    /// `e12`, `@e12`, `ref=e12`: an element of an observation.
    Ref(Ref),
    /// `text=…`: the smallest element that contains this text; in quotes, the whole text must match. Also `"Save"` and
    /// `text "Save"`, in which the quotes are only quotes.
    Text(&'a str),
    /// `role=button[name="Save"]`, or `button "Save"`, as an observation shows it.
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
    /// Parses the target, without the position among several matches.
    pub fn kind(&self) -> TargetKind<'_> {
        let (text, _) = self.parts();
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
        if let Some(shown) = shown(text) {
            return shown;
        }
        TargetKind::Css(text.strip_prefix("css=").unwrap_or(text))
    }

    /// The position among several matches, if the target has one: 0 is the first, -1 the last.
    pub fn nth(&self) -> Option<i32> {
        self.parts().1
    }

    fn parts(&self) -> (&str, Option<i32>) {
        let text = self.0.trim();
        let split = text.rsplit_once(">>").and_then(|(first, last)| {
            let nth = last.trim().strip_prefix("nth=")?.trim().parse().ok()?;
            Some((first.trim_end(), Some(nth)))
        });
        split.unwrap_or((text, None))
    }
}

/// An element as an observation shows it: `button "Save"`, `button "Save" [ref=e3] [disabled]`, `"Save"`. None of them
/// is a CSS selector, in which quotes are only within brackets.
fn shown(text: &str) -> Option<TargetKind<'_>> {
    let quote = text.find(['"', '\''])?;
    let (role, rest) = (text[..quote].trim_end(), &text[quote..]);
    let mark = rest.chars().next()?;
    let end = rest.rfind(mark).filter(|end| *end > 1)?;
    let (name, states) = (&rest[1..end], rest[end + 1..].trim_end_matches(':').trim());
    let is_list = states.is_empty() || states.starts_with('[') && states.ends_with(']');
    if !is_list || !role.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    if let Some((_, reference)) = states.split_once("[ref=") {
        return reference.split_once(']').and_then(|(reference, _)| Ref::parse(reference)).map(TargetKind::Ref);
    }
    Some(match role {
        "" | "text" => TargetKind::Text(name),
        _ => TargetKind::Role { role, name: Some(name) },
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        let target = Target(text.to_owned());
        let nth = target.nth().map_or_else(String::new, |nth| format!(" nth {nth}"));
        match target.kind() {
            TargetKind::Ref(reference) => format!("ref {reference}{nth}"),
            TargetKind::Text(text) => format!("text {text}{nth}"),
            TargetKind::Role { role, name } => format!("{role} {}{nth}", name.unwrap_or("-")),
            TargetKind::XPath(path) => format!("xpath {path}{nth}"),
            TargetKind::Css(css) => format!("css {css}{nth}"),
        }
    }

    #[test]
    fn targets_are_read_in_every_notation() {
        for (text, meaning) in [
            ("e12", "ref e12"),
            ("@e12", "ref e12"),
            ("text=All orders", "text All orders"),
            ("text=\"Save\"", "text \"Save\""),
            ("role=button[name=\"Save\"]", "button Save"),
            ("role=row", "row -"),
            ("xpath=//a[1]", "xpath //a[1]"),
            ("//a", "xpath //a"),
            ("css=#a", "css #a"),
            // As an observation shows elements.
            ("button \"Save\"", "button Save"),
            ("button 'Save'", "button Save"),
            ("columnheader \"City\" [ref=e4] [sorted]", "ref e4"),
            ("treeitem \"Documents\" [level=1] [collapsed]:", "treeitem Documents"),
            ("treeitem \"Documents\" [level=1] [collapsed]", "treeitem Documents"),
            ("button \"Say \"hi\"\"", "button Say \"hi\""),
            ("\"Save\"", "text Save"),
            ("text \"Save\"", "text Save"),
            // Selectors.
            ("button", "css button"),
            ("input[name=\"q\"]", "css input[name=\"q\"]"),
            ("a[href='/x'] b", "css a[href='/x'] b"),
            ("form button.go", "css form button.go"),
            ("Save \"x\"", "css Save \"x\""),
            // One of several.
            ("button \"Add\" >> nth=1", "button Add nth 1"),
            ("css=li >> nth=-1", "css li nth -1"),
            ("text=a >> b", "text a >> b"),
        ] {
            assert_eq!(kind(text), meaning, "{text}");
        }
    }
}
