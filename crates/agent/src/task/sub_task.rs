//! What a turn may need besides deciding and acting: taking data out of pages, looking at a picture, an investigation. Each is
//! a machine of its own over the same needs; [`super::model`], or [`super::literal`] for an action that a step gives as it
//! stands, hands it what it got until it is through. Extracting and looking are commands: they have their intent and result in the journal like any other.

use std::{sync::Arc, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, ActionFailure, ActionResult, CommandId, DecidedBy, Decision, EventKind, Target};

use super::{StepNotes, extract::Extraction, investigate::Investigation, look::Looking, run_context::StepContext};
use crate::{Intent, Need, NeedResult};

/// The most elements whose refs are drawn onto a picture.
const MARKS: usize = 1_000;

/// A machine at work.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, and it lies in a box")]
pub(crate) enum SubTask {
    Command {
        id: CommandId,
        action: Action,
        decider: DecidedBy,
        began: Duration,
        work: SubTaskKind,
        result: Option<ActionResult>,
    },
    Investigation(Box<Investigation>),
}

/// A command that the agent carries out itself.
pub(crate) enum SubTaskKind {
    Extract(Box<Extraction>),
    Look(Looking),
}

/// What comes next.
pub(crate) enum SubTaskStep {
    Need(Need),
    /// The command ended so.
    Done(ActionResult),
    /// The page has to be looked at, and decided upon.
    Look,
    /// The decision that was held back stands.
    CarryOut(Box<Decision>),
    /// Decide on the same page with what was found.
    Ask,
}

impl SubTask {
    /// Begins a command; `about` is what it is done for.
    pub(crate) fn command(
        action: Action,
        decider: DecidedBy,
        page: Arc<Snapshot>,
        about: &str,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> (SubTask, SubTaskStep) {
        let id = CommandId::new();
        let effect = action.effect();
        cx.fact(EventKind::CommandStarted { command_id: id, action: Box::new(action.clone()), decider, effect });
        let (work, step) = match &action {
            Action::Extract(extract) => {
                let (work, step) = Extraction::begin(extract, page, cx);
                (SubTaskKind::Extract(Box::new(work)), step)
            }
            Action::Look(look) => {
                let (work, step) = Looking::begin(look, &page, about, cx);
                (SubTaskKind::Look(work), step)
            }
            other => {
                let failure = unavailable(other.name(), "it is not done here");
                (
                    SubTaskKind::Look(Looking::default()),
                    SubTaskStep::Done(ActionResult::failed(failure, Duration::ZERO)),
                )
            }
        };
        let mut sub_task = SubTask::Command { id, action, decider, began: cx.now, work, result: None };
        let step = sub_task.close(step, notes, cx);
        (sub_task, step)
    }

    /// Takes what was needed.
    pub(crate) fn give(
        &mut self,
        response: NeedResult,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> SubTaskStep {
        let step = match self {
            SubTask::Command { work: SubTaskKind::Extract(work), .. } => work.give(response, cx),
            SubTask::Command { work: SubTaskKind::Look(work), .. } => work.give(response, cx),
            SubTask::Investigation(work) => work.give(response, cx),
        };
        self.close(step, notes, cx)
    }

    /// What a command came to, once it is done.
    pub(crate) fn result(&self) -> Option<&ActionResult> {
        match self {
            SubTask::Command { result, .. } => result.as_ref(),
            SubTask::Investigation(_) => None,
        }
    }

    /// A command that is done is put on record.
    fn close(&mut self, step: SubTaskStep, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> SubTaskStep {
        let SubTask::Command { id, action, decider, began, result: kept, .. } = self else { return step };
        let SubTaskStep::Done(result) = step else { return step };
        let result = ActionResult { duration: cx.now.saturating_sub(*began), ..result };
        *kept = Some(result.clone());
        let boxed = Box::new(result.clone());
        cx.fact(match result.ok() {
            true => EventKind::CommandCompleted { command_id: *id, result: boxed },
            false => EventKind::CommandFailed { command_id: *id, result: boxed },
        });
        notes.history.add(action, &result);
        cx.apply_result(&[Intent { action: action.clone(), decider: *decider }], &[result], notes);
        SubTaskStep::Look
    }
}

/// A failure that says what to do instead.
pub(crate) fn unavailable(what: &str, reason: impl Into<String>) -> ActionFailure {
    ActionFailure::Value { what: what.to_owned(), reason: reason.into() }
}

/// What can be acted on, to be marked on a picture: the page itself marks what of it is in view.
pub(crate) fn in_view(page: &Snapshot) -> Vec<Target> {
    let shown = page.nodes.iter().filter(|node| node.states.actionable());
    shown.filter_map(|node| node.reference).map(Target::from).take(MARKS).collect()
}
