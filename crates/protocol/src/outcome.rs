//! The outcomes of tasks, steps and runs, and the evidence for them.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DecidedBy, ErrorReport, Expansion, Usage, millis};

/// The status with which a task, step or run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The goal was reached. [`Validation`] states whether evidence shows it.
    Success,
    /// The goal was not reached.
    Failure,
    /// An error in the browser, the model, the settings or a budget.
    Error,
    /// A person cancelled it.
    Cancelled,
    /// It waits for a person.
    Parked,
    /// The condition of the step did not hold, or the element of an optional step was not there. Only steps have this
    /// status.
    Skipped,
}

impl Status {
    /// The name on the wire.
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

/// To what extent a claim of success was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Validation {
    /// Evidence supports the claim.
    Validated,
    /// The claim was not checked.
    #[default]
    Unvalidated,
    /// Evidence contradicts the claim.
    Rejected,
}

impl Validation {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Validation::Validated => "validated",
            Validation::Unvalidated => "unvalidated",
            Validation::Rejected => "rejected",
        }
    }
}

/// A budget whose exhaustion ended a run. Each is a separate exit reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Turns of a step or task.
    Iterations,
    /// Executed actions of the whole run (`--max-actions`). Journals of older versions call it `steps`.
    #[serde(alias = "steps")]
    Actions,
    /// Model tokens.
    Tokens,
    /// US dollars.
    Cost,
    /// Duration of the run.
    Time,
    /// Failed actions and unusable replies.
    Errors,
}

/// The kind of a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// The URL of the page.
    Url,
    /// The title of the page.
    Title,
    /// A text on the page.
    Text,
    /// The state or value of an element.
    Element,
    /// An HTTP response.
    Response,
    /// A file that was downloaded.
    Download,
    /// A dialog that was answered.
    Dialog,
    /// The value of a variable.
    Variable,
    /// A tab that opened or closed.
    Tab,
}

/// Whether a fact supports the success of its step. docs/evidence.md lists the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// The fact shows that the action had its effect.
    #[default]
    Supporting,
    /// The fact shows that the action was refused or had another effect. It prevents success.
    Contradicting,
    /// The fact would also be true without the action, or has no relation to it.
    Neutral,
}

impl Polarity {
    /// The name on the wire.
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

/// A fact that code observed; a model's claim is never evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The kind of the fact.
    pub kind: EvidenceKind,
    /// The fact as a sentence: `the address is http://…/welcome`.
    pub fact: String,
    /// Whether the workflow requested the fact (`expect`, a check); otherwise it was observed incidentally.
    #[serde(default)]
    pub checked: bool,
    /// Whether the fact supports success; supporting when absent.
    #[serde(default, skip_serializing_if = "Polarity::is_default")]
    pub polarity: Polarity,
}

impl Evidence {
    /// A supporting fact that was observed incidentally.
    pub fn seen(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { kind, fact: fact.into(), checked: false, polarity: Polarity::Supporting }
    }

    /// A supporting fact that the workflow requested.
    pub fn checked(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { checked: true, ..Evidence::seen(kind, fact) }
    }

    /// An incidental fact that contradicts success.
    pub fn contradicting(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { polarity: Polarity::Contradicting, ..Evidence::seen(kind, fact) }
    }

    /// An incidental fact that neither supports nor contradicts success.
    pub fn neutral(kind: EvidenceKind, fact: impl Into<String>) -> Self {
        Evidence { polarity: Polarity::Neutral, ..Evidence::seen(kind, fact) }
    }
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepResult {
    /// The index of the step, from 0.
    pub index: usize,
    /// The instruction as the author wrote it.
    pub text: String,
    /// The status of the step.
    pub status: Status,
    /// To what extent the success was checked.
    #[serde(default)]
    pub validation: Validation,
    /// The decider of the last action; absent when there was no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decider: Option<DecidedBy>,
    /// Number of turns.
    pub iterations: u32,
    /// The facts that were observed.
    pub evidence: Vec<Evidence>,
    /// Duration of the step.
    #[serde(with = "millis", rename = "durationMs")]
    #[schemars(with = "u64")]
    pub duration: Duration,
    /// The message of the model, or the reason why the step was skipped.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The page at the end; absent when the page was not observed after the last action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_page: Option<FinalPage>,
    /// What the step expanded to, if it is a group of steps. These steps follow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<Expansion>,
    /// The error, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}

/// The page at the end of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalPage {
    /// The URL.
    pub url: String,
    /// The title.
    pub title: String,
    /// A fingerprint of the content, as in `PAGE_OBSERVED`, whose event refers to the stored text.
    pub fingerprint: String,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The status of the run.
    pub status: Status,
    /// To what extent the success was checked.
    #[serde(default)]
    pub validation: Validation,
    /// The answer, if the run is a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The variables at the end of the run; secrets are handles.
    pub variables: BTreeMap<String, Value>,
    /// Tokens and cost of the model calls.
    pub usage: Usage,
    /// The budget that ended the run, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// The error, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
}
