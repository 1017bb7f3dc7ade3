//! Keyboard actions.

use legwork_protocol::{ActionFailure, Press, Type};
use secrecy::ExposeSecret;

use super::{ActionOutput, ActionScope};
use crate::{
    Session,
    driver::{Pending, SessionId},
    frame_tree::ExecutionContext,
    keys::{self, Stroke},
    page_script::{self as script, Need, Outcome, Ready},
};

impl Session {
    pub(crate) async fn type_keys(&self, scope: ActionScope, given: &Type) -> Result<ActionOutput, ActionFailure> {
        let secret = self.inner.guard().holds_secret(&given.text);
        let (exec_context, ready) = match &given.target {
            Some(target) => {
                let text = (!secret).then_some(given.text.as_str());
                self.wait_actionable(scope.tab, target, Need::Type { text }).await?
            }
            None => self.focused(scope, (!secret).then_some(&given.text), secret).await?,
        };
        let target = given.target.as_ref().map_or("what has the focus", |target| &target.0);
        let (number, named) = (ready.element, ready.named(target));
        if secret {
            // The script in the page enters the secret: keys from the browser would go to whatever has the focus when
            // they arrive.
            let text = self.revealed(&exec_context, Some(number), &given.text).await?;
            let enter = script::TypeSecret { element: number, text: text.expose_secret() };
            self.inner.call(&exec_context, enter).await?.ready().map_err(|not| not.failure(target))?;
        } else {
            let others = self.hold_others(scope, &exec_context).await;
            let sent = self.send_keys(scope, &exec_context, &given.text).await;
            self.release(others);
            sent?;
        }
        match self.rest_with_outcome(scope, Some((&exec_context, Some(number)))).await? {
            Some(Outcome::FocusLost { to }) => Err(ActionFailure::FocusLost { target: named, to }),
            Some(Outcome::Differs { actual, .. }) => {
                let expected = (!secret).then(|| given.text.clone());
                Err(ActionFailure::ValueDiffers { target: named, expected, actual })
            }
            _ => Ok(ActionOutput { element: given.target.as_ref().map(|_| ready.what), value: None }),
        }
    }

    /// Types a text into the focused element, key by key. All keys are sent at once, and only the last answer is
    /// awaited.
    pub(crate) async fn send_keys(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
        text: &str,
    ) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let mut last = None;
        for character in text.chars() {
            last = Some(match keys::for_character(character) {
                Some(stroke) => self.stroke(&session, &stroke),
                None => self.inner.driver.insert_text(exec_context.context_ref(), character.encode_utf8(&mut [0; 4])),
            });
        }
        self.last_input(scope, last).await
    }

    pub(crate) async fn press(&self, scope: ActionScope, press: &Press) -> Result<ActionOutput, ActionFailure> {
        let chord = keys::chord(&press.key).ok_or_else(|| ActionFailure::InvalidArgument {
            what: format!("the key {:?}", press.key),
            reason: "unknown; say for instance Enter, Escape, ArrowDown or Control+A".to_owned(),
        })?;
        let (exec_context, ready) = match &press.target {
            Some(target) => self.wait_actionable(scope.tab, target, Need::Focus { key_next: true }).await?,
            None => self.focused(scope, None, false).await?,
        };
        // A frame that takes the focus would receive the key: with `Control+V`, the whole clipboard.
        let others = self.hold_others(scope, &exec_context).await;
        let pressed = self.press_chord(scope, &chord).await;
        self.release(others);
        pressed?;
        match self.rest_with_outcome(scope, Some((&exec_context, Some(ready.element)))).await? {
            Some(Outcome::FocusLost { to }) => {
                let target = press.target.as_ref().map_or("what has the focus", |target| &target.0);
                Err(ActionFailure::FocusLost { target: ready.named(target), to })
            }
            _ => Ok(ActionOutput { element: press.target.as_ref().map(|_| ready.what), value: None }),
        }
    }

    /// Begins an action for the focused element and returns that element. If the focus is in a frame of another
    /// process, the search continues there. A secret does not follow the focus into such a frame.
    async fn focused(
        &self,
        scope: ActionScope,
        text: Option<&String>,
        secret: bool,
    ) -> Result<(ExecutionContext, Ready), ActionFailure> {
        let mut frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        loop {
            let exec_context = self.inner.exec_context(&frame).await?;
            let text = if secret { Some("") } else { text.map(String::as_str) };
            let focused = script::FocusedElement { key: &self.inner.scripts.key, text };
            let ready = self.inner.call(&exec_context, focused).await?;
            if !ready.foreign_frame {
                return Ok((exec_context, ready));
            }
            if secret {
                let reason =
                    "the focus is in a frame of another site; name the field that the secret is for".to_owned();
                return Err(ActionFailure::Refused { reason });
            }
            let owner = (exec_context.document, ready.element);
            let mut inner = None;
            for other in self.inner.outer_frames(scope.tab) {
                if other != frame && self.inner.owner_of(&other).await == Some(owner) {
                    inner = Some(other);
                }
            }
            match inner {
                Some(inner) => frame = inner,
                None => return Ok((exec_context, ready)),
            }
        }
    }

    pub(crate) async fn press_chord(&self, scope: ActionScope, chord: &[Stroke]) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let Some((stroke, held)) = chord.split_last() else { return Ok(()) };
        for key in held {
            drop(self.inner.driver.key_down(&session, key, false));
        }
        let mut last = self.stroke(&session, stroke);
        for key in held.iter().rev() {
            last = self.inner.driver.key_up(&session, key);
        }
        self.last_input(scope, Some(last)).await
    }

    /// Presses a key or chord that is named in this crate.
    pub(crate) async fn press_named(&self, scope: ActionScope, key: &str) -> Result<(), ActionFailure> {
        self.press_chord(scope, &keys::chord(key).expect("it is in the table of keys")).await
    }

    async fn last_input(&self, scope: ActionScope, last: Option<Pending<()>>) -> Result<(), ActionFailure> {
        match last {
            Some(last) => Self::input_done(self.inner.answer_or_leaving(scope.tab, last).await),
            None => Ok(()),
        }
    }

    /// Sends key down and key up together; the result is that of key up.
    fn stroke(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        drop(self.inner.driver.key_down(session, stroke, true));
        self.inner.driver.key_up(session, stroke)
    }
}
