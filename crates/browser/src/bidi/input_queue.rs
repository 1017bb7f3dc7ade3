//! Input events of a tab, in order. The protocol takes lists of events, and carries out a list faster than the same
//! events one by one, so that whatever waits is sent together.

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::driver::Inner;
use crate::driver::{DriverError, Pending, SessionId};

/// An event of a device.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputEvent {
    Key(Value),
    Pointer(Value),
    Wheel(Value),
}

/// Events that are carried out together.
pub(super) struct InputRequest {
    pub(super) events: Vec<InputEvent>,
    answer: oneshot::Sender<Result<(), DriverError>>,
}

pub(super) type InputQueue = mpsc::UnboundedSender<InputRequest>;

/// The most requests that are sent together.
const AT_ONCE: usize = 64;

/// Adds events to a queue.
pub(super) fn enqueue(queue: &InputQueue, events: Vec<InputEvent>) -> Pending<()> {
    let (answer, answered) = oneshot::channel();
    // If the queue has ended with its tab, the sender is dropped, which is the answer.
    let _ = queue.send(InputRequest { events, answer });
    Pending::new(async move { answered.await.unwrap_or(Err(DriverError::TargetClosed)) })
}

/// Starts the queue of a tab. It ends when its sender is dropped.
pub(super) fn start(inner: std::sync::Weak<Inner>, tab: SessionId) -> InputQueue {
    let (queue, mut requests) = mpsc::unbounded_channel::<InputRequest>();
    tokio::spawn(async move {
        let mut batch: Vec<InputRequest> = Vec::new();
        while requests.recv_many(&mut batch, AT_ONCE).await > 0 {
            let Some(inner) = inner.upgrade() else { return };
            let events: Vec<InputEvent> = batch.iter().flat_map(|request| request.events.iter().cloned()).collect();
            let done = inner.perform(&tab, &events).await;
            for request in batch.drain(..) {
                // The caller may have dropped the answer.
                let _ = request.answer.send(done.clone());
            }
        }
    });
    queue
}

/// The devices of `input.performActions`. Each has an entry for each event, a pause where the event is another device's.
pub(super) fn devices(events: &[InputEvent]) -> Value {
    type Pick = fn(&InputEvent) -> Option<&Value>;
    let key: Pick = |event| if let InputEvent::Key(action) = event { Some(action) } else { None };
    let pointer: Pick = |event| if let InputEvent::Pointer(action) = event { Some(action) } else { None };
    let wheel: Pick = |event| if let InputEvent::Wheel(action) = event { Some(action) } else { None };
    let mut devices = Vec::new();
    for (kind, pick) in [("key", key), ("pointer", pointer), ("wheel", wheel)] {
        if !events.iter().any(|event| pick(event).is_some()) {
            continue;
        }
        let actions: Vec<Value> =
            events.iter().map(|event| pick(event).cloned().unwrap_or_else(|| json!({"type": "pause"}))).collect();
        let mut device = json!({"type": kind, "id": kind, "actions": actions});
        if kind == "pointer" {
            device["parameters"] = json!({"pointerType": "mouse"});
        }
        devices.push(device);
    }
    devices.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_several_devices_keep_their_order() {
        let key = json!({"type": "keyDown", "value": "\u{e009}"});
        let down = json!({"type": "pointerDown", "button": 0});
        let pause = json!({"type": "pause"});
        assert_eq!(
            devices(&[InputEvent::Key(key.clone()), InputEvent::Pointer(down.clone())]),
            json!([
                {"type": "key", "id": "key", "actions": [key, pause]},
                {"type": "pointer", "id": "pointer", "actions": [pause, down], "parameters": {"pointerType": "mouse"}},
            ])
        );
    }
}
