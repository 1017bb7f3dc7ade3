//! The changes between two observations of a page, as lines: `+` new, `~` changed, `-` removed. A line about the page
//! itself begins with `*`, so that it is never taken for a line that was removed.
//!
//! Lines are matched by their content, including refs: lines with the same content are the same line. A removed line
//! and a new one at the same place count as one changed line if they have the same ref or the same form.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    hash::Hasher,
};

use legwork_protocol::{Observation, View};

use crate::{
    Snapshot,
    line::{Detail, Line, clip},
    outline::{Outline, outline},
    render::{head, is_same_place, render, render_since},
    tokens,
};

/// Shows the changes from `before` to `now`. Returns a full observation (`diff: false`) if the page is a different
/// one or most of it changed.
pub fn diff(before: &Snapshot, now: &Snapshot, view: &View) -> Observation {
    if !is_same_place(before, now) || view.root.is_some() {
        return render(now, view);
    }
    let (old, new) = (Side::of(before, view), Side::of(now, view));
    let matched = matches(&old.hashes, &new.hashes);
    let new_lines = new.hashes.len() - matched.len();
    if new_lines > 12 && new_lines * 2 > new.hashes.len() {
        return render_since(before, now, view);
    }
    let mut text = String::new();
    let head_now = head(now);
    if head_now != head(before) {
        // In an observation of the whole page, these lines begin with a dash as all others do.
        head_now.lines().for_each(|line| text.push_str(&format!("* {}\n", line.trim_start_matches("- "))));
    }
    if before.url != now.url {
        text.push_str(&format!("* the address is now {}\n", clip(&now.url, 300)));
    }
    write(&old, &new, &matched, &mut text);
    if text.is_empty()
        && let Some(at) =
            new.focused.filter(|at| old.focused.map(|old_at| old.text(old_at, 8)) != Some(new.text(*at, 8)))
    {
        text.push_str(&format!("* the focus is on {}\n", new.text(at, 8)));
    }
    if text.is_empty() {
        text.push_str("* nothing changed since the last observation\n");
    }
    if !tokens::fits(&text, view.max_tokens) {
        return render_since(before, now, view);
    }
    Observation {
        url: now.url.clone(),
        title: now.title.clone(),
        tokens: tokens::count(&text),
        text,
        diff: true,
        left_out: now.cut.clone(),
    }
}

struct Side<'a> {
    page: &'a Snapshot,
    lines: Vec<Line<'a>>,
    hashes: Vec<u64>,
    /// The line that has the focus.
    focused: Option<usize>,
}

const FOCUSED: &str = " [focused]";

impl<'a> Side<'a> {
    fn of(page: &'a Snapshot, view: &View) -> Side<'a> {
        let Outline { lines, .. } = outline(page, 0, view);
        let mut text = String::new();
        let mut focused = None;
        let hashes = lines
            .iter()
            .enumerate()
            .map(|(at, line)| {
                text.clear();
                line.write(Detail::ALL, &mut text);
                if text.contains(FOCUSED) {
                    focused = Some(at);
                }
                let mut hasher = DefaultHasher::new();
                // The focus changes with most actions and seldom matters, so it is reported only if nothing else
                // changed.
                text.trim_start().split(FOCUSED).for_each(|part| hasher.write(part.as_bytes()));
                hasher.finish()
            })
            .collect();
        Side { page, lines, hashes, focused }
    }

    fn text(&self, at: usize, words: usize) -> String {
        let mut text = String::new();
        self.lines[at].write(Detail { words, ..Detail::ALL }, &mut text);
        let text = text.trim();
        text.strip_prefix("- ").unwrap_or(text).to_owned()
    }

    /// The nearest ancestor with a name or a ref, or the heading before the line.
    fn context(&self, at: usize) -> Option<String> {
        let indent = self.lines[at].indent;
        let says = |line: &Line<'_>| {
            let node = &self.page.nodes[line.node];
            (line.indent < indent && !node.name.is_empty())
                || (line.indent <= indent && node.role.as_ref() == "heading")
                || (line.indent < indent && matches!(node.role.as_ref(), "dialog" | "alertdialog" | "row" | "listitem"))
        };
        let found = (0..at).rev().take(2_000).find(|above| says(&self.lines[*above]))?;
        let node = &self.page.nodes[self.lines[found].node];
        let name = clip(&node.name, 60);
        Some(if name.is_empty() { node.role.to_string() } else { format!("{} \"{name}\"", node.role) })
    }
}

/// Pairs of equal lines in increasing order on both sides. Lines that are unique on both sides are matched first;
/// between them, lines next to a match are matched as long as they are equal.
fn matches(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);

    let mut unique: HashMap<u64, (usize, usize, usize, usize)> = HashMap::new();
    for (at, hash) in old.iter().enumerate().take(old_end).skip(start) {
        let entry = unique.entry(*hash).or_default();
        (entry.0, entry.1) = (entry.0 + 1, at);
    }
    for (at, hash) in new.iter().enumerate().take(new_end).skip(start) {
        let entry = unique.entry(*hash).or_default();
        (entry.2, entry.3) = (entry.2 + 1, at);
    }
    let mut frame: Vec<(usize, usize)> =
        unique.values().filter(|entry| entry.0 == 1 && entry.2 == 1).map(|entry| (entry.1, entry.3)).collect();
    frame.sort_unstable();
    let mut frame = rising(&frame);
    frame.push((old_end, new_end));
    let (mut at_old, mut at_new) = (start, start);
    for (to_old, to_new) in frame {
        // Forwards from the previous match, then backwards from this one.
        while at_old < to_old && at_new < to_new && old[at_old] == new[at_new] {
            pairs.push((at_old, at_new));
            (at_old, at_new) = (at_old + 1, at_new + 1);
        }
        let mut back = Vec::new();
        let (mut from_old, mut from_new) = (to_old, to_new);
        while from_old > at_old && from_new > at_new && old[from_old - 1] == new[from_new - 1] {
            (from_old, from_new) = (from_old - 1, from_new - 1);
            back.push((from_old, from_new));
        }
        pairs.extend(back.into_iter().rev());
        if to_old < old_end && to_new < new_end {
            pairs.push((to_old, to_new));
        }
        (at_old, at_new) = (to_old + 1, to_new + 1);
    }
    pairs.extend((0..tail).map(|at| (old_end + at, new_end + at)));
    pairs
}

/// The longest sequence of pairs that increases in both numbers.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let place = ends.partition_point(|end| pairs[*end].1 < pair.1);
        if place > 0 {
            before[at] = ends[place - 1];
        }
        if place == ends.len() { ends.push(at) } else { ends[place] = at }
    }
    let mut found = Vec::new();
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        found.push(pairs[at]);
        at = before[at];
    }
    found.reverse();
    found
}

fn write(old: &Side<'_>, new: &Side<'_>, matched: &[(usize, usize)], out: &mut String) {
    let (mut at_old, mut at_new) = (0, 0);
    let ends = (old.lines.len(), new.lines.len());
    let mut context: Option<Option<String>> = None;
    for (to_old, to_new) in matched.iter().copied().chain([ends]) {
        if at_old < to_old || at_new < to_new {
            let place = at_new.min(new.lines.len().saturating_sub(1));
            let here = (!new.lines.is_empty()).then(|| new.context(place)).flatten();
            if context.as_ref() != Some(&here) {
                out.push_str(&here.as_ref().map_or("in the page:\n".to_owned(), |here| format!("in {here}:\n")));
                context = Some(here);
            }
            write_gap(old, at_old..to_old, new, at_new..to_new, out);
        }
        (at_old, at_new) = (to_old + 1, to_new + 1);
    }
}

/// Removed lines beyond this number are only counted.
const MOST_GONE: usize = 12;

fn write_gap(
    old: &Side<'_>,
    gone: std::ops::Range<usize>,
    new: &Side<'_>,
    come: std::ops::Range<usize>,
    out: &mut String,
) {
    let reference = |side: &Side<'_>, at: usize| side.page.nodes[side.lines[at].node].reference;
    let in_step = gone.len() == come.len();
    let mut changed = vec![false; gone.len()];
    let base = come.clone().map(|at| new.lines[at].indent).min().unwrap_or(0);
    for (step, at) in come.enumerate() {
        let same = gone.clone().position(|was| {
            !changed[was - gone.start] && reference(new, at).is_some() && reference(old, was) == reference(new, at)
        });
        let same = same.or_else(|| {
            (in_step && !changed[step] && old.lines[gone.start + step].shape == new.lines[at].shape).then_some(step)
        });
        let sign = if same.is_some() { '~' } else { '+' };
        if let Some(was) = same {
            changed[was] = true;
        }
        (0..new.lines[at].indent - base).for_each(|_| out.push_str("  "));
        out.push_str(&format!("{sign} {}\n", new.text(at, usize::MAX)));
    }
    let left: Vec<usize> = gone.clone().filter(|was| !changed[was - gone.start]).collect();
    for was in left.iter().take(MOST_GONE) {
        out.push_str(&format!("- {}\n", old.text(*was, 12)));
    }
    if left.len() > MOST_GONE {
        out.push_str(&format!("- … and {} more lines are gone\n", left.len() - MOST_GONE));
    }
}
