//! Plain text and Markdown: one step per line.
//!
//! `name: …` and `url: …` may precede the first step, with or without `---` lines around them. In Markdown, the first
//! heading is the name; fenced code, quotes and comments are skipped; and if there is a list, only its items are steps.
//! In plain text, a line that begins with `#` or `//` is a comment. The lines that are indented below a sentence such
//! as `For each row in "Orders":` belong to it.

use super::{
    problem::Problem,
    sentences::{self, SentenceLine},
    shape::{Draft, Positioned, unknown_key},
    tree::At,
};

/// Reads the lines to a draft.
pub(super) fn draft(source: &str, markdown: bool, problems: &mut Vec<Problem>) -> Draft {
    let mut draft = Draft::default();
    let lines = lines_of(source, markdown, &mut draft, problems);
    let has_list = lines.iter().any(|line| line.item);
    let mut in_item = false;
    let mut sentences: Vec<SentenceLine> = Vec::new();
    for line in lines {
        let at = At { line: line.number, column: Some(line.indent + 1) };
        if line.text.is_empty() {
            if line.item {
                problems.push(Problem::error(at, "the step is empty"));
            }
            in_item = false;
        } else if line.item || !(markdown && has_list) {
            // `key: value` before the first step is front matter.
            if sentences.is_empty() && !line.item && front_matter(&line.text, at, false, &mut draft, problems) {
                continue;
            }
            in_item = line.item;
            sentences.push(SentenceLine { at, indent: line.indent, text: line.text });
        } else if let Some(last) = sentences.last_mut().filter(|_| in_item && line.indent >= 2) {
            // An indented line continues a list item.
            last.text.push(' ');
            last.text.push_str(&line.text);
        } else {
            in_item = false;
            if sentences.is_empty() {
                front_matter(&line.text, at, false, &mut draft, problems);
            }
        }
    }
    draft.steps = sentences::steps(&sentences, problems);
    draft
}

struct Line {
    number: usize,
    indent: usize,
    text: String,
    /// Whether the line had a list marker.
    item: bool,
}

/// The lines without comments, code, headings, quotes and the `---` block.
fn lines_of(source: &str, markdown: bool, draft: &mut Draft, problems: &mut Vec<Problem>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    let (mut in_comment, mut in_front) = (false, false);
    for (line, number) in source.lines().zip(1..) {
        let text = line.trim();
        let at = At { line: number, column: None };
        if in_front {
            in_front = text != "---";
            if in_front && !text.is_empty() && !text.starts_with('#') {
                front_matter(text, at, true, draft, problems);
            }
        } else if let Some(mark) = fence {
            if text.starts_with(mark) {
                fence = None;
            }
        } else if in_comment {
            in_comment = !text.contains("-->");
        } else if text == "---" && number == 1 {
            in_front = true;
        } else if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| text.starts_with(mark)) {
            fence = Some(mark);
        } else if text.starts_with("<!--") {
            in_comment = !text.contains("-->");
        } else if markdown && text.starts_with('#') {
            let heading = text.trim_start_matches('#').trim();
            if draft.name.is_none() && !heading.is_empty() {
                draft.name = Some(heading.to_owned());
            }
        } else if text.starts_with('#') || text.starts_with("//") || (markdown && is_decoration(text)) {
        } else {
            let (text, item) = strip_list_marker(text);
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            lines.push(Line { number, indent, text: text.to_owned(), item });
        }
    }
    lines
}

/// Whether the line is a quote or a horizontal rule.
fn is_decoration(text: &str) -> bool {
    text.starts_with('>')
        || (text.len() >= 3
            && ["-", "*", "_"]
                .iter()
                .any(|mark| text.replace([' ', '\t'], "").trim_matches(|c| mark.contains(c)).is_empty()))
}

/// Removes `-`, `*`, `+`, `1.`, `1)` and the check box of a task list. Returns whether there was a marker.
fn strip_list_marker(text: &str) -> (&str, bool) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if text.starts_with(['-', '*', '+', '•']) {
        text.chars().next().map_or(0, char::len_utf8)
    } else if digits > 0 && text[digits..].starts_with(['.', ')']) {
        digits + 1
    } else {
        return (text, false);
    };
    let rest = &text[marker..];
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return (text, false);
    }
    let rest = rest.trim();
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| rest.strip_prefix(mark));
    (boxed.map_or(rest, str::trim), true)
}

/// Reads `name: …` and `url: …`; any other key in a `---` block is a problem. Returns whether the line was front
/// matter.
fn front_matter(text: &str, at: At, strict: bool, draft: &mut Draft, problems: &mut Vec<Problem>) -> bool {
    let split = text.split_once(':').map(|(key, value)| (key.trim().to_ascii_lowercase(), value.trim()));
    let unquoted = |value: &str| value.trim_matches(['"', '\'']).trim().to_owned();
    match split.as_ref().map(|(key, value)| (key.as_str(), *value)) {
        Some(("name" | "title", value)) => draft.name = Some(unquoted(value)),
        Some(("url", value)) => draft.url = Some(Positioned { at, is: unquoted(value) }),
        Some((key, _)) if strict => problems.push(unknown_key(at, key, &["name", "url"])),
        None if strict => problems.push(Problem::error(at, "expected `name: …` or `url: …`")),
        _ => return false,
    }
    true
}
