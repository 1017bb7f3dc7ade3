//! Tabs and frames: opening, setting up and navigating.

use serde_json::json;

use super::Cdp;
use crate::{
    cdp::wire::*,
    driver::{
        NavigationResult, Network, Pending, Pictures, SessionId, TabHistory, TabHistoryEntry, Tabs, Watch, dispatch,
    },
    relay::ASSIGNED_TAB,
};

/// The bytes of response bodies that a page's process keeps for later requests, in total and for each body; the oldest
/// are evicted first.
const KEPT_BODIES: (i64, i64) = (16 << 20, 4 << 20);
/// The same limits if only the short responses to changes are read.
const SHORT_BODIES: (i64, i64) = (1 << 20, crate::request_outcomes::BODY as i64);

impl Tabs for Cdp {
    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String> {
        dispatch::mark_sent();
        let create = CreateTarget {
            url: url.to_owned(),
            browser_context_id: context.map(str::to_owned),
            width: None,
            height: None,
        };
        let created = self.ask(None, &create);
        Pending::new(async move { Ok(created.await?.target_id) })
    }

    fn attach_assigned_tab(&self) -> Pending<SessionId> {
        let attached = self.ask(None, &AttachToTarget { target_id: ASSIGNED_TAB, flatten: true });
        Pending::new(async move { Ok(attached.await?.session_id.into()) })
    }

    fn close_tab(&self, tab: &str) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(None, &CloseTarget { target_id: tab.to_owned() })
    }

    fn activate(&self, session: &SessionId) -> Pending<()> {
        self.tell(Some(session), &BringToFront {})
    }

    fn watch(&self, session: &SessionId, watch: &Watch<'_>) {
        // Workers and worklets wait for a debugger even if the filter excludes them, and then forever. They are
        // therefore included and resumed at once.
        let filter = json!([
            {"type": "iframe"},
            {"type": "worker"},
            {"type": "worklet"},
            {"type": "auction_worklet"},
            {"type": "shared_storage_worklet"},
            {"exclude": true}
        ]);
        let frames =
            SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter: Some(filter) };
        let task_tracker =
            AddScript { source: watch.scripts.task_tracker.clone(), world_name: None, run_immediately: true };
        let bundle = AddScript {
            source: watch.scripts.bundle.to_owned(),
            world_name: Some(WORLD.into()),
            run_immediately: true,
        };
        self.send(session, &PageEnable {});
        let (total, each) = if watch.records_bodies { KEPT_BODIES } else { SHORT_BODIES };
        self.send(session, &NetworkEnable { max_total_buffer_size: total, max_resource_buffer_size: each });
        self.send(session, &RuntimeEnable {});
        self.send(session, &LogEnable {});
        if let Some(source) = watch.restore {
            let source = source.to_owned();
            self.send(session, &AddScript { source, world_name: None, run_immediately: true });
        }
        if watch.reports_input {
            // Before the script, which looks for the function when it starts.
            for world in [WORLD, LATE_WORLD] {
                let name = INPUT_BINDING.to_owned();
                self.send(session, &AddBinding { name, execution_context_name: Some(world.into()) });
            }
        }
        self.send(session, &task_tracker);
        self.send(session, &bundle);
        self.send(session, &frames);
        if watch.tab {
            self.send(session, &EmulateFocus { enabled: true });
        }
        if let Some((width, height)) = watch.viewport {
            drop(self.resize(session, width, height));
        }
        if watch.intercepts_choosers && watch.tab {
            self.send(session, &InterceptFileChooser { enabled: true });
        }
        if let Some(network_emulation) = &watch.network_emulation {
            drop(self.set_conditions(session, network_emulation));
        }
        if watch.intercepts_requests {
            drop(self.intercept_requests(session, true));
        }
        self.resume(session);
    }

    fn resume(&self, session: &SessionId) {
        self.send(session, &RunIfWaiting {});
    }

    fn detach(&self, session: &SessionId) {
        self.resume(session);
        drop(self.ask(None, &Detach { session_id: session.to_string() }));
    }

    fn run_first(&self, session: &SessionId, source: String) -> Pending<()> {
        self.tell(Some(session), &AddScript { source, world_name: None, run_immediately: false })
    }

    fn navigate(&self, session: &SessionId, url: &str) -> Pending<NavigationResult> {
        dispatch::mark_sent();
        let navigated = self.ask(Some(session), &Navigate { url: url.to_owned() });
        Pending::new(async move {
            let navigated = navigated.await?;
            let error = navigated.error_text.filter(|text| !text.is_empty());
            Ok(NavigationResult { error, is_download: navigated.is_download == Some(true) })
        })
    }

    fn stop(&self, session: &SessionId) {
        self.send(session, &StopLoading {});
    }

    fn reload(&self, session: &SessionId) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(Some(session), &Reload {})
    }

    fn history(&self, session: &SessionId) -> Pending<TabHistory> {
        /// How the browser calls navigations that begin in its own window: the address bar, a bookmark, a search there.
        const TYPED: [&str; 6] = ["typed", "address_bar", "auto_bookmark", "generated", "keyword", "keyword_generated"];
        let history = self.ask(Some(session), &GetHistory {});
        Pending::new(async move {
            let history = history.await?;
            let entry = |entry: HistoryEntry| TabHistoryEntry {
                id: entry.id,
                is_reloaded: entry.transition_type == "reload",
                is_typed: TYPED.contains(&entry.transition_type.as_str()),
                url: match entry.user_typed_url.starts_with("http") {
                    true => entry.user_typed_url,
                    false => entry.url,
                },
            };
            let current = usize::try_from(history.current_index).unwrap_or_default();
            Ok(TabHistory { current, entries: history.entries.into_iter().map(entry).collect() })
        })
    }

    fn traverse_history(&self, session: &SessionId, by: i64) -> Pending<bool> {
        dispatch::mark_sent();
        let history = self.ask(Some(session), &GetHistory {});
        let (connection, session) = (self.connection.clone(), session.clone());
        Pending::new(async move {
            let history = history.await?;
            let entry = usize::try_from(history.current_index + by).ok().and_then(|at| history.entries.get(at));
            let Some(entry) = entry.filter(|entry| entry.url != "about:blank") else { return Ok(false) };
            connection.call(Some(&session), &GoToEntry { entry_id: entry.id }).await?;
            Ok(true)
        })
    }

    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()> {
        dispatch::mark_sent();
        self.tell(Some(session), &AnswerDialog { accept, prompt_text: text.map(str::to_owned) })
    }
}
