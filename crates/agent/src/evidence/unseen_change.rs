//! A change in the middle of a run of which the page shows nothing. A later page may show it: an entered value that was
//! not there, or another text in the entry of the pressed control.

use legwork_observe::{Snapshot, wording};
use legwork_protocol::Action;

use super::{
    Churn, Covered, Observed,
    change_request::ChangeRequest,
    unwanted::{is_entry, own_entry},
    value_notation::contains_value,
};

/// A change that the server accepted and that no page has shown so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UnseenChange {
    /// The words of the pressed control, in lower case.
    names: String,
    /// The entered values that the page after the action does not show as texts.
    values: Vec<String>,
    /// The first text of the entry of the control, and all of its texts.
    entry: Option<(String, String)>,
}

impl UnseenChange {
    pub(crate) fn of(actions: &[Action], before: &Snapshot, after: &Snapshot) -> UnseenChange {
        const TELLING: usize = 3;
        let (churn, covered) = (Churn::default(), Covered::default());
        let observed = Observed {
            actions,
            failed: &[],
            effects: &[],
            before: Some(before),
            after,
            is_login: false,
            answers_dialog: false,
            has_further_action: true,
            is_lent: false,
            churn: &churn,
            covered: &covered,
            disabled: &[],
        };
        let request = ChangeRequest::of(&observed, before);
        let is_unseen = |value: &&str| value.chars().count() >= TELLING && !shows(after, value);
        let entry = own_entry(&observed, before).map(|at| (first_text(before, at), before.text_of(at)));
        UnseenChange {
            names: request.names().to_owned(),
            values: request.values().filter(is_unseen).map(str::to_owned).collect(),
            entry: entry.filter(|(name, _)| !name.is_empty()),
        }
    }

    /// Whether a page shows the change. An entry of the same name shows it with a text that states what was requested.
    pub(crate) fn is_shown_on(&self, page: &Snapshot) -> bool {
        let is_of_entry = |at: usize, name: &str| is_entry(page, at) && first_text(page, at) == name;
        let states = |text: &str| wording::states_done(text, &self.names);
        let entry_changed = self.entry.as_ref().is_some_and(|(name, was)| {
            (1..page.nodes.len()).filter(|at| is_of_entry(*at, name)).any(|at| {
                let text = page.text_of(at);
                text != *was && states(&text)
            })
        });
        entry_changed || self.values.iter().any(|value| shows(page, value))
    }
}

/// The first text of an entry, which is mostly its name.
pub(super) fn first_text(page: &Snapshot, entry: usize) -> String {
    let names = page.below(entry).map(|at| page.nodes[at].name.trim());
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned()
}

/// Whether a text of the page, which is no field and no choice, contains the value.
fn shows(page: &Snapshot, value: &str) -> bool {
    let mut texts = page
        .nodes
        .iter()
        .filter(|node| !node.states.editable() && !matches!(node.role.as_ref(), "option" | "combobox" | "listbox"));
    texts.any(|node| contains_value(&node.name, value))
}
