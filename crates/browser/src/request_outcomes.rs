//! The outcomes of the requests that an action caused, as effects of that action. The evaluation of an action must know
//! that a server refused a request, whatever the page shows.
//!
//! Requests for a change are reported because their responses show what was done; other requests are reported if they
//! failed. Requests that the page does not wait for (beacons, reports, preflights, images) and requests that were
//! aborted by leaving the page are omitted.

use std::{collections::HashSet, time::Duration};

use futures_util::future::join_all;
use legwork_observe::wording;
use legwork_protocol::{LED_TO_LOG_IN, NetworkError, PageEffect, RequestLine};
use serde_json::Value;

use crate::{
    Session,
    altered_values::{SentFields, altered_values, fields_of},
    background_requests::{RequestCause, RequestMark, is_change, kind_of},
    body_formats::{is_log_in_page, small_name, value_of},
    doubtful_body::{doubt_of, is_failed, is_record, states_success, without_echo},
    session_inner::SessionInner,
};

/// The most requests that are reported for one action. The newest are kept, because the last response is decisive.
const MOST: usize = 20;

/// The number of response bodies that are read after one action, the maximum size of each in bytes, and the time limit
/// for reading one.
const BODIES: usize = 3;
pub(crate) const BODY: usize = 64 * 1024;
const READING: Duration = Duration::from_secs(1);
/// The most characters of a refusal that are reported.
const REFUSAL: usize = 120;

/// A request whose body may contain more than its status.
#[derive(Clone)]
struct Readable {
    number: u64,
    media_type: String,
    /// Whether it is a lookup, which is reported only if its body states a refusal.
    is_lookup: bool,
}

impl SessionInner {
    /// Notes that an action begins.
    pub(crate) fn begin_requests(&self, cause: RequestCause) -> RequestMark {
        let mut activity = self.activity();
        activity.background.cause = cause;
        RequestMark(activity.requests.last())
    }

    /// Records that the action ended. Returns the requests since its begin that show its outcome, oldest first, each
    /// with its number and media type if its body may contain more.
    fn end_requests(&self, since: RequestMark) -> Vec<(Option<Readable>, PageEffect)> {
        let mut activity = self.activity();
        let cause = std::mem::take(&mut activity.background.cause);
        let activity = &mut *activity;
        let asked = std::mem::take(&mut activity.background.unanswered);
        let is_background = |line: &RequestLine| activity.background.knows(&line.method, &line.url);
        let is_pending = |line: &RequestLine| line.status.is_none() && line.failure.is_none();
        let asked = asked.into_iter().filter_map(|number| activity.requests.get(number));
        let (pending, answered): (Vec<&RequestLine>, Vec<&RequestLine>) = asked.partition(|line| is_pending(line));
        let own = || activity.requests.after(since.0);
        let is_lasting = |line: &&RequestLine| is_pending(line) && is_change(&line.method) && !is_background(line);
        let unanswered: Vec<u64> =
            pending.into_iter().chain(own().filter(is_lasting)).map(|line| line.number).collect();
        let of_earlier = answered.into_iter().map(|line| (line, true));
        // A lookup that failed and was sent again, for example with a new token, is reported with its second outcome
        // too: it succeeded in the end.
        let lookups = || own().filter(|line| !is_change(&line.method));
        let failed: HashSet<(String, String)> =
            lookups().filter(|line| is_reported(line)).map(|line| kind_of(&line.method, &line.url)).collect();
        let is_sent_again = |line: &RequestLine| {
            line.status.is_some() && !is_change(&line.method) && failed.contains(&kind_of(&line.method, &line.url))
        };
        // Some pages change something with a GET. Its body is read if the action sent no other change; only a refusal
        // is reported.
        let sends_change = own().any(|line| is_change(&line.method) && !is_background(line));
        let may_refuse = |line: &RequestLine, earlier: bool| {
            let is_by_script = matches!(line.kind.as_str(), "xhr" | "fetch") && !is_change(&line.method);
            let is_json = line.media_type.as_deref().is_some_and(|kind| kind.contains("json"));
            cause == RequestCause::Action && !earlier && !sends_change && is_by_script && is_json && has_verdict(line)
        };
        let mut reported: Vec<(Option<Readable>, PageEffect)> = of_earlier
            .chain(own().map(|line| (line, false)))
            .filter(|(line, earlier)| is_reported(line) || is_sent_again(line) || may_refuse(line, *earlier))
            .map(|(line, earlier)| {
                let background = is_background(line);
                let effect = PageEffect::Request {
                    method: line.method.clone(),
                    url: line.url.clone(),
                    status: line.status,
                    failure: line
                        .failure
                        .clone()
                        .filter(|why| line.status.is_none() || NetworkError::of(why) != NetworkError::Aborted),
                    refusal: login_instead(line, activity.records.redirected_to(line.number)),
                    doubt: None,
                    altered: Vec::new(),
                    background,
                    earlier,
                };
                let media_type = line.media_type.clone().unwrap_or_default().to_lowercase();
                let is_lookup = !is_reported(line) && !is_sent_again(line);
                let body = Readable { number: line.number, media_type, is_lookup };
                ((!background && has_verdict(line)).then_some(body), effect)
            })
            .collect();
        reported.drain(..reported.len().saturating_sub(MOST));
        activity.background.unanswered = unanswered;
        activity.background.unanswered.truncate(MOST);
        if cause == RequestCause::Wait {
            for line in activity.requests.after(since.0) {
                activity.background.note(&line.method, &line.url);
            }
        }
        reported
    }
}

impl Session {
    /// The outcomes of the requests since an action began, oldest first. Many servers answer 200 and refuse in the
    /// body, so the newest bodies are read.
    pub(crate) async fn request_outcomes(&self, since: RequestMark) -> Vec<PageEffect> {
        let mut reported = self.inner.end_requests(since);
        // The first change is the main one; what the page sends after it reports on it or reacts to it.
        let is_main = |effect: &PageEffect| match effect {
            PageEffect::Request { method, background: false, earlier: false, .. } => is_change(method),
            _ => false,
        };
        let main =
            reported.iter().find(|(_, effect)| is_main(effect)).and_then(|(body, _)| Some(body.as_ref()?.number));
        let read = reported.iter_mut().rev().filter_map(|(body, effect)| Some((body.clone()?, effect))).take(BODIES);
        join_all(read.map(async |(Readable { number, media_type, is_lookup }, effect)| {
            // A body that the browser no longer has, or that does not arrive in time, is skipped.
            let Ok(Ok(body)) = tokio::time::timeout(READING, self.answered_body(number)).await else { return };
            let PageEffect::Request { url, refusal, doubt, altered, .. } = effect else { return };
            let Some(body) = Some(body).filter(|body| body.len() <= BODY) else { return };
            if !is_lookup && is_log_in_page(&media_type, &body) && !concerns_session(url) {
                *refusal = Some(format!("{LED_TO_LOG_IN} in its place"));
                return;
            }
            let Some(answered) = value_of(&media_type, &body) else { return };
            if is_lookup {
                *refusal = refusal_of(&answered);
                return;
            }
            let sent = tokio::time::timeout(READING, self.request_body(number)).await.ok().and_then(Result::ok);
            let sent = fields_of(&sent.flatten().unwrap_or_default());
            if let Ok(record) = serde_json::from_slice(&body) {
                *altered = altered_values(&sent, &record);
            }
            let sent: SentFields = sent.into_iter().map(|(name, value)| (small_name(&name), value)).collect();
            let answered = without_echo(answered, &sent);
            *refusal = refusal_of(&answered);
            *doubt = doubt_of(&answered).filter(|_| refusal.is_none() && main == Some(number));
        }))
        .await;
        let counts = |body: &Option<Readable>, effect: &PageEffect| {
            !body.as_ref().is_some_and(|body| body.is_lookup)
                || matches!(effect, PageEffect::Request { refusal: Some(_), .. })
        };
        reported.into_iter().filter(|(body, effect)| counts(body, effect)).map(|(_, effect)| effect).collect()
    }
}

/// The refusal of a script's request for a change that was redirected to a log-in page. In this case the session had
/// expired, but the script receives a page with a success status. Requests whose own address concerns sessions or
/// accounts are excluded, because they may lead to a log-in page when they succeed.
fn login_instead(line: &RequestLine, redirected_to: Option<&str>) -> Option<String> {
    const LOG_IN: [&str; 5] = ["login", "log-in", "signin", "sign-in", "sign_in"];
    let path = path_of(redirected_to?)?;
    let is_login = path.split('/').any(|part| {
        LOG_IN.iter().any(|word| part.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
    });
    let is_by_script = matches!(line.kind.as_str(), "xhr" | "fetch") && is_change(&line.method);
    (is_by_script && is_login && !concerns_session(&line.url)).then(|| format!("{LED_TO_LOG_IN} {path}"))
}

/// Whether an address concerns sessions or accounts, so that a log-in page may be what it leads to.
fn concerns_session(url: &str) -> bool {
    const LEADS_THERE: [&str; 8] = ["log", "sign", "session", "auth", "account", "password", "register", "user"];
    path_of(url).is_none_or(|path| LEADS_THERE.iter().any(|word| path.contains(word)))
}

fn path_of(url: &str) -> Option<String> {
    Some(url::Url::parse(url).ok()?.path().to_lowercase())
}

/// Whether a body may state that a change was refused although the status does not.
fn has_verdict(line: &RequestLine) -> bool {
    line.kind != "document"
        && line.failure.is_none()
        && line.status.is_some_and(|status| (200..300).contains(&status))
        && line.media_type.as_deref().is_some_and(|kind| {
            let kind = kind.to_lowercase();
            ["json", "xml", "text/plain", "text/html"].iter().any(|read| kind.contains(read)) && !kind.contains("svg")
        })
        && line.bytes.is_none_or(|bytes| bytes <= BODY as u64)
}

/// The reason for which a body states a failure, in a few words, if it uses one of the common forms: `{"ok": false}`,
/// `{"success": false}`, `{"status": "error"}`, `{"error": …}`, `{"errors": […]}`, or a list of these.
fn refusal_of(body: &Value) -> Option<String> {
    refusal_within(body, 0)
}

fn refusal_within(body: &Value, depth: usize) -> Option<String> {
    let body = match body {
        Value::Array(several) if depth == 0 => {
            return several.iter().take(20).filter(|one| one.is_object()).find_map(|one| refusal_within(one, 0));
        }
        Value::Object(body) => body,
        _ => return None,
    };
    let denied = DONE
        .into_iter()
        .find(|name| match body.get(*name) {
            Some(Value::Bool(set)) => !set,
            // Some servers write every value as a string.
            Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("false"),
            // As a count, `saved` may be 0 for other reasons.
            Some(Value::Number(number)) => matches!(*name, "ok" | "success") && number.as_f64() == Some(0.0),
            _ => false,
        })
        .map(|name| format!("{name}: {}", body[name].to_string().trim_matches('"')));
    // The state of a record (`{"id": 7, "status": "failed"}`) is not that of the request. It raises a doubt.
    let is_record = is_record(body);
    let state = || {
        ["status", "result", "state", "outcome"].into_iter().filter(|_| !is_record).find_map(|name| {
            let text = body.get(name)?.as_str()?;
            is_failed(text).then(|| format!("{name}: {text}"))
        })
    };
    let error = || {
        let is_stated = |name: &&str| {
            body.get(*name).is_some_and(|value| {
                let is_data = is_record && value.is_string() || value.is_number() && *name == "errors";
                says_something(value) && !is_data
            })
        };
        ERRORS.into_iter().find(is_stated).map(str::to_owned)
    };
    let flag = || {
        let names = ["hasErrors", "hasError", "isError", "has_errors"];
        names.into_iter().find(|name| body.get(*name) == Some(&Value::Bool(true))).map(|name| format!("{name}: true"))
    };
    // The message that the page is to show: `{"notice": {"type": "error", "message": "…"}}`.
    let notice = || {
        ["notice", "alert", "toast", "flash", "notification"].into_iter().find_map(|name| {
            let notice = body.get(name)?;
            let kind = bad_kind(notice.as_object()?)?;
            Some(words_of(notice).unwrap_or_else(|| format!("{name}: {kind}")))
        })
    };
    // Several messages (`{"messages": [{"severity": "error", …}]}`), or the body is one (`{"type": "error", "text":
    // "…"}`). A record may have messages of its own.
    let several = || {
        let lists = ["messages", "notices", "alerts", "notifications"].into_iter().filter(|_| !is_record);
        let mut all =
            lists.filter_map(|name| body.get(name)?.as_array()).flatten().filter_map(Value::as_object).take(20);
        all.find_map(|message| {
            let kind = bad_kind(message)?;
            Some(text_within(message).unwrap_or_else(|| format!("severity: {kind}")))
        })
    };
    let is_message = || {
        let kind = bad_kind(body).filter(|_| !is_record && !body.contains_key("status"))?;
        text_within(body).filter(|text| text != kind)
    };
    // As in RFC 9457.
    let number = || {
        let status = body.get("status").or_else(|| body.get("statusCode"))?.as_u64()?;
        (400..600).contains(&status).then(|| format!("status: {status}"))
    };
    let code = || own_code(body);
    // The rejected part of several items.
    let part = || {
        ["rejected", "failed", "failures", "violations"].into_iter().find_map(|name| {
            let several = body.get(name)?.as_array().filter(|several| several.iter().any(says_something))?;
            let first = several.iter().find_map(words_of).unwrap_or_default();
            Some(format!("{name}: {first}").trim_end_matches([':', ' ']).to_owned())
        })
    };
    if let Some(message) = notice().or_else(several).or_else(is_message) {
        return Some(message.chars().take(REFUSAL).collect());
    }
    if let (None, Some(part)) = (&denied, part()) {
        return Some(part.chars().take(REFUSAL).collect());
    }
    let Some(sign) = denied.or_else(state).or_else(error).or_else(flag).or_else(number).or_else(code) else {
        if states_success(body) {
            return None;
        }
        // GraphQL and similar APIs wrap the result of a change.
        let wraps = |name: &str| depth > 0 || matches!(name, "data" | "result" | "response" | "d" | "body");
        let mut inner = body.iter().filter(|(name, value)| value.is_object() && wraps(name)).take(20);
        let mut wrapped =
            || inner.find_map(|(_, value)| (depth < 3).then(|| refusal_within(value, depth + 1)).flatten());
        // The results of several changes.
        let lists = ["results", "responses"].into_iter().filter_map(|name| body.get(name)?.as_array());
        let mut each = lists.flatten().take(20);
        return wrapped().or_else(|| each.find_map(|one| refusal_within(one, 1)));
    };
    let named = ERRORS.into_iter().chain(["message", "msg", "detail", "reason"]);
    let message = { named }.find_map(|name| words_of(body.get(name)?));
    Some(message.map_or(sign, |message| message.chars().take(REFUSAL).collect()))
}

/// The kind of a message, if it is that of an error.
fn bad_kind(message: &serde_json::Map<String, Value>) -> Option<&str> {
    let kind = ["type", "level", "severity", "status"].into_iter().find_map(|kind| message.get(kind)?.as_str())?;
    (is_failed(kind) || kind.eq_ignore_ascii_case("danger")).then_some(kind)
}

/// The text of a message.
fn text_within(message: &serde_json::Map<String, Value>) -> Option<String> {
    ["message", "text", "msg", "detail", "title", "description"]
        .into_iter()
        .find_map(|name| words_of(message.get(name)?))
}

/// A status of the interface's own, beside a message: `{"code": 40301, "msg": "…"}`. Many begin with the corresponding
/// HTTP status; 0, 200 and 20000 are successes. The meaning of any other number, such as 2107, is only in the message,
/// and a
/// `code` without a message, such as that of a country, has no known meaning.
fn own_code(body: &serde_json::Map<String, Value>) -> Option<String> {
    let message = ["msg", "message"].into_iter().find_map(|name| body.get(name))?;
    let code = body.get("code").or_else(|| body.get("errcode")).or_else(|| body.get("errno"))?;
    let code = code.as_i64().or_else(|| code.as_str()?.parse().ok())?;
    let is_success = matches!(code, 0 | 200..300 | 20_000..30_000);
    let refuses = || message.as_str().is_some_and(wording::states_refusal);
    let is_refusal =
        code < 0 || (400..600).contains(&code) || (40_000..60_000).contains(&code) || !is_success && refuses();
    is_refusal.then(|| format!("code: {code}"))
}

/// The fields that state whether the change was made, in the languages whose words are understood.
const DONE: [&str; 14] = [
    "ok",
    "success",
    "succeeded",
    "isSuccess",
    "saved",
    "accepted",
    "erfolg",
    "erfolgreich",
    "succes",
    "succès",
    "exito",
    "éxito",
    "successo",
    "sucesso",
];

/// The fields that contain errors.
const ERRORS: [&str; 24] = [
    "error",
    "errors",
    "userErrors",
    "user_errors",
    "fieldErrors",
    "validationErrors",
    "exception",
    "errorMessage",
    "error_message",
    "errorMsg",
    "errorCode",
    "error_code",
    "fehler",
    "fehlermeldung",
    "erreur",
    "erreurs",
    "errores",
    "errore",
    "errori",
    "erro",
    "erros",
    "fout",
    "fouten",
    "foutmelding",
];

/// Whether a value states something, and not merely that there is no error.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(set) => *set,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(&*text.trim().to_lowercase(), "" | "0" | "none" | "ok" | "no error" | "false"),
        Value::Array(several) => several.iter().any(says_something),
        Value::Object(fields) => !is_warning(fields) && fields.values().any(says_something),
    }
}

/// Whether an object is a warning, as in `{"level": "warning", …}`. A warning accompanies a change that was made.
fn is_warning(fields: &serde_json::Map<String, Value>) -> bool {
    let level = ["level", "severity", "type"].into_iter().find_map(|name| fields.get(name)?.as_str());
    level.is_some_and(|level| matches!(&*level.to_lowercase(), "warning" | "warn" | "info" | "notice" | "hint"))
}

/// The first text in a description of an error.
fn words_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => says_something(value).then(|| text.trim().to_owned()),
        Value::Array(several) => several.iter().find_map(words_of),
        Value::Object(fields) => {
            let named = ["message", "detail", "reason", "description", "title", "faultstring"];
            let named = named.into_iter().find_map(|name| words_of(fields.get(name)?));
            named.or_else(|| fields.values().find_map(words_of))
        }
        _ => None,
    }
}

fn is_reported(line: &RequestLine) -> bool {
    let changes = is_change(&line.method);
    // Chromium also reports an error response without a body as aborted; its status decides instead.
    let refused = line.status.is_some_and(|status| status >= 400);
    let aborted = !refused
        && line.failure.as_deref().is_some_and(|why| {
            // The request was aborted by the page or by leaving it, or it was refused by the rules of the run, which is
            // reported as an effect of its own.
            matches!(
                NetworkError::of(why),
                NetworkError::Aborted | NetworkError::BlockedByClient | NetworkError::Blocked
            )
        });
    let failed = line.status.is_some_and(|status| status >= 400) || line.failure.is_some();
    match line.kind.as_str() {
        "document" => changes && !aborted,
        // Chromium reports a response whose body is not read, such as a 204, as aborted although the server has
        // answered.
        "xhr" | "fetch" if changes && line.status.is_some() => true,
        "xhr" | "fetch" => (changes || failed) && !aborted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(method: &str, kind: &str, status: Option<u16>, failure: Option<&str>) -> RequestLine {
        RequestLine {
            number: 1,
            method: method.into(),
            url: "http://shop.test/api".into(),
            kind: kind.into(),
            status,
            media_type: None,
            duration: None,
            bytes: None,
            failure: failure.map(Into::into),
            tab: 1,
            at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn changes_and_failures_are_reported_but_not_what_no_page_waits_for() {
        let reported = |method, kind, status, failure| is_reported(&line(method, kind, status, failure));
        assert!(reported("POST", "fetch", Some(201), None));
        assert!(reported("DELETE", "xhr", None, None));
        assert!(reported("POST", "document", Some(303), None));
        assert!(reported("GET", "fetch", Some(500), None));
        assert!(reported("GET", "xhr", None, Some("net::ERR_CONNECTION_REFUSED")));
        assert!(!reported("GET", "fetch", Some(200), None));
        assert!(!reported("GET", "document", Some(500), None), "the navigation itself tells it");
        assert!(!reported("POST", "ping", Some(500), None));
        assert!(!reported("GET", "image", Some(404), None));
        assert!(reported("PUT", "fetch", Some(204), Some("net::ERR_ABORTED")), "answered, and nobody reads a body");
        assert!(!reported("POST", "fetch", None, Some("net::ERR_ABORTED")));
        assert!(!reported("POST", "fetch", None, Some("net::ERR_BLOCKED_BY_CLIENT")));
        assert!(reported("POST", "fetch", Some(500), Some("net::ERR_ABORTED")), "an error without a body");
    }

    #[test]
    fn a_body_may_say_that_a_change_was_refused() {
        use serde_json::json;
        for (body, words) in [
            (json!({"ok": false}), "ok: false"),
            (json!({"ok": 0}), "ok: 0"),
            (json!({"status": "NOK"}), "status: NOK"),
            (json!({"result": {"outcome": "REJECTED"}}), "outcome: REJECTED"),
            (json!({"errorCode": 17, "errorMessage": "Locked"}), "Locked"),
            (json!({"hasErrors": true}), "hasErrors: true"),
            (
                json!({"record": {"id": 7}, "notice": {"message": "Check the fields", "type": "error"}}),
                "Check the fields",
            ),
            (json!({"success": false, "message": "Out of stock"}), "Out of stock"),
            (json!({"data": null, "errors": [{"message": "Not allowed"}]}), "Not allowed"),
            (json!([{"data": {"save": null}, "errors": [{"message": "Locked"}]}]), "Locked"),
            (json!({"error": {"code": 7, "message": "No such order"}}), "No such order"),
            (json!({"status": "error"}), "status: error"),
            (json!({"errors": {"name": ["is taken"]}}), "is taken"),
            (json!({"data": {"orderUpdate": {"order": null, "userErrors": [{"message": "at most 3"}]}}}), "at most 3"),
            (json!({"type": "about:blank", "status": 409, "detail": "Version is old"}), "Version is old"),
            (json!({"data": {"saveOrder": {"ok": false}}}), "ok: false"),
            (json!({"success": "false"}), "success: false"),
            (json!({"code": 40301, "msg": "no permission"}), "no permission"),
            (json!({"code": 403, "message": "Not yours", "data": null}), "Not yours"),
            (json!({"code": -1, "msg": ""}), "code: -1"),
            (json!({"code": 2107, "msg": "Balance too low"}), "Balance too low"),
            (json!({"code": "2107", "msg": "The slot is not available"}), "The slot is not available"),
            (json!({"responses": [{"status": 200}, {"status": 403, "body": {}}]}), "status: 403"),
            (json!({"result": {"isSuccess": "False", "reason": "Locked"}}), "Locked"),
            (json!({"accepted": ["a@x.test"], "rejected": ["b@x.test"]}), "rejected: b@x.test"),
            (json!({"violations": [{"field": "cidr", "message": "overlaps"}]}), "violations: overlaps"),
            (
                json!({"messages": [{"severity": "error", "text": "Record is locked"}], "data": null}),
                "Record is locked",
            ),
            (json!({"type": "error", "text": "Record is locked"}), "Record is locked"),
            (json!({"d": {"success": false, "message": "Locked"}}), "Locked"),
            (json!({"response": {"status": "ERROR", "reason": "locked"}}), "locked"),
            (json!({"erfolg": false}), "erfolg: false"),
            (json!({"fehler": "Datensatz gesperrt"}), "Datensatz gesperrt"),
            (json!({"body": {"error": {"faultcode": "LOCK", "faultstring": "Record locked"}}}), "Record locked"),
        ] {
            assert_eq!(refusal_of(&body).as_deref(), Some(words), "{body}");
        }
        for body in [
            json!({"ok": true, "error": null}),
            json!({"ok": true, "data": {"ok": false}}),
            json!({"id": 3, "name": "5xx alert", "error": "rate > 5%"}),
            json!({"id": 3, "status": "failed", "name": "mail on failed job"}),
            json!({"errors": 3, "state": "done"}),
            json!({"errorCode": 0}),
            json!({"notice": {"message": "Saved", "type": "success"}}),
            json!({"errors": [], "error": ""}),
            json!({"data": {"id": 7}, "errors": [{"level": "warning", "message": "No photo"}]}),
            json!({"status": "done", "errors": {}}),
            json!({"id": 7, "errorCount": 3}),
            json!({"order": {"payment": {"error": "declined last year"}}}),
            json!({"data": {"save": {"ok": true, "userErrors": []}}}),
            json!({"success": "true", "ok": "yes"}),
            json!({"code": 0, "msg": "ok"}),
            json!({"code": 200, "msg": "saved"}),
            json!({"code": 20000, "message": "success"}),
            json!({"code": 43110, "country": "AT"}),
            json!({"code": 1000, "msg": "Order placed"}),
            json!({"code": 1, "message": "OK"}),
            json!({"accepted": ["a@x.test"], "rejected": [], "failed": 0}),
            // A count of nothing may be what was to be done: a list that was in order already. It is a doubt.
            json!({"updated": 0, "result": {"saved": 0}}),
            json!({"messages": [{"severity": "info", "text": "Saved"}, {"severity": "warning", "text": "No photo"}]}),
            json!({"id": 3, "messages": [{"type": "error", "text": "Mail bounced in May"}]}),
            json!({"id": 3, "type": "error", "text": "A rule for errors"}),
            json!({"type": "error"}),
            json!({"fehler": null, "erfolg": true}),
            json!([1, 2]),
            json!("error"),
        ] {
            assert_eq!(refusal_of(&body), None, "{body}");
        }
    }

    #[test]
    fn the_state_of_a_record_that_was_sent_with_its_id_is_no_refusal() {
        use serde_json::json;
        let sent = br#"{"id": 7, "name": "Nightly"}"#;
        for answered in [
            json!({"id": 7, "name": "Nightly", "status": "failed"}),
            json!({"id": 7, "name": "Nightly", "error": "rate > 5%"}),
        ] {
            let left = without_echo(answered, &fields_of(sent));
            assert_eq!(refusal_of(&left), None, "{left}");
            assert!(doubt_of(&left).is_some(), "{left}");
        }
    }

    #[test]
    fn a_change_by_a_script_that_leads_to_the_log_in_page_was_not_made() {
        let said = |path: &str, kind: &str, to: &str| {
            let line = RequestLine { url: format!("http://shop.test{path}"), ..line("POST", kind, Some(302), None) };
            login_instead(&line, Some(&format!("http://shop.test{to}")))
        };
        assert_eq!(said("/notes", "fetch", "/login?next=/notes").as_deref(), Some("it led to the log-in page /login"));
        assert!(said("/notes", "xhr", "/users/sign_in").is_some());
        for (path, kind, to) in [
            ("/notes", "fetch", "/notes/7"),
            ("/notes", "fetch", "/blog/logins"),
            ("/logout", "fetch", "/login"),
            ("/session", "fetch", "/login"),
            // In this case, the page that is shown makes it clear.
            ("/notes", "document", "/login"),
        ] {
            assert_eq!(said(path, kind, to), None, "{path} to {to}");
        }
    }
}
