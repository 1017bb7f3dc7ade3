//! Parses the subject of a condition: the page's title or URL, a variable, a dialog, a file, otherwise an element.

use super::{
    amounts::{count_of, quantity},
    not_understood,
};
use crate::{
    ast::{Comparison, Condition, ElementState, TargetPhrase},
    element_kind,
    error::ParseError,
    target_phrase::{self, PageProperty, parse_scope, phrase},
    tokens::TokenStream,
};

pub(super) fn thing(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let mut input = input.trim();
    input.strip_prefix("the text|text|the words|the phrase");
    if input.len() > 1 && input.word_is(0, "all|every|each|both|none|neither|either") {
        return Err(not_understood(input));
    }
    understood(input, phrase(input)?)
}

/// Rejects a phrase that ignores a part of the words: `rows with the status "Paid"` would be a message with the text
/// "Paid", and `disabled button` a button with that name.
pub(super) fn understood(input: TokenStream<'_>, phrase: TargetPhrase) -> Result<TargetPhrase, ParseError> {
    let words = input.strip_articles();
    let place = words.find_phrase(1, "with|that|which|whose|where|containing");
    let lead = place.map(|(at, _)| words.take(at)).filter(|lead| lead.quotes() == 0);
    let kind = lead.and_then(element_kind::at_end).map(|(kind, _)| kind);
    let is_state = !phrase.quoted
        && phrase.kind.is_some()
        && phrase.name.as_deref().is_some_and(|name| ElementState::named(&name.to_lowercase()).is_some());
    if is_state || kind.is_some_and(|kind| phrase.kind != Some(kind)) {
        let why = format!("`{}` was not understood as a whole", words.text_as_written());
        return Err(input.not_understood(why).suggest(
            "there is no row with \"Paid\", the button \"Save\" is disabled, none of the checkboxes is checked",
        ));
    }
    Ok(phrase)
}

pub(super) fn shown(subject: TokenStream<'_>) -> Result<Condition, ParseError> {
    if let Some(number) = quantity(subject) {
        return count_of(number, subject);
    }
    if is_js_dialog(subject) {
        return Ok(Condition::Dialog { comparison: Comparison::Contains, value: None });
    }
    Ok(Condition::Shown(thing(subject)?))
}

/// `… is shown in the table "Users"`.
pub(super) fn within(mut condition: Condition, rest: TokenStream<'_>) -> Result<Condition, ParseError> {
    let scope = parse_scope(rest, true).ok_or_else(|| not_understood(rest))?;
    let is_limited = matches!(condition, Condition::Shown(_) | Condition::Count { .. }) && condition.limit_to(&scope);
    if is_limited || scope.is_page() { Ok(condition) } else { Err(not_understood(rest)) }
}

pub(super) fn is_js_dialog(input: TokenStream<'_>) -> bool {
    input
        .strip_articles()
        .is("dialog|alert|confirm|confirm dialog|alert dialog|prompt|confirmation|javascript dialog|browser dialog|\
         confirmation dialog|prompt dialog|last dialog")
}

/// The name of a file, if the words can refer to one.
pub(super) fn file_name(input: TokenStream<'_>) -> Option<Option<String>> {
    let mut input = input.strip_articles();
    input.strip_prefix("download of the file|download of|downloaded file|file named|file called|file|files");
    (input.len() <= 1).then(|| input.tokens().first().map(|name| name.text.clone()))
}

pub(super) enum Subject {
    Title,
    Address,
    Variable(String),
    Dialog,
    Element(Box<TargetPhrase>),
}

pub(super) fn subject(input: TokenStream<'_>) -> Result<Subject, ParseError> {
    let bare = input.trim().strip_articles();
    match target_phrase::page_property(bare) {
        Some(PageProperty::Title) => return Ok(Subject::Title),
        Some(PageProperty::Address) => return Ok(Subject::Address),
        None if bare.is("location") => return Ok(Subject::Address),
        None if is_js_dialog(input) => return Ok(Subject::Dialog),
        None => {}
    }
    let mut variable = bare;
    if variable.strip_prefix("variable named|variable called|variable|saved value").is_some() && variable.len() == 1 {
        let name = variable.text();
        return Ok(Subject::Variable(name.trim_start_matches("${").trim_end_matches('}').to_owned()));
    }
    // `the text in the row of "Bob"`: the complete text of the row.
    let mut of = bare;
    let is_all = of.strip_prefix("value of|text of|content of|contents of|value in|text in|content in").is_some();
    let element = if is_all && !of.is_empty() { phrase(of)? } else { target_phrase::with_property(bare)? };
    Ok(Subject::Element(Box::new(element)))
}
