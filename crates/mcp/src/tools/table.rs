//! The tools in the order in which they are listed: those of Playwright MCP with their names and parameters, then
//! Legwork's own. The texts are short because a client sends them to its model with every request, and the names of
//! parameters describe them. [`super::parse`] accepts more than the schema contains (`ref` for `target`, `element`).

use std::sync::LazyLock;

use legwork_access::TokenScope;
use legwork_protocol::{ACTIONS, ActionInfo, Effect, Notation, ParameterKind};
use serde_json::{Map, Value, json};

/// A group of tools that is listed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Observations and actions.
    Core,
    /// Steps, tasks and runs.
    Tasks,
    /// Highlights for a person who watches the browser.
    Devtools,
    /// Cookies and storage.
    Storage,
    /// The page as PDF.
    Pdf,
    /// Mouse gestures at coordinates of a screenshot.
    Vision,
    /// Exact assertions.
    Testing,
    /// Routes, which replace responses of the network.
    Network,
    /// The configuration of the server.
    Config,
}

/// A tool.
#[derive(Clone, Copy)]
pub(crate) struct ToolEntry {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) about: &'static str,
    /// Whether it is read-only.
    pub(crate) reads: bool,
    /// The action whose parameters it has, if any.
    pub(crate) action: Option<&'static ActionInfo>,
    /// Other parameters, separated by commas: `name: type`, or `name*: type` if required. Types are `s` (string), `n`
    /// (number), `b` (boolean), `ss` (array of strings), `o` (object), `rows` (array of objects), `a|b` (one of these
    /// words) and `a|b?` (one of these words or null).
    parameters: &'static str,
}

impl ToolEntry {
    /// The scope that a call needs over HTTP. Every tool that uses a page needs the right to act: a page that is not
    /// open is opened.
    pub(crate) fn scope_of(name: &str) -> TokenScope {
        match name {
            "legwork_runs" | "legwork_batches" | "browser_get_config" => TokenScope::Read,
            _ => TokenScope::Run,
        }
    }

    /// Whether the schema lists `max_tokens`. Every tool that uses a page accepts it; the instructions of the server
    /// say so. It is listed where answers are long: a list of changes is short without it, and a picture or a report on
    /// a run has no such limit.
    fn lists_max_tokens(&self) -> bool {
        match self.name {
            "browser_navigate" | "browser_evaluate" | "legwork_step" => true,
            "browser_take_screenshot" => false,
            _ => self.reads && self.group != Tasks,
        }
    }
}

const fn tool(
    name: &'static str,
    group: Group,
    reads: bool,
    parameters: &'static str,
    about: &'static str,
) -> ToolEntry {
    ToolEntry { name, group, about, reads, action: None, parameters }
}

use Group::{Config, Core, Devtools, Network, Pdf, Storage, Tasks, Testing, Vision};

/// All tools: those of the group `core`, those derived from actions, the others.
pub(crate) static TOOLS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
    let of_action = |info: &'static ActionInfo| {
        let Notation::Plain(name) = info.tool else { return None };
        let reads = info.effect == Effect::ReadOnly;
        Some(ToolEntry { name, group: Core, about: info.doc(), reads, action: Some(info), parameters: "" })
    };
    let core = TOOLS_WITH_PARAMETERS.iter().filter(|tool| tool.group == Core);
    let others = TOOLS_WITH_PARAMETERS.iter().filter(|tool| tool.group != Core);
    core.copied().chain(ACTIONS.iter().filter_map(of_action)).chain(others.copied()).collect()
});

/// The tools that are not derived from an action.
const TOOLS_WITH_PARAMETERS: &[ToolEntry] = &[
    tool("browser_navigate", Core, false, "url*: s", "Open an address; answers with the page"),
    tool(
        "browser_snapshot",
        Core,
        true,
        "target: s, depth: n, interactive: b",
        "The page as text with refs. Rarely needed: actions answer with what changed. target shows one element in full",
    ),
    tool(
        "browser_find",
        Core,
        true,
        "text: s, regex: s",
        "Lines of the page that match, with refs; cheaper than a snapshot",
    ),
    tool(
        "browser_click",
        Core,
        false,
        "target*: s, doubleClick: b, button: left|right|middle, modifiers: ss",
        "Click. A target is a ref (e12), CSS, text=, role= or xpath=",
    ),
    tool(
        "browser_type",
        Core,
        false,
        "target*: s, text*: s, submit: b, slowly: b",
        "Replace a field's text; submit presses Enter",
    ),
    tool("browser_fill_form", Core, false, "fields*: fields", "Fill several fields at once"),
    tool("browser_drag", Core, false, "startTarget*: s, endTarget*: s", "Drag one element onto another"),
    tool(
        "browser_file_upload",
        Core,
        false,
        "paths: ss",
        "Give files to the open file chooser; an empty list cancels it",
    ),
    tool("browser_handle_dialog", Core, false, "accept*: b, promptText: s", "Answer a dialog"),
    tool("browser_tabs", Core, false, "action*: list|new|close|select, index: n, url: s", "Manage tabs; index from 0"),
    tool(
        "browser_wait_for",
        Core,
        true,
        "time: n, text: s, textGone: s",
        "Wait for text, for it to disappear, or seconds",
    ),
    tool(
        "browser_take_screenshot",
        Core,
        true,
        "target: s, type: png|jpeg|webp, fullPage: b, filename: s",
        "A picture of the view, an element or the whole page",
    ),
    tool("browser_resize", Core, false, "width*: n, height*: n", "Size of the view"),
    tool("browser_close", Core, false, "", "Close the page"),
    tool("browser_evaluate", Core, false, "function*: s, target: s", "Run JavaScript in the page"),
    tool(
        "browser_console_messages",
        Core,
        true,
        "level: error|warning|info|debug, all: b",
        "The console since the page loaded",
    ),
    tool(
        "browser_network_requests",
        Core,
        true,
        "static: b, filter: s",
        "Requests since the page loaded; filter is a regex",
    ),
    tool(
        "browser_network_request",
        Core,
        true,
        "index*: n, part: request-headers|request-body|response-headers|response-body, filename: s",
        "Headers, or a body, of one of them",
    ),
    tool(
        "browser_drop",
        Core,
        false,
        "target*: s, paths: ss, data: o",
        "Drop files, or data by MIME type, onto an element from outside",
    ),
    tool(
        "browser_emulate_media",
        Core,
        false,
        "colorScheme: light|dark?, reducedMotion: reduce|no-preference?, forcedColors: active|none?, \
         contrast: more|no-preference?, media: screen|print?",
        "CSS media features; null resets one",
    ),
    tool(
        "browser_extract",
        Core,
        true,
        "instruction: s, schema: o, pages: n",
        "Data by JSON Schema, read by legwork's own model; without instruction the page's text as Markdown",
    ),
    tool(
        "legwork_step",
        Tasks,
        false,
        "step*: s",
        "Do or check one thing in plain words on this page: Click \"Save\"; Check that \"Saved\" is shown",
    ),
    tool(
        "legwork_run",
        Tasks,
        false,
        "task: s, workflow: s, inputs: o, url: s, require: success|validated",
        "Have legwork's own agent do a whole task, or a workflow (one step a line, or YAML), in a browser of its own, \
         with evidence",
    ),
    tool("legwork_replay", Tasks, false, "run*: s, inputs: o", "Do a finished run's actions again without a model"),
    tool("legwork_runs", Tasks, true, "run: s, limit: n", "List runs, or show one run"),
    tool(
        "legwork_batch",
        Tasks,
        false,
        "workflow: s, task: s, rows: rows, file: s, inputs: o, url: s, jobs: n, maxFailures: n, require: \
         success|validated, batch: s, assume: done|not_done, retryFailed: b, output: s",
        "Run a workflow or task once for each row, which gives its inputs; or continue a batch by id",
    ),
    tool(
        "legwork_batches",
        Tasks,
        true,
        "batch: s, from: n, limit: n",
        "List batches, or show the rows of one, failures first",
    ),
    tool("browser_highlight", Devtools, true, "target*: s, style: s", "Draw a lasting box around an element"),
    tool("browser_hide_highlight", Devtools, true, "target: s", "Remove one box, or all"),
    tool("browser_cookie_list", Storage, true, "domain: s, path: s", "The cookies"),
    tool("browser_cookie_get", Storage, true, "name*: s", "A cookie with its flags"),
    tool(
        "browser_cookie_set",
        Storage,
        false,
        "name*: s, value*: s, domain: s, path: s, expires: n, httpOnly: b, secure: b, sameSite: Strict|Lax|None",
        "Set a cookie; expires in seconds since 1970",
    ),
    tool("browser_cookie_delete", Storage, false, "name*: s", "Delete a cookie"),
    tool("browser_cookie_clear", Storage, false, "", "Delete all cookies"),
    tool("browser_localstorage_list", Storage, true, "", "Entries of the page's localStorage"),
    tool("browser_localstorage_get", Storage, true, "key*: s", "One entry"),
    tool("browser_localstorage_set", Storage, false, "key*: s, value*: s", "Set an entry"),
    tool("browser_localstorage_delete", Storage, false, "key*: s", "Delete an entry"),
    tool("browser_localstorage_clear", Storage, false, "", "Delete all entries"),
    tool("browser_sessionstorage_list", Storage, true, "", "Entries of the tab's sessionStorage"),
    tool("browser_sessionstorage_get", Storage, true, "key*: s", "One entry"),
    tool("browser_sessionstorage_set", Storage, false, "key*: s, value*: s", "Set an entry"),
    tool("browser_sessionstorage_delete", Storage, false, "key*: s", "Delete an entry"),
    tool("browser_sessionstorage_clear", Storage, false, "", "Delete all entries"),
    tool("browser_storage_state", Storage, true, "filename: s", "Save cookies and storage to a file"),
    tool("browser_set_storage_state", Storage, false, "filename*: s", "Reopen the page with saved cookies and storage"),
    tool("browser_pdf_save", Pdf, true, "filename: s", "Save the page as PDF"),
    tool("browser_mouse_move_xy", Vision, false, "x*: n, y*: n", "Move the mouse, in CSS pixels of the view"),
    tool(
        "browser_mouse_click_xy",
        Vision,
        false,
        "x*: n, y*: n, button: left|right|middle, clickCount: n, delay: n",
        "Click at a point",
    ),
    tool("browser_mouse_drag_xy", Vision, false, "startX*: n, startY*: n, endX*: n, endY*: n", "Drag to a point"),
    tool("browser_mouse_down", Vision, false, "button: left|right|middle", "Press where the mouse is"),
    tool("browser_mouse_up", Vision, false, "button: left|right|middle", "Release"),
    tool("browser_mouse_wheel", Vision, false, "deltaX: n, deltaY: n", "Turn the wheel where the mouse is"),
    tool(
        "browser_verify_element_visible",
        Testing,
        true,
        "role*: s, accessibleName*: s",
        "Fail unless such an element is visible; the error lists similar ones",
    ),
    tool("browser_verify_text_visible", Testing, true, "text*: s", "Fail unless the text is visible"),
    tool(
        "browser_verify_list_visible",
        Testing,
        true,
        "element: s, target*: s, items*: ss",
        "Fail unless the element contains these texts",
    ),
    tool(
        "browser_verify_value",
        Testing,
        true,
        "type: textbox|checkbox|radio|combobox|slider, element: s, target*: s, value*: s",
        "Fail unless the field has this value; for a checkbox: true or false",
    ),
    tool(
        "browser_generate_locator",
        Testing,
        true,
        "target*: s",
        "The element as a Playwright locator and as a target",
    ),
    tool(
        "browser_route",
        Network,
        false,
        "pattern*: s, status: n, body: s, contentType: s, headers: ss, removeHeaders: s",
        "Mock requests, or change their headers (\"Name: value\"); pattern as **/api/*",
    ),
    tool("browser_route_list", Network, true, "", "The routes"),
    tool("browser_unroute", Network, false, "pattern: s", "Remove one route, or all"),
    tool("browser_network_state_set", Network, false, "state*: online|offline", "Go offline or online"),
    tool("browser_get_config", Config, true, "", "The version and the settings of the server"),
];

impl ToolEntry {
    pub(crate) fn by_name(name: &str) -> Option<&'static ToolEntry> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The parameters as a JSON Schema.
    pub(crate) fn schema(&self) -> Map<String, Value> {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for parameter in self.action.into_iter().flat_map(ActionInfo::parameters) {
            if parameter.required {
                required.push(parameter.name.as_str());
            }
            let kind = match parameter.kind {
                ParameterKind::Target | ParameterKind::Text | ParameterKind::Other => "s",
                ParameterKind::Number => "n",
                ParameterKind::Texts => "ss",
                ParameterKind::Flag => "b",
            };
            properties.insert(parameter.name.clone(), shape(kind));
        }
        for parameter in self.parameters.split(", ").filter(|parameter| !parameter.is_empty()) {
            let (name, kind) = parameter.split_once(": ").unwrap_or((parameter, "s"));
            let bare = name.trim_end_matches('*');
            if bare.len() < name.len() {
                required.push(bare);
            }
            properties.insert(bare.to_owned(), shape(kind));
        }
        if self.lists_max_tokens() {
            properties.insert("max_tokens".to_owned(), json!({"type": "integer"}));
        }
        let mut schema = Map::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        schema
    }
}

fn shape(kind: &str) -> Value {
    match kind {
        "s" => json!({"type": "string"}),
        "n" => json!({"type": "number"}),
        "b" => json!({"type": "boolean"}),
        "o" => json!({"type": "object"}),
        "ss" => json!({"type": "array", "items": {"type": "string"}}),
        "rows" => json!({"type": "array", "items": {"type": "object"}}),
        "fields" => json!({"type": "array", "items": {"type": "object",
            "properties": {"target": {"type": "string"}, "value": {"type": "string"}}, "required": ["target", "value"]}}),
        words => {
            let (words, or_null) = words.strip_suffix('?').map_or((words, false), |words| (words, true));
            let mut choices: Vec<Value> = words.split('|').map(Value::from).collect();
            choices.extend(or_null.then_some(Value::Null));
            json!({"enum": choices})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mcp.md");

    #[test]
    fn the_tool_that_stands_for_an_action_exists() {
        for tool in ACTIONS.iter().filter_map(|info| info.tool.name()) {
            assert!(ToolEntry::by_name(tool).is_some(), "{tool}");
        }
    }

    #[test]
    fn the_page_about_tools_is_fresh() {
        let mut table = "| group | tools |\n|---|---|\n".to_owned();
        for group in [Core, Tasks, Vision, Storage, Testing, Network, Devtools, Pdf, Config] {
            let names: Vec<String> =
                TOOLS.iter().filter(|tool| tool.group == group).map(|tool| format!("`{}`", tool.name)).collect();
            table += &format!("| {} | {} |\n", format!("{group:?}").to_lowercase(), names.join(", "));
        }
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once("<!-- tools -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- /tools -->").unwrap();
        let fresh = format!("{before}<!-- tools -->\n{table}<!-- /tools -->{after}");
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            std::fs::write(PAGE, &fresh).unwrap();
        }
        assert!(page == fresh, "docs/mcp.md is not fresh; INSTA_UPDATE=always writes it. The table is:\n{table}");
    }
}
