//! A document that was uploaded.

use serde::Serialize;

/// An uploaded file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Document {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) size: usize,
    pub(super) sha256: String,
}
