//! How a task, step or run ended, and the facts that show it.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DecidedBy, ErrorReport, Usage, millis};

/// How something ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Done, with evidence or as `unvalidated`.
    Success,
    /// The goal was not reached.
    Failure,
    /// Something broke: browser, model, settings, a budget.
    Error,
    /// A person stopped it.
    Cancelled,
    /// Waits for a person.
    Parked,
    /// Its condition did not hold. Steps only.
    Skipped,
}

impl Status {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Status::Success => "success",
            Status::Failure => "failure",
            Status::Error => "error",
            Status::Cancelled => "cancelled",
            Status::Parked => "parked",
            Status::Skipped => "skipped",
        }
    }
}

/// How far a claim of success was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Validation {
    /// Evidence shows it.
    Validated,
    /// Nobody checked.
    #[default]
    Unvalidated,
    /// Evidence speaks against it.
    Rejected,
}

impl Validation {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Validation::Validated => "validated",
            Validation::Unvalidated => "unvalidated",
            Validation::Rejected => "rejected",
        }
    }
}

/// A cap that ended a run; each is an exit reason of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Turns of a step or task.
    Iterations,
    /// Steps of the whole run (`--max-actions`): actions carried out.
    Steps,
    /// Model tokens.
    Tokens,
    /// US dollars.
    Cost,
    /// Time of the run.
    Time,
    /// Failed actions and unusable replies.
    Errors,
}

/// The kind of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// The page's address.
    Url,
    /// The page's title.
    Title,
    /// A text on the page.
    Text,
    /// The state or value of an element.
    Element,
    /// An HTTP response.
    Response,
    /// A file that arrived.
    Download,
    /// A dialog that was answered.
    Dialog,
    /// A variable's value.
    Variable,
    /// A tab that opened or closed.
    Tab,
}

/// Which way a fact points for the step that it was observed in. docs/evidence.md lists the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// It shows that the action had its effect.
    #[default]
    Supporting,
    /// It shows that the action was refused or had another effect. It prevents success.
    Contradicting,
    /// It would have happened anyway, or says nothing about the action.
    Neutral,
}

impl Polarity {
    /// As on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Polarity::Supporting => "supporting",
            Polarity::Contradicting => "contradicting",
            Polarity::Neutral => "neutral",
        }
    }

    fn is_default(&self) -> bool {
        *self == Polarity::default()
    }
}

/// A fact observed by code, not claimed by a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// What kind of fact.
    pub kind: EvidenceKind,
    /// The fact in words: `the address is http://…/welcome`.
    pub fact: String,
    /// Whether it was asked for (`expect`, a check) rather than noted in passing.
    #[serde(default)]
    pub checked: bool,
    /// Which way it points; supporting when absent.
    #[serde(default, skip_serializing_if = "Polarity::is_default")]
    pub polarity: Polarity,
}

impl Evidence {
    /// A supporting fact noted in passing.
    pub fn seen(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { kind, fact: fact.into(), checked: false, polarity: Polarity::Supporting }
    }

    /// A supporting fact that was asked for.
    pub fn checked(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { checked: true, ..Evidence::seen(kind, fact) }
    }

    /// A fact noted in passing that speaks against success.
    pub fn contradicting(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { polarity: Polarity::Contradicting, ..Evidence::seen(kind, fact) }
    }

    /// A fact noted in passing that says nothing either way.
    pub fn neutral(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { polarity: Polarity::Neutral, ..Evidence::seen(kind, fact) }
    }
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// From 0.
    pub index: usize,
    /// The instruction as written.
    pub text: String,
    /// How it ended.
    pub status: Status,
    /// How far success was checked.
    #[serde(default)]
    pub validation: Validation,
    /// Who decided the last action; absent when nothing was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decider: Option<DecidedBy>,
    /// Turns taken.
    pub iterations: u32,
    /// The facts that show it.
    pub evidence: Vec<Evidence>,
    /// From its start to its end.
    #[serde(with = "millis", rename = "durationMs")]
    #[schemars(with = "u64")]
    pub duration: Duration,
    /// The model's words, or why it was skipped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The page at the end; absent when it was not looked at after the last action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_page: Option<FinalPage>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}

/// A page at the end of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalPage {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// A fingerprint of what it shows, as in `PAGE_OBSERVED`: the text seen with it is kept there.
    pub fingerprint: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// How far success was checked.
    #[serde(default)]
    pub validation: Validation,
    /// The answer of a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the run knows at the end; secrets are handles.
    pub variables: BTreeMap<String, Value>,
    /// Model use.
    pub usage: Usage,
    /// Which cap ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}
