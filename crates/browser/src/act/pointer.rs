//! Mouse actions.

use std::time::Duration;

use legwork_observe::NodeKey;
use legwork_protocol::{ActionFailure, Button, Click, Drag, Modifier, Scroll, Target};
use scopeguard::ScopeGuard;

use super::{ActionOutput, ActionScope};
use crate::{
    Capability, Session,
    driver::{Drag as DragPart, MouseInput, MouseKind, SessionId, dispatch},
    evaluate_error::EvaluateError,
    frame_tree::{ExecutionContext, FrameRef},
    page_script::{self as script, ElementOf, FramePoint, MissedPress, Need, NotActionable, PageExpression, Ready},
    point::Point,
    settle::SettleError,
};

/// How long the pointer may take to arrive at an element in another process. After that, the position is determined
/// and the pointer is moved again.
const ARRIVAL: Duration = Duration::from_millis(150);

/// How long to wait for the answer to an input in a frame of another process. Chromium sometimes never answers although
/// the input arrived; the frame itself then reports the press.
const UNHEARD: Duration = Duration::from_secs(2);

/// The events that end a drag within the page. A sortable list may move the dragged entry under the pointer while
/// something is dragged over it. That entry is entered by the second event and accepts the drop with the third, as it
/// does with a real mouse, which sends many events.
pub(crate) const DROPPED: &[DragPart] =
    &[DragPart::Enter, DragPart::Over, DragPart::Over, DragPart::Over, DragPart::Drop];

pub(crate) fn wire_modifiers(modifiers: &[Modifier]) -> i32 {
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
    pub(crate) async fn click(&self, scope: ActionScope, click: &Click) -> Result<ActionOutput, ActionFailure> {
        let deadline = tokio::time::Instant::now() + self.inner.options.timeouts.action;
        let modifiers = wire_modifiers(&click.modifiers);
        let mut target = click.target.clone();
        loop {
            let (exec_context, ready, point) = match self.point_at(scope, &target, Need::Press).await {
                // The element of the earlier attempt is gone; its replacement is found by the original target.
                Err(ActionFailure::StaleRef { .. }) if target != click.target => {
                    target = click.target.clone();
                    continue;
                }
                found => found?,
            };
            let count = click.count.clamp(1, 3);
            let press = self.press_mouse(scope.tab, point, click.button, count, modifiers, ready.leaves_field);
            if self.inner.is_main(&exec_context) {
                press.await?;
            } else if let Ok(pressed) = tokio::time::timeout(UNHEARD, press).await {
                pressed?;
            }
            let missed = match self.rest_released(scope, (&exec_context, &ready), point, click).await {
                Ok(()) => return Ok(ActionOutput { element: Some(ready.what), value: None }),
                Err(SettleError::Failed(failure)) => return Err(failure),
                Err(SettleError::Missed(missed)) => missed,
            };
            // In the other cases the page reports that nothing was pressed.
            if !matches!(missed, MissedPress::Replaced | MissedPress::ReleaseLost) {
                dispatch::kept_back();
            }
            match missed {
                // Moving the pointer shifted the element away from under it, for example because something expanded on
                // hover. Nothing was pressed, and the layout is now as the pointer causes it. The next attempt uses a
                // ref, so that it presses the same element: in a list that sorts itself, the target may now match
                // another one.
                MissedPress::Intercepted { .. } | MissedPress::PressLost if tokio::time::Instant::now() < deadline => {
                    let key = NodeKey { document: exec_context.document, element: ready.element };
                    target = Target(self.refs.assign(key).to_string());
                }
                missed => return Err(SettleError::Missed(missed).failure(&ready.named(&click.target.0))),
            }
        }
    }

    /// Settles after a press. If the release arrived elsewhere, only the release is sent again, because another press
    /// would act twice.
    async fn rest_released(
        &self,
        scope: ActionScope,
        (exec_context, ready): (&ExecutionContext, &Ready),
        at: Point,
        click: &Click,
    ) -> Result<(), SettleError> {
        const RELEASES: usize = 3;
        let acted = Some((exec_context, Some(ready.element)));
        for _ in 0..RELEASES {
            match self.settle(scope, acted).await {
                Err(SettleError::Missed(MissedPress::ReleaseLost)) => {
                    tracing::debug!(?at, "the release of a press went astray");
                    let modifiers = wire_modifiers(&click.modifiers);
                    // The frame may have moved since the press.
                    let at = self.in_view(exec_context, ready, &click.target).await.unwrap_or(at);
                    let up = MouseInput {
                        kind: MouseKind::Up,
                        button: Some(click.button),
                        held: false,
                        count: i32::from(click.count.clamp(1, 3)),
                        modifiers,
                    };
                    let released = self.inner.driver.mouse(&self.tab_session(scope.tab)?, at, up);
                    Self::input_done(self.inner.answer(scope.tab, released, self.inner.options.timeouts.script).await)?;
                }
                other => return other.map(drop),
            }
        }
        self.settle(scope, acted).await.map(drop)
    }

    pub(crate) async fn hover(&self, scope: ActionScope, target: &Target) -> Result<ActionOutput, ActionFailure> {
        let (exec_context, ready, point) = self.point_at(scope, target, Need::Point).await?;
        let session = self.tab_session(scope.tab)?;
        self.pointer_at(scope.tab, point);
        let moved = self.inner.driver.mouse(&session, point, MouseInput::default());
        Self::input_done(self.inner.answer(scope.tab, moved, self.inner.options.timeouts.script).await)?;
        self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }

    /// An element that is ready, and its position in the tab's view. If an outer frame is covered at that point, this
    /// waits as it does for a covered element.
    pub(crate) async fn point_at(
        &self,
        scope: ActionScope,
        target: &Target,
        need: Need<'_>,
    ) -> Result<(ExecutionContext, Ready, Point), ActionFailure> {
        let deadline = tokio::time::Instant::now() + self.inner.options.timeouts.action;
        loop {
            let (exec_context, ready) = self.wait_actionable(scope.tab, target, need).await?;
            match self.aimed(&exec_context, &ready, target).await {
                Ok(point) => return Ok((exec_context, ready, point)),
                Err(ActionFailure::Covered { .. }) if tokio::time::Instant::now() < deadline => {
                    let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
                    let outer = self.inner.exec_context(&frame).await?;
                    self.inner.call(&outer, script::WaitForChange { timeout_ms: 100 }).await?;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// As [`Session::in_view`]. For an element in a frame of another process, it also moves the pointer over the
    /// element and waits for it to arrive. Chromium chooses the process that receives an input by the last drawn frame,
    /// which may still show the page before scrolling.
    pub(crate) async fn aimed(
        &self,
        exec_context: &ExecutionContext,
        ready: &Ready,
        target: &Target,
    ) -> Result<Point, ActionFailure> {
        let point = self.in_view(exec_context, ready, target).await?;
        let session = self.tab_session(exec_context.frame.tab)?;
        if *session == *exec_context.session {
            return Ok(point);
        }
        drop(self.inner.driver.mouse(&session, point, MouseInput::default()));
        let arrived = script::PointerArrived { timeout_ms: ARRIVAL.as_millis() as u64 };
        if self.inner.call(exec_context, arrived).await? {
            return Ok(point);
        }
        tracing::debug!(?point, "the pointer did not come to its element");
        Err(ActionFailure::Covered { target: ready.named(&target.0), by: "something outside of its frame".to_owned() })
    }

    /// The position of a ready element's point in the tab's view, converted through the enclosing frames.
    pub(crate) async fn in_view(
        &self,
        exec_context: &ExecutionContext,
        ready: &Ready,
        target: &Target,
    ) -> Result<Point, ActionFailure> {
        let Some(mut point) = ready.point else {
            return Err(ActionFailure::NotVisible { target: ready.named(&target.0) });
        };
        let mut frame = exec_context.frame.clone();
        while let Some((document, element)) = self.inner.owner_of(&frame).await {
            let node = legwork_observe::NodeKey { document, element };
            let Some(outer) = self.inner.exec_context_of(frame.tab, node) else {
                return Err(ActionFailure::StaleRef { target: target.0.clone() });
            };
            let Point { x, y } = point;
            match self.inner.call(&outer, script::FrameOffset { element, x, y }).await? {
                FramePoint::Point(outside) => point = outside,
                FramePoint::Covered { by } => {
                    return Err(ActionFailure::Covered { target: ready.named(&target.0), by });
                }
            }
            frame = FrameRef { tab: frame.tab, id: outer.frame.id };
        }
        Ok(point)
    }

    /// Records the pointer's position.
    pub(crate) fn pointer_at(&self, tab: u32, at: Point) {
        if let Some(tab) = self.inner.state().tabs.get_mut(tab) {
            tab.mouse_mut().move_to(at);
        }
    }

    pub(crate) fn tab_session(&self, tab: u32) -> Result<SessionId, ActionFailure> {
        let state = self.inner.state();
        state
            .tabs
            .get(tab)
            .map(|tab| tab.session().clone())
            .ok_or(ActionFailure::StaleRef { target: "the tab".to_owned() })
    }

    /// Moves the pointer, presses and releases. All events are sent at once, and only the last answer is awaited; but
    /// if the press takes the focus from a field (`leaves_field`), its release follows when the page had time to store
    /// the value of the field.
    pub(crate) async fn press_mouse(
        &self,
        tab: u32,
        at: Point,
        button: Button,
        count: u8,
        modifiers: i32,
        leaves_field: bool,
    ) -> Result<(), ActionFailure> {
        /// A person holds the button for about this long. Applications store the value of a field in a task of their
        /// own after the field has lost the focus, and read it when the button is released.
        const HELD: Duration = Duration::from_millis(80);
        let session = self.tab_session(tab)?;
        let input = |kind, held, count| MouseInput { kind, button: Some(button), held, count, modifiers };
        let mut last = None;
        self.pointer_at(tab, at);
        drop(self.inner.driver.mouse(&session, at, MouseInput { modifiers, ..MouseInput::default() }));
        for count in 1..=i32::from(count) {
            let down = self.inner.driver.mouse(&session, at, input(MouseKind::Down, true, count));
            if leaves_field && count == 1 {
                Self::input_done(self.inner.answer_or_leaving(tab, down).await)?;
                tokio::time::sleep(HELD).await;
            } else {
                drop(down);
            }
            last = Some(self.inner.driver.mouse(&session, at, input(MouseKind::Up, false, count)));
        }
        match last {
            Some(last) => Self::input_done(self.inner.answer_or_leaving(tab, last).await),
            None => Ok(()),
        }
    }

    pub(crate) async fn scroll(&self, scope: ActionScope, scroll: &Scroll) -> Result<ActionOutput, ActionFailure> {
        let Some(direction) = scroll.direction else {
            let Some(target) = &scroll.target else {
                return Err(ActionFailure::InvalidArgument {
                    what: "scroll".to_owned(),
                    reason: "neither a target nor a direction was given".to_owned(),
                });
            };
            return self.act_when_ready(scope, target, Need::Scroll).await;
        };
        let (exec_context, element, what) = match &scroll.target {
            Some(target) => {
                let (exec_context, ready) = self.wait_actionable(scope.tab, target, Need::Attached).await?;
                (exec_context, Some(ready.element), Some(ready.what))
            }
            None => {
                let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
                (self.inner.exec_context(&frame).await?, None, None)
            }
        };
        let screens = scroll.screens.unwrap_or(1.0);
        let scroll = script::Scroll { key: &self.inner.scripts.key, direction, screens, element };
        self.inner.call(&exec_context, scroll).await?;
        self.rest(scope, Some((&exec_context, element))).await?;
        Ok(ActionOutput { element: what, value: None })
    }

    pub(crate) async fn drag(&self, scope: ActionScope, drag: &Drag) -> Result<ActionOutput, ActionFailure> {
        // The other end first: this may scroll the page, and the press needs the first end in view.
        self.check_drop_target(scope, &drag.to).await?;
        let (exec_context, ready, from) = self.point_at(scope, &drag.target, Need::Point).await?;
        if !self.inner.driver.capabilities().support(Capability::HtmlDrags).is_there() {
            // Such an element begins a drag of the browser, which would end nowhere.
            let element = ElementOf { element: ready.element }.expression();
            let asked = "element=>element.closest('[draggable=true]')!==null";
            let asked = self.inner.driver.call_in_page(exec_context.context_ref(), element, asked);
            if self.inner.answer(scope.tab, asked, self.inner.options.timeouts.script).await? == true {
                self.require(Capability::HtmlDrags)?;
            }
        }
        let session = self.tab_session(scope.tab)?;
        if let Some(tab) = self.inner.state().tabs.get_mut(scope.tab) {
            tab.mouse_mut().take_drag();
        }
        self.inner.driver.intercept_drags(&session, true);
        let dragged = self.drag_over(scope, drag, &session, from).await;
        self.inner.driver.intercept_drags(&session, false);
        Self::input_done(dragged.map_err(EvaluateError::Failed))?;
        self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }

    /// Checks where a drag ends before anything is pressed, so that a drag to nowhere is certainly not done. A hidden
    /// drop target only has to exist, because pages show some only while something is dragged.
    async fn check_drop_target(&self, scope: ActionScope, to: &Target) -> Result<(), ActionFailure> {
        self.wait_actionable(scope.tab, to, Need::Attached).await?;
        let checked = self.check_actionable(scope.tab, to, Need::Point).await;
        match checked.map(|(_, checked)| checked.result.ready()) {
            Ok(Err(NotActionable::NotVisible { .. })) => Ok(()),
            _ => self.point_at(scope, to, Need::Point).await.map(drop),
        }
    }

    async fn drag_over(
        &self,
        scope: ActionScope,
        drag: &Drag,
        session: &SessionId,
        from: Point,
    ) -> Result<(), ActionFailure> {
        let limit = self.inner.options.timeouts.script;
        let tab = scope.tab;
        let step = async |kind, at, button, held| {
            self.pointer_at(tab, at);
            let input = MouseInput { kind, button, held, count: 1, modifiers: 0 };
            let reply = self.inner.driver.mouse(session, at, input);
            Self::input_done(self.inner.answer(tab, reply, limit).await)
        };
        step(MouseKind::Move, from, None, false).await?;
        let held = self.release_on_drop(tab, Button::Left)?;
        step(MouseKind::Down, from, Some(Button::Left), true).await?;
        // A first small move starts the drag; only then does the page show drop targets.
        step(MouseKind::Move, Point { x: from.x + 6.0, y: from.y + 6.0 }, Some(Button::Left), true).await?;
        let (_, _, to) = self.point_at(scope, &drag.to, Need::Point).await?;
        let half = Point { x: (from.x + to.x) / 2.0, y: (from.y + to.y) / 2.0 };
        let data = self.inner.state().tabs.get_mut(tab).and_then(|tab| tab.mouse_mut().take_drag());
        if let Some(data) = data {
            let dropped = self.inner.driver.drag(session, to, &data, DROPPED);
            Self::input_done(self.inner.answer(tab, dropped, limit).await)?;
            ScopeGuard::into_inner(held);
            return step(MouseKind::Up, to, Some(Button::Left), false).await;
        }
        step(MouseKind::Move, half, Some(Button::Left), true).await?;
        step(MouseKind::Move, to, Some(Button::Left), true).await?;
        // The drag may start only after this longer move.
        let data = self.inner.state().tabs.get_mut(tab).and_then(|tab| tab.mouse_mut().take_drag());
        if let Some(data) = data {
            let dropped = self.inner.driver.drag(session, to, &data, DROPPED);
            Self::input_done(self.inner.answer(tab, dropped, limit).await)?;
        }
        ScopeGuard::into_inner(held);
        step(MouseKind::Up, to, Some(Button::Left), false).await
    }

    /// Returns a guard that releases a button at the pointer's position when it is dropped. If a press is cancelled or
    /// fails, the page is thus not left with a pressed button.
    pub(crate) fn release_on_drop(
        &self,
        tab: u32,
        button: Button,
    ) -> Result<ScopeGuard<(), impl FnOnce(())>, ActionFailure> {
        let session = self.tab_session(tab)?;
        Ok(scopeguard::guard((), move |()| {
            let at = {
                let mut state = self.inner.state();
                let Some(tab) = state.tabs.get_mut(tab) else { return };
                tab.mouse_mut().release().0
            };
            let up = MouseInput { kind: MouseKind::Up, button: Some(button), held: false, count: 1, modifiers: 0 };
            drop(self.inner.driver.mouse(&session, at, up));
            self.inner.driver.intercept_drags(&session, false);
        }))
    }
}
