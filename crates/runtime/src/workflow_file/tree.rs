//! YAML and JSON as a tree whose nodes have line and column. The depth is limited, and anchors are refused, so a small
//! file cannot expand to a large tree.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::Value;

use super::problem::Problem;

/// Deeper files are refused.
const MAX_DEPTH: usize = 32;

/// Maps with more keys are refused, because each key is compared with the previous keys.
const MAX_KEYS: usize = 1000;

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    /// The line, from 1.
    pub(super) line: usize,
    /// The column, from 1.
    pub(super) column: Option<usize>,
}

impl At {
    /// The position of problems that concern the file as a whole.
    pub(super) const START: At = At { line: 1, column: None };

    fn of(marker: &Marker) -> At {
        At { line: marker.line().max(1), column: Some(marker.col() + 1) }
    }
}

/// A value and its position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: At,
    /// The position of its end.
    pub(super) end: At,
    pub(super) tree: Tree,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    /// `plain`: without quotes, so it may be a number, a Boolean or null.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.tree {
            Tree::Scalar { text, .. } => Some(text),
            Tree::List(_) | Tree::Map(_) => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        self.value().is_null()
    }

    /// The name of its kind, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match &self.tree {
            Tree::List(_) => "a list",
            Tree::Map(_) => "a map",
            Tree::Scalar { .. } => match self.value() {
                Value::Null => "nothing",
                Value::Bool(_) => "a truth value",
                Value::Number(_) => "a number",
                _ => "a text",
            },
        }
    }

    /// As JSON. Plain scalars are interpreted by YAML's core schema.
    pub(super) fn value(&self) -> Value {
        match &self.tree {
            Tree::Scalar { text, plain: false } => Value::from(text.as_str()),
            Tree::Scalar { text, plain: true } => match text.as_str() {
                "" | "~" | "null" | "Null" | "NULL" => Value::Null,
                "true" | "True" | "TRUE" => Value::Bool(true),
                "false" | "False" | "FALSE" => Value::Bool(false),
                // Only the numbers of JSON are numbers, so that `007`, `+1` and `1_000` stay texts.
                number => match serde_json::from_str::<Value>(number) {
                    Ok(found @ Value::Number(_)) => found,
                    _ => Value::from(number),
                },
            },
            Tree::List(items) => items.iter().map(Node::value).collect(),
            Tree::Map(pairs) => Value::Object(
                pairs.iter().map(|(key, value)| (key.text().unwrap_or_default().to_owned(), value.value())).collect(),
            ),
        }
    }
}

/// Parses JSON. serde_json has the best messages for invalid JSON; valid JSON is also YAML, whose parser supplies the
/// positions.
pub(super) fn of_json(source: &str) -> Result<Node, Problem> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(source) {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let at = At { line: error.line().max(1), column: Some(error.column().max(1)) };
        return Err(Problem::error(at, format!("this is not JSON: {message}")));
    }
    of_yaml(source)
}

/// Where each step of a workflow begins and ends.
pub(super) fn step_spans(root: &Node) -> Vec<(At, At)> {
    let steps = match &root.tree {
        Tree::Map(pairs) => pairs.iter().find(|(key, _)| key.text() == Some("steps")).map(|(_, steps)| &steps.tree),
        tree => Some(tree),
    };
    match steps {
        Some(Tree::List(items)) => items.iter().map(|item| (item.at, item.end)).collect(),
        _ => Vec::new(),
    }
}

/// The first document of a YAML file.
pub(super) fn of_yaml(source: &str) -> Result<Node, Problem> {
    let mut open: Vec<Node> = Vec::new();
    let mut root: Option<Node> = None;
    for event in Parser::new_from_str(source) {
        let (event, span) = event.map_err(|error| {
            Problem::error(At::of(error.marker()), format!("this is not YAML: {}", error.info()))
                .hint("a step that begins with a quote, or has `: ` or ` #` in it, is best put in single quotes")
        })?;
        let (at, end) = (At::of(&span.start), At::of(&span.end));
        let closed = match event {
            Event::DocumentStart(_) if root.is_some() => {
                return Err(Problem::error(at, "a second document begins here; a file holds one workflow"));
            }
            Event::Alias(_) => return Err(anchors(at)),
            Event::Scalar(_, _, 1.., _) | Event::SequenceStart(1.., _) | Event::MappingStart(1.., _) => {
                return Err(anchors(at));
            }
            Event::Scalar(text, style, ..) => {
                let plain = matches!(style, ScalarStyle::Plain);
                Some(Node { at, end, tree: Tree::Scalar { text: text.into_owned(), plain } })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == MAX_DEPTH => {
                return Err(Problem::error(at, "this is nested too deeply for a workflow"));
            }
            Event::SequenceStart(..) => {
                open.push(Node { at, end, tree: Tree::List(Vec::new()) });
                None
            }
            Event::MappingStart(..) => {
                open.push(Node { at, end, tree: Tree::Map(Vec::new()) });
                None
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|node| Node { end, ..node }),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                None
            }
        };
        let Some(node) = closed else { continue };
        match open.last_mut().map(|parent| &mut parent.tree) {
            None => root = Some(node),
            Some(Tree::List(items)) => items.push(node),
            Some(Tree::Map(pairs)) => push_into_map(pairs, node)?,
            Some(Tree::Scalar { .. }) => unreachable!("only lists and maps are opened"),
        }
    }
    root.ok_or_else(|| Problem::error(At::START, "the file is empty").hint("begin with `steps:` and a list of steps"))
}

/// Keys and values arrive in turn. A pair whose value has not arrived yet contains a value at line 0.
fn push_into_map(pairs: &mut Vec<(Node, Node)>, node: Node) -> Result<(), Problem> {
    const NO_VALUE_YET: At = At { line: 0, column: None };
    if let Some((_, value)) = pairs.last_mut()
        && value.at == NO_VALUE_YET
    {
        *value = node;
        return Ok(());
    }
    let Some(key) = node.text() else {
        return Err(Problem::error(node.at, format!("a key is a word, not {}", node.kind())));
    };
    if pairs.len() == MAX_KEYS {
        return Err(Problem::error(node.at, format!("a map has at most {MAX_KEYS} keys here")));
    }
    if pairs.iter().any(|(known, _)| known.text() == Some(key)) {
        return Err(Problem::error(node.at, format!("the key {key:?} is here twice")));
    }
    let awaited = Node { at: NO_VALUE_YET, end: NO_VALUE_YET, tree: Tree::Scalar { text: String::new(), plain: true } };
    pairs.push((node, awaited));
    Ok(())
}

fn anchors(at: At) -> Problem {
    Problem::error(at, "anchors and aliases (`&`, `*`) are not read")
        .hint("put a text that begins with `*` or `&` in quotes")
}
