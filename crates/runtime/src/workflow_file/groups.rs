//! Groups of steps in a workflow file: `if` with `then` and `else`, and `for_each` with `steps`.

use legwork_protocol::{ForEach, IfElse, Step, StepGroup};

use super::{
    problem::Problem,
    shape::{DraftStep, steps, text, unknown_key},
    tree::{Node, Tree},
};

const IF_KEYS: &[&str] = &["if", "then", "else"];
const LOOP_KEYS: &[&str] = &["for_each", "where", "key", "steps"];

/// Reads a step that is a map with the key of a group; `None` for another map.
pub(super) fn group(
    item: &Node,
    pairs: &[(Node, Node)],
    lines: &[&str],
    problems: &mut Vec<Problem>,
) -> Option<Option<DraftStep>> {
    let has = |name: &str| pairs.iter().any(|(key, _)| key.text() == Some(name));
    if has("if") {
        return Some(branches(item, pairs, lines, problems));
    }
    if has("for_each") {
        return Some(loop_of(item, pairs, lines, problems));
    }
    if let Some(key) = ["then", "else"].into_iter().find(|key| has(key)) {
        problems.push(
            Problem::error(item.at, format!("`{key}` needs `if` in the same step"))
                .hint("write `- if: '\"…\" is shown'`, and `then` and `else` below it with the same indent"),
        );
        return Some(None);
    }
    if let Some(key) = ["where", "steps"].into_iter().find(|key| has(key)) {
        problems.push(
            Problem::error(item.at, format!("`{key}` needs `for_each` in the same step"))
                .hint("write `- for_each: row in \"Orders\"`"),
        );
        return Some(None);
    }
    None
}

fn branches(item: &Node, pairs: &[(Node, Node)], lines: &[&str], problems: &mut Vec<Problem>) -> Option<DraftStep> {
    let (mut condition, mut then, mut otherwise) = (None, None, Vec::new());
    for (key, value) in pairs {
        match key.text().unwrap_or_default() {
            "if" => condition = text(value, "`if`", problems),
            "then" => then = Some(list("then", key, value, lines, problems)),
            "else" => otherwise = list("else", key, value, lines, problems),
            unknown => problems.push(foreign_key(key, unknown, "if", IF_KEYS)),
        }
    }
    let Some(then) = then else {
        problems.push(Problem::error(item.at, "`if` needs `then` with the steps that run if the condition holds"));
        return None;
    };
    let condition = condition?;
    let group = StepGroup::If(IfElse { condition: condition.is, then: plain(&then), otherwise: plain(&otherwise) });
    let inner = then.into_iter().chain(otherwise).collect();
    Some(DraftStep { at: condition.at, is: Step::of_group(group), inner })
}

fn loop_of(item: &Node, pairs: &[(Node, Node)], lines: &[&str], problems: &mut Vec<Problem>) -> Option<DraftStep> {
    let (mut each, mut filter, mut column, mut inner) = (None, None, None, None);
    for (key, value) in pairs {
        match key.text().unwrap_or_default() {
            "for_each" => each = text(value, "`for_each`", problems),
            "where" => filter = text(value, "`where`", problems).map(|text| text.is),
            "key" => column = text(value, "`key`", problems).map(|text| text.is),
            "steps" => inner = Some(list("steps", key, value, lines, problems)),
            unknown => problems.push(foreign_key(key, unknown, "for_each", LOOP_KEYS)),
        }
    }
    let Some(inner) = inner else {
        problems.push(Problem::error(item.at, "`for_each` needs `steps` with the steps that it repeats"));
        return None;
    };
    let each = each?;
    let group = StepGroup::ForEach(ForEach { for_each: each.is, filter, key: column, steps: plain(&inner) });
    Some(DraftStep { at: each.at, is: Step::of_group(group), inner })
}

/// The steps of a branch or loop, which must not be empty.
fn list(name: &str, key: &Node, value: &Node, lines: &[&str], problems: &mut Vec<Problem>) -> Vec<DraftStep> {
    match &value.tree {
        Tree::List(items) if !items.is_empty() => steps(items, lines, problems),
        Tree::List(_) => {
            problems.push(Problem::error(key.at, format!("`{name}` has no steps")).hint("leave it out, or add a step"));
            Vec::new()
        }
        _ => {
            problems.push(
                Problem::error(key.at, format!("`{name}` is a list of steps, not {}", value.kind()))
                    .hint("begin each step's line with `- `"),
            );
            Vec::new()
        }
    }
}

fn plain(steps: &[DraftStep]) -> Vec<Step> {
    steps.iter().map(|step| step.is.clone()).collect()
}

/// A key that a group does not have. Those of a plain step belong to the steps in the group.
fn foreign_key(key: &Node, found: &str, group: &str, known: &[&str]) -> Problem {
    match found {
        "step" | "expect" | "when" | "on_resume" | "timeout" | "action" | "optional" => {
            Problem::error(key.at, format!("a step with `{group}` has no `{found}`"))
                .hint("write it in one of the steps in it")
        }
        _ => unknown_key(key.at, found, known),
    }
}
