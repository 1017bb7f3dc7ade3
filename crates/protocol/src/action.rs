//! The typed browser operations. The doc comment of a variant is the description of the action that a model receives.
//!
//! On the wire an action is `{"action": "click", "parameters": {"target": "e12"}}`. `action/table.rs` declares the
//! other properties of each action.

mod describe;
mod info;
mod parameters;
mod table;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    info::{ActionInfo, ActionPurpose, Navigation, Notation, Offered, PromptEntry},
    parameters::{ActionParameter, ParameterKind},
    table::ACTIONS,
};
use crate::Target;

/// One browser operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", content = "parameters", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Go to an http or https address.
    Open(Open),
    /// Click an element.
    Click(Click),
    /// Replace the content of a field; `submit` presses Enter afterwards.
    Fill(Fill),
    /// Type text key by key, into the target or into the focused element.
    Type(Type),
    /// Press a key or chord such as `Enter`, `Control+A`.
    Press(Press),
    /// Choose options of a list by value or label.
    Select(Select),
    /// Tick a checkbox or radio button.
    Check(TargetParams),
    /// Clear a checkbox.
    Uncheck(TargetParams),
    /// Open an item of a tree, a row with details, or another part of the page that can be folded.
    Expand(TargetParams),
    /// Close such a part.
    Collapse(TargetParams),
    /// Move the pointer over an element.
    Hover(TargetParams),
    /// Give an element the keyboard focus.
    Focus(TargetParams),
    /// Remove the keyboard focus from a field, as a click outside of it would. Many pages validate or save its value
    /// then.
    Blur(TargetParams),
    /// Scroll an element into view, or the page by screens.
    Scroll(Scroll),
    /// Drag one element onto another.
    Drag(Drag),
    /// Choose files in a file field.
    Upload(Upload),
    /// Answer the open JavaScript dialog.
    Dialog(Dialog),
    /// Go back in the history.
    Back(NoParams),
    /// Go forward in the history.
    Forward(NoParams),
    /// Load the page again.
    Reload(NoParams),
    /// Wait for a condition or for a time.
    Wait(Wait),
    /// List, open, switch or close tabs.
    Tab(Tab),
    /// Save an element's text, value or attribute as a variable.
    Save(Save),
    /// Extract data from the page, or from a list that spans several pages.
    Extract(Extract),
    /// Read the text or an attribute of elements.
    Read(Read),
    /// Get the HTML of the page. It is stored as an artifact and not returned inline.
    Dom(NoParams),
    /// Get the HTML of a part of the page.
    Subdom(Subdom),
    /// Look at a screenshot of the page.
    Look(Look),
    /// Search the page's observation for a text or regular expression.
    Find(Find),
    /// Call a tool that the user provides.
    Call(Call),
    /// Ask the user a question.
    Ask(Ask),
    /// Finish the task.
    Done(Done),
    /// Report that the task cannot be finished.
    Abort(Abort),
}

/// No parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoParams {}

/// Parameters of [`Action::Open`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// http or https URL; `${variable}` allowed.
    pub url: String,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The primary button, usually the left one.
    #[default]
    Left,
    /// The middle button (wheel).
    Middle,
    /// The secondary button, which opens the context menu.
    Right,
}

/// A modifier key that is held during a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Modifier {
    /// Alt or Option.
    Alt,
    /// Control.
    Control,
    /// Command or Windows.
    Meta,
    /// Shift.
    Shift,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
fn one() -> u8 {
    1
}
fn is_one(count: &u8) -> bool {
    *count == 1
}

/// Parameters of [`Action::Click`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Click {
    /// What to click.
    pub target: Target,
    /// The mouse button.
    #[serde(default, skip_serializing_if = "is_default")]
    pub button: Button,
    /// 2 for a double click.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u8,
    /// Modifier keys to hold during the click.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
}

impl Click {
    /// A single click with the primary button and without modifier keys.
    pub fn on(target: Target) -> Click {
        Click { target, button: Button::default(), count: 1, modifiers: Vec::new() }
    }
}

/// Parameters of [`Action::Fill`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// The field.
    pub target: Target,
    /// The new content; can be empty; `${variable}` and `${secret:NAME}` allowed.
    pub text: String,
    /// Press Enter afterwards.
    #[serde(default, skip_serializing_if = "is_default")]
    pub submit: bool,
}

/// Parameters of [`Action::Type`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// The field; without it, the focused element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The text, typed key by key.
    pub text: String,
}

/// Parameters of [`Action::Press`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// `Enter`, `Escape`, `ArrowDown`, `Control+Shift+T`…
    pub key: String,
    /// The element to focus first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// Parameters of [`Action::Select`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The list or combobox.
    pub target: Target,
    /// Values or labels to choose; several only if the list allows multiple selection.
    pub values: Vec<String>,
}

/// Parameters of an action that has only a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetParams {
    /// The element.
    pub target: Target,
}

/// A scroll direction or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards the top.
    Up,
    /// Towards the bottom.
    Down,
    /// Towards the left edge.
    Left,
    /// Towards the right edge.
    Right,
    /// To the top end.
    Top,
    /// To the bottom end.
    Bottom,
}

/// Parameters of [`Action::Scroll`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scroll {
    /// The element to scroll into view, or with a direction the scroll container; without it, the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The direction or the end to scroll to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// Distance in screens; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screens: Option<f64>,
}

/// Parameters of [`Action::Drag`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// What to drag.
    pub target: Target,
    /// Where to drop it.
    pub to: Target,
}

/// Parameters of [`Action::Upload`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Upload {
    /// The file field, or the button that opens the file chooser.
    pub target: Target,
    /// Paths of files in a folder that the run may upload from.
    pub files: Vec<String>,
}

/// Parameters of [`Action::Dialog`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// Whether to accept the dialog (OK) or dismiss it (Cancel).
    pub accept: bool,
    /// The text to enter in a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The action that opens the dialog. It is executed together with this answer: the first dialog that needs an
    /// answer receives it, and later dialogs stay open. The answer is discarded when the action ends, whether or not a
    /// dialog opened; the effects of the result report the dialogs. Without this parameter, a dialog must be open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_by: Option<Box<Action>>,
}

impl Dialog {
    /// Answers the dialog that is open.
    pub fn answer(accept: bool, text: Option<String>) -> Dialog {
        Dialog { accept, text, opened_by: None }
    }
}

/// A stage of loading a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadState {
    /// The document is parsed.
    Dom,
    /// The resources of the document are loaded.
    Load,
    /// The page is loaded and no request is pending.
    Idle,
}

/// Parameters of [`Action::Wait`]; at least one of them is required.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Until this text is visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Until this text is no longer visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
    /// Until the URL contains this text, or matches it if it contains the wildcard `*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Until the page reaches this stage of loading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<LoadState>,
    /// Seconds to wait; with another condition, the maximum time to wait for that condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Parameters of [`Action::Tab`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Tab {
    /// List the open tabs.
    List,
    /// Open a new tab.
    Open {
        /// The URL; without it, a blank tab.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
    },
    /// Make another tab the current one.
    Switch {
        /// The number of the tab in the list, from 1, or a part of its title or URL.
        to: String,
    },
    /// Close a tab.
    Close {
        /// The number of the tab, or a part of its title or URL; without it, the current tab.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<String>,
    },
}

/// Parameters of [`Action::Save`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The element.
    pub target: Target,
    /// The name of the variable; `^[a-zA-Z_][a-zA-Z0-9_]*$`
    #[schemars(regex(pattern = r"^[a-zA-Z_][a-zA-Z0-9_]*$"))]
    pub variable: String,
    /// The attribute to save instead of the value or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
}

/// Parameters of [`Action::Extract`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// Which data to extract.
    pub instruction: String,
    /// A JSON Schema for the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Instead of a schema: the names of the text fields of an item. The data is then a list of such items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The variable to save the data in; `^[a-zA-Z_][a-zA-Z0-9_]*$`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-zA-Z_][a-zA-Z0-9_]*$"))]
    pub variable: Option<String>,
    /// The maximum number of pages of a list to read; default 1. The control that leads to the next page is clicked as
    /// long as it is present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// The control that leads to the next page; without it, the only link or button whose name means “next page”.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Target>,
}

/// Parameters of [`Action::Read`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// The elements to read; default `body`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// The attribute to read instead of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Whether to read all elements that match, not only the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub multiple: bool,
}

macro_rules! default_part {
    () => {
        "main, .content, #content, article, section"
    };
}

/// Parameters of [`Action::Subdom`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subdom {
    #[doc = concat!("The part; default `", default_part!(), "`.")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

impl Subdom {
    /// The part if there is no `target`.
    pub const DEFAULT_TARGET: &str = default_part!();
}

/// Parameters of [`Action::Look`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The element to show; without it, the viewport.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Whether to draw the refs onto the picture.
    #[serde(default, skip_serializing_if = "is_default")]
    pub marks: bool,
}

/// Parameters of [`Action::Find`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// A text, or a regular expression between slashes.
    pub text: String,
}

/// Parameters of [`Action::Call`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The name of the tool.
    pub tool: String,
    /// The arguments, as the schema of the tool defines them.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
}

/// Parameters of [`Action::Ask`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The question.
    pub question: String,
    /// Answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether the answer is a secret. A secret never reaches the model.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secret: bool,
}

/// Parameters of [`Action::Done`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The answer, or what was achieved.
    pub result: String,
}

/// Parameters of [`Action::Abort`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Abort {
    /// The reason.
    pub reason: String,
}

/// Whether an action may be repeated when its outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The action only reads.
    ReadOnly,
    /// Executing it twice has the same result as executing it once.
    Idempotent,
    /// It may change state outside of Legwork. It is never repeated without verification.
    Mutating,
}

/// [`Action::target`] and [`Action::target_mut`].
macro_rules! target_of {
    ($action:expr, $target:ident, $as_ref:ident, $as_deref:ident) => {
        match $action {
            Action::Dialog(Dialog { opened_by, .. }) => opened_by.$as_deref().and_then(Action::$target),
            Action::Click(Click { target, .. })
            | Action::Fill(Fill { target, .. })
            | Action::Select(Select { target, .. })
            | Action::Check(TargetParams { target })
            | Action::Uncheck(TargetParams { target })
            | Action::Expand(TargetParams { target })
            | Action::Collapse(TargetParams { target })
            | Action::Hover(TargetParams { target })
            | Action::Focus(TargetParams { target })
            | Action::Blur(TargetParams { target })
            | Action::Drag(Drag { target, .. })
            | Action::Upload(Upload { target, .. })
            | Action::Save(Save { target, .. }) => Some(target),
            Action::Type(Type { target, .. })
            | Action::Press(Press { target, .. })
            | Action::Scroll(Scroll { target, .. })
            | Action::Read(Read { target, .. })
            | Action::Subdom(Subdom { target })
            | Action::Look(Look { target, .. }) => target.$as_ref(),
            Action::Open(_)
            | Action::Back(_)
            | Action::Forward(_)
            | Action::Reload(_)
            | Action::Wait(_)
            | Action::Tab(_)
            | Action::Extract(_)
            | Action::Dom(_)
            | Action::Find(_)
            | Action::Call(_)
            | Action::Ask(_)
            | Action::Done(_)
            | Action::Abort(_) => None,
        }
    };
}

impl Action {
    /// The canonical name, which is also the name on the wire.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// The action that is executed. For a dialog answer that contains the action that opens the dialog, it is that
    /// action.
    pub fn carried_out(&self) -> &Action {
        match self {
            Action::Dialog(Dialog { opened_by: Some(action), .. }) => action.carried_out(),
            action => action,
        }
    }

    /// The target of the action, if it has one.
    pub fn target(&self) -> Option<&Target> {
        target_of!(self, target, as_ref, as_deref)
    }

    /// The target of the action for modification, if it has one.
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        target_of!(self, target_mut, as_mut, as_deref_mut)
    }

    /// Whether the action may be repeated if its result was lost. Loading a page by its URL and setting a field to a
    /// value are idempotent. An action that may submit, toggle or append is not.
    pub fn effect(&self) -> Effect {
        match self {
            Action::Fill(fill) if fill.submit => Effect::Mutating,
            Action::Tab(Tab::List) => Effect::ReadOnly,
            Action::Tab(Tab::Switch { .. }) => Effect::Idempotent,
            action => action.info().effect,
        }
    }

    /// Whether the browser must treat it as user input, because pages open tabs and play sound only in response to it.
    pub fn is_input(&self) -> bool {
        matches!(self, Action::Fill(fill) if fill.submit) || self.info().is_input
    }

    /// Whether the action itself may request a document, submit a form or change state: a click or a key press, but not
    /// filling a field.
    pub fn may_submit(&self) -> bool {
        match (self, self.info().purpose) {
            (Action::Fill(fill), _) => fill.submit,
            (Action::Type(typed), _) => typed.text.contains('\n'),
            (_, ActionPurpose::Prepare | ActionPurpose::Choose | ActionPurpose::Enter) => false,
            (_, ActionPurpose::Other) => true,
        }
    }

    /// Whether the action itself leads to another document or tab.
    pub fn navigates(&self) -> bool {
        self.info().navigation != Navigation::None
    }

    /// Whether a resumed run repeats the action on the page that it has restored.
    pub fn is_restored(&self) -> bool {
        self.info().is_restored && !matches!(self, Action::Fill(fill) if fill.submit)
    }
}
