//! Executes a decision: the guard against loops, the needs of its actions, and the assessment of the page afterwards.

use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, Code, Command, DecidedBy, Decision, Effect, EvidenceKind, PageEffect, Phase,
    Question,
};

use super::{ModelRun, ModelStage, too_many_errors};
use crate::{
    Need, ObserveRequest,
    context::one_line,
    evidence::{self, Finding, Observed},
    playbook::Observation,
    task::{
        Ending, StepNotes, Task, Transition, guard, intents, recorded::ReplayRemainder, run_context::StepContext,
        seen_target::on_seen_page, sub_task::SubTask,
    },
};

/// The hint of the next prompt if the outcome of the last action is unknown.
const UNKNOWN: &str = "The outcome of your last action is unknown: it was sent to the page and may have been done, though it \
    failed. Do not do it again now. First verify on the page whether it was done; only if it certainly was not, do it again. \
    If you cannot tell, ABORT and say so.";

/// The actions of a turn whose page has not been observed yet.
pub(super) struct ExecutedTurn {
    done: Vec<Action>,
    failed: Vec<Action>,
    effects: Vec<PageEffect>,
}

impl ModelRun {
    /// Executes a decision, unless it repeats itself without effect.
    pub(super) fn carry_out(
        &mut self,
        decision: Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        // A repeated claim that the task is done repeats no action. The review evaluates it and counts its rejections.
        let claims = |command: &Command| matches!(command.action, Action::Done(_) | Action::Abort(_));
        let judged = match decision.commands.iter().all(claims) {
            true => guard::GuardDecision::Go,
            false => self.loop_guard.judge(&decision.commands, self.page.as_deref()),
        };
        match judged {
            guard::GuardDecision::Go => {}
            guard::GuardDecision::Warn => {
                cx.warn("the model repeats an action that leaves the page as it is");
                self.hint =
                    Some("This action was done before and left the page as it is. Do something else, or ABORT.".into());
            }
            guard::GuardDecision::Stop => {
                let what = decision.commands.first().map_or("", |command| command.action.name());
                let mut message = format!("the same {what} was repeated and left the page as it is");
                let effects = notes.effects_in_words();
                // A person who runs it again must know which actions would be repeated.
                if !effects.is_empty() {
                    message += &format!("; before that something took effect: {}", effects.join("; "));
                }
                let ending = Ending::error(Code::LoopDetected, message);
                return Transition::Ended(match effects.is_empty() {
                    true => ending,
                    false => ending.suggest(
                        "See on the page what was done before you run it again; reword the step or name its target.",
                    ),
                });
            }
        }
        let by = notes.decider.unwrap_or(DecidedBy::Model);
        let mut actions = Vec::new();
        for Command { action, .. } in decision.commands {
            let action = cx.resolve_action(action);
            let action = match (&cx.run_context.whole_page, self.page.as_deref()) {
                (Some(_), Some(seen)) => on_seen_page(action, seen),
                _ => action,
            };
            match action {
                action if for_the_browser(&action) => actions.push(action),
                // The remaining commands are decided after the preceding ones have been executed.
                _ if !actions.is_empty() => break,
                Action::Ask(ask) => {
                    self.stage = ModelStage::Asking(ask.question.clone());
                    return Transition::Need(Need::Ask(Question {
                        secret: ask.secret,
                        ..Question::listing(ask.question, ask.options)
                    }));
                }
                Action::Done(done) => return Transition::Finished { message: done.result, answer: true },
                Action::Abort(abort) => {
                    return Transition::Ended(Ending::failure(Code::CommandFailed, aborted(&abort.reason)));
                }
                action => {
                    let page = self.page.clone().unwrap_or_default();
                    let step = SubTask::command(action, by, page, &task.text, cx);
                    return self.on_sub_task_step(step, task, notes, cx);
                }
            }
        }
        cx.phase(Phase::ExecutingCommands);
        self.stage = ModelStage::Acting(actions.clone());
        Transition::Need(Need::Act(intents(actions, by)))
    }

    /// Applies the results of actions; the page is assessed next.
    pub(super) fn acted(
        &mut self,
        actions: Vec<Action>,
        results: &[ActionResult],
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        for (action, result) in actions.iter().zip(results) {
            notes.history.add(action, result);
        }
        cx.run_context.found.note_used(actions.iter().zip(results));
        notes.failed_action = actions.iter().zip(results).find_map(|(action, result)| {
            let failure = result.failure.as_ref()?;
            // A tool that refuses or fails has responded: the model decides how to continue.
            let on_page = action.effect() != Effect::ReadOnly && !matches!(action, Action::Call(_));
            on_page.then(|| format!("{} failed: {failure}", action.name()))
        });
        if cx.rules.custom {
            self.last_actions = actions.iter().cloned().zip(results.iter().cloned()).collect();
        }
        if results.len() < actions.len() {
            let left = actions.len() - results.len();
            notes.history.note(format!("({left} commands after it were not executed; decide about them again)"));
        }
        match results.iter().find_map(|result| Some((result, result.failure.as_ref()?))) {
            Some((result, failure @ (ActionFailure::BrowserGone { .. } | ActionFailure::Cancelled))) => {
                return Transition::Ended(Ending::of_result(result, failure));
            }
            Some((result, failure)) => {
                if result.outcome_unknown {
                    self.hint = Some(UNKNOWN.to_owned());
                }
                self.failed_again(&failure.to_string(), notes, cx);
                if let Some(ending) = too_many_errors(notes, cx) {
                    return Transition::Ended(ending);
                }
                // The target in the prompt is the model's own text; the quoted history contains the elements of the
                // page.
                self.missing_target = match failure {
                    ActionFailure::NotFound { target, .. } => Some(format!("nothing matches {target}")),
                    ActionFailure::Ambiguous { target, count, .. } => Some(format!("{count} elements match {target}")),
                    _ => None,
                };
            }
            None => {}
        }
        let effects = results.iter().flat_map(|result| result.effects.clone()).collect();
        let (done, failed): (Vec<_>, Vec<_>) = actions.into_iter().zip(results).partition(|(_, result)| result.ok());
        let actions = |of: Vec<(Action, &ActionResult)>| of.into_iter().map(|(action, _)| action).collect();
        cx.phase(Phase::GeneratingPrompt);
        self.stage =
            ModelStage::Assessing(Box::new(ExecutedTurn { done: actions(done), failed: actions(failed), effects }));
        Transition::Need(Need::Observe(ObserveRequest::default()))
    }

    /// Returns to the playbook after the model replaced one of its actions, if that had the recorded effect and the
    /// next recorded action is certain.
    pub(super) fn rejoin(
        &mut self,
        turn: &ExecutedTurn,
        page: &Snapshot,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let remainder = notes.replay.as_ref().filter(|_| turn.failed.is_empty())?;
        let observed = Observation { effects: &turn.effects, before: self.page.as_deref(), after: page };
        let rest = remainder.after(&turn.done, &observed, cx)?;
        let Some(next) = rest.first() else {
            notes.replay = None;
            return Some(Transition::Finished { message: String::new(), answer: false });
        };
        if next.resolve(cx.live(page)).is_err() {
            // The model continues; its next actions replace the next recorded one.
            notes.replay = Some(ReplayRemainder { actions: rest, reason: remainder.reason.clone() });
            return None;
        }
        notes.replay = None;
        Some(Transition::Replay(rest))
    }

    /// Adds the findings about the actions of a turn.
    pub(super) fn assess(
        &mut self,
        turn: &ExecutedTurn,
        page: &Snapshot,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) {
        let findings = evidence::assess(Observed {
            actions: &turn.done,
            failed: &turn.failed,
            effects: &turn.effects,
            before: self.page.as_deref(),
            after: page,
            is_login: false,
            answers_dialog: notes.next_step.answers_dialog,
            has_further_action: notes.next_step.acts,
            is_lent: cx.rules.is_lent_page,
            churn: &cx.run_context.churn,
            covered: &cx.run_context.covered,
            disabled: &cx.rules.disabled_evidence,
        });
        let change = || visible_change(self.page.as_deref()?, page, &cx.run_context.churn);
        notes.history.led_to(&led_to(&findings, change));
        // A failed action may have had its effect nevertheless: later supporting facts decide.
        if findings.iter().any(Finding::supports) {
            notes.failed_action = None;
        }
        // A turn with only read-only actions is no evidence about the previous action.
        if turn.done.iter().chain(&turn.failed).all(|action| action.effect() == Effect::ReadOnly) {
            notes.note_late_responses(&turn.done, &turn.effects, cx);
        } else {
            let before = self.page.clone();
            cx.run_context.before_action.clone_from(&before);
            notes.add_findings(findings, &turn.done, (before.as_deref(), page), cx);
        }
    }
}

/// The effects of an action in a few words. It omits that a field has the entered value, and changes that would also
/// have occurred without the action.
fn led_to(findings: &[Finding], change: impl FnOnce() -> Option<String>) -> String {
    let refused: Vec<&str> = facts(findings, |finding| finding.contradicts());
    let telling = facts(findings, |finding| finding.supports() && finding.evidence.kind != EvidenceKind::Element);
    let mut text = telling.join("; ");
    if !refused.is_empty() {
        let against = format!("contradicts the success: {}", refused.join("; "));
        text = if text.is_empty() { against } else { format!("{against}; besides: {text}") };
    }
    match (text.is_empty(), findings.iter().any(Finding::supports)) {
        (false, _) => text,
        (true, true) => crate::context::DONE.to_owned(),
        (true, false) => change().unwrap_or_else(|| "no visible change".to_owned()),
    }
}

/// The most texts of a change in a line of the history.
const CHANGED_TEXTS: usize = 3;

/// What a page shows after an action that it did not show before, or no longer shows, although no finding is about it:
/// a page that asks whether it should be done has the same address as the one before. What changes by itself is left
/// out.
fn visible_change(before: &Snapshot, after: &Snapshot, churn: &evidence::Churn) -> Option<String> {
    let names = |page: &Snapshot, other: &Snapshot| -> Vec<String> {
        let is_meant = |at: usize| !page.nodes[at].states.self_changing() && !churn.has(page, at);
        let names = evidence::names_only_in(page, other, is_meant).take(CHANGED_TEXTS);
        names.map(|(_, name)| one_line(name, 80)).collect()
    };
    let (appeared, gone) = (names(after, before), names(before, after));
    let described: Vec<String> = match appeared.is_empty() {
        true => gone.iter().map(|text| format!("{text:?} is gone")).collect(),
        false => appeared.iter().map(|text| format!("{text:?} appeared")).collect(),
    };
    if !described.is_empty() {
        return Some(described.join("; "));
    }
    (before.url != after.url).then(|| format!("the address is {}", one_line(&after.url, 120)))
}

fn facts(findings: &[Finding], fits: impl Fn(&Finding) -> bool) -> Vec<&str> {
    findings.iter().filter(|finding| fits(finding)).map(|finding| finding.evidence.fact.as_str()).collect()
}

pub(super) fn aborted(message: &str) -> String {
    if message.is_empty() { "the model gave up without a reason".to_owned() } else { message.to_owned() }
}

fn for_the_browser(action: &Action) -> bool {
    !matches!(action, Action::Ask(_) | Action::Done(_) | Action::Abort(_) | Action::Extract(_) | Action::Look(_))
}
