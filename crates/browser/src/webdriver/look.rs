//! Looks at the tabs of a context and reports what has changed, because WebDriver reports no events: windows, the
//! documents of their frames, how far these have loaded, dialogs, and what the scripts in them have noted.

use std::time::{Duration, Instant};

use legwork_protocol::ConsoleLevel;
use serde_json::{Value, json};

use super::{
    context::{Context, HUNG, SCRIPT, value_of},
    page::{self, Report},
    state::{FrameState, Navigation, OpenDialog, Ready, TabState, dialog_of},
    wire::{CommandError, element_id},
};
use crate::{
    driver::DriverError,
    driver_event::{ConsoleMessage, Document, DriverEvent, NewTab, ResponseHead, StartedRequest},
};

/// How often the browser must be seen at the address of the present document until a navigation counts as one that led
/// nowhere.
const STILL: u32 = 2;
/// How long a navigation to the address of the present document may take, which the browser does not tell from none.
const SAME_ADDRESS: Duration = Duration::from_secs(10);
/// How long a script's navigation may take to begin after the page was asked whether it may be left.
const BEGINS: Duration = Duration::from_millis(300);
/// Frames inside frames that are looked at.
const DEEPEST: usize = 32;

impl Context {
    /// Looks at all tabs.
    pub(super) async fn look(&mut self) {
        match self.wire.handles().await {
            Ok(handles) => {
                let closed: Vec<String> = self.tabs.keys().filter(|tab| !handles.contains(tab)).cloned().collect();
                for tab in closed {
                    self.tab_closed(&tab);
                }
                for handle in handles {
                    if handle != self.anchor && !self.tabs.contains_key(&handle) {
                        let opened = self.adopt(&handle, true).await;
                        self.noted(opened);
                    }
                }
            }
            Err(error) => self.noted(Err(error)),
        }
        for tab in self.tabs.keys().cloned().collect::<Vec<_>>() {
            self.look_at(&tab).await;
        }
        self.look_for_downloads();
    }

    fn noted(&mut self, looked: Result<(), CommandError>) {
        match looked {
            Err(CommandError::Driver(error)) => {
                tracing::trace!(%error, "a look was cut short");
                self.note_failure(&error);
            }
            // Each look asks for the dialogs.
            Err(CommandError::Dialog(_)) | Ok(()) => {}
        }
    }

    pub(super) fn tab_closed(&mut self, tab: &str) {
        self.tabs.remove(tab);
        self.wire.forget_place();
        if let Some(shared) = self.shared.upgrade() {
            shared.forget_tab(tab);
        }
        self.report(None, DriverEvent::SessionDetached { session: tab.to_owned() });
    }

    /// Adds a window as a tab. `by_page` if a page opened it.
    pub(super) async fn adopt(&mut self, handle: &str, by_page: bool) -> Result<(), CommandError> {
        let mut url = "about:blank".to_owned();
        let (mut opener, mut opener_frame) = (None, None);
        if by_page {
            self.wire.enter(handle, &[]).await?;
            let at = self.wire.get("/url").await;
            if let Ok(at) = &at {
                at.as_str().unwrap_or_default().clone_into(&mut url);
            }
            // A window knows its opener, which has a reporter; one without is taken for the opener's that was used
            // last.
            let keys: Vec<&String> =
                self.tabs.values().flat_map(|tab| tab.frames.values()).filter_map(|frame| frame.key.as_ref()).collect();
            let find = "try{return arguments[0].find(key=>opener!==null&&key in opener)??null}catch{return null}";
            let key = self.wire.execute(find, json!([keys]), SCRIPT).await.unwrap_or_default();
            let found = self.tabs.iter().find_map(|(tab, state)| {
                let frame = state.frame_of(key.as_str()?)?;
                Some((tab.clone(), frame.clone()))
            });
            (opener, opener_frame) = match found {
                Some((tab, frame)) => (Some(tab), Some(frame)),
                None => (self.last_tab.clone().filter(|tab| self.tabs.contains_key(tab)), None),
            };
        }
        let mut tab = TabState::default();
        tab.frames.insert(handle.to_owned(), FrameState::default());
        self.tabs.insert(handle.to_owned(), tab);
        if let Some(shared) = self.shared.upgrade() {
            shared.add_tab(handle, &self.id);
        }
        let created = NewTab {
            session: handle.into(),
            tab: handle.to_owned(),
            context: Some(self.id.clone()),
            opener,
            opener_frame,
            url,
            title: String::new(),
        };
        self.report(None, DriverEvent::TabCreated(created));
        Ok(())
    }

    /// Looks at a tab.
    pub(super) async fn look_at(&mut self, tab: &str) {
        let Some(known) = self.tabs.get_mut(tab) else { return };
        if known.hung_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        known.hung_until = None;
        let looked = self.look_into(tab).await;
        match looked {
            Err(CommandError::Dialog(message)) => self.dialog_opened(tab, &message),
            Err(CommandError::Driver(DriverError::Timeout { .. })) => {
                if let Some(known) = self.tabs.get_mut(tab) {
                    known.hung_until = Some(Instant::now() + HUNG);
                }
            }
            other => self.noted(other),
        }
    }

    async fn look_into(&mut self, tab: &str) -> Result<(), CommandError> {
        self.wire.enter(tab, &[]).await?;
        if self.tabs.get(tab).is_some_and(|known| known.dialog.is_some()) {
            if self.wire.get("/alert/text").await.is_ok() {
                return Ok(());
            }
            // A person closed it, and how is not known.
            self.dialog_closed(tab, false, String::new());
        }
        let mut active = self.wire.get("/url").await?;
        let Some(report) = self.report_of(tab, tab).await? else { return Ok(()) };
        if active != report.url {
            // A page that changes its address without a navigation may have done so in between.
            active = self.wire.get("/url").await?;
        }
        let active = active.as_str().unwrap_or_default().to_owned();
        self.follow(tab, &active, &report);
        self.take(tab, tab, report, &active, 0).await
    }

    /// The report of a frame's document, which is set up if it is a new one.
    async fn report_of(&mut self, tab: &str, frame: &str) -> Result<Option<Report>, CommandError> {
        let Some(known) = self.tabs.get(tab).and_then(|tab| tab.frames.get(frame)) else { return Ok(None) };
        let read = |report| {
            serde_json::from_value(report)
                .map(Some)
                .map_err(|error| CommandError::from(DriverError::Refused(error.to_string())))
        };
        if let Some(key) = known.key.clone() {
            let report = self.wire.execute(&page::report(&key), json!([]), SCRIPT).await?;
            if !report.is_null() {
                return read(report);
            }
        }
        let Some(scripts) = self.scripts.clone() else { return Ok(None) };
        let key = format!("_{:016x}", super::random());
        let script = page::install(&scripts, self.restore.as_deref());
        let report = self.wire.execute(&script, json!([key]), SCRIPT).await?;
        if report.is_null() {
            return Ok(None);
        }
        let report: Option<Report> = read(report)?;
        if let Some(frame) = self.tabs.get_mut(tab).and_then(|tab| tab.frames.get_mut(frame)) {
            // Who waits for the previous document learns that it is gone.
            frame.pending.clear();
            frame.key = Some(key);
        }
        Ok(report.map(|report| Report { is_new: true, ..report }))
    }

    /// Notes whether the tab is navigating to another document.
    fn follow(&mut self, tab: &str, active: &str, report: &Report) {
        let Some(known) = self.tabs.get_mut(tab) else { return };
        if report.is_new {
            return;
        }
        let leaves = report.events.iter().rev().find(|event| event[0] == "leaves");
        let goes = leaves.map(|event| event[1].as_str());
        let method = leaves.and_then(|event| event[2].as_str()).unwrap_or("GET").to_owned();
        let is_here = active == report.url || active.is_empty() || known.unreachable.as_deref() == Some(active);
        if known.navigation.is_none() && (!is_here || goes.is_some()) {
            let url = if is_here { goes.flatten().filter(|url| !url.is_empty()).unwrap_or(active) } else { active };
            let url = url.to_owned();
            self.navigation_begun(tab, &url, &method);
        }
        let Some(navigation) = self.tabs.get_mut(tab).and_then(|known| known.navigation.as_mut()) else { return };
        navigation.is_seen |= !is_here;
        navigation.still = if is_here { navigation.still + 1 } else { 0 };
        let same = without_fragment(&navigation.url) == without_fragment(&report.url);
        let patience = match (same, navigation.is_seen) {
            (true, false) if navigation.url.contains('#') => Duration::ZERO,
            (true, false) => SAME_ADDRESS,
            (_, true) => Duration::ZERO,
            (false, false) => BEGINS,
        };
        if navigation.still >= STILL && navigation.begun.elapsed() >= patience {
            let is_fragment = same && navigation.url.contains('#');
            self.navigation_ended(tab, (!is_fragment).then(|| "net::ERR_ABORTED".to_owned()));
            self.report(Some(tab), DriverEvent::FrameStopped { frame: tab.to_owned(), loaded: false });
        }
    }

    pub(super) fn navigation_begun(&mut self, tab: &str, url: &str, method: &str) {
        self.navigation_ended(tab, Some("net::ERR_ABORTED".to_owned()));
        let document = format!("document-{}", self.next_id());
        let navigation = Navigation {
            document: document.clone(),
            url: url.to_owned(),
            begun: Instant::now(),
            is_seen: false,
            still: 0,
        };
        let Some(known) = self.tabs.get_mut(tab) else { return };
        known.navigation = Some(navigation);
        self.report(Some(tab), DriverEvent::FrameNavigationStarted { frame: tab.to_owned() });
        let request = StartedRequest {
            request: document.clone(),
            method: method.to_owned(),
            posts: method == "POST",
            url: url.to_owned(),
            document,
            frame: tab.to_owned(),
            kind: "document".to_owned(),
            weighs: true,
            ..StartedRequest::default()
        };
        self.report(Some(tab), DriverEvent::RequestStarted(request));
    }

    fn navigation_ended(&mut self, tab: &str, error: Option<String>) {
        let navigation = self.tabs.get_mut(tab).and_then(|tab| tab.navigation.take());
        if let Some(Navigation { document, .. }) = navigation {
            let finished = DriverEvent::RequestFinished { request: document, error, bytes: None, at: 0.0 };
            self.report(Some(tab), finished);
        }
    }

    /// Applies the report of a frame, and looks at the frames inside it.
    async fn take(
        &mut self,
        tab: &str,
        frame: &str,
        report: Report,
        active: &str,
        depth: usize,
    ) -> Result<(), CommandError> {
        if report.is_new {
            self.committed(tab, frame, &report, active);
        }
        let is_main = tab == frame;
        let Some(known) = self.tabs.get_mut(tab).and_then(|tab| tab.frames.get_mut(frame)) else { return Ok(()) };
        for evaluated in &report.done {
            if let Some(answer) = known.pending.remove(&evaluated.0) {
                let _ = answer.send(value_of(evaluated));
            }
        }
        let ready = Ready::of(&report.ready);
        let (before, moved) = (known.ready, known.url != report.url && !report.is_new);
        known.ready = ready;
        known.url.clone_from(&report.url);
        if moved && report.failure.is_none() {
            let (frame, url) = (frame.to_owned(), report.url.clone());
            self.report(Some(tab), DriverEvent::FrameUrlChanged { frame, url });
        }
        for event in &report.events {
            self.note_event(tab, frame, event);
        }
        if is_main && ready >= Ready::Parsed && before < Ready::Parsed {
            self.report(Some(tab), DriverEvent::DocumentParsed { whole: ready == Ready::Complete });
        }
        if ready == Ready::Complete && before < Ready::Complete {
            if is_main {
                self.report(Some(tab), DriverEvent::DocumentParsed { whole: true });
                self.note_cookies().await;
            }
            self.report(Some(tab), DriverEvent::FrameStopped { frame: frame.to_owned(), loaded: true });
        }
        if is_main
            && let Some(known) = self.tabs.get_mut(tab)
            && known.title != report.title
        {
            known.title.clone_from(&report.title);
            self.report(None, DriverEvent::TabTitled { tab: tab.to_owned(), title: report.title.clone() });
        }
        self.look_inside(tab, frame, &report, depth).await
    }

    /// Looks at the frames inside a frame.
    async fn look_inside(&mut self, tab: &str, frame: &str, report: &Report, depth: usize) -> Result<(), CommandError> {
        let Some(known) = self.tabs.get(tab) else { return Ok(()) };
        let Some(parent) = known.frames.get(frame) else { return Ok(()) };
        let (key, path) = (parent.key.clone().unwrap_or_default(), parent.path.clone());
        let inside: Vec<(String, Vec<String>)> = report
            .frames
            .iter()
            .filter_map(|(number, element)| {
                let path = path.iter().cloned().chain([element_id(element)?.to_owned()]).collect();
                Some((format!("{key}.{number}"), path))
            })
            .collect();
        for old in known.children(frame) {
            if !inside.iter().any(|(id, _)| *id == old) {
                if let Some(known) = self.tabs.get_mut(tab) {
                    known.remove(&old);
                }
                self.report(Some(tab), DriverEvent::FrameRemoved { frame: old });
            }
        }
        if depth == DEEPEST {
            return Ok(());
        }
        for (id, path) in inside {
            let Some(known) = self.tabs.get_mut(tab) else { return Ok(()) };
            let is_new = !known.frames.contains_key(&id);
            let entry = known.frames.entry(id.clone()).or_default();
            entry.parent = Some(frame.to_owned());
            entry.path.clone_from(&path);
            if is_new {
                let parent = frame.to_owned();
                self.report(Some(tab), DriverEvent::FrameAdded { frame: id.clone(), parent });
            }
            let looked = async {
                self.wire.enter(tab, &path).await?;
                let Some(report) = self.report_of(tab, &id).await? else { return Ok(()) };
                Box::pin(self.take(tab, &id, report, "", depth + 1)).await
            };
            match looked.await {
                // The frame was removed, which the next look shows.
                Err(CommandError::Driver(DriverError::TargetClosed)) => self.wire.forget_place(),
                // A frame that shows something else than a document runs no scripts.
                Err(CommandError::Driver(DriverError::Exception(reason))) => {
                    tracing::debug!(reason, "a frame without reports")
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// A frame shows another document.
    fn committed(&mut self, tab: &str, frame: &str, report: &Report, active: &str) {
        let is_main = tab == frame;
        let number = self.next_id() as i64;
        let Some(known) = self.tabs.get_mut(tab) else { return };
        for child in known.children(frame) {
            known.remove(&child);
        }
        let navigation = known.navigation.clone().filter(|_| is_main);
        let Some(state) = known.frames.get_mut(frame) else { return };
        let is_first = state.url.is_empty();
        state.ready = Ready::Loading;
        state.url.clone_from(&report.url);
        // An origin that is opaque is like no other.
        state.origin = match &*report.origin {
            "null" => format!("opaque-{number}"),
            origin => origin.to_owned(),
        };
        let failure = report.failure.as_ref().filter(|_| is_main && active != "about:blank" && !active.is_empty());
        let url = if failure.is_some() { active.to_owned() } else { report.url.clone() };
        if is_main {
            known.unreachable = failure.map(|_| active.to_owned());
        }
        let Some(state) = known.frames.get(frame) else { return };
        let (parent, world, origin) =
            (state.parent.clone(), state.key.clone().unwrap_or_default(), state.origin.clone());
        let document = match navigation {
            Some(navigation) => navigation.document,
            None => format!("document-{number}"),
        };
        // A tab begins with a blank document that it did not navigate to.
        let begins = is_first && url == "about:blank";
        if !begins {
            if let Some(reason) = failure {
                if self.tabs.get(tab).is_some_and(|tab| tab.navigation.is_none()) {
                    self.navigation_begun(tab, &url, "GET");
                }
                self.navigation_ended(tab, Some(reason.clone()));
            }
            if is_main && failure.is_none() {
                // The status is not known, only that there was a response.
                let (request, known) = (document.clone(), Some(document.clone()));
                let answer = ResponseHead::default();
                let answered = DriverEvent::ResponseReceived { request, document: known, endless: false, answer };
                self.report(Some(tab), answered);
            }
            let new = Document {
                frame: frame.to_owned(),
                parent,
                document,
                url,
                kept: false,
                unreachable: failure.is_some(),
            };
            self.report(Some(tab), DriverEvent::FrameNavigated(new));
            if is_main {
                self.navigation_ended(tab, None);
            }
        }
        let ready = true;
        self.report(Some(tab), DriverEvent::ContextCreated { frame: frame.to_owned(), world, number, origin, ready });
    }

    /// Reports what the script in a document has noted.
    fn note_event(&self, tab: &str, frame: &str, event: &Value) {
        let text = |at: usize| event[at].as_str().unwrap_or_default().to_owned();
        let reported = match event[0].as_str().unwrap_or_default() {
            "console" => DriverEvent::ConsoleMessage(ConsoleMessage {
                level: match event[1].as_str() {
                    Some("debug") => ConsoleLevel::Debug,
                    Some("warning") => ConsoleLevel::Warning,
                    Some("error") => ConsoleLevel::Error,
                    _ => ConsoleLevel::Info,
                },
                text: text(2),
                url: text(3),
                line: event[4].as_u64().map(|line| line as u32),
            }),
            "open" => DriverEvent::WindowOpenRequested { url: text(1) },
            "sent" => DriverEvent::RequestStarted(StartedRequest {
                request: text(1),
                method: text(2),
                url: text(3),
                document: String::new(),
                frame: frame.to_owned(),
                kind: text(4),
                weighs: true,
                posts: event[5] == true,
                ..StartedRequest::default()
            }),
            "answered" => DriverEvent::ResponseReceived {
                request: text(1),
                document: None,
                endless: event[3].as_str().is_some_and(|kind| kind.starts_with("text/event-stream")),
                answer: ResponseHead {
                    status: event[2].as_u64().and_then(|status| status.try_into().ok()),
                    media_type: text(3).split(';').next().unwrap_or_default().trim().to_owned(),
                    headers: None,
                },
            },
            "chooser" => {
                let world = self.tabs.get(tab).and_then(|tab| tab.frames.get(frame)?.key.clone());
                let field = world.map(|world| format!("{world} {}", event[1]));
                DriverEvent::ChooserOpened { field, multiple: event[2] == true }
            }
            "ended" => DriverEvent::RequestFinished {
                request: text(1),
                error: event[2].as_str().map(str::to_owned),
                bytes: None,
                at: 0.0,
            },
            _ => return,
        };
        self.report(Some(tab), reported);
    }

    /// A dialog blocks a tab.
    pub(super) fn dialog_opened(&mut self, tab: &str, marked: &str) {
        let (kind, message) = dialog_of(marked);
        let Some(known) = self.tabs.get_mut(tab).filter(|tab| tab.dialog.is_none()) else { return };
        known.dialog = Some(OpenDialog { kind });
        self.report(Some(tab), DriverEvent::DialogOpened { kind, message });
    }

    pub(super) fn dialog_closed(&mut self, tab: &str, accepted: bool, text: String) {
        let Some(known) = self.tabs.get_mut(tab) else { return };
        known.dialog = None;
        // Who waited for the page asks it again.
        known.stalled.clear();
        self.report(Some(tab), DriverEvent::DialogClosed { accepted, text });
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}
