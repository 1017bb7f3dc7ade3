//! Sentence forms for dialogs, consent and whole forms: logging in, searching, submitting.

use super::{
    form::{FormError, FormResult, Words},
    lists::phrase,
    typing::split_text,
};
use crate::{
    ast::{Operation, TargetPhrase},
    error::ParseError,
    texts::literal_text,
    tokens::TokenStream,
};

/// `Accept the dialog`, `Accept the terms`.
pub(super) fn accept(words: Words<'_>) -> FormResult {
    let (mut rest, mut text) = (words.rest, None);
    let with = "with the text|with the answer|with|by typing|by entering|typing|answering";
    if let Some(with) = rest.find_phrase(1, with) {
        let (dialog, answer) = rest.split_around(with);
        (rest, text) = (dialog, Some(literal_text(answer)?));
    }
    if names_dialog(rest) {
        return words.one(Operation::Dialog { accept: true, text });
    }
    if matches!(words.verb, "ok" | "confirm") || rest.strip_articles().is_empty() || text.is_some() {
        return Err(FormError::OtherForm);
    }
    // `Accept all` is a usual name of such buttons.
    let is_all = rest.strip_articles().is("all");
    words.one(Operation::Agree(if is_all { TargetPhrase::named("all") } else { phrase(rest)? }))
}

/// `Dismiss the alert`.
pub(super) fn dismiss(words: Words<'_>) -> FormResult {
    if names_dialog(words.rest) {
        return words.one(Operation::Dialog { accept: false, text: None });
    }
    if words.rest.is_empty() {
        return Err(FormError::OtherForm);
    }
    // `Dismiss the notification`, `Cancel the upload`: the sentence does not name the control.
    let why = format!("`{}` is for dialogs; it does not say what to click", words.verb);
    Err(words.whole.error(why).suggest("Click \"Close\"").into())
}

/// `Close the dialog`.
pub(super) fn close(words: Words<'_>) -> FormResult {
    if is_js_dialog(words.rest.strip_articles()) {
        return words.one(Operation::Dialog { accept: false, text: None });
    }
    Err(words.whole.missing("what to click to close it").suggest("Click \"Close\"").into())
}

/// Whether the words name a dialog, as in `Click "Delete" and dismiss it`. Only something that was named is accepted or
/// dismissed.
fn names_dialog(words: TokenStream<'_>) -> bool {
    let bare = words.strip_articles();
    bare.is("it") || is_js_dialog(bare)
}

fn is_js_dialog(words: TokenStream<'_>) -> bool {
    const DIALOGS: &str = "dialog|dialogue|alert|confirm|confirmation|prompt|popup|pop-up";
    const BESIDE: &str = "javascript|js|browser|box|message|next|open|window|modal|question|warning|it";
    (1..=4).contains(&words.len())
        && (0..words.len()).any(|at| words.word_is(at, DIALOGS))
        && (0..words.len()).all(|at| words.word_is(at, DIALOGS) || words.word_is(at, BESIDE))
        && words.lower(0) != "message"
}

/// `Log in as "alice" with password "${secret:PASSWORD}"`.
pub(super) fn log_in(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    if rest.is_empty() {
        let form = "Log in as \"alice\" with password \"…\", or: Click \"Log in\"";
        return Err(words.whole.missing("as whom").suggest(form).into());
    }
    rest.strip_prefix(
        "as the user|as user|as|with the user name|with the username|with username|with user name|with user|with email|\
         with the email|with the email address|using",
    );
    if rest.match_any(0, "with password|with the password") == 0 {
        rest.strip_prefix("with");
    }
    let before_password = "and the password|and with password|with the password|with password|and password|\
        using the password|using password|/|, password|with|and";
    let Some(place) = rest.find_phrase(0, before_password) else {
        let problem = words.whole.missing("with which password");
        // The words in its place were not understood.
        let beside = rest.not_understood(problem.why.clone()).with_example();
        return Err(if rest.len() > 1 { beside } else { problem }.into());
    };
    let (user, password) = rest.split_around(place);
    let user = user.trim();
    for (part, what) in [(user, "a user name"), (password, "a password")] {
        if part.len() > 1 {
            let why = format!("`{}` was not understood as {what}", part.text_as_written());
            return Err(part.not_understood(why).with_example().into());
        }
    }
    if password.is_empty() {
        return Err(words.whole.missing("with which password").into());
    }
    let user = (!user.is_empty()).then(|| literal_text(user)).transpose()?;
    words.one(Operation::Login { user, password: literal_text(password)? })
}

/// `Search for "lamp"`, `Search the catalogue for "lamp"`.
pub(super) fn search(words: Words<'_>) -> FormResult {
    let mut rest = words.rest;
    let field_of = |words: TokenStream<'_>| -> Result<Option<TargetPhrase>, ParseError> {
        let is_page = words.strip_articles().word_is(0, "page|site|website");
        (!is_page).then(|| phrase(words)).transpose()
    };
    let mut field = None;
    if rest.lower(0) != "for"
        && let Some((at, _)) = rest.find_phrase(0, "for")
    {
        let mut place = rest.take(at);
        place.strip_prefix("in|with|using|through|on");
        field = field_of(place)?;
        rest = rest.skip(at);
    }
    rest.strip_prefix("for");
    let (text, target) = split_text(rest, "using|with|in|on|through")?;
    let target = target.map(field_of).transpose()?.flatten();
    if text.is_empty() {
        return Err(words.whole.missing("what to search for").into());
    }
    words.one(Operation::Search { text: literal_text(text)?, field: field.or(target) })
}

/// `Submit the form`.
pub(super) fn submit(words: Words<'_>) -> FormResult {
    let form = words.rest.strip_articles();
    let target = (!form.is_empty()).then(|| phrase(form)).transpose()?;
    words.one(Operation::Submit(target.filter(|form| form.source_text.to_lowercase() != "form")))
}
