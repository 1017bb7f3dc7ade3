//! Parses the texts in a sentence: values to type, choose or compare. Quoted texts are used unchanged. Unquoted words
//! are accepted only if they are unambiguous, because they are typed as they are.

use crate::{
    error::ParseError,
    tokens::{TokenKind, TokenStream},
    values,
};

/// Words of the grammar. Unquoted, they cannot be a part of a name or a text: if nothing consumes them, the sentence
/// asks for more than would be done.
const GRAMMAR: &str = "\
    if|unless|except|excepting|excluding|otherwise|instead|don't|doesn't|didn't|won't|never|or|until|till|else|\
    whenever|but|is|are|was|were|isn't|aren't|wasn't|weren't|maybe|perhaps|possibly|possible|usual|respectively|\
    twice|thrice|neither|nor|either|accordingly|whichever|whatever|likewise";

/// Words that refer to something elsewhere.
const DEICTIC: &str = "\
    it|its|it's|them|they|their|he|she|him|this|that|these|those|here|there|same|above|below|following|\
    aforementioned|former|latter|said";

/// Nouns for a text that the reader must already know. Alone, they are not a text.
const PLACEHOLDERS: &str = "\
    text|value|values|word|words|name|username|user|password|passcode|email|e-mail|address|number|date|time|code|pin|\
    otp|token|answer|answers|result|results|solution|total|sum|amount|price|quantity|message|comment|note|title|\
    description|query|keyword|something|anything|everything|stuff|data|details|credentials|content|today|tomorrow|\
    yesterday|tonight|now";

/// Determiners: the following words describe a text instead of being one.
const DETERMINERS: &str = "\
    the|this|that|these|those|your|my|his|her|our|their|its|some|any|each|every|all|both|another|whatever|same|\
    previous|next|last|following|such";

/// Words that begin a description of a text that stands elsewhere: `what the invoice says`.
const QUESTIONS: &str = "what|who|whom|whose|which|how|where|when|why";

/// The text of these words, or the reason why they are not a text.
pub(crate) fn literal_text(input: TokenStream<'_>) -> Result<String, ParseError> {
    let input = input.trim();
    if input.quotes() == 0 {
        return bare(input);
    }
    if input.len() == 1 {
        return Ok(input.text());
    }
    let at = input.tokens().iter().position(|token| token.quoted()).unwrap_or_default();
    let beside = if at > 0 { input.take(at) } else { input.skip(1) };
    Err(beside.not_understood(format!("`{}` beside the text was not understood", beside.text_as_written())))
}

/// The name of an option, which must exist on the page. Unquoted words are accepted unless they refer to something
/// elsewhere.
pub(crate) fn option(input: TokenStream<'_>) -> Result<String, ParseError> {
    let input = input.trim();
    let bare = input.strip_articles();
    let points = bare.word_is(bare.len().saturating_sub(1), "answer|answers|result|value|something|anything|solution");
    if input.len() != 1 || input.quoted(0) || points || bare.is(DEICTIC) {
        literal_text(input)
    } else {
        Ok(input.text())
    }
}

/// Days that are relative to today. A step never types such words, because the reader has to compute the day.
const RELATIVE_DAYS: &str = "today's|todays|tomorrow's|tomorrows|yesterday's|yesterdays|tonight's";
/// Units of time and comparisons, whose amount the reader has to compute: `in two weeks`, `2 more`.
const UNITS: &str = "day|days|week|weeks|month|months|year|years|hour|hours|minute|minutes";
const COMPARISONS: &str = "more|less|fewer|higher|lower|bigger|smaller|larger|earlier|later|percent more|percent less";
/// Ways of writing, which say what to do with a text.
const WRITINGS: &str = "upper case|uppercase|upper-case|lower case|lowercase|lower-case|capitals|capital letters|all caps|\
    title case|bold|italic|italics";

/// Whether the words say how to compute the text instead of being it.
fn is_computed(input: TokenStream<'_>) -> bool {
    let last = input.len().saturating_sub(1);
    let is_amount = |at: usize| {
        let word = input.lower(at);
        values::count(word).is_some() || word.chars().all(|c| c.is_ascii_digit()) || matches!(word, "a" | "an" | "one")
    };
    let begins_with_amount = input.len() > 1 && (is_amount(0) || input.word_is(0, "some|much|slightly"));
    (0..input.len()).any(|at| input.word_is(at, RELATIVE_DAYS))
        || input.word_is(0, "in|within|after") && input.len() > 2 && is_amount(1) && input.word_is(last, UNITS)
        || begins_with_amount && input.len() > 2 && input.word_is(last, "ago|hence|later|earlier")
        || begins_with_amount && input.len() == 2 && input.word_is(1, COMPARISONS)
        || input.word_is(0, "half|double|triple|twice") && input.word_is(1, "of|the")
        || input.is(WRITINGS)
}

/// Whether the words say that there is no text: `Set "City" to nothing`.
pub(crate) fn says_nothing(input: TokenStream<'_>) -> bool {
    let words = input.trim();
    words.quotes() == 0 && words.is("nothing|empty|blank|an empty text|an empty value|empty text|no text|no value")
}

/// A text of unquoted words.
fn bare(input: TokenStream<'_>) -> Result<String, ParseError> {
    let refuse =
        |words: TokenStream<'_>, why: String| Err(words.not_understood(format!("{why}; a text is given in quotes")));
    let text = input.text();
    // A variable, a secret, a URL or a number: one word that is unambiguous.
    let says_itself = text.starts_with("${") || text.chars().any(|c| !c.is_alphabetic() && c != '-' && c != '\'');
    let is_day = || values::date(&text.to_lowercase()).is_some_and(|day| !day.is_empty());
    if input.len() == 1 && says_itself || is_day() {
        return Ok(text);
    }
    let is_described =
        input.len() > 1 && (input.word_is(0, DETERMINERS) || input.word_is(0, "a|an") || input.word_is(0, QUESTIONS));
    if input.is(PLACEHOLDERS) || input.is(DEICTIC) || is_described {
        return refuse(input, format!("`{text}` says which text is meant, not what it is"));
    }
    if is_computed(input) {
        return refuse(input, format!("`{text}` says how to compute a text, and is typed only as it is"));
    }
    for (at, token) in input.tokens().iter().enumerate() {
        let is_mark = token.kind == TokenKind::Mark && token.text != ",";
        if input.word_is(at, GRAMMAR) || input.word_is(at, "and|then|again|not") || is_mark {
            return refuse(input.skip(at), format!("where the text ends before `{}` is not clear", token.text));
        }
        if input.word_is(at, DEICTIC) {
            return refuse(
                input.skip(at),
                format!("`{}` points at something that the sentence does not say", token.text),
            );
        }
    }
    Ok(text)
}

/// Checks that unquoted words can be the name of an element.
pub(crate) fn name(input: TokenStream<'_>) -> Result<(), ParseError> {
    const POINTERS: &str = "answer|correct answer|right answer|solution|rest|others|other|other one|both|all|each|everything|\
        everyone";
    let refuse =
        |words: TokenStream<'_>, why: String| Err(words.not_understood(format!("{why}; names are given in quotes")));
    let words = input.trim();
    let whole = words.strip_articles();
    if whole.is(DEICTIC) || whole.is(POINTERS) {
        let why = format!("`{}` points at something that the sentence does not say", whole.text().to_lowercase());
        return refuse(words, why);
    }
    match (0..words.len()).find(|at| words.word_is(*at, GRAMMAR)) {
        Some(at) => refuse(words.skip(at), format!("`{}` is not part of a name", words.tokens()[at].text)),
        None => Ok(()),
    }
}
