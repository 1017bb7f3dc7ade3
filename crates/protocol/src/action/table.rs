//! The properties of each action, declared once. The schema, the commands in the prompt, accepted aliases, evidence,
//! replay, resume, the browser, the verbs of the CLI and the MCP tools read them from here.
//!
//! The commands are in the order in which a prompt lists them: those that most tasks need come first.

use super::{
    Action, Effect,
    info::{ActionInfo, ActionPurpose, Navigation, Notation, Offered, PromptEntry},
};

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
        parameter_aliases: [message text => question, choices answers => options],
        effect: ReadOnly,
        purpose: Other,
        navigation: None,
        is_input: false,
        is_restored: false,
        is_replayed: false,
        offered: Always,
        positional: ["options"],
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
