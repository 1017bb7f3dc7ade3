//! Sentence forms for saving and reading content of the page.

use legwork_protocol::{Action, Look, Read, is_variable_name};

use super::{
    form::{FormError, FormResult, Matched},
    lists::phrase,
    slots::names_page,
};
use crate::{
    additional_words::is_one_of,
    ast::{Operation, Purpose, Source, TargetPhrase, VariableWords},
    element_kind::ElementKind,
    error::ParseError,
    target_phrase, texts,
    tokens::TokenStream,
};

/// `Take a screenshot of "Total"`.
pub(super) fn screenshot(found: &Matched<'_>) -> FormResult {
    let is_named = found.clause.verb == "take" || found.phrase("picture") == "screenshot";
    let place = found.words("place").strip_articles();
    // `the page before clicking` is more than the page.
    if !is_named || !names_page(place) && place.word_is(0, "page|screen|window|result|current|whole|full") {
        return Err(FormError::OtherForm);
    }
    let look = |target| [Action::Look(Look { target, marks: false })];
    found.act_on(found.part_of_page("place")?, Purpose::Any, look)
}

/// `Read the text of "Total"`.
pub(super) fn read(found: &Matched<'_>) -> FormResult {
    let Source::Of { target, .. } = source(found.words("what"))? else { return Err(FormError::OtherForm) };
    let target = Some(target).filter(|target| target.source_text.to_lowercase() != "page");
    found.act_on(target, Purpose::Any, |target| [Action::Read(Read { target, ..Read::default() })])
}

/// `Save the text of "Total" as total`.
pub(super) fn save(found: &Matched<'_>) -> FormResult {
    let text = found.words("variable").text();
    let variable = text.trim().trim_start_matches("${").trim_start_matches('$').trim_end_matches('}').to_owned();
    if !is_variable_name(&variable) {
        let why = format!("{text:?} cannot be the name of a variable: it needs letters, digits and _, no digit first");
        return Err(found.clause.whole.error(why).with_example().into());
    }
    let stated = match found.phrase("how") {
        how if how.contains("variable") || text.starts_with("$") => VariableWords::Variable,
        "as" => VariableWords::As,
        _ => VariableWords::Into,
    };
    // The name of a variable is rarely quoted, that of a field always may be.
    if stated == VariableWords::Into && found.words("variable").quoted(0) {
        let why = format!("{text:?} may be a field or a variable");
        let form = format!("Save … as value, then: Type \"${{value}}\" into {text:?}");
        return Err(found.clause.whole.error(why).suggest(form).into());
    }
    let what = source(found.words("what"))?;
    // `Save the customer as draft` asks the page to save a record; no value of the page is named.
    let is_thing = match &what {
        Source::Named(_) => true,
        Source::Of { target, attribute: None, text: false } => {
            !target.quoted && target.raw.is_none() && target.property.is_none() && target.scopes.is_empty()
        }
        _ => false,
    };
    let is_record = is_thing && stated == VariableWords::As;
    if is_record && is_one_of(RECORD_STATES, &variable.to_lowercase()) {
        let why = format!("`as {variable}` may be a state in which the page saves it, or the name of a variable");
        let form = format!("Click \"Save as {variable}\", or: Save … as the variable {variable}");
        return Err(found.clause.whole.error(why).suggest(form).into());
    }
    found.act(Operation::Save { what, variable, stated })
}

/// States and forms in which pages save records.
const RECORD_STATES: &str = "draft|drafts|template|default|defaults|favourite|favorite|favourites|favorites|preset|bookmark|\
    duplicate|private|public|archived|paid|unpaid|pdf|csv|spam";

/// `Save the changes`: the sentence does not name the button.
pub(super) fn save_nothing(found: &Matched<'_>) -> FormResult {
    if found.clause.verb != "save" {
        return Err(found.missing("as which variable").into());
    }
    let why = "`save` keeps a value of the page; a button has to be named";
    Err(found.clause.whole.not_understood(why).suggest("Click \"Save\"").into())
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
