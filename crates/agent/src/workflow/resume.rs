//! Resumes a run: folds its journal into what is known, what has ended, and which outcomes are unknown.
//!
//! An action that has an intent on record but no result, or a result with an unknown outcome, is never blindly
//! repeated. Actions that only read or are idempotent are repeated. Any other action follows the step's `on_resume`,
//! unless a recorded response of the site shows that it was executed. The procedure is the same whether Legwork, the
//! browser or the process of the page ended.

use std::time::Duration;

use legwork_observe::{Snapshot, fingerprint_text};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, DecidedBy, Effect, Event, EventKind, Evidence, OnResume,
    PageEffect, RequestLine, RunStart, Status, Step, StepResult, Target, TargetKind, Validation, VariableSource,
};

use super::answers;
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
    /// Whether the journal contains its end, with an unknown outcome; otherwise it contains no end.
    recorded: bool,
    /// The recorded requests of the page since the action began.
    requests: Vec<RequestLine>,
}

/// Whether a request for a change that the action caused had no response when the action ended.
fn is_unanswered(result: &ActionResult) -> bool {
    let is_pending = |effect: &PageEffect| matches!(effect, PageEffect::Request { status: None, failure: None, .. });
    result.effects.iter().any(|effect| is_pending(effect) && evidence::is_own_change(effect))
}

/// Whether an action that is not read-only caused a request for a change.
fn sends_change(action: &Action, result: &ActionResult) -> bool {
    action.effect() != Effect::ReadOnly && result.effects.iter().any(evidence::is_own_change)
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
    /// these values, and the saved state contains only cookies and storage. Setting the fields again is harmless.
    pub(crate) restore: Vec<Action>,
    /// Number of actions on that page that cannot be repeated.
    pub(crate) lost: usize,
    /// Who confirmed that the open intent was executed, if anybody did.
    pub(crate) confirmation: Option<Confirmation>,
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
    /// except if the action is idempotent: such an action is repeated, because the new browser has not executed it.
    pub(crate) fn resume_decision(self, step: &Step, word: &mut Option<Assumption>) -> ResumeDecision {
        let Some(open) = &self.open else { return ResumeDecision::Continue(self) };
        // A field may send its value when it is set, and opening a URL may have an effect. Therefore `ask` and `verify`
        // apply to idempotent actions too.
        let is_asked =
            matches!(step.on_resume, Some(OnResume::Ask | OnResume::Verify)) && open.effect != Effect::ReadOnly;
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
        let Some(OpenIntent { command, action, decider, .. }) = self.open.take() else { return self };
        let result = ActionResult::done(Duration::ZERO);
        self.confirmation = Some(confirmation);
        self.notes.history.add(&action, &result);
        self.notes.history.led_to(why);
        self.follow(decider);
        self.committed(&action, &result);
        // The action was executed on the page with the filled-in fields; they are no longer needed.
        (self.restore, self.lost) = (Vec::new(), 0);
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

    fn committed(&mut self, action: &Action, result: &ActionResult) {
        match action {
            _ if leaves(action, result) => (self.restore, self.lost) = (Vec::new(), 0),
            // The value is not entered again: the page has already sent it, and would send it a second time.
            _ if sends_change(action, result) => self.lost += 1,
            action if action.is_restored() => {
                match result.element.as_deref().and_then(|element| again(action, element)) {
                    Some(action) => {
                        self.restore.retain(|known| known.target() != action.target());
                        self.restore.push(action);
                    }
                    None => self.lost += 1,
                }
            }
            action if action.effect() == Effect::Mutating => self.lost += 1,
            _ => {}
        }
    }

    fn decided(&mut self, decider: DecidedBy, commands: usize) {
        match decider {
            DecidedBy::Literal => {
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

    /// A step that starts from its beginning.
    pub(crate) fn again() -> OpenStep {
        OpenStep { began_steps: true, ..OpenStep::default() }
    }

    fn next_step(&mut self) {
        let restore = std::mem::take(&mut self.restore);
        *self = OpenStep { began_steps: true, restore, lost: self.lost, ..OpenStep::default() };
    }
}

/// Whether a successful action left the page on which it was executed.
pub(crate) fn leaves(action: &Action, result: &ActionResult) -> bool {
    result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. })) || action.navigates()
}

/// The same action with the element's role and name as target, because refs are not valid in another browser.
fn again(action: &Action, element: &str) -> Option<Action> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"')?;
    if name.contains('"') || role.contains(' ') {
        return None;
    }
    let mut action = action.clone();
    *action.target_mut()? = by_name(role, name);
    Some(action)
}

/// `e12 button "Send"` without its ref, which is not valid in another browser.
fn without_ref(element: &str) -> &str {
    match element.split_once(' ') {
        Some((first, rest)) if matches!(Target(first.to_owned()).kind(), TargetKind::Ref(_)) => rest,
        _ => element,
    }
}

fn by_name(role: &str, name: &str) -> Target {
    Target(format!("role={role}[name=\"{name}\"]"))
}

impl OpenIntent {
    /// Whether it may have changed data on the server, because of its kind or because the page is known to have sent a
    /// request.
    fn may_have_changed(&self) -> bool {
        self.effect == Effect::Mutating || answers::in_words(&self.requests).is_some()
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
        answers::evidence(&self.requests, &self.url)
    }

    /// The event for its end, if the journal contains none.
    pub(crate) fn unknown_end(&self) -> Option<EventKind> {
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
                known.memory.begin_step(text);
            }
            EventKind::WorkingMemoryUpdated { update } => known.memory.restore(update),
            EventKind::StepCompleted(result) => {
                cut_off = None;
                results.push(result.clone());
                open_step.next_step();
                started.clear();
            }
            EventKind::StepFailed(result) => {
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
            EventKind::ElementDiscovered { element, purpose } => discovered = Some((without_ref(element), purpose)),
            EventKind::InvestigationCompleted(findings) => {
                let discovered = discovered.take();
                known.add_finding(&url, findings, discovered.map(|(element, purpose)| (element, purpose.as_str())));
            }
            EventKind::CommandStarted { command_id: command, action, decider, effect, .. } => {
                // The decider knew that the outcome of the previous action was unknown, and continued nevertheless.
                started.retain(|open| !(open.recorded && *effect == Effect::Mutating));
                open_step.touched |= event.step.is_some();
                started.push(OpenIntent {
                    command: *command,
                    action: (**action).clone(),
                    decider: *decider,
                    effect: *effect,
                    before: seen.clone(),
                    url: url.clone(),
                    recorded: false,
                    requests: Vec::new(),
                });
            }
            EventKind::PageLog(activity) => {
                if let Some(open) = started.iter_mut().find(|open| Some(open.command) == activity.command_id) {
                    open.requests.extend(activity.requests.iter().cloned());
                }
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
                if result.outcome_unknown && intent.may_have_changed() {
                    intent.recorded = true;
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
                    if event.step.is_some() {
                        open_step.follow(intent.decider);
                    }
                    open_step.committed(&intent.action, result);
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
    let last = started.iter().rposition(OpenIntent::may_have_changed).or(started.len().checked_sub(1));
    open_step.open = last.map(|at| started.remove(at));
    open_step.settled = started.iter().filter_map(OpenIntent::unknown_end).collect();
    Ok((start.clone(), known, results, open_step))
}
