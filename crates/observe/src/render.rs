//! Renders an observation within its budget: collapses repetition, truncates long texts evenly, and leaves out the
//! least informative lines if the rest still does not fit. The observation states what is missing and how to request
//! it.

use std::{collections::HashMap, ops::Range};

use legwork_protocol::{Observation, TargetKind, View};

use crate::{
    Node, NodeIndex, Snapshot,
    capture::without_refs,
    collapse::{CollapseLevel, Repetition, runs},
    line::{Detail, Line, LineWeight, Part, clip, share_of},
    outline::outline,
    tokens,
};

/// A budget without effect: larger than any captured page, and small enough that sums do not overflow.
const ENDLESS: usize = 1 << 28;

/// Renders a page, or the part of it that the view selects.
pub fn render(page: &Snapshot, view: &View) -> Observation {
    render_unfolded(page, view, &[])
}

/// Renders a page that the reader saw before as `before`. A dialog, menu or message that has opened since then is what
/// the reader is interested in, so it is shown without collapsed items if the page fits nevertheless.
pub fn render_since(before: &Snapshot, page: &Snapshot, view: &View) -> Observation {
    render_unfolded(page, view, &opened_since(before, page))
}

/// Renders a page without collapsing anything in `unfolded`, if everything fits.
fn render_unfolded(page: &Snapshot, view: &View, unfolded: &[Range<NodeIndex>]) -> Observation {
    let mut left_out = page.cut.clone();
    let root = match &view.root {
        None => 0,
        Some(target) => match find_root(page, target) {
            Some(root) => root,
            None => {
                left_out.push(format!("nothing on the page matches {target}: the whole page is shown"));
                0
            }
        },
    };
    let outline = outline(page, root, view);
    if outline.too_deep > 0 {
        left_out.push(format!(
            "{} nodes are below the depth of the view; use a larger depth or another root",
            outline.too_deep
        ));
    }
    let head = head(page);
    let (text, tokens) = fit(page, &outline.lines, &head, view, unfolded, &mut left_out);
    Observation { url: page.url.clone(), title: page.title.clone(), tokens, text, diff: false, left_out }
}

/// The lines before the page itself: an open dialog, other tabs.
pub(crate) fn head(page: &Snapshot) -> String {
    let mut head = String::new();
    if let Some(dialog) = &page.dialog {
        let kind = format!("{:?}", dialog.kind).to_lowercase();
        head.push_str(&format!("- {kind} dialog is open and blocks the page: {}\n", clip(&dialog.message, 400)));
    }
    if page.tabs.len() > 1 {
        for tab in page.tabs.iter().take(20) {
            let mark = if tab.current { " [current]" } else { "" };
            head.push_str(&format!(
                "- tab {}{mark}: {} {}\n",
                tab.number,
                without_refs(clip(&tab.title, 80)),
                clip(&tab.url, 120)
            ));
        }
    }
    head
}

fn find_root(page: &Snapshot, target: &legwork_protocol::Target) -> Option<NodeIndex> {
    match target.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference),
        TargetKind::Role { role, name } => page
            .nodes
            .iter()
            .position(|node| node.role.as_ref() == role && name.is_none_or(|name| node.name.as_ref() == name)),
        TargetKind::Text(text) => page.nodes.iter().position(|node| node.name.as_ref() == text.trim_matches('"')),
        TargetKind::Css(css) => {
            let (role, id) = (css, css.strip_prefix('#'));
            page.nodes.iter().position(|node| {
                node.role.as_ref() == role
                    || id.is_some() && node.attributes.as_ref().and_then(|a| a.id.as_deref()) == id
            })
        }
        TargetKind::XPath(_) => None,
    }
}

/// What is shown at which level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plan {
    truncation: CollapseLevel,
    detail: Detail,
}

/// The roles of parts that open over a page or within it.
const OPENED: [&str; 9] = ["dialog", "alertdialog", "menu", "alert", "status", "log", "tooltip", "article", "iframe"];

/// The parts of a page that have opened since `before`; none if that was another page.
fn opened_since(before: &Snapshot, page: &Snapshot) -> Vec<Range<NodeIndex>> {
    let is_part = |node: &&Node| OPENED.contains(&node.role.as_ref());
    let parts: Vec<&Node> = before.nodes.iter().filter(is_part).collect();
    let was_there = |node: &Node| {
        let is_same = |old: &&&Node| old.role == node.role && old.reference == node.reference;
        parts.iter().filter(is_same).any(|old| node.reference.is_some() || old.name == node.name)
    };
    let opened = page.nodes.iter().enumerate().filter(|(_, node)| is_part(node) && !was_there(node));
    if is_same_place(before, page) { opened.map(|(at, node)| at..node.end).collect() } else { Vec::new() }
}

/// Whether two snapshots are of the same page, at any of its anchors.
pub(crate) fn is_same_place(one: &Snapshot, other: &Snapshot) -> bool {
    let page = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    page(&one.url) == page(&other.url)
}

/// The text that shows most within the tokens of a view, and its tokens. Nothing in `unfolded` is collapsed if
/// everything fits.
fn fit(
    page: &Snapshot,
    lines: &[Line<'_>],
    head: &str,
    view: &View,
    unfolded: &[Range<NodeIndex>],
    left_out: &mut Vec<String>,
) -> (String, usize) {
    let max = view.max_tokens.min(ENDLESS);
    let runs = runs(lines);
    let whole = if view.brief { Plan::BRIEF } else { Plan::FULL };
    let is_within = |run: &&Repetition| {
        let (first, last) = (lines[run.starts[0]].node, lines[run.end - 1].node);
        unfolded.iter().any(|part| part.start < first && last < part.end)
    };
    if runs.iter().any(|run| is_within(&run)) {
        let other: Vec<Repetition> = runs.iter().filter(|run| !is_within(run)).cloned().collect();
        let costs = Costs::new(page, lines, &other);
        if let Some(text) = write_whole(page, lines, &other, &costs, (whole, head, max)) {
            say_folded(&other, whole, lines, left_out);
            return text;
        }
    }
    let costs = Costs::new(page, lines, &runs);
    let head_cost = tokens::estimate(head);
    if let Some(text) = write_whole(page, lines, &runs, &costs, (whole, head, max)) {
        say_folded(&runs, whole, lines, left_out);
        return text;
    }
    // Estimates choose the plan; the exact count corrects it.
    let mut goal = max.saturating_sub(8);
    let mut best: Option<(Plan, (String, usize))> = None;
    let mut tried = None;
    for _ in 0..4 {
        let plan = costs.choose(goal.saturating_sub(head_cost));
        if tried.replace(plan) == Some(plan) {
            break;
        }
        let text = write(page, lines, &runs, plan, head);
        let counted = tokens::count_to(&text, max * 2);
        goal = (goal * max / counted.max(1)).min(goal * 2) * 97 / 100;
        if counted > max {
            if best.is_some() {
                break;
            }
            continue;
        }
        let is_done = plan == Plan::FULL || counted * 10 >= max * 9;
        best = Some((plan, (text, counted)));
        if is_done {
            break;
        }
    }
    match best {
        Some((plan, text)) => {
            say_folded(&runs, plan, lines, left_out);
            text
        }
        None => shed(page, lines, &runs, head, max, left_out),
    }
}

/// The text of everything and its tokens, if that is at most `max`. A page that fits is never shortened.
fn write_whole(
    page: &Snapshot,
    lines: &[Line<'_>],
    runs: &[Repetition],
    costs: &Costs,
    (plan, head, max): (Plan, &str, usize),
) -> Option<(String, usize)> {
    // An estimate may exceed the count, so a page that might fit is counted.
    if costs.whole() + tokens::estimate(head) > max + max / 3 {
        return None;
    }
    let text = write(page, lines, runs, plan, head);
    let counted = tokens::count_to(&text, max * 2);
    (counted <= max).then_some((text, counted))
}

impl Plan {
    const FULL: Plan = Plan { truncation: CollapseLevel::Differences, detail: Detail::ALL };
    const BRIEF: Plan = Plan { truncation: CollapseLevel::Differences, detail: Detail::BRIEF };
}

fn say_folded(runs: &[Repetition], plan: Plan, lines: &[Line<'_>], left_out: &mut Vec<String>) {
    let folded: usize = runs.iter().map(|run| run.starts.len() - Repetition::SHOWN).sum();
    if folded > 0 {
        let how = match plan.truncation {
            CollapseLevel::Differences => "with only their differences",
            CollapseLevel::Keys | CollapseLevel::BareKeys => "with one text each",
            CollapseLevel::Some { .. } => "as samples",
        };
        left_out.push(format!("{folded} repeated items are shown {how}: their refs work, `find` shows them in full"));
    }
    if plan.detail.words != usize::MAX {
        let cut = lines.iter().filter(|line| line.words() > plan.detail.words).count();
        if cut > 0 {
            left_out.push(format!(
                "{cut} long texts show their first {} words: `find` searches all of them, a part of the page as the \
                 view's root shows more",
                plan.detail.words
            ));
        }
    }
    if plan.detail.quiet {
        left_out.push(
            "links within texts are shown as text: `find` gives their refs; `… +9` means 9 more words".to_owned(),
        );
    }
}

fn write(page: &Snapshot, lines: &[Line<'_>], runs: &[Repetition], plan: Plan, head: &str) -> String {
    let mut out = String::with_capacity(32_768);
    out.push_str(head);
    let mut runs = runs.iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
            lines[at..run.starts[Repetition::SHOWN]].iter().for_each(|line| line.write(plan.detail, &mut out));
            run.write(page, lines, plan.truncation, plan.detail.words, &mut out);
            at = run.end;
        } else {
            at = write_line(lines, at, plan.detail, &mut out);
        }
    }
    out
}

/// Writes a line, or several consecutive links, and returns the next line.
fn write_line(lines: &[Line<'_>], at: usize, detail: Detail, out: &mut String) -> usize {
    let indent = lines[at].indent;
    let links = lines[at..].iter().take_while(|line| line.is_link && line.indent == indent).count();
    if !(detail.quiet || detail.joined_links) || links < MANY_LINKS {
        lines[at].write(detail, out);
        return at + 1;
    }
    (0..indent).for_each(|_| out.push_str("  "));
    out.push_str("- links: ");
    for (place, (name, reference)) in lines[at..at + links].iter().filter_map(Line::as_link).enumerate() {
        let shown = crate::line::first(name, detail.words);
        let more = if shown.len() < name.len() { "…" } else { "" };
        out.push_str(&format!("{}{shown}{more} {reference}", if place > 0 { ", " } else { "" }));
    }
    out.push('\n');
    at + links
}

/// This number of consecutive links shares one line when space is short.
const MANY_LINKS: usize = 3;

/// The approximate cost of each part of the page.
struct Costs {
    lines: Vec<LineCost>,
    /// The cost of all collapsed parts at each level.
    folded: [usize; 3],
    items: usize,
}

/// The tokens of a line's markup, of the removable part of its markup, and of its texts; and the number of words.
struct LineCost {
    markup: usize,
    loud: usize,
    texts: usize,
    words: usize,
    rank: u8,
}

const BREVITIES: [CollapseLevel; 3] = [CollapseLevel::Differences, CollapseLevel::Keys, CollapseLevel::BareKeys];

impl Costs {
    fn new(page: &Snapshot, lines: &[Line<'_>], runs: &[Repetition]) -> Costs {
        let mut costs = Costs { lines: Vec::with_capacity(lines.len()), folded: [0; 3], items: 0 };
        let mut runs = runs.iter().peekable();
        let (mut at, mut text) = (0, String::new());
        while at < lines.len() {
            let (mut until, mut after) = (at + 1, at + 1);
            if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
                for (cost, truncation) in costs.folded.iter_mut().zip(BREVITIES) {
                    text.clear();
                    run.write(page, lines, truncation, usize::MAX, &mut text);
                    *cost += tokens::estimate(&text);
                }
                costs.items += run.starts.len();
                (until, after) = (run.starts[Repetition::SHOWN], run.end);
            }
            costs.lines.extend(lines[at..until].iter().map(LineCost::of));
            at = after;
        }
        costs
    }

    /// The cost of everything.
    fn whole(&self) -> usize {
        self.of_lines(Detail::ALL) + self.folded[0]
    }

    fn of_lines(&self, detail: Detail) -> usize {
        self.lines.iter().map(|line| line.at(detail)).sum()
    }

    /// The most detailed plan that fits. Repetition is reduced first, then links within texts, the length of texts,
    /// and keys.
    fn choose(&self, goal: usize) -> Plan {
        for quiet in [false, true] {
            let detail = Detail { quiet, ..Detail::ALL };
            let all = self.of_lines(detail);
            for (truncation, cost) in BREVITIES.into_iter().zip(self.folded).take(2) {
                if all + cost <= goal {
                    return Plan { truncation, detail };
                }
            }
        }
        for (truncation, quiet, least) in [(0, false, 60), (0, true, 30), (1, true, 20), (2, true, 5)] {
            let words = self.words_within(goal.saturating_sub(self.folded[truncation]), quiet);
            if words >= least {
                return Plan { truncation: BREVITIES[truncation], detail: Detail { words, quiet, ..Detail::ALL } };
            }
        }
        let words = self.words_within(goal * 6 / 10, true).max(4);
        let detail = Detail { words, quiet: true, ..Detail::ALL };
        let left = goal.saturating_sub(self.of_lines(detail));
        let each = (self.folded[2] / self.items.max(1)).max(2) + 2;
        Plan { truncation: CollapseLevel::Some { of: left / each / 2 }, detail }
    }

    fn words_within(&self, goal: usize, quiet: bool) -> usize {
        let (mut low, mut high) = (0_usize, 1_024);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.of_lines(Detail { words: middle, quiet, ..Detail::ALL }) <= goal {
                low = middle
            } else {
                high = middle - 1
            }
        }
        low
    }
}

impl LineCost {
    fn of(line: &Line<'_>) -> LineCost {
        let mut cost = LineCost { markup: 2, loud: 0, texts: 0, words: 0, rank: line.rank };
        if line.is_link {
            // A link that shares a line with others costs its name, a comma and a ref.
            (cost.markup, cost.loud) = (3, 7);
        }
        for part in &line.parts {
            match part {
                Part::Markup(_) if line.is_link => {}
                Part::Markup(text) => cost.markup += tokens::estimate(text),
                Part::Loud(text) => cost.loud += tokens::estimate(text),
                Part::RemovableText(text) => cost.loud += tokens::estimate(text),
                Part::Text(text) => {
                    cost.texts += tokens::estimate(text);
                    cost.words += text.split(' ').map(|word| 1 + word.len() / 24).sum::<usize>();
                }
            }
        }
        cost
    }

    fn at(&self, detail: Detail) -> usize {
        let markup = if detail.quiet { self.markup } else { self.markup + self.loud };
        let words = share_of(self.rank, detail.words);
        if self.words <= words {
            markup + self.texts
        } else {
            // Everything after a truncation is removed too, including markup.
            let share = |of: usize| of * words / self.words;
            self.markup.min(12) + share(markup.saturating_sub(12)) + share(self.texts) + 4
        }
    }
}

/// Removes lines, the least informative and most distant first, until the rest fits.
fn shed(
    page: &Snapshot,
    lines: &[Line<'_>],
    runs: &[Repetition],
    head: &str,
    max: usize,
    left_out: &mut Vec<String>,
) -> (String, usize) {
    let detail = Detail { words: 5, quiet: true, ..Detail::ALL };
    let mut said: HashMap<&str, usize> = HashMap::new();
    let mut pieces: Vec<(LineWeight, usize, String)> = Vec::new();
    let mut add = |weight, text: String| {
        let cost = tokens::estimate(&text) + 1;
        pieces.push((weight, cost, text));
    };
    let mut runs = runs.iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let mut text = String::new();
        let mut weight = lines[at].weight;
        let node = &page.nodes[lines[at].node];
        if !node.name.is_empty() {
            // A name that occurs everywhere has no information.
            let times = said.entry(&node.name).or_default();
            *times += 1;
            weight = if *times > 3 { LineWeight::Text } else { weight };
        }
        if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
            lines[at..run.starts[1]].iter().for_each(|line| line.write(detail, &mut text));
            add(weight.max(LineWeight::Detail), std::mem::take(&mut text));
            run.write(page, lines, CollapseLevel::Some { of: 12 }, detail.words, &mut text);
            add(weight.max(LineWeight::Detail), text);
            at = run.end;
        } else {
            at = write_line(lines, at, detail, &mut text);
            add(weight, text);
        }
    }
    let head = if tokens::fits(head, max / 2) { head } else { "" };
    let room = max.saturating_sub(24 + tokens::count(head));
    let mut goal = room;
    let mut best = None;
    for _ in 0..5 {
        let keep = select(&pieces, goal);
        let gone = keep.iter().filter(|keep| !**keep).count();
        let mut out = head.to_owned();
        pieces.iter().zip(&keep).filter(|(_, keep)| **keep).for_each(|((_, _, text), _)| out.push_str(text));
        out.push_str(&format!("- … {gone} more lines were left out\n"));
        let counted = tokens::count_to(&out, max * 2);
        goal = (goal * max / counted.max(1)).min(goal * 2) * 98 / 100;
        if counted <= max {
            let is_done = counted * 10 >= max * 9 || gone == 0;
            best = Some((gone, (out, counted)));
            if is_done {
                break;
            }
        } else if best.is_some() {
            break;
        }
    }
    let Some((gone, text)) = best else {
        left_out.push("the budget is too small to show anything of the page".to_owned());
        return (String::new(), 0);
    };
    left_out
        .push(format!("{gone} lines did not fit: `find` reaches them, or give a part of the page as the view's root"));
    text
}

/// Selects the pieces to keep within a number of tokens: kind by kind, the most informative kind first. A kind that
/// does not fit as a whole is sampled evenly, so that both the start and the end of the page are represented.
fn select(pieces: &[(LineWeight, usize, String)], room: usize) -> Vec<bool> {
    let mut left = room;
    let mut keep = vec![false; pieces.len()];
    for weight in [LineWeight::Structure, LineWeight::Control, LineWeight::Detail, LineWeight::Link, LineWeight::Text] {
        let of_kind = || (0..pieces.len()).filter(|at| pieces[*at].0 == weight);
        let whole: usize = of_kind().map(|at| pieces[at].1).sum();
        let (mut passed, room) = (0, left);
        for at in of_kind() {
            // Keeps the share of the pieces so far that corresponds to the share of the whole kind that fits.
            passed += pieces[at].1;
            let due = whole <= room || passed * room / whole.max(1) + left >= room + pieces[at].1;
            if due && pieces[at].1 <= left {
                left -= pieces[at].1;
                keep[at] = true;
            }
        }
    }
    keep
}
