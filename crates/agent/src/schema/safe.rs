//! Checks the content of a command beyond its types: only http and https URLs, and only valid selectors.

use legwork_protocol::{Action, Tab, TargetKind, is_variable_name};
use serde_json::json;

use super::SchemaProblem;

/// The maximum number of characters of a target.
const TARGET: usize = 1_000;

/// The problems of an action that its types cannot express.
pub(crate) fn check(action: &Action, path: &str) -> Vec<SchemaProblem> {
    let mut problems = Vec::new();
    let mut say = |field: &str, expected: &str, value: &str| {
        problems.push(SchemaProblem::new(format!("{path}.parameters.{field}"), expected, &json!(value)));
    };
    let targets =
        [("target", action.target()), ("to", if let Action::Drag(drag) = action { Some(&drag.to) } else { None })];
    for (field, target) in targets.into_iter().filter_map(|(field, target)| Some((field, target?))) {
        if let Err(expected) = target_is_safe(&target.0) {
            say(field, expected, &target.0);
        }
    }
    match action {
        Action::Open(open) => url(&open.url).unwrap_or_else(|expected| say("url", expected, &open.url)),
        Action::Tab(Tab::Open { url: Some(address) }) => {
            url(address).unwrap_or_else(|expected| say("url", expected, address));
        }
        Action::Save(save) if !is_variable_name(&save.variable) => {
            say("variable", "a name of letters, digits and _, not starting with a digit", &save.variable);
        }
        Action::Press(press) if press.key.is_empty() => say("key", "a key such as Enter", &press.key),
        Action::Wait(wait) if *wait == legwork_protocol::Wait::default() => {
            say("text", "at least one of text, gone, url, state, seconds", "");
        }
        _ => {}
    }
    problems
}

fn url(address: &str) -> Result<(), &'static str> {
    let scheme = address.trim_start().split(':').next().unwrap_or_default().to_ascii_lowercase();
    match scheme.as_str() {
        "javascript" => Err("an http or https address; scripts are never run from an address"),
        "file" => Err("an http or https address; files of this machine are not opened"),
        "data" | "blob" => Err("an http or https address; inline documents are not opened"),
        "http" | "https" if address.contains("${") || url::Url::parse(address.trim()).is_ok() => Ok(()),
        _ if address.trim_start().starts_with("${") || is_path(address) => Ok(()),
        _ => Err("an http or https address, or a path such as /orders"),
    }
}

/// Whether an address is a path on the site of the current page. `//host/…` names another site.
pub(crate) fn is_path(address: &str) -> bool {
    let address = address.trim();
    address.starts_with('/') && !address[1..].starts_with(['/', '\\'])
}

fn target_is_safe(target: &str) -> Result<(), &'static str> {
    let trimmed = target.trim();
    if trimmed.is_empty() {
        return Err("a ref such as e12, or a selector");
    }
    if target.chars().count() > TARGET || target.chars().any(char::is_control) {
        return Err("one line of at most 1000 characters");
    }
    if let TargetKind::Css(selector) = legwork_protocol::Target(trimmed.to_owned()).kind()
        && outside_quotes(selector).any(|c| matches!(c, '{' | '}' | ';' | '<' | '`'))
    {
        return Err("a CSS selector, and nothing else");
    }
    Ok(())
}

/// The characters of a selector outside of strings and `${variables}`.
fn outside_quotes(selector: &str) -> impl Iterator<Item = char> + '_ {
    let mut quote = None;
    let mut in_variable = false;
    let mut before = ' ';
    selector.chars().filter(move |&c| {
        let opens = before == '$' && c == '{' && quote.is_none();
        let keep = quote.is_none() && !in_variable && !opens;
        match (quote, c) {
            _ if opens => in_variable = true,
            _ if in_variable => in_variable = c != '}',
            (Some(open), c) if c == open && before != '\\' => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        before = c;
        keep
    })
}
