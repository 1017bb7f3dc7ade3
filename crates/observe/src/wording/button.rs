//! What a button does by its name: it saves, creates, leaves a question, leads on, or shows something.

use std::sync::LazyLock;

use super::{SUCCESSES, is_done_word, normalized, phrases};

/// First words of buttons which leave a question without doing what it asks about.
static LEAVING: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("leaving.txt")));

/// First words of buttons which save or send what was put in.
static SAVING: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("saving.txt")));

/// First words of buttons which create a record.
static CREATING: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("creating.txt")));

/// First words of buttons which ask for another page.
static PAGES: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("pages.txt")));

/// First words of buttons which show or hide something.
static SHOWING: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("showing.txt")));

/// Beginnings of the names of controls that end the session, in lower case.
pub const LOG_OUT: [&str; 14] = [
    "log out",
    "logout",
    "log-out",
    "sign out",
    "signout",
    "sign-out",
    "abmelden",
    "ausloggen",
    "déconnexion",
    "se déconnecter",
    "cerrar sesión",
    "esci",
    "sair",
    "uitloggen",
];

/// Whether a control with this name, in lower case, ends the session on this device. `Sign out there` ends another one.
pub fn logs_out(name: &str) -> bool {
    let name = name.trim();
    LOG_OUT.iter().any(|words| name.starts_with(words)) && !name.ends_with(" there") && !name.contains(" other ")
}

/// Whether what was pressed may well end the session.
pub fn ends_session(names: &str) -> bool {
    const ENDS: [&str; 9] =
        ["log", "sign", "account", "password", "session", "device", "leave", "deactivate", "switch"];
    names.split(|c: char| !c.is_alphanumeric()).any(|word| ENDS.iter().any(|begin| word.starts_with(begin)))
}

/// Whether a button of that name takes back what was put in: `Reset`, `Cancel`, `Discard changes`.
pub fn takes_back(name: &str) -> bool {
    const TAKES_BACK: [&str; 12] = [
        "reset",
        "cancel",
        "discard",
        "undo",
        "revert",
        "restore",
        "clear",
        "zurücksetzen",
        "verwerfen",
        "abbrechen",
        "annuler",
        "cancelar",
    ];
    let name = normalized(name);
    TAKES_BACK.iter().any(|word| name.trim_start().starts_with(word))
}

/// Whether a button of that name takes its entry away: `Delete`, `Archive`, `Remove Acme`.
pub fn takes_away(name: &str) -> bool {
    const TAKES_AWAY: [&str; 22] = [
        "delete",
        "remove",
        "archive",
        "discard",
        "trash",
        "löschen",
        "entfernen",
        "archivieren",
        "supprimer",
        "retirer",
        "archiver",
        "eliminar",
        "borrar",
        "archivar",
        "elimina",
        "rimuovi",
        "archivia",
        "excluir",
        "remover",
        "arquivar",
        "verwijderen",
        "archiveren",
    ];
    first_word(&normalized(name)).is_some_and(|first| TAKES_AWAY.contains(&first))
}

/// Whether what was pressed examines something: what it finds wrong is its result, not a refusal.
pub fn is_examination(names: &str) -> bool {
    const EXAMINES: [&str; 14] = [
        "validate",
        "lint",
        "scan",
        "diagnose",
        "audit",
        "analyse",
        "analyze",
        "test connection",
        "run test",
        "run all test",
        "run check",
        "run diagnos",
        "check connection",
        "health check",
    ];
    EXAMINES.iter().any(|words| names.starts_with(words))
}

/// Whether a button of that name leaves a question without doing what it asks about: `Cancel`, `No, keep it`.
pub fn leaves(name: &str) -> bool {
    begins_with(name, &LEAVING)
}

/// Whether a button of that name saves or sends what was put in: `Save changes`, `Apply`.
pub fn saves(name: &str) -> bool {
    begins_with(name, &SAVING)
}

/// Whether a button of that name creates a record: `Add contact`, `Create project`.
pub fn creates(name: &str) -> bool {
    begins_with(name, &CREATING)
}

/// Whether a button of that name ends what is being filled in: `Finish`, `Submit order`.
pub fn ends_form(name: &str) -> bool {
    const ENDS: [&str; 16] = [
        "finish",
        "submit",
        "complete",
        "done",
        "confirm",
        "send",
        "pay",
        "fertig",
        "abschließen",
        "absenden",
        "senden",
        "terminer",
        "envoyer",
        "finalizar",
        "enviar",
        "invia",
    ];
    first_word(&normalized(name)).is_some_and(|first| ENDS.contains(&first))
}

/// Whether a link of that name leads on in what is being filled in: `Next`, `Continue`.
pub fn leads_on(name: &str) -> bool {
    const LEADS_ON: [&str; 10] = [
        "next",
        "continue",
        "proceed",
        "forward",
        "weiter",
        "fortfahren",
        "suivant",
        "continuer",
        "siguiente",
        "avanti",
    ];
    // `Next page` leads through a list.
    let name = normalized(name);
    first_word(&name).is_some_and(|first| LEADS_ON.contains(&first))
        && !name.contains("page")
        && !name.contains("seite")
}

/// Whether a button of that name asks for another page and for no change: `Next`, `Search`, `Open`. `Cancel` leaves a
/// form, but `Cancel subscription` and `Close account` are changes.
pub fn asks_for_page(names: &str) -> bool {
    const ENDS: [&str; 6] = ["cancel", "close", "abbrechen", "annuler", "annulla", "chiudi"];
    let ends = first_word(&normalized(names)).is_some_and(|first| ENDS.contains(&first));
    let has_object = || names.split_whitespace().count() > 1;
    leads_on(names) || begins_with(names, &PAGES) && !(ends && has_object())
}

/// Whether a name is a command that changes something (`Delete`, `Publish page`) and no place (`Dashboard`, `Orders`).
pub fn is_command(name: &str) -> bool {
    let name = normalized(name);
    let Some(first) = first_word(&name) else { return false };
    let is_of_result = |phrase: &String| phrase.split(' ').any(|word| is_done_word(word, first));
    // A plural or a noun: `Orders`, `Bestellungen`.
    let is_noun = ["s", "ung", "ungen", "tion"].iter().any(|end| first.ends_with(end));
    takes_away(&name)
        || takes_back(&name)
        || saves(&name)
        || creates(&name)
        || ends_form(&name)
        || !is_noun && SUCCESSES.iter().any(is_of_result)
}

/// Whether a button of that name shows or hides something: `Show replies`, `View post`, `Antworten anzeigen`.
pub fn shows(name: &str) -> bool {
    let name = normalized(name);
    let last = name.split_whitespace().next_back();
    begins_with(&name, &SHOWING) || last.is_some_and(|last| ["anzeigen", "ansehen", "öffnen", "lesen"].contains(&last))
}

fn begins_with(name: &str, words: &[String]) -> bool {
    first_word(&normalized(name)).is_some_and(|first| words.iter().any(|word| word == first))
}

pub(super) fn first_word(name: &str) -> Option<&str> {
    name.split(|c: char| c.is_whitespace() || c == ',').find(|word| !word.is_empty())
}
