//! The words of a control's name that the name in a sentence does not contain, and what they mean: whether the control
//! concerns more than the sentence says.

use crate::name_match::NameMatcher;

/// Words for everything. A control with such a word concerns more items than one without it.
pub(crate) const EVERYTHING: &str = "all|every|everything|everywhere|entire|alle|alles|sämtliche|tout|toute|tous|toutes|todo|toda|todos|todas|tudo|tutto|tutta|tutti|tutte";
/// If one of these words follows, the control does the same by another method.
pub(crate) const METHODS: &str = "as|with|without|by|als|mit|ohne";
/// Words of controls whose effect usually cannot be undone.
pub(crate) const DELETIONS: &str = "delete|deletes|remove|removes|erase|discard|destroy|wipe|purge|clear|empty|reset|revoke|terminate|löschen|lösche|entfernen|verwerfen|leeren|supprimer|effacer|vider|eliminar|borrar|suprimir|vaciar|elimina|eliminare|cancella|svuota|excluir|apagar|remover|limpar|verwijderen|verwijder|wissen|leegmaken";

pub(crate) fn is_one_of(words: &str, word: &str) -> bool {
    words.split('|').any(|one| one == word)
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The words of a control's name that the sentence does not contain, if the sentence contains only a part of the name.
pub(crate) fn additional_words(found: &str, name: &str) -> Option<Vec<String>> {
    if NameMatcher::new(name).is(found) {
        return None;
    }
    let mut rest = words_of(found);
    for word in words_of(name) {
        rest.remove(rest.iter().position(|other| *other == word)?);
    }
    Some(rest)
}

/// Whether a control deletes everything, and the name in the sentence does not say so: `Yes, delete all` for `Delete`.
pub(crate) fn deletes_more(found: &str, name: &str) -> bool {
    additional_words(found, name).is_some_and(|rest| {
        rest.iter().any(|word| is_one_of(EVERYTHING, word))
            && words_of(found).iter().any(|word| is_one_of(DELETIONS, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_that_deletes_everything_needs_its_whole_name() {
        for found in ["Yes, delete all", "Delete all", "Delete all invoices", "Delete (all)"] {
            assert!(deletes_more(found, "Delete"), "{found}");
        }
        assert!(deletes_more("Alle löschen", "Löschen"));
        for (found, name) in [
            ("Delete all", "delete all"),
            ("Delete all", "Delete all!"),
            ("Delete account", "Delete"),
            ("Archive all", "Archive"),
            ("Deleted items of all users", "Users of all deleted items"),
        ] {
            assert!(!deletes_more(found, name), "{found} for {name}");
        }
    }
}
