//! What is done with the keyboard.

use legwork_protocol::{ActionFailure, Press, Type};
use secrecy::ExposeSecret;
use serde_json::json;

use super::{Did, Turn};
use crate::{
    Session,
    driver::{Pending, SessionId},
    frames::Place,
    keys::{self, Stroke},
    settle::Outcome,
    targets::Ready,
};

impl Session {
    pub(crate) async fn type_keys(&self, turn: Turn, given: &Type) -> Result<Did, ActionFailure> {
        let secret = self.shared.guard().holds_secret(&given.text);
        let (place, ready) = match &given.target {
            Some(target) => {
                let more = if secret { json!({}) } else { json!({"text": given.text}) };
                self.ready(turn.tab, target, "type", more).await?
            }
            None => self.focused(turn, (!secret).then_some(&given.text), secret).await?,
        };
        let target = given.target.as_ref().map_or("what has the focus", |target| &target.0);
        let (number, named) = (ready.element, ready.named(target));
        if secret {
            // Put in by the page: the browser's keys go to whatever has the focus when they arrive.
            let text = self.revealed(&place, Some(number), &given.text).await?;
            let enter = format!("legwork.enterKeys({number},{})", json!(text.expose_secret()));
            let entered: Ready = self.shared.script(&place, enter).await?;
            if !entered.ok {
                return Err(entered.failure(target));
            }
        } else {
            let others = self.hold_others(turn, &place).await;
            let sent = self.send_keys(turn, &given.text).await;
            self.release(others);
            sent?;
        }
        match self.rest_with_outcome(turn, Some((&place, Some(number)))).await? {
            Some(Outcome { strayed: Some(to), .. }) => Err(ActionFailure::FocusLost { target: named, to }),
            Some(Outcome { ok: false, actual, .. }) => {
                let expected = (!secret).then(|| given.text.clone());
                Err(ActionFailure::ValueDiffers { target: named, expected, actual })
            }
            _ => Ok(Did { element: given.target.as_ref().and(ready.what), value: None }),
        }
    }

    /// Types a text into what has the focus, key by key; all under way at once.
    pub(crate) async fn send_keys(&self, turn: Turn, text: &str) -> Result<(), ActionFailure> {
        let session = self.tab_session(turn.tab)?;
        let mut last = None;
        for character in text.chars() {
            last = Some(match keys::for_character(character) {
                Some(stroke) => self.stroke(&session, &stroke),
                None => self.shared.driver.insert_text(&session, character.encode_utf8(&mut [0; 4])),
            });
        }
        self.last_input(turn, last).await
    }

    pub(crate) async fn press(&self, turn: Turn, press: &Press) -> Result<Did, ActionFailure> {
        let chord = keys::chord(&press.key).ok_or_else(|| ActionFailure::Value {
            what: format!("the key {:?}", press.key),
            reason: "unknown; say for instance Enter, Escape, ArrowDown or Control+A".to_owned(),
        })?;
        let (place, ready) = match &press.target {
            Some(target) => self.ready(turn.tab, target, "focus", json!({"key_next": true})).await?,
            None => self.focused(turn, None, false).await?,
        };
        self.press_chord(turn, &chord).await?;
        match self.rest_with_outcome(turn, Some((&place, Some(ready.element)))).await? {
            Some(Outcome { strayed: Some(to), .. }) => {
                let target = press.target.as_ref().map_or("what has the focus", |target| &target.0);
                Err(ActionFailure::FocusLost { target: ready.named(target), to })
            }
            _ => Ok(Did { element: press.target.as_ref().and(ready.what), value: None }),
        }
    }

    /// What has the focus, told that an action begins: in the page's own document and the frames in it. A secret does not
    /// follow the focus into a frame of another site.
    async fn focused(&self, turn: Turn, text: Option<&String>, secret: bool) -> Result<(Place, Ready), ActionFailure> {
        let mut frame = self.shared.main_frame(turn.tab).ok_or(ActionFailure::Crashed)?;
        loop {
            let place = self.shared.place(&frame).await?;
            let text = if secret { Some("") } else { text.map(String::as_str) };
            let ask = format!("legwork.focused({},{})", json!(self.shared.scripts.key), json!(text));
            let ready: Ready = self.shared.script(&place, ask).await?;
            if !ready.foreign {
                return Ok((place, ready));
            }
            if secret {
                let reason =
                    "the focus is in a frame of another site; name the field that the secret is for".to_owned();
                return Err(ActionFailure::Refused { reason });
            }
            let owner = (place.document, ready.element);
            let mut inner = None;
            for other in self.shared.outer_frames(turn.tab) {
                if other != frame && self.shared.owner_of(&other).await == Some(owner) {
                    inner = Some(other);
                }
            }
            match inner {
                Some(inner) => frame = inner,
                None => return Ok((place, ready)),
            }
        }
    }

    pub(crate) async fn press_chord(&self, turn: Turn, chord: &[Stroke]) -> Result<(), ActionFailure> {
        let session = self.tab_session(turn.tab)?;
        let Some((stroke, held)) = chord.split_last() else { return Ok(()) };
        for key in held {
            drop(self.shared.driver.key_down(&session, key, false));
        }
        let mut last = self.stroke(&session, stroke);
        for key in held.iter().rev() {
            last = self.shared.driver.key_up(&session, key);
        }
        self.last_input(turn, Some(last)).await
    }

    async fn last_input(&self, turn: Turn, last: Option<Pending<()>>) -> Result<(), ActionFailure> {
        match last {
            Some(last) => Self::input_done(self.shared.answer_or_leaving(turn.tab, last).await),
            None => Ok(()),
        }
    }

    /// Down and up; both under way, the second is answered.
    fn stroke(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        drop(self.shared.driver.key_down(session, stroke, true));
        self.shared.driver.key_up(session, stroke)
    }
}
