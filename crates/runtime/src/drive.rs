//! The drive loop: the one place that connects the agent, the browser, the model and the journal.
//!
//! The agent requests one operation at a time. The loop commits the intent, executes the operation, commits the result
//! and passes it back to the agent. It makes no decisions itself. While it waits for anything, it also handles the
//! run's ops and its deadline ([`crate::control`]).

mod change_log;
mod permission;
mod person;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use legwork_agent::{AgentEvent, InspectResult, Intent, Need, NeedResult, WorkflowRun, playbook::record_iterations};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, AiCall, Budget, Code, CommandId, DecidedBy, Effect, EventKind, Outcome,
    PageEffect, PageInfo, PageText, ScreenshotInfo, SessionState, Wait,
};
use legwork_store::AppendError;

use self::{change_log::ChangeLog, permission::Approval};
use crate::{
    control::{Interrupt, RunControl},
    executor::{CapturedScreenshot, PendingScreenshot, RunExecutor, Text},
    journal::Journal,
    run_policy::RunPolicy,
};

/// The parts that drive one run.
pub(crate) struct Drive {
    pub(crate) workflow_run: WorkflowRun,
    pub(crate) journal: Journal,
    pub(crate) executor: RunExecutor,
    pub(crate) control: RunControl,
    pub(crate) policy: RunPolicy,
    /// Whether somebody can answer questions. If not, a question parks the run.
    pub(crate) interactive: bool,
    /// The longest wait for an answer before the run is parked.
    pub(crate) answer_within: Option<Duration>,
}

/// Drives a run to its end. When this function returns, the journal contains the outcome, unless appending itself
/// failed.
pub(crate) async fn drive(drive: Drive, opening: Vec<AgentEvent>) -> Result<Outcome, Arc<AppendError>> {
    let mut this = Loop {
        drive,
        began: Instant::now(),
        pending_screenshot: None,
        text: None,
        last_fingerprint: String::new(),
        step: None,
        screenshot_warned: false,
        last_saved_state: None,
    };
    this.append(opening).await;
    let mut ended = this.run().await;
    this.join_screenshot().await;
    if let Ok(outcome) = &mut ended {
        this.flush(outcome).await;
    }
    this.join_text().await;
    let Drive { journal, mut executor, .. } = this.drive;
    let outcome = match ended {
        // The caller shows the answer to a person or a program. The model that wrote it may have repeated a secret.
        Ok(outcome) => executor.guard.masked_outcome(outcome),
        Err(error) => {
            executor.run_session.close().await;
            // Events that the writer could not append are lost in any case. The error states the reason.
            let _ = journal.close().await;
            return Err(error);
        }
    };
    let closing = EventKind::of_outcome(outcome.clone());
    let state = SessionState::of_outcome(outcome.status);
    let status = EventKind::SessionStatus { status: state, message: String::new() };
    journal.append([closing, status].map(|kind| AgentEvent { step: None, kind })).await;
    // The browser session closes while the disk writes.
    let (closed, ()) = tokio::join!(journal.close(), executor.run_session.close());
    closed?;
    Ok(outcome)
}

struct Loop {
    drive: Drive,
    began: Instant,
    /// The screenshot in progress, with the id and name of the action that it belongs to.
    pending_screenshot: Option<(CommandId, &'static str, PendingScreenshot)>,
    /// The fingerprint of a page and its text while it is being written; `None` once the text is in the journal.
    text: Option<(String, Option<Text>)>,
    /// The fingerprint of the last observation.
    last_fingerprint: String,
    step: Option<usize>,
    /// Whether the warning about missing screenshots was issued already.
    screenshot_warned: bool,
    /// The last saved state: its hash and the address.
    last_saved_state: Option<(String, String)>,
}

impl Loop {
    async fn run(&mut self) -> Result<Outcome, Arc<AppendError>> {
        loop {
            let got = match self.hold_while_paused().await {
                Err(interrupt) => interrupted(interrupt),
                Ok(was_paused) => match self.drive.workflow_run.need() {
                    Need::BeginStep => NeedResult::StepMayBegin { was_paused },
                    Need::Observe(look) => {
                        let stop = self.drive.control.cancel().child_token();
                        let observation = self.drive.executor.observe(look.after_change_within, &stop);
                        let (observation, interrupt) = self.drive.control.run_until_paused(observation, &stop).await;
                        self.append_notices().await;
                        match (observation, interrupt) {
                            (_, Some(interrupt)) => interrupted(interrupt),
                            // A pause stopped it. The page is looked at again when the run is resumed.
                            (Some(Err(ActionFailure::Cancelled)) | None, None)
                                if !self.drive.control.cancel().is_cancelled() =>
                            {
                                continue;
                            }
                            (None, None) => NeedResult::Unobservable(ActionFailure::Cancelled),
                            (Some(Err(failure)), None) => NeedResult::Unobservable(failure),
                            (Some(Ok((page, observed))), None) => {
                                self.last_fingerprint.clone_from(&observed.fingerprint);
                                self.drive.policy.note_page(&page);
                                self.note(EventKind::PageObserved(observed)).await;
                                NeedResult::Observed(page)
                            }
                        }
                    }
                    Need::CallDecider(situation) => {
                        match self.drive.control.run_interruptible(self.drive.executor.call_decider(&situation)).await {
                            Err(interrupt) => interrupted(interrupt),
                            Ok(said) => NeedResult::DeciderReplied(said),
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
                            Ok(seen) => {
                                if let Ok(InspectResult::Text(text)) = &seen {
                                    self.drive.policy.note_shown(&self.drive.executor.url(), text);
                                }
                                NeedResult::Inspected(seen)
                            }
                        }
                    }
                    Need::Ask(question) => self.ask(question).await?,
                    Need::Done(outcome) => return Ok(self.ended(outcome)),
                },
            };
            // A cancel that has arrived is the reason for what failed after it, such as when a person closed the tab.
            let got = match self.drive.control.is_paused() {
                Err(interrupt) => interrupted(interrupt),
                Ok(_) => got,
            };
            let facts = self.drive.workflow_run.handle_result(got, self.elapsed());
            if facts.iter().any(|fact| needs_page_text(&fact.kind)) {
                self.save_page_text().await;
            }
            let step_over = facts.iter().any(|fact| matches!(fact.kind, EventKind::StepCompleted(_)));
            if step_over {
                self.save_state().await;
            }
            let is_failed = |fact: &AgentEvent| matches!(fact.kind, EventKind::StepFailed(_));
            let has_failed = self.drive.workflow_run.has_playbook() && facts.iter().any(is_failed);
            let decided = self.drive.workflow_run.decided_iteration(&facts);
            self.append(facts).await;
            // Read only after a model decided an iteration. Repeated iterations do not read the journal.
            if let Some(written) = decided {
                let recorded = record_iterations(&self.drive.journal.events().await?, written);
                self.drive.workflow_run.repeat_iterations(written, recorded);
            }
            // A recorded element was not found: a person compares the page with the candidates.
            if has_failed {
                self.capture_failure().await;
            }
        }
    }

    /// How long the run has worked, without the time in which it waited for a person.
    fn elapsed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.drive.control.waited())
    }

    /// Takes a screenshot of the page on which a step failed.
    async fn capture_failure(&mut self) {
        self.join_screenshot().await;
        let Some(pending) = self.drive.executor.capture_screenshot(None) else { return };
        let stop = pending.abort_handle();
        match self.drive.control.run_before_deadline(pending).await {
            Some(Ok(CapturedScreenshot::Image(image, width, height))) => {
                let action_type = "failure".to_owned();
                self.note(EventKind::ScreenshotCaptured(ScreenshotInfo {
                    image,
                    command_id: None,
                    action_type,
                    width,
                    height,
                }))
                .await;
            }
            Some(_) => {}
            None => stop.abort(),
        }
    }

    /// Appends the model calls to the journal, and warns about each failed model that another one replaced.
    async fn note_calls(&self, calls: Vec<AiCall>, answered: bool) {
        let by = calls.last().filter(|_| answered).map(|call| call.model.clone());
        for call in calls {
            let failed = call.error.as_ref().map(|error| format!("{} failed: {}", call.model, error.message));
            self.note(EventKind::AiResponseReceived(call)).await;
            if let (Some(failed), Some(by)) = (failed, &by) {
                self.warn(format!("{failed}; {by} answered instead")).await;
            }
        }
    }

    /// Executes actions in order until one fails or the page changes to another one. A pause applies before each of
    /// them, not only before the first. The intent is on disk before the browser receives the action, if the action may
    /// change something. The result of an interrupted action is appended too; it states whether the action may have
    /// been executed.
    async fn act(&mut self, intents: Vec<Intent>) -> Result<NeedResult, Arc<AppendError>> {
        let mut results = Vec::with_capacity(intents.len());
        for Intent { action, decider, identity } in intents {
            if let Err(interrupt) = self.hold_while_paused().await {
                return Ok(interrupted(interrupt));
            }
            self.join_screenshot().await;
            // The policy decides, and a person is asked, before the intent is appended, so that a run that is stopped
            // here leaves no intent without a result.
            let refused = match self.permission(&action, decider).await? {
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
                identity,
            })
            .await;
            if effect != Effect::ReadOnly {
                self.drive.journal.durable().await?;
            }
            if let Some(result) = refused {
                self.append_result(command, &action, &result).await;
                results.push(result);
                break;
            }
            let (result, interrupt) = match &action {
                Action::Wait(wait) => self.wait(wait, command).await,
                action => {
                    let cancel = self.drive.control.cancel();
                    let log = ChangeLog::new(&self.drive.journal, self.step, command);
                    let sent = self.drive.executor.session_in_use();
                    let work = log.during(sent, self.drive.executor.act(action, &cancel));
                    self.drive.control.run_to_end(work).await
                }
            };
            let mut result = result.unwrap_or_else(|| ActionResult {
                outcome_unknown: effect != Effect::ReadOnly,
                ..ActionResult::failed(ActionFailure::Cancelled, Duration::ZERO)
            });
            self.drive.workflow_run.identify_found(&action, &mut result);
            self.drive.policy.note_result(&action, &result);
            self.append_notices().await;
            if let Some(interrupt) = interrupt {
                if result.ok() && effect != Effect::ReadOnly {
                    self.save_state().await;
                }
                self.append_result(command, &action, &result).await;
                self.append_page_log(command).await;
                return Ok(interrupted(interrupt));
            }
            let is_site_fault = result.failure.as_ref().is_some_and(ActionFailure::is_site_fault);
            let look = match &action {
                Action::Look(look) => look.target.clone(),
                _ => None,
            };
            if (effect != Effect::ReadOnly || matches!(action, Action::Look(_)) && result.ok())
                && !is_site_fault
                && let Some(pending_screenshot) = self.drive.executor.capture_screenshot(look)
            {
                self.pending_screenshot = Some((command, action.name(), pending_screenshot));
            }
            let stop = !result.ok() || left_page(&result);
            // The state is saved before the result, because a reader of the result can then continue from the state.
            // In the opposite order, a run that is killed between the two would expect the new page in a browser whose
            // restored state is older than that page. Other actions that change something may have done so in cookies
            // and storage, which are lost with the browser.
            if result.ok() && (left_page(&result) || effect == Effect::Mutating) {
                self.save_state().await;
            }
            self.append_result(command, &action, &result).await;
            self.append_page_log(command).await;
            results.push(result);
            if stop {
                break;
            }
        }
        Ok(NeedResult::Acted(results))
    }

    /// Carries out a wait. A pause stops it. When the run is resumed, it goes on for the time that was left, and what
    /// it waits for is checked anew. The journal contains one action, with its pauses.
    async fn wait(&mut self, wait: &Wait, command: CommandId) -> (Option<ActionResult>, Option<Interrupt>) {
        let mut rest = wait.clone();
        let (mut effects, mut spent) = (Vec::new(), Duration::ZERO);
        loop {
            let (action, stop) = (Action::Wait(rest.clone()), self.drive.control.cancel().child_token());
            let log = ChangeLog::new(&self.drive.journal, self.step, command);
            let sent = self.drive.executor.session_in_use();
            let work = log.during(sent, self.drive.executor.act(&action, &stop));
            let (result, interrupt) = self.drive.control.run_until_paused(work, &stop).await;
            let mut result = result.unwrap_or_else(|| ActionResult::failed(ActionFailure::Cancelled, Duration::ZERO));
            effects.append(&mut result.effects);
            spent += result.duration;
            let was_paused = interrupt.is_none() && result.failure == Some(ActionFailure::Cancelled);
            let ended = match interrupt {
                None if was_paused => self.hold_while_paused().await.err(),
                interrupt => interrupt,
            };
            if ended.is_some() || !was_paused {
                return (Some(ActionResult { effects, duration: spent, ..result }), ended);
            }
            rest.seconds = wait.seconds.map(|seconds| (seconds - spent.as_secs_f64()).max(0.0));
        }
    }

    /// Appends what the page requested during the action. For a resume, a response in it shows that the action was
    /// done.
    async fn append_page_log(&mut self, command: CommandId) {
        if let Some(activity) = self.drive.executor.activity(command) {
            self.note(EventKind::PageLog(activity)).await;
        }
    }

    async fn append_result(&mut self, command: CommandId, action: &Action, result: &ActionResult) {
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
                    let title = self.title_of(to).await;
                    self.note(EventKind::PageNavigated(PageInfo { url: to.clone(), title, status: *status })).await;
                }
                PageEffect::Unsettled { pending } => {
                    self.warn(format!("after {} the page did not settle: {pending}", action.name())).await;
                }
                PageEffect::Blocked { url, reason } => {
                    let because = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                    self.warn(format!("blocked by the rules of this run: {url}{because}")).await;
                }
                _ => {}
            }
        }
    }

    /// The title of a page that the action loaded. A page that was left again, such as one that redirects, has none.
    async fn title_of(&self, url: &str) -> String {
        if self.drive.executor.url() != url {
            return String::new();
        }
        self.drive.control.run_before_deadline(self.drive.executor.title()).await.unwrap_or_default()
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

    /// Waits for the screenshot in progress before the page changes.
    async fn join_screenshot(&mut self) {
        let Some((command, action, pending_screenshot)) = self.pending_screenshot.take() else { return };
        let taking = pending_screenshot.abort_handle();
        let taken = self.drive.control.run_before_deadline(pending_screenshot).await;
        if taken.is_none() {
            taking.abort();
        }
        match taken {
            Some(Ok(CapturedScreenshot::Image(image, width, height))) => {
                let info =
                    ScreenshotInfo { image, command_id: Some(command), action_type: action.into(), width, height };
                self.note(EventKind::ScreenshotCaptured(info)).await;
            }
            // A dialog is part of the page's behaviour and no fault of the browser.
            Some(Ok(CapturedScreenshot::DialogOpen)) => {}
            // One warning is enough to know that this page or browser returns no screenshots.
            _ if !std::mem::replace(&mut self.screenshot_warned, true) => {
                self.warn(format!("no screenshot could be captured after {action} ({})", Code::Screenshot.code()))
                    .await;
            }
            _ => {}
        }
    }

    /// Starts saving the page's text while the run continues, unless it is saved already.
    async fn save_page_text(&mut self) {
        if self.text.as_ref().is_some_and(|(of, _)| *of == self.last_fingerprint) {
            return;
        }
        self.join_text().await;
        self.text = Some((self.last_fingerprint.clone(), self.drive.executor.save_page_text()));
    }

    /// Waits until the text is written.
    async fn join_text(&mut self) {
        let Some((fingerprint, Some(text))) = self.text.as_mut().map(|(of, text)| (of.clone(), text.take())) else {
            return;
        };
        // A missing text must not fail the run.
        if let Ok(Some(text)) = text.await {
            self.note(EventKind::PageTextSaved(PageText { fingerprint, text })).await;
        }
    }

    /// Waits for what the run's last actions have caused, before the browser closes. Anything that is still pending
    /// afterwards may be lost, so a success is no longer validated.
    async fn flush(&mut self, outcome: &mut Outcome) {
        let pending = self.drive.executor.run_session.flush().await;
        if pending.is_empty() {
            return;
        }
        let pending = pending.join("; ");
        self.warn(format!(
            "the page was closed while work was pending that may be lost: {pending}; timeouts.flush limits the wait"
        ))
        .await;
        self.drive.workflow_run.mark_unvalidated(outcome, &format!("this may be lost: {pending}"));
    }

    async fn append_notices(&mut self) {
        for notice in self.drive.executor.run_session.take_notices() {
            self.warn(notice).await;
        }
    }

    async fn append(&mut self, facts: Vec<AgentEvent>) {
        if let Some(fact) = facts.last() {
            self.step = fact.step;
        }
        facts.iter().for_each(|fact| self.drive.policy.note_event(&fact.kind));
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

/// Whether a reader will need the text of the page: the decision was made without a model, whose request would contain
/// the page, or a step ended, whose checks the page shows. The next step decides on the same page, so that only the
/// last page of a run is saved in addition.
fn needs_page_text(fact: &EventKind) -> bool {
    match fact {
        EventKind::AiReasoning { decider, .. } => *decider != DecidedBy::Model,
        fact => matches!(fact, EventKind::StepCompleted(_) | EventKind::StepFailed(_)),
    }
}

/// Whether the page is now another one. The next action of a list was not meant for that page.
fn left_page(result: &ActionResult) -> bool {
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
        Interrupt::DeadlineReached => {
            NeedResult::OverBudget { budget: Budget::Time, message: "the run has reached its time limit".into() }
        }
    }
}
