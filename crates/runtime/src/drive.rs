//! The one place where model, browser and journal meet.
//!
//! The agent says what it needs; this loop commits the intent, has it done, commits the result and hands it back. It judges
//! nothing itself. While it waits on anything it listens to the run's ops and its clock ([`crate::control`]).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use legwork_agent::{AgentEvent, Intent, Need, NeedResult, WorkflowRun};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, AiCall, Budget, Code, CommandId, DecidedBy, Effect, EventKind, Outcome,
    PageEffect, PageInfo, PageText, Question, ScreenshotInfo, SessionState,
};
use legwork_store::AppendError;

use crate::{
    control::{Interrupt, RunControl},
    executor::{RunExecutor, Shot, Text},
    journal::Journal,
    tools::is_yes,
};

/// Everything that one run is driven with.
pub(crate) struct Drive {
    pub(crate) workflow_run: WorkflowRun,
    pub(crate) journal: Journal,
    pub(crate) executor: RunExecutor,
    pub(crate) control: RunControl,
    /// Whether somebody is there to answer questions; else a question parks the run.
    pub(crate) interactive: bool,
    /// How long an answer is waited for before the run parks after all.
    pub(crate) answer_within: Option<Duration>,
}

/// Drives a run to its end. The outcome is in the journal when this returns, unless the journal itself failed.
pub(crate) async fn drive(drive: Drive, opening: Vec<AgentEvent>) -> Result<Outcome, Arc<AppendError>> {
    let mut this = Loop {
        drive,
        began: Instant::now(),
        pending_screenshot: None,
        text: None,
        seen: String::new(),
        step: None,
        screenshot_warned: false,
        last_saved_state: None,
    };
    this.append(opening).await;
    let mut ended = this.run().await;
    this.join_shot().await;
    if let Ok(outcome) = &mut ended {
        this.flush(outcome).await;
    }
    this.join_text().await;
    let Drive { journal, mut executor, .. } = this.drive;
    let outcome = match ended {
        Ok(outcome) => outcome,
        Err(error) => {
            executor.run_session.close().await;
            // What the writer could not append is lost anyway; the error says why.
            let _ = journal.close().await;
            return Err(error);
        }
    };
    let closing = EventKind::of_outcome(outcome.clone());
    let state = SessionState::of_outcome(outcome.status);
    let status = EventKind::SessionStatus { status: state, message: String::new() };
    journal.append([closing, status].map(|kind| AgentEvent { step: None, kind })).await;
    // The browser is put away while the disk writes.
    let (closed, ()) = tokio::join!(journal.close(), executor.run_session.close());
    closed?;
    Ok(outcome)
}

struct Loop {
    drive: Drive,
    began: Instant,
    /// The picture being taken, and the command it is of.
    pending_screenshot: Option<(CommandId, &'static str, Shot)>,
    /// The text being written, and the fingerprint of its page; without a text once it is on record.
    text: Option<(String, Option<Text>)>,
    /// The fingerprint of the page as it was observed last.
    seen: String,
    step: Option<usize>,
    /// Whether it was said already that no picture could be taken.
    screenshot_warned: bool,
    /// The state that was kept last: its hash and the address.
    last_saved_state: Option<(String, String)>,
}

impl Loop {
    async fn run(&mut self) -> Result<Outcome, Arc<AppendError>> {
        loop {
            let got = match self.hold_while_paused().await {
                Err(interrupt) => interrupted(interrupt),
                Ok(()) => match self.drive.workflow_run.need() {
                    Need::Observe(look) => {
                        let cancel = self.drive.control.cancel();
                        let seen = self.drive.executor.observe(look.after_change_within, &cancel);
                        let seen = self.drive.control.run_interruptible(seen).await;
                        self.tell_notices().await;
                        match seen {
                            Err(interrupt) => interrupted(interrupt),
                            Ok(Err(failure)) => NeedResult::Unobservable(failure),
                            Ok(Ok((page, observed))) => {
                                self.seen.clone_from(&observed.fingerprint);
                                self.note(EventKind::PageObserved(observed)).await;
                                NeedResult::Observed(page)
                            }
                        }
                    }
                    Need::Consult(situation) => {
                        match self.drive.control.run_interruptible(self.drive.executor.consult(&situation)).await {
                            Err(interrupt) => interrupted(interrupt),
                            Ok(said) => NeedResult::Consulted(said),
                        }
                    }
                    Need::Decide(request) => {
                        let cancel = self.drive.control.cancel();
                        match self.drive.control.run_interruptible(self.drive.executor.decide(request, &cancel)).await {
                            Err(interrupt) => interrupted(interrupt),
                            Ok((answer, calls)) => {
                                self.note_calls(calls, answer.is_ok()).await;
                                NeedResult::Decided(answer)
                            }
                        }
                    }
                    Need::Act(intents) => self.act(intents).await?,
                    Need::Inspect(inspection) => {
                        match self.drive.control.run_interruptible(self.drive.executor.inspect(&inspection)).await {
                            Err(interrupt) => interrupted(interrupt),
                            Ok(seen) => NeedResult::Inspected(seen),
                        }
                    }
                    Need::Ask(question) => self.ask(question).await?,
                    Need::Done(outcome) => return Ok(self.ended(outcome)),
                },
            };
            let facts = self.drive.workflow_run.give(got, self.began.elapsed());
            if facts.iter().any(|fact| is_worth_its_page(&fact.kind)) {
                self.save_page_text().await;
            }
            let step_over = facts.iter().any(|fact| matches!(fact.kind, EventKind::StepCompleted(_)));
            if step_over {
                self.save_state().await;
            }
            self.append(facts).await;
        }
    }

    /// Puts calls to models on record, and says which models others had to stand in for.
    async fn note_calls(&self, calls: Vec<AiCall>, answered: bool) {
        let by = calls.last().filter(|_| answered).map(|call| call.model.clone());
        for call in calls {
            let failed = call.error.as_ref().map(|error| format!("{} gave nothing: {}", call.model, error.message));
            self.note(EventKind::AiResponseReceived(call)).await;
            if let (Some(failed), Some(by)) = (failed, &by) {
                self.warn(format!("{failed}; {by} answered instead")).await;
            }
        }
    }

    /// Carries actions out in order, until one fails or the page is another. The intent is on the disk before the
    /// browser hears of it; an action that was broken off has its end on record like any other, which says whether it may
    /// have been done.
    async fn act(&mut self, intents: Vec<Intent>) -> Result<NeedResult, Arc<AppendError>> {
        let mut results = Vec::with_capacity(intents.len());
        for Intent { action, decider } in intents {
            self.join_shot().await;
            // Before there is an intent: a run that is stopped here has left nothing that may have been done.
            let refused = match self.approval(&action).await? {
                Approval::Given => None,
                Approval::Refused(result) => Some(*result),
                Approval::Interrupted(got) => return Ok(*got),
            };
            let (command, effect) = (CommandId::new(), action.effect());
            self.note(EventKind::CommandStarted {
                command_id: command,
                action: Box::new(action.clone()),
                decider,
                effect,
            })
            .await;
            if effect != Effect::ReadOnly {
                self.drive.journal.durable().await?;
            }
            if let Some(result) = refused {
                self.state_result(command, &action, &result).await;
                results.push(result);
                break;
            }
            let cancel = self.drive.control.cancel();
            let (result, broken_off) = self.drive.control.run_to_end(self.drive.executor.act(&action, &cancel)).await;
            let result = result.unwrap_or_else(|| ActionResult {
                outcome_unknown: effect == Effect::Mutating,
                ..ActionResult::failed(ActionFailure::Cancelled, Duration::ZERO)
            });
            self.tell_notices().await;
            if let Some(interrupt) = broken_off {
                if result.ok() && effect != Effect::ReadOnly {
                    self.save_state().await;
                }
                self.state_result(command, &action, &result).await;
                self.note_activity(command).await;
                return Ok(interrupted(interrupt));
            }
            let nothing_to_see = result.failure.as_ref().is_some_and(ActionFailure::is_site_fault);
            let look = match &action {
                Action::Look(look) => look.target.clone(),
                _ => None,
            };
            if (effect != Effect::ReadOnly || matches!(action, Action::Look(_)) && result.ok())
                && !nothing_to_see
                && let Some(pending_screenshot) = self.drive.executor.capture_screenshot(look)
            {
                self.pending_screenshot = Some((command, action.name(), pending_screenshot));
            }
            let stop = !result.ok() || moved(&result);
            // First the state, then the result: whoever reads the result can go on from the state. The other way round, a
            // run that is killed between the two would look for the new page in a browser that was never there.
            // What else changes something may have done so in cookies and storage, which die with the browser.
            if result.ok() && (moved(&result) || effect == Effect::Mutating) {
                self.save_state().await;
            }
            self.state_result(command, &action, &result).await;
            self.note_activity(command).await;
            results.push(result);
            if stop {
                break;
            }
        }
        Ok(NeedResult::Acted(results))
    }

    /// Asks a human before a tool of the user's is called, where the rules say so.
    async fn approval(&mut self, action: &Action) -> Result<Approval, Arc<AppendError>> {
        let Action::Call(call) = action else { return Ok(Approval::Given) };
        let Some(text) = self.drive.executor.tools.question(call) else { return Ok(Approval::Given) };
        let no = |reason: &str| {
            let reason = format!("{reason}, so the tool {} was not called", call.tool);
            Approval::Refused(Box::new(ActionResult::failed(ActionFailure::Refused { reason }, Duration::ZERO)))
        };
        Ok(match self.ask(Question { text, secret: false }).await? {
            NeedResult::Answered(answer) if is_yes(&answer) => Approval::Given,
            NeedResult::Answered(_) => no("the user refused"),
            NeedResult::Unanswered => no("nobody was there to approve it (tools.approval)"),
            interrupted => Approval::Interrupted(Box::new(interrupted)),
        })
    }

    /// What the page asked for meanwhile: for a resume, an answer among it shows that the action was done.
    async fn note_activity(&mut self, command: CommandId) {
        if let Some(activity) = self.drive.executor.activity(command) {
            self.note(EventKind::PageLog(activity)).await;
        }
    }

    async fn state_result(&mut self, command: CommandId, action: &Action, result: &ActionResult) {
        let boxed = Box::new(result.clone());
        let ended = if result.ok() {
            EventKind::CommandCompleted { command_id: command, result: boxed }
        } else {
            EventKind::CommandFailed { command_id: command, result: boxed }
        };
        self.note(ended).await;
        for effect in &result.effects {
            match effect {
                PageEffect::Navigated { to, status, .. } => {
                    self.note(EventKind::PageNavigated(PageInfo {
                        url: to.clone(),
                        title: String::new(),
                        status: *status,
                    }))
                    .await;
                }
                PageEffect::Unsettled { pending } => {
                    self.warn(format!("after {} the page did not come to rest: {pending}", action.name())).await;
                }
                PageEffect::Blocked { url } => self.warn(format!("refused by this run's rules: {url}")).await,
                _ => {}
            }
        }
    }

    /// A human's answer, when somebody is there to ask.
    async fn ask(&mut self, question: Question) -> Result<NeedResult, Arc<AppendError>> {
        let secret = question.secret;
        self.note(EventKind::QuestionAsked(question)).await;
        self.drive.journal.durable().await?;
        if !self.drive.interactive {
            return Ok(NeedResult::Unanswered);
        }
        let Some(answer) = with_optional_timeout(self.drive.answer_within, self.drive.control.answer()).await else {
            return Ok(NeedResult::Unanswered);
        };
        Ok(match answer {
            Err(interrupt) => interrupted(interrupt),
            Ok(text) => {
                let answer = if secret { self.drive.executor.guard.keep_answer(text) } else { text };
                self.note(EventKind::QuestionAnswered { answer: answer.clone() }).await;
                NeedResult::Answered(answer)
            }
        })
    }

    async fn hold_while_paused(&mut self) -> Result<(), Interrupt> {
        if !self.drive.control.paused() {
            return Ok(());
        }
        self.note(EventKind::WorkflowPaused { reason: "paused by the user".into() }).await;
        self.drive.control.wait_resumed().await?;
        self.note(EventKind::WorkflowResumed { step: self.step.unwrap_or_default() }).await;
        Ok(())
    }

    async fn save_state(&mut self) {
        if let Some((state, url)) =
            self.drive.control.run_before_deadline(self.drive.executor.capture_state()).await.flatten()
        {
            if self.last_saved_state.as_ref() == Some(&(state.hash.clone(), url.clone())) {
                return;
            }
            self.last_saved_state = Some((state.hash.clone(), url.clone()));
            self.note(EventKind::StateSaved { state, url }).await;
        }
    }

    /// Waits for the picture that is being taken, before the page changes under it.
    async fn join_shot(&mut self) {
        let Some((command, action, pending_screenshot)) = self.pending_screenshot.take() else { return };
        let taking = pending_screenshot.abort_handle();
        let taken = self.drive.control.run_before_deadline(pending_screenshot).await;
        if taken.is_none() {
            taking.abort();
        }
        match taken.transpose().map(Option::flatten) {
            Ok(Some((image, width, height))) => {
                let info =
                    ScreenshotInfo { image, command_id: Some(command), action_type: action.into(), width, height };
                self.note(EventKind::ScreenshotCaptured(info)).await;
            }
            // Once is enough to know that this page, or this browser, gives none.
            _ if !std::mem::replace(&mut self.screenshot_warned, true) => {
                self.warn(format!("no picture could be taken after {action} ({})", Code::Screenshot.code())).await;
            }
            _ => {}
        }
    }

    /// Has the page's text put on record while the run goes on, unless it is there already.
    async fn save_page_text(&mut self) {
        if self.text.as_ref().is_some_and(|(of, _)| *of == self.seen) {
            return;
        }
        self.join_text().await;
        self.text = Some((self.seen.clone(), self.drive.executor.save_page_text()));
    }

    /// Waits for the text that is being written.
    async fn join_text(&mut self) {
        let Some((fingerprint, Some(text))) = self.text.as_mut().map(|(of, text)| (of.clone(), text.take())) else {
            return;
        };
        // A record without the text is no reason to fail a run.
        if let Ok(Some(text)) = text.await {
            self.note(EventKind::PageTextSaved(PageText { fingerprint, text })).await;
        }
    }

    /// Waits for what the run's last actions set off, before its browser goes. What a page still had to hand on then may be
    /// lost, so that a success is proven no more.
    async fn flush(&mut self, outcome: &mut Outcome) {
        let pending = self.drive.executor.run_session.flush().await;
        if pending.is_empty() {
            return;
        }
        let pending = pending.join("; ");
        self.warn(format!("the page was closed while this was under way and may be lost: {pending}; the wait ends after timeouts.flush")).await;
        self.drive.workflow_run.unprove(outcome, &format!("this may be lost: {pending}"));
    }

    async fn tell_notices(&mut self) {
        for notice in self.drive.executor.run_session.take_notices() {
            self.warn(notice).await;
        }
    }

    async fn append(&mut self, facts: Vec<AgentEvent>) {
        if let Some(fact) = facts.last() {
            self.step = fact.step;
        }
        self.drive.journal.append(facts).await;
    }

    async fn note(&self, kind: EventKind) {
        self.drive.journal.append([AgentEvent { step: self.step, kind }]).await;
    }

    async fn warn(&self, message: impl Into<String>) {
        self.note(EventKind::WarningIssued { message: message.into() }).await;
    }

    fn ended(&mut self, mut outcome: Outcome) -> Outcome {
        if let (Some(fault), Some(error)) = (self.drive.executor.fault.take(), &mut outcome.error) {
            *error = fault;
        }
        outcome
    }
}

/// What a human said of an action.
enum Approval {
    /// It may be done, or nobody has to be asked.
    Given,
    /// It is not done, and this is told of it.
    Refused(Box<ActionResult>),
    /// The run is being stopped.
    Interrupted(Box<NeedResult>),
}

/// What is waited for, if it comes in time.
async fn with_optional_timeout<T>(within: Option<Duration>, wait: impl Future<Output = T>) -> Option<T> {
    match within {
        Some(within) => tokio::time::timeout(within, wait).await.ok(),
        None => Some(wait.await),
    }
}

/// Whether somebody will ask what the page was: it was decided on without a model, in whose request it would be, or a step
/// failed on it.
fn is_worth_its_page(fact: &EventKind) -> bool {
    match fact {
        EventKind::AiReasoning { decider, .. } => *decider != DecidedBy::Model,
        fact => matches!(fact, EventKind::StepFailed(_)),
    }
}

/// Whether the page is another now, so that the next action of a batch was not meant for it.
fn moved(result: &ActionResult) -> bool {
    result.effects.iter().any(|effect| {
        matches!(
            effect,
            PageEffect::Navigated { .. }
                | PageEffect::TabOpened { .. }
                | PageEffect::TabClosed { .. }
                | PageEffect::Dialog(_)
        )
    })
}

fn interrupted(interrupt: Interrupt) -> NeedResult {
    match interrupt {
        Interrupt::Cancelled(reason) => NeedResult::Cancelled { reason },
        Interrupt::TimeIsUp => {
            NeedResult::OverBudget { budget: Budget::Time, message: "the run's time is over".into() }
        }
    }
}
