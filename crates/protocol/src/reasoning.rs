//! What the agent records between two actions: phases, investigations, plans, reflections, reviews and lessons.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A phase of the agent loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// A step or task begins.
    Initializing,
    /// The page is observed and the prompt is generated.
    GeneratingPrompt,
    /// A model is called.
    QueryingAi,
    /// The reply is parsed, checked and repaired.
    ProcessingResponse,
    /// The page is investigated before the next decision.
    Investigating,
    /// First phase of an investigation: a description of the page.
    InitialAssessment,
    /// Second phase: read-only tools examine parts of the page.
    FocusedExploration,
    /// Third phase: the model names the element to act on, and code verifies that exactly one actionable element
    /// matches.
    SelectorDetermination,
    /// The findings are added to the prompt.
    BuildingContext,
    /// Actions are executed.
    ExecutingCommands,
    /// A model reflects on an uncertain decision or a failed action.
    Reflecting,
    /// The result is checked against the expectation.
    Validating,
    /// The step or task succeeded.
    Completed,
    /// The step or task failed.
    Failed,
}

/// A read-only tool of an investigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// A vision model describes a screenshot of the page.
    Look,
    /// The text of a part of the page.
    Read,
    /// The HTML of the whole page, stored as an artifact.
    Dom,
    /// The HTML of a part of the page.
    Subdom,
    /// A search in the observation, without a model.
    Find,
}

/// How an investigation found an element. In each case, code verified that it is exactly one that can be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiscoveryMethod {
    /// The model named it from the observation, before any tool was used.
    Assessment,
    /// The model named it after it had used tools.
    Exploration,
    /// The decision that was investigated had named it, and the investigation named no other one.
    GivenTarget,
}

/// The findings of an investigation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Findings {
    /// The purpose of the page and its important parts, in one or two sentences.
    pub insight: String,
    /// The element to act on, if code verified that exactly one actionable element matches.
    pub target: Option<String>,
    /// Confidence of the model, 0 to 1.
    pub confidence: f64,
    /// Number of rounds of tools.
    pub rounds: u32,
    /// Whether the investigation ended because of its limit of time or rounds. The findings are then partial.
    pub partial: bool,
}

/// The possible damage of a wrong decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Risk {
    /// None: another action can undo it.
    #[default]
    Low,
    /// Some damage.
    Medium,
    /// The decision cannot be undone.
    High,
}

/// A reflection on an uncertain decision or a failed action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    /// The reason for the reflection.
    pub cause: String,
    /// The verdict.
    pub verdict: crate::Verdict,
    /// The reasons for the verdict.
    pub thought: String,
    /// The possible damage of continuing.
    pub risk: Risk,
}

/// The plan of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Plan {
    /// The criteria that show that the task is done.
    pub success_criteria: String,
    /// The plan as text.
    pub plan: String,
    /// The actions to take, in order.
    pub action_items: Vec<String>,
    /// The URL to start at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_url: Option<String>,
    /// Number of revisions.
    pub revision: u32,
}

/// The quality of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// The answer does not fulfil the task.
    Failed,
    /// A part of the answer is missing.
    Partial,
    /// The answer fulfils the task.
    Complete,
    /// The answer fulfils the task and needs no improvement.
    Excellent,
}

/// The review of an answer against the criteria of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The quality of the answer.
    pub quality: Quality,
    /// What is missing, or why the answer is good.
    pub feedback: String,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}

/// The kind of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonKind {
    /// An important element: its role, its name and its purpose.
    ElementDiscovery,
    /// The purpose of a page and where it leads.
    PageInsight,
    /// A value that is worth saving.
    VariableExtraction,
    /// What worked or did not work for a kind of step.
    PatternLearning,
    /// The investigation tool that led to a result.
    InvestigationPreference,
}

/// A lesson about a site and a kind of step. It persists across runs; its trust depends on how often it helped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lesson {
    /// The kind of the lesson.
    pub kind: LessonKind,
    /// The origin of the site on which it was learned.
    pub site: String,
    /// The kind of step: the instruction without its values; empty for all steps.
    #[serde(default)]
    pub pattern: String,
    /// The key of the lesson among the lessons of the same kind and site, such as `button "Sign in"`.
    pub key: String,
    /// The lesson as text; never contains a secret.
    pub text: String,
    /// Structured details.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// How often the lesson helped.
    pub successes: u32,
    /// How often the lesson did not help.
    pub failures: u32,
}
