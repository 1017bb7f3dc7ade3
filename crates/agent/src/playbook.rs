//! Playbooks: the actions of a successful run with the identities of their elements, so that the same workflow runs
//! again without a model.
//!
//! [`record`] folds a playbook from the events of a run. A replay compares each recorded action with the live page
//! ([`PlaybookAction::resolve`]) before it acts, and with the recorded effect afterwards ([`ExpectedEffect`]). Which
//! decider takes over when one of these does not agree is decided in `task`. Pure; files are the matter of the runtime.

mod bound;
mod choice;
mod detours;
mod effect;
mod iterations;
mod parameters;
mod record;
mod resolve;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use legwork_protocol::{Action, DecidedBy, ElementIdentity, RunId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use choice::{alternative, names_part_of, names_text};
pub(crate) use effect::{Change, Observation, change};
pub use effect::{ExpectedEffect, ExpectedRequest};
pub(crate) use record::typed_text;
pub use record::{RecordingError, record, record_iterations};
pub(crate) use resolve::{LivePage, Unidentified, certain, state_before};
pub(crate) use targets::{needs_identity, targets, with_targets};

/// The format of playbooks that this version writes and reads. Those of format 1 contain values of inputs as words of
/// rows and do not say so, so that they could act on the row of another value; those of format 2 have no names of rows,
/// and repeat what the content of a page decided.
pub const PLAYBOOK_FORMAT: u32 = 3;

/// The recorded steps of a workflow on a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Playbook {
    /// [`PLAYBOOK_FORMAT`] of the version that wrote it.
    pub format: u32,
    /// The name of the workflow.
    pub name: String,
    /// The hash of the workflow's content; assigned when it is stored.
    #[serde(default)]
    pub workflow: String,
    /// The origin of the site on which it begins: `https://shop.example`.
    pub site: String,
    /// The version, from 1; assigned when it is stored.
    #[serde(default)]
    pub version: u32,
    /// The run from which it was recorded.
    pub run: RunId,
    /// The inputs and variables whose values it needs.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub parameters: BTreeSet<String>,
    /// The secrets that it types, by name.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub secrets: BTreeSet<String>,
    /// The steps of the workflow, in order. The steps of a group follow it: those of `then` before those of `else`.
    pub steps: Vec<PlaybookStep>,
}

/// A step of a playbook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaybookStep {
    /// The instruction of the step; its passwords are masked.
    pub text: String,
    /// Its actions. If there are none, the step is executed as if there were no playbook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<PlaybookAction>,
    /// The supporting evidence of the step in the recorded run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// Why the step has no actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<OmittedStep>,
}

/// Why a step has no recorded actions.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum OmittedStep {
    /// The step was skipped.
    #[error("it was skipped")]
    Skipped,
    /// The step needed no action.
    #[error("it needed no action")]
    NoAction,
    /// The run did not reach it: it is in another branch, or in a loop without rows.
    #[error("the run did not reach it")]
    NotReached,
    /// It is a group of steps.
    #[error("it is a condition or loop, which each run evaluates on the page")]
    Group,
    /// The actions of a loop have nothing in common that identifies them for another row.
    #[error("the rows of the loop needed different actions")]
    RowsDiffer,
    /// The words of a step in a loop let the row decide.
    #[error("its words let each row decide")]
    Conditional,
    /// A text was typed, or an element was named so, in the only row or in all of them, and it is not known whether the
    /// text belongs to the row.
    #[error(
        "it is not known whether {text:?} belongs to the row of the loop: there was one row, or it was the same in all of them"
    )]
    OneRow {
        /// The text.
        text: String,
    },
    /// It is not known whether one of its actions was executed.
    #[error("the outcome of an action is unknown: {action}")]
    UnknownOutcome {
        /// The action in words.
        action: String,
    },
    /// A person answered a question in it.
    #[error("a person answered a question in it")]
    Question,
    /// An action gives another result each time, which a model or a tool determines.
    #[error("`{action}` needs a model or a tool each time")]
    NeedsModel {
        /// The name of the action.
        action: String,
    },
    /// An element has nothing that identifies it again.
    #[error("{target} has nothing that identifies it again ({action})")]
    NoIdentity {
        /// The target in the run.
        target: String,
        /// The action in words.
        action: String,
    },
    /// A password or a one-time code was typed that is no secret of the run.
    #[error("a password or a one-time code was typed as plain text; use `${{secret:NAME}}`")]
    PlainSecret,
    /// A model entered or chose a text that it had read on a page, so that another run may need another one.
    #[error("the model entered or chose {text:?}, which it had read on a page")]
    ReadOnPage {
        /// The text.
        text: String,
    },
    /// It is not known which parameter a value stands for.
    #[error("it is not known which parameter was typed: {names}")]
    AmbiguousValue {
        /// The parameters that have the value.
        names: String,
    },
}

/// A recorded action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaybookAction {
    /// The action. Values of inputs and variables are `${name}`, secrets `${secret:NAME}`; a target with an entry in
    /// `elements` is only a description.
    pub action: Action,
    /// Who decided on it.
    pub decider: DecidedBy,
    /// Its elements by parameter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, ElementIdentity>,
    /// Digests of the values of variables with which it may be repeated, by name. It depends on them in a way that the
    /// record does not contain; with another value, it is decided again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bound: BTreeMap<String, String>,
    /// The fingerprint of the page on which a model decided, if the words of the step let the content of the page
    /// decide (`the highest balance`). On another page, it is decided again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_on: Option<String>,
    /// The clause of the step that it belongs to, from 0, if the words of the step decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<usize>,
    /// The page on which it was executed, as a pattern: `https://shop.example/orders/*`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
    /// The effect that it had.
    #[serde(default)]
    pub effect: ExpectedEffect,
}

/// The pattern of an address: without the query, and with `*` for each part of the path that is an id. `None` if the
/// address is not one of a site.
pub fn page_pattern(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let parts: Vec<&str> = url.path().split('/').map(|part| if is_id(part) { "*" } else { part }).collect();
    // The route of a single-page application.
    let route = url.fragment().filter(|fragment| fragment.starts_with(['/', '!']));
    let route = route.map(|route| {
        let route = route.split('?').next().unwrap_or_default();
        let parts: Vec<&str> = route.split('/').map(|part| if is_id(part) { "*" } else { part }).collect();
        format!("#{}", parts.join("/"))
    });
    Some(format!("{}{}{}", url.origin().ascii_serialization(), parts.join("/"), route.unwrap_or_default()))
}

/// The origin of an address of a site.
pub fn site_of(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}

/// Whether a part of a path is an id: a number, a UUID or a hash.
fn is_id(part: &str) -> bool {
    let digits = part.chars().filter(char::is_ascii_digit).count();
    let hex = part.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    !part.is_empty() && (digits == part.len() || digits > 0 && hex && part.len() >= 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_a_path_become_a_wildcard() {
        let pattern = |address: &str| page_pattern(address).unwrap_or_default();
        assert_eq!(pattern("https://a.test/orders/17/edit?tab=2#top"), "https://a.test/orders/*/edit");
        assert_eq!(pattern("http://127.0.0.1:80/x/3f2a9c81-11aa-4bcd-8e1f-000000000001"), "http://127.0.0.1/x/*");
        assert_eq!(pattern("https://a.test/app#/users/4?x=1"), "https://a.test/app#/users/*");
        assert_eq!(pattern("https://a.test/2fa/setup"), "https://a.test/2fa/setup");
        assert_eq!(page_pattern("about:blank"), None);
    }
}
