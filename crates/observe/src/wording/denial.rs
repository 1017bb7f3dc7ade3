//! Words of a success that are denied: `No orders were archived`, `Published pages: 0`, `Saved by Eve`,
//! `Bob was invited before`.

use super::REFUSALS;

/// What ends a clause, where a blank or the end of the text follows.
pub(super) const CLAUSE_ENDS: [char; 8] = ['.', '!', '?', ';', ':', ',', '–', '—'];

/// Words which deny what follows them in their clause, in the languages of the lists of phrases.
pub(super) const DENYING: [&str; 52] = [
    "no", "not", "none", "nothing", "nobody", "never", "neither", "nor", "0", "zero", "nicht", "nichts", "kein",
    "keine", "keinen", "keiner", "keines", "nie", "rien", "aucun", "aucune", "pas", "jamais", "nul", "nada", "ningún",
    "ninguno", "ninguna", "nadie", "nunca", "niente", "nessun", "nessuno", "nessuna", "non", "mai", "nenhum",
    "nenhuma", "não", "ninguém", "niets", "niet", "geen", "niemand", "nooit", "isn't", "aren't", "wasn't", "weren't",
    "hasn't", "haven't", "won't",
];

/// Words which deny a verb, before or after it, in languages without lists of phrases: Swedish, Danish and Norwegian,
/// then Finnish, then Polish, Czech and Slovak, then Hungarian, then Croatian and Slovenian. The name of the button
/// shows there what its participle is (`Spara`, `sparades`), and a negated one is the opposite of a success.
pub(super) const NEGATED_VERBS: [&str; 21] = [
    "inte", "ej", "icke", "ikke", "ikkje", "ei", "eivät", "nie", "nebyl", "nebyla", "nebylo", "nebyly", "nebyli",
    "nelze", "nebol", "nebola", "nebolo", "neboli", "nem", "nije", "nisu",
];

/// Whether a negated verb follows in the clause: `sparades inte`, `Ændringerne blev ikke gemt`.
fn is_denied_afterwards(from: &str) -> bool {
    let mut words = clauses(from).next().unwrap_or(from).split_whitespace().skip(1).map(bare);
    words.any(|word| NEGATED_VERBS.contains(&word))
}

/// Whether a phrase of success at this place states that it was not done now: it is denied, counts nothing, somebody
/// else did it, or it was already done. `text` is in lower case.
pub(super) fn is_denied(text: &str, phrase: &str, at: usize) -> bool {
    // `No updates found` is the result of a search.
    let is_result = phrase.starts_with("found");
    !is_result && denies_what_follows(&text[..at])
        || is_denied_afterwards(&text[at..])
        || counts_nothing(&text[at..])
        || is_of_others(&text[at..])
        || is_attribute(&text[..at], &text[at..])
        || changed_itself(&text[..at], phrase)
}

/// `Our terms have changed`: nobody changed them now.
fn changed_itself(before: &str, phrase: &str) -> bool {
    phrase == "changed" && before.split_whitespace().last().is_some_and(|word| matches!(word, "has" | "have"))
}

/// `Verified buyers only`, `Done has 3 of 3 cards`, `off for shared inboxes`: the word names what the text is about.
fn is_attribute(before: &str, from: &str) -> bool {
    const DETERMINERS: [&str; 10] = ["for", "of", "from", "a", "an", "any", "every", "each", "only", "doing"];
    if before.split_whitespace().last().is_some_and(|word| DETERMINERS.contains(&word)) {
        return true;
    }
    let words: Vec<&str> = clauses(from).next().unwrap_or(from).split_whitespace().map(bare).collect();
    words.len() > 1 && words.last() == Some(&"only") || matches!(words.get(1), Some(&("has" | "have")))
}

/// Whether a text has a word that denies something: `Nothing to publish`, `Export limit: 0 left`.
pub fn has_denial(text: &str) -> bool {
    let text = super::normalized(text);
    clauses(&text).any(has_denying_word) || counts_nothing_after_colon(&text)
}

/// Whether the end of a text, which a word of success follows, denies it.
fn denies_what_follows(before: &str) -> bool {
    clauses(before).last().is_some_and(has_denying_word)
}

pub(super) fn has_denying_word(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().map(bare).collect();
    (0..words.len()).any(|at| denies_at(&words, at))
}

/// Whether the word at this place of a clause denies something. `No errors` and `no longer` deny nothing.
pub(super) fn denies_at(words: &[&str], at: usize) -> bool {
    let next = words.get(at + 1).copied().unwrap_or_default();
    let is_count = words[at] == "0" && next.is_empty();
    let denies = DENYING.contains(&words[at]) || NEGATED_VERBS.contains(&words[at]);
    denies && !is_count && !matches!(next, "longer" | "only") && !is_bad(next)
}

/// The clauses of a text. A point between two digits ends none.
pub(super) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let all = rest?;
        let mut ends = all.match_indices(CLAUSE_ENDS).map(|(at, end)| at + end.len());
        let end = ends.find(|at| all[*at..].chars().next().is_none_or(char::is_whitespace));
        rest = end.map(|end| &all[end..]);
        Some(&all[..end.unwrap_or(all.len())])
    })
}

/// `Deleted 0 items`, `Published pages: 0`.
fn counts_nothing(from: &str) -> bool {
    let mut words = clauses(from).next().unwrap_or(from).split_whitespace().skip(1);
    let mut next = words.next().map(bare);
    // `Sent to 0 recipients`, but not `Updated to 0`.
    let is_to = matches!(next, Some("to" | "for"));
    if is_to {
        next = words.next().map(bare);
    }
    let after = words.next().map(bare);
    if is_to && after.is_none() {
        return false;
    }
    let is_counted = |word: Option<&str>| word.is_none_or(|word| !is_bad(word));
    matches!(next, Some("0" | "nothing" | "nichts" | "rien" | "nada" | "niente")) && is_counted(after)
        || counts_nothing_after_colon(from)
}

fn counts_nothing_after_colon(text: &str) -> bool {
    let Some((head, count)) = text.rsplit_once(':') else { return false };
    // `Errors: 0` and `Inbox: 0 unread` are good; `Export limit: 0 left` is not.
    let (of, mut count) = (head.split_whitespace().map(bare), count.split_whitespace().map(bare));
    let is_zero = count.next() == Some("0");
    is_zero && !of.chain(count).any(|word| is_bad(word) && word != "left")
}

/// `Saved by Eve`, `Bob was invited before`: not by what was done now. `Sent by e-mail` says how.
fn is_of_others(from: &str) -> bool {
    const MEANS: [&str; 16] = [
        "you", "yourself", "me", "us", "email", "e-mail", "mail", "post", "card", "phone", "sms", "text", "default",
        "link", "bank", "invoice",
    ];
    const EARLIER: [&str; 5] = ["before", "earlier", "previously", "yesterday", "ago"];
    let words: Vec<&str> = clauses(from).next().unwrap_or(from).split_whitespace().map(bare).skip(1).collect();
    let is_by_another = match words.as_slice() {
        ["by" | "von" | "par" | "por", doer, ..] => !MEANS.contains(doer),
        _ => false,
    };
    is_by_another || is_for_another(&words) || words.last().is_some_and(|last| EARLIER.contains(last))
}

/// `Reserved for another order`: the rest of a clause after the word of success. `Extended for another week` is a success.
fn is_for_another(words: &[&str]) -> bool {
    const OTHERS: [&str; 12] = [
        "another", "someone", "somebody", "others", "andere", "anderen", "autre", "otro", "otra", "altro", "outro",
        "outra",
    ];
    const TIMES: [&str; 7] = ["minute", "hour", "day", "night", "week", "month", "year"];
    const FOR: [&str; 6] = ["for", "für", "pour", "para", "per", "voor"];
    let Some((_, rest)) = words.split_first().filter(|(first, _)| FOR.contains(first)) else { return false };
    // `für eine andere Bestellung`.
    let other = rest.iter().take(2).position(|word| OTHERS.contains(word));
    other.is_some_and(|at| !rest.get(at + 1).is_some_and(|word| TIMES.iter().any(|time| word.starts_with(time))))
}

/// Whether it is good that there is none of it: `0 errors`, `no conflicts`.
fn is_bad(word: &str) -> bool {
    const LEFT: [&str; 6] = ["left", "remaining", "unread", "open", "warning", "issue"];
    LEFT.iter().any(|begin| word.starts_with(begin))
        || REFUSALS.iter().any(|phrase| word.starts_with(phrase.trim_end()))
}

pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}
