//! Taking a run up again: its journal folded into what is known, what is done, and what nobody knows.
//!
//! An action whose intent is on record and whose result is not is never blindly repeated: what only looks or may be
//! done twice is done again; anything else follows the step's `on_resume`.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::{Snapshot, fingerprint};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, CommandId, Decider, Effect, Event, EventKind, OnResume, PageEffect, RunStart,
    Status, Step, StepResult, Target, TargetKind, VariableSource,
};

use crate::{
    Assumption, evidence,
    task::{Known, Notes, Progress},
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

/// An action whose result is not on record.
#[derive(Clone, Debug)]
pub(crate) struct OpenIntent {
    command: CommandId,
    action: Action,
    decider: Decider,
    effect: Effect,
    /// The fingerprint of the page as it was seen last before it.
    before: Option<String>,
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
    awaited: usize,
    /// What was done in it.
    pub(crate) notes: Notes,
    /// The action whose result is not on record.
    pub(crate) open: Option<OpenIntent>,
    /// Fields set on the page since it was last loaded, in this step or an earlier one. A new browser has lost them, and
    /// the kept state has only cookies and storage; setting them again does no harm.
    pub(crate) restore: Vec<Action>,
    /// Actions on that page that cannot be repeated.
    pub(crate) lost: usize,
    /// Whether somebody said that the open intent was done.
    pub(crate) vouched: bool,
    /// What became of the open intent, for the record: every intent gets its result in the end.
    pub(crate) settled: Option<EventKind>,
}

/// What is to be done with the open step.
pub(crate) enum Verdict {
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
    pub(crate) fn verdict(self, step: &Step, word: &mut Option<Assumption>) -> Verdict {
        let Some(open) = &self.open else { return Verdict::GoOn(self) };
        if open.effect != Effect::Mutating {
            return Verdict::GoOn(self.assuming(Assumption::NotDone));
        }
        if let Some(word) = word.take() {
            return Verdict::GoOn(self.assuming(word));
        }
        match step.on_resume {
            Some(OnResume::Retry) => Verdict::GoOn(self.assuming(Assumption::NotDone)),
            Some(OnResume::Ask) => Verdict::Ask(self),
            Some(OnResume::Verify) | None if step.expect.is_some() => Verdict::Verify(self),
            Some(OnResume::Verify) | None => Verdict::Ask(self),
        }
    }

    /// With the open intent settled.
    pub(crate) fn assuming(mut self, assumption: Assumption) -> Fold {
        let Some(open) = self.open.take() else { return self };
        let OpenIntent { command, action, decider, .. } = open;
        self.vouched = assumption == Assumption::Done;
        self.settled = Some(match assumption {
            Assumption::Done => {
                let result = ActionResult::done(Duration::ZERO);
                self.notes.history.add(&action, &result);
                self.notes.history.led_to("taken for done after an interruption");
                self.follow(decider);
                self.committed(&action, &result);
                // It was done on the page as it was; what had been filled in there has served its purpose.
                (self.restore, self.lost) = (Vec::new(), 0);
                EventKind::CommandCompleted { command, result: Box::new(result) }
            }
            Assumption::NotDone => {
                let reason = "the run was cut short before it was done".to_owned();
                let failure = ActionFailure::Value { what: action.name().to_owned(), reason };
                EventKind::CommandFailed { command, result: Box::new(ActionResult::failed(failure, Duration::ZERO)) }
            }
        });
        self
    }

    fn follow(&mut self, decider: Decider) {
        if decider == Decider::Literal && self.awaited > 0 {
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
        let submits = matches!(action, Action::Fill(fill) if fill.submit);
        match action {
            _ if leaves(action, result) => (self.restore, self.lost) = (Vec::new(), 0),
            Action::Fill(_) | Action::Select(_) | Action::Check(_) | Action::Uncheck(_) | Action::Upload(_)
                if !submits =>
            {
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

    fn decided(&mut self, decider: Decider, commands: usize) {
        if decider == Decider::Literal {
            self.touched = true;
            self.awaited = commands;
            if commands == 0 {
                self.progress = Progress { clauses: self.progress.clauses + 1, actions: 0 };
            }
        }
    }

    fn next_step(&mut self) {
        let restore = std::mem::take(&mut self.restore);
        *self = Fold { began_steps: true, restore, lost: self.lost, ..Fold::default() };
    }
}

/// Whether an action that worked left the page it was done on.
pub(crate) fn leaves(action: &Action, result: &ActionResult) -> bool {
    result.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. }))
        || matches!(action, Action::Open(_) | Action::Back(_) | Action::Forward(_) | Action::Reload(_) | Action::Tab(_))
}

/// The action for the element by its role and name: refs do not outlive their browser.
fn again(action: &Action, element: &str) -> Option<Action> {
    let (role, name) = element.split_once(" \"")?;
    let name = name.strip_suffix('"')?;
    if name.contains('"') || role.contains(' ') {
        return None;
    }
    let mut action = action.clone();
    match &mut action {
        Action::Fill(fill) => fill.target = by_name(role, name),
        Action::Upload(upload) => upload.target = by_name(role, name),
        Action::Select(select) => select.target = by_name(role, name),
        Action::Check(on) | Action::Uncheck(on) => on.target = by_name(role, name),
        _ => return None,
    }
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
    /// Who decided on it.
    pub(crate) fn decider(&self) -> Decider {
        self.decider
    }

    /// The action in words.
    pub(crate) fn in_words(&self) -> String {
        let wire = serde_json::to_value(&self.action).unwrap_or_default();
        format!("{} {}", self.action.name(), wire["parameters"])
    }
}

/// Folds a journal.
pub(crate) fn fold(events: &[Event]) -> Result<(RunStart, Known, Vec<StepResult>, Fold), ResumeError> {
    for (event, expected) in events.iter().zip(1..) {
        if event.seq != expected {
            return Err(ResumeError::Gap { expected, found: event.seq });
        }
    }
    let Some(Event { kind: EventKind::WorkflowStarted(start), .. }) = events.first() else {
        return Err(ResumeError::NoStart);
    };
    let mut known = Known::default();
    let mut results: Vec<StepResult> = Vec::new();
    let mut fold = Fold::default();
    let mut started: BTreeMap<CommandId, OpenIntent> = BTreeMap::new();
    let (mut ended_well, mut seen) = (false, None);
    let (mut url, mut discovered) = (String::new(), None);
    for event in events {
        match &event.kind {
            EventKind::StepStarted { text } => {
                fold.began_steps = true;
                known.memory.begin_step(text);
            }
            EventKind::WorkingMemoryUpdated { update } => known.memory.take_up(update),
            EventKind::StepCompleted(result) => {
                results.push(result.clone());
                fold.next_step();
                started.clear();
            }
            EventKind::AiReasoning { decider, decision } if event.step.is_some() => {
                fold.decided(*decider, decision.commands.len())
            }
            EventKind::AiResponseReceived(call) => known.usage += call.usage,
            // Its condition held, or there would be no plan.
            EventKind::PlanMade(plan) => (fold.touched, fold.notes.plan) = (true, Some(plan.clone())),
            EventKind::AnswerReviewed(review) => fold.notes.reviews = review.attempt,
            EventKind::Reflected(_) => fold.notes.reflections += 1,
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
                known.found_out(&url, findings, discovered.map(|(element, purpose)| (element, purpose.as_str())));
            }
            EventKind::CommandStarted { command, action, decider, effect } => {
                let (action, before) = ((**action).clone(), seen.clone());
                let intent = OpenIntent { command: *command, action, decider: *decider, effect: *effect, before };
                fold.touched |= event.step.is_some();
                started.insert(*command, intent);
            }
            EventKind::CommandCompleted { command, result } | EventKind::CommandFailed { command, result } => {
                if let Some(intent) = started.remove(command) {
                    known.absorb(&intent.action, result);
                    // What was done to open the workflow's address, or to fill in again, is no part of the step.
                    if event.step.is_some() {
                        fold.notes.history.add(&intent.action, result);
                        // The page that showed what became of it is gone; what the server answered is on record.
                        let page = Snapshot { url: result.url.clone(), ..Snapshot::default() };
                        fold.notes.contradictions.update(&evidence::responses(&intent.action, result, &page), &page);
                        if result.ok() {
                            fold.follow(intent.decider);
                        }
                    }
                    if result.ok() {
                        fold.committed(&intent.action, result);
                    }
                }
            }
            EventKind::WorkflowCompleted(outcome) => ended_well = outcome.status == Status::Success,
            _ => {}
        }
    }
    if ended_well {
        return Err(ResumeError::Ended);
    }
    // Commands are carried out one after the other: at most one is open.
    fold.open = started.into_values().next_back();
    Ok((start.clone(), known, results, fold))
}
