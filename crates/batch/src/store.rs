//! What is stored of a batch beside its runs: its definition, the run of each row, and whether it was cancelled.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use legwork::store::{KeyValueStore, Lease, LeaseError, RunLog, RunState, RunSummary, StoreError};
use legwork_protocol::{BatchId, EventKind, RunId, Validation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Batch, BatchError};

/// The kind of the entries with definitions.
const BATCHES: &str = "batch";
/// The kind of the entries of cancelled batches.
const CANCELLED: &str = "batch-cancelled";

/// The run of a row. It is stored before the run starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowClaim {
    /// The run.
    pub run: RunId,
    /// How far it is, as far as this entry says.
    pub stage: RowStage,
    /// Earlier runs of this row that failed, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<RunId>,
}

/// How far the run of a row is. The journal of the run says more; this is for a run that was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "stage")]
pub enum RowStage {
    /// The run has its id and was not started yet.
    Claimed,
    /// The run was started.
    Started,
    /// The run ended.
    Ended {
        /// Its status.
        status: RowStatus,
        /// To what extent the success was checked.
        validation: Option<Validation>,
    },
}

macro_rules! row_statuses {
    ($($(#[$doc:meta])* $variant:ident $name:literal;)*) => {
        /// The state of a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum RowStatus {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl RowStatus {
            /// The name as stored and shown.
            pub fn name(self) -> &'static str {
                match self { $(RowStatus::$variant => $name,)* }
            }
        }
    };
}

row_statuses! {
    /// No run was started for it.
    Waiting "waiting";
    /// Its run is in progress.
    Running "running";
    /// Its run is in progress and waits for the answer of a person.
    Asking "asking";
    /// The process of its run is gone.
    Interrupted "interrupted";
    /// Its run waits for a person.
    Parked "parked";
    /// Its run reached the goal.
    Success "success";
    /// Its run did not reach the goal.
    Failure "failure";
    /// Its run ended because of an error.
    Error "error";
    /// Its run was cancelled.
    Cancelled "cancelled";
    /// Its run was started and then deleted, so that nobody knows how it ended.
    Deleted "deleted";
}

impl RowStatus {
    /// Whether the row is finished: neither a continuation nor a person changes it any more.
    pub fn is_over(self) -> bool {
        matches!(self, RowStatus::Success | RowStatus::Failure | RowStatus::Error | RowStatus::Cancelled)
    }

    pub(crate) fn of(run: &RunSummary) -> RowStatus {
        match run.state {
            RunState::Running | RunState::Paused if run.interrupted() => RowStatus::Interrupted,
            RunState::Running if run.waits_for_answer() => RowStatus::Asking,
            RunState::Running | RunState::Paused => RowStatus::Running,
            RunState::Parked => RowStatus::Parked,
            RunState::Success => RowStatus::Success,
            RunState::Failure => RowStatus::Failure,
            RunState::Error => RowStatus::Error,
            RunState::Cancelled => RowStatus::Cancelled,
        }
    }
}

/// A row and the state of its run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowView {
    /// The number of the row.
    pub row: usize,
    /// Its state.
    pub status: RowStatus,
    /// To what extent the success was checked; absent before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// Its run, once it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The error of the run in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The stored batches of a data folder.
#[derive(Clone)]
pub struct BatchStore {
    entries: Arc<dyn KeyValueStore>,
    log: Arc<dyn RunLog>,
}

impl BatchStore {
    /// The batches beside a run log.
    pub fn new(entries: Arc<dyn KeyValueStore>, log: Arc<dyn RunLog>) -> Self {
        BatchStore { entries, log }
    }

    /// The log of the runs.
    pub fn log(&self) -> &Arc<dyn RunLog> {
        &self.log
    }

    /// Stores a new batch.
    pub async fn create(&self, batch: &Batch) -> Result<(), BatchError> {
        let id = batch.id.to_string();
        let body = serde_json::to_string(batch).map_err(|source| BatchError::Record { batch: id.clone(), source })?;
        Ok(self.entries.put_entry(BATCHES, &id, body).await?)
    }

    /// All batches, the oldest first.
    pub async fn all(&self) -> Result<Vec<Batch>, BatchError> {
        let entries = self.entries.entries(BATCHES).await?;
        entries.into_iter().map(|entry| parse(&entry.key, &entry.body)).collect()
    }

    /// The batch that a person means with its id, the beginning or the end of it, or `last`.
    pub async fn find(&self, text: &str) -> Result<Batch, BatchError> {
        if let Ok(id) = text.parse::<BatchId>() {
            let key = id.to_string();
            let entry = self.entries.entry(BATCHES, &key).await?;
            return entry.map_or_else(|| Err(BatchError::Unknown(text.to_owned())), |entry| parse(&key, &entry.body));
        }
        let mut entries = self.entries.entries(BATCHES).await?;
        let asked = text.to_ascii_lowercase();
        if asked == "last" {
            entries.drain(..entries.len().saturating_sub(1));
        } else {
            entries.retain(|entry| !asked.is_empty() && (entry.key.starts_with(&asked) || entry.key.ends_with(&asked)));
        }
        match entries.as_slice() {
            [] => Err(BatchError::Unknown(text.to_owned())),
            [one] => parse(&one.key, &one.body),
            several => Err(BatchError::Several {
                text: text.to_owned(),
                batches: several.iter().filter_map(|entry| entry.key.parse().ok()).collect(),
            }),
        }
    }

    /// Reserves a batch for this process until the lease is dropped or the process ends.
    pub async fn lease(&self, batch: BatchId) -> Result<Lease, BatchError> {
        let lock = |detail: String| BatchError::Lock { batch, detail };
        // Ids are unique across kinds, so the lock files of runs serve for batches as well.
        let id: RunId = batch.to_string().parse().map_err(|_| lock("its id is not an id".to_owned()))?;
        self.log.lease(id).await.map_err(|error| match error {
            LeaseError::Held { holder, .. } => BatchError::Held { batch, holder },
            LeaseError::Lock { source, .. } => lock(source.to_string()),
        })
    }

    /// Marks a batch as cancelled: no process starts or continues a row of it any more.
    pub async fn cancel(&self, batch: BatchId) -> Result<(), BatchError> {
        Ok(self.entries.put_entry(CANCELLED, &batch.to_string(), Timestamp::now().to_string()).await?)
    }

    /// Whether a batch was cancelled.
    pub async fn is_cancelled(&self, batch: BatchId) -> Result<bool, BatchError> {
        Ok(self.entries.entry(CANCELLED, &batch.to_string()).await?.is_some())
    }

    /// The runs of the rows that have one, by the number of the row.
    pub async fn claims(&self, batch: BatchId) -> Result<BTreeMap<usize, RowClaim>, BatchError> {
        let mut claims = BTreeMap::new();
        for entry in self.entries.entries(&rows_of(batch)).await? {
            let damaged = |source| BatchError::Record { batch: batch.to_string(), source };
            let claim = serde_json::from_str(&entry.body).map_err(damaged)?;
            // The key is the number of the row with leading zeros.
            let row = entry.key.parse().map_err(|error| damaged(serde::de::Error::custom(error)))?;
            claims.insert(row, claim);
        }
        Ok(claims)
    }

    /// The batch with secret columns to which a run belongs, and the number of its row. `None` for any other run: only
    /// these rows have values that must be hidden.
    pub async fn row_with_secrets(&self, run: RunId) -> Result<Option<(Batch, usize)>, BatchError> {
        // Rows are continued soon after their batch began, so the newest batch is the most likely one.
        let batches = self.all().await?.into_iter().rev();
        for batch in batches.filter(|batch| !batch.options.secret_columns.is_empty()) {
            let claims = self.claims(batch.id).await?;
            let row = claims.into_iter().find(|(_, claim)| claim.run == run || claim.earlier.contains(&run));
            if let Some((row, _)) = row {
                return Ok(Some((batch, row)));
            }
        }
        Ok(None)
    }

    /// Refuses to continue or repeat a run that is a row with secret columns, where the file with its values cannot be
    /// read: they would not be hidden.
    pub async fn refuse_row_with_secrets(&self, run: RunId) -> Result<(), BatchError> {
        match self.row_with_secrets(run).await? {
            Some((batch, row)) => Err(BatchError::SecretRow { batch: batch.id, row }),
            None => Ok(()),
        }
    }

    /// Gives a row its run. Of two callers, one succeeds, and both learn the same run.
    pub async fn claim(&self, batch: BatchId, row: usize) -> Result<RowClaim, BatchError> {
        let failed = |source| BatchError::Record { batch: batch.to_string(), source };
        let claim = RowClaim { run: RunId::new(), stage: RowStage::Claimed, earlier: Vec::new() };
        let body = serde_json::to_string(&claim).map_err(failed)?;
        if self.entries.put_if_absent(&rows_of(batch), &key_of(row), body).await? {
            return Ok(claim);
        }
        match self.entries.entry(&rows_of(batch), &key_of(row)).await? {
            Some(entry) => serde_json::from_str(&entry.body).map_err(failed),
            None => Err(BatchError::Store(StoreError::Closed)),
        }
    }

    /// Replaces the entry of a row. Only the process that has the lease of the batch may do this.
    pub async fn put_claim(&self, batch: BatchId, row: usize, claim: &RowClaim) -> Result<(), BatchError> {
        let body =
            serde_json::to_string(claim).map_err(|source| BatchError::Record { batch: batch.to_string(), source })?;
        Ok(self.entries.put_entry(&rows_of(batch), &key_of(row), body).await?)
    }

    /// The state of one row.
    pub async fn view(&self, row: usize, claim: Option<&RowClaim>) -> Result<RowView, BatchError> {
        let Some(claim) = claim else {
            return Ok(RowView { row, status: RowStatus::Waiting, validation: None, run: None, error: None });
        };
        let view = |status, validation, error| RowView { row, status, validation, run: Some(claim.run), error };
        Ok(match (self.log.run(claim.run).await?, claim.stage) {
            (Some(run), _) => view(RowStatus::of(&run), run.validation, run.error),
            (None, RowStage::Claimed) => view(RowStatus::Waiting, None, None),
            (None, RowStage::Started) => view(RowStatus::Deleted, None, None),
            (None, RowStage::Ended { status, validation }) => view(status, validation, None),
        })
    }

    /// Whether the result of the last action of a run is unknown.
    pub(crate) async fn has_unknown_outcome(&self, run: RunId) -> Result<bool, BatchError> {
        let last = self.log.read(run, 1).await?.into_iter().rev().find_map(|event| match event.kind {
            EventKind::CommandStarted { .. } => Some(true),
            EventKind::CommandCompleted { .. } => Some(false),
            EventKind::CommandFailed { result, .. } => Some(result.outcome_unknown),
            _ => None,
        });
        Ok(last.unwrap_or(false))
    }

    /// The state of all rows of a batch.
    pub async fn views(&self, batch: &Batch) -> Result<Vec<RowView>, BatchError> {
        let claims = self.claims(batch.id).await?;
        let mut views = Vec::with_capacity(batch.rows.len());
        for row in &batch.rows {
            views.push(self.view(row.number, claims.get(&row.number)).await?);
        }
        Ok(views)
    }

    /// Deletes the batches that were created before this time; returns their number. Their runs are deleted with the
    /// other runs.
    pub async fn prune(&self, before: Timestamp) -> Result<usize, BatchError> {
        let mut deleted = 0;
        for entry in self.entries.entries(BATCHES).await?.into_iter().filter(|entry| entry.made < before) {
            let Ok(id) = entry.key.parse::<BatchId>() else { continue };
            // A batch that a process drives is left alone.
            let Ok(_lease) = self.lease(id).await else { continue };
            self.entries.delete_entry(BATCHES, &entry.key).await?;
            self.entries.delete_entry(CANCELLED, &entry.key).await?;
            for row in self.entries.entries(&rows_of(id)).await? {
                self.entries.delete_entry(&rows_of(id), &row.key).await?;
            }
            deleted += 1;
        }
        Ok(deleted)
    }
}

fn rows_of(batch: BatchId) -> String {
    format!("batch-row:{batch}")
}

/// Padded, so that entries sort by row.
fn key_of(row: usize) -> String {
    format!("{row:08}")
}

fn parse(key: &str, body: &str) -> Result<Batch, BatchError> {
    serde_json::from_str(body).map_err(|source| BatchError::Record { batch: key.to_owned(), source })
}
