//! How an answer went, for the shell: the exit code that `run` would have for it, and what to try next.

use legwork_protocol::{ActionFailure, ErrorReport, Outcome, Target, TargetKind};
use legwork_verbs::PageReply;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::wire::HostReply;
use crate::exit::{self, Exit};

/// The answer with its exit code and hint.
pub(super) fn reply(said: PageReply) -> HostReply {
    if !said.failed {
        return HostReply { said, ..HostReply::default() };
    }
    // Of a batch the last one failed.
    let data = match &said.data {
        Value::Array(all) => all.last().unwrap_or(&Value::Null),
        one => one,
    };
    let last = data["results"].as_array().and_then(|results| results.last());
    let failure: Option<ActionFailure> =
        read(&data["failure"]).or_else(|| read(&last.unwrap_or(&Value::Null)["failure"]));
    let exit = match (&failure, read::<Outcome>(&data["outcome"]), read::<ErrorReport>(&data["error"])) {
        (Some(ActionFailure::Cancelled), ..) => Exit::Cancelled,
        (Some(failure), ..) if failure.is_browser_fault() || failure.is_site_fault() => Exit::Fault,
        (Some(_), ..) => Exit::Failure,
        (None, Some(outcome), _) => exit::of(&outcome),
        (None, None, Some(error)) => exit::of_error(&error),
        (None, None, None) => Exit::Failure,
    };
    let hint = failure.as_ref().and_then(hint);
    HostReply { said, exit: exit.code(), hint }
}

fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    if value.is_null() { None } else { serde_json::from_value(value.clone()).ok() }
}

/// What to try at a terminal.
fn hint(failure: &ActionFailure) -> Option<String> {
    use ActionFailure as F;
    if let F::NotFound { target, .. } = failure
        && is_plain_words(target)
    {
        return Some(format!(
            "`text={target}` names it by its text (plain words are CSS); `legwork snapshot -i` has refs"
        ));
    }
    let hint = match failure {
        F::StaleRef { .. } | F::NotFound { .. } => "`legwork snapshot -i` shows what can be acted on now",
        F::Ambiguous { .. } => "`legwork snapshot -i` gives each of them a ref",
        F::Covered { .. } | F::NotVisible { .. } => {
            "`legwork snapshot` shows what lies there; `legwork scroll TARGET` brings it into view"
        }
        F::DialogOpen { .. } => "`legwork dialog accept` or `legwork dialog dismiss`",
        F::Timeout { .. } | F::Moving { .. } => "`legwork wait --text TEXT`, or look with `legwork snapshot`",
        F::Refused { reason } if reason.contains("upload") => "`legwork close`, then `legwork open URL --uploads DIR`",
        F::Unresponsive => "`legwork reload`",
        F::Crashed | F::BrowserGone { .. } => "`legwork open URL`",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// What somebody means as a text, and what is read as elements of these names inside one another.
fn is_plain_words(target: &str) -> bool {
    let is_css = matches!(Target(target.to_owned()).kind(), TargetKind::Css(css) if css == target);
    let is_several = target.contains(' ') || target.starts_with(char::is_uppercase);
    is_css && is_several && target.chars().all(|c| c.is_alphanumeric() || " '’-&,!?".contains(c))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn who_writes_a_text_is_told_how_to() {
        let told = |target: &str| hint(&ActionFailure::NotFound { target: target.into(), candidates: vec![] }).unwrap();
        assert!(told("All orders").starts_with("`text=All orders` names it"));
        assert!(told("Order").starts_with("`text=Order` names it"));
        for known in
            ["text=All orders", "form button.go", "ul > li", "#total", "button", "role=link[name=\"All orders\"]", "e9"]
        {
            assert!(told(known).starts_with("`legwork snapshot -i`"), "{known}");
        }
    }

    fn check(data: Value, exit: u8, hinted: bool) {
        let reply = reply(PageReply { failed: true, data, ..PageReply::default() });
        assert_eq!((reply.exit, reply.hint.is_some()), (exit, hinted), "{:?}", reply.said.data);
    }

    #[test]
    fn the_shell_is_told_who_said_no() {
        let stale = json!(ActionFailure::StaleRef { target: "e1".into() });
        let gone = json!(ActionFailure::BrowserGone { reason: "killed".into() });
        check(json!({ "failure": stale }), 1, true);
        check(json!({ "failure": gone }), 3, true);
        check(json!({"failure": ActionFailure::Cancelled}), 130, false);
        check(json!({"results": [{"failure": null}, { "failure": gone }]}), 3, true);
        check(json!([{}, { "failure": stale }]), 1, true);
        check(json!(null), 1, false);
        let error = ErrorReport::new(legwork_protocol::Code::SettingsInvalid, "no");
        check(json!({ "error": error }), 2, false);
        assert_eq!(reply(PageReply::default()).exit, 0);
    }
}
