//! The tabs of the user's own browser that the program of the server asks for: `legwork run --extension` for its run,
//! and `legwork mcp --extension` for a client.

use std::sync::{Arc, Weak};

use legwork::{RelayedBrowser, RunHandle, protocol::RunId};

use crate::{ServeError, TabRequester, app::App};

/// A tab that a person assigned.
pub struct AssignedTab {
    /// The browser of the tab.
    pub browser: RelayedBrowser,
    /// The id of the tab, for [`ExtensionTabs::show`].
    pub id: String,
}

/// The tabs of the user's own browser, for the program of the server.
#[derive(Clone)]
pub struct ExtensionTabs(Weak<App>);

impl ExtensionTabs {
    pub(crate) fn new(app: &Arc<App>) -> ExtensionTabs {
        ExtensionTabs(Arc::downgrade(app))
    }

    fn app(&self) -> Result<Arc<App>, ServeError> {
        self.0.upgrade().ok_or(ServeError::NotRunning(None))
    }

    /// Waits until a person assigns a tab in the side panel. A later request replaces one that waits. One that is
    /// dropped is no longer shown.
    ///
    /// # Errors
    /// If a person refuses it, the server ends before, or another request replaces this one.
    pub async fn request(&self, requester: TabRequester) -> Result<AssignedTab, ServeError> {
        let answer = self.app()?.relayed_tabs.ask(requester);
        let (id, link) = answer.await.map_err(|_| ServeError::TabDeclined)?;
        // The relay answers what a browser answers at its start, so this does not wait for the extension.
        let browser = RelayedBrowser::connect(link).await.map_err(ServeError::Tab)?;
        Ok(AssignedTab { browser, id })
    }

    /// Shows a run in the panel of its tab, which can pause, stop and answer it until [`ExtensionTabs::end`].
    ///
    /// # Errors
    /// If the server has ended.
    pub fn show(&self, handle: &RunHandle, tab: &str) -> Result<(), ServeError> {
        let app = self.app()?;
        app.registry.adopt(&app, handle);
        app.relayed_tabs.note_run(tab, handle.id());
        Ok(())
    }

    /// The run has ended.
    pub fn end(&self, run: RunId) {
        if let Ok(app) = self.app() {
            app.registry.release(run);
        }
    }
}
