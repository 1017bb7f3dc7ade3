//! Greetings and thanks: words that say nothing of what was done.

use std::sync::LazyLock;

use super::{SUCCESSES, normalized, phrases, states_done_phrase};

/// Beginnings of greetings.
pub(super) static GREETINGS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("greetings.txt")));

/// Words with which a message thanks, in lower case.
const THANKS: [&str; 12] = [
    "thank",
    "we appreciate",
    "danke",
    "vielen dank",
    "besten dank",
    "merci",
    "gracias",
    "muchas gracias",
    "grazie",
    "obrigad",
    "bedankt",
    "hartelijk dank",
];

/// Whether a text in lower case begins with thanks.
pub(super) fn begins_with_thanks(text: &str) -> bool {
    THANKS.iter().any(|word| text.starts_with(word))
}

/// Whether a text only thanks (`Thanks`, `Thank you!`) and says nothing of what was done.
pub fn is_mere_thanks(text: &str) -> bool {
    let text = normalized(text);
    let text = text.trim();
    let is_thanks = |phrase: &str| THANKS.iter().any(|word| word.starts_with(phrase.trim_end()));
    begins_with_thanks(text) && !SUCCESSES.iter().any(|phrase| !is_thanks(phrase) && states_done_phrase(text, phrase))
}

/// Whether a text only greets or thanks, without a word of what for: `Good morning, Ann`, `Thank you, Ann`.
pub fn is_courtesy(text: &str) -> bool {
    const FOR: [&str; 7] = [" for ", " für ", " pour ", " por ", " per ", " voor ", " that "];
    let gives_reason = || FOR.iter().any(|word| text.contains(word));
    greets(text) || is_mere_thanks(text) && !gives_reason()
}

/// Whether a text is a greeting (`Good morning, Ann`). After a log-in it shows the success; after a change it has no
/// meaning.
pub fn greets(text: &str) -> bool {
    let text = normalized(text);
    GREETINGS.iter().any(|greeting| text.trim_start().starts_with(greeting.as_str()))
}
