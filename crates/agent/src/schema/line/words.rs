//! Divides a command line into words.

/// A word of a line, and whether it was quoted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

impl Word {
    fn bare(text: String) -> Word {
        Word { text, quoted: false }
    }

    /// Whether the word is this one, without quotes and in any case.
    pub(super) fn is(&self, text: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(text)
    }
}

/// Each opening quotation mark with its closing one.
const QUOTES: [(char, char); 6] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('\'', '\''), ('`', '`')];

/// Characters that separate words where they stand alone: `e1, e2`, `e1 -> e2`, `fill e3 = "Ada"`.
const SEPARATORS: [&str; 10] = [",", ";", ":", "=", "->", "=>", "→", "-", ".", ")"];

/// The words of a line. Commas and brackets around values, as in `fill(e3, "Ada")` and `["A", "B"]`, also separate
/// words. Brackets that belong to a selector do not.
pub(super) fn words(line: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let mut rest = line.trim();
    let mut is_call = false;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = rest.trim_start();
        } else if let Some((text, after)) = quoted(rest) {
            out.push(Word { text, quoted: true });
            rest = after;
        } else if let Some(after) = opened(rest, is_call) {
            rest = after;
        } else {
            let (text, after) = bare(rest, out.is_empty(), is_call);
            is_call |= out.is_empty() && after.starts_with('(');
            rest = if is_call { after.strip_prefix(['(', ',']).unwrap_or(after) } else { after };
            let text = text.strip_suffix(',').unwrap_or(text);
            if !text.is_empty() && !SEPARATORS.contains(&text) {
                out.push(Word::bare(text.to_owned()));
            }
        }
    }
    out
}

/// A quoted text at the beginning, and the rest. A single quotation mark also occurs within words, so it opens a text
/// only if another one closes it at the end of a word.
fn quoted(text: &str) -> Option<(String, &str)> {
    let open = text.chars().next()?;
    let (_, close) = QUOTES.into_iter().find(|(mark, _)| *mark == open)?;
    let mut inner = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        let after = &text[at + c.len_utf8()..];
        match c {
            '\\' => inner.extend(chars.next().map(|(_, c)| if c == 'n' { '\n' } else { c })),
            c if c == close && (close != '\'' || !after.starts_with(char::is_alphanumeric)) => {
                return Some((inner, after));
            }
            c => inner.push(c),
        }
    }
    // A text without an end is a text if it cannot be anything else.
    (close != '\'').then_some((inner, ""))
}

/// What follows a bracket or comma that opens, closes or separates values.
fn opened(text: &str, is_call: bool) -> Option<&str> {
    let after = text.strip_prefix(['[', ']', ','])?;
    let is_list = text.starts_with('[') && quoted(after.trim_start()).is_some();
    (is_list || text.starts_with(']') || text.starts_with(',')).then_some(after).or_else(|| {
        let end = text.strip_prefix(')')?;
        (is_call && end.trim().is_empty()).then_some(end)
    })
}

/// A word without quotation marks at the beginning, and the rest. `text="Done"` ends after the sign; the value is the
/// next word. A name is followed by a bracket in a call.
fn bare(text: &str, is_name: bool, is_call: bool) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        match c {
            '(' if is_name && at > 0 => return (&text[..at], &text[at..]),
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            ')' | ',' if is_call && (c == ',' || after.trim().is_empty()) => return (&text[..at], after),
            c if c.is_whitespace() => return (&text[..at], after),
            '=' if quoted(after).is_some() || after.starts_with("[\"") => return (&text[..at + 1], after),
            ':' if quoted(after).is_some() => return (&text[..at], after),
            _ => {}
        }
    }
    (text, "")
}
