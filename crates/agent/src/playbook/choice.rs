//! Whether the words of a step leave a choice, so that what a model did in one row of a loop may be wrong in another
//! one: `approve the order if it is below 100`, or `review the order` beside the buttons `Approve` and `Reject`. A
//! recorded action does not contain its reason, so it is repeated in later rows only if the instruction allows no other
//! target.

use std::{collections::HashSet, sync::LazyLock};

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, TargetKind, placeholders};

use super::{LivePage, PlaybookAction, iterations::entered_texts};

/// Words with which the content of a page decides: conditions, comparisons, superlatives and positions, in lower case.
static CRITERIA: LazyLock<HashSet<&str>> = LazyLock::new(|| list(include_str!("criteria.txt")));
/// Words that may make the rows of a loop differ in addition.
static CONDITIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| list(include_str!("conditions.txt")));
/// Words that compare before a figure (`over 100`), and state a place otherwise (`hover over the menu`).
const SPATIAL: [&str; 5] = ["over", "under", "between", "über", "unter"];
/// Words that choose nothing: articles, prepositions, words for a row or a control, and verbs for what every control
/// can do.
static NEUTRAL: LazyLock<HashSet<&str>> = LazyLock::new(|| list(include_str!("neutral.txt")));
/// Words with fewer letters are compared whole, longer ones by their beginning: `approve` and `approved`.
const STEM: usize = 4;

/// The words of a list, without its comments.
fn list(lines: &'static str) -> HashSet<&'static str> {
    lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Whether the instruction of a step contains a condition, so that another row may need something else. What a
/// placeholder stands for belongs to the row and is no condition.
pub(super) fn is_conditional(instruction: &str) -> bool {
    let own = without_placeholders(instruction);
    let is_condition = |word: &String| CRITERIA.contains(word.as_str()) || CONDITIONS.contains(word.as_str());
    own.contains(['<', '>', '≤', '≥', '=']) || words(&own).iter().any(is_condition)
}

/// Whether the instruction lets the content of the page decide (`deactivate the customer with the highest balance`), so
/// that what a model did is right for the page on which it decided. Less strict than [`is_conditional`], because a
/// playbook mostly meets the page that it was recorded on, while a loop repeats an action on other rows.
pub(super) fn lets_page_decide(instruction: &str) -> bool {
    let own = without_placeholders(instruction);
    let words = words(&own);
    let next = |at: usize| words.get(at + 1).map_or("", String::as_str);
    let decides = |(at, word): (usize, &String)| match word.as_str() {
        // The field `First name`.
        "first" | "last" if next(at) == "name" => false,
        word if SPATIAL.contains(&word) => next(at).starts_with(|c: char| c.is_ascii_digit()),
        word => CRITERIA.contains(word),
    };
    own.contains(['<', '>', '≤', '≥']) || words.iter().enumerate().any(decides)
}

/// Whether the instruction says what these actions do, and nothing else: it names the effect of each element
/// (`approve the order` and the button `Approve`), and each of its words belongs to an element, an entered text, the
/// loop or the grammar. Any other word may choose: `approve the orders of Ada`. `of_loop` are the words for the rows of
/// the loop.
pub(super) fn is_explained(instruction: &str, actions: &[PlaybookAction], of_loop: &[&str]) -> bool {
    let own = words(&without_placeholders(instruction));
    let of_loop: Vec<String> = of_loop.iter().flat_map(|text| words(text)).collect();
    let is_of_loop = |word: &String| of_loop.iter().any(|other| is_same_word(word, other));
    let is_neutral = |word: &String| NEUTRAL.contains(word.as_str());
    let telling: Vec<String> = own.iter().filter(|word| !is_neutral(word) && !is_of_loop(word)).cloned().collect();
    let mut explaining: Vec<String> = Vec::new();
    for action in actions {
        let Some(element) = action.elements.get("target") else { return false };
        let name = without_placeholders(&element.name);
        let texts = entered_texts(&action.action);
        let is_named = match texts.is_empty() {
            true => shares_word(&name, &telling),
            // A field may have the name of a column.
            false => shares_word(&name, &own) || texts.iter().all(|text| names_text(instruction, text)),
        };
        if !is_named {
            return false;
        }
        explaining.extend(words(&name));
        explaining.extend(texts.iter().flat_map(|text| words(&without_placeholders(text))));
    }
    telling.iter().all(|word| explaining.iter().any(|other| is_same_word(word, other)))
}

/// The name of another element that the instruction may mean instead of the target of an action on this page. `None` if
/// the action has no element, or nothing else can be meant.
pub(crate) fn alternative(instruction: &str, action: &Action, live: LivePage<'_>) -> Option<String> {
    let page = live.page;
    let TargetKind::Ref(reference) = action.target()?.kind() else { return None };
    let target = page.find_ref(reference)?;
    let row = live.row.filter(|row| *row < page.nodes.len() && page.below(*row).contains(&target));
    let own = &page.nodes[target].name;
    let instruction = words(instruction);
    // A control of another kind is meant only by the words that mean the target: `Ship` and the link `Ship later`.
    let naming: Vec<String> = instruction.iter().filter(|word| shares_word(own, &[(*word).clone()])).cloned().collect();
    let is_other = |at: &NodeIndex| {
        let other = &page.nodes[*at];
        (other.role == page.nodes[target].role || other.states.actionable() && shares_word(&other.name, &naming))
            && other.reference.is_some()
            && !other.states.unseen()
            && !other.states.disabled()
            && wording::normalized(other.name.trim()) != wording::normalized(own.trim())
            // In a row, `Cancel` cancels what the row is about.
            && (row.is_some() || !wording::leaves(&other.name) && !wording::takes_back(&other.name))
    };
    let others: Vec<&str> =
        surroundings(page, row, target).filter(is_other).map(|at| page.nodes[at].name.as_ref()).collect();
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

/// Whether an instruction names a text: it has one of its words, except those that any instruction may contain. A
/// number that the instruction does not have is a count or an amount, which changes.
pub(crate) fn names_part_of(instruction: &str, text: &str) -> bool {
    let (instruction, text) = (words(instruction), words(text));
    let has = |word: &String| instruction.iter().any(|other| is_same_word(word, other));
    let is_number = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
    text.iter().any(|word| !NEUTRAL.contains(word.as_str()) && has(word))
        && text.iter().filter(is_number).all(|word| instruction.contains(word))
}

fn without_placeholders(instruction: &str) -> String {
    placeholders(instruction).fold(instruction.to_owned(), |text, name| text.replace(&format!("${{{name}}}"), " "))
}

/// Whether a text occurs in an instruction as whole words.
pub(crate) fn names_text(instruction: &str, text: &str) -> bool {
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
            "review the order",
            "Approve the order but skip unpaid ones",
            "approve the unpaid order",
            "Genehmige die unbezahlten Bestellungen",
            "Approuve les commandes impayées",
            "Aprueba los pedidos pendientes",
        ] {
            assert!(is_conditional(conditional), "{conditional}");
        }
        assert!(!is_conditional("send the goods of ${row.If or when} on their way"));
        assert!(!is_conditional("Archive the order and write \"done\" into the note"));
    }

    #[test]
    fn only_words_that_say_what_the_element_does_are_explained() {
        let click = |name: &str| {
            let target = legwork_protocol::TargetParams { target: legwork_protocol::Target("x".into()) };
            let element = legwork_protocol::ElementIdentity { name: name.into(), ..Default::default() };
            PlaybookAction {
                decided_on: None,
                action: Action::Hover(target),
                decider: legwork_protocol::DecidedBy::Model,
                elements: [("target".to_owned(), element)].into(),
                bound: Default::default(),
                clause: None,
                page: String::new(),
                effect: Default::default(),
            }
        };
        let check = |words: &str, name: &str| is_explained(words, &[click(name)], &["row", "Orders", "Order"]);
        assert!(check("approve the order", "Approve"));
        assert!(check("Ship order ${row.Order}", "Ship"));
        assert!(!check("approve the orders of Ada", "Approve"));
        assert!(!check("handle the order", "Approve"));
        // The word for the row is not the effect of the element.
        assert!(!check("handle the order", "Order details"));
        assert!(!check("${row.Decision} the order", "Approve"));
        assert!(!is_explained("approve the order", &[], &["Orders"]));
        assert!(!is_explained("approve the order", &[click("Approve"), click("Delete")], &["Orders"]));
    }

    #[test]
    fn conditions_comparisons_and_positions_let_the_page_decide() {
        for words in [
            "deactivate the customer with the highest balance",
            "open the first search result",
            "approve it if it is below 100",
            "take the one over 100",
            "review the request",
            "lösche den Kunden mit dem größten Umsatz",
            "prends le plus élevé",
            "elige el más alto",
            "quantity > 5",
        ] {
            assert!(lets_page_decide(words), "{words}");
        }
        for words in [
            "enter the first name",
            "hover over the menu",
            "press the button that saves",
            "order three lamps",
            "cancel the contract of ${highest}",
        ] {
            assert!(!lets_page_decide(words), "{words}");
        }
        assert!(is_conditional("press the button that saves") && is_conditional("open the first one"));
    }

    #[test]
    fn a_text_is_named_only_as_whole_words() {
        assert!(names_text("set the quantity to 3", "3"));
        assert!(names_text("Write \"all done\" into the note", "All done"));
        assert!(!names_text("give a rebate of 10 %", "1"));
        assert!(!names_text("give a rebate", ""));
    }
}
