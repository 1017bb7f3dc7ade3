//! Executes one step or one task: observe → decide → act → reflect, until it is done or cannot be done.
//!
//! A [`TaskRun`] has three main modes: it parses the step and executes its clauses ([`literal`]), lets a model decide
//! turn by turn ([`model`]), or waits for the step's expectation to hold ([`poll`]). A mode returns a [`Transition`]
//! for each [`NeedResult`]. This file converts transitions into needs and contains what all modes share: limits,
//! budgets and the end.

mod advisory_call;
mod budgets;
mod ending;
mod extract;
mod found_text;
mod guard;
mod instruction;
mod investigate;
mod leave_field;
mod literal;
mod look;
mod model;
mod model_call;
mod model_tier;
mod pages;
mod plan;
mod planning_policy;
mod poll;
mod recorded;
mod reflect;
mod reply;
mod review;
mod run_context;
mod seen_target;
mod step_notes;
mod sub_task;
mod transition;
mod turn_preparation;
mod words;
mod work_step;

use std::time::Duration;

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionIdentity, ActionResult, Budget, Code, DecidedBy, ErrorReport, EventKind, Evidence,
    PageEffect, Phase, Purpose, Status, Validation,
};

use crate::{
    DeciderChoice, Need, NeedResult, ObserveRequest,
    playbook::{self, Change},
};

pub(crate) use ending::Ending;
pub(crate) use instruction::{RecordedActions, Task};
pub(crate) use literal::{LiteralRun, Progress};
pub(crate) use pages::too_long;
pub use plan::plan_item;
pub(crate) use poll::{Poll, PollOutcome};
pub(crate) use run_context::{RunContext, StepContext, escape_placeholders};
pub(crate) use step_notes::{NextStep, StepNotes, VisibleEffect, as_before_action};
pub(crate) use transition::{Transition, intents};
pub(crate) use words::{Clause, clauses, evaluate, next_step, read_check};

/// How often an unobservable page is observed again.
const MAX_FAILED_OBSERVATIONS: u32 = 3;

enum Mode {
    Literal(LiteralRun),
    Model(Box<model::ModelRun>),
    Expecting { poll: Box<Poll>, after: Option<Box<model::ModelRun>>, message: String, answer: Option<String> },
    Leaving(leave_field::LeaveField),
}

/// A step or task in progress.
pub(crate) struct TaskRun {
    task: Task,
    mode: Mode,
    need: Need,
    ending: Option<Ending>,
    notes: StepNotes,
    started: Duration,
    failed_observations: u32,
    before: turn_preparation::TurnPreparation,
}

impl TaskRun {
    /// Starts a step. `progress` is the part of the instruction that was executed before; `notes` contain the history
    /// of a model.
    pub(crate) fn begin(task: Task, progress: Progress, mut notes: StepNotes, cx: &mut StepContext<'_>) -> TaskRun {
        cx.phase(Phase::Initializing);
        notes.set_words(&task.text);
        notes.next_step = task.next_step;
        let mut run = LiteralRun::new(Vec::new(), String::new(), progress);
        let said = match task.action.clone() {
            Some(action) => Ok(vec![Clause::Fixed(action)]),
            None => clauses(&task.sentence),
        };
        // What the words of the step decided, they decide again: their checks hold for every run.
        let is_replay = task
            .recorded
            .iter()
            .any(|action| action.clause.is_none() && action.decider != legwork_protocol::DecidedBy::Literal);
        let first = match said {
            _ if is_replay => {
                run = LiteralRun::replay(task.recorded.clone(), &task, notes.replayed);
                run.start(&mut notes, cx)
            }
            _ if cx.rules.decider == DeciderChoice::Model && task.action.is_none() => {
                Transition::HandOver(Ending::error(Code::NotUnderstood, "the decider is set to model"))
            }
            Ok(clauses) => {
                run = LiteralRun::new(clauses, task.text.clone(), progress)
                    .with_recorded(task.recorded.clone())
                    .optional(task.is_optional);
                run.start(&mut notes, cx)
            }
            Err(error) => Transition::HandOver(Ending::from(error)),
        };
        let mode = Mode::Literal(run);
        TaskRun::at_work(task, mode, first, notes, cx)
    }

    /// Starts fixed actions instead of an instruction. They open the workflow's URL, or fill in fields again.
    pub(crate) fn of_actions(actions: Vec<Action>, timeout: Duration, cx: &mut StepContext<'_>) -> TaskRun {
        let task = Task { timeout, ..Task::default() };
        let mut run =
            LiteralRun::new(actions.into_iter().map(Clause::Fixed).collect(), String::new(), Progress::default());
        let mut notes = StepNotes::default();
        let first = run.start(&mut notes, cx);
        TaskRun::at_work(task, Mode::Literal(run), first, notes, cx)
    }

    /// Lets the model judge a condition that the parser does not understand: success if it holds, failure if it does
    /// not.
    pub(crate) fn judging(condition: &str, timeout: Duration, cx: &mut StepContext<'_>) -> TaskRun {
        let text = format!(
            "Do nothing. Judge whether this holds on the page now: {condition}. PROCEED without a command if it does, ABORT if not."
        );
        let task = Task { text, timeout, is_condition: true, ..Task::default() };
        let unread = Ending::error(
            Code::NotUnderstood,
            format!("{condition:?} cannot be parsed as a check, and no model may decide"),
        );
        let run = LiteralRun::new(Vec::new(), String::new(), Progress::default());
        TaskRun::at_work(task, Mode::Literal(run), Transition::HandOver(unread), StepNotes::default(), cx)
    }

    fn at_work(task: Task, mode: Mode, first: Transition, notes: StepNotes, cx: &mut StepContext<'_>) -> TaskRun {
        let look = Need::Observe(ObserveRequest::default());
        let mut run = TaskRun {
            task,
            mode,
            need: look,
            ending: None,
            notes,
            started: cx.now,
            failed_observations: 0,
            before: Default::default(),
        };
        run.go(first, cx);
        run
    }

    /// The current need. It has no meaning after the end.
    pub(crate) fn need(&self) -> Need {
        self.need.clone()
    }

    /// How it ended, with its notes.
    pub(crate) fn ended(&mut self) -> Option<(Ending, StepNotes)> {
        self.ending.take().map(|ending| (ending, std::mem::take(&mut self.notes)))
    }

    /// Handles the result of the current need.
    pub(crate) fn handle_result(&mut self, response: NeedResult, cx: &mut StepContext<'_>) {
        if let (NeedResult::Acted(results), Need::Act(intents)) = (&response, &self.need) {
            cx.apply_result(intents, results, &mut self.notes);
        }
        let next = match response {
            NeedResult::Cancelled { reason } => Transition::Ended(Ending::cancelled(reason)),
            NeedResult::OverBudget { budget, message } => Transition::Ended(Ending::over(budget, message)),
            NeedResult::Unobservable(failure) => self.unseen(&failure),
            response => match self.out_of_time(cx) {
                Some(ending) if !self.has_finished_with(&response) => Transition::Ended(ending),
                _ => self.answer(response, cx),
            },
        };
        self.go(next, cx);
    }

    fn answer(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> Transition {
        if let NeedResult::Observed(page) = &response {
            self.failed_observations = 0;
            cx.run_context.memory.at(&page.url);
            self.note_change(page, cx);
            cx.run_context.observe(page.clone());
        }
        let by_model = matches!(self.mode, Mode::Model(_));
        let response = match self.before.handle_result(response, by_model, &self.task.text, &mut self.notes, cx) {
            Ok(response) => response,
            Err(need) => return Transition::Need(need),
        };
        match &mut self.mode {
            Mode::Literal(run) => run.handle_result(response, &mut self.notes, cx),
            Mode::Model(run) => run.handle_result(response, &self.task, &mut self.notes, cx),
            Mode::Expecting { .. } => self.expect(response, cx),
            Mode::Leaving(_) => self.on_field_left(response, cx),
        }
    }

    /// Checks the step's expectation on the page.
    fn expect(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> Transition {
        let Mode::Expecting { poll, .. } = &mut self.mode else {
            return Transition::Ended(Ending::unexpected_result());
        };
        if let NeedResult::Acted(results) = &response {
            let effects: Vec<PageEffect> = results.iter().flat_map(|result| result.effects.clone()).collect();
            self.notes.note_late_responses(&[], &effects, cx);
        }
        match poll.handle_result(response, cx) {
            PollOutcome::Look(look) => Transition::Need(Need::Observe(look)),
            PollOutcome::Listen(time) => {
                let decider = self.notes.decider.unwrap_or(DecidedBy::Literal);
                Transition::Need(Need::Act(intents(vec![Poll::listening(time)], decider)))
            }
            PollOutcome::Holds(evidence) => match poll.waits_for_response(cx) {
                Some(time) => {
                    let decider = self.notes.decider.unwrap_or(DecidedBy::Literal);
                    Transition::Need(Need::Act(intents(vec![Poll::listening(time)], decider)))
                }
                None => self.expectation_holds(evidence, cx),
            },
            PollOutcome::Fails(why) => self.expectation_fails(why, cx),
        }
    }

    /// A fact contradicts success. A model may correct that; the parser cannot.
    fn contradicted(&mut self, cx: &mut StepContext<'_>) -> Transition {
        let why = self.notes.contradictions.in_words();
        match &mut self.mode {
            Mode::Expecting { after: Some(_), .. } => self.expectation_fails(why, cx),
            _ => Transition::Ended(Ending::contradicted(&self.notes.contradictions)),
        }
    }

    fn expectation_holds(&mut self, evidence: Vec<Evidence>, cx: &mut StepContext<'_>) -> Transition {
        let Mode::Expecting { poll, .. } = &self.mode else {
            return Transition::Ended(Ending::unexpected_result());
        };
        let held_before = poll.held_before(cx);
        self.notes.evidence.extend(self.notes.weighed_against_effect(evidence, held_before));
        if self.notes.is_contradicted(self.task.expect.as_deref()) {
            return self.contradicted(cx);
        }
        let Mode::Expecting { poll, message, answer, .. } = &mut self.mode else {
            return Transition::Ended(Ending::unexpected_result());
        };
        // That there is no error message does not make up for an effect that the page does not show.
        let is_too_general = poll.is_general() && self.notes.lacks_support;
        let longer = cx.run_context.page.as_deref().and_then(|page| poll.longer_name(page));
        if let Some(longer) = &longer {
            self.notes.note_longer_name(longer);
        }
        // A page can show a success optimistically, before the server has responded.
        let shows_effect = !(held_before && self.notes.visible_effect.is_unseen());
        let is_validated = cx.run_context.unanswered.is_empty()
            && !is_too_general
            && longer.is_none()
            && shows_effect
            && !self.notes.counts_to_other_row
            && !self.notes.has_earlier_unseen_change();
        let validation = if is_validated { Validation::Validated } else { Validation::Unvalidated };
        Transition::Ended(Ending::success(std::mem::take(message), answer.take(), validation))
    }

    /// A model may correct a step that it considered done; the parser cannot.
    fn expectation_fails(&mut self, why: String, cx: &mut StepContext<'_>) -> Transition {
        let Mode::Expecting { after, .. } = &mut self.mode else {
            return Transition::Ended(Ending::unexpected_result());
        };
        match after.take() {
            Some(mut run) => {
                let next = run.not_as_expected(&why, &mut self.notes, cx);
                self.mode = Mode::Model(run);
                next
            }
            None => Transition::Ended(Ending::not_as_expected(why, &cx.run_context.unanswered)),
        }
    }

    /// Executes transitions until a need arises or the step ends.
    fn go(&mut self, mut next: Transition, cx: &mut StepContext<'_>) {
        loop {
            next = match next {
                Transition::Need(need) => match self.over_budget(&need, cx) {
                    Some(ending) => Transition::Ended(ending),
                    None => return self.need = self.identified(need, cx),
                },
                Transition::Finished { message, answer } => self.finished(message, answer, cx),
                Transition::HandOver(ending) => self.hand_over(ending, cx),
                Transition::Replay(actions) => {
                    let mut run = LiteralRun::replay(actions, &self.task, 0);
                    let next = run.start(&mut self.notes, cx);
                    self.mode = Mode::Literal(run);
                    next
                }
                Transition::Ended(ending) => {
                    let ending = match self.leave_field(ending, cx) {
                        Ok(need) => return self.need = need,
                        Err(ending) => *ending,
                    };
                    cx.break_off(&ending.message);
                    if self.is_step_or_task() {
                        let well = ending.status == Status::Success;
                        cx.phase(if well { Phase::Completed } else { Phase::Failed });
                    }
                    return self.ending = Some(ending);
                }
            };
        }
    }

    /// Whether this executes a step or task. It is false for a condition, for opening the workflow's URL and for
    /// filling in fields again.
    fn is_step_or_task(&self) -> bool {
        !self.task.text.is_empty() && !self.task.is_condition
    }

    fn finished(&mut self, message: String, has_answer: bool, cx: &mut StepContext<'_>) -> Transition {
        let readable = self.task.expect.as_deref().is_some_and(|expect| read_check(expect).is_ok());
        // If the parser understands the expectation, it is checked on the page first, because a step may expect that
        // the page refuses an action.
        if let Mode::Model(run) = &mut self.mode
            && !readable
            && let Some(next) = run.on_failed_check(&self.task, &mut self.notes, cx)
        {
            return next;
        }
        if let Mode::Model(run) = &mut self.mode
            && let Some(next) = run.review(&message, has_answer, &self.task, &mut self.notes, cx)
        {
            return next;
        }
        if !readable && self.notes.is_contradicted(None) {
            self.notes.leave_to_next_step();
            if self.notes.is_contradicted(None) {
                return self.contradicted(cx);
            }
            self.notes.lacks_support = true;
        }
        // A literal step claims only that its actions were executed. Any fact that code observed shows this, unless the
        // last action has no supporting fact.
        let exact = matches!(&self.mode, Mode::Literal(run) if !run.is_replay())
            && !self.notes.lacks_support
            && !self.notes.has_longer_name
            && !self.notes.has_earlier_unseen_change();
        let checked =
            !self.notes.counts_to_other_row && self.notes.evidence.iter().any(|evidence| evidence.checked || exact);
        let validation = if checked { Validation::Validated } else { Validation::Unvalidated };
        let answer = has_answer.then(|| message.clone());
        let Some(expect) = self.task.expect.clone() else {
            return Transition::Ended(Ending::success(message, answer, validation));
        };
        cx.phase(Phase::Validating);
        let look = Mode::Literal(LiteralRun::new(Vec::new(), String::new(), Progress::default()));
        let after = match std::mem::replace(&mut self.mode, look) {
            Mode::Model(run) => Some(run),
            _ => None,
        };
        match read_check(&expect) {
            Ok(check) => {
                let poll = Poll::new(check.clone(), cx.now + words::check_timeout(&check, &cx.rules.limits));
                self.mode = Mode::Expecting { poll: Box::new(poll), after, message, answer };
                match cx.fresh_page() {
                    Some(page) => self.expect(NeedResult::Observed(page), cx),
                    None => Transition::Need(Need::Observe(ObserveRequest::default())),
                }
            }
            // The parser does not understand the expectation, so it cannot be checked. The model knew the expectation
            // and claims success; the result is therefore unvalidated.
            Err(_) if after.is_some() => Transition::Ended(Ending::success(message, answer, Validation::Unvalidated)),
            Err(error) => Transition::HandOver(Ending::from(error)),
        }
    }

    fn hand_over(&mut self, ending: Ending, cx: &mut StepContext<'_>) -> Transition {
        // A model would look for something similar to an element that may be absent.
        let is_absent = self.task.is_optional && ending.is_absence;
        if !cx.others_may_decide() || self.task.text.is_empty() || is_absent {
            return Transition::Ended(match cx.rules.decider {
                DeciderChoice::Model => {
                    Ending::error(Code::SettingsInvalid, "the decider is `model`, and no model is configured")
                }
                _ => ending,
            });
        }
        if let Mode::Literal(run) = &self.mode {
            self.notes.replay = run.remainder(&ending);
        }
        if matches!(self.notes.decider, Some(DecidedBy::Literal | DecidedBy::Playbook)) || self.notes.replay.is_some() {
            let who = if cx.rules.model.is_some() { "a model" } else { "the program" };
            self.notes.history.note(format!("(from here {who} decides: {})", ending.message));
        }
        self.mode = Mode::Model(Box::default());
        Transition::Need(Need::Observe(ObserveRequest::default()))
    }

    /// Adds to the actions of a need what identifies their elements, and whether they replace recorded ones.
    fn identified(&self, need: Need, cx: &mut StepContext<'_>) -> Need {
        let Need::Act(mut intents) = need else { return need };
        if let (Mode::Model(_), Some(remainder)) = (&self.mode, &self.notes.replay) {
            for intent in &mut intents {
                let healed = Some(remainder.reason.clone());
                intent.identity = Some(Box::new(ActionIdentity { healed, ..ActionIdentity::default() }));
            }
        }
        match &self.mode {
            Mode::Model(_) => recorded::note_read_texts(&mut intents, &self.task.text, cx),
            // What the words of a step enter is the user's, although the page shows it from now on.
            _ => {
                let typed = intents.iter().filter_map(|intent| playbook::typed_text(&intent.action));
                typed.for_each(|text| cx.run_context.seen_by_model.note_user(text));
            }
        }
        if let Some(page) = cx.run_context.page.as_deref() {
            recorded::identify(&mut intents, page, cx.run_context.row, &self.task.text);
        }
        Need::Act(intents)
    }

    /// Adds to the result of an action what identifies the elements that the browser found.
    pub(crate) fn identify_found(&self, action: &Action, result: &mut ActionResult, run_context: &RunContext) {
        if let Some(page) = run_context.page.as_deref() {
            recorded::identify_found(action, result, page, run_context.row, &self.task.text);
        }
    }

    /// Records what changed on the page since it was observed before the last action.
    fn note_change(&self, page: &Snapshot, cx: &mut StepContext<'_>) {
        let Some(before) =
            cx.run_context.page.clone().filter(|_| !cx.run_context.is_page_current && self.is_step_or_task())
        else {
            return;
        };
        let Change { appeared, disappeared } = playbook::change(&before, page);
        if !appeared.is_empty() || !disappeared.is_empty() {
            cx.emit(EventKind::ChangeObserved { appeared, disappeared });
        }
    }

    fn unseen(&mut self, failure: &ActionFailure) -> Transition {
        self.failed_observations += 1;
        if failure.is_browser_fault()
            || *failure == ActionFailure::Cancelled
            || self.failed_observations >= MAX_FAILED_OBSERVATIONS
        {
            return Transition::Ended(Ending::of_failure(failure));
        }
        Transition::Need(Need::Observe(ObserveRequest { after_change_within: Some(Duration::from_secs(1)) }))
    }

    /// A result that arrives after the time limit is not discarded: it is evaluated, and the step may still succeed.
    fn has_finished_with(&self, response: &NeedResult) -> bool {
        match (response, &self.mode) {
            (NeedResult::Observed(_), Mode::Expecting { .. }) | (_, Mode::Leaving(_)) => true,
            (NeedResult::Decided(_), Mode::Model(run)) => run.is_reviewing(),
            _ => false,
        }
    }

    fn out_of_time(&self, cx: &StepContext<'_>) -> Option<Ending> {
        if cx.now >= cx.rules.limits.run {
            let message = format!("the run reached its limit of {} s", cx.rules.limits.run.as_secs());
            return Some(Ending::over(Budget::Time, message));
        }
        let took = cx.now.saturating_sub(self.started);
        (took >= self.task.timeout)
            .then(|| Ending::error(Code::StepTimeout, format!("the step was not done within {:?}", self.task.timeout)))
    }

    fn over_budget(&self, need: &Need, cx: &StepContext<'_>) -> Option<Ending> {
        let limits = &cx.rules.limits;
        match need {
            Need::Act(intents) => {
                let cap = limits.actions?;
                let total = cx.run_context.actions.saturating_add(intents.len().try_into().unwrap_or(u32::MAX));
                (total > cap).then(|| Ending::over(Budget::Actions, format!("the run's {cap} actions are used up")))
            }
            Need::CallDecider(_) => self.out_of_turns(cx),
            Need::Decide(request) => {
                if let Some((budget, message)) = budgets::exceeded(request, cx) {
                    return Some(Ending::over(budget, message));
                }
                // A call that only advises is not a turn.
                if request.purpose == Purpose::Act { self.out_of_turns(cx) } else { None }
            }
            _ => None,
        }
    }

    fn out_of_turns(&self, cx: &StepContext<'_>) -> Option<Ending> {
        let limits = &cx.rules.limits;
        let turns = if self.task.is_whole_task { limits.max_turns_per_task } else { limits.max_turns_per_step };
        (self.notes.iterations >= turns)
            .then(|| Ending::over(Budget::Iterations, format!("not done after {turns} turns")))
    }
}

impl Ending {
    /// An error that only a defect can cause. It is a value, so that a run never panics.
    fn unexpected_result() -> Ending {
        Ending::from_error(Status::Error, ErrorReport::new(Code::Internal, "the step received an unexpected result"))
    }
}
