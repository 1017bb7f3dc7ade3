//! A tab of the user's own browser, which Legwork's extension relays: the third transport beside the pipe and the
//! WebSocket.
//!
//! The extension can debug tabs (`chrome.debugger`), but not the browser. The driver speaks to both: it attaches to
//! tabs, opens and closes them, and asks for the version. This module answers the commands for the browser as far as
//! they make sense for the tabs that the user has assigned, and refuses the others: no cookies are read, no context is
//! created. Commands for a tab are passed on, and its events come back, without a look at their content. Both
//! directions carry JSON in text messages; what carries them (a WebSocket of the server) is not known here.

mod messages;
mod state;

use std::{io, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use self::{messages::DriverCommand, state::RelayState};
use crate::transport::{Incoming, Outgoing, Transport};

/// The identifier by which the driver attaches to the tab that the user has assigned, whose own one it does not know
/// yet.
pub(crate) const ASSIGNED_TAB: &str = "assigned";

/// The number of messages of the extension that may wait; a busy reader slows down the extension's socket.
const INPUTS: usize = 64;

/// What arrives from the extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayInput {
    /// A message.
    Message(String),
    /// The relay has ended, for this reason.
    Ended(String),
}

/// The connection to an extension that relays a tab, before a browser is made of it
/// ([`Browser::relayed`](crate::Browser::relayed)).
#[derive(Debug)]
pub struct RelayLink {
    /// The name and version of the browser.
    product: String,
    inputs: mpsc::Receiver<RelayInput>,
    outputs: mpsc::UnboundedSender<String>,
}

/// The other end of a [`RelayLink`], for what carries the messages.
#[derive(Debug)]
pub struct RelayCarrier {
    /// Where the messages of the extension go. The relay ends if it is dropped.
    pub inputs: mpsc::Sender<RelayInput>,
    /// The messages for the extension; it ends when Legwork no longer needs the tab. It is unbounded: it holds at most
    /// the commands of waiting callers and the few that events cause.
    pub outputs: mpsc::UnboundedReceiver<String>,
}

impl RelayLink {
    /// Both ends of a connection to an extension in a browser with this name and version.
    pub fn new(product: impl Into<String>) -> (RelayLink, RelayCarrier) {
        let (input_sender, inputs) = mpsc::channel(INPUTS);
        let (outputs, output_receiver) = mpsc::unbounded_channel();
        let link = RelayLink { product: product.into(), inputs, outputs };
        (link, RelayCarrier { inputs: input_sender, outputs: output_receiver })
    }

    /// Begins to relay.
    pub(crate) fn open(self) -> Transport {
        let RelayLink { product, inputs, outputs } = self;
        let (replies, received) = mpsc::unbounded_channel();
        let relay = Arc::new(Relay { state: Mutex::new(RelayState::new(product)), outputs, replies });
        let (_driver, driver_gone) = oneshot::channel();
        tokio::spawn(read(Arc::clone(&relay), inputs, driver_gone));
        Transport { incoming: Incoming::Relay(received), outgoing: Outgoing::Relay(RelayCommands { relay, _driver }) }
    }
}

/// A message for the driver, or the end of the relay.
pub(crate) type Reply = io::Result<Vec<u8>>;

/// Both directions of a relay.
struct Relay {
    state: Mutex<RelayState>,
    outputs: mpsc::UnboundedSender<String>,
    /// Unbounded, like [`RelayCarrier::outputs`]: the connection reads it without waiting for anything.
    replies: mpsc::UnboundedSender<Reply>,
}

/// The driver's end for commands. The relay ends when it is dropped: neither of its two readers would end otherwise,
/// because each of them waits for the other one.
pub(crate) struct RelayCommands {
    relay: Arc<Relay>,
    _driver: oneshot::Sender<()>,
}

impl RelayCommands {
    /// Takes a command of the driver.
    pub(crate) fn send(&self, message: &[u8]) -> io::Result<()> {
        self.relay.send(message)
    }
}

impl Relay {
    /// Takes a command of the driver.
    fn send(&self, message: &[u8]) -> io::Result<()> {
        let command: DriverCommand<'_> = serde_json::from_slice(message).map_err(io::Error::other)?;
        self.apply(|state, effects| state.on_command(&command, effects))
    }

    /// Applies one message to the state and sends what follows from it, in order, while no other message is applied.
    fn apply(&self, change: impl FnOnce(&mut RelayState, &mut Effects)) -> io::Result<()> {
        let mut state = self.state.lock();
        let mut effects = Effects::default();
        change(&mut state, &mut effects);
        for text in effects.to_extension {
            self.outputs.send(text).map_err(|_| io::Error::other("the relay has ended"))?;
        }
        for reply in effects.to_driver {
            // The connection is gone, and with it everyone who waits for replies.
            let _ = self.replies.send(Ok(reply));
        }
        Ok(())
    }
}

/// What follows from a message.
#[derive(Default)]
struct Effects {
    to_extension: Vec<String>,
    to_driver: Vec<Vec<u8>>,
}

/// Reads the messages of the extension until the relay ends or the driver needs it no longer.
async fn read(relay: Arc<Relay>, mut inputs: mpsc::Receiver<RelayInput>, mut driver_gone: oneshot::Receiver<()>) {
    let reason = loop {
        let input = tokio::select! {
            input = inputs.recv() => input,
            _ = &mut driver_gone => return,
            () = relay.replies.closed() => return,
        };
        match input {
            Some(RelayInput::Message(text)) => {
                let message = match serde_json::from_str(&text) {
                    Ok(message) => message,
                    Err(error) => {
                        tracing::warn!(%error, "a message of the extension that cannot be read");
                        continue;
                    }
                };
                // The carrier has ended; the reason follows or is unknown.
                let _ = relay.apply(|state, effects| state.on_message(&message, effects));
            }
            Some(RelayInput::Ended(reason)) => break reason,
            None => break "the extension is no longer connected".to_owned(),
        }
    };
    let _ = relay.replies.send(Err(io::Error::other(reason)));
}

#[cfg(test)]
mod tests;
