//! What is done to form fields. Text goes into its element or nowhere, and what the element holds once the page is at rest is
//! compared with what it was given: what the page refused, changed or took back is a failure.

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Fill, Select, Target};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio::time::Instant;

use super::{ActionOutput, ActionScope, readings::Readings};
use crate::{Session, frames::ExecutionContext, keys, settle::Outcome, targets::Actionability};

/// How long frames of other processes may take to say that they take no keys.
const HELD: std::time::Duration = std::time::Duration::from_millis(300);

/// How long an opened list may take to offer a value before something is typed into it.
const PROPOSES: std::time::Duration = std::time::Duration::from_millis(1_700);

/// The most months that a calendar is turned by: ten years.
const MONTHS: usize = 121;

/// What filling came to: the element, and what it holds if that is another value.
struct Filled {
    element: Option<String>,
    named: String,
    differs: Option<Option<String>>,
}

impl Session {
    pub(crate) async fn fill(&self, scope: ActionScope, fill: &Fill) -> Result<ActionOutput, ActionFailure> {
        let first = self.fill_once(scope, fill, false).await?;
        let Some(differs) = first.differs else { return Ok(ActionOutput { element: first.element, value: None }) };
        // A mask that listens to keys, or a page that came to life meanwhile: once more, in the other way.
        let (named, actual) = match self.fill_once(scope, fill, true).await {
            Ok(Filled { element, differs: None, .. }) => return Ok(ActionOutput { element, value: None }),
            Ok(again) => (again.named, again.differs.flatten()),
            Err(ActionFailure::StaleRef { .. } | ActionFailure::NotFound { .. }) => (first.named, differs),
            Err(failure) => return Err(failure),
        };
        let expected = (!self.inner.guard().holds_secret(&fill.text)).then(|| fill.text.clone());
        Err(ActionFailure::ValueDiffers { target: named, expected, actual })
    }

    async fn fill_once(&self, scope: ActionScope, fill: &Fill, again: bool) -> Result<Filled, ActionFailure> {
        let secret = self.inner.guard().holds_secret(&fill.text);
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
        let (exec_context, mut ready) =
            self.wait_actionable(scope.tab, &fill.target, "fill", more).await.map_err(given)?;
        let (number, element, named) = (ready.element, ready.what.clone(), ready.named(&fill.target.0));
        if secret {
            let text = self.revealed(&exec_context, Some(number), &fill.text).await?;
            let text = text.expose_secret();
            let readings = json!(Readings::of(text));
            let enter = format!("legwork.enter({number},{},{readings},{},{again})", json!(text), fill.submit);
            ready = self.inner.script(&exec_context, enter).await?;
            if !ready.ok {
                return Err(ready.failure(&fill.target.0));
            }
        }
        if ready.calendar {
            let differs = self.choose_day(scope, (&exec_context, &ready), &fill.target, &fill.text).await?;
            return Ok(Filled { element, named, differs });
        }
        let from_outside = ready.insert || ready.keys;
        if from_outside {
            let others = self.hold_others(scope, &exec_context).await;
            let put = self.put(scope, &exec_context, &ready, &fill.text, again).await;
            self.release(others);
            put?;
        }
        let done = |differs| Ok(Filled { element, named: named.clone(), differs });
        if ready.differs.is_some() {
            return done(Some(ready.differs.filter(|_| !secret)));
        }
        let at = Some((&exec_context, Some(number)));
        if fill.submit {
            // What Enter does to the field is not what it was filled with.
            if from_outside
                && let Some(outcome) = self.outcome(&exec_context).await
                && !outcome.ok
            {
                return done(Some(outcome.actual));
            }
            self.press_chord(scope, &keys::chord("Enter").expect("it is in the table")).await?;
            self.rest(scope, at).await?;
            return done(None);
        }
        let outcome = match self.rest_with_outcome(scope, at).await? {
            None => self.outcome(&exec_context).await,
            outcome => outcome,
        };
        match outcome {
            Some(Outcome { strayed: Some(to), .. }) => Err(ActionFailure::FocusLost { target: named, to }),
            Some(Outcome { ok: false, actual, .. }) => done(Some(actual)),
            _ => done(None),
        }
    }

    /// Takes the focus from a field. Many pages look at a value only then: the fields that were filled in must still hold theirs.
    pub(crate) async fn blur(&self, scope: ActionScope, target: &Target) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, "blur", json!({})).await?;
        let at = Some((&exec_context, Some(ready.element)));
        let outcome = match self.rest_with_outcome(scope, at).await? {
            None => self.outcome(&exec_context).await,
            outcome => outcome,
        };
        match outcome {
            Some(Outcome { ok: false, actual, field, given, .. }) => Err(ActionFailure::ValueDiffers {
                target: field.unwrap_or_else(|| ready.named(&target.0)),
                expected: given,
                actual,
            }),
            _ => Ok(ActionOutput { element: ready.what, value: None }),
        }
    }

    /// Opens the calendar of a field and goes to the day in it, month by month. Answers what the field holds instead of the day.
    async fn choose_day(
        &self,
        scope: ActionScope,
        (exec_context, field): (&ExecutionContext, &Actionability),
        target: &Target,
        text: &str,
    ) -> Result<Option<Option<String>>, ActionFailure> {
        let readings = Readings::of(text);
        let number = field.element;
        let holds = format!("legwork.holdsDay({number},{},{})", json!(text), json!(readings));
        let ask = format!("legwork.calendar({number},{})", json!(readings.date));
        let mut step: Actionability = self.inner.script(exec_context, ask.clone()).await?;
        if !step.ok {
            let point = self.aimed(exec_context, field, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(scope, Some((exec_context, Some(number)))).await?;
        }
        for _ in 0..MONTHS {
            step = self.inner.script(exec_context, ask.clone()).await?;
            if !step.ok {
                return Err(step.failure(&target.0));
            }
            let point = self.aimed(exec_context, &step, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(scope, Some((exec_context, Some(number)))).await?;
            if step.done {
                break;
            }
        }
        let outcome = self.inner.script::<Option<Outcome>>(exec_context, holds).await?;
        Ok(outcome.filter(|outcome| !outcome.ok).map(|outcome| outcome.actual))
    }

    /// Has the browser put in a text that the page cannot: an editor's, or one that is typed key by key.
    async fn put(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
        ready: &Actionability,
        text: &str,
        again: bool,
    ) -> Result<(), ActionFailure> {
        if let Some(chord) = &ready.chord {
            self.press_chord(scope, &keys::chord(chord).expect("the page's chords are in the table")).await?;
        }
        if text.is_empty() {
            if ready.empty {
                return Ok(());
            }
            return self.press_chord(scope, &keys::chord("Delete").expect("it is in the table")).await;
        }
        if ready.keys {
            self.send_keys(scope, text).await?;
            if ready.commit {
                let hold = format!("legwork.holdSubmit({})", HELD.as_millis());
                self.inner.script::<()>(exec_context, hold).await?;
                self.press_chord(scope, &keys::chord("Enter").expect("it is in the table")).await?;
            }
            if ready.leave {
                self.inner.script::<()>(exec_context, format!("legwork.leave({})", ready.element)).await?;
            }
            return Ok(());
        }
        // Several lines are several edits to the browser, between which a script may lose its place: first as one paste.
        if again || (ready.chord.is_none() && text.contains('\n')) {
            let paste = format!("legwork.pasted({},{},{again})", ready.element, json!(text));
            let pasted: Actionability = self.inner.script(exec_context, paste).await?;
            if !pasted.ok {
                return Err(pasted.failure("the editor"));
            }
            if pasted.set || again {
                return Ok(());
            }
        }
        let session = self.tab_session(scope.tab)?;
        let insert = self.inner.driver.insert_text(&session, text);
        Self::input_done(self.inner.answer(scope.tab, insert, self.inner.options.timeouts.script).await)
    }

    /// What came of an input, asked of the page on its own; none when it has gone on.
    async fn outcome(&self, exec_context: &ExecutionContext) -> Option<Outcome> {
        self.inner.script::<Option<Outcome>>(exec_context, "legwork.outcome()".to_owned()).await.ok().flatten()
    }

    /// Has the frames of other processes take no keys, for these are for one element of this one. Keys go to whatever has
    /// the focus when they arrive, and a frame may take it at any time.
    pub(crate) async fn hold_others(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
    ) -> Vec<ExecutionContext> {
        const LONGEST: u32 = 5_000;
        let mut frames = self.inner.outer_frames(scope.tab);
        frames.retain(|frame| *frame != exec_context.frame);
        let hold = async |frame| {
            let other = self.inner.exec_context(frame).await.ok()?;
            self.inner.script::<()>(&other, format!("legwork.hold({LONGEST})")).await.ok().map(|()| other)
        };
        let held = join_all(frames.iter().map(async |frame| tokio::time::timeout(HELD, hold(frame)).await));
        held.await.into_iter().filter_map(|held| held.ok().flatten()).collect()
    }

    pub(crate) fn release(&self, others: Vec<ExecutionContext>) {
        for other in others {
            drop(self.inner.send_script(&other, "legwork.unbind()".to_owned()));
        }
    }

    /// The text with secrets put in, when they may go to this frame's origin; the field is masked from then on.
    pub(crate) async fn revealed(
        &self,
        exec_context: &ExecutionContext,
        element: Option<u32>,
        text: &str,
    ) -> Result<SecretString, ActionFailure> {
        if !self.inner.guard().holds_secret(text) {
            return Ok(SecretString::from(text));
        }
        let refused = |reason: String| ActionFailure::Refused { reason };
        // The element may be in a frame inside this one, of the same origin: asked of the page, not assumed.
        let origin: String = self.inner.script(exec_context, format!("legwork.keepSecret({})", json!(element))).await?;
        let origin =
            url::Url::parse(&origin).map_err(|_| refused("a page without an origin gets no secret".to_owned()))?;
        self.inner.guard().reveal(text, &origin).map_err(|refusal| refused(refusal.reason))
    }

    pub(crate) async fn select(&self, scope: ActionScope, select: &Select) -> Result<ActionOutput, ActionFailure> {
        let mut again = false;
        loop {
            let more = json!({"values": select.values});
            let (exec_context, ready) = self.wait_actionable(scope.tab, &select.target, "select", more).await?;
            if ready.custom {
                return self.choose_all(scope, select, &exec_context, &ready).await;
            }
            match self.rest_with_outcome(scope, Some((&exec_context, Some(ready.element)))).await? {
                // It was chosen already, and a page that came to life meanwhile has begun anew. What the page was told of
                // is not chosen again: it may have sent something, and would send it twice.
                Some(Outcome { ok: false, .. }) if !again && !ready.set => again = true,
                Some(Outcome { ok: false, actual, .. }) => {
                    let (target, expected) = (ready.named(&select.target.0), Some(select.values.join(", ")));
                    return Err(ActionFailure::ValueDiffers { target, expected, actual });
                }
                _ => return Ok(ActionOutput { element: ready.what, value: None }),
            }
        }
    }

    /// Chooses from a list that is no `<select>`, and sees that all of it is chosen then.
    async fn choose_all(
        &self,
        scope: ActionScope,
        select: &Select,
        exec_context: &ExecutionContext,
        list: &Actionability,
    ) -> Result<ActionOutput, ActionFailure> {
        let several = select.values.len() > 1;
        let mut chosen = Vec::new();
        for (at, value) in select.values.iter().enumerate() {
            let before = (at == 0).then_some(select.values.as_slice());
            chosen.push(self.choose(scope, exec_context, list, &select.target, value, (before, several)).await?);
        }
        let deadline = Instant::now() + self.inner.options.timeouts.action / 4;
        for (value, (option, label)) in select.values.iter().zip(chosen) {
            let ask = format!("legwork.chosen({},{option},{},{})", list.element, json!(value), json!(label));
            loop {
                // A list that went with its page, or says nothing of its choice, has nothing to compare.
                let Ok(outcome) = self.inner.script::<Option<Outcome>>(exec_context, ask.clone()).await else { break };
                match outcome {
                    Some(Outcome { ok: false, .. }) if Instant::now() < deadline => {
                        if self.inner.script::<bool>(exec_context, "legwork.changed(100)".to_owned()).await.is_err() {
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
        Ok(ActionOutput { element: list.what.clone(), value: None })
    }

    /// Opens a list that is no `<select>`, unless it is open, and clicks its option. Answers the option and its name.
    async fn choose(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
        list: &Actionability,
        target: &Target,
        value: &str,
        (before, several): (Option<&[String]>, bool),
    ) -> Result<(u32, String), ActionFailure> {
        let ask =
            |before: Option<&[String]>| format!("legwork.option({},{},{})", json!(value), list.element, json!(before));
        let mut option: Actionability = self.inner.script(exec_context, ask(before)).await?;
        if !option.ok {
            // It may stand elsewhere since another value was chosen.
            let request = json!({
                "element": list.element, "need": "select", "values": [], "key": self.inner.scripts.key,
            });
            let opener: Actionability = self.inner.script(exec_context, format!("legwork.ready({request})")).await?;
            if !opener.ok {
                return Err(opener.failure(&list.named(&target.0)));
            }
            let point = self.aimed(exec_context, &opener, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(scope, Some((exec_context, Some(list.element)))).await?;
            option = self.offered(exec_context, &ask(None), list.element, value).await?;
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
        let mut request = json!({"element": option.element});
        request["need"] = json!("point");
        request["key"] = json!(self.inner.scripts.key);
        let ready: Actionability = self.inner.script(exec_context, format!("legwork.ready({request})")).await?;
        if !ready.ok {
            return Err(ready.failure(&format!("option {value:?}")));
        }
        let point = self.aimed(exec_context, &ready, target).await?;
        self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
        self.rest(scope, Some((exec_context, Some(ready.element)))).await?;
        Ok(chosen)
    }

    /// The option of an opened list, once it offers it: some load what they offer, some only when something is typed.
    async fn offered(
        &self,
        exec_context: &ExecutionContext,
        ask: &str,
        list: u32,
        value: &str,
    ) -> Result<Actionability, ActionFailure> {
        let begun = Instant::now();
        let deadline = begun + self.inner.options.timeouts.action;
        let mut typed = None;
        loop {
            let option: Actionability = self.inner.script(exec_context, ask.to_owned()).await?;
            if option.ok {
                return Ok(option);
            }
            if Instant::now() >= deadline {
                if typed == Some(true) {
                    self.inner.script::<()>(exec_context, format!("legwork.untype({list})")).await?;
                }
                return Ok(option);
            }
            if typed.is_none() && begun.elapsed() >= PROPOSES.min(self.inner.options.timeouts.action / 3) {
                let ask = format!("legwork.typeahead({list},{})", json!(value));
                typed = Some(self.inner.script::<bool>(exec_context, ask).await?);
            }
            // Until the list changes once more.
            self.inner.script::<bool>(exec_context, "legwork.changed(100)".to_owned()).await?;
        }
    }

    pub(crate) async fn check(
        &self,
        scope: ActionScope,
        target: &Target,
        on: bool,
    ) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, "check", json!({"on": on})).await?;
        if !ready.done {
            let point = self.aimed(&exec_context, &ready, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0).await?;
            self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
            let ask = format!("legwork.isTicked({})", ready.element);
            let deadline = Instant::now() + self.inner.options.timeouts.action / 4;
            // Gone with the page, or drawn anew: there is nothing left to compare.
            while let Ok(Some(now)) = self.inner.script::<Option<bool>>(&exec_context, ask.clone()).await
                && now != on
            {
                // Frameworks draw a switch anew a moment after they took the click.
                if Instant::now() < deadline
                    && self.inner.script::<bool>(&exec_context, "legwork.changed(100)".to_owned()).await.is_ok()
                {
                    continue;
                }
                let state = if on { "checked" } else { "cleared" }.to_owned();
                return Err(ActionFailure::NotToggled { target: ready.named(&target.0), state });
            }
        }
        Ok(ActionOutput { element: ready.what, value: None })
    }
}
