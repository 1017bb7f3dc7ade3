//! What a condition is about: the page's title or address, a variable, a dialog, a file, else an element.

use super::{
    amounts::{count_of, quantity},
    not_understood,
};
use crate::decide::{
    check::{Op, What},
    literal::NotLiteral,
    target::{self, Phrase},
    words::Words,
};

pub(super) fn thing(words: Words<'_>) -> Result<Phrase, NotLiteral> {
    let mut words = words.trim();
    words.eat("the text|text|the words|the phrase");
    if matches!(words.low(0), "all" | "every" | "each" | "both" | "none" | "neither" | "either") && words.len() > 1 {
        return Err(not_understood(words));
    }
    target::phrase(words)
}

pub(super) fn shown(subject: Words<'_>) -> Result<What, NotLiteral> {
    if let Some(number) = quantity(subject) {
        return count_of(number, subject);
    }
    if is_js_dialog(subject) {
        return Ok(What::Dialog { op: Op::Contains, value: None });
    }
    Ok(What::Shown(thing(subject)?))
}

/// `… is shown in the table "Users"`.
pub(super) fn within(mut what: What, rest: Words<'_>) -> Result<What, NotLiteral> {
    let place = target::place(rest, true).ok_or_else(|| not_understood(rest))?;
    if !matches!(&place, target::Place::In(about) if about.said == "page") {
        match &mut what {
            What::Shown(subject) | What::Count { things: subject, .. } => subject.places.push(place),
            _ => return Err(not_understood(rest)),
        }
    }
    Ok(what)
}

pub(super) fn is_js_dialog(words: Words<'_>) -> bool {
    matches!(
        words.bare().text().to_lowercase().as_str(),
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

pub(super) fn is_file(words: Words<'_>) -> Option<Option<String>> {
    let mut words = words.bare();
    words.eat(
        "download of the file|download of|downloaded file|file named|file called|\
            file|files",
    );
    match words.tokens() {
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
    Element(Box<Phrase>),
}

pub(super) fn subject(words: Words<'_>) -> Result<Subject, NotLiteral> {
    let bare = words.trim().bare();
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
    if is_js_dialog(words) {
        return Ok(Subject::Dialog);
    }
    let mut variable = bare;
    if variable.eat("variable named|variable called|variable|saved value").is_some() && variable.len() == 1 {
        let name = variable.text();
        return Ok(Subject::Variable(name.trim_start_matches("${").trim_end_matches('}').to_owned()));
    }
    let mut of = bare;
    if let Some(lead) = of.eat("value of|text of|content of|contents of|value in|text in|content in")
        && !of.is_empty()
    {
        // `the text in the row of "Bob"`: all that the row says.
        let _ = lead;
        return Ok(Subject::Element(Box::new(target::phrase(of)?)));
    }
    Ok(Subject::Element(Box::new(target::with_property(bare)?)))
}
