//! Sentences that contain other sentences: loops, conditions and optional steps. A workflow file turns them into the
//! same groups as its keys `for_each`, `if` and `optional`.

use crate::{conditions::read_condition, rows::read_loop};

/// A form of a sentence that contains another one.
#[derive(Debug)]
pub struct StructureForm {
    /// What it begins with.
    pub begins: &'static str,
    /// An example.
    pub example: &'static str,
    /// What it does.
    pub description: &'static str,
    read: fn(&str) -> Option<SentenceStructure>,
}

/// The forms, in the order in which they are tried.
pub const STRUCTURES: &[StructureForm] = &[
    StructureForm {
        begins: "for each",
        example: "For each row in \"Orders\": Click \"Ship\"",
        description: "repeats a step for each row of a table or list; without a step behind the colon, the indented lines below it",
        read: for_each,
    },
    StructureForm {
        begins: "if",
        example: "If \"Fragile\" is shown, tick \"Careful\"",
        description: "does a step only if a check holds; `otherwise` begins what is done if not",
        read: condition,
    },
    StructureForm {
        begins: "click … if it is shown",
        example: "Click \"Accept all\" if it is shown",
        description: "is skipped if its element is not there within two seconds",
        read: optional,
    },
];

/// What a sentence consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SentenceStructure {
    /// A loop.
    ForEach {
        /// `row in "Orders"`.
        each: String,
        /// The condition that selects rows.
        filter: Option<String>,
        /// The sentence that is repeated; absent if the lines below it are.
        step: Option<String>,
    },
    /// A condition.
    If {
        /// The check.
        condition: String,
        /// The sentence that runs if it holds; absent if the lines below it are.
        step: Option<String>,
        /// The sentence that runs if it does not hold.
        otherwise: Option<String>,
    },
    /// A step that is skipped if its element is not there.
    Optional {
        /// The sentence.
        step: String,
    },
}

/// The structure of a sentence; `None` for a plain one. A condition must be one that code can check, with a name in
/// quotes: anything else is left to the words of the whole sentence.
pub fn read_structure(sentence: &str) -> Option<SentenceStructure> {
    let sentence = sentence.trim();
    STRUCTURES.iter().find_map(|form| (form.read)(sentence))
}

fn for_each(sentence: &str) -> Option<SentenceStructure> {
    let rest = after_word(sentence, "for each")?;
    let (at, separator) = separators(rest, &[":", ","]).next()?;
    let (head, step) = (rest[..at].trim(), rest[at + separator.len()..].trim());
    let (each, filter) = match separators(head, &[" where "]).next() {
        Some((at, word)) => (head[..at].trim(), Some(head[at + word.len()..].trim().to_owned())),
        None => (head, None),
    };
    read_loop(each).ok()?;
    if step.is_empty() && separator != ":" {
        return None;
    }
    Some(SentenceStructure::ForEach { each: each.to_owned(), filter, step: non_empty(step) })
}

fn condition(sentence: &str) -> Option<SentenceStructure> {
    let rest = after_word(sentence, "if")?;
    for (at, separator) in separators(rest, &[",", ":", " then "]) {
        let (condition, step) = (rest[..at].trim(), rest[at + separator.len()..].trim());
        let is_open = step.is_empty() && separator == ":";
        if !condition.contains(['"', '“', '«']) || read_condition(condition).is_err() || step.is_empty() && !is_open
        {
            continue;
        }
        let step = after_word(step, "then").unwrap_or(step);
        if let Some(shown) = shown_name(condition)
            && is_press_of(step, shown)
        {
            // The condition waits for the element of the step, as the step itself does.
            return Some(SentenceStructure::Optional { step: step.to_owned() });
        }
        let (step, otherwise) = match separators(step, &[", otherwise ", "; otherwise ", ". Otherwise "]).next() {
            Some((at, word)) => (step[..at].trim(), non_empty(step[at + word.len()..].trim_start_matches(',').trim())),
            None => (step, None),
        };
        return Some(SentenceStructure::If { condition: condition.to_owned(), step: non_empty(step), otherwise });
    }
    None
}

fn optional(sentence: &str) -> Option<SentenceStructure> {
    const ENDS: [&str; 6] =
        [" if it is shown", " if it is there", " if it is visible", " if it appears", " if it exists", " if present"];
    let sentence = sentence.trim_end_matches('.');
    let lower = sentence.to_ascii_lowercase();
    let end = ENDS.iter().find(|end| lower.ends_with(*end))?;
    let step = sentence[..sentence.len() - end.len()].trim().trim_end_matches(',');
    (!step.is_empty()).then(|| SentenceStructure::Optional { step: step.to_owned() })
}

/// The name in `"Accept all" is shown`, with its quotation marks.
fn shown_name(condition: &str) -> Option<&str> {
    let name =
        [" is shown", " is visible", " appears", " is there"].iter().find_map(|end| condition.strip_suffix(end))?;
    let is_name = name.len() > 2 && name.starts_with('"') && name.ends_with('"') && name.matches('"').count() == 2;
    is_name.then_some(name)
}

/// Whether a sentence only presses the element of this name. Any other one may contain the name as a text.
fn is_press_of(step: &str, name: &str) -> bool {
    let step = step.trim_end_matches('.');
    let verb = step.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(verb.as_str(), "click" | "tap" | "press" | "tick")
        && step.ends_with(name)
        && step.matches('"').count() == 2
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// What follows a word at the beginning of a text, in upper or lower case.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    let rest = &text[word.len()..];
    (head.eq_ignore_ascii_case(word) && rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// The places outside quotation marks and variables where one of these texts begins, in order.
fn separators<'a>(text: &'a str, marks: &'a [&'static str]) -> impl Iterator<Item = (usize, &'static str)> + 'a {
    let mut close: Option<char> = None;
    text.char_indices().filter_map(move |(at, c)| {
        match (close, c) {
            (Some(end), c) if c == end => close = None,
            (Some(_), _) => {}
            (None, '"') => close = Some('"'),
            (None, '“') => close = Some('”'),
            (None, '«') => close = Some('»'),
            (None, '`') => close = Some('`'),
            (None, '{') if text[..at].ends_with('$') => close = Some('}'),
            // `https://…` and `10:30` are no ends.
            (None, ':') if !text[at + 1..].is_empty() && !text[at + 1..].starts_with(char::is_whitespace) => {}
            (None, _) => return marks.iter().find(|mark| text[at..].starts_with(**mark)).map(|mark| (at, *mark)),
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn optional_step(step: &str) -> Option<SentenceStructure> {
        Some(SentenceStructure::Optional { step: step.into() })
    }

    #[test]
    fn the_examples_have_the_structure_of_their_form() {
        for form in STRUCTURES {
            assert!((form.read)(form.example).is_some(), "{}", form.example);
            assert_eq!(read_structure(form.example), (form.read)(form.example), "{}", form.example);
        }
    }

    #[test]
    fn a_loop_has_its_rows_a_condition_and_a_step() {
        let read = |sentence: &str| match read_structure(sentence) {
            Some(SentenceStructure::ForEach { each, filter, step }) => Some((each, filter, step)),
            _ => None,
        };
        let (each, ship) = (|| "row in \"Orders\"".to_owned(), Some("click \"Ship\"".to_owned()));
        assert_eq!(read("For each row in \"Orders\", click \"Ship\""), Some((each(), None, ship.clone())));
        assert_eq!(read("for each row in \"Orders\":"), Some((each(), None, None)));
        assert_eq!(
            read("For each row in \"Orders\" where \"${row.Status}\" is \"open\": click \"Ship\""),
            Some((each(), Some("\"${row.Status}\" is \"open\"".into()), ship))
        );
        assert_eq!(
            read("For each name in ${names}: Type \"a: b\" into \"Name\"").map(|read| read.0),
            Some("name in ${names}".into())
        );
        for other in ["For each order, click Ship", "For each row in \"Orders\"", "For each row in \"A, b\""] {
            assert_eq!(read_structure(other), None, "{other}");
        }
    }

    #[test]
    fn a_condition_must_be_a_check_with_a_name() {
        let read = |sentence: &str| match read_structure(sentence) {
            Some(SentenceStructure::If { condition, step, otherwise }) => Some((condition, step, otherwise)),
            _ => None,
        };
        let (is, step) = (|| "\"A, b\" is shown".to_owned(), Some("tick \"C\"".to_owned()));
        assert_eq!(read("If \"A, b\" is shown, then tick \"C\""), Some((is(), step.clone(), None)));
        assert_eq!(
            read("If \"A, b\" is shown, tick \"C\", otherwise click \"D\""),
            Some((is(), step, Some("click \"D\"".into())))
        );
        assert_eq!(read("If \"A, b\" is shown:"), Some((is(), None, None)));
        // A model reads these as a whole.
        for other in ["If the cart is empty, add a lamp", "If you like \"A\", click it", "If \"A\" is shown"] {
            assert_eq!(read_structure(other), None, "{other}");
        }
    }

    #[test]
    fn a_step_that_needs_its_own_element_is_optional() {
        assert_eq!(
            read_structure("If \"Accept all\" is shown, click \"Accept all\""),
            optional_step("click \"Accept all\"")
        );
        assert_eq!(read_structure("Click \"Accept all\" if it is there."), optional_step("Click \"Accept all\""));
        let typed = read_structure("If \"Total\" is shown, type \"Total\" into \"Note\"");
        assert!(matches!(typed, Some(SentenceStructure::If { .. })), "{typed:?}");
        assert_eq!(read_structure("Click \"Accept all\""), None);
        assert_eq!(read_structure("Type \"if it is shown\" into \"Note\""), None);
    }
}
