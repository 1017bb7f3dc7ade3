//! The identity of an element: what names it again on a later page, after its ref is gone. The agent records it with
//! each action; a playbook contains it, and a replay compares it with the live page.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The elements of an action as a playbook identifies them, and how a replay found them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ActionIdentity {
    /// The elements by the parameter that names them: `target`, `to`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, ElementIdentity>,
    /// The clause of the step that the action belongs to, from 0, if the words of the step decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<usize>,
    /// What a model entered or chose because it had read it on a page. Another run may have to enter something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_text: Option<String>,
    /// In a replay: how well the element agrees with the recorded one, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// In a replay: the reason why the recorded action could not be used, if this action replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub healed: Option<String>,
}

impl ActionIdentity {
    /// Whether it states nothing.
    pub fn is_empty(&self) -> bool {
        *self == ActionIdentity::default()
    }
}

/// What identifies an element. It contains no values of fields, except those that share a word with the instruction
/// (`about`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ElementIdentity {
    /// The ARIA role.
    pub role: String,
    /// The accessible name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its position among the elements with the same role and name, from 1.
    pub ordinal: usize,
    /// The number of elements with the same role and name.
    pub count: usize,
    /// The rows, items and cards that contain it and whose texts distinguish them from their siblings, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub containers: Vec<ContainerIdentity>,
    /// The nearest dialog, form or landmark with its name: `dialog "Edit"`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The frames that contain it, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
    /// The attributes that are likely to stay the same: `id`, `name`, `testId`, `href` (without query), `type`,
    /// `placeholder`, `tag`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// The texts before it, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The texts after it, nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// The roles of its ancestors, nearest first: the structural fingerprint.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shape: Vec<String>,
    /// Whether it is a field for a password or another secret.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// The texts and values of the page around it that share a word with the instruction, if it is the only element of
    /// its name: the record that the page or dialog is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
    /// The state that a click inverts (`checked`, `pressed`, `expanded`), or `filled` for a field whose text typing
    /// continues, as it was before; empty for none of them.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub state: String,
}

impl ElementIdentity {
    /// The element in words: `button "Save"`.
    pub fn describe(&self) -> String {
        let mut words = if self.name.is_empty() { self.role.clone() } else { format!("{} {:?}", self.role, self.name) };
        match self.containers.first() {
            Some(container) if container.is_of_loop() => words += " (in the row of the loop)",
            Some(container) => words += &format!(" ({} {:?})", container.role, container.describe()),
            None => {}
        }
        words
    }

    /// Whether the element is identified within the row of a loop.
    pub fn is_in_row_of_loop(&self) -> bool {
        self.containers.iter().any(ContainerIdentity::is_of_loop)
    }
}

/// A part of the page that contains an element and whose text distinguishes it from similar parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerIdentity {
    /// The ARIA role; `text before`, `text after` or `text around` if the page has no element for the part.
    pub role: String,
    /// The texts by which a person names the part: those that share a word with the instruction, otherwise the first
    /// one with a word that only this part contains. Another part with the same words otherwise is another thing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The number of the cell that contains the first name, from 0, if an input stands for it: another cell may contain
    /// the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The words that only this part contains, in order. None for the row of a loop, which the loop determines.
    pub keys: Vec<String>,
}

impl ContainerIdentity {
    /// Whether it is the row of a loop.
    pub fn is_of_loop(&self) -> bool {
        self.keys.is_empty() && self.names.is_empty()
    }

    /// Its texts in a description.
    fn describe(&self) -> String {
        if self.names.is_empty() { self.keys.join(" ") } else { self.names.join(", ") }
    }
}
