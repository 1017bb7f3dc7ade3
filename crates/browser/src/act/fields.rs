//! What is done to form fields. Text goes into its element or nowhere, and what the element holds once the page is at rest is
//! compared with what it was given: what the page refused, changed or took back is a failure.

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Fill, Select, Target};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio::time::Instant;

use super::{Did, Turn, readings::Readings};
use crate::{
    Session,
    frames::Place,
    keys,
    settle::Outcome,
    targets::{Found, Ready},
};

/// How long frames of other processes may take to say that they take no keys.
const HELD: std::time::Duration = std::time::Duration::from_millis(300);

/// What filling came to: the element, and what it holds if that is another value.
struct Filled {
    element: Option<String>,
    named: String,
    differs: Option<Option<String>>,
}

impl Session {
    pub(crate) async fn fill(&self, turn: Turn, fill: &Fill) -> Result<Did, ActionFailure> {
        let first = self.fill_once(turn, fill, false).await?;
        let Some(differs) = first.differs else { return Ok(Did { element: first.element, value: None }) };
        // A mask that listens to keys, or a page that came to life meanwhile: once more, in the other way.
        let (named, actual) = match self.fill_once(turn, fill, true).await {
            Ok(Filled { element, differs: None, .. }) => return Ok(Did { element, value: None }),
            Ok(again) => (again.named, again.differs.flatten()),
            Err(ActionFailure::StaleRef { .. } | ActionFailure::NotFound { .. }) => (first.named, differs),
            Err(failure) => return Err(failure),
        };
        let expected = (!self.shared.guard().holds_secret(&fill.text)).then(|| fill.text.clone());
        Err(ActionFailure::ValueDiffers { target: named, expected, actual })
    }

    async fn fill_once(&self, turn: Turn, fill: &Fill, again: bool) -> Result<Filled, ActionFailure> {
        let secret = self.shared.guard().holds_secret(&fill.text);
        // A secret goes nowhere before it is known where it may go.
        let more = if secret {
            json!({})
        } else {
            json!({"text": fill.text, "readings": Readings::of(&fill.text), "submit": fill.submit, "again": again})
        };
        let given = |failure| match failure {
            ActionFailure::NotAccepted { target, accepts, .. } if !secret => {
                ActionFailure::NotAccepted { target, value: Some(fill.text.clone()), accepts }
            }
            other => other,
        };
        let (place, mut ready) = self.ready(turn.tab, &fill.target, "fill", more).await.map_err(given)?;
        let (number, element, named) = (ready.element, ready.what.clone(), ready.named(&fill.target.0));
        if secret {
            let text = self.revealed(&place, Some(number), &fill.text).await?;
            let text = text.expose_secret();
            let readings = json!(Readings::of(text));
            let enter = format!("legwork.enter({number},{},{readings},{},{again})", json!(text), fill.submit);
            ready = self.shared.script(&place, enter).await?;
            if !ready.ok {
                return Err(ready.failure(&fill.target.0));
            }
        }
        let from_outside = ready.insert || ready.keys;
        if from_outside {
            let others = self.hold_others(turn, &place).await;
            let put = self.put(turn, &place, &ready, &fill.text, again).await;
            self.release(others);
            put?;
        }
        let done = |differs| Ok(Filled { element, named: named.clone(), differs });
        if ready.differs.is_some() {
            return done(Some(ready.differs.filter(|_| !secret)));
        }
        let at = Some((&place, Some(number)));
        if fill.submit {
            // What Enter does to the field is not what it was filled with.
            if from_outside
                && let Some(outcome) = self.outcome(&place).await
                && !outcome.ok
            {
                return done(Some(outcome.actual));
            }
            self.press_chord(turn, &keys::chord("Enter").expect("it is in the table")).await?;
            self.rest(turn, at).await?;
            return done(None);
        }
        let outcome = match self.rest_with_outcome(turn, at).await? {
            None => self.outcome(&place).await,
            outcome => outcome,
        };
        match outcome {
            Some(Outcome { strayed: Some(to), .. }) => Err(ActionFailure::FocusLost { target: named, to }),
            Some(Outcome { ok: false, actual, .. }) => done(Some(actual)),
            _ => done(None),
        }
    }

    /// Has the browser put in a text that the page cannot: an editor's, or one that is typed key by key.
    async fn put(
        &self,
        turn: Turn,
        place: &Place,
        ready: &Ready,
        text: &str,
        again: bool,
    ) -> Result<(), ActionFailure> {
        if let Some(chord) = &ready.chord {
            self.press_chord(turn, &keys::chord(chord).expect("the page's chords are in the table")).await?;
        }
        if text.is_empty() {
            if ready.empty {
                return Ok(());
            }
            return self.press_chord(turn, &keys::chord("Delete").expect("it is in the table")).await;
        }
        if ready.keys {
            self.send_keys(turn, text).await?;
            if ready.leave {
                self.shared.script::<()>(place, format!("legwork.leave({})", ready.element)).await?;
            }
            return Ok(());
        }
        // Several lines are several edits to the browser, between which a script may lose its place: first as one paste.
        if again || (ready.chord.is_none() && text.contains('\n')) {
            let paste = format!("legwork.pasted({},{},{again})", ready.element, json!(text));
            let pasted: Ready = self.shared.script(place, paste).await?;
            if !pasted.ok {
                return Err(pasted.failure("the editor"));
            }
            if pasted.set || again {
                return Ok(());
            }
        }
        let session = self.tab_session(turn.tab)?;
        let insert = self.shared.driver.insert_text(&session, text);
        Self::input_done(self.shared.answer(turn.tab, insert, self.shared.options.timeouts.script).await)
    }

    /// What came of an input, asked of the page on its own; none when it has gone on.
    async fn outcome(&self, place: &Place) -> Option<Outcome> {
        self.shared.script::<Option<Outcome>>(place, "legwork.outcome()".to_owned()).await.ok().flatten()
    }

    /// Has the frames of other processes take no keys, for these are for one element of this one. Keys go to whatever has
    /// the focus when they arrive, and a frame may take it at any time.
    pub(crate) async fn hold_others(&self, turn: Turn, place: &Place) -> Vec<Place> {
        const LONGEST: u32 = 5_000;
        let mut frames = self.shared.outer_frames(turn.tab);
        frames.retain(|frame| *frame != place.frame);
        let hold = async |frame| {
            let other = self.shared.place(frame).await.ok()?;
            self.shared.script::<()>(&other, format!("legwork.hold({LONGEST})")).await.ok().map(|()| other)
        };
        let held = join_all(frames.iter().map(async |frame| tokio::time::timeout(HELD, hold(frame)).await));
        held.await.into_iter().filter_map(|held| held.ok().flatten()).collect()
    }

    pub(crate) fn release(&self, others: Vec<Place>) {
        for other in others {
            drop(self.shared.send_script(&other, "legwork.unbind()".to_owned()));
        }
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
        let mut again = false;
        loop {
            let more = json!({"values": select.values});
            let (place, ready) = self.ready(turn.tab, &select.target, "select", more).await?;
            if ready.custom {
                return self.choose_all(turn, select, &place, &ready).await;
            }
            match self.rest_with_outcome(turn, Some((&place, Some(ready.element)))).await? {
                // The page may have come to life meanwhile, and begun anew.
                Some(Outcome { ok: false, .. }) if !again => again = true,
                Some(Outcome { ok: false, actual, .. }) => {
                    let (target, expected) = (ready.named(&select.target.0), Some(select.values.join(", ")));
                    return Err(ActionFailure::ValueDiffers { target, expected, actual });
                }
                _ => return Ok(Did { element: ready.what, value: None }),
            }
        }
    }

    /// Chooses from a list that is no `<select>`, and sees that all of it is chosen then.
    async fn choose_all(&self, turn: Turn, select: &Select, place: &Place, list: &Ready) -> Result<Did, ActionFailure> {
        let several = select.values.len() > 1;
        let mut chosen = Vec::new();
        for value in &select.values {
            chosen.push(self.choose(turn, place, list, &select.target, value, several).await?);
        }
        let deadline = Instant::now() + self.shared.options.timeouts.action / 4;
        for (value, (option, label)) in select.values.iter().zip(chosen) {
            let ask = format!("legwork.chosen({},{option},{},{})", list.element, json!(value), json!(label));
            loop {
                // A list that went with its page, or says nothing of its choice, has nothing to compare.
                let Ok(outcome) = self.shared.script::<Option<Outcome>>(place, ask.clone()).await else { break };
                match outcome {
                    Some(Outcome { ok: false, .. }) if Instant::now() < deadline => {
                        if self.shared.script::<bool>(place, "legwork.changed(100)".to_owned()).await.is_err() {
                            break;
                        }
                    }
                    Some(Outcome { ok: false, actual, .. }) => {
                        let target = list.named(&select.target.0);
                        return Err(ActionFailure::ValueDiffers { target, expected: Some(value.clone()), actual });
                    }
                    _ => break,
                }
            }
        }
        Ok(Did { element: list.what.clone(), value: None })
    }

    /// Opens a list that is no `<select>`, unless it is open, and clicks its option. Answers the option and its name.
    async fn choose(
        &self,
        turn: Turn,
        place: &Place,
        list: &Ready,
        target: &Target,
        value: &str,
        several: bool,
    ) -> Result<(u32, String), ActionFailure> {
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
        let chosen = (option.element, option.what.clone().unwrap_or_default());
        // A second click would take it out again.
        if several && option.done {
            return Ok(chosen);
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
        self.rest(turn, Some((place, Some(ready.element)))).await?;
        Ok(chosen)
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
