//! Where to look: a place becomes the ranges of the page that lie in it.

use std::ops::Range;

use legwork_observe::{NodeIndex, Snapshot};

use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, nearest},
    element_kind::ElementKind,
    error::ResolveError,
    find,
    name_match::{self, MatchQuality, NameMatcher},
    roles::{CELLS, TABLES},
};

type Ranges = Vec<Range<NodeIndex>>;

/// The whole page as one range.
pub(super) fn everywhere(page: &Snapshot) -> Ranges {
    std::iter::once(1..page.nodes.len()).collect()
}

/// The parts of the page where all these places are.
pub(super) fn ranges(page: &Snapshot, scopes: &[Scope]) -> Result<Ranges, ResolveError> {
    let mut all = everywhere(page);
    for scope in scopes {
        let there = match scope {
            Scope::In(about) => containers(page, about)?,
            Scope::Column(about) => column(page, about)?,
            Scope::Under(about) => under(page, about)?,
            Scope::For(about) => said_for(page, about)?,
            Scope::NextTo(_) | Scope::After(_) | Scope::Before(_) => continue,
        };
        all = all
            .iter()
            .flat_map(|a| there.iter().map(|b| a.start.max(b.start)..a.end.min(b.end)))
            .filter(|range| !range.is_empty())
            .collect();
    }
    all.sort_by_key(|range| (range.start, range.end));
    all.dedup();
    Ok(all)
}

fn nothing(page: &Snapshot, about: &TargetPhrase, fits: impl Fn(NodeIndex) -> bool) -> ResolveError {
    let word = about.label().unwrap_or_default();
    ResolveError::not_found(
        about.source_text.clone(),
        nearest(page, word, (1..page.nodes.len()).filter(|at| fits(*at) && !page.has_role(*at, &["text", "generic"]))),
        "",
    )
}

/// The nodes that a phrase for a container means. Several are all looked into: what is looked for decides.
pub(super) fn container_nodes(page: &Snapshot, about: &TargetPhrase) -> Result<Vec<NodeIndex>, ResolveError> {
    if let Some(raw) = &about.raw {
        return match raw.kind() {
            legwork_protocol::TargetKind::Ref(reference) => page.find_ref(reference).map(|at| vec![at]),
            legwork_protocol::TargetKind::Css(css) if css.starts_with('#') => (1..page.nodes.len())
                .find(|at| page.nodes[*at].attributes.as_ref().is_some_and(|a| a.id.as_deref() == Some(&css[1..])))
                .map(|at| vec![at]),
            _ => None,
        }
        .ok_or_else(|| nothing(page, about, |_| false));
    }
    let within = ranges(page, &about.scopes)?;
    let fits = |at: NodeIndex| {
        let node = &page.nodes[at];
        match about.kind {
            Some(kind) => kind.fits_at(page, at).filter(|rank| {
                (*rank == 0 || kind != ElementKind::Text)
                    && (about.name.is_some() || !about.contains.is_empty() || !kind.needs_name(*rank))
            }),
            None => (node.end > at + 1
                && !matches!(node.role.as_ref(), "text" | "generic" | "link" | "button" | "document"))
            .then_some(0),
        }
    };
    let mut found: Vec<(MatchQuality, u8, NodeIndex)> = Vec::new();
    let name = about.name.as_deref().map(NameMatcher::new);
    let texts: Vec<NameMatcher> = about.contains.iter().map(|text| NameMatcher::new(text)).collect();
    for at in within.iter().cloned().flatten() {
        let Some(rank) = fits(at) else { continue };
        let mut quality = Some(MatchQuality::Exact);
        if let Some(name) = &name {
            quality = name_match::best_match(page, at, name).map(|(quality, _)| quality);
        }
        for text in &texts {
            quality = match (quality, name_match::row_quality(page, at, text)) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            };
        }
        if let Some(quality) = quality {
            found.push((quality, rank, at));
        }
    }
    found.sort();
    found.dedup();
    let best = found.first().map(|(quality, rank, _)| (*quality, *rank));
    let mut nodes: Vec<NodeIndex> = match best {
        // A loose fit inside an exact container is no container of that name.
        Some((quality, rank)) => {
            found.iter().filter(|(t, r, _)| (*t, *r) == (quality, rank)).map(|(_, _, at)| *at).collect()
        }
        None => Vec::new(),
    };
    nodes.sort_unstable();
    // Headers and footers are no rows that people count, unless they look for what one says.
    if about.kind == Some(ElementKind::Row) && texts.is_empty() {
        nodes.retain(|at| is_record(page, *at));
    }
    if !texts.is_empty() || name.is_some() {
        // The innermost: a table of tables has rows around rows.
        let all = nodes.clone();
        nodes.retain(|at| !all.iter().any(|other| other > at && page.nodes[*at].end > *other));
    }
    if about.kind == Some(ElementKind::Dialog) && nodes.len() > 1 && name.is_none() && about.ordinal.is_none() {
        nodes = nodes.split_off(nodes.len() - 1);
    }
    nodes = match about.ordinal {
        Some(ordinal) => ordinal.of(&nodes).copied().into_iter().collect(),
        None => nodes,
    };
    // `the row above "Ann"`.
    nodes = beside(page, &about.scopes, nodes)?;
    if nodes.is_empty() {
        Err(nothing(page, about, |at| fits(at).is_some() && !is_header(page, at)))
    } else {
        Ok(nodes)
    }
}

/// What a condition takes for granted when it says where something is: each place has to be there. A place that only its
/// kind names has to be of just that kind, as a menu is no list when nothing is found in it.
pub(super) fn presupposed(page: &Snapshot, scopes: &[Scope]) -> Result<(), ResolveError> {
    for scope in scopes.iter().filter(|scope| !scope.is_page()) {
        let about = scope.anchor();
        presupposed(page, &about.scopes)?;
        if scope.is_relative() {
            find::mentions(page, about)?;
            continue;
        }
        let by_kind = about.name.is_none() && about.contains.is_empty() && about.raw.is_none();
        if let (true, Some(kind), Scope::In(_)) = (by_kind, about.kind, scope)
            && !(1..page.nodes.len()).any(|at| kind.fits_at(page, at) == Some(0))
        {
            return Err(nothing(page, about, |at| kind.fits_at(page, at).is_some()));
        }
        ranges(page, std::slice::from_ref(scope))?;
    }
    let crossed =
        scopes.iter().filter(|scope| matches!(scope, Scope::In(_) | Scope::Column(_) | Scope::For(_))).count();
    if crossed > 1 && !scopes.iter().any(|scope| matches!(scope, Scope::Under(_))) && ranges(page, scopes)?.is_empty() {
        let source_text = scopes.iter().filter_map(|scope| match scope {
            Scope::In(about) | Scope::Column(about) | Scope::For(about) => Some(about.source_text.as_str()),
            _ => None,
        });
        return Err(ResolveError::not_found(
            format!("part of the page that is in all of these: {}", source_text.collect::<Vec<_>>().join(", ")),
            Vec::new(),
            "",
        ));
    }
    Ok(())
}

fn containers(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    let failed = match container_nodes(page, about) {
        Ok(nodes) => return Ok(nodes.into_iter().map(|at| at..page.nodes[at].end).collect()),
        Err(failed) => failed,
    };
    let Some(name) = about.name.as_deref() else { return Err(failed) };
    // A section without a name of its own goes by its heading, or by whatever container has the name.
    let headed = TargetPhrase { kind: Some(ElementKind::Heading), ..TargetPhrase::named(name) };
    if about.ordinal.is_none() && about.scopes.is_empty() {
        if let Ok(range) = under(page, &headed) {
            return Ok(match about.kind {
                Some(kind)
                    if !matches!(
                        kind,
                        ElementKind::Region
                            | ElementKind::Main
                            | ElementKind::Any
                            | ElementKind::Navigation
                            | ElementKind::Sidebar
                    ) =>
                {
                    let inside: Ranges = range
                        .into_iter()
                        .flat_map(|range| {
                            range.filter(|at| kind.fits_at(page, *at) == Some(0)).take(1).collect::<Vec<_>>()
                        })
                        .map(|at| at..page.nodes[at].end)
                        .collect();
                    if inside.is_empty() {
                        return Err(failed);
                    }
                    inside
                }
                _ => range,
            });
        }
        let any = TargetPhrase { kind: None, ..about.clone() };
        if about.kind.is_some()
            && let Ok(nodes) = container_nodes(page, &any)
        {
            return Ok(nodes.into_iter().map(|at| at..page.nodes[at].end).collect());
        }
        if about.kind.is_none()
            && let Ok(ranges) = said_for(page, about)
        {
            return Ok(ranges);
        }
    }
    Err(failed)
}

/// Whether a row is one of those that people count: no header, no footer, and not a lone cell below several columns, which holds
/// the details of the row before it, the name of a group, or the words that there is nothing.
pub(super) fn is_record(page: &Snapshot, row: NodeIndex) -> bool {
    if is_header(page, row) || page.nodes[row].states.footer() || is_placeholder(page, row) {
        return false;
    }
    let cell_count = |row: NodeIndex| page.children(row).filter(|at| page.role(*at) != "text").count();
    let table = page.enclosing(row, TABLES);
    let header = table.and_then(|table| page.children(table).find(|at| is_header(page, *at)));
    cell_count(row) != 1 || header.is_none_or(|header| cell_count(header) < 2)
}

/// Whether all cells of a row are empty: tables show such rows while their content loads.
fn is_placeholder(page: &Snapshot, row: NodeIndex) -> bool {
    let has_content = |node: &legwork_observe::Node| {
        let is_plain = matches!(node.role.as_ref(), "cell" | "gridcell" | "rowheader" | "generic" | "text");
        !is_plain || !node.name.trim().is_empty()
    };
    page.nodes[row].name.trim().is_empty() && !page.below(row).any(|at| at != row && has_content(&page.nodes[at]))
}

/// A table or list of which the page has only a part, as it draws what is scrolled to: how many of its rows or items are there,
/// and how many it says that there are.
pub(super) fn partly_drawn(page: &Snapshot, ranges: &[Range<NodeIndex>]) -> Option<(usize, usize)> {
    let in_ranges = |at: NodeIndex| {
        let overlaps =
            |range: &Range<NodeIndex>| range.contains(&at) || (at < range.start && range.start < page.nodes[at].end);
        ranges.iter().any(overlaps)
    };
    let sizes = (1..page.nodes.len()).filter(|at| in_ranges(*at)).filter_map(|at| {
        let size = page.nodes[at].attributes.as_ref()?.size? as usize;
        let is_table = page.has_role(at, TABLES);
        let (whole, role) = if is_table { (at, "row") } else { (page.nodes[at].parent, page.role(at)) };
        let drawn = page.below(whole).filter(|at| page.role(*at) == role).count();
        Some((drawn, size))
    });
    sizes.filter(|(drawn, size)| drawn < size).max_by_key(|(_, size)| *size)
}

/// Whether a row is a header: all its cells are.
pub(super) fn is_header(page: &Snapshot, row: NodeIndex) -> bool {
    let mut cells = page.children(row).filter(|at| page.role(*at) != "text").peekable();
    cells.peek().is_some() && cells.all(|at| page.role(at) == "columnheader")
}

/// From a heading to the next of its rank, within what holds them.
fn under(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    let heading = |at: &NodeIndex| page.role(*at) == "heading";
    let within = ranges(page, &about.scopes)?;
    let matcher = NameMatcher::new(about.name.as_deref().unwrap_or_default());
    let best = |roles: &[&str]| {
        let mut fits: Vec<(MatchQuality, NodeIndex)> = within
            .iter()
            .cloned()
            .flatten()
            .filter(|at| roles.contains(&page.role(*at)))
            .filter_map(|at| {
                let quality = matcher
                    .quality(&page.nodes[at].name)
                    .or_else(|| matcher.quality(&name_match::content(page, at)))?;
                Some((quality, at))
            })
            .collect();
        fits.sort();
        let quality = fits.first().map(|(quality, _)| *quality);
        fits.into_iter().filter(|(found, _)| Some(*found) == quality).map(|(_, at)| at).collect::<Vec<_>>()
    };
    let headings = best(&["heading"]);
    if !headings.is_empty() {
        return Ok(headings
            .into_iter()
            .map(|at| {
                let level = page.nodes[at].level;
                let start = page.nodes[at].end;
                let end = (start..page.nodes.len())
                    .find(|next| heading(next) && page.nodes[*next].level <= level)
                    .unwrap_or(page.nodes.len());
                start..end
            })
            .collect());
    }
    // What is under the header of a column is in the column.
    if about.kind != Some(ElementKind::Heading) && !best(&["columnheader"]).is_empty() {
        return column(page, about);
    }
    let others = best(&[
        "group",
        "radiogroup",
        "region",
        "legend",
        "caption",
        "text",
        "paragraph",
        "term",
        "cell",
        "tab",
        "button",
        "rowheader",
        "listitem",
    ]);
    if about.kind != Some(ElementKind::Heading) && !others.is_empty() {
        return Ok(others
            .into_iter()
            .map(|at| {
                let node = &page.nodes[at];
                let holds = matches!(node.role.as_ref(), "group" | "radiogroup" | "region") && node.end > at + 1;
                if holds || node.end > at + 3 { at..node.end } else { node.end..page.nodes[node.parent].end }
            })
            .filter(|range| !range.is_empty())
            .collect());
    }
    Err(nothing(page, about, |at| heading(&at)))
}

/// The row, item, card or group that says so.
fn said_for(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    let matcher = NameMatcher::new(about.label().unwrap_or_default());
    let mut fits: Vec<(MatchQuality, NodeIndex)> = (1..page.nodes.len())
        .filter(|at| {
            page.has_role(
                *at,
                &["row", "listitem", "article", "group", "treeitem", "region", "radiogroup", "figure", "tabpanel"],
            )
        })
        .filter_map(|at| name_match::row_quality(page, at, &matcher).map(|quality| (quality, at)))
        .collect();
    fits.sort();
    let quality = fits.first().map(|(quality, _)| *quality);
    fits.retain(|(found, _)| Some(*found) == quality);
    let all = fits.clone();
    fits.retain(|(_, at)| !all.iter().any(|(_, other)| other > at && page.nodes[*at].end > *other));
    if let Some(section) = headed_section(page, &matcher, fits.as_slice()) {
        return Ok(vec![section]);
    }
    if fits.is_empty() {
        return Err(nothing(page, about, |at| page.has_role(at, &["row", "listitem", "article", "group"])));
    }
    Ok(fits.into_iter().map(|(_, at)| at..page.nodes[at].end).collect())
}

/// Cards that are nothing but a heading and what follows it: the section of the one heading of that name, where nothing closer
/// than what holds several such sections says the name.
fn headed_section(
    page: &Snapshot,
    matcher: &NameMatcher,
    around: &[(MatchQuality, NodeIndex)],
) -> Option<Range<NodeIndex>> {
    let is_heading = |at: &NodeIndex| page.role(*at) == "heading";
    let is_named = |at: &NodeIndex| {
        let quality =
            matcher.quality(&page.nodes[*at].name).or_else(|| matcher.quality(&name_match::content(page, *at)));
        quality.is_some_and(|quality| quality <= MatchQuality::Bare)
    };
    let mut headings = (1..page.nodes.len()).filter(is_heading).filter(is_named);
    let heading = headings.next().filter(|_| headings.next().is_none())?;
    let level = page.nodes[heading].level;
    let is_beside = |at: &NodeIndex| *at != heading && is_heading(at) && page.nodes[*at].level <= level;
    let holds_several = |(_, at): &(MatchQuality, NodeIndex)| {
        page.below(*at).contains(&heading) && page.below(*at).any(|other| is_beside(&other))
    };
    if !around.iter().all(holds_several) {
        return None;
    }
    let start = page.nodes[heading].end;
    let limit = page.nodes[page.nodes[heading].parent].end;
    Some(start..(start..limit).find(is_beside).unwrap_or(limit)).filter(|section| !section.is_empty())
}

/// The cells below a column's header.
fn column(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    let is_cell = |at: &NodeIndex| page.has_role(*at, CELLS);
    let row_of = |cell: NodeIndex| page.enclosing(cell, &["row"]);
    let table_of = |cell: NodeIndex| page.ancestors(cell).find(|at| page.has_role(*at, TABLES));
    let cells_of = |row: NodeIndex| {
        page.below(row).filter(is_cell).filter(move |cell| row_of(*cell) == Some(row)).collect::<Vec<_>>()
    };
    let headers: Vec<NodeIndex> = match (&about.name, about.ordinal) {
        (Some(name), _) => {
            let matcher = NameMatcher::new(name);
            let mut fits: Vec<(MatchQuality, NodeIndex)> = (1..page.nodes.len())
                .filter(|at| page.role(*at) == "columnheader")
                .filter_map(|at| {
                    name_match::best_match(page, at, &matcher)
                        .map(|(quality, _)| (quality, at))
                        .or_else(|| matcher.quality(&name_match::content(page, at)).map(|quality| (quality, at)))
                })
                .collect();
            fits.sort();
            let quality = fits.first().map(|(quality, _)| *quality);
            fits.into_iter().filter(|(found, _)| Some(*found) == quality).map(|(_, at)| at).collect()
        }
        (None, Some(ordinal)) => (1..page.nodes.len())
            .filter(|at| page.role(*at) == "row")
            .filter(|row| is_header(page, *row))
            .filter_map(|row| ordinal.of(&cells_of(row)).copied())
            .collect(),
        (None, None) => Vec::new(),
    };
    let mut all = Ranges::new();
    for header in &headers {
        let (Some(row), Some(table)) = (row_of(*header), table_of(*header)) else { continue };
        let Some(scope) = cells_of(row).iter().position(|cell| cell == header) else { continue };
        for other in page.below(table).filter(|at| page.role(*at) == "row" && *at != row) {
            if let Some(cell) = cells_of(other).get(scope) {
                all.push(*cell..page.nodes[*cell].end);
            }
        }
    }
    if all.is_empty() { Err(nothing(page, about, |at| page.role(at) == "columnheader")) } else { Ok(all) }
}

/// Keeps the elements that stand as the phrase says to something else: beside, after, before.
pub(super) fn beside(
    page: &Snapshot,
    scopes: &[Scope],
    mut nodes: Vec<NodeIndex>,
) -> Result<Vec<NodeIndex>, ResolveError> {
    for scope in scopes {
        let (Scope::NextTo(about) | Scope::After(about) | Scope::Before(about)) = scope else { continue };
        let anchors = find::mentions(page, about)?;
        if anchors.len() > 1 {
            return Err(ambiguity(page, about.source_text.clone(), &anchors, "say where that is"));
        }
        let Some(anchor) = anchors.first().copied() else { continue };
        let end = page.nodes[anchor].end;
        nodes.retain(|at| *at != anchor && !(page.below(*at).contains(&anchor)));
        nodes = match scope {
            Scope::After(_) => nodes.into_iter().filter(|at| *at >= anchor).take(1).collect(),
            Scope::Before(_) => nodes.into_iter().rfind(|at| *at < anchor).into_iter().collect(),
            _ => {
                // What shares the nearest container with it; there the one that follows at once, if one does.
                let near = page
                    .ancestors(anchor)
                    .map(|up| up..page.nodes[up].end)
                    .chain(std::iter::once(0..page.nodes.len()))
                    .find_map(|range| {
                        let inside: Vec<NodeIndex> = nodes.iter().copied().filter(|at| range.contains(at)).collect();
                        (!inside.is_empty()).then_some(inside)
                    });
                let near = near.unwrap_or_default();
                let whole_page = near.len() > 1 && page.nodes[anchor].parent == 0;
                if whole_page {
                    let next = near.iter().copied().find(|at| *at == end);
                    let last = near.iter().copied().rfind(|at| page.nodes[*at].end == anchor);
                    next.into_iter().chain(last).collect()
                } else {
                    near
                }
            }
        };
    }
    Ok(nodes)
}
