//! Taking a run up again: its journal folded into what is known, what is done, and what nobody knows.
//!
//! An action whose intent is on record and whose result is not, or is that nobody knows, is never blindly repeated: what
//! only looks or may be done twice is done again; anything else follows the step's `on_resume`, unless a recorded answer
//! of the site says that it was done. It does not matter who died: Legwork, the browser or the page's process.

use std::time::Duration;

use legwork_observe::{Snapshot, fingerprint};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, CommandId, DecidedBy, Effect, Event, EventKind, Evidence, OnResume,
    PageEffect, RequestLine, RunStart, Status, Step, StepResult, Target, TargetKind, Validation, VariableSource,
};

use super::answers;
use crate::{
    Assumption, evidence,
    task::{Progress, RunContext, StepNotes},
};

/// Why a run cannot be taken up again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// The journal does not begin with the run's start.
    #[error("the journal does not begin with WORKFLOW_STARTED")]
    NoStart,
    /// Events are missing.
    #[error("the journal does not add up: event {expected} is missing, {found} comes in its place")]
    Gap {
        /// The number that should come.
        expected: u64,
        /// The one that comes.
        found: u64,
    },
    /// It has ended well; there is nothing left to do.
    #[error("the run has ended well; there is nothing to go on with")]
    Ended,
}

/// An action whose result is not on record, or whose record says that nobody knows.
#[derive(Clone, Debug)]
pub(crate) struct OpenIntent {
    command: CommandId,
    action: Action,
    decider: DecidedBy,
    effect: Effect,
    /// The fingerprint of the page as it was seen last before it.
    before: Option<String>,
    /// The address of that page.
    url: String,
    /// Whether its record says that the outcome is unknown; else it has no end on record at all.
    recorded: bool,
    /// What the page asked for since it began, as far as that is on record.
    requests: Vec<RequestLine>,
}

/// Whether a change that an action asked for had no answer when the action ended.
fn is_unanswered(result: &ActionResult) -> bool {
    let is_pending = |effect: &PageEffect| matches!(effect, PageEffect::Request { status: None, failure: None, .. });
    result.effects.iter().any(|effect| is_pending(effect) && evidence::is_own_change(effect))
}

/// Whether an action that does something made the page ask its server for a change.
fn sends_change(action: &Action, result: &ActionResult) -> bool {
    action.effect() != Effect::ReadOnly && result.effects.iter().any(evidence::is_own_change)
}

/// The step that is not committed, as far as the journal knows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fold {
    /// Whether any step began: then the workflow's address was opened before.
    pub(crate) began_steps: bool,
    /// Whether anything was done in the step: then its condition held.
    pub(crate) touched: bool,
    /// How far its words were followed.
    pub(crate) progress: Progress,
    /// Commands of the last literal decision that have no result yet.
    pub(crate) awaited: usize,
    /// What was done in it.
    pub(crate) notes: StepNotes,
    /// The action whose result is not on record.
    pub(crate) open: Option<OpenIntent>,
    /// Fields set on the page since it was last loaded, in this step or an earlier one. A new browser has lost them, and
    /// the kept state has only cookies and storage; setting them again does no harm.
    pub(crate) restore: Vec<Action>,
    /// Actions on that page that cannot be repeated.
    pub(crate) lost: usize,
    /// Whether somebody said that the open intent was done.
    pub(crate) vouched: Option<Vouched>,
    /// The step's words were followed, and what was observed spoke against success.
    pub(crate) contradicted: Option<StepResult>,
    /// What became of open intents, for the record: every intent gets its result in the end.
    pub(crate) settled: Vec<EventKind>,
}

/// Who says that an action was done whose result was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vouched {
    /// A person, or an expectation that holds.
    Word,
    /// An answer of the site, which says nothing of what the page showed of it.
    Answer,
}

/// What is to be done with the open step.
pub(crate) enum ResumeDecision {
    /// Go on with what is not committed.
    GoOn(Fold),
    /// See whether the step's expectation holds.
    Verify(Fold),
    /// Ask a person.
    Ask(Fold),
}

impl Fold {
    /// What the step's `on_resume` makes of its open intent. A person's `word` is used up by it, unless the action may be
    /// done twice: then it is, because a new browser has not seen it.
    pub(crate) fn resume_decision(self, step: &Step, word: &mut Option<Assumption>) -> ResumeDecision {
        let Some(open) = &self.open else { return ResumeDecision::GoOn(self) };
        // A field may send what is put into it, and an address may do something when it is opened: who wrote `ask` or `verify`
        // is heeded, whatever kind of action it was.
        let is_asked =
            matches!(step.on_resume, Some(OnResume::Ask | OnResume::Verify)) && open.effect != Effect::ReadOnly;
        if !open.may_have_changed() && !is_asked {
            return ResumeDecision::GoOn(self.assuming(Assumption::NotDone));
        }
        if let Some(word) = word.take() {
            return ResumeDecision::GoOn(self.assuming(word));
        }
        if let Some(answered) = open.answered() {
            return ResumeDecision::GoOn(self.answered(answered));
        }
        match step.on_resume {
            Some(OnResume::Retry) => ResumeDecision::GoOn(self.assuming(Assumption::NotDone)),
            Some(OnResume::Ask) => ResumeDecision::Ask(self),
            Some(OnResume::Verify) | None if step.expect.is_some() => ResumeDecision::Verify(self),
            Some(OnResume::Verify) | None => ResumeDecision::Ask(self),
        }
    }

    /// With the open intent settled.
    pub(crate) fn assuming(self, assumption: Assumption) -> Fold {
        match assumption {
            Assumption::Done => self.done(Vouched::Word, "taken for done after an interruption"),
            Assumption::NotDone => self.not_done(),
        }
    }

    /// With the open intent done, because the site answered what it had sent.
    fn answered(mut self, evidence: Evidence) -> Fold {
        let why = format!("it was done before the interruption: {}", evidence.fact);
        self.notes.saw([evidence]);
        self.done(Vouched::Answer, &why)
    }

    fn done(mut self, vouched: Vouched, why: &str) -> Fold {
        let Some(OpenIntent { command, action, decider, .. }) = self.open.take() else { return self };
        let result = ActionResult::done(Duration::ZERO);
        self.vouched = Some(vouched);
        self.notes.history.add(&action, &result);
        self.notes.history.led_to(why);
        self.follow(decider);
        self.committed(&action, &result);
        // It was done on the page as it was; what had been filled in there has served its purpose.
        (self.restore, self.lost) = (Vec::new(), 0);
        self.settled.push(EventKind::CommandCompleted { command_id: command, result: Box::new(result) });
        self
    }

    fn not_done(mut self) -> Fold {
        let Some(open) = self.open.take() else { return self };
        self.settled.push(open.cut_short(false));
        self
    }

    fn follow(&mut self, decider: DecidedBy) {
        if decider == DecidedBy::Literal && self.awaited > 0 {
            self.awaited -= 1;
            self.progress.actions += 1;
            if self.awaited == 0 {
                self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
            }
        }
    }

    /// Whether the page looks as it did before the open intent: then what holds on it held before as well.
    pub(crate) fn looks_as_before(&self, page: &Snapshot) -> bool {
        let before = self.open.as_ref().and_then(|open| open.before.as_deref());
        before.is_some_and(|before| before == format!("{:016x}", fingerprint(page)))
    }

    fn committed(&mut self, action: &Action, result: &ActionResult) {
        match action {
            _ if leaves(action, result) => (self.restore, self.lost) = (Vec::new(), 0),
            // It is not put there again: the page has sent it, and would send it once more.
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
        if decider == DecidedBy::Literal {
            self.touched = true;
            self.awaited = commands;
            if commands == 0 {
                self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
            }
        }
    }

    /// A step that is to be done from its beginning.
    pub(crate) fn again() -> Fold {
        Fold { began_steps: true, ..Fold::default() }
    }

    fn next_step(&mut self) {
        let restore = std::mem::take(&mut self.restore);
        *self = Fold { began_steps: true, restore, lost: self.lost, ..Fold::default() };
    }
}

/// Whether an action that worked left the page it was done on.
pub(crate) fn leaves(action: &Action, result: &ActionResult) -> bool {
    result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. })) || action.navigates()
}

/// The action for the element by its role and name: refs do not outlive their browser.
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

/// `e12 button "Send"` without its ref, which has died with its browser.
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
    /// Whether it may have changed something on the server: by its kind, or because the page is known to have sent something.
    fn may_have_changed(&self) -> bool {
        self.effect == Effect::Mutating || answers::in_words(&self.requests).is_some()
    }

    /// Who decided on it.
    pub(crate) fn decider(&self) -> DecidedBy {
        self.decider
    }

    /// The action in words, and what the page sent in it.
    pub(crate) fn in_words(&self) -> String {
        // A ref names nothing once its browser is gone.
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

    /// What shows that the site took it, if anything does.
    fn answered(&self) -> Option<Evidence> {
        answers::evidence(&self.requests, &self.url)
    }

    /// Its end, when it has none on record.
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
pub(crate) fn fold(events: &[Event]) -> Result<(RunStart, RunContext, Vec<StepResult>, Fold), ResumeError> {
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
    let mut fold = Fold::default();
    let mut started: Vec<OpenIntent> = Vec::new();
    let (mut ended_well, mut seen) = (false, None);
    let mut cut_off: Option<(Fold, OpenIntent)> = None;
    let (mut url, mut discovered) = (String::new(), None);
    for event in events {
        match &event.kind {
            EventKind::StepStarted { text } => {
                fold.began_steps = true;
                known.memory.begin_step(text);
            }
            EventKind::WorkingMemoryUpdated { update } => known.memory.restore(update),
            EventKind::StepCompleted(result) => {
                cut_off = None;
                results.push(result.clone());
                fold.next_step();
                started.clear();
            }
            EventKind::StepFailed(result) => {
                let is_refused = result.validation == Validation::Rejected
                    && result.decider == Some(DecidedBy::Literal)
                    && result.error.as_ref().is_some_and(|error| error.code == Code::Contradicted);
                fold.contradicted = is_refused.then(|| result.clone());
            }
            EventKind::AiReasoning { decider, decision } if event.step.is_some() => {
                fold.contradicted = None;
                fold.decided(*decider, decision.commands.len())
            }
            EventKind::AiResponseReceived(call) => known.usage += call.usage,
            // Its condition held, or there would be no plan.
            EventKind::PlanUpdated(plan) => (fold.touched, fold.notes.plan) = (true, Some(plan.clone())),
            EventKind::AnswerValidated(review) => fold.notes.reviews = review.attempt,
            EventKind::ReflectionCompleted(_) => fold.notes.reflections += 1,
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
            EventKind::CommandStarted { command_id: command, action, decider, effect } => {
                // Who decided on it was told that the outcome of the one before is unknown, and went on all the same.
                started.retain(|open| !(open.recorded && *effect == Effect::Mutating));
                fold.touched |= event.step.is_some();
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
                // What was done to open the workflow's address, or to fill in again, is no part of the step.
                if event.step.is_some() {
                    fold.notes.history.add(&intent.action, result);
                    // The page that showed what became of it is gone; what the server answered is on record.
                    let page = Snapshot { url: result.url.clone(), ..Snapshot::default() };
                    let starts_over = evidence::starts_over(std::slice::from_ref(&intent.action));
                    let action = std::slice::from_ref(&intent.action);
                    let findings = evidence::responses(action, &result.effects, &page);
                    fold.notes.contradictions.update(&findings, &page, starts_over);
                }
                if result.outcome_unknown && intent.may_have_changed() {
                    intent.recorded = true;
                    continue;
                }
                let mut intent = started.remove(at);
                // The page lived on: whatever was asked for before was not cut off with it.
                cut_off = None;
                if result.ok() && intent.effect != Effect::ReadOnly && is_unanswered(result) {
                    intent.recorded = true;
                    cut_off = Some((fold.clone(), intent.clone()));
                }
                if result.ok() {
                    if event.step.is_some() {
                        fold.follow(intent.decider);
                    }
                    fold.committed(&intent.action, result);
                }
            }
            EventKind::WorkflowCompleted(outcome) => ended_well = outcome.status == Status::Success,
            _ => {}
        }
    }
    if ended_well {
        return Err(ResumeError::Ended);
    }
    // The last thing that was done asked the server for a change, and the page was gone before there was an answer.
    if started.is_empty()
        && let Some((before, intent)) = cut_off
    {
        fold = before;
        started.push(intent);
    }
    // Commands are carried out one after the other: at most one may have been done, the others only looked.
    let last = started.iter().rposition(OpenIntent::may_have_changed).or(started.len().checked_sub(1));
    fold.open = last.map(|at| started.remove(at));
    fold.settled = started.iter().filter_map(OpenIntent::unknown_end).collect();
    Ok((start.clone(), known, results, fold))
}
