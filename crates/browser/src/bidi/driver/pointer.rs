//! The frame that receives the pointer. Firefox delivers input to the process of the context that a command names and
//! not to frames of other processes inside it. The command therefore names the frame under the pointer, and its points
//! are converted to the view of that frame.

use serde_json::{Value, json};

use super::{DRIVER_WORLD, Inner};
use crate::{
    action_events::{InputEvent, devices},
    driver::{DriverError, SessionId},
};

/// The frame of another origin at a point, with the point in its view; null if there is none. It descends through
/// frames of the same origin, which are in the same process.
const FRAME_AT: &str = "(x,y)=>{let root=document;for(;;){let at=root.elementFromPoint(x,y);\
    while(at?.shadowRoot){const inner=at.shadowRoot.elementFromPoint(x,y);if(!inner||inner===at)break;at=inner}\
    if(!at||!/^i?frame$/.test(at.localName))return null;\
    const box=at.getBoundingClientRect(),style=getComputedStyle(at);\
    const across=box.width/at.offsetWidth,down=box.height/at.offsetHeight;\
    x=(x-box.left)/across-at.clientLeft-parseFloat(style.paddingLeft);\
    y=(y-box.top)/down-at.clientTop-parseFloat(style.paddingTop);\
    if(!at.contentDocument)return[at.contentWindow,String(x),String(y),String(across),String(down)];\
    root=at.contentDocument}}";

/// Frames inside frames that are searched for the pointer.
const DEEPEST: usize = 32;

/// The frame that receives the pointer, and the conversion from the tab's view to its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PointerFrame {
    context: String,
    /// The point of the tab's view at the origin of the frame's view.
    origin: [f64; 2],
    /// The size of a pixel of the frame in the tab's view.
    scale: [f64; 2],
}

impl PointerFrame {
    fn convert(&self, event: &InputEvent) -> InputEvent {
        let mut event = event.clone();
        if let InputEvent::Pointer(action) = &mut event
            && let Some([x, y]) = position(action)
        {
            action["x"] = json!((x - self.origin[0]) / self.scale[0]);
            action["y"] = json!((y - self.origin[1]) / self.scale[1]);
        }
        event
    }
}

fn position(action: &Value) -> Option<[f64; 2]> {
    Some([action["x"].as_f64()?, action["y"].as_f64()?])
}

/// Divides events into parts in which the pointer is at one point, or a button is held.
fn parts(events: &[InputEvent], is_held: bool) -> Vec<&[InputEvent]> {
    let (mut parts, mut begin, mut at, mut is_held) = (Vec::new(), 0, None, is_held);
    for (index, event) in events.iter().enumerate() {
        let InputEvent::Pointer(action) = event else { continue };
        match position(action) {
            Some(to) if !is_held && at.is_some_and(|at| at != to) => {
                parts.push(&events[begin..index]);
                (begin, at) = (index, Some(to));
            }
            Some(to) => at = at.or(Some(to)),
            None => is_held = action["type"] == "pointerDown",
        }
    }
    parts.push(&events[begin..]);
    parts
}

impl Inner {
    /// Sends input events to the frames that receive them.
    pub(super) async fn deliver(&self, tab: &SessionId, events: &[InputEvent]) -> Result<(), DriverError> {
        let held = self.pointers.lock().get(tab).cloned();
        for part in parts(events, held.is_some()) {
            // A frame in which a button was pressed receives the pointer until the release.
            let held = self.pointers.lock().get(tab).cloned();
            let first = part.iter().find_map(|event| match event {
                InputEvent::Pointer(action) => position(action),
                _ => None,
            });
            let frame = match (held, first) {
                (Some(frame), _) => frame,
                (None, Some(point)) => self.frame_at(tab, point).await?,
                (None, None) => whole(tab),
            };
            let last_button = part.iter().rev().find_map(|event| match event {
                InputEvent::Pointer(action) if action["type"] != "pointerMove" => Some(action["type"] == "pointerDown"),
                _ => None,
            });
            match last_button {
                Some(true) => drop(self.pointers.lock().insert(tab.clone(), frame.clone())),
                Some(false) => drop(self.pointers.lock().remove(tab)),
                None => {}
            }
            let converted: Vec<InputEvent> = part.iter().map(|event| frame.convert(event)).collect();
            let actions = json!({ "context": frame.context, "actions": devices(&converted) });
            self.connection.call(Some(tab), "input.performActions", &actions).await?;
        }
        Ok(())
    }

    async fn frame_at(&self, tab: &SessionId, [x, y]: [f64; 2]) -> Result<PointerFrame, DriverError> {
        let mut frame = whole(tab);
        for _ in 0..DEEPEST {
            if self.state.lock().children_since(&frame.context, 0).is_empty() {
                break;
            }
            let point = [(x - frame.origin[0]) / frame.scale[0], (y - frame.origin[1]) / frame.scale[1]];
            let call = json!({
                "functionDeclaration": FRAME_AT,
                "arguments": [{"type": "number", "value": point[0]}, {"type": "number", "value": point[1]}],
                "target": {"context": frame.context, "sandbox": DRIVER_WORLD},
                "awaitPromise": false,
            });
            let found = self.connection.call(Some(tab), "script.callFunction", &call).await?;
            let values = &found["result"]["value"];
            let Some(context) = values[0]["value"]["context"].as_str() else { break };
            let number = |at: usize| values[at]["value"].as_str().and_then(|text| text.parse::<f64>().ok());
            let (Some(inner_x), Some(inner_y), Some(across), Some(down)) = (number(1), number(2), number(3), number(4))
            else {
                break;
            };
            let scale = [frame.scale[0] * across, frame.scale[1] * down];
            frame = PointerFrame {
                context: context.to_owned(),
                origin: [x - inner_x * scale[0], y - inner_y * scale[1]],
                scale,
            };
        }
        Ok(frame)
    }
}

fn whole(tab: &SessionId) -> PointerFrame {
    PointerFrame { context: tab.to_string(), origin: [0.0; 2], scale: [1.0; 2] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(kind: &str, x: f64) -> InputEvent {
        match kind {
            "pointerMove" => InputEvent::Pointer(json!({"type": kind, "x": x, "y": 0.0})),
            _ => InputEvent::Pointer(json!({"type": kind, "button": 0})),
        }
    }

    #[test]
    fn a_part_ends_where_the_pointer_moves_without_a_button() {
        let events = [
            pointer("pointerMove", 1.0),
            pointer("pointerDown", 0.0),
            pointer("pointerMove", 5.0),
            pointer("pointerUp", 0.0),
            pointer("pointerMove", 9.0),
        ];
        assert_eq!(parts(&events, false), [&events[..4], &events[4..]]);
        assert_eq!(parts(&events[2..3], true), [&events[2..3]]);
    }

    #[test]
    fn points_are_converted_to_the_view_of_the_frame() {
        let frame = PointerFrame { context: "f".to_owned(), origin: [10.0, 20.0], scale: [2.0, 2.0] };
        let moved = frame.convert(&InputEvent::Pointer(json!({"type": "pointerMove", "x": 30.0, "y": 20.0})));
        assert_eq!(moved, InputEvent::Pointer(json!({"type": "pointerMove", "x": 10.0, "y": 0.0})));
    }
}
