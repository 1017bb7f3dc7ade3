//! Putting text and files into fields.

use super::*;
use crate::decide::kinds::Kind;

/// The text and the words of the target: the text ends at its quote, or at the preposition.
pub(super) fn split_text<'t>(words: Words<'t>, preps: &str) -> (String, Option<Words<'t>>) {
    let start = usize::from(words.quoted(0));
    for prep in preps.split('|') {
        if start == 1 {
            let count = words.has(1, prep);
            if count > 0 {
                return (words.tokens()[0].text.clone(), Some(words.from(1 + count)).filter(|rest| !rest.is_empty()));
            }
        } else if let Some((at, count)) = words.find(1, prep)
            && at + count < words.len()
        {
            return (words.up_to(at).text(), Some(words.from(at + count)));
        }
    }
    (words.text(), None)
}

pub(super) fn text_and_target<'t>(
    words: Words<'t>,
    preps: &str,
    whole: Words<'_>,
) -> Result<(String, Words<'t>), NotLiteral> {
    match split_text(words, preps) {
        (text, Some(target)) => Ok((text, target)),
        (_, None) => {
            Err(NotLiteral::new(whole.source(), "it does not say into which field")
                .suggest("Type \"Ada\" into \"Name\""))
        }
    }
}

/// `Type "alice" into "User name"`, `Enter "a" as "A" and "b" as "B"`.
pub(super) fn type_into(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    let slow = rest.eat_end("key by key|letter by letter|slowly|character by character|one key at a time").is_some();
    if words.low(0) == "enter" && rest.bare().has(0, "key") > 0 {
        return not_known(words);
    }
    let mut described = rest.bare();
    let described_text =
        described.eat("text|value|string|word|words|number|secret|date|time").is_some() && !described.is_empty();
    if described_text {
        rest = described;
    }
    let submit = rest.eat_end("and press enter|and hit enter|and submit|and press return").is_some();
    let preps = "into|in to|in|to|as|for|on|inside|under|at";
    let mut clauses = Vec::new();
    let pieces = fields_and_texts(rest).unwrap_or_else(|| quoted_list(rest));
    let named = |piece: &Words<'_>| !piece.quoted(0) && piece.quoted(piece.len() - 1);
    let pairs = pieces.len() > 1 && pieces.iter().all(|piece| named(piece) || split_text(*piece, preps).1.is_some());
    let pieces = if pairs { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let (mut text, mut target) = split_text(piece, preps);
        if let Some((cased, rest)) = target.and_then(|target| in_case(&text, target, preps)) {
            (text, target) = (cased, rest);
        }
        if text.is_empty() && !piece.quoted(0) {
            return Err(
                NotLiteral::new(words.source(), "it does not say what to type").suggest("Type \"Ada\" into \"Name\"")
            );
        }
        let words = if pieces.len() > 1 { piece } else { words };
        // `Enter your name: "Ada"`, `Enter the user name "alice"`: the field, then its text.
        if target.is_none() && piece.len() > 1 && !piece.quoted(0) && piece.quoted(piece.len() - 1) {
            let mut field = piece.up_to(piece.len() - 1);
            field.eat_end("as|of|:");
            let field = phrase(field)?;
            clauses.push(instruction(words, Deed::Set { target: field, value: piece.from(piece.len() - 1).text() }));
            continue;
        }
        if piece.quoted(0) && target.is_none() && piece.len() > 1 {
            return Err(NotLiteral::new(
                words.source(),
                format!("`{}` after the text was not understood", piece.from(1).text_as_written()),
            )
            .suggest("Type \"Ada\" into \"Name\""));
        }
        let in_prompt = target.is_some_and(|target| {
            matches!(target.bare().text().to_lowercase().as_str(), "prompt" | "prompt dialog" | "dialog prompt")
        });
        if let Some(fields) = target.and_then(both) {
            // `the password "pw"`: its name and then the text.
            let mut quoted = piece.tokens().iter().filter(|token| token.quoted());
            let text = match (quoted.next(), quoted.next()) {
                (Some(one), None) if !piece.quoted(0) => one.text.clone(),
                _ => text,
            };
            clauses.push(instruction(words, Deed::FillBoth { target: fields, text }));
            if submit {
                clauses.push(instruction(words, Deed::Press { key: "Enter".into(), times: 1, target: None }));
            }
            continue;
        }
        let target = target.map(phrase).transpose()?;
        clauses.push(instruction(
            words,
            match target {
                _ if in_prompt => Deed::Dialog { accept: true, text: Some(text) },
                Some(target) if slow => Deed::Type { target: Some(target), text },
                Some(target) => Deed::Fill { target, text, submit },
                None => Deed::Type { target: None, text },
            },
        ));
    }
    Ok(clauses)
}

/// `both text fields`.
fn both(target: Words<'_>) -> Option<Phrase> {
    let mut rest = target;
    rest.eat("both of the|both the|both")?;
    let said = target.text_as_written().to_owned();
    let kind = match rest.text().to_lowercase().as_str() {
        "password fields" | "password boxes" => Kind::Password,
        "fields" | "text fields" | "input fields" | "inputs" | "text inputs" | "text boxes" | "textboxes" | "boxes" => {
            Kind::Field
        }
        _ => return None,
    };
    Some(Phrase { said, kind: Some(kind), ..Phrase::default() })
}

/// `in all upper case letters`, and what follows it.
fn in_case<'t>(text: &str, words: Words<'t>, preps: &'static str) -> Option<(String, Option<Words<'t>>)> {
    let mut rest = words;
    rest.eat("all");
    let cased = match rest.eat("upper case|uppercase|upper-case|capital|lower case|lowercase|lower-case")? {
        word if word.starts_with("lower") => text.to_lowercase(),
        _ => text.to_uppercase(),
    };
    rest.eat("letters|characters");
    if !rest.is_empty() {
        rest.eat(preps)?;
    }
    Some((cased, Some(rest).filter(|rest| !rest.is_empty())))
}

/// `the user name "ada" and the password "pw" into the text fields`: each text comes after its field's name, and what they
/// all go into says nothing more.
fn fields_and_texts(words: Words<'_>) -> Option<Vec<Words<'_>>> {
    let mut rest = words;
    for end in ["text fields", "fields", "text boxes", "boxes", "inputs", "form"] {
        if rest.eat_end(end).is_some() {
            rest.eat_end("the|these|their|the respective|the corresponding|their respective");
            rest.eat_end("into|in|in to")?;
            break;
        }
    }
    let pieces = quoted_list(rest);
    let named = |piece: &Words<'_>| piece.len() > 1 && !piece.quoted(0) && piece.quoted(piece.len() - 1);
    let quotes = |piece: &Words<'_>| piece.tokens().iter().filter(|token| token.quoted()).count();
    (pieces.len() > 1 && pieces.iter().all(|piece| named(piece) && quotes(piece) == 1)).then_some(pieces)
}

/// `Fill "Name" with "Ada" and "Email" with "a@b"`, `Fill in "Ada" as "Name"`.
pub(super) fn fill(words: Words<'_>) -> Read {
    let mut rest = words;
    rest.eat(
        "fill in the form with|fill out the form with|fill the form with|\
            fill in the form|fill out the form|fill in|fill out|fill up|fill",
    );
    let rest = rest.trim();
    let mut clauses = Vec::new();
    let pieces = quoted_list(rest);
    let with = |piece: &Words<'_>| piece.find(1, "with|as|=|to|:|by").is_some();
    let each = list(rest);
    if each.len() > 1 && each.iter().all(|piece| piece.find(1, "with").is_some()) {
        return each
            .into_iter()
            .map(|piece| {
                let (at, count) = piece.find(1, "with").expect("every piece was seen to have it");
                let deed = Deed::Set { target: phrase(piece.up_to(at))?, value: piece.from(at + count).text() };
                Ok(instruction(piece, deed))
            })
            .collect();
    }
    let pieces =
        if pieces.len() > 1 && pieces.iter().all(|piece| with(piece) || piece.len() > 1) { pieces } else { vec![rest] };
    for piece in pieces.iter().copied() {
        let words = if pieces.len() > 1 { piece } else { words };
        let deed = if let Some((at, count)) = piece.find(1, "with the text|with the value|with|=|:") {
            Deed::Set { target: phrase(piece.up_to(at))?, value: piece.from(at + count).text() }
        } else if let (text, Some(target)) = split_text(piece, "into|in|as|to|for") {
            Deed::Fill { target: phrase(target)?, text, submit: false }
        } else if piece.len() > 1 && piece.quoted(piece.len() - 1) {
            Deed::Set { target: phrase(piece.up_to(piece.len() - 1))?, value: piece.from(piece.len() - 1).text() }
        } else {
            return Err(NotLiteral::new(words.source(), "it does not say with what to fill it")
                .suggest("Fill \"Name\" with \"Ada\""));
        };
        clauses.push(instruction(words, deed));
    }
    Ok(clauses)
}

/// `Set the date "From" to 2026-12-24`.
pub(super) fn set(words: Words<'_>) -> Read {
    let mut rest = words.from(1);
    rest.eat("the value of|the content of|the text of|the selection of|value of");
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
            return Err(NotLiteral::new(words.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        };
        let mut target = piece.up_to(at);
        target.eat_end("from");
        let value = piece.from(at + count);
        let words = if pieces.len() > 1 { piece } else { words };
        if value.is_empty() {
            return Err(NotLiteral::new(words.source(), "it does not say to what").suggest("Set \"Quantity\" to \"3\""));
        }
        let mut words_of = target.bare();
        if words_of.len() > 1 && !words_of.quoted(0) {
            words_of.eat("date|time|month|option|value");
            if words_of.quoted(0) {
                target = words_of;
            }
        }
        let target = phrase(target)?;
        if target.kind == Some(Kind::Slider) && value.text().parse::<f64>().is_ok() {
            clauses.extend(slide(words, target, value.text()));
            continue;
        }
        clauses.push(instruction(words, Deed::Set { target, value: value.text() }));
    }
    Ok(clauses)
}

pub(super) fn upload(words: Words<'_>) -> Read {
    let mut rest = words.from(1).bare();
    rest.eat("files|file");
    let quoted =
        rest.tokens().iter().take_while(|token| token.quoted() || matches!(token.low.as_str(), "and" | ",")).count();
    let at = if quoted > 0 {
        quoted
    } else {
        rest.find(1, "to|into|in|as|for|using|with|via").map_or(rest.len(), |(at, _)| at)
    };
    let files: Vec<String> = list(rest.up_to(at)).iter().map(|piece| piece.text()).collect();
    let mut target = rest.from(at);
    target.eat("to|into|in|as|for|using|with|via|under");
    if files.is_empty() {
        return Err(NotLiteral::new(words.source(), "it does not say which file")
            .suggest("Upload \"report.csv\" to \"Attachment\""));
    }
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    Ok(vec![instruction(words, Deed::Upload { files, target })])
}
