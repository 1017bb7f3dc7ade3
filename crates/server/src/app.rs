//! The state that all handlers share.

use std::{path::PathBuf, sync::Arc, time::Duration};

use legwork::{
    Runtime,
    settings::Sources,
    store::{Artifacts, KeyValueStore, Lessons, RunLog},
};
use legwork_access::{AuditLog, ConnectionLimits};
use parking_lot::{Mutex, RwLock};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{
    auth::Auth, browser_install::Installer, gate::Gate, hub::Hub, live_batches::LiveBatches, metrics::Metrics,
    registry::Registry, relayed_tabs::RelayedTabs, saved_workflows::SavedWorkflows, schedule_changes::Schedules,
    template::Templates,
};

/// Maximum size of a request body.
pub(crate) const BODY_LIMIT: usize = 1024 * 1024;
/// The same for the rows of a batch, as a file or in a request.
pub(crate) const ROWS_LIMIT: usize = 16 * 1024 * 1024;

/// The state that all handlers share.
pub(crate) struct App {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) registry: Registry,
    pub(crate) relayed_tabs: RelayedTabs,
    pub(crate) hub: Arc<Hub>,
    pub(crate) auth: Auth,
    pub(crate) gate: Gate,
    pub(crate) audit: Arc<AuditLog>,
    /// The limits of connections and bodies.
    pub(crate) limits: ConnectionLimits,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) templates: Templates,
    pub(crate) workflows: SavedWorkflows,
    pub(crate) schedules: Schedules,
    pub(crate) batches: LiveBatches,
    /// The delays before the retries of an alert.
    pub(crate) alert_retries: Vec<Duration>,
    /// The deliveries of alerts in progress.
    pub(crate) deliveries: Mutex<JoinSet<()>>,
    /// The origin that people open in a browser.
    pub(crate) origin: String,
    /// The sources of the settings, with the changes that were saved since the start. The options of a run are added to
    /// them.
    pub(crate) sources: RwLock<Arc<Sources>>,
    /// Held while the user's settings file is changed.
    pub(crate) settings_edit: Mutex<()>,
    /// The user's settings file, if a path for it is known.
    pub(crate) settings_file: Option<PathBuf>,
    /// Installs a browser on this machine.
    pub(crate) installer: Installer,
    /// Whether pages are served over TLS.
    pub(crate) secure: bool,
    /// Cancelled when the server stops, which ends all streams.
    pub(crate) closing: CancellationToken,
}

impl App {
    pub(crate) fn settings_sources(&self) -> Arc<Sources> {
        self.sources.read().clone()
    }

    pub(crate) fn log(&self) -> Arc<dyn RunLog> {
        self.runtime.log()
    }

    pub(crate) fn artifacts(&self) -> Arc<dyn Artifacts> {
        self.runtime.artifacts()
    }

    pub(crate) fn lessons(&self) -> Arc<dyn Lessons> {
        self.runtime.lessons()
    }

    pub(crate) fn key_value_store(&self) -> Arc<dyn KeyValueStore> {
        self.runtime.key_value_store()
    }
}
