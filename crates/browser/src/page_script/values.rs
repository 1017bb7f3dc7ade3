//! What the calls exchange: which element is meant and what for, and what the page answers.

use legwork_protocol::{ActionFailure, Target, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{act::Readings, point::Point};

/// Which element is meant.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ElementQuery {
    /// The element with this number.
    Element(u32),
    Query(Query),
}

/// What to look for; in each frame apart.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "by", rename_all = "lowercase")]
pub(crate) enum Query {
    Css {
        selector: String,
    },
    XPath {
        path: String,
    },
    /// The smallest element with this text; a quoted text must match as a whole.
    Text {
        text: String,
    },
    Role {
        role: String,
        name: Option<String>,
    },
}

impl Query {
    /// What to look for in every frame; nothing for a ref, which names one element.
    pub(crate) fn of(target: &Target) -> Option<Query> {
        Some(match target.kind() {
            TargetKind::Ref(_) => return None,
            TargetKind::Text(text) => Query::Text { text: text.to_owned() },
            TargetKind::Role { role, name } => Query::Role { role: role.to_owned(), name: name.map(str::to_owned) },
            TargetKind::XPath(path) => Query::XPath { path: path.to_owned() },
            TargetKind::Css(selector) => Query::Css { selector: selector.to_owned() },
        })
    }
}

/// What an action needs of its element.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Need<'a> {
    /// Nothing but to be there.
    Attached,
    /// A point that gets a press, which is watched.
    Press,
    /// A point that the pointer reaches.
    Point,
    /// To be in the middle of the view.
    Scroll,
    Focus {
        /// A key comes next, and is for this element.
        key_next: bool,
    },
    Blur,
    /// To be a file field, or something to click that opens a file chooser.
    File,
    Fill {
        /// Nothing for a secret: it comes once it is known where it may go.
        entry: Option<FieldEntry<'a>>,
    },
    Type {
        /// Nothing for a secret.
        text: Option<&'a str>,
    },
    Select {
        values: &'a [String],
    },
    Check {
        /// The state that it should have.
        on: bool,
    },
}

/// A text for a field.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct FieldEntry<'a> {
    pub(crate) text: &'a str,
    pub(crate) readings: &'a Readings,
    /// Enter comes next.
    pub(crate) submit: bool,
    /// The first way did not lead to the value.
    pub(crate) again: bool,
}

/// A rectangle in a view: x, y, width, height, and the view's own width and height.
pub(crate) type Corners = [f64; 6];

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Whether an element can be acted on, and where it was before it was scrolled to.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct ActionabilityCheck {
    pub(crate) result: Actionability,
    pub(crate) r#box: Option<Corners>,
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

/// An element that can be acted on, and what is left to do for the action.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    pub(crate) element: u32,
    /// What it is, in a few words.
    pub(crate) what: String,
    /// Where to press.
    pub(crate) point: Option<Point>,
    /// There is nothing to do.
    #[serde(default)]
    pub(crate) done: bool,
    /// What is left to do for the text of a field.
    pub(crate) entry: Option<EntryStep>,
    /// Another option was chosen, and the page was told.
    #[serde(default)]
    pub(crate) changed: bool,
    /// A list that is no `<select>`: it is opened, then an option is clicked.
    #[serde(default)]
    pub(crate) custom_list: bool,
    /// A field for a day that takes no typing: the day is chosen in its calendar.
    #[serde(default)]
    pub(crate) calendar: bool,
    /// A frame of another process that has the focus.
    #[serde(default)]
    pub(crate) foreign_frame: bool,
    pub(crate) file_field: Option<FileField>,
}

impl Ready {
    /// What is said of the target in a failure: its ref or selector, and what it is.
    pub(crate) fn named(&self, target: &str) -> String {
        named(target, &self.what)
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(crate) struct FileField {
    /// It takes several files.
    pub(crate) multiple: bool,
}

/// How far a text came into its field.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum EntryStep {
    /// It is in the field, or was already.
    Set,
    /// The field has another value at once.
    Differs {
        /// Nothing of a secret.
        actual: Option<String>,
    },
    /// The browser inserts it: everything is selected, or is by this chord.
    Insert { chord: Option<String>, empty: bool },
    /// The browser types it key by key.
    Keys {
        /// Then takes the focus from the field.
        leave: bool,
        /// But first presses Enter, which makes the field take it.
        commit: bool,
    },
}

/// Why an element cannot be acted on.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub(crate) enum NotActionable {
    /// Its number names nothing any more.
    Stale,
    /// It went while it was waited for.
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
    /// No field.
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
    /// The failure of an action on a target.
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
    pub(crate) fn may_pass(&self) -> bool {
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

/// What came of an action's input, as the page shows it at rest.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The element holds what it was given.
    Held,
    /// It holds something else.
    Differs {
        /// Nothing of a secret.
        actual: Option<String>,
        /// The field, where it is not the element acted on, and what it was given, unless that is secret.
        field: Option<String>,
        given: Option<String>,
    },
    /// Something else had the focus.
    FocusLost { to: String },
}

/// How the page came to rest.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Settled {
    /// Why the press did not reach its element.
    pub(crate) missed: Option<MissedPress>,
    /// What is still under way.
    pub(crate) busy: Option<String>,
    /// How many links were followed that save what they lead to.
    pub(crate) downloads: usize,
    /// What came of the action's input.
    pub(crate) outcome: Option<Outcome>,
}

/// Why a press did not do what it was for.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum MissedPress {
    /// Another element was under the pointer, and got nothing either.
    Intercepted { by: String },
    /// The press came to no element of the frame.
    PressLost,
    /// The press came, its release did not: between processes each input finds its own way.
    ReleaseLost,
    /// Both came, but no click: the element was replaced between them.
    Replaced,
    /// The click was kept back, because a field which it may send has lost its value.
    FieldChanged {
        field: String,
        /// Nothing of a secret.
        given: Option<String>,
        actual: Option<String>,
    },
}

/// What an element is read for.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReadContent<'a> {
    /// Its text or value.
    Text,
    Attribute(&'a str),
    Html,
}

impl<'a> ReadContent<'a> {
    pub(crate) fn text_or(attribute: Option<&'a str>) -> Self {
        attribute.map_or(ReadContent::Text, ReadContent::Attribute)
    }
}

/// Which of several elements that fit are read.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReadScope {
    /// There must be one only.
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
    /// One for each element; nothing for an attribute that it does not have.
    pub(crate) texts: Vec<Option<String>>,
    /// The first element.
    pub(crate) what: String,
    pub(crate) r#box: Corners,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct HtmlText {
    /// Nothing when it is longer than the limit.
    pub(crate) html: Option<String>,
    pub(crate) length: usize,
}

/// A point in a child frame, as its parent sees it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FramePoint {
    Point(Point),
    /// Something else is there.
    Covered {
        by: String,
    },
}

/// What lies at a point of the view.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct PointInfo {
    /// Width and height of the view.
    pub(crate) view: [f64; 2],
    pub(crate) what: Option<String>,
}

/// What a page, or a worker, is still at.
#[derive(Default, Deserialize, JsonSchema)]
pub(crate) struct FlushState {
    pub(crate) waited: bool,
    pub(crate) pending: Vec<String>,
}

/// A value of a storage, or why there is none.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StorageResult_{T}")]
pub(crate) enum StorageResult<T> {
    Value(T),
    Error(String),
}
