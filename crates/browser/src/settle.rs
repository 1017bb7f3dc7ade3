//! After an action, this module waits until the page has settled. It considers, in this order: a navigation that has
//! begun, requests that the action caused, and tasks that the page has scheduled or animations that it runs (the page
//! is asked in one call that returns when they are over). For a page that does not settle, the wait ends after a time
//! limit, which is reported. Apart from these limits, nothing here waits for a fixed time.
//!
//! A server may need longer than that limit to answer the request for a change that the action sent, and only the page
//! after the answer shows whether the change was made. Such a request is awaited longer, with a limit of its own.

use std::time::Duration;

use legwork_observe::sites::is_same_site;
use legwork_protocol::{ActionFailure, PageEffect};
use tokio::time::Instant;

use crate::{
    Capability,
    act::ActionScope,
    action_epoch::ActionEpoch,
    background_requests::{is_change, without_query},
    capabilities::Support,
    evaluate_error::EvaluateError,
    frame_tree::ExecutionContext,
    page_script::{self as script, MissedPress, Outcome, PageExpression, Settled},
    session_inner::SessionInner,
    state::SessionState,
    tabs::{PendingRequest, Tab},
};

/// How long settling waits for a loading document once it is parsed.
const TAIL: Duration = Duration::from_secs(5);

/// How long a download that the page requested may take to begin.
const DOWNLOAD: Duration = Duration::from_secs(1);

/// How long the browser may take after a click on a link to begin the navigation, or to ask whether the page may be
/// left.
const LEAVING: Duration = Duration::from_secs(2);

/// How long a page may take to settle after a late answer to a request for a change.
const AFTER_ANSWER: Duration = Duration::from_secs(2);

/// Why settling failed.
#[derive(Debug)]
pub(crate) enum SettleError {
    /// The press of the action did not take effect.
    Missed(MissedPress),
    Failed(ActionFailure),
}

impl From<ActionFailure> for SettleError {
    fn from(failure: ActionFailure) -> Self {
        SettleError::Failed(failure)
    }
}

impl SettleError {
    /// Converts the error to the failure of an action on a target.
    pub(crate) fn failure(self, target: &str) -> ActionFailure {
        let by = match self {
            SettleError::Failed(failure) => return failure,
            SettleError::Missed(MissedPress::Replaced) => {
                return ActionFailure::NotClickable {
                    target: target.to_owned(),
                    reason: "it was replaced while the mouse button was down, so it received no click".to_owned(),
                };
            }
            SettleError::Missed(MissedPress::FieldChanged { field, given, actual }) => {
                return ActionFailure::ValueDiffers { target: field, expected: given, actual };
            }
            SettleError::Missed(MissedPress::Intercepted { by }) => by,
            SettleError::Missed(MissedPress::PressLost) => "something outside of its frame".to_owned(),
            SettleError::Missed(MissedPress::ReleaseLost) => {
                "something outside of its frame, which received the release of the mouse button".to_owned()
            }
        };
        ActionFailure::Covered { target: target.to_owned(), by }
    }
}

impl SessionInner {
    /// Waits until the tab has settled, or the tab that the action opened. `acted` is the world and the element acted
    /// on. Returns the outcome of the input, if the page was asked and reported one.
    pub(crate) async fn settle(
        &self,
        scope: ActionScope,
        acted: Option<(&ExecutionContext, Option<u32>)>,
    ) -> Result<Option<Outcome>, SettleError> {
        let settled = self.settle_in(scope, acted).await;
        self.claim_tabs(scope.tab, acted.map(|(exec_context, _)| exec_context), scope.epoch).await;
        settled
    }

    async fn settle_in(
        &self,
        scope: ActionScope,
        at: Option<(&ExecutionContext, Option<u32>)>,
    ) -> Result<Option<Outcome>, SettleError> {
        let ActionScope { tab: first, epoch, awaits_answer } = scope;
        let mut tab = first;
        let mut outcome = None;
        let mut acted = at;
        let mut deadline = Instant::now() + self.options.timeouts.settle;
        let answer_by = Instant::now() + self.options.timeouts.answer;
        let loaded_by = Instant::now() + self.options.timeouts.navigation;
        loop {
            self.claim_tabs(first, at.map(|(exec_context, _)| exec_context), epoch).await;
            {
                let state = self.state();
                if let Some(reason) = &state.gone {
                    return Err(ActionFailure::BrowserGone { reason: reason.clone() }.into());
                }
                // If the action opened a tab, that tab must settle instead.
                if let Some(opened) =
                    state.tabs.current().filter(|current| current.number() != tab && current.is_opened_since(epoch))
                {
                    tab = opened.number();
                    acted = None;
                }
                let Some(found) = state.tabs.get(tab) else { return Ok(outcome) };
                if found.is_crashed() {
                    return Err(ActionFailure::Crashed.into());
                }
                if state.dialogs.open_in(tab).is_some() {
                    return Ok(outcome);
                }
            }
            if let Some(pending) = self.load(tab, loaded_by).await {
                if let Some(url) = self.stop_unanswered(tab, epoch) {
                    let ms = self.options.timeouts.navigation.as_millis() as u64;
                    return Err(ActionFailure::LoadTimeout { url, ms }.into());
                }
                self.unsettled(pending);
                return Ok(outcome);
            }
            let requests = self.until(deadline, |state| {
                let ended = |found: &Tab| found.is_loading() || found.pending(epoch).next().is_none();
                let has_dialog = state.dialogs.open_in(tab).is_some();
                (has_dialog || state.tabs.get(tab).is_none_or(ended)).then_some(())
            });
            if requests.await.is_none() {
                if awaits_answer && self.change_is_answered(tab, epoch, answer_by).await {
                    deadline = Instant::now() + AFTER_ANSWER;
                    continue;
                }
                let pending = self
                    .state()
                    .tabs
                    .get(tab)
                    .and_then(|tab| tab.pending(epoch).next().map(|request| request.url.clone()));
                if let Some(url) = pending {
                    self.unsettled(format!("a request to {url}"));
                }
                return Ok(outcome);
            }
            let leaves = |state: &mut SessionState| {
                state.tabs.get(tab).is_some_and(|tab| tab.is_loading() && tab.unanswered(epoch).is_some()).then_some(())
            };
            let rest = tokio::select! {
                biased;
                rest = self.rest(tab, acted, deadline) => rest,
                // Chromium delays the page's answer while it waits for the server of the next page. The loop above
                // waits for that navigation with its own limit; if it is cancelled, the page is asked again.
                Some(()) = self.until(loaded_by, leaves) => continue,
            };
            if let Ok(rest) = &rest {
                outcome = rest.outcome.clone().or(outcome);
            }
            match rest {
                Ok(Settled { missed: Some(missed), .. })
                    if missed != MissedPress::PressLost || self.loses_presses(acted).await =>
                {
                    return Err(SettleError::Missed(missed));
                }
                // The page answered at once because of the missed press; the next call waits.
                Ok(Settled { missed: Some(_), .. }) => {}
                Ok(Settled { busy: Some(pending), .. }) => {
                    self.unsettled(pending);
                    return Ok(outcome);
                }
                Ok(rest) => {
                    if rest.downloads > 0 {
                        let told = |state: &mut SessionState| {
                            let begun = state.downloads.any_since(epoch);
                            (begun || state.tabs.get(tab).is_none_or(|tab| tab.is_loading())).then_some(())
                        };
                        // The link may lead to no download, and then no event arrives.
                        self.within(DOWNLOAD, told).await;
                    }
                    if rest.leaves && awaits_answer {
                        let begun = |state: &mut SessionState| {
                            let is_leaving = state.tabs.get(tab).is_none_or(|tab| tab.is_loading());
                            (is_leaving || state.dialogs.open_in(tab).is_some()).then_some(())
                        };
                        // The server may have answered without a document, and then nothing follows.
                        self.within(LEAVING, begun).await;
                    }
                    let state = self.state();
                    let opened = state.tabs.has_unclaimed(first, epoch);
                    let at_rest =
                        state.tabs.get(tab).is_none_or(|tab| !tab.is_loading() && tab.pending(epoch).next().is_none());
                    if at_rest && !opened {
                        return Ok(outcome);
                    }
                }
                Err(EvaluateError::DialogOpen(_)) => return Ok(outcome),
                Err(EvaluateError::Failed(failure)) => return Err(failure.into()),
                Err(EvaluateError::ContextDestroyed) => {
                    acted = None;
                    if Instant::now() >= deadline {
                        return Ok(outcome);
                    }
                }
            }
        }
    }

    /// Waits for the answers to the pending requests for a change that scripts sent to the page's own site because of
    /// the action. Requests that the page also sends by itself, such as a long poll, are not awaited. Returns whether
    /// there were such requests and all of them were answered in time, or the page has left or asks something.
    async fn change_is_answered(&self, tab: u32, epoch: ActionEpoch, by: Instant) -> bool {
        let sent: Vec<(String, String, String)> = {
            let state = self.state();
            let Some(tab) = state.tabs.get(tab) else { return false };
            let changes = tab.pending_with_ids(epoch).filter(|(_, request)| is_same_site(tab.url(), &request.url));
            let change = |(id, request): (&String, &PendingRequest)| {
                let method = request.script_method.clone().filter(|method| is_change(method))?;
                Some((id.clone(), method, request.url.clone()))
            };
            changes.filter_map(change).collect()
        };
        let awaited: Vec<String> = {
            let activity = self.activity();
            let own = sent.into_iter().filter(|(_, method, url)| !activity.background.knows(method, url));
            own.map(|(id, ..)| id).collect()
        };
        if awaited.is_empty() {
            return false;
        }
        let answered = self.until(by, |state| {
            let is_over = state.gone.is_some()
                || state.dialogs.open_in(tab).is_some()
                || state.tabs.get(tab).is_none_or(|tab| {
                    let is_pending = tab.pending_with_ids(epoch).any(|(id, _)| awaited.contains(id));
                    tab.is_crashed() || tab.is_loading() || !is_pending
                });
            is_over.then_some(())
        });
        answered.await.is_some()
    }

    /// Makes the tab that the action opened the current tab. A tab that a page opened by itself does not become the
    /// current tab. A tab belongs to the action if the tab and the origin of the action opened it, and no code that was
    /// scheduled before the action did. The page reports the URLs of the windows that such code opened.
    async fn claim_tabs(&self, tab: u32, acted: Option<&ExecutionContext>, epoch: ActionEpoch) {
        if !self.state().tabs.has_unclaimed(tab, epoch) {
            return;
        }
        let frame = acted.map(|exec_context| exec_context.frame.clone()).or_else(|| self.main_frame(tab));
        let asked = async {
            let exec_context = self.exec_context(frame.as_ref()?).await.ok()?;
            Some(self.call(&exec_context, script::UnrelatedWindows { key: &self.scripts.key }).await)
        };
        let mut strays = match asked.await {
            Some(Ok(strays)) => strays,
            // The action continues when the dialog is answered, and the question is repeated then.
            Some(Err(EvaluateError::DialogOpen(_))) => return,
            // The page that opened the tab has navigated in the meantime.
            _ => Vec::new(),
        };
        let mut state = self.state();
        for number in state.tabs.unclaimed(tab, epoch) {
            let Some(found) = state.tabs.get(number) else { continue };
            let wanted = found.wanted_url();
            // The query that a form adds is not yet known when the page records the address of the form.
            let stray = strays.iter().position(|address| without_query(address) == without_query(wanted));
            let ours = state.input && stray.is_none() && state.tabs.is_opened_from(found, tab, frame.as_ref());
            if let Some(at) = stray {
                strays.swap_remove(at);
            }
            if ours {
                state.claim(number);
            } else if let Some(found) = state.tabs.get_mut(number) {
                found.set_opened_by_page();
            }
        }
    }

    /// Waits until the document of a tab is loaded. Returns a description of what is missing if that takes too long.
    pub(crate) async fn load(&self, tab: u32, by: Instant) -> Option<String> {
        let mut parsed_at: Option<Instant> = None;
        loop {
            let deadline = parsed_at.map_or(by, |at| by.min(at + TAIL));
            let seen = self.until(deadline, |state| {
                let Some(tab) = state.tabs.get(tab) else { return Some(true) };
                if !tab.is_loading() || state.is_stuck(tab) {
                    return Some(true);
                }
                (tab.is_next_document_parsed() && parsed_at.is_none()).then_some(false)
            });
            match seen.await {
                Some(true) => return None,
                Some(false) => parsed_at = Some(Instant::now()),
                None => {
                    let state = self.state();
                    let url = state.tabs.get(tab).map(|tab| tab.url().to_owned()).unwrap_or_default();
                    return Some(format!("the page at {url} is still loading"));
                }
            }
        }
    }

    /// Stops the navigation that the action started if its server has sent nothing yet, and returns its address. The
    /// next action then works on the current page, which no longer changes unexpectedly.
    fn stop_unanswered(&self, tab: u32, epoch: ActionEpoch) -> Option<String> {
        let (session, url) = {
            let state = self.state();
            let tab = state.tabs.get(tab)?;
            (tab.session().clone(), tab.unanswered(epoch)?.to_owned())
        };
        self.driver.stop(&session);
        Some(url)
    }

    /// Whether this is the world of the tab's main document.
    pub(crate) fn is_main(&self, exec_context: &ExecutionContext) -> bool {
        self.state().tabs.get(exec_context.frame.tab).is_some_and(|tab| tab.frames().is_main(&exec_context.frame.id))
    }

    /// Whether a press that no element reported is a failure. In a frame, the browser may have sent the press to a
    /// different process. In the main frame, Chromium has delivered what it answered, and the page itself may suppress
    /// presses. Firefox promises no such order, so that only a press that a frame inside the element may have received
    /// counts without a report.
    async fn loses_presses(&self, acted: Option<(&ExecutionContext, Option<u32>)>) -> bool {
        let Some((exec_context, element)) = acted else { return false };
        if !self.is_main(exec_context) {
            return true;
        }
        if self.driver.capabilities().support(Capability::PressAnswers) == Support::Full {
            return false;
        }
        let Some(element) = element else { return false };
        const HOLDS_FRAME: &str = "element=>element.matches('iframe,frame,object,embed')\
            ||element.querySelector('iframe,frame,object,embed')!==null";
        let element = script::ElementOf { element }.expression();
        let asked = self.driver.call_in_page(exec_context.context_ref(), element, HOLDS_FRAME);
        // A page that does not answer has been left, which is an effect of the press.
        matches!(
            self.answer(exec_context.frame.tab, asked, self.options.timeouts.script).await,
            Ok(holds) if holds == false
        )
    }

    /// Calls the page script, which returns when the page has settled.
    async fn rest(
        &self,
        tab: u32,
        acted: Option<(&ExecutionContext, Option<u32>)>,
        deadline: Instant,
    ) -> Result<Settled, EvaluateError> {
        let Some(main) = self.main_frame(tab) else { return Ok(Settled::default()) };
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
        let limit = left + self.options.timeouts.script;
        let settle = |exec_context, element: Option<u32>| {
            let settle = script::Settle { key: &self.scripts.key, limit_ms: left.as_millis() as u64, element };
            self.call_within(exec_context, settle, limit)
        };
        let exec_context = self.exec_context(&main).await?;
        match acted {
            Some((acted, element)) if acted.context == exec_context.context => settle(&exec_context, element).await,
            Some((acted, element)) => {
                let (inner, outer) = tokio::join!(settle(acted, element), settle(&exec_context, None));
                // The action may have removed the frame; only the page matters then.
                let inner = match inner {
                    Err(EvaluateError::ContextDestroyed) => Settled::default(),
                    other => other?,
                };
                if inner.missed.is_some() || inner.busy.is_some() {
                    return Ok(inner);
                }
                let mut outer = outer?;
                let outcome = inner.outcome.or(outer.outcome.take());
                Ok(Settled { downloads: inner.downloads + outer.downloads, outcome, ..outer })
            }
            None => settle(&exec_context, None).await,
        }
    }

    fn unsettled(&self, mut pending: String) {
        self.guard().mask(&mut pending);
        self.state().effects.push(PageEffect::Unsettled { pending });
    }
}
