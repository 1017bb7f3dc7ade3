//! The steps of a run in order: inputs, conditions, one [`TaskRun`] a step, statuses, progress and the outcome.
//!
//! Facts come out of [`WorkflowRun::give`] and are appended before the next need is met. The driver states what only it
//! sees (commands and their results, calls to models, observations, pictures, questions and answers, saved state) and
//! closes the journal with the outcome; the mind states what it judges (the start, steps, progress, reasoning, variables,
//! warnings).

mod answers;
mod doubt;
mod inputs;
mod resume;
mod status;
mod take_up;
pub(crate) mod variables;

use std::{sync::Arc, time::Duration};

use legwork_protocol::{
    Action, Code, Event, EventKind, Evidence, ExecutionProgress, Open, Outcome, Polarity, RunStart, StandardError,
    Status, Step, StepResult, Validation, mask_passwords,
};

use crate::{
    Fact, Got, Look, Need, Rules,
    task::{Context, Ending, Judged, Known, Notes, Poll, Progress, Task, TaskRun, read_check},
};
use doubt::{Doubt, Unseen};
use resume::Fold;
pub use resume::ResumeError;
use status::StepState;

/// A run of a workflow or of a lone task.
pub struct WorkflowRun {
    start: RunStart,
    rules: Arc<Rules>,
    known: Known,
    states: Vec<StepState>,
    results: Vec<StepResult>,
    at: usize,
    stage: Stage,
    facts: Vec<Fact>,
    now: Duration,
    step_began: Duration,
    restoring: bool,
    look: Look,
    unseen: Unseen,
    /// The end that an intent of an earlier process gets when the run ends before it is known what became of it.
    open_end: Option<EventKind>,
}

enum Stage {
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
    Asking(Box<Doubt>, String),
    /// It has ended.
    Ended(Box<Outcome>),
}

/// How a step goes on once its fields are filled in again.
struct Then {
    progress: Progress,
    notes: Notes,
    touched: bool,
}

impl WorkflowRun {
    /// Begins a run. What is wrong with its inputs ends it at once, with every problem listed.
    pub fn begin(mut start: RunStart, rules: Rules) -> (Self, Vec<Fact>) {
        // The name is shown wherever runs are listed; the steps keep their words, which a resume needs.
        start.workflow.name = mask_passwords(&start.workflow.name);
        let mut run = WorkflowRun::new(start, rules, Known::default());
        run.fact(None, EventKind::WorkflowStarted(run.start.clone()));
        run.take_inputs();
        let facts = std::mem::take(&mut run.facts);
        (run, facts)
    }

    /// Goes on with a run from its journal, at the first step that is not committed.
    ///
    /// # Errors
    /// When there is nothing to go on with, or the journal does not add up.
    pub fn resume(events: &[Event], rules: Rules) -> Result<(Self, Vec<Fact>), ResumeError> {
        let (start, known, results, fold) = resume::fold(events)?;
        let mut run = WorkflowRun::new(start, rules, known);
        run.at = results.len();
        for (state, result) in run.states.iter_mut().zip(&results) {
            *state = StepState::of(result.status);
        }
        run.results = results;
        run.fact(None, EventKind::WorkflowResumed { step: run.at });
        if run.known.memory.was_lost() {
            let message = "what the run remembered cannot be read; it goes on with an empty memory".to_owned();
            run.fact(None, EventKind::WarningIssued { message });
        }
        if fold.began_steps {
            run.take_up(fold)
        } else {
            run.take_inputs()
        }
        let facts = std::mem::take(&mut run.facts);
        Ok((run, facts))
    }

    fn new(start: RunStart, rules: Rules, known: Known) -> Self {
        let states = vec![StepState::Pending; start.workflow.steps.len()];
        let stage = Stage::Ended(Box::new(outcome(&known, Ending::error(Code::Internal, "the run never began"))));
        let (now, step_began) = (Duration::ZERO, Duration::ZERO);
        let unseen = Unseen::new(rules.assume);
        WorkflowRun {
            start,
            rules: Arc::new(rules),
            known,
            states,
            results: Vec::new(),
            at: 0,
            stage,
            facts: Vec::new(),
            now,
            step_began,
            restoring: false,
            look: Look::default(),
            unseen,
            open_end: None,
        }
    }

    /// What the run needs. Asked again before anything was given, it says the same.
    #[expect(clippy::should_implement_trait, reason = "a run is no iterator: what it needs has to be given")]
    pub fn next(&mut self) -> Need {
        match &self.stage {
            Stage::Opening(task) | Stage::Restoring(task, _) => task.next(),
            Stage::Working(task) | Stage::Judging(task) => task.next(),
            Stage::Condition(_) | Stage::Verifying(..) => Need::Observe(self.look),
            Stage::Asking(_, question) => {
                Need::Ask(legwork_protocol::Question { text: question.clone(), secret: false })
            }
            Stage::Ended(outcome) => Need::Done((**outcome).clone()),
        }
    }

    /// Takes what was needed, `now` being the time since the run began or was taken up again. Answers with the facts
    /// that follow from it, in order, to be appended before the next need is met.
    pub fn give(&mut self, got: Got, now: Duration) -> Vec<Fact> {
        self.now = self.now.max(now);
        let ended = Stage::Ended(Box::new(outcome(&self.known, Ending::error(Code::Internal, "the run lost its way"))));
        match (std::mem::replace(&mut self.stage, ended), got) {
            (Stage::Ended(outcome), _) => self.stage = Stage::Ended(outcome),
            (Stage::Opening(task), got) => self.opening(task, got),
            (Stage::Restoring(task, then), got) => self.restoring(task, *then, got),
            (Stage::Judging(mut task), got) => {
                self.with_context(|cx| task.give(got, cx));
                self.judging(*task);
            }
            (Stage::Working(mut task), got) => {
                self.unseen.give(&task.next(), &got);
                self.with_context(|cx| task.give(got, cx));
                self.working(*task);
            }
            (_, Got::Cancelled { reason }) => self.finish_step(Ending::cancelled(reason), Notes::default()),
            (_, Got::OverBudget { budget, message }) => {
                self.finish_step(Ending::over(budget, message), Notes::default())
            }
            (Stage::Verifying(_, fold), Got::Unobservable(failure)) if !failure.is_browser_fault() => {
                self.ask(*fold, &failure.to_string())
            }
            (_, Got::Unobservable(failure)) => self.finish_step(Ending::of_failure(&failure), Notes::default()),
            (Stage::Condition(poll), got) => self.condition(poll, got),
            (Stage::Verifying(poll, fold), got) => self.verifying(poll, fold, got),
            (Stage::Asking(doubt, question), got) => self.asked(*doubt, question, &got),
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
        self.facts.push(Fact { step, kind });
    }

    /// Lets a task work with what the run knows; its facts belong to the step at work.
    fn with_context<T>(&mut self, work: impl FnOnce(&mut Context<'_>) -> T) -> T {
        let rules = self.rules.clone();
        let mut facts = Vec::new();
        let done = work(&mut Context { now: self.now, rules: &rules, known: &mut self.known, facts: &mut facts });
        let step = self.step();
        self.facts.extend(facts.into_iter().map(|kind| Fact { step, kind }));
        done
    }

    fn take_inputs(&mut self) {
        let given = match inputs::values(&self.start) {
            Ok(given) => given,
            Err(problems) => return self.end(Ending::from_error(Status::Error, inputs::error(problems))),
        };
        for variable in given {
            self.known.variables.insert(variable.name.clone(), variable.value.clone());
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
        self.stage = Stage::Opening(task);
    }

    fn opening(&mut self, mut task: TaskRun, got: Got) {
        self.with_context(|cx| task.give(got, cx));
        match task.ended() {
            None => self.stage = Stage::Opening(task),
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
        let Some(when) = step.when.clone() else { return self.work(Progress::default(), Notes::default()) };
        let sentence = self.sentence(&when);
        match read_check(&sentence) {
            // A condition asks how things are, not how they may become: one look.
            Ok(check) => {
                self.look = Look::default();
                self.stage = Stage::Condition(Poll::new(check, self.now));
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
            None => self.stage = Stage::Judging(Box::new(task)),
            Some((ending, _)) if ending.status == Status::Success => self.work(Progress::default(), Notes::default()),
            Some((ending, notes)) if ending.status == Status::Failure => self.skip(&ending.message, notes),
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    fn skip(&mut self, why: &str, notes: Notes) {
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
        self.known.memory.begin_step(&text);
        self.fact(Some(self.at), EventKind::StepStarted { text });
    }

    fn sentence(&mut self, text: &str) -> String {
        self.with_context(|cx| cx.resolve_sentence(text))
    }

    fn condition(&mut self, mut poll: Poll, got: Got) {
        let rules = self.rules.clone();
        let mut none = Vec::new();
        if let Got::Observed(page) = &got {
            self.known.observe(page.clone());
        }
        let cx = Context { now: self.now, rules: &rules, known: &mut self.known, facts: &mut none };
        match poll.give(got, &cx) {
            Judged::Look(look) => {
                self.look = look;
                self.stage = Stage::Condition(poll);
            }
            Judged::Listen(_) => self.stage = Stage::Condition(poll),
            Judged::Holds(_) => self.work(Progress::default(), Notes::default()),
            Judged::Fails(why) => self.skip(&why, Notes::default()),
        }
    }

    /// Sets the step to work.
    fn work(&mut self, progress: Progress, notes: Notes) {
        let Some(step) = self.step_at_work() else { return self.end(self.success()) };
        let limits = &self.rules.limits;
        let timeout = step.timeout.map_or(limits.step, |own| own.min(limits.step));
        let timeout = if self.start.task { limits.run } else { timeout };
        let lone = self.start.task;
        let next_step = self.start.workflow.steps.get(self.at + 1).map(|step| step.step.clone());
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
            };
            TaskRun::begin(task, progress, notes, cx)
        });
        self.working(task);
    }

    fn working(&mut self, mut task: TaskRun) {
        match task.ended() {
            None => self.stage = Stage::Working(Box::new(task)),
            Some((ending, notes)) if self.unseen.makes_doubtful(&ending) => self.doubt(ending, notes),
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    /// Puts the step's end on record, and goes on or ends with it.
    fn finish_step(&mut self, ending: Ending, mut notes: Notes) {
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
            final_page: self.known.final_page(),
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
        let learned = self.known.memory.end_step(status);
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
            // A run is as well checked as its least checked step.
            let all = self.results.iter().filter(|result| result.status == Status::Success);
            let checked = self.results.iter().any(|result| result.status == Status::Success)
                && all.into_iter().all(|result| result.validation == Validation::Validated);
            ending.validation = if checked { Validation::Validated } else { Validation::Unvalidated };
            let said = self.results.last().map(|result| result.message.clone()).filter(|message| !message.is_empty());
            ending.answer = if self.start.task { ending.answer.or(said) } else { None };
            if self.rules.require_validated && ending.validation != Validation::Validated {
                ending = self.not_validated(ending);
            }
        }
        self.stage = Stage::Ended(Box::new(outcome(&self.known, ending)));
    }
}

impl WorkflowRun {
    /// A success that nothing shows, where only one that is shown counts.
    fn not_validated(&self, ending: Ending) -> Ending {
        let loose = self
            .results
            .iter()
            .filter(|result| result.status == Status::Success && result.validation != Validation::Validated);
        let details: Vec<String> = loose.map(|result| format!("step {}: {}", result.index + 1, result.text)).collect();
        let message = "everything was done, but not all of it is validated, which this run requires";
        let error = StandardError::new(Code::NotValidated, message).with_details(details);
        Ending { answer: ending.answer, validation: ending.validation, ..Ending::from_error(Status::Failure, error) }
    }
}

fn outcome(known: &Known, ending: Ending) -> Outcome {
    Outcome {
        status: ending.status,
        validation: ending.validation,
        answer: ending.answer,
        variables: known.variables.clone(),
        usage: known.usage,
        budget: ending.budget,
        error: ending.error,
    }
}
