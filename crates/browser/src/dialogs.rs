//! The dialogs of a session: which are open, and which are answered as they open. [`Dialogs`] owns what is known of
//! them; the answer itself is sent by its callers.

use std::collections::BTreeMap;

use legwork_protocol::{DialogInfo, DialogKind};

/// The most alerts of one action that are reported. A page may open thousands.
const REPORTED: usize = 20;

/// The dialogs of all tabs, by the number of the tab. A tab shows one at a time, and stands still meanwhile.
#[derive(Default)]
pub(crate) struct Dialogs {
    tabs: BTreeMap<u32, TabDialogs>,
    /// Whether a person answers all dialogs, so that none is answered here.
    pub(crate) are_left_to_person: bool,
    /// How the current action answers the first dialog that it opens; removed when the action ends.
    prepared: Option<PreparedAnswer>,
}

#[derive(Default)]
struct TabDialogs {
    open: Option<DialogInfo>,
    /// How many were answered at once since the last action in the tab began.
    answered: usize,
}

/// An action's answer to the dialog that it opens.
#[derive(Clone, Debug)]
pub(crate) struct PreparedAnswer {
    /// The tab of the action. Dialogs of other tabs are not caused by it.
    pub(crate) tab: u32,
    pub(crate) accept: bool,
    pub(crate) text: Option<String>,
}

/// What becomes of a dialog that opens.
#[derive(Debug, PartialEq)]
pub(crate) enum DialogResponse {
    /// It waits for an action that answers it.
    Wait(DialogInfo),
    /// It is answered now. `is_reported` is false for those of a page that opens very many.
    Answer { info: DialogInfo, accept: bool, text: Option<String>, is_reported: bool },
}

impl Dialogs {
    /// The dialog that is open in a tab.
    pub(crate) fn open_in(&self, tab: u32) -> Option<&DialogInfo> {
        self.tabs.get(&tab)?.open.as_ref()
    }

    /// All open dialogs.
    pub(crate) fn open(&self) -> impl Iterator<Item = &DialogInfo> {
        self.tabs.values().filter_map(|tab| tab.open.as_ref())
    }

    /// How many dialogs of a tab were answered as they opened, since the last action in it began.
    pub(crate) fn answered_in(&self, tab: u32) -> usize {
        self.tabs.get(&tab).map_or(0, |tab| tab.answered)
    }

    /// An action begins in a tab.
    pub(crate) fn begin_action(&mut self, tab: u32) {
        if let Some(tab) = self.tabs.get_mut(&tab) {
            tab.answered = 0;
        }
    }

    /// Prepares the answer to the first dialog that the action under way opens.
    pub(crate) fn prepare(&mut self, answer: PreparedAnswer) {
        self.prepared = Some(answer);
    }

    /// The action has ended: its answer is for no other dialog.
    pub(crate) fn discard_prepared(&mut self) {
        self.prepared = None;
    }

    /// A dialog opens in a tab.
    pub(crate) fn opened(&mut self, tab: u32, kind: DialogKind, message: String) -> DialogResponse {
        let answer = match kind {
            // An alert leaves nothing to decide and would only block the page, so it is accepted at once.
            _ if self.are_left_to_person => None,
            DialogKind::Alert => Some((true, None)),
            _ => self.prepared.take_if(|answer| answer.tab == tab).map(|answer| (answer.accept, answer.text)),
        };
        let dialogs = self.tabs.entry(tab).or_default();
        let mut info = DialogInfo { kind, message, accepted: None };
        match answer {
            None => {
                dialogs.open = Some(info.clone());
                DialogResponse::Wait(info)
            }
            Some((accept, text)) => {
                dialogs.answered += 1;
                info.accepted = Some(accept);
                DialogResponse::Answer { info, accept, text, is_reported: dialogs.answered <= REPORTED }
            }
        }
    }

    /// Takes the open dialog of a tab, to answer it.
    pub(crate) fn take(&mut self, tab: u32) -> Option<DialogInfo> {
        self.tabs.get_mut(&tab)?.open.take()
    }

    /// The tab, or its page, is gone, and its dialogs with it.
    pub(crate) fn remove_tab(&mut self, tab: u32) {
        self.tabs.remove(&tab);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alert_is_accepted_and_a_question_waits() {
        let mut dialogs = Dialogs::default();
        let alert = dialogs.opened(1, DialogKind::Alert, "hi".to_owned());
        assert!(matches!(alert, DialogResponse::Answer { accept: true, .. }));
        assert!(dialogs.open_in(1).is_none() && dialogs.answered_in(1) == 1);
        let question = dialogs.opened(1, DialogKind::Confirm, "sure?".to_owned());
        assert!(matches!(question, DialogResponse::Wait(_)));
        assert_eq!(dialogs.open().count(), 1);
        assert_eq!(dialogs.take(1).unwrap().message, "sure?");
        assert!(dialogs.open_in(1).is_none());
    }

    #[test]
    fn a_prepared_answer_is_for_one_dialog_of_its_tab() {
        let mut dialogs = Dialogs::default();
        dialogs.prepare(PreparedAnswer { tab: 1, accept: false, text: None });
        assert!(matches!(dialogs.opened(2, DialogKind::Confirm, String::new()), DialogResponse::Wait(_)));
        let own = dialogs.opened(1, DialogKind::Confirm, String::new());
        assert!(matches!(own, DialogResponse::Answer { accept: false, .. }));
        assert!(matches!(dialogs.opened(1, DialogKind::Confirm, String::new()), DialogResponse::Wait(_)));
    }

    #[test]
    fn of_very_many_alerts_the_first_are_reported_and_an_action_begins_anew() {
        let mut dialogs = Dialogs::default();
        let mut reported = || {
            (0..REPORTED + 5)
                .filter(|_| {
                    let alert = dialogs.opened(1, DialogKind::Alert, String::new());
                    matches!(alert, DialogResponse::Answer { is_reported: true, .. })
                })
                .count()
        };
        assert_eq!((reported(), reported()), (REPORTED, 0));
        dialogs.begin_action(1);
        assert_eq!(dialogs.answered_in(1), 0);
    }
}
