//! The advisory calls between a model's turns: a plan before the first turn, a reflection between two, a review after
//! the last. This file determines when each is due and applies its result; [`super::super::advisory_call`] makes the
//! calls.
//!
//! The verdict of a reflection is binding: PROCEED continues, RETRY requests a new decision, ABORT ends the task. If an
//! action is uncertain and cannot be undone, a person decides, provided that one is available; otherwise the action is
//! not executed.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{
    Code, DecidedBy, Decision, Effect, EventKind, Evidence, EvidenceKind, Phase, Plan, Quality, Question, Reflection,
    Review, Risk, Validation, Verdict,
};

use super::{ModelRun, ModelStage};
use crate::{
    Need, NeedResult,
    context::one_line,
    prompt::quote,
    schema::Form,
    task::{
        Ending, StepNotes, Task, Transition,
        advisory_call::{AdvisoryCall, AdvisoryResult, ClaimedResult, NoReview, ReflectionSubject},
        budgets,
        guard::normalised,
        intents,
        model_call::ReplyFailure,
        plan::{self, PlanReference},
        planning_policy,
        reflect::{self, FAILURES_BEFORE_REFLECTION, MAX_THOUGHT, ReflectionReply},
        review::{self, MAX_FEEDBACK, ReviewReply},
        run_context::StepContext,
        sub_task::SubTask,
    },
};

/// The state between advisory calls.
#[derive(Default)]
pub(super) struct AdvisoryState {
    /// Whether the decision about making a plan has been taken.
    plan_considered: bool,
    /// The reason why the plan does not work: a revised one is due.
    replan_reason: Option<String>,
    /// A description of consecutive failures: a reflection is due on the next page.
    failures: Option<String>,
    /// The action that a reflection advised against. If the model decides on it again, there is no second reflection.
    rejected_action: Option<String>,
    budget_notices: budgets::BudgetNotices,
}

impl ModelRun {
    /// The call that is due before the next decision on this page, if any.
    pub(super) fn before_deciding(
        &mut self,
        page: &Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        self.page = Some(page.clone());
        if !std::mem::replace(&mut self.advisory.plan_considered, true)
            && notes.plan.is_none()
            && planning_policy::should_plan(task, cx)
        {
            return self.make_plan(None, task, notes, cx);
        }
        if let Some(failures) = self.advisory.failures.take()
            && let Some(next) = self.reflect_on_failures(failures, task, notes, cx)
        {
            return Some(next);
        }
        let why = self.advisory.replan_reason.take()?;
        self.make_plan(Some(&why), task, notes, cx)
    }

    /// The hints of the next prompt: the pending hint, the open items of the plan, and the remaining budgets.
    pub(super) fn hints(&mut self, notes: &StepNotes, task: &Task, cx: &StepContext<'_>) -> Option<String> {
        let line = cx.rules.model.as_ref().is_some_and(|model| model.schema.form == Form::Line);
        let items = notes.open_items(if line { "why" } else { "message" });
        let parts = [self.hint.take(), items, self.advisory.budget_notices.warning(notes, task, cx)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Applies the result of a call.
    pub(super) fn on_advisory_result(
        &mut self,
        result: AdvisoryResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match result {
            AdvisoryResult::Plan(plan) => self.planned(plan, task, notes, cx),
            AdvisoryResult::Reflection(ReflectionSubject::Decision(decision), Ok(reflection)) => {
                self.apply_reflection(reflection, *decision, task, notes, cx)
            }
            AdvisoryResult::Reflection(ReflectionSubject::Decision(decision), Err(why)) => {
                let message = format!("no reflection on a decision of low confidence: {why}");
                cx.emit_error(Code::ReflectionFailed, message);
                self.carry_out(*decision, task, notes, cx)
            }
            AdvisoryResult::Reflection(ReflectionSubject::Failures(failures), Ok(reflection)) => {
                self.record_reflection(&reflection, failures, notes, cx);
                match reflection.verdict {
                    Verdict::Abort => return aborted(reflection.thought),
                    Verdict::Retry => self.hint = Some(format!("On reflection: {}", reflection.thought)),
                    Verdict::Proceed => {}
                }
                self.decide(task, notes, cx)
            }
            AdvisoryResult::Reflection(ReflectionSubject::Failures(_), Err(why)) => {
                cx.emit_error(Code::ReflectionFailed, format!("no reflection on the failures: {why}"));
                self.decide(task, notes, cx)
            }
            AdvisoryResult::Review(claim, review) => self.reviewed(claim, review, notes, cx),
        }
    }

    fn advise(
        &mut self,
        call: AdvisoryCall,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        self.on_sub_task_step(SubTask::advise(call), task, notes, cx)
    }

    /// Requests a plan, or a revised one.
    fn make_plan(
        &mut self,
        why: Option<&str>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        match plan::call(self.page.as_deref()?, why, task, notes, cx) {
            Ok(call) => {
                cx.phase(Phase::QueryingAi);
                Some(self.advise(AdvisoryCall::Plan(call), task, notes, cx))
            }
            Err(why) => {
                cx.emit_error(why.code(), format!("no plan is made: {why}"));
                None
            }
        }
    }

    fn planned(
        &mut self,
        plan: Result<Plan, ReplyFailure>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(why) => {
                let goes_on = if notes.plan.is_some() { "the plan stays as it was" } else { "done without one" };
                cx.emit_error(why.code(), format!("no plan was made, {goes_on}: {why}"));
                return self.decide(task, notes, cx);
            }
        };
        plan.revision = notes.plan.as_ref().map_or(0, |before| before.revision + 1);
        let start = plan::start(&mut plan, self.page.as_deref(), cx);
        cx.emit(EventKind::PlanUpdated(plan.clone()));
        (notes.plan, notes.item) = (Some(plan), 0);
        match start {
            Some(open) => {
                cx.phase(Phase::ExecutingCommands);
                self.stage = ModelStage::Acting(vec![open.clone()]);
                Transition::Need(Need::Act(intents(vec![open], DecidedBy::Model)))
            }
            None => self.decide(task, notes, cx),
        }
    }

    /// Determines which item of the plan a decision is about, or the reason why the plan does not work.
    pub(super) fn follow_plan(
        &mut self,
        decision: &mut Decision,
        notes: &mut StepNotes,
        cx: &StepContext<'_>,
    ) -> Option<String> {
        let plan = notes.plan.as_ref()?;
        let words: [&str; 2] = [&decision.message, &decision.reasoning.analysis];
        match plan::reference(words, plan.action_items.len())? {
            PlanReference::Replan(why) => (plan.revision < cx.rules.thinking.revisions).then_some(why),
            PlanReference::Item(item, rest) => {
                notes.item = item;
                // An answer must not begin with the number of a plan item.
                if decision.message.trim_start().starts_with('#') {
                    decision.message = rest.to_owned();
                }
                None
            }
        }
    }

    /// A contradiction of the plan causes a revision with the next page, as long as revisions are left.
    pub(super) fn plan_fails(&mut self, why: &str, notes: &StepNotes, cx: &StepContext<'_>) {
        if notes.plan.as_ref().is_some_and(|plan| plan.revision < cx.rules.thinking.revisions) {
            self.advisory.replan_reason = Some(plan::short(why));
        }
    }

    /// Reflects on a decision before its execution, if it is uncertain and changes something.
    pub(super) fn reflect_on_decision(
        &mut self,
        decision: &Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let thinking = &cx.rules.thinking;
        let changes = decision.commands.iter().any(|command| command.action.effect() == Effect::Mutating);
        let doubtful = decision.confidence < thinking.min_confidence && changes;
        if !doubtful {
            self.advisory.rejected_action = None;
        }
        if !doubtful || !may_reflect(task, notes, cx) {
            return None;
        }
        let key = normalised(&decision.commands, self.page.as_deref());
        if self.advisory.rejected_action.as_deref() == Some(&key) {
            self.advisory.rejected_action = None;
            return None;
        }
        let reasons = [&decision.message, &*decision.reasoning.analysis, &*decision.reasoning.rationale].join(" ");
        let doubt = format!(
            "{} (confidence {}): {}",
            reflect::in_words(&decision.commands, self.page.as_deref()),
            decision.confidence,
            one_line(&reasons, MAX_THOUGHT),
        );
        let subject = ReflectionSubject::Decision(Box::new(decision.clone()));
        self.reflect(subject, Some(&quote("action", &doubt)), task, notes, cx)
    }

    /// Records consecutive failures. The reflection takes place when the page is observed again.
    pub(super) fn failed_again(&mut self, what: &str, notes: &StepNotes, cx: &StepContext<'_>) {
        if notes.errors.consecutive == FAILURES_BEFORE_REFLECTION {
            self.advisory.failures = Some(one_line(what, MAX_THOUGHT));
        }
        // The advice did not help, or there was none.
        if notes.errors.consecutive == FAILURES_BEFORE_REFLECTION + 1 {
            self.plan_fails(what, notes, cx);
        }
    }

    fn reflect_on_failures(
        &mut self,
        failures: String,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        if !may_reflect(task, notes, cx) {
            return None;
        }
        self.reflect(ReflectionSubject::Failures(failures), None, task, notes, cx)
    }

    fn reflect(
        &mut self,
        subject: ReflectionSubject,
        doubt: Option<&str>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        match reflect::call(self.page.as_deref(), doubt, task, notes, cx) {
            Ok(call) => {
                cx.phase(Phase::Reflecting);
                Some(self.advise(AdvisoryCall::Reflection(call, subject), task, notes, cx))
            }
            Err(why) => {
                cx.emit_error(why.code(), format!("no reflection: {why}"));
                None
            }
        }
    }

    /// Executes the decision, rejects it, or asks a person.
    fn apply_reflection(
        &mut self,
        reflection: ReflectionReply,
        decision: Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let what = reflect::in_words(&decision.commands, self.page.as_deref());
        let cause = format!("confidence {} before {what}", decision.confidence);
        self.record_reflection(&reflection, cause, notes, cx);
        match (reflection.verdict, reflection.risk) {
            (Verdict::Abort, _) => aborted(reflection.thought),
            (Verdict::Proceed, Risk::Low | Risk::Medium) => {
                self.advisory.rejected_action = None;
                self.carry_out(decision, task, notes, cx)
            }
            (Verdict::Proceed, Risk::High) if cx.rules.thinking.attended => {
                let text = format!("This may be irreversible: {what}. {} Continue? (yes / no)", reflection.thought);
                self.stage = ModelStage::Approving(Box::new(decision));
                Transition::Need(Need::Ask(Question::choice(text, ["yes", "no"])))
            }
            (_, Risk::High) if self.advisory.rejected_action.is_some() => {
                aborted(format!("no person is available to approve an action that may be irreversible: {what}"))
            }
            (Verdict::Proceed | Verdict::Retry, risk) => {
                // An action that cannot be undone causes a reflection each time the model decides on it.
                let key = normalised(&decision.commands, self.page.as_deref());
                self.advisory.rejected_action = Some(if risk == Risk::High { String::new() } else { key });
                notes.history.note(format!("decided on reflection against {what}: {}", reflection.thought));
                self.hint =
                    Some("Your last decision was not carried out; the history's last line says why.".to_owned());
                self.decide(task, notes, cx)
            }
        }
    }

    /// Records a reflection. If it finds that the plan does not work, the plan is revised.
    fn record_reflection(
        &mut self,
        reflection: &ReflectionReply,
        cause: String,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) {
        notes.reflections += 1;
        let ReflectionReply { verdict, risk, thought, .. } = reflection;
        cx.emit(EventKind::ReflectionCompleted(Reflection {
            cause,
            verdict: *verdict,
            thought: thought.clone(),
            risk: *risk,
        }));
        if !reflection.plan_holds {
            self.plan_fails(thought, notes, cx);
        }
    }

    /// Applies a person's answer about an uncertain action.
    pub(super) fn approved(
        &mut self,
        decision: Decision,
        response: &NeedResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let what = reflect::in_words(&decision.commands, self.page.as_deref());
        match response {
            NeedResult::Answered(answer) if reflect::is_yes(answer) => self.carry_out(decision, task, notes, cx),
            NeedResult::Answered(answer) => {
                notes.history.note(format!("the user refused {what}: {}", one_line(answer, MAX_THOUGHT)));
                self.look()
            }
            _ => Transition::Ended(Ending::parked(
                Code::OutcomeUnknown,
                format!("a person has to decide whether to continue: {what}"),
            )),
        }
    }

    /// Requests a review of the claim that the task is done, if there are criteria for it.
    pub(crate) fn review(
        &mut self,
        message: &str,
        answer: bool,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let criteria = review::criteria(task, notes, cx)?;
        let page = self.page.clone()?;
        let claim = ClaimedResult { message: message.to_owned(), answer: answer.then(|| message.to_owned()) };
        cx.phase(Phase::Validating);
        // The page at the end is a part of the evidence.
        notes.add_evidence([
            Evidence::seen(EvidenceKind::Url, format!("the address is {}", page.url)),
            Evidence::seen(EvidenceKind::Title, format!("the title is {:?}", page.title)),
        ]);
        Some(match review::call(message, &criteria, &page, task, notes, cx) {
            // An answer is not discarded because no budget is left for a review.
            Ok(call) if budgets::exceeded(call.request(), cx).is_some() => unreviewed(claim, &NoReview::Budget, cx),
            Ok(call) => self.advise(AdvisoryCall::Review(call, claim), task, notes, cx),
            Err(why) => unreviewed(claim, &why.into(), cx),
        })
    }

    /// Whether it waits for a review: a review that arrives late still counts.
    pub(crate) fn is_reviewing(&self) -> bool {
        matches!(&self.stage, ModelStage::SubTask(sub_task) if sub_task.is_review())
    }

    /// `failed` and `partial` return to the model with the feedback, a limited number of times; then the answer is
    /// rejected.
    fn reviewed(
        &mut self,
        claim: ClaimedResult,
        review: Result<ReviewReply, NoReview>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let ReviewReply { quality, feedback } = match review {
            Ok(review) => review,
            Err(why) => return unreviewed(claim, &why, cx),
        };
        notes.reviews += 1;
        let attempt = notes.reviews;
        cx.emit(EventKind::AnswerValidated(Review { quality, feedback: feedback.clone(), attempt }));
        if matches!(quality, Quality::Complete | Quality::Excellent) {
            // The review of a model's own work counts only if code observed an effect of that work.
            let validation = if notes.lacks_support { Validation::Unvalidated } else { Validation::Validated };
            return Transition::Ended(Ending::success(claim.message, claim.answer, validation));
        }
        if attempt >= cx.rules.thinking.reviews {
            let mut ending = Ending::rejected(format!("the answer was rejected {attempt} times, last: {feedback}"));
            let answer = format!("the answer was: {}", one_line(&claim.message, MAX_FEEDBACK));
            ending.error = ending.error.map(|error| error.with_details([answer]));
            return Transition::Ended(ending);
        }
        let judged = if quality == Quality::Failed { "failed" } else { "partial" };
        notes.history.note(format!("said it was done; judged {judged}: {feedback}"));
        self.hint = Some("Your answer was not accepted; the history's last line says what is missing.".to_owned());
        self.look()
    }
}

fn may_reflect(task: &Task, notes: &StepNotes, cx: &StepContext<'_>) -> bool {
    notes.reflections < reflect::LIMIT && planning_policy::is_enabled(cx.rules.thinking.reflection, task)
}

fn aborted(thought: String) -> Transition {
    Transition::Ended(Ending::failure(Code::CommandFailed, thought))
}

/// An answer without a review is unvalidated, and the record contains the reason.
fn unreviewed(claim: ClaimedResult, why: &NoReview, cx: &mut StepContext<'_>) -> Transition {
    let message = format!("the answer was not reviewed: {why}");
    match why {
        NoReview::Budget => cx.warn(message),
        NoReview::Reply(why) => cx.emit_error(why.code(), message),
    }
    Transition::Ended(Ending::success(claim.message, claim.answer, Validation::Unvalidated))
}
