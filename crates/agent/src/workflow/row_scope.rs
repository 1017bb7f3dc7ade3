//! What the steps of an iteration see: the page without the other rows of the loop, so that the words of a step cannot
//! mean an element of another row.

use std::sync::Arc;

use legwork_observe::{NodeIndex, Snapshot};
use legwork_protocol::{EventKind, IterationPlace, Provenance, VariableInfo, VariableSource};
use legwork_steps::{KnownRow, RowPlace, RowPresence};

use super::WorkflowRun;
use crate::NeedResult;

/// What the current iteration does to the page.
#[derive(Default)]
pub(super) struct RowScope {
    /// The iterations around the current step.
    within: Vec<IterationPlace>,
    /// Where the row of the innermost loop over rows is on the last page.
    presence: Option<RowPresence>,
    /// That row on the page as the steps of the iteration see it, if it is there.
    row: Option<NodeIndex>,
}

impl RowScope {
    /// The page as the steps of the iteration see it.
    fn view(&mut self, whole: &Arc<Snapshot>) -> Arc<Snapshot> {
        let mut page = whole.clone();
        (self.presence, self.row) = (None, None);
        for place in &self.within {
            let iterations = &place.iterations;
            let Some(words) = iterations.place.as_deref().and_then(|words| RowPlace::read(words).ok()) else {
                continue;
            };
            let known: Vec<KnownRow<'_>> =
                iterations.items.iter().map(|item| KnownRow { key: &item.key, cells: &item.value }).collect();
            let view = words.with_only(&page, &iterations.key, &known, &place.item().key);
            page = Arc::new(view.page);
            (self.presence, self.row) = (Some(view.presence), view.row);
        }
        page
    }

    /// Why the words of a step cannot be found in their row, for the message of a failed step.
    pub(super) fn problem(&self) -> Option<String> {
        match self.presence? {
            RowPresence::Missing => {
                let key = self.within.last().map(|place| place.iterations.key.join(" and ")).unwrap_or_default();
                Some(format!(
                    "the table does not show this row now; if a step changed its text in the column {key}, name another column \
                     with `key`"
                ))
            }
            RowPresence::Several(count) => {
                Some(format!("{count} rows of the table have the text that identifies this one"))
            }
            RowPresence::Moved => Some(format!(
                "the text by which this row is known ({}) now stands in another row, so it belongs to a position; name the column \
                 that identifies a row with `key`",
                self.within.last().map(|place| place.item().key.join(" · ")).unwrap_or_default()
            )),
            RowPresence::Shown | RowPresence::NoTable => None,
        }
    }

    /// Whether other rows may be hidden from the step.
    pub(super) fn hides_rows(&self) -> bool {
        self.presence.is_some()
    }
}

impl WorkflowRun {
    /// Limits an observation to the row of the current iteration.
    pub(super) fn in_row(&mut self, response: NeedResult) -> NeedResult {
        match response {
            NeedResult::Observed(whole) => {
                let view = self.scope.view(&whole);
                self.run_context.whole_page = self.scope.hides_rows().then(|| whole.clone());
                self.run_context.row = self.scope.row;
                self.page = Some(whole);
                NeedResult::Observed(view)
            }
            other => other,
        }
    }

    /// Enters the iterations of the current step: sets their variables, and shows the last page as it is for their
    /// rows.
    pub(super) fn enter_iterations(&mut self) {
        let within = self.plan.steps().get(self.at).map(|step| step.within.clone()).unwrap_or_default();
        for place in &within {
            self.set_loop_variable(place);
        }
        if self.scope.within == within {
            return;
        }
        self.scope.within = within;
        // The rows that come and go here are no changes of the page, so that nothing is learned from them.
        if let (Some(whole), Some(_)) = (self.page.clone(), &self.run_context.page) {
            self.run_context.page = Some(self.scope.view(&whole));
            self.run_context.whole_page = self.scope.hides_rows().then_some(whole);
            self.run_context.row = self.scope.row;
        }
    }

    fn set_loop_variable(&mut self, place: &IterationPlace) {
        let (name, value) = (place.iterations.variable.clone(), place.item().value.clone());
        if self.run_context.variables.get(&name) == Some(&value) {
            return;
        }
        let (source, provenance) = match &place.iterations.origin {
            Some(origin) => {
                self.run_context.extracted.insert(name.clone());
                (VariableSource::Extracted, Provenance::Page(origin.clone()))
            }
            None => (VariableSource::Computed, Provenance::User),
        };
        let previous_value = self.run_context.variables.insert(name.clone(), value.clone());
        let variable = VariableInfo { name, value, previous_value, source, provenance: Some(provenance) };
        self.emit(Some(self.at), EventKind::VariableUpdated(variable));
    }
}
