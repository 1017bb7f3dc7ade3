//! The input of a person: mouse, keys and files.

use serde_json::{Value, json};

use super::Bidi;
use crate::{
    action_events::{InputEvent, key, mouse_events},
    driver::{ContextRef, Drag, DriverError, Input, MouseInput, MouseKind, Pending, SessionId, Worlds, dispatch},
    keys::Stroke,
    point::Point,
};

impl Input for Bidi {
    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()> {
        if input.kind != MouseKind::Move {
            dispatch::mark_sent();
        }
        self.enqueue(session, mouse_events(at, input))
    }

    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()> {
        let (x, y) = (at.x.round() as i64, at.y.round() as i64);
        let (across, down) = (across.round() as i64, down.round() as i64);
        let scroll = json!({"type": "scroll", "x": x, "y": y, "deltaX": across, "deltaY": down});
        self.enqueue(session, vec![InputEvent::Wheel(scroll)])
    }

    fn key_down(&self, session: &SessionId, stroke: &Stroke, _with_text: bool) -> Pending<()> {
        dispatch::mark_sent();
        self.enqueue(session, vec![key(stroke, "keyDown")])
    }

    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        self.enqueue(session, vec![key(stroke, "keyUp")])
    }

    fn insert_text(&self, context_ref: ContextRef<'_>, text: &str) -> Pending<()> {
        dispatch::mark_sent();
        let mut characters = text.chars();
        if let (Some(character), None) = (characters.next(), characters.next())
            && !character.is_control()
        {
            // A character that has no key is one of its own, in order with the keys around it.
            let event = |kind| InputEvent::Key(json!({"type": kind, "value": text}));
            return self.enqueue(context_ref.session, vec![event("keyDown"), event("keyUp")]);
        }
        // The protocol has no input of a text without keys. The command of the editor inserts the text as one edit, as
        // if it was pasted. The focus may be in a document inside this one.
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
        let reason = "WebDriver BiDi has no command that drops data onto a page";
        Pending::new(async move { Err(DriverError::Refused(reason.to_owned())) })
    }

    fn intercept_choosers(&self, _session: &SessionId, _on: bool) -> Pending<()> {
        // File choosers are always reported and never opened.
        Pending::new(async { Ok(()) })
    }

    fn set_files_of(&self, context_ref: ContextRef<'_>, field: String, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        let find = json!({
            "expression": field, "target": { "realm": context_ref.name }, "awaitPromise": false,
        });
        let found = self.ask(Some(context_ref.session), "script.evaluate", &find);
        let frame = self.state().sandboxes.get(context_ref.name).cloned();
        let (connection, session) = (self.inner.connection.clone(), context_ref.session.clone());
        Pending::new(async move {
            let element = found.await?["result"]["sharedId"].as_str().map(str::to_owned);
            let (element, frame) = element.zip(frame).ok_or(DriverError::TargetClosed)?;
            let set = json!({"context": frame, "element": { "sharedId": element }, "files": files});
            connection.call(Some(&session), "input.setFiles", &set).await.map(drop)
        })
    }

    fn set_files(&self, session: &SessionId, field: &str, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        let (frame, element) = field.split_once(' ').unwrap_or_default();
        let set = json!({"context": frame, "element": { "sharedId": element }, "files": files});
        self.tell(Some(session), "input.setFiles", &set)
    }
}
