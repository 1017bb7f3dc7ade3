//! A person's control over the current tab, through its screencast. An input is sent as it is: there is no element to
//! wait for and nothing is awaited afterwards, because the person sees the page.

use std::sync::Arc;

use legwork_protocol::{ActionFailure, Button, Dialog, DialogInfo, Modifier, Tab, TabInfo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Session,
    act::{ActionScope, pointer::wire_modifiers},
    action_epoch::ActionEpoch,
    keys,
    point::Point,
};

/// An input of a person who sees the current tab in a picture. Positions are fractions of the picture's width and
/// height, from 0 to 1. It is not printed anywhere, because it may be a piece of a password.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ViewerInput {
    /// The pointer moves.
    Move {
        /// From the left edge.
        x: f64,
        /// From the upper edge.
        y: f64,
    },
    /// A mouse button is pressed.
    Down(ViewerPress),
    /// A mouse button is released.
    Up(ViewerPress),
    /// The wheel turns.
    Wheel {
        /// From the left edge.
        x: f64,
        /// From the upper edge.
        y: f64,
        /// The distance to the right in pixels of the page.
        #[serde(default)]
        across: f64,
        /// The distance down in pixels of the page.
        #[serde(default)]
        down: f64,
    },
    /// A key or chord is pressed and released: `a`, `Enter`, `Control+A`.
    Key {
        /// The key.
        key: String,
    },
    /// Text is typed into the focused field, key by key.
    Text {
        /// The text, at most 10,000 characters.
        text: String,
    },
    /// The open dialog is answered.
    Dialog {
        /// Whether it is accepted.
        accept: bool,
        /// The answer to a prompt.
        #[serde(default)]
        text: Option<String>,
    },
    /// Another tab becomes the current one.
    Tab {
        /// Its number.
        number: u32,
    },
}

/// A press or release of a mouse button.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewerPress {
    /// From the left edge.
    pub x: f64,
    /// From the upper edge.
    pub y: f64,
    /// The button.
    #[serde(default)]
    pub button: Button,
    /// Its number in a series of quick clicks at the same place, from 1 to 3.
    #[serde(default = "once")]
    pub count: u8,
    /// The keys that are held.
    #[serde(default)]
    pub modifiers: Vec<Modifier>,
}

fn once() -> u8 {
    1
}

/// The longest text of one input, in characters.
const LONGEST_TEXT: usize = 10_000;
/// The greatest distance of one turn of the wheel, in pixels.
const FARTHEST: f64 = 10_000.0;

impl ViewerInput {
    /// The position, if the input has one.
    fn position(&self) -> Option<(f64, f64)> {
        match self {
            ViewerInput::Move { x, y } | ViewerInput::Wheel { x, y, .. } => Some((*x, *y)),
            ViewerInput::Down(press) | ViewerInput::Up(press) => Some((press.x, press.y)),
            _ => None,
        }
    }

    /// What is wrong with it, whatever the page is.
    ///
    /// # Errors
    /// If a position is outside of the picture, a key is unknown, or a value is too large.
    pub fn check(&self) -> Result<(), ActionFailure> {
        let invalid =
            |what: &str, reason: String| Err(ActionFailure::InvalidArgument { what: what.to_owned(), reason });
        if let Some((x, y)) = self.position()
            && !((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y))
        {
            return invalid("the position", format!("{x}, {y} is outside of the picture; give fractions from 0 to 1"));
        }
        match self {
            ViewerInput::Key { key } if keys::chord(key).is_none() => {
                invalid("the key", "unknown; give for instance Enter, Escape, ArrowDown or Control+A".to_owned())
            }
            ViewerInput::Text { text } if text.chars().count() > LONGEST_TEXT => {
                invalid("the text", format!("longer than {LONGEST_TEXT} characters; send it in parts"))
            }
            ViewerInput::Wheel { across, down, .. } if !(across.abs() <= FARTHEST && down.abs() <= FARTHEST) => {
                invalid("the distance", format!("greater than {FARTHEST} pixels"))
            }
            ViewerInput::Down(press) | ViewerInput::Up(press) if !(1..=3).contains(&press.count) => {
                invalid("the count", format!("{} is not from 1 to 3", press.count))
            }
            _ => Ok(()),
        }
    }
}

/// What a person who controls the browser cannot see in the picture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewerState {
    /// The open tabs.
    pub tabs: Vec<TabInfo>,
    /// The open dialog of the current tab, which no picture shows.
    pub dialog: Option<DialogInfo>,
}

/// What a person did, without its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewerActivity {
    /// The number of presses of a mouse button.
    pub clicks: u32,
    /// Whether a key was pressed or a text typed. Their number would state the length of a password.
    pub typed: bool,
    /// Whether a dialog was answered or another tab was chosen.
    pub other: bool,
}

impl ViewerActivity {
    /// Whether nothing was done.
    pub fn is_empty(&self) -> bool {
        *self == ViewerActivity::default()
    }

    fn note(&mut self, input: &ViewerInput) {
        match input {
            ViewerInput::Down(_) => self.clicks += 1,
            ViewerInput::Key { .. } | ViewerInput::Text { .. } => self.typed = true,
            ViewerInput::Dialog { .. } | ViewerInput::Tab { .. } | ViewerInput::Wheel { .. } => self.other = true,
            ViewerInput::Move { .. } | ViewerInput::Up(_) => {}
        }
    }
}

/// The control of a session by a person, from its begin to its end. No action may be carried out meanwhile.
pub struct ViewerControl {
    session: Arc<Session>,
    since: ActionEpoch,
    activity: ViewerActivity,
}

impl ViewerControl {
    /// Begins the control.
    pub fn begin(session: Arc<Session>) -> Self {
        let since = session.inner.state().begin_epoch();
        ViewerControl { session, since, activity: ViewerActivity::default() }
    }

    /// What the person did so far.
    pub fn activity(&self) -> ViewerActivity {
        self.activity
    }

    /// Sends inputs to the current tab, in order.
    ///
    /// # Errors
    /// If an input is invalid, then none is sent; if a dialog is open that the input does not answer, or if the page or
    /// the browser is gone, then the inputs before it were sent.
    pub async fn send(&mut self, inputs: &[ViewerInput]) -> Result<(), ActionFailure> {
        inputs.iter().try_for_each(ViewerInput::check)?;
        for input in inputs {
            self.send_one(input).await?;
            self.activity.note(input);
        }
        Ok(())
    }

    /// Asks the pages for their titles, which no event reports.
    pub async fn refresh_titles(&self) {
        self.session.refresh_titles().await;
    }

    /// The tabs and the open dialog. A tab that the person's input opened has become the current one.
    pub fn state(&self) -> ViewerState {
        self.follow_tabs();
        let dialog = self.session.dialog();
        ViewerState { tabs: self.session.tabs(), dialog }
    }

    /// Ends the control and returns what the person did. The effects belong to no action.
    pub fn end(self) -> ViewerActivity {
        self.follow_tabs();
        self.session.inner.state().effects.clear();
        self.activity
    }

    async fn send_one(&self, input: &ViewerInput) -> Result<(), ActionFailure> {
        let session = &*self.session;
        match input {
            ViewerInput::Dialog { accept, text } => {
                let dialog = Dialog { accept: *accept, text: text.clone(), opened_by: None };
                session.answer_dialog(&dialog).await.map(drop)
            }
            ViewerInput::Tab { number } => session.tab(&Tab::Switch { to: number.to_string() }).await.map(drop),
            ViewerInput::Move { x, y } => session.moved(self.scope()?, self.point(*x, *y)?).await,
            ViewerInput::Wheel { x, y, across, down } => {
                let (scope, at) = (self.scope()?, self.point(*x, *y)?);
                let turned = session.inner.driver.wheel(&session.tab_session(scope.tab)?, at, *across, *down);
                Session::input_done(
                    session.inner.answer(scope.tab, turned, session.inner.options.timeouts.script).await,
                )
            }
            ViewerInput::Down(press) => {
                let scope = self.acting_scope()?;
                session.moved(scope, self.point(press.x, press.y)?).await?;
                let modifiers = wire_modifiers(&press.modifiers);
                session.pressed(scope, press.button, i32::from(press.count), modifiers).await
            }
            ViewerInput::Up(press) => {
                let scope = self.acting_scope()?;
                session.moved(scope, self.point(press.x, press.y)?).await?;
                let modifiers = wire_modifiers(&press.modifiers);
                session.released(scope, press.button, i32::from(press.count), modifiers).await
            }
            ViewerInput::Key { key } => {
                // `check` has refused unknown keys.
                session.press_chord(self.acting_scope()?, &keys::chord(key).unwrap_or_default()).await
            }
            ViewerInput::Text { text } => {
                let scope = self.acting_scope()?;
                let frame = session.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
                let exec_context = session.inner.exec_context(&frame).await?;
                session.send_keys(scope, &exec_context, text).await
            }
        }
    }

    /// The current tab, for an input that may change something.
    fn acting_scope(&self) -> Result<ActionScope, ActionFailure> {
        let scope = self.scope()?;
        let mut state = self.session.inner.state();
        state.input = true;
        state.unsaved.note_input(scope.epoch);
        Ok(scope)
    }

    /// The current tab. Fails if a dialog is open, because the page receives no input then.
    fn scope(&self) -> Result<ActionScope, ActionFailure> {
        let tab = self.session.inner.current_tab()?;
        let state = self.session.inner.state();
        match state.dialogs.open_in(tab) {
            Some(dialog) => Err(crate::evaluate_error::dialog_open(dialog)),
            None => Ok(ActionScope { tab, epoch: state.epoch, awaits_answer: false }),
        }
    }

    /// A position in the picture as one in the tab's view.
    fn point(&self, x: f64, y: f64) -> Result<Point, ActionFailure> {
        let inner = &self.session.inner;
        let tab = inner.current_tab()?;
        let session = self.session.tab_session(tab)?;
        let newest = inner.screencast.borrow();
        let (_, picture) = newest.as_ref().filter(|(of, _)| *of == session).ok_or_else(|| {
            let reason = "there is no picture of the current tab yet; subscribe to frames first".to_owned();
            ActionFailure::InvalidArgument { what: "the position".to_owned(), reason }
        })?;
        Ok(Point { x: x * picture.width, y: y * picture.height })
    }

    /// Continues in a tab that opened after an input of the person, if the page of the current tab opened it. A tab of
    /// a frame of another site is only listed, and the person can choose it. Unlike after an action, it does not matter
    /// whether a timer opened the tab, because the person sees it.
    fn follow_tabs(&self) {
        let inner = &self.session.inner;
        let Ok(tab) = inner.current_tab() else { return };
        let frame = inner.main_frame(tab);
        let mut state = inner.state();
        if !state.input {
            return;
        }
        for number in state.tabs.unclaimed(tab, self.since) {
            let Some(opened) = state.tabs.get(number) else { continue };
            if state.tabs.is_opened_from(opened, tab, frame.as_ref()) {
                state.claim(number);
            } else if let Some(opened) = state.tabs.get_mut(number) {
                opened.set_opened_by_page();
            }
        }
        drop(state);
        inner.touch();
    }
}
