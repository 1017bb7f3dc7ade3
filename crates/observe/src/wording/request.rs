//! How a text relates to the name of the pressed control: it is the requested state (`Clean` after `Mark clean`),
//! states that this was not done (`Unsent` after `Send`), or makes the result depend on something
//! (`Lodged as soon as the fee arrives`).

use std::sync::LazyLock;

use super::{denial::NEGATED_VERBS, has_denial, normalized, phrases, stem_of};

/// Words after which a text says on what the result depends.
static CONDITIONS: LazyLock<Vec<String>> = LazyLock::new(|| phrases(include_str!("conditional.txt")));

/// Whether a text makes what it states depend on something, or says that it comes later.
pub fn is_conditional(text: &str) -> bool {
    let text = words_of(&normalized(text)).collect::<Vec<_>>().join(" ");
    let text = format!(" {text} ");
    CONDITIONS.iter().any(|phrase| text.contains(&format!(" {} ", phrase.replace('\'', " "))))
}

/// Whether a text is the state that the name of a control ends with, or says that something is in this state: `Clean`
/// after `Mark clean`, `Invoice is void` after `Void`.
pub fn is_named_state(text: &str, names: &str) -> bool {
    const SHORTEST: usize = 3;
    let text = words_of(&normalized(text)).collect::<Vec<_>>().join(" ");
    let names = words_of(names).collect::<Vec<_>>().join(" ");
    // `Invoice is void`.
    let is_state = |text: &str| {
        const IS: [&str; 8] = ["is", "are", "ist", "sind", "est", "es", "è", "é"];
        text.rsplit_once(' ').is_some_and(|(rest, state)| {
            let is_stated = rest.rsplit(' ').next().is_some_and(|word| IS.contains(&word)) && !has_denial(text);
            is_stated && state.chars().count() > SHORTEST && names.rsplit(' ').next() == Some(state)
        })
    };
    let is_end = names.strip_suffix(text.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    text.chars().count() >= SHORTEST && is_end || is_state(&text)
}

/// Whether a text states of the requested action that it was not done: `Unsent` after `Send`, `Not published` after
/// `Publish`.
pub fn is_undone(text: &str, names: &str) -> bool {
    const STEM: usize = 3;
    let text = normalized(text);
    let words: Vec<&str> = words_of(&text).collect();
    let is_of_request = |word: &str| {
        let begin: String = word.chars().take(STEM).collect();
        begin.chars().count() == STEM && words_of(names).any(|name| name.starts_with(&begin))
    };
    let is_prefixed =
        |word: &&str| ["un", "non"].iter().any(|prefix| word.strip_prefix(prefix).is_some_and(is_of_request));
    let is_denied = |pair: &[&str]| {
        let denies = |word: &str| {
            matches!(word, "not" | "nicht" | "non" | "pas" | "no" | "niet" | "não") || NEGATED_VERBS.contains(&word)
        };
        // `Kunden sparades inte`.
        denies(pair[0]) && is_of_request(pair[1]) || NEGATED_VERBS.contains(&pair[1]) && is_of_request(pair[0])
    };
    !words_of(names).any(|name| words.contains(&name) && name.starts_with("un"))
        && (words.iter().any(is_prefixed) || words.windows(2).any(is_denied))
}

/// Whether a text states something that pages do by themselves (`Heating data synced`), and that the control is not
/// called by.
pub fn is_own_update(text: &str, names: &str) -> bool {
    const UPDATES: [&str; 10] = [
        "synced",
        "synchronized",
        "synchronised",
        "refreshed",
        "loaded",
        "reloaded",
        "connected",
        "reconnected",
        "synchronisiert",
        "sincronizzat",
    ];
    let text = normalized(text);
    let is_update =
        |word: &str| UPDATES.iter().any(|update| word.starts_with(update)) && stem_of(word, names).is_none();
    words_of(&text).any(is_update)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{is_conditional, is_named_state, is_own_update, is_undone};

    #[test]
    fn a_condition_is_a_whole_phrase_in_any_language() {
        for text in [
            "The application is lodged as soon as the plan is attached.",
            "It goes to the office after you sign it.",
            "Wird verschickt, sobald die Zahlung da ist",
            "Envoyé dès que le paiement est reçu",
            "Sarà inviato non appena arriva il pagamento",
            "Jusqu’à demain",
        ] {
            assert!(is_conditional(text), "{text}");
        }
        for text in ["The application was lodged.", "Whenever", "Bisher 3 Anträge", "Hereafter"] {
            assert!(!is_conditional(text), "{text}");
        }
    }

    #[test]
    fn a_state_can_be_the_end_of_the_name() {
        for (text, names) in
            [("Clean", "mark clean"), ("Sold out", "mark as sold out"), ("Void", "void"), ("Ready", "set ready")]
        {
            assert!(is_named_state(text, names), "{text} after {names}");
        }
        for (text, names) in
            [("Mark", "mark clean"), ("Dirty", "mark clean"), ("an", "mark clean"), ("lean", "mark clean")]
        {
            assert!(!is_named_state(text, names), "{text} after {names}");
        }
    }

    #[test]
    fn a_negated_form_of_the_action_states_that_it_was_not_done() {
        for (text, names) in
            [("Please call back Unsent", "send message"), ("Not published", "publish"), ("Non inviato", "invia")]
        {
            assert!(is_undone(text, names), "{text} after {names}");
        }
        for (text, names) in
            [("Sent", "send message"), ("Unpublished", "unpublish"), ("Unit 3", "send"), ("Under way", "send")]
        {
            assert!(!is_undone(text, names), "{text} after {names}");
        }
    }

    #[test]
    fn what_pages_do_by_themselves_is_no_result_unless_it_was_asked_for() {
        assert!(is_own_update("Heating data synced", "accept"));
        assert!(!is_own_update("Heating data synced", "sync now"));
        assert!(!is_own_update("Saved", "accept"));
    }
}
