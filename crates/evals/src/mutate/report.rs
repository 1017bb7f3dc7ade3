//! The results: a table by kind, the totals, and a list of what was not as expected.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use serde::Serialize;

use super::{Expected, kinds::KINDS};

/// The smallest share of replays without a model where the elements are identifiable.
const REPLAYED_SHARE: f64 = 0.95;

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MutationVerdict {
    /// It succeeded, and exactly the elements of the scenario received input.
    Replayed,
    /// It did not succeed, and no other element received input.
    Refused,
    /// It reported a success, but an element of the scenario received no input.
    FalseSuccess,
    /// Another element received input.
    WrongElement,
}

/// The result of one mutation.
#[derive(Clone, Debug, Serialize)]
pub struct MutationResult {
    /// The scenario.
    pub scenario: &'static str,
    /// The kind of mutation.
    pub kind: &'static str,
    /// The seed.
    pub seed: u32,
    /// What was expected.
    pub expected: Expected,
    /// What happened.
    pub verdict: MutationVerdict,
    /// The elements other than those of the scenario that received input, and the error of the run.
    pub details: Vec<String>,
    /// The duration of the run in seconds.
    pub seconds: f64,
}

impl MutationResult {
    fn is_as_expected(&self) -> bool {
        match self.expected {
            Expected::Replayed => self.verdict == MutationVerdict::Replayed,
            Expected::Either => matches!(self.verdict, MutationVerdict::Replayed | MutationVerdict::Refused),
            Expected::Refused => self.verdict == MutationVerdict::Refused,
        }
    }
}

/// The results of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct MutationReport {
    /// All results.
    pub results: Vec<MutationResult>,
    /// The scenarios that could not be recorded, with the reason.
    pub unrecorded: BTreeMap<&'static str, String>,
    /// The duration in seconds.
    pub seconds: f64,
}

impl MutationReport {
    pub(super) fn of(
        results: Vec<MutationResult>,
        unrecorded: BTreeMap<&'static str, String>,
        took: Duration,
    ) -> MutationReport {
        MutationReport { results, unrecorded, seconds: took.as_secs_f64() }
    }

    fn count(&self, wanted: impl Fn(&MutationResult) -> bool) -> usize {
        self.results.iter().filter(|result| wanted(result)).count()
    }

    /// Whether no other element received input, no success was untrue, and enough was replayed.
    pub fn holds(&self) -> bool {
        let identifiable = self.count(|result| result.expected == Expected::Replayed);
        let replayed =
            self.count(|result| result.expected == Expected::Replayed && result.verdict == MutationVerdict::Replayed);
        let untrue = self.count(|result| {
            matches!(result.verdict, MutationVerdict::WrongElement | MutationVerdict::FalseSuccess)
                || result.expected == Expected::Refused && result.verdict == MutationVerdict::Replayed
        });
        untrue == 0 && self.unrecorded.is_empty() && replayed as f64 >= identifiable as f64 * REPLAYED_SHARE
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = String::from("| Mutation | Cases | Replayed | Refused | False success | Wrong element |\n");
        text.push_str("|---|---|---|---|---|---|\n");
        for kind in KINDS {
            let of = |verdict| self.count(|result| result.kind == kind.name && result.verdict == verdict);
            let cases = self.count(|result| result.kind == kind.name);
            if cases > 0 {
                let [replayed, refused, untrue, wrong] = [
                    of(MutationVerdict::Replayed),
                    of(MutationVerdict::Refused),
                    of(MutationVerdict::FalseSuccess),
                    of(MutationVerdict::WrongElement),
                ];
                let _ = writeln!(text, "| {} | {cases} | {replayed} | {refused} | {untrue} | {wrong} |", kind.about);
            }
        }
        let of = |expected| self.count(|result| result.expected == expected);
        let done =
            self.count(|result| result.expected == Expected::Replayed && result.verdict == MutationVerdict::Replayed);
        let _ = writeln!(
            text,
            "\n{} mutations in {:.0} s. Identifiable: {}, of which {done} replayed without a model. Not identifiable: {}. \
             Wrong elements: {}. False successes: {}.",
            self.results.len(),
            self.seconds,
            of(Expected::Replayed),
            of(Expected::Refused),
            self.count(|result| result.verdict == MutationVerdict::WrongElement),
            self.count(|result| result.verdict == MutationVerdict::FalseSuccess),
        );
        for (scenario, reason) in &self.unrecorded {
            let _ = writeln!(text, "{scenario} was not recorded: {reason}");
        }
        for result in self.results.iter().filter(|result| !result.is_as_expected()) {
            let MutationResult { scenario, kind, seed, verdict, details, .. } = result;
            let _ = writeln!(text, "{scenario}/{kind}/{seed}: {verdict:?}: {}", details.join("; "));
        }
        text
    }
}
