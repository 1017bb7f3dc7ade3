//! Words of a state or a success that a text negates or limits: `Not completed`, `Finished unsuccessfully`,
//! `Done with errors`. A person who looks for `Completed` does not look for these.

use std::sync::LazyLock;

use super::{SUCCESSES, contains_word, denial, is_to_come, normalized, part::stated_part, phrases};

/// The most words between a denying word and the word that it denies: `No orders were archived`.
const REACH: usize = 4;

/// Words that begin another statement, which a denying word before them does not concern.
const JOINTS: [&str; 8] = ["and", "but", "or", "that", "which", "who", "because", "und"];

/// Before a word of success: only a part is done, or it is not done yet.
static LIMITS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("limits.txt")));

/// After a word of success: it did not end well.
static FAILED: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("limits_after.txt")));

/// Between a word of success and what went wrong: `Done with errors`.
const WITH: [&str; 7] = ["with", "mit", "avec", "con", "com", "met", "despite"];

/// What can go wrong, by the beginning of the word.
const TROUBLE: [&str; 12] = [
    "error",
    "warning",
    "problem",
    "issue",
    "failure",
    "exception",
    "fehler",
    "warnung",
    "erreur",
    "avertissement",
    "erro",
    "fout",
];

/// Answers after a colon that deny what is before it: `Paid: no`.
const DENIALS: [&str; 8] = ["no", "not yet", "false", "never", "pending", "nein", "non", "nee"];

/// Whether the text contains a phrase that states a success or a state, and negates or limits it in every place: `Not
/// completed` for `completed`, but neither `Order 12 completed` nor a phrase that is negated itself.
pub fn negates(text: &str, phrase: &str) -> bool {
    let (text, phrase) = (normalized(text), normalized(phrase.trim()));
    let mut places = contains_word(&text, &phrase).peekable();
    // Most texts do not contain the phrase, and this costs less than to look up what the phrase states.
    if places.peek().is_none() {
        return false;
    }
    if !is_positive(&phrase) {
        return is_short_state(&text, &phrase) && places.all(|at| is_denied_directly(&text[..at]));
    }
    places.all(|at| is_negated(&text[..at]) || is_limited(&text[at + phrase.len()..]))
}

/// Whether a text of a few words can be a state: in a sentence, a denying word often concerns something else.
fn is_short_state(text: &str, phrase: &str) -> bool {
    text.split_whitespace().count() <= 5 && !denial::has_denying_word(phrase)
}

/// `Not overdue`: the word before denies the following one and nothing else. `No results` is no state.
fn is_denied_directly(before: &str) -> bool {
    const NOT: [&str; 14] = [
        "not", "never", "isn't", "aren't", "wasn't", "weren't", "nicht", "nie", "pas", "jamais", "niet", "nooit",
        "não", "nunca",
    ];
    let mut words = before.split_whitespace().rev();
    let last = words.next().unwrap_or_default();
    let is_no_longer = last == "longer" && words.next().map(denial::bare) == Some("no");
    is_no_longer || NOT.contains(&last)
}

/// Whether a short phrase states a success or a state, and denies nothing itself.
fn is_positive(phrase: &str) -> bool {
    const STATES: [&str; 17] = [
        "active",
        "live",
        "valid",
        "correct",
        "successful",
        "online",
        "open",
        "ok",
        "on",
        "running",
        "delivered",
        "shipped",
        "signed",
        "cleared",
        "passed",
        "paid",
        "settled",
    ];
    let mut words = phrase.split_whitespace();
    let is_state = |word: &str| STATES.contains(&denial::bare(word));
    words.clone().count() <= 5
        && !denial::has_denying_word(phrase)
        && !words.clone().any(|word| LIMITS.iter().chain(FAILED.iter()).any(|limit| limit == word))
        && (words.any(is_state) || SUCCESSES.iter().any(|success| contains_word(phrase, success).next().is_some()))
}

/// Whether a text of a few words is a state that only comes of success, and nothing negates or limits it: `Active`,
/// `In transit, paid`, but neither `Not active` nor `Almost done`.
pub fn is_good_state(text: &str) -> bool {
    is_positive(&normalized(text.trim()))
}

/// Whether the words before a phrase, in its clause, negate or limit it.
fn is_negated(before: &str) -> bool {
    let clause = denial::clauses(before).last().unwrap_or_default();
    // `before` ends where a clause ends: the phrase begins a clause of its own.
    if clause.trim_end().ends_with(denial::CLAUSE_ENDS) {
        return false;
    }
    let words: Vec<&str> = clause.split_whitespace().map(denial::bare).collect();
    let near = (0..words.len()).rev().take(REACH).take_while(|at| !JOINTS.contains(&words[*at]));
    let denies = |at: usize| {
        let rest = &words[at..];
        denial::denies_at(&words, at)
            // `0 archived`: the phrase is what is counted.
            || rest == ["0"]
            || rest.starts_with(&["no", "longer"])
            || matches!(words[at], "cannot" | "unable")
            || words[at].ends_with("n't")
    };
    words.last().is_some_and(|last| LIMITS.iter().any(|limit| limit == last))
        || is_to_come(before)
        || near.into_iter().any(denies)
}

/// Whether the words after a phrase state that it did not end well.
fn is_limited(after: &str) -> bool {
    if let Some(answer) = after.trim_start().strip_prefix(':') {
        // `Done: 0 of 1` counts what is done, and not all is.
        return DENIALS.contains(&answer.trim().trim_end_matches(['.', '!'])) || stated_part(answer).is_some();
    }
    // `Paid 0 of 2 instalments`. With a slash, it may be a date.
    let count: Vec<&str> = after.split_whitespace().take(3).collect();
    if count.first().is_some_and(|first| first.parse::<u32>().is_ok()) && stated_part(&count.join(" ")).is_some() {
        return true;
    }
    let mut rest = after.trim_start_matches(|c: char| c.is_whitespace() || ",(–—-".contains(c)).split_whitespace();
    let word = denial::bare(rest.next().unwrap_or_default());
    if FAILED.iter().any(|failed| failed == word) {
        return true;
    }
    let is_trouble = |word: &&str| TROUBLE.iter().any(|begin| word.starts_with(begin));
    let is_none = |word: &&str| denial::DENYING.contains(word);
    let named = if WITH.contains(&word) { Vec::from_iter(rest.map(denial::bare).take(REACH)) } else { Vec::new() };
    !named.iter().any(is_none) && named.iter().any(is_trouble)
}

#[cfg(test)]
mod tests {
    use super::negates;

    #[test]
    fn a_negated_or_limited_word_is_not_the_word_itself() {
        for (text, phrase) in [
            ("Not completed", "Completed"),
            ("State: Not done", "Done"),
            ("Finished unsuccessfully", "finished"),
            ("Done with errors", "Done"),
            ("Done (with 2 warnings)", "Done"),
            ("Partially completed", "completed"),
            ("Almost done", "Done"),
            ("No orders were archived", "archived"),
            ("This could not be saved.", "saved"),
            ("It isn't available", "available"),
            ("No longer available", "Available"),
            ("To be paid by Friday", "Paid"),
            ("Paid: no", "Paid"),
            ("Done: 0 of 1", "Done"),
            ("Nicht gespeichert", "gespeichert"),
            ("0 archived", "archived"),
            ("Paid 0 of 2 instalments", "Paid"),
            ("Not overdue", "Overdue"),
            ("No longer blocked", "Blocked"),
            ("Nicht überfällig", "überfällig"),
        ] {
            assert!(negates(text, phrase), "{text} for {phrase}");
        }
    }

    #[test]
    fn a_stated_word_is_not_negated() {
        for (text, phrase) in [
            ("Order 12 completed", "completed"),
            ("Paid on 3 May", "Paid"),
            ("No errors. Import completed", "completed"),
            ("Done with 0 errors", "Done"),
            ("Done with no errors", "Done"),
            ("Completed without errors", "Completed"),
            ("Not paid. Then paid", "paid"),
            ("Not only saved, but also published", "saved"),
            ("Not completed", "Not completed"),
            ("Partially completed", "Partially completed"),
            ("Do not close this window and your work is saved", "saved"),
            ("Paid: 3 May", "Paid"),
            ("Done: 2 of 2", "Done"),
            ("No internet connection", "internet connection"),
            ("Paid 3/5", "Paid"),
            ("Paid 2 of 2 instalments", "Paid"),
            ("No results", "results"),
            ("Not overdue", "Not overdue"),
            ("The invoice was not sent because it is not overdue", "overdue"),
            ("Unpaid", "Paid"),
            ("0 errors Completed", "Completed"),
            ("No conflicts merged", "merged"),
            ("No conflicts. 0 open Done", "Done"),
        ] {
            assert!(!negates(text, phrase), "{text} for {phrase}");
        }
    }
}
