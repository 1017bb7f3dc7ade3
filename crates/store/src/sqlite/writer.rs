//! The thread that writes. It takes all queued jobs and commits them together, with one fsync for all of them.

use std::{path::PathBuf, sync::Arc, thread};

use jiff::Timestamp;
use legwork_protocol::{Event, EventId, RunId, Validation};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, named_params, params};
use tokio::sync::{mpsc, oneshot};

use crate::{AppendError, IllegalTransition, NewEvent, RunSummary, StoreError, sqlite::watchers::Watchers};

/// The number of appends that may wait. When the queue is full, the caller waits.
const QUEUE_CAPACITY: usize = 128;

/// The maximum number of appends per commit, which limits how long the first of them waits.
const MAX_GROUP: usize = 128;

/// Serialised events to append.
struct Append {
    run: RunId,
    expected: u64,
    events: Vec<Event>,
    bodies: Vec<String>,
}

impl Append {
    /// Serialises the events in the task of the caller, so that the writer thread does as little as possible.
    fn prepare(run: RunId, expected: u64, events: Vec<NewEvent>) -> Result<Append, AppendError> {
        let now = Timestamp::now();
        let events: Vec<Event> = events
            .into_iter()
            .zip(expected + 1..)
            .map(|(new, seq)| Event {
                id: EventId::new(),
                run,
                seq,
                time: new.time.unwrap_or(now),
                step: new.step,
                kind: new.kind,
            })
            .collect();
        let bodies = events
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()
            .map_err(|source| AppendError::Unwritable { run, source })?;
        Ok(Append { run, expected, events, bodies })
    }
}

/// A change of the other tables, which returns a number of rows. It is called again when another job of its
/// group fails.
pub(crate) type Change = Box<dyn Fn(&Transaction<'_>) -> rusqlite::Result<usize> + Send>;

enum Job {
    Append(Append, oneshot::Sender<Result<Vec<Event>, AppendError>>),
    Forget(RunId, oneshot::Sender<Result<bool, StoreError>>),
    Change(Change, oneshot::Sender<Result<usize, StoreError>>),
}

/// A handle of the writer. The thread ends when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Writer(mpsc::Sender<Job>);

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(connection: Connection, path: PathBuf, watchers: Arc<Watchers>) -> std::io::Result<Writer> {
        let (sender, jobs) = mpsc::channel(QUEUE_CAPACITY);
        thread::Builder::new()
            .name("run-log".to_owned())
            .stack_size(256 * 1024)
            .spawn(move || WriterThread { connection, path, watchers }.run(jobs))?;
        Ok(Writer(sender))
    }

    /// Returns when the events are on the disk. If the future is dropped, the events may or may not have been
    /// appended; the log shows which.
    pub(crate) async fn append(
        &self,
        run: RunId,
        expected: u64,
        events: Vec<NewEvent>,
    ) -> Result<Vec<Event>, AppendError> {
        let append = Append::prepare(run, expected, events)?;
        let (reply, answer) = oneshot::channel();
        self.0.send(Job::Append(append, reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Deletes a run.
    pub(crate) async fn forget(&self, run: RunId) -> Result<bool, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.0.send(Job::Forget(run, reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Changes the other tables.
    pub(crate) async fn change(&self, change: Change) -> Result<usize, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.0.send(Job::Change(change, reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

/// The result of a job inside the transaction: done, or refused without having written anything.
enum JobOutcome {
    Appended,
    Conflict { found: u64 },
    Illegal(IllegalTransition),
    Forgotten(bool),
    Changed(usize),
}

struct WriterThread {
    connection: Connection,
    path: PathBuf,
    watchers: Arc<Watchers>,
}

impl WriterThread {
    fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(first) = jobs.blocking_recv() {
            let mut group = vec![first];
            while group.len() < MAX_GROUP
                && let Ok(next) = jobs.try_recv()
            {
                group.push(next);
            }
            self.commit(group);
        }
        // Moves the content of the write-ahead log to the main file, so that a copy of the file alone is complete.
        if let Err(error) = self.connection.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);") {
            tracing::debug!(%error, "cannot checkpoint the run log on close");
        }
    }

    fn commit(&mut self, mut group: Vec<Job>) {
        match write(&mut self.connection, &group) {
            Ok(verdicts) => {
                for (job, outcome) in group.into_iter().zip(verdicts) {
                    self.answer(job, Ok(outcome));
                }
            }
            Err(error) if group.len() == 1 => {
                if let Some(job) = group.pop() {
                    self.answer(job, Err(StoreError::sqlite(&self.path, error)));
                }
            }
            // One failing job must not fail the others, so each is executed alone.
            Err(_) => {
                for job in group {
                    self.commit(vec![job]);
                }
            }
        }
    }

    /// Notifies the followers first and then the caller, so that they have the events when the append returns. It is
    /// not an error if the caller is gone.
    fn answer(&self, job: Job, outcome: Result<JobOutcome, StoreError>) {
        match (job, outcome) {
            (Job::Append(append, reply), Ok(JobOutcome::Conflict { found })) => {
                let _ = reply.send(Err(AppendError::Conflict { run: append.run, expected: append.expected, found }));
            }
            (Job::Append(append, reply), Ok(JobOutcome::Illegal(transition))) => {
                let _ = reply.send(Err(AppendError::Illegal { run: append.run, transition }));
            }
            (Job::Append(append, reply), Ok(_)) => {
                self.watchers.notify(append.run, &append.events);
                let _ = reply.send(Ok(append.events));
            }
            (Job::Append(_, reply), Err(error)) => {
                let _ = reply.send(Err(error.into()));
            }
            (Job::Forget(_, reply), outcome) => {
                let _ = reply.send(outcome.map(|outcome| matches!(outcome, JobOutcome::Forgotten(true))));
            }
            (Job::Change(_, reply), outcome) => {
                let rows = |outcome| if let JobOutcome::Changed(rows) = outcome { rows } else { 0 };
                let _ = reply.send(outcome.map(rows));
            }
        }
    }
}

/// Executes all jobs in one transaction. A refused job leaves no trace in it.
fn write(connection: &mut Connection, group: &[Job]) -> rusqlite::Result<Vec<JobOutcome>> {
    // Immediate, so that the numbers that are compared stay valid until the commit.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let verdicts = group
        .iter()
        .map(|job| match job {
            Job::Append(append, _) => insert(&transaction, append),
            Job::Forget(run, _) => forget(&transaction, *run).map(JobOutcome::Forgotten),
            Job::Change(change, _) => change(&transaction).map(JobOutcome::Changed),
        })
        .collect::<rusqlite::Result<Vec<_>>>()?;
    transaction.commit()?;
    Ok(verdicts)
}

/// Inserts or replaces the row of a run.
const UPSERT_RUN: &str =
    "INSERT INTO runs (id, last_seq, state, updated_ms, summary, name, search, day, took_ms, prompt_tokens,
        completion_tokens, cost_usd, validation)
    VALUES (:id, :last, :state, :updated, :summary, :name, :search, :day, :took, :read, :written, :cost,
        :validation)
    ON CONFLICT (id) DO UPDATE SET last_seq = :last, state = :state, updated_ms = :updated, summary = :summary,
        name = :name, search = :search, day = :day, took_ms = :took, prompt_tokens = :read,
        completion_tokens = :written, cost_usd = :cost, validation = :validation";

fn insert(transaction: &Transaction<'_>, append: &Append) -> rusqlite::Result<JobOutcome> {
    let row: Option<(i64, i64, String)> = transaction
        .prepare_cached("SELECT n, last_seq, summary FROM runs WHERE id = ?1")?
        .query_row([append.run.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let found = row.as_ref().map_or(0, |(_, last, _)| u64::try_from(*last).unwrap_or(0));
    if found != append.expected {
        return Ok(JobOutcome::Conflict { found });
    }
    let Some(first) = append.events.first() else { return Ok(JobOutcome::Appended) };

    let fresh = || RunSummary::new(append.run, first.time);
    // A summary in the form of another version is rebuilt from here on; the events are authoritative.
    let mut summary =
        row.as_ref().map_or_else(fresh, |(_, _, text)| serde_json::from_str(text).unwrap_or_else(|_| fresh()));
    for event in &append.events {
        if let Some(transition) = summary.illegal_transition(&event.kind) {
            return Ok(JobOutcome::Illegal(transition));
        }
        summary.apply(event);
    }
    let text =
        serde_json::to_string(&summary).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let took = summary.ended.map(|ended| ended.duration_since(summary.started).as_secs_f64() * 1e3);
    let day = summary.started.strftime("%Y-%m-%d").to_string();
    let values = named_params! {
        ":id": append.run.to_string(),
        ":last": summary.last_seq as i64,
        ":state": summary.state.name(),
        ":updated": summary.updated.as_millisecond(),
        ":summary": text,
        ":name": summary.name,
        // SQLite itself changes only ASCII letters to lower case.
        ":search": summary.name.to_lowercase(),
        ":day": day,
        ":took": took,
        ":read": summary.usage.prompt_tokens as i64,
        ":written": summary.usage.completion_tokens as i64,
        ":cost": summary.usage.cost_usd,
        ":validation": summary.validation.map(Validation::name),
    };
    transaction.prepare_cached(UPSERT_RUN)?.execute(values)?;
    let n = match row {
        Some((n, ..)) => n,
        None => transaction.last_insert_rowid(),
    };
    let mut event = transaction.prepare_cached("INSERT INTO events (run, seq, body) VALUES (?1, ?2, ?3)")?;
    for (made, body) in append.events.iter().zip(&append.bodies) {
        event.execute(params![n, made.seq as i64, body])?;
    }
    Ok(JobOutcome::Appended)
}

fn forget(transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<bool> {
    // The events are deleted with it (ON DELETE CASCADE).
    transaction.execute("DELETE FROM runs WHERE id = ?1", [run.to_string()]).map(|rows| rows > 0)
}
