//! A point in the view of a tab.

use schemars::JsonSchema;
use serde::Deserialize;

/// A point in the tab's view, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}
