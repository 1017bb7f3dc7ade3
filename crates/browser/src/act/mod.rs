//! Carries out an action: find the element, wait until it can be acted on, act with real input, settle, tell what happened.
//! What goes wrong is a value. Each kind of action is a small function here or in a module beside.

mod fields;
mod keyboard;
mod pages;
mod pointer;
mod reading;

pub(crate) use pages::address;
pub(crate) use pointer::{DROPPED, Point};

use std::time::Duration;

use legwork_protocol::{Action, ActionFailure, ActionResult, Effect, PageEffect, Target};
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Session,
    downloads::End,
    driver::dispatch::Dispatch,
    frames::{Place, Trouble, dialog_open},
    state::Mark,
    targets::{Found, Ready},
};

/// What an action did, besides its effects.
#[derive(Debug, Default)]
pub(crate) struct Did {
    pub(crate) element: Option<String>,
    pub(crate) value: Option<Value>,
}

/// An action under way: where, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) tab: u32,
    pub(crate) mark: Mark,
}

impl Session {
    /// Carries out an action: waits until its element can be acted on, acts, and waits until the page is at rest. Never
    /// fails as such: what did not work is in the result. `extract`, `look`, `find`, `ask`, `done` and `abort` are not
    /// the browser's and are refused.
    pub async fn act(&self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        self.carry_out(action.name(), action.effect(), self.perform(action), cancel).await
    }

    /// Has something done, and tells what came of it.
    pub(crate) async fn carry_out(
        &self,
        name: &str,
        effect: Effect,
        doing: impl Future<Output = Result<Did, ActionFailure>>,
        cancel: &CancellationToken,
    ) -> ActionResult {
        let begun = Instant::now();
        let acts_on_page = !matches!(name, "open" | "reload" | "back" | "forward" | "tab" | "wait");
        let requests = self.shared.begin_requests(acts_on_page);
        let dispatch = Dispatch::default();
        let before = self.shared.state().clock;
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(ActionFailure::Cancelled),
            outcome = dispatch.note(doing) => outcome,
        };
        let broken = self.shared.collect_downloads();
        let (did, mut failure) = match outcome {
            Ok(did) => (did, None),
            Err(failure) => (Did::default(), Some(failure)),
        };
        if failure.is_none() {
            failure = self.dead_end(before);
        }
        if let Some((name, reason)) = broken {
            failure.get_or_insert(ActionFailure::Download { name, reason });
        }
        let (mut effects, stood) = {
            let mut state = self.shared.state();
            (std::mem::take(&mut state.effects), state.stood.take())
        };
        effects.extend(self.shared.end_requests(requests));
        let result = ActionResult {
            outcome_unknown: failure.is_some() && effect == Effect::Mutating && dispatch.was_sent(),
            failure: failure.map(|failure| self.masked(failure)),
            duration: begun.elapsed(),
            element: did.element,
            r#box: stood,
            url: self.url(),
            value: did.value.map(|value| self.masked(value)),
            effects: effects.into_iter().map(|effect| self.masked(effect)).collect(),
            dom: None,
            screenshot: None,
        };
        tracing::debug!(action = name, ms = result.duration.as_millis() as u64, failure = ?result.failure);
        result
    }

    /// Why the current tab shows the browser's own error page, when it came later than `before`: the action did its work,
    /// and what it led to is no page of any site.
    fn dead_end(&self, before: Mark) -> Option<ActionFailure> {
        let state = self.shared.state();
        let page = state.current()?.error_page.as_ref().filter(|page| page.came > before)?;
        pages::not_loaded(&page.url, &page.reason)
    }

    async fn perform(&self, action: &Action) -> Result<Did, ActionFailure> {
        match action {
            Action::Dialog(dialog) => return self.answer_dialog(dialog).await,
            Action::Tab(tab) => return self.tab(tab).await,
            Action::Open(open) => return self.open(&open.url).await,
            _ => {}
        }
        // A crashed page can still be loaded again.
        let turn = self.turn(matches!(action, Action::Reload(_) | Action::Back(_) | Action::Forward(_)))?;
        match action {
            Action::Click(click) => self.click(turn, click).await,
            Action::Hover(on) => self.hover(turn, &on.target).await,
            Action::Drag(drag) => self.drag(turn, drag).await,
            Action::Fill(fill) => self.fill(turn, fill).await,
            Action::Type(given) => self.type_keys(turn, given).await,
            Action::Press(press) => self.press(turn, press).await,
            Action::Select(select) => self.select(turn, select).await,
            Action::Check(on) => self.check(turn, &on.target, true).await,
            Action::Uncheck(on) => self.check(turn, &on.target, false).await,
            Action::Focus(on) => self.simply(turn, &on.target, "focus").await,
            Action::Scroll(scroll) => self.scroll(turn, scroll).await,
            Action::Upload(upload) => self.upload(turn, upload).await,
            Action::Back(_) => self.history(turn, -1).await,
            Action::Forward(_) => self.history(turn, 1).await,
            Action::Reload(_) => self.reload(turn).await,
            Action::Wait(wait) => self.wait(turn, wait).await,
            Action::Save(save) => self.save(turn, save).await,
            Action::Read(read) => self.read(turn, read).await,
            Action::Dom(_) => self.dom(turn).await,
            Action::Subdom(subdom) => self.subdom(turn, subdom.target.as_ref()).await,
            other => Err(ActionFailure::Refused { reason: format!("{} is not done by the browser", other.name()) }),
        }
    }

    /// Begins in the current tab, when it can be worked with; one that crashed only if that revives it.
    pub(crate) fn turn(&self, revives: bool) -> Result<Turn, ActionFailure> {
        let tab = self.shared.current_tab()?;
        let mut state = self.shared.state();
        let mark = state.mark();
        let found = state.tab(tab).ok_or(ActionFailure::Crashed)?;
        if let Some(dialog) = &found.dialog {
            return Err(dialog_open(dialog));
        }
        if found.crashed && !revives {
            return Err(ActionFailure::Crashed);
        }
        Ok(Turn { tab, mark })
    }

    /// Finds an element and waits until it is ready for what `need` says; `more` goes along.
    pub(crate) async fn ready(
        &self,
        tab: u32,
        target: &Target,
        need: &str,
        more: Value,
    ) -> Result<(Place, Ready), ActionFailure> {
        let deadline = Instant::now() + self.shared.options.timeouts.action;
        // Short at first: most of what is in the way passes at once.
        let mut patience = Duration::from_millis(25);
        loop {
            let failure = match self.ready_now(tab, target, need, &more).await {
                Ok((place, ready)) if ready.ok => {
                    self.stood(&place, ready.r#box).await;
                    return Ok((place, ready));
                }
                Ok((place, ready)) if ready.may_pass() && Instant::now() < deadline => {
                    let millis = patience.as_millis();
                    // Answers at the page's next change, or when our patience is over.
                    let changed = self.shared.script::<bool>(&place, format!("legwork.changed({millis})")).await;
                    if let Err(Trouble::Failed(failure)) = changed {
                        return Err(failure);
                    }
                    None
                }
                Ok((place, ready)) => {
                    self.stood(&place, ready.r#box).await;
                    Some(ready.failure(&target.0))
                }
                Err(Trouble::Left) => {
                    let stale = ActionFailure::StaleRef { target: target.0.clone() };
                    (crate::targets::wanted(target).is_none() || Instant::now() >= deadline).then_some(stale)
                }
                Err(Trouble::Failed(failure @ ActionFailure::NotFound { .. })) => {
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

    async fn ready_now(&self, tab: u32, target: &Target, need: &str, more: &Value) -> Result<(Place, Ready), Trouble> {
        let Found { place, which } = self.find(tab, target).await?;
        let mut request = which;
        request["need"] = json!(need);
        request["key"] = json!(self.shared.scripts.key);
        if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
            request.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        let ready = self.shared.script(&place, format!("legwork.ready({request})")).await?;
        Ok((place, ready))
    }

    /// An action that is done once the element is ready.
    async fn simply(&self, turn: Turn, target: &Target, need: &str) -> Result<Did, ActionFailure> {
        let (place, ready) = self.ready(turn.tab, target, need, json!({})).await?;
        self.rest(turn, Some((&place, Some(ready.element)))).await?;
        Ok(Did { element: ready.what, value: None })
    }

    /// Settles, downloads included.
    pub(crate) async fn rest(&self, turn: Turn, acted: Option<(&Place, Option<u32>)>) -> Result<(), ActionFailure> {
        self.shared.settle(turn.tab, acted, turn.mark).await?;
        // A document that broke off as it came may have become a download, which is told of a little later.
        let aborted = |tab: &crate::state::Tab| tab.failed.as_ref().is_some_and(|(_, why)| why.contains("ERR_ABORTED"));
        let broken_off = self.shared.state().tabs.iter().any(aborted);
        if broken_off {
            let begun = |state: &mut crate::state::State| {
                state.downloads.values().any(|download| download.begun >= turn.mark).then_some(())
            };
            self.shared.within(Duration::from_millis(500), begun).await;
        }
        let deadline = Instant::now() + self.shared.options.timeouts.navigation;
        let ours = |state: &crate::state::State| {
            state.downloads.values().any(|download| download.begun >= turn.mark && download.end.is_none())
        };
        let ended = self.shared.until(deadline, |state| (!ours(state) || state.gone.is_some()).then_some(())).await;
        if ended.is_none() {
            for download in self.shared.state().downloads.values_mut().filter(|download| download.begun >= turn.mark) {
                download.end.get_or_insert(End::Failed("it did not end in time".to_owned()));
            }
        }
        Ok(())
    }

    /// What input events may answer with and still have done their work: the page they were for may be gone, or stand still.
    pub(crate) fn input_done<T>(answer: Result<T, Trouble>) -> Result<(), ActionFailure> {
        match answer {
            Ok(_) | Err(Trouble::Dialog(_) | Trouble::Left) => Ok(()),
            Err(Trouble::Failed(failure)) => Err(failure),
        }
    }

    async fn answer_dialog(&self, dialog: &legwork_protocol::Dialog) -> Result<Did, ActionFailure> {
        let tab = self.shared.current_tab()?;
        let (mark, open) = {
            let mut state = self.shared.state();
            let mark = state.mark();
            let open = state.tab_mut(tab).and_then(|tab| tab.dialog.take().map(|open| (open, tab.session.clone())));
            if open.is_none() {
                state.armed = Some((dialog.accept, dialog.text.clone()));
            }
            (mark, open)
        };
        let Some((mut info, session)) = open else { return Ok(Did::default()) };
        let answer = self.shared.driver.answer_dialog(&session, dialog.accept, dialog.text.as_deref());
        let limit = self.shared.options.timeouts.script;
        Self::input_done(self.shared.answer(tab, answer, limit).await)?;
        info.accepted = Some(dialog.accept);
        self.shared.state().effects.push(PageEffect::Dialog(info));
        self.rest(Turn { tab, mark }, None).await?;
        Ok(Did::default())
    }
}
