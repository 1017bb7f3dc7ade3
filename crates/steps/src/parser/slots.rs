//! The kinds of slots in patterns and the lists of phrases that several patterns share. Slots of most kinds accept any
//! words, whose parser then reports what it does not understand. The kinds in `accepts` select between patterns.

use super::lists::{list, phrase};
use crate::{
    ast::{Ordinal, TabReference, TargetPhrase},
    element_kind::ElementKind,
    error::ParseError,
    target_phrase::{self, ordinal},
    tokens::TokenStream,
    values,
};

/// The kinds of slots.
#[cfg(test)]
pub(super) const KINDS: &str = "boxes click condition dialog field filename files jsdialog key number path quoted slider \
    tab target targets text times unquoted url word words";

/// A list of phrases by its name in a pattern.
pub(super) fn vocabulary(name: &str) -> Option<&'static str> {
    Some(match name {
        "INTO" => "into|in to|in|to|as|for|on|inside|under|at",
        "ONTO" => {
            "and drop it onto|and drop it on|and drop it into|and drop it in|and drop on|onto|over to|on top of|into|to|\
             over|on"
        }
        "UPLOAD" => {
            "by clicking on|by clicking|by pressing|by means of|by way of|to|into|in|as|for|using|with|via|through|under"
        }
        "CASE" => "upper case|uppercase|upper-case|capital|lower case|lowercase|lower-case",
        "SLOWLY" => "key by key|letter by letter|slowly|character by character|one key at a time",
        "NEWTAB" => "in a new browser tab|in a new tab|in another tab|in a new window|in new tab",
        "KEYS" => "the key combination|keys|key|shortcut|keyboard shortcut",
        "VARIABLE" => {
            "as the variable|into the variable|in the variable|to the variable|as variable|in variable|into variable|as|\
             into|in|to|under the name|under"
        }
        "CONTENT" => "the value of|content of|contents of|text of|text in|text from|selection of",
        "BOXES" => "the checkboxes|boxes|check boxes|tick boxes|options",
        "ANSWER" => "with the text|with the answer|with|by typing|by entering|typing|answering",
        "ASUSER" => {
            "as the user|as user|as|with the user name|with the username|with username|with user name|with user|\
             with the email address|with the email|with email|using|with"
        }
        "PASSWORD" => {
            "and the password|and with password|with the password|with password|and password|using the password|\
             using password|/|, password|with|and"
        }
        "DIRECTION" => {
            "down to the bottom|to the very bottom|all the way down|to the bottom|to bottom|to the end|\
             back to the top|to the beginning|to the very top|all the way up|up to the top|to the start|to the top|\
             to top|to the right|to the left|downwards|upwards|back up|right|left|down|up"
        }
        _ => return None,
    })
}

/// What a sentence does not say if a slot of this kind is empty.
pub(super) fn missing(kind: &str) -> Option<&'static str> {
    matches!(kind, "target" | "targets" | "field").then_some("which element")
}

/// Whether a slot of this kind can contain these words.
pub(super) fn accepts(kind: &str, words: TokenStream<'_>) -> bool {
    match kind {
        // The sentence was not split here, so another clause does not follow.
        _ if words.word_is(0, "and|then") => false,
        "quoted" => words.len() == 1 && words.quoted(0),
        "word" => words.len() == 1,
        "unquoted" => !words.quoted(0),
        "number" => words.text().parse::<f64>().is_ok(),
        "url" => matches!(words.strip_articles().tokens(), [token] if values::is_address(&token.text, token.quoted())),
        "key" => key(words).is_some(),
        "slider" => phrase(words).is_ok_and(|target| target.kind == Some(ElementKind::Slider)),
        "tab" => tab(words).is_some(),
        "path" => path(words).is_some(),
        "jsdialog" => is_js_dialog(words.strip_articles()),
        "dialog" => words.strip_articles().is("it") || is_js_dialog(words.strip_articles()),
        "filename" => words.quoted(0) || words.len() > 1,
        "boxes" => {
            let lead = words.strip_articles();
            lead.len() < words.len() && lead.word_is(0, "checkbox|checkboxes|tick|tickbox")
                || words.last().starts_with("checkbox")
        }
        _ => true,
    }
}

/// The number of tokens of the quoted texts with which a slot of this kind starts: a quoted text ends where its quote
/// ends.
pub(super) fn quoted_length(kind: &str, words: TokenStream<'_>) -> usize {
    let is_file = |at: &usize| words.quoted(*at) || words.word_is(*at, "and|,");
    match kind {
        "text" => usize::from(words.quoted(0)),
        "files" | "filename" => (0..words.len()).take_while(is_file).count(),
        _ => 0,
    }
}

/// The preposition that ends an unquoted text. Of several, the only `into` ends it, or one after the first word.
pub(super) fn end_of_text(words: TokenStream<'_>, preps: &str) -> Result<Option<(usize, usize)>, ParseError> {
    let ends: Vec<(usize, usize)> = words.places_of(1, preps).filter(|(at, count)| at + count < words.len()).collect();
    let into: Vec<(usize, usize)> =
        ends.iter().copied().filter(|(at, count)| words.lower(*at) == "into" || *count == 2).collect();
    match (ends.as_slice(), into.as_slice()) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        ([first, ..], _) if first.0 == 1 => Ok(Some(*first)),
        ([_, (at, _), ..], _) => {
            let why = "where the text ends is not clear; a text is given in quotes";
            Err(words.skip(*at).not_understood(why).with_example())
        }
    }
}

/// The words before `once`, `twice` or `3 times` at the end, and the number.
pub(super) fn without_times(words: TokenStream<'_>) -> Result<Option<(TokenStream<'_>, usize)>, ParseError> {
    if words.word_is(words.len().saturating_sub(1), "once|twice") {
        return Ok(values::count(words.last()).map(|times| (words.drop_last(1), times)));
    }
    let lead = words.drop_last(2);
    match values::count(words.lower(lead.len())) {
        Some(times) if words.last() == "times" && (1..=100).contains(&times) => Ok(Some((lead, times))),
        Some(_) if words.last() == "times" => {
            Err(words.skip(lead.len()).not_understood("a step does something 1 to 100 times"))
        }
        _ => Ok(None),
    }
}

/// Whether no words follow, or words for the page itself.
pub(super) fn names_page(words: TokenStream<'_>) -> bool {
    let bare = words.strip_articles();
    bare.is_empty() || bare.is("keyboard|result") || target_phrase::names_page(bare)
}

/// `Ctrl+A`, `the "a" key`.
pub(super) fn key(words: TokenStream<'_>) -> Option<String> {
    let words = words.strip_articles();
    match words.tokens() {
        [one, key] if one.quoted() && key.lower == "key" => values::chord(&one.text),
        _ => values::chord(&words.text()),
    }
}

/// `File > Export > PDF`, in a menu or a tree: each item opens the next.
pub(super) fn path(words: TokenStream<'_>) -> Option<Vec<String>> {
    let parts: Vec<String> = if words.quotes() > 0 {
        let names = words.tokens().split(|token| token.lower == ">");
        names.map(|name| if let [one] = name { one.text.clone() } else { String::new() }).collect()
    } else {
        words.text().split('>').map(|part| part.trim().to_owned()).collect()
    };
    (parts.len() > 1 && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// `the second tab`, `tab 2`, `the tab "Help"`.
pub(super) fn tab(words: TokenStream<'_>) -> Option<TabReference> {
    let named = |name: TokenStream<'_>| {
        let phrase = TargetPhrase { kind: Some(ElementKind::Tab), ..TargetPhrase::named(name.text()) };
        name.quoted(0).then(|| TabReference::Named(Box::new(phrase)))
    };
    let mut rest = words.strip_articles();
    if rest.strip_prefix("tab number|tab no|tab|browser tab|window").is_some() && !rest.is_empty() {
        if let Ok(number) = rest.lower(0).parse() {
            return (rest.len() == 1).then_some(TabReference::Nth(number));
        }
        rest.strip_prefix(
            "with the title|titled|named|called|with title|with the address|with|containing|whose title is",
        );
        return named(rest);
    }
    let mut rest = words.strip_articles();
    rest.strip_suffix("browser tab|tab|window")?;
    match (ordinal(rest), rest.text().to_lowercase().as_str()) {
        (Some((Ordinal::Nth(number), count)), _) if count == rest.len() => Some(TabReference::Nth(number)),
        (Some((Ordinal::FromEnd(number), count)), _) if count == rest.len() => Some(TabReference::FromEnd(number)),
        (_, "new" | "newest" | "newly opened" | "opened" | "latest" | "just opened" | "popup") => {
            Some(TabReference::Newest)
        }
        (_, "previous" | "original") => Some(TabReference::Previous),
        (_, "next") => Some(TabReference::Next),
        (_, "other") => Some(TabReference::Other),
        (_, "main" | "initial") => Some(TabReference::Nth(1)),
        _ if rest.len() == 1 => named(rest),
        _ => None,
    }
}

/// The files to upload.
pub(super) fn files(words: TokenStream<'_>) -> Result<Vec<String>, ParseError> {
    let file = |piece: TokenStream<'_>| {
        let file = crate::texts::literal_text(piece)?;
        if piece.quoted(0) || file.contains(['.', '/', '\\', '$']) {
            return Ok(file);
        }
        Err(piece.not_understood(format!("`{file}` is not the name of a file")).with_example())
    };
    list(words).into_iter().map(file).collect()
}

fn is_js_dialog(words: TokenStream<'_>) -> bool {
    const DIALOGS: &str = "dialog|dialogue|alert|confirm|confirmation|prompt|popup|pop-up";
    const BESIDE: &str = "javascript|js|browser|box|message|next|open|window|modal|question|warning|it";
    (1..=4).contains(&words.len())
        && (0..words.len()).any(|at| words.word_is(at, DIALOGS))
        && (0..words.len()).all(|at| words.word_is(at, DIALOGS) || words.word_is(at, BESIDE))
        && words.lower(0) != "message"
}
