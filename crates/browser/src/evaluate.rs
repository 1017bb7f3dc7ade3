//! Evaluates scripts from the caller in the page's main world, where the page's variables are accessible. This is for
//! callers that control a page step by step. Secrets in the results are masked. A run never evaluates such scripts: no
//! text from a page or a model is executed as code.

use legwork_protocol::{ActionFailure, Target};
use serde_json::Value;

use crate::{
    Session,
    act::ActionScope,
    evaluate_error::dialog_open,
    page_script::{ElementOf, Need, PageExpression},
};

impl Session {
    /// Returns the value of an expression, or the result of a function. With a target, the function receives the
    /// element as its argument. A promise is awaited for at most the navigation timeout. A value that JSON cannot
    /// represent becomes null. Afterwards, the page settles as after an action.
    ///
    /// # Errors
    /// If the script throws, the element is not found, or the page does not answer.
    pub async fn evaluate(&self, script: &str, target: Option<&Target>) -> Result<Value, ActionFailure> {
        let inner = &*self.inner;
        let tab = inner.current_tab()?;
        let epoch = {
            let mut state = inner.state();
            let epoch = state.begin_epoch();
            // Windows that the script opens count as opened by the session.
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
        let rested = self.rest(ActionScope { tab, epoch, awaits_answer: true }, acted).await;
        match answer {
            Ok(value) => rested.map(|()| self.masked(value)),
            Err(trouble) => Err(self.masked(match ActionFailure::from(trouble) {
                // For example, a value that cannot be copied out of the page.
                ActionFailure::BrowserRefused { reason } | ActionFailure::Unreadable { reason, .. } => {
                    ActionFailure::ScriptFailed { reason }
                }
                other => other,
            })),
        }
    }
}
