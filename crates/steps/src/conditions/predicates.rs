//! What is said of a subject: `is …`, `has …`, `contains …`, `there is …`.

use super::{
    amounts::{count_of, quantity, state},
    not_understood,
    subjects::{Subject, is_file, is_js_dialog, shown, subject, thing, within},
};
use crate::{
    check::{ElementState, Op, What},
    element_kind::{self, ElementKind},
    literal::ParseError,
    target_phrase,
    texts::given,
    tokens::TokenStream,
};
use legwork_observe::numbers;

pub(super) fn says(about: TokenStream<'_>, op: Op, value: TokenStream<'_>, source: &str) -> Result<What, ParseError> {
    let mut value = value.trim();
    value.take_prefix("the text|the words|the value|text|exactly");
    if value.is_empty() {
        return Err(
            ParseError::new(source, "it does not say what it should be").suggest("the field \"Name\" is \"Ada\"")
        );
    }
    // `the page contains "x"`, `the list contains 3 items`
    let about_page = matches!(
        about.strip_articles().text().to_lowercase().as_str(),
        "page" | "this page" | "screen" | "page body" | "body" | "site"
    );
    if about_page && !about.quoted(0) {
        if let Some(number) = quantity(value) {
            return count_of(number, value);
        }
        return Ok(What::Shown(thing(value)?));
    }
    if op == Op::Contains && quantity(value).is_some() && !value.quoted(0) && element_kind::at_end(value).is_some() {
        return has(about, value, source);
    }
    let text = given(value)?;
    if op == Op::Matches
        && let Some(expression) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'))
        && regex::Regex::new(expression).is_err()
    {
        return Err(ParseError::new(source, format!("`{expression}` is not a regular expression")));
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
pub(super) fn copula(about: TokenStream<'_>, rest: TokenStream<'_>, source: &str) -> Result<What, ParseError> {
    let mut rest = rest.trim();
    rest.take_prefix("also|both|all|exactly|set to|filled with|filled in with");
    let lower = rest.text().to_lowercase();
    if rest.is_empty() {
        return Err(ParseError::new(source, "it does not say what it should be").suggest("\"Welcome\" is shown"));
    }
    if !rest.quoted(0) {
        if matches!(rest.lower(0), "downloaded" | "saved")
            && rest.len() == 1
            && let Some(name) = is_file(about)
        {
            return Ok(What::Downloaded(name));
        }
        // `"Bob" is in the table "Users"`
        if matches!(rest.lower(0), "in" | "inside" | "within" | "under")
            && rest.lower(1) != "focus"
            && target_phrase::parse_scope(rest, true).is_some()
        {
            return within(shown(about)?, rest);
        }
        let seen = rest.take_prefix(
            "shown|visible|displayed|present|on the page|on this page|on the screen|\
            on screen|there|seen|listed|available|to be seen|open|opened",
        );
        let open_state = matches!(seen, Some("open" | "opened"));
        match seen {
            Some(_) if open_state && !(is_js_dialog(about) || names_dialog(about)) => {}
            Some(_) => {
                rest.take_prefix("on the page|on this page|on the screen");
                let shown = shown(about)?;
                return if rest.is_empty() { Ok(shown) } else { within(shown, rest) };
            }
            None => {}
        }
        if matches!(
            lower.as_str(),
            "gone" | "absent" | "hidden" | "missing" | "invisible" | "not shown" | "removed" | "closed" | "no more"
        ) && (lower != "closed" || names_dialog(about))
        {
            return Ok(What::Not(Box::new(shown(about)?)));
        }
        if matches!(lower.as_str(), "empty" | "blank") {
            return Ok(What::Empty(target_phrase::phrase(about)?));
        }
        if let Some(state) = state(&lower) {
            let mut things = about.trim();
            let lead = things.take_prefix(
                "all of the|all the|all|every one of the|every|each of the|each|none of the|no|not a single",
            );
            if let Some(lead) = lead {
                let things = target_phrase::phrase(things)?;
                if things.kind.is_none() && !things.quoted {
                    return Err(not_understood(about));
                }
                let not = matches!(lead, "none of the" | "no" | "not a single");
                return Ok(What::Every { things, state, not });
            }
            return Ok(What::State { subject: target_phrase::phrase(about)?, state });
        }
        // `"Red" is selected in "Colour"`
        if rest.lower(0) == "selected" || rest.lower(0) == "chosen" {
            let mut list = rest.from(1);
            if list.take_prefix("in|from|for|as").is_some() && !list.is_empty() {
                return Ok(What::Says {
                    subject: target_phrase::phrase(list)?,
                    op: Op::Is,
                    value: about.strip_articles().text(),
                });
            }
        }
        for (input, op) in [
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
            let count = rest.has(0, input);
            if count > 0 {
                return says(about, op, rest.from(count), source).and_then(|what| match what {
                    What::Says { ref value, .. } | What::Variable { ref value, .. }
                        if op != Op::Is && numbers::written(value).is_none() =>
                    {
                        Err(ParseError::new(source, format!("`{value}` is not a number"))
                            .suggest("the variable total is greater than 10"))
                    }
                    what => Ok(what),
                });
            }
        }
    }
    if !rest.quoted(0)
        && matches!(
            rest.lower(0),
            "after" | "before" | "later" | "earlier" | "older" | "newer" | "negative" | "positive"
        )
    {
        let compares = rest.text_as_written();
        return Err(ParseError::new(source, format!("`{compares}` is no comparison that is known here"))
            .at(rest)
            .suggest("the amount is greater than 10, \"Due\" is \"2026-05-01\""));
    }
    if !rest.quoted(0) && PLACES.contains(&rest.lower(0)) && rest.len() > 1 {
        let place = rest.text_as_written();
        return Err(ParseError::new(source, format!("`{place}` is no place that is known here")).at(rest).suggest(
            "\"Globex\" is not in the list \"Customers\", \"Ada\" is in the table, the status is \"in progress\"",
        ));
    }
    says(about, Op::Is, rest, source)
}

/// What begins with one of these says where something is, and is no value.
const PLACES: [&str; 16] = [
    "in",
    "inside",
    "within",
    "on",
    "among",
    "amongst",
    "under",
    "underneath",
    "beneath",
    "at",
    "of",
    "from",
    "part",
    "beside",
    "between",
    "behind",
];

fn names_dialog(input: TokenStream<'_>) -> bool {
    target_phrase::phrase(input)
        .is_ok_and(|phrase| matches!(phrase.kind, Some(ElementKind::Dialog | ElementKind::Alert | ElementKind::Menu)))
}

/// What follows `has`: `has the value "x"`, `has 3 items`, `has focus`.
pub(super) fn has(about: TokenStream<'_>, rest: TokenStream<'_>, source: &str) -> Result<What, ParseError> {
    let mut rest = rest.trim();
    if rest.strip_articles().lower(0) == "focus" && rest.strip_articles().len() == 1 {
        return Ok(What::State { subject: target_phrase::phrase(about)?, state: ElementState::Focused });
    }
    if rest.take_prefix("the value|value|the text|text|a value of|the content|the title|title").is_some() {
        rest.take_prefix("of");
        return says(about, Op::Is, rest, source);
    }
    if rest.lower(0) == "been" {
        return copula(about, rest.from(1), source);
    }
    if matches!(rest.strip_articles().lower(0), "href" | "src" | "class" | "attribute" | "id" | "alt" | "style") {
        return Err(ParseError::new(source, "attributes are not checked; save them first")
            .suggest("Save the href of \"Home\" as home"));
    }
    let mut what = there_is(rest, rest)?;
    let page = matches!(about.strip_articles().text().to_lowercase().as_str(), "page" | "browser");
    if !page {
        let container = target_phrase::phrase(about)?;
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => {
                subject.scopes.push(target_phrase::Scope::In(container))
            }
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

/// What follows `there is`: a number of things, or one thing.
pub(super) fn there_is(input: TokenStream<'_>, whole: TokenStream<'_>) -> Result<What, ParseError> {
    let mut input = input.trim();
    input.take_suffix("on the page|on this page|shown|left|visible|open|displayed|in total");
    if let Some(number) = quantity(input) {
        return count_of(number, input);
    }
    if input.is_empty() {
        return Err(not_understood(whole));
    }
    Ok(What::Shown(thing(input)?))
}
