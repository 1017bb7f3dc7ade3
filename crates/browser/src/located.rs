//! A description of an element that needs no ref.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An element's name without a ref.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Located {
    /// In Playwright's words: `getByRole('button', { name: 'Save' })`.
    pub playwright: String,
    /// As a target: `role=button[name="Save"]`, or CSS.
    pub target: String,
}
