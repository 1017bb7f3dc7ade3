//! Texts of a script: where the author of the workflow wrote a variable, a secret or an address of the site, the script
//! has a variable as well.

use std::collections::BTreeMap;

use legwork::{record::RunRecord, secrets::handles_in};
use legwork_protocol::{Workflow, is_variable_name, placeholders, variable_of};
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
    /// The row or value of each loop around the current step, by the variable of the loop.
    pub(super) loop_values: BTreeMap<String, Json>,
}

impl Texts {
    pub(super) fn new(workflow: &Workflow, record: &RunRecord, base_url: Option<String>) -> Texts {
        let defaults = workflow.inputs.iter().filter_map(|(name, input)| Some((name.clone(), input.default.clone()?)));
        let mut inputs: BTreeMap<String, Json> = defaults.collect();
        inputs.extend(record.inputs.clone());
        let (saved, secrets, loop_values) = (Vec::new(), Vec::new(), BTreeMap::new());
        Texts { base_url, values: inputs.clone(), inputs, saved, secrets, loop_values }
    }

    /// A text with the values of the loops around the step, which a script has no variables for, and of fields of
    /// variables.
    pub(super) fn with_values_of_run(&self, text: &str) -> String {
        self.filled(text, |reference| self.value_of_run(reference))
    }

    /// A text with the values that all of its variables had in the run. A variable without a known value stays as it
    /// is.
    pub(super) fn with_all_values(&self, text: &str) -> String {
        self.filled(text, |reference| self.value_of_run(reference).or_else(|| self.values.get(reference).map(words)))
    }

    fn filled(&self, text: &str, value: impl Fn(&str) -> Option<String>) -> String {
        placeholders(text).fold(text.to_owned(), |filled, reference| match value(reference) {
            Some(value) => filled.replace(&format!("${{{reference}}}"), &value),
            None => filled,
        })
    }

    fn value_of_run(&self, reference: &str) -> Option<String> {
        let name = variable_of(reference)?;
        match reference.split_once('.') {
            None => self.loop_values.get(name).map(words),
            Some((_, field)) => {
                let whole = self.loop_values.get(name).or_else(|| self.values.get(name))?;
                whole.get(field.trim()).map(words)
            }
        }
    }

    /// The first `${…}` of a text that neither an input nor a saved variable nor a loop gives a value to.
    pub(super) fn unknown_in(&self, text: &str) -> Option<String> {
        let text = self.with_values_of_run(text);
        let unknown = placeholders(&text)
            .find(|reference| variable_of(reference).is_some() && !self.values.contains_key(*reference));
        unknown.map(|reference| format!("${{{reference}}}"))
    }

    /// The value of an input or variable that a sentence names and that a text of the page contains as whole words: the
    /// name, and whether the text is nothing else.
    pub(super) fn variable_in(&self, text: &str, sentence: &str) -> Option<(String, bool)> {
        let sentence = self.with_values_of_run(sentence);
        placeholders(&sentence).filter(|name| is_variable_name(name)).find_map(|name| {
            let value = self.values.get(name).map(words).filter(|value| !value.trim().is_empty())?;
            if text == value {
                return Some((name.to_owned(), true));
            }
            contains_words(text, &value).then(|| (name.to_owned(), false))
        })
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
        let (text, sentence) = (self.with_values_of_run(text), self.with_values_of_run(sentence));
        let mut pieces = vec![Piece::Literal(text.clone())];
        for name in handles_in(&text) {
            split(&mut pieces, &format!("${{secret:{name}}}"), &Piece::Secret(name.to_owned()));
            if !self.secrets.iter().any(|known| known == name) {
                self.secrets.push(name.to_owned());
            }
        }
        for name in placeholders(&sentence).filter(|name| is_variable_name(name)) {
            // A variable that the script does not have would end it with another error than the line that states this.
            let Some(value) = self.values.get(name).map(words) else { continue };
            let variable = Piece::Variable(name.to_owned());
            split(&mut pieces, &format!("${{{name}}}"), &variable);
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

/// Whether a text contains another one as whole words, in upper or lower case.
pub(crate) fn contains_words(text: &str, part: &str) -> bool {
    let (text, part) = (text.to_lowercase(), part.trim().to_lowercase());
    text.match_indices(&part).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A value as text within a sentence.
pub(super) fn words(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_string(),
    }
}
