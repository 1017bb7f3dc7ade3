//! An observation within its budget: repetition folded, long texts shortened alike, and what still does not fit left out,
//! the least telling first. Whatever is missing is said, with the way to ask for it.

use legwork_protocol::{Observation, TargetKind, View};

use crate::{
    NodeIndex, Snapshot,
    fold::{Brevity, Run, runs},
    outline::{Line, Part, Weight, outline},
    tokens,
};

/// Shows a page, or the part of it that the view asks for.
pub fn render(page: &Snapshot, view: &View) -> Observation {
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
        left_out.push(format!("{} nodes are deeper than the view goes; give a larger depth or a root", outline.too_deep));
    }
    let mut head = String::new();
    if let Some(dialog) = &page.dialog {
        let kind = format!("{:?}", dialog.kind).to_lowercase();
        head.push_str(&format!("- {kind} dialog is open, the page stands still: {}\n", clip(&dialog.message, 400)));
    }
    if page.tabs.len() > 1 {
        for tab in page.tabs.iter().take(20) {
            let mark = if tab.current { " [current]" } else { "" };
            head.push_str(&format!("- tab {}{mark}: {} {}\n", tab.number, clip(&tab.title, 80), clip(&tab.url, 120)));
        }
    }
    let text = fit(page, &outline.lines, &head, view.max_tokens, &mut left_out);
    Observation {
        url: page.url.clone(),
        title: page.title.clone(),
        tokens: tokens::count(&text),
        text,
        diff: false,
        left_out,
    }
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

/// A plan of what is shown, most first. Each is tried until one fits.
#[derive(Clone, Copy)]
struct Plan {
    brevity: Brevity,
    words: usize,
}

/// Every line in full.
const ALL: usize = usize::MAX;

fn fit(page: &Snapshot, lines: &[Line<'_>], head: &str, max: usize, left_out: &mut Vec<String>) -> String {
    let runs = runs(lines);
    let room = max.saturating_sub(8);
    let costs = Costs::new(page, lines, &runs);
    let mut plan = Plan { brevity: Brevity::Differences, words: ALL };
    // Estimates choose the plan; the exact count confirms it or asks for less.
    for share in [100, 96, 90, 80, 66] {
        let goal = room * share / 100;
        plan = costs.choose(goal.saturating_sub(tokens::estimate(head)));
        let text = write(page, lines, &runs, plan, head);
        if tokens::fits(&text, max) {
            say_folded(&runs, plan, lines, left_out);
            return text;
        }
    }
    say_folded(&runs, plan, lines, left_out);
    shed(page, lines, &runs, plan, head, max, left_out)
}

fn say_folded(runs: &[Run], plan: Plan, lines: &[Line<'_>], left_out: &mut Vec<String>) {
    let folded: usize = runs.iter().map(|run| run.starts.len()).sum();
    if folded > 0 {
        let how = match plan.brevity {
            Brevity::Differences => "by what differs from the first ones",
            Brevity::Keys | Brevity::BareKeys => "by one text each",
            Brevity::Some { .. } => "by samples",
        };
        left_out.push(format!("{folded} repeated items are shown {how}: `find` text of one, or give a ref as the view's root"));
    }
    if plan.words != ALL {
        let cut = lines.iter().filter(|line| line.words() > plan.words).count();
        if cut > 0 {
            left_out.push(format!(
                "{cut} long texts show their first {} words: `find` searches all of them, a part of the page as the view's root shows more",
                plan.words
            ));
        }
    }
}

fn write(page: &Snapshot, lines: &[Line<'_>], runs: &[Run], plan: Plan, head: &str) -> String {
    let mut out = String::with_capacity(16_384);
    out.push_str(head);
    let mut runs = runs.iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
            let shown = run.starts[run.shown(plan.brevity)];
            lines[at..shown].iter().for_each(|line| line.write(plan.words, &mut out));
            run.write(page, lines, plan.brevity, plan.words, &mut out);
            at = run.end;
        } else {
            lines[at].write(plan.words, &mut out);
            at += 1;
        }
    }
    out
}

/// What each part of the page costs, about.
struct Costs {
    /// For each line outside the runs' folded parts: tokens of its markup, tokens and words of its texts.
    lines: Vec<(usize, usize, usize)>,
    /// For each brevity the whole of the folded parts.
    folded: [usize; 3],
    items: usize,
}

impl Costs {
    fn new(page: &Snapshot, lines: &[Line<'_>], runs: &[Run]) -> Costs {
        let mut costs = Costs { lines: Vec::with_capacity(lines.len()), folded: [0; 3], items: 0 };
        let mut runs = runs.iter().peekable();
        let mut at = 0;
        let mut text = String::new();
        while at < lines.len() {
            let mut until = at + 1;
            let mut after = at + 1;
            if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
                for (place, brevity) in [Brevity::Differences, Brevity::Keys, Brevity::BareKeys].into_iter().enumerate() {
                    text.clear();
                    run.write(page, lines, brevity, ALL, &mut text);
                    costs.folded[place] += tokens::estimate(&text);
                }
                costs.items += run.starts.len();
                until = run.starts[3];
                after = run.end;
            }
            for line in &lines[at..until] {
                let (mut markup, mut words, mut texts) = (2, 0, 0);
                for part in &line.parts {
                    match part {
                        Part::Markup(text) => markup += tokens::estimate(text),
                        Part::Text(text) => {
                            texts += tokens::estimate(text);
                            words += text.split(' ').map(|word| 1 + word.len() / 24).sum::<usize>();
                        }
                    }
                }
                costs.lines.push((markup, texts, words));
            }
            at = after;
        }
        costs
    }

    fn of_lines(&self, words: usize) -> usize {
        self.lines
            .iter()
            .map(|&(markup, texts, all)| if all <= words { markup + texts } else { markup.min(24) + texts * words / all + 6 })
            .sum()
    }

    /// The most that fits: folding first, shortened texts next, keys of runs last.
    fn choose(&self, goal: usize) -> Plan {
        let all = self.of_lines(ALL);
        for (brevity, cost) in [Brevity::Differences, Brevity::Keys, Brevity::BareKeys].into_iter().zip(self.folded) {
            if all + cost <= goal {
                return Plan { brevity, words: ALL };
            }
            // A run's differences are worth shorter texts elsewhere, as long as these stay readable.
            let words = self.words_within(goal.saturating_sub(cost));
            if words >= 24 || brevity == Brevity::BareKeys && words >= 6 {
                return Plan { brevity, words };
            }
        }
        let words = self.words_within(goal * 6 / 10).max(5);
        let left = goal.saturating_sub(self.of_lines(words));
        let each = (self.folded[2] / self.items.max(1)).max(2) + 2;
        Plan { brevity: Brevity::Some { of: left / each / 2 }, words }
    }

    fn words_within(&self, goal: usize) -> usize {
        let (mut low, mut high) = (0, 2_000);
        while low < high {
            let middle = (low + high + 1) / 2;
            if self.of_lines(middle) <= goal { low = middle } else { high = middle - 1 }
        }
        low
    }
}

/// Lines go, the least telling and furthest first, until the rest fits.
fn shed(
    page: &Snapshot,
    lines: &[Line<'_>],
    runs: &[Run],
    plan: Plan,
    head: &str,
    max: usize,
    left_out: &mut Vec<String>,
) -> String {
    let mut pieces: Vec<(Weight, String)> = Vec::new();
    let words = plan.words.clamp(1, 12);
    let mut runs = runs.iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let mut text = String::new();
        if let Some(run) = runs.next_if(|run| run.starts[0] == at) {
            lines[at].write(words, &mut text);
            pieces.push((lines[at].weight.max(Weight::Link), std::mem::take(&mut text)));
            run.write(page, lines, Brevity::Some { of: 6 }, words, &mut text);
            pieces.push((lines[at].weight.max(Weight::Link), text));
            at = run.end;
        } else {
            lines[at].write(words, &mut text);
            pieces.push((lines[at].weight, text));
            at += 1;
        }
    }
    let note = 24;
    let head = if tokens::fits(head, max / 2) { head } else { "" };
    let mut left = max.saturating_sub(note + tokens::count(head));
    let mut keep = vec![false; pieces.len()];
    'all: for weight in [Weight::Structure, Weight::Control, Weight::Link, Weight::Text] {
        for (at, (_, text)) in pieces.iter().enumerate().filter(|(_, piece)| piece.0 == weight) {
            let cost = tokens::count(text) + 1;
            if cost > left {
                if weight == Weight::Text || left < 8 {
                    break 'all;
                }
                continue;
            }
            left -= cost;
            keep[at] = true;
        }
    }
    let gone = keep.iter().filter(|keep| !**keep).count();
    let mut out = head.to_owned();
    for ((_, text), _) in pieces.iter().zip(&keep).filter(|(_, keep)| **keep) {
        out.push_str(text);
    }
    if gone > 0 {
        left_out.push(format!("{gone} lines did not fit: `find` reaches them, or give a part of the page as the view's root"));
        out.push_str(&format!("- … {gone} more lines were left out\n"));
    }
    // Joined lines seldom count more than apart, but a budget is a budget.
    while !tokens::fits(&out, max) {
        let cut = out.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        out.truncate(cut);
    }
    out
}

fn clip(text: &str, max: usize) -> &str {
    text.char_indices().nth(max).map_or(text, |(at, _)| &text[..at])
}
