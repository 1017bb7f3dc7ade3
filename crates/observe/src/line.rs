//! A line of an observation: markup and texts, and how they are written when texts must be short.

use crate::{NodeIndex, Snapshot, capture::without_refs};

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part<'a> {
    /// Shown whenever the line is shown.
    Markup(String),
    /// A text that can be truncated to its first words.
    Text(&'a str),
    /// Markup that is removed when links within text are shown as text.
    Loud(String),
    /// A text that is removed with it, because the line contains it elsewhere.
    RemovableText(&'a str),
}

/// How much of each line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detail {
    /// The maximum number of words of a text.
    pub(crate) words: usize,
    /// Whether links within running text are shown as text.
    pub(crate) quiet: bool,
    /// Whether consecutive links share a line, which shows the name and the ref of each.
    pub(crate) joined_links: bool,
}

impl Detail {
    /// Everything.
    pub(crate) const ALL: Detail = Detail { words: usize::MAX, quiet: false, joined_links: false };
    /// Everything, in fewer lines: a page that was shown before.
    pub(crate) const BRIEF: Detail = Detail { joined_links: true, ..Detail::ALL };
}

/// A line of an observation, together with the lines below it.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) indent: u16,
    pub(crate) node: NodeIndex,
    /// The end of its subtree among the lines.
    pub(crate) end: usize,
    pub(crate) parts: Vec<Part<'a>>,
    /// A hash of the line without its texts and refs.
    pub(crate) shape: u64,
    pub(crate) weight: LineWeight,
    /// The number of texts directly before it: the first texts of a part are the most informative.
    pub(crate) rank: u8,
    /// Whether the line consists only of a link with a name.
    pub(crate) is_link: bool,
    /// Whether the line ends with the value of a field so far.
    pub(crate) ends_in_value: bool,
}

/// The order in which lines are removed when not everything fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LineWeight {
    Text,
    Link,
    Detail,
    Control,
    Structure,
}

impl<'a> Line<'a> {
    pub(crate) fn mix(&mut self, byte: u8) {
        self.shape = (self.shape ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5) | 1;
    }

    /// Continues with the next element of the line. A value has no quotes, so a separator follows it.
    pub(crate) fn join(&mut self) {
        self.parts.push(Part::Markup(if self.ends_in_value { " | " } else { " " }.into()));
    }

    /// Marks the parts that can be removed: links within running text, or within a heading whose name contains them.
    pub(crate) fn hush(&mut self, page: &Snapshot, from: NodeIndex, to: NodeIndex) {
        let nodes = &page.nodes[from..to];
        let is_heading = nodes[0].role.as_ref() == "heading" && !nodes[0].name.is_empty();
        let texts = nodes.iter().filter(|node| node.role.as_ref() == "text");
        let words: usize = texts.map(|node| node.name.split(' ').filter(|word| word.len() > 1).count()).sum();
        let has_link = nodes.iter().any(|node| node.role.as_ref() == "link");
        if !has_link || !(is_heading || words >= 3) {
            return;
        }
        let is_link = |part: Option<&Part<'_>>| matches!(part, Some(Part::Markup(text)) if text.starts_with("link"));
        let mut in_link = false;
        let first = usize::from(is_heading) * 3;
        for at in first.min(self.parts.len())..self.parts.len() {
            let part = std::mem::replace(&mut self.parts[at], Part::Text(""));
            self.parts[at] = match part {
                Part::Markup(text) if text.starts_with("link") => {
                    in_link = true;
                    Part::Loud(text)
                }
                Part::Markup(text) if in_link && (text.starts_with('"') || text.starts_with(" [")) => {
                    in_link = false;
                    Part::Loud(text)
                }
                Part::Markup(text)
                    if is_heading && matches!(text.as_str(), " " | ": ") && is_link(self.parts.get(at + 1)) =>
                {
                    Part::Loud(text)
                }
                Part::Text(text) if is_heading && in_link && nodes[0].name.contains(text) => Part::RemovableText(text),
                other => other,
            };
        }
    }

    /// Writes the line. A truncated text ends with the number of words that are missing.
    pub(crate) fn write(&self, detail: Detail, out: &mut String) {
        for _ in 0..self.indent {
            out.push_str("  ");
        }
        out.push_str("- ");
        self.write_parts(detail, out);
        out.push('\n');
    }

    fn write_parts(&self, detail: Detail, out: &mut String) {
        let mut left = self.share(detail.words);
        for (at, part) in self.parts.iter().enumerate() {
            match part {
                Part::Loud(_) | Part::RemovableText(_) if detail.quiet => {}
                Part::Markup(markup) | Part::Loud(markup) => out.push_str(markup),
                Part::Text(text) | Part::RemovableText(text) => {
                    let shown = first_words(text, left);
                    push_squeezed(&text[..shown.len], out);
                    if shown.more > 0 {
                        // The rest of the line is removed with the rest of the text, except for the closing quote of
                        // a name and its ref.
                        let rest = self.parts[at + 1..].iter().map(|part| match part {
                            Part::Text(text) => text.split_ascii_whitespace().count(),
                            _ => 0,
                        });
                        let is_name = match self.parts.get(at + 1) {
                            Some(Part::Markup(next)) => next.starts_with('"'),
                            Some(Part::Loud(next)) => next.starts_with('"') && !detail.quiet,
                            _ => false,
                        };
                        if is_name {
                            out.push('…');
                            left = left.max(4);
                            continue;
                        }
                        let more = shown.more + rest.sum::<usize>();
                        out.push_str(&if detail.quiet {
                            format!("… +{more}")
                        } else {
                            format!("… (+{more} words)")
                        });
                        return;
                    }
                    left -= shown.words.min(left);
                }
            }
        }
    }

    /// The number of words per text of this line when the first texts get `words`: later texts of a part get fewer.
    pub(crate) fn share(&self, words: usize) -> usize {
        share_of(self.rank, words)
    }

    /// The name and the ref of a link that is alone on its line.
    pub(crate) fn as_link(&self) -> Option<(&'a str, &str)> {
        match self.parts.as_slice() {
            [_, Part::Text(name), Part::Markup(end)] if self.is_link => {
                Some((name, end.trim_start_matches("\" [ref=").trim_end_matches(']')))
            }
            _ => None,
        }
    }

    /// The number of words of its texts.
    pub(crate) fn words(&self) -> usize {
        let words = |part: &Part<'_>| match part {
            Part::Text(text) => text.split_ascii_whitespace().count(),
            _ => 0,
        };
        self.parts.iter().map(words).sum()
    }
}

/// The number of words of a text that follows `rank` others, when the first ones get `words`.
pub(crate) fn share_of(rank: u8, words: usize) -> usize {
    match rank {
        _ if words == usize::MAX => words,
        0 | 1 => words,
        2 => (words * 2 / 3).max(3),
        _ => (words / 2).max(3),
    }
}

struct Shown {
    len: usize,
    words: usize,
    more: usize,
}

fn first_words(text: &str, max: usize) -> Shown {
    // Text without spaces (CJK, minified code) counts one word per twelve bytes.
    if max == usize::MAX {
        return Shown { len: text.len(), words: 0, more: 0 };
    }
    let (mut words, mut end) = (0, 0);
    for word in text.split(' ') {
        let cost = 1 + word.len() / 24;
        if words + cost > max {
            if words == 0 && max > 0 {
                let mut len = (max * 12).min(text.len());
                while !text.is_char_boundary(len) {
                    len -= 1;
                }
                end = len;
            }
            let more = text[end..].split_ascii_whitespace().count();
            return Shown { len: end, words: max, more };
        }
        words += cost;
        end = (end + word.len() + 1).min(text.len());
    }
    Shown { len: text.len(), words, more: 0 }
}

/// Tabs, and every character at which a reader may see the end of a line. A page must not be able to write a line of an
/// observation.
const LINE_ENDS: [char; 8] = ['\n', '\t', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Adds a text of the page, on one line and without anything that looks like a ref.
pub(crate) fn push_squeezed(text: &str, out: &mut String) {
    let text = without_refs(text);
    if !text.contains(LINE_ENDS) {
        return out.push_str(text.trim_end());
    }
    for (at, line) in text.split(LINE_ENDS).enumerate() {
        out.push_str(if at > 0 { "⏎" } else { "" });
        out.push_str(line);
    }
}

/// The first words of a text.
pub(crate) fn first(text: &str, max: usize) -> &str {
    text[..first_words(text, max).len].trim_end()
}

/// The first `max` characters.
pub(crate) fn clip(text: &str, max: usize) -> &str {
    text.char_indices().nth(max).map_or(text, |(at, _)| &text[..at])
}
