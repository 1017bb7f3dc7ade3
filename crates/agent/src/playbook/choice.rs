//! Whether the words of a step leave a choice, so that what a model did in one row of a loop may be wrong in another one:
//! `approve the order if it is below 100`, or `review the order` beside the buttons `Approve` and `Reject`. A recorded
//! action does not contain its reason, so it is repeated in later rows only if the instruction allows no other target.

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, TargetKind, placeholders};

use super::LivePage;

/// Words of conditions, comparisons and exceptions, in lower case.
const CONDITIONS: &[&str] = &[
    // English
    "if",
    "unless",
    "when",
    "whether",
    "otherwise",
    "else",
    "or",
    "either",
    "except",
    "only",
    "depending",
    "depends",
    "according",
    "accordingly",
    "appropriate",
    "appropriately",
    "suitable",
    "needed",
    "necessary",
    "required",
    "possible",
    "applicable",
    "that",
    "which",
    "whose",
    "where",
    "who",
    "while",
    "without",
    "not",
    "no",
    "never",
    "less",
    "more",
    "fewer",
    "under",
    "below",
    "over",
    "above",
    "between",
    "than",
    "least",
    "most",
    "exceeds",
    "exceeding",
    "decide",
    "choose",
    "judge",
    "best",
    // German
    "wenn",
    "falls",
    "sofern",
    "außer",
    "ob",
    "sonst",
    "andernfalls",
    "oder",
    "entweder",
    "nur",
    "je",
    "nachdem",
    "passend",
    "passende",
    "passenden",
    "entsprechend",
    "nötig",
    "nicht",
    "kein",
    "keine",
    "ohne",
    "deren",
    "dessen",
    "unter",
    "über",
    "weniger",
    "mehr",
    "mindestens",
    "höchstens",
    "als",
    "entscheide",
    "wähle",
    // French
    "si",
    "sauf",
    "sinon",
    "ou",
    "soit",
    "selon",
    "lorsque",
    "quand",
    "seulement",
    "qui",
    "que",
    "dont",
    "sans",
    "pas",
    "moins",
    "plus",
    "sous",
    "approprié",
    "nécessaire",
    "décide",
    "choisis",
    // Spanish and Portuguese
    "o",
    "sino",
    "según",
    "solo",
    "sólo",
    "cuando",
    "cuyo",
    "sin",
    "menos",
    "más",
    "se",
    "senão",
    "caso",
    "quando",
    "apenas",
    "cujo",
    "sem",
    "não",
    "mais",
    "conforme",
    "salvo",
    "excepto",
    "exceto",
    // Italian
    "oppure",
    "altrimenti",
    "secondo",
    "tranne",
    "senza",
    "non",
    "meno",
    "più",
    "cui",
    "che",
    // Dutch, without "of" (or), which is frequent in English
    "indien",
    "tenzij",
    "anders",
    "alleen",
    "behalve",
    "niet",
    "geen",
    "zonder",
    "waarvan",
    "minder",
    "meer",
    "onder",
    "boven",
];
/// Words with fewer letters are compared whole, longer ones by their beginning: `approve` and `approved`.
const STEM: usize = 4;

/// Whether the instruction of a step contains a condition, so that another row may need something else. What a placeholder stands
/// for belongs to the row and is no condition.
pub(super) fn is_conditional(instruction: &str) -> bool {
    let own = without_placeholders(instruction);
    own.contains(['<', '>', '≤', '≥', '=']) || words(&own).iter().any(|word| CONDITIONS.contains(&word.as_str()))
}

/// The name of another element that the instruction may mean instead of the target of an action on this page. `None` if the
/// action has no element, or nothing else can be meant.
pub(crate) fn alternative(instruction: &str, action: &Action, live: LivePage<'_>) -> Option<String> {
    let page = live.page;
    let TargetKind::Ref(reference) = action.target()?.kind() else { return None };
    let target = page.find_ref(reference)?;
    let row = live.row.filter(|row| *row < page.nodes.len() && page.below(*row).contains(&target));
    let own = &page.nodes[target].name;
    let is_other = |at: &NodeIndex| {
        let other = &page.nodes[*at];
        other.role == page.nodes[target].role
            && other.reference.is_some()
            && !other.states.unseen()
            && !other.states.disabled()
            && wording::normalized(other.name.trim()) != wording::normalized(own.trim())
            // In a row, `Cancel` cancels what the row is about.
            && (row.is_some() || !wording::leaves(&other.name) && !wording::takes_back(&other.name))
    };
    let others: Vec<&str> =
        surroundings(page, row, target).filter(is_other).map(|at| page.nodes[at].name.as_ref()).collect();
    let instruction = words(instruction);
    let named = others.iter().find(|name| shares_word(name, &instruction));
    let meant = match shares_word(own, &instruction) {
        true => named,
        false => named.or(others.first()),
    };
    meant.map(|name| (*name).to_owned())
}

/// The nodes among which the instruction means one: those of the row, or of the part of the page around the element.
fn surroundings(page: &Snapshot, row: Option<NodeIndex>, target: NodeIndex) -> std::ops::Range<NodeIndex> {
    const PARTS: [&str; 8] = ["dialog", "alertdialog", "form", "region", "group", "radiogroup", "tabpanel", "menu"];
    match row.or_else(|| page.enclosing(target, &PARTS)) {
        Some(part) => page.below(part),
        None => 0..page.nodes.len(),
    }
}

/// Whether a name and an instruction have a word in common.
fn shares_word(name: &str, instruction: &[String]) -> bool {
    words(name).iter().any(|own| instruction.iter().any(|word| is_same_word(own, word)))
}

fn is_same_word(a: &str, b: &str) -> bool {
    let stem = |word: &str| word.chars().take(STEM).collect::<String>();
    match a.chars().count().min(b.chars().count()) < STEM {
        true => a == b,
        false => stem(a) == stem(b),
    }
}

fn words(text: &str) -> Vec<String> {
    let text = wording::normalized(text);
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Whether the words of an instruction contain a word of a text. What a placeholder stands for does not count.
pub(super) fn names_word_of(instruction: &str, text: &str) -> bool {
    shares_word(text, &words(&without_placeholders(instruction)))
}

fn without_placeholders(instruction: &str) -> String {
    placeholders(instruction).fold(instruction.to_owned(), |text, name| text.replace(&format!("${{{name}}}"), " "))
}

/// Whether a text occurs in an instruction as whole words.
pub(super) fn names_text(instruction: &str, text: &str) -> bool {
    let (instruction, text) = (words(instruction), words(text));
    !text.is_empty() && instruction.windows(text.len()).any(|part| part == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_in_the_words_is_recognized_and_a_placeholder_is_none() {
        for conditional in [
            "Approve the order if it is below 100",
            "approve or reject it",
            "Genehmige die Bestellung, wenn sie klein ist",
            "Approuve la commande si elle est petite",
            "approve amounts < 100",
            "Ship orders that are paid",
        ] {
            assert!(is_conditional(conditional), "{conditional}");
        }
        assert!(!is_conditional("send the goods of ${row.If or when} on their way"));
        assert!(!is_conditional("Archive the order and write \"done\" into the note"));
    }

    #[test]
    fn a_text_is_named_only_as_whole_words() {
        assert!(names_text("set the quantity to 3", "3"));
        assert!(names_text("Write \"all done\" into the note", "All done"));
        assert!(!names_text("give a rebate of 10 %", "1"));
        assert!(!names_text("give a rebate", ""));
    }
}
