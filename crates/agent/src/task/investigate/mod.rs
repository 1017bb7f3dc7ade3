//! An investigation: determines what a page is for before the agent acts on it.
//!
//! It has three phases. INITIAL_ASSESSMENT: the observation, and a screenshot if the model accepts images.
//! FOCUSED_EXPLORATION: rounds of read-only tools, each chosen by the model in a short reply. SELECTOR_DETERMINATION:
//! code verifies that the named element is exactly one that can be acted on. The investigation ends when the model is
//! confident and this check succeeds. If time or rounds run out, it ends with the findings so far. If the model fails,
//! it ends without findings: the pending decision is executed, or the page is decided on without an investigation.

mod determine;
mod reply;
mod tools;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use legwork_observe::{Snapshot, fingerprint, render, tokens::count};
use legwork_protocol::{
    ChatReply, Code, Decision, DiscoveryMethod, ErrorReport, EventKind, Findings, Image, ModelFailure, Phase, Target,
    Tool, View,
};

use super::{
    model_call::{PendingModelCall, ReplyOutcome},
    run_context::StepContext,
    work_step::{WorkStep, in_view},
};
use crate::{
    InspectRequest, InspectResult, Need, NeedResult,
    context::{one_line, within},
    prompt::{Investigate, quote},
};
use determine::{DeterminedElements, determine};
use reply::InvestigationReply;

/// The maximum number of tokens of a reply.
const REPLY: u32 = 300;
/// The maximum number of characters of a summary in an event.
const SUMMARY: usize = 300;

/// The input of an investigation.
pub(crate) struct InvestigationSubject {
    /// The reason for it.
    pub(crate) reason: String,
    /// The decision that waits for it, if there is one.
    pub(crate) decision: Option<Decision>,
    pub(crate) page: Arc<Snapshot>,
    pub(crate) task: String,
    /// The lines of the history.
    pub(crate) history: Vec<String>,
}

/// An investigation in progress.
pub(crate) struct Investigation {
    reason: String,
    task: String,
    history: Option<String>,
    page: Arc<Snapshot>,
    pending_decision: Option<Box<Decision>>,
    started_at: Duration,
    stage: InvestigationStage,
    rounds: u32,
    /// The results of the tools, in order.
    tool_results: Vec<String>,
    /// The tools that were used, each with its argument. The page does not change meanwhile, so that the same use has the
    /// same result.
    used: BTreeSet<(Tool, String)>,
    /// The argument of the tool in use.
    argument: String,
    /// The failure of the last tool, until another one succeeds.
    failed_request: Option<String>,
    pending_call: Option<PendingModelCall>,
    reply: InvestigationReply,
    partial: bool,
}

/// The investigation returns the pending decision if it confirms it.
pub(crate) type InvestigationStep = WorkStep<Option<Box<Decision>>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InvestigationStage {
    /// Waits for a screenshot for the first question.
    Picturing,
    /// Waits for the model.
    Asking(Phase),
    /// Waits for the result of a tool.
    Using(Tool),
}

impl Investigation {
    pub(crate) fn begin(subject: InvestigationSubject, cx: &mut StepContext<'_>) -> (Investigation, InvestigationStep) {
        let InvestigationSubject { reason, decision, page, task, history } = subject;
        cx.emit(EventKind::PhaseChanged { phase: Phase::Investigating });
        cx.emit(EventKind::InvestigationStarted { reason: reason.clone() });
        let mut run = Investigation {
            reason,
            task,
            history: (!history.is_empty()).then(|| quote("history", &history.join("\n"))),
            page,
            pending_decision: decision.map(Box::new),
            started_at: cx.now,
            stage: InvestigationStage::Picturing,
            rounds: 0,
            tool_results: Vec::new(),
            used: BTreeSet::new(),
            argument: String::new(),
            failed_request: None,
            pending_call: None,
            reply: InvestigationReply::default(),
            partial: false,
        };
        run.enter(Phase::InitialAssessment, cx);
        let sees = cx.rules.model.as_ref().is_some_and(|model| model.vision);
        let step = if sees && cx.rules.investigation.tools.contains(&Tool::Look) {
            WorkStep::Need(Need::Inspect(InspectRequest::Picture { target: None, marks: in_view(&run.page) }))
        } else {
            run.ask(Phase::InitialAssessment, None, cx)
        };
        (run, step)
    }

    pub(crate) fn handle_result(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> InvestigationStep {
        let late = self.time_left(cx).is_zero();
        match (self.stage, response) {
            (InvestigationStage::Picturing, NeedResult::Inspected(Ok(InspectResult::Picture(image)))) => {
                self.ask(Phase::InitialAssessment, Some(image), cx)
            }
            // Without a screenshot, the observation has to suffice.
            (InvestigationStage::Picturing, _) => self.ask(Phase::InitialAssessment, None, cx),
            (InvestigationStage::Asking(phase), NeedResult::Decided(reply)) => self.replied(phase, reply, late, cx),
            (InvestigationStage::Using(tool), response) => self.on_tool_result(tool, response, late, cx),
            (InvestigationStage::Asking(_), _) => self.fails("it received an unexpected result", cx),
        }
    }

    fn replied(
        &mut self,
        phase: Phase,
        reply: Result<ChatReply, ModelFailure>,
        late: bool,
        cx: &mut StepContext<'_>,
    ) -> InvestigationStep {
        let Some(advice) = self.pending_call.take() else { return self.fails("nothing was asked", cx) };
        match advice.handle_response(reply, InvestigationReply::read, cx) {
            ReplyOutcome::Reply(said) => self.reply = said,
            ReplyOutcome::Retry(advice) if !late => return self.put(advice, cx),
            ReplyOutcome::Retry(_) => {
                self.leave(phase, cx);
                return self.out_of_time(cx);
            }
            ReplyOutcome::Failed(_) if late => {
                self.leave(phase, cx);
                return self.out_of_time(cx);
            }
            // The findings of earlier rounds remain valid.
            ReplyOutcome::Failed(_) if phase == Phase::FocusedExploration => return self.cut_short(phase, cx),
            ReplyOutcome::Failed(why) => return self.fails(&why.to_string(), cx),
        }
        let sure = self.reply.confidence >= cx.rules.investigation.target_confidence;
        let is_determined = self.reply.target.is_none() || self.determined().is_some();
        if sure && is_determined {
            self.leave(phase, cx);
            return self.conclude(cx);
        }
        if phase == Phase::InitialAssessment {
            self.leave(phase, cx);
            if late {
                return self.out_of_time(cx);
            }
            self.enter(Phase::FocusedExploration, cx);
        } else if late {
            self.leave(phase, cx);
            return self.out_of_time(cx);
        }
        if self.rounds >= cx.rules.investigation.max_rounds {
            return self.cut_short(Phase::FocusedExploration, cx);
        }
        self.rounds += 1;
        self.failed_request = None;
        let wish = self.reply.tool;
        self.explore(wish, cx)
    }

    fn cut_short(&mut self, phase: Phase, cx: &mut StepContext<'_>) -> InvestigationStep {
        self.partial = true;
        self.leave(phase, cx);
        self.conclude(cx)
    }

    fn out_of_time(&mut self, cx: &mut StepContext<'_>) -> InvestigationStep {
        self.partial = true;
        let message =
            format!("the investigation timed out after {:?}; its findings are used", cx.rules.investigation.timeout);
        cx.emit(EventKind::ErrorOccurred(ErrorReport::new(Code::InvestigationTimeout, message)));
        self.conclude(cx)
    }

    /// The phase SELECTOR_DETERMINATION, and the end.
    fn conclude(&mut self, cx: &mut StepContext<'_>) -> InvestigationStep {
        self.enter(Phase::SelectorDetermination, cx);
        let given =
            self.pending_decision.as_ref().and_then(|decision| decision.commands.first()?.action.target().cloned());
        let named = self.reply.target.clone();
        let determined = self.determined();
        if let (None, Some(named)) = (&determined, &named) {
            let message = format!("{named} is not exactly one element that can be acted on; the given target is used");
            cx.emit(EventKind::ErrorOccurred(ErrorReport::new(Code::ElementDiscovery, message)));
            self.partial = true;
        }
        let is_named = determined.is_some();
        let target = determined.or_else(|| determine(&self.page, &given.clone()?));
        let summary = match &target {
            Some(target) => format!("{} is the one element", target.shown()),
            None => "no one element is named".to_owned(),
        };
        cx.emit(EventKind::InvestigationPhaseCompleted { phase: Phase::SelectorDetermination, summary });
        let discovered = target.as_ref().map(|target| {
            let purpose = if self.reply.purpose.is_empty() { &self.task } else { &self.reply.purpose };
            (target.shown(), one_line(purpose, SUMMARY))
        });
        if let Some((element, purpose)) = discovered.clone() {
            let (method, confidence) = self.discovery(is_named);
            let (confidence, method) = (Some(confidence), Some(method));
            cx.emit(EventKind::ElementDiscovered { element, purpose, confidence, method });
        }
        let findings = Findings {
            insight: self.reply.insight.clone(),
            target: target.as_ref().map(|target| target.reference.to_string()),
            confidence: self.reply.confidence,
            rounds: self.rounds,
            partial: self.partial,
        };
        let discovered = discovered.as_ref().map(|(element, purpose)| (element.as_str(), purpose.as_str()));
        cx.run_context.found.add(&self.page.url, Some(fingerprint(&self.page)), &findings, discovered);
        cx.emit(EventKind::InvestigationCompleted(findings));
        cx.emit(EventKind::PhaseChanged { phase: Phase::BuildingContext });
        // It confirms the pending decision, so no new decision is necessary.
        let same = given.is_some_and(|given| {
            target.as_ref().is_some_and(|target| determine(&self.page, &given).as_ref() == Some(target))
        });
        WorkStep::Done(self.pending_decision.take().filter(|_| same && !self.partial))
    }

    /// How the element was found, and how certain who named it was.
    fn discovery(&self, is_named: bool) -> (DiscoveryMethod, f64) {
        match (is_named, &self.pending_decision) {
            (true, _) if self.tool_results.is_empty() => (DiscoveryMethod::Assessment, self.reply.confidence),
            (false, Some(decision)) => (DiscoveryMethod::GivenTarget, decision.confidence.clamp(0.0, 1.0)),
            _ => (DiscoveryMethod::Exploration, self.reply.confidence),
        }
    }

    /// The time until the limit of the investigation.
    fn time_left(&self, cx: &StepContext<'_>) -> Duration {
        let spent = cx.now.saturating_sub(self.started_at);
        cx.rules.investigation.timeout.saturating_sub(spent)
    }

    fn determined(&self) -> Option<DeterminedElements> {
        determine(&self.page, &Target(self.reply.target.clone()?))
    }

    /// It fails: the loop continues without it.
    fn fails(&mut self, why: &str, cx: &mut StepContext<'_>) -> InvestigationStep {
        let error =
            ErrorReport::new(Code::InvestigationCycle, format!("the investigation failed: {}", one_line(why, SUMMARY)));
        cx.emit(EventKind::InvestigationFailed(error));
        WorkStep::Done(self.pending_decision.take())
    }

    fn enter(&self, phase: Phase, cx: &mut StepContext<'_>) {
        cx.emit(EventKind::PhaseChanged { phase });
        cx.emit(EventKind::InvestigationPhaseStarted { phase });
    }

    fn leave(&self, phase: Phase, cx: &mut StepContext<'_>) {
        let summary = one_line(&self.reply.insight, SUMMARY);
        cx.emit(EventKind::InvestigationPhaseCompleted { phase, summary });
    }

    /// Calls the model with the findings so far.
    fn ask(&mut self, phase: Phase, image: Option<Image>, cx: &mut StepContext<'_>) -> InvestigationStep {
        let last = self.rounds >= cx.rules.investigation.max_rounds;
        let tools = (!last).then(|| tools::summary(cx)).filter(|tools| !tools.is_empty());
        let room = cx.rules.context_tokens.saturating_sub(700);
        // The history takes an eighth, and the results of the tools a fifth.
        let left = room.saturating_sub(room / 8 + room / 5 + count(&self.task));
        let most = (room / 2).min(left).min(cx.rules.view.max_tokens);
        let page = render(&self.page, &View { max_tokens: most, ..cx.rules.view.clone() });
        let page = quote("page", &format!("{} {:?}\n{}", page.url, page.title, page.text));
        let found = (!self.tool_results.is_empty()).then(|| quote("found", &self.newest(room / 5)));
        let prompt = Investigate {
            task: &self.task,
            reason: &self.reason,
            page: &page,
            history: self.history.as_deref(),
            found: found.as_deref(),
            pictured: image.is_some(),
            tools: tools.as_deref(),
            enough: cx.rules.investigation.target_confidence,
        };
        self.stage = InvestigationStage::Asking(phase);
        match PendingModelCall::new(&reply::SHAPE, &prompt, image, cx) {
            Ok(advice) => self.put(advice.within(REPLY), cx),
            Err(why) => self.fails(&why.to_string(), cx),
        }
    }

    fn put(&mut self, advice: PendingModelCall, cx: &StepContext<'_>) -> InvestigationStep {
        let advice = advice.until(self.time_left(cx));
        let need = advice.need();
        self.pending_call = Some(advice);
        WorkStep::Need(need)
    }

    /// The results of the tools within a number of tokens, newest first.
    fn newest(&self, max_tokens: usize) -> String {
        let mut left = max_tokens;
        let mut kept = Vec::new();
        for found in self.tool_results.iter().rev() {
            let cost = count(found) + 1;
            if cost > left {
                kept.push(if kept.is_empty() { within(found, left) } else { "(earlier results left out)".to_owned() });
                break;
            }
            left -= cost;
            kept.push(found.clone());
        }
        kept.reverse();
        kept.join("\n")
    }
}
