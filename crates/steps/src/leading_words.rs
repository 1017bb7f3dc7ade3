//! The words before a name on the page, and whether they make it the name of something else: `Copy of Project A` is not
//! `Project A`, and `Invoice INV-7` is `INV-7`.

use std::collections::HashSet;

use legwork_observe::{NodeIndex, Snapshot};

use crate::{
    additional_words::{is_one_of, words_of},
    ast::TargetPhrase,
    name_match::normalize_whitespace,
    roles::TABLES,
};

/// Words of names that only mention another thing, deny an action, or name what something was before.
const OTHER_THING: &str = "copy|copies|duplicate|clone|formerly|former|previously|replaces|replaced|undo|not|don|doesn|never|\
    kopie|kopien|duplikat|ehemals|vormals|früher|ersetzt|nicht|nie|copie|copies|anciennement|remplace|pas|jamais|\
    copia|copias|duplicado|anteriormente|antes|reemplaza|nunca|non|mai|sostituisce|precedentemente|\
    cópia|cópias|substitui|não|voorheen|vervangt|niet|nooit";
/// Words after which the name is a complement: `Credit note for INV-7`.
const COMPLEMENTS: &str = "of|for|von|vom|für|de|du|des|pour|del|para|per|di|da|do|van|voor";
/// Words that change nothing about what is named: articles, forms of address, currencies, and requests.
const HARMLESS: &str = "a|an|the|your|our|my|this|please|full|complete|yes|no|nr|number|id|page|\
    enter|type|choose|select|search|go|to|show|view|open|edit|see|add|\
    mr|mrs|ms|miss|dr|prof|sir|herr|herrn|frau|monsieur|madame|mme|mlle|m|señor|señora|sr|sra|signor|signora|sig|senhor|\
    senhora|dhr|mevr|usd|eur|gbp|chf|sek|nok|dkk|jpy|\
    der|die|das|ihr|ihre|bitte|ja|le|la|les|votre|oui|el|los|las|su|sí|il|lo|gli|i|tuo|sì|o|os|as|seu|sim|de|het|uw|seite";
/// Marks after which another part of a text begins: `Sales – Bob`. A hyphen within a word is none of them.
const PARTS: [char; 13] = ['–', '—', '-', '|', '·', '•', '/', ',', ';', '›', '>', '→', '.'];

/// The lower-case text before the first place of a name in a text in which it has a place of its own, if other words
/// stand before all of its places.
pub(crate) fn before_name(found: &str, name: &str) -> Option<String> {
    let found = normalize_whitespace(found).to_lowercase();
    let name = normalize_whitespace(name).to_lowercase();
    if name.is_empty() {
        return None;
    }
    let mut places = found.match_indices(&name).map(|(at, _)| at).filter(|at| {
        let before = found[..*at].chars().next_back();
        let after = found[at + name.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    });
    let at = places.next().filter(|at| !words_of(&found[..*at]).is_empty())?;
    Some(found[..at].to_owned())
}

/// Whether the words say that the name is mentioned by another thing (`Copy of`), or deny an action (`Do not`).
pub(crate) fn mentions_only(before: &str) -> bool {
    let words = words_of(before);
    let is_complement = before.ends_with(char::is_whitespace)
        && before.trim_end().ends_with(char::is_alphabetic)
        && words.len() > 1
        && words.last().is_some_and(|last| is_one_of(COMPLEMENTS, last));
    is_complement || words.iter().any(|word| is_one_of(OTHER_THING, word))
}

/// The words of the headings, columns and tables of a page, and of the words around a name in the sentence: what the
/// page calls its things.
pub(crate) fn nouns(page: &Snapshot, phrase: &TargetPhrase) -> HashSet<String> {
    let is_title =
        |at: &NodeIndex| page.has_role(*at, &["heading", "columnheader", "list"]) || page.has_role(*at, TABLES);
    let titles = (1..page.nodes.len()).filter(is_title).flat_map(|at| words_of(&page.nodes[at].name));
    let own = phrase.source_text.split('"').step_by(2).flat_map(words_of);
    titles.chain(words_of(&page.title)).chain(own).map(|word| stem(&word)).collect()
}

/// The word without the ending of a plural.
fn stem(word: &str) -> String {
    let endings = ["ies", "es", "en", "s", "n", "e", "y"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.chars().count() >= 3);
    stem.unwrap_or(word).to_owned()
}

/// Whether the words before a name leave it the same thing: they say of which kind it is (`Invoice INV-7` in a list of
/// invoices), stand before other names as well, or are another part of the text. `may_share` is false for a label
/// (`Deputy: Anna`) that is not what its entry is called by: such labels stand in all entries.
pub(crate) fn says_same(
    page: &Snapshot,
    at: NodeIndex,
    before: &str,
    nouns: &HashSet<String>,
    may_share: bool,
) -> bool {
    let end = before.trim_end();
    let is_word_of_kind = |word: &String| {
        word.chars().all(|c| c.is_numeric()) || is_one_of(HARMLESS, word) || nouns.contains(&stem(word))
    };
    let begins_part = end.ends_with(PARTS) && (end.len() < before.len() || !end.ends_with('-'));
    let is_shared = || {
        let role = page.role(at);
        let own = normalize_whitespace(&page.nodes[at].name).to_lowercase();
        page.nodes.iter().enumerate().any(|(other, node)| {
            other != at
                && *node.role == *role
                && node.name.len() > before.len()
                && normalize_whitespace(&node.name)
                    .to_lowercase()
                    .strip_prefix(before)
                    .is_some_and(|rest| !rest.is_empty() && normalize_whitespace(&node.name).to_lowercase() != own)
        })
    };
    begins_part || words_of(before).iter().all(is_word_of_kind) || may_share && is_shared()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_a_name_are_found_unless_it_begins_the_text() {
        assert_eq!(before_name("Copy of Project A", "project a").as_deref(), Some("copy of "));
        assert_eq!(before_name("Project A (copy)", "Project A"), None);
        assert_eq!(before_name("• Project A", "Project A"), None);
        assert_eq!(before_name("INV-17", "INV-1"), None);
        assert_eq!(before_name("Subtotal", "total"), None);
    }

    #[test]
    fn a_complement_and_a_denial_mention_another_thing() {
        for before in ["copy of ", "credit note for ", "do not ", "delta ag, formerly ", "kopie von ", "don't "] {
            assert!(mentions_only(before), "{before}");
        }
        for before in ["invoice ", "go to ", "mr. ", "your ", "search for – "] {
            assert!(!mentions_only(before), "{before}");
        }
    }
}
