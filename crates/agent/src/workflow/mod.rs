//! The steps of a run in order: inputs, conditions, one [`TaskRun`] a step, statuses, progress and the outcome.
//!
//! Facts come out of [`WorkflowRun::give`] and are appended before the next need is met. The driver states what only it
//! sees (commands and their results, calls to models, observations, pictures, questions and answers, saved state) and
//! closes the journal with the outcome; the agent states what it judges (the start, steps, progress, reasoning, variables,
//! warnings).

mod answers;
mod inputs;
mod restart;
mod resume;
mod status;
mod unknown_outcome;
mod validation;
pub(crate) mod variables;

use std::{collections::HashMap, sync::Arc, time::Duration};

use legwork_protocol::{
    Action, Code, Event, EventKind, Evidence, ExecutionProgress, Open, Outcome, Polarity, RunStart, Status, Step,
    StepResult, Validation, mask_passwords,
};

use crate::{
    AgentEvent, Need, NeedResult, ObserveRequest, Rules,
    task::{Ending, Poll, PollOutcome, Progress, RunContext, StepContext, StepNotes, Task, TaskRun, read_check},
};
use resume::Fold;
pub use resume::ResumeError;
use status::StepState;
use unknown_outcome::{OutcomeQuestion, ResumeDoubt};
use validation::Purpose;

/// A run of a workflow or of a lone task.
pub struct WorkflowRun {
    start: RunStart,
    rules: Arc<Rules>,
    run_context: RunContext,
    states: Vec<StepState>,
    results: Vec<StepResult>,
    at: usize,
    stage: WorkflowStage,
    facts: Vec<AgentEvent>,
    now: Duration,
    step_began: Duration,
    restoring: bool,
    look: ObserveRequest,
    outcome_inquiry: ResumeDoubt,
    /// All steps were done, and the run was interrupted before its browser was closed.
    end_is_unseen: bool,
    /// The end that an intent of an earlier process gets when the run ends before it is known what became of it.
    open_end: Option<EventKind>,
    /// The steps in which an action was carried out, and what these actions were for.
    purposes: HashMap<usize, Purpose>,
}

enum WorkflowStage {
    /// The workflow's address is opened.
    Opening(TaskRun),
    /// Fields are filled in again that a lost browser took with it; then the step goes on.
    Restoring(TaskRun, Box<Then>),
    /// A step's condition is looked at.
    Condition(Poll),
    /// A model judges a step's condition.
    Judging(Box<TaskRun>),
    /// A step is at work.
    Working(Box<TaskRun>),
    /// The page is asked what became of an action whose result was lost.
    Verifying(Poll, Box<Fold>),
    /// A person is asked what nobody else knows.
    Asking(Box<OutcomeQuestion>, String),
    /// It has ended.
    Ended(Box<Outcome>),
}

/// How a step goes on once its fields are filled in again.
struct Then {
    progress: Progress,
    notes: StepNotes,
    touched: bool,
}

impl WorkflowRun {
    /// Begins a run. What is wrong with its inputs ends it at once, with every problem listed.
    pub fn begin(mut start: RunStart, rules: Rules) -> (Self, Vec<AgentEvent>) {
        // The name is shown wherever runs are listed; the steps keep their words, which a resume needs.
        start.workflow.name = mask_passwords(&start.workflow.name);
        let mut run = WorkflowRun::new(start, rules, RunContext::default());
        run.fact(None, EventKind::WorkflowStarted(run.start.clone()));
        run.take_inputs();
        let facts = std::mem::take(&mut run.facts);
        (run, facts)
    }

    /// Goes on with a run from its journal, at the first step that is not committed.
    ///
    /// # Errors
    /// When there is nothing to go on with, or the journal does not add up.
    pub fn resume(events: &[Event], rules: Rules) -> Result<(Self, Vec<AgentEvent>), ResumeError> {
        let (start, run_context, results, fold) = resume::fold(events)?;
        let mut run = WorkflowRun::new(start, rules, run_context);
        run.at = results.len();
        for (state, result) in run.states.iter_mut().zip(&results) {
            *state = StepState::of(result.status);
        }
        run.results = results;
        for event in events {
            if let (EventKind::CommandStarted { action, .. }, Some(step)) = (&event.kind, event.step) {
                run.note_action(step, action);
            }
        }
        run.fact(None, EventKind::WorkflowResumed { step: run.at });
        if run.run_context.memory.was_lost() {
            let message = "what the run remembered cannot be read; it goes on with an empty memory".to_owned();
            run.fact(None, EventKind::WarningIssued { message });
        }
        if fold.began_steps {
            run.restore(fold)
        } else {
            run.take_inputs()
        }
        let facts = std::mem::take(&mut run.facts);
        Ok((run, facts))
    }

    fn new(start: RunStart, rules: Rules, run_context: RunContext) -> Self {
        let states = vec![StepState::Pending; start.workflow.steps.len()];
        let stage =
            WorkflowStage::Ended(Box::new(outcome(&run_context, Ending::error(Code::Internal, "the run never began"))));
        let (now, step_began) = (Duration::ZERO, Duration::ZERO);
        let outcome_inquiry = ResumeDoubt::new(rules.assume);
        WorkflowRun {
            start,
            rules: Arc::new(rules),
            run_context,
            states,
            results: Vec::new(),
            at: 0,
            stage,
            facts: Vec::new(),
            now,
            step_began,
            restoring: false,
            look: ObserveRequest::default(),
            outcome_inquiry,
            end_is_unseen: false,
            open_end: None,
            purposes: HashMap::new(),
        }
    }

    /// What the run needs. Asked again before anything was given, it says the same.
    pub fn need(&self) -> Need {
        match &self.stage {
            WorkflowStage::Opening(task) | WorkflowStage::Restoring(task, _) => task.need(),
            WorkflowStage::Working(task) | WorkflowStage::Judging(task) => task.need(),
            WorkflowStage::Condition(_) | WorkflowStage::Verifying(..) => Need::Observe(self.look),
            WorkflowStage::Asking(_, question) => {
                Need::Ask(legwork_protocol::Question { text: question.clone(), secret: false })
            }
            WorkflowStage::Ended(outcome) => Need::Done((**outcome).clone()),
        }
    }

    /// Takes what was needed, `now` being the time since the run began or was taken up again. Answers with the facts
    /// that follow from it, in order, to be appended before the next need is met.
    pub fn give(&mut self, response: NeedResult, now: Duration) -> Vec<AgentEvent> {
        self.now = self.now.max(now);
        let ended = WorkflowStage::Ended(Box::new(outcome(
            &self.run_context,
            Ending::error(Code::Internal, "the run lost its way"),
        )));
        match (std::mem::replace(&mut self.stage, ended), response) {
            (WorkflowStage::Ended(outcome), _) => self.stage = WorkflowStage::Ended(outcome),
            (WorkflowStage::Opening(task), response) => self.opening(task, response),
            (WorkflowStage::Restoring(task, then), response) => self.restoring(task, *then, response),
            (WorkflowStage::Judging(mut task), response) => {
                self.with_context(|cx| task.give(response, cx));
                self.judging(*task);
            }
            (WorkflowStage::Working(mut task), response) => {
                let need = task.need();
                if let (Need::Act(intents), NeedResult::Acted(_)) = (&need, &response) {
                    intents.iter().for_each(|intent| self.note_action(self.at, &intent.action));
                }
                self.outcome_inquiry.give(&need, &response);
                self.with_context(|cx| task.give(response, cx));
                self.working(*task);
            }
            (_, NeedResult::Cancelled { reason }) => self.finish_step(Ending::cancelled(reason), StepNotes::default()),
            (_, NeedResult::OverBudget { budget, message }) => {
                self.finish_step(Ending::over(budget, message), StepNotes::default())
            }
            (WorkflowStage::Verifying(_, fold), NeedResult::Unobservable(failure)) if !failure.is_browser_fault() => {
                self.ask(*fold, &failure.to_string())
            }
            (_, NeedResult::Unobservable(failure)) => {
                self.finish_step(Ending::of_failure(&failure), StepNotes::default())
            }
            (WorkflowStage::Condition(poll), response) => self.condition(poll, response),
            (WorkflowStage::Verifying(poll, fold), response) => self.verifying(poll, fold, response),
            (WorkflowStage::Asking(unknown_outcome, question), response) => {
                self.asked(*unknown_outcome, question, &response)
            }
        }
        std::mem::take(&mut self.facts)
    }

    /// The step at work, from 0; absent before the first, after the last, and while fields are filled in again.
    pub fn step(&self) -> Option<usize> {
        let at_work = self.states.get(self.at).is_some_and(|state| *state == StepState::InProgress);
        (at_work && !self.restoring).then_some(self.at)
    }

    /// The steps that have ended, in order.
    pub fn results(&self) -> &[StepResult] {
        &self.results
    }

    /// What began the run.
    pub fn start(&self) -> &RunStart {
        &self.start
    }

    fn fact(&mut self, step: Option<usize>, kind: EventKind) {
        self.facts.push(AgentEvent { step, kind });
    }

    /// Lets a task work with what the run knows; its facts belong to the step at work.
    fn with_context<T>(&mut self, work: impl FnOnce(&mut StepContext<'_>) -> T) -> T {
        let rules = self.rules.clone();
        let mut facts = Vec::new();
        let done = work(&mut StepContext {
            now: self.now,
            rules: &rules,
            run_context: &mut self.run_context,
            facts: &mut facts,
        });
        let step = self.step();
        self.facts.extend(facts.into_iter().map(|kind| AgentEvent { step, kind }));
        done
    }

    fn take_inputs(&mut self) {
        let given = match inputs::values(&self.start) {
            Ok(given) => given,
            Err(problems) => return self.end(Ending::from_error(Status::Error, inputs::error(problems))),
        };
        for variable in given {
            self.run_context.variables.insert(variable.name.clone(), variable.value.clone());
            self.fact(None, EventKind::VariableUpdated(variable));
        }
        self.open();
    }

    /// Opens the workflow's address, then begins the first step.
    fn open(&mut self) {
        let Some(url) = self.start.workflow.url.clone() else { return self.begin_step() };
        let timeout = self.rules.limits.step;
        let task = self.with_context(|cx| {
            let url = cx.resolve(&url);
            TaskRun::of_actions(vec![Action::Open(Open { url })], timeout, cx)
        });
        self.stage = WorkflowStage::Opening(task);
    }

    fn opening(&mut self, mut task: TaskRun, response: NeedResult) {
        self.with_context(|cx| task.give(response, cx));
        match task.ended() {
            None => self.stage = WorkflowStage::Opening(task),
            Some((ending, _)) if ending.status == Status::Success => self.begin_step(),
            Some((ending, _)) => self.end(ending),
        }
    }

    fn begin_step(&mut self) {
        let Some(step) = self.step_at_work() else { return self.end(self.success()) };
        self.enter(&step);
        self.gate(&step);
    }

    /// Sets the step to work if its condition holds.
    fn gate(&mut self, step: &Step) {
        let Some(when) = step.when.clone() else { return self.work(Progress::default(), StepNotes::default()) };
        let sentence = self.sentence(&when);
        match read_check(&sentence) {
            // A condition asks how things are, not how they may become: one look.
            Ok(check) => {
                self.look = ObserveRequest::default();
                self.stage = WorkflowStage::Condition(Poll::new(check, self.now));
            }
            Err(_) => {
                let timeout = self.rules.limits.step;
                let task = self.with_context(|cx| TaskRun::judging(&cx.resolve_for_model(&when), timeout, cx));
                self.judging(task);
            }
        }
    }

    fn judging(&mut self, mut task: TaskRun) {
        match task.ended() {
            None => self.stage = WorkflowStage::Judging(Box::new(task)),
            Some((ending, _)) if ending.status == Status::Success => {
                self.work(Progress::default(), StepNotes::default())
            }
            Some((ending, notes)) if ending.status == Status::Failure => self.skip(&ending.message, notes),
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    fn skip(&mut self, why: &str, notes: StepNotes) {
        let skipped = Ending::success(format!("skipped: {why}"), None, Validation::Unvalidated);
        self.finish_step(Ending { status: Status::Skipped, ..skipped }, notes);
    }

    fn step_at_work(&self) -> Option<Step> {
        self.start.workflow.steps.get(self.at).cloned()
    }

    fn enter(&mut self, step: &Step) {
        self.step_began = self.now;
        self.become_(StepState::InProgress);
        let text = mask_passwords(&step.step);
        self.run_context.memory.begin_step(&text);
        self.fact(Some(self.at), EventKind::StepStarted { text });
    }

    fn sentence(&mut self, text: &str) -> String {
        self.with_context(|cx| cx.resolve_sentence(text))
    }

    fn condition(&mut self, mut poll: Poll, response: NeedResult) {
        let rules = self.rules.clone();
        let mut none = Vec::new();
        if let NeedResult::Observed(page) = &response {
            self.run_context.observe(page.clone());
        }
        let cx = StepContext { now: self.now, rules: &rules, run_context: &mut self.run_context, facts: &mut none };
        match poll.give(response, &cx) {
            PollOutcome::Look(look) => {
                self.look = look;
                self.stage = WorkflowStage::Condition(poll);
            }
            PollOutcome::Listen(_) => self.stage = WorkflowStage::Condition(poll),
            PollOutcome::Holds(_) => self.work(Progress::default(), StepNotes::default()),
            PollOutcome::Fails(why) => self.skip(&why, StepNotes::default()),
        }
    }

    /// Sets the step to work.
    fn work(&mut self, progress: Progress, notes: StepNotes) {
        let Some(step) = self.step_at_work() else { return self.end(self.success()) };
        let limits = &self.rules.limits;
        let timeout = step.timeout.map_or(limits.step, |own| own.min(limits.step));
        let timeout = if self.start.task { limits.run } else { timeout };
        let lone = self.start.task;
        let next_step = self.start.workflow.steps.get(self.at + 1).map(|step| step.step.clone());
        let closes_page = self.rules.closes_page && next_step.is_none();
        let task = self.with_context(|cx| {
            let task = Task {
                sentence: cx.resolve_sentence(&step.step),
                text: cx.resolve_for_model(&step.step),
                action: step.action.clone().map(|action| cx.resolve_action(action)),
                expect: step.expect.as_deref().map(|expect| cx.resolve_sentence(expect)),
                expect_text: step.expect.as_deref().map(|expect| cx.resolve_for_model(expect)),
                lone,
                timeout,
                judges: false,
                // A variable that this step saves is not known yet, and need not be.
                next_step,
                closes_page,
            };
            TaskRun::begin(task, progress, notes, cx)
        });
        self.working(task);
    }

    fn working(&mut self, mut task: TaskRun) {
        match task.ended() {
            None => self.stage = WorkflowStage::Working(Box::new(task)),
            Some((ending, notes)) if self.outcome_inquiry.makes_doubtful(&ending) => {
                self.ask_about_outcome(ending, notes)
            }
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    /// Puts the step's end on record, and goes on or ends with it.
    fn finish_step(&mut self, ending: Ending, mut notes: StepNotes) {
        self.leave_unknown();
        if ending.status == Status::Success {
            // What was outweighed in the end speaks against nothing any more.
            let contradicts = |fact: &&mut Evidence| fact.polarity == Polarity::Contradicting;
            notes.evidence.iter_mut().filter(contradicts).for_each(|fact| fact.polarity = Polarity::Neutral);
        }
        let text = self.step_at_work().map(|step| mask_passwords(&step.step)).unwrap_or_default();
        let mut error = ending.error.clone();
        if let Some(error) = &mut error {
            error.step = Some(self.at);
            // What could not be read of a step is repeated in its own words.
            error.message = mask_passwords(&error.message);
            error.details.iter_mut().for_each(|line| *line = mask_passwords(line));
        }
        if notes.is_accepted_for_later && notes.next_step.waits && ending.validation == Validation::Unvalidated {
            self.purposes.insert(self.at, Purpose::Acceptance);
        }
        let result = StepResult {
            index: self.at,
            text,
            status: ending.status,
            validation: ending.validation,
            decider: notes.decider,
            iterations: notes.iterations,
            evidence: notes.evidence,
            duration: self.now.saturating_sub(self.step_began),
            message: mask_passwords(&ending.message),
            final_page: self.run_context.final_page(),
            error: error.clone(),
        };
        self.become_(StepState::of(ending.status));
        self.learn(ending.status);
        self.results.push(result.clone());
        let well = matches!(ending.status, Status::Success | Status::Skipped);
        let kind = if well { EventKind::StepCompleted(result) } else { EventKind::StepFailed(result) };
        self.fact(Some(self.at), kind);
        if !well {
            return self.end(Ending { error, ..ending });
        }
        self.fact(None, EventKind::WorkflowProgress(self.progress()));
        self.at += 1;
        match self.at < self.start.workflow.steps.len() {
            true => self.begin_step(),
            false => self.end(Ending { status: Status::Success, ..ending }),
        }
    }

    /// What a step taught goes on record where a model may read it later.
    fn learn(&mut self, status: Status) {
        let learned = self.run_context.memory.end_step(status);
        let read = self.rules.model.is_some() && self.with_context(|cx| cx.others_may_decide());
        if let Some(learned) = learned.filter(|_| read && self.rules.memory.tokens > 0) {
            self.fact(Some(self.at), learned.into_event());
        }
    }

    fn progress(&self) -> ExecutionProgress {
        let total_steps = self.start.workflow.steps.len();
        let completed_steps = self.results.len();
        let spent: Duration = self.results.iter().map(|result| result.duration).sum();
        let average: u64 = (spent.as_millis() / completed_steps.max(1) as u128).try_into().unwrap_or(u64::MAX);
        let current_step_index = completed_steps.min(total_steps.saturating_sub(1));
        ExecutionProgress {
            total_steps,
            completed_steps,
            current_step_index,
            current_step_name: self
                .start
                .workflow
                .steps
                .get(current_step_index)
                .map(|step| mask_passwords(&step.step))
                .unwrap_or_default(),
            overall_progress: 100.0 * completed_steps as f64 / total_steps.max(1) as f64,
            estimated_time_remaining: Some(average * (total_steps - completed_steps) as u64),
            average_step_duration: average,
        }
    }

    /// Only legal transitions are written: anything else is a defect, seen in every test.
    fn become_(&mut self, state: StepState) {
        if let Some(was) = self.states.get_mut(self.at) {
            debug_assert!(was.may_become(state), "step {} from {was:?} to {state:?}", self.at);
            if was.may_become(state) {
                *was = state;
            }
        }
    }

    fn success(&self) -> Ending {
        Ending::success(String::new(), None, Validation::Unvalidated)
    }

    fn end(&mut self, mut ending: Ending) {
        if ending.status == Status::Success {
            let checked = !self.end_is_unseen && self.is_validated();
            ending.validation = if checked { Validation::Validated } else { Validation::Unvalidated };
            let said = self.results.last().map(|result| result.message.clone()).filter(|message| !message.is_empty());
            ending.answer = if self.start.task { ending.answer.or(said) } else { None };
            if self.rules.require_validated && ending.validation != Validation::Validated {
                ending = self.not_validated(ending);
            }
        }
        self.stage = WorkflowStage::Ended(Box::new(outcome(&self.run_context, ending)));
    }
}

fn outcome(run_context: &RunContext, ending: Ending) -> Outcome {
    Outcome {
        status: ending.status,
        validation: ending.validation,
        answer: ending.answer,
        variables: run_context.variables.clone(),
        usage: run_context.usage,
        budget: ending.budget,
        error: ending.error,
    }
}
