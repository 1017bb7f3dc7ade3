//! Verifies that a value is at the line that the model named. A text must match except for white space, case and
//! Markdown syntax; a number may have either decimal separator. A value that is not found has no source.

use std::collections::BTreeMap;

use serde_json::Value;

use legwork_observe::numbers;

/// Number of lines after the named line in which the values of an item are searched for.
const LINES_AFTER: usize = 30;
/// Number of lines before it: models count from the heading or from the first value.
const LINES_BEFORE: usize = 2;

/// The sources of the values in a part of the data, by JSON pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LocatedValue {
    /// The indices of the lines.
    pub(crate) lines: BTreeMap<String, usize>,
    /// The values that were not found near the named line.
    pub(crate) unverified: Vec<String>,
}

/// Searches for the values near the named lines, given as indices. `before` is the line of the next item.
pub(crate) fn place(value: &Value, named: &[usize], before: Option<usize>, lines: &[String]) -> LocatedValue {
    let mut near: Vec<usize> = Vec::new();
    for at in named.iter().copied().filter(|at| *at < lines.len()) {
        let end =
            before.filter(|before| *before > at).unwrap_or(at + LINES_AFTER).min(at + LINES_AFTER).min(lines.len());
        // The named line comes first, because a neighbouring item may have the same value.
        near.extend((at..end).chain(at.saturating_sub(LINES_BEFORE)..at));
    }
    let plain: Vec<(usize, String)> = near.iter().map(|at| (*at, plain(&lines[*at]))).collect();
    let mut placed = LocatedValue::default();
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(map) => open.extend(
                map.iter()
                    .map(|(key, value)| (format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), value)),
            ),
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(at, value)| (format!("{pointer}/{at}"), value)));
            }
            // Such a value is a judgement of the model and not a copy of text.
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => match plain.iter().find(|(_, line)| has_number(line, number.as_f64())) {
                Some((at, _)) => _ = placed.lines.insert(pointer, *at),
                None => placed.unverified.push(pointer),
            },
            Value::String(text) => match containing_line(&self::plain(text), &plain) {
                Some(at) => _ = placed.lines.insert(pointer, at),
                None if text.trim().is_empty() => {}
                None => placed.unverified.push(pointer),
            },
        }
    }
    placed.unverified.sort();
    placed
}

/// The line that contains the text, or the first of the lines that contain it.
fn containing_line(wanted: &str, lines: &[(usize, String)]) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    if let Some((at, _)) = lines.iter().find(|(_, line)| holds(line, wanted)) {
        return Some(*at);
    }
    let starts = (0..lines.len()).filter(|start| !lines[*start].1.is_empty() && wanted.starts_with(&lines[*start].1));
    starts.into_iter().find_map(|start| {
        let joined: Vec<&str> = lines[start..].iter().map(|(_, line)| line.as_str()).collect();
        joined.join(" ").starts_with(wanted).then_some(lines[start].0)
    })
}

/// Matches whole words only: `4002` does not contain `4`.
fn holds(line: &str, wanted: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    line.match_indices(wanted).any(|(at, _)| {
        let (first, last) = (wanted.chars().next(), wanted.chars().next_back());
        (edge(first) || edge(line[..at].chars().next_back()))
            && (edge(last) || edge(line[at + wanted.len()..].chars().next()))
    })
}

/// The text without case, Markdown syntax and repeated spaces.
fn plain(text: &str) -> String {
    let kept = text.to_lowercase();
    let signs = ['\\', '*', '_', '|', '#', '`', '[', ']', '<', '>', '"', '\u{201c}', '\u{201d}'];
    kept.replace(signs, " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_number(line: &str, wanted: Option<f64>) -> bool {
    let Some(wanted) = wanted else { return false };
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{a0}' | '\u{202f}');
    line.split(|c: char| !part(c))
        .any(|written| numbers::readings(written).any(|number| numbers::is_near(number, wanted.abs())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAGE: &str =
        "| Product | Price |\n| Oak \\_desk\\_ | 1,249.50 |\n| Ash chair | 4002 |\n**Delivery** in\ntwo weeks";

    fn check(value: &Value, named: &[usize], lines: &[(&str, usize)], unverified: &[&str]) {
        let page: Vec<String> = PAGE.lines().map(str::to_owned).collect();
        let placed = place(value, named, None, &page);
        assert_eq!(placed.lines, lines.iter().map(|(at, line)| ((*at).to_owned(), *line)).collect());
        assert_eq!(placed.unverified, unverified);
    }

    #[test]
    fn a_value_stands_in_the_line_or_has_no_source() {
        check(&json!({"name": "oak _desk_", "price": 1249.5}), &[1], &[("/name", 1), ("/price", 1)], &[]);
        check(&json!({"name": "Oak desk", "price": 12}), &[1], &[("/name", 1)], &["/price"]);
        check(&json!({"name": "Ash chair", "article": "4"}), &[2], &[("/name", 2)], &["/article"]);
        check(&json!(["Delivery in two weeks", true, null]), &[3], &[("/0", 3)], &[]);
        check(&json!("Ash chair"), &[], &[], &[""]);
        check(&json!("Ash chair"), &[999], &[], &[""]);
    }

    #[test]
    fn an_item_ends_where_the_next_begins() {
        let page: Vec<String> = PAGE.lines().map(str::to_owned).collect();
        assert_eq!(place(&json!("two weeks"), &[1], Some(2), &page).unverified, [""]);
        assert_eq!(place(&json!("two weeks"), &[1], None, &page).lines[""], 4);
    }
}
