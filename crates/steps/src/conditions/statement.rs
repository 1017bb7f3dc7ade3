//! Parses one statement: a subject, a verb or `is`, and the rest.

use super::{
    amounts::{occurrences, times},
    not_understood,
    predicates::{copula, has, says, there_is},
    subjects::{shown, thing, within},
};
use crate::{
    ast::{Comparison, Condition, ElementState},
    error::ParseError,
    target_phrase::phrase,
    tokens::TokenStream,
};

pub(super) const COPULAS: &str =
    "is|are|was|were|has been|have been|isn't|aren't|wasn't|weren't|should be|must be|should not be|becomes";

pub(super) const VERBS: &str = "does not contain|doesn't contain|do not contain|should contain|should not contain|must contain|\
    contains|contain|does not include|includes|include|should include|does not say|doesn't say|says|said|say|should say|reads|\
    should read|shows|displays|equals|equal to|does not equal|should equal|starts with|begins with|ends with|matches|has no|\
    has|have|does not have|doesn't have|should have|should not have|exists|exist|does not exist|doesn't exist|should exist|\
    should not exist|appears|appear|occurs|has appeared|does not appear|doesn't appear|should appear|disappears|disappeared|\
    has disappeared|should show|appeared|opened|popped up|showed up|does not show|did not say|didn't say|did not contain|\
    didn't contain|did not appear|didn't appear";

/// The index of the first verb or `is`.
pub(super) fn first_predicate(words: TokenStream<'_>) -> Option<usize> {
    predicates(words).next()
}

fn predicates(words: TokenStream<'_>) -> impl Iterator<Item = usize> {
    (1..words.len()).filter(move |at| words.match_any(*at, COPULAS) + words.match_any(*at, VERBS) > 0)
}

pub(super) fn single(input: TokenStream<'_>) -> Result<Condition, ParseError> {
    let mut rest = input.trim();
    rest.strip_prefix(
        "that|i can see that|you can see that|i can see|you can see|i should see|you should see|you see|i see|we see|see|\
         to see",
    );
    if rest.is_empty() {
        return Err(not_understood(input));
    }
    let there_are =
        "there is still|there is|there are|there's|there should be|there must be|there was|there were|exactly";
    if rest.strip_prefix(there_are).is_some() {
        return there_is(rest, input);
    }
    if rest.strip_prefix("there isn't|there aren't|there should not be|there must not be").is_some() {
        return Ok(there_is(rest, input)?.negated());
    }
    let none_is = rest
        .find_phrase(1, "is|are")
        .is_some_and(|(at, _)| ElementState::named(&rest.skip(at + 1).text().to_lowercase()).is_some());
    if rest.lower(0) == "no" && rest.len() > 1 && !none_is {
        let mut things = rest;
        let shown = "is shown|is visible|is displayed|are shown|are visible|are displayed|appears|appear|was downloaded|\
            is left|are left";
        if things.strip_suffix(shown) == Some("was downloaded") {
            return Ok(Condition::Downloaded(None).negated());
        }
        return there_is(things, input);
    }
    // The first predicate after which both the subject and the rest can be parsed.
    let mut failure = None;
    for at in predicates(rest) {
        match predicate(rest.take(at), rest.skip(at)) {
            Ok(condition) => return Ok(condition),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    failure.map_or_else(|| without_predicate(rest), Err)
}

/// `"Welcome"`, `the error message gone`. Without a predicate, only a quoted name or a kind of element means that it is
/// shown.
fn without_predicate(words: TokenStream<'_>) -> Result<Condition, ParseError> {
    let mut gone = words;
    if gone.strip_suffix("gone|missing|absent").is_some() && !gone.is_empty() {
        return Ok(Condition::Shown(phrase(gone)?).negated());
    }
    let mut shown = words;
    let is_said = shown.strip_suffix("visible|shown|displayed|present").is_some();
    match phrase(shown) {
        Ok(phrase)
            if phrase.quoted || phrase.raw.is_some() || (phrase.kind.is_some() && phrase.name.is_none()) || is_said =>
        {
            Ok(Condition::Shown(phrase))
        }
        _ => {
            let why = format!("`{}` does not say what should hold", words.text_as_written());
            Err(words.error(why).suggest(format!("\"{}\" is shown", words.text())))
        }
    }
}

/// Parses a subject and the words from the verb on.
pub(super) fn predicate(subject: TokenStream<'_>, words: TokenStream<'_>) -> Result<Condition, ParseError> {
    let negate = |condition: Condition, negated| if negated { condition.negated() } else { condition };
    let mut rest = words;
    if let Some(word) = rest.strip_prefix(COPULAS) {
        let is_denied = rest.strip_prefix("not|no longer|never").is_some();
        let negated = is_denied || word.ends_with("n't") || word.contains(" not ");
        rest.strip_prefix("now|still|already|currently");
        if negated && subject.word_is(0, "all|every|each|both|none|no") {
            let why = "whether all or only some are not is not clear";
            return Err(subject.not_understood(why).suggest("none of the checkboxes is checked"));
        }
        return Ok(negate(copula(subject, rest)?, negated));
    }
    let verb = rest.strip_prefix(VERBS).ok_or_else(|| not_understood(words))?;
    let negated = verb.contains("not") || verb.contains("n't") || verb == "has no";
    let verb = verb.rsplit(' ').find(|word| !matches!(*word, "with" | "to" | "no")).unwrap_or(verb);
    let condition = match verb {
        "contain" | "contains" | "include" | "includes" | "said" | "shows" | "displays" | "show" => {
            says(subject, Comparison::Contains, rest)?
        }
        "says" | "say" | "reads" | "read" | "equals" | "equal" => {
            rest.strip_prefix("to");
            says(subject, Comparison::Is, rest)?
        }
        "starts" | "begins" => says(subject, Comparison::StartsWith, rest)?,
        "ends" => says(subject, Comparison::EndsWith, rest)?,
        "matches" => says(subject, Comparison::Matches, rest)?,
        "has" | "have" => has(subject, rest)?,
        "disappears" | "disappeared" => Condition::Shown(thing(subject)?).negated(),
        "exists" | "exist" | "appears" | "appear" | "occurs" | "appeared" | "opened" | "up" => {
            rest.strip_prefix("on the page|on this page|in the page");
            if let Some((comparison, number)) = times(rest) {
                return Ok(negate(occurrences(subject, comparison, number)?, negated));
            }
            let shown = shown(subject)?;
            if rest.is_empty() { shown } else { within(shown, rest)? }
        }
        _ => return Err(not_understood(words)),
    };
    Ok(negate(condition, negated))
}
