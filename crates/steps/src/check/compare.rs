//! Compares texts, values, URLs and variables.

use legwork_observe::numbers;
use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::EvidenceKind;

use super::{
    finding::{Evaluation, Facts, Finding, cannot_tell, fails, holds},
    visibility::text,
};
use crate::{
    ast::{Comparison, Scope, TargetPhrase},
    describe::{describe, nearest},
    element_kind::ElementKind,
    find::{self, Purpose},
    name_match::{self, MatchQuality, normalize_whitespace},
    properties,
    roles::{is_control, is_field},
    scope,
};

/// Compares two texts. `Is` requires equality except for white space at the ends; numbers are compared as numbers.
pub(super) fn fits(found: &str, comparison: Comparison, value: &str) -> bool {
    let (found, value) = (normalize_whitespace(found), normalize_whitespace(value));
    let numbers = || Some((amount(&found)?, numbers::written(&value)? * numbers::factor(&value)));
    match comparison {
        Comparison::Is => found == value || is_number(&found, &value),
        Comparison::Contains => found.to_lowercase().contains(&value.to_lowercase()),
        Comparison::StartsWith => found.to_lowercase().starts_with(&value.to_lowercase()),
        Comparison::EndsWith => found.to_lowercase().ends_with(&value.to_lowercase()),
        Comparison::Matches => matches(&found, &value),
        Comparison::More => numbers().is_some_and(|(a, b)| a > b),
        Comparison::Less => numbers().is_some_and(|(a, b)| a < b),
        Comparison::AtLeast => numbers().is_some_and(|(a, b)| a >= b),
        Comparison::AtMost => numbers().is_some_and(|(a, b)| a <= b),
    }
}

/// The number that a text of the page states, with its unit of thousands (`120 k`). A debit or credit may be negative.
fn amount(found: &str) -> Option<f64> {
    numbers::value(found).filter(|_| !numbers::is_of_unknown_sign(found)).map(|number| number * numbers::factor(found))
}

/// Whether both are the same number: `1734.5` for `$1,734.50`, `-1234.50` for `-€ 1.234,50`, `$99.5` for `$99.50`. An
/// ambiguous number (`1,734`) is compared as text, and amounts in different currencies are not equal.
fn is_number(found: &str, value: &str) -> bool {
    let single = |text: &str| {
        let mut readings = numbers::readings(text);
        let first = readings.next()?;
        let number = text.parse().ok().or_else(|| numbers::value(text).filter(|_| numbers::is_number(text)))?;
        let is_exact = !numbers::is_rough(text) && !numbers::is_of_unknown_sign(text);
        (is_exact && readings.all(|other| numbers::is_near(other, first))).then_some(number * numbers::factor(text))
    };
    let words = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphabetic() || numbers::MONEY_SIGNS.contains(c)).collect()
    };
    let is_plain = value.parse::<f64>().is_ok();
    let pair: Option<(f64, f64)> = single(found).zip(single(value));
    pair.is_some_and(|(found, value)| numbers::is_near(found, value)) && (is_plain || words(found) == words(value))
}

/// `/regular expression/`, or a text in which `*` is a wildcard. A pattern that is no regular expression matches
/// nothing.
pub(super) fn matches(found: &str, pattern: &str) -> bool {
    compiled(pattern).is_ok_and(|regex| regex.is_match(found))
}

fn compiled(pattern: &str) -> Result<regex::Regex, regex::Error> {
    let source = match pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        Some(expression) if !expression.is_empty() && !expression.contains("/*") => expression.to_owned(),
        _ => format!("^{}$", pattern.split('*').map(regex::escape).collect::<Vec<_>>().join(".*")),
    };
    regex::RegexBuilder::new(&source).size_limit(1 << 20).build()
}

/// Whether the comparison is possible: only numbers can be more or less than another.
fn is_comparable(found: &str, comparison: Comparison, value: &str) -> bool {
    !comparison.is_of_numbers() || (amount(found).is_some() && numbers::written(value).is_some())
}

pub(super) fn compared(subject: &str, found: &str, comparison: Comparison, value: &str, kind: EvidenceKind) -> Finding {
    let fact = format!("{subject} is “{}”", normalize_whitespace(found));
    if fits(found, comparison, value) {
        return holds(kind, fact);
    }
    if comparison == Comparison::Matches
        && let Err(error) = compiled(value)
    {
        // The last line of the error states the cause; the others show the place.
        let cause = error.to_string();
        let cause = cause.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        return cannot_tell(format!("“{value}” is no regular expression: {cause}"));
    }
    if !is_comparable(found, comparison, value) {
        return cannot_tell(format!("{fact}, that is not a number"));
    }
    if comparison == Comparison::Is && differs_in_capitals(found, value) {
        // It is not exactly equal, but people would not call it different.
        return cannot_tell(format!(
            "{fact}, which differs from “{value}” in capitals only: write it as the page does"
        ));
    }
    let expected = match comparison {
        Comparison::Is => format!("not “{value}”"),
        Comparison::Contains => format!("it does not contain “{value}”"),
        _ => format!("expected {} {value}", comparison.word()),
    };
    fails(format!("{fact}, {expected}"), Vec::new())
}

fn differs_in_capitals(found: &str, value: &str) -> bool {
    normalize_whitespace(found).to_lowercase() == normalize_whitespace(value).to_lowercase()
}

/// Compares URLs without a trailing `/`; a path is compared with the path. A value may be written as it reads (`q=a b`)
/// or as the URL has it (`q=a%20b`).
pub(super) fn address(url: &str, comparison: Comparison, value: &str) -> Finding {
    let trimmed = |text: &str| text.trim_end_matches('/').to_owned();
    let path = url::Url::parse(url)
        .ok()
        .map(|parsed| url[parsed[..url::Position::BeforePath].len().min(url.len())..].to_owned());
    let read = percent_encoding::percent_decode_str(url).decode_utf8_lossy().replace('+', " ");
    let same = match comparison {
        Comparison::Is => {
            let value = trimmed(value);
            trimmed(url) == value
                || trimmed(url.trim_start_matches("https://").trim_start_matches("http://")) == value
                || (value.starts_with('/') && path.as_deref().is_some_and(|path| trimmed(path) == value))
                || (value.is_empty() && path.as_deref() == Some("/"))
        }
        Comparison::EndsWith => fits(url, comparison, value) || trimmed(url).ends_with(&trimmed(value)),
        Comparison::StartsWith => {
            fits(url, comparison, value)
                || (value.starts_with('/') && path.as_deref().is_some_and(|path| path.starts_with(value)))
        }
        Comparison::Matches => matches(url, value) || path.as_deref().is_some_and(|path| matches(path, value)),
        _ => fits(url, comparison, value) || (read != url && fits(&read, comparison, value)),
    };
    if same {
        return holds(EvidenceKind::Url, format!("the address is {url}"));
    }
    let how = if comparison == Comparison::Is { String::new() } else { format!("{} ", comparison.word()) };
    fails(format!("the address is {url}, not {how}{value}"), Vec::new())
}

/// The text of an element: the value of a field, otherwise its text.
pub(super) fn value_of(page: &Snapshot, at: NodeIndex) -> String {
    let node = &page.nodes[at];
    let role = node.role.as_ref();
    let names = |is_meant: &dyn Fn(NodeIndex) -> bool| {
        let meant = page.below(at).filter(|below| is_meant(*below));
        meant.map(|below| page.nodes[below].name.to_string()).collect::<Vec<_>>().join(", ")
    };
    match (&node.value, role) {
        (Some(value), _) => value.to_string(),
        _ if is_field(role) || node.states.editable() => String::new(),
        (None, "combobox" | "listbox") => names(&|option| page.nodes[option].states.selected()),
        (None, "radiogroup" | "group") => names(&|choice| page.nodes[choice].states.checked()),
        (None, _) => name_match::content(page, at),
    }
}

/// The element of a condition about a text or value. Fields and lists have priority, because they have values.
fn resolve(subject: &TargetPhrase, facts: &Facts<'_>) -> Option<NodeIndex> {
    let page = facts.page;
    if subject.kind.is_none()
        && subject.raw.is_none()
        && let Ok(found) = find::all(page, subject, Purpose::Set)
        && let [one] = found.as_slice()
        // A checkbox in a row has only the checked state.
        && !page.has_role(*one, &["group", "checkbox", "radio", "switch"])
    {
        return Some(*one);
    }
    find::one(page, subject, Purpose::Any).ok()
}

/// Whether a text comes from a variable or is a number: it is then compared as it is.
fn is_value(literal: &str, facts: &Facts<'_>) -> bool {
    let is_of = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => !text.trim().is_empty() && literal.contains(text.trim()),
        other => format!("{other}") == literal,
    };
    literal.is_empty() || numbers::written(literal).is_some() || facts.variables.values().any(is_of)
}

/// The words of a subject that is only a literal: `"42" is "42"` after variables were replaced.
fn plain(subject: &TargetPhrase) -> Option<&str> {
    let is_plain = subject.kind.is_none() && subject.scopes.is_empty() && subject.ordinal.is_none();
    let name = subject.name.as_deref().filter(|_| is_plain);
    name.or_else(|| (!subject.quoted).then_some(subject.source_text.as_str()))
}

pub(super) fn says(subject: &TargetPhrase, comparison: Comparison, value: &str, facts: &Facts<'_>) -> Evaluation {
    let page = facts.page;
    scope::require_places(page, &subject.scopes)?;
    if let Some(name) = &subject.property {
        let found = properties::value(page, name, Some(&subject.owner()))?;
        return Ok(compared(&format!("the {}", subject.source_text), &found, comparison, value, EvidenceKind::Element));
    }
    let literal = plain(subject).filter(|literal| literal.starts_with("${") || is_value(literal, facts));
    if let Some(finding) = literal.and_then(|literal| literal_says(literal, subject, comparison, value, facts)) {
        return Ok(finding);
    }
    let is_message = subject.kind.is_some_and(ElementKind::is_message) && subject.name.is_none();
    if is_message || subject.kind == Some(ElementKind::Heading) {
        return any_says(subject, comparison, value, page);
    }
    if comparison == Comparison::Contains && subject.is_container() && subject.kind != Some(ElementKind::Dropdown) {
        let place = match subject.kind {
            Some(ElementKind::Column) => Scope::Column(subject.clone()),
            _ => Scope::In(subject.clone()),
        };
        scope::require_places(page, std::slice::from_ref(&place))?;
        let source_text = format!("“{value}” in {}", subject.source_text);
        return text(value, &TargetPhrase { scopes: vec![place], source_text, ..TargetPhrase::named(value) }, page);
    }
    if let Some(at) = resolve(subject, facts) {
        return Ok(element_says(page, at, subject, comparison, value));
    }
    if let Some(name) = subject.name.as_deref().filter(|name| !subject.quoted && facts.variables.contains_key(*name)) {
        return Ok(variable(name, comparison, value, facts));
    }
    match (find::one(page, subject, Purpose::Any), plain(subject)) {
        (Ok(at), _) => Ok(cannot_tell(format!("{} has no value", describe(page, at)))),
        // `"42" is "43"`: two values, if there is no element with that name.
        (Err(_), Some(literal)) if is_value(literal, facts) => {
            Ok(compared("the value", literal, comparison, value, EvidenceKind::Variable))
        }
        (Err(unresolved), _) => Err(unresolved.into()),
    }
}

/// Compares a literal or a variable with a value.
fn literal_says(
    literal: &str,
    subject: &TargetPhrase,
    comparison: Comparison,
    value: &str,
    facts: &Facts<'_>,
) -> Option<Finding> {
    if let Some(name) = literal.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
        && !literal.contains("secret:")
    {
        return Some(variable(name, comparison, value, facts));
    }
    if comparison == Comparison::Is && normalize_whitespace(literal) == normalize_whitespace(value) {
        return Some(holds(EvidenceKind::Variable, format!("“{literal}” is “{value}”")));
    }
    // A number is compared as a literal, unless the page has an element with that name.
    let is_number = numbers::written(literal).is_some()
        && (comparison != Comparison::Is || resolve(subject, facts).is_none())
        && !literal.contains(char::is_alphabetic);
    is_number.then(|| compared("the value", literal, comparison, value, EvidenceKind::Variable))
}

fn element_says(
    page: &Snapshot,
    at: NodeIndex,
    subject: &TargetPhrase,
    comparison: Comparison,
    value: &str,
) -> Finding {
    let node = &page.nodes[at];
    let found = value_of(page, at);
    let what = if page.role(at) == "text" { "the text".to_owned() } else { describe(page, at) };
    if node.states.secret() && !value.is_empty() {
        return cannot_tell(format!("{what} holds a secret, which is not compared"));
    }
    let own = compared(&what, &found, comparison, value, EvidenceKind::Element);
    let Some(label) = subject.name.as_deref().filter(|_| subject.kind.is_none() && !own.holds()) else { return own };
    let others = others_of_entry(page, at);
    if others.len() > 1 {
        return entry_says(label, &others, comparison, value);
    }
    if let Some(beside) = name_match::labelled_value(page, at, label) {
        // `"Total" is "$12"`: the named text is only the label.
        return compared(&format!("“{label}”"), &beside, comparison, value, EvidenceKind::Element);
    }
    if differs_in_capitals(&found, label) && !is_field(&node.role) && node.value.is_none() {
        return cannot_tell(format!("{what} is only its name, and nothing beside it says what it is"));
    }
    own
}

/// The rest of the entry that contains a text: the other cells of its row, the other texts of its list item.
fn others_of_entry(page: &Snapshot, at: NodeIndex) -> Vec<String> {
    let is_entry = |up: &NodeIndex| page.has_role(*up, &["row", "listitem"]);
    if is_control(&page.nodes[at].role) && page.role(at) != "link" {
        return Vec::new();
    }
    let Some(entry) = page.ancestors(at).find(is_entry) else { return Vec::new() };
    let is_cell = |node: NodeIndex| page.has_role(node, &["cell", "gridcell", "rowheader"]);
    let parts: Vec<NodeIndex> = if page.below(entry).any(is_cell) {
        page.below(entry).filter(|node| is_cell(*node)).collect()
    } else {
        page.below(entry).filter(|node| page.role(*node) == "text").collect()
    };
    let is_other = |part: &NodeIndex| *part != at && !page.below(*part).contains(&at) && !page.below(at).contains(part);
    let texts = parts.into_iter().filter(is_other).map(|part| normalize_whitespace(&name_match::content(page, part)));
    texts.filter(|text| !text.is_empty()).collect()
}

/// `"Globex" is "Paid"`: one of the other cells of its row contains it. For numeric comparisons the sentence must name
/// the cell.
fn entry_says(label: &str, others: &[String], comparison: Comparison, value: &str) -> Finding {
    let what = format!("the entry “{label}”");
    let compares_numbers = comparison.is_of_numbers();
    if let Some(found) = others.iter().find(|text| fits(text, comparison, value)).filter(|_| !compares_numbers) {
        return holds(EvidenceKind::Element, format!("{what} says “{found}”"));
    }
    let comparable: Vec<&String> = others.iter().filter(|text| is_comparable(text, comparison, value)).collect();
    match comparable.as_slice() {
        [one] if compares_numbers => return compared(&what, one, comparison, value, EvidenceKind::Element),
        _ if compares_numbers => {
            return cannot_tell(format!(
                "{what} has {} numbers; name the column: `the … of \"{label}\"`",
                comparable.len()
            ));
        }
        _ => {}
    }
    if let Some(found) = others.iter().find(|text| comparison == Comparison::Is && differs_in_capitals(text, value)) {
        return compared(&what, found, comparison, value, EvidenceKind::Element);
    }
    let said: Vec<String> = others.iter().take(5).map(|text| format!("“{text}”")).collect();
    fails(format!("{what} does not say “{value}”: it says {}", said.join(", ")), Vec::new())
}

/// `the heading is "Welcome"`: at least one of them matches.
fn any_says(subject: &TargetPhrase, comparison: Comparison, value: &str, page: &Snapshot) -> Evaluation {
    let mut found = find::matching(page, subject, MatchQuality::Words)?;
    if found.is_empty() {
        let hint = find::column_hint(page, subject).map(|hint| format!("; {hint}")).unwrap_or_default();
        return Ok(cannot_tell(format!("there is no {}{hint}", subject.source_text)));
    }
    let is_message = subject.kind.is_some_and(ElementKind::is_message);
    let comparison = if is_message && comparison == Comparison::Is { Comparison::Contains } else { comparison };
    let kind = subject.kind.map_or("element", ElementKind::word);
    let near = nearest(page, value, found.iter().copied());
    if subject.ordinal.is_some() {
        found = find::one(page, subject, Purpose::Any).into_iter().collect();
    }
    let text_of = |at: NodeIndex| match page.nodes[at].name.as_ref() {
        "" => name_match::content(page, at),
        name => name.to_owned(),
    };
    Ok(match found.into_iter().map(text_of).find(|text| fits(text, comparison, value)) {
        Some(text) => holds(EvidenceKind::Element, format!("the {kind} says “{}”", normalize_whitespace(&text))),
        None => {
            let says = if comparison == Comparison::Is { "says" } else { "contains" };
            fails(format!("no {kind} {says} “{value}”"), near)
        }
    })
}

pub(super) fn variable(name: &str, comparison: Comparison, value: &str, facts: &Facts<'_>) -> Finding {
    let Some(found) = facts.variables.get(name) else {
        let mut names: Vec<(f64, &String)> =
            facts.variables.keys().map(|known| (strsim::jaro_winkler(known, name), known)).collect();
        names.sort_by(|a, b| b.0.total_cmp(&a.0));
        return Finding::Inconclusive {
            why: format!("the variable {name} is not set"),
            nearest: names.into_iter().take(5).map(|(_, known)| known.clone()).collect(),
        };
    };
    let text = match found {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    compared(&format!("the variable {name}"), &text, comparison, value, EvidenceKind::Variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_as_it_is_written_and_as_it_reads() {
        let url = "http://a.test/find?q=a%20b&c=d+e";
        let holds = |value: &str| matches!(address(url, Comparison::Contains, value), Finding::Holds(_));
        assert!(holds("q=a%20b") && holds("q=a b") && holds("c=d+e") && holds("c=d e"));
        assert!(!holds("q=ab") && !holds("q=a+b"));
    }
}
