//! How the page is shown: the size of the view, and the page as a document to print.

use legwork_protocol::ActionFailure;

use crate::{Session, frames::dialog_open};

impl Session {
    /// Makes the view of every tab this large, in CSS pixels; those that open later too.
    ///
    /// # Errors
    /// When a side is 0 or above 10,000 pixels, or the browser does not answer.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), ActionFailure> {
        if !(1..=10_000).contains(&width) || !(1..=10_000).contains(&height) {
            return Err(ActionFailure::Value {
                what: format!("a view of {width}×{height}"),
                reason: "each side is 1 to 10000 pixels".to_owned(),
            });
        }
        let shared = &*self.shared;
        let tabs: Vec<_> = {
            let mut state = shared.state();
            state.view = Some((width, height));
            state.tabs.iter().map(|tab| (tab.number, tab.session.clone())).collect()
        };
        for (tab, session) in tabs {
            let resized = shared.driver.resize(&session, width, height);
            Self::input_done(shared.answer(tab, resized, shared.options.timeouts.script).await)?;
        }
        Ok(())
    }

    /// The current page as a PDF document, backgrounds included, on the paper that the page asks for.
    ///
    /// # Errors
    /// When a dialog holds the page up, or the browser cannot print it.
    pub async fn pdf(&self) -> Result<Vec<u8>, ActionFailure> {
        let shared = &*self.shared;
        let tab = shared.current_tab()?;
        if let Some(dialog) = shared.state().tab(tab).and_then(|tab| tab.dialog.clone()) {
            return Err(dialog_open(&dialog));
        }
        let session = self.tab_session(tab)?;
        let printed = shared.driver.print(&session);
        Ok(shared.answer(tab, printed, shared.options.timeouts.navigation).await?)
    }
}
