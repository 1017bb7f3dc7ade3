//! Observing a page: the whole page, a part of it, or what changed since the caller's last observation.

use std::{sync::Arc, time::Duration};

use legwork_browser::Gesture;
use legwork_observe::{FindError, Snapshot, TextMatches, diff, find, render};
use legwork_protocol::{Action, ActionFailure, ActionResult, Observation, View};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Page;
use crate::readable;

/// The result of an action and what it changed on the page.
#[derive(Clone, Debug)]
pub struct ActOutcome {
    /// The result of the action.
    pub result: ActionResult,
    /// The changes; the whole page if it is another one or mostly new; `None` if the page cannot be observed.
    pub change: Option<Observation>,
}

impl Page {
    /// The page as text within the view's token limit. From here on, the caller has seen this page.
    ///
    /// # Errors
    /// If the page has crashed or does not respond, or the browser is gone.
    pub async fn observe(&self, view: &View) -> Result<Observation, ActionFailure> {
        let mut seen = self.last_seen.lock().await;
        let now = self.session.observe(None).await?;
        self.note_shown(&now);
        let shown = render(&now, view);
        // An observation of a part does not cover the rest of the page.
        if view.root.is_none() {
            *seen = Some(now);
        }
        Ok(shown)
    }

    /// The page as a tree, for a decider of your own. It does not count as seen for the text observations.
    ///
    /// # Errors
    /// As [`Page::observe`].
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>, ActionFailure> {
        let _guard = self.last_seen.lock().await;
        let now = self.session.observe(None).await?;
        self.note_shown(&now);
        Ok(now)
    }

    /// Executes an action and returns what it changed, within the view's token limit.
    pub async fn act_with_diff(&self, action: &Action, view: &View, cancel: &CancellationToken) -> ActOutcome {
        let mut seen = self.last_seen.lock().await;
        let result = self.perform(action, cancel).await;
        let change = self.changed(&mut seen, view).await;
        ActOutcome { result, change }
    }

    /// Performs a gesture and returns what it changed, within the view's token limit.
    pub async fn gesture_with_diff(&self, gesture: &Gesture, view: &View, cancel: &CancellationToken) -> ActOutcome {
        let mut seen = self.last_seen.lock().await;
        let result = match self.permit_gesture(gesture) {
            Ok(()) => self.session.gesture(gesture, cancel).await,
            Err(failure) => ActionResult::failed(failure, Duration::ZERO),
        };
        let change = self.changed(&mut seen, view).await;
        ActOutcome { result, change }
    }

    /// Runs a script in the page's own world, as [`Session::evaluate`](legwork_browser::Session::evaluate) does, and
    /// returns what it changed; `None` if it changed nothing.
    ///
    /// # Errors
    /// If the script throws or the page does not respond.
    pub async fn evaluate(
        &self,
        script: &str,
        target: Option<&legwork_protocol::Target>,
        view: &View,
    ) -> Result<(Value, Option<Observation>), ActionFailure> {
        let mut seen = self.last_seen.lock().await;
        self.permit_unknown("evaluate")?;
        let value = self.session.evaluate(script, target).await?;
        if seen.is_none() {
            // A caller that has never observed the page does not need the page as a result of a script, and has not
            // seen it afterwards.
            return Ok((value, None));
        }
        let change = self.changed(&mut seen, view).await;
        Ok((value, change.filter(|change| !is_unchanged(change))))
    }

    /// Selects files in the file chooser that a click opened, or cancels it if there are none, and returns what that
    /// changed.
    ///
    /// # Errors
    /// If no file chooser is open, or a file may not be uploaded.
    pub async fn choose_files(&self, files: &[String], view: &View) -> Result<Option<Observation>, ActionFailure> {
        let mut seen = self.last_seen.lock().await;
        self.permit_files(files).await?;
        self.session.choose_files(files).await?;
        Ok(self.changed(&mut seen, view).await)
    }

    /// What changed since the caller's last observation, or the whole page if there was none. With `within`, it waits
    /// for the next change, for at most that time.
    ///
    /// # Errors
    /// As [`Page::observe`].
    pub async fn changes(&self, view: &View, within: Option<Duration>) -> Result<Observation, ActionFailure> {
        let mut seen = self.last_seen.lock().await;
        let now = self.session.observe(within).await?;
        self.note_shown(&now);
        Ok(difference(&mut seen, now, view))
    }

    /// The lines of the page that contain a text, or that match a regular expression between slashes, with their refs.
    ///
    /// # Errors
    /// If the page cannot be read.
    pub async fn find(
        &self,
        pattern: &str,
        max_tokens: usize,
    ) -> Result<Result<TextMatches, FindError>, ActionFailure> {
        let now = self.snapshot().await?;
        Ok(find(&now, pattern, max_tokens))
    }

    /// The main text of the page as Markdown, without navigation and other parts that repeat on every page.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub async fn readable(&self) -> Result<String, ActionFailure> {
        let html = {
            let _guard = self.last_seen.lock().await;
            self.session.readable().await?
        };
        readable::markdown(html).await
    }

    async fn changed(&self, seen: &mut Option<Arc<Snapshot>>, view: &View) -> Option<Observation> {
        let limit = self.settings.timeouts.element;
        let now = self.session.observe_ready(seen.as_deref(), limit).await.ok()?;
        self.note_shown(&now);
        Some(difference(seen, now, view))
    }
}

fn difference(seen: &mut Option<Arc<Snapshot>>, now: Arc<Snapshot>, view: &View) -> Observation {
    if now.dialog.is_some() {
        // A dialog hides the page, and the page is unchanged after the answer. So the last page that was seen stays the
        // base of the next comparison.
        return render(&now, view);
    }
    let tab = |page: &Snapshot| page.tabs.iter().find(|tab| tab.current).map(|tab| tab.number);
    let told = match seen.as_deref() {
        // Two tabs show different pages, so they are not compared.
        Some(before) if tab(before) == tab(&now) => diff(before, &now, view),
        _ => render(&now, view),
    };
    *seen = Some(now);
    told
}

/// Whether an observation states only that nothing changed.
pub fn is_unchanged(seen: &Observation) -> bool {
    seen.diff && seen.text.starts_with("* nothing changed")
}
