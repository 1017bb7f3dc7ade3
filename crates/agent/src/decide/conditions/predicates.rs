//! What is said of a subject: `is …`, `has …`, `contains …`, `there is …`.

use super::{
    amounts::{count_of, quantity, state},
    not_understood,
    subjects::{Subject, is_file, is_js_dialog, shown, subject, thing, within},
};
use crate::decide::{
    check::{Op, State, What},
    kinds::{self, Kind},
    literal::NotLiteral,
    target,
    texts::given,
    values,
    words::Words,
};

pub(super) fn says(about: Words<'_>, op: Op, value: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut value = value.trim();
    value.eat("the text|the words|the value|text|exactly");
    if value.is_empty() {
        return Err(
            NotLiteral::new(source, "it does not say what it should be").suggest("the field \"Name\" is \"Ada\"")
        );
    }
    // `the page contains "x"`, `the list contains 3 items`
    let about_page = matches!(
        about.bare().text().to_lowercase().as_str(),
        "page" | "this page" | "screen" | "page body" | "body" | "site"
    );
    if about_page && !about.quoted(0) {
        if let Some(number) = quantity(value) {
            return count_of(number, value);
        }
        return Ok(What::Shown(thing(value)?));
    }
    if op == Op::Contains && quantity(value).is_some() && !value.quoted(0) && kinds::at_end(value).is_some() {
        return has(about, value, source);
    }
    let text = given(value)?;
    if op == Op::Matches
        && let Some(expression) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'))
        && regex::Regex::new(expression).is_err()
    {
        return Err(NotLiteral::new(source, format!("`{expression}` is not a regular expression")));
    }
    Ok(match subject(about)? {
        Subject::Title => What::Title { op, value: text },
        Subject::Address => What::Address { op, value: text },
        Subject::Variable(name) => What::Variable { name, op, value: text },
        Subject::Dialog => What::Dialog { op: if op == Op::Is { Op::Contains } else { op }, value: Some(text) },
        Subject::Element(subject) => What::Says { subject: *subject, op, value: text },
    })
}

/// What follows `is`.
pub(super) fn copula(about: Words<'_>, rest: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut rest = rest.trim();
    rest.eat("also|both|all|exactly|set to|filled with|filled in with");
    let low = rest.text().to_lowercase();
    if rest.is_empty() {
        return Err(NotLiteral::new(source, "it does not say what it should be").suggest("\"Welcome\" is shown"));
    }
    if !rest.quoted(0) {
        if matches!(rest.low(0), "downloaded" | "saved")
            && rest.len() == 1
            && let Some(name) = is_file(about)
        {
            return Ok(What::Downloaded(name));
        }
        // `"Bob" is in the table "Users"`
        if matches!(rest.low(0), "in" | "inside" | "within" | "under")
            && rest.low(1) != "focus"
            && target::place(rest, true).is_some()
        {
            return within(shown(about)?, rest);
        }
        let seen = rest.eat(
            "shown|visible|displayed|present|on the page|on this page|on the screen|\
            on screen|there|seen|listed|available|to be seen|open|opened",
        );
        let open_state = matches!(seen, Some("open" | "opened"));
        match seen {
            Some(_) if open_state && !(is_js_dialog(about) || names_dialog(about)) => {}
            Some(_) => {
                rest.eat("on the page|on this page|on the screen");
                let shown = shown(about)?;
                return if rest.is_empty() { Ok(shown) } else { within(shown, rest) };
            }
            None => {}
        }
        if matches!(
            low.as_str(),
            "gone" | "absent" | "hidden" | "missing" | "invisible" | "not shown" | "removed" | "closed" | "no more"
        ) && (low != "closed" || names_dialog(about))
        {
            return Ok(What::Not(Box::new(shown(about)?)));
        }
        if matches!(low.as_str(), "empty" | "blank") {
            return Ok(What::Empty(target::phrase(about)?));
        }
        if let Some(state) = state(&low) {
            let mut things = about.trim();
            let lead = things
                .eat("all of the|all the|all|every one of the|every|each of the|each|none of the|no|not a single");
            if let Some(lead) = lead {
                let things = target::phrase(things)?;
                if things.kind.is_none() && !things.quoted {
                    return Err(not_understood(about));
                }
                let not = matches!(lead, "none of the" | "no" | "not a single");
                return Ok(What::Every { things, state, not });
            }
            return Ok(What::State { subject: target::phrase(about)?, state });
        }
        // `"Red" is selected in "Colour"`
        if rest.low(0) == "selected" || rest.low(0) == "chosen" {
            let mut list = rest.from(1);
            if list.eat("in|from|for|as").is_some() && !list.is_empty() {
                return Ok(What::Says { subject: target::phrase(list)?, op: Op::Is, value: about.bare().text() });
            }
        }
        for (words, op) in [
            ("greater than or equal to", Op::AtLeast),
            ("more than or equal to", Op::AtLeast),
            ("less than or equal to", Op::AtMost),
            ("greater than", Op::More),
            ("more than", Op::More),
            ("larger than", Op::More),
            ("higher than", Op::More),
            ("over", Op::More),
            ("above", Op::More),
            ("bigger than", Op::More),
            ("less than", Op::Less),
            ("fewer than", Op::Less),
            ("smaller than", Op::Less),
            ("lower than", Op::Less),
            ("below", Op::Less),
            ("under", Op::Less),
            ("at least", Op::AtLeast),
            ("at most", Op::AtMost),
            ("equal to", Op::Is),
            ("the same as", Op::Is),
        ] {
            let count = rest.has(0, words);
            if count > 0 {
                return says(about, op, rest.from(count), source).and_then(|what| match what {
                    What::Says { ref value, .. } | What::Variable { ref value, .. }
                        if op != Op::Is && values::number(value).is_none() =>
                    {
                        Err(NotLiteral::new(source, format!("`{value}` is not a number"))
                            .suggest("the variable total is greater than 10"))
                    }
                    what => Ok(what),
                });
            }
        }
    }
    says(about, Op::Is, rest, source)
}

fn names_dialog(words: Words<'_>) -> bool {
    target::phrase(words).is_ok_and(|phrase| matches!(phrase.kind, Some(Kind::Dialog | Kind::Alert | Kind::Menu)))
}

/// What follows `has`: `has the value "x"`, `has 3 items`, `has focus`.
pub(super) fn has(about: Words<'_>, rest: Words<'_>, source: &str) -> Result<What, NotLiteral> {
    let mut rest = rest.trim();
    if rest.bare().low(0) == "focus" && rest.bare().len() == 1 {
        return Ok(What::State { subject: target::phrase(about)?, state: State::Focused });
    }
    if rest.eat("the value|value|the text|text|a value of|the content|the title|title").is_some() {
        rest.eat("of");
        return says(about, Op::Is, rest, source);
    }
    if rest.low(0) == "been" {
        return copula(about, rest.from(1), source);
    }
    if matches!(rest.bare().low(0), "href" | "src" | "class" | "attribute" | "id" | "alt" | "style") {
        return Err(NotLiteral::new(source, "attributes are not checked; save them first")
            .suggest("Save the href of \"Home\" as home"));
    }
    let mut what = there_is(rest, rest)?;
    let page = matches!(about.bare().text().to_lowercase().as_str(), "page" | "browser");
    if !page {
        let container = target::phrase(about)?;
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => {
                subject.places.push(target::Place::In(container))
            }
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

/// What follows `there is`: a number of things, or one thing.
pub(super) fn there_is(words: Words<'_>, whole: Words<'_>) -> Result<What, NotLiteral> {
    let mut words = words.trim();
    words.eat_end("on the page|on this page|shown|left|visible|open|displayed|in total");
    if let Some(number) = quantity(words) {
        return count_of(number, words);
    }
    if words.is_empty() {
        return Err(not_understood(whole));
    }
    Ok(What::Shown(thing(words)?))
}
