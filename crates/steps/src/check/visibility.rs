//! Evaluates whether something is on the page.

use legwork_observe::{Node, NodeIndex, Snapshot, wording};
use legwork_protocol::{EvidenceKind, TargetKind};

use super::finding::{Evaluation, fails, holds};
use crate::{
    ast::{Scope, TargetPhrase},
    describe::{describe, nearest},
    element_kind::ElementKind,
    find::{self, Purpose},
    name_match::{self, MatchQuality, normalize_whitespace},
    roles::{input, is_field},
    scope,
};

pub(super) fn shown(phrase: &TargetPhrase, page: &Snapshot) -> Evaluation {
    if let Some(raw) = &phrase.raw {
        return match find::one(page, phrase, Purpose::Any) {
            Ok(at) => Ok(holds(EvidenceKind::Element, format!("{} is on the page", describe(page, at)))),
            Err(unresolved) if matches!(raw.kind(), TargetKind::Ref(_)) => {
                Ok(fails(unresolved.to_string(), Vec::new()))
            }
            // A selector is not evaluated on the snapshot, so it is unknown whether it matches.
            Err(unresolved) => Err(unresolved.into()),
        };
    }
    let is_text = matches!(phrase.kind, None | Some(ElementKind::Text))
        && phrase.ordinal.is_none()
        && phrase.placeholder.is_none();
    if let Some(name) = phrase.name.as_deref().filter(|_| is_text) {
        return text(name, phrase, page);
    }
    let lower = |text: &str| normalize_whitespace(text).to_lowercase();
    if let Some(dialog) = &page.dialog
        && phrase.kind == Some(ElementKind::Dialog)
        && phrase.scopes.is_empty()
        && phrase.label().is_none_or(|text| lower(&dialog.message).contains(&lower(text)))
    {
        return Ok(holds(EvidenceKind::Dialog, format!("a dialog is open: “{}”", dialog.message)));
    }
    let is_content = phrase.kind.is_none_or(ElementKind::is_content);
    let mut found = find::matching(page, phrase, if is_content { MatchQuality::Words } else { MatchQuality::Bare })?;
    if let Some(name) = phrase.name.as_deref().filter(|_| is_content) {
        found.retain(|at| !wording::negates(&normalize_whitespace(&name_match::content(page, *at)), name));
    }
    if let Some(first) = found.first() {
        if phrase.ordinal.is_some() && find::one(page, phrase, Purpose::Any).is_err() {
            return Ok(fails(format!("there is no {}: {} of them", phrase.source_text, found.len()), Vec::new()));
        }
        let more = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
        // A message is identified by its text.
        let is_message = phrase.kind.is_some_and(|kind| kind.is_message() || kind == ElementKind::Spinner);
        let says = normalize_whitespace(&name_match::content(page, *first));
        let what = describe(page, *first);
        let fact = if is_message && !says.is_empty() && !what.contains('"') {
            format!("{what} says “{}”{more}", excerpt(&says, ""))
        } else {
            format!("{what}{more} is on the page")
        };
        return Ok(holds(EvidenceKind::Element, fact));
    }
    // A message, a heading or a dialog that contains the text.
    if is_content && let (Some(kind), Some(name)) = (phrase.kind, &phrase.name) {
        let unnamed = TargetPhrase { name: None, ..phrase.clone() };
        let inside = find::matching(page, &unnamed, MatchQuality::Exact).unwrap_or_default();
        let name = lower(name);
        let mut texts = inside.into_iter().map(|at| name_match::content(page, at));
        if let Some(text) = texts.find(|text| states(&lower(text), &name)) {
            return Ok(holds(EvidenceKind::Element, format!("the {} says “{}”", kind.word(), excerpt(&text, &name))));
        }
    }
    let is_of_kind = |at: &NodeIndex| phrase.kind.is_none_or(|kind| kind.fits_at(page, *at) == Some(0));
    let near = nearest(page, phrase.label().unwrap_or_default(), (1..page.nodes.len()).filter(is_of_kind));
    Ok(fails(format!("there is no {}", phrase.source_text), near))
}

fn is_search(node: &Node) -> bool {
    node.role.as_ref() == "searchbox" || input(node) == "search"
}

/// Whether an element is a choice of a closed drop-down list, which shows only the chosen one.
fn is_hidden_option(page: &Snapshot, at: NodeIndex) -> bool {
    let is_closed = |list: NodeIndex| !page.nodes[list].states.expanded();
    page.nodes[at].role.as_ref() == "option"
        && !page.nodes[at].states.selected()
        && page.enclosing(at, &["combobox"]).is_some_and(is_closed)
}

/// Whether the page, or its part in the scope, contains a text.
pub(super) fn text(name: &str, phrase: &TargetPhrase, page: &Snapshot) -> Evaluation {
    let ranges = scope::ranges(page, &phrase.scopes)?;
    let wanted = normalize_whitespace(name);
    let lower = wanted.to_lowercase();
    if lower.is_empty() {
        return Ok(fails("an empty text cannot be checked", Vec::new()));
    }
    let place = if phrase.scopes.is_empty() { String::new() } else { format!(" ({})", phrase.source_text) };
    if phrase.scopes.iter().any(Scope::is_relative) {
        let found = find::matching(page, phrase, MatchQuality::Words)?;
        let is_negated = |at: NodeIndex| wording::negates(&normalize_whitespace(&name_match::content(page, at)), name);
        return Ok(match found.iter().find(|at| !is_negated(**at)) {
            Some(at) => holds(EvidenceKind::Text, format!("{} is there{place}", describe(page, *at))),
            None => fails(format!("“{name}” is not there{place}"), Vec::new()),
        });
    }
    let (mut loose, mut negated) = (None, None);
    for at in ranges.iter().cloned().flatten() {
        let node = &page.nodes[at];
        // The text in a search field is what was searched for, and not what the page shows.
        let value = node.value.as_deref().filter(|_| !node.states.secret() && !is_search(node));
        if is_hidden_option(page, at) {
            continue;
        }
        // A placeholder is a hint about what to enter, and not what the field contains.
        for text in [Some(node.name.as_ref()), value].into_iter().flatten().map(normalize_whitespace) {
            if let Some(answer) = denial_of(page, at, &text, &wanted) {
                negated.get_or_insert(answer);
                continue;
            }
            if states(&text, &wanted) {
                return Ok(holds(EvidenceKind::Text, evidence_of(page, at, &text, &lower, &place)));
            }
            if loose.is_none() && states(&text.to_lowercase(), &lower) {
                loose = Some(evidence_of(page, at, &text, &lower, &place));
            } else if negated.is_none() && wording::negates(&text, &wanted) {
                negated = Some(text);
            }
        }
    }
    if let Some(fact) = loose {
        return Ok(holds(EvidenceKind::Text, fact));
    }
    // The text can span several elements: `Welcome, <b>Ada</b>`. One that a single element contains and denies does
    // not.
    for range in ranges.iter().filter(|_| negated.is_none()) {
        let mut joined = String::new();
        for (at, node) in range.clone().zip(&page.nodes[range.clone()]) {
            if !is_hidden_option(page, at) && !node.name.is_empty() && !joined.ends_with(node.name.as_ref()) {
                if !joined.is_empty() && !node.name.starts_with([',', '.', '!', ':', ';', ')', '?']) {
                    joined.push(' ');
                }
                joined.push_str(&node.name);
            }
        }
        let joined = normalize_whitespace(&joined);
        if states(&joined.to_lowercase(), &lower) {
            return Ok(holds(EvidenceKind::Text, format!("the page says “{}”{place}", excerpt(&joined, &lower))));
        }
    }
    if let Some(dialog) = &page.dialog
        && states(&normalize_whitespace(&dialog.message).to_lowercase(), &lower)
    {
        return Ok(holds(EvidenceKind::Dialog, format!("the dialog says “{}”", dialog.message)));
    }
    let nearest = nearest(page, name, ranges.into_iter().flatten().filter(|at| !page.nodes[*at].name.is_empty()));
    if let Some(text) = negated {
        let why = format!("“{name}” is not on the page{place}: “{}” negates or limits it", excerpt(&text, &lower));
        return Ok(fails(why, nearest));
    }
    let cut = if page.cut.is_empty() { "" } else { "; the page was too large to be captured completely" };
    Ok(fails(format!("“{name}” is not on the page{place}{cut}"), nearest))
}

/// A label with its value, if the value denies the label: a term `Paid` with the description `No`.
fn denial_of(page: &Snapshot, at: NodeIndex, text: &str, wanted: &str) -> Option<String> {
    // Most texts do not contain the words.
    if !says(&text.to_lowercase(), &wanted.to_lowercase()) {
        return None;
    }
    let (_, value) = name_match::described_term(page, at)?;
    let answer = format!("{}: {}", text.trim_end_matches([':', ' ', '?']), value?);
    wording::negates(&answer, wanted).then_some(answer)
}

/// Whether a text contains the searched words and does not negate them.
pub(super) fn states(text: &str, wanted: &str) -> bool {
    says(text, wanted) && !wording::negates(text, wanted)
}

/// Whether a text contains the searched words. A match must start at the beginning of a word, because `Unsaved` is the
/// opposite of `saved`, and a number must not be a part of a longer one. Scripts without spaces between words have no
/// recognizable word beginnings.
fn says(text: &str, wanted: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() && c < '\u{2e80}';
    let is_digit = |c: char| c.is_ascii_digit();
    text.match_indices(wanted).any(|(at, found)| {
        let start = text[..at].chars().next_back().zip(found.chars().next());
        let end = found.chars().next_back().zip(text[at + found.len()..].chars().next());
        let within_word = start.is_some_and(|(before, first)| is_letter(before) && is_letter(first));
        let within_number = [start, end].into_iter().flatten().any(|(left, right)| is_digit(left) && is_digit(right));
        let is_longer = end.is_some_and(|(last, _)| is_digit(last)) && continues(&text[at + found.len()..]);
        // `Max Huber` is not `Max Huber-Lang`.
        let is_compound = end
            .is_some_and(|(last, mark)| is_letter(last) && matches!(mark, '-' | '\u{2010}' | '\u{2011}'))
            && text[at + found.len()..].chars().nth(1).is_some_and(is_letter);
        !within_word && !within_number && !is_longer && !is_compound
    })
}

/// Whether a number that ended here has decimals or thousands: `12` in `12.50` and `12,500`. `24.12` in `24.12.2026` is
/// a part of a date.
fn continues(rest: &str) -> bool {
    let Some(digits) = rest.strip_prefix(['.', ',']) else { return false };
    let count = digits.chars().take_while(char::is_ascii_digit).count();
    let after = &digits[count..];
    let goes_on = after.starts_with(['.', ',']) && after[1..].starts_with(|c: char| c.is_ascii_digit());
    (1..=3).contains(&count) && !goes_on
}

pub(super) fn evidence_of(page: &Snapshot, at: NodeIndex, text: &str, lower: &str, place: &str) -> String {
    let node = &page.nodes[at];
    match node.role.as_ref() {
        "text" | "generic" | "paragraph" => format!("the page says “{}”{place}", excerpt(text, lower)),
        role if is_field(role) && normalize_whitespace(&node.name) != text => {
            format!("{} holds “{}”{place}", describe(page, at), excerpt(text, lower))
        }
        role => format!("{role} “{}” is on the page{place}", excerpt(text, lower)),
    }
}

/// The text around the match, at most one line.
pub(super) fn excerpt(text: &str, lower: &str) -> String {
    const MOST: usize = 100;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let at = text.to_lowercase().find(lower).unwrap_or_default();
    let before = text.char_indices().take_while(|(index, _)| *index < at).count().saturating_sub(20);
    let part: String = text.chars().skip(before).take(MOST).collect();
    format!("{}{part}…", if before > 0 { "…" } else { "" })
}
