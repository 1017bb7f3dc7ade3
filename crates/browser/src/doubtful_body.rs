//! What the body of a response says that may mean that nothing was done: `{"changed": false}`, `{"modifiedCount": 0}`,
//! `{"job": {"state": "failed"}}`. Only the response to the main change of an action is read for this, because other
//! responses report on other things, and a record may hold such values for reasons of its own.

use serde_json::{Map, Value};

use crate::altered_values::{fields_of, text_of};

/// How many objects with one object each are opened.
const DEPTH: usize = 3;

/// States after a failure.
const FAILED: [&str; 8] = ["error", "errored", "fail", "failed", "failure", "rejected", "denied", "declined"];

/// Names of flags that state whether something was done. `deleted` and `created` are not among them: records have them, and an
/// entry that existed is not created.
const FLAGS: [&str; 7] = ["changed", "modified", "updated", "applied", "persisted", "performed", "executed"];

/// Names of counts of what was done.
const COUNTS: [&str; 20] = [
    "changed",
    "changes",
    "modified",
    "modifiedCount",
    "modified_count",
    "nModified",
    "updated",
    "updatedCount",
    "updated_count",
    "affected",
    "affectedRows",
    "affected_rows",
    "rowsAffected",
    "rows_affected",
    "rowCount",
    "deletedCount",
    "deleted_count",
    "insertedCount",
    "inserted",
    "saved",
];

/// Further counts of what was done. Of an import, `updated` may be 0 because all was `inserted`.
const OTHER_COUNTS: [&str; 9] =
    ["created", "imported", "added", "deleted", "removed", "upserted", "upsertedCount", "sent", "processed"];

/// What a body says, in a few words.
pub(crate) fn doubt_of(body: &Value) -> Option<String> {
    doubt_within(body.as_object()?, 0, "")
}

fn doubt_within(body: &Map<String, Value>, depth: usize, place: &str) -> Option<String> {
    let says = |name: &str, value: &Value| format!("{place}{name}: {}", text_of(value).unwrap_or_default());
    let is_denied = |name: &&str| body.get(*name) == Some(&Value::Bool(false));
    if let Some(name) = FLAGS.into_iter().find(is_denied) {
        return Some(says(name, &body[name]));
    }
    let count = |name: &str| body.get(name).and_then(Value::as_f64);
    let none_done = COUNTS.iter().find(|name| count(name) == Some(0.0));
    let is_some_done = COUNTS.iter().chain(&OTHER_COUNTS).any(|name| count(name) > Some(0.0));
    if let Some(name) = none_done.filter(|_| !is_some_done) {
        return Some(says(name, &body[*name]));
    }
    if depth > 0 {
        let is_failed = |name: &&str| {
            body.get(*name).and_then(Value::as_str).is_some_and(|state| FAILED.contains(&&*state.to_lowercase()))
        };
        if let Some(name) = ["state", "status", "result", "outcome"].into_iter().find(|name| is_failed(name)) {
            return Some(says(name, &body[name]));
        }
        if let Some(name) = ["ok", "success", "succeeded", "accepted"].into_iter().find(is_denied) {
            return Some(says(name, &body[name]));
        }
    }
    // Only one object: of several, nobody knows which one tells what became of the change.
    let mut inner = body.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
    let (name, only) = inner.next().filter(|_| inner.next().is_none() && depth < DEPTH)?;
    doubt_within(only, depth + 1, &format!("{place}{name}."))
}

/// The body without the values that the request carried under the same name. A setting that is stored as `false`, or a
/// state that was put in as `failed`, tells nothing about the outcome.
pub(crate) fn without_echo(body: Value, sent: &[u8]) -> Value {
    let sent = fields_of(sent);
    let is_echo = |name: &String, value: &Value| {
        let sent = sent.get(name).and_then(Option::as_deref);
        sent.is_some() && text_of(value).as_deref() == sent
    };
    strip(body, &is_echo)
}

fn strip(body: Value, is_echo: &impl Fn(&String, &Value) -> bool) -> Value {
    match body {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, value)| !is_echo(name, value));
            Value::Object(kept.map(|(name, value)| (name, strip(value, is_echo))).collect())
        }
        Value::Array(several) => Value::Array(several.into_iter().map(|one| strip(one, is_echo)).collect()),
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_body_may_say_that_nothing_was_changed() {
        for (body, says) in [
            (json!({"changed": false}), "changed: false"),
            (json!({"acknowledged": true, "matchedCount": 1, "modifiedCount": 0}), "modifiedCount: 0"),
            (json!({"updated": 0}), "updated: 0"),
            (json!({"job": {"id": 7, "state": "failed"}}), "job.state: failed"),
            (json!({"id": 7, "payment": {"status": "Declined"}}), "payment.status: Declined"),
            (json!({"outcome": {"ok": false}}), "outcome.ok: false"),
            (json!({"data": {"job": {"result": "error"}}}), "data.job.result: error"),
        ] {
            assert_eq!(doubt_of(&body).as_deref(), Some(says), "{body}");
        }
        for body in [
            json!({"changed": true}),
            json!({"id": 7, "deleted": false, "enabled": false}),
            json!({"inserted": 3, "updated": 0}),
            json!({"imported": 3, "updated": 0}),
            json!({"jobs": [{"state": "failed"}]}),
            json!({"order": {"state": "open"}, "payment": {"state": "failed"}}),
            json!({"state": "done", "job": {"state": "done"}}),
            json!([{"changed": false}]),
            json!({}),
        ] {
            assert_eq!(doubt_of(&body), None, "{body}");
        }
    }

    #[test]
    fn what_the_request_carried_is_no_outcome() {
        let sent = br#"{"settings": {"accepted": false}, "status": "failed"}"#;
        let body = json!({"id": 7, "accepted": false, "status": "failed", "job": {"state": "failed"}});
        assert_eq!(without_echo(body, sent), json!({"id": 7, "job": {"state": "failed"}}));
        assert_eq!(without_echo(json!({"ok": false}), b"a=1&ok=true"), json!({"ok": false}));
    }
}
