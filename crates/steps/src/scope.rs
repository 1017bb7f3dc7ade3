//! Resolves scopes to ranges of the page's nodes.

use std::ops::Range;

use legwork_observe::{Node, NodeIndex, Snapshot};
use legwork_protocol::{Target, TargetKind};

use crate::{
    ast::{Scope, TargetPhrase},
    describe::{ambiguity, nearest},
    element_kind::ElementKind,
    error::ResolveError,
    find,
    name_match::{self, MatchQuality, NameMatcher, best_of, innermost},
    roles::{CELLS, TABLES, roles},
};

type Ranges = Vec<Range<NodeIndex>>;

/// The whole page as one range.
pub(super) fn everywhere(page: &Snapshot) -> Ranges {
    std::iter::once(1..page.nodes.len()).collect()
}

/// The parts of the page that are in all of these scopes.
pub(super) fn ranges(page: &Snapshot, scopes: &[Scope]) -> Result<Ranges, ResolveError> {
    let mut all = everywhere(page);
    for scope in scopes {
        let there = match scope {
            Scope::In(about) => containers(page, about)?,
            Scope::Column(about) => column(page, about)?,
            Scope::Under(about) => under(page, about)?,
            Scope::For(about) => records_of(page, about)?,
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
    let others = (1..page.nodes.len()).filter(|at| fits(*at) && !page.has_role(*at, &["text", "generic"]));
    let candidates = nearest(page, about.label().unwrap_or_default(), others);
    ResolveError::not_found(about.source_text.clone(), candidates, "")
}

/// The node of a ref or an `#id`. Only the browser can resolve other selectors.
pub(super) fn raw_node(page: &Snapshot, raw: &Target) -> Option<NodeIndex> {
    match raw.kind() {
        TargetKind::Ref(reference) => page.find_ref(reference),
        TargetKind::Css(css) => {
            let id = css.strip_prefix('#')?;
            let has_id = |node: &Node| node.attributes.as_ref().is_some_and(|a| a.id.as_deref() == Some(id));
            (1..page.nodes.len()).find(|at| has_id(&page.nodes[*at]))
        }
        _ => None,
    }
}

/// The nodes that a phrase for a container matches. If there are several, all are searched, and the target decides.
pub(super) fn container_nodes(page: &Snapshot, about: &TargetPhrase) -> Result<Vec<NodeIndex>, ResolveError> {
    if let Some(raw) = &about.raw {
        return raw_node(page, raw).map(|at| vec![at]).ok_or_else(|| nothing(page, about, |_| false));
    }
    let is_named = about.label().is_some();
    let fits = |at: NodeIndex| match about.kind {
        // A button with the name of a menu opens it. A place without a name is an open menu or list of any kind, and a
        // button has nothing in it.
        Some(kind @ (ElementKind::Menu | ElementKind::Dropdown)) if !is_named => {
            kind.fits_at(page, at).filter(|_| page.role(at) != "button").map(|_| 0)
        }
        Some(kind) => kind
            .fits_at(page, at)
            .filter(|rank| (*rank == 0 || kind != ElementKind::Text) && (is_named || !kind.needs_name(*rank))),
        None => {
            let is_leaf = page.nodes[at].end == at + 1;
            (!is_leaf && !page.has_role(at, &["text", "generic", "link", "button", "document"])).then_some(0)
        }
    };
    let name = about.name.as_deref().map(NameMatcher::new);
    let texts: Vec<NameMatcher> = about.contains.iter().map(|text| NameMatcher::new(text)).collect();
    let quality = |at: NodeIndex| {
        let by_name = match &name {
            Some(name) => name_match::best_match(page, at, name)?.0,
            None => MatchQuality::Exact,
        };
        texts.iter().try_fold(by_name, |worst, text| Some(worst.max(name_match::row_quality(page, at, text)?)))
    };
    let within = ranges(page, &about.scopes)?.into_iter().flatten();
    // A looser match inside an exact match is not a container of that name.
    let mut nodes = best_of(within.filter_map(|at| {
        let rank = fits(at)?;
        Some(((quality(at)?, rank), at))
    }));
    nodes.sort_unstable();
    nodes.dedup();
    // Header and footer rows are not counted as rows, unless the phrase looks for their text.
    if about.kind == Some(ElementKind::Row) && texts.is_empty() {
        nodes.retain(|at| is_record(page, *at));
    }
    if is_named {
        // Nested tables have rows within rows.
        nodes = innermost(page, &nodes);
    }
    if about.kind == Some(ElementKind::Dialog) && name.is_none() && about.ordinal.is_none() {
        nodes = nodes.split_off(nodes.len().saturating_sub(1));
    }
    if let Some(ordinal) = about.ordinal {
        nodes = ordinal.of(&nodes).copied().into_iter().collect();
    }
    // `the row above "Ann"`.
    nodes = beside(page, &about.scopes, nodes)?;
    if nodes.is_empty() {
        return Err(nothing(page, about, |at| fits(at).is_some() && !is_header(page, at)));
    }
    Ok(nodes)
}

/// The presuppositions of a condition about a scope: each scope must exist. A scope that is named only by its kind must
/// have exactly that kind, because a menu is not the missing list.
pub(super) fn require_places(page: &Snapshot, scopes: &[Scope]) -> Result<(), ResolveError> {
    for scope in scopes.iter().filter(|scope| !scope.is_page()) {
        let about = scope.anchor();
        require_places(page, &about.scopes)?;
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

/// The contents of each of these nodes.
fn whole(page: &Snapshot, nodes: impl IntoIterator<Item = NodeIndex>) -> Ranges {
    nodes.into_iter().map(|at| at..page.nodes[at].end).collect()
}

pub(super) fn containers(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    use ElementKind::{Any, Heading, Main, Navigation, Region, Sidebar};
    let failed = match container_nodes(page, about) {
        Ok(nodes) => return Ok(whole(page, nodes)),
        Err(failed) => failed,
    };
    let Some(name) = about.name.as_deref().filter(|_| about.ordinal.is_none() && about.scopes.is_empty()) else {
        return Err(failed);
    };
    // A section without a name is identified by its heading, or by any container that has the name.
    if let Ok(sections) = under(page, &TargetPhrase { kind: Some(Heading), ..TargetPhrase::named(name) }) {
        let Some(kind) = about.kind.filter(|kind| ![Region, Main, Any, Navigation, Sidebar].contains(kind)) else {
            return Ok(sections);
        };
        let is_of_kind = |at: &NodeIndex| kind.fits_at(page, *at) == Some(0);
        let inside = whole(page, sections.into_iter().filter_map(|mut section| section.find(is_of_kind)));
        return if inside.is_empty() { Err(failed) } else { Ok(inside) };
    }
    let other = match about.kind {
        Some(_) => container_nodes(page, &TargetPhrase { kind: None, ..about.clone() }).map(|nodes| whole(page, nodes)),
        None => records_of(page, about),
    };
    other.map_err(|_| failed)
}

/// Whether a row is a data row: not a header, not a footer, and not a single cell below several columns, which contains
/// details of the previous row, the name of a group, or a note that the table is empty.
pub(super) fn is_record(page: &Snapshot, row: NodeIndex) -> bool {
    if is_header(page, row) || page.nodes[row].states.footer() || is_placeholder(page, row) {
        return false;
    }
    // What stands between cells, such as a handle to resize a column, is no cell.
    let cell_count = |row: NodeIndex| match cells(page, row).len() {
        0 => page.children(row).filter(|at| page.role(*at) != "text").count(),
        count => count,
    };
    let table = page.enclosing(row, TABLES);
    let header = table.and_then(|table| page.children(table).find(|at| is_header(page, *at)));
    cell_count(row) != 1
        || match header {
            Some(header) => cell_count(header) < 2,
            None => !is_lone_cell(page, row, cell_count),
        }
}

/// Whether a row of a table without headers has one cell without a control, while all rows with another number of cells
/// have the same larger number of them: a group heading or a note.
fn is_lone_cell(page: &Snapshot, row: NodeIndex, cell_count: impl Fn(NodeIndex) -> usize) -> bool {
    let Some(table) = page.enclosing(row, TABLES) else { return false };
    let is_row = |at: &NodeIndex| page.role(*at) == "row" && page.enclosing(*at, TABLES) == Some(table);
    let mut others = page.below(table).filter(is_row).map(cell_count).filter(|count| *count != 1);
    let has_control = page.below(row).any(|at| page.nodes[at].states.actionable());
    let count = others.next();
    count.is_some_and(|count| count > 1 && others.all(|other| other == count)) && !has_control
}

/// Whether all cells of a row are empty: tables show such rows while their content is loading.
fn is_placeholder(page: &Snapshot, row: NodeIndex) -> bool {
    let has_content = |node: &legwork_observe::Node| {
        let is_plain = matches!(node.role.as_ref(), "cell" | "gridcell" | "rowheader" | "generic" | "text");
        !is_plain || !node.name.trim().is_empty()
    };
    page.nodes[row].name.trim().is_empty() && !page.below(row).any(|at| at != row && has_content(&page.nodes[at]))
}

/// A virtualized table or list, which contains only the part that is scrolled into view: the number of its rows or
/// items on the page, and the total number that it declares.
pub(super) fn partial_size(page: &Snapshot, ranges: &[Range<NodeIndex>]) -> Option<(usize, usize)> {
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

/// Whether a row is a header: all of its cells are header cells.
pub(super) fn is_header(page: &Snapshot, row: NodeIndex) -> bool {
    let cells = cells(page, row);
    !cells.is_empty() && cells.into_iter().all(|at| page.role(at) == "columnheader")
}

/// From a heading to the next one of its level, within their common ancestor.
pub(super) fn under(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    const CAPTIONS: &[&str] = roles![
        group radiogroup region legend caption text paragraph term cell tab button rowheader listitem
    ];
    let within = ranges(page, &about.scopes)?;
    let matcher = NameMatcher::new(about.name.as_deref().unwrap_or_default());
    let best = |roles: &[&str]| {
        let nodes = within.iter().cloned().flatten().filter(|at| page.has_role(*at, roles));
        best_of(nodes.filter_map(|at| Some((matcher.quality_at(page, at)?, at))))
    };
    let headings = best(&["heading"]);
    if !headings.is_empty() {
        let end_of = |heading: NodeIndex| {
            let level = page.nodes[heading].level;
            let is_next = |at: &NodeIndex| page.role(*at) == "heading" && page.nodes[*at].level <= level;
            (page.nodes[heading].end..page.nodes.len()).find(is_next).unwrap_or(page.nodes.len())
        };
        return Ok(headings.into_iter().map(|at| page.nodes[at].end..end_of(at)).collect());
    }
    if about.kind == Some(ElementKind::Heading) {
        return Err(nothing(page, about, |at| page.role(at) == "heading"));
    }
    // `Under` the header of a column means in the column.
    if !best(&["columnheader"]).is_empty() {
        return column(page, about);
    }
    let below = |at: NodeIndex| {
        let node = &page.nodes[at];
        let holds = page.has_role(at, &["group", "radiogroup", "region"]) && node.end > at + 1;
        if holds || node.end > at + 3 { at..node.end } else { node.end..page.nodes[node.parent].end }
    };
    let captions = best(CAPTIONS);
    if captions.is_empty() {
        return Err(nothing(page, about, |at| page.role(at) == "heading"));
    }
    Ok(captions.into_iter().map(below).filter(|range| !range.is_empty()).collect())
}

/// The row, item, card or group that contains the text.
fn records_of(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    const RECORDS: &[&str] =
        &["row", "listitem", "article", "group", "treeitem", "region", "radiogroup", "figure", "tabpanel"];
    let matcher = NameMatcher::new(about.label().unwrap_or_default());
    let records = (1..page.nodes.len()).filter(|at| page.has_role(*at, RECORDS));
    let fits = best_of(records.filter_map(|at| Some((name_match::row_quality(page, at, &matcher)?, at))));
    let fits = innermost(page, &fits);
    if let Some(section) = headed_section(page, &matcher, &fits) {
        return Ok(vec![section]);
    }
    if fits.is_empty() {
        return Err(nothing(page, about, |at| page.has_role(at, &["row", "listitem", "article", "group"])));
    }
    Ok(whole(page, fits))
}

/// The section of the only heading with that name, for cards that consist of a heading and the content after it. It
/// applies only if each of the records in `around` contains several such sections.
fn headed_section(page: &Snapshot, matcher: &NameMatcher, around: &[NodeIndex]) -> Option<Range<NodeIndex>> {
    let is_heading = |at: &NodeIndex| page.role(*at) == "heading";
    let is_named = |at: &NodeIndex| matcher.quality_at(page, *at).is_some_and(|quality| quality <= MatchQuality::Bare);
    let mut headings = (1..page.nodes.len()).filter(is_heading).filter(is_named);
    let heading = headings.next().filter(|_| headings.next().is_none())?;
    let level = page.nodes[heading].level;
    let is_beside = |at: &NodeIndex| *at != heading && is_heading(at) && page.nodes[*at].level <= level;
    let holds_several =
        |at: &NodeIndex| page.below(*at).contains(&heading) && page.below(*at).any(|other| is_beside(&other));
    if !around.iter().all(holds_several) {
        return None;
    }
    let start = page.nodes[heading].end;
    let limit = page.nodes[page.nodes[heading].parent].end;
    Some(start..(start..limit).find(is_beside).unwrap_or(limit)).filter(|section| !section.is_empty())
}

/// The cells of a row, without those of nested tables.
pub(super) fn cells(page: &Snapshot, row: NodeIndex) -> Vec<NodeIndex> {
    let is_own = |at: &NodeIndex| page.has_role(*at, CELLS) && page.enclosing(*at, &["row"]) == Some(row);
    page.below(row).filter(is_own).collect()
}

/// The header row of a row's table.
pub(super) fn header(page: &Snapshot, row: NodeIndex) -> Option<NodeIndex> {
    let table = page.enclosing(row, TABLES)?;
    page.below(table).find(|at| page.role(*at) == "row" && is_header(page, *at))
}

/// Whether the next row belongs to this one: a cell of this row spans both, so the next row has fewer cells. A single
/// cell below several columns is a detail or a footer instead.
pub(super) fn spans_next_row(page: &Snapshot, row: NodeIndex, columns: usize) -> bool {
    let next = page.nodes[row].end;
    let is_row =
        page.nodes.get(next).is_some_and(|node| node.role.as_ref() == "row" && node.parent == page.nodes[row].parent);
    let next_cells = if is_row { cells(page, next).len() } else { 0 };
    next_cells < columns && next_cells > usize::from(columns > 2)
}

/// The cell of a row below the header with that name.
/// The header of the column that an element in a table is in.
pub(super) fn column_of(page: &Snapshot, at: NodeIndex) -> Option<String> {
    let row = page.enclosing(at, &["row"])?;
    let headers = cells(page, header(page, row)?);
    let cells = cells(page, row);
    let place = cells.iter().position(|cell| *cell == at || page.below(*cell).contains(&at))?;
    let is_whole = cells.len() >= headers.len() && !spans_next_row(page, row, headers.len());
    let header = headers.get(place).filter(|_| is_whole)?;
    Some(name_match::normalize_whitespace(&name_match::content(page, *header))).filter(|header| !header.is_empty())
}

/// The cells below the header of a column.
fn column(page: &Snapshot, about: &TargetPhrase) -> Result<Ranges, ResolveError> {
    let all = |role: &'static str| (1..page.nodes.len()).filter(move |at| page.role(*at) == role);
    let headers: Vec<NodeIndex> = match (&about.name, about.ordinal) {
        (Some(name), _) => {
            let matcher = NameMatcher::new(name);
            let quality = |at: NodeIndex| {
                let by_name = name_match::best_match(page, at, &matcher).map(|(quality, _)| quality);
                by_name.or_else(|| matcher.quality(&name_match::content(page, at)))
            };
            best_of(all("columnheader").filter_map(|at| Some((quality(at)?, at))))
        }
        (None, Some(ordinal)) => {
            let rows = all("row").filter(|row| is_header(page, *row));
            rows.filter_map(|row| ordinal.of(&cells(page, row)).copied()).collect()
        }
        (None, None) => Vec::new(),
    };
    let mut found = Vec::new();
    for header in &headers {
        let (Some(row), Some(table)) = (page.enclosing(*header, &["row"]), page.enclosing(*header, TABLES)) else {
            continue;
        };
        let Some(place) = cells(page, row).iter().position(|cell| cell == header) else { continue };
        let others = page.below(table).filter(|at| page.role(*at) == "row" && *at != row);
        found.extend(others.filter_map(|other| cells(page, other).get(place).copied()));
    }
    if found.is_empty() {
        return Err(nothing(page, about, |at| page.role(at) == "columnheader"));
    }
    Ok(whole(page, found))
}

/// Keeps the elements whose position relative to another one matches the phrase: beside, after, before.
pub(super) fn beside(
    page: &Snapshot,
    scopes: &[Scope],
    mut nodes: Vec<NodeIndex>,
) -> Result<Vec<NodeIndex>, ResolveError> {
    for scope in scopes.iter().filter(|scope| scope.is_relative()) {
        let about = scope.anchor();
        let anchors = find::mentions(page, about)?;
        if anchors.len() > 1 {
            return Err(ambiguity(page, about.source_text.clone(), &anchors, "say where that is"));
        }
        let Some(anchor) = anchors.first().copied() else { continue };
        nodes.retain(|at| *at != anchor && !page.below(*at).contains(&anchor));
        nodes = match scope {
            Scope::After(_) => nodes.into_iter().find(|at| *at >= anchor).into_iter().collect(),
            Scope::Before(_) => nodes.into_iter().rfind(|at| *at < anchor).into_iter().collect(),
            _ => next_to(page, anchor, &nodes),
        };
    }
    Ok(nodes)
}

/// The nodes that share the nearest container with an element. If that is the whole page, the nodes immediately before
/// and after it. A form often has no container for each of its fields, so of several nodes in a container, the only one
/// immediately before or after the element is meant.
fn next_to(page: &Snapshot, anchor: NodeIndex, nodes: &[NodeIndex]) -> Vec<NodeIndex> {
    let around = page.ancestors(anchor).map(|up| up..page.nodes[up].end).chain(std::iter::once(0..page.nodes.len()));
    let mut inside =
        around.map(|range| nodes.iter().copied().filter(|at| range.contains(at)).collect::<Vec<NodeIndex>>());
    let near = inside.find(|inside| !inside.is_empty()).unwrap_or_default();
    if near.len() < 2 {
        return near;
    }
    let next = near.iter().copied().find(|at| *at == page.nodes[anchor].end);
    let last = near.iter().copied().rfind(|at| page.nodes[*at].end == anchor);
    let adjacent: Vec<NodeIndex> = next.into_iter().chain(last).collect();
    if page.nodes[anchor].parent == 0 || adjacent.len() == 1 { adjacent } else { near }
}
