//! The schema of a decision: generates the JSON Schema for the model and parses the model's reply.
//!
//! [`wire`] returns the schema that is sent: small, and as strict providers require it. [`full`] returns the documented
//! one. [`read`] accepts any reply: it repairs what is unambiguous, knows the aliases of fields, and rejects the rest
//! with one [`SchemaProblem`] per field.

mod cache;
mod generate;
mod line;
mod normalise;
mod object;
mod problem;
mod read;
mod repair;
mod safe;
mod strict;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use cache::{full, wire};
pub use generate::{command_schemas, shape, summary};
pub(crate) use object::{Fields, object};
pub use problem::SchemaProblem;
pub use read::{ParsedDecision, read, validate};
pub(crate) use {
    repair::{MAX_REPLY_BYTES, parse_with},
    safe::{check as check_action, is_path},
    strict::normalised,
};

/// The version of the decision's schema. It changes with every change that affects replies.
pub const VERSION: &str = "1.0";

/// The name of the schema for providers.
pub const NAME: &str = "decision";

/// How to handle fields that are not in the schema. The parameters of a command are always strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// They are rejected, and so is a missing confidence.
    Strict,
    /// They are ignored.
    #[default]
    Lenient,
}

/// The form in which a reply is requested. The parser accepts every form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The complete decision, field by field.
    #[default]
    Full,
    /// `{"why": …, "do": "click e5", "confidence": …}`: a tenth of the tokens, in the request and in the reply.
    Line,
}

/// The options of a decision's schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SchemaOptions {
    /// Whether to include `resultValidation`, `alternatives`, `context` and all optional parameters.
    pub include_optional_fields: bool,
    /// Whether `reasoning` is required.
    pub require_reasoning: bool,
    /// How to handle unknown fields.
    pub mode: Mode,
    /// The form in which a reply is requested.
    pub form: Form,
    /// The maximum number of commands in a reply. With 1 the field is `command`, otherwise `commands`.
    pub max_commands: usize,
    /// Whether `look` is offered, because a model accepts images.
    pub vision: bool,
    /// The user's tools, offered as `call`. They can differ in every run.
    #[serde(skip)]
    pub tools: Arc<[ToolOffer]>,
}

/// A tool of the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolOffer {
    /// The name: letters, digits, `_` and `-`.
    pub name: String,
    /// The description, one sentence.
    pub about: String,
    /// The JSON Schema of its arguments, serialized.
    pub parameters: String,
}

impl Default for SchemaOptions {
    fn default() -> Self {
        SchemaOptions {
            include_optional_fields: false,
            require_reasoning: true,
            mode: Mode::Lenient,
            form: Form::Full,
            max_commands: 1,
            vision: false,
            tools: Arc::new([]),
        }
    }
}
