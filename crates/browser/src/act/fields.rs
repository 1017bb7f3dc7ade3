//! Actions on form fields. Text is entered only into its element. Once the page has settled, the element's value is
//! compared with the given one: a value that the page rejected, changed or reset is a failure.

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Fill, Select, Target};
use secrecy::{ExposeSecret, SecretString};
use tokio::time::Instant;

use super::{ActionOutput, ActionScope, readings::Readings};
use crate::{
    RequestDenial, Session,
    driver::dispatch,
    frame_tree::ExecutionContext,
    page_script::{
        AllowInput, BlurElement, CalendarOutcome, CalendarStep, CheckActionable, ClearTypeAhead, ElementQuery,
        EnterSecret, EntryStep, FieldEntry, FindOption, InputOutcome, IsChecked, IsExpanded, MaskField, Need,
        NotActionable, OptionOutcome, Outcome, PageCall, PasteText, Ready, SuppressInput, SuppressSubmit, TypeAhead,
        WaitForChange,
    },
};

/// Waits for the next change of the page, for a short time at most.
const MOMENT: WaitForChange = WaitForChange { timeout_ms: 100 };

/// How long frames of other processes may take to confirm that they suppress input. Also the time for which forms are
/// not submitted when Enter commits a value.
const HELD: std::time::Duration = std::time::Duration::from_millis(300);

/// How long an opened list may take to offer a value before text is typed into it. Some lists load their options when
/// they open, others offer them only when text is typed.
const PROPOSES: std::time::Duration = std::time::Duration::from_millis(1_700);

/// The most steps through a calendar: ten years of months, and the day itself.
const MONTHS: usize = 121;

/// The result of filling: the element, and its value if it differs.
struct Filled {
    element: Option<String>,
    named: String,
    differs: Option<Option<String>>,
}

/// A control with two states and the intended one.
struct Toggle<'a> {
    need: Need<'a>,
    on: bool,
    /// The intended state in a word.
    state: &'static str,
}

impl Session {
    pub(crate) async fn fill(&self, scope: ActionScope, fill: &Fill) -> Result<ActionOutput, ActionFailure> {
        let first = self.fill_once(scope, fill, false).await?;
        let Some(differs) = first.differs else { return Ok(ActionOutput { element: first.element, value: None }) };
        // An input mask may listen to keys, or the page's framework may have initialized the field in the meantime. The
        // field is filled a second time, by the other method.
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
        let readings = Readings::of(&fill.text);
        // A secret is not passed to the page before it is known whether the origin may receive it.
        let entry =
            (!secret).then_some(FieldEntry { text: &fill.text, readings: &readings, submit: fill.submit, again });
        let given = |failure| match failure {
            ActionFailure::NotAccepted { target, accepts, .. } if !secret => {
                ActionFailure::NotAccepted { target, value: Some(fill.text.clone()), accepts }
            }
            other => other,
        };
        let (exec_context, mut ready) =
            self.wait_actionable(scope.tab, &fill.target, Need::Fill { entry }).await.map_err(given)?;
        let (number, element, named) = (ready.element, Some(ready.what.clone()), ready.named(&fill.target.0));
        if secret {
            let text = self.revealed(&exec_context, Some(number), &fill.text).await?;
            let text = text.expose_secret();
            let readings = Readings::of(text);
            let enter = EnterSecret { element: number, text, readings: &readings, submit: fill.submit, again };
            if !fill.submit {
                dispatch::mark_sent();
            }
            let entered = self.inner.call(&exec_context, enter).await?;
            ready = entered.ready().map_err(|not| not.failure(&fill.target.0))?;
        }
        if ready.calendar {
            let differs = self.choose_day(scope, (&exec_context, &ready), &fill.target, &fill.text).await?;
            return Ok(Filled { element, named, differs });
        }
        let from_outside = matches!(ready.entry, Some(EntryStep::Insert { .. } | EntryStep::Keys { .. }));
        if from_outside {
            let others = self.hold_others(scope, &exec_context).await;
            let put = self.put(scope, &exec_context, &ready, &fill.text, again).await;
            self.release(others);
            put?;
        }
        let done = |differs| Ok(Filled { element, named: named.clone(), differs });
        if let Some(EntryStep::Differs { actual }) = ready.entry {
            return done(Some(actual.filter(|_| !secret)));
        }
        let at = Some((&exec_context, Some(number)));
        if fill.submit {
            // The value is compared before Enter is pressed, because Enter may change it.
            if from_outside {
                match self.outcome(&exec_context).await {
                    Some(Outcome::Differs { actual, .. }) => return done(Some(actual)),
                    Some(Outcome::FocusLost { .. }) => return done(Some(None)),
                    Some(Outcome::Held) | None => {}
                }
            }
            self.press_named(scope, "Enter").await?;
            self.rest(scope, at).await?;
            return done(None);
        }
        let outcome = match self.rest_with_outcome(scope, at).await? {
            None => self.outcome(&exec_context).await,
            outcome => outcome,
        };
        match outcome {
            Some(Outcome::FocusLost { to }) => Err(ActionFailure::FocusLost { target: named, to }),
            Some(Outcome::Differs { actual, .. }) => done(Some(actual)),
            Some(Outcome::Held) | None => done(None),
        }
    }

    /// Removes the focus from a field. Many pages validate a value only then, so all fields that were filled must still
    /// have theirs.
    pub(crate) async fn blur(&self, scope: ActionScope, target: &Target) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, Need::Blur).await?;
        let at = Some((&exec_context, Some(ready.element)));
        let outcome = match self.rest_with_outcome(scope, at).await? {
            None => self.outcome(&exec_context).await,
            outcome => outcome,
        };
        match outcome {
            Some(Outcome::Differs { actual, field, given }) => Err(ActionFailure::ValueDiffers {
                target: field.unwrap_or_else(|| ready.named(&target.0)),
                expected: given,
                actual,
            }),
            _ => Ok(ActionOutput { element: Some(ready.what), value: None }),
        }
    }

    /// Opens the calendar of a field and chooses the day in it, month by month. Returns the field's value if it differs
    /// from the day.
    async fn choose_day(
        &self,
        scope: ActionScope,
        (exec_context, field): (&ExecutionContext, &Ready),
        target: &Target,
        text: &str,
    ) -> Result<Option<Option<String>>, ActionFailure> {
        let readings = Readings::of(text);
        let number = field.element;
        let ask = CalendarStep { element: number, date: readings.date.as_deref().unwrap_or_default() };
        if self.inner.call(exec_context, &ask).await?.ready().is_err() {
            let point = self.aimed(exec_context, field, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0, false).await?;
            self.rest(scope, Some((exec_context, Some(number)))).await?;
        }
        for _ in 0..MONTHS {
            let step = self.inner.call(exec_context, &ask).await?.ready().map_err(|not| not.failure(&target.0))?;
            let point = self.aimed(exec_context, &step, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0, false).await?;
            self.rest(scope, Some((exec_context, Some(number)))).await?;
            if step.done {
                break;
            }
        }
        let outcome = CalendarOutcome { element: number, text, readings: &readings };
        Ok(match self.inner.call(exec_context, outcome).await? {
            Some(Outcome::Differs { actual, .. }) => Some(actual),
            _ => None,
        })
    }

    /// Enters a text through the browser when the script in the page cannot: a text for an editor, or one that is typed
    /// key by key.
    async fn put(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
        ready: &Ready,
        text: &str,
        again: bool,
    ) -> Result<(), ActionFailure> {
        let chord = match &ready.entry {
            Some(EntryStep::Insert { chord, empty }) => {
                if let Some(chord) = chord {
                    self.press_named(scope, chord).await?;
                }
                if text.is_empty() {
                    return if *empty { Ok(()) } else { self.press_named(scope, "Delete").await };
                }
                chord
            }
            Some(EntryStep::Keys { leave, commit }) => {
                self.send_keys(scope, exec_context, text).await?;
                if *commit {
                    let suppress = SuppressSubmit { duration_ms: HELD.as_millis() as u64 };
                    self.inner.call(exec_context, suppress).await?;
                    self.press_named(scope, "Enter").await?;
                }
                if *leave {
                    self.inner.call(exec_context, BlurElement { element: ready.element }).await?;
                }
                return Ok(());
            }
            Some(EntryStep::Set | EntryStep::Differs { .. }) | None => return Ok(()),
        };
        // The browser inserts several lines as several edits, between which an editor's script may lose the caret, so
        // the text is first pasted in one piece.
        if again || (chord.is_none() && text.contains('\n')) {
            let paste = PasteText { element: ready.element, text, or_edit: again };
            let pasted = self.inner.call(exec_context, paste).await?;
            let pasted = pasted.ready().map_err(|not| not.failure("the editor"))?;
            if pasted.entry == Some(EntryStep::Set) || again {
                return Ok(());
            }
        }
        let insert = self.inner.driver.insert_text(exec_context.context_ref(), text);
        Self::input_done(self.inner.answer(scope.tab, insert, self.inner.options.timeouts.script).await)
    }

    /// Asks the page for the outcome of an input; `None` if the document is gone or there is nothing to compare.
    async fn outcome(&self, exec_context: &ExecutionContext) -> Option<Outcome> {
        self.inner.call(exec_context, InputOutcome {}).await.ok().flatten()
    }

    /// Suppresses input in the frames of other processes while keys are sent to an element of this frame. Keys go to
    /// whatever has the focus when they arrive, and another frame may take the focus at any time.
    pub(crate) async fn hold_others(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
    ) -> Vec<ExecutionContext> {
        const LONGEST: SuppressInput = SuppressInput { duration_ms: 5_000 };
        let mut frames = self.inner.outer_frames(scope.tab);
        frames.retain(|frame| *frame != exec_context.frame);
        let hold = async |frame| {
            let other = self.inner.exec_context(frame).await.ok()?;
            self.inner.call(&other, LONGEST).await.ok().map(|()| other)
        };
        let held = join_all(frames.iter().map(async |frame| tokio::time::timeout(HELD, hold(frame)).await));
        held.await.into_iter().filter_map(|held| held.ok().flatten()).collect()
    }

    pub(crate) fn release(&self, others: Vec<ExecutionContext>) {
        for other in others {
            drop(self.inner.call(&other, AllowInput {}));
        }
    }

    /// The text with its secrets inserted, if they are bound to the origin of this field's document. From then on, the
    /// field is masked.
    pub(crate) async fn revealed(
        &self,
        exec_context: &ExecutionContext,
        element: Option<u32>,
        text: &str,
    ) -> Result<SecretString, ActionFailure> {
        if !self.inner.guard().holds_secret(text) {
            return Ok(SecretString::from(text));
        }
        // The element may be in a child frame, so the page is asked for the origin of the element's document.
        let origin = self.inner.call(exec_context, MaskField { element }).await?;
        let origin =
            url::Url::parse(&origin).map_err(|_| RequestDenial::new("a page without an origin gets no secret"))?;
        Ok(self.inner.guard().reveal(text, &origin)?)
    }

    pub(crate) async fn select(&self, scope: ActionScope, select: &Select) -> Result<ActionOutput, ActionFailure> {
        let mut again = false;
        loop {
            let need = Need::Select { values: &select.values };
            let (exec_context, ready) = self.wait_actionable(scope.tab, &select.target, need).await?;
            if ready.custom_list {
                return self.choose_all(scope, select, &exec_context, &ready).await;
            }
            match self.rest_with_outcome(scope, Some((&exec_context, Some(ready.element)))).await? {
                // If the option was already selected, the page's framework may have reset the list in the meantime, so
                // it is selected again. A selection that the page was notified of is not repeated: the page may have
                // sent a request, and would send it twice.
                Some(Outcome::Differs { .. }) if !again && !ready.changed => again = true,
                Some(Outcome::Differs { actual, .. }) => {
                    let (target, expected) = (ready.named(&select.target.0), Some(select.values.join(", ")));
                    return Err(ActionFailure::ValueDiffers { target, expected, actual });
                }
                _ => return Ok(ActionOutput { element: Some(ready.what), value: None }),
            }
        }
    }

    /// Chooses from a list that is not a `<select>`, and checks that all values are chosen in the end.
    async fn choose_all(
        &self,
        scope: ActionScope,
        select: &Select,
        exec_context: &ExecutionContext,
        list: &Ready,
    ) -> Result<ActionOutput, ActionFailure> {
        let several = select.values.len() > 1;
        let mut chosen = Vec::new();
        for (at, value) in select.values.iter().enumerate() {
            let before = (at == 0).then_some(select.values.as_slice());
            chosen.push(self.choose(scope, exec_context, list, &select.target, value, (before, several)).await?);
        }
        // A list that loads its options again each time it opens may move them under the pointer, so that another one
        // is chosen or deselected. What is not chosen in the end is chosen once more; an option that is marked as
        // chosen is not clicked again.
        if several {
            for (at, value) in select.values.iter().enumerate() {
                let (option, label) = &chosen[at];
                let ask = OptionOutcome { list: list.element, option: *option, value, label };
                if let Ok(Some(Outcome::Differs { .. })) = self.inner.call(exec_context, &ask).await {
                    chosen[at] = self.choose(scope, exec_context, list, &select.target, value, (None, true)).await?;
                }
            }
        }
        let deadline = Instant::now() + self.inner.options.timeouts.action / 4;
        for (value, (option, label)) in select.values.iter().zip(chosen) {
            let ask = OptionOutcome { list: list.element, option, value, label: &label };
            loop {
                // A list that is gone with its page, or that does not show what is chosen, cannot be checked.
                let Ok(outcome) = self.inner.call(exec_context, &ask).await else { break };
                match outcome {
                    Some(Outcome::Differs { .. }) if Instant::now() < deadline => {
                        if self.inner.call(exec_context, MOMENT).await.is_err() {
                            break;
                        }
                    }
                    Some(Outcome::Differs { actual, .. }) => {
                        let target = list.named(&select.target.0);
                        return Err(ActionFailure::ValueDiffers { target, expected: Some(value.clone()), actual });
                    }
                    _ => break,
                }
            }
        }
        Ok(ActionOutput { element: Some(list.what.clone()), value: None })
    }

    /// Opens a list that is not a `<select>`, unless it is open, and clicks an option. Returns the option and its name.
    async fn choose(
        &self,
        scope: ActionScope,
        exec_context: &ExecutionContext,
        list: &Ready,
        target: &Target,
        value: &str,
        (before, several): (Option<&[String]>, bool),
    ) -> Result<(u32, String), ActionFailure> {
        let find = FindOption { list: list.element, value, before };
        let mut found = self.inner.call(exec_context, find).await?.ready();
        if found.is_err() {
            // The list may have moved since another value was chosen.
            let opener = self.check_element(exec_context, list.element, Need::Select { values: &[] }).await?;
            let opener = opener.map_err(|not| not.failure(&list.named(&target.0)))?;
            let point = self.aimed(exec_context, &opener, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0, false).await?;
            self.rest(scope, Some((exec_context, Some(list.element)))).await?;
            found = self.offered(exec_context, list.element, value).await?;
        }
        let option = found.map_err(|not| not.failure(&list.named(&target.0)))?;
        let chosen = (option.element, option.what);
        // A second click would deselect it.
        if several && option.done {
            return Ok(chosen);
        }
        let ready = self.check_element(exec_context, option.element, Need::Point).await?;
        let ready = ready.map_err(|not| not.failure(&format!("option {value:?}")))?;
        let point = self.aimed(exec_context, &ready, target).await?;
        self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0, false).await?;
        self.rest(scope, Some((exec_context, Some(ready.element)))).await?;
        Ok(chosen)
    }

    /// Waits until an opened list offers the option. Some lists load their options, and some offer them only when text
    /// is typed.
    async fn offered(
        &self,
        exec_context: &ExecutionContext,
        list: u32,
        value: &str,
    ) -> Result<Result<Ready, NotActionable>, ActionFailure> {
        let begun = Instant::now();
        let deadline = begun + self.inner.options.timeouts.action;
        let mut typed = None;
        loop {
            let option = self.inner.call(exec_context, FindOption { list, value, before: None }).await?.ready();
            if option.is_ok() {
                return Ok(option);
            }
            if Instant::now() >= deadline {
                if typed == Some(true) {
                    self.inner.call(exec_context, ClearTypeAhead { list }).await?;
                }
                return Ok(option);
            }
            if typed.is_none() && begun.elapsed() >= PROPOSES.min(self.inner.options.timeouts.action / 3) {
                typed = Some(self.inner.call(exec_context, TypeAhead { list, value }).await?);
            }
            // Waits until the list changes.
            self.inner.call(exec_context, MOMENT).await?;
        }
    }

    /// Checks whether a known element can be acted on now.
    async fn check_element(
        &self,
        exec_context: &ExecutionContext,
        element: u32,
        need: Need<'_>,
    ) -> Result<Result<Ready, NotActionable>, ActionFailure> {
        let target = ElementQuery::Element(element);
        let check = CheckActionable { key: &self.inner.scripts.key, target: &target, need };
        Ok(self.inner.call(exec_context, check).await?.result.ready())
    }

    pub(crate) async fn check(
        &self,
        scope: ActionScope,
        target: &Target,
        on: bool,
    ) -> Result<ActionOutput, ActionFailure> {
        let toggle = Toggle { need: Need::Check { on }, on, state: if on { "checked" } else { "cleared" } };
        self.toggle(scope, target, toggle, |element| IsChecked { element }).await
    }

    pub(crate) async fn expand(
        &self,
        scope: ActionScope,
        target: &Target,
        open: bool,
    ) -> Result<ActionOutput, ActionFailure> {
        let state = if open { "expanded" } else { "collapsed" };
        let toggle = Toggle { need: Need::Expand { open }, on: open, state };
        self.toggle(scope, target, toggle, |element| IsExpanded { element }).await
    }

    /// Clicks a control with two states, unless it is in the intended one, and waits until it is.
    async fn toggle<C: PageCall<Returns = Option<bool>>>(
        &self,
        scope: ActionScope,
        target: &Target,
        toggle: Toggle<'_>,
        is_on: impl Fn(u32) -> C,
    ) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready) = self.wait_actionable(scope.tab, target, toggle.need).await?;
        if !ready.done {
            let point = self.aimed(&exec_context, &ready, target).await?;
            self.press_mouse(scope.tab, point, legwork_protocol::Button::Left, 1, 0, false).await?;
            self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
            let deadline = Instant::now() + self.inner.options.timeouts.action / 4;
            // If the element is gone with the page or was replaced, there is nothing left to compare.
            while let Ok(Some(now)) = self.inner.call(&exec_context, is_on(ready.element)).await
                && now != toggle.on
            {
                // Frameworks update a switch a moment after the click.
                if Instant::now() < deadline && self.inner.call(&exec_context, MOMENT).await.is_ok() {
                    continue;
                }
                let state = toggle.state.to_owned();
                return Err(ActionFailure::NotToggled { target: ready.named(&target.0), state });
            }
        }
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }
}
