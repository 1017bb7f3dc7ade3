//! Converts a tree to a draft of a workflow: the permitted keys and the values that they accept.

use std::time::Duration;

use legwork_protocol::{Action, Input, OnResume, Step, Workflow, canonical_action, parse_duration};
use serde_json::Value;

use super::{
    groups,
    problem::Problem,
    sentences,
    tree::{At, Node, Tree},
};

const WORKFLOW_KEYS: &[&str] = &["name", "url", "inputs", "steps"];
const STEP_KEYS: &[&str] = &["step", "expect", "when", "on_resume", "timeout", "action", "optional"];
const INPUT_KEYS: &[&str] = &["default", "description"];

/// A value and its position.
#[derive(Clone, Debug)]
pub(super) struct Positioned<T> {
    pub(super) at: At,
    pub(super) is: T,
}

/// A step with its position, and with those of the steps in it, if it is a group.
#[derive(Clone, Debug)]
pub(super) struct DraftStep {
    pub(super) at: At,
    pub(super) is: Step,
    pub(super) inner: Vec<DraftStep>,
}

impl DraftStep {
    pub(super) fn new(at: At, is: Step) -> DraftStep {
        DraftStep { at, is, inner: Vec::new() }
    }
}

/// A workflow whose parts have positions.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: Option<String>,
    pub(super) url: Option<Positioned<String>>,
    pub(super) inputs: Vec<(Positioned<String>, Input)>,
    pub(super) steps: Vec<DraftStep>,
}

impl Draft {
    pub(super) fn into_workflow(self, title: &str) -> Workflow {
        Workflow {
            name: self.name.unwrap_or_else(|| title.to_owned()),
            url: self.url.map(|url| url.is),
            inputs: self.inputs.into_iter().map(|(name, input)| (name.is, input)).collect(),
            steps: self.steps.into_iter().map(|step| step.is).collect(),
        }
    }
}

/// Reads the draft. After a problem it continues as far as possible.
pub(super) fn draft(root: &Node, lines: &[&str], problems: &mut Vec<Problem>) -> Result<Draft, Problem> {
    let mut draft = Draft::default();
    let pairs = match &root.tree {
        Tree::Map(pairs) => pairs,
        // A list contains only the steps.
        Tree::List(items) => {
            draft.steps = steps(items, lines, problems);
            return Ok(draft);
        }
        Tree::Scalar { .. } => {
            return Err(Problem::error(root.at, format!("a workflow is a map with `steps`, not {}", root.kind()))
                .hint("name the file .txt or .md for one step a line"));
        }
    };
    let mut has_steps = false;
    for (key, value) in pairs {
        match key.text().unwrap_or_default() {
            "name" => draft.name = text(value, "`name`", problems).map(|name| name.is),
            "url" => draft.url = text(value, "`url`", problems),
            "inputs" => draft.inputs = inputs(value, problems),
            "steps" => {
                has_steps = true;
                match &value.tree {
                    Tree::List(items) => draft.steps = steps(items, lines, problems),
                    _ => problems.push(
                        Problem::error(value.at_or(key), format!("`steps` is a list, not {}", value.kind()))
                            .hint("begin each step's line with `- `"),
                    ),
                }
            }
            unknown => problems.push(unknown_key(key.at, unknown, WORKFLOW_KEYS)),
        }
    }
    if !has_steps {
        problems.push(Problem::error(root.at, "there are no `steps`"));
    }
    Ok(draft)
}

impl Node {
    /// Its position, or that of its key if the value is empty.
    fn at_or(&self, key: &Node) -> At {
        if self.is_null() { key.at } else { self.at }
    }
}

fn inputs(node: &Node, problems: &mut Vec<Problem>) -> Vec<(Positioned<String>, Input)> {
    let pairs = match &node.tree {
        Tree::Map(pairs) => pairs,
        _ if node.is_null() => return Vec::new(),
        _ => {
            problems.push(
                Problem::error(node.at, format!("`inputs` is a map of names, not {}", node.kind()))
                    .hint("write each as `name: default value`"),
            );
            return Vec::new();
        }
    };
    let mut inputs = Vec::new();
    for (key, value) in pairs {
        let name = Positioned { at: key.at, is: key.text().unwrap_or_default().to_owned() };
        let mut input = Input::default();
        match &value.tree {
            Tree::Map(parts) => {
                for (part, value) in parts {
                    match part.text().unwrap_or_default() {
                        "default" => input.default = Some(value.value()).filter(|value| !value.is_null()),
                        "description" => input.description = text(value, "`description`", problems).map(|text| text.is),
                        unknown => problems.push(unknown_key(part.at, unknown, INPUT_KEYS)),
                    }
                }
            }
            _ => input.default = Some(value.value()).filter(|value| !value.is_null()),
        }
        inputs.push((name, input));
    }
    inputs
}

pub(super) fn steps(items: &[Node], lines: &[&str], problems: &mut Vec<Problem>) -> Vec<DraftStep> {
    items
        .iter()
        .filter_map(|item| {
            cut_short(item, lines, problems);
            match &item.tree {
                Tree::Map(pairs) => groups::group(item, pairs, lines, problems)
                    .unwrap_or_else(|| full_step(item, pairs, lines, problems)),
                _ => text(item, "a step", problems).and_then(|step| sentences::step(step.at, &step.is, problems)),
            }
        })
        .collect()
}

fn full_step(item: &Node, pairs: &[(Node, Node)], lines: &[&str], problems: &mut Vec<Problem>) -> Option<DraftStep> {
    let mut step = Step::default();
    let mut at = None;
    // `- Click: the button` is a map in YAML, but the author meant a step.
    let is_sentence =
        |key: &Node| key.text().is_some_and(|key| key.contains(' ') || key.starts_with(char::is_uppercase));
    if let [(key, _)] = pairs
        && is_sentence(key)
    {
        problems.push(Problem::error(item.at, "the colon makes this step a map").hint("put the whole step in quotes"));
        return None;
    }
    for (key, value) in pairs {
        cut_short(value, lines, problems);
        match key.text().unwrap_or_default() {
            "step" => {
                if let Some(text) = text(value, "`step`", problems) {
                    at = Some(text.at);
                    step.step = text.is;
                } else {
                    at = Some(value.at_or(key));
                }
            }
            "expect" => step.expect = text(value, "`expect`", problems).map(|text| text.is),
            "when" => step.when = text(value, "`when`", problems).map(|text| text.is),
            "on_resume" => step.on_resume = on_resume(value, key, problems),
            "timeout" => step.timeout = timeout(value, key, problems),
            "action" => step.action = action(value, key, problems),
            "optional" => match value.value() {
                Value::Bool(optional) => step.optional = optional,
                _ => problems.push(Problem::error(value.at_or(key), "`optional` is true or false")),
            },
            unknown => problems.push(unknown_key(key.at, unknown, STEP_KEYS)),
        }
    }
    if at.is_none() {
        problems.push(Problem::error(item.at, "a step that is a map needs the key `step`, `if` or `for_each`"));
    }
    at.map(|at| DraftStep::new(at, step))
}

/// Reports a probable mistake: in YAML, ` #submit` after a plain text is a comment, but before a word it was probably
/// not meant as one.
fn cut_short(node: &Node, lines: &[&str], problems: &mut Vec<Problem>) {
    if !matches!(node.tree, Tree::Scalar { plain: true, .. }) {
        return;
    }
    let line = lines.get(node.end.line - 1).copied().unwrap_or_default();
    let rest: String = line.chars().skip(node.end.column.unwrap_or(1) - 1).collect();
    if rest.trim_start().strip_prefix('#').is_some_and(|comment| comment.starts_with(|c: char| c.is_alphanumeric())) {
        problems.push(
            Problem::warning(node.at, format!("{:?} is a comment and no part of the step", rest.trim()))
                .hint("put the step in quotes if it belongs to it"),
        );
    }
}

fn on_resume(value: &Node, key: &Node, problems: &mut Vec<Problem>) -> Option<OnResume> {
    let read = serde_json::from_value(value.value()).ok();
    if read.is_none() {
        problems.push(Problem::error(value.at_or(key), "`on_resume` is retry, verify or ask"));
    }
    read
}

fn action(value: &Node, key: &Node, problems: &mut Vec<Problem>) -> Option<Action> {
    serde_json::from_value(canonical_action(value.value()))
        .map_err(|error| {
            problems.push(
                Problem::error(value.at_or(key), format!("`action` cannot be read: {error}"))
                    .hint("write it as {action: click, parameters: {target: \"#save\"}}"),
            );
        })
        .ok()
}

fn timeout(value: &Node, key: &Node, problems: &mut Vec<Problem>) -> Option<Duration> {
    let read = match value.value() {
        Value::Number(seconds) => seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        Value::String(text) => parse_duration(&text),
        _ => None,
    };
    let found = value.text().unwrap_or(value.kind());
    let problem = |message: String| {
        Problem::error(value.at_or(key), message).hint("write seconds, or a number with ms, s, m or h")
    };
    match read {
        Some(Duration::ZERO) => problems.push(problem("`timeout` must be greater than zero".to_owned())),
        Some(timeout) => return Some(timeout),
        None => problems.push(problem(format!("`timeout` {found:?} is not a valid duration"))),
    }
    None
}

/// A text that is not empty.
pub(super) fn text(node: &Node, what: &str, problems: &mut Vec<Problem>) -> Option<Positioned<String>> {
    let at = node.at;
    let found = match &node.tree {
        Tree::Scalar { text, .. } if !node.is_null() => text.trim(),
        Tree::Scalar { .. } => "",
        Tree::List(_) | Tree::Map(_) => {
            problems.push(Problem::error(at, format!("{what} is a text, not {}", node.kind())));
            return None;
        }
    };
    if found.is_empty() {
        problems.push(Problem::error(at, format!("{what} is empty")));
        return None;
    }
    Some(Positioned { at, is: found.to_owned() })
}

pub(super) fn unknown_key(at: At, found: &str, known: &[&str]) -> Problem {
    let problem = Problem::error(at, format!("unknown key {found:?}"));
    match crate::settings::nearest(found, known.iter().copied()) {
        Some(near) => problem.hint(format!("did you mean {near:?}?")),
        None => problem.hint(format!("there is {}", known.join(", "))),
    }
}
