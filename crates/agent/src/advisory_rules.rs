//! What a run thinks besides its next action: plans, reflections, reviews of its answer. Each costs a call to a model, so
//! each says when it is worth one.

use serde::{Deserialize, Serialize};

/// When something extra is thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Only in lone tasks, and only where it promises something; steps of a workflow cost no call more.
    #[default]
    Auto,
    /// In steps of a workflow too.
    Always,
    /// Nowhere.
    Never,
}

impl Trigger {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Trigger::Auto => "auto",
            Trigger::Always => "always",
            Trigger::Never => "never",
        }
    }

    /// Reads what [`Trigger::name`] writes.
    pub fn named(name: &str) -> Option<Self> {
        [Trigger::Auto, Trigger::Always, Trigger::Never].into_iter().find(|one| one.name() == name)
    }
}

/// What a run thinks besides its next action.
#[derive(Clone, Debug, PartialEq)]
pub struct AdvisoryRules {
    /// Whether a plan is made first, and the answer checked against its criteria. `Auto` leaves out tasks of few words and
    /// tasks that are lists of instructions.
    pub planning: Trigger,
    /// Whether doubtful decisions and failures in a row are thought over.
    pub reflection: Trigger,
    /// A decision of less confidence is doubtful; 0 to 1.
    pub min_confidence: f64,
    /// How often a plan may be revised.
    pub revisions: u32,
    /// How often an answer may be judged; after the last time it is rejected.
    pub reviews: u32,
    /// Somebody is there to be asked before what cannot be undone is done in doubt.
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
