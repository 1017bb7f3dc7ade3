//! Whether a text is a success message: it states that something was done. A greeting or a text about something that
//! may be done later is not one.

use std::sync::LazyLock;

use super::{
    MessageTone, SUCCESSES, contains_word, courtesy::GREETINGS, normalized, phrases, states_done_phrase,
    states_success, stem_of, tone,
};

/// Words of [`SUCCESSES`] that a page also uses without anything having been done: of a welcome, and of the state of a
/// list.
const COMMON: [&str; 22] = [
    "welcome",
    "bienvenue",
    "willkommen",
    "bienvenid",
    "benvenut",
    "bem-vind",
    "welkom",
    "great",
    "found",
    "available",
    "ready",
    "selected",
    "loaded",
    "undo",
    "opened",
    "closed",
    "started",
    "is now",
    "are now",
    "on the list",
    "see you",
    "set to",
];

/// Words that leave open whether it will be done.
static OPEN: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("open.txt")));

/// Whether a text is a success message. `is_announced`: it is an alert or a status, which a page uses for messages
/// only.
pub fn is_success_message(text: &str, is_announced: bool) -> bool {
    let normal = normalized(text);
    let is_open = OPEN.iter().any(|phrase| contains_word(&normal, phrase).next().is_some());
    let states_change = || {
        let is_common = |phrase: &str| COMMON.iter().any(|common| phrase.trim_end().starts_with(common));
        let greets = |phrase: &str| GREETINGS.iter().any(|greeting| phrase.starts_with(greeting.as_str()));
        SUCCESSES.iter().any(|phrase| !is_common(phrase) && !greets(phrase) && states_done_phrase(&normal, phrase))
    };
    !is_open && (is_announced || states_change()) && states_success(text)
}

/// Whether a text states a success that can be the result of pressing a control with these names. Words that pages also
/// use when nothing was done (`Your wish is now with Facilities`, `Great code!`) count only beside a word of these
/// names.
pub fn states_result(text: &str, names: &str) -> bool {
    let normal = normalized(text);
    let is_common = |phrase: &str| COMMON.iter().any(|common| phrase.trim_end().starts_with(common));
    let is_certain = || SUCCESSES.iter().any(|phrase| !is_common(phrase) && states_done_phrase(&normal, phrase));
    let mut words = normal.split(|c: char| !c.is_alphanumeric());
    tone(text, names) == MessageTone::Success
        && (is_certain() || words.any(|word| word.chars().count() > 2 && stem_of(word, names).is_some()))
}

#[cfg(test)]
mod tests {
    use super::{is_success_message, states_result};

    #[test]
    fn a_common_word_states_a_result_only_beside_a_word_of_the_target() {
        for (text, names) in [
            ("Your wish is now with Facilities.", "book"),
            ("Great code! It starts on 1 June.", "redeem"),
            ("Welcome back", "save"),
            ("This page is a bit old. Refresh to see what changed.", "save"),
            ("Upgrade to create", "create project"),
            ("Complete your profile", "save"),
            ("Thanks, but the deadline for this year has passed.", "apply"),
        ] {
            assert!(!states_result(text, names), "{text} after {names}");
        }
        for (text, names) in [
            ("Ada is now an admin", "make admin"),
            ("Saved", "save"),
            ("Import complete", "import"),
            ("Registration completed", "register"),
            ("Thank you for your order", "buy"),
            ("Progetto creato", "crea progetto"),
        ] {
            assert!(states_result(text, names), "{text} after {names}");
        }
    }

    #[test]
    fn a_greeting_or_a_promise_is_no_success_message() {
        for (text, is_announced) in [
            ("No errors were found.", false),
            ("Welcome back.", false),
            ("Good morning, Ada", false),
            ("Hola, Ana", false),
            ("Ciao, Ada", false),
            ("3 orders found", false),
            ("Thank you, we will check whether it can be placed", true),
            ("Request received - we will let you know whether the room can be booked", true),
            ("Saved, pending approval", true),
            ("Could not be saved", true),
        ] {
            assert!(!is_success_message(text, is_announced), "{text}");
        }
        for (text, is_announced) in [
            ("Saved", false),
            ("Hinzugefügt", false),
            ("Your order has been placed.", false),
            ("Thank you for your order!", false),
            ("Welcome back, Ada", true),
            ("No errors were found.", true),
            ("Message sent. We will be in touch.", true),
        ] {
            assert!(is_success_message(text, is_announced), "{text}");
        }
    }
}
