//! A form of several steps that goes back: `Step 1 of 3` after `Next` in `Step 2 of 3`. The form lost what was put in,
//! or its session has expired.

use legwork_observe::{
    Snapshot,
    wording::{self, MessageTone},
};
use legwork_protocol::EvidenceKind;

use super::{EvidenceRule, Finding, FindingSubject, Observed};

/// The words before the number of a step.
const STEP: [&str; 9] = ["step", "schritt", "étape", "paso", "passo", "passaggio", "stap", "part", "page"];

/// Adds a finding if the page shows an earlier step after a button that leads to the next one. After a button that ends
/// the form (`Finish`), an empty form may follow, so the earlier step is neutral then, and nothing supports the action
/// unless the page states a success. Other buttons (`Save and add another`) do not count.
pub(super) fn note_earlier_step(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    let names = observed.target_names();
    let (leads_on, ends_form) = (wording::leads_on(names.trim()), wording::ends_form(names.trim()));
    if observed.disabled.contains(&EvidenceRule::EarlierStep)
        || !observed.presses_button(before)
        || !(leads_on || ends_form)
    {
        return;
    }
    let (Some(was), Some(is)) = (step_of(before), step_of(observed.after)) else { return };
    // A pager or carousel leads from its last part to its first.
    if is.number < was.number && (ends_form || was.number < was.all) && was.all == is.all {
        let fact = format!("the page shows step {} of {}, and showed step {} before", is.number, is.all, was.number);
        let subject = FindingSubject::Message(is.text);
        let finding = Finding::new(EvidenceRule::EarlierStep, EvidenceKind::Text, fact).about(subject);
        if leads_on {
            findings.push(finding);
            return;
        }
        let states_success = |finding: &Finding| {
            finding.rule == EvidenceRule::NewText
                && finding.supports()
                && wording::tone(&finding.evidence.fact, &names) == MessageTone::Success
        };
        if !findings.iter().any(states_success) {
            findings.iter_mut().filter(|known| known.supports()).for_each(|known| *known = known.clone().neutral());
            findings.push(finding.neutral());
        }
    }
}

/// The step of a form, as the page states it.
struct ShownStep {
    text: String,
    number: u32,
    all: u32,
}

/// The shown step, if the page states exactly one.
fn step_of(page: &Snapshot) -> Option<ShownStep> {
    let texts = page.nodes.iter().filter(|node| matches!(node.role.as_ref(), "heading" | "text" | "status"));
    let mut steps = texts.filter_map(|node| {
        let (number, all) = step_in(&node.name)?;
        Some(ShownStep { text: node.name.to_string(), number, all })
    });
    let first = steps.next()?;
    steps.all(|step| (step.number, step.all) == (first.number, first.all)).then_some(first)
}

/// `Step 2 of 3`, `Schritt 2/3`.
fn step_in(text: &str) -> Option<(u32, u32)> {
    let text = wording::normalized(text);
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.find(|word| STEP.contains(word))?;
    let number = words.next()?.parse().ok()?;
    let next = words.next()?;
    let all = next.parse().ok().or_else(|| words.next()?.parse().ok())?;
    (number >= 1 && number <= all).then_some((number, all))
}

#[cfg(test)]
mod tests {
    use super::step_in;

    #[test]
    fn the_step_of_a_form_is_read_from_its_heading() {
        assert_eq!(step_in("Step 2 of 3: Address"), Some((2, 3)));
        assert_eq!(step_in("Schritt 1/4"), Some((1, 4)));
        assert_eq!(step_in("Two steps remain"), None);
        assert_eq!(step_in("Step by step"), None);
    }
}
