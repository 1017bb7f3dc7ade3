//! Determines whether the absence of something can be stated.

use legwork_observe::Snapshot;

use super::finding::{Finding, cannot_tell};
use crate::{ast::TargetPhrase, element_kind::ElementKind, scope};

/// The presuppositions of absence: the scopes exist, the table of the missing row exists, and the snapshot contains the
/// whole page.
pub(super) fn may_be_absent(phrase: &TargetPhrase, page: &Snapshot) -> Result<(), Finding> {
    if page.nodes.len() <= 1 && page.dialog.is_none() {
        return Err(cannot_tell("the page shows nothing at all, so nothing can be said to be missing from it"));
    }
    if !page.cut.is_empty() {
        return Err(cannot_tell(
            "the page was too large to be captured completely, so it cannot be verified that something is absent",
        ));
    }
    scope::require_places(page, &phrase.scopes)?;
    let is_in_place = !phrase.scopes.is_empty();
    let ranges = scope::ranges(page, &phrase.scopes).unwrap_or_default();
    if (is_in_place || matches!(phrase.kind, Some(ElementKind::Row | ElementKind::Item)))
        && let Some((drawn, all)) = scope::partial_size(page, &ranges)
    {
        return Err(cannot_tell(format!(
            "only {drawn} of {all} rows or items are on the page, so it cannot be verified that one is absent; filter or search first"
        )));
    }
    let in_row = |range: &std::ops::Range<usize>| {
        page.ancestors(range.start).chain([range.start]).any(|at| page.role(at) == "row")
    };
    if phrase.kind == Some(ElementKind::Row) && is_in_place && ranges.iter().all(in_row) {
        return Err(cannot_tell(format!(
            "a row is not in a part of rows, so nothing can be said of {}; write: the status of \"Globex\" is \"Paid\"",
            phrase.display_text()
        )));
    }
    if is_in_place {
        return Ok(());
    }
    // `the cookie banner` is a common noun, which need not occur in a text of the page. The ARIA role `banner` is the
    // header of the page.
    let is_common_noun =
        matches!(phrase.kind, None | Some(ElementKind::Banner)) && !phrase.quoted && phrase.raw.is_none();
    if let Some(name) = phrase.name.as_deref().filter(|_| is_common_noun)
        && name.split(' ').all(|word| word.chars().all(|c| c.is_lowercase() || c == '-'))
    {
        return Err(cannot_tell(format!(
            "“{name}” is no kind of element that is known here, so nothing can be said of it; name a text that it shows, in quotes"
        )));
    }
    let (whole, roles): (&str, &[&str]) = match phrase.kind {
        Some(ElementKind::Row) => ("table", &["table", "grid", "treegrid", "list", "tree", "listbox", "row"]),
        Some(ElementKind::Cell | ElementKind::Column) => ("table", &["table", "grid", "treegrid"]),
        Some(ElementKind::Option) => {
            ("list of options", &["combobox", "listbox", "radiogroup", "menu", "option", "radio"])
        }
        _ => return Ok(()),
    };
    if page.nodes.iter().any(|node| roles.contains(&node.role.as_ref())) {
        return Ok(());
    }
    Err(cannot_tell(format!("there is no {whole} on the page, so nothing can be said of {}", phrase.display_text())))
}
