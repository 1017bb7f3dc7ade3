//! The newest console messages and requests of the pages of a session, in memory.

use std::{collections::HashMap, time::Duration};

use jiff::Timestamp;
use legwork_protocol::{ConsoleLine, RequestLine};

use crate::{
    background_requests::BackgroundRequests,
    bounded_log::BoundedLog,
    driver_event::{ResponseHead, Seconds, StartedRequest},
    recorded_requests::NetworkRecords,
};

/// Whether an event concerns the tasks that wait for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The event is recorded and has no further effect.
    Light,
    Full,
}

/// The stored lines.
#[derive(Default)]
pub(crate) struct Activity {
    pub(crate) console: BoundedLog<ConsoleLine>,
    pub(crate) requests: BoundedLog<RequestLine>,
    /// The requests that pages send without being acted on.
    pub(crate) background: BackgroundRequests,
    /// Records of requests. Unless the session records all traffic, these are only requests for a change, without their
    /// headers.
    pub(crate) records: NetworkRecords,
    /// For each request in progress, by the browser's identifier: its number, and the time when it was sent.
    under_way: HashMap<String, (u64, Seconds)>,
}

impl Activity {
    pub(crate) fn push_request(&mut self, sent: &StartedRequest, tab: u32, url: String) -> u64 {
        if let Some(answer) = &sent.redirected {
            self.answered(&sent.request, answer, Some(&url));
            self.ended(&sent.request, sent.at, |_| {});
        }
        let line = |number| RequestLine {
            number,
            method: sent.method.clone(),
            url,
            kind: sent.kind.clone(),
            status: None,
            media_type: None,
            duration: None,
            bytes: None,
            failure: None,
            tab,
            at: Timestamp::now(),
        };
        let (number, evicted) = self.requests.push(tab, line);
        if let Some(evicted) = evicted {
            self.under_way.retain(|_, (number, _)| *number != evicted);
        }
        self.under_way.insert(sent.request.clone(), (number, sent.at));
        number
    }

    pub(crate) fn answered(&mut self, request: &str, answer: &ResponseHead, redirected_to: Option<&str>) {
        let Some((number, _)) = self.under_way.get(request) else { return };
        self.records.answered(*number, answer, redirected_to);
        if let Some(line) = self.requests.get_mut(*number) {
            line.status = answer.status;
            line.media_type = Some(answer.media_type.clone()).filter(|kind| !kind.is_empty());
        }
    }

    pub(crate) fn ended(&mut self, request: &str, at: Seconds, how: impl FnOnce(&mut RequestLine)) {
        let Some((number, sent)) = self.under_way.remove(request) else { return };
        if let Some(line) = self.requests.get_mut(number) {
            line.duration = (sent > 0.0).then(|| Duration::try_from_secs_f64(at - sent).unwrap_or_default());
            how(line);
        }
    }
}
