//! Tokens of forms.

use uuid::Uuid;

/// Tells one rendering of a form from every other.
pub(super) fn new_token() -> String {
    Uuid::now_v7().simple().to_string()
}
