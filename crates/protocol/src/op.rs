//! The requests of a client to a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Workflow;

/// A request of a client to a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// Start the run.
    Start {
        /// The workflow to run.
        workflow: Workflow,
        /// The values of its inputs.
        #[serde(default)]
        inputs: BTreeMap<String, Value>,
    },
    /// Stop executing until the run is resumed.
    Pause,
    /// Continue a paused run.
    Resume,
    /// End the run.
    Cancel {
        /// The reason, for the record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Answer a question.
    Answer {
        /// The answer. If the question asks for a secret, the answer is stored among the secrets of the run and never
        /// in the journal.
        text: String,
    },
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// The text of the question.
    pub text: String,
    /// Whether the answer is a secret. A secret never reaches a model.
    #[serde(default)]
    pub secret: bool,
    /// The answers from which a person chooses. Empty: the answer is any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether only the options are answers. Otherwise they are suggestions, and any other text is an answer as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Question {
    /// A question whose answer is any text.
    pub fn open(text: impl Into<String>) -> Question {
        Question { text: text.into(), secret: false, options: Vec::new(), closed: false }
    }

    /// A question with these answers, and no others.
    pub fn choice<const N: usize>(text: impl Into<String>, options: [&str; N]) -> Question {
        Question { options: options.map(str::to_owned).into(), closed: true, ..Question::open(text) }
    }

    /// The answer that a text gives. If only the options are answers, it is one of them, in upper or lower case, or the
    /// only one that begins so (`y`); `None` if it is none.
    pub fn answer_of(&self, text: &str) -> Option<String> {
        if !self.closed {
            return Some(text.to_owned());
        }
        let given = text.trim().to_lowercase();
        let is_given = |option: &&String| option.to_lowercase() == given;
        let mut begins_so = self.options.iter().filter(|option| option.to_lowercase().starts_with(&given));
        let only = begins_so.next().filter(|_| !given.is_empty() && begins_so.next().is_none());
        self.options.iter().find(is_given).or(only).cloned()
    }

    /// A question whose text ends with the answers to choose from, for places that show only the text.
    pub fn listing(text: impl Into<String>, options: Vec<String>) -> Question {
        let text = text.into();
        let text = if options.is_empty() { text } else { format!("{text} ({})", options.join(" / ")) };
        Question { options, ..Question::open(text) }
    }

    /// Whether another question asks for the same. Journals of earlier versions have no options.
    pub fn is_same_as(&self, other: &Question) -> bool {
        (&self.text, self.secret) == (&other.text, other.secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_question_refuses_what_is_no_option() {
        let asked = Question::choice("Was it done?", ["done", "not done"]);
        assert_eq!(asked.answer_of(" Not Done ").as_deref(), Some("not done"));
        assert_eq!(asked.answer_of("d").as_deref(), Some("done"));
        assert_eq!((asked.answer_of("maybe"), asked.answer_of(" ")), (None, None));
        let listed = Question { options: vec!["Oslo".to_owned()], ..Question::open("Which city?") };
        assert_eq!(listed.answer_of("Bergen").as_deref(), Some("Bergen"));
    }
}
