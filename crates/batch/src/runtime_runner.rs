//! Runs the rows of a batch with a runtime of this process.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use legwork::{
    Assumption, ResumeRequest, RunHandle, Runtime, StartRequest,
    browser::StorageState,
    secrets::{HiddenValues, SecretSpec},
    settings::Settings,
};
use legwork_protocol::{ErrorReport, Op, RunId};
use parking_lot::Mutex;
use secrecy::SecretString;
use tokio::sync::mpsc;

use crate::{Batch, BatchRow, RowRunner, RunEnd};

/// A runtime, and what every run of the batch needs.
pub struct RuntimeRunner<'a> {
    runtime: &'a Runtime,
    batch: &'a Batch,
    /// The granted secrets of all rows.
    secrets: Vec<SecretSpec>,
    /// The values of secret columns, by row.
    row_secrets: BTreeMap<usize, BTreeMap<String, SecretString>>,
    /// The values of the secret columns in all rows.
    hidden: HiddenValues,
    storage_state: Option<StorageState>,
    settings: Option<Settings>,
    is_by_client: bool,
    live: Arc<Mutex<HashMap<RunId, mpsc::Sender<Op>>>>,
}

impl<'a> RuntimeRunner<'a> {
    /// A runner for a batch.
    pub fn new(
        runtime: &'a Runtime,
        batch: &'a Batch,
        secrets: Vec<SecretSpec>,
        row_secrets: BTreeMap<usize, BTreeMap<String, SecretString>>,
        storage_state: Option<StorageState>,
    ) -> Self {
        let hidden = HiddenValues::new(row_secrets.values().flat_map(BTreeMap::values).cloned());
        let live = Arc::default();
        RuntimeRunner {
            runtime,
            batch,
            secrets,
            row_secrets,
            hidden,
            storage_state,
            settings: None,
            is_by_client: false,
            live,
        }
    }

    /// The same runner, whose runs hide these values instead of those of the rows of the batch.
    pub fn hiding(self, hidden: HiddenValues) -> Self {
        RuntimeRunner { hidden, ..self }
    }

    /// The same runner, whose runs have these settings instead of the runtime's.
    pub fn with_settings(self, settings: Settings) -> Self {
        RuntimeRunner { settings: Some(settings), ..self }
    }

    /// The same runner, for a batch whose words are those of a client of MCP ([`StartRequest::is_by_client`]).
    pub fn for_client(self) -> Self {
        RuntimeRunner { is_by_client: true, ..self }
    }

    /// Checks whether the first row could start, without starting it.
    ///
    /// # Errors
    /// If its secrets or its model are invalid.
    pub fn check(&self) -> Result<(), legwork::Error> {
        let Some(row) = self.batch.rows.first() else { return Ok(()) };
        self.runtime.check(&mut self.request(row, None))
    }

    fn request(&self, row: &BatchRow, run: Option<RunId>) -> StartRequest {
        let inputs = self.batch.inputs.iter().chain(&row.values).map(|(name, value)| (name.clone(), value.clone()));
        StartRequest {
            workflow: self.batch.workflow.clone(),
            task: self.batch.task,
            inputs: inputs.collect(),
            secrets: self.secrets_of(row),
            ask_secret: Some(self.ask(row)),
            hidden: self.hidden.clone(),
            storage_state: self.storage_state.clone(),
            uploads: self.batch.options.uploads.clone(),
            id: run,
            settings: self.settings.clone(),
            is_by_client: self.is_by_client,
            ..StartRequest::default()
        }
    }

    /// The request that continues the run of a row.
    pub fn resume_request(&self, row: &BatchRow) -> ResumeRequest {
        ResumeRequest {
            secrets: self.secrets_of(row),
            ask_secret: Some(self.ask(row)),
            hidden: self.hidden.clone(),
            ..ResumeRequest::default()
        }
    }

    /// The secrets of all rows and those of this row. The latter are asked for, so that no variable of the environment
    /// with the same name is read instead.
    fn secrets_of(&self, row: &BatchRow) -> Vec<SecretSpec> {
        let own = self.row_secrets.get(&row.number).into_iter().flat_map(BTreeMap::keys);
        self.secrets.iter().cloned().chain(own.map(|name| SecretSpec::requested(name))).collect()
    }

    fn ask(&self, row: &BatchRow) -> legwork::AskSecret {
        let own = self.row_secrets.get(&row.number).cloned().unwrap_or_default();
        Box::new(move |name| own.get(name).cloned())
    }

    /// Keeps a run for [`RowRunner::cancel`] until it ends.
    fn follow(&self, handle: RunHandle) -> RunEnd {
        let (run, live) = (handle.id(), self.live.clone());
        live.lock().insert(run, handle.ops());
        Box::pin(async move {
            handle.outcome().await;
            live.lock().remove(&run);
        })
    }
}

#[async_trait::async_trait]
impl RowRunner for RuntimeRunner<'_> {
    async fn start(&self, run: RunId, row: &BatchRow) -> Result<RunEnd, ErrorReport> {
        let handle = self.runtime.start(self.request(row, Some(run))).await;
        handle.map(|handle| self.follow(handle)).map_err(|error| error.standard())
    }

    async fn resume(&self, run: RunId, row: &BatchRow, assume: Option<Assumption>) -> Result<RunEnd, ErrorReport> {
        let request = ResumeRequest { assume, ..self.resume_request(row) };
        let handle = self.runtime.resume(run, request).await;
        handle.map(|handle| self.follow(handle)).map_err(|error| error.standard())
    }

    async fn cancel(&self, run: RunId) {
        let ops = self.live.lock().get(&run).cloned();
        if let Some(ops) = ops {
            // A run that has ended accepts no operations.
            let _ = ops.send(Op::Cancel { reason: Some("the batch was cancelled".to_owned()) }).await;
        }
    }
}
