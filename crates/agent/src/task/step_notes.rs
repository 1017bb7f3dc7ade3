//! The notes of a step in progress: turns, evidence, failures, and the history for the model.

use std::collections::HashSet;

use legwork_observe::Snapshot;
use legwork_protocol::{Action, DecidedBy, Evidence, EvidenceKind, PageEffect, Plan, Polarity};
use legwork_steps::LongerName;

use super::{recorded::ReplayRemainder, run_context::StepContext};
use crate::{
    Limits,
    context::History,
    evidence::{self, Contradictions, EvidenceRule, Finding, UnseenChange},
};

/// The maximum number of incidental supporting and neutral facts. Facts that the step requested and contradictions are
/// always kept.
const EVIDENCE: usize = 40;

/// The maximum number of effects that an error names.
const EFFECTS: usize = 3;

/// What the page shows of the effect of the actions of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum VisibleEffect {
    /// The step has only observed.
    #[default]
    NoAction,
    /// The step has only observed, and a check or a wait held that did not hold before the last action of the run.
    OfEarlierAction,
    /// The last action was assessed by what the page shows.
    Assessed,
    /// The server accepted the last request, and the page shows nothing of its effect. A check in the next step can
    /// show it.
    Unseen,
    /// As `Unseen`, and a field lost its value, so that no later check removes the doubt.
    UnseenAndLost,
}

impl VisibleEffect {
    /// Whether the server accepted the last request, and the page shows nothing of its effect.
    pub(crate) fn is_unseen(self) -> bool {
        matches!(self, VisibleEffect::Unseen | VisibleEffect::UnseenAndLost)
    }
}

/// Facts that held before the action too, and therefore do not show its effect.
pub(crate) fn as_before_action(evidence: Vec<Evidence>) -> Vec<Evidence> {
    let neutral = |fact: Evidence| Evidence::neutral(fact.kind, format!("{}, as before the action", fact.fact));
    evidence.into_iter().map(neutral).collect()
}

/// The notes of a step in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepNotes {
    /// Number of turns.
    pub(crate) iterations: u32,
    /// The observed facts.
    pub(crate) evidence: Vec<Evidence>,
    /// The contradicting findings that were not outweighed.
    pub(crate) contradictions: Contradictions,
    /// A description of the last action, if it failed and no supporting fact was observed since.
    pub(crate) failed_action: Option<String>,
    /// Checks of the step that hold, in the step's own words. A check that expects a refusal outweighs it.
    pub(crate) checks: Vec<String>,
    /// What the next step means for this one.
    pub(crate) next_step: NextStep,
    /// The words of the step in lower case. Facts that share one of them are kept longest.
    pub(crate) words: HashSet<String>,
    /// Whether no supporting fact was observed after the last action. Facts about earlier actions do not show its
    /// effect.
    pub(crate) lacks_support: bool,
    /// Whether the server accepted the last request but reports that it has not processed it yet.
    pub(crate) is_accepted_for_later: bool,
    /// What the page shows of the effect of an action.
    pub(crate) visible_effect: VisibleEffect,
    /// The changes of which no page of the step has shown anything so far.
    pub(crate) unseen_changes: Vec<UnseenChange>,
    /// Whether a target has a longer name than the step states, and no later check holds.
    pub(crate) has_longer_name: bool,
    /// Whether the words of the step count to an element in another row than in the recorded run, so that only the user
    /// knows whether the position or the row was meant.
    pub(crate) counts_to_other_row: bool,
    /// The last decider.
    pub(crate) decider: Option<DecidedBy>,
    /// Number of recorded actions that were executed before an interruption.
    pub(crate) replayed: usize,
    /// Whether another decider continued the step before an interruption, so that its recorded actions do not follow.
    pub(crate) is_decided_anew: bool,
    /// The counts of failures.
    pub(crate) errors: Errors,
    /// The executed actions, one per line.
    pub(crate) history: History,
    /// The plan, if there is one.
    pub(crate) plan: Option<Plan>,
    /// The index of the current item of the plan.
    pub(crate) item: usize,
    /// Number of reviews of an answer.
    pub(crate) reviews: u32,
    /// Number of reflections.
    pub(crate) reflections: u32,
    /// The recorded actions that remain while a model replaces one of them.
    pub(crate) replay: Option<ReplayRemainder>,
}

/// What the next step means for this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NextStep {
    /// Whether it answers or checks the open dialog.
    pub(crate) answers_dialog: bool,
    /// Whether it checks that this step was refused.
    pub(crate) expects_refusal: bool,
    /// Whether it starts with an action that may respond to what the page shows. Opening an address does not.
    pub(crate) acts: bool,
    /// Whether it waits for a condition.
    pub(crate) waits: bool,
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

    /// A message, if there are too many.
    pub(crate) fn too_many(&self, limits: &Limits) -> Option<String> {
        if self.consecutive >= limits.max_consecutive_errors {
            return Some(format!("{} failures in a row", self.consecutive));
        }
        (self.total >= limits.max_total_errors).then(|| format!("{} failures in all", self.total))
    }
}

impl StepNotes {
    /// Stores the words of the step.
    pub(crate) fn set_words(&mut self, step: &str) {
        self.words = words_of(step).collect();
    }

    /// Adds evidence without duplicates, newest last. If there is too much, the oldest neutral facts are removed first,
    /// then the oldest facts that share no word with the step.
    pub(crate) fn add_evidence(&mut self, evidence: impl IntoIterator<Item = Evidence>) {
        for fact in evidence {
            self.evidence.retain(|known| *known != fact);
            self.evidence.push(fact);
        }
        let passing = |fact: &Evidence| !fact.checked && fact.polarity != Polarity::Contradicting;
        while self.evidence.iter().filter(|fact| passing(fact)).count() > EVIDENCE {
            let neutral = |fact: &Evidence| passing(fact) && fact.polarity == Polarity::Neutral;
            let unrelated =
                |fact: &Evidence| passing(fact) && !words_of(&fact.fact).any(|word| self.words.contains(&word));
            let oldest = self.evidence.iter().position(neutral);
            let oldest = oldest.or_else(|| self.evidence.iter().position(unrelated));
            let Some(oldest) = oldest.or_else(|| self.evidence.iter().position(passing)) else { return };
            self.evidence.remove(oldest);
        }
    }

    /// Adds the findings about the last actions.
    pub(crate) fn add_findings(
        &mut self,
        mut findings: Vec<Finding>,
        actions: &[Action],
        (before, after): (Option<&Snapshot>, &Snapshot),
        cx: &mut StepContext<'_>,
    ) {
        let lost = cx.run_context.set_fields.update(&findings, actions, (before, after), self.next_step.acts);
        let lost: Vec<Finding> =
            lost.into_iter().filter(|finding| !cx.rules.disabled_evidence.contains(&finding.rule)).collect();
        if lost.iter().any(|finding| finding.rule == EvidenceRule::Reversion) {
            findings = findings.into_iter().map(|finding| evidence::neutralize_unless_done(finding, &lost)).collect();
        }
        let removes_support =
            |rule| matches!(rule, EvidenceRule::NotSent | EvidenceRule::OtherValue | EvidenceRule::OtherEntry);
        if lost.iter().any(|finding| removes_support(finding.rule)) {
            findings = findings.into_iter().map(evidence::neutralize).collect();
        }
        let is_lost = !lost.is_empty();
        findings.extend(lost);
        self.lacks_support = !findings.iter().any(Finding::supports);
        self.is_accepted_for_later = findings.iter().any(|finding| finding.rule == EvidenceRule::AcceptedForLater);
        let is_unseen = findings
            .iter()
            .any(|finding| matches!(finding.rule, EvidenceRule::NoVisibleEffect | EvidenceRule::UnrelatedEffect));
        self.unseen_changes.retain(|change| !change.is_shown_on(after));
        if is_unseen && let Some(before) = before {
            self.unseen_changes.push(UnseenChange::of(actions, before, after));
        }
        self.visible_effect = match (is_unseen, is_lost) {
            (false, _) => VisibleEffect::Assessed,
            (true, false) => VisibleEffect::Unseen,
            (true, true) => VisibleEffect::UnseenAndLost,
        };
        cx.run_context.unanswered.update(&findings, before, after);
        self.contradictions.update(&findings, after, evidence::starts_over(actions));
        self.add_evidence(findings.into_iter().map(|finding| finding.evidence));
    }

    /// Notes that a check holds that says something about the step. What was there before the action does not make up
    /// for an effect that the page does not show.
    pub(crate) fn note_check(&mut self, held_before: bool) {
        if !held_before {
            self.note_change_of_earlier_action();
            self.note_shown_by_check();
        }
        self.lacks_support &= held_before && self.visible_effect.is_unseen();
    }

    /// Notes that the step observed something that was not there before the last action of the run.
    pub(crate) fn note_change_of_earlier_action(&mut self) {
        if self.visible_effect == VisibleEffect::NoAction {
            self.visible_effect = VisibleEffect::OfEarlierAction;
        }
    }

    /// Notes that a check shows the effect of the last action.
    fn note_shown_by_check(&mut self) {
        if self.visible_effect.is_unseen() {
            self.unseen_changes.pop();
        }
    }

    /// Whether the page showed nothing of a change before the last action of the step.
    pub(crate) fn has_earlier_unseen_change(&self) -> bool {
        self.unseen_changes.len() > usize::from(self.visible_effect.is_unseen())
    }

    /// Records that a target or a row was found by a part of its name, so that only the user knows whether it is meant.
    pub(crate) fn note_longer_name(&mut self, longer: &LongerName) {
        let fact = format!("{:?} was used as the match for {:?}", longer.name, longer.words);
        self.add_evidence([Evidence::neutral(EvidenceKind::Element, fact)]);
        self.has_longer_name = true;
    }

    /// The evidence of a check, which is neutral if the check held before the action and the page shows no effect of
    /// it.
    pub(crate) fn weighed_against_effect(&self, evidence: Vec<Evidence>, held_before: bool) -> Vec<Evidence> {
        if held_before && self.visible_effect.is_unseen() { as_before_action(evidence) } else { evidence }
    }

    /// Adds the responses and refused changes that arrived while the step only observed and waited.
    pub(crate) fn note_late_responses(&mut self, actions: &[Action], effects: &[PageEffect], cx: &mut StepContext<'_>) {
        cx.run_context.unanswered.forget_answered(effects);
        let Some(page) = cx.run_context.page.clone() else { return };
        let mut findings = evidence::late_refusals(actions, effects, &page);
        findings.retain(|finding| !cx.rules.disabled_evidence.contains(&finding.rule));
        self.contradictions.update(&findings, &page, false);
        self.add_evidence(findings.into_iter().map(|finding| finding.evidence));
    }

    /// The newest facts that show that an action of the step took effect.
    pub(crate) fn effects_in_words(&self) -> Vec<&str> {
        let took_effect = |fact: &&Evidence| !fact.checked && fact.polarity == Polarity::Supporting;
        let mut facts: Vec<&str> =
            self.evidence.iter().rev().filter(took_effect).take(EFFECTS).map(|fact| fact.fact.as_str()).collect();
        facts.reverse();
        facts
    }

    /// Removes the contradictions that the next step checks, because its subject is the refusal.
    pub(crate) fn leave_to_next_step(&mut self) {
        if self.next_step.expects_refusal {
            self.contradictions = Contradictions::default();
        }
    }

    /// Whether a fact contradicts success that no check of the step outweighs. `expectation` is a further check that
    /// holds.
    pub(crate) fn is_contradicted(&mut self, expectation: Option<&str>) -> bool {
        let held: Vec<&str> = self.checks.iter().map(String::as_str).chain(expectation).collect();
        self.contradictions.outweigh(&held);
        !self.contradictions.is_empty()
    }
}

/// The significant words of a text, in lower case.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_much_evidence_the_newest_and_what_shares_a_word_with_the_step_is_kept() {
        use legwork_protocol::EvidenceKind::Text;
        let mut notes = StepNotes::default();
        notes.set_words("Click \"Place order\"");
        notes.add_evidence([Evidence::seen(Text, "the order 4711 appeared"), Evidence::contradicting(Text, "refused")]);
        notes.add_evidence((0..60).map(|at| Evidence::seen(Text, format!("fact {at}"))));
        notes.add_evidence((0..60).map(|at| Evidence::neutral(Text, format!("tick {at}"))));
        let facts: Vec<&str> = notes.evidence.iter().map(|evidence| evidence.fact.as_str()).collect();
        assert_eq!(facts.len(), EVIDENCE + 1);
        assert!(facts.contains(&"the order 4711 appeared") && facts.contains(&"refused"));
        assert!(facts.contains(&"fact 59") && !facts.contains(&"fact 0") && !facts.contains(&"tick 59"), "{facts:?}");
    }

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
