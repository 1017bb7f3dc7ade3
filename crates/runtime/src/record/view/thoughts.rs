//! Texts for the model's work besides actions: plans, reflections, reviews, investigations and extracted data.

use legwork_protocol::{EventKind, PolicyEffect, Quality};

use super::{
    super::{describe, verdict::Tone},
    rows::{ThoughtRow, cut, some},
};

/// The thought to show within a turn. A plan is shown with the run instead.
pub(super) fn in_turn(kind: &EventKind) -> Option<ThoughtRow> {
    (!matches!(kind, EventKind::PlanUpdated(_))).then(|| of(kind)).flatten()
}

/// The thought of an event; `None` if the event is no thought or has no text.
pub(super) fn of(kind: &EventKind) -> Option<ThoughtRow> {
    let thought = |title: String, text: String, tone| ThoughtRow { title, text: some(cut(text)), tone };
    let idle = |title: String, text: String| thought(title, text, Tone::Idle);
    Some(match kind {
        EventKind::PlanUpdated(plan) => {
            let title = if plan.revision == 0 { "Plan" } else { "New plan" };
            let done = match plan.success_criteria.as_str() {
                "" => String::new(),
                criteria => format!("Done when: {criteria}"),
            };
            idle(title.to_owned(), lines([&plan.plan, &done]))
        }
        EventKind::ReflectionCompleted(reflection) => {
            let verdict = format!("{:?}", reflection.verdict).to_lowercase();
            let risk = format!("{:?}", reflection.risk).to_lowercase();
            idle(
                format!("On reflection: {verdict}"),
                format!("{}\nBecause: {}. Risk: {risk}.", reflection.thought, reflection.cause),
            )
        }
        EventKind::AnswerValidated(review) => {
            let accepted = matches!(review.quality, Quality::Complete | Quality::Excellent);
            let quality = format!("{:?}", review.quality).to_lowercase();
            thought(
                format!("Answer judged {quality} (try {})", review.attempt),
                review.feedback.clone(),
                if accepted { Tone::Good } else { Tone::Wait },
            )
        }
        EventKind::DataExtracted { instruction, data, unverified, .. } => {
            let title = match instruction.as_str() {
                "" => "Data extracted".to_owned(),
                instruction => format!("Data extracted: {instruction}"),
            };
            let doubt = match unverified.as_slice() {
                [] => String::new(),
                places => format!("Not found at the stated place: {}", places.join(", ")),
            };
            idle(title, lines([&describe::value(data), &doubt]))
        }
        EventKind::PolicyDecided(decision) => {
            let goes_ahead = decision.effect == PolicyEffect::Allow || decision.approved == Some(true);
            let tone = if goes_ahead { Tone::Idle } else { Tone::Wait };
            thought("Policy".to_owned(), describe::policy_decision(decision), tone)
        }
        EventKind::UserControlEnded { clicks, typed, url } => {
            idle("A person operated the browser".to_owned(), describe::user_control(*clicks, *typed, url))
        }
        EventKind::InvestigationStarted { reason } => idle("Investigates".to_owned(), reason.clone()),
        EventKind::InvestigationPhaseCompleted { phase, summary } if !summary.is_empty() => {
            idle(describe::phase(*phase).to_owned(), summary.clone())
        }
        EventKind::InvestigationToolCompleted { tool, ok, summary } => {
            let tool = format!("{tool:?}").to_lowercase();
            idle(format!("Tool {tool}: {}", if *ok { "answered" } else { "failed" }), summary.clone())
        }
        EventKind::InvestigationCompleted(findings) => {
            let title = if findings.partial { "Investigation done in part" } else { "Investigation done" };
            let found = match &findings.target {
                Some(target) => format!("Element: {target}"),
                None => "No single element named".to_owned(),
            };
            let found = format!("{found}, confidence {:.0} %", findings.confidence * 100.0);
            idle(title.to_owned(), lines([&findings.insight, &found]))
        }
        EventKind::InvestigationFailed(error) => {
            thought("Investigation failed".to_owned(), error.message.clone(), Tone::Wait)
        }
        EventKind::ElementDiscovered { element, purpose, .. } => idle(format!("Found {element}"), purpose.clone()),
        _ => return None,
    })
}

/// The lines that are not empty.
fn lines(lines: [&str; 2]) -> String {
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}
