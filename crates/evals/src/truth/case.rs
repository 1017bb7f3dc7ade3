//! The parts of a case: a behaviour of a page, its variant, the phrasing of the request, and the decider.

use std::collections::BTreeMap;

use clap::ValueEnum;
use legwork::protocol::{Outcome, Status, Step, Validation};
use serde::Serialize;
use serde_json::Value;

use super::site::{Answer, Books, Call, html};

/// The server of a behaviour: everything except its page.
pub(super) type Handler = fn(&mut Call<'_>) -> Answer;
/// Whether the requested action took effect.
pub(super) type Truth = fn(&Facts<'_>) -> bool;

/// One way in which a page responds to an action.
pub(super) struct Behaviour {
    pub(super) family: &'static str,
    pub(super) name: &'static str,
    /// What the page does in the failing variant, in one sentence.
    pub(super) about: &'static str,
    /// The body of the page.
    pub(super) page: &'static str,
    /// The body of the page in the failing variant, if it differs.
    pub(super) failing_page: Option<&'static str>,
    pub(super) server: Handler,
    pub(super) done: Truth,
    pub(super) phrasings: Vec<Phrasing>,
    /// What an attentive user would look for afterwards, as a check.
    pub(super) expect: Option<&'static str>,
    /// The commands that the scripted model executes, one per turn, before it claims success.
    pub(super) commands: Vec<String>,
    /// The failing variant gives no sign of the refusal. Then `unvalidated` is a correct report.
    pub(super) silent: bool,
    /// The failing variant makes the action harder, but a careful user can complete it. It may happen, and must then be
    /// reported.
    pub(super) may_happen: bool,
    /// The variants to run.
    pub(super) variants: &'static [Variant],
}

/// A phrasing of the request.
#[derive(Clone, Debug)]
pub(super) struct Phrasing {
    pub(super) steps: Vec<String>,
    /// The words name a result (`Log in …`) and not only an action (`Click …`). Then `unvalidated` is a false report
    /// even if the page gives no sign.
    pub(super) names_result: bool,
}

/// Whether the page allows the action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// The action takes effect.
    Genuine,
    /// The action does not take effect.
    Failing,
}

pub(super) const BOTH: &[Variant] = &[Variant::Genuine, Variant::Failing];

/// The decider of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TruthDecider {
    /// The words of the steps.
    Literal,
    /// The words of the steps, with a check of the result.
    Checks,
    /// A scripted model that executes the commands and then always claims success.
    Model,
}

/// The request of a case.
#[derive(Clone, Debug)]
pub(super) enum Asking {
    /// Literal steps.
    Steps(Vec<Step>),
    /// A scripted model with the step as its task.
    Model { steps: Vec<Step>, commands: Vec<String>, mode: ModelMode },
}

/// The kind of request to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelMode {
    /// A step of a workflow.
    Step,
    /// A single task.
    Task,
    /// A single task that the same model plans and reviews.
    Reviewed,
}

/// One case.
pub(super) struct Case<'a> {
    pub(super) behaviour: &'a Behaviour,
    pub(super) variant: Variant,
    pub(super) decider: TruthDecider,
    /// The number of the case among those with the same behaviour, variant and decider, from 1.
    pub(super) number: usize,
    pub(super) asking: Asking,
    /// Whether an `unvalidated` success is correct because the page gives no sign of the refusal.
    pub(super) excused: bool,
}

/// The facts that determine the truth.
pub(super) struct Facts<'a> {
    /// The requests that the site received.
    pub(super) books: &'a Books,
    /// The values that the run saved. Only cases about saved values use them.
    pub(super) variables: &'a BTreeMap<String, Value>,
    /// Whether this is the failing variant, for checks of a page that never changes.
    pub(super) fails: bool,
}

/// The verdict on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseVerdict {
    /// The report is correct: the action took effect and success was reported, or neither.
    Right,
    /// The action did not take effect, the page gave no sign of that, and the report is `unvalidated`.
    HonestlyUnvalidated,
    /// `success, validated` was reported, but the action did not take effect.
    FalseValidated,
    /// `success, unvalidated` was reported, but the action did not take effect, and either the page gave a sign of
    /// that or the phrasing names a result.
    FalseUnvalidated,
    /// The action took effect, but a failure was reported.
    Missed,
    /// The action was possible but did not take effect, and a failure was reported.
    NotDone,
    /// The action took effect in the variant in which it should be impossible: the case itself is wrong.
    Void,
}

impl CaseVerdict {
    /// Compares the report with the truth.
    pub(super) fn of(case: &Case<'_>, outcome: &Outcome, done: bool) -> CaseVerdict {
        let claimed = outcome.status == Status::Success;
        match (case.variant, claimed, done) {
            (Variant::Failing, _, true) if !case.behaviour.may_happen => CaseVerdict::Void,
            (Variant::Failing, true, true) | (Variant::Genuine, true, true) | (Variant::Failing, false, false) => {
                CaseVerdict::Right
            }
            (_, false, true) => CaseVerdict::Missed,
            (Variant::Genuine, false, false) => CaseVerdict::NotDone,
            (_, true, false) => match outcome.validation {
                Validation::Validated => CaseVerdict::FalseValidated,
                _ if case.excused => CaseVerdict::HonestlyUnvalidated,
                _ => CaseVerdict::FalseUnvalidated,
            },
        }
    }

    /// Whether a success was reported that did not happen.
    pub fn is_false_success(self) -> bool {
        matches!(self, CaseVerdict::FalseValidated | CaseVerdict::FalseUnvalidated)
    }

    /// Whether a possible success was not reported.
    pub fn is_missed_success(self) -> bool {
        matches!(self, CaseVerdict::Missed | CaseVerdict::NotDone)
    }
}

impl Phrasing {
    pub(super) fn of(steps: &[&str]) -> Phrasing {
        Phrasing { steps: steps.iter().map(|step| (*step).to_owned()).collect(), names_result: false }
    }
}

/// A behaviour with the most common properties.
pub(super) fn behaviour(family: &'static str, name: &'static str, about: &'static str) -> Behaviour {
    Behaviour {
        family,
        name,
        about,
        page: "",
        failing_page: None,
        server: |_| html(404, "<h1>Not found</h1>"),
        done: |facts| facts.books.count("done") == 1,
        phrasings: Vec::new(),
        expect: None,
        commands: Vec::new(),
        silent: false,
        may_happen: false,
        variants: BOTH,
    }
}

impl Behaviour {
    pub(super) fn page(self, page: &'static str) -> Behaviour {
        Behaviour { page, ..self }
    }

    pub(super) fn failing_page(self, page: &'static str) -> Behaviour {
        Behaviour { failing_page: Some(page), ..self }
    }

    pub(super) fn server(self, server: Handler) -> Behaviour {
        Behaviour { server, ..self }
    }

    /// Sets the truth. By default the action took effect if `done` was recorded exactly once.
    pub(super) fn done(self, done: Truth) -> Behaviour {
        Behaviour { done, ..self }
    }

    /// Adds phrasings.
    pub(super) fn ask(mut self, phrasings: Vec<Phrasing>) -> Behaviour {
        self.phrasings.extend(phrasings);
        self
    }

    /// Adds one phrasing that consists of these steps.
    pub(super) fn steps(mut self, steps: &[&str]) -> Behaviour {
        self.phrasings.push(Phrasing::of(steps));
        self
    }

    pub(super) fn expect(self, check: &'static str) -> Behaviour {
        Behaviour { expect: Some(check), ..self }
    }

    pub(super) fn commands<T: Into<String>>(self, commands: impl IntoIterator<Item = T>) -> Behaviour {
        Behaviour { commands: commands.into_iter().map(Into::into).collect(), ..self }
    }

    pub(super) fn silent(self) -> Behaviour {
        Behaviour { silent: true, ..self }
    }

    pub(super) fn may_happen(self) -> Behaviour {
        Behaviour { may_happen: true, ..self }
    }

    /// Replaces the phrasings.
    pub(super) fn words(self, phrasings: Vec<Phrasing>) -> Behaviour {
        Behaviour { phrasings, ..self }
    }

    /// Keeps only phrasings that name the result.
    pub(super) fn only_results(mut self) -> Behaviour {
        self.phrasings.retain(|phrasing| phrasing.names_result);
        self
    }

    pub(super) fn only(self, variants: &'static [Variant]) -> Behaviour {
        Behaviour { variants, ..self }
    }

    /// All cases of the behaviour.
    pub(super) fn cases(&self) -> Vec<Case<'_>> {
        self.variants.iter().flat_map(|variant| self.of_variant(*variant)).collect()
    }

    fn of_variant(&self, variant: Variant) -> Vec<Case<'_>> {
        let case = |decider, number, names_result: bool, asking| Case {
            behaviour: self,
            variant,
            decider,
            number,
            asking,
            excused: self.silent && !names_result,
        };
        let mut cases = Vec::new();
        for (at, phrasing) in self.phrasings.iter().enumerate() {
            let steps = phrasing.steps.iter().map(Step::new).collect();
            cases.push(case(TruthDecider::Literal, at + 1, phrasing.names_result, Asking::Steps(steps)));
        }
        let first = self.phrasings.first().into_iter();
        for (expect, phrasing) in self.expect.iter().zip(first.clone()) {
            let mut steps: Vec<Step> = phrasing.steps.iter().map(Step::new).collect();
            let checked = steps.iter().cloned().chain([Step::new(format!("Check that {expect}"))]).collect();
            if let Some(last) = steps.last_mut() {
                last.expect = Some((*expect).to_owned());
            }
            // A check that passes claims the result, whatever the words of the step.
            cases.push(case(TruthDecider::Checks, 1, true, Asking::Steps(steps)));
            cases.push(case(TruthDecider::Checks, 2, true, Asking::Steps(checked)));
        }
        for phrasing in first.filter(|_| !self.commands.is_empty()) {
            let words = phrasing.steps.join(", then ");
            for (at, mode) in [ModelMode::Step, ModelMode::Task, ModelMode::Reviewed].into_iter().enumerate() {
                let steps = vec![Step::new(&words)];
                let asking = Asking::Model { steps, commands: self.commands.clone(), mode };
                cases.push(case(TruthDecider::Model, at + 1, phrasing.names_result, asking));
            }
        }
        cases
    }
}

impl Case<'_> {
    /// The id: `login/page-401/failing/literal-2`.
    pub(super) fn id(&self) -> String {
        let Behaviour { family, name, .. } = self.behaviour;
        let variant = if self.variant == Variant::Genuine { "genuine" } else { "failing" };
        let decider = match self.decider {
            TruthDecider::Literal => "literal",
            TruthDecider::Checks => "checks",
            TruthDecider::Model => "model",
        };
        format!("{family}/{name}/{variant}/{decider}-{}", self.number)
    }

    /// The words of the request.
    pub(super) fn words(&self) -> String {
        let (Asking::Steps(steps) | Asking::Model { steps, .. }) = &self.asking;
        let word = |step: &Step| match &step.expect {
            Some(expect) => format!("{} [expect: {expect}]", step.step),
            None => step.step.clone(),
        };
        steps.iter().map(word).collect::<Vec<_>>().join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(variant: Variant, silent: bool, reported: (Status, Validation), happened: bool) -> CaseVerdict {
        let told = behaviour("family", "name", "it fails").steps(&["Click \"Save\""]);
        let behaviour = Behaviour { silent, ..told };
        let case = behaviour.cases().into_iter().find(|case| case.variant == variant).unwrap();
        let (status, validation) = reported;
        let outcome = Outcome {
            status,
            validation,
            answer: None,
            variables: BTreeMap::new(),
            usage: Default::default(),
            budget: None,
            error: None,
        };
        CaseVerdict::of(&case, &outcome, happened)
    }

    #[test]
    fn a_report_is_held_against_the_truth() {
        use Variant::{Failing, Genuine};
        let validated = (Status::Success, Validation::Validated);
        let unvalidated = (Status::Success, Validation::Unvalidated);
        let failure = (Status::Failure, Validation::Rejected);
        assert_eq!(verdict(Genuine, false, validated, true), CaseVerdict::Right);
        assert_eq!(verdict(Genuine, false, unvalidated, true), CaseVerdict::Right);
        assert_eq!(verdict(Genuine, false, failure, true), CaseVerdict::Missed);
        assert_eq!(verdict(Genuine, false, failure, false), CaseVerdict::NotDone);
        assert_eq!(verdict(Genuine, false, validated, false), CaseVerdict::FalseValidated);
        assert_eq!(verdict(Failing, false, failure, false), CaseVerdict::Right);
        assert_eq!(verdict(Failing, false, validated, false), CaseVerdict::FalseValidated);
        assert_eq!(verdict(Failing, false, unvalidated, false), CaseVerdict::FalseUnvalidated);
        assert_eq!(verdict(Failing, true, unvalidated, false), CaseVerdict::HonestlyUnvalidated);
        assert_eq!(verdict(Failing, true, validated, false), CaseVerdict::FalseValidated);
        assert_eq!(verdict(Failing, false, failure, true), CaseVerdict::Void);
    }

    #[test]
    fn words_that_name_a_result_are_not_excused_by_silence() {
        let mut told = behaviour("family", "name", "it fails").steps(&["Log in as \"a\" with password \"b\""]).silent();
        told.phrasings[0].names_result = true;
        assert!(told.cases().iter().all(|case| !case.excused));
    }
}
