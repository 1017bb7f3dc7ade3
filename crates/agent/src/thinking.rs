//! What a run thinks besides its next action: plans, reflections, reviews of its answer. Each costs a call to a model, so
//! each says when it is worth one.

use serde::{Deserialize, Serialize};

/// When something extra is thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Only in lone tasks, and only where it promises something; steps of a workflow cost no call more.
    #[default]
    Auto,
    /// In steps of a workflow too.
    Always,
    /// Nowhere.
    Never,
}

impl When {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            When::Auto => "auto",
            When::Always => "always",
            When::Never => "never",
        }
    }

    /// Reads what [`When::name`] writes.
    pub fn named(name: &str) -> Option<Self> {
        [When::Auto, When::Always, When::Never].into_iter().find(|one| one.name() == name)
    }
}

/// What a run thinks besides its next action.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinking {
    /// Whether a plan is made first, and the answer held against its criteria. `Auto` leaves out tasks of few words and
    /// tasks that are lists of instructions.
    pub planning: When,
    /// Whether doubtful decisions and failures in a row are thought over.
    pub reflection: When,
    /// A decision of less confidence is doubtful; 0 to 1.
    pub doubt_below: f64,
    /// How often a plan may be revised.
    pub revisions: u32,
    /// How often an answer may be judged; after the last time it is rejected.
    pub reviews: u32,
    /// Somebody is there to be asked before what cannot be undone is done in doubt.
    pub attended: bool,
}

impl Default for Thinking {
    fn default() -> Self {
        Thinking {
            planning: When::Auto,
            reflection: When::Auto,
            doubt_below: 0.5,
            revisions: 3,
            reviews: 3,
            attended: false,
        }
    }
}
