//! Splits a sentence into words, quoted texts and punctuation marks. All other modules of the grammar read these tokens
//! and never characters, so quoted text is never interpreted as words of the sentence.

use std::ops::Range;

use crate::error::ParseError;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word without quotes.
    Word,
    /// The content of a quoted text.
    Quoted,
    /// One of `,` `;` `.` `:` after a word.
    Mark,
}

/// A token of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: String,
    /// The word in lower case; empty for quoted texts.
    pub(crate) lower: String,
    at: Range<usize>,
}

impl Token {
    pub(crate) fn quoted(&self) -> bool {
        self.kind == TokenKind::Quoted
    }
}

/// Splits a sentence into tokens.
pub(crate) fn lex(source: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = source[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some((text, len)) = quoted(&source[at..]) {
            tokens.push(Token { kind: TokenKind::Quoted, text, lower: String::new(), at: at..at + len });
            at += len;
        } else if matches!(first, '"' | '“' | '«') {
            let start: String = source[at..].chars().take(20).collect();
            return Err(ParseError::new(source, format!("the quote that opens at {start} is not closed")));
        } else if matches!(first, ',' | ';' | '.' | ':' | '?' | '!') && ends_word(&source[at + 1..]) {
            tokens.push(Token { kind: TokenKind::Mark, text: first.into(), lower: first.into(), at: at..at + 1 });
            at += 1;
        } else {
            let len = word(&source[at..]);
            let text = &source[at..at + len];
            let lower = text.to_lowercase().replace('’', "'");
            tokens.push(Token { kind: TokenKind::Word, text: text.into(), lower, at: at..at + len });
            at += len;
        }
    }
    Ok(tokens)
}

fn ends_word(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';' | '.' | ':'))
}

/// The quoted text at the start, and its length including the quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let open = text.chars().next()?;
    let close = match open {
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '‘' => '’',
        '\'' | '`' => open,
        _ => return None,
    };
    let start = open.len_utf8();
    let single = matches!(open, '\'' | '‘');
    let mut content = String::new();
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        if c == '\\' && next == Some(close) && text[start + at + 1 + close.len_utf8()..].contains(close) {
            content.push(close);
            chars.next();
        } else if c == close || (open == '“' && c == '"') || (open == '„' && c == '“') {
            // An apostrophe inside single quotes is followed by a letter: 'Bob's row'.
            if single && next.is_some_and(char::is_alphanumeric) {
                content.push(c);
                continue;
            }
            return Some((content, start + at + c.len_utf8()));
        } else {
            content.push(c);
        }
    }
    None
}

/// The length of the word at the start. White space inside brackets belongs to the word, so that
/// `role=button[name="Log in"]` and `${secret:NAME}` are one token; punctuation marks at its end do not.
fn word(text: &str) -> usize {
    let raw = ["css=", "xpath=", "role=", "text=", "#", "//", "[", "${"].iter().any(|start| text.starts_with(start));
    let (mut depth, mut quote, mut end) = (0usize, None, text.len());
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if raw && at > 0 => quote = Some(c),
            (None, '[' | '(' | '{') if raw => depth += 1,
            (None, ']' | ')' | '}') if raw => depth = depth.saturating_sub(1),
            (None, c) if c.is_whitespace() && depth == 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    if quote.is_some() || depth > 0 {
        end = text.find(char::is_whitespace).unwrap_or(text.len());
    }
    let bare = text[..end].trim_end_matches([',', ';', '.', ':']).len();
    if bare == 0 { end } else { bare }
}

/// A range of a sentence's tokens. Phrase arguments are in lower case; alternatives are separated by `|`, longer ones
/// first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenStream<'t> {
    source: &'t str,
    tokens: &'t [Token],
}

impl<'t> TokenStream<'t> {
    pub(crate) fn new(source: &'t str, tokens: &'t [Token]) -> Self {
        TokenStream { source, tokens }
    }

    pub(crate) fn len(self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    pub(crate) fn tokens(self) -> &'t [Token] {
        self.tokens
    }

    pub(crate) fn source(self) -> &'t str {
        self.source
    }

    /// The word at this index in lower case; empty for a quoted text and after the end.
    pub(crate) fn lower(self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    /// Whether the word at this index is one of these.
    pub(crate) fn word_is(self, at: usize, words: &str) -> bool {
        let word = self.lower(at);
        !word.is_empty() && words.split('|').any(|known| known == word)
    }

    /// The last word in lower case.
    pub(crate) fn last(self) -> &'t str {
        self.tokens.last().map_or("", |token| &token.lower)
    }

    /// Whether the whole range is one of these phrases.
    pub(crate) fn is(self, phrases: &str) -> bool {
        !self.is_empty() && phrases.split('|').any(|phrase| self.match_at(0, phrase) == self.len())
    }

    pub(crate) fn quoted(self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::quoted)
    }

    pub(crate) fn ends_quoted(self) -> bool {
        self.tokens.last().is_some_and(Token::quoted)
    }

    /// The number of quoted texts.
    pub(crate) fn quotes(self) -> usize {
        self.tokens.iter().filter(|token| token.quoted()).count()
    }

    pub(crate) fn take(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[..at.min(self.len())], ..self }
    }

    pub(crate) fn skip(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[at.min(self.len())..], ..self }
    }

    /// The range without this number of tokens at the end.
    pub(crate) fn drop_last(self, count: usize) -> Self {
        self.take(self.len().saturating_sub(count))
    }

    /// The ranges before and after the `count` tokens at this index.
    pub(crate) fn split_around(self, (at, count): (usize, usize)) -> (Self, Self) {
        (self.take(at), self.skip(at + count))
    }

    /// The range without punctuation marks at both ends.
    pub(crate) fn trim(self) -> Self {
        let is_mark = |token: &&Token| token.kind == TokenKind::Mark;
        let end = self.drop_last(self.tokens.iter().rev().take_while(is_mark).count());
        end.skip(end.tokens.iter().take_while(is_mark).count())
    }

    /// The original text of the range; the content without quotes if it is one quoted text.
    pub(crate) fn text(self) -> String {
        match self.tokens {
            [one] => one.text.clone(),
            _ => self.text_as_written(),
        }
    }

    /// The original text of the range, including quotes.
    pub(crate) fn text_as_written(self) -> String {
        match self.tokens {
            [] => String::new(),
            [first, ..] => self.source[first.at.start..self.tokens[self.len() - 1].at.end].to_owned(),
        }
    }

    /// The text of the sentence before this range.
    pub(crate) fn before(self) -> &'t str {
        self.tokens.first().map_or(self.source, |first| &self.source[..first.at.start])
    }

    /// The number of tokens that a phrase of unquoted words takes at this index; 0 if it does not match.
    pub(crate) fn match_at(self, at: usize, phrase: &str) -> usize {
        let mut count = 0;
        for word in phrase.split(' ') {
            if self.lower(at + count) != word {
                return 0;
            }
            count += 1;
        }
        count
    }

    /// The number of tokens of the first of these phrases that matches at this index.
    pub(crate) fn match_any(self, at: usize, phrases: &str) -> usize {
        phrases.split('|').map(|phrase| self.match_at(at, phrase)).find(|count| *count > 0).unwrap_or_default()
    }

    /// The first of these phrases that matches at the start.
    pub(crate) fn starts_with(self, phrases: &str) -> Option<&str> {
        phrases.split('|').find(|phrase| self.match_at(0, phrase) > 0)
    }

    /// Removes the first of these phrases that matches at the start, and returns it.
    pub(crate) fn strip_prefix<'p>(&mut self, phrases: &'p str) -> Option<&'p str> {
        let phrase = self.starts_with(phrases)?;
        *self = self.skip(phrase.split(' ').count());
        Some(phrase)
    }

    /// Removes the first of these phrases that matches at the end, and returns it.
    pub(crate) fn strip_suffix<'p>(&mut self, phrases: &'p str) -> Option<&'p str> {
        let (phrase, at) = phrases.split('|').find_map(|phrase| {
            let at = self.len().checked_sub(phrase.split(' ').count())?;
            (self.match_at(at, phrase) > 0).then_some((phrase, at))
        })?;
        *self = self.take(at);
        Some(phrase)
    }

    /// The first index at or after `start` at which one of these phrases matches, and its number of tokens.
    pub(crate) fn find_phrase(self, start: usize, phrases: &str) -> Option<(usize, usize)> {
        self.places_of(start, phrases).next()
    }

    /// All indices at or after `start` at which one of these phrases matches, each with its number of tokens.
    pub(crate) fn places_of(self, start: usize, phrases: &str) -> impl Iterator<Item = (usize, usize)> {
        (start..self.len()).map(move |at| (at, self.match_any(at, phrases))).filter(|(_, count)| *count > 0)
    }

    /// The ranges between these phrases, without empty ones and without punctuation marks at their ends.
    pub(crate) fn split(self, phrases: &str) -> Vec<Self> {
        let (mut rest, mut pieces) = (self.trim(), Vec::new());
        while let Some(place) = rest.find_phrase(0, phrases) {
            let (piece, more) = rest.split_around(place);
            pieces.push(piece);
            rest = more;
        }
        pieces.push(rest);
        pieces.into_iter().map(TokenStream::trim).filter(|piece| !piece.is_empty()).collect()
    }

    /// The range without an article (`the`, `a` and similar words) at the start.
    pub(crate) fn strip_articles(mut self) -> Self {
        while self.len() > 1 && self.word_is(0, "the|a|an|this|that|these|your|my|any|some|its") {
            self = self.skip(1);
        }
        self
    }

    /// An error about the sentence.
    pub(crate) fn error(self, why: impl Into<String>) -> ParseError {
        ParseError::new(self.source, why)
    }

    /// An error about a missing part, such as `to what`.
    pub(crate) fn missing(self, what: &str) -> ParseError {
        ParseError { wants_example: true, ..self.error(format!("it does not say {what}")) }
    }

    /// An error about this range; the text before it was understood.
    pub(crate) fn not_understood(self, why: impl Into<String>) -> ParseError {
        ParseError {
            understood: self.before().trim().trim_end_matches([',', ';', '.']).to_owned(),
            not_understood: self.text_as_written(),
            ..self.error(why)
        }
    }
}
