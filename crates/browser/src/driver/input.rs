//! The input of a person: mouse, keys, drags and files.

use serde_json::Value;

use super::{
    pending::{Pending, SessionId},
    worlds::ContextRef,
};
use crate::{keys::Stroke, point::Point};

/// A mouse event.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MouseInput {
    pub(crate) kind: MouseKind,
    pub(crate) button: Option<legwork_protocol::Button>,
    /// Whether the button is held during the event.
    pub(crate) held: bool,
    /// The number of the click within a double or triple click, from 1.
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

/// An event of a drag.
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
    /// Inserts a text where the focus is, which is in this world's document or in one inside of it.
    fn insert_text(&self, context_ref: ContextRef<'_>, text: &str) -> Pending<()>;
    /// Reports drags as events instead of passing them to the operating system.
    fn intercept_drags(&self, session: &SessionId, on: bool);
    /// Sends these events of a drag in order, with its data.
    fn drag(&self, session: &SessionId, at: Point, data: &Value, parts: &[Drag]) -> Pending<()>;
    fn intercept_choosers(&self, session: &SessionId, on: bool) -> Pending<()>;
    /// Sets files on the field that an expression evaluates to.
    fn set_files_of(&self, context_ref: ContextRef<'_>, field: String, files: Vec<String>) -> Pending<()>;
    /// Sets files on the field of a file chooser that an event reported.
    fn set_files(&self, session: &SessionId, field: &str, files: Vec<String>) -> Pending<()>;
}
