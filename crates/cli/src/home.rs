//! Where runs are kept: what the commands need that only read.

use std::{path::Path, sync::Arc};

use legwork::store::{Artifacts, FileArtifacts, Lessons, RunLog, SqliteLog};

use crate::trouble::Trouble;

/// The runs and what belongs to them.
pub(crate) struct Home {
    pub(crate) log: Arc<dyn RunLog>,
    pub(crate) artifacts: Arc<dyn Artifacts>,
    pub(crate) lessons: Arc<dyn Lessons>,
}

impl Home {
    /// Opens the data folder.
    pub(crate) fn open(data: &Path) -> Result<Home, Trouble> {
        std::fs::create_dir_all(data).map_err(|error| {
            Trouble::fault(format!("the data folder {} cannot be made", data.display()))
                .because(&error)
                .hint("set another one with LEGWORK_DATA_DIR")
        })?;
        let log = SqliteLog::open(data.join("runs.db")).map_err(|error| {
            let hint = error.hint();
            Trouble::fault("the runs cannot be opened").because(&error).hint(hint)
        })?;
        let log = Arc::new(log);
        Ok(Home { lessons: log.clone(), log, artifacts: Arc::new(FileArtifacts::new(data.join("artifacts"))) })
    }
}
