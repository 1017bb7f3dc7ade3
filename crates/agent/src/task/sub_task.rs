//! Work within a turn other than deciding and acting: extracting data, describing a screenshot, an investigation, an
//! advisory call (a plan, a reflection, a review). Each is a state machine over the same needs as the run.
//!
//! The code that starts a sub-task ([`super::model`], or [`super::literal`] for an action that a step contains) passes
//! all inputs as values, holds the sub-task while it needs something, and receives its result as a value. The sub-task
//! has no access to the run that started it. Extracting and describing a screenshot are commands: their intent and
//! result are in the journal as for any other command.

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionResult, CommandId, DecidedBy, Decision, EventKind};

use super::{
    StepNotes,
    advisory_call::{AdvisoryCall, AdvisoryResult, AdvisoryStep},
    extract::Extraction,
    investigate::{Investigation, InvestigationSubject},
    look::PictureCall,
    run_context::StepContext,
    work_step::{WorkStep, not_performed},
};
use crate::{Intent, Need, NeedResult};

/// A sub-task in progress.
pub(crate) enum SubTask {
    Command(Box<CommandRun>),
    Investigation(Box<Investigation>),
    Advisory(Box<AdvisoryCall>),
}

/// A command that the agent executes itself.
pub(crate) struct CommandRun {
    id: CommandId,
    action: Action,
    decider: DecidedBy,
    started_at: Duration,
    work: CommandWork,
}

enum CommandWork {
    Extract(Box<Extraction>),
    Look(PictureCall),
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
    /// Contains the decision if the investigation confirms it; then it is executed unchanged. Otherwise the decider
    /// must decide on the page again.
    Investigation(Option<Box<Decision>>),
    Advisory(Box<AdvisoryResult>),
}

/// A command with its result, which is already in the journal.
pub(crate) struct CommandResult {
    pub(crate) action: Action,
    pub(crate) decider: DecidedBy,
    pub(crate) result: ActionResult,
}

impl SubTask {
    /// Starts a command; `purpose` is the purpose for which it is executed.
    pub(crate) fn command(
        action: Action,
        decider: DecidedBy,
        page: Arc<Snapshot>,
        purpose: &str,
        cx: &mut StepContext<'_>,
    ) -> SubTaskStep {
        let (id, started_at, effect) = (CommandId::new(), cx.now, action.effect());
        cx.emit(EventKind::CommandStarted {
            command_id: id,
            action: Box::new(action.clone()),
            decider,
            effect,
            identity: None,
        });
        let (work, step) = match &action {
            Action::Extract(extract) => {
                let (work, step) = Extraction::begin(extract, page, cx);
                (CommandWork::Extract(Box::new(work)), step)
            }
            Action::Look(look) => {
                let (work, step) = PictureCall::begin(look, &page, purpose, cx);
                (CommandWork::Look(work), step)
            }
            other => {
                let failure = not_performed(other.name(), "it is not done here");
                (
                    CommandWork::Look(PictureCall::default()),
                    WorkStep::Done(ActionResult::failed(failure, Duration::ZERO)),
                )
            }
        };
        Box::new(CommandRun { id, action, decider, started_at, work }).proceed(step, cx)
    }

    /// Starts an investigation.
    pub(crate) fn investigate(subject: InvestigationSubject, cx: &mut StepContext<'_>) -> SubTaskStep {
        let (investigation, step) = Investigation::begin(subject, cx);
        SubTask::investigated(Box::new(investigation), step)
    }

    /// Starts an advisory call.
    pub(crate) fn advise(call: AdvisoryCall) -> SubTaskStep {
        let need = call.need();
        SubTaskStep::Need(SubTask::Advisory(Box::new(call)), need)
    }

    /// Handles the result of the current need.
    pub(crate) fn handle_result(self, response: NeedResult, cx: &mut StepContext<'_>) -> SubTaskStep {
        match self {
            SubTask::Command(mut command) => {
                let step = match &mut command.work {
                    CommandWork::Extract(work) => work.handle_result(response, cx),
                    CommandWork::Look(work) => work.handle_result(response, cx),
                };
                command.proceed(step, cx)
            }
            SubTask::Investigation(mut investigation) => {
                let step = investigation.handle_result(response, cx);
                SubTask::investigated(investigation, step)
            }
            SubTask::Advisory(call) => match call.handle_result(response, cx) {
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
    /// Records the end of the command when it is done.
    fn proceed(self: Box<Self>, step: WorkStep<ActionResult>, cx: &mut StepContext<'_>) -> SubTaskStep {
        let result = match step {
            WorkStep::Need(need) => return SubTaskStep::Need(SubTask::Command(self), need),
            WorkStep::Done(result) => result,
        };
        let CommandRun { id: command, action, decider, started_at, .. } = *self;
        let result = ActionResult { duration: cx.now.saturating_sub(started_at), ..result };
        let boxed = Box::new(result.clone());
        cx.emit(match result.ok() {
            true => EventKind::CommandCompleted { command_id: command, result: boxed },
            false => EventKind::CommandFailed { command_id: command, result: boxed },
        });
        SubTaskStep::Done(SubTaskResult::Command(Box::new(CommandResult { action, decider, result })))
    }
}

impl StepNotes {
    /// Notes a command that the agent executed itself.
    pub(crate) fn note_command(&mut self, command: &CommandResult, cx: &mut StepContext<'_>) {
        let CommandResult { action, decider, result } = command;
        self.history.add(action, result);
        let intent = Intent { action: action.clone(), decider: *decider, identity: None };
        cx.apply_result(&[intent], std::slice::from_ref(result), self);
    }
}
