//! Gates, with which a test delays a scripted reply without a fixed time.

use std::sync::Arc;

use tokio::sync::watch;

/// A gate at which a reply waits until a test opens it. Clones share the gate. An open gate stays open.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    reached: watch::Sender<bool>,
    open: watch::Sender<bool>,
}

impl Default for Gate {
    fn default() -> Self {
        Gate::new()
    }
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Gate(Arc::new(Inner { reached: watch::Sender::new(false), open: watch::Sender::new(false) }))
    }

    /// Opens the gate for replies that wait and for later ones.
    pub fn open(&self) {
        self.0.open.send_replace(true);
    }

    /// Waits until a reply has reached the gate.
    pub async fn reached(&self) {
        until(&self.0.reached).await;
    }

    /// Waits until the gate is open.
    pub(super) async fn pass(&self) {
        self.0.reached.send_replace(true);
        until(&self.0.open).await;
    }
}

async fn until(said: &watch::Sender<bool>) {
    // The sender lives as long as the gate, so the wait cannot fail.
    let _ = said.subscribe().wait_for(|said| *said).await;
}
