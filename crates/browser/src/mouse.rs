//! The mouse of a tab: where the pointer is, which button is held, and what is being dragged.

use legwork_protocol::Button;
use serde_json::Value;

use crate::point::Point;

#[derive(Debug, Default)]
pub(crate) struct Mouse {
    at: Point,
    /// The button that is held between two gestures.
    held: Option<Button>,
    /// What is dragged, as the browser has it.
    dragged: Option<Value>,
}

impl Mouse {
    pub(crate) fn at(&self) -> Point {
        self.at
    }

    pub(crate) fn held(&self) -> Option<Button> {
        self.held
    }

    pub(crate) fn move_to(&mut self, at: Point) {
        self.at = at;
    }

    /// A button goes down; answers where. A drag that began before is over.
    pub(crate) fn press(&mut self, button: Button) -> Point {
        (self.held, self.dragged) = (Some(button), None);
        self.at
    }

    /// The button goes up; answers where, and what is dropped there.
    pub(crate) fn release(&mut self) -> (Point, Option<Value>) {
        self.held = None;
        (self.at, self.dragged.take())
    }

    pub(crate) fn begin_drag(&mut self, data: Value) {
        self.dragged = Some(data);
    }

    pub(crate) fn take_drag(&mut self) -> Option<Value> {
        self.dragged.take()
    }
}
