//! Refusals that are recognized by their form, because no list of phrases could hold them.

use super::{SUCCESSES, contains_word, denial, is_done_word, stem_of};

/// `The upgrade failed`, `Your payment has failed`: of one thing that both sides know of. Or `Payment failed`, of an
/// action.
pub(super) fn is_failed(text: &str) -> bool {
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

/// `Only managers may approve this`: it is for others.
pub(super) fn is_reserved(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.first() == Some(&"only")
        && (4..=12).contains(&words.len())
        && words.iter().any(|word| matches!(*word, "may" | "can"))
}

/// `Only 2 left`, `Only images up to 1 MB`: more, or something else, is not taken. In a message only: as an ordinary
/// text it is what a shop says of a size that was chosen.
pub(super) fn is_limited(text: &str) -> bool {
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

/// `You have reached your export limit`, `The daily limit of 5 has been exceeded`.
pub(super) fn reaches_limit(text: &str) -> bool {
    // The most words between the limit and its verb.
    const BETWEEN: usize = 4;
    const CONDITIONS: [&str; 6] = ["if", "when", "once", "until", "unless", "before"];
    denial::clauses(text).filter(|clause| !denial::has_denying_word(clause)).any(|clause| {
        let words: Vec<&str> = clause.split_whitespace().map(denial::bare).collect();
        let places = |wanted: &[&str]| -> Vec<usize> {
            words.iter().enumerate().filter(|(_, word)| wanted.contains(word)).map(|(at, _)| at).collect()
        };
        let verbs = places(&["reached", "exceeded"]);
        let is_near = |limit: &usize| verbs.iter().any(|verb| verb.abs_diff(*limit) <= BETWEEN + 1);
        places(&CONDITIONS).is_empty() && places(&["limit", "limits"]).iter().any(is_near)
    })
}

/// `2 of 3 archived`, `0 of 1 rows imported`, `Archived 2 of 3`: a part of what was asked for was done.
pub(super) fn is_partial(text: &str) -> bool {
    const STATES: [&str; 8] =
        ["selected", "displayed", "completed", "used", "listed", "loaded", "answered", "required"];
    let words: Vec<&str> = text.split_whitespace().collect();
    // `20.00 of 120.00`.
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit());
        word.parse::<f64>().ok()
    };
    words.len() <= 20
        && words.windows(3).enumerate().any(|(at, triple)| {
            let is_less = triple[1] == "of" && number(triple[0]).zip(number(triple[2])).is_some_and(|(a, b)| a < b);
            // `Saved step 1 of 3` says which one, not how many.
            let is_which = at > 0
                && matches!(
                    words[at - 1],
                    "step" | "page" | "part" | "section" | "question" | "file" | "item" | "schritt" | "seite"
                );
            let after = words[at + 3..].iter().take(2);
            let before = words[..at].iter().rev().take(2);
            let mut done = after.chain(before).map(|word| word.trim_end_matches(['.', '!', ',', ';', ':']));
            let is_done = |word: &str| word.len() > 4 && word.ends_with("ed") || matches!(word, "sent" | "paid");
            is_less && !is_which && done.any(|word| is_done(word) && !STATES.contains(&word))
        })
}

/// `Not subscribed` after `Subscribe`, `Inactive` after `Activate`: what was asked for was not done.
pub(super) fn denies(text: &str, names: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_short = words.len() <= 5;
    match words.as_slice() {
        ["not", done, ..] => is_short && stem_of(done, names).is_some(),
        [first, ..] => {
            let rest = ["un", "in"].iter().find_map(|prefix| first.strip_prefix(prefix));
            // `Inactive` is what `Deactivate` leads to, and `Unpublished` what `Unpublish` does. A button that is named
            // by its state, such as `Following`, leads to the opposite.
            let is_state = |name: &str| name.ends_with("ed") || name.ends_with("ing");
            let is_of_verb = |rest: &str| names.split(' ').any(|name| !is_state(name) && is_done_word(rest, name));
            words.len() <= 2 && rest.is_some_and(is_of_verb)
        }
        [] => false,
    }
}

/// `404`, `500 – …`, `Error 403`: titles and headings of error pages.
pub(super) fn is_status_title(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_status = |word: &&str| {
        matches!(
            *word,
            "400" | "401" | "403" | "404" | "405" | "409" | "410" | "422" | "429" | "500" | "502" | "503" | "504"
        )
    };
    // `€500.00 sent to Bob` and `500 rows imported` are none.
    let begins = || {
        text.split_whitespace().next().is_some_and(|first| is_status(&first.trim_matches(['.', ':', ',', '(', ')'])))
    };
    let is_done = || SUCCESSES.iter().any(|phrase| phrase != "found" && contains_word(text, phrase).next().is_some());
    words.first().is_some_and(is_status) && words.len() <= 8 && begins() && !is_done()
        || words.len() <= 4
            && words
                .windows(2)
                .any(|pair| matches!(pair[0], "error" | "fehler" | "erreur" | "http" | "status") && is_status(&pair[1]))
}
