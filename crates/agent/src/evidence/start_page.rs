//! A start page that asks to log in. The request concerns the next steps, which may log in: opening the address was
//! not refused.

use legwork_observe::{Snapshot, wording};
use legwork_protocol::PageEffect;

use super::{
    EvidenceRule, Finding, FindingSubject,
    login::{LOG_IN, is_password},
};

/// Other words of notices about a log-in or an ended session.
const NOTICES: [&str; 9] = [
    "signed in",
    "signed out",
    "logged in",
    "logged out",
    "session",
    "unauthorized",
    "unauthorised",
    "angemeldet",
    "abgemeldet",
];

/// Makes findings neutral that only state that nobody is logged in yet: a notice, and the status of a log-in form.
pub(crate) fn allow_log_in(findings: &mut [Finding], effects: &[PageEffect], page: &Snapshot) {
    let has_form = page.nodes.iter().any(is_password);
    let is_refused_visitor = effects.iter().rev().find_map(|effect| match effect {
        PageEffect::Navigated { status, .. } => Some(matches!(status, Some(401 | 403))),
        _ => None,
    });
    for finding in findings.iter_mut().filter(|finding| finding.contradicts()) {
        let is_notice = match (&finding.subject, finding.rule) {
            (FindingSubject::Message(text), EvidenceRule::RefusalText | EvidenceRule::Alert) => is_notice(text),
            (FindingSubject::Document, EvidenceRule::RefusalText) => is_notice(&page.title),
            (FindingSubject::Document, EvidenceRule::HttpError) => has_form && is_refused_visitor == Some(true),
            _ => false,
        };
        if is_notice {
            *finding = finding.clone().neutral();
        }
    }
}

pub(super) fn is_notice(text: &str) -> bool {
    let text = wording::normalized(text);
    // `Continue` is the name of many buttons.
    let log_in = LOG_IN.iter().filter(|word| **word != "continue");
    log_in.chain(&NOTICES).any(|word| text.contains(word))
}
