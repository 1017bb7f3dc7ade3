//! Waits for conditions on the page. The page reports its changes, so that it is not polled.

use std::time::Duration;

use legwork_protocol::{ActionFailure, LoadState, Wait};
use tokio::time::Instant;

use crate::{
    Session,
    act::{ActionOutput, ActionScope},
    action_epoch::ActionEpoch,
    evaluate_error::EvaluateError,
    page_script as script,
};

impl Session {
    pub(crate) async fn wait(&self, scope: ActionScope, wait: &Wait) -> Result<ActionOutput, ActionFailure> {
        let seconds = wait.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limit = seconds.unwrap_or(self.inner.options.timeouts.wait);
        let begun = Instant::now();
        let deadline = begun + limit;
        let late = |what: String| ActionFailure::Timeout { what, ms: limit.as_millis() as u64 };
        let mut plain = true;
        if let Some(pattern) = &wait.url {
            plain = false;
            let there = |state: &mut crate::state::SessionState| {
                state.tabs.get(scope.tab).is_none_or(|tab| matches_url(pattern, tab.url())).then_some(())
            };
            self.inner.until(deadline, there).await.ok_or_else(|| late(format!("the address {pattern:?}")))?;
        }
        if let Some(state) = wait.state {
            plain = false;
            self.until_loaded(scope, state, deadline).await.ok_or_else(|| late(format!("{state:?}")))?;
        }
        for (text, shown) in [(&wait.text, true), (&wait.gone, false)] {
            let Some(text) = text else { continue };
            plain = false;
            if !self.until_shown(scope, text, shown, deadline).await? {
                let what = if shown { format!("the text {text:?}") } else { format!("the end of the text {text:?}") };
                return Err(late(what));
            }
        }
        if plain {
            match seconds {
                Some(_) => tokio::time::sleep_until(deadline).await,
                None => {
                    let reason = "nothing was said to wait for".to_owned();
                    return Err(ActionFailure::InvalidArgument { what: "wait".to_owned(), reason });
                }
            }
        }
        Ok(ActionOutput::default())
    }

    async fn until_loaded(&self, scope: ActionScope, wanted: LoadState, deadline: Instant) -> Option<()> {
        self.inner
            .until(deadline, |state| {
                let Some(tab) = state.tabs.get(scope.tab) else { return Some(()) };
                let reached = match wanted {
                    LoadState::Dom => tab.frames().is_parsed_or_loaded()?,
                    LoadState::Load => !tab.is_loading(),
                    LoadState::Idle => !tab.is_loading() && tab.pending(ActionEpoch::default()).next().is_none(),
                };
                reached.then_some(())
            })
            .await
    }

    /// Whether the text appeared, or disappeared, in time.
    async fn until_shown(
        &self,
        scope: ActionScope,
        text: &str,
        shown: bool,
        deadline: Instant,
    ) -> Result<bool, ActionFailure> {
        let ask = script::IncludesText { text };
        loop {
            let mut found = false;
            for frame in self.inner.outer_frames(scope.tab) {
                let asked = async {
                    let exec_context = self.inner.exec_context(&frame).await?;
                    self.inner.call(&exec_context, &ask).await
                };
                match asked.await {
                    Ok(here) => found |= here,
                    Err(EvaluateError::ContextDestroyed) => {}
                    Err(trouble) => return Err(trouble.into()),
                }
            }
            if found == shown {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            // Changes in frames and styles are not reported to the main document, so the text is also checked after
            // this interval.
            let patience = left.min(Duration::from_millis(250));
            let changed = async {
                let frame = self.inner.main_frame(scope.tab).ok_or(EvaluateError::ContextDestroyed)?;
                let exec_context = self.inner.exec_context(&frame).await?;
                let change = script::WaitForChange { timeout_ms: patience.as_millis() as u64 };
                self.inner.call(&exec_context, change).await
            };
            match changed.await {
                Ok(_) => {}
                Err(EvaluateError::ContextDestroyed) => {
                    let by = Instant::now() + patience;
                    self.inner
                        .until(by, |state| state.tabs.get(scope.tab).is_none_or(|tab| !tab.is_loading()).then_some(()))
                        .await;
                }
                Err(trouble) => return Err(trouble.into()),
            }
        }
    }
}

/// Whether an address contains the pattern or, if the pattern contains `*`, matches it as a whole; `*` matches any
/// characters.
fn matches_url(pattern: &str, url: &str) -> bool {
    if !pattern.contains('*') {
        return url.contains(pattern);
    }
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = url.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches_url;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches_url("/done", "http://a.test/done?x=1"));
        assert!(matches_url("http://*/done*", "http://a.test/done?x=1"));
        assert!(matches_url("*/done", "http://a.test/done"));
        assert!(!matches_url("*/done", "http://a.test/done?x=1"));
        assert!(!matches_url("https://*", "http://a.test/"));
    }
}
