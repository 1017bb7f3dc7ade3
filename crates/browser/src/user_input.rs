//! An input of a person, as the script in the page reports it and as a recording receives it.

use legwork_protocol::{Button, Modifier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of an input, with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum UserInputKind {
    /// A click.
    Click {
        /// Its number in a series of quick clicks at the same place.
        count: u32,
        /// The button.
        button: Button,
        /// The keys that were held.
        modifiers: Vec<Modifier>,
    },
    /// A check box or radio button was set.
    Check {
        /// Whether it is on.
        on: bool,
    },
    /// A field has a new value.
    Fill {
        /// The value; `None` if it belongs into no recording.
        text: Option<String>,
        /// What the field is for, if its value belongs into no recording.
        personal: Option<PersonalValue>,
        /// The value of such a field. It is reported only so that a recording can remove it where the page repeats it.
        #[serde(default)]
        concealed: Option<ConcealedText>,
    },
    /// Options of a list were chosen.
    Select {
        /// The labels of all chosen options.
        values: Vec<String>,
    },
    /// Files were chosen.
    Upload {
        /// Their names, or their paths where the browser reports them.
        files: Vec<String>,
    },
    /// A key or chord was pressed that is no text: `Enter`, `Control+S`.
    Press {
        /// The key.
        key: String,
    },
    /// The element was dragged onto another one.
    Drag,
    /// The person asked to record that this text is shown.
    Verify {
        /// The text.
        text: String,
    },
    /// The field that was filled in has lost the focus.
    Leave,
}

/// A text that appears in no output; its debug representation does not contain it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ConcealedText(String);

impl ConcealedText {
    /// Conceals a text.
    pub fn new(text: impl Into<String>) -> Self {
        ConcealedText(text.into())
    }

    /// The text.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ConcealedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ConcealedText")
    }
}

/// A kind of value that belongs into no recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PersonalValue {
    /// A password or one-time code.
    Secret,
    /// The number, expiry date or code of a payment card.
    Card,
}
