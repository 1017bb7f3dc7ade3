//! What a condition is about: the page's title or address, a variable, a dialog, a file, else an element.

use super::{
    amounts::{count_of, quantity, state},
    not_understood,
};
use crate::{
    check::{Op, What},
    element_kind,
    literal::ParseError,
    target_phrase::{self, TargetPhrase},
    tokens::TokenStream,
};

pub(super) fn thing(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    let mut input = input.trim();
    input.take_prefix("the text|text|the words|the phrase");
    if matches!(input.lower(0), "all" | "every" | "each" | "both" | "none" | "neither" | "either") && input.len() > 1 {
        return Err(not_understood(input));
    }
    understood(input, target_phrase::phrase(input)?)
}

/// Refuses a phrase that leaves out what the words say first: `rows with the status "Paid"` would be a message that says "Paid",
/// `disabled button` a button of that name.
pub(super) fn understood(input: TokenStream<'_>, phrase: TargetPhrase) -> Result<TargetPhrase, ParseError> {
    let words = input.strip_articles();
    let lead = words.find(1, "with|that|which|whose|where|containing").map_or(words, |(at, _)| words.take(at));
    let has_quote = lead.tokens().iter().any(|token| token.quoted());
    let said = element_kind::at_end(lead).map(|(kind, _)| kind).filter(|_| !has_quote && lead.len() < words.len());
    let is_state = !phrase.quoted
        && phrase.kind.is_some()
        && phrase.name.as_deref().is_some_and(|name| state(&name.to_lowercase()).is_some());
    if is_state || said.is_some_and(|said| phrase.kind != Some(said)) {
        return Err(ParseError::new(
            input.source(),
            format!("`{}` was not understood as a whole", words.text_as_written()),
        )
        .at(input)
        .suggest("there is no row with \"Paid\", the button \"Save\" is disabled, none of the checkboxes is checked"));
    }
    Ok(phrase)
}

pub(super) fn shown(subject: TokenStream<'_>) -> Result<What, ParseError> {
    if let Some(number) = quantity(subject) {
        return count_of(number, subject);
    }
    if is_js_dialog(subject) {
        return Ok(What::Dialog { op: Op::Contains, value: None });
    }
    Ok(What::Shown(thing(subject)?))
}

/// `… is shown in the table "Users"`.
pub(super) fn within(mut what: What, rest: TokenStream<'_>) -> Result<What, ParseError> {
    let scope = target_phrase::parse_scope(rest, true).ok_or_else(|| not_understood(rest))?;
    if !matches!(&scope, target_phrase::Scope::In(about) if about.source_text == "page") {
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => subject.scopes.push(scope),
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

pub(super) fn is_js_dialog(input: TokenStream<'_>) -> bool {
    matches!(
        input.strip_articles().text().to_lowercase().as_str(),
        "dialog"
            | "alert"
            | "confirm"
            | "confirm dialog"
            | "alert dialog"
            | "prompt"
            | "confirmation"
            | "javascript dialog"
            | "browser dialog"
            | "confirmation dialog"
            | "prompt dialog"
            | "last dialog"
    )
}

pub(super) fn is_file(input: TokenStream<'_>) -> Option<Option<String>> {
    let mut input = input.strip_articles();
    input.take_prefix(
        "download of the file|download of|downloaded file|file named|file called|\
            file|files",
    );
    match input.tokens() {
        [] => Some(None),
        [one] => Some(Some(one.text.clone())),
        _ => None,
    }
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
    let text = bare.text().to_lowercase();
    let plain = !bare.quoted(0);
    let text = text.strip_suffix(" of the page").or_else(|| text.strip_suffix(" of this page")).unwrap_or(&text);
    match text {
        "title" | "page title" | "page's title" | "tab title" | "document title" if plain => return Ok(Subject::Title),
        "address" | "url" | "page address" | "page url" | "page's url" | "page's address" | "current url"
        | "current address" | "location"
            if plain =>
        {
            return Ok(Subject::Address);
        }
        _ => {}
    }
    if is_js_dialog(input) {
        return Ok(Subject::Dialog);
    }
    let mut variable = bare;
    if variable.take_prefix("variable named|variable called|variable|saved value").is_some() && variable.len() == 1 {
        let name = variable.text();
        return Ok(Subject::Variable(name.trim_start_matches("${").trim_end_matches('}').to_owned()));
    }
    let mut of = bare;
    if let Some(lead) = of.take_prefix("value of|text of|content of|contents of|value in|text in|content in")
        && !of.is_empty()
    {
        // `the text in the row of "Bob"`: all that the row says.
        let _ = lead;
        return Ok(Subject::Element(Box::new(target_phrase::phrase(of)?)));
    }
    Ok(Subject::Element(Box::new(target_phrase::with_property(bare)?)))
}
