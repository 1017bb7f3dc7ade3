//! Repetition, folded: runs of siblings that look alike are shown as the first in full, then one short line each with what
//! differs, then only their keys, however much the budget takes. What folded lines can do is seen on the first; their refs
//! exist and can be used.

use std::collections::HashSet;

use crate::{
    Snapshot,
    outline::{Line, Part},
};

/// A run of siblings that look alike.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The lines each item begins at, and the end of the last one.
    pub(crate) starts: Vec<usize>,
    pub(crate) end: usize,
    /// The slots whose texts differ between the items.
    varying: Vec<usize>,
    /// The slot that tells the items apart best.
    key: usize,
}

/// How briefly the items of runs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Brevity {
    /// What differs, each on its line with its refs.
    Differences,
    /// One text each with the first ref, many to a line.
    Keys,
    /// One text each, the refs told as a range.
    BareKeys,
    /// Only as many keys as `of` to a run.
    Some { of: usize },
}

const SHORTEST_RUN: usize = 8;
/// Shorter runs of lines are cheap as they are.
const WORTH_BYTES: usize = 1_400;

/// The runs of an outline, outermost first, none within another.
pub(crate) fn runs(lines: &[Line<'_>]) -> Vec<Run> {
    let shapes = shapes(lines);
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let mut starts = vec![at];
        let mut next = lines[at].end;
        while next < lines.len() && lines[next].indent == lines[at].indent && shapes[next] == shapes[at] {
            starts.push(next);
            next = lines[next].end;
        }
        if starts.len() >= SHORTEST_RUN {
            let bytes: usize = lines[at..next].iter().map(bytes).sum();
            if bytes >= WORTH_BYTES {
                let run = differing(lines, starts, next);
                found.extend(run);
                if found.last().is_some_and(|run: &Run| run.end == next) {
                    at = next;
                    continue;
                }
            }
        }
        at += 1;
    }
    found
}

fn bytes(line: &Line<'_>) -> usize {
    line.parts
        .iter()
        .map(|part| match part {
            Part::Markup(text) => text.len(),
            Part::Text(text) => text.len(),
        })
        .sum()
}

/// The shape of each line with all lines below it.
fn shapes(lines: &[Line<'_>]) -> Vec<u64> {
    let mut shapes: Vec<u64> = lines.iter().map(|line| line.shape).collect();
    for at in (0..lines.len()).rev() {
        let mut next = at + 1;
        while next < lines[at].end {
            shapes[at] = (shapes[at] ^ shapes[next]).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            next = lines[next].end;
        }
    }
    shapes
}

fn slots<'a, 'l>(lines: &'l [Line<'a>], start: usize) -> impl Iterator<Item = &'a str> + 'l {
    lines[start..lines[start].end].iter().flat_map(|line| &line.parts).filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        Part::Markup(_) => None,
    })
}

/// What differs between the items; none if they are long texts rather than entries.
fn differing(lines: &[Line<'_>], starts: Vec<usize>, end: usize) -> Option<Run> {
    let first: Vec<&str> = slots(lines, starts[0]).collect();
    let mut differs = vec![false; first.len()];
    let mut lens = vec![0_usize; first.len()];
    for &start in &starts {
        for (at, text) in slots(lines, start).enumerate().take(first.len()) {
            differs[at] |= text != first[at];
            lens[at] += text.len();
        }
    }
    let varying: Vec<usize> = (0..first.len()).filter(|at| differs[*at]).collect();
    let count = starts.len();
    let total: usize = varying.iter().map(|at| lens[*at]).sum();
    if total / count > 400 {
        return None;
    }
    let sample: Vec<Vec<&str>> =
        starts.iter().step_by(count.div_ceil(200)).map(|start| slots(lines, *start).collect()).collect();
    let key = varying.iter().copied().max_by_key(|at| {
        let distinct = sample.iter().filter_map(|item| item.get(*at)).collect::<HashSet<_>>().len();
        let is_long = lens[*at] / count > 60;
        (!is_long, distinct, std::cmp::Reverse(*at))
    });
    Some(Run { starts, end, key: key.unwrap_or(0), varying })
}

impl Run {
    /// The items shown in full before the rest.
    pub(crate) fn shown(&self, brevity: Brevity) -> usize {
        match brevity {
            Brevity::Differences => 2,
            _ => 3,
        }
    }

    /// Writes the items after the first ones.
    pub(crate) fn write(&self, page: &Snapshot, lines: &[Line<'_>], brevity: Brevity, words: usize, out: &mut String) {
        let indent = lines[self.starts[0]].indent;
        let pad = |out: &mut String| (0..indent).for_each(|_| out.push_str("  "));
        let shown = self.shown(brevity);
        let rest = &self.starts[shown..];
        let role = page.nodes[lines[self.starts[0]].node].role.as_ref();
        let what = match role {
            "row" => "rows",
            "link" => "links",
            "button" => "buttons",
            "option" => "options",
            _ => "items",
        };
        let first = self.refs(page, lines, rest[0]);
        let last = self.refs(page, lines, rest[rest.len() - 1]);
        pad(out);
        out.push_str(&format!("- … {} more {what} like these", rest.len()));
        let per_item = first.len();
        let is_even = per_item > 0 && self.is_counted(page, lines, rest, per_item);
        match (first.first(), last.last()) {
            (Some(from), Some(to)) if brevity >= Brevity::BareKeys && is_even => {
                let each = if per_item == 1 { "one each".to_owned() } else { format!("{per_item} each") };
                out.push_str(&format!(", refs e{from}–e{to}, {each} in this order"));
            }
            (Some(from), Some(to)) if brevity >= Brevity::BareKeys => {
                out.push_str(&format!(", refs between e{from} and e{to} (use find)"));
            }
            _ => {}
        }
        out.push_str(":\n");
        if brevity == Brevity::Differences {
            for &start in rest {
                pad(out);
                out.push_str("  ");
                self.write_refs(page, lines, start, out);
                self.write_texts(lines, start, words, out);
                out.push('\n');
            }
            return;
        }
        pad(out);
        out.push_str("  ");
        let step = match brevity {
            Brevity::Some { of } if of == 0 => usize::MAX,
            Brevity::Some { of } => rest.len().div_ceil(of),
            _ => 1,
        };
        let mut written = 0;
        for (at, &start) in rest.iter().enumerate() {
            if at % step != 0 && at + 1 != rest.len() {
                continue;
            }
            if written > 0 {
                out.push_str(if step > 1 { " … " } else { ", " });
            }
            written += 1;
            let key = slots(lines, start).nth(self.key).unwrap_or_default();
            let key = crate::outline::first(key, words.min(8));
            out.push_str(key.trim_end_matches(','));
            if brevity == Brevity::Keys
                && let Some(reference) = self.refs(page, lines, start).first()
            {
                out.push_str(&format!(" e{reference}"));
            }
        }
        out.push('\n');
    }

    /// The refs of what can be acted on in an item.
    fn refs(&self, page: &Snapshot, lines: &[Line<'_>], start: usize) -> Vec<u32> {
        let from = lines[start].node;
        let to = lines.get(lines[start].end).map_or(page.nodes.len(), |next| next.node);
        let end = if lines[start].end == start + 1 { self.line_end(page, lines, start, to) } else { to };
        page.nodes[from..end]
            .iter()
            .filter(|node| node.states.actionable())
            .filter_map(|node| node.reference.map(|reference| reference.0))
            .collect()
    }

    fn line_end(&self, page: &Snapshot, lines: &[Line<'_>], start: usize, next: usize) -> usize {
        let parent = page.nodes[lines[start].node].parent;
        next.min(page.nodes[parent].end)
    }

    /// Whether the items' refs simply count up.
    fn is_counted(&self, page: &Snapshot, lines: &[Line<'_>], rest: &[usize], per_item: usize) -> bool {
        let mut expected = None;
        rest.iter().all(|start| {
            let refs = self.refs(page, lines, *start);
            let fits = refs.len() == per_item
                && refs.windows(2).all(|pair| pair[0] + 1 == pair[1])
                && expected.is_none_or(|next| refs[0] == next);
            expected = refs.last().map(|last| last + 1);
            fits
        })
    }

    fn write_refs(&self, page: &Snapshot, lines: &[Line<'_>], start: usize, out: &mut String) {
        let refs = self.refs(page, lines, start);
        match refs.as_slice() {
            [] => {}
            [one] => out.push_str(&format!("e{one} ")),
            [from, .., to] if (*to - *from) as usize + 1 == refs.len() => out.push_str(&format!("e{from}–e{to} ")),
            many => {
                for reference in many {
                    out.push_str(&format!("e{reference} "));
                }
            }
        }
    }

    fn write_texts(&self, lines: &[Line<'_>], start: usize, words: usize, out: &mut String) {
        let texts: Vec<&str> = slots(lines, start).collect();
        let mut before = "";
        for (at, slot) in self.varying.iter().enumerate() {
            let text = texts.get(*slot).copied().unwrap_or_default();
            if text == before {
                continue;
            }
            before = text;
            if at > 0 {
                out.push_str(" | ");
            }
            let shown = crate::outline::first(text, words);
            out.push_str(shown);
            if shown.len() < text.len() {
                out.push('…');
            }
        }
    }
}
