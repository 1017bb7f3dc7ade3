//! What is done with the mouse.

use std::time::Duration;

use legwork_protocol::{ActionFailure, Button, Click, Drag, Modifier, Scroll, Target};
use scopeguard::ScopeGuard;
use serde::Deserialize;
use serde_json::json;

use super::{Did, Turn};
use crate::{
    Session,
    driver::{Drag as DragPart, MouseInput, MouseKind, SessionId, dispatch},
    frames::{FrameRef, Place, Trouble},
    settle::{ASTRAY, HALF, REPLACED},
    targets::Ready,
};

/// How long the pointer may take to come to an element in another process; then it is measured and led anew.
const ARRIVAL: Duration = Duration::from_millis(150);

/// An input into a frame of another process is at times never answered, though it arrived: then the frame itself says.
const UNHEARD: Duration = Duration::from_secs(2);

/// How a drag within the page ends.
pub(crate) const DROPPED: &[DragPart] = &[DragPart::Enter, DragPart::Over, DragPart::Drop];

/// A point in the tab's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Passed {
    Through { x: f64, y: f64 },
    Covered { by: String },
}

fn wire_modifiers(modifiers: &[Modifier]) -> i32 {
    modifiers.iter().fold(0, |bits, modifier| {
        bits | match modifier {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    })
}

impl Session {
    pub(crate) async fn click(&self, turn: Turn, click: &Click) -> Result<Did, ActionFailure> {
        let deadline = tokio::time::Instant::now() + self.shared.options.timeouts.action;
        let modifiers = wire_modifiers(&click.modifiers);
        loop {
            let (place, ready, point) = self.point_at(turn, &click.target, "press").await?;
            let press = self.press_mouse(turn.tab, point, click.button, click.count.clamp(1, 3), modifiers);
            if self.shared.is_main(&place) {
                press.await?;
            } else if let Ok(pressed) = tokio::time::timeout(UNHEARD, press).await {
                pressed?;
            }
            match self.rest_released(turn, (&place, &ready), point, click).await {
                Err(ActionFailure::Covered { by, .. }) if by == REPLACED => {
                    let reason = "it was replaced while the mouse button was down, so that it got no click".to_owned();
                    return Err(ActionFailure::NotClickable { target: ready.named(&click.target.0), reason });
                }
                // Its way there moved the element from under the pointer; nothing was pressed, and now it is there.
                Err(ActionFailure::Covered { by, .. }) if by != HALF && tokio::time::Instant::now() < deadline => {
                    dispatch::kept_back();
                }
                Err(ActionFailure::Covered { by, .. }) => {
                    if by != HALF {
                        dispatch::kept_back();
                    }
                    let by = match by.as_str() {
                        ASTRAY => "something outside of its frame".to_owned(),
                        HALF => "something outside of its frame, which got the release of the mouse button".to_owned(),
                        _ => by,
                    };
                    return Err(ActionFailure::Covered { target: ready.named(&click.target.0), by });
                }
                other => {
                    other?;
                    return Ok(Did { element: ready.what, value: None });
                }
            }
        }
    }

    /// Settles after a press; a release that went elsewhere is sent again, for pressing anew would act twice.
    async fn rest_released(
        &self,
        turn: Turn,
        (place, ready): (&Place, &Ready),
        at: Point,
        click: &Click,
    ) -> Result<(), ActionFailure> {
        const RELEASES: usize = 3;
        for _ in 0..RELEASES {
            match self.rest(turn, Some((place, Some(ready.element)))).await {
                Err(ActionFailure::Covered { by, .. }) if by == HALF => {
                    tracing::debug!(?at, "the release of a press went astray");
                    let modifiers = wire_modifiers(&click.modifiers);
                    // The frame may have been moved since.
                    let at = self.in_view(place, ready, &click.target).await.unwrap_or(at);
                    let up = MouseInput {
                        kind: MouseKind::Up,
                        button: Some(click.button),
                        held: false,
                        count: i32::from(click.count.clamp(1, 3)),
                        modifiers,
                    };
                    let released = self.shared.driver.mouse(&self.tab_session(turn.tab)?, at, up);
                    Self::input_done(
                        self.shared.answer(turn.tab, released, self.shared.options.timeouts.script).await,
                    )?;
                }
                other => return other,
            }
        }
        self.rest(turn, Some((place, Some(ready.element)))).await
    }

    pub(crate) async fn hover(&self, turn: Turn, target: &Target) -> Result<Did, ActionFailure> {
        let (place, ready, point) = self.point_at(turn, target, "point").await?;
        let session = self.tab_session(turn.tab)?;
        self.pointer_at(turn.tab, point);
        let moved = self.shared.driver.mouse(&session, point, MouseInput::default());
        Self::input_done(self.shared.answer(turn.tab, moved, self.shared.options.timeouts.script).await)?;
        self.rest(turn, Some((&place, Some(ready.element)))).await?;
        Ok(Did { element: ready.what, value: None })
    }

    /// A ready element and where it is in the tab's view; covered frames are waited for like covered elements.
    pub(crate) async fn point_at(
        &self,
        turn: Turn,
        target: &Target,
        need: &str,
    ) -> Result<(Place, Ready, Point), ActionFailure> {
        let deadline = tokio::time::Instant::now() + self.shared.options.timeouts.action;
        loop {
            let (place, ready) = self.ready(turn.tab, target, need, json!({})).await?;
            match self.aimed(&place, &ready, target).await {
                Ok(point) => return Ok((place, ready, point)),
                Err(ActionFailure::Covered { .. }) if tokio::time::Instant::now() < deadline => {
                    let frame = self.shared.main_frame(turn.tab).ok_or(ActionFailure::Crashed)?;
                    let outer = self.shared.place(&frame).await?;
                    self.shared.script::<bool>(&outer, "legwork.changed(100)".to_owned()).await?;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// As [`Session::in_view`], and the pointer has been seen over the element when it is in a frame of another process: which
    /// process gets an input is decided by what was drawn last, and that may still be the page before it was scrolled.
    pub(crate) async fn aimed(&self, place: &Place, ready: &Ready, target: &Target) -> Result<Point, ActionFailure> {
        let point = self.in_view(place, ready, target).await?;
        let session = self.tab_session(place.frame.tab)?;
        if *session == *place.session {
            return Ok(point);
        }
        drop(self.shared.driver.mouse(&session, point, MouseInput::default()));
        if self.shared.script::<bool>(place, format!("legwork.pointed({})", ARRIVAL.as_millis())).await? {
            return Ok(point);
        }
        tracing::debug!(?point, "the pointer did not come to its element");
        Err(ActionFailure::Covered { target: ready.named(&target.0), by: "something outside of its frame".to_owned() })
    }

    /// Where a ready element's point is in the tab's view: out through the frames that hold it.
    pub(crate) async fn in_view(&self, place: &Place, ready: &Ready, target: &Target) -> Result<Point, ActionFailure> {
        let (Some(x), Some(y)) = (ready.x, ready.y) else {
            return Err(ActionFailure::NotVisible { target: ready.named(&target.0) });
        };
        let mut point = Point { x, y };
        let mut frame = place.frame.clone();
        while let Some((document, element)) = self.shared.owner_of(&frame).await {
            let node = legwork_observe::NodeKey { document, element };
            let Some(outer) = self.shared.place_of(frame.tab, node) else {
                return Err(ActionFailure::StaleRef { target: target.0.clone() });
            };
            let expression = format!("legwork.pass({element},{},{})", point.x, point.y);
            match self.shared.script::<Passed>(&outer, expression).await? {
                Passed::Through { x, y } => point = Point { x, y },
                Passed::Covered { by } => return Err(ActionFailure::Covered { target: ready.named(&target.0), by }),
            }
            frame = FrameRef { tab: frame.tab, id: outer.frame.id };
        }
        Ok(point)
    }

    /// Notes where the pointer is from now on.
    pub(crate) fn pointer_at(&self, tab: u32, at: Point) {
        if let Some(tab) = self.shared.state().tab_mut(tab) {
            tab.pointer = at;
        }
    }

    pub(crate) fn tab_session(&self, tab: u32) -> Result<SessionId, ActionFailure> {
        let state = self.shared.state();
        state.tab(tab).map(|tab| tab.session.clone()).ok_or(ActionFailure::StaleRef { target: "the tab".to_owned() })
    }

    /// Moves there, presses and releases; all under way at once, the last answer counts.
    pub(crate) async fn press_mouse(
        &self,
        tab: u32,
        at: Point,
        button: Button,
        count: u8,
        modifiers: i32,
    ) -> Result<(), ActionFailure> {
        let session = self.tab_session(tab)?;
        let input = |kind, held, count| MouseInput { kind, button: Some(button), held, count, modifiers };
        let mut last = None;
        self.pointer_at(tab, at);
        drop(self.shared.driver.mouse(&session, at, MouseInput { modifiers, ..MouseInput::default() }));
        for count in 1..=i32::from(count) {
            drop(self.shared.driver.mouse(&session, at, input(MouseKind::Down, true, count)));
            last = Some(self.shared.driver.mouse(&session, at, input(MouseKind::Up, false, count)));
        }
        match last {
            Some(last) => Self::input_done(self.shared.answer_or_leaving(tab, last).await),
            None => Ok(()),
        }
    }

    pub(crate) async fn scroll(&self, turn: Turn, scroll: &Scroll) -> Result<Did, ActionFailure> {
        let Some(direction) = scroll.direction else {
            let Some(target) = &scroll.target else {
                return Err(ActionFailure::Value {
                    what: "scroll".to_owned(),
                    reason: "neither a target nor a direction was given".to_owned(),
                });
            };
            return self.simply(turn, target, "scroll").await;
        };
        let (place, element, what) = match &scroll.target {
            Some(target) => {
                let (place, ready) = self.ready(turn.tab, target, "attached", json!({})).await?;
                (place, Some(ready.element), ready.what)
            }
            None => {
                let frame = self.shared.main_frame(turn.tab).ok_or(ActionFailure::Crashed)?;
                (self.shared.place(&frame).await?, None, None)
            }
        };
        let screens = scroll.screens.unwrap_or(1.0);
        let key = json!(self.shared.scripts.key);
        let element_text = element.map_or("undefined".to_owned(), |number| number.to_string());
        let expression = format!("legwork.begin({key});legwork.scroll({},{screens},{element_text})", json!(direction));
        self.shared.script::<()>(&place, expression).await?;
        self.rest(turn, Some((&place, element))).await?;
        Ok(Did { element: what, value: None })
    }

    pub(crate) async fn drag(&self, turn: Turn, drag: &Drag) -> Result<Did, ActionFailure> {
        let (place, ready, from) = self.point_at(turn, &drag.target, "point").await?;
        let session = self.tab_session(turn.tab)?;
        if let Some(tab) = self.shared.state().tab_mut(turn.tab) {
            tab.drag = None;
        }
        self.shared.driver.intercept_drags(&session, true);
        let dragged = self.drag_over(turn, drag, &session, from).await;
        self.shared.driver.intercept_drags(&session, false);
        Self::input_done(dragged.map_err(Trouble::Failed))?;
        self.rest(turn, Some((&place, Some(ready.element)))).await?;
        Ok(Did { element: ready.what, value: None })
    }

    async fn drag_over(&self, turn: Turn, drag: &Drag, session: &SessionId, from: Point) -> Result<(), ActionFailure> {
        let limit = self.shared.options.timeouts.script;
        let tab = turn.tab;
        let step = async |kind, at, button, held| {
            self.pointer_at(tab, at);
            let input = MouseInput { kind, button, held, count: 1, modifiers: 0 };
            let reply = self.shared.driver.mouse(session, at, input);
            Self::input_done(self.shared.answer(tab, reply, limit).await)
        };
        step(MouseKind::Move, from, None, false).await?;
        let held = self.let_go_of(tab, Button::Left)?;
        step(MouseKind::Down, from, Some(Button::Left), true).await?;
        // A first small move makes it a drag; only then does the page show where things can be dropped.
        step(MouseKind::Move, Point { x: from.x + 6.0, y: from.y + 6.0 }, Some(Button::Left), true).await?;
        let (_, _, to) = self.point_at(turn, &drag.to, "point").await?;
        let half = Point { x: (from.x + to.x) / 2.0, y: (from.y + to.y) / 2.0 };
        let data = self.shared.state().tab_mut(tab).and_then(|tab| tab.drag.take());
        if let Some(data) = data {
            let dropped = self.shared.driver.drag(session, to, &data, DROPPED);
            Self::input_done(self.shared.answer(tab, dropped, limit).await)?;
            ScopeGuard::into_inner(held);
            return step(MouseKind::Up, to, Some(Button::Left), false).await;
        }
        step(MouseKind::Move, half, Some(Button::Left), true).await?;
        step(MouseKind::Move, to, Some(Button::Left), true).await?;
        // The drag may have begun only now, over the distance.
        let data = self.shared.state().tab_mut(tab).and_then(|tab| tab.drag.take());
        if let Some(data) = data {
            let dropped = self.shared.driver.drag(session, to, &data, DROPPED);
            Self::input_done(self.shared.answer(tab, dropped, limit).await)?;
        }
        ScopeGuard::into_inner(held);
        step(MouseKind::Up, to, Some(Button::Left), false).await
    }

    /// Releases a button where the pointer is once this is dropped: however a press ends before its time, cancelled or
    /// failed, the page is not left with a button that is held.
    pub(crate) fn let_go_of(&self, tab: u32, button: Button) -> Result<ScopeGuard<(), impl FnOnce(())>, ActionFailure> {
        let session = self.tab_session(tab)?;
        Ok(scopeguard::guard((), move |()| {
            let at = {
                let mut state = self.shared.state();
                let Some(tab) = state.tab_mut(tab) else { return };
                (tab.held, tab.drag) = (None, None);
                tab.pointer
            };
            let up = MouseInput { kind: MouseKind::Up, button: Some(button), held: false, count: 1, modifiers: 0 };
            drop(self.shared.driver.mouse(&session, at, up));
            self.shared.driver.intercept_drags(&session, false);
        }))
    }
}
