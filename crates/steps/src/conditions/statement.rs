//! One statement: a subject, a verb or `is`, and what follows.

use super::{
    COPULAS, VERBS, amounts, negate, not_understood,
    predicates::{copula, has, says, there_is},
    subjects::{shown, thing, within},
};
use crate::{
    check::{Op, What},
    literal::ParseError,
    target_phrase,
    tokens::TokenStream,
};

pub(super) fn single(input: TokenStream<'_>) -> Result<What, ParseError> {
    let mut rest = input.trim();
    rest.take_prefix(
        "that|i can see that|you can see that|i can see|you can see|i should see|\
            you should see|you see|i see|we see|see|to see",
    );
    if rest.is_empty() {
        return Err(not_understood(input));
    }
    if rest
        .take_prefix(
            "there is still|there is|there are|there's|there should be|there must be|\
            there was|there were|exactly",
        )
        .is_some()
    {
        return there_is(rest, input);
    }
    if rest.take_prefix("there isn't|there aren't|there should not be|there must not be").is_some() {
        return negate(there_is(rest, input)?, true);
    }
    let none_is = rest.find(1, "is|are").is_some_and(|(at, _)| {
        matches!(rest.lower(0), "no" | "none")
            && amounts::state(rest.from(at + 1).text().to_lowercase().as_str()).is_some()
    });
    if rest.lower(0) == "no" && rest.len() > 1 && !none_is {
        let mut subject = rest.from(1);
        if subject.take_suffix(
            "is shown|is visible|is displayed|are shown|are visible|are displayed|\
            appears|appear|was downloaded|is left|are left",
        ) == Some("was downloaded")
        {
            return Ok(What::Not(Box::new(What::Downloaded(None))));
        }
        return there_is(rest.take(1 + subject.len()), input);
    }
    // The first predicate that leaves a subject and something sensible after it.
    let mut from = 1;
    let mut failure = None;
    loop {
        let copula = rest.find(from, COPULAS);
        let verb = rest.find(from, VERBS);
        let at = match (copula, verb) {
            (Some((a, _)), Some((b, _))) => a.min(b),
            (Some((a, _)), None) => a,
            (None, Some((b, _))) => b,
            (None, None) => break,
        };
        from = at + 1;
        match predicate(rest.take(at), rest.from(at)) {
            Ok(what) => return Ok(what),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    if let Some(problem) = failure {
        return Err(problem);
    }
    // `Welcome, "Ada"`? Only a name in quotes or an element's kind stands for its being shown.
    let mut gone = rest;
    if gone.take_suffix("gone|missing|absent").is_some() && !gone.is_empty() {
        return Ok(What::Not(Box::new(What::Shown(target_phrase::phrase(gone)?))));
    }
    let mut shown = rest;
    shown.take_suffix("visible|shown|displayed|present");
    match target_phrase::phrase(shown) {
        Ok(phrase)
            if phrase.quoted
                || phrase.raw.is_some()
                || (phrase.kind.is_some() && phrase.name.is_none())
                || shown.len() < rest.len() =>
        {
            Ok(What::Shown(phrase))
        }
        _ => {
            Err(ParseError::new(input.source(), format!("`{}` does not say what should hold", rest.text_as_written()))
                .suggest(format!("\"{}\" is shown", rest.text())))
        }
    }
}

/// The subject and everything from the verb on.
pub(super) fn predicate(subject: TokenStream<'_>, from: TokenStream<'_>) -> Result<What, ParseError> {
    let source = subject.source();
    let mut rest = from;
    if let Some(word) = rest.take_prefix(COPULAS) {
        let mut negated = word.ends_with("n't") || word.contains(" not ");
        if rest.take_prefix("not|no longer|never").is_some() {
            negated = true;
        }
        rest.take_prefix("now|still|already|currently");
        if negated && matches!(subject.lower(0), "all" | "every" | "each" | "both" | "none" | "no") {
            return Err(ParseError::new(source, "whether all or only some are not is not clear")
                .at(subject)
                .suggest("none of the checkboxes is checked"));
        }
        return negate(copula(subject, rest, source)?, negated);
    }
    let verb = rest.take_prefix(VERBS).ok_or_else(|| not_understood(from))?;
    let negated = verb.contains("not") || verb.contains("n't");
    let verb = verb.rsplit(' ').find(|word| !matches!(*word, "with" | "to" | "no")).unwrap_or(verb);
    let what = match verb {
        "contain" | "contains" | "include" | "includes" => says(subject, Op::Contains, rest, source)?,
        "said" | "shows" | "displays" | "show" => says(subject, Op::Contains, rest, source)?,
        "says" | "say" | "reads" | "read" | "equals" | "equal" => {
            rest.take_prefix("to");
            says(subject, Op::Is, rest, source)?
        }
        "starts" | "begins" => says(subject, Op::StartsWith, rest, source)?,
        "ends" => says(subject, Op::EndsWith, rest, source)?,
        "matches" => says(subject, Op::Matches, rest, source)?,
        "has" | "have" => {
            let no = from.has(0, "has no") > 0;
            if no {
                return negate(has(subject, rest, source)?, true);
            }
            has(subject, rest, source)?
        }
        "disappears" | "disappeared" => What::Not(Box::new(What::Shown(thing(subject)?))),
        "exists" | "exist" | "appears" | "appear" | "appeared" | "opened" | "up" => {
            rest.take_prefix("on the page|on this page|in the page");
            let shown = shown(subject)?;
            if rest.is_empty() { shown } else { within(shown, rest)? }
        }
        _ => return Err(not_understood(from)),
    };
    negate(what, negated)
}
