//! What is wrong with a reply, field by field, phrased so that a model can mend it.

use serde::Serialize;
use serde_json::Value;

/// One thing that is wrong with a reply.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[error("{path}: expected {expected}, found {value}")]
pub struct SchemaProblem {
    /// The field's own name.
    pub field: String,
    /// Where it is, `command.parameters.url`; `reply` for the whole.
    pub path: String,
    /// What it should be.
    pub expected: String,
    /// What it is, clipped.
    pub value: String,
}

/// The most characters of a value that a problem repeats.
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

    pub(crate) fn whole(expected: impl Into<String>, value: impl AsRef<str>) -> Self {
        let value = clipped(value.as_ref());
        SchemaProblem { field: "reply".into(), path: "reply".into(), expected: expected.into(), value }
    }
}

/// One problem where several may be told.
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
