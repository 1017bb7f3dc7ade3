//! What a message tells by its words: that something went wrong, that it went well, or that it goes on.

/// Words of messages of whatever kind that tell of a failure.
const FAILURE: &[&str] = &[
    "error",
    "errors",
    "fail",
    "failed",
    "fails",
    "failure",
    "invalid",
    "incorrect",
    "wrong",
    "denied",
    "forbidden",
    "unauthorized",
    "unauthorised",
    "not found",
    "unable",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "not allowed",
    "not possible",
    "not saved",
    "was not",
    "were not",
    "must be",
    "must not",
    "is required",
    "are required",
    "missing",
    "expired",
    "refused",
    "rejected",
    "unsuccessful",
    "try again",
    "problem",
    "unavailable",
    "too long",
    "too short",
    "not valid",
    "declined",
    "not accepted",
    "does not match",
    "do not match",
    "don't match",
    "doesn't match",
    "already exists",
    "already taken",
    "already in use",
];

/// Those of them that tell of one in a text of the page as well, where others are hints beside a field.
const STRONG: &[&str] = &[
    "failed",
    "invalid",
    "incorrect",
    "denied",
    "could not",
    "couldn't",
    "went wrong",
    "unable to",
    "try again",
    "an error",
    "error:",
    "wrong password",
    "not saved",
];

const SUCCESS: &[&str] = &[
    "success",
    "successful",
    "successfully",
    "saved",
    "created",
    "updated",
    "added",
    "removed",
    "deleted",
    "sent",
    "done",
    "complete",
    "completed",
    "placed",
    "confirmed",
    "thank",
    "thanks",
    "welcome",
    "copied",
    "changed",
    "uploaded",
    "published",
    "submitted",
    "subscribed",
    "approved",
    "accepted",
    "applied",
    "finished",
    "stored",
    "moved",
    "imported",
    "exported",
    "restored",
    "archived",
    "enabled",
    "booked",
    "ordered",
    "registered",
];

const UNDER_WAY: &[&str] = &[
    "loading",
    "please wait",
    "saving",
    "processing",
    "uploading",
    "fetching",
    "working",
    "searching",
    "submitting",
    "spinner",
    "loader",
    "busy",
];

/// The longest text of a page that is taken for a message.
const LONGEST: usize = 200;

pub(super) fn tells_failure(text: &str) -> bool {
    has(text, FAILURE)
}

pub(super) fn tells_success(text: &str) -> bool {
    has(text, SUCCESS) && !tells_failure(text)
}

/// Whether a text that no role marks is an error message all the same.
pub(super) fn is_failure_text(text: &str) -> bool {
    let low = text.trim().to_lowercase();
    low.chars().count() <= LONGEST && (low.starts_with("error") || has(&low, STRONG))
}

/// Whether it says that something is under way.
pub(super) fn is_under_way(text: &str) -> bool {
    let low = text.trim().to_lowercase();
    low.chars().count() <= 60 && UNDER_WAY.iter().any(|word| low.starts_with(word))
}

/// Whether an id or a label names a spinner.
pub(super) fn names_spinner(label: &str) -> bool {
    let low = label.to_lowercase();
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric()).collect();
    words.iter().any(|word| matches!(*word, "spinner" | "loader" | "loading" | "throbber" | "busy"))
}

/// Whether one of these stands in a text as whole words.
fn has(text: &str, words: &[&str]) -> bool {
    let low = text.to_lowercase().replace('’', "'");
    words.iter().any(|word| {
        low.match_indices(word).any(|(at, found)| {
            let before = low[..at].chars().next_back();
            let after = low[at + found.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric)
                && (!after.is_some_and(char::is_alphanumeric) || !found.ends_with(char::is_alphanumeric))
        })
    })
}
