//! How the page is shown: the size of the view, highlights, and the page as a PDF document.

use legwork_protocol::{ActionFailure, Target};

use crate::{
    Capability, Session,
    evaluate_error::dialog_open,
    located::Located,
    page_script::{self as script, Need},
};

impl Session {
    /// Sets the size of the view in CSS pixels, for every tab and for those opened later.
    ///
    /// # Errors
    /// If a side is 0 or above 10,000 pixels, or the browser does not answer.
    pub async fn resize(&self, width: u32, height: u32) -> Result<(), ActionFailure> {
        if !(1..=10_000).contains(&width) || !(1..=10_000).contains(&height) {
            return Err(ActionFailure::InvalidArgument {
                what: format!("a view of {width}×{height}"),
                reason: "each side is 1 to 10000 pixels".to_owned(),
            });
        }
        let inner = &*self.inner;
        let tabs: Vec<_> = {
            let mut state = inner.state();
            state.view = Some((width, height));
            state.tabs.iter().map(|tab| (tab.number(), tab.session().clone())).collect()
        };
        for (tab, session) in tabs {
            let resized = inner.driver.resize(&session, width, height);
            Self::input_done(inner.answer(tab, resized, inner.options.timeouts.script).await)?;
        }
        Ok(())
    }

    /// Draws a box around an element, with the given CSS if any. It stays until it is removed or the page is gone, and
    /// observations do not include it. Returns a description of the element.
    ///
    /// # Errors
    /// If the element is not found.
    pub async fn highlight(&self, target: &Target, style: Option<&str>) -> Result<String, ActionFailure> {
        let scope = self.begin_action(false)?;
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, Need::Attached).await?;
        let highlight = script::Highlight { element: ready.element, style: style.unwrap_or_default() };
        self.inner.call(&exec_context, highlight).await?;
        Ok(self.masked(ready.named(&target.0)))
    }

    /// Describes an element for callers without its ref: by its role and name or its attributes, where these are
    /// unique.
    ///
    /// # Errors
    /// If the element is not found.
    pub async fn locate(&self, target: &Target) -> Result<Located, ActionFailure> {
        let scope = self.begin_action(false)?;
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, Need::Attached).await?;
        let located = self.inner.call(&exec_context, script::Locator { element: ready.element }).await?;
        let located = located.ok_or_else(|| ActionFailure::StaleRef { target: target.0.clone() })?;
        Ok(self.masked(located))
    }

    /// Removes the box around an element, or all boxes. Returns how many were removed.
    ///
    /// # Errors
    /// If the element is not found.
    pub async fn unhighlight(&self, target: Option<&Target>) -> Result<usize, ActionFailure> {
        let scope = self.begin_action(false)?;
        if let Some(target) = target {
            let (exec_context, ready) = self.wait_actionable(scope.tab, target, Need::Attached).await?;
            let unhighlight = script::Unhighlight { element: Some(ready.element) };
            return Ok(self.inner.call(&exec_context, unhighlight).await?);
        }
        let mut gone = 0;
        for frame in self.inner.outer_frames(scope.tab) {
            let exec_context = self.inner.exec_context(&frame).await?;
            gone += self.inner.call(&exec_context, script::Unhighlight { element: None }).await?;
        }
        Ok(gone)
    }

    /// The current page as a PDF document with backgrounds, in the paper size that the page requests.
    ///
    /// # Errors
    /// If a dialog blocks the page, or the browser cannot print it.
    pub async fn pdf(&self) -> Result<Vec<u8>, ActionFailure> {
        let inner = &*self.inner;
        let tab = inner.current_tab()?;
        if let Some(dialog) = inner.state().dialogs.open_in(tab).cloned() {
            return Err(dialog_open(&dialog));
        }
        self.require(Capability::Pdf)?;
        let session = self.tab_session(tab)?;
        let printed = inner.driver.print(&session);
        Ok(inner.answer(tab, printed, inner.options.timeouts.navigation).await?)
    }
}
