//! What is kept of requests beside their lines: headers, and how to ask for bodies.

use std::collections::BTreeMap;

use crate::{
    driver::SessionId,
    driver_event::{Headers, ResponseHead, StartedRequest},
};

/// The most bytes of headers that are stored for all requests together; the oldest are evicted first.
const KEPT: usize = 4 << 20;

/// The data stored for requests in addition to their lines, by number.
#[derive(Default)]
pub(crate) struct NetworkRecords {
    kept: BTreeMap<u64, RecordedRequest>,
    bytes: usize,
}

#[derive(Clone)]
pub(crate) struct RecordedRequest {
    /// The protocol session that provides the bodies, and the browser's identifier of the request.
    pub(crate) session: SessionId,
    pub(crate) request: String,
    pub(crate) sent: Option<Headers>,
    pub(crate) answered: Option<Headers>,
    pub(crate) posts: bool,
    with_headers: bool,
    /// The address that the request was redirected to. The browser then returns only the bodies of the last hop for
    /// this identifier.
    pub(crate) redirected_to: Option<String>,
}

impl RecordedRequest {
    fn size(&self) -> usize {
        let length = |headers: &Option<Headers>| headers.as_ref().map_or(0, |headers| headers.len());
        let redirected_to = self.redirected_to.as_ref().map_or(0, String::len);
        self.request.len() + length(&self.sent) + length(&self.answered) + redirected_to + 128
    }
}

impl NetworkRecords {
    pub(crate) fn sent(&mut self, number: u64, session: &str, sent: &StartedRequest, with_headers: bool) {
        let kept = RecordedRequest {
            session: session.into(),
            request: sent.request.clone(),
            sent: sent.headers.clone().filter(|_| with_headers),
            answered: None,
            posts: sent.posts,
            with_headers,
            redirected_to: None,
        };
        self.bytes += kept.size();
        self.kept.insert(number, kept);
        self.make_room();
    }

    pub(crate) fn answered(&mut self, number: u64, answer: &ResponseHead, redirected_to: Option<&str>) {
        let Some(kept) = self.kept.get_mut(&number) else { return };
        let before = kept.size();
        if kept.with_headers {
            kept.answered.clone_from(&answer.headers);
        }
        if let Some(url) = redirected_to {
            kept.redirected_to = Some(url.to_owned());
        }
        self.bytes = self.bytes + kept.size() - before;
        self.make_room();
    }

    fn make_room(&mut self) {
        while self.bytes > KEPT {
            let Some((_, gone)) = self.kept.pop_first() else { return };
            self.bytes -= gone.size();
        }
    }

    /// The address that a request was redirected to.
    pub(crate) fn redirected_to(&self, number: u64) -> Option<&str> {
        self.kept.get(&number)?.redirected_to.as_deref()
    }

    pub(crate) fn get(&self, number: u64) -> Option<RecordedRequest> {
        self.kept.get(&number).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_take_no_more_room_than_there_is() {
        let mut all = NetworkRecords::default();
        let long: Headers = "x".repeat(100_000).into();
        for number in 1..=100 {
            all.sent(number, "s", &StartedRequest { headers: Some(long.clone()), ..StartedRequest::default() }, true);
            all.answered(number, &ResponseHead { headers: Some(long.clone()), ..ResponseHead::default() }, None);
        }
        assert!(all.bytes <= KEPT && all.get(1).is_none() && all.get(100).is_some());
        let counted: usize = all.kept.values().map(RecordedRequest::size).sum();
        assert_eq!(counted, all.bytes);
    }
}
