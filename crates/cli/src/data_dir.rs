//! The data folder, for commands that only read stored runs.

use std::{path::Path, sync::Arc};

use legwork::store::{Artifacts, FileArtifacts, KeyValueStore, Lessons, RunLog, SqliteLog};

use crate::error::CliError;

/// The stored runs and their artifacts.
pub(crate) struct DataDir {
    pub(crate) log: Arc<dyn RunLog>,
    pub(crate) artifacts: Arc<dyn Artifacts>,
    pub(crate) lessons: Arc<dyn Lessons>,
    pub(crate) entries: Arc<dyn KeyValueStore>,
}

impl DataDir {
    /// Opens the data folder.
    pub(crate) fn open(data: &Path) -> Result<DataDir, CliError> {
        std::fs::create_dir_all(data).map_err(|error| {
            CliError::fault(format!("cannot create the data folder {}", data.display()))
                .because(&error)
                .hint("set another folder with LEGWORK_DATA_DIR")
        })?;
        let log = SqliteLog::open(data.join("runs.db")).map_err(|error| {
            let (code, hint) = (error.code(), error.hint());
            CliError::fault("the runs cannot be opened").because(&error).code(code).hint(hint)
        })?;
        let log = Arc::new(log);
        Ok(DataDir {
            lessons: log.clone(),
            entries: log.clone(),
            log,
            artifacts: Arc::new(FileArtifacts::new(data.join("artifacts"))),
        })
    }
}
