//! What a run may do and how far it may go. Made by the composition root from settings and flags, plain values here.

use std::time::Duration;

use legwork_protocol::{Tool, View};
use serde::{Deserialize, Serialize};

use crate::{
    AdvisoryRules, EvidenceRule, MemoryRules,
    context::Compaction,
    schema::{Form, SchemaOptions},
};

/// Who may decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeciderChoice {
    /// The step's own words first; where they do not say enough the program's own decider, when there is one, and then
    /// the model, when there is one.
    #[default]
    Auto,
    /// Only the step's own words.
    Literal,
    /// The step's words are left to the program's own decider and the model.
    Model,
}

/// What a person says became of an action whose result was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assumption {
    /// It was done.
    Done,
    /// It was not done.
    NotDone,
}

/// The rules of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Who may decide.
    pub decider: DeciderChoice,
    /// Whether the program has a decider of its own, which is asked before the model.
    pub custom: bool,
    /// How to talk to the model; absent when there is none.
    pub model: Option<ModelRules>,
    /// How far it may go.
    pub limits: Limits,
    /// How a model sees a page. Its `max_tokens` is lowered when the prompt's budget is smaller.
    pub view: View,
    /// The most tokens one prompt may have, whatever the page.
    pub context_tokens: usize,
    /// What is thought besides the next action.
    pub thinking: AdvisoryRules,
    /// What is remembered from step to step and from run to run.
    pub memory: MemoryRules,
    /// How a history that nears its budget is made short.
    pub compaction: Compaction,
    /// When a page is investigated before anything is done on it, and how.
    pub investigation: InvestigationRules,
    /// How data is taken out of pages.
    pub extract: ExtractRules,
    /// A success counts only when it is validated.
    pub require_validated: bool,
    /// The page is closed when the run ends. A field that still has the focus is left first, as a person would before going:
    /// many pages check or save its value only then.
    pub closes_page: bool,
    /// For a resume: what became of the one action whose result was lost.
    pub assume: Option<Assumption>,
    /// Rules of evidence that are switched off, to prove that they are needed.
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
            assume: None,
            disabled_evidence: Vec::new(),
        }
    }
}

/// How to talk to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRules {
    /// The schema goes along with each request, for providers that hold a model to it. Without it the shape is told in the
    /// prompt, and the schema goes along once a reply did not fit.
    pub native_schema: bool,
    /// It takes pictures.
    pub vision: bool,
    /// The most tokens a reply may have.
    pub max_reply_tokens: u32,
    /// What a call of the dearest model costs; absent when the price of one of them is not known.
    pub price: Option<TokenPrice>,
    /// A cheap model decides first; below this confidence, 0 to 1, the strong one is asked instead. None: there is none.
    pub cheap_below: Option<f64>,
    /// The shape of a decision. Its `max_commands` is how many commands a reply may carry.
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

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenPrice {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
}

impl TokenPrice {
    /// US dollars for so many tokens read and written.
    pub fn of(self, read: u64, written: u64) -> f64 {
        (read as f64 * self.input + written as f64 * self.output) / 1e6
    }
}

/// How far a run may go. Each cap is an exit reason of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The whole run.
    pub run: Duration,
    /// One step, unless the step says less.
    pub step: Duration,
    /// How long a target or an expected state is waited for.
    pub element_wait: Duration,
    /// How long a step that says `wait` waits, unless it says itself.
    pub wait: Duration,
    /// Turns of one step.
    pub max_turns_per_step: u32,
    /// Turns of a lone task.
    pub max_turns_per_task: u32,
    /// Failures in a row.
    pub max_consecutive_errors: u32,
    /// Failures of one step or task in all.
    pub max_total_errors: u32,
    /// How often an unusable reply is asked for again.
    pub reasks: u32,
    /// Actions of the whole run.
    pub actions: Option<u32>,
    /// Model tokens of the whole run, read and written.
    pub tokens: Option<u64>,
    /// US dollars of the whole run.
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
            max_consecutive_errors: 5,
            max_total_errors: 15,
            reasks: 2,
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
    /// After a decision of low confidence, or an action whose target was not found or was ambiguous.
    #[default]
    Auto,
    /// Also before the first action of every step.
    Always,
    /// Not at all.
    Never,
}

/// How a page is investigated before anything is done on it.
#[derive(Clone, Debug, PartialEq)]
pub struct InvestigationRules {
    /// When.
    pub mode: InvestigationMode,
    /// A decision with less confidence is investigated.
    pub min_confidence: f64,
    /// Findings with this confidence end it.
    pub target_confidence: f64,
    /// The most rounds of tools.
    pub max_rounds: u32,
    /// The longest it may take; what was found until then is used.
    pub timeout: Duration,
    /// The tools there are, in the order in which they are tried when one fails or none is named.
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

/// How data is taken out of pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractRules {
    /// The most tokens of a page's text that one prompt holds.
    pub chunk_tokens: usize,
    /// Lines that a part has from the end of the one before.
    pub overlap: usize,
    /// The most pages of a list.
    pub pages: u32,
}

impl Default for ExtractRules {
    fn default() -> Self {
        ExtractRules { chunk_tokens: 4_000, overlap: 3, pages: 50 }
    }
}
