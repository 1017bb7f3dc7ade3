//! The shape of a decision (contract §3): its JSON Schema for the model, and reading what the model made of it.
//!
//! [`wire`] gives the schema that goes out, small and as strict providers want it; [`full`] the documented one.
//! [`read`] takes any reply: it mends what is surely meant, knows the seeds' other names, and refuses the rest with a
//! [`SchemaProblem`] for each field.

mod aliases;
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
pub use read::{Reading, read, validate};
pub(crate) use {
    repair::{MOST_BYTES, parse_with},
    safe::check as check_action,
    strict::normalised,
};

/// The version of the decision's shape. It changes with any change a reply could notice.
pub const VERSION: &str = "1.0";

/// The name under which providers get it.
pub const NAME: &str = "decision";

/// What is done about fields that the envelope does not have. A command's parameters are always strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Refused, as is a missing confidence.
    Strict,
    /// Left out.
    #[default]
    Lenient,
}

/// How a reply is asked for. Every form is understood, whichever was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The decision of contract §3, field by field.
    #[default]
    Full,
    /// `{"why": …, "do": "click e5", "confidence": …}`: a tenth of the tokens, in the request and in the reply.
    Line,
}

/// Which shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SchemaOptions {
    /// With `resultValidation`, `alternatives`, `context` and every optional parameter.
    pub include_optional_fields: bool,
    /// `reasoning` must be there.
    pub require_reasoning: bool,
    /// What is done about unknown fields.
    pub mode: Mode,
    /// How it is asked for.
    pub form: Form,
    /// The most commands a reply may carry. With 1 it is `command`, otherwise `commands`.
    pub max_commands: usize,
    /// `look` is offered: somebody can see.
    pub vision: bool,
    /// Tools that the user gave, offered as `call`. They come with each run anew.
    #[serde(skip)]
    pub tools: Arc<[ToolOffer]>,
}

/// A tool that the user gave.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToolOffer {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// The JSON Schema of its arguments, written out.
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
