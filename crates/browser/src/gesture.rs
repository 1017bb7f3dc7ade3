//! Gestures that only a person with a pointer makes: mouse input at a point of the view, and drops from outside the
//! page. They are not protocol actions, because a caller that reads a page as text has no coordinates. They begin,
//! settle and are reported like actions, and the same rules apply.

use std::{collections::BTreeMap, time::Duration};

use legwork_protocol::{ActionFailure, ActionResult, Button, Effect, Target};
use scopeguard::ScopeGuard;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    Capability, Session,
    act::{ActionOutput, ActionScope, DROPPED},
    driver::{Drag, MouseInput, MouseKind},
    page_script::{self as script, Need, PointInfo},
    point::Point,
};

/// The longest time in milliseconds that a click holds the button down.
const LONGEST_PRESS: u64 = 10_000;

/// How long a page may take to accept what is dragged over it.
const TAKES: Duration = Duration::from_secs(1);

/// How long a wheel event may take to reach the page.
const SCROLLS: Duration = Duration::from_millis(200);

/// A gesture. Points are in CSS pixels from the upper left corner of the view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "gesture", rename_all = "snake_case")]
pub enum Gesture {
    /// Moves the pointer.
    Move {
        /// The destination.
        to: [f64; 2],
    },
    /// Presses and releases a button.
    Click {
        /// The point.
        at: [f64; 2],
        /// The button.
        #[serde(default)]
        button: Button,
        /// The number of clicks, up to 3.
        #[serde(default = "once")]
        count: u8,
        /// The milliseconds between press and release.
        #[serde(default)]
        delay: u64,
    },
    /// Presses the left button at one point and releases it at another. A draggable element is dropped there.
    Drag {
        /// The point where the button is pressed.
        from: [f64; 2],
        /// The point where it is released.
        to: [f64; 2],
    },
    /// Presses a button at the pointer's position.
    Down {
        /// The button.
        #[serde(default)]
        button: Button,
    },
    /// Releases a button at the pointer's position.
    Up {
        /// The button.
        #[serde(default)]
        button: Button,
    },
    /// Turns the wheel at the pointer's position.
    Wheel {
        /// The distance to the right.
        across: f64,
        /// The distance down.
        down: f64,
    },
    /// Drops files or data onto an element, as if dragged from outside the page.
    Drop {
        /// The element.
        target: Target,
        /// Files inside the allowed folders.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
        /// The data by media type.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        data: BTreeMap<String, String>,
    },
}

fn once() -> u8 {
    1
}

impl Gesture {
    /// The name of the gesture.
    pub fn name(&self) -> &'static str {
        match self {
            Gesture::Move { .. } => "mouse move",
            Gesture::Click { .. } => "mouse click",
            Gesture::Drag { .. } => "mouse drag",
            Gesture::Down { .. } => "mouse down",
            Gesture::Up { .. } => "mouse up",
            Gesture::Wheel { .. } => "mouse wheel",
            Gesture::Drop { .. } => "drop",
        }
    }
}

impl Session {
    /// Carries out a gesture and waits until the page has settled. Returns no error: a failure is part of the result.
    pub async fn gesture(&self, gesture: &Gesture, cancel: &CancellationToken) -> ActionResult {
        self.carry_out(gesture.name(), Effect::Mutating, self.make(gesture), cancel).await
    }

    async fn make(&self, gesture: &Gesture) -> Result<ActionOutput, ActionFailure> {
        let presses = matches!(gesture, Gesture::Click { .. } | Gesture::Down { .. } | Gesture::Up { .. });
        let scope = ActionScope { awaits_answer: presses, ..self.begin_action(false)? };
        {
            let mut state = self.inner.state();
            state.input = presses;
            state.unsaved.note_change();
        }
        if let Gesture::Drop { target, files, data } = gesture {
            return self.drop_outside(scope, target, files, data).await;
        }
        let first = match gesture {
            Gesture::Move { to: at } | Gesture::Click { at, .. } | Gesture::Drag { from: at, .. } => point(*at),
            _ => self.inner.state().tabs.get(scope.tab).map(|tab| tab.mouse().at()).unwrap_or_default(),
        };
        let mut under = self.under(scope, first).await?;
        match gesture {
            Gesture::Move { .. } => self.moved(scope, first).await?,
            Gesture::Click { button, count, delay, .. } => {
                let input = |kind, held, count| MouseInput { kind, button: Some(*button), held, count, modifiers: 0 };
                self.moved(scope, first).await?;
                for count in 1..=i32::from((*count).clamp(1, 3)) {
                    let held = self.release_on_drop(scope.tab, *button)?;
                    self.mouse(scope, first, input(MouseKind::Down, true, count)).await?;
                    tokio::time::sleep(Duration::from_millis((*delay).min(LONGEST_PRESS))).await;
                    ScopeGuard::into_inner(held);
                    self.mouse(scope, first, input(MouseKind::Up, false, count)).await?;
                }
            }
            Gesture::Drag { to, .. } => {
                let to = point(*to);
                self.refuse_html_drag(scope, first).await?;
                within(to, under.view)?;
                self.moved(scope, first).await?;
                let held = self.release_on_drop(scope.tab, Button::Left)?;
                self.pressed(scope, Button::Left, 1, 0).await?;
                // A first small move starts the drag; only then does the page show drop targets.
                let half = Point { x: (first.x + to.x) / 2.0, y: (first.y + to.y) / 2.0 };
                for at in [Point { x: first.x + 6.0, y: first.y + 6.0 }, half, to] {
                    self.moved(scope, at).await?;
                }
                ScopeGuard::into_inner(held);
                self.released(scope, Button::Left, 1, 0).await?;
            }
            Gesture::Down { button } => self.pressed(scope, *button, 1, 0).await?,
            Gesture::Up { button } => self.released(scope, *button, 1, 0).await?,
            Gesture::Wheel { across, down } => {
                let session = self.tab_session(scope.tab)?;
                let limit = self.inner.options.timeouts.script;
                let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
                let exec_context = self.inner.exec_context(&frame).await?;
                // Scrolling runs on another thread of the browser, and the page receives its event with a later frame.
                let handled = script::WheelHandled { timeout_ms: SCROLLS.as_millis() as u64 };
                let handled = self.inner.call(&exec_context, handled);
                let turned = self.inner.driver.wheel(&session, first, *across, *down);
                Self::input_done(self.inner.answer(scope.tab, turned, limit).await)?;
                Self::input_done(handled.await)?;
                under.what = None;
            }
            Gesture::Drop { .. } => {}
        }
        self.rest(scope, None).await?;
        Ok(ActionOutput { element: under.what, value: None })
    }

    /// Begins the gesture in the page and returns what is at a point of the view. Later effects are attributed to the
    /// gesture.
    async fn under(&self, scope: ActionScope, at: Point) -> Result<PointInfo, ActionFailure> {
        let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        // JSON cannot represent infinite coordinates, so a point outside the view replaces them.
        let at = if at.x.is_finite() && at.y.is_finite() { at } else { Point { x: -1.0, y: -1.0 } };
        let describe = script::DescribePoint { key: &self.inner.scripts.key, x: at.x, y: at.y };
        let under = self.inner.call(&exec_context, describe).await?;
        within(at, under.view)?;
        Ok(under)
    }

    /// Fails where a drag of the browser would begin that could end nowhere.
    async fn refuse_html_drag(&self, scope: ActionScope, at: Point) -> Result<(), ActionFailure> {
        if self.inner.driver.capabilities().support(Capability::HtmlDrags).is_there() {
            return Ok(());
        }
        let session = self.tab_session(scope.tab)?;
        let Point { x, y } = at;
        let script = format!("document.elementFromPoint({x},{y})?.closest('[draggable=true]')!=null");
        let asked = self.inner.driver.evaluate_in_page(&session, &script);
        match self.inner.answer(scope.tab, asked, self.inner.options.timeouts.script).await? == true {
            true => self.require(Capability::HtmlDrags),
            false => Ok(()),
        }
    }

    async fn mouse(&self, scope: ActionScope, at: Point, input: MouseInput) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let done = self.inner.driver.mouse(&session, at, input);
        Self::input_done(self.inner.answer(scope.tab, done, self.inner.options.timeouts.script).await)
    }

    pub(crate) async fn moved(&self, scope: ActionScope, at: Point) -> Result<(), ActionFailure> {
        self.pointer_at(scope.tab, at);
        let held = self.inner.state().tabs.get(scope.tab).and_then(|tab| tab.mouse().held());
        self.mouse(scope, at, MouseInput { button: held, held: held.is_some(), ..MouseInput::default() }).await
    }

    /// Presses a button. While it is down, the driver intercepts drags, so that a drag that begins can end where the
    /// button is released.
    pub(crate) async fn pressed(
        &self,
        scope: ActionScope,
        button: Button,
        count: i32,
        modifiers: i32,
    ) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let at = {
            let mut state = self.inner.state();
            let tab = state.tabs.get_mut(scope.tab).ok_or(ActionFailure::Crashed)?;
            tab.mouse_mut().press(button)
        };
        self.inner.driver.intercept_drags(&session, true);
        let input = MouseInput { kind: MouseKind::Down, button: Some(button), held: true, count, modifiers };
        self.mouse(scope, at, input).await
    }

    pub(crate) async fn released(
        &self,
        scope: ActionScope,
        button: Button,
        count: i32,
        modifiers: i32,
    ) -> Result<(), ActionFailure> {
        let session = self.tab_session(scope.tab)?;
        let (at, dragged) = {
            let mut state = self.inner.state();
            let tab = state.tabs.get_mut(scope.tab).ok_or(ActionFailure::Crashed)?;
            tab.mouse_mut().release()
        };
        if let Some(data) = dragged {
            let dropped = self.inner.driver.drag(&session, at, &data, DROPPED);
            Self::input_done(self.inner.answer(scope.tab, dropped, self.inner.options.timeouts.script).await)?;
        }
        let input = MouseInput { kind: MouseKind::Up, button: Some(button), held: false, count, modifiers };
        let up = self.mouse(scope, at, input).await;
        self.inner.driver.intercept_drags(&session, false);
        up
    }

    /// Drops only where the page accepts the data. A browser would navigate to a file that no handler accepts.
    async fn drop_outside(
        &self,
        scope: ActionScope,
        target: &Target,
        files: &[String],
        data: &BTreeMap<String, String>,
    ) -> Result<ActionOutput, ActionFailure> {
        if files.is_empty() && data.is_empty() {
            let reason = "neither files nor data were given".to_owned();
            return Err(ActionFailure::InvalidArgument { what: "drop".to_owned(), reason });
        }
        if data.values().any(|value| self.inner.guard().holds_secret(value)) {
            let reason = "a secret is typed into a field, not dropped".to_owned();
            return Err(ActionFailure::Refused { reason });
        }
        self.require(Capability::OutsideDrops)?;
        let carried = carried(self.allowed_files(files)?, data);
        let (exec_context, ready, at) = self.point_at(scope, target, Need::Point).await?;
        let session = self.tab_session(scope.tab)?;
        let limit = self.inner.options.timeouts.script;
        let drag = async |parts: &[Drag]| {
            let done = self.inner.driver.drag(&session, at, &carried, parts);
            self.inner.answer(scope.tab, done, limit).await
        };
        self.inner.call(&exec_context, script::WatchDragOver { element: ready.element }).await?;
        Self::input_done(drag(&[Drag::Enter, Drag::Over]).await)?;
        let accepts = script::AcceptsDrop { timeout_ms: TAKES.as_millis() as u64 };
        // If a handler of the page opens a dialog, this fails, because it is unknown whether the page accepts the data.
        let takes = self.inner.call(&exec_context, accepts).await?;
        if !takes {
            Self::input_done(drag(&[Drag::Leave]).await)?;
            return Err(ActionFailure::WrongKind {
                target: ready.named(&target.0),
                is: "nothing that takes what is dropped".to_owned(),
                hint: "no handler of the page accepted it; name the element that files are dropped on".to_owned(),
            });
        }
        Self::input_done(drag(&[Drag::Drop]).await)?;
        self.rest(scope, Some((&exec_context, None))).await?;
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }
}

fn point([x, y]: [f64; 2]) -> Point {
    Point { x, y }
}

fn within(at: Point, [width, height]: [f64; 2]) -> Result<(), ActionFailure> {
    // This is also false for NaN.
    if (0.0..width).contains(&at.x) && (0.0..height).contains(&at.y) {
        return Ok(());
    }
    Err(ActionFailure::InvalidArgument {
        what: format!("the point {},{}", at.x, at.y),
        reason: format!("it lies outside of the view, which is {width}×{height}"),
    })
}

/// The dragged data in the form that the browser expects. It may be copied, linked or moved.
fn carried(files: Vec<String>, data: &BTreeMap<String, String>) -> Value {
    const COPY_LINK_MOVE: u8 = 1 | 2 | 16;
    let item = |(kind, data): (&String, &String)| json!({"mimeType": kind, "data": data});
    let mut carried = json!({
        "items": data.iter().map(item).collect::<Value>(),
        "dragOperationsMask": COPY_LINK_MOVE,
    });
    if !files.is_empty() {
        carried["files"] = json!(files);
    }
    carried
}
