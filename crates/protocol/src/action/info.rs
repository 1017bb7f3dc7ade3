//! The kinds of properties that [`ACTIONS`](super::ACTIONS) declares for each action.

use super::Effect;

/// The properties of an action that do not depend on its parameters. Where the parameters matter, [`Action`] has a
/// method of the same name.
#[derive(Debug)]
pub struct ActionInfo {
    /// The name on the wire.
    pub name: &'static str,
    /// Other names that models use for it. (A prefix `browser_` is ignored.)
    pub aliases: &'static [&'static str],
    /// Other names of its parameters, each with the parameter that it means.
    pub parameter_aliases: &'static [(&'static str, &'static str)],
    /// Prepositions in a command line, each with the parameter that the next word belongs to: `type "Ada" into e3`.
    pub prepositions: &'static [(&'static str, &'static str)],
    /// Whether it may be repeated when its outcome is unknown.
    pub effect: Effect,
    /// What it does to the page. Evidence derives from this which effects to expect.
    pub purpose: ActionPurpose,
    /// Where the action itself leads.
    pub navigation: Navigation,
    /// Whether it is user input; see [`Action::is_input`](crate::Action::is_input).
    pub is_input: bool,
    /// Whether a resumed run repeats it on the page that it has restored, because it only sets a field.
    pub is_restored: bool,
    /// Whether a replay repeats it. Actions with which a model only looked at the page have no effect to repeat.
    pub is_replayed: bool,
    /// The models that are offered the action.
    pub offered: Offered,
    /// Optional parameters that models seldom need and that the schema omits: they cost tokens in each request, and
    /// nulls in each strict reply.
    pub omitted_from_schema: &'static [&'static str],
    /// Optional parameters that can also be written by position in a command line of the prompt, because the command is
    /// mostly used with them.
    pub positional: &'static [&'static str],
    /// How the prompt lists it.
    pub prompt: PromptEntry,
    /// The corresponding MCP tool.
    pub tool: Notation,
    /// The corresponding verb of the CLI.
    pub verb: Notation,
}

/// What an action does to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionPurpose {
    /// It moves the pointer, the focus or the view for the next action, and enters no value.
    Prepare,
    /// It enters a text into a field; whether that also submits depends on its parameters.
    Enter,
    /// It chooses an option or a file. The page may send that at once, but the action does not submit a form.
    Choose,
    /// Anything else. It may submit.
    Other,
}

/// Where an action leads by itself, independent of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Navigation {
    /// Nowhere.
    None,
    /// To another document, or to the same document loaded again.
    Document,
    /// To another tab.
    Tab,
}

/// The models that are offered an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// All models.
    Always,
    /// Models that accept images.
    WithVision,
    /// Models of runs that have tools of the user.
    WithTools,
    /// None: the action is an end of the task, which is part of a decision, or its result is not shown to models.
    Never,
}

/// How the prompt lists an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptEntry {
    /// As an example, in which `T` is a target.
    Example(&'static str),
    /// By name only.
    Name,
    /// Not at all: few tasks need it, and models know it without a description.
    Absent,
}

/// The name of an action in the CLI or in MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// This name, with the parameters of the action: help, parsing and documentation are derived from the action.
    Plain(&'static str),
    /// This name, with parameters that are declared where they are parsed.
    Own(&'static str),
    /// The action is not available there.
    None,
}

impl Notation {
    /// The name.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Notation::Plain(name) | Notation::Own(name) => Some(name),
            Notation::None => None,
        }
    }
}
