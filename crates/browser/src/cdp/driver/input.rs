//! The input of a person: mouse, keys, drags and files.

use legwork_protocol::Button;
use serde_json::Value;

use super::Cdp;
use crate::{
    cdp::wire::*,
    driver::{ContextRef, Drag, Input, MouseInput, MouseKind, Pending, SessionId, dispatch},
    keys::Stroke,
    point::Point,
};

fn key(stroke: &Stroke, kind: &'static str, text: Option<String>) -> Key {
    Key {
        r#type: kind,
        modifiers: stroke.modifiers,
        unmodified_text: text.clone(),
        text,
        key: stroke.key.clone(),
        code: stroke.code.clone(),
        windows_virtual_key_code: stroke.number,
        ..Key::default()
    }
}

impl Input for Cdp {
    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()> {
        let (button, bit) = match input.button {
            None => (None, 0),
            Some(Button::Left) => (Some("left"), 1),
            Some(Button::Right) => (Some("right"), 2),
            Some(Button::Middle) => (Some("middle"), 4),
        };
        if input.kind != MouseKind::Move {
            dispatch::mark_sent();
        }
        let kind = match input.kind {
            MouseKind::Move => "mouseMoved",
            MouseKind::Down => "mousePressed",
            MouseKind::Up => "mouseReleased",
        };
        let mouse = Mouse {
            r#type: kind,
            x: at.x,
            y: at.y,
            button,
            buttons: Some(if input.held { bit } else { 0 }),
            click_count: Some(input.count),
            modifiers: Some(input.modifiers),
            ..Mouse::default()
        };
        self.tell(Some(session), &mouse)
    }

    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()> {
        let (x, y, delta_x, delta_y) = (at.x, at.y, Some(across), Some(down));
        self.tell(Some(session), &Mouse { r#type: "mouseWheel", x, y, delta_x, delta_y, ..Mouse::default() })
    }

    fn key_down(&self, session: &SessionId, stroke: &Stroke, with_text: bool) -> Pending<()> {
        dispatch::mark_sent();
        let text = stroke.text.clone().filter(|_| with_text);
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        self.tell(Some(session), &key(stroke, kind, text))
    }

    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        self.tell(Some(session), &key(stroke, "keyUp", None))
    }

    fn insert_text(&self, context_ref: ContextRef<'_>, text: &str) -> Pending<()> {
        dispatch::mark_sent();
        // The browser passes the text to the frame that has the focus.
        self.tell(Some(context_ref.session), &InsertText { text: text.to_owned() })
    }

    fn intercept_drags(&self, session: &SessionId, on: bool) {
        self.send(session, &InterceptDrags { enabled: on });
    }

    fn drag(&self, session: &SessionId, at: Point, data: &Value, parts: &[Drag]) -> Pending<()> {
        if parts.contains(&Drag::Drop) {
            dispatch::mark_sent();
        }
        let event = |part: &Drag| {
            let kind = match part {
                Drag::Enter => "dragEnter",
                Drag::Over => "dragOver",
                Drag::Drop => "drop",
                Drag::Leave => "dragCancel",
            };
            DragEvent { r#type: kind, x: at.x, y: at.y, data: data.clone(), modifiers: None }
        };
        let (connection, session) = (self.connection.clone(), session.clone());
        let events: Vec<DragEvent> = parts.iter().map(event).collect();
        Pending::new(async move {
            for event in &events {
                connection.call(Some(&session), event).await?;
            }
            Ok(())
        })
    }

    fn intercept_choosers(&self, session: &SessionId, on: bool) -> Pending<()> {
        self.tell(Some(session), &InterceptFileChooser { enabled: on })
    }

    fn set_files_of(&self, context_ref: ContextRef<'_>, field: String, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        let name = Some(context_ref.name.to_owned());
        let find = Evaluate { expression: field, unique_context_id: name, ..Evaluate::default() };
        let found = self.ask(Some(context_ref.session), &find);
        let (connection, session) = (self.connection.clone(), context_ref.session.clone());
        Pending::new(async move {
            let object_id = found.await?.result.object_id;
            connection.call(Some(&session), &SetFiles { files, backend_node_id: None, object_id }).await?;
            Ok(())
        })
    }

    fn set_files(&self, session: &SessionId, field: &str, files: Vec<String>) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(Some(session), &SetFiles { files, backend_node_id: field.parse().ok(), object_id: None })
    }
}
