//! What a case is made of: a behaviour of a page, the variant that it is in, the words, and who decides.

use std::collections::BTreeMap;

use clap::ValueEnum;
use legwork::protocol::{Outcome, Status, Step, Validation};
use serde::Serialize;
use serde_json::Value;

use super::site::{Answer, Books, Call, html};

/// The server's part of a behaviour: everything but its page.
pub(super) type Handler = fn(&mut Call<'_>) -> Answer;
/// Whether what was asked for happened.
pub(super) type Truth = fn(&Facts<'_>) -> bool;

/// One way in which a page answers an action.
pub(super) struct Behaviour {
    pub(super) family: &'static str,
    pub(super) name: &'static str,
    /// What the page does in the failing variant, in a sentence.
    pub(super) about: &'static str,
    /// The body of its page.
    pub(super) page: &'static str,
    /// The body of its page in the failing variant, where the two differ.
    pub(super) failing_page: Option<&'static str>,
    pub(super) server: Handler,
    pub(super) done: Truth,
    pub(super) phrasings: Vec<Phrasing>,
    /// What an attentive user would look for afterwards, as a check.
    pub(super) expect: Option<&'static str>,
    /// What the scripted model does before it claims success, a command a turn.
    pub(super) commands: Vec<String>,
    /// The failing variant shows nothing at all of the refusal: then `unvalidated` is an honest report.
    pub(super) silent: bool,
    /// The failing variant hinders it, but a careful user gets there: then it may happen, and has to be reported so.
    pub(super) may_happen: bool,
    /// Which variants there are.
    pub(super) variants: &'static [Variant],
}

/// A way to ask for it.
#[derive(Clone, Debug)]
pub(super) struct Phrasing {
    pub(super) steps: Vec<String>,
    /// The words name a result (`Log in …`) and not only an action (`Click …`): then silence is no excuse.
    pub(super) names_result: bool,
}

/// Whether the page lets it happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// What is asked for takes effect.
    Genuine,
    /// It does not.
    Failing,
}

pub(super) const BOTH: &[Variant] = &[Variant::Genuine, Variant::Failing];

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TruthDecider {
    /// The words of the steps.
    Literal,
    /// The same, followed by a check of the result.
    Checks,
    /// A scripted model that carries out the commands and then always claims success.
    Model,
}

/// How a case asks.
#[derive(Clone, Debug)]
pub(super) enum Asking {
    /// Literal steps.
    Steps(Vec<Step>),
    /// A scripted model, with the step as its task.
    Model { steps: Vec<Step>, commands: Vec<String>, mode: ModelMode },
}

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelMode {
    /// For a step of a workflow.
    Step,
    /// For a lone task.
    Task,
    /// For a lone task that is planned and reviewed, by the same model.
    Reviewed,
}

/// One case.
pub(super) struct Case<'a> {
    pub(super) behaviour: &'a Behaviour,
    pub(super) variant: Variant,
    pub(super) decider: TruthDecider,
    /// The number of the case among those of its behaviour, variant and decider, from 1.
    pub(super) number: usize,
    pub(super) asking: Asking,
    /// Silence of the page excuses an `unvalidated` success.
    pub(super) excused: bool,
}

/// What the truth is read from.
pub(super) struct Facts<'a> {
    /// What arrived at the site.
    pub(super) books: &'a Books,
    /// What the run saved; only cases about saved values look at it.
    pub(super) variables: &'a BTreeMap<String, Value>,
    /// Whether it is the failing variant, for checks of a page that never changes.
    pub(super) fails: bool,
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseVerdict {
    /// It happened and was reported, or did not and was not.
    Right,
    /// It did not happen, the page gave no sign of that, and the report is `unvalidated`.
    HonestlyUnvalidated,
    /// Reported as `success, validated` although it did not happen.
    FalseValidated,
    /// Reported as `success, unvalidated` although it did not happen and the page or the words say so.
    FalseUnvalidated,
    /// It happened, and was reported as a failure.
    Missed,
    /// It could have been done and was not; it was reported as a failure.
    NotDone,
    /// It happened in the variant in which it should not be possible: the case itself is wrong.
    Void,
}

impl CaseVerdict {
    /// Holds what was reported against what happened.
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

    /// Whether it is a success that did not happen.
    pub fn is_false_success(self) -> bool {
        matches!(self, CaseVerdict::FalseValidated | CaseVerdict::FalseUnvalidated)
    }

    /// Whether a success that was possible is missing.
    pub fn is_missed_success(self) -> bool {
        matches!(self, CaseVerdict::Missed | CaseVerdict::NotDone)
    }
}

impl Phrasing {
    pub(super) fn of(steps: &[&str]) -> Phrasing {
        Phrasing { steps: steps.iter().map(|step| (*step).to_owned()).collect(), names_result: false }
    }
}

/// A behaviour with the parts that most have.
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

    /// Without this, it happened when `done` was noted exactly once.
    pub(super) fn done(self, done: Truth) -> Behaviour {
        Behaviour { done, ..self }
    }

    /// Adds phrasings.
    pub(super) fn ask(mut self, phrasings: Vec<Phrasing>) -> Behaviour {
        self.phrasings.extend(phrasings);
        self
    }

    /// Adds one phrasing of these steps.
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

    /// Only these phrasings.
    pub(super) fn words(self, phrasings: Vec<Phrasing>) -> Behaviour {
        Behaviour { phrasings, ..self }
    }

    /// Only phrasings whose words name the result.
    pub(super) fn only_results(mut self) -> Behaviour {
        self.phrasings.retain(|phrasing| phrasing.names_result);
        self
    }

    pub(super) fn only(self, variants: &'static [Variant]) -> Behaviour {
        Behaviour { variants, ..self }
    }

    /// Every case of it.
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
    /// `login/page-401/failing/literal-2`.
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

    /// The words.
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
