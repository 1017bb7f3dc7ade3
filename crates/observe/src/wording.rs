//! What a message says in words: a refusal, a success, or neither. Lists of phrases, because pages that answer 200 to
//! everything say it in no other way. Seven languages; a page in another one is judged by status, roles and fields
//! alone.
//!
//! In a message (an alert, a status, a text styled as an error) any phrase counts. In ordinary text only phrases count
//! that are almost always addressed to a person whose action failed.

mod button;
mod courtesy;
mod denial;
mod part;
mod qualified;
mod refusal_forms;
mod request;
mod states;
mod success_message;

use std::sync::LazyLock;

pub use button::{
    LOG_OUT, asks_for_page, creates, ends_form, ends_session, is_command, is_examination, leads_on, leaves, logs_out,
    saves, shows, takes_away, takes_back,
};
use courtesy::begins_with_thanks;
pub use courtesy::{greets, is_courtesy, is_mere_thanks};
pub use denial::has_denial;
use denial::is_denied;
pub use part::{begins_with_fewer, ends_with_fewer, stated_part, stated_rest, states_whole};
pub use qualified::{is_good_state, negates};
use refusal_forms::{denies, is_failed, is_limited, is_partial, is_reserved, is_status_title, reaches_limit};
pub use request::{is_conditional, is_named_state, is_own_update, is_undone};
pub use states::{UnwantedState, is_opposite, unwanted_state};
pub use success_message::{is_success_message, states_result};

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageTone {
    /// Something failed or was refused.
    Refusal,
    /// Something was done.
    Success,
    /// Neither of them.
    Unclear,
}

/// Phrases of refusals anywhere. Matched from the beginning of a word, to any end of it: `incorrect` has `incorrectly`.
static REFUSALS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/refusals.txt")));

/// Phrases that are almost always addressed to a person whose action failed.
static ADDRESSED_REFUSALS: LazyLock<Vec<String>> =
    LazyLock::new(|| phrases(include_str!("wording/addressed_refusals.txt")));

/// Beginnings of words that state a success.
static SUCCESSES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/successes.txt")));

/// Phrases which say that less was done than could be asked for.
static LESSER: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/lesser.txt")));

/// Phrases which ask for a confirmation: nothing was done yet.
static CONFIRMATIONS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("wording/confirmations.txt")));

fn phrases(lines: &str) -> Vec<String> {
    let lines = lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.replace('_', " ")).collect()
}

/// Before one of these words a phrase of refusal says the opposite: `no errors`, `0 failed`.
const NEGATIONS: &[&str] = &[
    "no", "0", "zero", "without", "never", "keine", "ohne", "aucune", "sans", "sin", "senza", "nessun", "sem", "geen",
    "fix", "fixed", "solved", "resolved",
];

/// What a message says: an alert, a status, a text styled as an error. `ignored` are phrases that have no meaning here,
/// because they are the name of the target.
pub fn tone(text: &str, ignored: &str) -> MessageTone {
    let text = without_courtesies(normalized(text));
    // `Thank you, the error was reported`, `Reminder sent: invoice 7 has not been paid`.
    let head = text.split_once(':').map(|(head, _)| head);
    // `Thanks, but the deadline has passed` is not thanks.
    let is_thanks = begins_with_thanks(&text) && contrast(&text).is_none();
    let is_done = head.is_some_and(|head| {
        REFUSALS.iter().all(|phrase| !states(head, phrase))
            && SUCCESSES.iter().any(|phrase| contains_word(head, phrase).any(|at| !is_denied(&text, phrase, at)))
    });
    if is_thanks || is_done {
        return MessageTone::Success;
    }
    if is_partial(&text) {
        return MessageTone::Refusal;
    }
    if REFUSALS.iter().any(|phrase| refuses(&text, phrase, ignored)) || is_limited(&text) || denies(&text, ignored) {
        return MessageTone::Refusal;
    }
    if begins_with_thanks(&text) {
        return MessageTone::Unclear;
    }
    // `You have been signed out` after `Save` is not a success.
    let is_wanted =
        |phrase: &str| !matches!(phrase, "signed out" | "logged out") || ignored.is_empty() || ends_session(ignored);
    if SUCCESSES.iter().any(|phrase| is_wanted(phrase) && states_done_phrase(&text, phrase)) {
        return MessageTone::Success;
    }
    MessageTone::Unclear
}

/// What follows a word that takes back what was said before it: `the deadline has passed` in
/// `Thanks, but the deadline has passed`.
fn contrast(text: &str) -> Option<&str> {
    const TAKES_BACK: [&str; 5] = [" but ", "however", "unfortunately", " aber ", "leider"];
    TAKES_BACK.iter().find_map(|word| text.split_once(word)).map(|(_, rest)| rest)
}

/// Whether a text in lower case states a success with this phrase: it is neither denied, asked about nor still to come.
fn states_done_phrase(text: &str, phrase: &str) -> bool {
    // `Complete your profile` asks for something.
    let asks =
        |at: usize| phrase == "complete" && text[..at].trim().is_empty() && text[at + phrase.len()..].starts_with(' ');
    contains_word(text, phrase)
        .any(|at| !is_to_come(&text[..at]) && !is_asked_about(&text[..at]) && !asks(at) && !is_denied(text, phrase, at))
}

/// Whether these words ask about what follows or make it depend on something: `Refresh to see what` before `changed`,
/// `Will be sent when your domain is` before `verified`.
fn is_asked_about(before: &str) -> bool {
    const ASKS: [&str; 3] = ["what", "who", "how"];
    const DEPENDS: [&str; 9] = ["if", "when", "once", "whether", "until", "unless", "wenn", "sobald", "falls"];
    let clause = before.rsplit([',', '.', ';', ':', '!', '?']).next().unwrap_or_default();
    clause.split_whitespace().next_back().is_some_and(|word| ASKS.contains(&word))
        || clause.split_whitespace().any(|word| DEPENDS.contains(&word))
}

/// Whether a message says that something failed.
pub fn states_refusal(text: &str) -> bool {
    tone(text, "") == MessageTone::Refusal
}

/// Whether a message says that something went well, and nothing that failed.
pub fn states_success(text: &str) -> bool {
    tone(text, "") == MessageTone::Success
}

/// Whether an ordinary text states that the action of its reader failed.
pub fn is_addressed_refusal(text: &str, ignored: &str) -> bool {
    let text = without_courtesies(normalized(text));
    ADDRESSED_REFUSALS.iter().any(|phrase| refuses(&text, phrase, ignored))
        || is_status_title(&text)
        || is_failed(&text) && !is_named("failed", ignored)
        || is_reserved(&text)
        || reaches_limit(&text) && !is_named("limit", ignored)
        || is_partial(&text)
        || denies(&text, ignored)
        || ["cannot ", "can't ", "can not ", "unable to "].iter().any(|begin| text.starts_with(begin))
}

/// Whether a text states that less was done than may have been requested: `Saved as draft`, `Submitted for review`,
/// `2 archived, 1 skipped`, `0 replacements`. If it is the name of the target, it was requested.
pub fn is_lesser(text: &str, names: &str) -> bool {
    let text = normalized(text);
    let is_asked_for = |phrase: &str| stem_of(phrase.rsplit(' ').next().unwrap_or(phrase), names).is_some();
    LESSER.iter().any(|phrase| !is_asked_for(phrase) && states(&text, phrase))
        || promises_answer(&text, names)
        || waits_for_more(&text, names)
        || counts_nothing(&text, names)
        || amounts_to_nothing(&text, names)
}

/// Whether a text says that somebody will answer, call or decide. After `Book`, such a text leaves the result open;
/// after a message or a request was sent, it is the requested result.
fn promises_answer(text: &str, names: &str) -> bool {
    const ANSWERS: [&str; 14] = [
        "will answer",
        "will call you",
        "will contact you",
        "will get back to you",
        "will come back to you",
        "will be in touch",
        "will decide",
        "will review",
        "will let you know",
        "we call you",
        "melden uns bei ihnen",
        "werden uns melden",
        "vous recontactera",
        "se pondrá en contacto",
    ];
    const ASKS: [&str; 18] = [
        "send", "contact", "ask", "request", "submit", "message", "apply", "feedback", "report", "comment", "enquir",
        "inquir", "question", "answer", "reply", "anfrag", "senden", "envoyer",
    ];
    ANSWERS.iter().any(|phrase| text.contains(phrase)) && !ASKS.iter().any(|word| names.contains(word))
}

/// Whether a text says that the requested action still has to be done by somebody else: `Released by you – waiting for
/// second release`, `Approved by you – second approver required`.
fn waits_for_more(text: &str, names: &str) -> bool {
    const WAITS: [&str; 9] = [
        "waiting for",
        "wartet auf",
        "warten auf",
        "en attente",
        "esperando",
        "a la espera",
        "in attesa",
        "aguarda",
        "wacht op",
    ];
    const SECOND: [&str; 12] = [
        "second",
        "zweite",
        "zweiter",
        "zweiten",
        "deuxième",
        "seconde",
        "segunda",
        "segundo",
        "seconda",
        "secondo",
        "tweede",
        "2nd",
    ];
    const NEEDED: [&str; 12] = [
        "required",
        "needed",
        "missing",
        "erforderlich",
        "nötig",
        "fehlt",
        "requis",
        "necesari",
        "necessári",
        "necessari",
        "vereist",
        "nodig",
    ];
    // The words between the verb and what is waited for: `waiting for the second release`.
    const NEAR: usize = 3;
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
    }
    let is_of_action = |word: &str| stem_of(word, names).is_some();
    let is_waited_for = WAITS.iter().filter_map(|begin| text.split_once(begin)).any(|(before, rest)| {
        // `Waiting for approval` alone is the state after a request for it.
        words(before).any(is_of_action) && words(rest).take(NEAR).any(is_of_action)
    });
    let all: Vec<&str> = words(text).collect();
    let is_second = || all.windows(2).any(|pair| SECOND.contains(&pair[0]) && is_of_action(pair[1]));
    let is_needed = || all.iter().any(|word| NEEDED.iter().any(|begin| word.starts_with(begin)));
    is_waited_for || is_second() && is_needed()
}

/// Whether an amount in the text is zero (`SAVE5 −€0.00`, `Available: €0.00`). After a payment nothing is due.
fn amounts_to_nothing(text: &str, names: &str) -> bool {
    const PAYS: [&str; 4] = ["pay", "settle", "checkout", "zahl"];
    let is_zero = |word: &str| matches!(word.trim_matches(|c: char| !c.is_ascii_digit()), "0.00" | "0,00");
    text.split_whitespace().any(is_zero) && !PAYS.iter().any(|word| names.contains(word)) && !empties(names)
}

/// Whether a text counts nothing. `0 replacements` means that nothing was done, except after a deletion, and except for
/// counts of errors or open work (`0 open tasks`).
fn counts_nothing(text: &str, names: &str) -> bool {
    const TO_DO: [&str; 6] = ["open", "unread", "remaining", "overdue", "unresolved", "due"];
    let mut words = text.split_whitespace();
    words.next() == Some("0")
        && words.next().is_some_and(|what| {
            !TO_DO.contains(&what) && !REFUSALS.iter().any(|phrase| what.starts_with(phrase.trim_end()))
        })
        && !empties(names)
}

/// Whether the pressed button removes things, so that an empty result was requested.
pub fn empties(names: &str) -> bool {
    const EMPTIES: [&str; 15] = [
        "clear",
        "delete",
        "remove",
        "empty",
        "reset",
        "mark",
        "löschen",
        "entfernen",
        "vider",
        "supprimer",
        "eliminar",
        "elimina",
        "rimuov",
        "svuota",
        "verwijder",
    ];
    EMPTIES.iter().any(|word| names.contains(word))
}

/// Whether a text states that the action of the target's name was done: `Published` after `Publish`, `Veröffentlicht`
/// after `Veröffentlichen`. Words have their first four letters in common and are not the same, nor one the plural of
/// the other.
pub fn states_done(text: &str, names: &str) -> bool {
    let normal = normalized(text);
    // `Publishing is for admins` mentions the action; `Following` and `You are now following Acme` are states.
    let is_state = |before: &str, word: &str| {
        normal.trim() == word || ["you are", "you're", "now"].iter().any(|begin| before.trim_end().ends_with(begin))
    };
    // `Access denied for Tom` after `Deny access`: the forms of these verbs have few letters in common.
    let is_refused = |word: &str| is_refusing(word) && is_refusing(names) && !names.split(' ').any(|name| name == word);
    let is_done = |word: &str| {
        (is_done_word(word, names) || is_refused(word))
            && contains_word(&normal, word).any(|at| {
                let before = &normal[..at];
                let is_stated = !word.ends_with("ing") || is_state(before, word);
                is_stated && !is_to_come(before) && !is_denied(&normal, word, at)
            })
    };
    !is_lesser(text, names) && normal.split(|c: char| !c.is_alphanumeric()).any(is_done)
}

/// Whether a text has another form of a word that the target is called by.
pub fn names_action(text: &str, names: &str) -> bool {
    normalized(text).split(|c: char| !c.is_alphanumeric()).any(|word| is_done_word(word, names))
}

/// Whether what follows these words is still to come: `Acme will be permanently` before `deleted`.
fn is_to_come(before: &str) -> bool {
    const AUXILIARIES: [&str; 9] = ["be", "wird", "werden", "sera", "seront", "será", "serán", "sarà", "saranno"];
    let mut words = before.split_whitespace().rev();
    let is_auxiliary = |word: Option<&str>| word.is_some_and(|word| AUXILIARIES.contains(&word));
    is_auxiliary(words.next()) || is_auxiliary(words.next())
}

/// Whether a word is another form of a word of the names: `published` of `publish`. A plural is no verb, and a noun
/// (`deletion`) mentions the action without stating that it was done.
fn is_done_word(word: &str, names: &str) -> bool {
    const NOUNS: [&str; 7] = ["tion", "sion", "ment", "oval", "ings", "ung", "ación"];
    if NOUNS.iter().any(|end| word.ends_with(end)) {
        return false;
    }
    stem_of(word, names).is_some_and(|name| {
        let is_plural_of =
            |plural: &str, one: &str| plural.strip_prefix(one).is_some_and(|end| matches!(end, "s" | "es"));
        word != name && !is_plural_of(word, name) && !is_plural_of(name, word)
    })
}

/// The word of the names that begins with the same four letters as this word, or of which this word is a form. The `ge`
/// of German and Dutch participles does not count: `gelöscht` is a form of `Löschen`, and `umgelagert` of `Umlagern`.
fn stem_of<'a>(word: &str, names: &'a str) -> Option<&'a str> {
    const STEM: usize = 4;
    let first = |name: &'a str, count: usize| {
        name.char_indices().nth(count - 1).map(|(at, last)| &name[..at + last.len_utf8()])
    };
    let participle = word.strip_prefix("ge").unwrap_or(word);
    // After a separable prefix, which has at least two letters, two more letters have to agree.
    let is_separated = |name: &'a str| {
        word.match_indices("ge").filter(|(at, _)| *at >= 2).any(|(at, ge)| {
            let (prefix, rest) = (&word[..at], &word[at + ge.len()..]);
            let begin = first(name, STEM.max(prefix.chars().count() + 2));
            begin.and_then(|begin| begin.strip_prefix(prefix)).is_some_and(|begin| rest.starts_with(begin))
        })
    };
    // `added` of `Add`, `tagged` of `Tag`: a verb of three letters has too few of them for other endings.
    let is_short = |name: &'a str| {
        let rest = word.strip_prefix(name).filter(|_| name.chars().count() == STEM - 1).unwrap_or_default();
        let rest = name.chars().next_back().and_then(|last| rest.strip_prefix(last)).unwrap_or(rest);
        matches!(rest, "ed" | "ing")
    };
    let is_stem = |name: &'a str| {
        let begins = |stem: &str| word.starts_with(stem) || participle.starts_with(stem);
        first(name, STEM).is_some_and(begins) || is_short(name) || is_separated(name)
    };
    names.split(|c: char| !c.is_alphanumeric()).find(|name| is_stem(name))
}

/// Whether a text asks to confirm: `Are you sure?`, `Click again to confirm`, `Type the name to confirm`.
pub fn asks_to_confirm(text: &str) -> bool {
    let text = normalized(text);
    CONFIRMATIONS.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// Whether a text is the code of an error and nothing else: `E-1043`, `ERR_4012`.
pub fn is_error_code(text: &str) -> bool {
    let text = normalized(text);
    let (letters, digits) = text.trim().split_at(text.trim().find(|c: char| c.is_ascii_digit()).unwrap_or_default());
    matches!(letters.trim_end_matches(['-', '_', ' ', '#']), "e" | "err" | "error" | "ec")
        && (2..=6).contains(&digits.len())
        && digits.chars().all(|c| c.is_ascii_digit())
}

/// Whether a text asks the user to do something before the request is carried out: `Choose a plan`.
pub fn asks_for_more(text: &str) -> bool {
    const ASKS: [&str; 9] = [
        "choose ",
        "select ",
        "pick ",
        "add your ",
        "add a ",
        "enter your ",
        "complete your ",
        "upgrade to ",
        "how do you want",
    ];
    let text = normalized(text);
    ASKS.iter().any(|begin| text.trim_start().starts_with(begin))
}

/// Whether a heading or a title names the object of the button: `Project 9` after `Create project`. The verb (`Create`)
/// does not count, and neither does the plural of the object, which is the heading of a list (`Projects`).
pub fn has_object(text: &str, names: &str) -> bool {
    const LETTERS: usize = 4;
    let text = normalized(text);
    let mut objects = names.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).skip(1);
    objects.any(|object| {
        object.chars().count() >= LETTERS && text.split(|c: char| !c.is_alphanumeric()).any(|word| word == object)
    })
}

/// Whether a text states a requirement. On the submitted form it is a validation error; on another page it is help
/// text.
pub fn is_instruction(text: &str) -> bool {
    let text = normalized(text);
    let instructs = ["must ", "is required", "are required", "please ", "bitte ", "veuillez"];
    instructs.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// Whether a text has words of a refusal: what a check or expectation says when the refusal is what is tested.
pub fn mentions_refusal(text: &str) -> bool {
    let text = without_courtesies(normalized(text));
    is_status_title(&text) || REFUSALS.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// Words of refusals in courtesies that refuse nothing: after an account was deleted, and where a search has no
/// results.
const COURTESIES: [&str; 5] = [
    "sorry to see you go",
    "sorry that you are leaving",
    "sorry, we couldn't find any results",
    "sorry, we could not find any results",
    "we couldn't find any results",
];

/// Lower case, with one kind of apostrophe.
pub fn normalized(text: &str) -> String {
    text.to_lowercase().replace(['’', '‘', '`'], "'")
}

/// Without the courtesies whose words would be taken for a refusal.
fn without_courtesies(text: String) -> String {
    COURTESIES
        .iter()
        .fold(text, |text, courtesy| if text.contains(courtesy) { text.replace(courtesy, "") } else { text })
}

/// Whether what was acted on has the phrase's word in its own name: after `Cancel`, `Lock` or `Error log` a text with
/// that word is what was asked for.
fn is_named(phrase: &str, name: &str) -> bool {
    if is_refusing(name) && (is_refusing(phrase) || NEGATED.contains(&phrase.trim())) {
        return true;
    }
    // `is blocked` after `Block`; but `already subscribed` after `Subscribe` and `not saved` after `Save` refuse.
    let phrase = ["has been ", "have been ", "been ", "is ", "are ", "was "]
        .iter()
        .find_map(|auxiliary| phrase.strip_prefix(auxiliary))
        .unwrap_or(phrase);
    // `account locked` after `Lock`.
    let (_, state) = phrase.trim_end().rsplit_once(' ').unwrap_or_default();
    const DENIES: [&str; 16] = [
        "not", "already", "cannot", "no", "nicht", "bereits", "schon", "kein", "keine", "pas", "déjà", "ya", "già",
        "non", "já", "niet",
    ];
    let is_denied = || phrase.split_whitespace().any(|word| DENIES.contains(&word));
    if is_participle(phrase.split_whitespace().next_back().unwrap_or_default(), name) && !is_denied() {
        return true;
    }
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= 4).any(|word| {
        phrase.starts_with(word) || word.starts_with(phrase.trim()) || state.starts_with(word) && !is_denied()
    })
}

/// Whether a word is the participle of an infinitive in the name: `gesperrt` of `Karte sperren`, `verrouillé` of
/// `Verrouiller`.
fn is_participle(word: &str, name: &str) -> bool {
    const INFINITIVES: [&str; 5] = ["en", "n", "er", "re", "r"];
    const ROOT: usize = 4;
    const ENDING: usize = 3;
    let participle = word.strip_prefix("ge").unwrap_or(word);
    name.split(|c: char| !c.is_alphanumeric()).any(|verb| {
        let roots = INFINITIVES.iter().filter_map(|ending| verb.strip_suffix(ending));
        roots
            .filter(|root| root.chars().count() >= ROOT)
            .any(|root| participle.strip_prefix(root).is_some_and(|ending| ending.chars().count() <= ENDING))
    })
}

/// Beginnings of words that state a refusal. If they are in the name of the target, the refusal was requested.
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
/// Fixed phrases for the result of a refusal.
const NEGATED: &[&str] = &["access denied", "request denied"];

/// Whether a text says that something is refused.
pub fn is_refusing(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| REFUSING.iter().any(|stem| word.starts_with(stem)))
}

fn states(text: &str, phrase: &str) -> bool {
    contains_word(text, phrase).any(|at| is_stated(text, phrase, at))
}

/// Whether the phrase at this place is stated: neither denied nor said as a warning.
fn is_stated(text: &str, phrase: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // `This cannot be undone` is said before something is done.
    let after = text[at + phrase.len()..].trim_start();
    let after = after.strip_prefix("be ").unwrap_or(after);
    let warns = ["undone", "reversed", "recovered", "restored"].iter().any(|word| after.starts_with(word));
    // `This cannot be changed later` is a hint beside a field that is still open.
    let mut words = after.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_of_change = |word: &str| matches!(word, "changed" | "edited" | "modified" | "renamed");
    let is_of_time = |word: &str| matches!(word, "later" | "afterwards" | "afterward" | "again" | "once" | "after");
    let is_hint = words.next().is_some_and(is_of_change) && words.next().is_some_and(is_of_time);
    !is_hint && !NEGATIONS.contains(&last) && !warns
}

/// Whether a text refuses with this phrase. A consequence of the requested action is no refusal:
/// `This document is locked and cannot be edited` after `Lock document`.
fn refuses(text: &str, phrase: &str, names: &str) -> bool {
    let follows = |at: usize| {
        let before = text[..at].trim_end().strip_suffix(" and")?;
        before.rsplit(|c: char| !c.is_alphanumeric()).next().map(|word| is_done_word(word, names))
    };
    // `Your error report was sent` after `Report a problem`: the word says what the report is about.
    let is_attribute = |at: usize| {
        let rest = text[at + phrase.len()..].strip_prefix(' ').unwrap_or_default();
        let next = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        stem_of(next, names).is_some() && SUCCESSES.iter().any(|success| states_done_phrase(rest, success))
    };
    !is_named(phrase, names)
        && contains_word(text, phrase)
            .any(|at| is_stated(text, phrase, at) && follows(at) != Some(true) && !is_attribute(at))
}

/// Where the phrase is in the text, from the beginning of a word.
fn contains_word<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase)
        .map(|(at, _)| at)
        .filter(move |at| !text[..*at].chars().next_back().is_some_and(char::is_alphanumeric))
}

/// A time of day, or an age.
pub fn is_clock(text: &str) -> bool {
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
mod tests;
