//! What the driver knows of a browser context: its tabs, their frames and documents, and who waits for what.

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use legwork_protocol::DialogKind;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::driver::DriverError;

pub(super) type Answer<T> = oneshot::Sender<Result<T, DriverError>>;

#[derive(Default)]
pub(super) struct TabState {
    /// The frames by the driver's identifier. That of the main frame is the handle of the window.
    pub(super) frames: BTreeMap<String, FrameState>,
    pub(super) navigation: Option<Navigation>,
    pub(super) dialog: Option<OpenDialog>,
    pub(super) title: String,
    /// The address in whose place the browser shows its error page.
    pub(super) unreachable: Option<String>,
    /// Until when no script is run in a page that did not answer one.
    pub(super) hung_until: Option<Instant>,
    /// The answers that wait until a dialog is closed.
    pub(super) stalled: Vec<Box<dyn Send>>,
}

#[derive(Default)]
pub(super) struct FrameState {
    pub(super) parent: Option<String>,
    /// The elements of the frames from the top of the window to this one.
    pub(super) path: Vec<String>,
    /// The name of the reporter in its document, which is also that of the world.
    pub(super) key: Option<String>,
    pub(super) origin: String,
    pub(super) url: String,
    pub(super) ready: Ready,
    /// Evaluations whose value the page reports later.
    pub(super) pending: HashMap<u64, Answer<Value>>,
}

/// How far a document has loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub(super) enum Ready {
    #[default]
    Loading,
    Parsed,
    Complete,
}

impl Ready {
    pub(super) fn of(state: &str) -> Ready {
        match state {
            "complete" => Ready::Complete,
            "interactive" => Ready::Parsed,
            _ => Ready::Loading,
        }
    }
}

/// A navigation of a tab that has no document yet.
#[derive(Clone, Debug)]
pub(super) struct Navigation {
    /// The identifier of the next document and its request.
    pub(super) document: String,
    pub(super) url: String,
    pub(super) begun: Instant,
    /// Whether the browser was seen navigating to another address.
    pub(super) is_seen: bool,
    /// How many times in a row the browser was seen at the address of the present document.
    pub(super) still: u32,
}

#[derive(Clone, Debug)]
pub(super) struct OpenDialog {
    pub(super) kind: DialogKind,
}

/// The kind of a dialog and its message, from the message with the mark of the reporter. One without a mark was opened
/// by a page before the reporter ran in it; it counts as a question, so that nothing is accepted that a person would
/// have to decide.
pub(super) fn dialog_of(marked: &str) -> (DialogKind, String) {
    let mut rest = marked.chars();
    let kind = match rest.next() {
        Some('\u{2061}') => DialogKind::Alert,
        Some('\u{2062}') => DialogKind::Confirm,
        Some('\u{2063}') => DialogKind::Prompt,
        _ => return (DialogKind::Confirm, marked.to_owned()),
    };
    (kind, rest.collect())
}

impl TabState {
    /// Forgets a frame and those inside it. Who waits for its document learns that it is gone.
    pub(super) fn remove(&mut self, frame: &str) {
        let mut gone = vec![frame.to_owned()];
        while let Some(id) = gone.pop() {
            self.frames.remove(&id);
            gone.extend(self.children(&id));
        }
    }

    pub(super) fn children(&self, frame: &str) -> Vec<String> {
        let is_child = |child: &FrameState| child.parent.as_deref() == Some(frame);
        self.frames.iter().filter(|(_, child)| is_child(child)).map(|(id, _)| id.clone()).collect()
    }

    /// The frame whose document has the world with this name.
    pub(super) fn frame_of(&self, world: &str) -> Option<&String> {
        self.frames.iter().find(|(_, frame)| frame.key.as_deref() == Some(world)).map(|(id, _)| id)
    }

    /// Whether something is expected of the page, so that it must be looked at soon.
    pub(super) fn is_busy(&self) -> bool {
        self.navigation.is_some()
            || self.frames.values().any(|frame| !frame.pending.is_empty() || frame.ready < Ready::Complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialog_without_a_mark_is_a_question() {
        assert_eq!(dialog_of("\u{2061}saved"), (DialogKind::Alert, "saved".to_owned()));
        assert_eq!(dialog_of("\u{2063}name?"), (DialogKind::Prompt, "name?".to_owned()));
        assert_eq!(dialog_of("delete?"), (DialogKind::Confirm, "delete?".to_owned()));
    }

    #[test]
    fn a_frame_takes_the_frames_inside_it_along() {
        let mut tab = TabState::default();
        for (id, parent) in [("main", None), ("a", Some("main")), ("b", Some("a"))] {
            let frame = FrameState { parent: parent.map(str::to_owned), ..FrameState::default() };
            tab.frames.insert(id.to_owned(), frame);
        }
        tab.remove("a");
        assert_eq!(tab.frames.keys().collect::<Vec<_>>(), ["main"]);
    }
}
