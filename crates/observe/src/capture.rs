//! Parses the capture of one frame.
//!
//! The injected script (`injected/src/capture.ts`) writes one line per node in document order:
//! `depth role name field…`, separated by tabs, with `+` before the depth when the node continues the line of the
//! previous one. An empty role is a run of text. The first character of each field states its kind: `#` element
//! number, `!` state bits, `=` value, `@` href as written, `^` level, `~` placeholder, `:` input type, `?` title, `*`
//! id, `&` name, `%` test id, `<` tag, `/` a frame that was not entered. Unlike JSON, lines and tabs need no further
//! escaping inside the JSON of the browser's protocol.

use std::borrow::Cow;

use thiserror::Error;
use url::Url;

use crate::{Attributes, Node, Reversion, States};

/// The capture of one frame, including the same-origin frames inside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// The frame's address.
    pub url: String,
    /// The frame's title.
    pub title: String,
    /// The number of elements that may have a closed shadow root from markup, which only the browser can see.
    pub possible_closed_roots: usize,
    /// Whether scripts that ran before the last action began have changed the title since.
    pub title_changes_itself: bool,
    /// The texts that such scripts have removed.
    pub removed_itself: Vec<Box<str>>,
    /// What was shown after the last action began and is no longer shown.
    pub transient: Vec<Node>,
    /// What was changed after the last action began and was changed back.
    pub reversions: Vec<Reversion>,
    /// What the capture left out.
    pub cut: Option<CaptureTruncation>,
    pub(crate) records: Vec<Record>,
}

/// What the capture left out because the page exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureTruncation {
    /// The limit that was reached: `nodes`, `characters` or `elements`.
    pub bound: String,
    /// The approximate number of elements that were not visited.
    pub elements_left: usize,
    /// The number of captured nodes.
    pub kept: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) depth: u32,
    pub(crate) element: u32,
    pub(crate) is_outer_frame: bool,
    pub(crate) node: Node,
}

/// Why a capture cannot be parsed. The injected bundle and this crate are then from different builds.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CaptureError {
    /// The capture is not UTF-8.
    #[error("the capture is not UTF-8")]
    Encoding,
    /// The first line is not the expected one.
    #[error("the capture does not begin with `legwork 3`")]
    Header,
    /// A line is malformed.
    #[error("line {line} of the capture cannot be parsed: {problem}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The problem.
        problem: &'static str,
    },
}

impl Capture {
    /// Parses the return value of `legwork.capture()`.
    ///
    /// # Errors
    /// When the capture does not have the format of this build.
    pub fn read(text: impl AsRef<[u8]>) -> Result<Capture, CaptureError> {
        let text = std::str::from_utf8(text.as_ref()).map_err(|_| CaptureError::Encoding)?;
        let mut lines = text.split('\n');
        let mut head = lines.next().unwrap_or_default().split('\t');
        if head.next() != Some("legwork 3") {
            return Err(CaptureError::Header);
        }
        let mut next = || head.next().unwrap_or_default();
        let (url, base, title) = (next().to_owned(), next().to_owned(), next().to_owned());
        let possible_closed_roots = next().parse().unwrap_or(0);
        let mut itself = next().split('\u{1f}');
        let title_changes_itself = itself.next() == Some("title");
        let removed_itself = itself.map(Into::into).collect();
        let transient = next().split('\u{1f}').filter_map(transient).collect();
        let reversions = next().split('\u{1f}').filter_map(reversion).collect();
        let cut = match next() {
            "" => None,
            bound => Some(CaptureTruncation {
                bound: bound.to_owned(),
                elements_left: next().parse().unwrap_or(0),
                kept: next().parse().unwrap_or(0),
            }),
        };
        let base = Base { url: Url::parse(&base).ok(), text: base };
        let mut records = Vec::with_capacity(text.len() / 24);
        for (at, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
            let record = record(line, &base).map_err(|problem| CaptureError::Line { line: at + 2, problem })?;
            records.push(record);
        }
        Ok(Capture {
            url,
            title,
            possible_closed_roots,
            title_changes_itself,
            removed_itself,
            transient,
            reversions,
            cut,
            records,
        })
    }
}

/// An element that was shown: its role, states, name and text.
fn transient(entry: &str) -> Option<Node> {
    let mut parts = entry.split('\u{1e}');
    let (role, states) = (parts.next().filter(|role| !role.is_empty())?, parts.next()?.parse().ok()?);
    let (label, text) = (parts.next()?, parts.next()?);
    let attributes =
        (!label.is_empty()).then(|| Box::new(Attributes { id: Some(label.into()), ..Attributes::default() }));
    Some(Node {
        role: role.into(),
        name: without_refs(&squeeze(text)).into(),
        states: States(states),
        attributes,
        ..Node::default()
    })
}

/// A text that is back, and the text that replaced it in the meantime.
fn reversion(entry: &str) -> Option<Reversion> {
    let (text, meanwhile) = entry.split_once('\u{1e}')?;
    Some(Reversion { text: squeeze(text), meanwhile: squeeze(meanwhile) })
}

struct Base {
    url: Option<Url>,
    text: String,
}

impl Base {
    fn resolve(&self, href: &str) -> Box<str> {
        if href.starts_with('#') {
            let page = self.text.split('#').next().unwrap_or_default();
            return format!("{page}{href}").into();
        }
        let is_absolute = href.starts_with("http://") || href.starts_with("https://");
        match &self.url {
            Some(base) if !is_absolute => base.join(href).map_or_else(|_| href.into(), |url| String::from(url).into()),
            _ => href.into(),
        }
    }
}

fn record(line: &str, base: &Base) -> Result<Record, &'static str> {
    let mut fields = line.split('\t');
    let depth = fields.next().unwrap_or_default();
    let (joined, depth) = depth.strip_prefix('+').map_or((false, depth), |depth| (true, depth));
    let depth = depth.parse().map_err(|_| "a depth is missing")?;
    let role = fields.next().ok_or("a role is missing")?;
    let name = fields.next().ok_or("a name is missing")?;
    let mut node = Node {
        role: if role.is_empty() { "text" } else { role }.into(),
        name: without_refs(&squeeze(name)).into(),
        joined,
        ..Node::default()
    };
    let mut record = Record { depth, element: 0, is_outer_frame: false, node: Node::default() };
    for field in fields {
        let mut rest = field.chars();
        let Some(kind) = rest.next() else { continue };
        let text = rest.as_str();
        match kind {
            '#' => record.element = text.parse().map_err(|_| "an element number is invalid")?,
            '!' => node.states = States(text.parse().map_err(|_| "the state bits are invalid")?),
            '=' => node.value = Some(text.replace('\u{1}', "\n").replace('\u{2}', "\t").into()),
            '^' => node.level = text.parse().unwrap_or(0),
            '/' => record.is_outer_frame = true,
            _ => {
                let attributes = node.attributes.get_or_insert_with(Box::<Attributes>::default);
                match kind {
                    '@' => attributes.href = Some(base.resolve(text)),
                    '~' => attributes.placeholder = Some(text.into()),
                    ':' => attributes.input = Some(text.into()),
                    '?' => attributes.description = Some(text.into()),
                    '*' => attributes.id = Some(text.into()),
                    '&' => attributes.form_name = Some(text.into()),
                    '%' => attributes.test_id = Some(text.into()),
                    '$' => attributes.size = text.parse().ok(),
                    '<' => attributes.tag = text.into(),
                    _ => return Err("a field has an unknown kind"),
                }
            }
        }
    }
    record.node = node;
    Ok(record)
}

/// A text of the page in which nothing looks like a ref. Refs are written in brackets, so that a name such as
/// `Close" [ref=e1] button "More` would give the ref of another element to what it names.
pub(crate) fn without_refs(text: &str) -> Cow<'_, str> {
    let begins_ref = |rest: &str| {
        let rest = rest.trim_start();
        rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("ref")) && rest[3..].trim_start().starts_with('=')
    };
    if !text.match_indices('[').any(|(at, _)| begins_ref(&text[at + 1..])) {
        return text.into();
    }
    let written = |(at, letter)| if letter == '[' && begins_ref(&text[at + 1..]) { '(' } else { letter };
    text.char_indices().map(written).collect::<String>().into()
}

/// Replaces white space by single spaces, and removes it at both ends.
fn squeeze(text: &str) -> Box<str> {
    let is_squeezed = text.is_ascii()
        && !text.contains("  ")
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains(['\u{b}', '\u{c}', '\r']);
    if is_squeezed {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}
