//! Looking at a page: whole, a part of it, or only what changed since its holder looked last.

use std::{sync::Arc, time::Duration};

use legwork_browser::Gesture;
use legwork_observe::{FindError, Snapshot, TextMatches, diff, find, render};
use legwork_protocol::{Action, ActionFailure, ActionResult, Observation, View};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Page;
use crate::readable;

/// What an action did, and what that changed.
#[derive(Clone, Debug)]
pub struct ActOutcome {
    /// What it did.
    pub result: ActionResult,
    /// What is different now, or the page itself when it is another one or mostly new; absent when it cannot be read.
    pub change: Option<Observation>,
}

impl Page {
    /// The page as text within the view's budget. From here on its holder has seen it.
    ///
    /// # Errors
    /// When the page crashed, does not answer, or the browser is gone.
    pub async fn observe(&self, view: &View) -> Result<Observation, ActionFailure> {
        let mut seen = self.turn.lock().await;
        let now = self.session.observe(None).await?;
        let shown = render(&now, view);
        // Of a part one has not seen the rest.
        if view.root.is_none() {
            *seen = Some(now);
        }
        Ok(shown)
    }

    /// The page as a tree, for a decider of one's own. Nothing is told of it to who reads the text.
    ///
    /// # Errors
    /// As [`Page::observe`].
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>, ActionFailure> {
        let _turn = self.turn.lock().await;
        self.session.observe(None).await
    }

    /// Acts, and tells what that changed, within the view's budget.
    pub async fn act_with_diff(&self, action: &Action, view: &View, cancel: &CancellationToken) -> ActOutcome {
        let mut seen = self.turn.lock().await;
        let result = self.session.act(action, cancel).await;
        let change = self.changed(&mut seen, view).await;
        ActOutcome { result, change }
    }

    /// Carries out a gesture, and tells what that changed, within the view's budget.
    pub async fn gesture_with_diff(&self, gesture: &Gesture, view: &View, cancel: &CancellationToken) -> ActOutcome {
        let mut seen = self.turn.lock().await;
        let result = self.session.gesture(gesture, cancel).await;
        let change = self.changed(&mut seen, view).await;
        ActOutcome { result, change }
    }

    /// Runs a script in the page's own world, as [`Session::evaluate`](legwork_browser::Session::evaluate) does, and tells
    /// what that changed; nothing, when nothing did.
    ///
    /// # Errors
    /// When the script throws or the page does not answer.
    pub async fn evaluate(
        &self,
        script: &str,
        target: Option<&legwork_protocol::Target>,
        view: &View,
    ) -> Result<(Value, Option<Observation>), ActionFailure> {
        let mut seen = self.turn.lock().await;
        let value = self.session.evaluate(script, target).await?;
        if seen.is_none() {
            // Who never looked is not shown the page for this, and has not seen it then.
            return Ok((value, None));
        }
        let change = self.changed(&mut seen, view).await;
        Ok((value, change.filter(|change| !is_unchanged(change))))
    }

    /// Puts files into the file chooser that a click opened, none to cancel it, and tells what that changed.
    ///
    /// # Errors
    /// When no chooser waits, or a file may not be uploaded.
    pub async fn choose_files(&self, files: &[String], view: &View) -> Result<Option<Observation>, ActionFailure> {
        let mut seen = self.turn.lock().await;
        self.session.choose_files(files).await?;
        Ok(self.changed(&mut seen, view).await)
    }

    /// What changed since its holder looked last, or the whole page when they never did; after its next change within a
    /// time, when one is given.
    ///
    /// # Errors
    /// As [`Page::observe`].
    pub async fn changes(&self, view: &View, within: Option<Duration>) -> Result<Observation, ActionFailure> {
        let mut seen = self.turn.lock().await;
        let now = self.session.observe(within).await?;
        Ok(difference(&mut seen, now, view))
    }

    /// The lines of the page that hold a text, or match a regular expression between slashes, with their refs.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub async fn find(
        &self,
        pattern: &str,
        max_tokens: usize,
    ) -> Result<Result<TextMatches, FindError>, ActionFailure> {
        let now = self.snapshot().await?;
        Ok(find(&now, pattern, max_tokens))
    }

    /// What the page says, as Markdown without its furniture.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub async fn readable(&self) -> Result<String, ActionFailure> {
        let html = {
            let _turn = self.turn.lock().await;
            self.session.readable().await?
        };
        readable::markdown(html).await
    }

    async fn changed(&self, seen: &mut Option<Arc<Snapshot>>, view: &View) -> Option<Observation> {
        let now = self.session.observe(None).await.ok()?;
        Some(difference(seen, now, view))
    }
}

fn difference(seen: &mut Option<Arc<Snapshot>>, now: Arc<Snapshot>, view: &View) -> Observation {
    if now.dialog.is_some() {
        // It hides the page, which is as it was once it is answered.
        return render(&now, view);
    }
    let tab = |page: &Snapshot| page.tabs.iter().find(|tab| tab.current).map(|tab| tab.number);
    let told = match seen.as_deref() {
        // What stands in one tab is no change of another.
        Some(before) if tab(before) == tab(&now) => diff(before, &now, view),
        _ => render(&now, view),
    };
    *seen = Some(now);
    told
}

/// Whether an observation says no more than that all is as it was.
pub fn is_unchanged(seen: &Observation) -> bool {
    seen.diff && seen.text.starts_with("- nothing changed")
}
