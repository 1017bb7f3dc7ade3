//! Coordinates the clock of the schedules with the requests that change them.

use tokio::sync::Notify;

/// The schedules of this server.
#[derive(Default)]
pub(crate) struct Schedules {
    pub(crate) changed: Notify,
    /// Permits one change at a time, so that the clock and a request do not overwrite each other's changes.
    pub(crate) write_lock: tokio::sync::Mutex<()>,
}
