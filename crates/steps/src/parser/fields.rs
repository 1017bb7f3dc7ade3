//! Putting text and files into fields.

use super::*;
use crate::{element_kind::ElementKind, texts::given};

/// The words of the text and those of the target: the text ends at its quote, or at the preposition. Where bare words
/// leave more than one end, there is none.
pub(super) fn split_text<'t>(
    input: TokenStream<'t>,
    preps: &str,
) -> Result<(TokenStream<'t>, Option<TokenStream<'t>>), ParseError> {
    if input.quoted(0) {
        let count = preps.split('|').map(|prep| input.has(1, prep)).find(|count| *count > 0);
        return Ok(match count {
            Some(count) => (input.take(1), Some(input.from(1 + count)).filter(|rest| !rest.is_empty())),
            None => (input, None),
        });
    }
    let ends: Vec<(usize, usize)> = (1..input.len())
        .filter_map(|at| {
            let count = preps.split('|').map(|prep| input.has(at, prep)).find(|count| *count > 0)?;
            (at + count < input.len()).then_some((at, count))
        })
        .collect();
    let into: Vec<(usize, usize)> =
        ends.iter().copied().filter(|(at, count)| input.lower(*at) == "into" || *count == 2).collect();
    let (at, count) = match (ends.as_slice(), into.as_slice()) {
        ([], _) => return Ok((input, None)),
        ([one], _) | (_, [one]) => *one,
        ([first, ..], _) if first.0 == 1 => *first,
        ([_, (at, _), ..], _) => {
            return Err(ParseError::new(input.source(), "where the text ends is not clear; a text is given in quotes")
                .at(input.from(*at))
                .suggest("Type \"Ada\" into \"Name\""));
        }
    };
    Ok((input.take(at), Some(input.from(at + count))))
}

/// `in the StepNotes field: hello`, `into "Name" "Ada"`: the field first, then its text.
fn field_first<'t>(input: TokenStream<'t>, preps: &'static str) -> Option<(TokenStream<'t>, TokenStream<'t>)> {
    let mut rest = input;
    rest.take_prefix(preps)?;
    if let Some((at, _)) = rest.find(1, ":")
        && !rest.from(at + 1).is_empty()
    {
        return Some((rest.take(at), rest.from(at + 1)));
    }
    let last = rest.len().checked_sub(1)?;
    (last > 0 && rest.quoted(last)).then(|| (rest.take(last), rest.from(last)))
}

pub(super) fn text_and_target<'t>(
    input: TokenStream<'t>,
    preps: &str,
    whole: TokenStream<'_>,
) -> Result<(String, TokenStream<'t>), ParseError> {
    match split_text(input, preps)? {
        (text, Some(target)) => Ok((given(text)?, target)),
        (_, None) => {
            Err(ParseError::new(whole.source(), "it does not say into which field")
                .suggest("Type \"Ada\" into \"Name\""))
        }
    }
}

/// `Type "alice" into "User name"`, `Enter "a" as "A" and "b" as "B"`.
pub(super) fn type_into(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    let slow =
        rest.take_suffix("key by key|letter by letter|slowly|character by character|one key at a time").is_some();
    if input.lower(0) == "enter" && rest.strip_articles().has(0, "key") > 0 {
        return not_known(input);
    }
    let mut described = rest.strip_articles();
    let described_text = described.take_prefix("text|value|string|word|words|number|secret|date|time").is_some()
        && !described.is_empty();
    if described_text {
        rest = described;
    }
    let submit = rest.take_suffix("and press enter|and hit enter|and submit|and press return").is_some();
    let preps = "into|in to|in|to|as|for|on|inside|under|at";
    if let Some((field, text)) = field_first(rest, "into|in to|inside|in|on|at|to|under") {
        let operation = match (phrase(field)?, given(text)?) {
            (target, text) if slow => Operation::Type { target: Some(target), text },
            (target, text) => Operation::Fill { target, text, submit },
        };
        return Ok(vec![instruction(input, operation)]);
    }
    if matches!(rest.lower(0), "into" | "inside" | "in" | "on" | "at") {
        return Err(ParseError::new(input.source(), "where the field's name ends and the text begins is not clear")
            .at(rest)
            .suggest("Type \"Ada\" into \"Name\""));
    }
    let mut clauses = Vec::new();
    let pieces = fields_and_texts(rest).unwrap_or_else(|| quoted_list(rest));
    let named = |piece: &TokenStream<'_>| !piece.quoted(0) && piece.quoted(piece.len() - 1);
    let targeted = |piece: &TokenStream<'_>| split_text(*piece, preps).is_ok_and(|(_, target)| target.is_some());
    let pairs = pieces.len() > 1 && pieces.iter().all(|piece| named(piece) || targeted(piece));
    let pieces = if pairs { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let (source_text, mut target) = split_text(piece, preps)?;
        let mut cased = None;
        if let Some((case, rest)) = target.and_then(|target| in_case(target, preps)) {
            (cased, target) = (Some(case), rest);
        }
        if source_text.is_empty() {
            return Err(
                ParseError::new(input.source(), "it does not say what to type").suggest("Type \"Ada\" into \"Name\"")
            );
        }
        let input = if pieces.len() > 1 { piece } else { input };
        // `Enter your name: "Ada"`, `Enter the user name "alice"`: the field, then its text.
        if target.is_none() && piece.len() > 1 && !piece.quoted(0) && piece.quoted(piece.len() - 1) {
            let mut field = piece.take(piece.len() - 1);
            field.take_suffix("as|of|:");
            let field = phrase(field)?;
            clauses
                .push(instruction(input, Operation::Set { target: field, value: piece.from(piece.len() - 1).text() }));
            continue;
        }
        if piece.quoted(0) && target.is_none() && piece.len() > 1 {
            return Err(ParseError::new(
                input.source(),
                format!("`{}` after the text was not understood", piece.from(1).text_as_written()),
            )
            .at(piece.from(1))
            .suggest("Type \"Ada\" into \"Name\""));
        }
        let text = |source_text: TokenStream<'_>| {
            let text = given(source_text)?;
            Ok::<String, ParseError>(match cased {
                Some(Case::Lower) => text.to_lowercase(),
                Some(Case::Upper) => text.to_uppercase(),
                None => text,
            })
        };
        let in_prompt = target.is_some_and(|target| {
            matches!(
                target.strip_articles().text().to_lowercase().as_str(),
                "prompt" | "prompt dialog" | "dialog prompt"
            )
        });
        if let Some(fields) = target.and_then(both) {
            // `the password "pw"`: its name and then the text.
            let mut quoted = piece.tokens().iter().filter(|token| token.quoted());
            let text = match (quoted.next(), quoted.next()) {
                (Some(one), None) if !piece.quoted(0) => one.text.clone(),
                _ => text(source_text)?,
            };
            clauses.push(instruction(input, Operation::FillBoth { target: fields, text }));
            if submit {
                clauses.push(instruction(input, Operation::Press { key: "Enter".into(), times: 1, target: None }));
            }
            continue;
        }
        let text = text(source_text)?;
        let target = target.map(phrase).transpose()?;
        clauses.push(instruction(
            input,
            match target {
                _ if in_prompt => Operation::Dialog { accept: true, text: Some(text) },
                Some(target) if slow => Operation::Type { target: Some(target), text },
                Some(target) => Operation::Fill { target, text, submit },
                None => Operation::Type { target: None, text },
            },
        ));
    }
    Ok(clauses)
}

/// `both text fields`.
fn both(target: TokenStream<'_>) -> Option<TargetPhrase> {
    let mut rest = target;
    rest.take_prefix("both of the|both the|both")?;
    let source_text = target.text_as_written().to_owned();
    let kind = match rest.text().to_lowercase().as_str() {
        "password fields" | "password boxes" => ElementKind::Password,
        "fields" | "text fields" | "input fields" | "inputs" | "text inputs" | "text boxes" | "textboxes" | "boxes" => {
            ElementKind::Field
        }
        _ => return None,
    };
    Some(TargetPhrase { source_text, kind: Some(kind), ..TargetPhrase::default() })
}

#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
}

/// `in all upper case letters`, and what follows it.
fn in_case<'t>(input: TokenStream<'t>, preps: &'static str) -> Option<(Case, Option<TokenStream<'t>>)> {
    let mut rest = input;
    rest.take_prefix("all");
    let cased = match rest.take_prefix("upper case|uppercase|upper-case|capital|lower case|lowercase|lower-case")? {
        word if word.starts_with("lower") => Case::Lower,
        _ => Case::Upper,
    };
    rest.take_prefix("letters|characters");
    if !rest.is_empty() {
        rest.take_prefix(preps)?;
    }
    Some((cased, Some(rest).filter(|rest| !rest.is_empty())))
}

/// `the user name "ada" and the password "pw" into the text fields`: each text comes after its field's name, and what they
/// all go into says nothing more.
fn fields_and_texts(input: TokenStream<'_>) -> Option<Vec<TokenStream<'_>>> {
    let mut rest = input;
    for end in ["text fields", "fields", "text boxes", "boxes", "inputs", "form"] {
        if rest.take_suffix(end).is_some() {
            rest.take_suffix("the|these|their|the respective|the corresponding|their respective");
            rest.take_suffix("into|in|in to")?;
            break;
        }
    }
    let pieces = quoted_list(rest);
    let named = |piece: &TokenStream<'_>| piece.len() > 1 && !piece.quoted(0) && piece.quoted(piece.len() - 1);
    let quotes = |piece: &TokenStream<'_>| piece.tokens().iter().filter(|token| token.quoted()).count();
    (pieces.len() > 1 && pieces.iter().all(|piece| named(piece) && quotes(piece) == 1)).then_some(pieces)
}

fn field(input: TokenStream<'_>) -> Result<TargetPhrase, ParseError> {
    refuse_pronoun(input)?;
    phrase(input)
}

/// `Fill "Name" with "Ada" and "Email" with "a@b"`, `Fill in "Ada" as "Name"`.
pub(super) fn fill(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input;
    rest.take_prefix(
        "fill in the form with|fill out the form with|fill the form with|\
            fill in the form|fill out the form|fill in|fill out|fill up|fill",
    );
    let rest = rest.trim();
    let mut clauses = Vec::new();
    let pieces = quoted_list(rest);
    let with = |piece: &TokenStream<'_>| piece.find(1, "with|as|=|to|:|by").is_some();
    let each = list(rest);
    if each.len() > 1 && each.iter().all(|piece| piece.find(1, "with").is_some()) {
        return each
            .into_iter()
            .map(|piece| {
                let (at, count) = piece.find(1, "with").expect("every piece was seen to have it");
                let operation =
                    Operation::Set { target: field(piece.take(at))?, value: given(piece.from(at + count))? };
                Ok(instruction(piece, operation))
            })
            .collect();
    }
    let pieces =
        if pieces.len() > 1 && pieces.iter().all(|piece| with(piece) || piece.len() > 1) { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let input = if pieces.len() > 1 { piece } else { input };
        let operation = if let Some((at, count)) = piece.find(1, "with the text|with the value|with|=|:") {
            Operation::Set { target: field(piece.take(at))?, value: given(piece.from(at + count))? }
        } else if let (text, Some(target)) = split_text(piece, "into|in|as|to|for")? {
            Operation::Fill { target: phrase(target)?, text: given(text)?, submit: false }
        } else if piece.len() > 1 && piece.quoted(piece.len() - 1) {
            Operation::Set { target: phrase(piece.take(piece.len() - 1))?, value: piece.from(piece.len() - 1).text() }
        } else {
            return Err(ParseError::new(input.source(), "it does not say with what to fill it")
                .suggest("Fill \"Name\" with \"Ada\""));
        };
        clauses.push(instruction(input, operation));
    }
    Ok(clauses)
}

/// `Set the date "From" to 2026-12-24`.
pub(super) fn set(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1);
    rest.take_prefix("the value of|the content of|the text of|the selection of|value of");
    let pieces = quoted_list(rest);
    let pieces = if pieces.len() > 1 && pieces.iter().all(|piece| piece.find(1, "to|as|=").is_some()) {
        pieces
    } else {
        vec![rest]
    };
    let mut clauses = Vec::new();
    for piece in pieces.iter().copied() {
        // The last `to` of bare words, as a name may hold one; the first after a quoted name.
        let mut split = None;
        let mut from = 1;
        while let Some((at, count)) = piece.find(from, "to|as|=|into") {
            split = Some((at, count));
            from = at + 1;
        }
        let Some((at, count)) = split else {
            return Err(ParseError::new(input.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        };
        let mut target = piece.take(at);
        target.take_suffix("from");
        let value = piece.from(at + count);
        let input = if pieces.len() > 1 { piece } else { input };
        if value.is_empty() {
            return Err(ParseError::new(input.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        }
        let mut words_of = target.strip_articles();
        if words_of.len() > 1 && !words_of.quoted(0) {
            words_of.take_prefix("date|time|month|option|value");
            if words_of.quoted(0) {
                target = words_of;
            }
        }
        let target = field(target)?;
        if target.kind == Some(ElementKind::Slider) && value.text().parse::<f64>().is_ok() {
            clauses.extend(slide(input, target, value.text()));
            continue;
        }
        clauses.push(instruction(input, Operation::Set { target, value: given(value)? }));
    }
    Ok(clauses)
}

pub(super) fn upload(input: TokenStream<'_>) -> ParseResult {
    let mut rest = input.from(1).strip_articles();
    rest.take_prefix("files|file");
    let quoted =
        rest.tokens().iter().take_while(|token| token.quoted() || matches!(token.lower.as_str(), "and" | ",")).count();
    let at = if quoted > 0 {
        quoted
    } else {
        rest.find(1, "by clicking|by pressing|to|into|in|as|for|using|with|via|through")
            .map_or(rest.len(), |(at, _)| at)
    };
    let mut files = Vec::new();
    for piece in list(rest.take(at)) {
        let file = given(piece)?;
        if !piece.quoted(0) && !file.contains(['.', '/', '\\', '$']) {
            return Err(ParseError::new(input.source(), format!("`{file}` is not the name of a file"))
                .at(piece)
                .suggest("Upload \"report.csv\" to \"Attachment\""));
        }
        files.push(file);
    }
    let mut target = rest.from(at);
    target.take_prefix(
        "by clicking on|by clicking|by pressing|by means of|by way of|to|into|in|as|for|using|with|via|through|under",
    );
    if files.is_empty() {
        return Err(ParseError::new(input.source(), "it does not say which file")
            .suggest("Upload \"report.csv\" to \"Attachment\""));
    }
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    Ok(vec![instruction(input, Operation::Upload { files, target })])
}
