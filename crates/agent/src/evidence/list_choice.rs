//! The choices of the lists of a page.

use legwork_observe::Snapshot;

/// A list of choices.
pub(super) struct ListChoice<'a> {
    pub(super) name: &'a str,
    /// The chosen one.
    pub(super) value: &'a str,
    pub(super) others: Vec<&'a str>,
    /// Whether the first choice is the chosen one.
    pub(super) is_first: bool,
}

/// The lists of choices of a page.
pub(super) fn choices(page: &Snapshot) -> impl Iterator<Item = ListChoice<'_>> {
    let lists = (1..page.nodes.len()).filter(|at| page.role(*at) == "combobox" && !page.nodes[*at].states.editable());
    lists.filter_map(|at| {
        let value = page.nodes[at].value.as_deref().map(str::trim).filter(|value| !value.is_empty())?;
        let options = page.below(at).filter(|below| page.role(*below) == "option");
        let options: Vec<&str> = options.map(|at| page.nodes[at].name.trim()).collect();
        let is_first = options.first().is_none_or(|first| *first == value);
        let others: Vec<&str> = options.into_iter().filter(|name| *name != value).collect();
        Some(ListChoice { name: page.nodes[at].name.trim(), value, others, is_first })
    })
}
