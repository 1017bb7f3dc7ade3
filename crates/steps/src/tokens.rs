//! A sentence as words, quoted texts and marks. Everything else in the literal decider reads these and never characters:
//! what stands in quotes is never mistaken for a word of the sentence.

use std::ops::Range;

use super::literal::ParseError;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A bare word.
    Word,
    /// A text in quotes, without them.
    Quoted,
    /// `,` `;` `.` or `:` after a word.
    Mark,
}

/// One piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) text: String,
    /// In lower case for words, empty for quoted texts.
    pub(super) lower: String,
    at: Range<usize>,
}

impl Token {
    pub(super) fn quoted(&self) -> bool {
        self.kind == TokenKind::Quoted
    }
}

/// Cuts a sentence into tokens.
pub(super) fn lex(source: &str) -> Result<Vec<Token>, ParseError> {
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

/// A run of tokens of a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenStream<'t> {
    source: &'t str,
    tokens: &'t [Token],
}

impl<'t> TokenStream<'t> {
    pub(super) fn new(source: &'t str, tokens: &'t [Token]) -> Self {
        TokenStream { source, tokens }
    }

    pub(super) fn len(self) -> usize {
        self.tokens.len()
    }

    pub(super) fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    pub(super) fn tokens(self) -> &'t [Token] {
        self.tokens
    }

    pub(super) fn source(self) -> &'t str {
        self.source
    }

    /// The word at a place in lower case; empty for a quoted text and past the end.
    pub(super) fn lower(self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &token.lower)
    }

    pub(super) fn quoted(self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::quoted)
    }

    pub(super) fn take(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[..at.min(self.len())], ..self }
    }

    pub(super) fn from(self, at: usize) -> Self {
        TokenStream { tokens: &self.tokens[at.min(self.len())..], ..self }
    }

    /// Without marks at either end.
    pub(super) fn trim(self) -> Self {
        let mut tokens = self.tokens;
        while let [rest @ .., last] = tokens
            && last.kind == TokenKind::Mark
        {
            tokens = rest;
        }
        while let [first, rest @ ..] = tokens
            && first.kind == TokenKind::Mark
        {
            tokens = rest;
        }
        TokenStream { tokens, ..self }
    }

    /// The words as they were written; the content alone when it is one quoted text.
    pub(super) fn text(self) -> String {
        match self.tokens {
            [] => String::new(),
            [one] if one.quoted() => one.text.clone(),
            [first, .., last] => self.source[first.at.start..last.at.end].to_owned(),
            [one] => one.text.clone(),
        }
    }

    /// How many tokens a phrase of bare words takes at a place: 0 when it is not there.
    pub(super) fn has(self, at: usize, phrase: &str) -> usize {
        let mut count = 0;
        for word in phrase.split(' ') {
            if self.lower(at + count) != word {
                return 0;
            }
            count += 1;
        }
        count
    }

    /// Takes the first of these phrases, parted by `|`, that stands at the start; longer ones have to come first.
    pub(super) fn take_prefix(&mut self, phrases: &'static str) -> Option<&'static str> {
        let (phrase, count) =
            phrases.split('|').map(|phrase| (phrase, self.has(0, phrase))).find(|(_, count)| *count > 0)?;
        *self = self.from(count);
        Some(phrase)
    }

    /// Takes the first of these phrases, parted by `|`, that stands at the end.
    pub(super) fn take_suffix(&mut self, phrases: &'static str) -> Option<&'static str> {
        let (phrase, at) = phrases.split('|').find_map(|phrase| {
            let at = self.len().checked_sub(phrase.split(' ').count())?;
            (self.has(at, phrase) > 0).then_some((phrase, at))
        })?;
        *self = self.take(at);
        Some(phrase)
    }

    /// The first place from `start` on where one of these phrases, parted by `|`, stands, and how many tokens it takes.
    pub(super) fn find(self, start: usize, phrases: &str) -> Option<(usize, usize)> {
        (start..self.len()).find_map(|at| {
            let count = phrases.split('|').map(|phrase| self.has(at, phrase)).find(|count| *count > 0)?;
            Some((at, count))
        })
    }

    /// Without `the`, `a` and their like at the start.
    pub(super) fn strip_articles(mut self) -> Self {
        while self.len() > 1
            && matches!(
                self.lower(0),
                "the" | "a" | "an" | "this" | "that" | "these" | "your" | "my" | "any" | "some" | "its"
            )
        {
            self = self.from(1);
        }
        self
    }
}

impl TokenStream<'_> {
    /// What the sentence says before these words.
    pub(super) fn before(&self) -> &str {
        self.tokens.first().map_or(self.source, |first| &self.source[..first.at.start])
    }

    /// The words as they were written, quotes included.
    pub(super) fn text_as_written(self) -> String {
        match self.tokens {
            [] => String::new(),
            [first, ..] => self.source[first.at.start..self.tokens[self.len() - 1].at.end].to_owned(),
        }
    }
}
