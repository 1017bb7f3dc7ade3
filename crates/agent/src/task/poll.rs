//! Repeats a check on each change of the page until it holds or its time is over.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Evidence, PageEffect, Wait};
use legwork_steps::{Check, LongerName};
use serde_json::Value;

use super::run_context::StepContext;
use crate::{NeedResult, ObserveRequest, evidence::reverted_states};

/// Maximum observations for a check, so that the loop ends even if the clock stands still.
const MAX_LOOKS: u32 = 500;

/// The first waiting time. Each further one is twice as long, up to sixteen times.
const FIRST_SLICE: Duration = Duration::from_millis(100);

/// If a check waits for something to disappear: how long to wait for it to appear first. The effect of an action may
/// show only after the next response.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait for a response between two observations.
const RESPONSE_SLICE: Duration = Duration::from_millis(500);

/// A check in progress.
pub(crate) struct Poll {
    check: Check,
    until: Duration,
    looks: u32,
    /// For a wait until something disappears: a check that it is present, until it was observed.
    unseen: Option<Check>,
    /// The time until which it may still appear.
    grace: Option<Duration>,
}

/// The result of an observation.
pub(crate) enum PollOutcome {
    Look(ObserveRequest),
    /// Wait for this time: at the end of an action, the browser reports the effects since the previous action.
    Listen(Duration),
    Holds(Vec<Evidence>),
    Fails(String),
}

/// What a page showed for a moment.
enum Moment {
    /// A message that was to be seen only for a while.
    Message(Vec<Evidence>),
    Other,
}

impl Poll {
    pub(crate) fn new(check: Check, until: Duration) -> Poll {
        Poll { unseen: check.presence(), check, until, looks: 0, grace: None }
    }

    /// Considers a page that was observed before: the element that must disappear may have been on it.
    pub(crate) fn recall(&mut self, page: &Snapshot, variables: &BTreeMap<String, Value>) {
        let Some(there) = &self.unseen else { return };
        let was_on = |page: &Snapshot| super::words::judge(there, page, variables, &[]).is_ok();
        // It may have appeared and disappeared between two observations.
        if was_on(page) || page.of_transient().as_ref().is_some_and(was_on) {
            self.unseen = None;
        }
    }

    /// Whether the check says nothing about the step in particular.
    pub(crate) fn is_general(&self) -> bool {
        self.check.is_general()
    }

    /// Whether the instruction before the check was to make it true.
    pub(crate) fn is_result(&self) -> bool {
        self.check.is_result()
    }

    /// The row or entry of the check, if its name is longer than the check says.
    pub(crate) fn longer_name(&self, page: &Snapshot) -> Option<LongerName> {
        self.check.longer_name(page)
    }

    /// Whether the check already held before the last action, so that it shows nothing of the effect of that action.
    /// Files and responses are effects themselves.
    pub(crate) fn held_before(&self, cx: &StepContext<'_>) -> bool {
        let holds_on = |page: &Snapshot| super::words::judge(&self.check, page, &cx.run_context.variables, &[]).is_ok();
        !self.check.about_effects() && cx.run_context.before_action.as_deref().is_some_and(holds_on)
    }

    /// Evaluates the check on the observed page.
    pub(crate) fn handle_result(&mut self, response: NeedResult, cx: &StepContext<'_>) -> PollOutcome {
        let NeedResult::Observed(page) = response else { return PollOutcome::Look(ObserveRequest::default()) };
        self.judge(&page, &cx.run_context.variables, &cx.run_context.effects, cx.now)
    }

    /// How long to wait before evaluating again, while a requested change has no response yet: a page may show a
    /// success that the server then refuses.
    pub(crate) fn waits_for_response(&self, cx: &StepContext<'_>) -> Option<Duration> {
        let left = self.until.checked_sub(cx.now).filter(|left| !left.is_zero() && self.looks < MAX_LOOKS)?;
        (!cx.run_context.unanswered.is_empty()).then(|| RESPONSE_SLICE.min(left))
    }

    /// The action for the wait that [`PollOutcome::Listen`] requests.
    pub(crate) fn listening(time: Duration) -> Action {
        Action::Wait(Wait { seconds: Some(time.as_secs_f64()), ..Wait::default() })
    }

    /// Evaluates the check on a page.
    pub(crate) fn judge(
        &mut self,
        page: &Snapshot,
        variables: &BTreeMap<String, Value>,
        effects: &[PageEffect],
        now: Duration,
    ) -> PollOutcome {
        self.looks += 1;
        self.recall(page, variables);
        let grace = *self.grace.get_or_insert((now + GRACE).min(self.until));
        match super::words::judge(&self.check, page, variables, effects) {
            Ok(_) if self.unseen.is_some() => {
                match grace.checked_sub(now).filter(|left| !left.is_zero() && self.looks < MAX_LOOKS) {
                    Some(left) => PollOutcome::Look(ObserveRequest { after_change_within: Some(left) }),
                    None => {
                        let what = self.check.subject();
                        PollOutcome::Fails(format!(
                            "{what} was never present: not before, and not while its going was waited for; \
                             if it may have gone already, write: Check that {what} is not shown"
                        ))
                    }
                }
            }
            Ok(evidence) => PollOutcome::Holds(evidence),
            Err(unmet) => match self.of_moment(page, variables, effects) {
                Some(Moment::Message(evidence)) => PollOutcome::Holds(evidence),
                Some(Moment::Other) => {
                    self.wait_or_fail(format!("{unmet}; it was shown for a moment and is gone"), now)
                }
                None => self.wait_or_fail(unmet.to_string(), now),
            },
        }
    }

    /// Whether the page showed what is checked since the last action and has removed it. A message (`Saved`) that
    /// disappears after some seconds has said what it had to say. Anything else may have been taken back, for example a
    /// row that was added before the server refused it: the check fails, and its error mentions the row, so that the
    /// reader knows of it before repeating the step. The same holds for a message if the page went back to an earlier
    /// state.
    fn of_moment(
        &self,
        page: &Snapshot,
        variables: &BTreeMap<String, Value>,
        effects: &[PageEffect],
    ) -> Option<Moment> {
        let holds = |moment: &Snapshot| super::words::judge(&self.check, moment, variables, effects).ok();
        let moment = page.of_transient().filter(|_| self.check.is_of_presence())?;
        holds(&moment)?;
        let messages = page.transient.iter().filter(|node| matches!(node.role.as_ref(), "status" | "alert"));
        let messages = Snapshot { transient: messages.cloned().collect(), ..page.clone() };
        let mut said =
            messages.of_transient().filter(|_| reverted_states(page).next().is_none()).and_then(|said| holds(&said));
        for evidence in said.iter_mut().flatten() {
            evidence.fact.push_str(" (for a moment)");
        }
        Some(said.map_or(Moment::Other, Moment::Message))
    }

    fn wait_or_fail(&self, why: String, now: Duration) -> PollOutcome {
        match self.until.checked_sub(now).filter(|left| !left.is_zero() && self.looks < MAX_LOOKS) {
            Some(left) if self.check.about_effects() => {
                let slice = FIRST_SLICE * 2_u32.saturating_pow(self.looks.min(5) - 1);
                PollOutcome::Listen(slice.min(left))
            }
            Some(left) => PollOutcome::Look(ObserveRequest { after_change_within: Some(left) }),
            None => PollOutcome::Fails(why),
        }
    }
}
