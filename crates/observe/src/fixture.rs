//! Snapshots in a text notation, for tests of code that reads snapshots.
//!
//! ```
//! let page = legwork_observe::fixture::snapshot(
//!     r#"
//!     - heading "Sign in" [level=1]
//!     - textbox "User name" [ref=e1] [required]: alice
//!     - button "Sign in" [ref=e2]
//!     - text: Welcome
//!     "#,
//! );
//! assert_eq!(page.nodes.len(), 5);
//! ```

use legwork_protocol::Ref;

use crate::{Attributes, Node, Snapshot, States};

/// Parses a page from lines in the notation of an observation, with an indent of two spaces. An element with a ref is
/// actionable. Besides states, `[level=2]`, `[href=…]`, `[placeholder=…]`, `[title=…]`, `[type=…]`, `[id=…]`,
/// `[size=…]` and `[test=…]` are supported.
///
/// # Panics
/// When a line cannot be parsed; this function is for tests.
pub fn snapshot(text: &str) -> Snapshot {
    let mut nodes = vec![Node { role: "document".into(), ..Node::default() }];
    let mut open: Vec<(usize, usize)> = Vec::new(); // (indent, index)
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        let body = line.trim().strip_prefix("- ").unwrap_or_else(|| panic!("a line starts with `- `: {line:?}"));
        while open.last().is_some_and(|(above, _)| *above >= indent) {
            open.pop();
        }
        let parent = open.last().map_or(0, |(_, index)| *index);
        open.push((indent, nodes.len()));
        nodes.push(Node { parent, ..node(body) });
    }
    for index in (0..nodes.len()).rev() {
        nodes[index].end = nodes[index].end.max(index + 1);
        let (parent, end) = (nodes[index].parent, nodes[index].end);
        nodes[parent].end = nodes[parent].end.max(end);
    }
    Snapshot { url: "http://site.test/".into(), title: "Page".into(), nodes, ..Snapshot::default() }
}

fn node(body: &str) -> Node {
    let role_end = body.find([' ', ':']).unwrap_or(body.len());
    let (role, mut rest) = body.split_at(role_end);
    let mut node = Node { role: role.into(), ..Node::default() };
    let mut attributes = Attributes::default();
    loop {
        rest = rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').unwrap_or_else(|| panic!("an open quote: {body:?}"));
            node.name = quoted[..end].into();
            rest = &quoted[end + 1..];
        } else if let Some(bracket) = rest.strip_prefix('[') {
            let end = bracket.find(']').unwrap_or_else(|| panic!("an open bracket: {body:?}"));
            let (key, value) = bracket[..end].split_once('=').unwrap_or((&bracket[..end], ""));
            match key {
                "ref" => {
                    node.reference = Ref::parse(value);
                    node.states.0 |= States::ACTIONABLE;
                }
                "level" => node.level = value.parse().unwrap_or_else(|_| panic!("a level: {body:?}")),
                "href" => attributes.href = Some(value.into()),
                "placeholder" => attributes.placeholder = Some(value.into()),
                "type" => attributes.input = Some(value.into()),
                "id" => attributes.id = Some(value.into()),
                "name" => attributes.form_name = Some(value.into()),
                "title" => attributes.description = Some(value.into()),
                "size" => attributes.size = Some(value.parse().unwrap_or_else(|_| panic!("a number: {body:?}"))),
                "test" => attributes.test_id = Some(value.into()),
                word => node.states.0 |= States::bit(word).unwrap_or_else(|| panic!("no state {word:?}: {body:?}")),
            }
            rest = &bracket[end + 1..];
        } else if let Some(text) = rest.strip_prefix(':') {
            let text = text.trim();
            if role == "text" {
                node.name = text.into();
            } else if !text.is_empty() {
                node.value = Some(text.into());
            }
            break;
        } else if rest.is_empty() {
            break;
        } else {
            panic!("cannot read {rest:?} in {body:?}");
        }
    }
    if attributes != Attributes::default() {
        node.attributes = Some(Box::new(attributes));
    }
    node
}
