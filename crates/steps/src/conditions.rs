//! The grammar of conditions: statements joined by `and` and `or`. A statement consists of a subject, a predicate and a
//! value.

mod amounts;
mod predicates;
mod problem;
mod rows;
mod statement;
mod subjects;

use crate::{
    ast::{Check, Comparison, Condition, ElementState},
    error::ParseError,
    tokens::{self, TokenKind, TokenStream},
};
use predicates::{copula, has, says};
use problem::not_understood;
pub(crate) use rows::{Sorting, sorting};
use statement::{first_predicate, predicate, single};

/// The words before a condition to check.
pub(crate) const CHECK_VERBS: &str = "check that|check if|check whether|check for|check|verify that|verify whether|verify if|verify|\
    make sure that|make sure|ensure that|ensure|assert that|assert|confirm that|confirm|expect that|expect to see|expect|\
    see that|see|should see|validate that|double-check that";

/// Parses a condition, with or without `check that` before it.
pub fn read_condition(condition: &str) -> Result<Check, ParseError> {
    let tokens = tokens::lex(condition)?;
    let mut words = TokenStream::new(condition, &tokens).trim();
    words.strip_prefix("please");
    let lead = words.strip_prefix(CHECK_VERBS).or_else(|| words.strip_prefix("only if|only when|if|when|unless"));
    let mut check = read(words)?;
    check.words = condition.trim().to_owned();
    if lead == Some("unless") {
        check.condition = check.condition.negated();
    }
    Ok(check)
}

pub(crate) fn read(words: TokenStream<'_>) -> Result<Check, ParseError> {
    let words = words.trim();
    Ok(Check::new(&words.text_as_written(), joined(words)?))
}

/// `the field to be empty`: a subject and an infinitive.
pub(crate) fn infinitive(subject: TokenStream<'_>, mut verb: TokenStream<'_>) -> Result<Check, ParseError> {
    let condition = match verb.strip_prefix("be|become|contain|say|have|equal|read|show") {
        Some("be" | "become") => copula(subject, verb)?,
        Some("have") => has(subject, verb)?,
        Some("contain" | "show") => says(subject, Comparison::Contains, verb)?,
        _ => says(subject, Comparison::Is, verb)?,
    };
    Ok(Check::new(subject.source(), condition))
}

/// Whether the words contain a predicate, rather than only naming something.
pub(crate) fn has_predicate(words: TokenStream<'_>) -> bool {
    words.match_any(0, "there is|there are|there's") > 0
        || first_predicate(words)
            .is_some_and(|at| words.tokens()[..at].iter().any(|token| token.kind != TokenKind::Mark))
}

fn joined(words: TokenStream<'_>) -> Result<Condition, ParseError> {
    for (joint, either) in [("or", true), ("and", false), (",", false), ("but", false)] {
        for place in words.places_of(1, joint) {
            let (left, right) = words.split_around(place);
            let (left, mut right) = (left.trim(), right.trim());
            right.strip_prefix("and that|and|that|also");
            if left.is_empty() || right.is_empty() {
                continue;
            }
            // `the row containing "A" and "B" is shown`: the second name may belong to the row or be a subject of its
            // own.
            let has_subject_only = !has_predicate(left);
            if has_subject_only
                && left.find_phrase(1, "containing|with|that contains|that has").is_some()
                && left.ends_quoted()
                && right.quoted(0)
            {
                let why = "whether both texts are in it, or only the first, is not clear";
                return Err(right.not_understood(why).suggest("the row containing \"A\" contains \"B\""));
            }
            // `"A" and "B" are not shown`: the names share the predicate, which is in the second half.
            if has_subject_only && left.lower(0) != "no" && shares_predicate(right)? {
                continue;
            }
            let Ok(first) = joined(left) else { continue };
            let is_statement = has_predicate(right) || right.lower(0) == "no";
            let Ok(second) = (if is_statement { joined(right) } else { with_shared_subject(left, right) }) else {
                continue;
            };
            return Ok(if either { Condition::Either(vec![first, second]) } else { both(first, second) });
        }
    }
    // `"A" and "B" are shown`, `"A", "B" and "C" are shown`
    if let Some(at) = first_predicate(words) {
        let subjects = words.take(at).split("and|,|both");
        if subjects.len() > 1 && subjects.iter().all(|subject| subject.quotes() > 0) {
            let all = subjects.into_iter().map(|subject| predicate(subject, words.skip(at)));
            return Ok(Condition::All(all.collect::<Result<_, _>>()?));
        }
    }
    single(words)
}

/// The second half shares the subject or the verb: `"Total" contains "a" and contains "b"`, `… is enabled and checked`.
fn with_shared_subject(left: TokenStream<'_>, right: TokenStream<'_>) -> Result<Condition, ParseError> {
    let copula_at = left.find_phrase(1, statement::COPULAS);
    let (at, _) = copula_at.or_else(|| left.find_phrase(1, statement::VERBS)).ok_or_else(|| not_understood(left))?;
    let subject = left.take(at);
    if right.match_any(0, statement::VERBS) + right.match_any(0, statement::COPULAS) > 0 {
        return predicate(subject, right);
    }
    if copula_at.is_some() && ElementState::named(&right.text().to_lowercase()).is_some() {
        return copula(subject, right);
    }
    Err(not_understood(right))
}

/// Combines both conditions in one list.
fn both(first: Condition, second: Condition) -> Condition {
    let parts = |condition| match condition {
        Condition::All(parts) => parts,
        one => vec![one],
    };
    Condition::All([first, second].into_iter().flat_map(parts).collect())
}

/// Whether the predicate after a second name also applies to the first: it does in the plural. In the singular it
/// applies only to the second; a negation in the singular is ambiguous.
fn shares_predicate(right: TokenStream<'_>) -> Result<bool, ParseError> {
    let Some(at) = first_predicate(right) else { return Ok(false) };
    let words = right.skip(at);
    let verb = words.lower(0);
    let is_singular = words.word_is(0, "is|isn't|was|wasn't|has|does|doesn't") || verb.ends_with('s');
    let is_denied = verb.ends_with("n't")
        || words.word_is(1, "not|no|never")
        || words.word_is(words.len() - 1, "gone|hidden|missing|absent|invisible");
    if is_singular && is_denied {
        let why = "whether both are not, or only the second, is not clear";
        return Err(right.not_understood(why).suggest("\"A\" and \"B\" are not shown"));
    }
    Ok(!is_singular)
}
