//! Finds what an observation left out: lines that contain a text, and parts of the page in full.

use std::{
    borrow::Cow,
    ops::{Range, RangeInclusive},
    sync::LazyLock,
};

use legwork_protocol::{Observation, Ref, Target, View};
use regex::{Regex, RegexBuilder};
use thiserror::Error;

use crate::{
    NodeIndex, Snapshot,
    line::{Detail, Line, clip},
    outline::outline,
    render::render,
    tokens,
};

/// The lines of a page that contain a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMatches {
    /// The lines, grouped under their ancestors.
    pub text: String,
    /// The number of tokens of the text (o200k).
    pub tokens: usize,
    /// The number of matching lines, shown or not.
    pub matches: usize,
}

/// Why the search failed.
#[derive(Debug, Error)]
pub enum FindError {
    /// The pattern between slashes is not a regular expression.
    #[error("{pattern} is not a regular expression: {source}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Searches the whole page, including collapsed and truncated parts, for a text (ignoring case, from the beginning of a
/// word: `line` is not in `Offline`) or for a regular expression between slashes (`/R-05\d\d/`). Texts, names and values match; ids, test ids and addresses of links only
/// if nothing else does. A ref matches nothing but its own element. A match in a row or an entry of a list is shown
/// with the whole entry, so that its elements can be used.
///
/// # Errors
/// When the pattern cannot be parsed.
pub fn find(page: &Snapshot, pattern: &str, max_tokens: usize) -> Result<TextMatches, FindError> {
    let pattern = pattern.trim();
    let is_regex = pattern.len() > 2 && pattern.starts_with('/') && pattern.ends_with('/');
    let source = if is_regex { pattern[1..pattern.len() - 1].to_owned() } else { literal(pattern) };
    let wanted =
        RegexBuilder::new(&source).case_insensitive(true).size_limit(1 << 20).build().map_err(|source| {
            FindError::Pattern { pattern: clip(pattern, 200).to_owned(), source: Box::new(source) }
        })?;

    let outline = outline(page, 0, &View::default());
    let lines = &outline.lines;
    let found = match Ref::parse(pattern).and_then(|reference| page.find_ref(reference)) {
        Some(node) => lines.iter().rposition(|line| line.node <= node).map(|at| (at, 0)).into_iter().collect(),
        None => {
            let texts = matching(lines, |_, whole| wanted.find(whole).map(|place| place.start()));
            if texts.is_empty() { matching(lines, |at, _| attributes_match(page, lines, at, &wanted)) } else { texts }
        }
    };
    let (mut text, mut shown, mut used, mut context) = (String::new(), 0, 0, String::new());
    let mut last_entry: Option<(Range<usize>, bool)> = None;
    let note = 16;
    for (at, place) in found.iter().copied() {
        let entry_lines = entry(page, lines, at);
        if let Some((known, is_shown)) = &last_entry
            && entry_lines.as_ref() == Some(known)
        {
            shown += usize::from(*is_shown);
            continue;
        }
        let mut entry = String::new();
        let above = under(page, lines, entry_lines.as_ref().map_or(at, |lines| lines.start));
        if above != context {
            entry.push_str(&format!("in {above}:\n"));
        }
        entry.push_str(&match &entry_lines {
            Some(of) => on_one_line(&lines[of.clone()]),
            None => window(written(&lines[at]).trim(), place),
        });
        entry.push('\n');
        let cost = tokens::count(&entry) + 1;
        let fits = used + cost + note <= max_tokens;
        if fits {
            used += cost;
            shown += 1;
            context = above;
            text.push_str(&entry);
        }
        last_entry = entry_lines.map(|lines| (lines, fits));
    }
    let matches = found.len();
    if matches == 0 {
        text = format!("nothing on the page matches {}\n", clip(pattern, 100));
    } else if shown < matches {
        text.push_str(&format!("… {} more lines match\n", matches - shown));
    }
    if !tokens::fits(&text, max_tokens) {
        text.clear();
    }
    Ok(TextMatches { tokens: tokens::count(&text), text, matches })
}

fn written(line: &Line<'_>) -> String {
    let mut whole = String::new();
    line.write(Detail::ALL, &mut whole);
    whole
}

/// The lines that match, each with the position of the match in the line with its refs.
fn matching(lines: &[Line<'_>], place: impl Fn(usize, &str) -> Option<usize>) -> Vec<(usize, usize)> {
    let of_line = |(at, line): (usize, &Line<'_>)| Some((at, place(at, without_refs(written(line).trim()).as_ref())?));
    lines.iter().enumerate().filter_map(of_line).collect()
}

/// A line without its refs, which are numbers that mean nothing to a reader of the page.
fn without_refs(line: &str) -> Cow<'_, str> {
    static REF: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \[ref=e\d+\]").expect("a constant pattern"));
    REF.replace_all(line, "")
}

fn attributes_match(page: &Snapshot, lines: &[Line<'_>], at: usize, wanted: &Regex) -> Option<usize> {
    let line = &lines[at];
    let to = lines.get(at + 1).map_or(page.nodes.len(), |next| next.node).max(line.node + 1);
    let matches = page.nodes[line.node..to].iter().filter_map(|node| node.attributes.as_deref()).any(|attributes| {
        [&attributes.href, &attributes.id, &attributes.test_id, &attributes.form_name, &attributes.description]
            .into_iter()
            .flatten()
            .any(|text| wanted.is_match(text))
    });
    matches.then_some(0)
}

/// The most lines and bytes of an entry that is shown whole.
const ENTRY_LINES: usize = 30;
const ENTRY_BYTES: usize = 1_200;

/// The lines of the row or list entry that contains a line, if there are several and they are not too many.
fn entry(page: &Snapshot, lines: &[Line<'_>], at: usize) -> Option<Range<usize>> {
    let is_entry = |node: &NodeIndex| matches!(page.nodes[*node].role.as_ref(), "row" | "listitem" | "treeitem");
    let node = lines[at].node;
    let entry = std::iter::once(node).chain(page.ancestors(node)).find(is_entry)?;
    let start = lines.partition_point(|line| line.node < entry);
    let end = lines.partition_point(|line| line.node < page.nodes[entry].end);
    let range = start..end;
    let bytes = || lines[range.clone()].iter().map(|line| written(line).trim().len()).sum::<usize>();
    (range.len() > 1 && range.len() <= ENTRY_LINES && bytes() <= ENTRY_BYTES).then_some(range)
}

/// The lines of an entry on one line. Containers without a text of their own are left out.
fn on_one_line(lines: &[Line<'_>]) -> String {
    let parts = lines.iter().enumerate().filter_map(|(at, line)| {
        let text = written(line);
        let text = text.trim().trim_start_matches("- ");
        let text = text.strip_prefix("cell: ").unwrap_or(text).to_owned();
        let is_bare = text.ends_with(':') && !text.contains(['"', '[']);
        (at == 0 || !is_bare).then_some(text)
    });
    let parts: Vec<String> = parts.collect();
    let (first, rest) = parts.split_first().map(|(first, rest)| (first.as_str(), rest)).unwrap_or_default();
    let sign = if first.ends_with(':') { " " } else { " | " };
    format!("- {first}{sign}{}", rest.join(" | "))
}

/// White space in a literal pattern matches any white space, and a word matches from the beginning of a word. In
/// scripts that put no spaces between words, a word may begin anywhere.
fn literal(pattern: &str) -> String {
    let words: Vec<String> = pattern.split_whitespace().map(regex::escape).collect();
    let begins_a_word = pattern.chars().next().is_some_and(|first| first.is_alphanumeric() && !is_unspaced(first));
    let beginning = if begins_a_word { format!(r"(?:\b|[_{}])", unspaced_class()) } else { String::new() };
    beginning + &words.join(r"\s+")
}

/// The scripts without spaces between words: Thai to Burmese, Khmer, kana, and Chinese characters.
const UNSPACED: [RangeInclusive<char>; 7] = [
    '\u{0e00}'..='\u{0eff}',
    '\u{1000}'..='\u{109f}',
    '\u{1780}'..='\u{17ff}',
    '\u{3005}'..='\u{30ff}',
    '\u{3400}'..='\u{9fff}',
    '\u{f900}'..='\u{faff}',
    '\u{20000}'..='\u{3ffff}',
];

fn is_unspaced(character: char) -> bool {
    UNSPACED.iter().any(|range| range.contains(&character))
}

/// These scripts in the notation of a class of a regular expression.
fn unspaced_class() -> String {
    let range =
        |range: &RangeInclusive<char>| format!(r"\x{{{:x}}}-\x{{{:x}}}", *range.start() as u32, *range.end() as u32);
    UNSPACED.iter().map(range).collect()
}

/// The names of the ancestors of a line, or of the heading before it. If none has a name, the role of the nearest.
fn under(page: &Snapshot, lines: &[Line<'_>], at: usize) -> String {
    let mut indent = lines[at].indent;
    let mut path = Vec::new();
    let mut nearest = None;
    for (above_at, above) in lines[..at].iter().enumerate().rev().take(4_000) {
        let node = &page.nodes[above.node];
        let is_ancestor = above.end > at;
        let is_heading = node.role.as_ref() == "heading" && above.indent <= indent && path.is_empty();
        if (is_ancestor || is_heading) && !node.name.is_empty() {
            path.push(format!("{} \"{}\"", node.role, clip(&node.name, 60)));
        }
        if is_ancestor {
            nearest.get_or_insert(above_at);
        }
        if is_ancestor || is_heading {
            indent = above.indent.min(indent);
        }
        if path.len() == 2 || indent == 0 && !path.is_empty() {
            break;
        }
    }
    match nearest {
        _ if !path.is_empty() => path.join(" in "),
        Some(nearest) => page.nodes[lines[nearest].node].role.to_string(),
        None => "the page".to_owned(),
    }
}

/// At most about 400 bytes of a line around a position.
fn window(line: &str, at: usize) -> String {
    const AROUND: usize = 240;
    if line.len() <= 2 * AROUND {
        return line.to_owned();
    }
    let mut from = at.saturating_sub(AROUND / 2);
    while !line.is_char_boundary(from) {
        from -= 1;
    }
    let shown = clip(&line[from..], 2 * AROUND);
    let more = if from + shown.len() < line.len() { "…" } else { "" };
    format!("{}{shown}{more}", if from > 0 { "…" } else { "" })
}

/// Shows an element and everything below it.
pub fn expand(page: &Snapshot, reference: Ref, max_tokens: usize) -> Observation {
    render(page, &View { max_tokens, root: Some(Target::from(reference)), ..View::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn words_match_at_word_beginnings() {
        let page = fixture::snapshot(
            "- link \"Offline catalogue\" [ref=e1]\n- link \"Line items\" [ref=e2]\n- text: order_line 7\n- text: 請求書の作成\n- text: オンラインline\n- text: R-0512",
        );
        let check = |pattern: &str, matches: usize| {
            assert_eq!(find(&page, pattern, 1_000).unwrap().matches, matches, "{pattern}");
        };
        check("line", 3);
        check("offline cat", 1);
        check("catalogue", 1);
        check("fline", 0);
        check("0512", 1);
        check("512", 0);
        // A regular expression is taken as it is, and scripts without spaces match anywhere.
        check("/fline/", 1);
        check("作成", 1);
        check("ライン", 1);
        check("-0512", 1);
    }
}
