//! What a message says in words: a refusal, a success, or neither. Lists of phrases, because pages that answer 200 to
//! everything say it in no other way. Six languages; a page in another one is judged by status, roles and fields alone.
//!
//! Two strengths: in a message (an alert, a status, a text styled as an error) any phrase counts; in an ordinary text of the
//! page only one that is hardly ever used but to a person whose action failed.

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Refusal,
    Success,
    Unclear,
}

/// Phrases of refusals anywhere. Matched from the beginning of a word, to any end of it: `incorrect` has `incorrectly`.
const REFUSALS: &[&str] = &[
    // English
    "failed",
    "failure",
    "fail to",
    "error",
    "invalid",
    "incorrect",
    "wrong",
    "mistake",
    "not valid",
    "not found",
    "not allowed",
    "not permitted",
    "not available",
    "not authorized",
    "not authorised",
    "not accepted",
    "not recognized",
    "not recognised",
    "not saved",
    "not sent",
    "not placed",
    "not been",
    "not be ",
    "not deleted",
    "not created",
    "not updated",
    "not added",
    "not removed",
    "not complete",
    "not match",
    "not exist",
    "not enough",
    "not correct",
    "not logged in",
    "not signed in",
    "not supported",
    "not submitted",
    "not processed",
    "not have permission",
    "not have access",
    "not possible",
    "was not",
    "were not",
    "is not a",
    "are not a",
    "unavailable",
    "unauthorized",
    "unauthorised",
    "unknown user",
    "unknown account",
    "denied",
    "forbidden",
    "refused",
    "rejected",
    "declined",
    "expired",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "can not",
    "unable to",
    "isn't",
    "wasn't",
    "weren't",
    "didn't",
    "doesn't",
    "don't match",
    "won't",
    "haven't",
    "hasn't",
    "did not",
    "does not",
    "no such",
    "already taken",
    "already exist",
    "already in use",
    "already used",
    "already registered",
    "already been",
    "is taken",
    "is required",
    "are required",
    "required field",
    "is mandatory",
    "must be",
    "must contain",
    "must have",
    "must not",
    "must include",
    "must start",
    "must match",
    "must enter",
    "must select",
    "must accept",
    "must agree",
    "can only",
    "only be",
    "please enter",
    "please select",
    "please choose",
    "please fill",
    "please provide",
    "please correct",
    "please check",
    "please complete",
    "please try",
    "please log in",
    "please sign in",
    "please verify",
    "please accept",
    "please fix",
    "try again",
    "too short",
    "too long",
    "too many",
    "too large",
    "too big",
    "too weak",
    "too small",
    "too early",
    "too late",
    "too low",
    "too high",
    "went wrong",
    "oops",
    "sorry",
    "unfortunately",
    "locked",
    "suspended",
    "deactivated",
    "banned",
    "out of stock",
    "sold out",
    "insufficient",
    "exceed",
    "limit reached",
    "rate limit",
    "timed out",
    "time out",
    "timeout",
    "a problem",
    "problems",
    "offline",
    "conflict",
    "unexpected",
    "bad request",
    "server error",
    "service unavailable",
    "bad gateway",
    "captcha",
    "not a robot",
    "are human",
    "unsaved",
    "rolled back",
    "reverted",
    "missing",
    "mismatch",
    "no permission",
    "not yet",
    "rejects",
    "blocked",
    "maintenance",
    "nothing was",
    "no changes",
    "try later",
    "log in again",
    "sign in again",
    "session has ended",
    // German
    "fehler",
    "fehlgeschlagen",
    "ungültig",
    "falsch",
    "nicht ",
    "konnte",
    "leider",
    "verweigert",
    "abgelehnt",
    "abgelaufen",
    "gesperrt",
    "pflichtfeld",
    "erforderlich",
    "bitte geben",
    "bitte wählen",
    "bitte füllen",
    "bitte versuchen",
    "bitte prüfen",
    "erneut versuchen",
    "muss ",
    "müssen",
    "zu kurz",
    "zu lang",
    "zu viele",
    "bereits vergeben",
    "existiert bereits",
    "kein gültige",
    "keine gültige",
    "unbekannt",
    "ausverkauft",
    // French
    "erreur",
    "échec",
    "échoué",
    "invalide",
    "incorrecte",
    "n'a pas",
    "n'est pas",
    "ne peut",
    "n'existe",
    "impossible",
    "refusé",
    "expiré",
    "verrouillé",
    "obligatoire",
    "veuillez",
    "réessayer",
    "désolé",
    "trop court",
    "trop long",
    "introuvable",
    "interdit",
    "déjà utilisé",
    // Spanish
    "inválid",
    "incorrect",
    "equivocad",
    "no se pudo",
    "no se ha",
    "no es válid",
    "no existe",
    "no encontrad",
    "no ha sido",
    "fallid",
    "falló",
    "denegad",
    "rechazad",
    "expirad",
    "caducad",
    "bloquead",
    "obligatori",
    "por favor introdu",
    "por favor ingres",
    "inténtelo",
    "inténtalo",
    "intente de nuevo",
    "lo sentimos",
    "demasiado",
    "debe ser",
    "ya existe",
    "ya está",
    // Italian
    "errore",
    "errat",
    "non valid",
    "non è",
    "non trovat",
    "non riuscit",
    "non esiste",
    "impossibile",
    "fallit",
    "negat",
    "rifiutat",
    "scadut",
    "bloccat",
    "riprova",
    "spiacent",
    "troppo",
    "deve essere",
    "già in uso",
    "già esist",
    // Portuguese, Dutch
    "erro ",
    "não foi",
    "não é",
    "não encontrad",
    "não existe",
    "falhou",
    "senha incorreta",
    "negado",
    "tente novamente",
    "desculpe",
    "deve ser",
    "já existe",
    "mislukt",
    "ongeldig",
    "onjuist",
    "niet gevonden",
    "kon niet",
    "kan niet",
    "geweigerd",
    "verlopen",
    "verplicht",
    "probeer",
];

/// Phrases that are said to a person whose action failed, and hardly ever otherwise.
const ADDRESSED: &[&str] = &[
    "login failed",
    "log in failed",
    "log-in failed",
    "sign in failed",
    "sign-in failed",
    "signin failed",
    "authentication failed",
    "failed to",
    "has failed",
    "failed.",
    "failed!",
    "failed:",
    "failed,",
    "an error",
    "error:",
    "error.",
    "error!",
    "server error",
    "unknown error",
    "network error",
    "invalid ",
    "incorrect ",
    "is invalid",
    "is incorrect",
    "is wrong",
    "are wrong",
    "are incorrect",
    "are invalid",
    "wrong password",
    "wrong user",
    "wrong email",
    "wrong e-mail",
    "wrong pin",
    "wrong code",
    "wrong credentials",
    "wrong login",
    "wrong combination",
    "not valid",
    "page not found",
    "was not found",
    "not be found",
    "could not",
    "couldn't",
    "cannot be",
    "can't be",
    "can not be",
    "unable to",
    "was not",
    "were not",
    "has not been",
    "have not been",
    "not saved",
    "not sent",
    "not placed",
    "not deleted",
    "not created",
    "not updated",
    "not added",
    "not accepted",
    "not recognized",
    "not recognised",
    "not allowed",
    "not permitted",
    "not authorized",
    "not authorised",
    "do not match",
    "does not match",
    "don't match",
    "doesn't match",
    "does not exist",
    "doesn't exist",
    "no such user",
    "no such account",
    "unknown user",
    "unknown account",
    "access denied",
    "permission denied",
    "request denied",
    "forbidden",
    "unauthorized",
    "was declined",
    "was rejected",
    "was refused",
    "has been declined",
    "has been rejected",
    "card declined",
    "payment declined",
    "has expired",
    "have expired",
    "session expired",
    "is expired",
    "password expired",
    "is locked",
    "been locked",
    "account locked",
    "is suspended",
    "been suspended",
    "is disabled",
    "been disabled",
    "is blocked",
    "been blocked",
    "is required",
    "are required",
    "cannot be empty",
    "can't be blank",
    "must be",
    "must contain",
    "must have",
    "must not be",
    "must include",
    "must enter",
    "must select",
    "must accept",
    "must agree",
    "please enter a valid",
    "please enter your",
    "please enter a",
    "please enter the",
    "please select a",
    "please choose a",
    "please fill",
    "please provide",
    "please correct",
    "please try",
    "please fix",
    "try again",
    "is too short",
    "is too long",
    "too many attempts",
    "too many requests",
    "too many failed",
    "already taken",
    "already exists",
    "already in use",
    "already registered",
    "is taken",
    "something went wrong",
    "went wrong",
    "oops",
    "sorry,",
    "we're sorry",
    "we are sorry",
    "unfortunately",
    "out of stock",
    "sold out",
    "insufficient",
    "limit reached",
    "limit exceeded",
    "timed out",
    "verify you are human",
    "verify that you are",
    "not a robot",
    "changes were reverted",
    "rolled back",
    "no longer available",
    "service unavailable",
    "bad gateway",
    "bad request",
    // German
    "anmeldung fehlgeschlagen",
    "fehlgeschlagen",
    "fehler:",
    "ein fehler",
    "ungültige",
    "ist ungültig",
    "ist falsch",
    "falsches passwort",
    "konnte nicht",
    "konnten nicht",
    "wurde nicht",
    "wurden nicht",
    "nicht gefunden",
    "leider",
    "zugriff verweigert",
    "ist gesperrt",
    "ist abgelaufen",
    "pflichtfeld",
    "ist erforderlich",
    "bitte geben sie",
    "bitte wählen sie",
    "bitte füllen",
    "bitte versuchen",
    "erneut versuchen",
    "bereits vergeben",
    "existiert bereits",
    "stimmt nicht",
    "stimmen nicht",
    // French, Spanish, Italian
    "une erreur",
    "erreur :",
    "mot de passe incorrect",
    "identifiants incorrect",
    "n'a pas pu",
    "n'a pas été",
    "n'existe pas",
    "est obligatoire",
    "est invalide",
    "veuillez réessayer",
    "page introuvable",
    "accès refusé",
    "échec de",
    "un error",
    "error:",
    "contraseña incorrecta",
    "credenciales inválid",
    "no se pudo",
    "no se ha podido",
    "no es válid",
    "no existe",
    "acceso denegado",
    "es obligatori",
    "inténtelo de nuevo",
    "inténtalo de nuevo",
    "lo sentimos",
    "un errore",
    "password errata",
    "credenziali non valide",
    "non è valid",
    "non è stato possibile",
    "impossibile ",
    "accesso negato",
    "riprova",
];

/// Beginnings of words that state a success.
const SUCCESSES: &[&str] = &[
    // English
    "success",
    "saved",
    "created",
    "added",
    "updated",
    "deleted",
    "removed",
    "sent",
    "submitted",
    "placed",
    "confirmed",
    "complete",
    "done",
    "thank",
    "welcome",
    "congratulations",
    "signed in",
    "logged in",
    "logged out",
    "signed out",
    "published",
    "uploaded",
    "downloaded",
    "copied",
    "booked",
    "registered",
    "accepted",
    "approved",
    "enabled",
    "activated",
    "subscribed",
    "unsubscribed",
    "paid",
    "restored",
    "scheduled",
    "imported",
    "exported",
    "moved",
    "renamed",
    "archived",
    "ordered",
    "received",
    "joined",
    "invited",
    "applied",
    "started",
    "changed",
    "ready",
    "undo",
    "great",
    "all set",
    "finished",
    "verified",
    "reserved",
    "posted",
    "connected",
    "installed",
    "assigned",
    "closed",
    "opened",
    "reset",
    "marked",
    "pinned",
    "liked",
    "followed",
    "shared",
    "on its way",
    "hello",
    "good morning",
    "good afternoon",
    "good evening",
    "is now",
    "are now",
    "available",
    "found",
    "selected",
    "loaded",
    // German
    "erfolg",
    "gespeichert",
    "angelegt",
    "hinzugefügt",
    "aktualisiert",
    "gelöscht",
    "gesendet",
    "danke",
    "willkommen",
    "abgeschlossen",
    "bestätigt",
    "erstellt",
    "geändert",
    "angemeldet",
    "abgemeldet",
    "entfernt",
    "bestellt",
    "fertig",
    "hallo",
    // French
    "succès",
    "enregistré",
    "créé",
    "ajouté",
    "envoyé",
    "supprimé",
    "merci",
    "bienvenue",
    "confirmé",
    "mis à jour",
    "mise à jour",
    "modifié",
    "terminé",
    "bonjour",
    // Spanish
    "éxito",
    "guardad",
    "cread",
    "añadid",
    "agregad",
    "enviad",
    "eliminad",
    "gracias",
    "bienvenid",
    "confirmad",
    "actualizad",
    "completad",
    "hola",
    // Italian
    "salvat",
    "creat",
    "aggiunt",
    "inviat",
    "eliminat",
    "grazie",
    "benvenut",
    "confermat",
    "aggiornat",
    "completat",
    "ciao",
    // Portuguese, Dutch
    "sucesso",
    "salvo",
    "criad",
    "adicionad",
    "excluíd",
    "obrigad",
    "bem-vind",
    "opgeslagen",
    "gelukt",
    "toegevoegd",
    "verzonden",
    "verwijderd",
    "bedankt",
    "welkom",
];

/// Before one of these words a phrase of refusal says the opposite: `no errors`, `0 failed`.
const NEGATIONS: &[&str] = &[
    "no", "0", "zero", "without", "never", "keine", "ohne", "aucune", "sans", "sin", "senza", "nessun", "sem", "geen",
    "fix", "fixed", "solved", "resolved",
];

/// What a message says: an alert, a status, a text styled as an error. `ignored` are phrases that say nothing here, because
/// what was acted on is called so.
pub(super) fn tone(text: &str, ignored: &str) -> Tone {
    let text = normalized(text);
    if REFUSALS.iter().any(|phrase| !is_named(phrase, ignored) && states(&text, phrase)) {
        return Tone::Refusal;
    }
    if SUCCESSES.iter().any(|phrase| contains_word(&text, phrase).next().is_some()) {
        return Tone::Success;
    }
    Tone::Unclear
}

/// Whether an ordinary text tells a person that their action failed.
pub(super) fn is_addressed_refusal(text: &str, ignored: &str) -> bool {
    let text = normalized(text);
    ADDRESSED.iter().any(|phrase| !is_named(phrase, ignored) && states(&text, phrase)) || is_status_title(&text)
}

/// Whether a text says what is to be done or has to be so: on the form that was just sent it is a complaint, on a page that was
/// led to it is likely to be help.
pub(super) fn is_instruction(text: &str) -> bool {
    let text = normalized(text);
    let instructs = ["must ", "is required", "are required", "please ", "bitte ", "veuillez"];
    instructs.iter().any(|phrase| contains_word(&text, phrase).next().is_some())
}

/// Whether a text has words of a refusal: what a check or expectation says when the refusal is what is tested.
pub(super) fn mentions_refusal(text: &str) -> bool {
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

/// Lower case, with one kind of apostrophe.
pub(super) fn normalized(text: &str) -> String {
    text.to_lowercase().replace(['’', '‘', '`'], "'")
}

/// Whether what was acted on has the phrase's word in its own name: after `Cancel`, `Lock` or `Error log` a text with that word
/// is what was asked for.
fn is_named(phrase: &str, name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4)
        .any(|word| phrase.starts_with(word) || word.starts_with(phrase.trim()))
}

fn states(text: &str, phrase: &str) -> bool {
    contains_word(text, phrase).any(|at| {
        let before = text[..at].trim_end();
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        !NEGATIONS.contains(&last)
    })
}

/// Where the phrase is in the text, from the beginning of a word.
fn contains_word<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase)
        .map(|(at, _)| at)
        .filter(move |at| !text[..*at].chars().next_back().is_some_and(char::is_alphanumeric))
}

/// A time of day, or an age.
pub(super) fn is_clock(text: &str) -> bool {
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
        ] {
            assert!(is_addressed_refusal(refusal, ""), "{refusal}");
        }
        for plain in [
            "Why startups fail",
            "Failed logins: 3",
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
