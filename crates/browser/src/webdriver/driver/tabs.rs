//! Tabs: opening, setting up and navigating. Each is a window, because the page of a covered tab stands still.

use legwork_protocol::DialogKind;
use serde_json::{Value, json};

use super::{WebDriver, gone, refused};
use crate::{
    driver::{NavigationResult, Pending, SessionId, TabHistory, Tabs, Watch, dispatch},
    webdriver::{context::Context, wire::CommandError},
};

impl Context {
    /// Sets the size of the view: that of the window is larger by the browser's own parts.
    pub(in crate::webdriver) async fn resize(
        &mut self,
        tab: &str,
        width: u32,
        height: u32,
    ) -> Result<(), CommandError> {
        const ATTEMPTS: usize = 8;
        const MOMENT: std::time::Duration = std::time::Duration::from_millis(25);
        let (mut across, mut down) = (width, height);
        for _ in 0..ATTEMPTS {
            let size = self.script(tab, "return[innerWidth,innerHeight]", json!([])).await?;
            let (inner_width, inner_height) = (side(&size[0]), side(&size[1]));
            if (inner_width, inner_height) == (width, height) {
                return Ok(());
            }
            let rect = self.wire.get("/window/rect").await?;
            // The bars of a new window appear a moment after it.
            across = side(&rect["width"]).saturating_sub(inner_width) + width;
            down = side(&rect["height"]).saturating_sub(inner_height) + height;
            self.wire.post("/window/rect", json!({"width": across, "height": down})).await?;
            tokio::time::sleep(MOMENT).await;
        }
        tracing::debug!(width, height, across, down, "the window did not take its size");
        Ok(())
    }

    async fn new_tab(&mut self, url: &str) -> Result<String, CommandError> {
        let handle = self.wire.new_window().await?;
        if let Some((width, height)) = self.viewport {
            self.resize(&handle, width, height).await?;
        }
        self.adopt(&handle, false).await?;
        if url != "about:blank" {
            self.go(&handle, url).await?;
        }
        self.look_at(&handle).await;
        Ok(handle)
    }

    async fn go(&mut self, tab: &str, url: &str) -> Result<(), CommandError> {
        self.last_tab = Some(tab.to_owned());
        self.wire.enter(tab, &[]).await?;
        self.wire.post("/url", json!({ "url": url })).await?;
        self.navigation_begun(tab, url, "GET");
        Ok(())
    }
}

fn side(value: &Value) -> u32 {
    value.as_f64().unwrap_or_default().max(0.0) as u32
}

impl Tabs for WebDriver {
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String> {
        dispatch::mark_sent();
        let Some(queue) = self.queue_of(context) else { return gone() };
        let url = url.to_owned();
        queue.whole(move |context| Box::pin(async move { context.new_tab(&url).await }))
    }

    fn attach_assigned_tab(&self) -> Pending<SessionId> {
        refused("only the extension for Chromium relays tabs of the user's own browser")
    }

    fn close_tab(&self, tab: &str) -> Pending<()> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(tab) else { return gone() };
        let tab = tab.to_owned();
        queue.whole(move |context| {
            Box::pin(async move {
                if context.tabs.get(&tab).is_some_and(|tab| tab.dialog.is_some()) {
                    // A window with a dialog does not close.
                    context.wire.enter(&tab, &[]).await?;
                    let _ = context.wire.post("/alert/dismiss", json!({})).await;
                }
                context.wire.enter(&tab, &[]).await?;
                context.wire.delete("/window").await?;
                context.tab_closed(&tab);
                Ok(())
            })
        })
    }

    fn activate(&self, session: &SessionId) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        let tab = session.to_string();
        queue.in_tab(session, move |context| Box::pin(async move { context.wire.enter(&tab, &[]).await }))
    }

    fn watch(&self, session: &SessionId, watch: &Watch<'_>) {
        // Scripts are set up for the whole context. A window of the size that the context has is not touched.
        let Some((width, height)) = watch.viewport else { return };
        let Some(queue) = self.queue(session) else { return };
        let tab = session.to_string();
        drop(queue.in_tab(session, move |context| Box::pin(async move { context.resize(&tab, width, height).await })));
    }

    fn resume(&self, _session: &SessionId) {
        // Nothing is paused.
    }

    fn detach(&self, session: &SessionId) {
        // Each context belongs to one session, and so do its tabs.
        tracing::debug!(%session, "a tab of no session");
    }

    fn run_first(&self, session: &SessionId, source: String) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        queue.whole(move |context| {
            let restore = context.restore.get_or_insert_default();
            *restore = format!("{restore};{source}");
            Box::pin(async { Ok(()) })
        })
    }

    fn navigate(&self, session: &SessionId, url: &str) -> Pending<NavigationResult> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(session) else { return gone() };
        let (tab, url) = (session.to_string(), url.to_owned());
        queue.in_tab(session, move |context| {
            Box::pin(async move {
                context.go(&tab, &url).await?;
                Ok(NavigationResult::default())
            })
        })
    }

    fn stop(&self, session: &SessionId) {
        let Some(queue) = self.queue(session) else { return };
        let tab = session.to_string();
        drop(queue.in_tab(session, move |context| {
            Box::pin(async move { context.script(&tab, "window.stop()", json!([])).await.map(drop) })
        }));
    }

    fn reload(&self, session: &SessionId) -> Pending<()> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(session) else { return gone() };
        let tab = session.to_string();
        queue.in_tab(session, move |context| {
            Box::pin(async move {
                context.wire.enter(&tab, &[]).await?;
                let url = context.wire.get("/url").await?;
                context.wire.post("/refresh", json!({})).await?;
                context.navigation_begun(&tab, url.as_str().unwrap_or_default(), "GET");
                Ok(())
            })
        })
    }

    fn history(&self, _session: &SessionId) -> Pending<TabHistory> {
        refused("WebDriver does not report the history")
    }

    fn traverse_history(&self, session: &SessionId, by: i64) -> Pending<bool> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(session) else { return gone() };
        let tab = session.to_string();
        queue.in_tab(session, move |context| Box::pin(async move { context.traverse(&tab, by).await }))
    }

    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(session) else { return gone() };
        let (tab, text) = (session.to_string(), text.map(str::to_owned));
        queue.whole(move |context| Box::pin(async move { context.answer_dialog(&tab, accept, text).await }))
    }
}

impl Context {
    /// Moves in the history. The protocol does not say whether there is an entry, so that the document or its address
    /// must change.
    async fn traverse(&mut self, tab: &str, by: i64) -> Result<bool, CommandError> {
        const LIMIT: std::time::Duration = std::time::Duration::from_millis(600);
        const PAUSE: std::time::Duration = std::time::Duration::from_millis(15);
        let place = |context: &Context| {
            let known = context.tabs.get(tab)?;
            let frame = known.frames.get(tab)?;
            Some((frame.key.clone(), frame.url.clone(), known.navigation.is_some()))
        };
        self.wire.enter(tab, &[]).await?;
        let length = self.script(tab, "return history.length", json!([])).await?;
        if length.as_i64().unwrap_or_default() <= by.abs() {
            return Ok(false);
        }
        let before = place(self);
        let command = if by < 0 { "/back" } else { "/forward" };
        for _ in 0..by.unsigned_abs() {
            self.wire.post(command, json!({})).await?;
        }
        let begun = std::time::Instant::now();
        while begun.elapsed() < LIMIT {
            self.look_at(tab).await;
            if place(self) != before {
                return Ok(true);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(false)
    }

    async fn answer_dialog(&mut self, tab: &str, accept: bool, text: Option<String>) -> Result<(), CommandError> {
        self.wire.enter(tab, &[]).await?;
        let is_prompt = self
            .tabs
            .get(tab)
            .and_then(|tab| tab.dialog.as_ref())
            .is_some_and(|dialog| dialog.kind != DialogKind::Alert);
        // A question without a mark may be a prompt, which alone takes a text.
        if let Some(text) = text.as_deref().filter(|_| accept && is_prompt) {
            self.wire.post("/alert/text", json!({ "text": text })).await?;
        }
        self.wire.post(if accept { "/alert/accept" } else { "/alert/dismiss" }, json!({})).await?;
        self.dialog_closed(tab, accept, text.unwrap_or_default());
        self.look_at(tab).await;
        Ok(())
    }
}
