//! The typed browser operations. The doc comment of a variant is its description to the model.
//!
//! On the wire an action is `{"action": "click", "parameters": {"target": "e12"}}`. What else is true of each is declared in
//! `action/table.rs`.

mod parameters;
mod table;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    parameters::{ActionParameter, ParameterKind},
    table::{ACTIONS, ActionInfo, ActionPurpose, Navigation, Notation, Offered, PromptEntry},
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
    /// Type text key by key, into the target or into what has the focus.
    Type(Type),
    /// Press a key or chord such as `Enter`, `Control+A`.
    Press(Press),
    /// Choose options of a list by value or label.
    Select(Select),
    /// Tick a checkbox or radio button.
    Check(TargetParams),
    /// Clear a checkbox.
    Uncheck(TargetParams),
    /// Move the pointer over an element.
    Hover(TargetParams),
    /// Give an element the keyboard focus.
    Focus(TargetParams),
    /// Take the keyboard focus from a field, as a click beside it would: many pages check or save its value then.
    Blur(TargetParams),
    /// Scroll an element into view, or the page by screens.
    Scroll(Scroll),
    /// Drag one element onto another.
    Drag(Drag),
    /// Put files into a file field.
    Upload(Upload),
    /// Answer the open JavaScript dialog.
    Dialog(Dialog),
    /// Go back in the history.
    Back(NoParams),
    /// Go forward in the history.
    Forward(NoParams),
    /// Load the page again.
    Reload(NoParams),
    /// Wait for something to happen.
    Wait(Wait),
    /// List, open, switch or close tabs.
    Tab(Tab),
    /// Save an element's text, value or attribute as a variable.
    Save(Save),
    /// Take data out of the page, or out of a list over several pages.
    Extract(Extract),
    /// Read the text or an attribute of elements.
    Read(Read),
    /// The page's HTML, kept out of band.
    Dom(NoParams),
    /// The HTML of a part of the page.
    Subdom(Subdom),
    /// Look at a picture of the page.
    Look(Look),
    /// Search the page's observation for a text or regular expression.
    Find(Find),
    /// Call a tool that the user gave.
    Call(Call),
    /// Ask the human.
    Ask(Ask),
    /// The task is finished.
    Done(Done),
    /// The task cannot be finished.
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
    /// http or https address; `${variable}` allowed.
    pub url: String,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// The primary button.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The context menu's button.
    Right,
}

/// A key held during a click.
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
    /// Which mouse button.
    #[serde(default, skip_serializing_if = "is_default")]
    pub button: Button,
    /// 2 for a double click.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u8,
    /// Keys held meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
}

impl Click {
    /// A plain click.
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
    /// The new content; may be empty; `${variable}` and `${secret:NAME}` allowed.
    pub text: String,
    /// Press Enter afterwards.
    #[serde(default, skip_serializing_if = "is_default")]
    pub submit: bool,
}

/// Parameters of [`Action::Type`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Type {
    /// The field; without it, what has the focus.
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
    /// Values or labels to choose; several only where the list allows it.
    pub values: Vec<String>,
}

/// Only a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetParams {
    /// The element.
    pub target: Target,
}

/// Where to scroll.
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
    /// All the way up.
    Top,
    /// All the way down.
    Bottom,
}

/// Parameters of [`Action::Scroll`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scroll {
    /// The element to bring into view, or with a direction the box to scroll; without it the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Where to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// How many screens; default 1.
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
    /// Paths inside the run's allowed folder.
    pub files: Vec<String>,
}

/// Parameters of [`Action::Dialog`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// OK or Cancel.
    pub accept: bool,
    /// The answer to a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The action that opens the dialog, carried out with this answer: the first dialog that asks something is answered with
    /// it, a later one is left open. The answer is discarded when the action ends, whether a dialog opened or not; the
    /// result's effects tell. Without it, a dialog has to be open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_by: Option<Box<Action>>,
}

impl Dialog {
    /// An answer to the dialog that is open.
    pub fn answer(accept: bool, text: Option<String>) -> Dialog {
        Dialog { accept, text, opened_by: None }
    }
}

/// What counts as loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoadState {
    /// The document is parsed.
    Dom,
    /// Its resources are loaded.
    Load,
    /// No request has been under way for a while.
    Idle,
}

/// Parameters of [`Action::Wait`]; at least one of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Until this text is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Until this text is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<String>,
    /// Until the address contains this, or matches it where `*` stands for anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Until the page has come this far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<LoadState>,
    /// Plain seconds; with another condition, the longest to wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Parameters of [`Action::Tab`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Tab {
    /// Name the open tabs.
    List,
    /// Open a new tab.
    Open {
        /// The address; without it a blank tab.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
    },
    /// Go on in another tab.
    Switch {
        /// Its number in the list from 1, or a part of its title or address.
        to: String,
    },
    /// Close a tab.
    Close {
        /// Its number or a part of its title or address; without it the current one.
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
    /// `^[a-zA-Z_][a-zA-Z0-9_]*$`
    #[schemars(regex(pattern = r"^[a-zA-Z_][a-zA-Z0-9_]*$"))]
    pub variable: String,
    /// An attribute instead of the value or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
}

/// Parameters of [`Action::Extract`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// What to take.
    pub instruction: String,
    /// The shape of the data, as a JSON Schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// In place of a schema: the names of each item's texts. The data is a list of such items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The variable to keep the data in; `^[a-zA-Z_][a-zA-Z0-9_]*$`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-zA-Z_][a-zA-Z0-9_]*$"))]
    pub variable: Option<String>,
    /// The most pages of a list to read; default 1. What leads to the next page is clicked while it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// What leads to the next page; without it, the one link or button whose name says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Target>,
}

/// Parameters of [`Action::Read`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Which elements; `body` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// An attribute instead of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// All that match, not only the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub multiple: bool,
}

/// Parameters of [`Action::Subdom`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subdom {
    /// Which part; `main, .content, #content, article, section` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
}

/// Parameters of [`Action::Look`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The element to show; without it the whole view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Draw the refs onto the picture.
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
    /// Its name.
    pub tool: String,
    /// What it is called with, as its own schema says.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
}

/// Parameters of [`Action::Ask`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// What the human should answer.
    pub question: String,
    /// The answer is a secret and never reaches the model.
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
    /// Why.
    pub reason: String,
}

/// What may be done again when nobody knows whether it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Looks only.
    ReadOnly,
    /// Twice is the same as once.
    Idempotent,
    /// May change the world; never blindly repeated.
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
    /// The canonical name, as on the wire.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// What is carried out: of an answer that is given with the action that opens the dialog, that action.
    pub fn carried_out(&self) -> &Action {
        match self {
            Action::Dialog(Dialog { opened_by: Some(action), .. }) => action.carried_out(),
            action => action,
        }
    }

    /// The element it is for, if it is for one.
    pub fn target(&self) -> Option<&Target> {
        target_of!(self, target, as_ref, as_deref)
    }

    /// The element it is for, to be changed.
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        target_of!(self, target_mut, as_mut, as_deref_mut)
    }

    /// Whether it may be repeated when its result was lost. Loading a page by its address and setting a field to a
    /// value count as idempotent; whatever may submit, toggle or append does not.
    pub fn effect(&self) -> Effect {
        match self {
            Action::Fill(fill) if fill.submit => Effect::Mutating,
            Action::Tab(Tab::List) => Effect::ReadOnly,
            Action::Tab(Tab::Switch { .. }) => Effect::Idempotent,
            action => action.info().effect,
        }
    }

    /// Whether it is a person's input, for which a page opens tabs and plays sound.
    pub fn is_input(&self) -> bool {
        matches!(self, Action::Fill(fill) if fill.submit) || self.info().is_input
    }

    /// Whether a document, a form or a state may be asked for by it: a click or a key, not the filling in of a field.
    pub fn may_submit(&self) -> bool {
        match (self, self.info().purpose) {
            (Action::Fill(fill), _) => fill.submit,
            (Action::Type(typed), _) => typed.text.contains('\n'),
            (_, ActionPurpose::Prepare | ActionPurpose::Choose | ActionPurpose::Enter) => false,
            (_, ActionPurpose::Other) => true,
        }
    }

    /// Whether it leads to another document or tab by itself.
    pub fn navigates(&self) -> bool {
        self.info().navigation != Navigation::None
    }

    /// Whether a resumed run does it again on the page that it has restored.
    pub fn is_restored(&self) -> bool {
        self.info().is_restored && !matches!(self, Action::Fill(fill) if fill.submit)
    }
}

/// The rule for the name of a variable.
pub fn is_variable_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
