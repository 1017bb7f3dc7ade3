//! Collapses sequences of similar siblings. The first items are shown in full. Depending on the budget, each other item
//! gets a short line with its differences, or only a key. The first items show what can be done
//! with the collapsed ones, whose refs exist and can be used.

use std::{collections::HashSet, ops::Range};

use crate::{
    Node, Snapshot,
    line::{self, Line, Part},
    outline::shown_states,
};

/// A run of similar siblings.
#[derive(Clone, Debug)]
pub(crate) struct Repetition {
    /// The first line of each item, and the end of the last item.
    pub(crate) starts: Vec<usize>,
    pub(crate) end: usize,
    /// The slots whose texts differ between the items.
    varying: Vec<usize>,
    /// The slot that distinguishes the items best.
    key: usize,
}

/// How much of the items of a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CollapseLevel {
    /// The differences of each item on its own line, with its refs.
    Differences,
    /// One text per item with its first ref, several per line.
    Keys,
    /// One text per item; the refs are stated as a range.
    BareKeys,
    /// At most `of` keys per run.
    Some { of: usize },
}

const MIN_ITEMS: usize = 8;
/// Shorter runs cost little in full.
const MIN_COLLAPSED_BYTES: usize = 1_400;

/// A shorter text within another one is another value.
const MIN_REPEATED_TEXT: usize = 8;

/// The maximum number of sibling lines that repeat together.
const MAX_PERIOD: usize = 10;

/// The runs of an outline, the outermost first, without runs inside other runs.
pub(crate) fn runs(lines: &[Line<'_>]) -> Vec<Repetition> {
    let shapes = shapes(lines);
    let mut found = Vec::new();
    let mut at = 0;
    // For each period, the end of the last sequence that was too small to collapse. A sequence that begins within it is
    // smaller and is not examined.
    let mut dull = [0; MAX_PERIOD + 1];
    while at < lines.len() {
        let run = (1..=MAX_PERIOD).find_map(|period| {
            let dull = &mut dull[period];
            if *dull > at { None } else { repetition(lines, &shapes, at, period, dull) }
        });
        match run {
            Some(run) => {
                at = run.end;
                found.push(run);
            }
            None => at += 1,
        }
    }
    found
}

/// The run of items of `period` siblings each that begins at a line, if it is large enough to collapse.
fn repetition(lines: &[Line<'_>], shapes: &[u64], at: usize, period: usize, dull: &mut usize) -> Option<Repetition> {
    // The sibling lines of the first item.
    let mut pattern = [0; MAX_PERIOD];
    let pattern = &mut pattern[..period];
    let mut next = at;
    for shape in &mut *pattern {
        let line = lines.get(next).filter(|line| line.indent == lines[at].indent)?;
        *shape = shapes[next];
        next = line.end;
    }
    let is_like = |mut from: usize| -> Option<usize> {
        for shape in &*pattern {
            let line = lines.get(from).filter(|line| line.indent == lines[at].indent)?;
            if shapes[from] != *shape {
                return None;
            }
            from = line.end;
        }
        Some(from)
    };
    // Most lines do not begin a run, so nothing is collected before two items match.
    is_like(next)?;
    let mut starts = vec![at];
    while let Some(after) = is_like(next) {
        starts.push(next);
        next = after;
    }
    if starts.len() < MIN_ITEMS {
        return None;
    }
    *dull = next;
    if lines[at..next].iter().map(bytes).sum::<usize>() < MIN_COLLAPSED_BYTES {
        return None;
    }
    differing(lines, starts, next)
}

fn bytes(line: &Line<'_>) -> usize {
    line.parts
        .iter()
        .map(|part| match part {
            Part::Markup(text) | Part::Loud(text) => text.len(),
            Part::Text(text) | Part::RemovableText(text) => text.len(),
        })
        .sum()
}

/// A hash of the form of each line with all lines below it.
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

/// The states of an element as its line shows them. The focus is not a property of the item.
fn state_words(node: &Node) -> String {
    let words = shown_states(node).filter(|word| *word != "focused").map(|word| format!("[{word}]"));
    words.collect::<Vec<_>>().join(" ")
}

fn slots<'a, 'l>(lines: &'l [Line<'a>], item: Range<usize>) -> impl Iterator<Item = &'a str> + 'l {
    lines[item].iter().flat_map(|line| &line.parts).filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        _ => None,
    })
}

/// The differences between the items; `None` if the items are long texts rather than entries of a list.
fn differing(lines: &[Line<'_>], starts: Vec<usize>, end: usize) -> Option<Repetition> {
    let mut run = Repetition { starts, end, key: 0, varying: Vec::new() };
    let count = run.starts.len();
    let first: Vec<&str> = slots(lines, run.item(0)).collect();
    let mut differs = vec![false; first.len()];
    let mut lens = vec![0_usize; first.len()];
    for item in 0..count {
        for (at, text) in slots(lines, run.item(item)).enumerate().take(first.len()) {
            differs[at] |= text != first[at];
            lens[at] += text.len();
        }
    }
    run.varying = (0..first.len()).filter(|at| differs[*at]).collect();
    let total: usize = run.varying.iter().map(|at| lens[*at]).sum();
    if total / count > 400 {
        return None;
    }
    let sample: Vec<Vec<&str>> =
        (0..count).step_by(count.div_ceil(200)).map(|item| slots(lines, run.item(item)).collect()).collect();
    let key = run.varying.iter().copied().max_by_key(|at| {
        let distinct = sample.iter().filter_map(|item| item.get(*at)).collect::<HashSet<_>>().len();
        let is_long = lens[*at] / count > 60;
        (!is_long, distinct, std::cmp::Reverse(*at))
    });
    run.key = key.unwrap_or(0);
    Some(run)
}

impl Repetition {
    /// The number of items that are shown in full.
    pub(crate) const SHOWN: usize = 2;

    /// The lines of an item.
    fn item(&self, at: usize) -> Range<usize> {
        self.starts[at]..self.starts.get(at + 1).copied().unwrap_or(self.end)
    }

    /// Writes the items after the ones in full.
    pub(crate) fn write(
        &self,
        page: &Snapshot,
        lines: &[Line<'_>],
        truncation: CollapseLevel,
        words: usize,
        out: &mut String,
    ) {
        let indent = lines[self.starts[0]].indent;
        let pad = |out: &mut String| (0..indent).for_each(|_| out.push_str("  "));
        let rest = Self::SHOWN..self.starts.len();
        let is_single = self.starts[1] == self.starts[0] + 1;
        let what = match page.nodes[lines[self.starts[0]].node].role.as_ref() {
            "row" if is_single => "rows",
            "link" if is_single => "links",
            "button" if is_single => "buttons",
            _ => "items",
        };
        pad(out);
        out.push_str(&format!("- … {} more {what} like these", rest.len()));
        let (first, last) = (self.refs(page, lines, rest.start), self.refs(page, lines, rest.end - 1));
        if truncation >= CollapseLevel::BareKeys
            && let (Some(from), Some(to)) = (first.first(), last.last())
        {
            if self.is_counted(page, lines, first.len()) {
                let each = if first.len() == 1 { "one each".to_owned() } else { format!("{} each", first.len()) };
                out.push_str(&format!(", refs e{from}–e{to}, {each} in this order"));
            } else {
                out.push_str(&format!(", refs between e{from} and e{to} (use find)"));
            }
        }
        out.push_str(":\n");
        let varying_states = self.varying_states(page, lines);
        if truncation == CollapseLevel::Differences {
            for item in rest {
                pad(out);
                out.push_str("  ");
                let states = self.states(page, lines, item, &varying_states);
                self.write_refs(page, lines, item, out);
                if let [(_, words)] = states.as_slice()
                    && first.len() == 1
                {
                    out.push_str(&format!("{words} "));
                }
                self.write_texts(lines, item, words, out);
                if first.len() != 1 {
                    states.iter().for_each(|(reference, words)| out.push_str(&format!(" | e{reference} {words}")));
                }
                out.push('\n');
            }
            return;
        }
        pad(out);
        out.push_str("  ");
        let step = match truncation {
            CollapseLevel::Some { of: 0 } => usize::MAX,
            CollapseLevel::Some { of } => rest.len().div_ceil(of),
            _ => 1,
        };
        let last = rest.end - 1;
        for (at, item) in rest.enumerate() {
            if at % step != 0 && item != last {
                continue;
            }
            if at > 0 {
                out.push_str(if step > 1 { " … " } else { ", " });
            }
            let key = slots(lines, self.item(item)).nth(self.key).unwrap_or_default();
            out.push_str(line::first(key, words.min(8)).trim_end_matches(','));
            if truncation == CollapseLevel::Keys
                && let Some(reference) = self.refs(page, lines, item).first()
            {
                out.push_str(&format!(" e{reference}"));
            }
            for (_, words) in self.states(page, lines, item, &varying_states) {
                out.push_str(&format!(" {words}"));
            }
        }
        out.push('\n');
    }

    /// The actionable elements of an item, by their places, whose states differ between the items: in one row a box is
    /// checked, in the others it is not.
    fn varying_states(&self, page: &Snapshot, lines: &[Line<'_>]) -> Vec<usize> {
        let mut firsts: Vec<String> = Vec::new();
        let mut varying = Vec::new();
        for item in 0..self.starts.len() {
            for (at, node) in self.actionable(page, lines, item).enumerate() {
                let words = state_words(node);
                match firsts.get(at) {
                    None => firsts.push(words),
                    Some(first) if *first != words && !varying.contains(&at) => varying.push(at),
                    Some(_) => {}
                }
            }
        }
        varying
    }

    /// The refs of an item with states that not all items have.
    fn states(&self, page: &Snapshot, lines: &[Line<'_>], item: usize, varying: &[usize]) -> Vec<(u32, String)> {
        if varying.is_empty() {
            return Vec::new();
        }
        let of_place = |(at, node): (usize, &Node)| {
            let words = varying.contains(&at).then(|| state_words(node)).filter(|words| !words.is_empty())?;
            Some((node.reference?.0, words))
        };
        self.actionable(page, lines, item).enumerate().filter_map(of_place).collect()
    }

    /// The refs of the actionable elements of an item.
    fn refs(&self, page: &Snapshot, lines: &[Line<'_>], item: usize) -> Vec<u32> {
        self.actionable(page, lines, item).filter_map(|node| node.reference.map(|reference| reference.0)).collect()
    }

    fn actionable<'p>(
        &self,
        page: &'p Snapshot,
        lines: &[Line<'_>],
        item: usize,
    ) -> impl Iterator<Item = &'p Node> + use<'p> {
        let lines_of = self.item(item);
        let from = lines[lines_of.start].node;
        let above = page.nodes[from].parent;
        let to = lines.get(lines_of.end).map_or(page.nodes.len(), |next| next.node).min(page.nodes[above].end);
        page.nodes[from..to.max(from)].iter().filter(|node| node.states.actionable())
    }

    /// Whether the refs of all items are consecutive numbers.
    fn is_counted(&self, page: &Snapshot, lines: &[Line<'_>], per_item: usize) -> bool {
        let mut expected = None;
        per_item > 0
            && (Self::SHOWN..self.starts.len()).all(|item| {
                let refs = self.refs(page, lines, item);
                let fits = refs.len() == per_item
                    && refs.windows(2).all(|pair| pair[0] + 1 == pair[1])
                    && expected.is_none_or(|next| refs[0] == next);
                expected = refs.last().map(|last| last + 1);
                fits
            })
    }

    fn write_refs(&self, page: &Snapshot, lines: &[Line<'_>], item: usize, out: &mut String) {
        let refs = self.refs(page, lines, item);
        match refs.as_slice() {
            [] => {}
            [one] => out.push_str(&format!("e{one} ")),
            [from, .., to] if to.checked_sub(*from).is_some_and(|span| span as usize + 1 == refs.len()) => {
                out.push_str(&format!("e{from}–e{to} "));
            }
            many => many.iter().for_each(|reference| out.push_str(&format!("e{reference} "))),
        }
    }

    fn write_texts(&self, lines: &[Line<'_>], item: usize, words: usize, out: &mut String) {
        let texts: Vec<&str> = slots(lines, self.item(item)).collect();
        let mut before = "";
        for (at, slot) in self.varying.iter().enumerate() {
            let text = texts.get(*slot).copied().unwrap_or_default();
            // A text that is part of the text before it (a link below its heading) is not repeated. The cells of a row
            // are: the customer 2 is not part of the order 25.
            if text.is_empty() || text.len() >= MIN_REPEATED_TEXT && before.contains(text) {
                continue;
            }
            before = text;
            if at > 0 {
                out.push_str(" | ");
            }
            let shown = line::first(text, words);
            out.push_str(shown);
            if shown.len() < text.len() {
                out.push('…');
            }
        }
    }
}
