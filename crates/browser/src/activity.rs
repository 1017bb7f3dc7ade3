//! The console messages and requests of a session's pages. The newest lines of each kind are held in memory. They are
//! written on the reading task and cost only the line itself: nothing is requested from the browser, and no task that
//! waits for the page wakes up. Secrets are masked before a line is shortened, so that no part of a secret is left
//! over, and again when lines are read.

use jiff::Timestamp;
use legwork_protocol::{ConsoleLine, RequestLine};
use parking_lot::MutexGuard;

use crate::{
    Session,
    activity_log::{Activity, Weight},
    background_requests::is_change,
    driver_event::{ConsoleMessage, DriverEvent, StartedRequest},
    recorded_requests::RecordedRequest,
    session_inner::SessionInner,
};

/// The most characters of a text or an address that are stored.
const KEPT: usize = 2_000;

/// How many lines were evicted because newer ones arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    /// The number of console lines.
    pub console: u64,
    /// The number of requests.
    pub requests: u64,
}

impl Session {
    /// The console lines of all tabs with a number above `after`, oldest first, secrets masked.
    pub fn console(&self, after: u64) -> Vec<ConsoleLine> {
        let mut lines: Vec<ConsoleLine> = self.inner.activity().console.after(after).cloned().collect();
        for line in &mut lines {
            self.inner.guard().mask(&mut line.text);
            self.inner.guard().mask(&mut line.url);
        }
        lines
    }

    /// The requests of all tabs with a number above `after`, oldest first, in their current state; secrets masked.
    pub fn requests(&self, after: u64) -> Vec<RequestLine> {
        let mut lines: Vec<RequestLine> = self.inner.activity().requests.after(after).cloned().collect();
        for line in &mut lines {
            self.inner.guard().mask(&mut line.url);
        }
        lines
    }

    /// One request, or `None` when it was evicted; secrets masked.
    pub fn request(&self, number: u64) -> Option<RequestLine> {
        let mut line = self.inner.activity().requests.get_mut(number).cloned()?;
        self.inner.guard().mask(&mut line.url);
        Some(line)
    }

    /// Waits until a page sends a request for a change with a number above `after` that the page does not also send by
    /// itself. Returns it as it was sent; secrets masked.
    pub async fn next_change(&self, after: u64) -> RequestLine {
        let mut newest = self.inner.last_change.subscribe();
        loop {
            newest.mark_unchanged();
            let found = {
                let activity = self.inner.activity();
                let is_own = |line: &&RequestLine| {
                    is_change(&line.method)
                        && line.kind != "ping"
                        && !activity.background.knows(&line.method, &line.url)
                };
                activity.requests.after(after).find(is_own).cloned()
            };
            if let Some(mut line) = found {
                self.inner.guard().mask(&mut line.url);
                return line;
            }
            if newest.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    /// The number of the newest request of all tabs.
    pub fn newest_request(&self) -> u64 {
        self.inner.activity().requests.last()
    }

    /// How many lines were evicted.
    pub fn evicted(&self) -> Evicted {
        let activity = self.inner.activity();
        Evicted { console: activity.console.evicted, requests: activity.requests.evicted }
    }
}

impl SessionInner {
    pub(crate) fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock()
    }

    /// Records what an event states about a page's console and requests.
    pub(crate) fn record_event(&self, session: &str, event: &DriverEvent) -> Weight {
        match event {
            DriverEvent::ConsoleMessage(said) => {
                self.record_console(session, said);
                Weight::Light
            }
            DriverEvent::RequestStarted(sent) => {
                self.record_request(session, sent);
                if sent.weighs { Weight::Full } else { Weight::Light }
            }
            DriverEvent::ResponseReceived { request, document, endless, answer } => {
                self.activity().answered(request, answer, None);
                if document.is_some() || *endless { Weight::Full } else { Weight::Light }
            }
            DriverEvent::RequestFinished { request, error, bytes, at } => {
                self.activity().ended(request, *at, |line| {
                    line.bytes = *bytes;
                    line.failure.clone_from(error);
                });
                Weight::Full
            }
            _ => Weight::Full,
        }
    }

    /// The data that is stored for a request in addition to its line.
    pub(crate) fn recorded_request(&self, number: u64) -> Option<RecordedRequest> {
        self.activity().records.get(number)
    }

    fn record_console(&self, session: &str, said: &ConsoleMessage) {
        let (tab, shown) = match self.state().tabs.by_session(session) {
            Some(tab) if said.url.is_empty() => (tab.number(), tab.url().to_owned()),
            Some(tab) => (tab.number(), said.url.clone()),
            None => return,
        };
        let (text, url) = (self.kept(&said.text), self.kept(&shown));
        let at = Timestamp::now();
        let line = |number| ConsoleLine { number, level: said.level, text, url, line: said.line, tab, at };
        self.activity().console.push(tab, line);
    }

    fn record_request(&self, session: &str, sent: &StartedRequest) {
        // A `data:` URL is part of its document and causes no network traffic.
        if sent.url.starts_with("data:") {
            return;
        }
        let Some(tab) = self.state().tabs.by_session(session).map(|tab| tab.number()) else { return };
        let url = self.kept(&sent.url);
        let mut activity = self.activity();
        activity.background.note(&sent.method, &sent.url);
        let number = activity.push_request(sent, tab, url);
        // The response to a request for a change shows whether the change was made.
        if self.options.record_network || is_change(&sent.method) {
            activity.records.sent(number, session, sent, self.options.record_network);
        }
        drop(activity);
        if is_change(&sent.method) {
            self.last_change.send_replace(number);
        }
    }

    /// Masks the secrets in a text, then shortens it.
    fn kept(&self, text: &str) -> String {
        let mut kept = text.to_owned();
        self.guard().mask(&mut kept);
        if let Some((end, _)) = kept.char_indices().nth(KEPT) {
            kept.truncate(end);
            kept.push('…');
        }
        kept
    }
}
