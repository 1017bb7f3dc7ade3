//! The arguments of exact assertions and of highlights.

use clap::{Args, Subcommand};
use legwork_protocol::Target;
use legwork_verbs::{PageCommand, Verify};

#[derive(Debug, Subcommand)]
pub(crate) enum VerifyArgs {
    /// Assert that a text is shown
    Text {
        /// The text
        text: String,
    },
    /// Assert that an element with a role is shown
    Element {
        /// Its role, as in a snapshot
        role: String,
        /// A part of its name
        name: String,
    },
    /// Assert that an element contains these texts
    List {
        /// The element
        target: String,
        /// The texts
        #[arg(required = true)]
        items: Vec<String>,
    },
    /// Assert that a field has a value
    Value {
        /// The field
        target: String,
        /// The value; true or false for a check box or radio button
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
}

impl VerifyArgs {
    pub(super) fn verb(self) -> PageCommand {
        PageCommand::Verify(match self {
            VerifyArgs::Text { text } => Verify::Text { text },
            VerifyArgs::Element { role, name } => Verify::Element { role, name },
            VerifyArgs::List { target, items } => Verify::List { target: Target(target), items },
            VerifyArgs::Value { target, value } => Verify::Value { target: Target(target), value, kind: None },
        })
    }
}

/// `legwork highlight`.
#[derive(Debug, Args)]
pub(crate) struct HighlightArgs {
    /// The element
    #[arg(required_unless_present = "off")]
    target: Option<String>,
    /// CSS for the box, such as `outline: 2px dashed red`
    #[arg(long, conflicts_with = "off")]
    style: Option<String>,
    /// Remove the box of the element, or all boxes
    #[arg(long)]
    off: bool,
}

impl HighlightArgs {
    pub(super) fn verb(self) -> PageCommand {
        match self.target.map(Target) {
            Some(target) if !self.off => PageCommand::Highlight { target, style: self.style },
            target => PageCommand::Unhighlight { target },
        }
    }
}
