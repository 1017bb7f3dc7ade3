//! Navigation by address and through the history.

use legwork_protocol::{ActionFailure, NetworkError};
use tokio::time::Instant;
use url::Url;

use super::{ActionOutput, ActionScope};
use crate::{
    Session,
    evaluate_error::{EvaluateError, dialog_open},
};

/// Parses an address, and refuses those that must never be opened.
pub(crate) fn address(text: &str) -> Result<Url, ActionFailure> {
    let refused = |reason: &str| ActionFailure::Refused { reason: reason.to_owned() };
    let url = Url::parse(text.trim()).map_err(|error| ActionFailure::Refused {
        reason: format!("{text:?} is no address: {error}; give one that begins with http:// or https://"),
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        "javascript" => Err(refused("a javascript: address would run code in the page; use the actions instead")),
        "file" => Err(refused("a file: address would read this machine's files; serve them over http instead")),
        "data" => Err(refused("a data: address has no origin to judge it by; serve the page over http instead")),
        other => Err(ActionFailure::Refused {
            reason: format!("{other}: addresses are not opened; only http and https are"),
        }),
    }
}

/// The failure for the browser's reason for not showing an address. `None` if the server did respond: the status that
/// the navigation reports says more than the empty document that came with it.
pub(super) fn not_loaded(url: &str, reason: &str) -> Option<ActionFailure> {
    match NetworkError::of(reason) {
        NetworkError::ErrorStatus => return None,
        NetworkError::BlockedByClient => {
            let reason = format!("{url} leads to an address that this run may not ask for");
            return Some(ActionFailure::Refused { reason });
        }
        _ => {}
    }
    let reason = if reason.is_empty() { "the browser shows an error page in its place" } else { reason };
    Some(ActionFailure::Unreachable { url: url.to_owned(), reason: reason.to_owned() })
}

impl Session {
    pub(crate) async fn open(&self, text: &str) -> Result<ActionOutput, ActionFailure> {
        let url = address(text)?;
        self.inner.guard().allows(&url)?;
        let tab = match self.inner.current_tab() {
            Ok(tab) => tab,
            Err(ActionFailure::NotFound { .. }) => self.fresh_tab().await?,
            Err(failure) => return Err(failure),
        };
        let epoch = {
            let mut state = self.inner.state();
            let epoch = state.begin_epoch();
            if let Some(dialog) = state.dialogs.open_in(tab) {
                return Err(dialog_open(dialog));
            }
            if let Some(found) = state.tabs.get_mut(tab) {
                found.revive();
            }
            epoch
        };
        let scope = ActionScope { tab, epoch, awaits_answer: false };
        match self.navigate(scope, &url).await {
            Err(ActionFailure::Unresponsive) => {
                // The page blocks the navigation; a new tab is not affected by it.
                let fresh = self.fresh_tab().await?;
                self.drop_tab(tab).await;
                let scope = ActionScope { tab: fresh, ..scope };
                self.navigate(scope, &url).await?;
                self.rest(scope, None).await?;
            }
            other => {
                other?;
                self.rest(scope, None).await?;
            }
        }
        Ok(ActionOutput::default())
    }

    async fn navigate(&self, scope: ActionScope, url: &Url) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let limit = self.inner.options.timeouts.navigation;
        let reply = self.inner.driver.navigate(&session, url.as_str());
        // A page in an endless loop also blocks the navigation away from it, so it gets only the time limit of a script
        // unless a request has begun.
        let hung = self.inner.within(self.inner.options.timeouts.script, |state| {
            state.tabs.get(scope.tab).is_none_or(|tab| tab.pending(scope.epoch).next().is_some()).then_some(())
        });
        let navigated = self.inner.answer(scope.tab, reply, limit);
        tokio::pin!(navigated);
        let navigated = tokio::select! {
            biased;
            navigated = &mut navigated => navigated,
            asked = hung => match asked {
                Some(()) => navigated.await,
                None => return Err(ActionFailure::Unresponsive),
            },
        };
        let navigated = match navigated {
            Ok(navigated) => navigated,
            Err(EvaluateError::Failed(ActionFailure::Unresponsive)) => {
                self.inner.driver.stop(&session);
                return Err(ActionFailure::LoadTimeout { url: url.to_string(), ms: limit.as_millis() as u64 });
            }
            Err(EvaluateError::Failed(ActionFailure::BrowserRefused { reason })) => {
                return Err(ActionFailure::Unreachable { url: url.to_string(), reason });
            }
            Err(EvaluateError::DialogOpen(_)) => return Ok(()),
            Err(trouble) => return Err(trouble.into()),
        };
        let Some(mut reason) = navigated.error else { return Ok(()) };
        if let Some(egress) = &self.inner.egress {
            egress.explain(url.as_str(), &mut reason);
        }
        if navigated.is_download || self.download_since(scope) {
            return Ok(());
        }
        not_loaded(url.as_str(), &reason).map_or(Ok(()), Err)
    }

    fn download_since(&self, scope: ActionScope) -> bool {
        self.inner.state().downloads.any_since(scope.epoch)
    }

    pub(crate) async fn history(&self, scope: ActionScope, by: i64) -> Result<ActionOutput, ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let limit = self.inner.options.timeouts.script;
        self.leaving(scope);
        let moved = self.inner.answer(scope.tab, self.inner.driver.traverse_history(&session, by), limit).await;
        if moved == Ok(false) {
            if let Some(tab) = self.inner.state().tabs.get_mut(scope.tab) {
                tab.frames_mut().navigation_cancelled();
            }
            let what = if by < 0 { "back" } else { "forward" };
            return Err(ActionFailure::NotAvailable {
                what: what.to_owned(),
                reason: "there is no such page in the history".to_owned(),
            });
        }
        Self::input_done(moved.map(drop))?;
        self.rest(scope, None).await?;
        Ok(ActionOutput::default())
    }

    pub(crate) async fn reload(&self, scope: ActionScope) -> Result<ActionOutput, ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        self.leaving(scope);
        let limit = self.inner.options.timeouts.script;
        Self::input_done(self.inner.answer(scope.tab, self.inner.driver.reload(&session), limit).await)?;
        self.rest(scope, None).await?;
        Ok(ActionOutput::default())
    }

    /// Notes that the main frame is about to navigate, because the browser's event arrives only after the answer to the
    /// command.
    fn leaving(&self, scope: ActionScope) {
        let mut state = self.inner.state();
        if let Some(tab) = state.tabs.get_mut(scope.tab) {
            tab.revive();
            tab.frames_mut().main_navigation_started();
        }
    }

    pub(crate) async fn fresh_tab(&self) -> Result<u32, ActionFailure> {
        self.open_tab("about:blank").await.map_err(|error| ActionFailure::BrowserGone { reason: error.to_string() })
    }

    pub(crate) async fn drop_tab(&self, tab: u32) {
        let target = self.inner.state().tabs.get(tab).map(|tab| tab.target().to_owned());
        let Some(target) = target else { return };
        let limit = self.inner.options.timeouts.script;
        let _ = self.inner.driver.close_tab(&target).within(limit).await;
        self.inner.until(Instant::now() + limit, |state| state.tabs.get(tab).is_none().then_some(())).await;
    }
}
