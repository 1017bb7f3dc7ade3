//! What a resumed run needs to find its page again: cookies, storage and the address. What had been put into fields is in
//! the journal already; the agent fills it in again.

use legwork_browser::StorageState;
use serde::{Deserialize, Serialize};

/// What is kept at the end of a step and after a navigation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedState {
    /// Cookies and storage.
    pub(crate) storage: StorageState,
    /// Where the page was.
    pub(crate) url: String,
}
