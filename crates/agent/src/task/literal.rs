//! Executes a step that the parser understands: one clause at a time, each resolved on the page as it is at that time.
//!
//! If the target of a clause does not exist yet, the page is observed again on each change, up to the limit.
//! [`Progress`] records how much of the instruction was executed. A resume folds it from the journal and continues
//! after it, because the decision of every clause is recorded before its actions.

mod checking;
mod continuation;
mod retry;

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionIdentity, ActionResult, DecidedBy, Effect, EventKind, Evidence, EvidenceKind,
    PageEffect, Phase,
};

use self::retry::{decision, hidden_text, is_answered, is_blank, may_try_again, wait_for};
use super::{
    Clause, Ending, Poll, StepNotes, Transition, intents,
    recorded::{self, ClauseDecision, not_certain, without_effect},
    run_context::StepContext,
    sub_task::{SubTask, SubTaskResult, SubTaskStep},
    words::check_timeout,
};

use crate::{
    Need, NeedResult, ObserveRequest,
    evidence::{self, Observed},
    playbook::{Observation, PlaybookAction, alternative},
};

/// Maximum attempts for one clause, so that the loop ends even if the clock stands still.
const TRIES: u32 = 200;
/// Number of pages of a step that are remembered.
const PAGES: usize = 16;
/// How often a URL is opened whose server does not respond.
const LOADS: u32 = 2;

/// How much of a step's instruction was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Number of clauses whose actions are all committed.
    pub(crate) clauses: usize,
    /// Number of committed actions of the next clause.
    pub(crate) actions: usize,
}

/// The execution of a step's clauses.
pub(crate) struct LiteralRun {
    clauses: Vec<Clause>,
    text: String,
    progress: Progress,
    stage: LiteralStage,
    waiting_since: Option<Duration>,
    tries: u32,
    /// Whether the last action contained the answer to a dialog and the dialog was answered: the clause with that
    /// answer has been executed.
    answered: bool,
    /// Whether the current actions follow from the effects of the clause's own actions.
    follows: bool,
    /// The actions that a playbook recorded for the clauses.
    recorded: Vec<PlaybookAction>,
    /// For each action of the current decision: what its event states, and who decided.
    identities: Vec<(ActionIdentity, DecidedBy)>,
    /// The pages that the step observed, and the one before it. A wait for an element to disappear needs them, because
    /// the element may have been on any of them.
    seen: Vec<Arc<Snapshot>>,
    /// Whether the step is skipped if its element is not there.
    is_optional: bool,
    /// The written instruction, if an earlier iteration of this run recorded the actions. They are repeated only where
    /// the words leave no choice.
    repeats_iteration: Option<String>,
    /// Whether the words leave a choice on this page.
    has_choice: bool,
}

enum LiteralStage {
    /// Waits for the page on which to resolve the clause.
    Observing,
    /// Waits for the results of these actions.
    Acting { actions: Vec<Action>, before: Option<Arc<Snapshot>> },
    /// Waits for the page that shows the effects of the actions.
    Assessing(Box<ExecutedActions>),
    /// Waits for a check to hold.
    Checking(Box<Poll>),
    /// Waits for the needs of a sub-task.
    SubTask(SubTask),
}

/// Actions that were executed, before their page is observed.
struct ExecutedActions {
    actions: Vec<Action>,
    effects: Vec<PageEffect>,
    before: Option<Arc<Snapshot>>,
    is_login: bool,
    /// Whether the page may require another action of the same clause. Otherwise that clause is already complete.
    may_follow_up: bool,
    /// The recorded action that was repeated.
    recorded: Option<Box<PlaybookAction>>,
    since: Duration,
}

impl LiteralRun {
    pub(crate) fn new(clauses: Vec<Clause>, text: String, progress: Progress) -> LiteralRun {
        LiteralRun {
            clauses,
            text,
            progress,
            stage: LiteralStage::Observing,
            waiting_since: None,
            tries: 0,
            answered: false,
            follows: false,
            recorded: Vec::new(),
            identities: Vec::new(),
            seen: Vec::new(),
            is_optional: false,
            repeats_iteration: None,
            has_choice: false,
        }
    }

    /// Waits only briefly for an element that may be absent.
    pub(crate) fn optional(self, is_optional: bool) -> LiteralRun {
        LiteralRun { is_optional, ..self }
    }

    pub(crate) fn start(&mut self, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        self.seen.extend(cx.run_context.page.clone());
        let page = cx.fresh_page();
        self.clause(page, notes, cx)
    }

    pub(crate) fn handle_result(
        &mut self,
        response: NeedResult,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        if let NeedResult::Observed(page) = &response {
            if self.seen.len() == PAGES {
                self.seen.remove(0);
            }
            self.seen.push(page.clone());
        }
        match (std::mem::replace(&mut self.stage, LiteralStage::Observing), response) {
            (LiteralStage::Observing, NeedResult::Observed(page)) => self.clause(Some(page), notes, cx),
            (LiteralStage::Acting { actions, before }, NeedResult::Acted(results)) => {
                self.acted(actions, &results, before, notes, cx)
            }
            (LiteralStage::Assessing(done), NeedResult::Observed(page)) => self.assess(done, page, notes, cx),
            (LiteralStage::Checking(poll), NeedResult::Observed(page)) => self.check(*poll, page, notes, cx),
            (LiteralStage::SubTask(sub_task), response) => {
                let step = sub_task.handle_result(response, cx);
                self.on_sub_task_step(step, notes, cx)
            }
            (LiteralStage::Checking(poll), response) => {
                if let NeedResult::Acted(results) = response {
                    let effects: Vec<PageEffect> = results.into_iter().flat_map(|result| result.effects).collect();
                    notes.note_late_responses(&[], &effects, cx);
                }
                self.stage = LiteralStage::Checking(poll);
                Transition::Need(Need::Observe(ObserveRequest::default()))
            }
            _ => Transition::Need(Need::Observe(ObserveRequest::default())),
        }
    }

    /// Continues with the next clause, on this page if there is one.
    fn clause(&mut self, page: Option<Arc<Snapshot>>, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        let Some(clause) = self.clauses.get(self.progress.clauses) else {
            return self.finished(page.as_deref());
        };
        match (clause, page) {
            (Clause::Do(instruction), page) if instruction.answers_dialog() && std::mem::take(&mut self.answered) => {
                self.passed(cx);
                self.clause(page, notes, cx)
            }
            (Clause::Fixed(action @ (Action::Extract(_) | Action::Look(_))), page) => {
                let Some(page) = page else { return self.look(ObserveRequest::default()) };
                let (action, about) = (action.clone(), self.text.clone());
                let step = SubTask::command(action, DecidedBy::Literal, page, &about, cx);
                self.on_sub_task_step(step, notes, cx)
            }
            (Clause::Fixed(action), page) => {
                let actions = vec![action.clone()];
                self.act(actions, page, notes, cx)
            }
            (Clause::Recorded(recorded), Some(page)) => match recorded.resolve(cx.live(&page)) {
                Ok(resolved) => {
                    let written = self.repeats_iteration.as_deref();
                    let other = written.and_then(|text| alternative(text, &resolved.action, cx.live(&page)));
                    if let Some(other) = other {
                        self.has_choice = true;
                        return Transition::HandOver(recorded::leaves_choice(&resolved.action, &other));
                    }
                    let action = cx.resolve_action(resolved.action);
                    let identity = ActionIdentity { score: resolved.score, ..ActionIdentity::default() };
                    self.identities = vec![(identity, DecidedBy::Playbook)];
                    self.act(vec![action], Some(page), notes, cx)
                }
                Err(unidentified) => {
                    let limit = cx.rules.limits.element_wait;
                    let limit = if cx.others_may_decide() { limit / 3 } else { limit };
                    self.wait_or(Transition::HandOver(not_certain(&unidentified)), limit, cx)
                }
            },
            (Clause::Do(instruction), page) if page.is_some() || !instruction.needs_page() => {
                let blank = Snapshot::default();
                let shown = page.as_deref().unwrap_or(&blank);
                if let Some(saved) = instruction.saved_value(shown) {
                    cx.save(saved, notes);
                    self.passed(cx);
                    return self.clause(page, notes, cx);
                }
                let (live, prefers_record) = (cx.live(shown), cx.rules.prefers_recorded_row);
                let (clause, recorded) = (self.progress.clauses, self.recorded.as_slice());
                match recorded::decide(instruction, clause, recorded, prefers_record, live) {
                    ClauseDecision::Act(decided) => {
                        let mut actions = Vec::with_capacity(decided.actions.len());
                        self.identities.clear();
                        notes.add_evidence(
                            decided.notes.into_iter().map(|fact| Evidence::neutral(EvidenceKind::Element, fact)),
                        );
                        notes.counts_to_other_row |= decided.counts_to_other_row;
                        for (action, identity, decider) in decided.actions {
                            // The texts of a recorded action name variables.
                            let is_recorded = decider == DecidedBy::Playbook;
                            actions.push(if is_recorded { cx.resolve_action(action) } else { action });
                            self.identities.push((identity, decider));
                        }
                        if let Some(text) = hidden_text(instruction, &actions, shown, cx) {
                            return Transition::HandOver(Ending::of_other_row(&text));
                        }
                        if let Some(longer) = instruction.longer_name(&actions, shown) {
                            notes.note_longer_name(&longer);
                        }
                        self.act(actions, page, notes, cx)
                    }
                    // Waiting does not help: only an action opens a page.
                    ClauseDecision::Unresolved(_) if is_blank(shown) => Transition::HandOver(Ending::no_page()),
                    ClauseDecision::Unresolved(unresolved) => {
                        let limit = wait_for(&unresolved, self.is_optional, cx);
                        self.wait_or(Transition::HandOver(Ending::unresolved(unresolved)), limit, cx)
                    }
                    ClauseDecision::Uncertain(unidentified) => {
                        let limit = cx.rules.limits.element_wait / 3;
                        self.wait_or(Transition::HandOver(not_certain(&unidentified)), limit, cx)
                    }
                }
            }
            (Clause::Check(check), Some(page))
                if is_blank(&page) && !check.about_effects() && check.is_of_presence() =>
            {
                Transition::Ended(Ending::no_page())
            }
            (Clause::Check(check), Some(page)) => {
                let mut poll = Poll::new(check.clone(), cx.now + check_timeout(check, &cx.rules.limits));
                // The step before may have closed what this one waits for.
                let before = cx.run_context.before_action.as_ref();
                self.seen.iter().chain(before).for_each(|page| poll.recall(page, &cx.run_context.variables));
                self.check(poll, page, notes, cx)
            }
            (_, _) => self.look(ObserveRequest::default()),
        }
    }

    /// All clauses were executed. If the instruction answers one dialog and another one is open, that one blocks the
    /// page, and another decider takes over.
    fn finished(&self, page: Option<&Snapshot>) -> Transition {
        let answers = |clause: &Clause| matches!(clause, Clause::Do(instruction) if instruction.carries_answer());
        match page.and_then(|page| page.dialog.as_ref()) {
            Some(dialog) if self.clauses.iter().any(answers) => {
                let kind = format!("{:?}", dialog.kind).to_lowercase();
                let failure = ActionFailure::DialogOpen { dialog: kind, message: dialog.message.clone() };
                Transition::HandOver(Ending::of_failure(&failure))
            }
            _ => Transition::Finished { message: String::new(), answer: false },
        }
    }

    /// Continues when a command that the agent executes itself needs something or has ended.
    fn on_sub_task_step(&mut self, step: SubTaskStep, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        let command = match step {
            SubTaskStep::Need(sub_task, need) => {
                self.stage = LiteralStage::SubTask(sub_task);
                return Transition::Need(need);
            }
            SubTaskStep::Done(SubTaskResult::Command(command)) => command,
            // A literal step starts no other sub-tasks.
            SubTaskStep::Done(SubTaskResult::Investigation(_) | SubTaskResult::Advisory(_)) => {
                return Transition::Ended(Ending::unexpected_result());
            }
        };
        notes.note_command(&command, cx);
        notes.iterations += 1;
        if let Some(failure) = &command.result.failure {
            return Transition::Ended(Ending::of_failure(failure));
        }
        self.passed(cx);
        let page = cx.fresh_page();
        self.clause(page, notes, cx)
    }

    /// Executes the actions of the clause's decision that are not executed yet.
    fn act(
        &mut self,
        decided: Vec<Action>,
        before: Option<Arc<Snapshot>>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let open = decided.get(self.progress.actions..).unwrap_or_default().to_vec();
        if open.is_empty() {
            self.passed(cx);
            return self.clause(before, notes, cx);
        }
        self.send(open, before, cx)
    }

    /// Records a decision and executes it.
    fn send(&mut self, open: Vec<Action>, before: Option<Arc<Snapshot>>, cx: &mut StepContext<'_>) -> Transition {
        let is_replay = self.is_replay();
        let decider = if is_replay { DecidedBy::Playbook } else { DecidedBy::Literal };
        cx.emit(EventKind::AiReasoning { decider, decision: Box::new(decision(&self.text, &open)) });
        cx.phase(Phase::ExecutingCommands);
        // The browser waits as well: the limit includes that time.
        self.waiting_since.get_or_insert(cx.now);
        let before = before.or_else(|| cx.run_context.page.clone());
        self.stage = LiteralStage::Acting { actions: open.clone(), before };
        let mut intents = intents(open, decider);
        let clause = (!is_replay).then_some(self.progress.clauses);
        let known = std::mem::take(&mut self.identities).into_iter().skip(self.progress.actions);
        let known = known.chain(std::iter::repeat((ActionIdentity::default(), decider)));
        for (intent, (identity, decider)) in intents.iter_mut().zip(known) {
            intent.decider = decider;
            intent.identity = Some(Box::new(ActionIdentity { clause, ..identity }));
        }
        Transition::Need(Need::Act(intents))
    }

    fn acted(
        &mut self,
        actions: Vec<Action>,
        results: &[ActionResult],
        before: Option<Arc<Snapshot>>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        // Recorded actions are no turns: a model that has to replace one of them has all of its turns.
        notes.iterations += u32::from(!self.is_replay());
        for (action, result) in actions.iter().zip(results) {
            notes.history.add(action, result);
        }
        let done = results.iter().filter(|result| result.ok()).count();
        let is_login = match self.clauses.get(self.progress.clauses) {
            Some(Clause::Do(instruction)) => instruction.is_login(),
            _ => false,
        };
        self.progress.actions += done;
        let mut failed = actions.iter().zip(results);
        if let Some((action, result, failure)) =
            failed.find_map(|(action, result)| Some((action, result, result.failure.as_ref()?)))
        {
            // The clause's own actions were executed before this one, so the clause does not start again.
            if self.follows {
                return Transition::Ended(Ending::of_failure(failure));
            }
            return self.failed(action, result, failure, cx);
        }
        self.follows = false;
        (self.waiting_since, self.tries) = (None, 0);
        self.answered = actions.iter().zip(results).any(|(action, result)| is_answered(action, result));
        let may_follow_up = done == actions.len() && self.may_follow_up(&actions);
        let recorded = match self.clauses.get(self.progress.clauses) {
            Some(Clause::Recorded(recorded)) => Some(recorded.clone()),
            _ => None,
        };
        if done == actions.len() && !may_follow_up {
            self.next_clause();
        }
        // The evidence of a read-only action is in its result.
        if actions.iter().all(|action| action.effect() == Effect::ReadOnly) {
            notes.add_evidence(actions.iter().filter_map(evidence::waited_for));
            if let Some(before) = cx.run_context.before_action.as_deref()
                && actions.iter().any(|action| evidence::waited_for_change(action, before))
            {
                notes.note_change_of_earlier_action();
            }
            let effects: Vec<PageEffect> = results.iter().flat_map(|result| result.effects.clone()).collect();
            notes.note_late_responses(&actions, &effects, cx);
            if self.is_contradicted_before_checks(notes) {
                return Transition::Ended(Ending::contradicted(&notes.contradictions));
            }
            let page = cx.fresh_page();
            return self.clause(page, notes, cx);
        }
        let effects = results.iter().flat_map(|result| result.effects.clone()).collect();
        let actions = actions[..done].to_vec();
        let since = cx.now;
        self.stage = LiteralStage::Assessing(Box::new(ExecutedActions {
            actions,
            effects,
            before,
            is_login,
            may_follow_up,
            recorded,
            since,
        }));
        Transition::Need(Need::Observe(ObserveRequest::default()))
    }

    /// Whether a fact contradicts the step and its remaining clauses are not only checks. Checks may expect the
    /// refusal.
    fn is_contradicted_before_checks(&self, notes: &StepNotes) -> bool {
        let rest = self.clauses.get(self.progress.clauses..).unwrap_or_default();
        !notes.contradictions.is_empty() && !rest.iter().all(|clause| matches!(clause, Clause::Check(_)))
    }

    /// Classifies the effects of the actions. A contradiction ends the step, unless only checks remain: they may expect
    /// the refusal.
    fn assess(
        &mut self,
        mut done: Box<ExecutedActions>,
        page: Arc<Snapshot>,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let follow_up = self.follow_up(&mut done, &page);
        let rest = self.clauses.get(self.progress.clauses..).unwrap_or_default();
        let answers_dialog = rest.first().map_or(notes.next_step.answers_dialog, Clause::is_about_dialog);
        let has_further_action =
            rest.first().map_or(notes.next_step.acts, |clause| !matches!(clause, Clause::Check(_)));
        let mut findings = evidence::assess(Observed {
            actions: &done.actions,
            failed: &[],
            effects: &done.effects,
            before: done.before.as_deref(),
            after: &page,
            is_login: done.is_login,
            answers_dialog,
            has_further_action,
            is_lent: cx.rules.is_lent_page,
            churn: &cx.run_context.churn,
            covered: &cx.run_context.covered,
            disabled: &cx.rules.disabled_evidence,
        });
        // The URL of a workflow has no words; the first step may open the start page as well.
        let is_start = done.before.as_deref().is_none_or(is_blank) && done.actions.iter().all(Action::navigates);
        if is_start && (self.text.is_empty() || has_further_action) {
            evidence::allow_log_in(&mut findings, &done.effects, &page);
        }
        let observed = Observation { effects: &done.effects, before: done.before.as_deref(), after: &page };
        let missing = done.recorded.as_ref().and_then(|recorded| {
            let missing = recorded.effect.missing(&observed, &cx.run_context.variables)?;
            Some((recorded.clone(), missing))
        });
        let contradicting = findings.iter().filter(|finding| finding.contradicts());
        // The page after a login may still be rendering.
        let left = cx.rules.limits.element_wait.saturating_sub(cx.now.saturating_sub(done.since));
        let is_open = || !has_further_action && findings.iter().any(evidence::Finding::leaves_log_in_open);
        let is_temporary = match contradicting.clone().count() {
            0 => is_open(),
            _ => contradicting.clone().all(evidence::Finding::is_temporary),
        };
        if (is_temporary || missing.is_some()) && !left.is_zero() {
            self.tries += 1;
            if self.tries < TRIES {
                self.stage = LiteralStage::Assessing(done);
                return Transition::Need(Need::Observe(ObserveRequest { after_change_within: Some(left) }));
            }
        }
        self.tries = 0;
        cx.run_context.before_action.clone_from(&done.before);
        notes.add_findings(findings, &done.actions, (done.before.as_deref(), &page), cx);
        if self.is_contradicted_before_checks(notes) {
            return Transition::Ended(Ending::contradicted(&notes.contradictions));
        }
        if let Some((recorded, missing)) = missing {
            // The action is not repeated: the next decider sees that it was executed.
            self.progress.clauses = self.progress.clauses.saturating_sub(1);
            return Transition::HandOver(without_effect(&recorded, &missing));
        }
        if let Some(action) = follow_up {
            self.follows = true;
            self.progress.actions = 0;
            let next = self.act(vec![action], Some(page), notes, cx);
            self.progress.actions = done.actions.len();
            return next;
        }
        self.clause(Some(page), notes, cx)
    }

    fn failed(
        &mut self,
        action: &Action,
        result: &ActionResult,
        failure: &ActionFailure,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let is_repeatable =
            action.effect() == Effect::Idempotent && !result.effects.iter().any(PageEffect::may_have_changed);
        let ending = if is_repeatable { Ending::of_failure(failure) } else { Ending::of_result(result, failure) };
        if result.outcome_unknown {
            // The parser cannot find out whether the action was executed. A model can, if there is still a page to
            // observe.
            let over = failure.is_browser_fault() || *failure == ActionFailure::Cancelled;
            return if over { Transition::Ended(ending) } else { Transition::HandOver(ending) };
        }
        // The element was replaced while the browser waited for it. The page is new, so the waiting time starts again.
        if matches!(failure, ActionFailure::StaleRef { .. }) && self.tries == 0 {
            (self.waiting_since, self.tries) = (None, 1);
            return self.look(ObserveRequest::default());
        }
        let may = may_try_again(action, failure) && (self.tries < LOADS || !matches!(action, Action::Open(_)));
        if may {
            let otherwise = Transition::HandOver(ending);
            return self.wait_or(otherwise, cx.rules.limits.element_wait, cx);
        }
        match failure {
            ActionFailure::Cancelled
            | ActionFailure::Refused { .. }
            | ActionFailure::PolicyRefused { .. }
            | ActionFailure::Forbidden { .. }
            | ActionFailure::UploadNotAllowed { .. } => Transition::Ended(ending),
            failure if failure.is_browser_fault() => Transition::Ended(ending),
            _ => Transition::HandOver(ending),
        }
    }

    /// Observes again on the next change, or gives up when the waiting time is over.
    fn wait_or(&mut self, otherwise: Transition, limit: Duration, cx: &StepContext<'_>) -> Transition {
        let since = *self.waiting_since.get_or_insert(cx.now);
        let left = limit.saturating_sub(cx.now.saturating_sub(since));
        self.tries += 1;
        if left.is_zero() || self.tries >= TRIES {
            return otherwise;
        }
        self.look(ObserveRequest { after_change_within: Some(left) })
    }

    fn look(&mut self, look: ObserveRequest) -> Transition {
        self.stage = LiteralStage::Observing;
        Transition::Need(Need::Observe(look))
    }

    /// A clause that needed no action is recorded as well, so that a resume counts it.
    fn passed(&mut self, cx: &mut StepContext<'_>) {
        let decider = if self.is_replay() { DecidedBy::Playbook } else { DecidedBy::Literal };
        cx.emit(EventKind::AiReasoning { decider, decision: Box::new(decision(&self.text, &[])) });
        self.next_clause();
    }

    fn next_clause(&mut self) {
        self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
    }
}
