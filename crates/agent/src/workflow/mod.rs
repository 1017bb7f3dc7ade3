//! Executes the steps of a run in order: inputs, conditions, one [`TaskRun`] per step, statuses, progress and the
//! outcome.
//!
//! [`WorkflowRun::handle_result`] returns events, which the drive loop appends before it fulfils the next need. The
//! drive loop adds the events that only it can observe (commands and their results, model calls, observations,
//! screenshots, questions and answers, saved state) and closes the journal with the outcome. The agent adds those that
//! follow from its decisions (the start, steps, progress, reasoning, variables, warnings).

mod answers;
mod conditions;
mod inputs;
mod instruction_length;
mod loop_words;
mod loops;
mod page_fields;
mod posted_page;
mod preflight;
mod preparation;
mod progress;
mod recorded_steps;
mod restart;
mod resume;
mod row_scope;
mod status;
mod step_retries;
mod successor;
mod unknown_outcome;
mod validation;
pub(crate) mod variables;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionResult, Code, Event, EventKind, Evidence, Expansion, Outcome, Polarity, Question, RunStart, Status,
    Step, StepPlan, StepResult, Validation, mask_passwords,
};
use legwork_steps::Check;

use crate::{
    AgentEvent, Need, NeedResult, ObserveRequest, Rules,
    evidence::UnseenChange,
    playbook::PlaybookStep,
    task::{Ending, Poll, Progress, RunContext, StepContext, StepNotes, Task, TaskRun},
};
pub use inputs::unknown_inputs;
use loops::RowSearch;
use posted_page::PostedPage;
pub use preflight::{PreflightContext, StepProblem, step_problems};
use resume::OpenStep;
pub use resume::ResumeError;
use row_scope::RowScope;
use status::StepState;
use step_retries::StepRetries;
use unknown_outcome::{OutcomeQuestion, ResumeUncertainty};
use validation::Purpose;

/// A run of a workflow or of a single task.
pub struct WorkflowRun {
    start: RunStart,
    rules: Arc<Rules>,
    run_context: RunContext,
    /// The steps in the order in which they run. Groups that were reached are expanded.
    plan: StepPlan,
    states: Vec<StepState>,
    results: Vec<StepResult>,
    at: usize,
    /// The last observed page, with all rows.
    page: Option<Arc<Snapshot>>,
    /// What the current iteration shows of it.
    scope: RowScope,
    /// What the current step expanded to, if it is a group.
    expansion: Option<Expansion>,
    /// Whether anything was done in the current step.
    has_acted: bool,
    /// How often the current step may be tried again. None once it may have changed something.
    step_retries: StepRetries,
    stage: WorkflowStage,
    facts: Vec<AgentEvent>,
    now: Duration,
    step_began: Duration,
    restoring: bool,
    look: ObserveRequest,
    resume_uncertainty: ResumeUncertainty,
    /// The page on which an earlier process was interrupted, if it was the answer to a form. It is not open.
    posted_page: Option<PostedPage>,
    /// Whether all steps ended and the run was interrupted before its browser was closed.
    interrupted_after_last_step: bool,
    /// The end event for an intent of an earlier process, used if this run ends before the outcome of the intent is
    /// known.
    open_end: Option<EventKind>,
    /// The steps in which an action was executed, and the purpose of these actions.
    purposes: HashMap<usize, Purpose>,
    /// The changes of finished steps of which no page has shown anything so far, by step.
    unseen_changes: HashMap<usize, UnseenChange>,
    /// What the iterations so far recorded, by written step.
    iterations: BTreeMap<usize, PlaybookStep>,
}

enum WorkflowStage {
    /// Opens the workflow's URL.
    Opening(TaskRun),
    /// A step has ended and the next one has not begun.
    BetweenSteps,
    /// Fills in fields again whose values were lost with the browser; then the step continues.
    Restoring(TaskRun, Box<StepContinuation>),
    /// Checks the condition of a step or group.
    Condition(Poll, Box<Check>),
    /// Looks for the rows of a loop.
    FindingRows(Box<RowSearch>),
    /// A model judges the condition of a step.
    Judging(Box<TaskRun>),
    /// Executes a step.
    Working(Box<TaskRun>),
    /// Checks on the page whether an action whose result was lost was executed.
    Verifying(Poll, Box<OpenStep>),
    /// Asks a person about an outcome that nothing else can determine.
    Asking(Box<OutcomeQuestion>, String),
    /// The run has ended.
    Ended(Box<Outcome>),
}

impl WorkflowStage {
    /// The name, for the message of a defect.
    fn name(&self) -> &'static str {
        match self {
            WorkflowStage::Opening(_) => "opening",
            WorkflowStage::BetweenSteps => "between steps",
            WorkflowStage::Restoring(..) => "restoring",
            WorkflowStage::Condition(..) => "condition",
            WorkflowStage::FindingRows(_) => "finding rows",
            WorkflowStage::Judging(_) => "judging",
            WorkflowStage::Working(_) => "working",
            WorkflowStage::Verifying(..) => "verifying",
            WorkflowStage::Asking(..) => "asking",
            WorkflowStage::Ended(_) => "ended",
        }
    }
}

/// How a step continues after its fields were filled in again.
struct StepContinuation {
    progress: Progress,
    notes: StepNotes,
    touched: bool,
}

impl WorkflowRun {
    /// Starts a run. Invalid inputs end it at once, with a list of all problems.
    pub fn begin(mut start: RunStart, rules: Rules) -> (Self, Vec<AgentEvent>) {
        // The name is shown in lists of runs. The steps keep their original text, because a resume needs it.
        start.workflow.name = mask_passwords(&start.workflow.name);
        let mut run = WorkflowRun::new(start, rules, RunContext::default());
        run.emit(None, EventKind::WorkflowStarted(run.start.clone()));
        run.take_inputs();
        let facts = std::mem::take(&mut run.facts);
        (run, facts)
    }

    /// Continues a run from its journal, at the first step that has not ended.
    ///
    /// # Errors
    /// If the run has already succeeded, or the journal is incomplete.
    pub fn resume(events: &[Event], rules: Rules) -> Result<(Self, Vec<AgentEvent>), ResumeError> {
        let (start, run_context, results, open_step) = resume::fold(events)?;
        let mut run = WorkflowRun::new(start, rules, run_context);
        run.at = results.len();
        for result in &results {
            run.expand(result);
        }
        for (state, result) in run.states.iter_mut().zip(&results) {
            *state = StepState::of(result.status);
        }
        run.results = results;
        for event in events {
            if let (EventKind::CommandStarted { action, .. }, Some(step)) = (&event.kind, event.step) {
                run.note_action(step, action);
            }
        }
        run.posted_page = open_step.posted_page();
        run.emit(None, EventKind::WorkflowResumed { step: run.at });
        if run.run_context.memory.was_lost() {
            let message = "the memory of the run cannot be read; the run continues with an empty memory".to_owned();
            run.emit(None, EventKind::WarningIssued { message });
        }
        if open_step.began_steps {
            run.restore(open_step)
        } else {
            run.take_inputs()
        }
        let facts = std::mem::take(&mut run.facts);
        Ok((run, facts))
    }

    fn new(start: RunStart, rules: Rules, run_context: RunContext) -> Self {
        let states = vec![StepState::Pending; start.workflow.steps.len()];
        let stage = WorkflowStage::Ended(Box::new(outcome(
            &run_context,
            Ending::error(Code::Internal, "the run was created, but not begun"),
        )));
        let (now, step_began) = (Duration::ZERO, Duration::ZERO);
        let resume_uncertainty = ResumeUncertainty::new(rules.assume);
        WorkflowRun {
            plan: StepPlan::new(&start.workflow.steps),
            page: None,
            scope: RowScope::default(),
            expansion: None,
            has_acted: false,
            step_retries: StepRetries::default(),
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
            resume_uncertainty,
            posted_page: None,
            interrupted_after_last_step: false,
            open_end: None,
            purposes: HashMap::new(),
            unseen_changes: HashMap::new(),
            iterations: BTreeMap::new(),
        }
    }

    /// The current need. It stays the same until [`WorkflowRun::handle_result`] is called.
    pub fn need(&self) -> Need {
        match &self.stage {
            WorkflowStage::BetweenSteps => Need::BeginStep,
            WorkflowStage::Opening(task) | WorkflowStage::Restoring(task, _) => task.need(),
            WorkflowStage::Working(task) | WorkflowStage::Judging(task) => task.need(),
            WorkflowStage::Condition(..) | WorkflowStage::FindingRows(_) | WorkflowStage::Verifying(..) => {
                Need::Observe(self.look)
            }
            WorkflowStage::Asking(_, question) => Need::Ask(Question::choice(question.clone(), ["done", "not done"])),
            WorkflowStage::Ended(outcome) => Need::Done((**outcome).clone()),
        }
    }

    /// Handles the result of the current need. `now` is the time since the run started or was resumed. Returns the
    /// resulting events in order; append them before fulfilling the next need.
    pub fn handle_result(&mut self, response: NeedResult, now: Duration) -> Vec<AgentEvent> {
        self.now = self.now.max(now);
        let response = self.in_row(response);
        let ended = WorkflowStage::Ended(Box::new(outcome(
            &self.run_context,
            Ending::inconsistent(self.stage.name(), response.name()),
        )));
        match (std::mem::replace(&mut self.stage, ended), response) {
            (WorkflowStage::Ended(outcome), _) => self.stage = WorkflowStage::Ended(outcome),
            (WorkflowStage::Opening(task), response) => self.opening(task, response),
            (WorkflowStage::BetweenSteps, response) => self.between_steps(response),
            (WorkflowStage::Restoring(task, then), response) => self.restoring(task, *then, response),
            (WorkflowStage::Judging(mut task), response) => {
                self.with_context(|cx| task.handle_result(response, cx));
                self.judging(*task);
            }
            (WorkflowStage::Working(mut task), response) => {
                let need = task.need();
                if let (Need::Act(intents), NeedResult::Acted(results)) = (&need, &response) {
                    intents.iter().for_each(|intent| self.note_action(self.at, &intent.action));
                    self.has_acted |= results.iter().any(|result| result.ok() || result.outcome_unknown);
                    let opens = |action: &Action| matches!(action, Action::Open(_));
                    if intents.iter().zip(results).any(|(intent, result)| opens(&intent.action) && result.ok()) {
                        self.posted_page = None;
                    }
                    self.step_retries.note(intents, results);
                }
                if matches!(need, Need::Ask(_)) {
                    // A person is not asked the same again.
                    self.step_retries = StepRetries::default();
                }
                self.resume_uncertainty.handle_result(&need, &response);
                self.with_context(|cx| task.handle_result(response, cx));
                self.working(*task);
            }
            (_, NeedResult::Cancelled { reason }) => self.finish_step(Ending::cancelled(reason), StepNotes::default()),
            (_, NeedResult::OverBudget { budget, message }) => {
                self.finish_step(Ending::over(budget, message), StepNotes::default())
            }
            (WorkflowStage::Verifying(_, open_step), NeedResult::Unobservable(failure))
                if !failure.is_browser_fault() =>
            {
                self.ask(*open_step, &failure.to_string())
            }
            (_, NeedResult::Unobservable(failure)) => {
                self.finish_step(Ending::of_failure(&failure), StepNotes::default())
            }
            (WorkflowStage::Condition(poll, check), response) => self.condition(poll, check, response),
            (WorkflowStage::FindingRows(search), response) => self.finding_rows(search, response),
            (WorkflowStage::Verifying(poll, open_step), response) => self.verifying(poll, open_step, response),
            (WorkflowStage::Asking(unknown_outcome, question), response) => {
                self.asked(*unknown_outcome, question, &response)
            }
        }
        std::mem::take(&mut self.facts)
    }

    /// Adds to the result of an action of the current need what identifies the elements that the browser found for names
    /// and selectors. The driver calls it before it appends the result to the journal.
    pub fn identify_found(&self, action: &Action, result: &mut ActionResult) {
        if let WorkflowStage::Working(task) = &self.stage {
            task.identify_found(action, result, &self.run_context);
        }
    }

    /// The index of the current step; absent before the first step, after the last, and while fields are filled in
    /// again.
    pub fn step(&self) -> Option<usize> {
        let at_work = self.states.get(self.at).is_some_and(|state| *state == StepState::InProgress);
        (at_work && !self.restoring).then_some(self.at)
    }

    /// Whether the address of the page on which the run was interrupted leads to that page again.
    pub fn restores_page(&self) -> bool {
        self.posted_page.is_none()
    }

    /// Whether recorded actions are tried first.
    pub fn has_playbook(&self) -> bool {
        self.rules.playbook.is_some()
    }

    /// The results of the steps that have ended, in order.
    pub fn results(&self) -> &[StepResult] {
        &self.results
    }

    /// The input with which the run was started.
    pub fn start(&self) -> &RunStart {
        &self.start
    }

    fn emit(&mut self, step: Option<usize>, kind: EventKind) {
        self.facts.push(AgentEvent { step, kind });
    }

    /// Calls `work` with the context of the run. The events that it emits belong to the current step.
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

    /// Begins the next step, or ends the run that was interrupted before it.
    fn between_steps(&mut self, response: NeedResult) {
        match response {
            NeedResult::StepMayBegin { was_paused } => {
                self.run_context.is_page_current &= !was_paused;
                self.begin_step();
            }
            NeedResult::Cancelled { reason } => self.end(Ending::cancelled(reason)),
            NeedResult::OverBudget { budget, message } => self.end(Ending::over(budget, message)),
            other => self.end(Ending::inconsistent(WorkflowStage::BetweenSteps.name(), other.name())),
        }
    }

    fn begin_step(&mut self) {
        let Some(step) = self.current_step() else { return self.end(self.success()) };
        self.enter();
        if let Some(ending) = self.page_lost(&Progress::default()) {
            return self.end_without_page(ending, StepNotes::default(), &Progress::default());
        }
        self.check_condition(&step);
    }

    fn current_step(&self) -> Option<Step> {
        self.plan.steps().get(self.at).map(|planned| planned.step.clone())
    }

    /// The text of the current step for people, with the iterations that it belongs to.
    fn step_text(&self) -> String {
        self.plan.steps().get(self.at).map(|planned| mask_passwords(&planned.text())).unwrap_or_default()
    }

    /// Inserts the steps of the group that has this result.
    fn expand(&mut self, result: &StepResult) {
        let Some(expansion) = &result.expansion else { return };
        let added = self.plan.expand(result.index, expansion);
        let after = result.index + 1;
        self.states.splice(after..after, std::iter::repeat_n(StepState::Pending, added));
    }

    fn enter(&mut self) {
        self.step_began = self.now;
        self.has_acted = false;
        self.step_retries = StepRetries::new(self.rules.limits.max_step_retries);
        self.transition_to(StepState::InProgress);
        let text = self.step_text();
        self.run_context.memory.begin_step(&text);
        self.emit(Some(self.at), EventKind::StepStarted { text });
        self.enter_iterations();
    }

    /// The words of the current step for a person, with the values of its variables. Secrets stay handles.
    pub fn step_words(&self) -> Option<String> {
        let planned = self.plan.steps().get(self.step()?)?;
        let resolved = variables::resolve(&planned.text(), &self.run_context.variables);
        Some(mask_passwords(&resolved.text))
    }

    fn sentence(&mut self, text: &str) -> String {
        self.with_context(|cx| cx.resolve_sentence(text))
    }

    /// Starts the step.
    fn work(&mut self, progress: Progress, notes: StepNotes) {
        let Some(step) = self.current_step() else { return self.end(self.success()) };
        if step.group.is_some() {
            return self.check_condition(&step);
        }
        self.has_acted |= progress != Progress::default();
        let (variables, reads_steps) = (&self.run_context.variables, self.reads_steps());
        if let Some(problem) = preflight::undefined_in_step(self.at, &step, variables, reads_steps) {
            return self.finish_step(of_problem(&problem), notes);
        }
        let limits = &self.rules.limits;
        let timeout = step.timeout.map_or(limits.step, |own| own.min(limits.step));
        let timeout = if self.start.task { limits.run } else { timeout };
        let is_whole_task = self.start.task;
        let closes_page = self.rules.closes_page && self.at + 1 == self.plan.steps().len();
        let next_step = self.next_step();
        let recorded = self.recorded_actions(&step, progress, &notes);
        let task = self.with_context(|cx| {
            let task = Task {
                sentence: cx.resolve_sentence(&step.step),
                text: cx.resolve_for_model(&step.step),
                action: step.action.clone().map(|action| cx.resolve_action(action)),
                expect: step.expect.as_deref().map(|expect| cx.resolve_sentence(expect)),
                expect_text: step.expect.as_deref().map(|expect| cx.resolve_for_model(expect)),
                is_whole_task,
                timeout,
                is_condition: false,
                next_step,
                closes_page,
                repeats_iteration: recorded.repeats_iteration,
                recorded: recorded.actions,
                is_optional: step.optional,
            };
            TaskRun::begin(task, progress, notes, cx)
        });
        self.working(task);
    }

    fn working(&mut self, mut task: TaskRun) {
        match task.ended() {
            None => self.stage = WorkflowStage::Working(Box::new(task)),
            Some((ending, notes)) if self.resume_uncertainty.is_inconclusive(&ending) => {
                self.ask_about_outcome(ending, notes)
            }
            Some((ending, notes)) if self.is_absent(&ending) => {
                self.skip(&format!("the step is optional: {}", ending.message), notes)
            }
            Some((ending, notes)) => self.finish_step(ending, notes),
        }
    }

    /// Whether an optional step ended because its element is not there, before anything was done. No other failure is
    /// forgiven.
    fn is_absent(&self, ending: &Ending) -> bool {
        let is_optional = self.current_step().is_some_and(|step| step.optional);
        is_optional && !self.has_acted && ending.is_absence
    }

    /// Records the end of the step. Then the next step may begin, or the run ends.
    fn finish_step(&mut self, mut ending: Ending, mut notes: StepNotes) {
        let is_group = self.current_step().is_some_and(|step| step.group.is_some());
        if !is_group && self.step_retries.take(&ending) {
            let message = format!("the step failed before it changed anything, and is tried again: {}", ending.message);
            self.emit(Some(self.at), EventKind::WarningIssued { message: mask_passwords(&message) });
            return self.work(Progress::default(), StepNotes::default());
        }
        self.leave_unknown();
        let well = matches!(ending.status, Status::Success | Status::Skipped);
        let place = self.plan.steps().get(self.at).and_then(|planned| planned.label());
        if let (false, Some(place)) = (well, place) {
            ending = ending.at(&place, self.scope.problem());
        }
        if ending.status == Status::Success {
            // In a successful step, contradictions that were outweighed no longer contradict.
            let contradicts = |fact: &&mut Evidence| fact.polarity == Polarity::Contradicting;
            notes.evidence.iter_mut().filter(contradicts).for_each(|fact| fact.polarity = Polarity::Neutral);
        }
        let text = self.step_text();
        let mut error = ending.error.clone();
        if let Some(error) = &mut error {
            error.step = Some(self.at);
            // The error can quote the part of a step that was not understood.
            error.message = mask_passwords(&error.message);
            error.details.iter_mut().for_each(|line| *line = mask_passwords(line));
        }
        if notes.is_accepted_for_later && notes.next_step.waits && ending.validation == Validation::Unvalidated {
            self.purposes.insert(self.at, Purpose::Acceptance);
        }
        self.note_effect_unseen(&ending, &notes);
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
            expansion: self.expansion.take(),
        };
        self.transition_to(StepState::of(ending.status));
        self.learn(ending.status);
        self.results.push(result.clone());
        self.expand(&result);
        let kind = if well { EventKind::StepCompleted(result) } else { EventKind::StepFailed(result) };
        self.emit(Some(self.at), kind);
        if !well {
            return self.end(Ending { error, ..ending });
        }
        self.emit(None, EventKind::WorkflowProgress(self.progress()));
        self.at += 1;
        match self.at < self.plan.steps().len() {
            true => self.stage = WorkflowStage::BetweenSteps,
            false => self.end(Ending { status: Status::Success, ..ending }),
        }
    }

    /// Records what the step taught, if a model may read it later.
    fn learn(&mut self, status: Status) {
        let learned = self.run_context.memory.end_step(status);
        let read = self.rules.model.is_some() && self.with_context(|cx| cx.others_may_decide());
        if let Some(learned) = learned.filter(|_| read && self.rules.memory.tokens > 0) {
            self.emit(Some(self.at), learned.into_event());
        }
    }

    /// Only legal transitions are recorded. An illegal one is a defect, which any test reveals.
    fn transition_to(&mut self, state: StepState) {
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
            let checked = !self.interrupted_after_last_step && self.is_validated();
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

fn of_problem(problem: &StepProblem) -> Ending {
    Ending::error(problem.code, problem.message.clone()).suggest(&problem.hint)
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
