//! A response with a status below 400 whose body may say that nothing was done: `{"changed": false}`,
//! `{"modifiedCount": 0}`, `{"job": {"state": "failed"}}`. A record may also hold such values for other reasons (there
//! was nothing to change; the job failed yesterday). Therefore they contradict nothing, and the step stays unvalidated.

use legwork_observe::wording;
use legwork_protocol::{EvidenceKind, PageEffect};

use super::{
    EvidenceRule, Finding, FindingSubject, Observed,
    changes::{MESSAGES, only_in},
    clipped, outweigh,
    url_path::path_of,
    whole_words::contains_whole,
};

/// Removes the support from all findings beside such a response, and adds a finding about it. Only a response that
/// would otherwise support counts: not that of another site or of a telemetry endpoint.
pub(super) fn neutralize_on_doubtful_body(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    if observed.disabled.contains(&EvidenceRule::DoubtfulBody) {
        return;
    }
    // A field that saves by itself shows the entered value, whatever the server answers. In the middle of a run, the
    // rest of a form may still be empty, so that a refusal means the value only if the page shows it.
    let fills_in = !observed.submits();
    let is_refused = |refusal: &&str| fills_in && (!observed.has_further_action || shows(observed, refusal));
    let is_answer =
        |rule| matches!(rule, EvidenceRule::Response | EvidenceRule::BodyRefused | EvidenceRule::DoubtfulBody);
    let supports = |url: &str| {
        findings.iter().any(|finding| {
            (finding.supports() || fills_in && is_answer(finding.rule))
                && matches!(&finding.subject, FindingSubject::Request { path, .. } if path == path_of(url))
        })
    };
    // `status: skipped` after `Skip`.
    let names = observed.target_names();
    let is_requested =
        |doubt: &&str| doubt.split_once(": ").is_some_and(|(_, state)| wording::names_action(state, &names));
    let doubtful = observed.effects.iter().filter(|effect| effect.is_own_change()).find_map(|effect| match effect {
        PageEffect::Request { method, url, doubt, refusal, .. } if supports(url) => {
            let doubt = doubt.as_deref().filter(|doubt| !is_requested(doubt));
            let says = doubt.or(refusal.as_deref().filter(is_refused))?;
            Some(format!("{method} {} was answered with {}", clipped(url), clipped(says)))
        }
        _ => None,
    });
    let Some(fact) = doubtful.or_else(|| refused_get(observed)) else { return };
    outweigh(findings, Finding::new(EvidenceRule::DoubtfulBody, EvidenceKind::Response, fact));
}

/// A button that is a command (`Delete`) and that sent no change but a GET, whose response states a refusal.
fn refused_get(observed: &Observed<'_>) -> Option<String> {
    let commands = observed.before.is_some_and(|before| observed.presses_button(before))
        && wording::is_command(&observed.target_names());
    observed.effects.iter().filter(|_| commands && !observed.sends_change()).find_map(|effect| match effect {
        PageEffect::Request {
            method,
            url,
            status: Some(..400),
            refusal: Some(says),
            background: false,
            earlier: false,
            ..
        } => Some(format!("{method} {} was answered with {}", clipped(url), clipped(says))),
        _ => None,
    })
}

/// Whether a new text contains the refusal, which begins with the name of its field in the body at most.
fn shows(observed: &Observed<'_>, refusal: &str) -> bool {
    const TELLING: usize = 4;
    let Some(before) = observed.before else { return false };
    let said = refusal.split_once(": ").map_or(refusal, |(_, said)| said).trim();
    said.chars().count() >= TELLING
        && only_in(observed.after, before, &MESSAGES).any(|(_, text)| contains_whole(text, said))
}
