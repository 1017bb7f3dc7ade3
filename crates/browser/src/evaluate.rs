//! Scripts that somebody hands in, run in the page's own world, where the page's variables are: for who drives a page by hand.
//! Whatever they answer with has its secrets masked. A run never does this: no text of a page or of a model is run as code.

use legwork_protocol::{ActionFailure, Target};
use serde_json::Value;

use crate::{
    Session,
    act::ActionScope,
    evaluate_error::dialog_open,
    page_script::{ElementOf, Need, PageExpression},
};

impl Session {
    /// The value of an expression, or what a function answers; with a target, the function is called with its element. A
    /// promise is awaited, for as long as a page may take to load. What JSON cannot say is null. Afterwards the page is
    /// waited for as after an action.
    ///
    /// # Errors
    /// When the script throws, the element is not there, or the page does not answer.
    pub async fn evaluate(&self, script: &str, target: Option<&Target>) -> Result<Value, ActionFailure> {
        let inner = &*self.inner;
        let tab = inner.current_tab()?;
        let epoch = {
            let mut state = inner.state();
            let epoch = state.begin_epoch();
            // Windows that the script opens are its owner's.
            state.input = true;
            state.unsaved.note_change();
            if let Some(dialog) = state.dialogs.open_in(tab) {
                return Err(dialog_open(dialog));
            }
            epoch
        };
        let limit = inner.options.timeouts.navigation;
        let (evaluated, acted) = match target {
            None => {
                let session = self.tab_session(tab)?;
                (inner.driver.evaluate_in_page(&session, script), None)
            }
            Some(target) => {
                let (exec_context, ready) = self.wait_actionable(tab, target, Need::Attached).await?;
                let element = ElementOf { element: ready.element }.expression();
                (
                    inner.driver.call_in_page(exec_context.context_ref(), element, script),
                    Some((exec_context, ready.element)),
                )
            }
        };
        let answer = inner.answer(tab, evaluated, limit).await;
        let acted = acted.as_ref().map(|(exec_context, element)| (exec_context, Some(*element)));
        let rested = self.rest(ActionScope { tab, epoch }, acted).await;
        match answer {
            Ok(value) => rested.map(|()| self.masked(value)),
            Err(trouble) => Err(self.masked(match ActionFailure::from(trouble) {
                // Such as a value that cannot be copied out of the page.
                ActionFailure::BrowserRefused { reason } | ActionFailure::Unreadable { reason, .. } => {
                    ActionFailure::ScriptFailed { reason }
                }
                other => other,
            })),
        }
    }
}
