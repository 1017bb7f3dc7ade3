//! States of an entry (`Paid`, `On hold`) that were not requested, and of a button (`Watch`, `Unwatch`). A state is
//! shorter than a message, so one word decides.

use std::sync::LazyLock;

use super::{
    asks_for_page, button::first_word, denies, is_examination, is_refusing, normalized, phrases, stem_of, takes_back,
};

/// How a state differs from the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwantedState {
    /// What was requested was refused or failed.
    Refused,
    /// It is not done yet, or only in part.
    Unfinished,
}

/// The maximum number of words of a state.
const WORDS: usize = 4;

/// Beginnings of states after a refusal.
static REFUSED: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("states_refused.txt")));

/// Beginnings of states of something that waits.
static UNFINISHED: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("states_unfinished.txt")));

/// Buttons that undo something: `Not published` is the requested state after `Revoke`.
const UNDOES: [&str; 8] = ["undo", "remove", "delete", "disable", "revoke", "reopen", "end", "turn"];

/// Buttons after which any state may follow: they show, examine or end something.
const SHOWS_OR_ENDS: [&str; 25] = [
    "refresh",
    "reload",
    "check",
    "sync",
    "show",
    "view",
    "expand",
    "details",
    "sort",
    "block",
    "ban",
    "suspend",
    "deactivate",
    "stop",
    "abort",
    "kill",
    "terminate",
    "dismiss",
    "void",
    "withdraw",
    "mark",
    "set",
    "flag",
    "report",
    "close",
];

/// Buttons that hand something over: that it waits is then the requested result.
const HANDS_OVER: [&str; 24] = [
    "submit",
    "request",
    "invite",
    "resend",
    "send",
    "apply",
    "propose",
    "nominate",
    "retry",
    "rerun",
    "restart",
    "reopen",
    "restore",
    "queue",
    "schedule",
    "start",
    "create",
    "add",
    "new",
    "import",
    "upload",
    "ask",
    "einreichen",
    "beantragen",
];

/// Whether a state is not the requested one. `names` is the name of the pressed element in lower case: after `Reject`
/// the state `Rejected` is the requested one.
pub fn unwanted_state(text: &str, names: &str) -> Option<UnwantedState> {
    let text = normalized(text);
    // `Status: On hold`.
    let state = text.rsplit_once(": ").map_or(text.as_str(), |(_, state)| state).trim();
    let first = |words: &[&str]| {
        let begin = names.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
        words.contains(&begin)
    };
    let is_named = || {
        let mut words = state.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word == "held" && names.contains("hold") || stem_of(word, names).is_some())
    };
    if state.split_whitespace().count() > WORDS || first(&SHOWS_OR_ENDS) || asks_for_page(names) || takes_back(names) {
        return None;
    }
    let begins = |phrases: &[String]| {
        phrases.iter().any(|phrase| {
            let rest = state.strip_prefix(phrase.as_str());
            // `Needs` and `Held` are whole words; the others may have an ending.
            rest.is_some_and(|rest| phrase.len() > 5 || !rest.starts_with(char::is_alphanumeric))
        })
    };
    // `Payment failed`, `Card declined`.
    let ends = || state.rsplit(' ').next().is_some_and(|last| REFUSED.iter().any(|phrase| phrase == last));
    // `Unpublish` has the word of the state in it.
    let is_undone = |word: &str| {
        let stem: String = word.chars().take(4).collect();
        stem.len() > 3 && names.split(' ').any(|name| name.find(&stem).is_some_and(|at| at > 0))
    };
    let undoes = first(&UNDOES) || state.split(' ').any(|word| is_undone(word.trim_start_matches("un")));
    // `Not published`, of two or three words.
    let is_negated = state.strip_prefix("not ").is_some_and(|rest| rest.split_whitespace().count() <= 2);
    if undoes && (is_negated || state.starts_with("un")) {
        return None;
    }
    if is_negated
        || denies(state, names)
        || (begins(&REFUSED) || ends()) && !is_named() && !is_refusing(names) && !is_examination(names)
    {
        return Some(UnwantedState::Refused);
    }
    (begins(&UNFINISHED) && !is_named() && !first(&HANDS_OVER)).then_some(UnwantedState::Unfinished)
}

/// Whether two names of one button are those of its two states: `Watch` and `Unwatch`, `Start` and `Stop`.
pub fn is_opposite(was: &str, is: &str) -> bool {
    const PAIRS: [(&str, &str); 22] = [
        ("start", "stop"),
        ("start", "pause"),
        ("resume", "pause"),
        ("play", "pause"),
        ("play", "stop"),
        ("show", "hide"),
        ("open", "close"),
        ("enable", "disable"),
        ("activate", "deactivate"),
        ("add", "remove"),
        ("save", "edit"),
        ("join", "leave"),
        ("check in", "check out"),
        ("turn on", "turn off"),
        ("expand", "collapse"),
        ("more", "less"),
        ("accept", "withdraw"),
        ("attach", "detach"),
        ("assign", "release"),
        ("archive", "restore"),
        ("starten", "stoppen"),
        ("anzeigen", "ausblenden"),
    ];
    let (was, is) = (normalized(was), normalized(is));
    let are = |one: &str, other: &str| was.starts_with(one) && is.starts_with(other);
    let word = first_word(&was).unwrap_or_default();
    let has_word = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|part| part.ends_with(word));
    PAIRS.iter().any(|(one, other)| are(one, other) || are(other, one))
        || word.chars().count() > 2 && has_word(&is)
        || first_word(&is).is_some_and(|new| new.chars().count() > 2 && was.split(' ').any(|part| part.ends_with(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_unwanted_if_it_refuses_or_waits_and_was_not_asked_for() {
        use UnwantedState::{Refused, Unfinished};
        for (state, names, unwanted) in [
            ("Declined", "pay", Some(Refused)),
            ("Status: Failed", "publish", Some(Refused)),
            ("Payment failed", "pay", Some(Refused)),
            ("Not paid", "pay", Some(Refused)),
            ("Not published", "deploy", Some(Refused)),
            ("Not published", "unpublish", None),
            ("Unpaid", "pay", Some(Refused)),
            ("Inactive", "activate", Some(Refused)),
            ("Inactive", "deactivate", None),
            ("Still open", "close", None),
            ("Still open", "resolve", Some(Unfinished)),
            ("Fehlgeschlagen", "bezahlen", Some(Refused)),
            ("On hold", "pay", Some(Unfinished)),
            ("Pending review", "publish", Some(Unfinished)),
            ("Paid", "pay", None),
            ("Rejected", "reject", None),
            ("Declined", "reject request", None),
            ("On hold", "put on hold", None),
            ("Held", "hold", None),
            ("Pending", "send invitation", None),
            ("Pending approval", "submit", None),
            ("In review", "request review", None),
            ("Failed", "refresh", None),
            ("Failed", "mark as failed", None),
            ("Draft", "cancel", None),
            ("Pendiente", "pagar", Some(Unfinished)),
            ("Reserve 3", "enrol", Some(Unfinished)),
            ("Reserved", "enrol", None),
            ("Needles", "buy", None),
            ("Heldenplatz", "buy", None),
            ("Errors were found in 3 files of 9", "build", None),
        ] {
            assert_eq!(unwanted_state(state, names), unwanted, "{state} after {names}");
        }
    }
}
