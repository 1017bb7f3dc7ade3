//! The driver for the DevTools protocol.

mod contexts;
mod input;
mod network;
mod pictures;
mod tabs;
mod worlds;

use std::sync::Arc;

use super::{CallError, Connection, PendingReply, wire::Command};
use crate::{
    capabilities::Capabilities,
    driver::{Driver, DriverError, Pending, SessionId},
};

/// A browser controlled through the DevTools protocol.
pub(crate) struct Cdp {
    connection: Connection,
    capabilities: Capabilities,
}

impl Cdp {
    pub(crate) fn new(connection: Connection, capabilities: Capabilities) -> Self {
        Cdp { connection, capabilities }
    }

    fn ask<C: Command>(&self, session: Option<&SessionId>, command: &C) -> PendingReply<C::Returns> {
        self.connection.call(session, command)
    }

    /// Sends a command whose result is not needed, only its completion.
    fn tell<C: Command>(&self, session: Option<&SessionId>, command: &C) -> Pending<()>
    where
        C::Returns: 'static,
    {
        let reply = self.ask(session, command);
        Pending::new(async move { Ok(reply.await.map(|_| ())?) })
    }

    fn send<C: Command>(&self, session: &SessionId, command: &C) {
        drop(self.ask(Some(session), command));
    }
}

impl From<CallError> for DriverError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Gone(reason) => DriverError::Disconnected(reason),
            CallError::Detached => DriverError::TargetClosed,
            CallError::Crashed => DriverError::Crashed,
            CallError::Refused { message, .. } if is_left(&message) => DriverError::TargetClosed,
            other => DriverError::Refused(other.to_string()),
        }
    }
}

/// Whether this is one of the error messages for a document that is gone.
fn is_left(message: &str) -> bool {
    [
        "Cannot find context",
        "uniqueContextId not found",
        "Execution context was destroyed",
        "Inspected target navigated or closed",
        "Promise was collected",
        "Session with given id not found",
        "No frame for given id",
        "No target with given id",
    ]
    .iter()
    .any(|known| message.contains(known))
}

impl Driver for Cdp {
    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn gone(&self) -> Option<Arc<str>> {
        self.connection.gone()
    }

    fn fail_session(&self, session: &str, error: DriverError) {
        let error = if error == DriverError::Crashed { CallError::Crashed } else { CallError::Detached };
        self.connection.fail_session(session, &error);
    }
}
