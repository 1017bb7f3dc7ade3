//! The problems of a reply, one per field, worded so that a model can fix them.

use serde::Serialize;
use serde_json::Value;

/// One problem of a reply.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[error("{path}: expected {expected}, found {value}")]
pub struct SchemaProblem {
    /// The name of the field.
    pub field: String,
    /// The path of the field, `command.parameters.url`; `reply` for the whole reply.
    pub path: String,
    /// The expected value.
    pub expected: String,
    /// The actual value, shortened.
    pub value: String,
}

/// The maximum number of characters of a value that a problem quotes.
const VALUE: usize = 80;

impl SchemaProblem {
    pub(crate) fn new(path: impl Into<String>, expected: impl Into<String>, value: &Value) -> Self {
        let path = path.into();
        let field = path.rsplit('.').next().unwrap_or_default().to_owned();
        let value = match value {
            Value::Null => "nothing".to_owned(),
            value => clipped(&value.to_string()),
        };
        SchemaProblem { field, path, expected: expected.into(), value }
    }

    /// Whether it is about a command, and not about the rest of the reply.
    pub(crate) fn is_of_command(&self) -> bool {
        self.path.starts_with("command")
    }

    pub(crate) fn whole(expected: impl Into<String>, value: impl AsRef<str>) -> Self {
        let value = clipped(value.as_ref());
        SchemaProblem { field: "reply".into(), path: "reply".into(), expected: expected.into(), value }
    }
}

/// One problem, where a list is expected.
impl From<SchemaProblem> for Vec<SchemaProblem> {
    fn from(problem: SchemaProblem) -> Self {
        vec![problem]
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
