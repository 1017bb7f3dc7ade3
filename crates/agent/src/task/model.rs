//! Executes a step or task with a model, turn by turn: observe the page, call the model, act, report the result. If the
//! program has its own decider, that is called first ([`custom_decider`]).
//!
//! This file contains the stages of a turn and the need of each. [`decision`] parses the model's reply. [`execution`]
//! executes it and assesses the page afterwards. [`advisory`] determines when a plan, a reflection or a review is due
//! and applies its result. Work that has several needs of its own is a [`SubTask`]: it receives values, returns a
//! value, and has no access to the run.

mod advisory;
mod custom_decider;
mod decision;
mod execution;

use std::sync::Arc;

use legwork_observe::{Snapshot, fingerprint};
use legwork_protocol::{Action, ActionResult, ChatRequest, Code, Decision, ErrorReport, Message, Phase, Status};

use super::{
    Ending, StepNotes, Task, Transition, guard,
    investigate::InvestigationSubject,
    model_call::REPLY,
    model_tier,
    pages::{PresentedPage, too_long},
    review::with_criteria,
    run_context::StepContext,
    sub_task::{SubTask, SubTaskResult, SubTaskStep},
    words,
};
use crate::{InvestigationMode, ModelRules, Need, NeedResult, ObserveRequest, context::one_line, schema};
use advisory::AdvisoryState;
use execution::ExecutedTurn;

/// The maximum number of investigations of a step.
const INVESTIGATIONS: usize = 3;

/// The execution of a step by a model.
#[derive(Default)]
pub(crate) struct ModelRun {
    stage: ModelStage,
    presented_page: PresentedPage,
    loop_guard: guard::LoopGuard,
    /// A hint for the next prompt only.
    hint: Option<String>,
    /// The request whose reply decides this turn.
    pending_request: Option<ChatRequest>,
    /// Number of unusable replies in this turn.
    reply_retries: u32,
    /// Whether a reply did not match the schema. From then on, the schema is sent to the provider with each request.
    enforce_schema: bool,
    page: Option<Arc<Snapshot>>,
    advisory: AdvisoryState,
    /// The actions of the last turn, for the program's own decider.
    last_actions: Vec<(Action, ActionResult)>,
    /// The target of the last action, if no element or several matched it: a reason for an investigation.
    missing_target: Option<String>,
    /// Fingerprints of the pages that were investigated.
    investigated_pages: Vec<u64>,
}

/// What a turn waits for.
#[derive(Default)]
enum ModelStage {
    /// The page on which to decide.
    #[default]
    Observing,
    /// The program's own decider.
    CallingDecider,
    /// The model.
    Deciding,
    /// The results of these actions.
    Acting(Vec<Action>),
    /// The page that shows their effects.
    Assessing(Box<ExecutedTurn>),
    /// A person's answer to this question.
    Asking(String),
    /// A person's approval of this decision.
    Approving(Box<Decision>),
    /// The needs of a sub-task.
    SubTask(SubTask),
}

impl ModelRun {
    pub(crate) fn handle_result(
        &mut self,
        response: NeedResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match (std::mem::take(&mut self.stage), response) {
            (ModelStage::Observing, NeedResult::Observed(page)) => self.turn(page, task, notes, cx),
            (ModelStage::Assessing(turn), NeedResult::Observed(page)) => {
                self.assess(&turn, &page, notes, cx);
                if let Some(next) = self.rejoin(&turn, &page, notes, cx) {
                    return next;
                }
                self.turn(page, task, notes, cx)
            }
            (ModelStage::CallingDecider, NeedResult::DeciderReplied(said)) => {
                self.apply_decider_reply(said, task, notes, cx)
            }
            (ModelStage::SubTask(sub_task), response) => {
                let step = sub_task.handle_result(response, cx);
                self.on_sub_task_step(step, task, notes, cx)
            }
            (ModelStage::Deciding, NeedResult::Decided(Ok(reply))) => self.decided(&reply, task, notes, cx),
            (ModelStage::Deciding, NeedResult::Decided(Err(failure))) => self.no_reply(&failure, notes, cx),
            (ModelStage::Acting(actions), NeedResult::Acted(results)) => self.acted(actions, &results, notes, cx),
            (ModelStage::Approving(decision), response) => self.approved(*decision, &response, task, notes, cx),
            (ModelStage::Asking(question), NeedResult::Answered(answer)) => {
                let (question, answer) = (one_line(&question, REPLY), one_line(&answer, REPLY));
                notes.history.note(format!("asked the human {question:?}: {answer:?}"));
                self.look()
            }
            (ModelStage::Asking(question), NeedResult::Unanswered) => Transition::Ended(
                Ending::parked(Code::OutcomeUnknown, format!("a human has to answer: {question}"))
                    .suggest("Resume the run where a person can answer: `legwork resume RUN` in a terminal."),
            ),
            _ => self.look(),
        }
    }

    /// The model considers the task done although observed facts contradict that. It receives these facts, a limited
    /// number of times.
    pub(crate) fn on_failed_check(
        &mut self,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let contradicted = !notes.contradictions.is_empty() && !notes.next_step.expects_refusal;
        let why = match &notes.failed_action {
            _ if contradicted && notes.reviews + 1 >= cx.rules.thinking.reviews => {
                return Some(Transition::Ended(Ending::contradicted(&notes.contradictions)));
            }
            _ if contradicted => notes.contradictions.in_words(),
            // The failed action may not have been necessary. In that case another action, even a `read`, shows it.
            Some(failed) => format!("{failed}, and nothing was done or looked at since"),
            None => words::lacking_effect(&task.sentence, self.page.as_deref()?, &cx.run_context.effects)?,
        };
        Some(self.not_as_expected(&why, notes, cx))
    }

    /// The model considered the task done, but the expectation does not hold on the page.
    pub(crate) fn not_as_expected(&mut self, why: &str, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        notes.errors.count(false);
        self.failed_again(&format!("said it was done, but: {why}"), notes, cx);
        notes.reviews += 1;
        if notes.reviews >= cx.rules.thinking.reviews || too_many_errors(notes, cx).is_some() {
            let times = notes.reviews;
            return Transition::Ended(Ending::rejected(format!("said {times} times that it was done, but: {why}")));
        }
        notes.history.note(format!("said it was done, but: {}", one_line(why, 300)));
        self.hint =
            Some("You said it was done, but what was expected does not hold; the history's last line says why.".into());
        self.look()
    }

    fn look(&mut self) -> Transition {
        self.stage = ModelStage::Observing;
        Transition::Need(Need::Observe(ObserveRequest::default()))
    }

    /// Continues when a sub-task needs something or has ended.
    fn on_sub_task_step(
        &mut self,
        step: SubTaskStep,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let result = match step {
            SubTaskStep::Need(sub_task, need) => {
                self.stage = ModelStage::SubTask(sub_task);
                return Transition::Need(need);
            }
            SubTaskStep::Done(result) => result,
        };
        match result {
            SubTaskResult::Command(command) => {
                notes.note_command(&command, cx);
                match too_many_errors(notes, cx) {
                    Some(ending) => Transition::Ended(ending),
                    None => self.look(),
                }
            }
            SubTaskResult::Investigation(Some(decision)) => self.carry_out(*decision, task, notes, cx),
            SubTaskResult::Investigation(None) => self.decide(task, notes, cx),
            SubTaskResult::Advisory(result) => self.on_advisory_result(*result, task, notes, cx),
        }
    }

    /// Starts an investigation of the page, before this decision if there is one.
    fn investigate(
        &mut self,
        reason: String,
        decision: Option<Decision>,
        page: Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let history = notes.history.lines(cx.rules.context_tokens / 8);
        let subject = InvestigationSubject { reason, decision, page, task: task.text.clone(), history };
        let step = SubTask::investigate(subject, cx);
        self.on_sub_task_step(step, task, notes, cx)
    }

    /// The reason to investigate the page now, if there is one. Each page is investigated once, and their number is
    /// limited.
    fn why_investigate(&mut self, said: Option<&Decision>, cx: &StepContext<'_>) -> Option<String> {
        let missed = self.missing_target.take();
        let rules = &cx.rules.investigation;
        let page = fingerprint(self.page.as_deref()?);
        let fresh = !self.investigated_pages.contains(&page) && self.investigated_pages.len() < INVESTIGATIONS;
        let low = said.filter(|said| said.confidence < rules.min_confidence && !said.commands.is_empty());
        let reason = match (rules.mode, missed, low) {
            (InvestigationMode::Never, ..) => return None,
            (_, Some(missed), _) => missed,
            (_, _, Some(said)) => format!("the decision had a confidence of {:.2}", said.confidence),
            (InvestigationMode::Always, None, None) if said.is_none() && self.investigated_pages.is_empty() => {
                "every step is investigated before its first action".to_owned()
            }
            _ => return None,
        };
        fresh.then(|| {
            self.investigated_pages.push(page);
            reason
        })
    }

    /// Decides on the last observed page.
    fn decide(&mut self, task: &Task, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        match self.page.clone() {
            Some(page) => self.ask(page, task, notes, cx),
            None => self.look(),
        }
    }

    /// Calls the model for a page, unless an advisory call or an investigation is due first.
    fn ask(&mut self, page: Arc<Snapshot>, task: &Task, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        cx.run_context.seen_by_model.note_page(&page);
        self.page = Some(page.clone());
        let Some(rules) = cx.rules.model.as_ref() else {
            return Transition::Ended(custom_decider::no_decider_left(cx));
        };
        if !task.is_condition
            && let Some(reason) = self.why_investigate(None, cx)
        {
            return self.investigate(reason, None, page, task, notes, cx);
        }
        cx.phase(Phase::GeneratingPrompt);
        if let Some(ending) = too_long(&task.text, cx.rules) {
            return Transition::Ended(ending);
        }
        if let Some(next) = self.before_deciding(&page, task, notes, cx) {
            return next;
        }
        self.reply_retries = 0;
        let hint = self.hints(notes, task, cx);
        let task = with_criteria(task, notes);
        let messages = match self.presented_page.messages(&page, &task, notes, hint.as_deref(), cx) {
            Ok(messages) => messages,
            Err(error) => return defect(error.code(), &error),
        };
        notes.history.settle();
        cx.run_context.found.note_shown(fingerprint(&page));
        let request =
            ChatRequest { tier: model_tier::first(rules, notes), ..request(messages, rules, self.enforce_schema) };
        self.pending_request = Some(request.clone());
        self.stage = ModelStage::Deciding;
        cx.phase(Phase::QueryingAi);
        Transition::Need(Need::Decide(request))
    }
}

fn too_many_errors(notes: &StepNotes, cx: &StepContext<'_>) -> Option<Ending> {
    notes.errors.too_many(&cx.rules.limits).map(|message| Ending::over(legwork_protocol::Budget::Errors, message))
}

fn request(messages: Vec<Message>, rules: &ModelRules, held: bool) -> ChatRequest {
    ChatRequest {
        purpose: legwork_protocol::Purpose::Act,
        tier: Default::default(),
        messages,
        schema: (rules.native_schema || held).then(|| schema::wire(&rules.schema)),
        max_reply_tokens: rules.max_reply_tokens,
        time_limit: None,
    }
}

fn defect(code: Code, error: &dyn std::error::Error) -> Transition {
    Transition::Ended(Ending::from_error(Status::Error, ErrorReport::new(code, error.to_string()).caused_by(error)))
}
