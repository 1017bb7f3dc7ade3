//! The grammar of conditions: statements, joined by `and` and `or`. A statement has a subject, a predicate and a value.

mod amounts;
mod predicates;
mod statement;
mod subjects;

use super::{
    check::{Check, Op, What},
    literal::ParseError,
    tokens::{self, TokenKind, TokenStream},
};
use amounts::state;
use predicates::{copula, has, says};
use statement::{predicate, single};

/// Reads a condition, with or without `check that` before it.
pub fn read_condition(condition: &str) -> Result<Check, ParseError> {
    let tokens = tokens::lex(condition)?;
    let words = TokenStream::new(condition, &tokens);
    let mut rest = words.trim();
    rest.take_prefix(
        "please check that|check that|check if|check whether|check|verify that|\
            verify|make sure that|make sure|ensure that|ensure|assert that|assert|confirm that|\
            expect that|expect to see|expect|only if|only when|if|when|unless",
    );
    let negated = tokens.first().is_some_and(|token| token.lower == "unless");
    let mut check = read(rest)?;
    check.words = condition.trim().to_owned();
    if negated {
        check.what = What::Not(Box::new(check.what));
    }
    Ok(check)
}

pub(super) fn read(words: TokenStream<'_>) -> Result<Check, ParseError> {
    let words = words.trim();
    Ok(Check::new(&words.text_as_written(), joined(words)?))
}

/// `the field to be empty`: a subject and an infinitive.
pub(super) fn infinitive(subject: TokenStream<'_>, mut verb: TokenStream<'_>) -> Result<Check, ParseError> {
    let source = subject.source();
    let what = match verb.take_prefix("be|become|contain|say|have|equal|read|show") {
        Some("be" | "become") => copula(subject, verb, source)?,
        Some("have") => has(subject, verb, source)?,
        Some("contain" | "show") => says(subject, Op::Contains, verb, source)?,
        _ => says(subject, Op::Is, verb, source)?,
    };
    Ok(Check::new(source, what))
}

const COPULAS: &str = "is|are|was|were|has been|have been|isn't|aren't|wasn't|weren't|should be|\
            must be|should not be|becomes";

const VERBS: &str = "does not contain|doesn't contain|do not contain|should contain|\
            should not contain|must contain|contains|contain|does not include|includes|include|\
            should include|does not say|doesn't say|says|said|say|should say|reads|should read|\
            shows|displays|equals|equal to|does not equal|should equal|starts with|begins with|\
            ends with|matches|has no|has|have|does not have|doesn't have|should have|\
            should not have|exists|exist|does not exist|doesn't exist|should exist|\
            should not exist|appears|appear|has appeared|does not appear|doesn't appear|\
            should appear|disappears|disappeared|has disappeared|should show|appeared|opened|\
            popped up|showed up|does not show|did not say|didn't say|did not contain|didn't contain|\
            did not appear|didn't appear";

/// Whether it says something about something, rather than naming a thing.
pub(super) fn has_predicate(words: TokenStream<'_>) -> bool {
    if words.has(0, "there is") + words.has(0, "there are") + words.has(0, "there's") > 0 {
        return true;
    }
    words
        .find(1, COPULAS)
        .or_else(|| words.find(1, VERBS))
        .is_some_and(|(at, _)| words.tokens()[..at].iter().any(|token| token.kind != TokenKind::Mark))
}

fn joined(words: TokenStream<'_>) -> Result<What, ParseError> {
    for (joint, either) in [("or", true), ("and", false), (",", false), ("but", false)] {
        let mut from = 1;
        while let Some((at, count)) = words.find(from, joint) {
            from = at + 1;
            let (left, mut right) = (words.take(at).trim(), words.from(at + count).trim());
            right.take_prefix("and that|and|that|also");
            if left.is_empty() || right.is_empty() {
                continue;
            }
            // `the row containing "A" and "B" is shown`: the second name may be of the row, or of something else.
            let holds_texts = !has_predicate(left)
                && left.find(1, "containing|with|that contains|that has").is_some()
                && left.quoted(left.len() - 1)
                && right.quoted(0);
            if holds_texts {
                return Err(ParseError::new(
                    words.source(),
                    "whether both texts are in it, or only the first, is not clear",
                )
                .at(right)
                .suggest("the row containing \"A\" contains \"B\""));
            }
            // `"A" and "B" are not shown`: the names share what is said of them, which only the whole says.
            if !has_predicate(left) && left.has(0, "no") == 0 && shares_predicate(right)? {
                continue;
            }
            let Ok(first) = joined(left) else { continue };
            let second =
                if has_predicate(right) || right.has(0, "no") > 0 { joined(right) } else { shared(left, right) };
            let Ok(second) = second else { continue };
            let pair = vec![first, second];
            return Ok(if either { What::Either(pair) } else { What::All(flat(pair)) });
        }
    }
    // `"A" and "B" are shown`, `"A", "B" and "C" are shown`
    if let Some(at) = first_predicate(words) {
        let subjects: Vec<TokenStream<'_>> = split(words.take(at));
        if subjects.len() > 1 && subjects.iter().all(|subject| subject.tokens().iter().any(|token| token.quoted())) {
            let all: Result<Vec<What>, ParseError> =
                subjects.into_iter().map(|subject| predicate(subject, words.from(at))).collect();
            return Ok(What::All(all?));
        }
    }
    single(words)
}

/// The second half shares the subject or the verb: `"Total" contains "a" and contains "b"`, `… is enabled and checked`.
fn shared(left: TokenStream<'_>, right: TokenStream<'_>) -> Result<What, ParseError> {
    let (at, _) = left.find(1, COPULAS).or_else(|| left.find(1, VERBS)).ok_or_else(|| not_understood(left))?;
    let subject = left.take(at);
    if [VERBS, COPULAS].iter().flat_map(|verbs| verbs.split('|')).any(|verb| right.has(0, verb) > 0) {
        return predicate(subject, right);
    }
    if left.find(1, COPULAS).is_some_and(|(found, _)| found == at)
        && state(right.text().to_lowercase().as_str()).is_some()
    {
        return copula(subject, right, left.source());
    }
    Err(not_understood(right))
}

fn flat(all: Vec<What>) -> Vec<What> {
    all.into_iter()
        .flat_map(|what| match what {
            What::All(inner) => inner,
            other => vec![other],
        })
        .collect()
}

fn split(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let mut pieces = Vec::new();
    let mut rest = words;
    while let Some((at, count)) = rest.find(0, "and|,|both") {
        pieces.push(rest.take(at).trim());
        rest = rest.from(at + count);
    }
    pieces.push(rest.trim());
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect()
}

/// Where the first verb or `is` stands.
fn first_predicate(words: TokenStream<'_>) -> Option<usize> {
    let at = |verbs| words.find(1, verbs).map(|(at, _)| at);
    at(COPULAS).into_iter().chain(at(VERBS)).min()
}

/// Whether what is said after a second name is said of the first one too: it is in the plural. In the singular it is of the
/// second alone, and where it is denied nobody can tell.
fn shares_predicate(right: TokenStream<'_>) -> Result<bool, ParseError> {
    let Some(at) = first_predicate(right) else { return Ok(false) };
    let words = right.from(at);
    let verb = words.lower(0);
    let is_singular =
        matches!(verb, "is" | "isn't" | "was" | "wasn't" | "has" | "does" | "doesn't") || verb.ends_with('s');
    let is_denied = verb.ends_with("n't")
        || matches!(words.lower(1), "not" | "no" | "never")
        || matches!(words.lower(words.len() - 1), "gone" | "hidden" | "missing" | "absent" | "invisible");
    if is_singular && is_denied {
        return Err(ParseError::new(right.source(), "whether both are not, or only the second, is not clear")
            .at(right)
            .suggest("\"A\" and \"B\" are not shown"));
    }
    Ok(!is_singular)
}

fn negate(what: What, negated: bool) -> Result<What, ParseError> {
    Ok(if negated { What::Not(Box::new(what)) } else { what })
}

fn not_understood(words: TokenStream<'_>) -> ParseError {
    ParseError::new(words.source(), format!("`{}` was not understood as something to check", words.text_as_written()))
        .suggest(
            "\"Welcome\" is shown, the field \"Name\" is \"Ada\", the address contains \"/done\", there are 3 rows",
        )
}
