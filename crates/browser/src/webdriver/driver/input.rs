//! The input of a person: mouse, keys and files.

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{WebDriver, done, gone, refused};
use crate::{
    action_events::{InputEvent, devices, key, mouse_events},
    driver::{ContextRef, Drag, DriverError, Input, MouseInput, MouseKind, Pending, SessionId, Worlds, dispatch},
    keys::Stroke,
    point::Point,
    webdriver::{
        context::{Context, Item},
        state::Answer,
        wire::{CommandError, element},
    },
};

/// The most requests whose events are sent together.
const AT_ONCE: usize = 64;

/// A turn of the wheel: WebDriver has none that WebKit carries out, so that the page receives an event of a script, and
/// what is under the point is scrolled unless the page prevents it.
const WHEEL: &str = "let[x,y,across,down]=arguments,at=document.elementFromPoint(x,y)??document.documentElement;\
    while(at.shadowRoot?.elementFromPoint(x,y)&&at.shadowRoot.elementFromPoint(x,y)!==at)at=at.shadowRoot.elementFromPoint(x,y);\
    const event=new WheelEvent('wheel',{deltaX:across,deltaY:down,clientX:x,clientY:y,bubbles:true,cancelable:true,composed:true});\
    if(!at.dispatchEvent(event))return;\
    for(;at;at=at.parentElement??at.getRootNode().host){\
    const style=getComputedStyle(at),roll=/auto|scroll/,before=[at.scrollLeft,at.scrollTop];\
    if(at!==document.scrollingElement&&!roll.test(style.overflowX+style.overflowY))continue;\
    at.scrollBy(across,down);if(at.scrollLeft!==before[0]||at.scrollTop!==before[1])return}\
    scrollBy(across,down)";

impl Context {
    /// Carries out input events with those that wait directly behind them, and returns the item after these.
    pub(in crate::webdriver) async fn inputs(
        &mut self,
        tab: SessionId,
        events: Vec<InputEvent>,
        answer: Answer<()>,
        items: &mut mpsc::UnboundedReceiver<Item>,
    ) -> Option<Item> {
        let (mut all, mut answers, mut next) = (events, vec![answer], None);
        while answers.len() < AT_ONCE {
            match items.try_recv() {
                Ok(Item::Input { tab: same, events, answer }) if same == tab => {
                    all.extend(events);
                    answers.push(answer);
                }
                Ok(other) => {
                    next = Some(other);
                    break;
                }
                Err(_) => break,
            }
        }
        let Some(known) = self.tabs.get_mut(&*tab) else {
            answers.into_iter().for_each(|answer| drop(answer.send(Err(DriverError::TargetClosed))));
            return next;
        };
        if known.dialog.is_some() {
            known.stalled.extend(answers.into_iter().map(|answer| Box::new(answer) as Box<dyn Send>));
            return next;
        }
        self.last_tab = Some(tab.to_string());
        let done = match self.perform(&tab, &all).await {
            Ok(()) => Ok(()),
            Err(CommandError::Driver(error)) => {
                self.note_failure(&error);
                Err(error)
            }
            Err(CommandError::Dialog(message)) => {
                self.dialog_opened(&tab, &message);
                answers.into_iter().for_each(|answer| self.stall(&tab, answer));
                return next;
            }
        };
        // What the input has caused so far is reported before its answer.
        if all.iter().any(|event| !matches!(event, InputEvent::Pointer(action) if action["type"] == "pointerMove")) {
            self.look().await;
        }
        answers.into_iter().for_each(|answer| drop(answer.send(done.clone())));
        next
    }

    async fn perform(&mut self, tab: &str, events: &[InputEvent]) -> Result<(), CommandError> {
        self.wire.enter(tab, &[]).await?;
        let mut rest = events;
        while !rest.is_empty() {
            if let InputEvent::Wheel(turn) = &rest[0] {
                let arguments = json!([turn["x"], turn["y"], turn["deltaX"], turn["deltaY"]]);
                self.script(tab, WHEEL, arguments).await?;
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|event| matches!(event, InputEvent::Wheel(_))).unwrap_or(rest.len());
            let part: Vec<InputEvent> = rest[..end].iter().map(whole_pixels).collect();
            self.wire.act(json!({ "actions": devices(&part) })).await?;
            rest = &rest[end..];
        }
        Ok(())
    }

    async fn set_files(&mut self, tab: &str, world: &str, field: &str, files: &[String]) -> Result<(), CommandError> {
        let field = self.element(tab, world, field).await?;
        // Files are added to those of a field that takes several.
        self.wire.execute("arguments[0].value=''", json!([element(&field)]), super::super::context::SCRIPT).await?;
        let text = files.join("\n");
        self.wire.post(&format!("/element/{field}/value"), json!({ "text": text })).await?;
        self.look_at(tab).await;
        Ok(())
    }
}

/// The protocol takes whole pixels.
fn whole_pixels(event: &InputEvent) -> InputEvent {
    let mut event = event.clone();
    if let InputEvent::Pointer(action) = &mut event
        && action["type"] == "pointerMove"
    {
        for name in ["x", "y"] {
            action[name] = json!(action[name].as_f64().unwrap_or_default().round() as i64);
        }
        action["duration"] = json!(0);
    }
    event
}

impl Input for WebDriver {
    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()> {
        if input.kind != MouseKind::Move {
            dispatch::mark_sent();
        }
        let Some(queue) = self.queue(session) else { return gone() };
        queue.input(session, mouse_events(at, input))
    }

    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        let turn = json!({"x": at.x, "y": at.y, "deltaX": across, "deltaY": down});
        queue.input(session, vec![InputEvent::Wheel(turn)])
    }

    fn key_down(&self, session: &SessionId, stroke: &Stroke, _with_text: bool) -> Pending<()> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(session) else { return gone() };
        queue.input(session, vec![key(stroke, "keyDown")])
    }

    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        queue.input(session, vec![key(stroke, "keyUp")])
    }

    fn insert_text(&self, context_ref: ContextRef<'_>, text: &str) -> Pending<()> {
        dispatch::mark_sent();
        // The protocol has no input of a text without keys, and not every character is one. The command of the editor
        // inserts the text as one edit, as if it was pasted. The focus may be in a document inside this one.
        let expression = format!(
            "(()=>{{let at=document;while(at.activeElement?.contentDocument)at=at.activeElement.contentDocument;\
             return at.execCommand('insertText',false,{})}})()",
            json!(text)
        );
        let inserted = self.evaluate(context_ref, expression);
        Pending::new(async move { inserted.await.map(drop) })
    }

    fn intercept_drags(&self, _session: &SessionId, _on: bool) {
        // Drags stay in the browser; see the table of capabilities.
    }

    fn drag(&self, _session: &SessionId, _at: Point, _data: &Value, _parts: &[Drag]) -> Pending<()> {
        refused("WebDriver has no command that drops data onto a page")
    }

    fn intercept_choosers(&self, _session: &SessionId, _on: bool) -> Pending<()> {
        done()
    }

    fn set_files_of(&self, context_ref: ContextRef<'_>, field: String, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        let Some(queue) = self.queue(context_ref.session) else { return gone() };
        let (tab, world) = (context_ref.session.to_string(), context_ref.name.to_owned());
        queue.in_tab(context_ref.session, move |context| {
            Box::pin(async move { context.set_files(&tab, &world, &field, &files).await })
        })
    }

    fn set_files(&self, session: &SessionId, field: &str, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        // The name of the field is that of its world and its number in the reporter there.
        let Some((world, number)) = field.split_once(' ') else { return gone() };
        let Some(queue) = self.queue(session) else { return gone() };
        let (tab, world) = (session.to_string(), world.to_owned());
        let field = format!("window[{}].element({number})", json!(world));
        queue.in_tab(session, move |context| {
            Box::pin(async move { context.set_files(&tab, &world, &field, &files).await })
        })
    }
}
