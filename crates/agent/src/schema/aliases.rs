//! The other names that the seeds, the peers and the models use for our actions and their parameters.

use serde_json::{Map, Value};

/// The canonical name of an action.
pub(crate) fn action(name: &str) -> String {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let name = name.strip_prefix("browser_").unwrap_or(&name);
    match name {
        "open_page" | "goto" | "navigate" | "go_to" | "visit" | "open_url" => "open",
        "click_element" | "press_button" | "tap" => "click",
        "double_click" | "dblclick" => "click",
        "input_text" | "type_text" | "fill_field" | "enter_text" | "set_value" => "fill",
        "press_key" | "enter" | "key" | "press_sequentially" => "press",
        "select_option" | "choose" => "select",
        "tick" => "check",
        "untick" => "uncheck",
        "upload_file" | "file_upload" => "upload",
        "handle_dialog" => "dialog",
        "go_back" | "navigate_back" => "back",
        "go_forward" | "navigate_forward" => "forward",
        "refresh" => "reload",
        "wait_for" => "wait",
        "tabs" => "tab",
        "save_variable" => "save",
        "get_text" | "get_content" | "text_extraction" | "read_text" => "read",
        "get_dom" | "full_dom_retrieval" => "dom",
        "get_subdom" | "sub_dom_extraction" => "subdom",
        "screenshot_analysis" | "screenshot" | "take_screenshot" => "look",
        "search" | "find_text" => "find",
        "request_user_data" | "ask_user" => "ask",
        "task_complete" | "finish" | "complete" => "done",
        "fail" | "give_up" => "abort",
        name => name,
    }
    .to_owned()
}

/// The canonical parameters of an action given by any of its names.
pub(crate) fn parameters(action: &str, written: &str, given: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        let key = parameter(action, &key);
        out.insert(key.to_owned(), shaped(key, value));
    }
    match (action, written.trim().to_lowercase().as_str()) {
        ("click", "double_click" | "dblclick") => _ = out.entry("count").or_insert(2.into()),
        ("press", "enter") => _ = out.entry("key").or_insert("Enter".into()),
        _ => {}
    }
    out
}

fn parameter<'a>(action: &str, key: &'a str) -> &'a str {
    match (action, key) {
        ("tab", key) => key,
        (_, "selector" | "ref" | "element" | "locator" | "element_ref" | "elementRef") => "target",
        ("drag", "from" | "source" | "startRef") => "target",
        ("drag", "destination" | "endRef") => "to",
        ("save", "variableName" | "variable_name" | "name" | "as") => "variable",
        ("fill" | "type", "value" | "content" | "input") => "text",
        ("select", "value" | "option" | "options" | "label" | "text") => "values",
        ("open", "link" | "href" | "address") => "url",
        ("press", "keys" | "chord" | "text") => "key",
        ("upload", "path" | "paths" | "file" | "filename") => "files",
        ("extract", "query" | "goal" | "description" | "text") => "instruction",
        ("extract", "variableName" | "variable_name" | "as") => "variable",
        ("find", "query" | "pattern" | "regex") => "text",
        ("wait", "time" | "timeout" | "duration") => "seconds",
        ("done", "message" | "answer" | "summary" | "text" | "success") => "result",
        ("abort", "message" | "description") => "reason",
        ("ask", "message" | "text") => "question",
        (_, key) => key,
    }
}

/// Values in the shape that the parameter has: a list for lists, `e5` for `[ref=e5]` and `{"ref": "e5"}`.
fn shaped(key: &str, value: Value) -> Value {
    match (key, value) {
        ("values" | "files" | "fields", Value::String(one)) => Value::Array(vec![Value::String(one)]),
        ("target" | "to" | "next", Value::Object(map)) if map.len() == 1 => {
            map.into_iter().map(|(_, value)| value).collect::<Vec<_>>().remove(0)
        }
        ("target" | "to" | "next", Value::String(text)) => {
            let bare = text.trim();
            let inner = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(bare);
            let named = inner.strip_prefix("ref=").unwrap_or(inner);
            let is_ref = legwork_protocol::Ref::parse(named).is_some();
            Value::String(if is_ref { named.to_owned() } else { text })
        }
        ("count" | "screens" | "seconds" | "pages", Value::String(text)) => {
            match (text.parse::<u8>(), text.parse::<f64>()) {
                (Ok(whole), _) => whole.into(),
                (_, Ok(number)) => number.into(),
                _ => Value::String(text),
            }
        }
        (_, value) => value,
    }
}
