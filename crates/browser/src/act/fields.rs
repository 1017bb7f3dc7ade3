//! What is done to form fields.

use legwork_protocol::{ActionFailure, Fill, Select, Target};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio::time::Instant;

use super::{Did, Turn};
use crate::{
    Session,
    frames::Place,
    keys,
    targets::{Found, Ready},
};

impl Session {
    pub(crate) async fn fill(&self, turn: Turn, fill: &Fill) -> Result<Did, ActionFailure> {
        let secret = self.shared.guard().holds_secret(&fill.text);
        // A date is set from inside the page, so its text goes along; a secret goes nowhere before it is known where it may go.
        let more = if secret { json!({}) } else { json!({"text": fill.text}) };
        let (place, ready) = self.ready(turn.tab, &fill.target, "fill", more).await?;
        if !ready.set {
            let text = self.revealed(&place, Some(ready.element), &fill.text).await?;
            if ready.later {
                let put = format!("legwork.put({},{})", ready.element, json!(text.expose_secret()));
                if !self.shared.script::<bool>(&place, put).await? {
                    let reason = "the field does not take this value; a date is written 2026-12-31".to_owned();
                    return Err(ActionFailure::Value { what: ready.named(&fill.target.0), reason });
                }
            } else if text.expose_secret().is_empty() {
                if !ready.empty {
                    self.press_chord(turn, &keys::chord("Delete").expect("it is in the table")).await?;
                }
            } else {
                let session = self.tab_session(turn.tab)?;
                let insert = self.shared.driver.insert_text(&session, text.expose_secret());
                let limit = self.shared.options.timeouts.script;
                Self::input_done(self.shared.answer(turn.tab, insert, limit).await)?;
            }
        }
        if fill.submit {
            self.press_chord(turn, &keys::chord("Enter").expect("it is in the table")).await?;
        }
        self.rest(turn, Some((&place, Some(ready.element)))).await?;
        Ok(Did { element: ready.what, value: None })
    }

    /// The text with secrets put in, when they may go to this frame's origin; the field is masked from then on.
    pub(crate) async fn revealed(
        &self,
        place: &Place,
        element: Option<u32>,
        text: &str,
    ) -> Result<SecretString, ActionFailure> {
        if !self.shared.guard().holds_secret(text) {
            return Ok(SecretString::from(text));
        }
        let refused = |reason: String| ActionFailure::Refused { reason };
        // The element may be in a frame inside this one, of the same origin: asked of the page, not assumed.
        let origin: String = self.shared.script(place, format!("legwork.keepSecret({})", json!(element))).await?;
        let origin =
            url::Url::parse(&origin).map_err(|_| refused("a page without an origin gets no secret".to_owned()))?;
        self.shared.guard().reveal(text, &origin).map_err(|refusal| refused(refusal.reason))
    }

    pub(crate) async fn select(&self, turn: Turn, select: &Select) -> Result<Did, ActionFailure> {
        let more = json!({"values": select.values});
        let (place, ready) = self.ready(turn.tab, &select.target, "select", more).await?;
        if !ready.custom {
            self.rest(turn, Some((&place, Some(ready.element)))).await?;
            return Ok(Did { element: ready.what, value: None });
        }
        let element = ready.what.clone();
        for value in &select.values {
            self.choose(turn, &place, &ready, &select.target, value).await?;
        }
        Ok(Did { element, value: None })
    }

    /// Opens a list that is no `<select>`, unless it is open, and clicks its option.
    async fn choose(
        &self,
        turn: Turn,
        place: &Place,
        list: &Ready,
        target: &Target,
        value: &str,
    ) -> Result<(), ActionFailure> {
        let ask = format!("legwork.option({},{})", json!(value), list.element);
        let mut option: Ready = self.shared.script(place, ask.clone()).await?;
        if !option.ok {
            let point = self.aimed(place, list, target).await?;
            self.press_mouse(turn.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(turn, Some((place, Some(list.element)))).await?;
            let deadline = Instant::now() + self.shared.options.timeouts.action / 2;
            loop {
                option = self.shared.script(place, ask.clone()).await?;
                if option.ok || Instant::now() >= deadline {
                    break;
                }
                // Until the list changes once more.
                self.shared.script::<bool>(place, "legwork.changed(100)".to_owned()).await?;
            }
        }
        if !option.ok {
            let named = list.named(&target.0);
            return Err(match option.failure(&named) {
                ActionFailure::NoOption { options, .. } => {
                    ActionFailure::NoOption { target: named, option: value.to_owned(), options }
                }
                other => other,
            });
        }
        let found = Found { place: place.clone(), which: json!({"element": option.element}) };
        let mut request = found.which;
        request["need"] = json!("point");
        request["key"] = json!(self.shared.scripts.key);
        let ready: Ready = self.shared.script(place, format!("legwork.ready({request})")).await?;
        if !ready.ok {
            return Err(ready.failure(&format!("option {value:?}")));
        }
        let point = self.aimed(place, &ready, target).await?;
        self.press_mouse(turn.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
        self.rest(turn, Some((place, Some(ready.element)))).await
    }

    pub(crate) async fn check(&self, turn: Turn, target: &Target, on: bool) -> Result<Did, ActionFailure> {
        let (place, ready) = self.ready(turn.tab, target, "check", json!({"on": on})).await?;
        if !ready.done {
            let point = self.aimed(&place, &ready, target).await?;
            self.press_mouse(turn.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(turn, Some((&place, Some(ready.element)))).await?;
            let state =
                self.shared.script::<Option<bool>>(&place, format!("legwork.isTicked({})", ready.element)).await;
            // Gone with the page, or drawn anew: there is nothing left to compare.
            if let Ok(Some(now)) = state
                && now != on
            {
                let wanted = if on { "checked" } else { "cleared" };
                return Err(ActionFailure::Value {
                    what: ready.named(&target.0),
                    reason: format!("it was clicked but did not become {wanted}"),
                });
            }
        }
        Ok(Did { element: ready.what, value: None })
    }
}
