//! The limits and options of a run, as plain values. The composition root creates them from settings and flags.

use std::{sync::Arc, time::Duration};

use legwork_protocol::{Tool, View};
use serde::{Deserialize, Serialize};

use crate::{
    AdvisoryRules, EvidenceRule, MemoryRules,
    context::Compaction,
    playbook::Playbook,
    schema::{Form, SchemaOptions},
};

/// Which deciders a run uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeciderChoice {
    /// The parser of literal steps first. If it does not understand the step completely, the program's own decider, if
    /// there is one, and then the model, if there is one.
    #[default]
    Auto,
    /// Only the parser of literal steps.
    Literal,
    /// Only the program's own decider and the model; the parser is not used.
    Model,
}

/// A person's statement about an action whose result was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assumption {
    /// The action was executed.
    Done,
    /// The action was not executed.
    NotDone,
}

/// The rules of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Which deciders the run uses.
    pub decider: DeciderChoice,
    /// Whether the program has a decider of its own, which is called before the model.
    pub custom: bool,
    /// The options of model calls; absent when there is no model.
    pub model: Option<ModelRules>,
    /// The limits of the run.
    pub limits: Limits,
    /// The options of the observations that a model reads. Its `max_tokens` is lowered when the prompt's budget is
    /// smaller.
    pub view: View,
    /// The maximum number of tokens of a prompt, independent of the page.
    pub context_tokens: usize,
    /// The rules for plans, reflections and reviews.
    pub thinking: AdvisoryRules,
    /// What is remembered between steps and between runs.
    pub memory: MemoryRules,
    /// How a history that approaches its budget is shortened.
    pub compaction: Compaction,
    /// When and how a page is investigated before an action.
    pub investigation: InvestigationRules,
    /// How data is extracted from pages.
    pub extract: ExtractRules,
    /// Whether only a validated success counts as success.
    pub require_validated: bool,
    /// Whether the page is closed when the run ends. A field that still has the focus is blurred before that, as a
    /// person would leave it, because many pages validate or save its value only then.
    pub closes_page: bool,
    /// Whether the page was lent to the run, and its owner continues on it afterwards.
    pub is_lent_page: bool,
    /// For a resume: what a person stated about the one action whose result was lost.
    pub assume: Option<Assumption>,
    /// The playbook that is tried first.
    pub playbook: Option<Arc<Playbook>>,
    /// Whether an iteration of a loop repeats what a model decided in the iterations before it.
    pub repeats_iterations: bool,
    /// For a step such as `the second "Add"`: whether a replay looks for the recorded row instead of counting. Set if
    /// the caller named the playbook.
    pub prefers_recorded_row: bool,
    /// Rules of evidence that are switched off. Tests use this to prove that each rule is needed.
    pub disabled_evidence: Vec<EvidenceRule>,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            decider: DeciderChoice::Auto,
            custom: false,
            model: None,
            limits: Limits::default(),
            view: View::default(),
            context_tokens: 16_000,
            thinking: AdvisoryRules::default(),
            memory: MemoryRules::default(),
            compaction: Compaction::default(),
            investigation: InvestigationRules::default(),
            extract: ExtractRules::default(),
            require_validated: false,
            closes_page: false,
            is_lent_page: false,
            assume: None,
            playbook: None,
            repeats_iterations: false,
            prefers_recorded_row: false,
            disabled_evidence: Vec::new(),
        }
    }
}

/// The options of model calls.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRules {
    /// Whether the schema is sent with each request, for providers that enforce it. Otherwise the prompt describes the
    /// shape, and the schema is sent only after a reply did not match it.
    pub native_schema: bool,
    /// Whether the model accepts images.
    pub vision: bool,
    /// The maximum number of tokens of a reply.
    pub max_reply_tokens: u32,
    /// The price of the most expensive configured model; absent when one of the prices is not known.
    pub price: Option<TokenPrice>,
    /// If a cheap model decides first: the confidence, 0 to 1, below which the strong model is called instead. `None`:
    /// there is no cheap model.
    pub cheap_below: Option<f64>,
    /// The shape of a decision. Its `max_commands` is the maximum number of commands of a reply.
    pub schema: SchemaOptions,
}

impl Default for ModelRules {
    fn default() -> Self {
        let schema = SchemaOptions { form: Form::Line, ..SchemaOptions::default() };
        ModelRules {
            native_schema: false,
            vision: false,
            max_reply_tokens: 1_000,
            price: None,
            cheap_below: None,
            schema,
        }
    }
}

/// Prices in US dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenPrice {
    /// Price of input tokens.
    pub input: f64,
    /// Price of output tokens.
    pub output: f64,
}

impl TokenPrice {
    /// The cost in US dollars of these numbers of input and output tokens.
    pub fn of(self, read: u64, written: u64) -> f64 {
        (read as f64 * self.input + written as f64 * self.output) / 1e6
    }
}

/// The limits of a run. Each limit has its own exit reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Duration of the whole run.
    pub run: Duration,
    /// Duration of one step, unless the step has a shorter timeout.
    pub step: Duration,
    /// How long to wait for a target or an expected state.
    pub element_wait: Duration,
    /// How long a step with `wait` waits, unless the step states a time.
    pub wait: Duration,
    /// Turns of one step.
    pub max_turns_per_step: u32,
    /// Turns of a single task.
    pub max_turns_per_task: u32,
    /// How often a step is tried again that failed before it changed anything.
    pub max_step_retries: u32,
    /// Consecutive failures.
    pub max_consecutive_errors: u32,
    /// Total failures of one step or task.
    pub max_total_errors: u32,
    /// How often the model is called again after an unusable reply.
    pub reasks: u32,
    /// Iterations of one loop.
    pub max_iterations: u32,
    /// Actions of the whole run.
    pub actions: Option<u32>,
    /// Model tokens of the whole run, input and output.
    pub tokens: Option<u64>,
    /// Cost of the whole run in US dollars.
    pub cost_usd: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            run: Duration::from_secs(30 * 60),
            step: Duration::from_secs(5 * 60),
            element_wait: Duration::from_secs(5),
            wait: Duration::from_secs(30),
            max_turns_per_step: 10,
            max_turns_per_task: 50,
            max_step_retries: 0,
            max_consecutive_errors: 5,
            max_total_errors: 15,
            reasks: 2,
            max_iterations: 1000,
            actions: None,
            tokens: None,
            cost_usd: None,
        }
    }
}

/// When a page is investigated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InvestigationMode {
    /// After a decision with low confidence, or after an action whose target was not found or was ambiguous.
    #[default]
    Auto,
    /// Also before the first action of every step.
    Always,
    /// Never.
    Never,
}

/// The rules for investigating a page before an action.
#[derive(Clone, Debug, PartialEq)]
pub struct InvestigationRules {
    /// When a page is investigated.
    pub mode: InvestigationMode,
    /// The confidence below which a decision is investigated.
    pub min_confidence: f64,
    /// The confidence of findings that ends the investigation.
    pub target_confidence: f64,
    /// The maximum number of rounds of tools.
    pub max_rounds: u32,
    /// The maximum duration; afterwards the findings so far are used.
    pub timeout: Duration,
    /// The available tools. When a tool fails or the model names none, they are tried in this order.
    pub tools: Vec<Tool>,
}

impl Default for InvestigationRules {
    fn default() -> Self {
        InvestigationRules {
            mode: InvestigationMode::Auto,
            min_confidence: 0.4,
            target_confidence: 0.7,
            max_rounds: 3,
            timeout: Duration::from_secs(60),
            tools: vec![Tool::Find, Tool::Subdom, Tool::Read, Tool::Look, Tool::Dom],
        }
    }
}

/// The rules for extracting data from pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractRules {
    /// The maximum number of tokens of a page's text in one prompt.
    pub chunk_tokens: usize,
    /// Number of lines that a chunk repeats from the end of the previous one.
    pub overlap: usize,
    /// The maximum number of pages of a list.
    pub pages: u32,
}

impl Default for ExtractRules {
    fn default() -> Self {
        ExtractRules { chunk_tokens: 4_000, overlap: 3, pages: 50 }
    }
}
