//! One statement: a subject, a verb or `is`, and what follows.

use super::{
    COPULAS, VERBS, amounts, negate, not_understood,
    predicates::{copula, has, says, there_is},
    subjects::{shown, thing, within},
};
use crate::decide::{
    check::{Op, What},
    literal::NotLiteral,
    target,
    words::Words,
};

pub(super) fn single(words: Words<'_>) -> Result<What, NotLiteral> {
    let mut rest = words.trim();
    rest.eat(
        "that|i can see that|you can see that|i can see|you can see|i should see|\
            you should see|you see|i see|we see|see|to see",
    );
    if rest.is_empty() {
        return Err(not_understood(words));
    }
    if rest
        .eat(
            "there is still|there is|there are|there's|there should be|there must be|\
            there was|there were|exactly",
        )
        .is_some()
    {
        return there_is(rest, words);
    }
    if rest.eat("there isn't|there aren't|there should not be|there must not be").is_some() {
        return negate(there_is(rest, words)?, true);
    }
    let none_is = rest.find(1, "is|are").is_some_and(|(at, _)| {
        matches!(rest.low(0), "no" | "none")
            && amounts::state(rest.from(at + 1).text().to_lowercase().as_str()).is_some()
    });
    if rest.low(0) == "no" && rest.len() > 1 && !none_is {
        let mut subject = rest.from(1);
        if subject.eat_end(
            "is shown|is visible|is displayed|are shown|are visible|are displayed|\
            appears|appear|was downloaded|is left|are left",
        ) == Some("was downloaded")
        {
            return Ok(What::Not(Box::new(What::Downloaded(None))));
        }
        return there_is(rest.up_to(1 + subject.len()), words);
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
        match predicate(rest.up_to(at), rest.from(at)) {
            Ok(what) => return Ok(what),
            Err(problem) => failure = failure.or(Some(problem)),
        }
    }
    if let Some(problem) = failure {
        return Err(problem);
    }
    // `Welcome, "Ada"`? Only a name in quotes or an element's kind stands for its being shown.
    let mut gone = rest;
    if gone.eat_end("gone|missing|absent").is_some() && !gone.is_empty() {
        return Ok(What::Not(Box::new(What::Shown(target::phrase(gone)?))));
    }
    let mut shown = rest;
    shown.eat_end("visible|shown|displayed|present");
    match target::phrase(shown) {
        Ok(phrase)
            if phrase.quoted
                || phrase.raw.is_some()
                || (phrase.kind.is_some() && phrase.name.is_none())
                || shown.len() < rest.len() =>
        {
            Ok(What::Shown(phrase))
        }
        _ => {
            Err(NotLiteral::new(words.source(), format!("`{}` does not say what should hold", rest.text_as_written()))
                .suggest(format!("\"{}\" is shown", rest.text())))
        }
    }
}

/// The subject and everything from the verb on.
pub(super) fn predicate(subject: Words<'_>, from: Words<'_>) -> Result<What, NotLiteral> {
    let source = subject.source();
    let mut rest = from;
    if let Some(word) = rest.eat(COPULAS) {
        let mut negated = word.ends_with("n't") || word.contains(" not ");
        if rest.eat("not|no longer|never").is_some() {
            negated = true;
        }
        rest.eat("now|still|already|currently");
        if negated && matches!(subject.low(0), "all" | "every" | "each" | "both" | "none" | "no") {
            return Err(NotLiteral::new(source, "whether all or only some are not is not clear")
                .at(subject)
                .suggest("none of the checkboxes is checked"));
        }
        return negate(copula(subject, rest, source)?, negated);
    }
    let verb = rest.eat(VERBS).ok_or_else(|| not_understood(from))?;
    let negated = verb.contains("not") || verb.contains("n't");
    let verb = verb.rsplit(' ').find(|word| !matches!(*word, "with" | "to" | "no")).unwrap_or(verb);
    let what = match verb {
        "contain" | "contains" | "include" | "includes" => says(subject, Op::Contains, rest, source)?,
        "said" | "shows" | "displays" | "show" => says(subject, Op::Contains, rest, source)?,
        "says" | "say" | "reads" | "read" | "equals" | "equal" => {
            rest.eat("to");
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
            rest.eat("on the page|on this page|in the page");
            let shown = shown(subject)?;
            if rest.is_empty() { shown } else { within(shown, rest)? }
        }
        _ => return Err(not_understood(from)),
    };
    negate(what, negated)
}
