//! After an action: wait until the page has come to rest. Evidence, in this order: a navigation begun, requests the action set
//! off, and what the page itself has put off or is moving (asked of the page in one call that answers when it is over). A
//! page that never rests is given up after a while, and that is said. Nothing here waits for a fixed time.

use std::time::Duration;

use legwork_protocol::{ActionFailure, PageEffect};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    frames::{Place, Trouble},
    shared::Shared,
    state::Mark,
};

/// How long a loading document that is already parsed may keep us from going on.
const TAIL: Duration = Duration::from_secs(5);

/// How long a download may take to begin that the page asked for.
const DOWNLOAD: Duration = Duration::from_secs(1);

/// The press came to no element of the frame.
pub(crate) const ASTRAY: &str = "!";

/// The press came, its release did not: between processes each input finds its own way.
pub(crate) const HALF: &str = "^";

/// How the page says it came to rest.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Rest {
    /// What got the press that was meant for another element; [`ASTRAY`] when none came, [`HALF`] when only its release did not.
    missed: Option<String>,
    /// What is still under way.
    busy: Option<String>,
    /// Links followed that save what they lead to.
    downloads: usize,
}

impl Shared {
    /// Waits until the tab, or the one that the action opened, is at rest. `acted` is the world and the element acted on.
    pub(crate) async fn settle(
        &self,
        tab: u32,
        acted: Option<(&Place, Option<u32>)>,
        mark: Mark,
    ) -> Result<(), ActionFailure> {
        let mut tab = tab;
        let mut acted = acted;
        let deadline = Instant::now() + self.options.timeouts.settle;
        let loaded_by = Instant::now() + self.options.timeouts.navigation;
        loop {
            {
                let state = self.state();
                if let Some(reason) = &state.gone {
                    return Err(ActionFailure::BrowserGone { reason: reason.clone() });
                }
                // A tab that the action opened is where one looks next.
                if let Some(opened) = state.current().filter(|current| current.number != tab && current.opened >= mark)
                {
                    tab = opened.number;
                    acted = None;
                }
                let Some(found) = state.tab(tab) else { return Ok(()) };
                if found.crashed {
                    return Err(ActionFailure::Crashed);
                }
                if found.dialog.is_some() {
                    return Ok(());
                }
            }
            if let Some(pending) = self.load(tab, loaded_by).await {
                if let Some(url) = self.stop_unanswered(tab, mark) {
                    let ms = self.options.timeouts.navigation.as_millis() as u64;
                    return Err(ActionFailure::LoadTimeout { url, ms });
                }
                self.unsettled(pending);
                return Ok(());
            }
            let requests = self.until(deadline, |state| {
                state
                    .tab(tab)
                    .is_none_or(|tab| tab.dialog.is_some() || tab.is_loading() || tab.pending(mark).next().is_none())
                    .then_some(())
            });
            if requests.await.is_none() {
                let pending =
                    self.state().tab(tab).and_then(|tab| tab.pending(mark).next().map(|request| request.url.clone()));
                if let Some(url) = pending {
                    self.unsettled(format!("a request to {url}"));
                }
                return Ok(());
            }
            match self.rest(tab, acted, deadline).await {
                // The page itself may keep presses to itself; between processes they can go astray.
                Ok(Rest { missed: Some(by), .. }) if by != ASTRAY || acted.is_some_and(|(at, _)| !self.is_main(at)) => {
                    return Err(ActionFailure::Covered { target: String::new(), by });
                }
                // It answered at once; the next call waits.
                Ok(Rest { missed: Some(_), .. }) => {}
                Ok(Rest { busy: Some(pending), .. }) => {
                    self.unsettled(pending);
                    return Ok(());
                }
                Ok(rest) => {
                    if rest.downloads > 0 {
                        let told = |state: &mut crate::state::State| {
                            let begun = state.downloads.values().any(|download| download.begun >= mark);
                            (begun || state.tab(tab).is_none_or(|tab| tab.is_loading())).then_some(())
                        };
                        // It may lead to nothing, and then nothing is told.
                        self.within(DOWNLOAD, told).await;
                    }
                    let state = self.state();
                    let opened = state.current().is_some_and(|current| current.number != tab && current.opened >= mark);
                    let at_rest =
                        state.tab(tab).is_none_or(|tab| !tab.is_loading() && tab.pending(mark).next().is_none());
                    if at_rest && !opened {
                        return Ok(());
                    }
                }
                Err(Trouble::Dialog(_)) => return Ok(()),
                Err(Trouble::Failed(failure)) => return Err(failure),
                Err(Trouble::Left) => {
                    acted = None;
                    if Instant::now() >= deadline {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Waits for a document on its way; answers what is still missing when that takes too long.
    pub(crate) async fn load(&self, tab: u32, by: Instant) -> Option<String> {
        let mut parsed_at: Option<Instant> = None;
        loop {
            let deadline = parsed_at.map_or(by, |at| by.min(at + TAIL));
            let seen = self.until(deadline, |state| {
                let Some(tab) = state.tab(tab) else { return Some(true) };
                if !tab.is_loading() || tab.dialog.is_some() || tab.crashed || state.gone.is_some() {
                    return Some(true);
                }
                let parsed = tab.main().is_some_and(|frame| frame.parsed && !frame.navigating);
                (parsed && parsed_at.is_none()).then_some(false)
            });
            match seen.await {
                Some(true) => return None,
                Some(false) => parsed_at = Some(Instant::now()),
                None => {
                    let state = self.state();
                    let url = state.tab(tab).map(|tab| tab.url().to_owned()).unwrap_or_default();
                    return Some(format!("the page at {url} is still loading"));
                }
            }
        }
    }

    /// The address that the action led to and whose server has sent nothing yet; it is waited for no longer, so that what
    /// comes next finds the page that is still there, and not one that changes under it.
    fn stop_unanswered(&self, tab: u32, mark: Mark) -> Option<String> {
        let (session, url) = {
            let state = self.state();
            let tab = state.tab(tab)?;
            (tab.session.clone(), tab.unanswered(mark)?.url.clone())
        };
        self.driver.stop(&session);
        Some(url)
    }

    /// Whether it is the tab's own document.
    pub(crate) fn is_main(&self, place: &Place) -> bool {
        self.state().tab(place.frame.tab).is_some_and(|tab| tab.target == place.frame.id)
    }

    /// Asks the page itself.
    async fn rest(&self, tab: u32, acted: Option<(&Place, Option<u32>)>, deadline: Instant) -> Result<Rest, Trouble> {
        let Some(main) = self.main_frame(tab) else { return Ok(Rest::default()) };
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
        let limit = left + self.options.timeouts.script;
        let expression = |element: Option<u32>| {
            let element = element.map_or("undefined".to_owned(), |number| format!("legwork.element({number})"));
            format!("legwork.settle({},{},{element})", json!(self.scripts.key), left.as_millis())
        };
        let place = self.place(&main).await?;
        match acted {
            Some((acted, element)) if acted.context == place.context => {
                self.script_within(&place, expression(element), limit).await
            }
            Some((acted, element)) => {
                let inner = self.script_within::<Rest>(acted, expression(element), limit);
                let outer = self.script_within::<Rest>(&place, expression(None), limit);
                let (inner, outer) = tokio::join!(inner, outer);
                // The frame may be gone by what was done in it; the page is what counts.
                let inner = match inner {
                    Err(Trouble::Left) => Rest::default(),
                    other => other?,
                };
                if inner.missed.is_some() || inner.busy.is_some() {
                    return Ok(inner);
                }
                let outer = outer?;
                Ok(Rest { downloads: inner.downloads + outer.downloads, ..outer })
            }
            None => self.script_within(&place, expression(None), limit).await,
        }
    }

    fn unsettled(&self, mut pending: String) {
        self.guard().mask(&mut pending);
        self.state().effects.push(PageEffect::Unsettled { pending });
    }
}
