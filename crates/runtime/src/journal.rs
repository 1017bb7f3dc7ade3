//! The run's journal, from the drive loop's side: facts go in without waiting, and before the browser is told anything
//! that matters the loop waits until all of them are durable.
//!
//! Appending waits for the disk. The loop would wait twice an action if it waited each time; so a writer of its own takes
//! what is queued, appends it in one go, and the next look at the page goes on meanwhile. Order is kept, and a conflict
//! (somebody else drives this run) or a full disk reaches the loop at its next wait, before anything else is done.

use std::sync::Arc;

use jiff::Timestamp;
use legwork_agent::AgentEvent;
use legwork_protocol::{EventKind, RunId};
use legwork_store::{AppendError, NewEvent, RunLog, StoreError};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::guard::RunGuard;

/// Facts queued before the writer must catch up; a full queue makes the loop wait, it loses nothing.
const QUEUE: usize = 256;

enum JournalEntry {
    Fact(Box<NewEvent>),
    Durable(oneshot::Sender<Result<(), Arc<AppendError>>>),
}

/// Appends the facts of one run.
pub(crate) struct Journal {
    entries: mpsc::Sender<JournalEntry>,
    writer: JoinHandle<()>,
    guard: Arc<RunGuard>,
}

impl Journal {
    /// A journal that goes on after event number `seq`.
    pub(crate) fn new(log: Arc<dyn RunLog>, run: RunId, seq: u64, guard: Arc<RunGuard>) -> Self {
        let (entries, queue) = mpsc::channel(QUEUE);
        Journal { entries, writer: tokio::spawn(write(log, run, seq, queue)), guard }
    }

    /// Queues facts, secrets masked.
    pub(crate) async fn append(&self, facts: impl IntoIterator<Item = AgentEvent>) {
        for fact in facts {
            // The time of the fact and not of the disk: live output is put in order with it.
            let event = NewEvent { step: fact.step, kind: self.masked(fact.kind), time: Some(Timestamp::now()) };
            // A writer that is gone has failed, and says so at the next `durable`.
            let _ = self.entries.send(JournalEntry::Fact(Box::new(event))).await;
        }
    }

    /// Waits until everything queued so far is on the disk.
    pub(crate) async fn durable(&self) -> Result<(), Arc<AppendError>> {
        let (answer, answered) = oneshot::channel();
        let _ = self.entries.send(JournalEntry::Durable(answer)).await;
        answered.await.unwrap_or_else(|_| Err(Arc::new(AppendError::Store(StoreError::Closed))))
    }

    /// Waits for what is queued and ends the writer.
    pub(crate) async fn close(self) -> Result<(), Arc<AppendError>> {
        let durable = self.durable().await;
        drop(self.entries);
        let _ = self.writer.await;
        durable
    }

    /// The fact with the values of secrets replaced by their handles. Text that a page or a model repeated could hold one.
    fn masked(&self, kind: EventKind) -> EventKind {
        self.guard.masked(kind).unwrap_or_else(|_| EventKind::WarningIssued {
            message: "a fact was withheld: it held a secret in a place where it could not be masked".into(),
        })
    }
}

async fn write(log: Arc<dyn RunLog>, run: RunId, mut seq: u64, mut queue: mpsc::Receiver<JournalEntry>) {
    let mut failed: Option<Arc<AppendError>> = None;
    let mut entries = Vec::with_capacity(QUEUE);
    while queue.recv_many(&mut entries, QUEUE).await > 0 {
        let mut facts = Vec::new();
        let mut waiting = Vec::new();
        for entry in entries.drain(..) {
            match entry {
                JournalEntry::Fact(fact) => facts.push(*fact),
                JournalEntry::Durable(answer) => waiting.push(answer),
            }
        }
        if failed.is_none() && !facts.is_empty() {
            match log.append(run, seq, facts).await {
                Ok(events) => seq += events.len() as u64,
                Err(error) => failed = Some(Arc::new(error)),
            }
        }
        for answer in waiting {
            // Nobody waits any more when the loop was dropped.
            let _ = answer.send(failed.clone().map_or(Ok(()), Err));
        }
    }
}
