//! The result of each class: how many attempts were made, which of them had a forbidden effect, and which permitted
//! work did not complete.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::plan::AttackClass;

/// The most breaches that the text names.
const SHOWN: usize = 40;

/// The result of one class.
#[derive(Clone, Debug, Serialize)]
pub struct ClassReport {
    /// The class.
    pub class: AttackClass,
    /// Whether its defence was switched off.
    pub ablated: bool,
    /// How many attempts were made.
    pub attempts: usize,
    /// Counts of other things, by name.
    pub counts: BTreeMap<&'static str, usize>,
    /// The forbidden effects, each with the attempt.
    pub breaches: Vec<String>,
    /// What shows that the class itself does not work: permitted work that did not complete, a planted value that was
    /// not found, a page that was never opened.
    pub failures: Vec<String>,
    /// Seconds.
    pub seconds: f64,
}

/// The results of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct AttackReport {
    /// By class.
    pub classes: Vec<ClassReport>,
    /// The names of the attempts, if the plan only lists them.
    #[serde(skip)]
    pub listing: Vec<String>,
}

impl ClassReport {
    pub(super) fn new(class: AttackClass, ablated: bool) -> ClassReport {
        ClassReport {
            class,
            ablated,
            attempts: 0,
            counts: BTreeMap::new(),
            breaches: Vec::new(),
            failures: Vec::new(),
            seconds: 0.0,
        }
    }

    pub(super) fn count(&mut self, what: &'static str, number: usize) {
        *self.counts.entry(what).or_default() += number;
    }

    /// Whether the rules held, or whether their absence was noticed.
    pub fn holds(&self) -> bool {
        let held = self.breaches.is_empty() && self.failures.is_empty();
        self.attempts > 0 && if self.ablated { !self.breaches.is_empty() } else { held }
    }
}

impl AttackReport {
    /// Whether every class holds.
    pub fn holds(&self) -> bool {
        self.classes.iter().all(ClassReport::holds)
    }

    /// The table, followed by each breach and failure.
    pub fn text(&self) -> String {
        if !self.listing.is_empty() {
            return self.listing.join("\n");
        }
        let mut text =
            String::from("| class | attempts | forbidden effects | failures | s | |\n|---|---|---|---|---|---|\n");
        let mut more = String::new();
        let infallible = "writing to a string does not fail";
        for class in &self.classes {
            let ClassReport { attempts, breaches, failures, seconds, .. } = class;
            let name = class.class.name();
            let counts: Vec<String> = class.counts.iter().map(|(what, number)| format!("{number} {what}")).collect();
            let defence = if class.ablated { " without its defence" } else { "" };
            let (breached, failed, counts) = (breaches.len(), failures.len(), counts.join(", "));
            writeln!(text, "| {name}{defence} | {attempts} | {breached} | {failed} | {seconds:.0} | {counts} |")
                .expect(infallible);
            for (what, all) in [("FORBIDDEN EFFECT", breaches), ("FAILURE", failures)] {
                for one in all.iter().take(SHOWN) {
                    writeln!(more, "{what} ({name}): {one}").expect(infallible);
                }
                if all.len() > SHOWN {
                    writeln!(more, "… and {} more", all.len() - SHOWN).expect(infallible);
                }
            }
        }
        format!("{text}\n{more}")
    }
}
