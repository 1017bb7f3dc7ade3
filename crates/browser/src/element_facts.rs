//! What the rules of a run must know about an element before an action.

use std::time::Duration;

use legwork_protocol::{Action, ActionFailure, ActionPurpose, DialogInfo, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::{
    Session,
    evaluate_error::{EvaluateError, dialog_open},
    frame_tree::ExecutionContext,
    page_script::{self as script, Need},
    targets::TargetQuery,
};

/// Facts about an element, read from the page immediately before an action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ElementFacts {
    /// The origin of the element's document, which may be that of a frame; `null` for a document without an origin.
    pub origin: String,
    /// The ARIA role; empty if it has none.
    pub role: String,
    /// The accessible name.
    pub name: String,
    /// Whether pressing it submits a form.
    pub submits: bool,
    /// The name of the button that submits its form; empty if there is none.
    pub submitter: String,
    /// The address to which pressing it, or Enter in it, sends its form; empty if it belongs to none. A script can send
    /// the form elsewhere.
    pub form_target: String,
    /// The address of the link that contains it; empty if there is none.
    pub link_target: String,
    /// Whether it is a link that downloads a file.
    pub downloads: bool,
    /// The number of the element, if it is a frame.
    pub(crate) frame: Option<u32>,
}

impl Session {
    /// The facts about the element that an action would act on: its target, or the focused element. Waits as long as
    /// the action does until the element exists. It begins no action and changes nothing.
    ///
    /// # Errors
    /// If the element is not found, or the page does not answer.
    pub async fn facts_for(&self, action: &Action) -> Result<ElementFacts, ActionFailure> {
        let action = action.carried_out();
        // The rules must judge the element that the action then finds.
        let need = match action.info().purpose {
            ActionPurpose::Enter | ActionPurpose::Choose => Need::Field,
            ActionPurpose::Prepare | ActionPurpose::Other => Need::Attached,
        };
        self.facts(action.target(), need).await
    }

    /// The facts about an element, or about the focused one; see [`Session::facts_for`].
    ///
    /// # Errors
    /// If the element is not found, or the page does not answer.
    pub async fn element_facts(&self, target: Option<&Target>) -> Result<ElementFacts, ActionFailure> {
        self.facts(target, Need::Attached).await
    }

    async fn facts(&self, target: Option<&Target>, need: Need<'_>) -> Result<ElementFacts, ActionFailure> {
        let tab = self.inner.current_tab()?;
        if let Some(dialog) = self.inner.state().dialogs.open_in(tab).cloned() {
            return Err(dialog_open(&dialog));
        }
        match target {
            Some(target) => self.facts_of(tab, target, need).await,
            None => self.focused_facts(tab).await,
        }
    }

    /// The open dialog of the current page.
    pub fn dialog(&self) -> Option<DialogInfo> {
        let tab = self.inner.current_tab().ok()?;
        self.inner.state().dialogs.open_in(tab).cloned()
    }

    async fn facts_of(&self, tab: u32, target: &Target, need: Need<'_>) -> Result<ElementFacts, ActionFailure> {
        let deadline = Instant::now() + self.inner.options.timeouts.action;
        loop {
            let (exec_context, failure) = match self.try_facts_of(tab, target, need).await {
                Ok(Ok(facts)) => return Ok(facts),
                Ok(Err((exec_context, failure))) => (Some(exec_context), failure),
                Err(EvaluateError::Failed(failure @ ActionFailure::NotFound { .. })) => (None, failure),
                Err(EvaluateError::ContextDestroyed) => (None, ActionFailure::StaleRef { target: target.0.clone() }),
                Err(trouble) => return Err(trouble.into()),
            };
            if Instant::now() >= deadline || script::ElementQuery::of(target).is_none() {
                return Err(failure);
            }
            let pause = Duration::from_millis(100);
            match exec_context {
                Some(exec_context) => {
                    let change = script::WaitForChange { timeout_ms: pause.as_millis() as u64 };
                    // Without an answer, the next attempt reports the reason.
                    let _ = self.inner.call(&exec_context, change).await;
                }
                None => tokio::time::sleep_until((Instant::now() + pause).min(deadline)).await,
            }
        }
    }

    async fn try_facts_of(
        &self,
        tab: u32,
        target: &Target,
        need: Need<'_>,
    ) -> Result<Result<ElementFacts, (ExecutionContext, ActionFailure)>, EvaluateError> {
        let TargetQuery { exec_context, which } = self.find(tab, target).await?;
        let check = script::CheckActionable { key: &self.inner.scripts.key, target: &which, need };
        let ready = match self.inner.call(&exec_context, check).await?.result.ready() {
            Ok(ready) => ready,
            Err(not) => return Ok(Err((exec_context, not.failure(&target.0)))),
        };
        let facts = self.inner.call(&exec_context, script::ElementFactsOf { element: Some(ready.element) }).await?;
        Ok(facts.ok_or_else(|| (exec_context, ActionFailure::StaleRef { target: target.0.clone() })))
    }

    /// The facts about the focused element. If the focus is in a frame of another process, the search continues there.
    async fn focused_facts(&self, tab: u32) -> Result<ElementFacts, ActionFailure> {
        let mut frame = self.inner.main_frame(tab).ok_or(ActionFailure::Crashed)?;
        loop {
            let exec_context = self.inner.exec_context(&frame).await?;
            let facts = self.inner.call(&exec_context, script::ElementFactsOf { element: None }).await?;
            let facts = facts.unwrap_or_default();
            let Some(element) = facts.frame else { return Ok(facts) };
            let owner = (exec_context.document, element);
            let mut inner = None;
            for other in self.inner.outer_frames(tab) {
                if other != frame && self.inner.owner_of(&other).await == Some(owner) {
                    inner = Some(other);
                }
            }
            match inner {
                Some(inner) => frame = inner,
                // Input would go to a document that nobody knows, such as one that is being replaced.
                None => return Ok(ElementFacts { origin: "null".to_owned(), ..ElementFacts::default() }),
            }
        }
    }
}
