//! Texts of a script: where the author of the workflow wrote a variable, a secret or an address of the site, the script has a
//! variable as well.

use std::collections::BTreeMap;

use legwork::{record::RunRecord, secrets::handles_in};
use legwork_protocol::{Workflow, is_variable_name, placeholders};
use serde_json::Value as Json;

use crate::statement::{Piece, Value};

pub(super) struct Texts {
    pub(super) base_url: Option<String>,
    /// The values of the inputs.
    pub(super) inputs: BTreeMap<String, Json>,
    /// The inputs, and the variables that were saved so far, with their values.
    values: BTreeMap<String, Json>,
    pub(super) saved: Vec<String>,
    pub(super) secrets: Vec<String>,
}

impl Texts {
    pub(super) fn new(workflow: &Workflow, record: &RunRecord, base_url: Option<String>) -> Texts {
        let defaults = workflow.inputs.iter().filter_map(|(name, input)| Some((name.clone(), input.default.clone()?)));
        let mut inputs: BTreeMap<String, Json> = defaults.collect();
        inputs.extend(record.inputs.clone());
        Texts { base_url, values: inputs.clone(), inputs, saved: Vec::new(), secrets: Vec::new() }
    }

    /// Notes that a step saved a variable.
    pub(super) fn save(&mut self, name: &str, value: Json) {
        self.values.insert(name.to_owned(), value);
        if !self.saved.iter().any(|known| known == name) {
            self.saved.push(name.to_owned());
        }
    }

    /// A text of an action. `sentence` is what the author wrote: a value is replaced by its variable only if the author
    /// wrote the variable there.
    pub(super) fn value(&mut self, text: &str, sentence: &str) -> Value {
        let mut pieces = vec![Piece::Literal(text.to_owned())];
        for name in handles_in(text) {
            split(&mut pieces, &format!("${{secret:{name}}}"), &Piece::Secret(name.to_owned()));
            if !self.secrets.iter().any(|known| known == name) {
                self.secrets.push(name.to_owned());
            }
        }
        for name in placeholders(sentence).filter(|name| is_variable_name(name)) {
            let variable = Piece::Variable(name.to_owned());
            split(&mut pieces, &format!("${{{name}}}"), &variable);
            let value = self.values.get(name).map(words).unwrap_or_default();
            if !value.is_empty() {
                split(&mut pieces, &value, &variable);
            }
        }
        if let Some(base) = &self.base_url {
            split(&mut pieces, base, &Piece::BaseUrl);
        }
        pieces.retain(|piece| !matches!(piece, Piece::Literal(text) if text.is_empty()));
        Value::Text(pieces)
    }
}

/// Replaces a text in the literal pieces.
fn split(pieces: &mut Vec<Piece>, text: &str, by: &Piece) {
    let whole = std::mem::take(pieces);
    for piece in whole {
        let Piece::Literal(literal) = piece else {
            pieces.push(piece);
            continue;
        };
        for (index, part) in literal.split(text).enumerate() {
            if index > 0 {
                pieces.push(by.clone());
            }
            pieces.push(Piece::Literal(part.to_owned()));
        }
    }
}

/// A value as text within a sentence.
pub(super) fn words(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}
