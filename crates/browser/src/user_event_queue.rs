//! The queue of what a person does. It is written on the reading task, in the order of the wire.

use std::{collections::HashMap, sync::Arc, time::Duration};

use legwork_observe::DocumentKey;
use legwork_protocol::DialogKind;
use parking_lot::Mutex;
use tokio::{sync::mpsc, task::JoinHandle, time::Instant};

use crate::{
    driver::{Driver, SessionId, TabHistory},
    driver_event::DriverEvent,
    frame_tree::FrameRef,
    state::SessionState,
};

/// How long the browser may take to answer what is asked about an event.
pub(crate) const ASK: Duration = Duration::from_secs(2);

/// An event as it was queued.
pub(crate) enum QueuedEvent {
    Report {
        /// The frame in whose world the page was captured.
        frame: FrameRef,
        document: DocumentKey,
        main: Option<DocumentKey>,
        url: String,
        report: String,
    },
    Navigated {
        /// Whether there is a new document.
        is_document: bool,
        /// The history, requested soon after the event: a later navigation should not be in it.
        history: JoinHandle<Option<TabHistory>>,
    },
    TabOpened {
        opener: Option<u32>,
    },
    TabClosed,
    DialogAnswered {
        kind: DialogKind,
        accepted: bool,
        text: String,
    },
}

pub(crate) type Queued = (u32, Instant, QueuedEvent);

/// The events of a session. The queue has no bound, because a person makes few events, and none may be lost.
pub(crate) struct UserEventQueue {
    sender: mpsc::UnboundedSender<Queued>,
    /// The kinds of the open dialogs, by tab.
    dialogs: Mutex<HashMap<u32, DialogKind>>,
    pub(crate) reader: tokio::sync::Mutex<Reader>,
}

pub(crate) struct Reader {
    pub(crate) receiver: mpsc::UnboundedReceiver<Queued>,
    pub(crate) tabs: HashMap<u32, TabTrail>,
}

/// What is known of a tab for the judgement of its next event.
#[derive(Default)]
pub(crate) struct TabTrail {
    pub(crate) history: Option<TabHistory>,
    /// The tab whose page opened it.
    pub(crate) opener: Option<u32>,
    /// Whether the person opened the tab in the browser's own window.
    pub(crate) is_by_person: bool,
    pub(crate) last_input: Option<Instant>,
    /// Whether the last input was before the last navigation.
    pub(crate) has_moved: bool,
}

impl TabTrail {
    pub(crate) fn had_input(&self, at: Instant, within: Duration) -> bool {
        self.last_input.is_some_and(|input| at.saturating_duration_since(input) <= within)
    }
}

impl Default for UserEventQueue {
    fn default() -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        UserEventQueue {
            sender,
            dialogs: Mutex::default(),
            reader: tokio::sync::Mutex::new(Reader { receiver, tabs: HashMap::new() }),
        }
    }
}

impl UserEventQueue {
    fn push(&self, tab: u32, event: QueuedEvent) {
        // The receiver lives as long as the sender.
        let _ = self.sender.send((tab, Instant::now(), event));
    }

    pub(crate) fn tab_opened(&self, tab: u32, opener: Option<u32>) {
        self.push(tab, QueuedEvent::TabOpened { opener });
    }

    pub(crate) fn tab_closed(&self, tab: u32) {
        self.push(tab, QueuedEvent::TabClosed);
    }

    /// Queues an event of a tab, if a person may have caused it. The state is that before the event.
    pub(crate) fn note(&self, driver: &Arc<dyn Driver>, state: &SessionState, session: &str, event: &DriverEvent) {
        let Some(tab) = state.tabs.by_session(session) else { return };
        let number = tab.number();
        match event {
            DriverEvent::InputReported { world, report } => {
                let Some((frame, document)) = tab.frames().by_world(session, *world) else { return };
                let report = QueuedEvent::Report {
                    frame: FrameRef { tab: number, id: frame.to_owned() },
                    document,
                    main: tab.frames().main_document(),
                    url: tab.url().to_owned(),
                    report: report.clone(),
                };
                self.push(number, report);
            }
            DriverEvent::FrameNavigated(document) if document.parent.is_none() => {
                self.push(
                    number,
                    QueuedEvent::Navigated { is_document: true, history: committed_history(driver, tab.session()) },
                );
            }
            DriverEvent::FrameUrlChanged { frame, .. } if tab.frames().is_main(frame) => {
                self.push(
                    number,
                    QueuedEvent::Navigated { is_document: false, history: committed_history(driver, tab.session()) },
                );
            }
            DriverEvent::DialogOpened { kind, .. } => {
                self.dialogs.lock().insert(number, *kind);
            }
            DriverEvent::DialogClosed { accepted, text } => {
                let Some(kind) = self.dialogs.lock().remove(&number) else { return };
                let (accepted, text) = (*accepted, text.clone());
                self.push(number, QueuedEvent::DialogAnswered { kind, accepted, text });
            }
            _ => {}
        }
    }
}

/// The history of a tab that reported a navigation. The page's process reports it before the browser has added it to
/// the history, so the history is requested after that process has answered something.
fn committed_history(driver: &Arc<dyn Driver>, session: &SessionId) -> JoinHandle<Option<TabHistory>> {
    let (driver, session) = (Arc::clone(driver), session.clone());
    let answer = driver.evaluate_in_page(&session, "0");
    tokio::spawn(async move {
        // A page that does not answer, because it shows a dialog or is gone, was reported long enough ago.
        let _ = answer.within(ASK).await;
        driver.history(&session).within(ASK).await.ok()
    })
}
