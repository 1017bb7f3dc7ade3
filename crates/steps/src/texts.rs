//! Texts that a sentence gives: what is to be typed, chosen, compared. In quotes they are what they are; bare words are
//! taken only where they can be nothing else, because whatever is taken here is typed as it stands.

use super::{
    literal::ParseError,
    tokens::{TokenKind, TokenStream},
    values,
};

/// Words of the grammar. Bare, they belong to no name and no text: a sentence that has them where nothing reads them says
/// more than would be done.
const GRAMMAR: &[&str] = &[
    "if",
    "unless",
    "except",
    "excepting",
    "excluding",
    "otherwise",
    "instead",
    "don't",
    "doesn't",
    "didn't",
    "won't",
    "never",
    "or",
    "until",
    "till",
    "else",
    "whenever",
    "but",
    "is",
    "are",
    "was",
    "were",
    "isn't",
    "aren't",
    "wasn't",
    "weren't",
    "maybe",
    "perhaps",
    "possibly",
    "possible",
    "usual",
    "respectively",
    "twice",
    "thrice",
    "neither",
    "nor",
    "either",
    "accordingly",
    "whichever",
    "whatever",
    "likewise",
];

/// Words that point at something that was said or shown elsewhere.
const DEICTIC: &[&str] = &[
    "it",
    "its",
    "it's",
    "them",
    "they",
    "their",
    "he",
    "she",
    "him",
    "this",
    "that",
    "these",
    "those",
    "here",
    "there",
    "same",
    "above",
    "below",
    "following",
    "aforementioned",
    "former",
    "latter",
    "said",
];

/// Nouns for a text that somebody is to know: alone, they are no text.
const PLACEHOLDERS: &[&str] = &[
    "text",
    "value",
    "values",
    "word",
    "words",
    "name",
    "username",
    "user",
    "password",
    "passcode",
    "email",
    "e-mail",
    "address",
    "number",
    "date",
    "time",
    "code",
    "pin",
    "otp",
    "token",
    "answer",
    "answers",
    "result",
    "results",
    "solution",
    "total",
    "sum",
    "amount",
    "price",
    "quantity",
    "message",
    "comment",
    "note",
    "title",
    "description",
    "query",
    "keyword",
    "something",
    "anything",
    "everything",
    "stuff",
    "data",
    "details",
    "credentials",
    "content",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "now",
];

/// Determiners: what follows describes a text instead of being one.
const DETERMINERS: &[&str] = &[
    "the",
    "this",
    "that",
    "these",
    "those",
    "your",
    "my",
    "his",
    "her",
    "our",
    "their",
    "its",
    "some",
    "any",
    "each",
    "every",
    "all",
    "both",
    "another",
    "whatever",
    "same",
    "previous",
    "next",
    "last",
    "following",
    "such",
];

const QUOTE_IT: &str = "a text is given in quotes";

/// The text that words give, or why they give none.
pub(super) fn given(input: TokenStream<'_>) -> Result<String, ParseError> {
    let input = input.trim();
    let quotes = input.tokens().iter().filter(|token| token.quoted()).count();
    if quotes > 0 {
        return match input.tokens() {
            [one] => Ok(one.text.clone()),
            tokens => {
                let at = tokens.iter().position(|token| token.quoted()).unwrap_or_default();
                let odd = if at > 0 { input.take(at) } else { input.from(1) };
                Err(ParseError::new(
                    input.source(),
                    format!("`{}` beside the text was not understood", odd.text_as_written()),
                )
                .at(odd))
            }
        };
    }
    bare(input)
}

/// The name of an option, which the page has to have: bare words may be any that do not point elsewhere.
pub(super) fn option(input: TokenStream<'_>) -> Result<String, ParseError> {
    let input = input.trim();
    let lower = input.strip_articles().text().to_lowercase();
    let noun = lower.split(' ').next_back().unwrap_or_default();
    let pointing = matches!(noun, "answer" | "answers" | "result" | "value" | "something" | "anything" | "solution");
    if input.tokens().iter().any(|token| token.quoted()) || pointing || input.len() > 1 {
        return given(input);
    }
    match DEICTIC.contains(&lower.as_str()) {
        true => given(input),
        false => Ok(input.text()),
    }
}

/// A text of bare words.
fn bare(input: TokenStream<'_>) -> Result<String, ParseError> {
    let refuse =
        |odd: TokenStream<'_>, why: String| Err(ParseError::new(input.source(), format!("{why}; {QUOTE_IT}")).at(odd));
    let text = input.text();
    // A name of a variable or a secret, an address, a number: one word that says itself.
    if input.len() == 1 && (text.starts_with("${") || text.chars().any(|c| !c.is_alphabetic() && c != '-' && c != '\''))
    {
        return Ok(text);
    }
    if values::date(&text.to_lowercase()).is_some_and(|day| !day.is_empty()) {
        return Ok(text);
    }
    let lower = |at: usize| input.lower(at);
    if input.len() == 1 && (PLACEHOLDERS.contains(&lower(0)) || DEICTIC.contains(&lower(0))) {
        return refuse(input, format!("`{text}` says which text is meant, not what it is"));
    }
    if input.len() > 1 && (DETERMINERS.contains(&lower(0)) || matches!(lower(0), "a" | "an")) {
        return refuse(input, format!("`{text}` says which text is meant, not what it is"));
    }
    for at in 0..input.len() {
        let token = &input.tokens()[at];
        let odd = input.from(at);
        if GRAMMAR.contains(&token.lower.as_str()) || matches!(token.lower.as_str(), "and" | "then" | "again" | "not") {
            return refuse(odd, format!("where the text ends before `{}` is not clear", token.text));
        }
        if DEICTIC.contains(&token.lower.as_str()) {
            return refuse(odd, format!("`{}` points at something that the sentence does not say", token.text));
        }
        if token.kind == TokenKind::Mark && token.text != "," {
            return refuse(odd, format!("where the text ends before `{}` is not clear", token.text));
        }
    }
    Ok(text)
}

/// Whether bare words can be the name of an element, or what speaks against it.
pub(super) fn name(input: TokenStream<'_>) -> Result<(), ParseError> {
    let problem = |odd: TokenStream<'_>, why: String| {
        Err(ParseError::new(input.source(), format!("{why}; names are given in quotes")).at(odd))
    };
    let trimmed = input.trim();
    let pointing = [
        "answer",
        "correct answer",
        "right answer",
        "solution",
        "rest",
        "others",
        "other",
        "other one",
        "both",
        "all",
        "each",
        "everything",
        "everyone",
    ];
    let whole = trimmed.strip_articles().text().to_lowercase();
    if (trimmed.strip_articles().len() == 1 && DEICTIC.contains(&whole.as_str())) || pointing.contains(&whole.as_str())
    {
        return problem(trimmed, format!("`{whole}` points at something that the sentence does not say"));
    }
    for (at, token) in trimmed.tokens().iter().enumerate() {
        if token.kind == TokenKind::Word && GRAMMAR.contains(&token.lower.as_str()) {
            return problem(trimmed.from(at), format!("`{}` is not part of a name", token.text));
        }
    }
    Ok(())
}
