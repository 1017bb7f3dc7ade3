//! Failed requests beside a change that the server accepted and the page states as done: a presence update,
//! recommendations, reloading a list. The page works without them. Also alerts beside such a change that state neither
//! success nor refusal.

use legwork_protocol::EvidenceKind;

use super::{EvidenceRule, Finding, FindingSubject, Observed, requests::is_called};
use legwork_observe::wording::{self, MessageTone};

/// Words in the paths of requests with which a page updates itself or reports user activity. The list omits words that
/// can also be the object of a change: `events`, `notifications` and `log` may be what the step saves.
const SECONDARY: [&str; 14] = [
    "presence",
    "heartbeat",
    "ping",
    "alive",
    "keepalive",
    "seen",
    "typing",
    "viewed",
    "visits",
    "recommendations",
    "recommended",
    "reco",
    "suggestions",
    "hints",
];

/// Makes failed lookups, failed secondary requests and unclear alerts neutral. Any other failed request may be the
/// requested change, and the page may state its success only optimistically.
pub(super) fn weigh_beside_success(observed: &Observed<'_>, findings: &mut [Finding]) {
    let names = observed.target_names();
    let is_accepted = |finding: &Finding| {
        finding.supports()
            && finding.rule == EvidenceRule::Response
            && matches!(finding.subject, FindingSubject::Request { .. })
    };
    let states_success = |finding: &Finding| {
        let fact = &finding.evidence.fact;
        finding.supports()
            && finding.evidence.kind == EvidenceKind::Text
            && !wording::is_lesser(fact, &names)
            && (wording::tone(fact, &names) == MessageTone::Success || wording::states_done(fact, &names))
    };
    if !findings.iter().any(is_accepted) {
        return;
    }
    if !findings.iter().any(states_success) {
        weigh_unclear_alerts(observed, findings, &names);
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.contradicts()) {
        *finding = match (&finding.rule, &finding.subject) {
            (_, FindingSubject::Request { method, path }) if is_lookup(method) || is_called(path, &SECONDARY) => {
                finding.clone().neutral()
            }
            (EvidenceRule::Alert, FindingSubject::Message(text))
                if finding.weak && wording::tone(text, &names) == MessageTone::Unclear =>
            {
                finding.clone().neutral()
            }
            _ => continue,
        };
    }
}

/// Makes unclear alerts neutral if the server accepted the change, because many pages use that role for all
/// announcements. Whether the change was executed stays open ([`unclear`](super::unclear)). A form that was sent and is
/// returned as the response has not been accepted.
fn weigh_unclear_alerts(observed: &Observed<'_>, findings: &mut [Finding], names: &str) {
    let is_answered_in_place = observed.is_reloaded() && findings.iter().any(is_answer_itself);
    let is_unclear = |finding: &Finding| match &finding.subject {
        FindingSubject::Message(text) => {
            finding.rule == EvidenceRule::Alert
                && finding.weak
                && finding.evidence.kind == EvidenceKind::Text
                && wording::tone(text, names) == MessageTone::Unclear
        }
        _ => false,
    };
    if is_answered_in_place || findings.iter().any(|finding| finding.contradicts() && !is_unclear(finding)) {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| is_unclear(finding)) {
        *finding = finding.clone().neutral();
    }
}

/// A POST whose response was the page itself, not a redirect to another one.
fn is_answer_itself(finding: &Finding) -> bool {
    matches!(&finding.subject, FindingSubject::Request { method, .. } if method == "POST")
        && finding.evidence.fact.ends_with("answered 200")
}

fn is_lookup(method: &str) -> bool {
    matches!(method, "GET" | "HEAD")
}
