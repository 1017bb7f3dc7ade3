//! Work within a turn besides deciding and acting: data taken out of pages, a picture described, an investigation, a call that
//! only advises (a plan, a reflection, a review). Each is a state machine over the same needs as the run.
//!
//! Whoever starts one ([`super::model`], or [`super::literal`] for an action that a step gives as it stands) passes everything
//! it works on as values, holds it as long as it needs something, and gets its result as a value. It sees nothing of the run that
//! started it. Extracting and looking are commands: they have their intent and result in the journal like any other.

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, ActionResult, CommandId, DecidedBy, Decision, EventKind, Target};

use super::{
    StepNotes,
    advisory_call::{AdvisoryCall, AdvisoryResult, AdvisoryStep},
    extract::Extraction,
    investigate::{Investigation, InvestigationSubject},
    look::Looking,
    run_context::StepContext,
};
use crate::{Intent, Need, NeedResult};

/// The most elements whose refs are drawn onto a picture.
const MARKS: usize = 1_000;

/// A sub-task in progress.
pub(crate) enum SubTask {
    Command(Box<CommandRun>),
    Investigation(Box<Investigation>),
    Advisory(Box<AdvisoryCall>),
}

/// A command that the agent carries out itself.
pub(crate) struct CommandRun {
    id: CommandId,
    action: Action,
    decider: DecidedBy,
    started_at: Duration,
    work: CommandWork,
}

enum CommandWork {
    Extract(Box<Extraction>),
    Look(Looking),
}

/// What one of these machines does next.
#[expect(clippy::large_enum_variant, reason = "a step is moved on at once and never stored")]
pub(crate) enum WorkStep<T> {
    Need(Need),
    Done(T),
}

/// What a sub-task does next: it needs something, or it has ended.
#[expect(clippy::large_enum_variant, reason = "a step is moved on at once and never stored")]
pub(crate) enum SubTaskStep {
    Need(SubTask, Need),
    Done(SubTaskResult),
}

/// The result of a sub-task.
pub(crate) enum SubTaskResult {
    Command(Box<CommandResult>),
    /// With the decision that the investigation confirms, if it does: it stands as it was. Otherwise the page has to be decided on.
    Investigation(Option<Box<Decision>>),
    Advisory(Box<AdvisoryResult>),
}

/// A command with its result, which is in the journal already.
pub(crate) struct CommandResult {
    pub(crate) action: Action,
    pub(crate) decider: DecidedBy,
    pub(crate) result: ActionResult,
}

impl SubTask {
    /// Starts a command; `purpose` is what it is carried out for.
    pub(crate) fn command(
        action: Action,
        decider: DecidedBy,
        page: Arc<Snapshot>,
        purpose: &str,
        cx: &mut StepContext<'_>,
    ) -> SubTaskStep {
        let (id, started_at, effect) = (CommandId::new(), cx.now, action.effect());
        cx.fact(EventKind::CommandStarted { command_id: id, action: Box::new(action.clone()), decider, effect });
        let (work, step) = match &action {
            Action::Extract(extract) => {
                let (work, step) = Extraction::begin(extract, page, cx);
                (CommandWork::Extract(Box::new(work)), step)
            }
            Action::Look(look) => {
                let (work, step) = Looking::begin(look, &page, purpose, cx);
                (CommandWork::Look(work), step)
            }
            other => {
                let failure = not_performed(other.name(), "it is not done here");
                (CommandWork::Look(Looking::default()), WorkStep::Done(ActionResult::failed(failure, Duration::ZERO)))
            }
        };
        Box::new(CommandRun { id, action, decider, started_at, work }).proceed(step, cx)
    }

    /// Starts an investigation.
    pub(crate) fn investigate(subject: InvestigationSubject, cx: &mut StepContext<'_>) -> SubTaskStep {
        let (investigation, step) = Investigation::begin(subject, cx);
        SubTask::investigated(Box::new(investigation), step)
    }

    /// Starts a call that only advises.
    pub(crate) fn advise(call: AdvisoryCall) -> SubTaskStep {
        let need = call.need();
        SubTaskStep::Need(SubTask::Advisory(Box::new(call)), need)
    }

    /// Takes what was needed.
    pub(crate) fn give(self, response: NeedResult, cx: &mut StepContext<'_>) -> SubTaskStep {
        match self {
            SubTask::Command(mut command) => {
                let step = match &mut command.work {
                    CommandWork::Extract(work) => work.give(response, cx),
                    CommandWork::Look(work) => work.give(response, cx),
                };
                command.proceed(step, cx)
            }
            SubTask::Investigation(mut investigation) => {
                let step = investigation.give(response, cx);
                SubTask::investigated(investigation, step)
            }
            SubTask::Advisory(call) => match call.give(response, cx) {
                AdvisoryStep::Done(result) => SubTaskStep::Done(SubTaskResult::Advisory(Box::new(result))),
                AdvisoryStep::Retry(call) => SubTask::advise(*call),
            },
        }
    }

    /// Whether it is a review of an answer.
    pub(crate) fn is_review(&self) -> bool {
        matches!(self, SubTask::Advisory(call) if matches!(**call, AdvisoryCall::Review(..)))
    }

    fn investigated(investigation: Box<Investigation>, step: WorkStep<Option<Box<Decision>>>) -> SubTaskStep {
        match step {
            WorkStep::Need(need) => SubTaskStep::Need(SubTask::Investigation(investigation), need),
            WorkStep::Done(confirmed) => SubTaskStep::Done(SubTaskResult::Investigation(confirmed)),
        }
    }
}

impl CommandRun {
    /// Puts the command on record when it is done.
    fn proceed(self: Box<Self>, step: WorkStep<ActionResult>, cx: &mut StepContext<'_>) -> SubTaskStep {
        let result = match step {
            WorkStep::Need(need) => return SubTaskStep::Need(SubTask::Command(self), need),
            WorkStep::Done(result) => result,
        };
        let CommandRun { id: command, action, decider, started_at, .. } = *self;
        let result = ActionResult { duration: cx.now.saturating_sub(started_at), ..result };
        let boxed = Box::new(result.clone());
        cx.fact(match result.ok() {
            true => EventKind::CommandCompleted { command_id: command, result: boxed },
            false => EventKind::CommandFailed { command_id: command, result: boxed },
        });
        SubTaskStep::Done(SubTaskResult::Command(Box::new(CommandResult { action, decider, result })))
    }
}

impl StepNotes {
    /// Notes a command that the agent carried out itself.
    pub(crate) fn note_command(&mut self, command: &CommandResult, cx: &mut StepContext<'_>) {
        let CommandResult { action, decider, result } = command;
        self.history.add(action, result);
        let intent = Intent { action: action.clone(), decider: *decider };
        cx.apply_result(&[intent], std::slice::from_ref(result), self);
    }
}

/// A failure that says what to do instead.
pub(crate) fn not_performed(action: &str, reason: impl Into<String>) -> ActionFailure {
    ActionFailure::NotPerformed { action: action.to_owned(), reason: reason.into() }
}

/// What can be acted on, to be marked on a picture: the page itself marks what of it is in view.
pub(crate) fn in_view(page: &Snapshot) -> Vec<Target> {
    let shown = page.nodes.iter().filter(|node| node.states.actionable());
    shown.filter_map(|node| node.reference).map(Target::from).take(MARKS).collect()
}
