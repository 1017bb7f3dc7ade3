//! Which element of this page a phrase means. One, or an [`Unresolved`] that says what there is.
//!
//! Every element that could be meant is ranked by how well its names fit and how well it suits the purpose. The best rank
//! with one element wins; several are told apart by facts (an open dialog, enabled or not, the same link twice), never by
//! position unless the phrase says one.

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Ref, Target, TargetKind};

use super::{
    kinds::{self, Kind, input, is_control, is_field},
    literal::Unresolved,
    names::{self, Source, Tier, Wanted, squeeze},
    places,
    target::{Ordinal, Phrase},
};

/// What the element is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Click,
    /// To put text there.
    Fill,
    Tick,
    /// To choose one of its options.
    Choose,
    /// To set whatever it holds.
    Set,
    Upload,
    Expand,
    /// To look at, point at or scroll to.
    Any,
}

impl Purpose {
    /// How well an element suits it: 0 is best, none is not at all.
    fn suits(self, node: &Node) -> Option<u8> {
        let role = node.role.as_ref();
        let field = (is_field(role) || node.states.editable()) && input(node) != "file";
        let group =
            matches!(role, "radiogroup" | "group" | "menu" | "menubar" | "tablist" | "tree" | "toolbar" | "list");
        match self {
            Purpose::Click => Some(match role {
                _ if field => 1,
                "option" | "row" | "generic" | "cell" | "gridcell" | "listitem" | "combobox" | "listbox" | "iframe" => {
                    1
                }
                _ => 0,
            }),
            Purpose::Fill if field => Some(0),
            Purpose::Fill => matches!(role, "combobox" | "slider" | "listbox").then_some(1),
            Purpose::Tick => match role {
                "checkbox" | "switch" | "radio" => Some(0),
                "menuitemcheckbox" | "menuitemradio" => Some(1),
                "button" if node.states.pressed() => Some(2),
                "option" | "button" | "treeitem" | "gridcell" => Some(3),
                _ => None,
            },
            Purpose::Choose => match role {
                "combobox" | "listbox" => Some(0),
                _ if group => Some(1),
                "button" if node.states.collapsed() || node.states.expanded() => Some(1),
                "button" => Some(2),
                _ if field => Some(2),
                _ => None,
            },
            Purpose::Set if field => Some(0),
            Purpose::Set => match role {
                "combobox" | "listbox" | "checkbox" | "switch" | "slider" | "radiogroup" => Some(0),
                "radio" => Some(2),
                _ if group => Some(1),
                _ if input(node) == "file" => Some(0),
                "button" if node.states.collapsed() || node.states.expanded() => Some(2),
                _ => None,
            },
            Purpose::Upload if input(node) == "file" => Some(0),
            Purpose::Upload => matches!(role, "button" | "link").then_some(2),
            Purpose::Expand if node.states.collapsed() || node.states.expanded() => Some(0),
            Purpose::Expand => {
                matches!(role, "button" | "treeitem" | "summary" | "combobox" | "menuitem" | "link").then_some(1)
            }
            Purpose::Any => Some(u8::from(role == "text")),
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Purpose::Click | Purpose::Expand => "clicked",
            Purpose::Fill => "filled in",
            Purpose::Tick => "ticked",
            Purpose::Choose => "chosen from",
            Purpose::Set => "set",
            Purpose::Upload => "given a file",
            Purpose::Any => "used",
        }
    }
}

/// An element that could be meant, and how likely.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    at: NodeIndex,
    rank: (bool, Tier, u8, Source),
}

/// The target of an action: the element's ref, or the raw target that was given.
pub(super) fn target(page: &Snapshot, phrase: &Phrase, purpose: Purpose) -> Result<Target, Unresolved> {
    if let Some(raw) = &phrase.raw {
        return Ok(raw.clone());
    }
    let at = one(page, phrase, purpose)?;
    Ok(target_of(page, at))
}

/// How an action names an element: by ref, or by role and name, or by its text.
pub(super) fn target_of(page: &Snapshot, at: NodeIndex) -> Target {
    let node = &page.nodes[at];
    match node.reference {
        Some(reference) => reference.into(),
        None => match page
            .ancestors(at)
            .find(|up| page.nodes[*up].reference.is_some() && page.nodes[*up].states.actionable())
        {
            Some(up) => page.nodes[up].reference.unwrap_or(Ref(0)).into(),
            None if node.role.as_ref() == "text" || node.name.contains('"') => {
                Target(format!("text=\"{}\"", node.name))
            }
            None if node.name.is_empty() => Target(format!("text=\"{}\"", names::content(page, at))),
            None => Target(format!("role={}[name=\"{}\"]", node.role, node.name)),
        },
    }
}

/// The one element a phrase means.
pub(super) fn one(page: &Snapshot, phrase: &Phrase, purpose: Purpose) -> Result<NodeIndex, Unresolved> {
    if let Some(raw) = &phrase.raw {
        let found = match raw.kind() {
            TargetKind::Ref(reference) => page.find_ref(reference),
            TargetKind::Css(css) if css.starts_with('#') => (1..page.nodes.len())
                .find(|at| page.nodes[*at].attributes.as_ref().is_some_and(|a| a.id.as_deref() == Some(&css[1..]))),
            _ => None,
        };
        return found.ok_or_else(|| Unresolved::None {
            what: phrase.said.clone(),
            candidates: Vec::new(),
            hint: "only a ref or an #id can be seen in the page's observation".into(),
        });
    }
    // A container named by the phrase itself: `scroll to the "Billing" section`.
    let found = all(page, phrase, purpose)?;
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(missing(page, phrase, purpose)),
        several => Err(ambiguous(page, phrase, several)),
    }
}

/// All elements a phrase means equally well, after everything that tells them apart.
pub(super) fn all(page: &Snapshot, phrase: &Phrase, purpose: Purpose) -> Result<Vec<NodeIndex>, Unresolved> {
    if let Some(whole) = &phrase.whole
        && (phrase.kind.is_some() || phrase.ordinal.is_some())
    {
        let as_name = Phrase {
            name: Some(whole.clone()),
            kind: None,
            ordinal: None,
            whole: None,
            contains: Vec::new(),
            ..phrase.clone()
        };
        let found = ranked(page, &as_name, purpose)?;
        if found.first().is_some_and(|best| best.rank.1 <= Tier::Bare && !best.rank.0) {
            return narrow(page, &as_name, purpose, found);
        }
    }
    let found = ranked(page, phrase, purpose)?;
    narrow(page, phrase, purpose, found)
}

/// All elements of the phrase's kind and name down to a tier, for counting and for presence.
pub(super) fn matching(page: &Snapshot, phrase: &Phrase, down_to: Tier) -> Result<Vec<NodeIndex>, Unresolved> {
    let mut found = ranked(page, phrase, Purpose::Any)?;
    found.retain(|candidate| candidate.rank.1 <= down_to);
    // The exact kind where there is any of it: a link is no button when there are buttons.
    if let Some(least) = found.iter().map(|candidate| candidate.rank.2).min() {
        found.retain(|candidate| candidate.rank.2 == least);
    }
    let mut nodes: Vec<NodeIndex> = found.into_iter().map(|candidate| candidate.at).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if phrase.kind == Some(Kind::Row) {
        nodes.retain(|at| !places::is_header(page, *at));
    }
    places::beside(page, &phrase.places, nodes)
}

fn ranked(page: &Snapshot, phrase: &Phrase, purpose: Purpose) -> Result<Vec<Candidate>, Unresolved> {
    let ranges = places::ranges(page, &phrase.places)?;
    let wanted = phrase.name.as_deref().map(Wanted::new);
    let placeholder = phrase.placeholder.as_deref().map(Wanted::new);
    let contains: Vec<Wanted> = phrase.contains.iter().map(|text| Wanted::new(text)).collect();
    let mut found: Vec<Candidate> = Vec::new();
    let mut last = 0;
    for at in ranges.into_iter().flatten() {
        if at <= last && last != 0 {
            continue;
        }
        last = at;
        let node = &page.nodes[at];
        let Some(suits) = (match phrase.kind {
            Some(Kind::Text) if purpose != Purpose::Any => purpose.suits(node),
            Some(Kind::Any) => purpose.suits(node),
            // `Tick the box "Remember me"`.
            Some(Kind::Field) if purpose == Purpose::Tick => purpose.suits(node),
            Some(kind) => kind
                .fits(node)
                .filter(|_| purpose.suits(node).is_some() || matches!(purpose, Purpose::Click | Purpose::Any)),
            None => purpose.suits(node),
        }) else {
            continue;
        };
        if let Some(wanted) = &placeholder {
            let fits =
                node.attributes.as_ref().and_then(|a| a.placeholder.as_deref()).and_then(|found| wanted.tier(found));
            if fits.is_none_or(|tier| tier > Tier::Words) {
                continue;
            }
        }
        if !contains.iter().all(|text| names::row_tier(page, at, text).is_some_and(|tier| tier <= Tier::Words)) {
            continue;
        }
        let fit = match &wanted {
            Some(wanted) => names::fit(page, at, wanted),
            // An element that is only said by its kind has to be of that kind.
            None if phrase.kind.is_some() || phrase.placeholder.is_some() || !phrase.places.is_empty() => {
                Some((Tier::Exact, Source::Name))
            }
            None => None,
        };
        let Some((tier, source)) = fit else { continue };
        let mut candidate = Candidate { at, rank: (false, tier, suits, source) };
        let active = is_control(&node.role) || node.states.actionable();
        if purpose == Purpose::Click && !active {
            // Text inside something that can be clicked means that.
            let up = page
                .ancestors(at)
                .take(6)
                .find(|up| page.nodes[*up].states.actionable() || is_control(&page.nodes[*up].role));
            match up.filter(|up| phrase.kind.is_none_or(|kind| kind.fits(&page.nodes[*up]).is_some())) {
                Some(up)
                    if matches!(
                        node.role.as_ref(),
                        "text"
                            | "img"
                            | "image"
                            | "paragraph"
                            | "heading"
                            | "generic"
                            | "strong"
                            | "emphasis"
                            | "label"
                            | "LabelText"
                            | "cell"
                            | "listitem"
                    ) && page.nodes[up].role.as_ref() != "row" =>
                {
                    candidate = Candidate { at: up, rank: (false, tier, suits.max(1), source.max(Source::Content)) };
                }
                _ => candidate.rank.0 = true,
            }
        }
        found.push(candidate);
    }
    found.sort_by_key(|candidate| (candidate.rank, candidate.at));
    let mut seen = std::collections::HashSet::new();
    found.retain(|candidate| seen.insert(candidate.at));
    Ok(found)
}

/// From the ranked to those that are meant: the best rank, then facts.
fn narrow(
    page: &Snapshot,
    phrase: &Phrase,
    purpose: Purpose,
    mut found: Vec<Candidate>,
) -> Result<Vec<NodeIndex>, Unresolved> {
    if phrase.kind.is_some() && phrase.name.is_none() {
        // Only the kind was said: the exact kind, where it is there.
        let least = found.iter().map(|candidate| candidate.rank.2).min();
        found.retain(|candidate| Some(candidate.rank.2) == least);
    }
    let mut nodes: Vec<NodeIndex> = match found.first().map(|best| best.rank) {
        None => Vec::new(),
        // Where the element stands tells more than how its name fits.
        Some((idle, tier, kind, source)) => {
            let same = |rank: (bool, Tier, u8, Source)| match phrase.ordinal {
                Some(_) => (rank.0, rank.1, rank.2) == (idle, tier, kind),
                None => rank == (idle, tier, kind, source),
            };
            found.iter().filter(|candidate| same(candidate.rank)).map(|candidate| candidate.at).collect()
        }
    };
    nodes.sort_unstable();
    if phrase.kind == Some(Kind::Row) && phrase.contains.is_empty() {
        nodes.retain(|at| !places::is_header(page, *at));
    }
    nodes = places::beside(page, &phrase.places, nodes)?;
    nodes = without_doubles(page, nodes, purpose);
    if let Some(ordinal) = phrase.ordinal {
        let count = nodes.len();
        let at = match ordinal {
            Ordinal::Nth(n) => n.checked_sub(1),
            Ordinal::FromEnd(n) => count.checked_sub(n),
        };
        return match at.and_then(|at| nodes.get(at)) {
            Some(node) => Ok(vec![item_control(page, *node, phrase, purpose)?]),
            None => Err(Unresolved::None {
                what: phrase.said.clone(),
                candidates: nodes.iter().take(5).map(|at| describe(page, *at)).collect(),
                hint: format!("there {} {count} of them", if count == 1 { "is" } else { "are" }),
            }),
        };
    }
    nodes = prefer(nodes, |at| {
        page.ancestors(at).chain([at]).any(|up| matches!(page.nodes[up].role.as_ref(), "dialog" | "alertdialog"))
    });
    nodes = prefer(nodes, |at| !page.nodes[at].states.disabled());
    nodes = prefer(nodes, |at| page.nodes[at].reference.is_some());
    if purpose == Purpose::Click {
        nodes = prefer(nodes, |at| page.nodes[at].role.as_ref() != "generic");
    }
    if let [one] = nodes.as_slice() {
        return Ok(vec![item_control(page, *one, phrase, purpose)?]);
    }
    Ok(nodes)
}

/// Clicking `the first result` means its link when the item itself cannot be clicked.
fn item_control(page: &Snapshot, at: NodeIndex, phrase: &Phrase, purpose: Purpose) -> Result<NodeIndex, Unresolved> {
    let node = &page.nodes[at];
    if purpose != Purpose::Click
        || node.states.actionable()
        || is_control(&node.role)
        || !matches!(
            phrase.kind,
            Some(Kind::Item | Kind::Row | Kind::Cell | Kind::Heading | Kind::Image | Kind::Column)
        )
    {
        return Ok(at);
    }
    let links: Vec<NodeIndex> =
        page.below(at).filter(|below| matches!(page.nodes[*below].role.as_ref(), "link" | "button")).collect();
    let titled: Vec<NodeIndex> = links
        .iter()
        .copied()
        .filter(|link| page.ancestors(*link).any(|up| up > at && page.nodes[up].role.as_ref() == "heading"))
        .collect();
    match (links.as_slice(), titled.as_slice()) {
        ([], _) => Ok(at),
        ([one], _) | (_, [one]) => Ok(*one),
        (several, _) => {
            let alone = without_doubles(page, several.to_vec(), purpose);
            match alone.as_slice() {
                [one] => Ok(*one),
                _ => Err(ambiguous(page, phrase, &alone)),
            }
        }
    }
}

fn prefer(nodes: Vec<NodeIndex>, better: impl Fn(NodeIndex) -> bool) -> Vec<NodeIndex> {
    if nodes.len() < 2 || !nodes.iter().any(|at| better(*at)) {
        return nodes;
    }
    nodes.into_iter().filter(|at| better(*at)).collect()
}

/// A picture and a title that link to the same place are one; so is a wrapper and the only control in it.
fn without_doubles(page: &Snapshot, nodes: Vec<NodeIndex>, purpose: Purpose) -> Vec<NodeIndex> {
    let mut kept: Vec<NodeIndex> = Vec::new();
    let mut places = std::collections::HashSet::new();
    // In document order, so what lies inside comes next.
    for (index, at) in nodes.iter().copied().enumerate() {
        let wraps = nodes.get(index + 1).is_some_and(|next| page.below(at).contains(next))
            && matches!(purpose, Purpose::Click | Purpose::Any | Purpose::Fill | Purpose::Set);
        let href = page.nodes[at].attributes.as_ref().and_then(|a| a.href.as_deref());
        if !wraps && href.filter(|href| !href.is_empty() && !href.ends_with('#')).is_none_or(|href| places.insert(href))
        {
            kept.push(at);
        }
    }
    kept
}

fn missing(page: &Snapshot, phrase: &Phrase, purpose: Purpose) -> Unresolved {
    let word = phrase
        .name
        .as_deref()
        .or(phrase.placeholder.as_deref())
        .or(phrase.contains.first().map(String::as_str))
        .unwrap_or_default();
    // It is there, but of another kind.
    if phrase.name.is_some() {
        let other = Phrase { kind: None, whole: None, ordinal: None, ..phrase.clone() };
        let found = ranked(page, &other, Purpose::Any).unwrap_or_default();
        if let Some(best) =
            found.iter().find(|found| found.rank.1 <= Tier::Bare && page.nodes[found.at].role.as_ref() != "text")
        {
            let node = &page.nodes[best.at];
            let suits = purpose.suits(node).is_some();
            return Unresolved::Wrong {
                what: phrase.said.clone(),
                is: describe(page, best.at),
                hint: match phrase.kind {
                    Some(kind) if suits => format!("it is not a {}; say it without `{}`", kind.word(), kind.word()),
                    _ => format!("that cannot be {}{}", purpose.verb(), near(page, word, purpose, phrase.kind)),
                },
            };
        }
    }
    let ranges = places::ranges(page, &phrase.places).unwrap_or_default();
    let fits = |at: &NodeIndex| {
        let node = &page.nodes[*at];
        let kind = phrase.kind.filter(|kind| !matches!(kind, Kind::Any | Kind::Text));
        node.role.as_ref() != "text"
            && kind.map_or_else(
                || {
                    purpose.suits(node).is_some()
                        && (is_control(&node.role) || node.states.actionable() || purpose == Purpose::Any)
                },
                |kind| kind.fits(node).is_some(),
            )
    };
    let mut candidates = nearest(page, word, ranges.into_iter().flatten().filter(fits));
    let mut hint = String::new();
    if candidates.is_empty() && !phrase.places.is_empty() {
        candidates = nearest(page, word, (1..page.nodes.len()).filter(fits));
        if !candidates.is_empty() {
            hint = "these are elsewhere on the page".into();
        }
    }
    if let Some(dialog) = &page.dialog {
        hint = format!("a dialog is open ({:?}); answer it first", dialog.message);
    } else if candidates.is_empty() && !page.cut.is_empty() {
        hint = "the page was too large to be seen whole".into();
    }
    Unresolved::None { what: phrase.said.clone(), candidates, hint }
}

fn near(page: &Snapshot, word: &str, purpose: Purpose, kind: Option<Kind>) -> String {
    let fits = |at: &NodeIndex| {
        kind.map_or_else(|| purpose.suits(&page.nodes[*at]) == Some(0), |kind| kind.fits(&page.nodes[*at]) == Some(0))
    };
    let found = nearest(page, word, (1..page.nodes.len()).filter(fits));
    if found.is_empty() { String::new() } else { format!("; there is {}", found.join(", ")) }
}

fn ambiguous(page: &Snapshot, phrase: &Phrase, several: &[NodeIndex]) -> Unresolved {
    let first = &page.nodes[several[0]];
    let other = several.iter().map(|at| &page.nodes[*at]).find(|node| node.role != first.role);
    let name = phrase.name.as_deref().unwrap_or(&phrase.said);
    let hint = match other {
        Some(other) if phrase.kind.is_none() => {
            format!("say `the {} \"{name}\"` or `the {} \"{name}\"`", role_word(first), role_word(other))
        }
        _ => "say which: `the first …`, `… in the row of \"…\"`, `… under the heading \"…\"`".into(),
    };
    Unresolved::Several {
        what: phrase.said.clone(),
        count: several.len(),
        candidates: several.iter().take(5).map(|at| describe(page, *at)).collect(),
        hint,
    }
}

fn role_word(node: &Node) -> &str {
    match node.role.as_ref() {
        "textbox" | "searchbox" => "field",
        "combobox" | "listbox" => "drop-down",
        "menuitem" => "menu item",
        "radio" => "radio button",
        "img" => "image",
        "columnheader" => "column header",
        "listitem" => "item",
        "generic" => "element",
        role => role,
    }
}

/// The nodes that say a text: those whose own name is it, else the smallest that contain it.
pub(super) fn mentions(page: &Snapshot, about: &Phrase) -> Result<Vec<NodeIndex>, Unresolved> {
    let found = if about.name.is_some() || about.kind.is_some() || about.raw.is_some() {
        if about.raw.is_some() {
            return one(page, about, Purpose::Any).map(|at| vec![at]);
        }
        // What is only called so by what stands beside it does not say it.
        let mut ranked = ranked(page, about, Purpose::Any)?;
        ranked.retain(|found| found.rank.3 < Source::Beside);
        let best = ranked.first().map(|best| best.rank.1);
        let mut nodes: Vec<NodeIndex> =
            ranked.iter().filter(|found| Some(found.rank.1) == best).map(|found| found.at).collect();
        nodes.sort_unstable();
        let all = nodes.clone();
        nodes.retain(|at| !all.iter().any(|other| page.below(*at).contains(other)));
        match about.ordinal {
            Some(Ordinal::Nth(n)) => nodes.get(n.wrapping_sub(1)).copied().into_iter().collect(),
            Some(Ordinal::FromEnd(n)) => nodes.len().checked_sub(n).map(|at| nodes[at]).into_iter().collect(),
            None => nodes,
        }
    } else {
        Vec::new()
    };
    if found.is_empty() { Err(missing(page, about, Purpose::Any)) } else { Ok(found) }
}

/// `button "Sign in" [e5]`.
pub(super) fn describe(page: &Snapshot, at: NodeIndex) -> String {
    let node = &page.nodes[at];
    let mut text = node.role.to_string();
    let attributes = node.attributes.as_deref();
    let name = if !node.name.is_empty() {
        node.name.to_string()
    } else if let Some(placeholder) = attributes.and_then(|a| a.placeholder.as_deref()) {
        placeholder.to_owned()
    } else if node.end - at < 60 {
        names::content(page, at)
    } else {
        String::new()
    };
    if !name.is_empty() {
        let short: String = squeeze(&name).chars().take(60).collect();
        text.push_str(&format!(" \"{short}{}\"", if name.chars().count() > 60 { "…" } else { "" }));
    }
    if let Some(reference) = node.reference {
        text.push_str(&format!(" [{reference}]"));
    }
    if node.states.disabled() {
        text.push_str(" (disabled)");
    }
    text
}

/// The elements whose names come nearest, at most 5.
pub(super) fn nearest(page: &Snapshot, word: &str, among: impl Iterator<Item = NodeIndex>) -> Vec<String> {
    let word = squeeze(word).to_lowercase();
    let words: Vec<&str> = word.split_whitespace().collect();
    let mut scored: Vec<(f64, NodeIndex)> = among
        .take(5_000)
        .map(|at| {
            let node = &page.nodes[at];
            let label = node.attributes.as_ref().and_then(|a| a.placeholder.as_deref()).unwrap_or_default();
            let score = [node.name.as_ref(), label]
                .iter()
                .map(|name| {
                    let name = squeeze(name).to_lowercase();
                    if word.is_empty() || name.is_empty() {
                        return 0.0;
                    }
                    let shared = words
                        .iter()
                        .filter(|word| name.split(|c: char| !c.is_alphanumeric()).any(|other| other == **word))
                        .count();
                    let short: String = name.chars().take(80).collect();
                    strsim::normalized_damerau_levenshtein(&word, &short).max(0.9 * shared as f64 / words.len() as f64)
                })
                .fold(0.0, f64::max);
            (score, at)
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let good: Vec<String> =
        scored.iter().filter(|(score, _)| *score >= 0.4).take(5).map(|(_, at)| describe(page, *at)).collect();
    // Nothing alike: what there is at all.
    if good.is_empty() { scored.iter().take(5).map(|(_, at)| describe(page, *at)).collect() } else { good }
}

/// Whether a list is of the browser's own kind, or made of other elements.
pub(super) fn options(page: &Snapshot, list: NodeIndex) -> Vec<NodeIndex> {
    page.below(list).filter(|at| page.nodes[*at].role.as_ref() == "option").collect()
}

/// The best option, radio button or item with a label among some nodes.
pub(super) fn labelled(page: &Snapshot, among: &[NodeIndex], label: &str) -> Vec<NodeIndex> {
    let wanted = Wanted::new(label);
    let mut fits: Vec<((Tier, Source), NodeIndex)> = among
        .iter()
        .filter_map(|at| {
            let node = &page.nodes[*at];
            let value = node
                .value
                .as_deref()
                .and_then(|value| wanted.tier(value))
                .filter(|tier| *tier <= Tier::Case)
                .map(|tier| (tier, Source::Id));
            names::fit(page, *at, &wanted).into_iter().chain(value).min().map(|fit| (fit, *at))
        })
        .collect();
    fits.sort();
    let best = fits.first().map(|(fit, _)| *fit);
    fits.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, at)| at).collect()
}

/// Whether it is a kind of field at all; for hints.
pub(super) fn is_field_like(node: &Node) -> bool {
    is_field(&node.role) || node.states.editable() || kinds::input(node) == "password"
}
