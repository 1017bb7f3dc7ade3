//! Tokens of forms.

use uuid::Uuid;

/// A unique token for a rendered form.
pub(super) fn new_token() -> String {
    Uuid::now_v7().simple().to_string()
}
