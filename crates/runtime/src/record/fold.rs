//! Applies one event at a time to a record. The match covers every kind of event, so the compiler reports a new kind
//! that is not handled.

use std::time::Duration;

use legwork_protocol::{
    Action, AiCall, Code, CommandId, DecidedBy, Event, EventKind, MASK, Outcome, PlannedStep, Purpose, ScreenshotInfo,
    Status, StepPlan, StepResult, mask_passwords, passwords_in,
};

use super::{
    CommandRecord, DecisionRecord, QuestionRecord, RecordError, RecordState, Resumption, RunRecord, StepRecord, Totals,
    Turn, Variable, Warning, between, ms, task_plan::TaskPlan,
};

impl StepRecord {
    fn pending(index: usize, planned: &PlannedStep) -> StepRecord {
        StepRecord {
            index,
            text: mask_passwords(&planned.text()),
            state: RecordState::Pending,
            started: None,
            ended: None,
            result: None,
            turns: Vec::new(),
            questions: Vec::new(),
        }
    }
}

impl RunRecord {
    /// The record of a run that has just started.
    pub fn begin(event: &Event) -> Result<RunRecord, RecordError> {
        let EventKind::WorkflowStarted(start) = &event.kind else {
            return Err(RecordError::NoStart { seq: event.seq });
        };
        let plan = StepPlan::new(&start.workflow.steps);
        let steps: Vec<_> =
            plan.steps().iter().enumerate().map(|(index, planned)| StepRecord::pending(index, planned)).collect();
        let written = start.workflow.all_steps().into_iter().flat_map(|step| passwords_in(&step.step)).collect();
        Ok(RunRecord {
            run: event.run,
            name: mask_passwords(&start.workflow.name),
            written,
            plan,
            task: start.task,
            url: start.workflow.url.clone(),
            inputs: start.inputs.clone(),
            playbook: start.playbook.clone(),
            state: RecordState::Running,
            paused: None,
            started: event.time,
            last: event.time,
            ended: None,
            outcome: None,
            totals: Totals { steps: steps.len(), ..Totals::default() },
            steps,
            outside: Vec::new(),
            variables: Default::default(),
            warnings: Vec::new(),
            errors: Vec::new(),
            resumed: Vec::new(),
            phase: None,
            seq: event.seq,
            idle: Duration::ZERO,
            task_plan: None,
            asked: None,
            touched: None,
        })
    }

    /// The action for display: a password from the text of a step is replaced.
    fn without_passwords(&self, action: &Action) -> Action {
        let mut action = action.clone();
        let text = match &mut action {
            Action::Fill(fill) => &mut fill.text,
            Action::Type(typed) => &mut typed.text,
            _ => return action,
        };
        if self.written.contains(text) {
            *text = MASK.to_owned();
        }
        action
    }

    /// Adds the next event.
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        let previous = std::mem::replace(&mut self.last, event.time);
        self.touched = None;
        let at = event.step;
        match &event.kind {
            // The start is handled in `begin`. The events after a second start in the same log belong to the same run.
            EventKind::WorkflowStarted(_) => {}
            EventKind::WorkflowCompleted(outcome)
            | EventKind::WorkflowFailed(outcome)
            | EventKind::RunCancelled(outcome)
            | EventKind::RunParked(outcome) => self.end(event, outcome),
            EventKind::WorkflowPaused { reason } => {
                self.state = RecordState::Paused;
                self.paused = Some(reason.clone());
            }
            EventKind::WorkflowResumed { step } => {
                self.idle += between(previous, event.time);
                self.resume(event, *step);
            }
            EventKind::StepStarted { text } => {
                if let Some(step) = self.step(at) {
                    let before = step.state;
                    step.text.clone_from(text);
                    step.state = RecordState::Running;
                    step.started = Some(event.time);
                    step.ended = None;
                    let ended = step.result.take();
                    self.totals.count_end(before, -1);
                    self.totals.forget(ended.as_ref());
                }
            }
            EventKind::StepCompleted(result) | EventKind::StepFailed(result) => self.end_step(event, result),
            EventKind::PageObserved(page) => {
                self.totals.observations += 1;
                self.totals.observation_tokens += page.tokens.unwrap_or(0);
                self.totals.observing_ms += page.duration_ms;
                let turn = self.turn(at, |turn| turn.decided.is_some() || !turn.commands.is_empty());
                turn.observed = Some(page.clone());
                turn.looks += 1;
            }
            EventKind::PageTextSaved(page) => {
                let steps = self.steps.iter_mut().rev().flat_map(|step| step.turns.iter_mut().rev());
                let mut seen = steps.chain(self.outside.iter_mut().rev()).filter_map(|turn| turn.observed.as_mut());
                if let Some(observed) = seen.find(|observed| observed.fingerprint == page.fingerprint) {
                    observed.text = Some(page.text.clone());
                }
            }
            EventKind::InvestigationStarted { .. }
            | EventKind::InvestigationPhaseStarted { .. }
            | EventKind::InvestigationPhaseCompleted { .. }
            | EventKind::InvestigationToolStarted { .. }
            | EventKind::InvestigationToolCompleted { .. }
            | EventKind::InvestigationCompleted(_)
            | EventKind::InvestigationFailed(_)
            | EventKind::DataExtracted { .. }
            | EventKind::ElementDiscovered { .. }
            | EventKind::WorkingMemoryUpdated { .. } => self.thought(event),
            EventKind::ReflectionCompleted(_) => {
                self.totals.reflections += 1;
                self.thought(event);
            }
            EventKind::PlanUpdated(plan) => {
                self.totals.plans += 1;
                self.task_plan = Some(TaskPlan::new(plan, at));
                self.thought(event);
            }
            EventKind::AnswerValidated(_) => {
                self.totals.reviews += 1;
                self.thought(event);
            }
            EventKind::PhaseChanged { phase } => self.phase = Some(*phase),
            EventKind::AiReasoning { decider, decision } => {
                // The opening of the start page is in no step: it comes from the workflow, and nobody decides it.
                let counted = at.map(|_| decider);
                match counted {
                    None => {}
                    Some(DecidedBy::Playbook) => self.totals.decisions.playbook += 1,
                    Some(DecidedBy::Literal) => self.totals.decisions.literal += 1,
                    Some(DecidedBy::Custom) => self.totals.decisions.custom += 1,
                    Some(DecidedBy::Model) => self.totals.decisions.model += 1,
                }
                if let Some(plan) = &mut self.task_plan {
                    plan.decided(at, decision);
                }
                let mut decision = (**decision).clone();
                for command in &mut decision.commands {
                    command.action = self.without_passwords(&command.action);
                }
                let turn = self.busy_turn(at, |turn| turn.decided.is_some() || !turn.commands.is_empty());
                turn.decided = Some(DecisionRecord { decider: *decider, decision });
            }
            EventKind::AiResponseReceived(call) => {
                self.count(call);
                // A reflection on a decision and a review of an answer belong to the turn of that decision or answer.
                let beside = matches!(call.purpose, Purpose::Reflect | Purpose::Validate);
                let over = |turn: &Turn| !beside && (turn.decided.is_some() || !turn.commands.is_empty());
                self.busy_turn(at, over).calls.push(call.clone());
            }
            EventKind::PolicyDecided(_) | EventKind::UserControlEnded { .. } => self.thought(event),
            EventKind::CommandStarted { command_id, action, decider, effect, identity } => {
                self.totals.commands += 1;
                let started = CommandRecord {
                    command_id: *command_id,
                    action: self.without_passwords(action),
                    decider: *decider,
                    effect: *effect,
                    score: identity.as_ref().and_then(|identity| identity.score),
                    healed: identity.as_ref().and_then(|identity| identity.healed.clone()),
                    started: event.time,
                    result: None,
                    picture: None,
                };
                self.busy_turn(at, |_| false).commands.push(started);
            }
            EventKind::CommandCompleted { command_id, result } | EventKind::CommandFailed { command_id, result } => {
                self.totals.acting_ms += ms(result.duration);
                if let Some(failure) = &result.failure {
                    self.totals.commands_failed += 1;
                    self.totals.failed(Code::from(failure));
                }
                if let Some(started) = self.command(at, *command_id) {
                    started.result = Some((**result).clone());
                }
            }
            EventKind::ScreenshotCaptured(picture) => self.picture(at, picture),
            EventKind::VariableUpdated(variable) => {
                let now = Variable { value: variable.value.clone(), source: variable.source, step: at };
                self.variables.insert(variable.name.clone(), now);
            }
            EventKind::PageNavigated(page) => self.turn(at, |_| false).pages.push(page.clone()),
            EventKind::QuestionAsked(question) => {
                self.asked = Some(question.clone());
                if let Some(step) = self.step(at) {
                    step.questions.push(QuestionRecord { question: question.clone(), answer: None });
                }
            }
            EventKind::QuestionAnswered { answer } => {
                self.asked = None;
                if let Some(open) = self.step(at).and_then(|step| step.questions.last_mut()) {
                    open.answer = Some(answer.clone());
                }
            }
            EventKind::ErrorOccurred(error) => {
                self.totals.failed(error.code);
                self.errors.push(error.clone());
            }
            EventKind::WarningIssued { message } => {
                self.warnings.push(Warning { step: at, message: message.clone() });
            }
            // These events repeat what the record already contains, or matter only to a resume or to a view of one
            // moment.
            EventKind::WorkflowProgress(_)
            | EventKind::SessionStatus { .. }
            | EventKind::StateSaved { .. }
            | EventKind::ChangeObserved { .. }
            | EventKind::PageLog(_) => {}
        }
    }

    fn end(&mut self, event: &Event, outcome: &Outcome) {
        self.state = RecordState::Ended(outcome.status);
        self.ended = Some(event.time);
        if outcome.status != Status::Parked {
            self.asked = None;
        }
        self.outcome = Some(outcome.clone());
        self.paused = None;
    }

    fn resume(&mut self, event: &Event, step: usize) {
        if self.state != RecordState::Paused {
            let cut_short = self.state == RecordState::Running;
            self.resumed.push(Resumption { time: event.time, step, cut_short });
        }
        self.state = RecordState::Running;
        self.paused = None;
        self.ended = None;
        self.outcome = None;
        // The run asks its question again, if it still needs the answer.
        self.asked = None;
    }

    fn end_step(&mut self, event: &Event, result: &StepResult) {
        let Some(step) = self.step(event.step.or(Some(result.index))) else { return };
        let before = step.state;
        step.state = RecordState::Ended(result.status);
        step.ended = Some(event.time);
        let ended = step.result.replace(result.clone());
        // If the step ended twice without a start in between, only its last end counts.
        self.totals.count_end(before, -1);
        self.totals.count_end(RecordState::Ended(result.status), 1);
        self.totals.forget(ended.as_ref());
        self.totals.iterations += result.iterations as usize;
        if let Some(error) = &result.error {
            self.totals.failed(error.code);
        }
        self.expand(result);
    }

    /// Adds the steps to which a group expanded.
    fn expand(&mut self, result: &StepResult) {
        let Some(expansion) = &result.expansion else { return };
        let added = self.plan.expand(result.index, expansion);
        let first = result.index + 1;
        let planned = self.plan.steps()[first..first + added].iter();
        self.steps.splice(first..first, planned.map(|planned| StepRecord::pending(0, planned)));
        for (index, step) in self.steps.iter_mut().enumerate().skip(first) {
            step.index = index;
        }
        self.totals.steps += added;
    }

    fn count(&mut self, call: &AiCall) {
        self.totals.usage += call.usage;
        *self.totals.models.entry(call.model.clone()).or_default() += call.usage;
        self.totals.retries += call.retries;
        self.totals.thinking_ms += call.latency_ms;
        self.totals.calls_failed += u32::from(call.error.is_some());
        if let Some(error) = &call.error {
            self.totals.failed(error.code);
        }
    }

    fn thought(&mut self, event: &Event) {
        self.turn(event.step, |_| false).thoughts.push(event.kind.clone());
    }

    fn picture(&mut self, at: Option<usize>, picture: &ScreenshotInfo) {
        self.totals.pictures += 1;
        match picture.command_id.and_then(|command| self.command(at, command)) {
            Some(command) => command.picture = Some(picture.clone()),
            None => self.turn(at, |_| false).pictures.push(picture.clone()),
        }
    }

    fn step(&mut self, at: Option<usize>) -> Option<&mut StepRecord> {
        self.steps.get_mut(at?)
    }

    /// The current turn. If `over` returns true for it, the next event belongs to a new turn, which this function adds.
    fn turn(&mut self, at: Option<usize>, over: impl Fn(&Turn) -> bool) -> &mut Turn {
        let step = at.filter(|at| *at < self.steps.len());
        let turns = match step {
            Some(step) => &mut self.steps[step].turns,
            None => &mut self.outside,
        };
        if turns.last().is_none_or(over) {
            turns.push(Turn::default());
        }
        self.touched = Some((step, turns.len() - 1));
        turns.last_mut().expect("one was pushed if there was none")
    }

    /// The current turn, for an event that adds a decision or command; the turn counts from then on. A last observation
    /// also begins a turn, and nothing may follow in it.
    fn busy_turn(&mut self, at: Option<usize>, over: impl Fn(&Turn) -> bool) -> &mut Turn {
        let idle = self.turn(at, over).idle();
        self.totals.turns += usize::from(idle);
        self.turn(at, |_| false)
    }

    fn command(&mut self, at: Option<usize>, command: CommandId) -> Option<&mut CommandRecord> {
        let step = at.filter(|at| *at < self.steps.len());
        let turns = match step {
            Some(step) => &mut self.steps[step].turns,
            None => &mut self.outside,
        };
        let is_its = |turn: &Turn| turn.commands.iter().any(|one| one.command_id == command);
        let number = turns.iter().rposition(is_its)?;
        self.touched = Some((step, number));
        turns[number].commands.iter_mut().rev().find(|one| one.command_id == command)
    }
}
