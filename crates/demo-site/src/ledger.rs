//! All form posts in order. An entry refers to an earlier one with the same content, so that a test can distinguish a
//! post that was sent once from one that was sent twice, whatever the page showed.

use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde::Serialize;

/// A form post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Starts at 1 and increases without gaps.
    pub id: u64,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The path of the request.
    pub path: String,
    /// The outcome of the post.
    pub verdict: PostOutcome,
    /// Names and values in the order of the form. The value of a password is `***`.
    pub fields: Vec<(String, String)>,
    /// The token of the rendered form. Two posts with the same token are one form that was sent twice.
    pub form_token: Option<String>,
    /// The first earlier entry with the same path and fields, except for the token.
    pub repeats: Option<u64>,
}

/// The outcome of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PostOutcome {
    /// The post took effect.
    Accepted,
    /// The form was shown again with a message.
    Refused,
}

/// The posts of one instance.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: Mutex<Vec<Entry>>,
}

/// The field that identifies a rendered form.
pub(super) const TOKEN: &str = "form_token";

impl Ledger {
    /// Records a post.
    pub(super) fn record(&self, path: &str, verdict: PostOutcome, fields: &[(String, String)]) {
        let form_token = fields.iter().find(|(name, _)| name == TOKEN).map(|(_, value)| value.clone());
        let fields: Vec<_> = fields.iter().filter(|(name, _)| name != TOKEN).cloned().map(masked).collect();
        let mut entries = self.entries.lock();
        let repeats = entries.iter().find(|e| e.path == path && e.fields == fields).map(|e| e.id);
        let id = entries.len() as u64 + 1;
        entries.push(Entry { id, at_ms: now_ms(), path: path.to_owned(), verdict, fields, form_token, repeats });
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.entries.lock().clone()
    }
}

fn masked((name, value): (String, String)) -> (String, String) {
    if name == "password" { (name, "***".to_owned()) } else { (name, value) }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect()
    }

    #[test]
    fn a_repeated_post_refers_to_the_first_one() {
        let ledger = Ledger::default();
        ledger.record("/orders", PostOutcome::Accepted, &fields(&[("customer", "Ada"), (TOKEN, "a")]));
        ledger.record("/orders", PostOutcome::Accepted, &fields(&[("customer", "Bo"), (TOKEN, "b")]));
        ledger.record("/orders", PostOutcome::Accepted, &fields(&[("customer", "Ada"), (TOKEN, "c")]));
        let seen: Vec<_> = ledger.entries().into_iter().map(|e| (e.id, e.form_token, e.repeats)).collect();
        assert_eq!(
            seen,
            [(1, Some("a".to_owned()), None), (2, Some("b".to_owned()), None), (3, Some("c".to_owned()), Some(1))]
        );
    }

    #[test]
    fn the_value_of_a_password_field_is_masked() {
        let ledger = Ledger::default();
        ledger.record("/login", PostOutcome::Refused, &fields(&[("username", "alice"), ("password", "hunter2")]));
        assert_eq!(ledger.entries()[0].fields, fields(&[("username", "alice"), ("password", "***")]));
    }
}
