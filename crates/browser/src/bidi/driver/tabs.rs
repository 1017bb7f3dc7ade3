//! Tabs and frames: opening, setting up and navigating.

use std::sync::Arc;

use serde_json::json;

use super::Bidi;
use crate::driver::{
    DriverError, NavigationResult, Network, Pending, Pictures, SessionId, TabHistory, Tabs, Watch, dispatch,
};

impl Tabs for Bidi {
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String> {
        dispatch::mark_sent();
        // Firefox stops the animations and timers of a tab that another one of its window covers, so each tab has a
        // window of its own.
        let mut params = json!({"type": "window"});
        if let Some(context) = context {
            params["userContext"] = context.into();
        }
        let created = self.ask(None, "browsingContext.create", &params);
        let (inner, url) = (Arc::clone(&self.inner), url.to_owned());
        Pending::new(async move {
            let tab = created.await?["context"].as_str().unwrap_or_default().to_owned();
            if url != "about:blank" {
                let navigate = json!({"context": tab, "url": url, "wait": "none"});
                inner.connection.call(None, "browsingContext.navigate", &navigate).await?;
            }
            Ok(tab)
        })
    }

    fn attach_assigned_tab(&self) -> Pending<SessionId> {
        let reason = "only the extension for Chromium relays tabs of the user's own browser";
        Pending::new(async move { Err(DriverError::Refused(reason.to_owned())) })
    }

    fn close_tab(&self, tab: &str) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(None, "browsingContext.close", &json!({ "context": tab }))
    }

    fn activate(&self, session: &SessionId) -> Pending<()> {
        self.state().active = Some(session.clone());
        self.tell(Some(session), "browsingContext.activate", &json!({ "context": &**session }))
    }

    fn watch(&self, session: &SessionId, watch: &Watch<'_>) {
        // Scripts and interception were set up for the whole user context before the tab was there.
        if let Some((width, height)) = watch.viewport {
            drop(self.resize(session, width, height));
        }
        if let Some(network_emulation) = &watch.network_emulation {
            drop(self.set_conditions(session, network_emulation));
        }
        if watch.intercepts_requests {
            drop(self.intercept_requests(session, true));
        }
    }

    fn resume(&self, _session: &SessionId) {
        // Nothing is paused.
    }

    fn detach(&self, session: &SessionId) {
        if let Some(tab) = self.state().frames.get_mut(&**session) {
            tab.foreign = true;
        }
    }

    fn run_first(&self, session: &SessionId, source: String) -> Pending<()> {
        let params = json!({"functionDeclaration": format!("()=>{{{source}\n}}"), "contexts": [&**session]});
        self.tell(Some(session), "script.addPreloadScript", &params)
    }

    fn navigate(&self, session: &SessionId, url: &str) -> Pending<NavigationResult> {
        dispatch::mark_sent();
        let params = json!({"context": &**session, "url": url, "wait": "none"});
        let navigated = self.ask(Some(session), "browsingContext.navigate", &params);
        Pending::new(async move {
            match navigated.await {
                Ok(_) => Ok(NavigationResult::default()),
                Err(DriverError::Refused(reason)) => {
                    // The reason of the network is at the end: `…: Error: NS_ERROR_CONNECTION_REFUSED`.
                    let reason = reason.rsplit(": ").next().unwrap_or_default().to_owned();
                    Ok(NavigationResult { error: Some(reason), is_download: false })
                }
                Err(error) => Err(error),
            }
        })
    }

    fn stop(&self, session: &SessionId) {
        let params = json!({
            "expression": "window.stop()", "awaitPromise": false,
            "target": {"context": &**session, "sandbox": super::DRIVER_WORLD},
        });
        self.send(session, "script.evaluate", &params);
    }

    fn reload(&self, session: &SessionId) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(Some(session), "browsingContext.reload", &json!({"context": &**session, "wait": "none"}))
    }

    fn history(&self, _session: &SessionId) -> Pending<TabHistory> {
        // The protocol has no command for it; sessions that need it are not opened.
        Pending::new(async { Err(DriverError::Refused("WebDriver BiDi does not report the history".to_owned())) })
    }

    fn traverse_history(&self, session: &SessionId, by: i64) -> Pending<bool> {
        dispatch::mark_sent();
        let params = json!({"context": &**session, "delta": by});
        let moved = self.ask(Some(session), "browsingContext.traverseHistory", &params);
        Pending::new(async move {
            match moved.await {
                Ok(_) => Ok(true),
                Err(DriverError::Refused(reason)) if reason.contains("no such history entry") => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()> {
        dispatch::mark_sent();
        let mut params = json!({"context": &**session, "accept": accept});
        if let Some(text) = text {
            params["userText"] = text.into();
        }
        self.tell(Some(session), "browsingContext.handleUserPrompt", &params)
    }
}
