//! Builders of instructions that enter texts and files into fields.

use super::{
    form::{FormError, FormResult, Matched},
    lists::{list, list_of, phrase, quoted_list},
    slots,
};
use legwork_protocol::{Action, Press, Type};

use crate::{
    ast::{Operation, Purpose, TargetPhrase},
    element_kind::ElementKind,
    texts::{literal_text, says_nothing},
    tokens::TokenStream,
};

/// `the user name "alice"`: the unquoted name of a field before the only quoted text, which is at the end.
fn is_name_and_text(words: TokenStream<'_>) -> bool {
    words.len() > 1 && words.ends_quoted() && !words.quoted(0)
}

/// `Enter "a" as "A" and "b" as "B"`, `the user name "ada" and the password "pw" into the text fields`.
pub(super) fn split_texts(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let mut words = words;
    let mut bare = words.strip_articles();
    if bare.strip_prefix("text|value|string|word|words|number|secret|date|time").is_some() && !bare.is_empty() {
        words = bare;
    }
    if words.word_is(0, "into|inside|in|on|at") {
        return vec![words];
    }
    let mut pairs = words;
    // A target that all fields have in common adds no meaning.
    if pairs.strip_suffix("text fields|fields|text boxes|boxes|inputs|form").is_some() {
        pairs.strip_suffix("the|these|their|the respective|the corresponding|their respective");
        pairs = if pairs.strip_suffix("into|in|in to").is_some() { pairs } else { words };
    }
    let pieces = quoted_list(pairs);
    if pieces.len() > 1 && pieces.iter().all(|piece| is_name_and_text(*piece) && piece.quotes() == 1) {
        return pieces;
    }
    let into = slots::vocabulary("INTO").unwrap_or_default();
    list_of(words, |piece| {
        let ends = match piece.quoted(0) {
            true => piece.match_any(1, into) > 0,
            false => slots::end_of_text(piece, into).is_ok_and(|end| end.is_some()),
        };
        ends || is_name_and_text(piece)
    })
}

/// `Type "alice" into "User name"`.
pub(super) fn type_into(found: &Matched<'_>) -> FormResult {
    let (text, target) = (found.words("text"), found.words("target"));
    let cased = |text: String| match found.phrase("case") {
        "" => text,
        case if case.starts_with("lower") => text.to_lowercase(),
        _ => text.to_uppercase(),
    };
    if let Some(target) = both_fields(target) {
        // `the password "pw"`: the name precedes the text.
        let quote = text.tokens().iter().find(|token| token.quoted()).filter(|_| text.quotes() == 1);
        let text = quote.filter(|_| !text.quoted(0)).map_or_else(|| literal_text(text), |quote| Ok(quote.text.clone()));
        return found.act(Operation::FillBoth { target, text: cased(text?) });
    }
    if says_nothing(text) && found.phrase("case").is_empty() && !target.is_empty() {
        return found.act(Operation::Clear(phrase(target)?));
    }
    let text = cased(found.text()?);
    if target.strip_articles().is("prompt|prompt dialog|dialog prompt") {
        return found.act(Operation::Dialog { accept: true, text: Some(text) });
    }
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    match target {
        Some(target) if found.phrase("slowly").is_empty() => found.act(Operation::Fill { target, text }),
        target => found.act_on(target, Purpose::Fill, |target| [Action::Type(Type { target, text })]),
    }
}

/// `Type "alice"`: into the focused field.
pub(super) fn type_text(found: &Matched<'_>) -> FormResult {
    let (text, rest) = (found.words("text"), found.words("text").skip(1));
    if found.clause.verb == "enter" && text.strip_articles().match_at(0, "key") > 0 {
        return Err(FormError::OtherForm);
    }
    if text.quoted(0) && !rest.is_empty() {
        let why = format!("`{}` after the text was not understood", rest.text_as_written());
        return Err(rest.not_understood(why).with_example().into());
    }
    type_into(found)
}

/// `both text fields`.
fn both_fields(target: TokenStream<'_>) -> Option<TargetPhrase> {
    let mut rest = target;
    rest.strip_prefix("both of the|both the|both")?;
    let kind = match rest {
        _ if rest.is("password fields|password boxes") => ElementKind::Password,
        _ if rest.is("fields|text fields|input fields|inputs|text inputs|text boxes|textboxes|boxes") => {
            ElementKind::Field
        }
        _ => return None,
    };
    Some(TargetPhrase::of_kind(kind, target.text_as_written()))
}

/// `Fill "Name" with "Ada" and "Email" with "a@b"`.
pub(super) fn split_fields(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    let pieces = list(words);
    let has_value = |piece: &TokenStream<'_>| piece.find_phrase(1, "with").is_some();
    if pieces.len() > 1 && pieces.iter().all(has_value) { pieces } else { list_of(words, |piece| piece.len() > 1) }
}

/// `Fill "Name" with "Ada"`, `Set "Name" to "Ada"`.
pub(super) fn set(found: &Matched<'_>) -> FormResult {
    let (target, value) = (found.field()?, found.words("value"));
    if target.kind == Some(ElementKind::Slider) && value.text().parse::<f64>().is_ok() {
        return slide(found, target, value.text());
    }
    if says_nothing(value) {
        return found.act(Operation::Clear(target));
    }
    found.act(Operation::Set { target, value: literal_text(value)? })
}

/// `Set "A" to "a" and "B" to "b"`.
pub(super) fn split_settings(words: TokenStream<'_>) -> Vec<TokenStream<'_>> {
    list_of(words, |piece| piece.find_phrase(1, "to|as|=").is_some())
}

/// Moves a slider, then verifies its value.
pub(super) fn slide(found: &Matched<'_>, target: TargetPhrase, value: String) -> FormResult {
    found.acts([false, true].map(|moved| Operation::Slide { target: target.clone(), value: value.clone(), moved }))
}

/// `Upload "report.csv" to "Attachment"`.
pub(super) fn upload(found: &Matched<'_>) -> FormResult {
    let (files, target) = (slots::files(found.words("files"))?, found.words("target"));
    if files.is_empty() {
        return Err(found.missing("which file").into());
    }
    let target = (!target.is_empty()).then(|| phrase(target)).transpose()?;
    found.act(Operation::Upload { files, target })
}

/// `Log in as "alice" with password "${secret:PASSWORD}"`.
pub(super) fn log_in(found: &Matched<'_>) -> FormResult {
    let (user, password) = (found.words("user").trim(), found.words("password"));
    for (part, what) in [(user, "a user name"), (password, "a password")] {
        if part.len() > 1 {
            let why = format!("`{}` was not understood as {what}", part.text_as_written());
            return Err(part.not_understood(why).with_example().into());
        }
    }
    let user = (!user.is_empty()).then(|| literal_text(user)).transpose()?;
    found.act(Operation::Login { user, password: literal_text(password)? })
}

/// `Log in`, `Log in to the webmail as alice`: the words in the place of the password were not understood.
pub(super) fn log_in_without_password(found: &Matched<'_>) -> FormResult {
    let words = found.words("words");
    let form = "Log in as \"alice\" with password \"…\", or: Click \"Log in\"";
    Err(match (words.len(), found.missing("with which password")) {
        (0, _) => found.missing("as whom").suggest(form),
        (1, problem) => problem,
        (_, problem) => words.not_understood(problem.why).with_example(),
    }
    .into())
}

/// `Search for "lamp" in the catalogue`.
pub(super) fn search(found: &Matched<'_>) -> FormResult {
    found.act(Operation::Search { text: found.text()?, field: found.part_of_page("field")? })
}

/// `Append "!" to "Notes"`.
pub(super) fn append(found: &Matched<'_>) -> FormResult {
    let text = found.text()?;
    found.act_on(Some(found.target()?), Purpose::Fill, |target| {
        [Action::Press(Press { key: "Control+End".into(), target }), Action::Type(Type { target: None, text })]
    })
}
