//! Values that the server answered otherwise than they were put in (`credit` is 1000 and not 25000), while the page says that all
//! is saved.

use legwork_protocol::{Action, EvidenceKind, PageEffect};

use super::{EvidenceRule, Finding, Observed, clipped, fields::is_same_content};

/// Takes the support from everything beside an altered value, and tells of it. Only values that stood in a field count: a version,
/// a state or a time of change differs in each response.
pub(super) fn doubt_on_altered_values(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    if observed.disabled.contains(&EvidenceRule::ValueAltered) {
        return;
    }
    let is_put_in = |sent: &str| {
        let typed = observed.actions.iter().filter_map(|action| match action.carried_out() {
            Action::Fill(fill) => Some(fill.text.as_str()),
            Action::Type(typed) => Some(typed.text.trim_end()),
            _ => None,
        });
        // Choices of lists as well.
        let nodes = observed.before.into_iter().flat_map(|page| &page.nodes).filter(|node| !node.states.secret());
        let held = nodes.filter_map(|node| node.value.as_deref());
        held.chain(typed).any(|value| !value.is_empty() && is_same_content(sent, value))
    };
    // A server may add to a value (a time to a day) or write it in another form; a part of it only is another value.
    let is_kept = |sent: &str, answered: &str| {
        let plain =
            |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
        match sent.trim().parse::<f64>().ok().zip(answered.trim().parse::<f64>().ok()) {
            Some((sent, answered)) => (sent - answered).abs() < 1e-9,
            None => {
                is_same_content(sent, answered) || !plain(sent).is_empty() && plain(answered).contains(&plain(sent))
            }
        }
    };
    let altered = observed.effects.iter().filter_map(|effect| match effect {
        PageEffect::Request { altered, background: false, earlier: false, .. } => Some(altered),
        _ => None,
    });
    let told: Vec<Finding> = altered
        .flatten()
        .filter(|value| is_put_in(&value.sent) && !is_kept(&value.sent, &value.answered))
        .map(|value| {
            let (sent, answered) = (clipped(&value.sent), clipped(&value.answered));
            let fact = format!("the server answered with {:?} {answered:?} instead of {sent:?}", value.name);
            Finding::new(EvidenceRule::ValueAltered, EvidenceKind::Response, fact)
        })
        .collect();
    if told.is_empty() {
        return;
    }
    for finding in findings.iter_mut().filter(|finding| finding.supports()) {
        *finding = finding.clone().neutral();
    }
    findings.extend(told);
}
