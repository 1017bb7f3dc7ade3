//! Sentence forms for saving and reading content of the page.

use legwork_protocol::is_variable_name;

use super::{
    form::{FormError, FormResult, Words},
    lists::phrase,
};
use crate::{
    ast::{Operation, Source, TargetPhrase},
    element_kind::ElementKind,
    error::ParseError,
    target_phrase, texts,
    tokens::TokenStream,
};

/// `Take a screenshot of "Total"`.
pub(super) fn screenshot(words: Words<'_>) -> FormResult {
    let mut of = words.rest.strip_articles();
    let picture = of.strip_prefix("screenshot|picture|snapshot").ok_or(FormError::OtherForm)?;
    if words.verb != "take" && picture != "screenshot" {
        return Err(FormError::OtherForm);
    }
    of.strip_prefix("of|showing");
    let place = of.strip_articles();
    if of.is_empty() || place.is("page|screen|window|whole page|full page|current page|whole screen|result") {
        return words.one(Operation::Screenshot(None));
    }
    if place.word_is(0, "page|screen|window|result|current|whole|full") {
        return Err(FormError::OtherForm);
    }
    words.one(Operation::Screenshot(Some(phrase(of)?)))
}

/// The value to save, and the name of the variable after the last `as` or `into`.
fn value_and_variable(words: TokenStream<'_>) -> Option<(TokenStream<'_>, TokenStream<'_>)> {
    let as_variable = "as the variable|into the variable|in the variable|to the variable|as variable|in variable|\
        into variable|as|into|in|to|under|under the name";
    let place = words.places_of(1, as_variable).filter(|(at, count)| at + count + 1 == words.len()).last()?;
    Some(words.split_around(place))
}

/// `Read the text of "Total"`.
pub(super) fn read(words: Words<'_>) -> FormResult {
    if value_and_variable(words.rest).is_some() {
        return Err(FormError::OtherForm);
    }
    let Source::Of { target, .. } = source(words.rest)? else { return Err(FormError::OtherForm) };
    words.one(Operation::Read(Some(target).filter(|target| target.source_text.to_lowercase() != "page")))
}

/// `Save the text of "Total" as total`.
pub(super) fn save(words: Words<'_>) -> FormResult {
    let Some((what, name)) = value_and_variable(words.rest) else {
        let things = words.rest.strip_articles();
        if words.verb == "save" && (things.is_empty() || things.is("it|changes|form|settings|everything|file|page")) {
            let why = "`save` keeps a value of the page; a button has to be named";
            return Err(words.whole.not_understood(why).suggest("Click \"Save\"").into());
        }
        return Err(words.whole.missing("as which variable").into());
    };
    let text = name.text();
    let variable = text.trim().trim_start_matches("${").trim_start_matches('$').trim_end_matches('}').to_owned();
    if !is_variable_name(&variable) {
        let why = format!("{text:?} cannot be the name of a variable: it needs letters, digits and _, no digit first");
        return Err(words.whole.error(why).with_example().into());
    }
    words.one(Operation::Save { what: source(what)?, variable })
}

/// `the amount of Initech`, `the price`, or an element.
fn property(words: TokenStream<'_>) -> Result<Source, ParseError> {
    let target = target_phrase::with_property(words)?;
    let bare_value = target.kind == Some(ElementKind::Text) && target.name.is_none() && target.scopes.is_empty();
    if bare_value && target.property.is_none() && target.ordinal.is_none() && target.contains.is_empty() {
        return Ok(Source::Named(words.strip_articles().text()));
    }
    Ok(Source::Of { target, attribute: None, text: false })
}

/// `the number of rows`, `the amount of Initech`, `the href of "Next"`, `the address`.
fn source(words: TokenStream<'_>) -> Result<Source, ParseError> {
    let mut rest = words.strip_articles();
    match target_phrase::page_property(rest) {
        Some(target_phrase::PageProperty::Address) => return Ok(Source::Address),
        Some(target_phrase::PageProperty::Title) => return Ok(Source::Title),
        None => {}
    }
    let mut things_of = rest;
    if let Some(lead) = things_of.strip_prefix("number of|count of|amount of") {
        let shown = things_of.strip_suffix("shown|visible|displayed|on the page|on this page|on the screen").is_some();
        let things = phrase(things_of)?;
        let is_kind = things.kind.is_some_and(|kind| kind != ElementKind::Text);
        if is_kind || (things.quoted && lead != "amount of") || shown {
            return Ok(Source::Count { things, shown });
        }
        // `the amount of Initech` is not a count.
        if lead != "amount of" {
            texts::name(things_of)?;
            return Ok(Source::NumberOf(things_of.strip_articles().text()));
        }
    }
    let word = rest.lower(0);
    let of = |words: TokenStream<'_>, attribute: Option<String>, text| {
        Ok(Source::Of { target: phrase(words)?, attribute, text })
    };
    // `the attribute "data-id" of "Next"`, `the "data-id" attribute of "Next"`, `the data-id attribute of "Next"`
    let name = match (word, rest.quoted(0), rest.quoted(1), rest.lower(1)) {
        ("attribute", _, true, _) => Some(rest.skip(1).take(1)),
        (_, true, _, "attribute") => Some(rest.take(1)),
        (_, false, _, "attribute") if rest.word_is(2, "of|from") => Some(rest.take(1)),
        _ => None,
    };
    if let Some(name) = name {
        rest = rest.skip(2);
        rest.strip_prefix("of|from");
        let name = if name.quoted(0) { name.text() } else { name.lower(0).to_owned() };
        return of(rest, Some(name), false);
    }
    if word == "text" && rest.quoted(1) {
        return of(rest.skip(1), None, true);
    }
    if !rest.word_is(1, "of|from|in|inside") {
        return property(rest);
    }
    let target = rest.skip(2);
    match word {
        "href" | "src" => of(target, Some(word.to_owned()), false),
        "text" | "value" | "content" | "contents" | "label" => of(target, None, true),
        "link" | "url" | "address" | "target" | "source" | "alt" | "title" | "placeholder" | "class" | "id" => {
            let attribute = match word {
                "link" | "url" | "address" | "target" => "href",
                "source" => "src",
                word => word,
            };
            // The word may also be the name of a column.
            let target = TargetPhrase { property: Some(word.to_owned()), ..phrase(target)? };
            Ok(Source::Of { target, attribute: Some(attribute.to_owned()), text: false })
        }
        _ => property(rest),
    }
}
