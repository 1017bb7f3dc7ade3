//! Finds what an observation left out: lines that contain a text, and parts of the page in full.

use legwork_protocol::{Observation, Ref, Target, View};
use regex::RegexBuilder;
use thiserror::Error;

use crate::{
    Snapshot,
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

/// Searches the whole page, including collapsed and truncated parts, for a text (ignoring case) or for a regular
/// expression between slashes (`/R-05\d\d/`). Ids, test ids and addresses of links match too.
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
    let (mut text, mut matches, mut shown, mut used, mut context) = (String::new(), 0, 0, 0, String::new());
    let note = 16;
    for (at, line) in lines.iter().enumerate() {
        let mut whole = String::new();
        line.write(Detail::ALL, &mut whole);
        let whole = whole.trim();
        let to = lines.get(at + 1).map_or(page.nodes.len(), |next| next.node).max(line.node + 1);
        let hidden = || {
            page.nodes[line.node..to].iter().filter_map(|node| node.attributes.as_deref()).any(|attributes| {
                [&attributes.href, &attributes.id, &attributes.test_id, &attributes.form_name, &attributes.description]
                    .into_iter()
                    .flatten()
                    .any(|text| wanted.is_match(text))
            })
        };
        let place = wanted.find(whole);
        if place.is_none() && !hidden() {
            continue;
        }
        matches += 1;
        let mut entry = String::new();
        let above = under(page, lines, at);
        if above != context {
            entry.push_str(&format!("in {above}:\n"));
        }
        entry.push_str(&window(whole, place.map_or(0, |place| place.start())));
        entry.push('\n');
        let cost = tokens::count(&entry) + 1;
        if used + cost + note <= max_tokens {
            used += cost;
            shown += 1;
            context = above;
            text.push_str(&entry);
        }
    }
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

/// White space in a literal pattern matches any white space.
fn literal(pattern: &str) -> String {
    let words: Vec<String> = pattern.split_whitespace().map(regex::escape).collect();
    words.join(r"\s+")
}

/// The names of the ancestors of a line.
fn under(page: &Snapshot, lines: &[Line<'_>], at: usize) -> String {
    let mut indent = lines[at].indent + 1;
    let mut path = Vec::new();
    for above in lines[..at].iter().rev().take(4_000) {
        let node = &page.nodes[above.node];
        let is_heading = node.role.as_ref() == "heading" && above.indent < indent;
        if is_heading && path.is_empty() || above.indent + 1 < indent && !node.name.is_empty() {
            path.push(format!("{} \"{}\"", node.role, clip(&node.name, 60)));
            indent = above.indent;
        }
        if path.len() == 2 || indent == 0 {
            break;
        }
    }
    if path.is_empty() { "the page".to_owned() } else { path.join(" in ") }
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
