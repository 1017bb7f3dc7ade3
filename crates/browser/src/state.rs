//! The state of a session. Events change it on the reading task, in the order of the wire; all other code reads it and
//! waits for changes. The lock is never held across an await.
//!
//! It consists of components that own their fields. They share one lock, because one event often changes several of
//! them and no reader may see one change without the other, and one wake-up, because a wait often depends on several: a
//! tab that neither loads nor shows a dialog and whose downloads have ended.

use std::collections::BTreeMap;

use legwork_protocol::{ElementBox, PageEffect, Target};

use crate::{
    action_epoch::ActionEpoch,
    dialogs::Dialogs,
    downloads::Downloads,
    driver::{NetworkEmulation, SessionId},
    driver_event::WorkerKind,
    route_table::RouteTable,
    tabs::{Tab, Tabs},
    unsaved_work::UnsavedWork,
};

/// A running worker.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    pub(crate) session: SessionId,
    pub(crate) kind: WorkerKind,
    /// The address of its script.
    pub(crate) url: String,
    /// Whether its requests are paused or blocked for a limit.
    pub(crate) is_limited: bool,
}

/// What is known of a session, and what was asked for in it.
#[derive(Default)]
pub(crate) struct SessionState {
    pub(crate) tabs: Tabs,
    pub(crate) dialogs: Dialogs,
    pub(crate) downloads: Downloads,
    /// The routes that answer or change requests.
    pub(crate) routes: RouteTable,
    pub(crate) unsaved: UnsavedWork,
    pub(crate) epoch: ActionEpoch,
    /// Whether the current action is input, which may open tabs.
    pub(crate) input: bool,
    /// The effects since an action last took them.
    pub(crate) effects: Vec<PageEffect>,
    /// The position of the first element of the current action.
    pub(crate) element_box: Option<ElementBox>,
    /// The refs of the elements that the current action found by names or selectors, by the target.
    pub(crate) resolved: BTreeMap<String, Target>,
    pub(crate) gone: Option<String>,
    /// The size of the view, if it was changed since the session began.
    pub(crate) view: Option<(u32, u32)>,
    /// The folders for uploads, if they were changed since the session began.
    pub(crate) uploads: Option<Vec<std::path::PathBuf>>,
    /// The emulated conditions, if any were set.
    pub(crate) network_emulation: Option<NetworkEmulation>,
    /// The workers of all tabs, and the shared and service workers.
    pub(crate) workers: Vec<Worker>,
}

impl SessionState {
    /// Begins an action.
    pub(crate) fn begin_epoch(&mut self) -> ActionEpoch {
        self.epoch += 1;
        self.input = false;
        self.element_box = None;
        self.resolved.clear();
        self.tabs.begin_action();
        if let Some(tab) = self.tabs.current() {
            self.dialogs.begin_action(tab.number());
        }
        self.epoch
    }

    /// Whether a tab can be waited for no longer: it shows a dialog, crashed, or is gone with the browser.
    pub(crate) fn is_stuck(&self, tab: &Tab) -> bool {
        tab.is_crashed() || self.dialogs.open_in(tab.number()).is_some() || self.gone.is_some()
    }

    /// Continues in a tab that we or an action of ours opened, and reports it.
    pub(crate) fn claim(&mut self, number: u32) {
        self.tabs.adopt(number);
        let reported = self.effects.iter_mut().find_map(|effect| match effect {
            PageEffect::TabOpened { number: of, current, .. } if *of == number => Some(current),
            _ => None,
        });
        match reported {
            Some(current) => *current = true,
            // It was reported with the action that a dialog held up.
            None => {
                let url = self.tabs.get(number).map(|tab| tab.url().to_owned()).unwrap_or_default();
                self.effects.push(PageEffect::TabOpened { number, url, current: true });
            }
        }
    }

    /// Removes a tab that closed, and reports it.
    pub(crate) fn tab_closed(&mut self, target: &str) {
        if let Some(tab) = self.tabs.remove(target) {
            self.dialogs.remove_tab(tab.number());
            self.effects.push(PageEffect::TabClosed { number: tab.number() });
        }
    }
}
