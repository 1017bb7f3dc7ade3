//! The words of a loop, and the values of a list.

use legwork_protocol::{ForEach, variable_of};
use legwork_steps::{ParseError, read_loop};
use serde_json::Value;

use crate::context::one_line;

/// The maximum length of the label of a row or value in characters.
pub(super) const MAX_LABEL: usize = 60;

/// The words of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoopHead {
    /// The variable of the row or value.
    pub(super) variable: String,
    pub(super) over: LoopOver,
}

/// What a loop runs over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LoopOver {
    /// The list in this variable.
    List(String),
    /// The rows at the place with these words.
    Rows(String),
}

impl LoopHead {
    pub(super) fn read(each: &ForEach) -> Result<LoopHead, ParseError> {
        let words = read_loop(&each.for_each)?;
        let list = words.over.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let over = match list.filter(|list| variable_of(list).is_some()) {
            Some(list) => LoopOver::List(list.to_owned()),
            None => LoopOver::Rows(words.over),
        };
        Ok(LoopHead { variable: words.variable, over })
    }
}

/// The elements of a list: an array, or its JSON text, which is how a command line gives it.
pub(super) fn list_of(value: &Value) -> Result<Vec<Value>, String> {
    let parsed = match value {
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_array),
        _ => None,
    };
    match parsed.as_ref().unwrap_or(value) {
        Value::Array(items) => Ok(items.clone()),
        Value::Object(_) => Err("is a map and no list".to_owned()),
        other => Err(format!("is {} and no list", one_line(&other.to_string(), MAX_LABEL))),
    }
}
