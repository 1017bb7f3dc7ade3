//! The rules for advisory calls: plans, reflections and reviews of the answer. Each costs a model call, so each has a
//! condition under which it is worth its cost.

use serde::{Deserialize, Serialize};

/// When an advisory call is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Only in single tasks, and only if it is likely to help. Steps of a workflow never cost an additional call.
    #[default]
    Auto,
    /// Also in steps of a workflow.
    Always,
    /// Never.
    Never,
}

impl Trigger {
    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Trigger::Auto => "auto",
            Trigger::Always => "always",
            Trigger::Never => "never",
        }
    }

    /// Parses a name that [`Trigger::name`] returns.
    pub fn named(name: &str) -> Option<Self> {
        [Trigger::Auto, Trigger::Always, Trigger::Never].into_iter().find(|one| one.name() == name)
    }
}

/// The rules for advisory calls of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct AdvisoryRules {
    /// Whether a plan is made first and the answer is checked against its criteria. `Auto` excludes tasks of few words
    /// and tasks that are lists of instructions.
    pub planning: Trigger,
    /// Whether a model reflects on uncertain decisions and on consecutive failures.
    pub reflection: Trigger,
    /// The confidence, 0 to 1, below which a decision is uncertain.
    pub min_confidence: f64,
    /// How often a plan may be revised.
    pub revisions: u32,
    /// How often an answer may be reviewed. After the last review without success, the answer is rejected.
    pub reviews: u32,
    /// Whether a person is available to confirm an uncertain action that cannot be undone.
    pub attended: bool,
}

impl Default for AdvisoryRules {
    fn default() -> Self {
        AdvisoryRules {
            planning: Trigger::Auto,
            reflection: Trigger::Auto,
            min_confidence: 0.5,
            revisions: 3,
            reviews: 3,
            attended: false,
        }
    }
}
