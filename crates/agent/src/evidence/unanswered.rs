//! The changes that actions asked the server for and that have no response yet. Until then a page may show what it hopes for,
//! so what is expected of it is judged when the response is there.

use legwork_observe::Snapshot;
use legwork_protocol::PageEffect;

use super::{EvidenceRule, Finding, FindingSubject, requests::path_of};

/// Changes without a response, oldest first: the request, and the fact in words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unanswered(Vec<(FindingSubject, String)>);

impl Unanswered {
    /// Takes in what an action showed. Requests of a page that was left are broken off, and get no response any more.
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

    /// Forgets what was answered since.
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

    /// Gives up waiting for them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// What has not been answered, in words.
    pub(crate) fn in_words(&self) -> String {
        self.0.iter().map(|(_, fact)| fact.as_str()).collect::<Vec<_>>().join("; ")
    }
}
