//! A run in progress, as its caller holds it.

use std::{collections::BTreeMap, sync::Arc};

use legwork_protocol::{Code, ErrorReport, Op, Outcome, RunId, Status};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};
use tokio_util::sync::CancellationToken;

use crate::live::LiveView;

/// A run in progress.
pub struct RunHandle {
    pub(crate) id: RunId,
    pub(crate) ops: mpsc::Sender<Op>,
    pub(crate) cancel: CancellationToken,
    pub(crate) live: Arc<LiveView>,
    pub(crate) done: JoinHandle<Outcome>,
}

impl RunHandle {
    /// Its id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Asks something of it. A run that has ended hears nothing any more; that is no error.
    pub async fn op(&self, op: Op) {
        let _ = self.ops.send(op).await;
    }

    /// Where ops may be sent from elsewhere, such as a signal handler.
    pub fn ops(&self) -> mpsc::Sender<Op> {
        self.ops.clone()
    }

    /// Stops it when the token is cancelled.
    pub fn cancellation(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// What it shows while it works.
    pub fn live(&self) -> Arc<LiveView> {
        self.live.clone()
    }

    /// Lets go of it where it stands, without an end on record: for a process that ends and means the run to be resumed.
    /// What was queued for the journal is still written; the browser's context goes with the browser.
    pub fn abandon(&self) -> AbortHandle {
        self.done.abort_handle()
    }

    /// Waits for its end.
    pub async fn outcome(self) -> Outcome {
        self.done.await.unwrap_or_else(|panic| {
            broken(ErrorReport::new(Code::Internal, format!("the run ended unexpectedly: {panic}")))
        })
    }
}

/// The outcome of a run that could not end by itself.
pub(crate) fn broken(error: ErrorReport) -> Outcome {
    Outcome {
        status: Status::Error,
        validation: Default::default(),
        answer: None,
        variables: BTreeMap::new(),
        usage: Default::default(),
        budget: None,
        error: Some(error),
    }
}
