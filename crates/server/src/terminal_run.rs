//! A run of `legwork run --extension`, which the program of the server starts itself.

use std::sync::{Arc, Weak};

use legwork::{RelayedBrowser, RunHandle, protocol::RunId};

use crate::{ServeError, app::App};

/// A run of a program at a terminal, in a tab that a person assigns to it in the side panel.
pub struct TerminalRun(Weak<App>);

impl TerminalRun {
    pub(crate) fn new(app: &Arc<App>) -> TerminalRun {
        TerminalRun(Arc::downgrade(app))
    }

    fn app(&self) -> Result<Arc<App>, ServeError> {
        self.0.upgrade().ok_or(ServeError::NotRunning(None))
    }

    /// Waits until a person assigns a tab to what has this name.
    ///
    /// # Errors
    /// If the server ends before.
    pub async fn request_tab(&self, name: &str) -> Result<RelayedBrowser, ServeError> {
        let answer = self.app()?.relayed_tabs.ask(name);
        let link = answer.await.map_err(|_| ServeError::NotRunning(None))?;
        // The relay answers what a browser answers at its start, so this does not wait for the extension.
        RelayedBrowser::connect(link).await.map_err(ServeError::Tab)
    }

    /// Shows a run in the panel, which can pause, stop and answer it until [`TerminalRun::end`].
    ///
    /// # Errors
    /// If the server has ended.
    pub fn show(&self, handle: &RunHandle) -> Result<(), ServeError> {
        let app = self.app()?;
        app.registry.adopt(&app, handle);
        app.relayed_tabs.note_run(handle.id());
        Ok(())
    }

    /// The run has ended.
    pub fn end(&self, run: RunId) {
        if let Ok(app) = self.app() {
            app.registry.release(run);
        }
    }
}
