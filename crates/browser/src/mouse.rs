//! The mouse of a tab: the position of the pointer, the button that is down, and the data being dragged.

use legwork_protocol::Button;
use serde_json::Value;

use crate::point::Point;

#[derive(Debug, Default)]
pub(crate) struct Mouse {
    at: Point,
    /// The button that stays down between gestures.
    held: Option<Button>,
    /// The data being dragged, in the browser's format.
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

    /// Notes that a button is pressed, and returns the pointer's position. An earlier drag is discarded.
    pub(crate) fn press(&mut self, button: Button) -> Point {
        (self.held, self.dragged) = (Some(button), None);
        self.at
    }

    /// Notes that the button is released. Returns the pointer's position, and the data to drop there.
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
