//! What a policy decided about an action, and where the values of the action come from.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The origin of a value that an action carries into the browser or to a tool. As text: `user`, `secret`,
/// `page:https://shop.example`, `tool:NAME`, `model`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Provenance {
    /// The user wrote it: in the task, the workflow, an input, a flag, or an answer.
    User,
    /// It is a secret.
    Secret,
    /// It was read from a page of this origin. The origin is empty if it is not on record.
    Page(String),
    /// The tool with this name returned it.
    Tool(String),
    /// A model invented it.
    Model,
}

/// A text that names no origin of a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not an origin of a value; write user, secret, page:ORIGIN, tool:NAME or model")]
pub struct InvalidProvenance(pub String);

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Provenance::User => f.write_str("user"),
            Provenance::Secret => f.write_str("secret"),
            Provenance::Page(origin) => write!(f, "page:{origin}"),
            Provenance::Tool(name) => write!(f, "tool:{name}"),
            Provenance::Model => f.write_str("model"),
        }
    }
}

impl FromStr for Provenance {
    type Err = InvalidProvenance;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split_once(':') {
            None if text == "user" => Provenance::User,
            None if text == "secret" => Provenance::Secret,
            None if text == "model" => Provenance::Model,
            Some(("page", origin)) => Provenance::Page(origin.to_owned()),
            Some(("tool", name)) if !name.is_empty() => Provenance::Tool(name.to_owned()),
            _ => return Err(InvalidProvenance(text.to_owned())),
        })
    }
}

impl TryFrom<String> for Provenance {
    type Error = InvalidProvenance;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Provenance> for String {
    fn from(provenance: Provenance) -> String {
        provenance.to_string()
    }
}

/// What a rule does with the actions that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolicyEffect {
    /// The action is executed.
    Allow,
    /// A person is asked. Without a person, the action is refused.
    Ask,
    /// The action is refused.
    Deny,
}

impl PolicyEffect {
    /// The name in policy files and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            PolicyEffect::Allow => "allow",
            PolicyEffect::Ask => "ask",
            PolicyEffect::Deny => "deny",
        }
    }
}

/// The decision of a policy about one action, with the rule that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyDecision {
    /// The name of the action.
    pub action: String,
    /// What the rule says.
    pub effect: PolicyEffect,
    /// The rule: `default:write-site`, or the file and the line of a rule with its name.
    pub rule: String,
    /// Why the rule says so.
    pub reason: String,
    /// Where the values of the action come from, without duplicates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provenance: Vec<Provenance>,
    /// For `ask`: whether a person approved this one action. Absent if nobody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_of_a_value_is_read_as_it_is_written() {
        let all = ["user", "secret", "page:https://shop.example", "page:", "tool:notes", "model"];
        for text in all {
            assert_eq!(text.parse::<Provenance>().unwrap().to_string(), text);
        }
        for text in ["", "User", "page", "tool:", "tool", "site:x"] {
            assert_eq!(text.parse::<Provenance>(), Err(InvalidProvenance(text.to_owned())));
        }
    }
}
