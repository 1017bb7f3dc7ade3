//! Events of a run as lines of JSON, with the selected names.

use legwork::record::{SidePanelEvent, SidePanelView};
use legwork_protocol::Event;

use crate::command_args::EventNames;

/// Writes events in order.
pub(crate) struct EventLines {
    /// The side panel view, if its names are selected.
    side_panel: Option<SidePanelView>,
}

impl EventLines {
    pub(crate) fn new(names: EventNames) -> EventLines {
        EventLines { side_panel: (names == EventNames::SidePanel).then(SidePanelView::default) }
    }

    /// The lines of an event, each with its line end; empty if the selected names have no counterpart.
    pub(crate) fn of(&mut self, event: &Event) -> Result<String, serde_json::Error> {
        let line = |view: &SidePanelEvent| serde_json::to_string(view).map(|line| line + "\n");
        match &mut self.side_panel {
            Some(side_panel) => side_panel.view(event).iter().map(line).collect(),
            None => serde_json::to_string(event).map(|line| line + "\n"),
        }
    }
}
