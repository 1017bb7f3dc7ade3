//! The tabs of the user's own browser that the side panel has assigned: a tab is offered, its WebSocket connects
//! (`relay_socket.rs`), and a run takes it.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use legwork::{
    browser::{RelayCarrier, RelayLink},
    protocol::{Code, RunId},
};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{auth::random, error::ApiError};

/// How long an offered tab waits for its connection.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most tabs at the same time.
const MAX_TABS: usize = 32;

/// Who asks a person for a tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TabRequester {
    /// What kind of program it is.
    pub kind: RequesterKind,
    /// The name of the workflow, or what the agent calls itself.
    pub name: String,
}

/// The kinds of programs that ask for tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequesterKind {
    /// A run at a terminal.
    Run,
    /// Another agent, over MCP.
    Agent,
}

/// A tab that was offered.
struct RelayedTab {
    /// For the run, until it takes it.
    link: Option<RelayLink>,
    /// For the connection, until it begins.
    carrier: Option<RelayCarrier>,
    since: Instant,
    /// Ends with the token of the panel.
    grant_ended: CancellationToken,
    run: Option<RunId>,
}

/// A program that waits for a tab.
struct TabRequest {
    requester: TabRequester,
    answer: oneshot::Sender<(String, RelayLink)>,
}

/// A run that a program started in the tab that it had asked for.
#[derive(Clone, Serialize, JsonSchema)]
pub(crate) struct RequestedRun {
    id: RunId,
    /// The id of the tab.
    tab: String,
}

#[derive(Default)]
struct TabsState {
    tabs: HashMap<String, RelayedTab>,
    request: Option<TabRequest>,
    run: Option<RequestedRun>,
}

/// The relayed tabs of a server.
#[derive(Default)]
pub(crate) struct RelayedTabs(Mutex<TabsState>);

impl RelayedTabs {
    /// A tab is offered by the panel; its id. With `for_request`, it is for the run of a terminal that waits.
    pub(crate) fn offer(
        &self,
        product: &str,
        for_request: bool,
        grant_ended: CancellationToken,
    ) -> Result<String, ApiError> {
        let id = random().map_err(|error| ApiError::internal(Code::Internal, &error))?;
        let mut state = self.0.lock();
        state.tabs.retain(|_, tab| tab.carrier.is_none() || tab.since.elapsed() < PATIENCE);
        if state.tabs.len() >= MAX_TABS {
            return Err(ApiError::conflict(format!("{MAX_TABS} tabs are assigned already"))
                .suggest("Wait until a task in another tab has ended, or disconnect one there."));
        }
        let (link, carrier) = RelayLink::new(product);
        let mut tab =
            RelayedTab { link: Some(link), carrier: Some(carrier), since: Instant::now(), grant_ended, run: None };
        if for_request {
            let request = state.request.take().filter(|request| !request.answer.is_closed());
            let request = request.ok_or_else(|| ApiError::conflict("no program waits for a tab any more"))?;
            // The program has ended if it fails; the tab is then released when it connects.
            let _ = tab.link.take().map(|link| request.answer.send((id.clone(), link)));
        }
        state.tabs.insert(id.clone(), tab);
        Ok(id)
    }

    /// The tab of a run.
    pub(crate) fn take(&self, id: &str, run: RunId) -> Result<RelayLink, ApiError> {
        let mut state = self.0.lock();
        let tab = state.tabs.get_mut(id);
        let link = tab.and_then(|tab| tab.link.take().inspect(|_| tab.run = Some(run)));
        link.ok_or_else(|| {
            ApiError::conflict("the tab is no longer assigned, or another run works in it")
                .suggest("Start the task again from the side panel of the tab.")
        })
    }

    /// No run needs the tab any more, which ends its connection.
    pub(crate) fn release(&self, id: &str) {
        if let Some(tab) = self.0.lock().tabs.get_mut(id) {
            tab.link = None;
        }
    }

    /// The other end of an offered tab, for its connection, and the end of the token with which it was offered.
    pub(crate) fn connect(&self, id: &str) -> Result<(RelayCarrier, CancellationToken), ApiError> {
        let mut state = self.0.lock();
        let tab = state.tabs.get_mut(id).filter(|tab| tab.since.elapsed() < PATIENCE);
        let found = tab.and_then(|tab| Some((tab.carrier.take()?, tab.grant_ended.clone())));
        found.ok_or_else(|| ApiError::missing("this tab was not offered, or is connected already"))
    }

    /// Who waits for a tab, and the run that got one.
    pub(crate) fn requested(&self) -> (Option<TabRequester>, Option<RequestedRun>) {
        let state = self.0.lock();
        let waiting = state.request.as_ref().filter(|request| !request.answer.is_closed());
        (waiting.map(|request| request.requester.clone()), state.run.clone())
    }

    /// A program asks for a tab.
    pub(crate) fn ask(&self, requester: TabRequester) -> oneshot::Receiver<(String, RelayLink)> {
        let (answer, tab) = oneshot::channel();
        self.0.lock().request = Some(TabRequest { requester, answer });
        tab
    }

    /// A person refuses the program that waits for a tab; whether there was one.
    pub(crate) fn refuse(&self) -> bool {
        self.0.lock().request.take().is_some_and(|request| !request.answer.is_closed())
    }

    /// The program has begun its run in the tab that it got.
    pub(crate) fn note_run(&self, id: &str, run: RunId) {
        let mut state = self.0.lock();
        state.run = Some(RequestedRun { id: run, tab: id.to_owned() });
        if let Some(tab) = state.tabs.get_mut(id) {
            tab.run = Some(run);
        }
    }

    /// The run that works in a tab.
    pub(crate) fn run(&self, id: &str) -> Option<RunId> {
        self.0.lock().tabs.get(id)?.run
    }

    /// The connection of a tab has ended; the run that had taken it.
    pub(crate) fn end(&self, id: &str) -> Option<RunId> {
        self.0.lock().tabs.remove(id)?.run
    }
}
