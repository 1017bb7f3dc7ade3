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
};

impl Session {
    pub(crate) async fn type_keys(&self, turn: Turn, given: &Type) -> Result<Did, ActionFailure> {
        let (place, element, what) = match &given.target {
            Some(target) => {
                let (place, ready) = self.ready(turn.tab, target, "type", json!({})).await?;
                (place, Some(ready.element), ready.what)
            }
            None => (self.focused_place(turn).await?, None, None),
        };
        let text = self.revealed(&place, element, &given.text).await?;
        let session = self.tab_session(turn.tab)?;
        let mut last = None;
        for character in text.expose_secret().chars() {
            last = Some(match keys::for_character(character) {
                Some(stroke) => self.stroke(&session, &stroke),
                None => self.shared.driver.insert_text(&session, character.encode_utf8(&mut [0; 4])),
            });
        }
        self.last_input(turn, last).await?;
        self.rest(turn, Some((&place, element))).await?;
        Ok(Did { element: what, value: None })
    }

    pub(crate) async fn press(&self, turn: Turn, press: &Press) -> Result<Did, ActionFailure> {
        let chord = keys::chord(&press.key).ok_or_else(|| ActionFailure::Value {
            what: format!("the key {:?}", press.key),
            reason: "unknown; say for instance Enter, Escape, ArrowDown or Control+A".to_owned(),
        })?;
        let (place, element, what) = match &press.target {
            Some(target) => {
                let (place, ready) = self.ready(turn.tab, target, "focus", json!({})).await?;
                (place, Some(ready.element), ready.what)
            }
            None => (self.focused_place(turn).await?, None, None),
        };
        self.press_chord(turn, &chord).await?;
        self.rest(turn, Some((&place, element))).await?;
        Ok(Did { element: what, value: None })
    }

    /// The main frame's world, told that an action begins.
    pub(crate) async fn focused_place(&self, turn: Turn) -> Result<Place, ActionFailure> {
        let frame = self.shared.main_frame(turn.tab).ok_or(ActionFailure::Crashed)?;
        let place = self.shared.place(&frame).await?;
        self.shared.script::<()>(&place, format!("legwork.begin({})", json!(self.shared.scripts.key))).await?;
        Ok(place)
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
