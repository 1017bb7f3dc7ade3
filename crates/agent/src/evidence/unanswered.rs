//! The requests for changes that actions caused and that have no response yet. Until the response arrives, a page may
//! show a change only optimistically, so an expectation is evaluated after the response.

use legwork_observe::Snapshot;
use legwork_protocol::PageEffect;

use super::{EvidenceRule, Finding, FindingSubject, url_path::path_of};

/// Requests without a response, oldest first, each with a description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unanswered(Vec<(FindingSubject, String)>);

impl Unanswered {
    /// Adds the requests of an action. Requests of a page that was left are aborted and get no response any more.
    pub(crate) fn update(&mut self, findings: &[Finding], before: Option<&Snapshot>, after: &Snapshot) {
        if before.is_none_or(|before| path_of(&before.url) != path_of(&after.url)) {
            self.0.clear();
        }
        for answered in findings.iter().filter(|finding| finding.rule != EvidenceRule::Unanswered) {
            self.0.retain(|(request, _)| *request != answered.subject);
        }
        let pending = findings.iter().filter(|finding| finding.rule == EvidenceRule::Unanswered && !finding.weak);
        self.0.extend(pending.map(|finding| (finding.subject.clone(), finding.evidence.fact.clone())));
    }

    /// Removes the requests that have a response by now.
    pub(crate) fn forget_answered(&mut self, effects: &[PageEffect]) {
        for effect in effects {
            if let PageEffect::Request { method, url, status, failure, .. } = effect
                && (status.is_some() || failure.is_some())
            {
                let answered = FindingSubject::Request { method: method.clone(), path: path_of(url).to_owned() };
                self.0.retain(|(request, _)| *request != answered);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Stops waiting for all of them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// A description of the requests without a response.
    pub(crate) fn in_words(&self) -> String {
        self.0.iter().map(|(_, fact)| fact.as_str()).collect::<Vec<_>>().join("; ")
    }
}
