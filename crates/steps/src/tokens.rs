//! A sentence as words, quoted texts and marks. Everything else in the grammar reads these and never characters:
//! what stands in quotes is never mistaken for a word of the sentence.

use std::ops::Range;

use crate::error::ParseError;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A bare word.
    Word,
    /// A text in quotes, without them.
    Quoted,
    /// `,` `;` `.` or `:` after a word.
    Mark,
}

/// One piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: String,
    /// In lower case for words, empty for quoted texts.
    pub(crate) lower: String,
    at: Range<usize>,
}

impl Token {
    pub(crate) fn quoted(&self) -> bool {
        self.kind == TokenKind::Quoted
    }
}

/// Cuts a sentence into tokens.
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

/// The quoted text at the start and its length with quotes.
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

/// The length of the word at the start. White space inside brackets belongs to it, so that `role=button[name="Log in"]`
/// and `${secret:NAME}` stay whole; marks at its end do not.
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

/// A run of tokens of a sentence. Phrases are given in lower case; several are parted by `|`, longer ones first.
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

    /// The word at a place in lower case; empty for a quoted text and past the end.
    pub(crate) fn lower(self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    /// Whether the word at a place is one of these.
    pub(crate) fn word_is(self, at: usize, words: &str) -> bool {
        let word = self.lower(at);
        !word.is_empty() && words.split('|').any(|known| known == word)
    }

    /// The last word in lower case.
    pub(crate) fn last(self) -> &'t str {
        self.tokens.last().map_or("", |token| &token.lower)
    }

    /// Whether all of it is one of these phrases.
    pub(crate) fn is(self, phrases: &str) -> bool {
        !self.is_empty() && phrases.split('|').any(|phrase| self.match_at(0, phrase) == self.len())
    }

    pub(crate) fn quoted(self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::quoted)
    }

    pub(crate) fn ends_quoted(self) -> bool {
        self.tokens.last().is_some_and(Token::quoted)
    }

    /// How many quoted texts there are.
    pub(crate) fn quotes(self) -> usize {
        self.tokens.iter().filter(|token| token.quoted()).count()
    }

    pub(crate) fn take(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[..at.min(self.len())], ..self }
    }

    pub(crate) fn skip(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[at.min(self.len())..], ..self }
    }

    /// All but so many at the end.
    pub(crate) fn drop_last(self, count: usize) -> Self {
        self.take(self.len().saturating_sub(count))
    }

    /// What stands before and after the `count` words at a place.
    pub(crate) fn split_around(self, (at, count): (usize, usize)) -> (Self, Self) {
        (self.take(at), self.skip(at + count))
    }

    /// Without marks at either end.
    pub(crate) fn trim(self) -> Self {
        let is_mark = |token: &&Token| token.kind == TokenKind::Mark;
        let end = self.drop_last(self.tokens.iter().rev().take_while(is_mark).count());
        end.skip(end.tokens.iter().take_while(is_mark).count())
    }

    /// The words as they were written; the content alone when it is one quoted text.
    pub(crate) fn text(self) -> String {
        match self.tokens {
            [one] => one.text.clone(),
            _ => self.text_as_written(),
        }
    }

    /// The words as they were written, quotes included.
    pub(crate) fn text_as_written(self) -> String {
        match self.tokens {
            [] => String::new(),
            [first, ..] => self.source[first.at.start..self.tokens[self.len() - 1].at.end].to_owned(),
        }
    }

    /// What the sentence says before these words.
    pub(crate) fn before(self) -> &'t str {
        self.tokens.first().map_or(self.source, |first| &self.source[..first.at.start])
    }

    /// How many tokens a phrase of bare words takes at a place: 0 when it is not there.
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

    /// How many tokens the first of these phrases takes that stands at a place.
    pub(crate) fn match_any(self, at: usize, phrases: &str) -> usize {
        phrases.split('|').map(|phrase| self.match_at(at, phrase)).find(|count| *count > 0).unwrap_or_default()
    }

    /// Takes the first of these phrases that stands at the start.
    pub(crate) fn strip_prefix<'p>(&mut self, phrases: &'p str) -> Option<&'p str> {
        let (phrase, count) =
            phrases.split('|').map(|phrase| (phrase, self.match_at(0, phrase))).find(|(_, count)| *count > 0)?;
        *self = self.skip(count);
        Some(phrase)
    }

    /// Takes the first of these phrases that stands at the end.
    pub(crate) fn strip_suffix<'p>(&mut self, phrases: &'p str) -> Option<&'p str> {
        let (phrase, at) = phrases.split('|').find_map(|phrase| {
            let at = self.len().checked_sub(phrase.split(' ').count())?;
            (self.match_at(at, phrase) > 0).then_some((phrase, at))
        })?;
        *self = self.take(at);
        Some(phrase)
    }

    /// The first place from `start` on where one of these phrases stands, and how many tokens it takes.
    pub(crate) fn find_phrase(self, start: usize, phrases: &str) -> Option<(usize, usize)> {
        self.places_of(start, phrases).next()
    }

    /// All places from `start` on where one of these phrases stands, each with how many tokens it takes.
    pub(crate) fn places_of(self, start: usize, phrases: &str) -> impl Iterator<Item = (usize, usize)> {
        (start..self.len()).map(move |at| (at, self.match_any(at, phrases))).filter(|(_, count)| *count > 0)
    }

    /// Without `the`, `a` and their like at the start.
    pub(crate) fn strip_articles(mut self) -> Self {
        while self.len() > 1 && self.word_is(0, "the|a|an|this|that|these|your|my|any|some|its") {
            self = self.skip(1);
        }
        self
    }

    /// A problem with the sentence.
    pub(crate) fn error(self, why: impl Into<String>) -> ParseError {
        ParseError::new(self.source, why)
    }

    /// A part that is missing: `to what`.
    pub(crate) fn missing(self, what: &str) -> ParseError {
        ParseError { wants_example: true, ..self.error(format!("it does not say {what}")) }
    }

    /// A problem with these words; what stands before them was understood.
    pub(crate) fn not_understood(self, why: impl Into<String>) -> ParseError {
        ParseError {
            understood: self.before().trim().trim_end_matches([',', ';', '.']).to_owned(),
            not_understood: self.text_as_written(),
            ..self.error(why)
        }
    }
}
