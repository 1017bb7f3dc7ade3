//! What a message says in words: a refusal, a success, or neither. Lists of phrases, because pages that answer 200 to
//! everything say it in no other way. Seven languages; a page in another one is judged by status, roles and fields alone.
//!
//! Two strengths: in a message (an alert, a status, a text styled as an error) any phrase counts; in an ordinary text of the
//! page only one that is hardly ever used but to a person whose action failed.

use std::sync::LazyLock;

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Refusal,
    Success,
    Unclear,
}

/// Phrases of refusals anywhere. Matched from the beginning of a word, to any end of it: `incorrect` has `incorrectly`.
static REFUSALS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/refusals.txt")));

/// Phrases that are said to a person whose action failed, and hardly ever otherwise.
static ADDRESSED_REFUSALS: LazyLock<Vec<String>> =
    LazyLock::new(|| phrases(include_str!("wording/addressed_refusals.txt")));

/// Beginnings of words that state a success.
static SUCCESSES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/successes.txt")));

fn phrases(lines: &str) -> Vec<String> {
    let lines = lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.replace('_', " ")).collect()
}

/// Before one of these words a phrase of refusal says the opposite: `no errors`, `0 failed`.
const NEGATIONS: &[&str] = &[
    "no", "0", "zero", "without", "never", "keine", "ohne", "aucune", "sans", "sin", "senza", "nessun", "sem", "geen",
    "fix", "fixed", "solved", "resolved",
];

/// What a message says: an alert, a status, a text styled as an error. `ignored` are phrases that say nothing here, because
/// what was acted on is called so.
pub(crate) fn tone(text: &str, ignored: &str) -> Tone {
    let text = normalized(text);
    // `Thank you, the error was reported`, `Reminder sent: invoice 7 has not been paid`.
    let head = text.split_once(':').map(|(head, _)| head);
    let is_thanks = ["thank", "danke", "merci", "gracias", "grazie", "obrigad", "bedankt"]
        .iter()
        .any(|word| text.starts_with(word));
    let is_done = head.is_some_and(|head| {
        REFUSALS.iter().all(|phrase| !states(head, phrase))
            && SUCCESSES.iter().any(|phrase| contains_word(head, phrase).next().is_some())
    });
    if is_thanks || is_done {
        return Tone::Success;
    }
    if is_partial(&text) {
        return Tone::Refusal;
    }
    let refuses = REFUSALS.iter().any(|phrase| !is_named(phrase, ignored) && states(&text, phrase));
    if refuses || is_limited(&text) || denies(&text, ignored) {
        return Tone::Refusal;
    }
    if SUCCESSES.iter().any(|phrase| contains_word(&text, phrase).next().is_some()) {
        return Tone::Success;
    }
    Tone::Unclear
}

/// Whether a message says that something failed.
pub(crate) fn states_refusal(text: &str) -> bool {
    tone(text, "") == Tone::Refusal
}

/// Whether a message says that something went well, and nothing that failed.
pub(crate) fn states_success(text: &str) -> bool {
    tone(text, "") == Tone::Success
}

/// Whether an ordinary text tells a person that their action failed.
pub(crate) fn is_addressed_refusal(text: &str, ignored: &str) -> bool {
    let text = normalized(text);
    ADDRESSED_REFUSALS.iter().any(|phrase| !is_named(phrase, ignored) && states(&text, phrase))
        || is_status_title(&text)
        || is_failed(&text) && !is_named("failed", ignored)
        || is_reserved(&text)
        || is_partial(&text)
        || denies(&text, ignored)
        || ["cannot ", "can't ", "can not ", "unable to "].iter().any(|begin| text.starts_with(begin))
}

/// `The upgrade failed`, `Your payment has failed`: of one thing that both sides know of. Or `Payment failed`, of an action.
fn is_failed(text: &str) -> bool {
    const ACTIONS: [&str; 14] = [
        "order", "request", "upload", "download", "import", "export", "save", "update", "delete", "upgrade",
        "checkout", "transfer", "login", "sync",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_of_action = |word: &str| {
        ACTIONS.contains(&word)
            || word.len() > 6 && ["ment", "tion", "sion", "ing"].iter().any(|end| word.ends_with(end))
    };
    let names_one = match words.as_slice() {
        [action, _] => is_of_action(action),
        [first, ..] if words.len() <= 6 => matches!(*first, "the" | "your" | "this" | "our" | "my" | "that"),
        _ => false,
    };
    names_one && words.last().is_some_and(|last| last.trim_end_matches(['.', '!', ',']) == "failed")
}

/// `Only 2 left`, `Only images up to 1 MB`: more, or something else, is not taken. In a message only: as an ordinary text it is what
/// a shop says of a size that was chosen.
fn is_limited(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.first() == Some(&"only")
        && words.len() <= 12
        && (text.contains(" up to ")
            || words.iter().any(|word| {
                matches!(
                    word.trim_end_matches(['.', '!', ',']),
                    "left" | "available" | "remaining" | "allowed" | "accepted" | "supported" | "permitted"
                )
            }))
}

/// `2 of 3 archived`, `0 of 1 rows imported`: a part of what was asked for was done.
fn is_partial(text: &str) -> bool {
    const STATES: [&str; 8] =
        ["selected", "displayed", "completed", "used", "listed", "loaded", "answered", "required"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| word.trim_matches(['(', ')', ',']).parse::<u64>().ok();
    words.len() <= 20
        && words.windows(3).enumerate().any(|(at, triple)| {
            let is_less = triple[1] == "of" && number(triple[0]).zip(number(triple[2])).is_some_and(|(a, b)| a < b);
            let done = words[at + 3..].iter().take(2).map(|word| word.trim_end_matches(['.', '!', ',', ';']));
            is_less && done.clone().any(|word| word.len() > 4 && word.ends_with("ed") && !STATES.contains(&word))
        })
}

/// Whether a text says that less was done than could be asked for: `Saved as draft`, `Submitted for review`, `2 archived, 1
/// skipped`. Where the target is called so, it was asked for.
pub(crate) fn is_lesser(text: &str, names: &str) -> bool {
    const LESSER: [&str; 25] = [
        "as draft",
        "as a draft",
        "for review",
        "for approval",
        "for moderation",
        "pending",
        "awaiting",
        "waiting list",
        "waitlist",
        "skipped",
        "ignored",
        "with errors",
        "with warnings",
        "unchanged",
        "als entwurf",
        "zur prüfung",
        "zur freigabe",
        "warteliste",
        "übersprungen",
        "brouillon",
        "liste d'attente",
        "borrador",
        "lista de espera",
        "bozza",
        "rascunho",
    ];
    let text = normalized(text);
    LESSER.iter().any(|phrase| {
        let last = phrase.rsplit(' ').next().unwrap_or(phrase);
        !names.contains(last) && states(&text, phrase)
    })
}

/// Whether a text says that what the target is called was done: `Published` after `Publish`, `Veröffentlicht` after
/// `Veröffentlichen`. Words have their first four letters in common and are not the same.
pub(crate) fn states_done(text: &str, names: &str) -> bool {
    let text = normalized(text);
    if is_lesser(&text, names) {
        return false;
    }
    let stem = |word: &str| word.char_indices().nth(4).map(|(end, _)| word[..end].to_owned());
    let said: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    names
        .split(|c: char| !c.is_alphanumeric())
        .any(|name| stem(name).is_some_and(|stem| said.iter().any(|word| word.starts_with(&stem) && *word != name)))
}

/// `Not subscribed` after `Subscribe`: what was asked for was not done.
fn denies(text: &str, names: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some("not"), Some(done)) = (words.next(), words.next()) else { return false };
    let stem = |word: &str| word.char_indices().nth(4).map(|(end, _)| word[..end].to_owned());
    words.count() <= 3 && names.split_whitespace().filter_map(stem).any(|stem| done.starts_with(&stem))
}

/// `Only managers may approve this`: it is for others.
fn is_reserved(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.first() == Some(&"only")
        && (4..=12).contains(&words.len())
        && words.iter().any(|word| matches!(*word, "may" | "can"))
}

/// Whether a text says what is to be done or has to be so: on the form that was just sent it is a complaint, on a page that was
/// led to it is likely to be help.
pub(crate) fn is_instruction(text: &str) -> bool {
    let text = normalized(text);
    let instructs = ["must ", "is required", "are required", "please ", "bitte ", "veuillez"];
    instructs.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// Whether a text has words of a refusal: what a check or expectation says when the refusal is what is tested.
pub(crate) fn mentions_refusal(text: &str) -> bool {
    let text = normalized(text);
    is_status_title(&text) || REFUSALS.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// `404`, `500 – …`, `Error 403`: titles and headings of error pages.
fn is_status_title(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_status = |word: &&str| {
        matches!(
            *word,
            "400" | "401" | "403" | "404" | "405" | "409" | "410" | "422" | "429" | "500" | "502" | "503" | "504"
        )
    };
    words.first().is_some_and(is_status) && words.len() <= 8
        || words.len() <= 4
            && words
                .windows(2)
                .any(|pair| matches!(pair[0], "error" | "fehler" | "erreur" | "http" | "status") && is_status(&pair[1]))
}

/// Words of refusals in courtesies that refuse nothing: after an account was deleted, and where a search has no results.
const COURTESIES: [&str; 5] = [
    "sorry to see you go",
    "sorry that you are leaving",
    "sorry, we couldn't find any results",
    "sorry, we could not find any results",
    "we couldn't find any results",
];

/// Lower case, with one kind of apostrophe, without courtesies.
pub(crate) fn normalized(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘', '`'], "'");
    match COURTESIES.iter().find(|courtesy| text.contains(**courtesy)) {
        Some(courtesy) => text.replace(courtesy, ""),
        None => text,
    }
}

/// Whether what was acted on has the phrase's word in its own name: after `Cancel`, `Lock` or `Error log` a text with that word
/// is what was asked for.
fn is_named(phrase: &str, name: &str) -> bool {
    if is_refusing(name) && (is_refusing(phrase) || NEGATED.contains(&phrase.trim())) {
        return true;
    }
    // `is blocked` after `Block`; but `already subscribed` after `Subscribe` and `not saved` after `Save` refuse.
    let phrase = ["has been ", "have been ", "been ", "is ", "are ", "was "]
        .iter()
        .find_map(|auxiliary| phrase.strip_prefix(auxiliary))
        .unwrap_or(phrase);
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4)
        .any(|word| phrase.starts_with(word) || word.starts_with(phrase.trim()))
}

/// Parts of the words by which people refuse. Where the target is called so, refusing is what was asked for.
const REFUSING: &[&str] = &[
    "reject",
    "refus",
    "declin",
    "deny",
    "deni",
    "disapprov",
    "ablehn",
    "abgelehnt",
    "abweis",
    "abgewiesen",
    "verweiger",
    "rechaz",
    "denegar",
    "denegad",
    "rifiut",
    "recus",
    "weiger",
    "afwij",
    "afgewez",
];
/// What their results are called besides.
const NEGATED: &[&str] = &["access denied", "request denied"];

pub(crate) fn is_refusing(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| REFUSING.iter().any(|stem| word.starts_with(stem)))
}

fn states(text: &str, phrase: &str) -> bool {
    contains_word(text, phrase).any(|at| {
        let before = text[..at].trim_end();
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        // `This cannot be undone` is said before something is done.
        let after = text[at + phrase.len()..].trim_start();
        let after = after.strip_prefix("be ").unwrap_or(after);
        let warns = ["undone", "reversed", "recovered", "restored"].iter().any(|word| after.starts_with(word));
        !NEGATIONS.contains(&last) && !warns
    })
}

/// Where the phrase is in the text, from the beginning of a word.
fn contains_word<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase)
        .map(|(at, _)| at)
        .filter(move |at| !text[..*at].chars().next_back().is_some_and(char::is_alphanumeric))
}

/// A time of day, or an age.
pub(crate) fn is_clock(text: &str) -> bool {
    let text = normalized(text);
    let text = text.trim();
    let has_time = text.split(|c: char| !(c.is_ascii_digit() || c == ':')).any(|part| {
        let numbers: Vec<&str> = part.split(':').collect();
        (2..=3).contains(&numbers.len()) && numbers.iter().all(|number| (1..=2).contains(&number.len()))
    });
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_age = text.chars().any(|c| c.is_ascii_digit())
        && (text.ends_with(" ago")
            || text.starts_with("vor ")
            || text.starts_with("il y a ")
            || text.starts_with("hace "));
    (has_time || is_age) && letters <= 30 || text == "just now"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_that_an_independent_trial_found() {
        for (text, target) in [
            ("Payment failed", "pay now"),
            ("Your account is blocked", "save"),
            ("Your changes were not saved", "save"),
            ("You do not have permission to do this", "pay now"),
            ("Ask your administrator for access", "pay now"),
            ("This record was changed by another user", "save"),
            ("You are already subscribed with this address.", "subscribe"),
            ("We do not accept addresses from this domain", "subscribe"),
            ("Please sign in to subscribe", "subscribe"),
            ("Are you a robot?", "subscribe"),
            ("Not subscribed", "subscribe"),
            ("Duplicate address", "subscribe"),
            ("This address is on our block list", "subscribe"),
            ("Quarantined: cv.txt", "upload"),
        ] {
            assert_eq!(tone(text, target), Tone::Refusal, "{text}");
            assert!(is_addressed_refusal(text, target), "{text}");
        }
        for (text, target) in [
            ("2 of 3 archived", "archive"),
            ("0 of 1 rows imported", "import"),
            ("All 5 seats are in use. Remove somebody first.", "invite"),
            ("Code has already been taken", "save"),
            ("We do not know this code", "apply"),
            ("Someone else has changed this record", "save"),
            ("Upload failed: list.csv was rejected by the virus scanner", "upload"),
        ] {
            assert_eq!(tone(text, target), Tone::Refusal, "{text}");
            assert!(is_addressed_refusal(text, target), "{text}");
        }
        for text in ["2 of 3 selected", "3 of 3 archived", "Page 1 of 3", "Step 2 of 5 completed"] {
            assert!(!is_addressed_refusal(text, "archive"), "{text}");
        }
        // In a message these refuse; as ordinary texts they are what a page has to say.
        for text in ["Only 2 left in stock", "Only images up to 1 MB", "This page is read-only", "Conflict"] {
            assert_eq!(tone(text, "save"), Tone::Refusal, "{text}");
            assert!(!is_addressed_refusal(text, "save"), "{text}");
        }
        for (text, target) in [
            ("You have been logged out. Please log in again.", "log out"),
            ("Already a member? Log in", "sign up"),
            ("If you do not accept these terms, leave", "terms"),
            ("Don't have access? Ask for it", "sign in"),
            ("Not started", "subscribe"),
            ("Only for you: 20 % off", "pay now"),
            ("Duplicate address", "duplicate"),
            ("Spammer42 is blocked.", "block"),
            ("This document is locked", "lock document"),
            ("We’re sorry to see you go", "cancel subscription"),
            ("Sorry, we couldn’t find any results for “zzz”", "search"),
            ("Saved without errors", "save"),
            ("0 errors, 3 saved", "save"),
            ("Import finished: 3 rows imported, 2 skipped", "import"),
            ("Bob failed", "show"),
        ] {
            assert!(!is_addressed_refusal(text, target), "{text}");
        }
    }

    #[test]
    fn messages_state_refusals_successes_or_neither() {
        for refusal in [
            "Login failed.",
            "Your order was not placed",
            "We couldn’t save your changes",
            "Not saved",
            "Email is required",
            "Bitte geben Sie eine gültige Adresse ein",
            "Mot de passe incorrect",
            "Usuario o contraseña incorrectos",
            "Only 3 left: quantity must be at most 3",
            "This user name is already taken",
        ] {
            assert_eq!(tone(refusal, ""), Tone::Refusal, "{refusal}");
        }
        for success in [
            "Thank you, the error was reported",
            "Reminder sent: invoice 7 has not been paid",
            "Saved!",
            "Item added to your cart. Undo",
            "No errors found",
            "Import complete: 0 failed, 12 created",
            "Gespeichert",
            "Welcome back, Ada",
        ] {
            assert_eq!(tone(success, ""), Tone::Success, "{success}");
        }
        assert_eq!(tone("The capital of France is Paris", ""), Tone::Unclear);
        assert_eq!(tone("Error log", "error log"), Tone::Unclear, "the target is called so");
        for (text, target) in [
            ("Die Rechnung wurde abgelehnt", "ablehnen"),
            ("Le devis a été refusé", "refuser"),
            ("Invoice rejected", "reject"),
            ("Access denied for Ann", "deny"),
        ] {
            assert_ne!(tone(text, target), Tone::Refusal, "{text}");
            assert!(!is_addressed_refusal(text, target), "{text}");
        }
    }

    #[test]
    fn an_ordinary_text_is_a_refusal_only_when_it_is_said_to_somebody() {
        for refusal in [
            "Invalid user name or password",
            "Page not found",
            "404",
            "404 – Not Found",
            "Sorry, something went wrong",
            "Das Passwort ist falsch",
            "Error 500",
            "The upgrade failed",
            "Cannot delete author",
            "Votre session a expiré",
            "Draft not stored on the server",
            "Nothing was changed",
            "Le montant dépasse le plafond autorisé",
            "There was a problem with your submission.",
            "No changes were saved",
            "Your session has ended",
            "You need to sign in to continue",
            "Only managers may approve this",
            "This order can no longer be changed",
            "You have reached your limit",
            "Upload too large",
            "0 items updated",
        ] {
            assert!(is_addressed_refusal(refusal, ""), "{refusal}");
        }
        for plain in [
            "Why startups fail",
            "Failed logins: 3",
            "3 tests failed",
            "Error handling in Rust",
            "500 words about cats and many other animals of the house",
            "Lost and found",
            "Wrong Turn (2003)",
        ] {
            assert!(!is_addressed_refusal(plain, ""), "{plain}");
        }
    }

    #[test]
    fn times_and_ages_are_clocks() {
        for clock in ["12:30", "Now 12:30:05 PM", "2 minutes ago", "Last update: 09:15", "just now"] {
            assert!(is_clock(clock), "{clock}");
        }
        for other in [
            "Order 1230",
            "Cart (2)",
            "Ratio 1:1000",
            "The meeting about the new office building begins at 12:30 in the large room",
        ] {
            assert!(!is_clock(other), "{other}");
        }
    }
}
