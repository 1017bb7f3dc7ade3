//! Sentence forms for entering texts and files into fields.

use super::{
    form::{FormError, FormResult, Words},
    lists::{instruction, list, list_of, phrase, quoted_list, refuse_pronoun},
    sliders::slide,
};
use crate::{
    ast::{Operation, TargetPhrase},
    element_kind::ElementKind,
    error::ParseError,
    texts::literal_text,
    tokens::TokenStream,
};

/// Prepositions between a text and its field.
const INTO: &str = "into|in to|in|to|as|for|on|inside|under|at";

/// Splits the words into those of the text and those of the target. The text ends at its quote or at the preposition.
/// If unquoted words have more than one possible end, the result is `None`.
pub(super) fn split_text<'t>(
    input: TokenStream<'t>,
    preps: &str,
) -> Result<(TokenStream<'t>, Option<TokenStream<'t>>), ParseError> {
    if input.quoted(0) {
        return Ok(match input.match_any(1, preps) {
            0 => (input, None),
            count => (input.take(1), Some(input.skip(1 + count)).filter(|rest| !rest.is_empty())),
        });
    }
    let ends: Vec<(usize, usize)> = input.places_of(1, preps).filter(|(at, count)| at + count < input.len()).collect();
    let into: Vec<(usize, usize)> =
        ends.iter().copied().filter(|(at, count)| input.lower(*at) == "into" || *count == 2).collect();
    let end = match (ends.as_slice(), into.as_slice()) {
        ([], _) => return Ok((input, None)),
        ([one], _) | (_, [one]) => *one,
        ([first, ..], _) if first.0 == 1 => *first,
        ([_, (at, _), ..], _) => {
            let why = "where the text ends is not clear; a text is given in quotes";
            return Err(input.skip(*at).not_understood(why).with_example());
        }
    };
    let (text, target) = input.split_around(end);
    Ok((text, Some(target)))
}

/// `in the Notes field: hello`, `into "Name" "Ada"`: the field precedes its text.
fn field_first<'t>(input: TokenStream<'t>) -> Option<(TokenStream<'t>, TokenStream<'t>)> {
    let mut rest = input;
    rest.strip_prefix("into|in to|inside|in|on|at|to|under")?;
    let at_colon = rest.find_phrase(1, ":").map(|colon| rest.split_around(colon));
    at_colon.filter(|(_, text)| !text.is_empty()).or_else(|| name_and_text(rest))
}

/// `your name: "Ada"`, `the user name "alice"`: the words before the only quoted text, which is at the end, and that
/// text.
fn name_and_text(input: TokenStream<'_>) -> Option<(TokenStream<'_>, TokenStream<'_>)> {
    (input.len() > 1 && input.ends_quoted()).then(|| (input.drop_last(1), input.skip(input.len() - 1)))
}

/// The same, if unquoted words name the field.
fn field_and_text(input: TokenStream<'_>) -> Option<(TokenStream<'_>, TokenStream<'_>)> {
    name_and_text(input).filter(|_| !input.quoted(0))
}

/// `Append "!" to "Notes"`.
pub(super) fn append(words: Words<'_>) -> FormResult {
    let (text, target) = split_text(words.rest, "to the end of|to|into|in|onto")?;
    let target = target.ok_or_else(|| words.whole.missing("into which field"))?;
    words.one(Operation::Append { text: literal_text(text)?, target: phrase(target)? })
}

/// `Type "alice" into "User name"`, `Enter "a" as "A" and "b" as "B"`.
pub(super) fn type_text(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    let slow =
        rest.strip_suffix("key by key|letter by letter|slowly|character by character|one key at a time").is_some();
    if words.verb == "enter" && rest.strip_articles().match_at(0, "key") > 0 {
        return Err(FormError::OtherForm);
    }
    let mut bare = rest.strip_articles();
    if bare.strip_prefix("text|value|string|word|words|number|secret|date|time").is_some() && !bare.is_empty() {
        rest = bare;
    }
    let submit = rest.strip_suffix("and press enter|and hit enter|and submit|and press return").is_some();
    if let Some((field, text)) = field_first(rest) {
        let (target, text) = (phrase(field)?, literal_text(text)?);
        return words.one(put(Some(target), text, slow, submit));
    }
    if rest.word_is(0, "into|inside|in|on|at") {
        let why = "where the field's name ends and the text begins is not clear";
        return Err(rest.not_understood(why).with_example().into());
    }
    let has_field =
        |piece| field_and_text(piece).is_some() || split_text(piece, INTO).is_ok_and(|(_, target)| target.is_some());
    let pieces = fields_and_texts(rest).unwrap_or_else(|| list_of(rest, has_field));
    let mut clauses = Vec::new();
    for piece in &pieces {
        let source = if pieces.len() > 1 { *piece } else { words.whole };
        clauses
            .extend(operations_of(*piece, slow, submit)?.into_iter().map(|operation| instruction(source, operation)));
    }
    Ok(clauses)
}

fn put(target: Option<TargetPhrase>, text: String, slow: bool, submit: bool) -> Operation {
    match target {
        Some(target) if !slow => Operation::Fill { target, text, submit },
        target => Operation::Type { target, text },
    }
}

/// One text and its field.
fn operations_of(piece: TokenStream<'_>, slow: bool, submit: bool) -> Result<Vec<Operation>, ParseError> {
    let (text, mut target) = split_text(piece, INTO)?;
    let mut case = None;
    if let Some((letters, rest)) = target.and_then(letter_case) {
        (case, target) = (Some(letters), rest);
    }
    if text.is_empty() {
        return Err(piece.missing("what to type"));
    }
    if target.is_none() && piece.len() > 1 {
        let Some((mut field, text)) = field_and_text(piece) else {
            if piece.quoted(0) {
                let why = format!("`{}` after the text was not understood", piece.skip(1).text_as_written());
                return Err(piece.skip(1).not_understood(why).with_example());
            }
            return Ok(vec![put(None, literal_text(text)?, slow, submit)]);
        };
        field.strip_suffix("as|of|:");
        return Ok(vec![Operation::Set { target: phrase(field)?, value: text.text() }]);
    }
    let cased = |text: String| match case {
        Some(Case::Lower) => text.to_lowercase(),
        Some(Case::Upper) => text.to_uppercase(),
        None => text,
    };
    if let Some(target) = target.and_then(both) {
        // `the password "pw"`: the name precedes the text.
        let quote = piece.tokens().iter().find(|token| token.quoted()).filter(|_| piece.quotes() == 1);
        let text = match quote.filter(|_| !piece.quoted(0)) {
            Some(quote) => quote.text.clone(),
            None => cased(literal_text(text)?),
        };
        let enter = Operation::Press { key: "Enter".into(), times: 1, target: None };
        return Ok(std::iter::once(Operation::FillBoth { target, text }).chain(submit.then_some(enter)).collect());
    }
    let text = cased(literal_text(text)?);
    if target.is_some_and(|target| target.strip_articles().is("prompt|prompt dialog|dialog prompt")) {
        return Ok(vec![Operation::Dialog { accept: true, text: Some(text) }]);
    }
    Ok(vec![put(target.map(phrase).transpose()?, text, slow, submit)])
}

/// `both text fields`.
fn both(target: TokenStream<'_>) -> Option<TargetPhrase> {
    let mut rest = target;
    rest.strip_prefix("both of the|both the|both")?;
    let kind = if rest.is("password fields|password boxes") {
        ElementKind::Password
    } else if rest.is("fields|text fields|input fields|inputs|text inputs|text boxes|textboxes|boxes") {
        ElementKind::Field
    } else {
        return None;
    };
    Some(TargetPhrase::of_kind(kind, target.text_as_written()))
}

#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
}

/// `in all upper case letters`, and the remaining words.
fn letter_case(input: TokenStream<'_>) -> Option<(Case, Option<TokenStream<'_>>)> {
    let mut rest = input;
    rest.strip_prefix("all");
    let word = rest.strip_prefix("upper case|uppercase|upper-case|capital|lower case|lowercase|lower-case")?;
    rest.strip_prefix("letters|characters");
    if !rest.is_empty() {
        rest.strip_prefix(INTO)?;
    }
    let case = if word.starts_with("lower") { Case::Lower } else { Case::Upper };
    Some((case, Some(rest).filter(|rest| !rest.is_empty())))
}

/// `the user name "ada" and the password "pw" into the text fields`: each text follows the name of its field, and the
/// common target adds no meaning.
fn fields_and_texts(input: TokenStream<'_>) -> Option<Vec<TokenStream<'_>>> {
    let mut rest = input;
    if rest.strip_suffix("text fields|fields|text boxes|boxes|inputs|form").is_some() {
        rest.strip_suffix("the|these|their|the respective|the corresponding|their respective");
        rest.strip_suffix("into|in|in to")?;
    }
    let pieces = quoted_list(rest);
    let is_pair = |piece: &TokenStream<'_>| field_and_text(*piece).is_some() && piece.quotes() == 1;
    (pieces.len() > 1 && pieces.iter().all(is_pair)).then_some(pieces)
}

fn field(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    refuse_pronoun(input)?;
    phrase(input)
}

/// `Fill "Name" with "Ada" and "Email" with "a@b"`, `Fill in "Ada" as "Name"`.
pub(super) fn fill(words: Words<'_>) -> FormResult {
    let rest = words.rest.trim();
    let mut pieces = list(rest);
    if pieces.len() < 2 || !pieces.iter().all(|piece| piece.find_phrase(1, "with").is_some()) {
        pieces = list_of(rest, |piece| piece.len() > 1);
    }
    let operation = |piece: TokenStream<'_>| {
        if let Some(with) = piece.find_phrase(1, "with the text|with the value|with|=|:") {
            let (target, value) = piece.split_around(with);
            return Ok(Operation::Set { target: field(target)?, value: literal_text(value)? });
        }
        if let (text, Some(target)) = split_text(piece, "into|in|as|to|for")? {
            return Ok(Operation::Fill { target: phrase(target)?, text: literal_text(text)?, submit: false });
        }
        let (target, value) = name_and_text(piece).ok_or_else(|| piece.missing("with what to fill it"))?;
        Ok(Operation::Set { target: phrase(target)?, value: value.text() })
    };
    let source = |piece| if pieces.len() > 1 { piece } else { words.whole };
    let clauses = pieces.iter().map(|piece| Ok(instruction(source(*piece), operation(*piece)?)));
    clauses.collect::<Result<_, ParseError>>().map_err(FormError::from)
}

/// `Set the date "From" to 2026-12-24`.
pub(super) fn set(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    rest.strip_prefix("the value of|the content of|the text of|the selection of|value of");
    let pieces = list_of(rest, |piece| piece.find_phrase(1, "to|as|=").is_some());
    let mut clauses = Vec::new();
    for piece in &pieces {
        let source = if pieces.len() > 1 { *piece } else { words.whole };
        // Uses the last `to` of unquoted words, because a name may contain one, and the first `to` after a quoted name.
        let to = piece.places_of(1, "to|as|=|into").last();
        let (mut target, value) = to
            .map(|to| piece.split_around(to))
            .filter(|(_, value)| !value.is_empty())
            .ok_or_else(|| source.missing("to what"))?;
        target.strip_suffix("from");
        let mut name = target.strip_articles();
        if !name.quoted(0) && name.strip_prefix("date|time|month|option|value").is_some() && name.quoted(0) {
            target = name;
        }
        let target = field(target)?;
        if target.kind == Some(ElementKind::Slider) && value.text().parse::<f64>().is_ok() {
            clauses.extend(slide(source, target, value.text()));
        } else {
            clauses.push(instruction(source, Operation::Set { target, value: literal_text(value)? }));
        }
    }
    Ok(clauses)
}

/// `Clear "Name"`; a checkbox is unchecked.
pub(super) fn clear(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    if rest.match_any(0, "the checkbox|the checkboxes|the tick|the tickbox") > 0 || rest.last().starts_with("checkbox")
    {
        return words.each(rest, |target| Operation::Tick { target, on: false });
    }
    rest.strip_prefix("out");
    rest.strip_prefix("the text in|the text from|the text of|the content of|the contents of|the value of|text from");
    words.each(rest, Operation::Clear)
}

/// `Leave "Name" empty`.
pub(super) fn leave_empty(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    rest.strip_suffix("empty|blank").ok_or(FormError::OtherForm)?;
    words.each(rest, Operation::Clear)
}

/// `Upload "report.csv" to "Attachment"`.
pub(super) fn upload(words: Words<'_>) -> FormResult {
    let mut rest = words.rest.strip_articles();
    rest.strip_prefix("files|file");
    let is_file = |at: &usize| rest.quoted(*at) || rest.word_is(*at, "and|,");
    let quoted = (0..rest.len()).take_while(is_file).count();
    let by = "by clicking|by pressing|to|into|in|as|for|using|with|via|through";
    let at = if quoted > 0 { quoted } else { rest.find_phrase(1, by).map_or(rest.len(), |(at, _)| at) };
    let mut files = Vec::new();
    for piece in list(rest.take(at)) {
        let file = literal_text(piece)?;
        if !piece.quoted(0) && !file.contains(['.', '/', '\\', '$']) {
            return Err(piece.not_understood(format!("`{file}` is not the name of a file")).with_example().into());
        }
        files.push(file);
    }
    if files.is_empty() {
        return Err(words.whole.missing("which file").into());
    }
    let mut target = rest.skip(at);
    target.strip_prefix(
        "by clicking on|by clicking|by pressing|by means of|by way of|to|into|in|as|for|using|with|via|through|under",
    );
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    words.one(Operation::Upload { files, target })
}
