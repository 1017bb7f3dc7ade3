//! The state that a resumed run needs to restore its page: cookies, storage and the address. The values of fields are
//! in the journal already, and the agent fills them in again.

use legwork_browser::StorageState;
use serde::{Deserialize, Serialize};

/// The media type of a saved state. It contains the sign-ins of sites, so that nothing but a resume reads it.
pub const STATE_MEDIA_TYPE: &str = "application/vnd.legwork.state+json";

/// The state that is saved at the end of a step and after an action that navigated or may have changed something.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SavedState {
    /// Cookies and storage.
    pub(crate) storage: StorageState,
    /// The address of the page.
    pub(crate) url: String,
}
