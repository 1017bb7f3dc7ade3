//! A description of an element that needs no ref.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Descriptions of an element that do not use its ref.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Located {
    /// The Playwright locator, such as `getByRole('button', { name: 'Save' })`.
    pub playwright: String,
    /// The target, such as `role=button[name="Save"]`, or a CSS selector.
    pub target: String,
}
