//! The text of a page as numbered lines, and its chunks that fit into a prompt.

use std::ops::Range;

use legwork_observe::tokens::count;

/// Longer lines are broken: a paragraph that is as long as the page is no useful source.
const MAX_LINE: usize = 1_000;
/// The maximum number of chunks of a page for which a model is called.
const MAX_PARTS: usize = 24;

/// The text of a page. Line numbers count from 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    pub(crate) lines: Vec<String>,
    /// The chunks. Each repeats the last lines of the previous one, so that an item at a border is complete in one of
    /// them.
    pub(crate) parts: Vec<Range<usize>>,
    /// The number of lines that are in no chunk, because there are too many.
    pub(crate) left_out: usize,
}

impl Text {
    pub(crate) fn new(text: &str, max_tokens: usize, overlap: usize) -> Text {
        let lines: Vec<String> = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).fold(
            Vec::new(),
            |mut lines, line| {
                lines.extend(split_long(line));
                lines
            },
        );
        let costs: Vec<usize> = lines.iter().map(|line| count(line) + 4).collect();
        let (mut parts, mut start) = (Vec::new(), 0);
        while start < lines.len() && parts.len() < MAX_PARTS {
            let (mut end, mut used) = (start, 0);
            while end < lines.len() && (end == start || used + costs[end] <= max_tokens) {
                used += costs[end];
                end += 1;
            }
            parts.push(start..end);
            // Always advances, even if the overlap is larger than a chunk.
            start = if end == lines.len() { end } else { end.saturating_sub(overlap).max(start + 1) };
        }
        let held = parts.last().map_or(0, |part: &Range<usize>| part.end);
        Text { left_out: lines.len() - held, lines, parts }
    }

    /// A chunk as a model reads it.
    pub(crate) fn part(&self, part: usize) -> String {
        let numbered = |at: usize| format!("{} {}", at + 1, self.lines[at].trim_start());
        self.parts.get(part).cloned().unwrap_or_default().map(numbered).collect::<Vec<_>>().join("\n")
    }
}

/// Breaks a line into pieces of limited length, at white space if possible.
fn split_long(line: &str) -> Vec<String> {
    let mut rest = line;
    let mut pieces = Vec::new();
    while let Some((most, _)) = rest.char_indices().nth(MAX_LINE) {
        let end = rest[..most].rfind(char::is_whitespace).filter(|end| *end > 0).unwrap_or(most);
        pieces.push(rest[..end].trim_end().to_owned());
        rest = rest[end..].trim_start();
    }
    pieces.push(rest.to_owned());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_overlap_at_line_borders_and_hold_every_line() {
        let text: String = (1..=100).map(|n| format!("row number {n}\n\n")).collect();
        let text = Text::new(&text, 80, 2);
        assert_eq!((text.lines.len(), text.left_out), (100, 0));
        assert_eq!(text.parts.first().map(|part| part.start), Some(0));
        assert_eq!(text.parts.last().map(|part| part.end), Some(100));
        assert!(text.parts.len() > 5);
        for pair in text.parts.windows(2) {
            assert_eq!(pair[1].start, pair[0].end - 2);
        }
        assert!(text.part(0).starts_with("1 row number 1\n2 row number 2\n"), "{}", text.part(0));
        for part in 0..text.parts.len() {
            assert!(count(&text.part(part)) <= 80);
        }
    }

    #[test]
    fn a_huge_page_is_cut_and_says_so_and_a_huge_line_is_broken() {
        let text = Text::new(&"word ".repeat(20_000), 500, 2);
        assert!(text.lines.iter().all(|line| line.chars().count() <= MAX_LINE));
        assert_eq!(text.parts.len(), MAX_PARTS);
        assert!(text.left_out > 0);
        // An overlap as large as a part still gets on.
        assert_eq!(Text::new("a\nb\nc", 1, 9).parts.len(), 3);
    }
}
