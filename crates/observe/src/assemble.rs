//! Assembles the captures of frames into one tree: inserts the frames, derives names from content, assigns refs.

use std::collections::HashMap;

use legwork_protocol::{DialogInfo, TabInfo};

use crate::{
    Node, Snapshot, States,
    capture::{Capture, Record},
    refs::{DocumentKey, NodeKey, RefTable},
};

/// What the browser knows about a page besides its content.
#[derive(Clone, Debug, Default)]
pub struct PageFacts {
    /// The address.
    pub url: String,
    /// The title.
    pub title: String,
    /// The open tabs.
    pub tabs: Vec<TabInfo>,
    /// The open dialog.
    pub dialog: Option<DialogInfo>,
}

/// The capture of one frame.
#[derive(Clone, Debug)]
pub struct FrameCapture {
    /// The document of the frame.
    pub document: DocumentKey,
    /// The capture.
    pub capture: Capture,
    /// The frame's element: its document, and its number there. Absent for the main frame.
    pub parent: Option<(DocumentKey, u32)>,
}

/// Assembles the frames of a page. Frames whose element is not in the capture of their parent come last.
pub fn assemble(facts: PageFacts, frames: Vec<FrameCapture>, refs: &mut RefTable) -> Snapshot {
    let mut snapshot =
        Snapshot { url: facts.url, title: facts.title, tabs: facts.tabs, dialog: facts.dialog, ..Snapshot::default() };
    snapshot.title_changes_itself = frames.first().is_some_and(|frame| frame.capture.title_changes_itself);
    for frame in &frames {
        snapshot.removed_itself.extend(frame.capture.removed_itself.iter().cloned());
        snapshot.transient.extend(frame.capture.transient.iter().cloned());
        snapshot.reversions.extend(frame.capture.reversions.iter().cloned());
        if let Some(cut) = &frame.capture.cut {
            snapshot.cut.push(format!(
                "the page exceeds the capture limit (the limit of {} was reached at {} nodes): about {} elements \
                 further down were not captured; scroll or narrow the page to reach them",
                cut.bound, cut.kept, cut.elements_left
            ));
        }
    }
    let (mut nodes, keys) = join(frames);
    let keep = name_from_content(&mut nodes);
    let (nodes, keys) = compact(nodes, keys, &keep);
    snapshot.nodes = nodes;
    // Actionable elements get the low numbers, because they are shown to models and short numbers cost fewer tokens.
    for pass in [true, false] {
        for (node, key) in snapshot.nodes.iter_mut().zip(&keys) {
            if node.states.actionable() == pass {
                node.reference = key.map(|key| refs.assign(key));
            }
        }
    }
    snapshot
}

/// All records in one vector, with their parents. [`compact`] sets the `end`s.
fn join(frames: Vec<FrameCapture>) -> (Vec<Node>, Vec<Option<NodeKey>>) {
    let mut inner: HashMap<(DocumentKey, u32), usize> = HashMap::new();
    let mut feeds = Vec::new();
    let mut roots = Vec::new();
    for (at, frame) in frames.into_iter().enumerate() {
        match frame.parent {
            Some(parent) => drop(inner.insert(parent, at)),
            None => roots.push(at),
        }
        feeds.push((frame.document, frame.parent, Some(frame.capture.records.into_iter())));
    }
    let mut nodes = vec![Node { role: "document".into(), ..Node::default() }];
    let mut keys = vec![None];
    let order: Vec<usize> = roots.iter().copied().chain((0..feeds.len()).filter(|at| !roots.contains(at))).collect();
    for first in order {
        // The frames in progress, the innermost last, each with the node that contains its depth 0.
        let mut under: Vec<(DocumentKey, std::vec::IntoIter<Record>, usize, Vec<usize>)> = Vec::new();
        if let Some(records) = feeds[first].2.take() {
            under.push((feeds[first].0, records, 0, Vec::new()));
        }
        while let Some((document, records, root, open)) = under.last_mut() {
            let Some(record) = records.next() else {
                under.pop();
                continue;
            };
            open.truncate(record.depth as usize);
            let parent = open.last().copied().unwrap_or(*root);
            let index = nodes.len();
            // If a depth skips levels, the node becomes a child of the last open node, so that levels match the
            // number of ancestors.
            while open.len() < record.depth as usize {
                open.push(parent);
            }
            open.push(index);
            let document = *document;
            nodes.push(Node { parent, ..record.node });
            keys.push((record.element != 0).then_some(NodeKey { document, element: record.element }));
            if record.is_outer_frame
                && let Some(&at) = inner.get(&(document, record.element))
                && let Some(records) = feeds[at].2.take()
            {
                under.push((feeds[at].0, records, index, Vec::new()));
            }
        }
    }
    (nodes, keys)
}

fn is_named_by_content(role: &str) -> bool {
    matches!(
        role,
        "button"
            | "link"
            | "heading"
            | "tab"
            | "option"
            | "menuitem"
            | "menuitemcheckbox"
            | "menuitemradio"
            | "treeitem"
            | "checkbox"
            | "radio"
            | "switch"
            | "tooltip"
            | "cell"
            | "gridcell"
            | "columnheader"
            | "rowheader"
            | "generic"
            | "combobox"
    )
}

/// Names elements by their content, and returns which nodes contain something that no ancestor's name contains.
fn name_from_content(nodes: &mut [Node]) -> Vec<bool> {
    let mut ends: Vec<usize> = (1..=nodes.len()).collect();
    let mut keep = vec![true; nodes.len()];
    for index in (1..nodes.len()).rev() {
        let parent = nodes[index].parent;
        ends[parent] = ends[parent].max(ends[index]);
        if is_permalink(&nodes[index]) {
            keep[index..ends[index]].fill(false);
            nodes[index].name = "".into();
            continue;
        }
        let role = nodes[index].role.clone();
        if role.as_ref() == "combobox" || role.as_ref() == "listbox" {
            take_chosen(nodes, index, ends[index]);
        }
        // The content of a list of options is its value, so that its title comes before it.
        if !is_named_by_content(&role) || ends[index] == index + 1 || role.as_ref() == "combobox" {
            name_from_title(&mut nodes[index]);
        }
        if !is_named_by_content(&role) || ends[index] == index + 1 {
            continue;
        }
        let is_cell = matches!(role.as_ref(), "cell" | "gridcell" | "columnheader" | "rowheader");
        let (mut text, mut at, mut plain) = (String::new(), index + 1, true);
        while at < ends[index] {
            let node = &nodes[at];
            // An item of a tree is not named by the items below it, which may be shown or not.
            let is_other = node.role.as_ref() == "treeitem" && role.as_ref() == "treeitem";
            if is_other
                || matches!(node.role.as_ref(), "group" | "menu" | "list" | "tree" | "listbox" | "table" | "option")
            {
                plain = false;
                at = ends[at];
                continue;
            }
            plain &= node.role.as_ref() == "text" || (node.role.as_ref() == "img" && !node.states.actionable());
            if text.len() < 2_000 && keep[at] {
                if !text.is_empty() && !node.name.is_empty() {
                    text.push(' ');
                }
                text.push_str(&node.name);
            }
            // The name of an element that is named by its content contains everything below it.
            at = if is_named_by_content(&node.role) && !node.name.is_empty() { ends[at] } else { at + 1 };
        }
        if role.as_ref() == "columnheader" && !plain && nodes[index].name.is_empty() {
            // A column header may contain buttons beside its name, to sort by it or to open its menu.
            nodes[index].name = text_beside_controls(nodes, index, ends[index]).into();
        }
        if (is_cell || role.as_ref() == "generic") && !plain {
            continue;
        }
        if role.as_ref() == "combobox" && !nodes[index].name.is_empty() {
            if nodes[index].value.is_none() && plain && !text.is_empty() {
                nodes[index].value = Some(text.as_str().into());
                keep[index + 1..ends[index]].fill(false);
            } else if nodes[index].value.is_none() && !nodes[index].states.editable() {
                // The chosen values, beside buttons that remove them.
                let chosen = chosen_texts(nodes, index, &ends);
                nodes[index].value = (!chosen.is_empty()).then(|| chosen.into());
            }
            continue;
        }
        if nodes[index].name.is_empty() {
            // A control that expands a section is named by the section's heading, if there is one, and not by
            // everything around it.
            let opens = nodes[index].states.expanded() || nodes[index].states.collapsed();
            let heading = nodes[index + 1..ends[index]].iter().find(|node| opens && node.role.as_ref() == "heading");
            nodes[index].name = heading.map_or_else(|| text.as_str().into(), |heading| heading.name.clone());
        }
        let name = nodes[index].name.clone();
        for below in index + 1..ends[index] {
            let node = &nodes[below];
            let is_plain = matches!(node.role.as_ref(), "text" | "img") && !node.states.actionable();
            if is_plain && (name.contains(node.name.as_ref()) || name.as_ref() == text) {
                keep[below] = false;
            }
        }
        name_from_title(&mut nodes[index]);
    }
    keep
}

/// The texts in a list of options that are neither part of a control nor of the options that it offers.
fn chosen_texts(nodes: &[Node], index: usize, ends: &[usize]) -> String {
    let (mut texts, mut at) = (Vec::new(), index + 1);
    while at < ends[index] {
        let node = &nodes[at];
        let is_other = node.states.actionable() || matches!(node.role.as_ref(), "listbox" | "menu" | "tree" | "option");
        if node.role.as_ref() == "text" && !node.name.is_empty() {
            texts.push(node.name.as_ref());
        }
        at = if is_other { ends[at] } else { at + 1 };
    }
    texts.join(", ")
}

/// The texts of a node that are not part of an actionable element.
fn text_beside_controls(nodes: &[Node], index: usize, end: usize) -> String {
    let in_control = |at: usize| {
        let mut up = nodes[at].parent;
        while up > index && !nodes[up].states.actionable() {
            up = nodes[up].parent;
        }
        up > index
    };
    let texts = (index + 1..end).filter(|at| nodes[*at].role.as_ref() == "text" && !in_control(*at));
    texts.map(|at| nodes[at].name.as_ref()).collect::<Vec<_>>().join(" ")
}

/// The symbol beside a heading that links to the heading.
fn is_permalink(node: &Node) -> bool {
    node.role.as_ref() == "link" && matches!(node.name.as_ref(), "¶" | "§" | "#" | "🔗")
}

fn name_from_title(node: &mut Node) {
    if node.name.is_empty()
        && node.states.actionable()
        && let Some(title) = node.attributes.as_mut().and_then(|attributes| attributes.description.take())
    {
        node.name = title;
    }
}

fn take_chosen(nodes: &mut [Node], index: usize, end: usize) {
    if nodes[index].value.is_some() {
        return;
    }
    let mut chosen = String::new();
    for option in &nodes[index + 1..end] {
        if option.role.as_ref() == "option" && option.states.0 & States::SELECTED != 0 && chosen.len() < 1_000 {
            if !chosen.is_empty() {
                chosen.push_str(", ");
            }
            chosen.push_str(&option.name);
        }
    }
    if !chosen.is_empty() {
        nodes[index].value = Some(chosen.into());
    }
}

/// Removes the nodes that are not kept; their children become children of their parent.
fn compact(nodes: Vec<Node>, keys: Vec<Option<NodeKey>>, keep: &[bool]) -> (Vec<Node>, Vec<Option<NodeKey>>) {
    let mut places: Vec<usize> = Vec::with_capacity(nodes.len());
    let (mut kept, mut kept_keys): (Vec<Node>, Vec<_>) = (Vec::with_capacity(nodes.len()), Vec::new());
    for ((index, mut node), key) in nodes.into_iter().enumerate().zip(keys) {
        let parent = if index == 0 { 0 } else { places[node.parent] };
        if keep[index] {
            places.push(kept.len());
            node.parent = parent;
            kept.push(node);
            kept_keys.push(key);
        } else {
            places.push(parent);
        }
    }
    for index in (0..kept.len()).rev() {
        kept[index].end = kept[index].end.max(index + 1);
        let (parent, end) = (kept[index].parent, kept[index].end);
        kept[parent].end = kept[parent].end.max(end);
    }
    (kept, kept_keys)
}
