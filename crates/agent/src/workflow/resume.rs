//! Resumes a run: folds its journal into what is known, what has ended, and which outcomes are unknown.
//!
//! An action that has an intent on record but no result, or a result with an unknown outcome, is never blindly
//! repeated. It follows the step's `on_resume`, unless a recorded response of the site shows that it was executed. If
//! the step states nothing, actions that only read or are idempotent are repeated, unless the page is known to have sent
//! a change because of them. The procedure is the same whether Legwork, the browser or the process of the page ended.

use std::time::Duration;

use legwork_observe::{Snapshot, fingerprint_text};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, DecidedBy, Effect, Event, EventKind, Evidence, OnResume,
    PageEffect, RequestLine, RunStart, Status, Step, StepPlan, StepResult, Target, TargetKind, Validation,
    VariableSource,
};

use super::{
    answers,
    page_fields::PageFields,
    posted_page::{PageOrigin, PostedPage},
};
use crate::{
    Assumption, evidence,
    task::{Progress, RunContext, StepNotes, plan_item},
};

/// The reasons for which a run cannot be resumed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// The journal does not begin with the run's start.
    #[error("the journal does not begin with WORKFLOW_STARTED")]
    NoStart,
    /// Events are missing.
    #[error("the journal is damaged: event {expected} is missing, {found} comes in its place")]
    Gap {
        /// The sequence number that was expected.
        expected: u64,
        /// The sequence number that was found.
        found: u64,
    },
    /// The run has already succeeded; nothing is left to do.
    #[error("the run has succeeded; there is nothing to resume")]
    Ended,
}

/// An action without a recorded result, or with a result whose outcome is unknown.
#[derive(Clone, Debug)]
pub(crate) struct OpenIntent {
    command: CommandId,
    action: Action,
    decider: DecidedBy,
    effect: Effect,
    /// The fingerprint of the page at the last observation before the action.
    before: Option<String>,
    /// The URL of that page.
    url: String,
    /// Whether it belongs to the step; otherwise it filled in a field again before the step continued.
    is_of_step: bool,
    /// Whether the journal contains its end, with an unknown outcome; otherwise it contains no end.
    recorded: bool,
    /// Whether the process that began it has ended. A result on record states then how its outcome was determined.
    is_of_earlier_process: bool,
    /// The recorded requests of the page since the action began.
    requests: Vec<RequestLine>,
    /// Whether its result contains a request for a change.
    requested_change: bool,
    /// The methods and URLs of the requests for a change that the page sends by itself.
    background: Vec<(String, String)>,
    /// Whether the page that it led to could not be loaded. A redirect is then no evidence that the site accepted it.
    is_dead_end: bool,
}

/// Whether a request for a change that the action caused had no response when the action ended.
fn is_unanswered(result: &ActionResult) -> bool {
    let is_pending = |effect: &PageEffect| matches!(effect, PageEffect::Request { status: None, failure: None, .. });
    result.effects.iter().any(|effect| is_pending(effect) && effect.is_own_change())
}

/// The state of the step that has not ended, as far as the journal contains it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenStep {
    /// Whether any step began. If so, the workflow's URL was opened before.
    pub(crate) began_steps: bool,
    /// Whether anything was done in the step. If so, its condition held.
    pub(crate) touched: bool,
    /// How much of its instruction was executed.
    pub(crate) progress: Progress,
    /// Number of commands of the last literal decision that have no result yet.
    pub(crate) awaited: usize,
    /// The notes of the step.
    pub(crate) notes: StepNotes,
    /// The action whose result is not on record.
    pub(crate) open: Option<OpenIntent>,
    /// Fields that were set since the page was loaded, in this step or an earlier one. A new browser does not have
    /// these values, and the saved state contains only cookies and storage.
    pub(crate) fields: PageFields,
    /// How the document of the page was requested.
    origin: PageOrigin,
    /// Whether the last action contained the answer to a dialog: the clause with that answer has been executed.
    pub(crate) answered_dialog: bool,
    /// Who confirmed that the open intent was executed, if anybody did.
    pub(crate) confirmation: Option<Confirmation>,
    /// Whether the step has `on_resume: ask` or `verify`.
    is_guarded: bool,
    /// The questions on which the step was parked, in order.
    pub(crate) parked: Vec<String>,
    /// The result of the step, if its instruction was executed and an observed fact contradicted success.
    pub(crate) contradicted: Option<StepResult>,
    /// The end events of open intents, to be recorded: every intent must get a result.
    pub(crate) settled: Vec<EventKind>,
}

/// Who confirmed that an action whose result was lost was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// A person, or an expectation that holds.
    Person,
    /// A response of the site. It does not show what the page displayed afterwards.
    Response,
}

/// How to continue the open step.
pub(crate) enum ResumeDecision {
    /// Continue with the part that is not committed.
    Continue(OpenStep),
    /// Check whether the step's expectation holds.
    Verify(OpenStep),
    /// Ask a person.
    Ask(OpenStep),
}

impl OpenStep {
    /// Decides about the open intent according to the step's `on_resume`. A person's statement in `word` is consumed,
    /// except if there is nothing to ask about: the action is then repeated, because the new browser has not executed it.
    pub(crate) fn resume_decision(self, step: &Step, word: &mut Option<Assumption>) -> ResumeDecision {
        let Some(open) = &self.open else { return ResumeDecision::Continue(self) };
        // A field may send its value when it is set, and opening a URL may have an effect. Therefore `ask` and `verify`
        // apply to idempotent actions too. The fields of earlier steps are not subject to the rule of this one.
        let is_asked = is_guarded(step) && open.effect != Effect::ReadOnly && open.is_of_step;
        if !open.may_have_changed() && !is_asked {
            return ResumeDecision::Continue(self.assuming(Assumption::NotDone));
        }
        if let Some(word) = word.take() {
            return ResumeDecision::Continue(self.assuming(word));
        }
        if let Some(answered) = open.answered() {
            return ResumeDecision::Continue(self.answered(answered));
        }
        match step.on_resume {
            Some(OnResume::Retry) => ResumeDecision::Continue(self.assuming(Assumption::NotDone)),
            Some(OnResume::Ask) => ResumeDecision::Ask(self),
            Some(OnResume::Verify) | None if step.expect.is_some() => ResumeDecision::Verify(self),
            Some(OnResume::Verify) | None => ResumeDecision::Ask(self),
        }
    }

    /// The step after the open intent was resolved with this assumption.
    pub(crate) fn assuming(self, assumption: Assumption) -> OpenStep {
        match assumption {
            Assumption::Done => self.done(Confirmation::Person, "assumed to be done after an interruption"),
            Assumption::NotDone => self.not_done(),
        }
    }

    /// The step after the open intent was resolved as executed, because the site responded to its request.
    fn answered(mut self, evidence: Evidence) -> OpenStep {
        let why = format!("it was done before the interruption: {}", evidence.fact);
        self.notes.add_evidence([evidence]);
        self.done(Confirmation::Response, &why)
    }

    fn done(mut self, confirmation: Confirmation, why: &str) -> OpenStep {
        let Some(open) = self.open.take() else { return self };
        let sends = open.may_have_sent();
        let OpenIntent { command, action, decider, is_of_step, .. } = open;
        let result = ActionResult::done(Duration::ZERO);
        match is_of_step {
            true => {
                self.confirmation = Some(confirmation);
                self.notes.history.add(&action, &result);
                self.notes.history.led_to(why);
                self.follow(decider);
                self.answered_dialog = is_with_answer(&action);
                self.committed(&action, &result, sends);
                self.sent_with_fields(&action);
            }
            false => self.fields.sent_again(&action),
        }
        self.settled.push(EventKind::CommandCompleted { command_id: command, result: Box::new(result) });
        self
    }

    fn not_done(mut self) -> OpenStep {
        let Some(open) = self.open.take() else { return self };
        self.settled.push(open.cut_short(false));
        self
    }

    fn follow(&mut self, decider: DecidedBy) {
        // A playbook may have named the element of an action that the words decided.
        if matches!(decider, DecidedBy::Literal | DecidedBy::Playbook) && self.awaited > 0 {
            self.awaited -= 1;
            self.progress.actions += 1;
            if self.awaited == 0 {
                self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
            }
        } else if decider == DecidedBy::Playbook {
            self.notes.replayed += 1;
        }
    }

    /// Whether the page looks as it did before the open intent. If so, a condition that holds now held before as well.
    pub(crate) fn looks_as_before(&self, page: &Snapshot) -> bool {
        let before = self.open.as_ref().and_then(|open| open.before.as_deref());
        before.is_some_and(|before| before == fingerprint_text(page))
    }

    /// Adds an action that was executed. `sends` states whether the page sent a change during it.
    fn committed(&mut self, action: &Action, result: &ActionResult, sends: bool) {
        match leaves(action, result) {
            true => self.fields.clear(),
            false => self.fields.note(action, result, sends, self.is_guarded),
        }
    }

    /// An action was executed on the page with the filled-in fields, as was stated after an interruption. They are no
    /// longer needed, unless it only set another one of them.
    fn sent_with_fields(&mut self, action: &Action) {
        if action.carried_out().may_submit() {
            self.fields.clear();
        }
    }

    fn decided(&mut self, decider: DecidedBy, commands: usize) {
        match decider {
            DecidedBy::Literal => {
                self.answered_dialog = false;
                self.touched = true;
                self.awaited = commands;
                if commands == 0 {
                    self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
                }
            }
            // Each recorded action is a clause of its own.
            DecidedBy::Playbook => self.notes.replayed += usize::from(commands == 0),
            DecidedBy::Model | DecidedBy::Custom => self.notes.is_decided_anew = true,
        }
    }

    /// The page, if it was the answer to a form and is needed to continue.
    pub(crate) fn posted_page(&self) -> Option<PostedPage> {
        self.origin.posted_page()
    }

    /// The same step from its beginning.
    pub(crate) fn started_over(self) -> OpenStep {
        OpenStep { fields: self.fields, origin: self.origin, ..OpenStep::again() }
    }

    /// A step that starts from its beginning.
    pub(crate) fn again() -> OpenStep {
        OpenStep { began_steps: true, ..OpenStep::default() }
    }

    fn next_step(&mut self) {
        let (fields, origin) = (std::mem::take(&mut self.fields), std::mem::take(&mut self.origin));
        *self = OpenStep { fields, origin, ..OpenStep::again() };
    }
}

/// Whether a successful action left the page on which it was executed.
pub(crate) fn leaves(action: &Action, result: &ActionResult) -> bool {
    result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. })) || action.navigates()
}

/// Whether the author of the step expects that a repetition may do something twice.
fn is_guarded(step: &Step) -> bool {
    matches!(step.on_resume, Some(OnResume::Ask | OnResume::Verify))
}

/// Whether an action contains the answer to a dialog that it opens.
fn is_with_answer(action: &Action) -> bool {
    matches!(action, Action::Dialog(dialog) if dialog.opened_by.is_some())
}

/// `e12 button "Send"` without its ref, which is not valid in another browser.
fn without_ref(element: &str) -> &str {
    match element.split_once(' ') {
        Some((first, rest)) if matches!(Target(first.to_owned()).kind(), TargetKind::Ref(_)) => rest,
        _ => element,
    }
}

impl OpenIntent {
    /// Whether it may have changed data on the server, because of its kind or because the page is known to have sent a
    /// request.
    fn may_have_changed(&self) -> bool {
        self.effect == Effect::Mutating || self.may_have_sent()
    }

    /// Whether the page is known to have sent a request for a change because of the action.
    fn may_have_sent(&self) -> bool {
        let by_itself =
            |line: &RequestLine| self.background.iter().any(|(method, url)| (method, url) == (&line.method, &line.url));
        self.requested_change || self.requests.iter().any(|line| answers::changes(line) && !by_itself(line))
    }

    /// Adds what its result reports about requests for a change.
    fn note_requests(&mut self, result: &ActionResult) {
        self.requested_change |= result.effects.iter().any(PageEffect::is_own_change);
        self.background.extend(result.effects.iter().filter_map(|effect| match effect {
            PageEffect::Request { method, url, background: true, .. } => Some((method.clone(), url.clone())),
            _ => None,
        }));
    }

    /// Whether a decider that begins an action with this effect accepted that the outcome of this one is unknown. An
    /// action that may be repeated, and that sent nothing, is repeated first.
    fn is_superseded_by(&self, effect: Effect) -> bool {
        effect == Effect::Mutating || (effect != Effect::ReadOnly && !self.may_have_changed())
    }

    /// The decider of the action.
    pub(crate) fn decider(&self) -> DecidedBy {
        self.decider
    }

    /// A description of the action and of the requests that the page sent during it.
    pub(crate) fn in_words(&self) -> String {
        // A ref is meaningless after its browser has ended.
        let target = self.action.target().filter(|target| !matches!(target.kind(), TargetKind::Ref(_)));
        let action = match target {
            Some(target) => format!("{} {}", self.action.name(), target.0),
            None => self.action.name().to_owned(),
        };
        match answers::in_words(&self.requests) {
            Some(sent) => format!("{action}; {sent}"),
            None => action,
        }
    }

    /// The evidence that the site accepted the action, if there is any.
    fn answered(&self) -> Option<Evidence> {
        answers::evidence(&self.requests, &self.url).filter(|_| !self.is_dead_end)
    }

    /// The event for its end, if the journal contains none.
    pub(crate) fn unknown_end(&self) -> Option<EventKind> {
        (!self.recorded).then(|| self.cut_short(self.effect != Effect::ReadOnly))
    }

    /// As [`OpenIntent::unknown_end`], for an intent after which another action began.
    fn earlier_end(&self) -> Option<EventKind> {
        (!self.recorded).then(|| self.cut_short(self.may_have_changed()))
    }

    fn cut_short(&self, unknown: bool) -> EventKind {
        let reason = match unknown {
            true => "the run was interrupted while it was in progress",
            false => "the run was interrupted before it was done",
        };
        let failure = ActionFailure::Interrupted { action: self.action.name().to_owned(), reason: reason.to_owned() };
        let result = ActionResult { outcome_unknown: unknown, ..ActionResult::failed(failure, Duration::ZERO) };
        EventKind::CommandFailed { command_id: self.command, result: Box::new(result) }
    }
}

/// Folds a journal.
pub(crate) fn fold(events: &[Event]) -> Result<(RunStart, RunContext, Vec<StepResult>, OpenStep), ResumeError> {
    for (event, expected) in events.iter().zip(1..) {
        if event.seq != expected {
            return Err(ResumeError::Gap { expected, found: event.seq });
        }
    }
    let Some(Event { kind: EventKind::WorkflowStarted(start), .. }) = events.first() else {
        return Err(ResumeError::NoStart);
    };
    let mut plan = StepPlan::new(&start.workflow.steps);
    let mut known = RunContext::default();
    let mut results: Vec<StepResult> = Vec::new();
    let mut open_step = OpenStep::default();
    let mut started: Vec<OpenIntent> = Vec::new();
    let (mut ended_well, mut seen) = (false, None);
    let mut cut_off: Option<(OpenStep, OpenIntent)> = None;
    let (mut url, mut discovered) = (String::new(), None);
    for event in events {
        match &event.kind {
            EventKind::StepStarted { text } => {
                open_step.began_steps = true;
                let planned = event.step.and_then(|step| plan.steps().get(step));
                open_step.is_guarded = planned.is_some_and(|planned| is_guarded(&planned.step));
                known.memory.begin_step(text);
            }
            EventKind::WorkingMemoryUpdated { update } => known.memory.restore(update),
            EventKind::StepCompleted(result) => {
                cut_off = None;
                results.push(result.clone());
                if let Some(expansion) = &result.expansion {
                    plan.expand(result.index, expansion);
                }
                open_step.next_step();
                started.clear();
            }
            EventKind::WorkflowResumed { .. } => {
                started.iter_mut().for_each(|open| open.is_of_earlier_process = true);
            }
            EventKind::StepFailed(result) => {
                if result.status == Status::Parked {
                    open_step.parked.push(result.message.clone());
                }
                let is_refused = result.validation == Validation::Rejected
                    && result.decider == Some(DecidedBy::Literal)
                    && result.error.as_ref().is_some_and(|error| error.code == Code::Contradicted);
                open_step.contradicted = is_refused.then(|| result.clone());
            }
            EventKind::AiReasoning { decider, decision } if event.step.is_some() => {
                open_step.contradicted = None;
                let items = open_step.notes.plan.as_ref().map_or(0, |plan| plan.action_items.len());
                open_step.notes.item = plan_item(decision, items).unwrap_or(open_step.notes.item);
                open_step.decided(*decider, decision.commands.len())
            }
            EventKind::AiResponseReceived(call) => known.usage += call.usage,
            // A plan exists only if the condition of the step held.
            EventKind::PlanUpdated(plan) => {
                open_step.touched = true;
                (open_step.notes.plan, open_step.notes.item) = (Some(plan.clone()), 0);
            }
            EventKind::AnswerValidated(review) => open_step.notes.reviews = review.attempt,
            EventKind::ReflectionCompleted(_) => open_step.notes.reflections += 1,
            EventKind::VariableUpdated(variable) => {
                known.variables.insert(variable.name.clone(), variable.value.clone());
                if variable.source == VariableSource::Extracted {
                    known.extracted.insert(variable.name.clone());
                }
            }
            EventKind::PageObserved(page) => {
                seen = Some(page.fingerprint.clone());
                url.clone_from(&page.url);
            }
            EventKind::InvestigationStarted { .. } => discovered = None,
            EventKind::ElementDiscovered { element, purpose, .. } => discovered = Some((without_ref(element), purpose)),
            EventKind::InvestigationCompleted(findings) => {
                let discovered = discovered.take();
                known.found.add(&url, None, findings, discovered.map(|(element, purpose)| (element, purpose.as_str())));
            }
            EventKind::CommandStarted { command_id: command, action, decider, effect, .. } => {
                // The decider knew that the outcome of the previous action was unknown, and continued nevertheless.
                started.retain(|open| !(open.recorded && open.is_superseded_by(*effect)));
                open_step.touched |= event.step.is_some();
                open_step.origin.note_action(event.step, *effect);
                started.push(OpenIntent {
                    command: *command,
                    action: (**action).clone(),
                    decider: *decider,
                    effect: *effect,
                    before: seen.clone(),
                    url: url.clone(),
                    is_of_step: event.step.is_some(),
                    recorded: false,
                    is_of_earlier_process: false,
                    requests: Vec::new(),
                    requested_change: false,
                    background: Vec::new(),
                    is_dead_end: false,
                });
            }
            EventKind::PageLog(activity) => {
                if let Some(open) = started.iter_mut().find(|open| Some(open.command) == activity.command_id) {
                    open.requests.extend(activity.requests.iter().cloned());
                }
                open_step.origin.note_log(activity);
            }
            EventKind::CommandCompleted { command_id: command, result }
            | EventKind::CommandFailed { command_id: command, result } => {
                let Some(at) = started.iter().position(|open| open.command == *command) else { continue };
                let intent = &mut started[at];
                if !intent.recorded {
                    known.apply_result(&intent.action, result);
                }
                // Actions that open the workflow's URL or restore fields do not belong to the step.
                if event.step.is_some() {
                    open_step.notes.history.add(&intent.action, result);
                    // The page that showed the effect no longer exists; the server's responses are on record.
                    let page = Snapshot { url: result.url.clone(), ..Snapshot::default() };
                    let starts_over = evidence::starts_over(std::slice::from_ref(&intent.action));
                    let action = std::slice::from_ref(&intent.action);
                    let findings = evidence::responses(action, &result.effects, &page);
                    open_step.notes.contradictions.update(&findings, &page, starts_over);
                }
                intent.note_requests(result);
                open_step.origin.note_result(*command, result);
                if result.outcome_unknown && intent.effect != Effect::ReadOnly {
                    intent.recorded = true;
                    intent.is_dead_end = result.failure.as_ref().is_some_and(ActionFailure::is_site_fault);
                    continue;
                }
                let mut intent = started.remove(at);
                // The page continued to exist, so it was able to complete all earlier requests.
                cut_off = None;
                if result.ok() && intent.effect != Effect::ReadOnly && is_unanswered(result) {
                    intent.recorded = true;
                    cut_off = Some((open_step.clone(), intent.clone()));
                }
                if result.ok() {
                    let is_stated = intent.is_of_earlier_process && event.step.is_some();
                    if event.step.is_some() {
                        open_step.follow(intent.decider);
                        let answered = |effect: &PageEffect| matches!(effect, PageEffect::Dialog(dialog) if dialog.accepted.is_some());
                        open_step.answered_dialog =
                            is_with_answer(&intent.action) && (is_stated || result.effects.iter().any(answered));
                    }
                    if is_stated {
                        open_step.fields.note_unobserved();
                    }
                    open_step.committed(&intent.action, result, intent.requested_change);
                    if is_stated {
                        open_step.sent_with_fields(&intent.action);
                        // The page that showed its effect does not exist any more.
                        open_step.fields.lost = open_step.fields.lost.max(1);
                    }
                } else if intent.is_of_earlier_process && event.step.is_some() && intent.effect != Effect::ReadOnly {
                    open_step.fields.note_unobserved();
                } else if intent.requested_change {
                    open_step.fields.note_change(&intent.action);
                }
            }
            EventKind::WorkflowCompleted(outcome) => ended_well = outcome.status == Status::Success,
            _ => {}
        }
    }
    if ended_well {
        return Err(ResumeError::Ended);
    }
    // The last action requested a change from the server, and the page ended before the response arrived.
    if started.is_empty()
        && let Some((before, intent)) = cut_off
    {
        open_step = before;
        started.push(intent);
    }
    // Commands are executed one after the other: at most one may have been executed, and the others only read.
    let last = started.iter().rposition(OpenIntent::may_have_changed);
    let last = last.or_else(|| started.iter().rposition(|open| open.effect != Effect::ReadOnly));
    let last = last.or(started.len().checked_sub(1));
    open_step.open = last.map(|at| started.remove(at));
    if open_step.open.as_ref().is_some_and(|open| open.is_of_step && open.effect != Effect::ReadOnly) {
        open_step.fields.note_unobserved();
    }
    open_step.settled = started.iter().filter_map(OpenIntent::earlier_end).collect();
    Ok((start.clone(), known, results, open_step))
}
