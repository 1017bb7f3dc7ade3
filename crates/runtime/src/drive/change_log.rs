//! Records a request for a change when the page sends it, not when its action ends. If Legwork is killed in between, the
//! journal shows that the action was sent.

use std::sync::Arc;

use legwork_agent::AgentEvent;
use legwork_browser::Session;
use legwork_protocol::{CommandId, EventKind};

use crate::{activity::sent_now, journal::Journal};

/// The number of requests of one action that are recorded when they are sent. All of them are recorded at its end.
const MOST: usize = 10;

/// Where the requests of an action are recorded.
pub(super) struct ChangeLog<'a> {
    journal: &'a Journal,
    step: Option<usize>,
    command: CommandId,
}

impl<'a> ChangeLog<'a> {
    pub(super) fn new(journal: &'a Journal, step: Option<usize>, command: CommandId) -> Self {
        ChangeLog { journal, step, command }
    }

    /// Carries out the action and records what pages of the session send meanwhile. The first action of a run opens the
    /// session, and no page can send anything before.
    pub(super) async fn during<T>(self, session: Option<Arc<Session>>, action: impl Future<Output = T>) -> T {
        let Some(session) = session else { return action.await };
        let begin = session.newest_request();
        let record = async {
            let mut after = begin;
            for _ in 0..MOST {
                let line = session.next_change(after).await;
                after = line.number;
                let kind = EventKind::PageLog(sent_now(line, self.command));
                self.journal.append([AgentEvent { step: self.step, kind }]).await;
            }
            std::future::pending().await
        };
        tokio::select! {
            biased;
            done = action => done,
            never = record => never,
        }
    }
}
