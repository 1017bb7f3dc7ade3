//! The handle of a run in progress, for its caller.

use std::{collections::BTreeMap, sync::Arc};

use legwork_protocol::{Code, ErrorReport, Op, Outcome, RunId, Status};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};

use crate::live::LiveView;

/// A run in progress.
pub struct RunHandle {
    pub(crate) id: RunId,
    pub(crate) ops: mpsc::Sender<Op>,
    pub(crate) live: Arc<LiveView>,
    pub(crate) done: JoinHandle<Outcome>,
}

impl RunHandle {
    /// The run's id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Sends an op to the run. A run that has ended ignores it; that is not an error.
    pub async fn op(&self, op: Op) {
        let _ = self.ops.send(op).await;
    }

    /// A sender of ops for other places, such as a signal handler.
    pub fn ops(&self) -> mpsc::Sender<Op> {
        self.ops.clone()
    }

    /// The live data of the run.
    pub fn live(&self) -> Arc<LiveView> {
        self.live.clone()
    }

    /// Aborts the run without an end in its journal, for a process that ends and wants the run to be resumed later.
    /// Queued events are still written; the run's context closes with the browser.
    pub fn abandon(&self) -> AbortHandle {
        self.done.abort_handle()
    }

    /// Waits for the run's end.
    pub async fn outcome(self) -> Outcome {
        self.done.await.unwrap_or_else(|panic| {
            failed_outcome(ErrorReport::new(Code::Internal, format!("the run ended unexpectedly: {panic}")))
        })
    }
}

/// The outcome of a run that could not end by itself.
pub(crate) fn failed_outcome(error: ErrorReport) -> Outcome {
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
