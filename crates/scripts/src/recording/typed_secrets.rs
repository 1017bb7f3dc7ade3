//! The passwords and codes that a person types during a recording. A page can repeat them, in the name of a button or
//! in an address, so they are removed from everything that the recording contains. They are in memory only.

use legwork::{
    observe::NodeKey,
    secrets::{HiddenValues, RunSecrets},
};
use legwork_protocol::Step;
use secrecy::SecretString;
use serde_json::Value;

/// The values, and what finds them in a text.
#[derive(Default)]
pub(super) struct TypedSecrets {
    /// The values that were complete when something else was done.
    complete: Vec<String>,
    /// The value that is being typed, with its field.
    current: Option<(NodeKey, String)>,
    masks: RunSecrets,
}

impl TypedSecrets {
    pub(super) fn is_empty(&self) -> bool {
        self.complete.is_empty() && self.current.is_none()
    }

    /// A field has a new value, which replaces the one before: half a password is no secret, but a part of many words.
    pub(super) fn record(&mut self, field: NodeKey, value: &str) {
        if self.current.as_ref().is_some_and(|(known, _)| *known != field) {
            self.complete_current();
        }
        self.current = Some((field, value.to_owned()));
        let values = self.complete.iter().map(String::as_str).chain([value]).map(SecretString::from);
        self.masks.hide(HiddenValues::new(values));
    }

    /// Something else is done, so the page may show the value as it is now.
    pub(super) fn complete_current(&mut self) {
        self.complete.extend(self.current.take().map(|(_, value)| value).filter(|value| !value.is_empty()));
    }

    /// Removes the values from a text. Returns whether it contained one.
    pub(super) fn remove_from(&self, text: &mut String) -> bool {
        let before = text.clone();
        self.masks.mask(text);
        before != *text
    }

    /// Removes the values from a step. Returns whether it contained one.
    pub(super) fn remove_from_step(&self, step: &mut Step) -> bool {
        let Ok(mut value) = serde_json::to_value(&*step) else { return false };
        if !self.remove_from_value(&mut value) {
            return false;
        }
        // A value could be the name of an action; then the sentence remains without it.
        let mut sentence = step.step.clone();
        self.remove_from(&mut sentence);
        *step = serde_json::from_value(value).unwrap_or_else(|_| Step::new(sentence));
        true
    }

    fn remove_from_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.remove_from(text),
            Value::Number(number) => {
                let mut text = number.to_string();
                let found = self.remove_from(&mut text);
                if found {
                    *value = Value::String(text);
                }
                found
            }
            Value::Array(items) => items.iter_mut().fold(false, |found, item| self.remove_from_value(item) | found),
            Value::Object(fields) => {
                fields.values_mut().fold(false, |found, item| self.remove_from_value(item) | found)
            }
            Value::Null | Value::Bool(_) => false,
        }
    }
}

impl std::fmt::Debug for TypedSecrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} typed secrets", self.complete.len() + usize::from(self.current.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use legwork::observe::DocumentKey;

    use super::*;

    #[test]
    fn a_value_is_removed_from_sentences_and_actions_and_its_beginning_is_not() {
        let field = |element| NodeKey { document: DocumentKey(1), element };
        let mut typed = TypedSecrets::default();
        for value in ["show", "show-me-22"] {
            typed.record(field(1), value);
        }
        let mut step = Step::new("Click the button \"show show-me-22\"");
        assert!(typed.remove_from_step(&mut step));
        assert_eq!(step.step, "Click the button \"show ••••\"");
        typed.record(field(2), "927381");
        let mut code = "https://shop.example/?code=927381&pw=show-me-22".to_owned();
        assert!(typed.remove_from(&mut code));
        assert_eq!(code, "https://shop.example/?code=••••&pw=••••");
        let mut other = Step::new("Click the button \"show\"");
        assert!(!typed.remove_from_step(&mut other) && !format!("{typed:?}").contains("show"));
    }
}
