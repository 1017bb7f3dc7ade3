//! Carries out an action: finds the element, waits until it can be acted on, sends real input, waits until the page has
//! settled, and reports what happened. Failures are values. Each kind of action is a small function here or in a
//! submodule.

mod fields;
mod keyboard;
mod pages;
pub(crate) mod pointer;
mod reading;
mod readings;
mod tabs;

pub(crate) use pointer::DROPPED;
pub(crate) use readings::Readings;

use std::{collections::BTreeMap, time::Duration};

use legwork_protocol::{
    Action, ActionFailure, ActionInfo, ActionPurpose, ActionResult, Button, Dialog, DialogInfo, DialogKind, Effect,
    Navigation, PageEffect, Target,
};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Capability, Session, Support,
    action_epoch::ActionEpoch,
    background_requests::RequestCause,
    dialogs::PreparedAnswer,
    downloads,
    driver::dispatch::{self, Dispatch},
    evaluate_error::{EvaluateError, dialog_open},
    frame_tree::ExecutionContext,
    page_script::{
        self as script, Actionability, ActionabilityCheck, ElementQuery, Need, NotActionable, Outcome, Ready,
    },
    settle::SettleError,
    state::SessionState,
    tabs::Tab,
    targets::TargetQuery,
};

/// The result of an action without its effects.
#[derive(Debug, Default)]
pub(crate) struct ActionOutput {
    pub(crate) element: Option<String>,
    pub(crate) value: Option<Value>,
}

/// The current action: the tab it acts in, and its epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActionScope {
    pub(crate) tab: u32,
    pub(crate) epoch: ActionEpoch,
    /// Whether the action may have requested a change, whose answer is awaited longer.
    pub(crate) awaits_answer: bool,
}

/// Whether an action replaces the document by another one.
fn leaves_page(action: &Action) -> bool {
    action.info().navigation == Navigation::Document
}

/// The reason for which the limit of the action refused a request.
fn refused_by_limit(effects: &[PageEffect]) -> Option<&str> {
    effects.iter().find_map(|effect| match effect {
        PageEffect::Blocked { reason, .. } if !reason.is_empty() => Some(reason.as_str()),
        _ => None,
    })
}

/// Whether the outcome of an action is unknown that failed after it was sent. An action that may be repeated has a known
/// outcome, unless the browser lost it or the page sent a change because of it: a field can place an order.
fn is_unknown_after(failure: &ActionFailure, effect: Effect, effects: &[PageEffect]) -> bool {
    match effect {
        Effect::ReadOnly => false,
        Effect::Mutating => true,
        Effect::Idempotent => {
            failure.is_browser_fault()
                || *failure == ActionFailure::Cancelled
                || effects.iter().any(PageEffect::may_have_changed)
        }
    }
}

impl Session {
    /// Carries out an action: waits until its element can be acted on, acts, and waits until the page has settled.
    /// Returns no error: a failure is part of the result. Actions of the agent and the runtime, such as `extract` and
    /// `done`, are not actions of the browser and are refused.
    pub async fn act(&self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        // The future is as large as that of the largest action and is moved into other futures. On the heap, it takes
        // no stack space.
        let performed = Box::pin(self.perform(action));
        Box::pin(self.carry_out(action.name(), action.effect(), performed, cancel)).await
    }

    /// Runs an action or gesture and reports its result.
    pub(crate) async fn carry_out(
        &self,
        name: &str,
        effect: Effect,
        doing: impl Future<Output = Result<ActionOutput, ActionFailure>>,
        cancel: &CancellationToken,
    ) -> ActionResult {
        let begun = Instant::now();
        let cause = match ActionInfo::named(name).map(|info| info.navigation) {
            Some(Navigation::Document | Navigation::Tab) => RequestCause::Page,
            _ if name == "wait" => RequestCause::Wait,
            _ => RequestCause::Action,
        };
        let requests = self.inner.begin_requests(cause);
        let dispatch = Dispatch::default();
        let before = self.inner.state().epoch;
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ActionFailure::Cancelled),
            outcome = dispatch.note(doing) => outcome,
        };
        let ended = self.inner.state().downloads.take_ended();
        let (downloaded, broken) = downloads::finish(ended, &self.inner.options.downloads);
        self.inner.state().effects.extend(downloaded.into_iter().map(PageEffect::Downloaded));
        let (did, mut failure) = match outcome {
            Ok(did) => (did, None),
            Err(failure) => (ActionOutput::default(), Some(failure)),
        };
        if failure.is_none() {
            failure = self.dead_end(before);
        }
        if let Some((name, reason)) = broken {
            failure.get_or_insert(ActionFailure::Download { name, reason });
        }
        let (mut effects, element_box, refs) = {
            let mut state = self.inner.state();
            (std::mem::take(&mut state.effects), state.element_box.take(), std::mem::take(&mut state.resolved))
        };
        if let (Some(ActionFailure::Refused { reason }), Some(by_limit)) = (&mut failure, refused_by_limit(&effects)) {
            by_limit.clone_into(reason);
        }
        effects.extend(self.request_outcomes(requests).await);
        // A page that asks before it is left is still there, so the outcome is known: the page was not left. Whatever
        // it sent is among the effects.
        let asks_to_stay =
            matches!(&failure, Some(ActionFailure::DialogOpen { dialog, .. }) if dialog == "beforeunload");
        let result = ActionResult {
            outcome_unknown: !asks_to_stay
                && dispatch.was_sent()
                && failure.as_ref().is_some_and(|failure| is_unknown_after(failure, effect, &effects)),
            failure: failure.map(|failure| self.masked(failure)),
            duration: begun.elapsed(),
            element: did.element,
            r#box: element_box,
            refs,
            elements: BTreeMap::new(),
            url: self.url(),
            value: did.value.map(|value| self.masked(value)),
            effects: effects.into_iter().map(|effect| self.masked(effect)).collect(),
            dom: None,
            screenshot: None,
        };
        tracing::debug!(action = name, ms = result.duration.as_millis() as u64, failure = ?result.failure);
        result
    }

    /// The failure if the current tab shows the browser's own error page and this page appeared after the epoch
    /// `before`. The action was carried out, but the document that it led to could not be loaded.
    fn dead_end(&self, before: ActionEpoch) -> Option<ActionFailure> {
        let state = self.inner.state();
        let page = state.tabs.current()?.error_page_after(before)?;
        pages::not_loaded(&page.url, &page.reason)
    }

    async fn perform(&self, action: &Action) -> Result<ActionOutput, ActionFailure> {
        if leaves_page(action) {
            self.flush_before_leaving().await;
        }
        match action {
            Action::Dialog(dialog) => {
                return match &dialog.opened_by {
                    Some(action) => self.act_with_answer(action, dialog).await,
                    None => self.answer_dialog(dialog).await,
                };
            }
            Action::Tab(tab) => return self.tab(tab).await,
            Action::Open(open) => return self.open(&open.url).await,
            _ => {}
        }
        if action.is_input() {
            self.inner.workers_started().await;
        }
        // These actions also work on a crashed page, because they load it again.
        let scope = self.begin_action(matches!(action, Action::Reload(_) | Action::Back(_) | Action::Forward(_)))?;
        // A switch that is saved at once flips back if the server refuses.
        let is_choice = action.info().purpose == ActionPurpose::Choose;
        let scope = ActionScope { awaits_answer: action.may_submit() || is_choice, ..scope };
        {
            let mut state = self.inner.state();
            state.input = action.is_input();
            if action.is_input() {
                let epoch = state.epoch;
                state.unsaved.note_input(epoch);
            } else if matches!(action, Action::Fill(_)) {
                state.unsaved.note_change();
            }
        }
        match action {
            Action::Click(click) => self.click(scope, click).await,
            Action::Hover(on) => self.hover(scope, &on.target).await,
            Action::Drag(drag) => self.drag(scope, drag).await,
            Action::Fill(fill) => self.fill(scope, fill).await,
            Action::Type(given) => self.type_keys(scope, given).await,
            Action::Press(press) => self.press(scope, press).await,
            Action::Select(select) => self.select(scope, select).await,
            Action::Check(on) => self.check(scope, &on.target, true).await,
            Action::Uncheck(on) => self.check(scope, &on.target, false).await,
            Action::Expand(on) => self.expand(scope, &on.target, true).await,
            Action::Collapse(on) => self.expand(scope, &on.target, false).await,
            Action::Focus(on) => self.act_when_ready(scope, &on.target, Need::Focus { key_next: false }).await,
            Action::Blur(on) => self.blur(scope, &on.target).await,
            Action::Scroll(scroll) => self.scroll(scope, scroll).await,
            Action::Upload(upload) => self.upload(scope, upload).await,
            Action::Back(_) => self.history(scope, -1).await,
            Action::Forward(_) => self.history(scope, 1).await,
            Action::Reload(_) => self.reload(scope).await,
            Action::Wait(wait) => self.wait(scope, wait).await,
            Action::Save(save) => self.save(scope, save).await,
            Action::Read(read) => self.read(scope, read).await,
            Action::Dom(_) => self.dom(scope).await,
            Action::Subdom(subdom) => self.subdom(scope, subdom.target.as_ref()).await,
            // The first three are handled above; the runtime and the agent handle the others.
            Action::Dialog(_)
            | Action::Tab(_)
            | Action::Open(_)
            | Action::Extract(_)
            | Action::Look(_)
            | Action::Find(_)
            | Action::Call(_)
            | Action::Ask(_)
            | Action::Done(_)
            | Action::Abort(_) => {
                Err(ActionFailure::Refused { reason: format!("`{}` is not an action of the browser", action.name()) })
            }
        }
    }

    /// Waits for work of earlier actions that leaving the page would cut off, as before a close: an autosave, or a
    /// change that is sent when it can no longer be undone.
    async fn flush_before_leaving(&self) {
        let pending = self.inner.flush().await;
        if !pending.is_empty() {
            self.inner.state().effects.push(PageEffect::Unsettled { pending: pending.join("; ") });
        }
    }

    /// Begins an action in the current tab. Fails if a dialog is open, or if the page crashed and the action does not
    /// load it again.
    pub(crate) fn begin_action(&self, revives: bool) -> Result<ActionScope, ActionFailure> {
        let tab = self.inner.current_tab()?;
        let mut state = self.inner.state();
        let epoch = state.begin_epoch();
        let found = state.tabs.get(tab).ok_or(ActionFailure::Crashed)?;
        if let Some(dialog) = state.dialogs.open_in(tab) {
            return Err(dialog_open(dialog));
        }
        if found.is_crashed() && !revives {
            return Err(ActionFailure::Crashed);
        }
        Ok(ActionScope { tab, epoch, awaits_answer: false })
    }

    /// Finds an element and waits until it is ready for `need`.
    pub(crate) async fn wait_actionable(
        &self,
        tab: u32,
        target: &Target,
        need: Need<'_>,
    ) -> Result<(ExecutionContext, Ready), ActionFailure> {
        let deadline = Instant::now() + self.inner.options.timeouts.action;
        // The first waits are short, because most obstacles are brief.
        let mut patience = Duration::from_millis(25);
        let scripts_give_focus = self.inner.driver.capabilities().support(Capability::FrameFocus) == Support::Full;
        let mut may_press = !scripts_give_focus;
        loop {
            let checked = self.check_actionable(tab, target, need).await;
            let failure =
                match checked.map(|(exec_context, checked)| (exec_context, checked.r#box, checked.result.ready())) {
                    Ok((exec_context, at, Ok(ready))) => {
                        // Tabs that were opened while the element was awaited were not caused by the action.
                        {
                            let mut state = self.inner.state();
                            let epoch = state.epoch;
                            state.tabs.input_begins(epoch);
                        }
                        self.note_element_box(&exec_context, at).await;
                        return Ok((exec_context, ready));
                    }
                    Ok((exec_context, _, Err(NotActionable::FocusLost { .. })))
                        if may_press && !self.inner.is_main(&exec_context) && Instant::now() < deadline =>
                    {
                        may_press = false;
                        self.press_for_focus(tab, target).await.err()
                    }
                    Ok((exec_context, _, Err(not))) if not.is_temporary() && Instant::now() < deadline => {
                        // Returns at the page's next change, or after this time at most.
                        let change = script::WaitForChange { timeout_ms: patience.as_millis() as u64 };
                        if let Err(EvaluateError::Failed(failure)) = self.inner.call(&exec_context, change).await {
                            return Err(failure);
                        }
                        None
                    }
                    Ok((exec_context, at, Err(not))) => {
                        self.note_element_box(&exec_context, at).await;
                        Some(not.failure(&target.0))
                    }
                    Err(EvaluateError::ContextDestroyed) => {
                        let stale = ActionFailure::StaleRef { target: target.0.clone() };
                        (ElementQuery::of(target).is_none() || Instant::now() >= deadline).then_some(stale)
                    }
                    Err(EvaluateError::Failed(failure @ ActionFailure::NotFound { .. })) => {
                        (Instant::now() >= deadline).then_some(failure)
                    }
                    Err(trouble) => Some(trouble.into()),
                };
            if let Some(failure) = failure {
                return Err(failure);
            }
            if patience > Duration::from_millis(25) {
                tokio::time::sleep_until((Instant::now() + patience / 4).min(deadline)).await;
            }
            patience = (patience * 2).min(Duration::from_millis(400));
        }
    }

    /// Presses the mouse on a field in a frame, as a person does who wants to write there. In WebKit, no script can
    /// move the focus into a frame of another site before that.
    async fn press_for_focus(&self, tab: u32, target: &Target) -> Result<(), ActionFailure> {
        let (exec_context, checked) = self.check_actionable(tab, target, Need::Press).await?;
        // The next check of the field reports what is in the way.
        let Ok(ready) = checked.result.ready() else { return Ok(()) };
        let point = self.in_view(&exec_context, &ready, target).await?;
        self.press_mouse(tab, point, Button::Left, 1, 0, false).await
    }

    async fn check_actionable(
        &self,
        tab: u32,
        target: &Target,
        need: Need<'_>,
    ) -> Result<(ExecutionContext, ActionabilityCheck), EvaluateError> {
        let TargetQuery { exec_context, which } = self.find(tab, target).await?;
        let check = script::CheckActionable { key: &self.inner.scripts.key, target: &which, need };
        let sent_before = need.acts().then(dispatch::mark_attempt);
        let checked = self.inner.call(&exec_context, check).await?;
        match (&checked.result, sent_before) {
            (Actionability::Ready(_), _) => self.note_resolved(&exec_context, target, &checked.shown),
            (_, Some(sent_before)) => dispatch::restore(sent_before),
            _ => {}
        }
        Ok((exec_context, checked))
    }

    /// An action that is complete once the element is ready.
    async fn act_when_ready(
        &self,
        scope: ActionScope,
        target: &Target,
        need: Need<'_>,
    ) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, need).await?;
        self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }

    /// Waits until the page has settled and downloads have ended.
    pub(crate) async fn rest(
        &self,
        scope: ActionScope,
        acted: Option<(&ExecutionContext, Option<u32>)>,
    ) -> Result<(), ActionFailure> {
        self.rest_with_outcome(scope, acted).await.map(drop)
    }

    /// As [`Session::rest`]. Returns the outcome of the action's input if the page can still report it.
    pub(crate) async fn rest_with_outcome(
        &self,
        scope: ActionScope,
        acted: Option<(&ExecutionContext, Option<u32>)>,
    ) -> Result<Option<Outcome>, ActionFailure> {
        // Only a press can miss its element, and `rest_released` handles presses.
        self.settle(scope, acted).await.map_err(|error| error.failure("the element"))
    }

    pub(crate) async fn settle(
        &self,
        scope: ActionScope,
        acted: Option<(&ExecutionContext, Option<u32>)>,
    ) -> Result<Option<Outcome>, SettleError> {
        let outcome = self.inner.settle(scope, acted).await?;
        // A document that was aborted may have become a download, which is announced slightly later.
        let patience = self.inner.state().tabs.iter().filter_map(Tab::download_patience).max();
        if let Some(patience) = patience {
            let begun = |state: &mut SessionState| {
                (state.gone.is_some() || state.downloads.any_since(scope.epoch)).then_some(())
            };
            self.inner.within(patience, begun).await;
        }
        let deadline = Instant::now() + self.inner.options.timeouts.navigation;
        let ended = self.inner.until(deadline, |state| {
            (!state.downloads.is_pending_since(scope.epoch) || state.gone.is_some()).then_some(())
        });
        if ended.await.is_none() {
            self.inner.state().downloads.give_up_since(scope.epoch);
        }
        // The page asks whether it may be left, so it was not left. This is a failure, whatever else was done.
        match self.inner.state().dialogs.open_in(scope.tab) {
            Some(dialog) if dialog.kind == DialogKind::Beforeunload => Err(dialog_open(dialog).into()),
            _ => Ok(outcome),
        }
    }

    /// Treats an input event as successful even if its document is gone or a dialog blocks the page, because the input
    /// took effect in both cases.
    pub(crate) fn input_done<T>(answer: Result<T, EvaluateError>) -> Result<(), ActionFailure> {
        match answer {
            Ok(_) | Err(EvaluateError::DialogOpen(_) | EvaluateError::ContextDestroyed) => Ok(()),
            Err(EvaluateError::Failed(failure)) => Err(failure),
        }
    }

    /// Carries out an action and answers the first dialog that it opens. The answer is discarded when the action ends,
    /// in whichever way.
    async fn act_with_answer(&self, action: &Action, dialog: &Dialog) -> Result<ActionOutput, ActionFailure> {
        if matches!(action, Action::Dialog(_)) {
            let reason =
                "a dialog's answer opens no other dialog to be answered; answer one after the other".to_owned();
            return Err(ActionFailure::Refused { reason });
        }
        let tab = self.inner.current_tab()?;
        let answer = PreparedAnswer { tab, accept: dialog.accept, text: dialog.text.clone() };
        self.inner.state().dialogs.prepare(answer);
        let _over = scopeguard::guard(&self.inner, |inner| inner.state().dialogs.discard_prepared());
        let did = Box::pin(self.perform(action)).await;
        let stayed = |effect: &PageEffect| {
            matches!(
                effect,
                PageEffect::Dialog(DialogInfo { kind: DialogKind::Beforeunload, accepted: Some(false), .. })
            )
        };
        if leaves_page(action) && self.inner.state().effects.iter().any(stayed) {
            return Err(ActionFailure::LeaveDeclined { action: action.name().to_owned() });
        }
        did
    }

    pub(crate) async fn answer_dialog(&self, dialog: &Dialog) -> Result<ActionOutput, ActionFailure> {
        let tab = self.inner.current_tab()?;
        let (epoch, open) = {
            let mut state = self.inner.state();
            let held_up = state.epoch;
            let epoch = state.begin_epoch();
            state.input = dialog.accept;
            state.unsaved.note_change();
            // The action that the dialog interrupted continues in this epoch.
            state.tabs.continue_action(held_up, epoch);
            let session = state.tabs.get(tab).map(|tab| tab.session().clone());
            let open = state.dialogs.take(tab).zip(session);
            (epoch, open)
        };
        let (mut info, session) = open.ok_or(ActionFailure::NoDialog)?;
        if info.kind == DialogKind::Beforeunload
            && !dialog.accept
            && let Some(tab) = self.inner.state().tabs.get_mut(tab)
        {
            tab.frames_mut().navigation_cancelled();
        }
        let answer = self.inner.driver.answer_dialog(&session, dialog.accept, dialog.text.as_deref());
        let limit = self.inner.options.timeouts.script;
        Self::input_done(self.inner.answer(tab, answer, limit).await)?;
        info.accepted = Some(dialog.accept);
        self.inner.state().effects.push(PageEffect::Dialog(info));
        // The change that a page asks to confirm is requested only now.
        self.rest(ActionScope { tab, epoch, awaits_answer: dialog.accept }, None).await?;
        Ok(ActionOutput::default())
    }
}
