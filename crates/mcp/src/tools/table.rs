//! The tools, in the order in which they are listed: Playwright MCP's names and parameters, and after them our own. Short on
//! purpose: a client sends all of this with every request to its model. What a parameter is called says what it is; what is
//! accepted beyond the schema (`ref` for `target`, `element`, `max_tokens`) is read in [`super::read`].

use serde_json::{Map, Value, json};

/// Which tools are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Looking and acting.
    Core,
    /// Whole steps, tasks and runs.
    Tasks,
    /// Console, network, scripts.
    Devtools,
    /// Cookies and storage.
    Storage,
    /// The page as PDF.
    Pdf,
}

/// A tool.
pub(crate) struct Listed {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) about: &'static str,
    /// Whether it only looks.
    pub(crate) reads: bool,
    /// `name*: type` in few letters, comma between: `s` string, `n` number, `b` boolean, `ss` strings, `o` object, and
    /// `a|b` one of these words.
    parameters: &'static str,
}

const fn tool(name: &'static str, group: Group, reads: bool, parameters: &'static str, about: &'static str) -> Listed {
    Listed { name, group, about, reads, parameters }
}

use Group::{Core, Devtools, Pdf, Storage, Tasks};

pub(crate) const TOOLS: &[Listed] = &[
    tool("browser_navigate", Core, false, "url*: s", "Open an address; answers with the page"),
    tool("browser_navigate_back", Core, false, "", "Go back"),
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
    tool("browser_select_option", Core, false, "target*: s, values*: ss", "Choose options by value or label"),
    tool("browser_press_key", Core, false, "key*: s", "Press a key or chord: Enter, Control+A"),
    tool("browser_hover", Core, false, "target*: s", "Move the pointer onto an element"),
    tool("browser_drag", Core, false, "startTarget*: s, endTarget*: s", "Drag one element onto another"),
    tool("browser_file_upload", Core, false, "paths: ss", "Give files to the open file chooser; none cancels it"),
    tool("browser_handle_dialog", Core, false, "accept*: b, promptText: s", "Answer a dialog"),
    tool("browser_tabs", Core, false, "action*: list|new|close|select, index: n, url: s", "Manage tabs; index from 0"),
    tool("browser_wait_for", Core, true, "time: n, text: s, textGone: s", "Wait for text, its end, or seconds"),
    tool(
        "browser_take_screenshot",
        Core,
        true,
        "target: s, type: png|jpeg|webp, fullPage: b, filename: s",
        "A picture of the view, an element or the whole page",
    ),
    tool("browser_resize", Core, false, "width*: n, height*: n", "Size of the view"),
    tool("browser_close", Core, false, "", "Close the page"),
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
        "task: s, workflow: s, inputs: o, url: s",
        "Have legwork's own agent do a whole task, or a workflow (one step a line, or YAML), in a browser of its own, \
         with evidence",
    ),
    tool("legwork_replay", Tasks, false, "run*: s, inputs: o", "Do a finished run's actions again without a model"),
    tool("legwork_runs", Tasks, true, "run: s, limit: n", "Runs there are, or how one went"),
    tool("browser_evaluate", Devtools, false, "function*: s, target: s", "Run JavaScript in the page"),
    tool(
        "browser_console_messages",
        Devtools,
        true,
        "level: error|warning|info|debug, all: b",
        "The console since the page loaded",
    ),
    tool(
        "browser_network_requests",
        Devtools,
        true,
        "static: b, filter: s",
        "Requests since the page loaded; filter is a regex",
    ),
    tool("browser_cookie_list", Storage, true, "", "The cookies"),
    tool("browser_cookie_set", Storage, false, "name*: s, value*: s, domain: s, path: s", "Set a cookie"),
    tool("browser_cookie_clear", Storage, false, "", "Throw all cookies away"),
    tool("browser_storage_state", Storage, true, "filename: s", "Save cookies and storage to a file"),
    tool("browser_set_storage_state", Storage, false, "filename*: s", "Begin anew with saved cookies and storage"),
    tool("browser_pdf_save", Pdf, true, "filename: s", "Save the page as PDF"),
];

impl Listed {
    pub(crate) fn by_name(name: &str) -> Option<&'static Listed> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// Its parameters as a JSON Schema.
    pub(crate) fn schema(&self) -> Map<String, Value> {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for parameter in self.parameters.split(", ").filter(|parameter| !parameter.is_empty()) {
            let (name, kind) = parameter.split_once(": ").unwrap_or((parameter, "s"));
            let bare = name.trim_end_matches('*');
            if bare.len() < name.len() {
                required.push(bare);
            }
            properties.insert(bare.to_owned(), shape(kind));
        }
        properties.insert("max_tokens".to_owned(), json!({"type": "integer"}));
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
        "fields" => json!({"type": "array", "items": {"type": "object",
            "properties": {"target": {"type": "string"}, "value": {"type": "string"}}, "required": ["target", "value"]}}),
        words => json!({"enum": words.split('|').collect::<Vec<_>>()}),
    }
}
