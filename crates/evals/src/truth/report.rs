//! The results of the cases: a table by behaviour, the totals, and a list of all false and missed successes.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use serde::Serialize;

pub use super::case::{CaseVerdict, TruthDecider, Variant};

/// The report of a success without supporting evidence.
const UNVALIDATED: &str = "success, unvalidated";
/// The maximum share of genuine cases that are reported as failures.
const MISSED_LIMIT: f64 = 0.02;

/// The result of a case.
#[derive(Clone, Debug, Serialize)]
pub struct CaseResult {
    /// `FAMILY/BEHAVIOUR/VARIANT/DECIDER-NUMBER`.
    pub case: String,
    /// The family.
    pub family: &'static str,
    /// The behaviour.
    pub behaviour: &'static str,
    /// What the page does in the failing variant.
    pub about: &'static str,
    /// The variant.
    pub variant: Variant,
    /// The decider.
    pub decider: TruthDecider,
    /// The words of the request.
    pub words: String,
    /// Whether the action took effect, according to the site's record.
    pub happened: bool,
    /// The site's record.
    pub truth: String,
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Legwork's report: the status and the validation.
    pub reported: String,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The duration in seconds.
    pub seconds: f64,
}

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Tally {
    /// All cases.
    pub cases: usize,
    /// The genuine cases.
    pub genuine: usize,
    /// `success, validated`, although the action did not take effect.
    pub false_validated: usize,
    /// `success, unvalidated`, although the action did not take effect.
    pub false_unvalidated: usize,
    /// `success, unvalidated` without effect, where the page gave no sign.
    pub honestly_unvalidated: usize,
    /// `success, unvalidated` with effect, decided without a model. A model's own claim validates nothing.
    pub not_validated: usize,
    /// A reported failure, although the action took effect.
    pub missed: usize,
    /// A reported failure of an action that was possible and did not take effect.
    pub not_done: usize,
    /// Cases that are wrong themselves.
    pub void: usize,
}

/// The results of all cases of a run.
#[derive(Clone, Debug, Serialize)]
pub struct TruthReport {
    /// The counts over all cases.
    pub total: Tally,
    /// The number of behaviours.
    pub behaviours: usize,
    /// The duration of the run in seconds.
    pub seconds: f64,
    /// All cases.
    pub cases: Vec<CaseResult>,
    /// The ids of the cases, if they were only listed.
    #[serde(skip)]
    listed: Vec<String>,
}

impl Tally {
    fn add(&mut self, result: &CaseResult) {
        self.cases += 1;
        self.genuine += usize::from(result.variant == Variant::Genuine);
        let is_doubted = result.variant == Variant::Genuine
            && result.happened
            && result.decider != TruthDecider::Model
            && result.reported == UNVALIDATED;
        self.not_validated += usize::from(is_doubted);
        match result.verdict {
            CaseVerdict::Right => {}
            CaseVerdict::FalseValidated => self.false_validated += 1,
            CaseVerdict::FalseUnvalidated => self.false_unvalidated += 1,
            CaseVerdict::HonestlyUnvalidated => self.honestly_unvalidated += 1,
            CaseVerdict::Missed => self.missed += 1,
            CaseVerdict::NotDone => self.not_done += 1,
            CaseVerdict::Void => self.void += 1,
        }
    }

    /// The number of successes that did not happen.
    pub fn false_successes(&self) -> usize {
        self.false_validated + self.false_unvalidated
    }

    /// The share of possible successes that were not reported.
    pub fn missed_share(&self) -> f64 {
        (self.missed + self.not_done) as f64 / self.genuine.max(1) as f64
    }
}

impl TruthReport {
    pub(super) fn of(mut cases: Vec<CaseResult>, took: Duration) -> TruthReport {
        cases.sort_by(|one, other| one.case.cmp(&other.case));
        let mut total = Tally::default();
        cases.iter().for_each(|case| total.add(case));
        let behaviours = by_behaviour(&cases).len();
        TruthReport { total, behaviours, seconds: took.as_secs_f64(), cases, listed: Vec::new() }
    }

    pub(super) fn listing(cases: impl Iterator<Item = String>) -> TruthReport {
        TruthReport { listed: cases.collect(), ..TruthReport::of(Vec::new(), Duration::ZERO) }
    }

    /// Whether the result is acceptable: no false success, few missed ones, no wrong case.
    pub fn holds(&self) -> bool {
        let Tally { void, .. } = self.total;
        self.total.false_successes() == 0 && void == 0 && self.total.missed_share() < MISSED_LIMIT
    }

    /// The table, the totals and the lists.
    pub fn text(&self) -> String {
        if !self.listed.is_empty() {
            return self.listed.join("\n");
        }
        let mut text = String::from(
            "| behaviour | cases | false validated | false unvalidated | honestly unvalidated | missed | not done | void |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for (name, tally) in by_behaviour(&self.cases) {
            text.push_str(&row(&name, &tally));
        }
        text.push_str(&row("all", &self.total));
        let lists = [
            ("False successes", CaseVerdict::is_false_success as fn(CaseVerdict) -> bool),
            ("Missed successes", CaseVerdict::is_missed_success),
            ("Wrong cases", |verdict| verdict == CaseVerdict::Void),
        ];
        for (title, of) in lists {
            let listed: Vec<&CaseResult> = self.cases.iter().filter(|case| of(case.verdict)).collect();
            put(&mut text, format_args!("\n{title}: {}\n", listed.len()));
            for case in listed {
                put(&mut text, format_args!("- {} [{}]: {}\n", case.case, case.reported, case.words));
                put(&mut text, format_args!("  {}; recorded: {}\n", case.about, case.truth));
                if let Some(error) = &case.error {
                    put(&mut text, format_args!("  {error}\n"));
                }
            }
        }
        let Tally { cases, genuine, .. } = self.total;
        put(&mut text, format_args!("\n{cases} cases ({genuine} genuine) over {} behaviours", self.behaviours));
        put(&mut text, format_args!(" in {:.0} s: {} false successes, ", self.seconds, self.total.false_successes()));
        put(&mut text, format_args!("{:.1} % missed; ", 100.0 * self.total.missed_share()));
        put(&mut text, format_args!("{} genuine successes without a model not validated.", self.total.not_validated));
        text
    }
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string does not fail");
}

fn by_behaviour(cases: &[CaseResult]) -> BTreeMap<String, Tally> {
    let mut behaviours: BTreeMap<String, Tally> = BTreeMap::new();
    for case in cases {
        behaviours.entry(format!("{}/{}", case.family, case.behaviour)).or_default().add(case);
    }
    behaviours
}

fn row(name: &str, tally: &Tally) -> String {
    let Tally { cases, false_validated, false_unvalidated, honestly_unvalidated, missed, not_done, void, .. } = tally;
    format!(
        "| {name} | {cases} | {false_validated} | {false_unvalidated} | {honestly_unvalidated} | {missed} | {not_done} | {void} |\n"
    )
}
