//! A snapshot as lines, before any budget: what is printed, on which line, and what is only structure.
//!
//! Containers without information are flattened. What is on one line of the page (text with links, the cells of a
//! row) is on one line here. Texts are separate from markup, so that a budget can truncate them.

use legwork_protocol::View;

use crate::{
    Node, NodeIndex, Snapshot,
    identity::is_generated,
    line::{Line, LineWeight, Part, clip, push_squeezed},
};

/// Deeper levels are not indented further.
const MAX_INDENT: u16 = 24;

/// The maximum height of a subtree that is written on one line.
const MAX_FLAT: u8 = 4;

pub(crate) struct Outline<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    /// The number of nodes below the depth of the view.
    pub(crate) too_deep: usize,
}

/// The lines of the part of a page that the view selects: `root` and its descendants.
pub(crate) fn outline<'a>(page: &'a Snapshot, root: NodeIndex, view: &View) -> Outline<'a> {
    let flat = flat_heights(page);
    let mut lines: Vec<Line<'a>> = Vec::new();
    let (mut too_deep, mut texts) = (0, 0_u8);
    // The open nodes: (end, indent of their children, depth, their line if they have one).
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
            ends_in_value: false,
        };
        if flat[index] <= MAX_FLAT && !view.interactive {
            // The node and its descendants, then the nodes that continue its line.
            let parent = node.parent;
            let mut next = index;
            loop {
                flat_parts(page, next, &mut line, None);
                next = page.nodes[next].end;
                let Some(following) = page.nodes.get(next) else { break };
                if following.parent != parent || !following.joined || flat[next] > MAX_FLAT || is_block(following) {
                    break;
                }
                line.join();
                line.weight = line.weight.max(weight(following));
            }
            line.hush(page, index, next);
            index = next;
            line.is_link = matches!(line.parts.as_slice(), [Part::Markup(role), Part::Text(_), Part::Markup(end)]
                if role == "link \"" && end.ends_with(']') && end.matches('[').count() == 1);
            texts = if line.weight == LineWeight::Text { texts.saturating_add(1) } else { 0 };
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
                push_text_below(page, index, &mut line);
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

fn weight(node: &Node) -> LineWeight {
    match node.role.as_ref() {
        "text" | "img" | "cell" | "listitem" | "row" => LineWeight::Text,
        "term" => LineWeight::Detail,
        "link" => LineWeight::Link,
        "heading" if node.level > 3 => LineWeight::Detail,
        _ if node.states.actionable() => LineWeight::Control,
        _ => LineWeight::Structure,
    }
}

/// Containers without information for a reader.
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

/// A clickable element without a name and without a text of its own around exactly one other actionable element.
fn is_wrapper(page: &Snapshot, index: NodeIndex) -> bool {
    let node = &page.nodes[index];
    if node.role.as_ref() != "generic" || !node.name.is_empty() || node.value.is_some() {
        return false;
    }
    let mut controls = page.below(index).take(40).filter(|below| page.nodes[*below].states.actionable());
    let (Some(control), None) = (controls.next(), controls.next()) else { return false };
    let within = control..page.nodes[control].end;
    !page.below(index).any(|below| !within.contains(&below) && page.nodes[below].role.as_ref() == "text")
}

/// Whether an element or one below it can be acted on.
fn has_control(page: &Snapshot, index: NodeIndex) -> bool {
    page.nodes[index..page.nodes[index].end].iter().any(|node| node.states.actionable())
}

/// A heading within an element that is named by it.
fn is_echo(page: &Snapshot, index: NodeIndex) -> bool {
    let node = &page.nodes[index];
    let above = &page.nodes[node.parent];
    node.role.as_ref() == "heading" && above.states.actionable() && above.name == node.name && node.end > index + 1
}

/// An element that does not share a line with what comes before it.
fn is_block(node: &Node) -> bool {
    matches!(node.role.as_ref(), "listitem" | "term" | "heading" | "row" | "cell" | "table" | "list")
}

/// The height of each node's subtree if it can be on one line, otherwise more than [`MAX_FLAT`].
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

/// A node and its descendants as parts of one line, at most [`MAX_FLAT`] levels.
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
            line.ends_in_value = false;
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
                    flat_controls(page, option, line, |_| true);
                }
                line.parts.push(Part::Markup(")".into()));
                line.ends_in_value = false;
            }
            // A button that clears the value or opens the list.
            flat_controls(page, index, line, |child| child.role.as_ref() != "option");
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
            if node.states.actionable() || above.is_none() && !is_bare {
                own_parts(node, line, None);
                if node.end > index + 1 {
                    line.parts.push(Part::Markup(": ".into()));
                }
            } else if !node.name.is_empty() {
                line.mix(2);
                line.parts.push(Part::Text(&node.name));
                line.ends_in_value = false;
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
                let name = page.nodes[child].name.as_ref();
                !has_control(page, child) && !name.is_empty() && node.name.contains(name)
            };
            if node.end > index + 1 && !page.children(index).all(hidden) {
                line.parts.push(Part::Markup(": ".into()));
                flat_children(page, index, line, node);
            }
        }
    }
}

/// The children of a list or of an option that are controls or contain some.
fn flat_controls<'a>(page: &'a Snapshot, index: NodeIndex, line: &mut Line<'a>, is_shown: fn(&Node) -> bool) {
    for child in page.children(index).filter(|child| is_shown(&page.nodes[*child]) && has_control(page, *child)) {
        line.join();
        flat_parts(page, child, line, Some(&page.nodes[index]));
    }
}

fn flat_children<'a>(page: &'a Snapshot, index: NodeIndex, line: &mut Line<'a>, node: &Node) {
    for (at, child) in page.children(index).enumerate() {
        if at > 0 {
            line.join();
        }
        flat_parts(page, child, line, Some(node));
        line.weight = line.weight.max(weight(&page.nodes[child]));
    }
}

/// The maximum number of characters of the text that stands for a name.
const MAX_TEXT_BELOW: usize = 80;

/// Adds the texts below an element that has neither name nor value, where the lines below it are not shown.
fn push_text_below(page: &Snapshot, index: NodeIndex, line: &mut Line<'_>) {
    let node = &page.nodes[index];
    if !node.name.is_empty() || node.value.is_some() {
        return;
    }
    let mut text = String::new();
    for below in page.below(index).map(|below| &page.nodes[below]).filter(|below| below.role.as_ref() == "text") {
        if text.len() >= MAX_TEXT_BELOW {
            break;
        }
        text.push_str(if text.is_empty() || below.joined { "" } else { " " });
        text.push_str(&below.name);
    }
    if !text.is_empty() {
        let mut shown = ": ".to_owned();
        push_squeezed(clip(&text, MAX_TEXT_BELOW), &mut shown);
        line.parts.push(Part::Markup(shown));
        line.ends_in_value = true;
    }
}

/// Role, name, ref, states and value. `said_below` is set when the descendants contain the name.
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
    for word in shown_states(node) {
        head.push_str(" [");
        head.push_str(word);
        head.push(']');
    }
    if let Some(attributes) = &node.attributes
        && node.states.actionable()
    {
        if let Some(hint) = attributes.placeholder.as_deref().filter(|hint| *hint != node.name.as_ref()) {
            push_attribute("placeholder", clip(hint, 60), &mut head);
        }
        if let Some(kind @ ("file" | "date" | "time" | "month" | "week" | "datetime-local" | "color")) =
            attributes.input.as_deref()
        {
            head.push_str(&format!(" [type={kind}]"));
        }
        if node.name.is_empty() && node.role.as_ref() == "link" {
            if let Some(href) = attributes.href.as_deref() {
                push_attribute("href", clip(href, 60), &mut head);
            }
        } else if node.name.is_empty()
            && let Some(id) = [&attributes.id, &attributes.form_name]
                .into_iter()
                .filter_map(Option::as_deref)
                .find(|id| !is_generated(id))
        {
            push_attribute("id", clip(id, 40), &mut head);
        }
    }
    line.parts.push(Part::Markup(head));
    line.ends_in_value = node.value.is_some();
    if let Some(value) = node.value.as_deref() {
        line.parts.push(Part::Markup(": ".into()));
        line.parts.push(Part::Text(value));
    }
}

/// The states of an element that an observation shows.
pub(crate) fn shown_states(node: &Node) -> impl Iterator<Item = &'static str> {
    let is_hidden = |word: &str| {
        matches!(word, "actionable" | "editable" | "secret" | "error-styled" | "self-changing" | "unseen" | "footer")
    };
    node.states.words().filter(move |word| !is_hidden(word))
}

fn push_attribute(name: &str, value: &str, head: &mut String) {
    head.push_str(&format!(" [{name}="));
    push_squeezed(value, head);
    head.push(']');
}

fn ref_of(node: &Node) -> String {
    node.reference.map_or_else(String::new, |reference| format!(" [ref={reference}]"))
}
