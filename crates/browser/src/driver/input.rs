//! What a person does: mouse, keys, drags and files.

use serde_json::Value;

use super::{
    pending::{Pending, SessionId},
    worlds::ContextRef,
};
use crate::{keys::Stroke, point::Point};

/// What the mouse does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MouseInput {
    pub(crate) kind: MouseKind,
    pub(crate) button: Option<legwork_protocol::Button>,
    /// Whether the button is held during the event.
    pub(crate) held: bool,
    /// The how manieth of a double or triple click.
    pub(crate) count: i32,
    pub(crate) modifiers: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MouseKind {
    #[default]
    Move,
    Down,
    Up,
}

/// A part of a drag from outside of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drag {
    Enter,
    Over,
    Drop,
    Leave,
}

pub(crate) trait Input {
    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()>;
    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()>;
    fn key_down(&self, session: &SessionId, stroke: &Stroke, with_text: bool) -> Pending<()>;
    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()>;
    fn insert_text(&self, session: &SessionId, text: &str) -> Pending<()>;
    /// Drags are told of instead of being handed to the system.
    fn intercept_drags(&self, session: &SessionId, on: bool);
    /// Takes what a drag carries through these parts of it, one after the other.
    fn drag(&self, session: &SessionId, at: Point, data: &Value, parts: &[Drag]) -> Pending<()>;
    fn intercept_choosers(&self, session: &SessionId, on: bool) -> Pending<()>;
    /// Puts files into the field that an expression names.
    fn set_files_of(&self, context_ref: ContextRef<'_>, field: String, files: Vec<String>) -> Pending<()>;
    /// Puts files into the field of a chooser that was told of.
    fn set_files(&self, session: &SessionId, field: i64, files: Vec<String>) -> Pending<()>;
}
