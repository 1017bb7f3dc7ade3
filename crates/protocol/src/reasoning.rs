//! What the agent thinks between two actions, told in events: phases, investigation, plan, reflection, review, lessons.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where the loop is (contract §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// A step or task begins.
    Initializing,
    /// The page is looked at and the prompt is made.
    GeneratingPrompt,
    /// A model is asked.
    QueryingAi,
    /// Its reply is read, checked and repaired.
    ProcessingResponse,
    /// The page is being investigated before anything is done.
    Investigating,
    /// First phase of an investigation: what the page is.
    InitialAssessment,
    /// Second phase: read-only tools look closer.
    FocusedExploration,
    /// Third phase: exactly one actionable element is named, and code checks that.
    SelectorDetermination,
    /// What was found is made part of the prompt.
    BuildingContext,
    /// Actions are carried out.
    ExecutingCommands,
    /// A doubtful decision or a failed action is thought over.
    Reflecting,
    /// The result is checked against what was expected.
    Validating,
    /// Ended well.
    Completed,
    /// Ended otherwise.
    Failed,
}

/// A read-only tool of an investigation (000's four, and `find`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// A vision model describes a picture of the page (SCREENSHOT_ANALYSIS).
    Look,
    /// The text of a part of the page (TEXT_EXTRACTION).
    Read,
    /// The page's whole source, out of band (FULL_DOM_RETRIEVAL).
    Dom,
    /// A part of the page in full (SUB_DOM_EXTRACTION).
    Subdom,
    /// The observation searched, without a model.
    Find,
}

/// What an investigation came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Findings {
    /// What the page is and what on it matters, in a sentence or two.
    pub insight: String,
    /// The element to act on, when code found it to be exactly one that can be acted on.
    pub target: Option<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Rounds of tools it took.
    pub rounds: u32,
    /// Whether time or rounds ran out before it was sure: these are partial results.
    pub partial: bool,
}

/// How much harm a wrong decision would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Risk {
    /// None that another action does not undo.
    #[default]
    Low,
    /// Some.
    Medium,
    /// It cannot be undone.
    High,
}

/// A doubtful decision or a failed action, thought over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    /// What set it off, in words.
    pub cause: String,
    /// What it came to.
    pub verdict: crate::Verdict,
    /// Why.
    pub thought: String,
    /// How much harm going on would do.
    pub risk: Risk,
}

/// How a task is to be done (004).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Plan {
    /// What shows that the task is done.
    pub success_criteria: String,
    /// The plan in words.
    pub plan: String,
    /// What to do, in order.
    pub action_items: Vec<String>,
    /// Where to begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_url: Option<String>,
    /// How often it was revised.
    pub revision: u32,
}

/// How good an answer is (004).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// It does not do what was asked.
    Failed,
    /// A part is missing.
    Partial,
    /// It does what was asked.
    Complete,
    /// Nothing could be better.
    Excellent,
}

/// An answer checked against the plan's criteria.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// How good it is.
    pub quality: Quality,
    /// What is missing, or why it is good.
    pub feedback: String,
    /// Which try it was, from 1.
    pub attempt: u32,
}

/// The kind of a lesson (contract §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonKind {
    /// An element that matters: its role, its name, what it is for.
    ElementDiscovery,
    /// What a page is and how it is left.
    PageInsight,
    /// A value worth keeping.
    VariableExtraction,
    /// What worked, or did not, for a kind of step.
    PatternLearning,
    /// Which tool of investigation led to something.
    InvestigationPreference,
}

/// Something learned, by site and kind of step; kept across runs and trusted as far as it proved itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lesson {
    /// What kind.
    pub kind: LessonKind,
    /// The origin it was learned on.
    pub site: String,
    /// The kind of step it is for: its words without values; empty for all.
    #[serde(default)]
    pub pattern: String,
    /// What identifies it among its kind on its site, such as `button "Sign in"`.
    pub key: String,
    /// What was learned, in words; never a secret.
    pub text: String,
    /// Details for programs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// How often it helped.
    pub successes: u32,
    /// How often it did not.
    pub failures: u32,
}
