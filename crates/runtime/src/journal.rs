//! The run's journal, as the drive loop uses it: events are queued without waiting, and before an action that matters
//! is sent to the browser, the loop waits until all of them are durable.
//!
//! An append waits for the disk. If the loop waited for each append, it would wait twice per action. Therefore a
//! separate writer task appends all queued events at once, while the loop already observes the page again. The order is
//! preserved. A conflict (another process drives this run) or a full disk reaches the loop at its next wait, before
//! anything else is executed.

use std::sync::Arc;

use jiff::Timestamp;
use legwork_agent::AgentEvent;
use legwork_protocol::{Event, EventKind, Phase, RunId};
use legwork_store::{AppendError, NewEvent, RunLog, StoreError};
use parking_lot::Mutex;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{guard::RunGuard, log_lines};

/// Capacity of the queue. If it is full, the loop waits; no event is lost.
const QUEUE_CAPACITY: usize = 256;

enum JournalEntry {
    Fact(Box<NewEvent>),
    Durable(oneshot::Sender<Result<(), Arc<AppendError>>>),
}

/// Appends the events of one run.
pub(crate) struct Journal {
    entries: mpsc::Sender<JournalEntry>,
    writer: JoinHandle<()>,
    guard: Arc<RunGuard>,
    log: Arc<dyn RunLog>,
    run: RunId,
    /// The phase of the run, for log lines.
    phase: Mutex<Phase>,
}

impl Journal {
    /// A journal that continues after event number `seq`.
    pub(crate) fn new(log: Arc<dyn RunLog>, run: RunId, seq: u64, guard: Arc<RunGuard>) -> Self {
        let (entries, queue) = mpsc::channel(QUEUE_CAPACITY);
        Journal {
            entries,
            writer: tokio::spawn(write(log.clone(), run, seq, queue)),
            guard,
            log,
            run,
            phase: Mutex::new(Phase::Initializing),
        }
    }

    /// Queues events with masked secrets.
    pub(crate) async fn append(&self, facts: impl IntoIterator<Item = AgentEvent>) {
        for fact in facts {
            // The time of the event, not of the disk write, because live output is sorted together with it.
            let event = NewEvent { step: fact.step, kind: self.masked(fact.kind), time: Some(Timestamp::now()) };
            log_lines::write(self.run, event.step, &mut self.phase.lock(), &event.kind);
            // If the writer has ended, it has failed; the next call of `durable` returns the error.
            let _ = self.entries.send(JournalEntry::Fact(Box::new(event))).await;
        }
    }

    /// Waits until everything queued so far is on disk.
    pub(crate) async fn durable(&self) -> Result<(), Arc<AppendError>> {
        let (answer, answered) = oneshot::channel();
        let _ = self.entries.send(JournalEntry::Durable(answer)).await;
        answered.await.unwrap_or_else(|_| Err(Arc::new(AppendError::Store(StoreError::Closed))))
    }

    /// All events of the run so far.
    pub(crate) async fn events(&self) -> Result<Vec<Event>, Arc<AppendError>> {
        self.durable().await?;
        self.log.read(self.run, 1).await.map_err(|error| Arc::new(AppendError::Store(error)))
    }

    /// Waits for the queued events and ends the writer.
    pub(crate) async fn close(self) -> Result<(), Arc<AppendError>> {
        let durable = self.durable().await;
        drop(self.entries);
        let _ = self.writer.await;
        durable
    }

    /// The event with secrets replaced by their handles. A text that a page or a model repeated could contain one.
    fn masked(&self, kind: EventKind) -> EventKind {
        self.guard.masked(kind).unwrap_or_else(|_| EventKind::WarningIssued {
            message: "a fact was withheld: it held a secret in a place where it could not be masked".into(),
        })
    }
}

async fn write(log: Arc<dyn RunLog>, run: RunId, mut seq: u64, mut queue: mpsc::Receiver<JournalEntry>) {
    let mut failed: Option<Arc<AppendError>> = None;
    let mut entries = Vec::with_capacity(QUEUE_CAPACITY);
    while queue.recv_many(&mut entries, QUEUE_CAPACITY).await > 0 {
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
            // The receiver is gone if the loop was dropped.
            let _ = answer.send(failed.clone().map_or(Ok(()), Err));
        }
    }
}
