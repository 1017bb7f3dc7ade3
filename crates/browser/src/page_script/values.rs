//! The arguments and results of the calls: which element is meant and for which purpose, and what the page returns.

use legwork_protocol::{ActionFailure, Target, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{act::Readings, point::Point, user_input::UserInputKind};

/// Identifies an element.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ElementQuery {
    /// The element with this number.
    Element(u32),
    /// The only match.
    Query(Query),
    /// One of several matches.
    Nth(NthQuery),
}

/// A search for one of several elements.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct NthQuery {
    pub(crate) query: Query,
    /// The position among the matches; -1 is the last.
    pub(crate) nth: i32,
}

impl ElementQuery {
    /// The search for a target; `None` for a ref, which names one element.
    pub(crate) fn of(target: &Target) -> Option<ElementQuery> {
        let query = Query::of(target)?;
        Some(match target.nth() {
            Some(nth) => ElementQuery::Nth(NthQuery { query, nth }),
            None => ElementQuery::Query(query),
        })
    }
}

/// A search for elements, which is carried out in each frame separately.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "by", rename_all = "lowercase")]
pub(crate) enum Query {
    Css {
        selector: String,
    },
    XPath {
        path: String,
    },
    /// The smallest element with this text. A quoted text must match as a whole.
    Text {
        text: String,
    },
    Role {
        role: String,
        name: Option<String>,
    },
}

impl Query {
    fn of(target: &Target) -> Option<Query> {
        Some(match target.kind() {
            TargetKind::Ref(_) => return None,
            TargetKind::Text(text) => Query::Text { text: text.to_owned() },
            TargetKind::Role { role, name } => Query::Role { role: role.to_owned(), name: name.map(str::to_owned) },
            TargetKind::XPath(path) => Query::XPath { path: path.to_owned() },
            TargetKind::Css(selector) => Query::Css { selector: selector.to_owned() },
        })
    }
}

/// The conditions that an action requires of its element.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Need<'a> {
    /// The element only has to exist.
    Attached,
    /// The same, for an action that sets a field: a text that several elements contain means the field that it labels.
    Field,
    /// A point that is pressed. The press is observed.
    Press,
    /// A point that the pointer can reach.
    Point,
    /// The element is scrolled to the middle of the view.
    Scroll,
    Focus {
        /// A key for this element follows.
        key_next: bool,
    },
    Blur,
    /// A file field, or an element whose click opens a file chooser.
    File,
    Fill {
        /// `None` for a secret, which follows once it is known that the origin may receive it.
        entry: Option<FieldEntry<'a>>,
    },
    Type {
        /// `None` for a secret.
        text: Option<&'a str>,
    },
    Select {
        values: &'a [String],
    },
    Check {
        /// The intended state.
        on: bool,
    },
    /// An element that stands for a part of the page, such as an item of a tree.
    Expand {
        /// The intended state.
        open: bool,
    },
}

impl Need<'_> {
    /// Whether the script that checks the element also acts on it, so that the page may react: it sets the value of a
    /// field, or moves the focus as the action itself.
    pub(crate) fn acts(self) -> bool {
        match self {
            Need::Select { values } => !values.is_empty(),
            // Enter follows a text that is submitted, and is recorded itself.
            Need::Fill { entry } => entry.is_some_and(|entry| !entry.submit),
            Need::Focus { key_next } => !key_next,
            Need::Blur => true,
            _ => false,
        }
    }
}

/// A text for a field.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct FieldEntry<'a> {
    pub(crate) text: &'a str,
    pub(crate) readings: &'a Readings,
    /// Enter follows.
    pub(crate) submit: bool,
    /// The first method did not lead to the value.
    pub(crate) again: bool,
}

/// A rectangle in a view: x, y, width and height, followed by the width and height of the view.
pub(crate) type Corners = [f64; 6];

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Whether an element can be acted on, and where it was before it was scrolled into view.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ActionabilityCheck {
    pub(crate) result: Actionability,
    pub(crate) r#box: Option<Corners>,
    /// The numbers of the element and of the control that it belongs to, as a capture may show them.
    #[serde(default)]
    pub(crate) shown: Vec<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Actionability {
    Not(NotActionable),
    Ready(Ready),
}

impl Actionability {
    pub(crate) fn ready(self) -> Result<Ready, NotActionable> {
        match self {
            Actionability::Not(not) => Err(not),
            Actionability::Ready(ready) => Ok(ready),
        }
    }
}

/// An element that can be acted on, and the remaining steps of the action.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    pub(crate) element: u32,
    /// A short description of the element.
    pub(crate) what: String,
    /// The point to press.
    pub(crate) point: Option<Point>,
    /// Nothing is left to do.
    #[serde(default)]
    pub(crate) done: bool,
    /// The remaining step to enter a text into a field.
    pub(crate) entry: Option<EntryStep>,
    /// Another option was selected, and the page was notified.
    #[serde(default)]
    pub(crate) changed: bool,
    /// A list that is not a `<select>`: it is opened, then an option is clicked.
    #[serde(default)]
    pub(crate) custom_list: bool,
    /// A date field that accepts no typing: the day is chosen in its calendar.
    #[serde(default)]
    pub(crate) calendar: bool,
    /// A frame of another process that has the focus.
    #[serde(default)]
    pub(crate) foreign_frame: bool,
    pub(crate) file_field: Option<FileField>,
    /// A press takes the focus from a field for text.
    #[serde(default)]
    pub(crate) leaves_field: bool,
}

impl Ready {
    /// The description of the target in a failure: its ref or selector, and the element's description.
    pub(crate) fn named(&self, target: &str) -> String {
        named(target, &self.what)
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(crate) struct FileField {
    /// Whether it accepts several files.
    pub(crate) multiple: bool,
}

/// How far a text was entered into its field, or how it is to be entered.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum EntryStep {
    /// The text is in the field, possibly from before.
    Set,
    /// The field immediately has another value.
    Differs {
        /// `None` for a secret.
        actual: Option<String>,
    },
    /// The browser inserts the text. All content is selected already, or `chord` selects it.
    Insert { chord: Option<String>, empty: bool },
    /// The browser types the text key by key.
    Keys {
        /// The focus is removed from the field afterwards.
        leave: bool,
        /// Enter is pressed before that, which makes the field accept the text.
        commit: bool,
    },
}

/// Why an element cannot be acted on.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub(crate) enum NotActionable {
    /// The number identifies no element any more.
    Stale,
    /// The element was removed while it was awaited.
    Gone,
    InvalidSelector {
        message: String,
    },
    NotFound {
        candidates: Vec<String>,
    },
    Ambiguous {
        count: usize,
        candidates: Vec<String>,
    },
    NotVisible {
        what: String,
    },
    Covered {
        what: String,
        by: String,
    },
    Disabled {
        what: String,
    },
    Moving {
        what: String,
    },
    /// The element is not a field.
    NotEditable {
        what: String,
        is: String,
    },
    ReadOnly {
        what: String,
        is: String,
    },
    NotClickable {
        what: String,
        why: String,
    },
    FocusLost {
        what: String,
        to: String,
    },
    NotAccepted {
        what: String,
        accepts: String,
    },
    NoOption {
        what: String,
        option: String,
        options: Vec<String>,
    },
    WrongKind {
        what: String,
        is: String,
        hint: String,
    },
}

impl NotActionable {
    /// Converts this to the failure of an action on a target.
    pub(crate) fn failure(self, target: &str) -> ActionFailure {
        let named = |what: &str| named(target, what);
        match self {
            NotActionable::Stale | NotActionable::Gone => ActionFailure::StaleRef { target: target.to_owned() },
            NotActionable::InvalidSelector { message } => {
                ActionFailure::InvalidArgument { what: format!("the selector {target}"), reason: message }
            }
            NotActionable::NotFound { candidates } => ActionFailure::NotFound { target: target.to_owned(), candidates },
            NotActionable::Ambiguous { count, candidates } => {
                ActionFailure::Ambiguous { target: target.to_owned(), count, candidates }
            }
            NotActionable::NotVisible { what } => ActionFailure::NotVisible { target: named(&what) },
            NotActionable::Covered { what, by } => ActionFailure::Covered { target: named(&what), by },
            NotActionable::Disabled { what } => ActionFailure::Disabled { target: named(&what) },
            NotActionable::Moving { what } => ActionFailure::Moving { target: named(&what) },
            NotActionable::NotEditable { what, is } | NotActionable::ReadOnly { what, is } => {
                ActionFailure::NotEditable { target: named(&what), is }
            }
            NotActionable::NotClickable { what, why } => {
                ActionFailure::NotClickable { target: named(&what), reason: why }
            }
            NotActionable::FocusLost { what, to } => ActionFailure::FocusLost { target: named(&what), to },
            NotActionable::NotAccepted { what, accepts } => {
                ActionFailure::NotAccepted { target: named(&what), value: None, accepts }
            }
            NotActionable::NoOption { what, option, options } => {
                ActionFailure::NoOption { target: named(&what), option, options }
            }
            NotActionable::WrongKind { what, is, hint } => ActionFailure::WrongKind { target: named(&what), is, hint },
        }
    }

    /// Whether waiting may help.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            NotActionable::NotVisible { .. }
            | NotActionable::Covered { .. }
            | NotActionable::NotClickable { .. }
            | NotActionable::Disabled { .. }
            | NotActionable::ReadOnly { .. }
            | NotActionable::FocusLost { .. }
            | NotActionable::NoOption { .. }
            | NotActionable::Moving { .. }
            | NotActionable::NotFound { .. }
            | NotActionable::Gone => true,
            NotActionable::Stale
            | NotActionable::InvalidSelector { .. }
            | NotActionable::Ambiguous { .. }
            | NotActionable::NotEditable { .. }
            | NotActionable::NotAccepted { .. }
            | NotActionable::WrongKind { .. } => false,
        }
    }
}

fn named(target: &str, what: &str) -> String {
    if what.is_empty() { target.to_owned() } else { format!("{target} ({what})") }
}

/// The outcome of an action's input, as the page shows it once it has settled.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The element has the given value.
    Held,
    /// The element has another value.
    Differs {
        /// `None` for a secret.
        actual: Option<String>,
        /// The field, if it is not the element acted on, and the value given to it, unless that is secret.
        field: Option<String>,
        given: Option<String>,
    },
    /// Another element had the focus.
    FocusLost { to: String },
}

/// The result of settling.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Settled {
    /// Why the press did not reach its element.
    pub(crate) missed: Option<MissedPress>,
    /// The work that is still in progress.
    pub(crate) busy: Option<String>,
    /// The number of links followed that start a download.
    pub(crate) downloads: usize,
    /// Whether a link was followed that leads the tab to another document.
    pub(crate) leaves: bool,
    /// The outcome of the action's input.
    pub(crate) outcome: Option<Outcome>,
}

/// Why a press did not take effect.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum MissedPress {
    /// Another element was under the pointer; the press was withheld from it as well.
    Intercepted { by: String },
    /// The press reached no element of the frame.
    PressLost,
    /// The press arrived, but its release did not: with frames of several processes, each input is routed separately.
    ReleaseLost,
    /// Press and release arrived, but no click followed, because the element was replaced in between.
    Replaced,
    /// The click was suppressed, because a field that it may submit has lost its value.
    FieldChanged {
        field: String,
        /// `None` for a secret.
        given: Option<String>,
        actual: Option<String>,
    },
}

/// What is read from an element.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReadContent<'a> {
    /// The text or value.
    Text,
    Attribute(&'a str),
    Html,
}

impl<'a> ReadContent<'a> {
    pub(crate) fn text_or(attribute: Option<&'a str>) -> Self {
        attribute.map_or(ReadContent::Text, ReadContent::Attribute)
    }
}

/// Which of several matching elements are read.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReadScope {
    /// Exactly one element must match.
    Only,
    First,
    All,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ReadResult {
    Not(NotActionable),
    Texts(ElementTexts),
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ElementTexts {
    /// One text for each element; `None` for an attribute that the element does not have.
    pub(crate) texts: Vec<Option<String>>,
    /// A description of the first element.
    pub(crate) what: String,
    pub(crate) r#box: Corners,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct HtmlText {
    /// `None` if it is longer than the limit.
    pub(crate) html: Option<String>,
    pub(crate) length: usize,
}

/// A point in a child frame, in the coordinates of its parent.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FramePoint {
    Point(Point),
    /// Another element covers it.
    Covered {
        by: String,
    },
}

/// What is at a point of the view.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct PointInfo {
    /// The width and height of the view.
    pub(crate) view: [f64; 2],
    pub(crate) what: Option<String>,
}

/// The pending work of a page or worker.
#[derive(Default, Deserialize, JsonSchema)]
pub(crate) struct FlushState {
    pub(crate) waited: bool,
    pub(crate) pending: Vec<String>,
}

/// The value from a storage, or the reason for which there is none.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StorageResult_{T}")]
pub(crate) enum StorageResult<T> {
    Value(T),
    Error(String),
}

/// An input of a person, as the script reports it. It is not the result of a call.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ReportedInput {
    /// The capture of the page before it reacted to the input; absent if the input continues the previous one.
    pub(crate) capture: Option<String>,
    /// The element, if it has a number, and its ancestors that have one, from the inside out.
    pub(crate) path: Vec<u32>,
    /// The same for the element onto which it was dragged.
    #[serde(default)]
    pub(crate) onto: Vec<u32>,
    /// A CSS selector that names the element in its document.
    pub(crate) selector: Option<String>,
    /// The text of a clicked element, if it is short.
    #[serde(default)]
    pub(crate) text: Option<String>,
    pub(crate) input: UserInputKind,
}
