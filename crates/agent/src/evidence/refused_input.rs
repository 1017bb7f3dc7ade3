//! Input that a page saves by itself, and that the server refuses in the body of its response. While a form is filled in, such
//! responses are common and mean nothing: the rest of the form is still empty. If the page shows the refusal, it is about what was
//! entered.

use legwork_observe::Snapshot;
use legwork_protocol::PageEffect;

use super::{EvidenceRule, Finding, Observed, changes::only_in, is_own_change, neutralize, unclear::contains_whole};

/// The roles of messages.
const MESSAGES: [&str; 5] = ["alert", "status", "heading", "text", "paragraph"];

/// Removes the support from all findings if the page shows the refusal of a request that the input caused. The findings
/// already tell the response and the text.
pub(super) fn neutralize_on_refused_input(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.submits() || observed.disabled.contains(&EvidenceRule::BodyRefused) {
        return;
    }
    let refused = |finding: &Finding| finding.rule == EvidenceRule::BodyRefused && !finding.contradicts();
    if findings.iter().any(refused) && refusals(observed).any(|refusal| shows(before, observed.after, refusal)) {
        *findings = findings.drain(..).map(neutralize).collect();
    }
}

fn refusals<'a>(observed: &Observed<'a>) -> impl Iterator<Item = &'a str> {
    observed.effects.iter().filter(|effect| is_own_change(effect)).filter_map(|effect| match effect {
        PageEffect::Request { refusal, .. } => refusal.as_deref(),
        _ => None,
    })
}

/// Whether a new text contains the refusal, which begins with the name of its field in the body at most.
fn shows(before: &Snapshot, after: &Snapshot, refusal: &str) -> bool {
    const TELLING: usize = 4;
    let said = refusal.split_once(": ").map(|(_, said)| said);
    let forms = std::iter::once(refusal).chain(said).map(str::trim).filter(|text| text.chars().count() >= TELLING);
    let forms: Vec<&str> = forms.collect();
    only_in(after, before, &MESSAGES).any(|(_, text)| forms.iter().any(|form| contains_whole(text, form)))
}
