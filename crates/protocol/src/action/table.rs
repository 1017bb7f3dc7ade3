//! The properties of each action, declared once. The schema, the commands in the prompt, accepted aliases, evidence,
//! replay, resume, the browser, the verbs of the CLI and the MCP tools read them from here.
//!
//! The commands are in the order in which a prompt lists them: those that most tasks need come first.

use super::{Action, Direction, Effect, Tab};
use crate::Target;

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

/// Declares [`ACTIONS`] and [`Action::info`] together, so that the compiler reports an action without an entry. An
/// entry may omit only aliases and lists of optional parameters. The other properties have no default, so that each
/// action states them.
macro_rules! actions {
    ($(
        $variant:ident {
            name: $name:literal,
            $(aliases: [$($alias:literal),+],)?
            $(parameter_aliases: [$($($other:ident)+ => $parameter:ident),+],)?
            $(prepositions: [$($($preposition:ident)+ => $meant:ident),+],)?
            effect: $effect:ident,
            purpose: $purpose:ident,
            navigation: $navigation:ident,
            is_input: $is_input:literal,
            is_restored: $is_restored:literal,
            is_replayed: $is_replayed:literal,
            offered: $offered:ident,
            $(omitted_from_schema: [$($omitted_from_schema:literal),+],)?
            $(positional: [$($positional:literal),+],)?
            prompt: $prompt:ident $(($example:literal))?,
            tool: $tool:ident $(($tool_name:literal))?,
            verb: $verb:ident $(($verb_name:literal))?,
        }
    )+) => {
        /// Every action, in the order in which a prompt lists them.
        pub const ACTIONS: &[ActionInfo] = &[$(ActionInfo::$variant),+];

        #[expect(non_upper_case_globals, reason = "named like the actions that they describe")]
        impl ActionInfo {
            $(const $variant: ActionInfo = ActionInfo {
                name: $name,
                aliases: &[$($($alias),+)?],
                parameter_aliases: &[$($($((stringify!($other), stringify!($parameter)),)+)+)?],
                prepositions: &[$($($((stringify!($preposition), stringify!($meant)),)+)+)?],
                effect: Effect::$effect,
                purpose: ActionPurpose::$purpose,
                navigation: Navigation::$navigation,
                is_input: $is_input,
                is_restored: $is_restored,
                is_replayed: $is_replayed,
                offered: Offered::$offered,
                omitted_from_schema: &[$($($omitted_from_schema),+)?],
                positional: &[$($($positional),+)?],
                prompt: PromptEntry::$prompt $(($example))?,
                tool: Notation::$tool $(($tool_name))?,
                verb: Notation::$verb $(($verb_name))?,
            };)+
        }

        impl Action {
            /// The properties of the action.
            pub fn info(&self) -> &'static ActionInfo {
                match self {
                    $(Action::$variant(_) => &ActionInfo::$variant,)+
                }
            }
        }
    };
}

actions! {
    Click {
        name: "click",
        aliases: ["click_element", "press_button", "tap", "double_click", "dblclick", "right_click"],
        prepositions: [on at => target],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        omitted_from_schema: ["button", "count", "modifiers"],
        prompt: Example("click T"),
        tool: Own("browser_click"),
        verb: Own("click"),
    }
    Fill {
        name: "fill",
        aliases: ["input_text", "type_text", "fill_field", "enter_text", "set_value", "clear"],
        parameter_aliases: [value content input => text],
        prepositions: [in into => target, with as to => text],
        effect: Idempotent,
        purpose: Enter,
        navigation: None,
        is_input: false,
        is_restored: true,
        is_replayed: true,
        offered: Always,
        prompt: Example("fill T \"text\""),
        tool: Own("browser_type"),
        verb: Plain("fill"),
    }
    Select {
        name: "select",
        aliases: ["select_option", "choose"],
        parameter_aliases: [value option options label text => values],
        prepositions: [in from => target, to as => values],
        effect: Idempotent,
        purpose: Choose,
        navigation: None,
        is_input: true,
        is_restored: true,
        is_replayed: true,
        offered: Always,
        prompt: Example("select T \"option\""),
        tool: Plain("browser_select_option"),
        verb: Plain("select"),
    }
    Check {
        name: "check",
        aliases: ["tick"],
        effect: Idempotent,
        purpose: Choose,
        navigation: None,
        is_input: true,
        is_restored: true,
        is_replayed: true,
        offered: Always,
        prompt: Example("check T"),
        tool: None,
        verb: Plain("check"),
    }
    Press {
        name: "press",
        aliases: ["press_key", "enter", "key", "press_sequentially"],
        parameter_aliases: [keys chord text => key],
        prepositions: [in on => target],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        omitted_from_schema: ["target"],
        prompt: Example("press KEY"),
        tool: Plain("browser_press_key"),
        verb: Plain("press"),
    }
    Open {
        name: "open",
        aliases: ["open_page", "goto", "navigate", "go_to", "visit", "open_url"],
        parameter_aliases: [link href address => url],
        prepositions: [to => url],
        effect: Idempotent,
        purpose: Other,
        navigation: Document,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Example("open URL"),
        tool: Own("browser_navigate"),
        verb: Own("open"),
    }
    Scroll {
        name: "scroll",
        prepositions: [to into in => target],
        effect: Idempotent,
        purpose: Prepare,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        positional: ["target", "direction", "screens"],
        prompt: Example("scroll down"),
        tool: None,
        verb: Own("scroll"),
    }
    Wait {
        name: "wait",
        aliases: ["wait_for"],
        parameter_aliases: [time timeout duration => seconds],
        prepositions: [for until => text],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        omitted_from_schema: ["state"],
        positional: ["text", "seconds"],
        prompt: Example("wait \"text\""),
        tool: Own("browser_wait_for"),
        verb: Own("wait"),
    }
    Read {
        name: "read",
        aliases: ["get_text", "get_content", "text_extraction", "read_text"],
        prepositions: [of from => target],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Always,
        omitted_from_schema: ["attribute", "multiple"],
        positional: ["target"],
        prompt: Example("read T"),
        tool: None,
        verb: Own("text"),
    }
    Find {
        name: "find",
        aliases: ["search", "find_text"],
        parameter_aliases: [query pattern regex => text],
        prepositions: [for => text],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Always,
        prompt: Example("find \"text\""),
        tool: Own("browser_find"),
        verb: Own("find"),
    }
    Done {
        name: "done",
        aliases: ["task_complete", "finish", "complete", "answer"],
        parameter_aliases: [message answer summary text success => result],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Never,
        prompt: Example("done \"answer\""),
        tool: None,
        verb: None,
    }
    Abort {
        name: "abort",
        aliases: ["fail", "give_up"],
        parameter_aliases: [message description => reason],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Never,
        prompt: Example("abort \"why\""),
        tool: None,
        verb: None,
    }
    Ask {
        name: "ask",
        aliases: ["request_user_data", "ask_user"],
        parameter_aliases: [message text => question],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Always,
        prompt: Name,
        tool: None,
        verb: None,
    }
    Back {
        name: "back",
        aliases: ["go_back", "navigate_back"],
        effect: Mutating,
        purpose: Other,
        navigation: Document,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: Plain("browser_navigate_back"),
        verb: Plain("back"),
    }
    Dialog {
        name: "dialog",
        aliases: ["handle_dialog", "accept_dialog", "dismiss_dialog"],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        positional: ["text"],
        prompt: Name,
        tool: Own("browser_handle_dialog"),
        verb: Own("dialog"),
    }
    Drag {
        name: "drag",
        aliases: ["drag_and_drop"],
        parameter_aliases: [from source startRef => target, destination endRef => to],
        prepositions: [from => target, to onto into on => to],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: Own("browser_drag"),
        verb: Plain("drag"),
    }
    Extract {
        name: "extract",
        parameter_aliases: [query goal description text => instruction, variableName variable_name as => variable],
        prepositions: [as => variable],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        omitted_from_schema: ["next"],
        prompt: Name,
        tool: Own("browser_extract"),
        verb: Own("extract"),
    }
    Hover {
        name: "hover",
        prepositions: [on over => target],
        effect: Idempotent,
        purpose: Prepare,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: Plain("browser_hover"),
        verb: Plain("hover"),
    }
    Look {
        name: "look",
        aliases: ["screenshot_analysis", "screenshot", "take_screenshot"],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: WithVision,
        omitted_from_schema: ["target"],
        prompt: Name,
        tool: None,
        verb: None,
    }
    Reload {
        name: "reload",
        aliases: ["refresh"],
        effect: Mutating,
        purpose: Other,
        navigation: Document,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: None,
        verb: Plain("reload"),
    }
    Save {
        name: "save",
        aliases: ["save_variable"],
        parameter_aliases: [variableName variable_name name as => variable],
        prepositions: [of from => target, as into => variable],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        omitted_from_schema: ["attribute"],
        prompt: Name,
        tool: None,
        verb: None,
    }
    Tab {
        name: "tab",
        aliases: ["tabs", "switch_tab", "switch_to_tab", "close_tab", "new_tab", "open_tab"],
        effect: Mutating,
        purpose: Other,
        navigation: Tab,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: Own("browser_tabs"),
        verb: Own("tab"),
    }
    Type {
        name: "type",
        parameter_aliases: [value content input => text],
        prepositions: [in into => target],
        effect: Mutating,
        purpose: Enter,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        positional: ["target"],
        prompt: Name,
        tool: Own("browser_type"),
        verb: Own("type"),
    }
    Uncheck {
        name: "uncheck",
        aliases: ["untick"],
        effect: Idempotent,
        purpose: Choose,
        navigation: None,
        is_input: true,
        is_restored: true,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: None,
        verb: Plain("uncheck"),
    }
    Expand {
        name: "expand",
        aliases: ["unfold"],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: None,
        verb: Plain("expand"),
    }
    Collapse {
        name: "collapse",
        aliases: ["fold"],
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Absent,
        tool: None,
        verb: Plain("collapse"),
    }
    Upload {
        name: "upload",
        aliases: ["upload_file", "file_upload"],
        parameter_aliases: [path paths file filename => files],
        prepositions: [to into in => target],
        effect: Mutating,
        purpose: Choose,
        navigation: None,
        is_input: true,
        is_restored: true,
        is_replayed: true,
        offered: Always,
        prompt: Name,
        tool: Own("browser_file_upload"),
        verb: Own("upload"),
    }
    Forward {
        name: "forward",
        aliases: ["go_forward", "navigate_forward"],
        effect: Mutating,
        purpose: Other,
        navigation: Document,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Absent,
        tool: None,
        verb: Plain("forward"),
    }
    Focus {
        name: "focus",
        effect: Idempotent,
        purpose: Prepare,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: Always,
        prompt: Absent,
        tool: None,
        verb: None,
    }
    // The page handles the value in the same way each time, so the action may be repeated.
    Blur {
        name: "blur",
        effect: Idempotent,
        purpose: Other,
        navigation: None,
        is_input: true,
        is_restored: false,
        is_replayed: true,
        offered: Never,
        prompt: Absent,
        tool: None,
        verb: None,
    }
    Call {
        name: "call",
        effect: Mutating,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: true,
        offered: WithTools,
        prompt: Absent,
        tool: None,
        verb: None,
    }
    Dom {
        name: "dom",
        aliases: ["get_dom", "full_dom_retrieval"],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Never,
        prompt: Absent,
        tool: None,
        verb: None,
    }
    Subdom {
        name: "subdom",
        aliases: ["get_subdom", "sub_dom_extraction"],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Never,
        prompt: Absent,
        tool: None,
        verb: None,
    }
}

impl ActionInfo {
    /// The action with this name.
    pub fn named(name: &str) -> Option<&'static ActionInfo> {
        ACTIONS.iter().find(|info| info.name == name)
    }
}

impl Action {
    /// A description of the action for people; `element` is its target as the page names it: `click button "Sign in"`.
    pub fn describe(&self, element: Option<&str>) -> String {
        let on = |target: &Target| element.map_or_else(|| target.to_string(), str::to_owned);
        match self {
            Action::Open(open) => format!("open {}", open.url),
            Action::Click(click) => {
                let how = if click.count > 1 { "double-click" } else { "click" };
                format!("{how} {}", on(&click.target))
            }
            Action::Fill(fill) if fill.text.is_empty() => format!("clear {}", on(&fill.target)),
            Action::Fill(fill) => {
                let enter = if fill.submit { " and press Enter" } else { "" };
                format!("fill {} with {}{enter}", on(&fill.target), quoted(&fill.text))
            }
            Action::Type(typing) => match &typing.target {
                Some(target) => format!("type {} into {}", quoted(&typing.text), on(target)),
                None => format!("type {}", quoted(&typing.text)),
            },
            Action::Press(press) => match &press.target {
                Some(target) => format!("press {} in {}", press.key, on(target)),
                None => format!("press {}", press.key),
            },
            Action::Select(select) => format!("choose {} from {}", list(&select.values), on(&select.target)),
            Action::Check(at)
            | Action::Uncheck(at)
            | Action::Expand(at)
            | Action::Collapse(at)
            | Action::Hover(at)
            | Action::Focus(at) => {
                format!("{} {}", self.name(), on(&at.target))
            }
            Action::Blur(at) => format!("leave {}", on(&at.target)),
            Action::Scroll(scroll) => match (&scroll.target, scroll.direction) {
                (Some(target), None) => format!("scroll to {}", on(target)),
                (Some(target), Some(direction)) => format!("scroll {} {}", on(target), way(direction)),
                (None, direction) => format!("scroll {}", way(direction.unwrap_or(Direction::Down))),
            },
            Action::Drag(drag) => format!("drag {} to {}", on(&drag.target), drag.to),
            Action::Upload(upload) => format!("upload {} into {}", list(&upload.files), on(&upload.target)),
            Action::Dialog(dialog) => {
                let answer = match (&dialog.text, dialog.accept) {
                    (Some(text), true) => format!("answer the dialog with {}", quoted(text)),
                    (_, true) => "accept the dialog".to_owned(),
                    (_, false) => "dismiss the dialog".to_owned(),
                };
                match &dialog.opened_by {
                    Some(opened_by) => format!("{} and {answer}", opened_by.describe(element)),
                    None => answer,
                }
            }
            Action::Wait(wait) => {
                let conditions = [
                    wait.text.as_ref().map(|text| format!("for {}", quoted(text))),
                    wait.gone.as_ref().map(|text| format!("until {} is gone", quoted(text))),
                    wait.url.as_ref().map(|url| format!("for the address {url}")),
                    wait.state.map(|state| format!("for {}", format!("{state:?}").to_lowercase())),
                    wait.seconds.map(|seconds| format!("{seconds} s")),
                ];
                format!("wait {}", conditions.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
            Action::Tab(Tab::List) => "list the tabs".to_owned(),
            Action::Tab(Tab::Open { url }) => {
                format!("open a tab {}", url.as_deref().unwrap_or_default()).trim().to_owned()
            }
            Action::Tab(Tab::Switch { to }) => format!("switch to tab {to}"),
            Action::Tab(Tab::Close { tab }) => {
                format!("close tab {}", tab.as_deref().unwrap_or_default()).trim().to_owned()
            }
            Action::Save(save) => match &save.attribute {
                Some(attribute) => format!("save {attribute} of {} as {}", on(&save.target), save.variable),
                None => format!("save {} as {}", on(&save.target), save.variable),
            },
            Action::Extract(extract) => format!("extract {}", extract.instruction),
            Action::Read(read) => format!("read {}", read.target.as_ref().map_or_else(|| "the page".to_owned(), on)),
            Action::Dom(_) => "fetch the page's HTML".to_owned(),
            Action::Subdom(part) => {
                format!("fetch the HTML of {}", part.target.as_ref().map_or_else(|| "the main part".to_owned(), on))
            }
            Action::Look(look) => format!("look at {}", look.target.as_ref().map_or_else(|| "the page".to_owned(), on)),
            Action::Find(find) => format!("find {}", quoted(&find.text)),
            Action::Call(call) => format!("call {} {}", call.tool, call.arguments),
            Action::Ask(ask) => format!("ask {}", quoted(&ask.question)),
            Action::Done(done) => format!("done: {}", done.result),
            Action::Abort(abort) => format!("give up: {}", abort.reason),
            Action::Back(_) | Action::Forward(_) | Action::Reload(_) => self.name().to_owned(),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("“{text}”")
}

fn list(values: &[String]) -> String {
    values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", ")
}

fn way(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::Top => "to the top",
        Direction::Bottom => "to the bottom",
    }
}
