//! Terminal styles.

use std::fmt::Display;

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style(pub(crate) bool);

impl Style {
    /// Plain text.
    pub(crate) const PLAIN: Style = Style(false);

    /// Colours on a terminal, unless the user has disabled them (no-color.org).
    pub(crate) fn on(terminal: bool) -> Self {
        Style(terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    pub(crate) fn good(self, text: impl Display) -> String {
        self.with("32", text)
    }
    pub(crate) fn bad(self, text: impl Display) -> String {
        self.with("31", text)
    }
    pub(crate) fn wait(self, text: impl Display) -> String {
        self.with("33", text)
    }
    pub(crate) fn busy(self, text: impl Display) -> String {
        self.with("36", text)
    }
    pub(crate) fn dim(self, text: impl Display) -> String {
        self.with("2", text)
    }
    pub(crate) fn bold(self, text: impl Display) -> String {
        self.with("1", text)
    }

    fn with(self, style: &str, text: impl Display) -> String {
        if self.0 { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// Makes text of a page or a model safe for a terminal: one line, without control characters that could move the
/// cursor, change colours or set a title.
pub(crate) fn escape_control(text: &str) -> String {
    let mut tamed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !tamed.is_empty() {
            tamed.push(' ');
        }
        tamed.extend(
            word.chars().filter(|c| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')),
        );
    }
    tamed
}

/// Like [`escape_control`], for text with several lines whose white space has a meaning.
pub(crate) fn escape_control_lines(text: &str) -> String {
    let kept = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
    text.chars().filter(|c| kept(c) && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_escapes_go() {
        assert_eq!(escape_control_lines("- a\r\n  - b\x1b[2J\u{202e}\t"), "- a\n  - b[2J\t");
    }

    #[test]
    fn a_page_cannot_write_over_the_terminal() {
        assert_eq!(
            escape_control("  all \x1b[2J\x1b]0;mine\x07 well\r\n✓ done\u{202e} "),
            "all [2J]0;mine well ✓ done"
        );
    }
}
