//! What a step notes on its way: turns, evidence, failures, and its history for the model.

use legwork_protocol::{Decider, Evidence, Plan};

use crate::{Limits, context::History};

/// Facts noted in passing beyond which no more are kept; what was asked for always is.
const EVIDENCE: usize = 40;

/// What a step notes on its way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// Turns taken.
    pub(crate) iterations: u32,
    /// Facts seen.
    pub(crate) evidence: Vec<Evidence>,
    /// Whether the last of what was done changed nothing that code can see: facts of earlier deeds do not show it.
    pub(crate) in_vain: bool,
    /// Who decided last.
    pub(crate) decider: Option<Decider>,
    /// Failures.
    pub(crate) errors: Errors,
    /// What was done, a line each.
    pub(crate) history: History,
    /// How it is to be done, when there is a plan.
    pub(crate) plan: Option<Plan>,
    /// The item of the plan it is at, from 0.
    pub(crate) item: usize,
    /// How often an answer was judged.
    pub(crate) reviews: u32,
    /// How often something was thought over.
    pub(crate) reflections: u32,
}

/// Failed actions and unusable replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Errors {
    pub(crate) consecutive: u32,
    pub(crate) total: u32,
}

impl Errors {
    pub(crate) fn count(&mut self, ok: bool) {
        self.consecutive = if ok { 0 } else { self.consecutive + 1 };
        self.total += u32::from(!ok);
    }

    /// In words, when there are too many.
    pub(crate) fn too_many(&self, limits: &Limits) -> Option<String> {
        if self.consecutive >= limits.consecutive_errors {
            return Some(format!("{} failures in a row", self.consecutive));
        }
        (self.total >= limits.total_errors).then(|| format!("{} failures in all", self.total))
    }
}

impl Notes {
    /// Adds evidence, each fact once.
    pub(crate) fn saw(&mut self, evidence: impl IntoIterator<Item = Evidence>) {
        for fact in evidence {
            let room = fact.checked || self.evidence.len() < EVIDENCE;
            if room && !self.evidence.contains(&fact) {
                self.evidence.push(fact);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_too_many_from_the_fifth_in_a_row_and_the_fifteenth_in_all() {
        let limits = Limits::default();
        let after = |outcomes: &[bool]| {
            let mut errors = Errors::default();
            outcomes.iter().for_each(|ok| errors.count(*ok));
            errors.too_many(&limits)
        };
        assert_eq!(after(&[false; 4]), None);
        assert_eq!(after(&[false; 5]).as_deref(), Some("5 failures in a row"));
        let scattered = [false, true].repeat(15);
        assert_eq!(after(&scattered[..28]), None);
        assert_eq!(after(&scattered[..29]).as_deref(), Some("15 failures in all"));
    }
}
