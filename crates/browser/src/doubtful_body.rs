//! What the body of a response says that may mean that nothing was done: `{"changed": false}`, `{"modifiedCount": 0}`,
//! `{"job": {"state": "failed"}}`. Only the response to the main change of an action is read for this, because other
//! responses report on other things, and a record may hold such values for reasons of its own.

use serde_json::{Map, Value};

use crate::altered_values::{SentFields, text_of};

/// How many objects with one object each are opened.
const DEPTH: usize = 3;

/// Whether a state is that of a failure.
pub(crate) fn is_failed(state: &str) -> bool {
    const FAILED: [&str; 12] = [
        "error",
        "errored",
        "fail",
        "failed",
        "failure",
        "rejected",
        "denied",
        "declined",
        "nok",
        "ko",
        "not_ok",
        "unsuccessful",
    ];
    FAILED.contains(&&*state.trim().to_lowercase())
}

/// Whether a state says that nothing was done.
fn is_left_undone(state: &str) -> bool {
    const LEFT: [&str; 9] =
        ["skipped", "ignored", "unchanged", "noop", "no_op", "no-op", "not_modified", "not modified", "nothing_to_do"];
    LEFT.contains(&&*state.trim().to_lowercase())
}

/// The fields by which a stored record is recognized.
const IDENTITY: [&str; 4] = ["id", "_id", "uuid", "name"];

/// Whether an object is a stored record, whose fields are data of the application.
pub(crate) fn is_record(body: &Map<String, Value>) -> bool {
    IDENTITY.iter().any(|name| body.contains_key(*name)) && !body.contains_key("jsonrpc")
}

/// Whether an object states its success. What it contains besides is data.
pub(crate) fn states_success(body: &Map<String, Value>) -> bool {
    ["ok", "success"].iter().any(|name| body.get(*name) == Some(&Value::Bool(true)))
}

/// Names of flags that state whether something was done. `deleted` and `created` are not among them: records have them,
/// and an entry that existed is not created.
const FLAGS: [&str; 9] =
    ["changed", "modified", "updated", "applied", "persisted", "performed", "executed", "valid", "isValid"];

/// Names of counts of what was done.
const COUNTS: [&str; 22] = [
    "done",
    "succeeded",
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

/// Names of counts of what was not done.
const FAILURES: [&str; 3] = ["rejected", "failed", "errors"];

/// The maximum number of entries of a list that are read.
const ENTRIES: usize = 20;

/// The most characters that are reported.
const LENGTH: usize = 120;

/// What a body, or an entry of a list of changes, says in a few words.
pub(crate) fn doubt_of(body: &Value) -> Option<String> {
    let doubt = match body {
        Value::Object(body) => doubt_within(body, 0, ""),
        Value::Array(entries) => {
            entries.iter().take(ENTRIES).filter_map(Value::as_object).find_map(|entry| doubt_within(entry, 0, ""))
        }
        // The whole result of a procedure.
        Value::Bool(false) => Some("false".to_owned()),
        _ => None,
    };
    doubt.map(|doubt| doubt.chars().take(LENGTH).collect())
}

fn doubt_within(body: &Map<String, Value>, depth: usize, place: &str) -> Option<String> {
    let says = |name: &str, value: &Value| format!("{place}{name}: {}", text_of(value).unwrap_or_default());
    let is_denied = |name: &&str| body.get(*name) == Some(&Value::Bool(false));
    if let Some(name) = FLAGS.into_iter().find(is_denied) {
        return Some(says(name, &body[name]));
    }
    // Some interfaces list what was done.
    let count = |name: &str| match body.get(name)? {
        Value::Array(entries) => Some(entries.len() as f64),
        value => value.as_f64(),
    };
    if let Some(name) = FAILURES.into_iter().find(|name| body.get(*name).and_then(Value::as_f64) > Some(0.0)) {
        return Some(says(name, &body[name]));
    }
    let none_done = COUNTS.iter().find(|name| count(name) == Some(0.0));
    let is_some_done = COUNTS.iter().chain(&OTHER_COUNTS).any(|name| count(name) > Some(0.0));
    if let Some(name) = none_done.filter(|_| !is_some_done) {
        return Some(says(name, &body[*name]));
    }
    // The state of a record that was ignored or skipped may be as old as the record.
    let is_left = |name: &&str| !is_record(body) && body.get(*name).and_then(Value::as_str).is_some_and(is_left_undone);
    if let Some(name) = ["status", "result", "outcome", "action"].into_iter().find(is_left) {
        return Some(says(name, &body[name]));
    }
    if depth > 0 || is_record(body) {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let is_bad = |name: &&str| text(name).is_some_and(is_failed);
        if let Some(name) = ["state", "status", "result", "outcome"].into_iter().find(is_bad) {
            return Some(says(name, &body[name]));
        }
        if text("error").is_some_and(|error| !error.is_empty()) {
            return Some(says("error", &body["error"]));
        }
        if let Some(name) = ["ok", "success", "succeeded", "accepted"].into_iter().find(is_denied) {
            return Some(says(name, &body[name]));
        }
    }
    if states_success(body) {
        return None;
    }
    // Only if there is one object: of several, it is unknown which one describes the result of the change.
    let mut inner = body.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
    let (name, only) = inner.next().filter(|_| inner.next().is_none() && depth < DEPTH)?;
    doubt_within(only, depth + 1, &format!("{place}{name}."))
}

/// The body without the values that the request carried under the same name. A setting that is stored as `false`, or a
/// state that was entered as `failed`, says nothing about the outcome. The fields that identify a record are kept,
/// because the rest is still the content of a record.
pub(crate) fn without_echo(body: Value, sent: &SentFields) -> Value {
    let is_echo = |name: &String, value: &Value| {
        let sent = sent.get(name).and_then(Option::as_deref);
        sent.is_some() && text_of(value).as_deref() == sent && !IDENTITY.contains(&name.as_str())
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
    use crate::altered_values::fields_of;

    #[test]
    fn a_body_may_say_that_nothing_was_changed() {
        for (body, says) in [
            (json!({"changed": false}), "changed: false"),
            (json!({"acknowledged": true, "matchedCount": 1, "modifiedCount": 0}), "modifiedCount: 0"),
            (json!({"updated": 0}), "updated: 0"),
            (json!({"done": []}), "done: "),
            (json!({"rejected": 1}), "rejected: 1"),
            (json!({"errors": 3, "state": "done"}), "errors: 3"),
            (json!([{"applied": false}]), "applied: false"),
            (json!({"valid": false}), "valid: false"),
            (json!({"id": 3, "name": "alert", "error": "rate > 5%"}), "error: rate > 5%"),
            (json!({"response": {"success": false}}), "response.success: false"),
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
            json!({"jobs": [{"state": "failed"}], "errors": 0}),
            json!({"order": {"state": "open"}, "payment": {"state": "failed"}}),
            json!({"state": "done", "job": {"state": "done"}}),
            json!({"ok": true, "data": {"ok": false}}),
            json!([{"state": "failed"}]),
            json!({}),
        ] {
            assert_eq!(doubt_of(&body), None, "{body}");
        }
    }

    #[test]
    fn a_long_text_of_a_body_is_cut() {
        let doubt = doubt_of(&json!({"id": 7, "error": "x".repeat(60_000)})).unwrap();
        assert!(doubt.starts_with("error: xxx") && doubt.len() == LENGTH, "{}", doubt.len());
    }

    #[test]
    fn what_the_request_carried_is_no_outcome() {
        let without_echo = |body: Value, sent: &[u8]| without_echo(body, &fields_of(sent));
        let sent = br#"{"settings": {"accepted": false}, "status": "failed"}"#;
        let body = json!({"id": 7, "accepted": false, "status": "failed", "job": {"state": "failed"}});
        assert_eq!(without_echo(body, sent), json!({"id": 7, "job": {"state": "failed"}}));
        assert_eq!(without_echo(json!({"ok": false}), b"a=1&ok=true"), json!({"ok": false}));
        assert_eq!(without_echo(json!({"id": 7, "on": true}), br#"{"id": 7, "on": true}"#), json!({"id": 7}));
    }
}
