//! A snapshot as lines, before any budget: what is printed, in which line, what is only structure.
//!
//! Containers that say nothing are flattened. What stays on one line on the page (text with links in it, the cells of a row)
//! stays on one line here. Texts are kept apart from markup, so that a budget can shorten them.

use legwork_protocol::View;

use crate::{Node, NodeIndex, Snapshot};

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part<'a> {
    /// Always shown if the line is.
    Markup(String),
    /// May be shortened to its first words.
    Text(&'a str),
    /// Markup that goes when links within text are shown as text.
    Loud(String),
    /// A text that goes with it, because the line says it elsewhere.
    LoudText(&'a str),
}

/// How much of each line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detail {
    /// The words its texts may have.
    pub(crate) words: usize,
    /// Whether links within running text are shown as text.
    pub(crate) quiet: bool,
}

impl Detail {
    /// Everything.
    pub(crate) const ALL: Detail = Detail { words: usize::MAX, quiet: false };
}

/// A line of an observation, and with it the lines below it.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) indent: u16,
    pub(crate) node: NodeIndex,
    /// The end of its subtree among the lines.
    pub(crate) end: usize,
    pub(crate) parts: Vec<Part<'a>>,
    /// What the line looks like, without its texts and refs.
    pub(crate) shape: u64,
    pub(crate) weight: Weight,
    /// How many texts came right before it: the first ones of a part say most.
    pub(crate) rank: u8,
    /// Whether it is a link with a name and nothing else.
    pub(crate) is_link: bool,
}

/// What goes first when not everything can stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Text,
    Link,
    Detail,
    Control,
    Structure,
}

/// Deeper levels are not indented further.
const MAX_INDENT: u16 = 24;

/// How much below a node can be on its line.
const MAX_FLAT: u8 = 4;

pub(crate) struct Outline<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    /// Nodes deeper than the view goes.
    pub(crate) too_deep: usize,
}

/// The lines of the part of a page that the view asks for, `root` and what is below it.
pub(crate) fn outline<'a>(page: &'a Snapshot, root: NodeIndex, view: &View) -> Outline<'a> {
    let flat = flat_heights(page);
    let mut lines: Vec<Line<'a>> = Vec::new();
    let (mut too_deep, mut texts) = (0, 0_u8);
    // The nodes whose end has not come: (end, the indent of their children, their depth, their line if they have one).
    let mut open: Vec<(NodeIndex, u16, usize, Option<usize>)> = Vec::new();
    let mut index = root;
    while index < page.nodes[root].end {
        let close = |open: &mut Vec<(NodeIndex, u16, usize, Option<usize>)>, lines: &mut Vec<Line<'a>>, at| {
            while let Some((end, _, _, line)) = open.last().copied() {
                if end > at {
                    break;
                }
                if let Some(line) = line {
                    lines[line].end = lines.len();
                }
                open.pop();
            }
        };
        close(&mut open, &mut lines, index);
        let (indent, depth) = open.last().map_or((0, 0), |(_, indent, depth, _)| (*indent, *depth));
        let node = &page.nodes[index];
        if index == 0
            || (is_flattened(node) || is_wrapper(page, index) || is_echo(page, index))
                && !(flat[index] <= MAX_FLAT && matches!(node.role.as_ref(), "listitem" | "term"))
        {
            let deeper = usize::from(index != 0 && !view.compact);
            open.push((node.end, indent, depth + deeper, None));
            index += 1;
            continue;
        }
        if view.depth.is_some_and(|max| depth >= max) {
            too_deep += node.end - index;
            index = node.end;
            continue;
        }
        if view.interactive && !node.states.actionable() {
            open.push((node.end, indent, depth, None));
            index += 1;
            continue;
        }
        let mut line = Line {
            indent,
            node: index,
            end: lines.len() + 1,
            parts: Vec::new(),
            shape: 0,
            weight: weight(node),
            rank: 0,
            is_link: false,
        };
        if flat[index] <= MAX_FLAT && !view.interactive {
            // The node and all below it, then whatever continues its line.
            let parent = node.parent;
            let mut next = index;
            loop {
                flat_parts(page, next, &mut line, None);
                next = page.nodes[next].end;
                let Some(following) = page.nodes.get(next) else { break };
                if following.parent != parent || !following.joined || flat[next] > MAX_FLAT || is_block(following) {
                    break;
                }
                line.parts.push(Part::Markup(" ".into()));
                line.weight = line.weight.max(weight(following));
            }
            line.hush(page, index, next);
            index = next;
            line.is_link = matches!(line.parts.as_slice(), [Part::Markup(role), Part::Text(_), Part::Markup(end)]
                if role == "link \"" && end.ends_with(']') && end.matches('[').count() == 1);
            texts = if line.weight == Weight::Text { texts.saturating_add(1) } else { 0 };
            line.rank = texts.saturating_sub(1);
            if !line.parts.is_empty() {
                lines.push(line);
            }
            continue;
        }
        if view.interactive {
            let is_select = matches!(node.role.as_ref(), "combobox" | "listbox") && flat[index] <= MAX_FLAT;
            if is_select {
                flat_parts(page, index, &mut line, None);
            } else {
                own_parts(node, &mut line, None);
                open.push((node.end, indent, depth + 1, None));
            }
            index = if is_select { node.end } else { index + 1 };
            lines.push(line);
            continue;
        }
        own_parts(node, &mut line, None);
        line.parts.push(Part::Markup(":".into()));
        open.push((node.end, (indent + 1).min(MAX_INDENT), depth + 1, Some(lines.len())));
        lines.push(line);
        index += 1;
    }
    let all = lines.len();
    for (_, _, _, line) in open {
        if let Some(line) = line {
            lines[line].end = all;
        }
    }
    Outline { lines, too_deep }
}

fn weight(node: &Node) -> Weight {
    match node.role.as_ref() {
        "text" | "img" | "cell" | "listitem" | "row" => Weight::Text,
        "term" => Weight::Detail,
        "link" => Weight::Link,
        "heading" if node.level > 3 => Weight::Detail,
        _ if node.states.actionable() => Weight::Control,
        _ => Weight::Structure,
    }
}

/// Containers that say nothing a reader needs.
fn is_flattened(node: &Node) -> bool {
    !node.states.actionable()
        && node.name.is_empty()
        && node.value.is_none()
        && matches!(
            node.role.as_ref(),
            "list"
                | "listitem"
                | "term"
                | "group"
                | "generic"
                | "form"
                | "article"
                | "figure"
                | "document"
                | "text"
                | "region"
                | "blockquote"
        )
}

/// Something clickable without a name around one other thing that can be acted on.
fn is_wrapper(page: &Snapshot, index: NodeIndex) -> bool {
    let node = &page.nodes[index];
    node.role.as_ref() == "generic"
        && node.name.is_empty()
        && node.value.is_none()
        && page.below(index).take(40).filter(|below| page.nodes[*below].states.actionable()).count() == 1
}

/// A heading within something that has its name from it.
fn is_echo(page: &Snapshot, index: NodeIndex) -> bool {
    let node = &page.nodes[index];
    let above = &page.nodes[node.parent];
    node.role.as_ref() == "heading" && above.states.actionable() && above.name == node.name && node.end > index + 1
}

/// What does not share a line with what comes before it.
fn is_block(node: &Node) -> bool {
    matches!(node.role.as_ref(), "listitem" | "term" | "heading" | "row" | "cell" | "table" | "list")
}

/// How high each node's subtree is if it can be on one line; more than [`MAX_FLAT`] if it cannot.
fn flat_heights(page: &Snapshot) -> Vec<u8> {
    const NEVER: u8 = u8::MAX;
    let mut heights = vec![0_u8; page.nodes.len()];
    for index in (0..page.nodes.len()).rev() {
        let node = &page.nodes[index];
        if node.end == index + 1 {
            continue;
        }
        let is_row = node.role.as_ref() == "row";
        let is_select = matches!(node.role.as_ref(), "combobox" | "listbox");
        let may = is_row
            || is_select
            || matches!(
                node.role.as_ref(),
                "listitem"
                    | "term"
                    | "cell"
                    | "gridcell"
                    | "heading"
                    | "link"
                    | "button"
                    | "columnheader"
                    | "rowheader"
                    | "status"
                    | "option"
            );
        let mut height = if may && index != 0 { 1 } else { NEVER };
        for (at, child) in page.children(index).enumerate() {
            if height == NEVER {
                break;
            }
            let below = &page.nodes[child];
            let fits = is_row && at < 40 || is_select && below.role.as_ref() == "option" || at == 0 || below.joined;
            let fits = fits && (is_row || !is_block(below) || at == 0);
            height = if fits && heights[child] < MAX_FLAT { height.max(heights[child] + 1) } else { NEVER };
        }
        heights[index] = height;
    }
    heights
}

/// A node and what is below it as parts of one line. Not deeper than [`MAX_FLAT`].
fn flat_parts<'a>(page: &'a Snapshot, index: NodeIndex, line: &mut Line<'a>, above: Option<&Node>) {
    let node = &page.nodes[index];
    let first_part = line.parts.len();
    match node.role.as_ref() {
        "text" => {
            if above.is_none() && first_part == 0 {
                line.parts.push(Part::Loud("text: ".into()));
            }
            line.mix(1);
            line.parts.push(Part::Text(&node.name));
        }
        "combobox" | "listbox" => {
            own_parts(node, line, None);
            let mut options = page.children(index).filter(|child| page.nodes[*child].role.as_ref() == "option");
            if let Some(first) = options.next() {
                line.parts.push(Part::Markup(" (options: ".into()));
                for (at, option) in std::iter::once(first).chain(options).enumerate() {
                    if at > 0 {
                        line.parts.push(Part::Markup(", ".into()));
                    }
                    line.parts.push(Part::Text(&page.nodes[option].name));
                    if page.nodes[option].states.actionable() {
                        line.parts.push(Part::Markup(ref_of(&page.nodes[option])));
                    }
                }
                line.parts.push(Part::Markup(")".into()));
            }
        }
        "row" => {
            own_parts(node, line, None);
            line.parts.push(Part::Markup(": ".into()));
            for (at, cell) in page.children(index).enumerate() {
                if at > 0 {
                    line.parts.push(Part::Markup(" | ".into()));
                }
                flat_parts(page, cell, line, Some(node));
            }
        }
        "cell" | "gridcell" | "columnheader" | "rowheader" | "listitem" | "term" => {
            let is_bare = matches!(node.role.as_ref(), "listitem" | "term");
            if (above.is_none() || node.states.actionable()) && !is_bare {
                own_parts(node, line, None);
                if node.end > index + 1 {
                    line.parts.push(Part::Markup(": ".into()));
                }
            } else if !node.name.is_empty() {
                line.mix(2);
                line.parts.push(Part::Text(&node.name));
                if node.end > index + 1 {
                    line.parts.push(Part::Markup(" ".into()));
                }
            }
            flat_children(page, index, line, node);
        }
        _ => {
            let is_said_below = node.end > index + 1
                && page.children(index).count() == 1
                && page.nodes[index + 1].name == node.name
                && !node.states.actionable();
            own_parts(node, line, is_said_below.then_some(()));
            let hidden = |child: NodeIndex| {
                let child = &page.nodes[child];
                !child.states.actionable() && !child.name.is_empty() && node.name.contains(child.name.as_ref())
            };
            if node.end > index + 1 && !page.children(index).all(hidden) {
                line.parts.push(Part::Markup(": ".into()));
                flat_children(page, index, line, node);
            }
        }
    }
}

fn flat_children<'a>(page: &'a Snapshot, index: NodeIndex, line: &mut Line<'a>, node: &Node) {
    for (at, child) in page.children(index).enumerate() {
        if at > 0 {
            line.parts.push(Part::Markup(" ".into()));
        }
        flat_parts(page, child, line, Some(node));
        line.weight = line.weight.max(weight(&page.nodes[child]));
    }
}

/// Role, name, ref, states and value. `said_below` when what is below says the name.
fn own_parts<'a>(node: &'a Node, line: &mut Line<'a>, said_below: Option<()>) {
    for byte in node.role.bytes() {
        line.mix(byte);
    }
    line.mix(u8::from(node.states.actionable()));
    let mut head = node.role.to_string();
    if !node.name.is_empty() && said_below.is_none() {
        head.push_str(" \"");
        line.parts.push(Part::Markup(head));
        line.parts.push(Part::Text(&node.name));
        head = "\"".into();
    }
    if node.states.actionable() {
        head.push_str(&ref_of(node));
    }
    if node.level > 0 {
        head.push_str(&format!(" [level={}]", node.level));
    }
    for word in node.states.words() {
        if !matches!(word, "actionable" | "editable" | "offscreen" | "secret") {
            head.push_str(" [");
            head.push_str(word);
            head.push(']');
        }
    }
    if let Some(attributes) = &node.attributes
        && node.states.actionable()
    {
        if let Some(hint) = attributes.placeholder.as_deref().filter(|hint| *hint != node.name.as_ref()) {
            head.push_str(&format!(" [placeholder={}]", clip(hint, 60)));
        }
        if let Some(kind @ ("file" | "date" | "time" | "month" | "week" | "datetime-local" | "color")) =
            attributes.input.as_deref()
        {
            head.push_str(&format!(" [type={kind}]"));
        }
        if node.name.is_empty() && node.role.as_ref() == "link" {
            if let Some(href) = attributes.href.as_deref() {
                head.push_str(&format!(" [href={}]", clip(href, 60)));
            }
        } else if node.name.is_empty()
            && let Some(id) = attributes.id.as_deref().or(attributes.form_name.as_deref())
        {
            head.push_str(&format!(" [id={}]", clip(id, 40)));
        }
    }
    line.parts.push(Part::Markup(head));
    if let Some(value) = node.value.as_deref() {
        line.parts.push(Part::Markup(": ".into()));
        line.parts.push(Part::Text(value));
    }
}

fn ref_of(node: &Node) -> String {
    node.reference.map_or_else(String::new, |reference| format!(" [ref={reference}]"))
}

/// The first `max` characters.
pub(crate) fn clip(text: &str, max: usize) -> &str {
    text.char_indices().nth(max).map_or(text, |(at, _)| &text[..at])
}

impl<'a> Line<'a> {
    fn mix(&mut self, byte: u8) {
        self.shape = (self.shape ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5) | 1;
    }

    /// Marks what can go when the line has links within running text, or a heading whose links its name contains.
    fn hush(&mut self, page: &Snapshot, from: NodeIndex, to: NodeIndex) {
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
                Part::Text(text) if is_heading && in_link && nodes[0].name.contains(text) => Part::LoudText(text),
                other => other,
            };
        }
    }

    /// The line as it is printed; texts that are shortened end in how much more there is.
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
                Part::Loud(_) | Part::LoudText(_) if detail.quiet => {}
                Part::Markup(markup) | Part::Loud(markup) => out.push_str(markup),
                Part::Text(text) | Part::LoudText(text) => {
                    let shown = first_words(text, left);
                    push_squeezed(&text[..shown.len], out);
                    if shown.more > 0 {
                        // The rest of the line goes with the rest of the text, but not a name's closing quote and ref.
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

    /// The words it gets when texts get `words`: later texts of a part get less.
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

    /// The words of its texts.
    pub(crate) fn words(&self) -> usize {
        let words = |part: &Part<'_>| match part {
            Part::Text(text) => text.split_ascii_whitespace().count(),
            _ => 0,
        };
        self.parts.iter().map(words).sum()
    }
}

/// The words a text gets that comes after `rank` others, when the first ones get `words`.
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
    // Text without blanks (CJK, minified code) counts a word for each twelve bytes.
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

fn push_squeezed(text: &str, out: &mut String) {
    if !text.contains(['\n', '\t']) {
        return out.push_str(text.trim_end());
    }
    for (at, line) in text.split(['\n', '\t']).enumerate() {
        out.push_str(if at > 0 { "⏎" } else { "" });
        out.push_str(line);
    }
}

/// The first words of a text.
pub(crate) fn first(text: &str, max: usize) -> &str {
    text[..first_words(text, max).len].trim_end()
}
