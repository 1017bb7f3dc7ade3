//! A run's events as lines of JSON, under the names that were asked for.

use legwork::record::{SidePanelEvent, SidePanelView};
use legwork_protocol::Event;

use crate::args::EventNames;

/// Writes events, in order.
pub(crate) struct EventLines {
    /// The view, when the names are not the journal's own.
    side_panel: Option<SidePanelView>,
}

impl EventLines {
    pub(crate) fn new(names: EventNames) -> EventLines {
        EventLines { side_panel: (names == EventNames::SidePanel).then(SidePanelView::default) }
    }

    /// The lines of an event, each with its end; none when its names have no word for it.
    pub(crate) fn of(&mut self, event: &Event) -> Result<String, serde_json::Error> {
        let line = |view: &SidePanelEvent| serde_json::to_string(view).map(|line| line + "\n");
        match &mut self.side_panel {
            Some(side_panel) => side_panel.view(event).iter().map(line).collect(),
            None => serde_json::to_string(event).map(|line| line + "\n"),
        }
    }
}
