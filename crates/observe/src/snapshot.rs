//! The page as one tree. The nodes are in document order in one vector, so that a subtree is a range and no traversal
//! is recursive.

use std::{borrow::Cow, ops::Range};

use legwork_protocol::{DialogInfo, Ref, TabInfo};

/// The index of a node in [`Snapshot::nodes`].
pub type NodeIndex = usize;

/// A page at one moment: all frames and shadow roots of one tab in one tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The address of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// The nodes in document order; node 0 is the document.
    pub nodes: Vec<Node>,
    /// The open tabs.
    pub tabs: Vec<TabInfo>,
    /// The open JavaScript dialog. It blocks the page.
    pub dialog: Option<DialogInfo>,
    /// Whether scripts that ran before the last action began have changed the title since.
    pub title_changes_itself: bool,
    /// The texts that such scripts have removed.
    pub removed_itself: Vec<Box<str>>,
    /// Messages, spinners and short texts that were shown after the last action began and are no longer shown.
    pub transient: Vec<Node>,
    /// What was changed after the last action began and was changed back.
    pub reversions: Vec<Reversion>,
    /// What the capture left out because the page exceeds its limits, one line each.
    pub cut: Vec<String>,
}

/// A text or state of the page that was replaced and is back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reversion {
    /// The text, or a state with the text of its element: `Like aria-pressed=false`.
    pub text: Box<str>,
    /// The text that replaced it; empty if nothing did.
    pub meanwhile: Box<str>,
}

/// A relevant element, or a run of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The parent node.
    pub parent: NodeIndex,
    /// The end of its subtree: its descendants are `index + 1 .. end`.
    pub end: NodeIndex,
    /// The ARIA role, given or implied: `button`, `textbox`, `heading`, `row`…; `text` for a run of text, `document`
    /// for node 0, `iframe` for a frame's element, `generic` for an element kept only because it can be clicked.
    pub role: Box<str>,
    /// The accessible name with single spaces; for `text`, the text itself.
    pub name: Box<str>,
    /// The value of a field, or the selected option. Secrets are masked.
    pub value: Option<Box<str>>,
    /// The states.
    pub states: States,
    /// The level of a heading or of a tree item.
    pub level: u8,
    /// The ref for actions. Every actionable element has one; other elements may have one.
    pub reference: Option<Ref>,
    /// Further attributes, for the few nodes that have any.
    pub attributes: Option<Box<Attributes>>,
    /// Whether it continues the line of the previous node: text and links within a paragraph.
    pub joined: bool,
    /// Left, top, width and height in CSS pixels of the frame's viewport; absent if not measured.
    pub bounds: Option<[i32; 4]>,
}

/// Attributes that few nodes have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The element's tag in lower case.
    pub tag: Box<str>,
    /// A link's address, resolved.
    pub href: Option<Box<str>>,
    /// A field's placeholder.
    pub placeholder: Option<Box<str>>,
    /// An input's type: `password`, `file`, `date`…
    pub input: Option<Box<str>>,
    /// The accessible description or title.
    pub description: Option<Box<str>>,
    /// `id`.
    pub id: Option<Box<str>>,
    /// `name`.
    pub form_name: Option<Box<str>>,
    /// The value of `data-testid` or a similar attribute.
    pub test_id: Option<Box<str>>,
    /// The number of rows of a table including headers (`aria-rowcount`), or the number of items in the set of an
    /// item (`aria-setsize`), if the page states it. The page may contain fewer.
    pub size: Option<u32>,
}

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident $set:ident = $bit:expr, $word:literal;)*) => {
        /// The states of an element as bits.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        pub struct States(pub u32);

        impl States {
            $(
                #[doc = concat!("The bit of `", $word, "`.")]
                pub const $set: u32 = 1 << $bit;
                $(#[$doc])*
                pub fn $name(self) -> bool { self.0 & Self::$set != 0 }
            )*

            /// The words of all set states, as an observation shows them.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                [$((Self::$set, $word)),*].into_iter().filter(move |(bit, _)| self.0 & bit != 0).map(|(_, word)| word)
            }

            /// The bit of a word.
            pub fn bit(word: &str) -> Option<u32> {
                match word { $($word => Some(Self::$set),)* _ => None }
            }
        }

        impl std::fmt::Debug for States {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(self.words()).finish()
            }
        }
    };
}

states! {
    /// Can be acted on: a control, a link, or an element with a click handler or a pointer cursor.
    actionable ACTIONABLE = 0, "actionable";
    /// Checkbox, radio button, switch or menu item that is on.
    checked CHECKED = 1, "checked";
    /// Checkbox that is neither on nor off.
    mixed MIXED = 2, "mixed";
    /// Accepts no input.
    disabled DISABLED = 3, "disabled";
    /// The controlled section is open.
    expanded EXPANDED = 4, "expanded";
    /// The controlled section is closed.
    collapsed COLLAPSED = 5, "collapsed";
    /// Selected option, tab or row.
    selected SELECTED = 6, "selected";
    /// Toggle button that is pressed.
    pressed PRESSED = 7, "pressed";
    /// Must be filled in.
    required REQUIRED = 8, "required";
    /// The content cannot be changed.
    readonly READONLY = 9, "readonly";
    /// The content is invalid.
    invalid INVALID = 10, "invalid";
    /// Has the keyboard focus.
    focused FOCUSED = 11, "focused";
    /// Accepts text.
    editable EDITABLE = 12, "editable";
    /// Accepts several options.
    multiple MULTIPLE = 13, "multiple";
    /// Contains a secret, or is a password field. The value is masked.
    secret SECRET = 15, "secret";
    /// The current page or step of a set.
    current CURRENT = 16, "current";
    /// Is busy.
    busy BUSY = 17, "busy";
    /// Is styled as an error, according to its class names.
    error_styled ERROR_STYLED = 18, "error-styled";
    /// Scripts that ran before the last action began have changed the text of this element since.
    self_changing SELF_CHANGING = 19, "self-changing";
    /// Is part of the page but invisible: transparent, or in a part with a size of zero.
    unseen UNSEEN = 20, "unseen";
    /// A summary row of a table (`tfoot`).
    footer FOOTER = 21, "footer";
    /// The header of the column by which the rows are sorted, in ascending order.
    ascending ASCENDING = 22, "ascending";
    /// The header of the column by which the rows are sorted, in descending order.
    descending DESCENDING = 23, "descending";
}

impl Snapshot {
    /// A page with the nodes that appeared after the last action began and have disappeared; `None` if there are none.
    pub fn of_transient(&self) -> Option<Snapshot> {
        if self.transient.is_empty() {
            return None;
        }
        let end = self.transient.len() + 1;
        let mut nodes = vec![Node { role: "document".into(), end, ..Node::default() }];
        nodes.extend(self.transient.iter().zip(2..).map(|(node, end)| Node { parent: 0, end, ..node.clone() }));
        Some(Snapshot { url: self.url.clone(), title: self.title.clone(), nodes, ..Snapshot::default() })
    }

    /// The page without invisible elements.
    pub fn visible(&self) -> Cow<'_, Snapshot> {
        if !self.nodes.iter().any(|node| node.states.unseen()) {
            return Cow::Borrowed(self);
        }
        let mut places = vec![0; self.nodes.len()];
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            // A visible element within an invisible one becomes a child of the nearest visible ancestor.
            let parent = places[node.parent];
            places[at] = if node.states.unseen() && at > 0 {
                parent
            } else {
                nodes.push(Node { parent, ..node.clone() });
                nodes.len() - 1
            };
        }
        for at in (0..nodes.len()).rev() {
            nodes[at].end = nodes[at + 1..].iter().take_while(|below| below.parent >= at).count() + at + 1;
        }
        Cow::Owned(Snapshot { nodes, ..self.clone() })
    }

    /// The page without these nodes and their descendants.
    pub fn without(&self, is_removed: impl Fn(NodeIndex) -> bool) -> Snapshot {
        let mut places = vec![0; self.nodes.len()];
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut next = 0;
        while let Some(node) = self.nodes.get(next) {
            if next > 0 && is_removed(next) {
                // The ends that point into the removed part are computed below.
                let end = node.end;
                places[next..end].fill(nodes.len());
                next = end;
                continue;
            }
            places[next] = nodes.len();
            nodes.push(Node { parent: places[node.parent], ..node.clone() });
            next += 1;
        }
        let total = nodes.len();
        let kept: Vec<NodeIndex> = (0..nodes.len()).map(|at| nodes[at].end).collect();
        for (node, end) in nodes.iter_mut().zip(kept) {
            node.end = places.get(end).copied().unwrap_or(total);
        }
        Snapshot { nodes, ..self.clone() }
    }

    /// The page with the nodes of another page appended; the appended nodes have no refs.
    pub fn with_content_of(&self, other: &Snapshot) -> Snapshot {
        let mut page = self.clone();
        let offset = page.nodes.len().saturating_sub(1);
        page.nodes.extend(other.nodes.iter().skip(1).map(|node| Node {
            parent: if node.parent == 0 { 0 } else { node.parent + offset },
            end: node.end + offset,
            reference: None,
            ..node.clone()
        }));
        let end = page.nodes.len();
        if let Some(document) = page.nodes.first_mut() {
            document.end = end;
        }
        page
    }

    /// The descendants of a node, in document order.
    pub fn below(&self, node: NodeIndex) -> Range<NodeIndex> {
        node + 1..self.nodes[node].end
    }

    /// The children of a node.
    pub fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let end = self.nodes[node].end;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = next;
                next = self.nodes[child].end;
                child
            })
        })
    }

    /// The ancestors of a node, the nearest first, without the document.
    pub fn ancestors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let mut at = node;
        std::iter::from_fn(move || {
            at = self.nodes[at].parent;
            (at != 0).then_some(at)
        })
    }

    /// The role of a node.
    pub fn role(&self, node: NodeIndex) -> &str {
        &self.nodes[node].role
    }

    /// Whether a node has one of these roles.
    pub fn has_role(&self, node: NodeIndex, roles: &[&str]) -> bool {
        roles.contains(&self.role(node))
    }

    /// The nearest node around a node that has one of these roles.
    pub fn enclosing(&self, node: NodeIndex, roles: &[&str]) -> Option<NodeIndex> {
        self.ancestors(node).find(|up| self.has_role(*up, roles))
    }

    /// The node of a ref.
    pub fn find_ref(&self, reference: Ref) -> Option<NodeIndex> {
        self.nodes.iter().position(|node| node.reference == Some(reference))
    }

    /// The text of a node and its descendants, including its name, in one line with single spaces.
    pub fn text_of(&self, node: NodeIndex) -> String {
        let mut text = String::new();
        for node in &self.nodes[node..self.nodes[node].end] {
            if node.role.as_ref() == "text" || !node.name.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&node.name);
            }
        }
        text
    }
}
