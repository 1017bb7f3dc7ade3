//! Holding a condition against the facts.

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{DialogInfo, DownloadInfo, Evidence, EvidenceKind, PageEffect};

use super::{Facts, Finding, Op, State, What};
use crate::decide::{
    find::{self, Purpose, describe},
    kinds::{self, Kind},
    names::{self, Tier, squeeze},
    places,
    target::Phrase,
    values,
};

pub(super) fn judge(what: &What, facts: &Facts<'_>) -> Finding {
    match what {
        What::Shown(phrase) => shown(phrase, facts.page),
        What::Says { subject, op, value } => says(subject, *op, value, facts),
        What::State { subject, state } => has_state(subject, *state, facts.page),
        What::Empty(subject) => empty(subject, facts.page),
        What::Title { op, value } => compared("the title", &facts.page.title, *op, value, EvidenceKind::Title),
        What::Address { op, value } => address(&facts.page.url, *op, value),
        What::Count { things, op, number } => count(things, *op, *number, facts.page),
        What::Variable { name, op, value } => variable(name, *op, value, facts),
        What::Downloaded(name) => downloaded(name.as_deref(), facts.effects),
        What::Dialog { op, value } => dialog(*op, value.as_deref(), facts),
        What::Tabs { op, number } => {
            let there = facts.page.tabs.len().max(1);
            let fact = format!("{} {} open", there, plural("tab", there));
            decided(
                number_fits(there, *op, *number),
                EvidenceKind::Tab,
                fact,
                || format!("expected {} {}", op.word(), number),
                tabs(facts.page),
            )
        }
        What::Not(inner) => not(inner, facts),
        What::All(all) => {
            let mut evidence = Vec::new();
            for what in all {
                match judge(what, facts) {
                    Finding::Holds(more) => evidence.extend(more),
                    fails => return fails,
                }
            }
            Finding::Holds(evidence)
        }
        What::Either(all) => {
            let mut whys = Vec::new();
            let mut near = Vec::new();
            for what in all {
                match judge(what, facts) {
                    Finding::Fails { why, nearest } => {
                        whys.push(why);
                        near.extend(nearest);
                    }
                    holds => return holds,
                }
            }
            near.truncate(5);
            Finding::Fails { why: whys.join("; and "), nearest: near }
        }
    }
}

fn holds(kind: EvidenceKind, fact: impl Into<String>) -> Finding {
    Finding::Holds(vec![Evidence::checked(kind, fact)])
}

fn fails(why: impl Into<String>, nearest: Vec<String>) -> Finding {
    Finding::Fails { why: why.into(), nearest }
}

fn decided(
    yes: bool,
    kind: EvidenceKind,
    fact: String,
    expected: impl Fn() -> String,
    nearest: Vec<String>,
) -> Finding {
    if yes { holds(kind, fact) } else { fails(format!("{fact}; {}", expected()), nearest) }
}

fn plural(word: &str, count: usize) -> String {
    if count == 1 {
        return word.to_owned();
    }
    match word {
        "switch" | "search" => format!("{word}es"),
        _ if word.ends_with('x') || word.ends_with("ch") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

fn tabs(page: &Snapshot) -> Vec<String> {
    page.tabs.iter().take(5).map(|tab| format!("tab {} \"{}\"", tab.number, tab.title)).collect()
}

/// The negation of a condition that cannot be judged (no such element to have a state) does not hold either.
fn not(inner: &What, facts: &Facts<'_>) -> Finding {
    match inner {
        What::State { subject, .. } | What::Empty(subject) => {
            if let Err(unresolved) = find::one(facts.page, subject, Purpose::Any)
                .or_else(|failed| state_subject(facts.page, subject).ok_or(failed))
            {
                return fails(unresolved.to_string(), Vec::new());
            }
        }
        What::Says { subject, .. } => {
            if values::number(&subject.said).is_none()
                && resolve(subject, facts).is_none()
                && !known(subject, facts)
                && plain(subject).is_none()
            {
                return match find::one(facts.page, subject, Purpose::Any) {
                    Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
                    Ok(_) => fails(format!("there is no {}", subject.said), Vec::new()),
                };
            }
        }
        What::Variable { name, .. } if !facts.variables.contains_key(name) => return judge(inner, facts),
        _ => {}
    }
    match judge(inner, facts) {
        Finding::Holds(evidence) => {
            fails(evidence.into_iter().map(|evidence| evidence.fact).collect::<Vec<_>>().join("; "), Vec::new())
        }
        Finding::Fails { why, .. } => match inner {
            What::Shown(phrase) => holds(EvidenceKind::Text, format!("{} is not on the page", said(phrase))),
            What::Count { .. } => holds(EvidenceKind::Element, why),
            What::Title { .. } => holds(EvidenceKind::Title, format!("the title is “{}”", facts.page.title)),
            What::Address { .. } => holds(EvidenceKind::Url, format!("the address is {}", facts.page.url)),
            What::Variable { .. } => holds(EvidenceKind::Variable, why),
            What::Downloaded(_) => holds(EvidenceKind::Download, "no such file was downloaded"),
            What::Dialog { .. } => holds(EvidenceKind::Dialog, why),
            What::Tabs { .. } => holds(EvidenceKind::Tab, why),
            _ => holds(EvidenceKind::Element, why),
        },
    }
}

fn said(phrase: &Phrase) -> String {
    match (&phrase.name, phrase.kind, phrase.places.is_empty()) {
        (Some(name), None, true) => format!("“{name}”"),
        _ => phrase.said.clone(),
    }
}

/// Kinds that are content: a part of what they say is enough. Of a control the whole name has to fit.
fn by_part(kind: Option<Kind>) -> bool {
    matches!(
        kind,
        None | Some(
            Kind::Heading
                | Kind::Row
                | Kind::Cell
                | Kind::Item
                | Kind::Text
                | Kind::Alert
                | Kind::Dialog
                | Kind::Region
                | Kind::Any
                | Kind::Image
                | Kind::Icon
                | Kind::Main
                | Kind::Table
                | Kind::List
        )
    )
}

fn shown(phrase: &Phrase, page: &Snapshot) -> Finding {
    if phrase.raw.is_some() {
        return match find::one(page, phrase, Purpose::Any) {
            Ok(at) => holds(EvidenceKind::Element, format!("{} is on the page", describe(page, at))),
            Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
        };
    }
    let text_only =
        matches!(phrase.kind, None | Some(Kind::Text)) && phrase.ordinal.is_none() && phrase.placeholder.is_none();
    if let (true, Some(name)) = (text_only, &phrase.name) {
        return text(name, phrase, page);
    }
    if phrase.kind == Some(Kind::Dialog)
        && let (Some(dialog), true) = (&page.dialog, phrase.places.is_empty())
        && phrase
            .name
            .as_ref()
            .or(phrase.contains.first())
            .is_none_or(|text| squeeze(&dialog.message).to_lowercase().contains(&squeeze(text).to_lowercase()))
    {
        return holds(EvidenceKind::Dialog, format!("a dialog is open: “{}”", dialog.message));
    }
    let down_to = if by_part(phrase.kind) { Tier::Words } else { Tier::Bare };
    match find::matching(page, phrase, down_to) {
        Ok(found) if !found.is_empty() => {
            if phrase.ordinal.is_some() && find::one(page, phrase, Purpose::Any).is_err() {
                return fails(format!("there is no {}: {} of them", phrase.said, found.len()), Vec::new());
            }
            let more = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
            holds(EvidenceKind::Element, format!("{}{more} is on the page", describe(page, found[0])))
        }
        Ok(_) => {
            // A message, a heading or a dialog that says it somewhere inside.
            if by_part(phrase.kind)
                && let (Some(kind), Some(name)) = (phrase.kind, &phrase.name)
            {
                let unnamed = Phrase { name: None, ..phrase.clone() };
                let low = squeeze(name).to_lowercase();
                let inside = find::matching(page, &unnamed, Tier::Exact).unwrap_or_default();
                if let Some(at) =
                    inside.into_iter().find(|at| squeeze(&names::content(page, *at)).to_lowercase().contains(&low))
                {
                    return holds(
                        EvidenceKind::Element,
                        format!("the {} says “{}”", kind.word(), excerpt(&names::content(page, at), &low)),
                    );
                }
            }
            let word = phrase.name.as_deref().or(phrase.contains.first().map(String::as_str)).unwrap_or_default();
            let kind = phrase.kind;
            let near = find::nearest(
                page,
                word,
                (1..page.nodes.len()).filter(|at| kind.is_none_or(|kind| kind.fits(&page.nodes[*at]) == Some(0))),
            );
            fails(format!("there is no {}", phrase.said), near)
        }
        Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
    }
}

/// Whether the page, or the part of it that is meant, says a text.
fn text(name: &str, phrase: &Phrase, page: &Snapshot) -> Finding {
    let ranges = match places::ranges(page, &phrase.places) {
        Ok(ranges) => ranges,
        Err(unresolved) => return fails(unresolved.to_string(), Vec::new()),
    };
    let wanted = squeeze(name);
    let low = wanted.to_lowercase();
    if low.is_empty() {
        return fails("an empty text says nothing", Vec::new());
    }
    let place = if phrase.places.is_empty() { String::new() } else { format!(" ({})", phrase.said) };
    let next_to = phrase.places.iter().any(|place| {
        !matches!(
            place,
            crate::decide::target::Place::In(_)
                | crate::decide::target::Place::Column(_)
                | crate::decide::target::Place::Under(_)
                | crate::decide::target::Place::For(_)
        )
    });
    if next_to {
        return match find::matching(page, phrase, Tier::Words) {
            Ok(found) if !found.is_empty() => {
                holds(EvidenceKind::Text, format!("{} is there{place}", describe(page, found[0])))
            }
            Ok(_) => fails(format!("“{name}” is not there{place}"), Vec::new()),
            Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
        };
    }
    let mut loose = None;
    for at in ranges.iter().cloned().flatten() {
        let node = &page.nodes[at];
        let label = |attribute: Option<&str>| attribute.map(squeeze);
        let value = node.value.as_deref().filter(|_| !node.states.secret());
        let mut texts = vec![squeeze(&node.name)];
        texts.extend(value.map(squeeze));
        texts.extend(label(node.attributes.as_ref().and_then(|a| a.placeholder.as_deref())));
        for text in texts {
            if text.contains(&wanted) {
                return holds(EvidenceKind::Text, evidence_of(page, at, &text, &low, &place));
            }
            if loose.is_none() && text.to_lowercase().contains(&low) {
                loose = Some(evidence_of(page, at, &text, &low, &place));
            }
        }
    }
    if let Some(fact) = loose {
        return holds(EvidenceKind::Text, fact);
    }
    // Over several elements: `Welcome, <b>Ada</b>`.
    for range in &ranges {
        let mut joined = String::new();
        for node in &page.nodes[range.clone()] {
            if !node.name.is_empty() && !joined.ends_with(node.name.as_ref()) {
                if !joined.is_empty() && !node.name.starts_with([',', '.', '!', ':', ';', ')', '?']) {
                    joined.push(' ');
                }
                joined.push_str(&node.name);
            }
        }
        let joined = squeeze(&joined);
        if joined.to_lowercase().contains(&low) {
            return holds(EvidenceKind::Text, format!("the page says “{}”{place}", excerpt(&joined, &low)));
        }
    }
    if let Some(dialog) = &page.dialog
        && squeeze(&dialog.message).to_lowercase().contains(&low)
    {
        return holds(EvidenceKind::Dialog, format!("the dialog says “{}”", dialog.message));
    }
    let nearest = find::nearest(page, name, ranges.into_iter().flatten().filter(|at| !page.nodes[*at].name.is_empty()));
    let cut = if page.cut.is_empty() { "" } else { "; the page was too large to be seen whole" };
    fails(format!("“{name}” is not on the page{place}{cut}"), nearest)
}

fn evidence_of(page: &Snapshot, at: NodeIndex, text: &str, low: &str, place: &str) -> String {
    let node = &page.nodes[at];
    match node.role.as_ref() {
        "text" | "generic" | "paragraph" => format!("the page says “{}”{place}", excerpt(text, low)),
        role if kinds::is_field(role) && squeeze(&node.name) != text => {
            format!("{} holds “{}”{place}", describe(page, at), excerpt(text, low))
        }
        role => format!("{role} “{}” is on the page{place}", excerpt(text, low)),
    }
}

/// The text around what was looked for, at most a line.
fn excerpt(text: &str, low: &str) -> String {
    const MOST: usize = 100;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let at = text.to_lowercase().find(low).unwrap_or_default();
    let before = text.char_indices().take_while(|(index, _)| *index < at).count().saturating_sub(20);
    let part: String = text.chars().skip(before).take(MOST).collect();
    format!("{}{part}…", if before > 0 { "…" } else { "" })
}

impl Op {
    pub(super) fn word(self) -> &'static str {
        match self {
            Op::Is => "exactly",
            Op::Contains => "containing",
            Op::StartsWith => "starting with",
            Op::EndsWith => "ending with",
            Op::Matches => "matching",
            Op::More => "more than",
            Op::Less => "less than",
            Op::AtLeast => "at least",
            Op::AtMost => "at most",
        }
    }
}

fn number_fits(there: usize, op: Op, number: usize) -> bool {
    match op {
        Op::More => there > number,
        Op::Less => there < number,
        Op::AtLeast => there >= number,
        Op::AtMost => there <= number,
        _ => there == number,
    }
}

/// Compares two texts. `Is` is exact but for white space at the ends; numbers compare as numbers.
fn fits(found: &str, op: Op, value: &str) -> bool {
    let (found, value) = (squeeze(found), squeeze(value));
    let numbers = || Some((values::number(&found)?, values::number(&value)?));
    match op {
        Op::Is => found == value || matches!((found.parse::<f64>(), value.parse::<f64>()), (Ok(a), Ok(b)) if a == b),
        Op::Contains => found.to_lowercase().contains(&value.to_lowercase()),
        Op::StartsWith => found.to_lowercase().starts_with(&value.to_lowercase()),
        Op::EndsWith => found.to_lowercase().ends_with(&value.to_lowercase()),
        Op::Matches => matches(&found, &value),
        Op::More => numbers().is_some_and(|(a, b)| a > b),
        Op::Less => numbers().is_some_and(|(a, b)| a < b),
        Op::AtLeast => numbers().is_some_and(|(a, b)| a >= b),
        Op::AtMost => numbers().is_some_and(|(a, b)| a <= b),
    }
}

/// `/regular expression/`, or a text in which `*` stands for anything.
fn matches(found: &str, pattern: &str) -> bool {
    let source = match pattern.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        Some(expression) if !expression.is_empty() && !expression.contains("/*") => expression.to_owned(),
        _ => format!("^{}$", pattern.split('*').map(regex::escape).collect::<Vec<_>>().join(".*")),
    };
    regex::RegexBuilder::new(&source).size_limit(1 << 20).build().is_ok_and(|regex| regex.is_match(found))
}

fn compared(subject: &str, found: &str, op: Op, value: &str, kind: EvidenceKind) -> Finding {
    let fact = format!("{subject} is “{}”", squeeze(found));
    if fits(found, op, value) {
        return holds(kind, fact);
    }
    let numeric = matches!(op, Op::More | Op::Less | Op::AtLeast | Op::AtMost);
    let expected = match op {
        Op::Is => format!("not “{value}”"),
        Op::Contains => format!("it does not contain “{value}”"),
        _ if numeric && values::number(found).is_none() => "that is not a number".to_owned(),
        _ => format!("expected {} {value}", op.word()),
    };
    fails(format!("{fact}, {expected}"), Vec::new())
}

/// Addresses compare without a `/` at the end; a path compares with the path.
fn address(url: &str, op: Op, value: &str) -> Finding {
    let trimmed = |text: &str| text.trim_end_matches('/').to_owned();
    let path = url::Url::parse(url)
        .ok()
        .map(|parsed| url[parsed[..url::Position::BeforePath].len().min(url.len())..].to_owned());
    let same = match op {
        Op::Is => {
            let value = trimmed(value);
            trimmed(url) == value
                || trimmed(url.trim_start_matches("https://").trim_start_matches("http://")) == value
                || (value.starts_with('/') && path.as_deref().is_some_and(|path| trimmed(path) == value))
                || (value.is_empty() && path.as_deref() == Some("/"))
        }
        Op::EndsWith => fits(url, op, value) || trimmed(url).ends_with(&trimmed(value)),
        Op::StartsWith => {
            fits(url, op, value)
                || (value.starts_with('/') && path.as_deref().is_some_and(|path| path.starts_with(value)))
        }
        Op::Matches => matches(url, value) || path.as_deref().is_some_and(|path| matches(path, value)),
        _ => fits(url, op, value),
    };
    if same {
        holds(EvidenceKind::Url, format!("the address is {url}"))
    } else {
        fails(
            format!("the address is {url}, not {} {value}", if op == Op::Is { "" } else { op.word() })
                .replace("not  ", "not "),
            Vec::new(),
        )
    }
}

/// What an element says: the value of a field, else its text.
fn value_of(page: &Snapshot, at: NodeIndex) -> String {
    let node = &page.nodes[at];
    let role = node.role.as_ref();
    match &node.value {
        Some(value) => value.to_string(),
        None if kinds::is_field(role) || node.states.editable() => String::new(),
        None if role == "combobox" || role == "listbox" => page
            .below(at)
            .filter(|option| page.nodes[*option].states.selected())
            .map(|option| page.nodes[option].name.to_string())
            .collect::<Vec<_>>()
            .join(", "),
        None if matches!(role, "radiogroup" | "group") => page
            .below(at)
            .filter(|choice| page.nodes[*choice].states.checked())
            .map(|choice| page.nodes[choice].name.to_string())
            .collect::<Vec<_>>()
            .join(", "),
        None => names::content(page, at),
    }
}

/// The element a condition about text or value is about: fields and lists come first, as these have values.
fn resolve(subject: &Phrase, facts: &Facts<'_>) -> Option<NodeIndex> {
    let page = facts.page;
    if subject.kind.is_none() && subject.raw.is_none() {
        if let Ok(found) = find::all(page, subject, Purpose::Set)
            && let [one] = found.as_slice()
            && page.nodes[*one].role.as_ref() != "group"
        {
            return Some(*one);
        }
    }
    find::one(page, subject, Purpose::Any).ok()
}

fn known(subject: &Phrase, facts: &Facts<'_>) -> bool {
    !subject.quoted && subject.name.as_ref().is_some_and(|name| facts.variables.contains_key(name))
}

/// The words of a subject that names nothing but itself: `"42" is "42"` after variables are resolved.
fn plain(subject: &Phrase) -> Option<&str> {
    (subject.kind.is_none() && subject.places.is_empty() && subject.ordinal.is_none())
        .then(|| subject.name.as_deref())
        .flatten()
        .or_else(|| (!subject.quoted).then_some(subject.said.as_str()))
}

fn says(subject: &Phrase, op: Op, value: &str, facts: &Facts<'_>) -> Finding {
    let page = facts.page;
    if let Some(literal) = plain(subject) {
        if let Some(name) = literal.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
            && !literal.contains("secret:")
        {
            return variable(name, op, value, facts);
        }
        if op == Op::Is && squeeze(literal) == squeeze(value) {
            return holds(EvidenceKind::Variable, format!("“{literal}” is “{value}”"));
        }
        // A number is compared as such, unless the page calls something so.
        if values::number(literal).is_some()
            && (op != Op::Is || resolve(subject, facts).is_none())
            && !literal.contains(char::is_alphabetic)
        {
            return compared("the value", literal, op, value, EvidenceKind::Variable);
        }
    }
    if subject.kind == Some(Kind::Heading) || (subject.kind == Some(Kind::Alert) && subject.name.is_none()) {
        return any_says(subject, op, value, page);
    }
    if subject.kind == Some(Kind::Row)
        || subject.kind == Some(Kind::Table)
        || subject.kind == Some(Kind::Dialog)
        || subject.kind == Some(Kind::Region)
        || subject.kind == Some(Kind::List)
    {
        if op == Op::Contains {
            let inside = Phrase {
                places: vec![crate::decide::target::Place::In(subject.clone())],
                said: format!("“{value}” in {}", subject.said),
                ..Phrase::named(value)
            };
            return text(value, &inside, page);
        }
    }
    match resolve(subject, facts) {
        Some(at) => {
            let node = &page.nodes[at];
            let found = value_of(page, at);
            let what = match node.role.as_ref() {
                "text" => "the text".to_owned(),
                _ => describe(page, at),
            };
            if node.states.secret() && op == Op::Is && !value.is_empty() {
                return fails(format!("{what} holds a secret, which is not compared"), Vec::new());
            }
            let labelled =
                subject.name.as_deref().is_some_and(|name| squeeze(name) == squeeze(&found)) && subject.kind.is_none();
            if labelled && op == Op::Is {
                // `"Total" is "$12"`: the element named is only the label; its value stands beside it.
                if let Some(beside) = beside_label(page, at, value) {
                    return holds(EvidenceKind::Element, format!("{what} is followed by “{beside}”"));
                }
            }
            match compared(&what, &found, op, value, EvidenceKind::Element) {
                Finding::Fails { why, .. } => fails(why, Vec::new()),
                holds => holds,
            }
        }
        None if known(subject, facts) => variable(subject.name.as_deref().unwrap_or_default(), op, value, facts),
        None => match find::one(page, subject, Purpose::Any) {
            Err(unresolved) => {
                // `"42" is "43"`: two values rather than an element, when there is no such element.
                if let (Some(literal), Op::Is, legwork_unresolved) =
                    (plain(subject).filter(|_| subject.quoted), op, &unresolved)
                    && matches!(legwork_unresolved, crate::decide::literal::Unresolved::None { candidates, .. } if candidates.is_empty())
                {
                    return fails(format!("“{literal}” is not “{value}”"), Vec::new());
                }
                fails(unresolved.to_string(), Vec::new())
            }
            Ok(at) => fails(format!("{} has no value", describe(page, at)), Vec::new()),
        },
    }
}

/// What follows a label in its row or list item, if it is the value.
fn beside_label(page: &Snapshot, at: NodeIndex, value: &str) -> Option<String> {
    let up = page.nodes[at].parent;
    let next = (page.nodes[at].end..page.nodes[up].end.max(page.nodes[at].end))
        .find(|next| !page.nodes[*next].name.is_empty())?;
    let found = names::content(page, next);
    (squeeze(&found) == squeeze(value)).then_some(found)
}

/// `the heading is "Welcome"`: one of them says so.
fn any_says(subject: &Phrase, op: Op, value: &str, page: &Snapshot) -> Finding {
    let found = match find::matching(page, subject, Tier::Words) {
        Ok(found) => found,
        Err(unresolved) => return fails(unresolved.to_string(), Vec::new()),
    };
    let op = if subject.kind == Some(Kind::Alert) && op == Op::Is { Op::Contains } else { op };
    let kind = subject.kind.map_or("element", Kind::word);
    for at in &found {
        if subject.ordinal.is_none() || find::one(page, subject, Purpose::Any) == Ok(*at) {
            let text = if page.nodes[*at].name.is_empty() {
                names::content(page, *at)
            } else {
                page.nodes[*at].name.to_string()
            };
            if fits(&text, op, value) {
                return holds(EvidenceKind::Element, format!("the {kind} says “{}”", squeeze(&text)));
            }
        }
    }
    let nearest = find::nearest(page, value, found.iter().copied());
    fails(format!("no {kind} {} “{value}”", if op == Op::Is { "says" } else { "contains" }), nearest)
}

/// Elements that have states, for subjects without a kind.
fn state_subject(page: &Snapshot, subject: &Phrase) -> Option<NodeIndex> {
    [Purpose::Tick, Purpose::Set, Purpose::Click].into_iter().find_map(|purpose| find::one(page, subject, purpose).ok())
}

fn has_state(subject: &Phrase, state: State, page: &Snapshot) -> Finding {
    let purposes: &[Purpose] = match state {
        State::Checked | State::Unchecked => &[Purpose::Tick, Purpose::Any],
        State::Selected => &[Purpose::Tick, Purpose::Click, Purpose::Any],
        State::Required | State::Readonly | State::Invalid | State::Editable => &[Purpose::Set, Purpose::Any],
        State::Expanded | State::Collapsed => &[Purpose::Expand, Purpose::Any],
        _ => &[Purpose::Click, Purpose::Set, Purpose::Any],
    };
    let mut failure = None;
    for purpose in purposes {
        match find::one(page, subject, *purpose) {
            Ok(at) => return state_of(page, at, state, subject),
            Err(unresolved) => failure = failure.or(Some(unresolved)),
        }
    }
    // `"Red" is selected`: the value of a list.
    if state == State::Selected
        && let Some(name) = &subject.name
        && let Some(list) = (1..page.nodes.len()).find(|at| {
            matches!(page.nodes[*at].role.as_ref(), "combobox" | "listbox")
                && page.nodes[*at].value.as_deref() == Some(name.as_str())
        })
    {
        return holds(EvidenceKind::Element, format!("{} is “{name}”", describe(page, list)));
    }
    fails(failure.map(|unresolved| unresolved.to_string()).unwrap_or_default(), Vec::new())
}

fn state_of(page: &Snapshot, at: NodeIndex, state: State, subject: &Phrase) -> Finding {
    let node = &page.nodes[at];
    let states = node.states;
    let listed = || {
        page.ancestors(at)
            .find(|up| matches!(page.nodes[*up].role.as_ref(), "combobox" | "listbox"))
            .is_some_and(|list| page.nodes[list].value.as_deref() == Some(node.name.as_ref()) && !node.name.is_empty())
    };
    let (is, word) = match state {
        State::Checked => (states.checked() || states.pressed(), "checked"),
        State::Unchecked => (!states.checked() && !states.mixed() && !states.pressed(), "unchecked"),
        State::Enabled => (!states.disabled(), "enabled"),
        State::Disabled => (states.disabled(), "disabled"),
        State::Selected => {
            (states.selected() || states.checked() || states.current() || states.pressed() || listed(), "selected")
        }
        State::Expanded => (states.expanded(), "expanded"),
        State::Collapsed => (states.collapsed(), "collapsed"),
        State::Focused => (states.focused(), "focused"),
        State::Pressed => (states.pressed(), "pressed"),
        State::Required => (states.required(), "required"),
        State::Readonly => (states.readonly(), "read-only"),
        State::Invalid => (states.invalid(), "invalid"),
        State::Current => (states.current(), "current"),
        State::Editable => (states.editable() && !states.readonly() && !states.disabled(), "editable"),
        State::Busy => (states.busy(), "busy"),
    };
    let _ = subject;
    let what = describe(page, at).replace(" (disabled)", "");
    if is {
        holds(EvidenceKind::Element, format!("{what} is {word}"))
    } else {
        fails(format!("{what} is not {word}"), Vec::new())
    }
}

fn empty(subject: &Phrase, page: &Snapshot) -> Finding {
    let found = find::one(page, subject, Purpose::Set).or_else(|_| find::one(page, subject, Purpose::Any));
    match found {
        Ok(at) => {
            let node = &page.nodes[at];
            if matches!(node.role.as_ref(), "table" | "grid" | "list" | "listbox") {
                let items = page
                    .below(at)
                    .filter(|at| {
                        matches!(page.nodes[*at].role.as_ref(), "row" | "listitem" | "option")
                            && !places::is_header(page, *at)
                    })
                    .count();
                return decided(
                    items == 0,
                    EvidenceKind::Element,
                    format!("{} holds {items} {}", describe(page, at), plural("item", items)),
                    || "expected none".into(),
                    Vec::new(),
                );
            }
            let value = value_of(page, at);
            let field = find::is_field_like(node) || node.value.is_some() || node.role.as_ref() == "combobox";
            let empty = value.trim().is_empty()
                || (!field
                    && squeeze(&value) == squeeze(&node.name)
                    && node.end == at + 1
                    && node.role.as_ref() != "text"
                    && kinds::is_control(&node.role));
            if empty {
                holds(EvidenceKind::Element, format!("{} is empty", describe(page, at)))
            } else {
                fails(
                    format!(
                        "{} is “{}”, not empty",
                        describe(page, at),
                        if node.states.secret() { "…" } else { &value }
                    ),
                    Vec::new(),
                )
            }
        }
        Err(unresolved) => fails(unresolved.to_string(), Vec::new()),
    }
}

fn count(things: &Phrase, op: Op, number: usize, page: &Snapshot) -> Finding {
    let down_to = if by_part(things.kind) { Tier::Words } else { Tier::Bare };
    let found = match find::matching(page, things, down_to) {
        Ok(found) => found,
        Err(unresolved) => return fails(unresolved.to_string(), Vec::new()),
    };
    let exact: Vec<NodeIndex> = found
        .iter()
        .copied()
        .filter(|at| things.kind.is_none_or(|kind| kind.fits(&page.nodes[*at]) == Some(0)))
        .collect();
    let found = if exact.is_empty() { found } else { exact };
    // A text inside an element of the same name is not a second one.
    let inner: Vec<NodeIndex> = if things.kind.is_none() {
        found.iter().copied().filter(|at| !found.iter().any(|other| page.below(*other).contains(at))).collect()
    } else {
        found
    };
    let there = inner.len();
    let mut noun = things.kind.map_or_else(|| "element".to_owned(), |kind| kind.word().to_owned());
    if let Some(name) = things.name.as_ref().or(things.contains.first()) {
        noun = format!("“{name}” {noun}");
    }
    let cut = if page.cut.is_empty() { "" } else { " (the page was too large to be seen whole)" };
    let fact = format!("there {} {there} {}{cut}", if there == 1 { "is" } else { "are" }, plural(&noun, there));
    decided(
        number_fits(there, op, number),
        EvidenceKind::Element,
        fact,
        || format!("expected {} {number}", op.word()),
        inner.iter().take(5).map(|at| describe(page, *at)).collect(),
    )
}

fn variable(name: &str, op: Op, value: &str, facts: &Facts<'_>) -> Finding {
    let Some(found) = facts.variables.get(name) else {
        let mut names: Vec<(f64, &String)> =
            facts.variables.keys().map(|known| (strsim::jaro_winkler(known, name), known)).collect();
        names.sort_by(|a, b| b.0.total_cmp(&a.0));
        return fails(
            format!("the variable {name} is not set"),
            names.into_iter().take(5).map(|(_, known)| known.clone()).collect(),
        );
    };
    let text = match found {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    compared(&format!("the variable {name}"), &text, op, value, EvidenceKind::Variable)
}

fn downloaded(name: Option<&str>, effects: &[PageEffect]) -> Finding {
    let files: Vec<&DownloadInfo> = effects
        .iter()
        .filter_map(|effect| match effect {
            PageEffect::Downloaded(file) => Some(file),
            _ => None,
        })
        .collect();
    let found = files.iter().rev().find(|file| {
        name.is_none_or(|name| {
            file.name.eq_ignore_ascii_case(name) || (name.contains('*') && matches(&file.name, name))
        })
    });
    match found {
        Some(file) => holds(
            EvidenceKind::Download,
            format!("{} was downloaded ({} bytes, sha256 {})", file.name, file.size, file.hash),
        ),
        None if files.is_empty() => fails("no file was downloaded", Vec::new()),
        None => fails(
            format!("{} was not downloaded", name.unwrap_or("the file")),
            files.iter().take(5).map(|file| file.name.clone()).collect(),
        ),
    }
}

fn dialog(op: Op, value: Option<&str>, facts: &Facts<'_>) -> Finding {
    let answered = facts.effects.iter().filter_map(|effect| match effect {
        PageEffect::Dialog(dialog) => Some(dialog),
        _ => None,
    });
    let dialogs: Vec<&DialogInfo> = answered.chain(facts.page.dialog.as_ref()).collect();
    let fit = dialogs.iter().rev().find(|dialog| value.is_none_or(|value| fits(&dialog.message, op, value)));
    if let Some(dialog) = fit {
        return holds(EvidenceKind::Dialog, format!("the dialog said “{}”", dialog.message));
    }
    // A dialog of the page's own.
    let own = Phrase { said: "dialog".into(), kind: Some(Kind::Dialog), ..Phrase::default() };
    let found = find::matching(facts.page, &own, Tier::Exact).unwrap_or_default();
    for at in &found {
        let text = format!("{} {}", facts.page.nodes[*at].name, names::content(facts.page, *at));
        if value.is_none_or(|value| fits(&text, if op == Op::Is { Op::Contains } else { op }, value)) {
            return holds(EvidenceKind::Element, format!("{} is open", describe(facts.page, *at)));
        }
    }
    // An alert may be a part of the page.
    let message = Phrase { said: "message".into(), kind: Some(Kind::Alert), ..Phrase::default() };
    for at in find::matching(facts.page, &message, Tier::Exact).unwrap_or_default() {
        let node = &facts.page.nodes[at];
        let text = squeeze(&names::content(facts.page, at));
        if matches!(node.role.as_ref(), "alert" | "status" | "alertdialog")
            && value.is_some_and(|value| fits(&text, op, value))
        {
            return holds(EvidenceKind::Element, format!("{} says “{text}”", node.role));
        }
    }
    let seen: Vec<String> = dialogs
        .iter()
        .rev()
        .take(5)
        .map(|dialog| format!("“{}”", dialog.message))
        .chain(found.iter().map(|at| describe(facts.page, *at)))
        .take(5)
        .collect();
    match value {
        Some(value) if !seen.is_empty() => fails(format!("no dialog said “{value}”"), seen),
        _ => fails("there was no dialog", seen),
    }
}
