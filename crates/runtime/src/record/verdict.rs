//! How the evidence for a claim is displayed: a sign, a text and a tone together, because colour alone is not
//! accessible. Validated, unvalidated and rejected differ in all three, and evidence against a claim is never shown
//! with a ✓.

use legwork_protocol::{Evidence, EvidenceKind, PageEffect, Polarity, Status, StepResult, Validation};
use schemars::JsonSchema;
use serde::Serialize;

use super::{RecordState, RunRecord, StepRecord};

/// What colour and sign express together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Success with supporting evidence.
    Good,
    /// A success that was not checked.
    Doubt,
    /// Failure, or contradicted by evidence.
    Bad,
    /// Waits for a person.
    Wait,
    /// In progress.
    Busy,
    /// Neutral.
    Idle,
}

impl Tone {
    /// The name on the wire, which is also a class name in the style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Doubt => "doubt",
            Tone::Bad => "bad",
            Tone::Wait => "wait",
            Tone::Busy => "busy",
            Tone::Idle => "idle",
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Tone::Good => "✓",
            Tone::Doubt => "?",
            Tone::Bad => "✗",
            Tone::Wait => "❙❙",
            Tone::Busy => "●",
            Tone::Idle => "–",
        }
    }
}

/// The state of a run or a step as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatusLabel {
    /// The tone, which determines the colour.
    pub tone: Tone,
    /// A sign of one to two characters.
    pub sign: &'static str,
    /// The state in words.
    pub words: String,
    /// Set if a success was claimed, also if the claim was rejected.
    pub claim: Option<ValidationLabel>,
}

/// How well a claim of success is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValidationLabel {
    /// Evidence supports it.
    Validated,
    /// It was not checked.
    Unvalidated,
    /// It was made, and it did not hold.
    Rejected,
    /// The run or step ended as a success, and its evidence includes a contradicting fact.
    Contradicted,
}

impl ValidationLabel {
    /// The reason, in words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            ValidationLabel::Validated => "evidence supports it",
            ValidationLabel::Unvalidated => "it was not checked",
            ValidationLabel::Rejected | ValidationLabel::Contradicted => "evidence contradicts it",
        }
    }
}

/// A fact and what it means for the claim.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceRow {
    /// Whether the fact supports or contradicts the claim, or neither.
    pub side: Polarity,
    /// ✓, ✗ or a dot.
    pub sign: &'static str,
    /// A text before the fact, for readers who do not see the sign.
    pub words: &'static str,
    /// The kind of fact.
    pub kind: EvidenceKind,
    /// Whether a check asked for this fact.
    pub checked: bool,
    /// The fact.
    pub fact: String,
}

impl EvidenceRow {
    pub(super) fn of(evidence: &Evidence) -> EvidenceRow {
        let (sign, words) = match evidence.polarity {
            Polarity::Supporting => ("✓", "Supports it:"),
            Polarity::Contradicting => ("✗", "Contradicts it:"),
            Polarity::Neutral => ("·", "Neutral:"),
        };
        let Evidence { kind, fact, checked, polarity } = evidence;
        EvidenceRow { side: *polarity, sign, words, kind: *kind, checked: *checked, fact: fact.clone() }
    }
}

impl StatusLabel {
    /// A state without a claim.
    pub fn new(tone: Tone, words: impl Into<String>) -> StatusLabel {
        label(tone, words, None)
    }

    /// A run that does nothing until a person answers its question.
    pub fn waiting_for_answer() -> StatusLabel {
        StatusLabel { tone: Tone::Wait, sign: "?", words: "Waiting for an answer".to_owned(), claim: None }
    }

    /// The state of a run whose steps are not available, as in a list.
    pub fn of_run(state: RecordState, validation: Option<Validation>) -> StatusLabel {
        of(state, validation, false)
    }
}

fn label(tone: Tone, words: impl Into<String>, claim: Option<ValidationLabel>) -> StatusLabel {
    StatusLabel { tone, sign: tone.sign(), words: words.into(), claim }
}

/// The display of a state. `against` states that facts contradict its success.
fn of(state: RecordState, validation: Option<Validation>, against: bool) -> StatusLabel {
    match (state, validation) {
        (_, Some(Validation::Rejected)) => label(Tone::Bad, "Rejected", Some(ValidationLabel::Rejected)),
        (RecordState::Ended(Status::Success), _) if against => {
            label(Tone::Bad, "Success contradicted by evidence", Some(ValidationLabel::Contradicted))
        }
        (RecordState::Ended(Status::Success), Some(Validation::Validated)) => {
            label(Tone::Good, "Success, validated", Some(ValidationLabel::Validated))
        }
        (RecordState::Ended(Status::Success), _) => {
            label(Tone::Doubt, "Success, unvalidated", Some(ValidationLabel::Unvalidated))
        }
        (RecordState::Ended(Status::Failure), _) => label(Tone::Bad, "Failed", None),
        (RecordState::Ended(Status::Error), _) => label(Tone::Bad, "Error", None),
        (RecordState::Ended(Status::Parked), _) => label(Tone::Wait, "Waiting for input", None),
        (RecordState::Ended(Status::Cancelled), _) => label(Tone::Idle, "Cancelled", None),
        (RecordState::Ended(Status::Skipped), _) => label(Tone::Idle, "Skipped", None),
        (RecordState::Interrupted, _) => label(Tone::Wait, "Interrupted", None),
        (RecordState::Paused, _) => label(Tone::Wait, "Paused", None),
        (RecordState::Running, _) => label(Tone::Busy, "Running", None),
        (RecordState::Pending, _) => label(Tone::Idle, "Not started", None),
    }
}

fn has_against(result: Option<&StepResult>) -> bool {
    result.is_some_and(|result| result.evidence.iter().any(|fact| fact.polarity == Polarity::Contradicting))
}

/// The display of a step. The caller supplies the state, because the step's record does not show whether a process
/// still drives it.
pub(super) fn of_step(step: &StepRecord, state: RecordState) -> StatusLabel {
    let result = step.result.as_ref();
    of(state, result.map(|result| result.validation), has_against(result))
}

/// The display of a step that has ended.
pub(super) fn of_result(result: &StepResult) -> StatusLabel {
    of(RecordState::Ended(result.status), Some(result.validation), has_against(Some(result)))
}

/// The display of a whole run in this state, as a sentence.
pub(super) fn of_run(record: &RunRecord, state: RecordState) -> StatusLabel {
    let can_be_answered = matches!(state, RecordState::Running | RecordState::Ended(Status::Parked));
    if can_be_answered && record.open_question().is_some() {
        return StatusLabel::waiting_for_answer();
    }
    let outcome = record.outcome.as_ref();
    let claims = |step: &&StepRecord| step.state == RecordState::Ended(Status::Success);
    let against = record.steps.iter().filter(claims).any(|step| has_against(step.result.as_ref()));
    let made = of(state, outcome.map(|outcome| outcome.validation), against);
    let words = match state {
        RecordState::Ended(Status::Failure) if made.claim == Some(ValidationLabel::Rejected) => "Rejected".to_owned(),
        _ if made.claim == Some(ValidationLabel::Rejected) => "Rejected by evidence".to_owned(),
        RecordState::Ended(Status::Error) => match outcome.and_then(|outcome| outcome.budget) {
            Some(budget) => format!("Limit reached: {}", format!("{budget:?}").to_lowercase()),
            None => made.words,
        },
        _ => made.words,
    };
    StatusLabel { words, ..made }
}

/// Whether the effect of an action contradicts its success: the server refused a document or a request that the action
/// caused, a request got no response, or the browser shows its own error page.
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
    fn validated_unvalidated_rejected_and_contradicted_differ_in_tone_sign_and_words() {
        let result = |status, validation, evidence: Vec<Evidence>| StepResult {
            index: 0,
            text: String::new(),
            status,
            validation,
            decider: None,
            iterations: 1,
            evidence,
            duration: Default::default(),
            message: String::new(),
            final_page: None,
            expansion: None,
            error: None,
        };
        let check = |result: StepResult, tone: Tone, sign: &str, words: &str, reason: Option<&str>| {
            let made = of_result(&result);
            assert_eq!((made.tone, made.sign, made.words.as_str()), (tone, sign, words));
            assert_eq!(made.claim.map(ValidationLabel::reason), reason);
        };
        let (success, against) = (Status::Success, Evidence::contradicting(EvidenceKind::Response, "answered 401"));
        let (shown, unchecked, refuted) = ("evidence supports it", "it was not checked", "evidence contradicts it");
        check(result(success, Validation::Validated, vec![]), Tone::Good, "✓", "Success, validated", Some(shown));
        check(
            result(success, Validation::Unvalidated, vec![]),
            Tone::Doubt,
            "?",
            "Success, unvalidated",
            Some(unchecked),
        );
        check(result(success, Validation::Rejected, vec![]), Tone::Bad, "✗", "Rejected", Some(refuted));
        let contradicted = result(success, Validation::Validated, vec![against.clone()]);
        check(contradicted, Tone::Bad, "✗", "Success contradicted by evidence", Some(refuted));
        check(result(Status::Skipped, Validation::Unvalidated, vec![]), Tone::Idle, "–", "Skipped", None);
        let fact = EvidenceRow::of(&against);
        assert_eq!((fact.side, fact.sign, fact.words), (Polarity::Contradicting, "✗", "Contradicts it:"));
    }

    #[test]
    fn a_request_that_the_action_caused_speaks_against_it_when_it_was_refused_or_failed() {
        let request = |status, failure: Option<&str>, background| PageEffect::Request {
            method: "POST".into(),
            url: "https://shop.test/orders".into(),
            status,
            failure: failure.map(str::to_owned),
            refusal: None,
            doubt: None,
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
