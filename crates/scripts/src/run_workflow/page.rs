//! A page on which the sentence for a recorded action is tried: the element, the row or item that contains it, and
//! another one of each, so that a sentence that does not distinguish them is refused.

use legwork::observe::{Attributes, Node, NodeIndex, Snapshot, States};
use legwork_protocol::{Action, ElementIdentity, Ref};

/// The ref of the element.
pub(super) const ELEMENT: Ref = Ref(1);
/// The most equal elements that are on the page.
const MOST_EQUAL: usize = 40;

/// How the sentence may distinguish an element from equal ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Disambiguation {
    /// It is the only one.
    Alone,
    /// By the texts of the part of the page with this role, the best first.
    In { role: String, texts: Vec<String> },
    /// By its position, from 1, among this number of elements.
    Position { ordinal: usize, count: usize },
}

/// The page.
pub(super) fn page_with(identity: &ElementIdentity, place: &Disambiguation, action: &Action) -> Snapshot {
    let mut page = Builder { nodes: vec![Node { role: "document".into(), ..Node::default() }] };
    match place {
        Disambiguation::Alone => page.element(0, identity, action, ELEMENT),
        Disambiguation::In { role, texts } => {
            let around = match role.as_str() {
                "row" => page.add(0, "table", "", None),
                "listitem" => page.add(0, "list", "", None),
                "treeitem" => page.add(0, "tree", "", None),
                _ => 0,
            };
            let own: Vec<&str> = texts.iter().map(String::as_str).collect();
            page.part(around, role, &own, identity, action, ELEMENT);
            page.part(around, role, &["Zqother"], identity, action, Ref(2));
        }
        Disambiguation::Position { ordinal, count } => {
            for number in 1..=(*count).clamp(*ordinal, MOST_EQUAL) {
                let reference = if number == *ordinal { ELEMENT } else { Ref(number as u32 + 1) };
                page.element(0, identity, action, reference);
            }
        }
    }
    let mut nodes = page.nodes;
    for index in (0..nodes.len()).rev() {
        nodes[index].end = nodes[index].end.max(index + 1);
        let (parent, end) = (nodes[index].parent, nodes[index].end);
        nodes[parent].end = nodes[parent].end.max(end);
    }
    Snapshot { url: "https://site.example/".into(), title: "Page".into(), nodes, ..Snapshot::default() }
}

struct Builder {
    nodes: Vec<Node>,
}

impl Builder {
    fn add(&mut self, parent: NodeIndex, role: &str, name: &str, reference: Option<Ref>) -> NodeIndex {
        let states = States(if reference.is_some() { States::ACTIONABLE } else { 0 });
        self.nodes.push(Node { parent, role: role.into(), name: name.into(), reference, states, ..Node::default() });
        self.nodes.len() - 1
    }

    fn part(
        &mut self,
        around: NodeIndex,
        role: &str,
        texts: &[&str],
        identity: &ElementIdentity,
        action: &Action,
        reference: Ref,
    ) {
        let part = self.add(around, role, "", None);
        let text_role = if role == "row" { "cell" } else { "text" };
        for text in texts {
            self.add(part, text_role, text, None);
        }
        let at = if role == "row" { self.add(part, "cell", "", None) } else { part };
        self.element(at, identity, action, reference);
    }

    fn element(&mut self, parent: NodeIndex, identity: &ElementIdentity, action: &Action, reference: Ref) {
        let at = self.add(parent, &identity.role, &identity.name, Some(reference));
        let of = |name: &str| identity.attributes.get(name).map(|value| value.as_str().into());
        let attributes = Attributes {
            tag: of("tag").unwrap_or_default(),
            input: of("type"),
            placeholder: of("placeholder"),
            ..Attributes::default()
        };
        let mut states = States::ACTIONABLE;
        if matches!(identity.role.as_str(), "textbox" | "searchbox" | "spinbutton") {
            states |= States::EDITABLE;
        }
        if identity.secret {
            states |= States::SECRET;
        }
        match action {
            // Something that has no text cannot be saved.
            Action::Save(_) => drop(self.add(at, "text", "Zqtext", None)),
            Action::Uncheck(_) => states |= States::CHECKED,
            Action::Expand(_) => states |= States::COLLAPSED,
            Action::Collapse(_) => states |= States::EXPANDED,
            Action::Select(select) => {
                if select.values.len() > 1 {
                    states |= States::MULTIPLE;
                }
                for value in &select.values {
                    self.add(at, "option", value, None);
                }
            }
            _ => {}
        }
        let node = &mut self.nodes[at];
        node.states.0 |= states;
        node.attributes = (attributes != Attributes::default()).then(|| Box::new(attributes));
    }
}
