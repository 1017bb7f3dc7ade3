//! The decider of a program that uses Legwork as a library. It is called once per turn, before the model, with the
//! current page. Its decisions are handled like those of a model: loop guard, intents, evidence, review. If it passes,
//! the model decides, if there is one.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{Code, DecidedBy, Decision, EventKind, Phase, Verdict};

use super::{ModelRun, ModelStage};
use crate::{
    DeciderReply, DecisionContext, Need,
    task::{Ending, StepNotes, Task, Transition, run_context::StepContext},
};

/// The maximum number of tokens of the history.
const HISTORY: usize = 4_000;

impl ModelRun {
    /// Requests the decision of the next turn.
    pub(super) fn turn(
        &mut self,
        page: Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        if !cx.rules.custom {
            return self.ask(page, task, notes, cx);
        }
        self.page = Some(page.clone());
        self.stage = ModelStage::CallingDecider;
        Transition::Need(Need::CallDecider(DecisionContext {
            task: task.text.clone(),
            expect: task.expect_text.clone(),
            only_judge: task.is_condition,
            page,
            history: notes.history.lines(HISTORY),
            last: std::mem::take(&mut self.last_actions),
            turns: notes.iterations,
        }))
    }

    /// Applies its reply.
    pub(super) fn apply_decider_reply(
        &mut self,
        said: DeciderReply,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match said {
            DeciderReply::Decided(decision) => self.follow(*decision, task, notes, cx),
            DeciderReply::Passed => self.decide(task, notes, cx),
            DeciderReply::Failed(why) => Transition::Ended(Ending::error(
                Code::CommandFailed,
                format!("the program's own decider failed: {why}"),
            )),
        }
    }

    fn follow(
        &mut self,
        decision: Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        notes.iterations += 1;
        notes.decider = Some(DecidedBy::Custom);
        cx.phase(Phase::ProcessingResponse);
        cx.emit(EventKind::AiReasoning { decider: DecidedBy::Custom, decision: Box::new(decision.clone()) });
        match decision.verdict {
            Verdict::Abort if decision.message.is_empty() => Transition::Ended(Ending::failure(
                Code::CommandFailed,
                "the program's own decider gave up without a reason",
            )),
            Verdict::Abort => Transition::Ended(Ending::failure(Code::CommandFailed, decision.message)),
            _ if decision.commands.is_empty() => Transition::Finished { message: decision.message, answer: true },
            _ if task.is_condition => {
                let why = "the program's own decider returned an action although only a judgement was requested";
                Transition::Ended(Ending::error(Code::CommandFailed, why))
            }
            _ => self.carry_out(decision, task, notes, cx),
        }
    }
}

/// The end of a step if no decider is left.
pub(super) fn no_decider_left(cx: &StepContext<'_>) -> Ending {
    if !cx.rules.custom {
        return Ending::error(Code::SettingsInvalid, "no model is configured");
    }
    Ending::error(Code::NotUnderstood, "the program's own decider made no decision, and no model is configured")
        .suggest("Have it decide this as well, or configure a model (model.name).")
}
