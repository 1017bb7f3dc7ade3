//! What a claim rests on, as the page shows it: a sign, words and a tone together, never a colour alone. Validated,
//! unvalidated and rejected differ in all three, and nothing that speaks against a claim stands under a ✓.

use legwork_protocol::{Evidence, PageEffect, Polarity, Status, StepResult, Validation};
use serde::Serialize;

use super::super::{RecordState, RunRecord, StepRecord};

/// How something stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Standing {
    /// A class of the style sheet.
    pub(super) tone: &'static str,
    pub(super) sign: &'static str,
    pub(super) words: String,
    /// Of a claim of success that was made or rejected.
    pub(super) claim: Option<ValidationLabel>,
}

/// What a claim of success rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ValidationLabel {
    /// Evidence shows it.
    Validated,
    /// Nobody checked it.
    Unvalidated,
    /// It was made and did not hold.
    Rejected,
    /// It stands on record, and so does evidence against it.
    Contradicted,
}

/// The side a fact speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Side {
    /// It shows that the step was done.
    Supporting,
    /// It shows that the step was not done.
    Contradicting,
    /// It says nothing of the step.
    Neutral,
}

impl Side {
    pub(super) fn of(evidence: &Evidence) -> Side {
        match evidence.polarity {
            Polarity::Supporting => Side::Supporting,
            Polarity::Contradicting => Side::Contradicting,
            Polarity::Neutral => Side::Neutral,
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Side::Supporting => "✓",
            Side::Contradicting => "✗",
            Side::Neutral => "·",
        }
    }

    /// Before the fact, for whoever does not see the sign.
    pub(super) fn words(self) -> &'static str {
        match self {
            Side::Supporting => "Supports it:",
            Side::Contradicting => "Speaks against it:",
            Side::Neutral => "Says nothing of it:",
        }
    }
}

fn verdict(tone: &'static str, words: impl Into<String>, claim: Option<ValidationLabel>) -> Standing {
    let sign = match tone {
        "good" => "✓",
        "doubt" => "?",
        "bad" => "✗",
        "wait" => "❙❙",
        "busy" => "●",
        _ => "–",
    };
    Standing { tone, sign, words: words.into(), claim }
}

/// How something stands that is in a state; `against` is whether facts speak against a success of its.
fn of(state: RecordState, validation: Option<Validation>, against: bool) -> Standing {
    match (state, validation) {
        (_, Some(Validation::Rejected)) => verdict("bad", "Rejected", Some(ValidationLabel::Rejected)),
        (RecordState::Ended(Status::Success), _) if against => {
            verdict("bad", "Success contradicted by evidence", Some(ValidationLabel::Contradicted))
        }
        (RecordState::Ended(Status::Success), Some(Validation::Validated)) => {
            verdict("good", "Success, validated", Some(ValidationLabel::Validated))
        }
        (RecordState::Ended(Status::Success), _) => {
            verdict("doubt", "Success, unvalidated", Some(ValidationLabel::Unvalidated))
        }
        (RecordState::Ended(Status::Failure | Status::Error), _) => verdict("bad", state.name(), None),
        (
            RecordState::Ended(Status::Parked | Status::Cancelled) | RecordState::Interrupted | RecordState::Paused,
            _,
        ) => verdict("wait", state.name(), None),
        (RecordState::Running, _) => verdict("busy", state.name(), None),
        (RecordState::Pending | RecordState::Ended(Status::Skipped), _) => verdict("idle", state.name(), None),
    }
}

fn has_against(result: Option<&StepResult>) -> bool {
    result.is_some_and(|result| result.evidence.iter().any(|fact| Side::of(fact) == Side::Contradicting))
}

/// Of a step.
pub(super) fn of_step(step: &StepRecord) -> Standing {
    let result = step.result.as_ref();
    of(step.state, result.map(|result| result.validation), has_against(result))
}

/// Of a whole run, in a sentence.
pub(super) fn of_run(record: &RunRecord) -> Standing {
    let outcome = record.outcome.as_ref();
    let claims = |step: &&StepRecord| step.state == RecordState::Ended(Status::Success);
    let against = record.steps.iter().filter(claims).any(|step| has_against(step.result.as_ref()));
    let made = of(record.state, outcome.map(|outcome| outcome.validation), against);
    let words = match record.state {
        RecordState::Ended(Status::Failure) if made.claim == Some(ValidationLabel::Rejected) => "Rejected".to_owned(),
        _ if made.claim == Some(ValidationLabel::Rejected) => "Rejected by evidence".to_owned(),
        RecordState::Ended(Status::Failure) => "Failed".to_owned(),
        RecordState::Ended(Status::Error) => match outcome.and_then(|outcome| outcome.budget) {
            Some(budget) => format!("Limit reached: {}", format!("{budget:?}").to_lowercase()),
            None => "Error".to_owned(),
        },
        RecordState::Ended(Status::Parked) => "Parked: waits for a person".to_owned(),
        RecordState::Ended(Status::Cancelled) => "Cancelled".to_owned(),
        RecordState::Running => "Running or interrupted".to_owned(),
        RecordState::Interrupted => "Interrupted".to_owned(),
        RecordState::Paused => "Paused".to_owned(),
        _ => made.words,
    };
    Standing { words, ..made }
}

/// Whether what an action set off speaks against it: the server refused a document or a request that the action caused, a
/// request got no answer, or the browser shows its own error.
pub(super) fn is_against(effect: &PageEffect) -> bool {
    match effect {
        PageEffect::Navigated { to, status, .. } => {
            status.is_some_and(|status| status >= 400) || to.starts_with("chrome-error:")
        }
        PageEffect::Request { status, failure, refusal, background, .. } => {
            !background && (status.is_some_and(|status| status >= 400) || failure.is_some() || refusal.is_some())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_the_action_caused_speaks_against_it_when_it_was_refused_or_failed() {
        let request = |status, failure: Option<&str>, background| PageEffect::Request {
            method: "POST".into(),
            url: "https://shop.test/orders".into(),
            status,
            failure: failure.map(str::to_owned),
            refusal: None,
            altered: Vec::new(),
            background,
            earlier: false,
        };
        assert!(is_against(&request(Some(409), None, false)));
        assert!(is_against(&request(None, Some("net::ERR_CONNECTION_RESET"), false)));
        assert!(!is_against(&request(Some(201), None, false)));
        assert!(!is_against(&request(None, None, false)));
        assert!(!is_against(&request(Some(500), None, true)));
    }
}
