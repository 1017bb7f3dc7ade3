//! The guard of a run or page, and what was noticed when it was set up.

use std::sync::Arc;

use crate::guard::RunGuard;

/// The guard of a run, and the warnings about its secrets.
pub(crate) struct GuardSetup {
    pub(crate) guard: Arc<RunGuard>,
    pub(crate) warnings: Vec<String>,
}
