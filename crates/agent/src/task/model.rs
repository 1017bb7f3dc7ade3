//! A step or task that a model decides, turn by turn: look, ask, act, and tell it what came of it. A program's own decider
//! is asked first, where there is one ([`super::custom_decider`]).
//!
//! A prompt is built anew each turn from the same parts, the stable ones first: instructions, task, the page as it was
//! shown in full, then a line for each action done, then what has changed on the page since. When the changes outgrow
//! half of that page, the page is shown anew.

use std::sync::Arc;

use legwork_observe::{Snapshot, fingerprint, tokens::count};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, ChatReply, ChatRequest, Code, Command, DecidedBy, Decision, Effect,
    ErrorReport, EventKind, EvidenceKind, Message, ModelFailure, ModelTier, PageEffect, Phase, Question, Status,
    Verdict,
};

use super::{
    Ending, StepNotes, Task, Transition,
    advice::{REPLY, repair},
    advisory::{AdvisoryState, PendingAdvisory, with_criteria},
    custom_decider, guard, intents,
    investigate::Investigation,
    model_tier,
    pages::PresentedPage,
    reply::Unusable,
    run_context::StepContext,
    sub_task::{SubTask, SubTaskStep},
    words,
};
use crate::{
    InvestigationMode, ModelRules, Need, NeedResult, ObserveRequest,
    context::{clipped, one_line, within},
    evidence::{self, Finding, Observed},
    schema::{self, SchemaProblem},
};

/// The tokens of a repair's own words.
const REPAIR: usize = 40;
/// The most investigations of a step.
const INVESTIGATIONS: usize = 3;

/// Said with the next prompt when nobody knows whether the last action was done.
const UNKNOWN: &str = "The outcome of your last action is unknown: it was sent to the page and may have been done, though it \
    failed. Do not do it again now. First verify on the page whether it was done; only if it certainly was not, do it again. \
    If you cannot tell, ABORT and say so.";

/// A model at work on a step.
#[derive(Default)]
pub(crate) struct ModelRun {
    pub(super) stage: ModelStage,
    shown: PresentedPage,
    guard: guard::LoopGuard,
    /// Said once, with the next prompt.
    pub(super) hint: Option<String>,
    asked: Option<ChatRequest>,
    reasks: u32,
    /// A reply did not fit its shape.
    misshapen: bool,
    pub(super) page: Option<Arc<Snapshot>>,
    pub(super) advisory: AdvisoryState,
    /// What the last turn did, for the program's own decider.
    pub(super) last: Vec<(Action, ActionResult)>,
    /// Why the page should be investigated before it is decided on.
    unsure: Option<String>,
    /// Fingerprints of the pages that were.
    investigated: Vec<u64>,
}

#[derive(Default)]
pub(super) enum ModelStage {
    /// For the page to decide on.
    #[default]
    Observing,
    /// For the program's own decider.
    Consulting,
    /// For the model.
    Deciding,
    /// For the results of these.
    Acting(Vec<Action>),
    /// For the page that shows what they did.
    Assessing(Box<ExecutedTurn>),
    /// For a human.
    Asking(String),
    /// For a plan, a reflection, a review.
    Thinking(Box<PendingAdvisory>),
    /// For what a machine of its own needs.
    SubTask(Box<SubTask>),
}

/// What was done in a turn whose page is still to be seen.
pub(super) struct ExecutedTurn {
    done: Vec<Action>,
    failed: Vec<Action>,
    effects: Vec<PageEffect>,
}

impl ModelRun {
    pub(crate) fn give(
        &mut self,
        response: NeedResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match (std::mem::take(&mut self.stage), response) {
            (ModelStage::Observing, NeedResult::Observed(page)) => self.turn(page, task, notes, cx),
            (ModelStage::Assessing(seen), NeedResult::Observed(page)) => {
                let findings = evidence::assess(Observed {
                    actions: &seen.done,
                    failed: &seen.failed,
                    effects: &seen.effects,
                    before: self.page.as_deref(),
                    after: &page,
                    is_login: false,
                    answers_dialog: notes.next_step.answers_dialog,
                    goes_on: notes.next_step.acts,
                    churn: &cx.run_context.churn,
                    covered: &cx.run_context.covered,
                    disabled: &cx.rules.disabled_evidence,
                });
                notes.history.led_to(&led_to(&findings));
                // A failed action may still have done its work: what the page shows since then decides.
                if findings.iter().any(Finding::supports) {
                    notes.failed_action = None;
                }
                // A turn that only looked says nothing of the action before it.
                if seen.done.iter().chain(&seen.failed).all(|action| action.effect() == Effect::ReadOnly) {
                    notes.note_late_responses(&seen.done, &seen.effects, cx);
                } else {
                    let before = self.page.clone();
                    notes.assessed(findings, &seen.done, (before.as_deref(), &page), cx);
                }
                self.turn(page, task, notes, cx)
            }
            (ModelStage::Consulting, NeedResult::Consulted(said)) => self.consulted(said, task, notes, cx),
            (ModelStage::SubTask(mut sub_task), response) => {
                let step = sub_task.give(response, notes, cx);
                self.on_sub_task_step(sub_task, step, task, notes, cx)
            }
            (ModelStage::Deciding, NeedResult::Decided(Ok(reply))) => self.decided(&reply, task, notes, cx),
            (ModelStage::Deciding, NeedResult::Decided(Err(failure))) => self.no_reply(&failure, notes, cx),
            (ModelStage::Acting(actions), NeedResult::Acted(results)) => self.acted(actions, &results, notes, cx),
            (ModelStage::Thinking(call), response) => self.advisory_response(*call, response, task, notes, cx),
            (ModelStage::Asking(question), NeedResult::Answered(answer)) => {
                let (question, answer) = (one_line(&question, REPLY), one_line(&answer, REPLY));
                notes.history.note(format!("asked the human {question:?}: {answer:?}"));
                self.look()
            }
            (ModelStage::Asking(question), NeedResult::Unanswered) => Transition::Ended(
                Ending::parked(Code::OutcomeUnknown, format!("a human has to answer: {question}"))
                    .suggest("Take the run up again where somebody can answer: `legwork resume RUN` on a terminal."),
            ),
            _ => self.look(),
        }
    }

    /// It takes the task for done while what was observed speaks against it: it is told what, a few times.
    pub(super) fn refuted(
        &mut self,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let contradicted = !notes.contradictions.is_empty() && !notes.next_step.expects_refusal;
        let why = match &notes.failed_action {
            _ if contradicted && notes.reviews + 1 >= cx.rules.thinking.reviews => {
                return Some(Transition::Ended(Ending::contradicted(&notes.contradictions)));
            }
            _ if contradicted => notes.contradictions.in_words(),
            // What failed may not have been needed: then another action, if only a `read`, shows it.
            Some(failed) => format!("{failed}, and nothing was done or looked at since"),
            None => words::lacking_effect(&task.sentence, self.page.as_deref()?, &cx.run_context.effects)?,
        };
        Some(self.not_as_expected(&why, notes, cx))
    }

    /// It took the task for done, and the page says otherwise.
    pub(crate) fn not_as_expected(&mut self, why: &str, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        notes.errors.count(false);
        self.failed_again(&format!("said it was done, but: {why}"), notes, cx);
        notes.reviews += 1;
        if notes.reviews >= cx.rules.thinking.reviews || too_many_errors(notes, cx).is_some() {
            let times = notes.reviews;
            return Transition::Ended(Ending::rejected(format!("said {times} times that it was done, but: {why}")));
        }
        notes.history.note(format!("said it was done, but: {}", one_line(why, 300)));
        self.hint =
            Some("You said it was done, but what was expected does not hold; the history's last line says why.".into());
        self.look()
    }

    pub(super) fn look(&mut self) -> Transition {
        self.stage = ModelStage::Observing;
        Transition::Need(Need::Observe(ObserveRequest::default()))
    }

    /// Goes on with what an aside came to.
    fn on_sub_task_step(
        &mut self,
        sub_task: Box<SubTask>,
        step: SubTaskStep,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match step {
            SubTaskStep::Need(need) => {
                self.stage = ModelStage::SubTask(sub_task);
                Transition::Need(need)
            }
            SubTaskStep::CarryOut(decision) => self.carry_out(*decision, task, notes, cx),
            SubTaskStep::Ask => match self.page.clone() {
                Some(page) => self.ask(page, task, notes, cx),
                None => self.look(),
            },
            SubTaskStep::Done(_) | SubTaskStep::Look => match too_many_errors(notes, cx) {
                Some(ending) => Transition::Ended(ending),
                None => self.look(),
            },
        }
    }

    /// Why the page should be investigated now, if it should: once a page, and not again and again.
    fn why_investigate(&mut self, said: Option<&Decision>, cx: &StepContext<'_>) -> Option<String> {
        let missed = self.unsure.take();
        let rules = &cx.rules.investigation;
        let page = fingerprint(self.page.as_deref()?);
        let fresh = !self.investigated.contains(&page) && self.investigated.len() < INVESTIGATIONS;
        let low = said.filter(|said| said.confidence < rules.min_confidence && !said.commands.is_empty());
        let reason = match (rules.mode, missed, low) {
            (InvestigationMode::Never, ..) => return None,
            (_, Some(missed), _) => missed,
            (_, _, Some(said)) => format!("the decision had a confidence of {:.2}", said.confidence),
            (InvestigationMode::Always, None, None) if said.is_none() && self.investigated.is_empty() => {
                "every step is investigated before its first action".to_owned()
            }
            _ => return None,
        };
        fresh.then(|| {
            self.investigated.push(page);
            reason
        })
    }

    pub(super) fn ask(
        &mut self,
        page: Arc<Snapshot>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        self.page = Some(page.clone());
        let Some(rules) = cx.rules.model.as_ref() else {
            return Transition::Ended(custom_decider::nobody_left(cx));
        };
        if !task.judges
            && let Some(reason) = self.why_investigate(None, cx)
        {
            let (run, step) = Investigation::begin(reason, None, page, task, notes, cx);
            return self.on_sub_task_step(Box::new(SubTask::Investigation(Box::new(run))), step, task, notes, cx);
        }
        cx.phase(Phase::GeneratingPrompt);
        if let Some(next) = self.before_deciding(&page, task, notes, cx) {
            return next;
        }
        self.reasks = 0;
        let hint = self.hints(notes, task, cx);
        let task = with_criteria(task, notes);
        let messages = match self.shown.messages(&page, &task, notes, hint.as_deref(), cx) {
            Ok(messages) => messages,
            Err(error) => return defect(error.code(), &error),
        };
        notes.history.settle();
        let request = ChatRequest { tier: model_tier::first(rules, notes), ..request(messages, rules, self.misshapen) };
        self.asked = Some(request.clone());
        self.stage = ModelStage::Deciding;
        cx.phase(Phase::QueryingAi);
        Transition::Need(Need::Decide(request))
    }

    fn no_reply(&mut self, failure: &ModelFailure, notes: &mut StepNotes, cx: &mut StepContext<'_>) -> Transition {
        // The transport has tried again already; an unusable reply may be a matter of luck.
        if failure.retryable && failure.is_unusable_reply() {
            let problem = SchemaProblem::whole("a JSON object", &failure.message);
            let unusable = Unusable { code: failure.code, cause: failure.message.clone() };
            return self.again("", &[problem], unusable, notes, cx);
        }
        Transition::Ended(Ending::of_model(failure))
    }

    fn decided(
        &mut self,
        reply: &ChatReply,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        cx.run_context.usage += reply.usage;
        cx.phase(Phase::ProcessingResponse);
        let Some(rules) = cx.rules.model.as_ref() else { return self.look() };
        let read = schema::read(&reply.text, &rules.schema);
        if let Some(request) = self.asked.as_mut()
            && let Some(doubt) = model_tier::escalation_reason(request.tier, rules, read.as_ref().ok())
        {
            request.tier = ModelTier::Strong;
            let request = request.clone();
            cx.warn(format!("{doubt}; the strong model is asked"));
            self.stage = ModelStage::Deciding;
            return Transition::Need(Need::Decide(request));
        }
        let mut decision = match read {
            // What was cut off may be mended into JSON, but not into what the model was about to say.
            Ok(decision) if is_cut_off(reply) && !decision.commands.is_empty() => {
                let problem = SchemaProblem::whole("the reply is cut off", "a whole object, in fewer words");
                let unusable = Unusable::cut_off(rules.max_reply_tokens);
                return self.again(&reply.text, &[problem], unusable, notes, cx);
            }
            Ok(decision) => decision,
            Err(problems) => {
                let unusable = Unusable::of(reply, rules.max_reply_tokens, &problems);
                return self.again(&reply.text, &problems, unusable, notes, cx);
            }
        };
        if task.judges && !decision.commands.is_empty() {
            let problem = SchemaProblem::whole("no command: only a judgement is wanted", "a command");
            let unusable = Unusable::of(reply, rules.max_reply_tokens, std::slice::from_ref(&problem));
            return self.again(&reply.text, &[problem], unusable, notes, cx);
        }
        notes.iterations += 1;
        notes.decider = Some(DecidedBy::Model);
        cx.fact(EventKind::AiReasoning { decider: DecidedBy::Model, decision: Box::new(decision.clone()) });
        if let Some(why) = self.follow_plan(&mut decision, notes, cx) {
            self.plan_fails(&why, notes, cx);
            return self.go_on(task, notes, cx);
        }
        match decision.verdict {
            Verdict::Abort => Transition::Ended(Ending::failure(Code::CommandFailed, aborted(&decision.message))),
            _ if decision.commands.is_empty() => Transition::Finished { message: decision.message, answer: true },
            _ => match (self.why_investigate(Some(&decision), cx), self.page.clone()) {
                (Some(reason), Some(page)) => {
                    let (run, step) = Investigation::begin(reason, Some(decision), page, task, notes, cx);
                    self.on_sub_task_step(Box::new(SubTask::Investigation(Box::new(run))), step, task, notes, cx)
                }
                // What was looked into already can only be thought over.
                _ => match self.reflect_on_decision(&decision, task, notes, cx) {
                    Some(next) => next,
                    None => self.carry_out(decision, task, notes, cx),
                },
            },
        }
    }

    fn again(
        &mut self,
        said: &str,
        problems: &[SchemaProblem],
        unusable: Unusable,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        notes.errors.count(false);
        let lines: Vec<String> = problems.iter().take(8).map(ToString::to_string).collect();
        let Unusable { code, cause } = unusable;
        cx.warn(format!("{cause} ({}): {}", code.code(), lines.join("; ")));
        if let Some(ending) = too_many_errors(notes, cx) {
            let error = ErrorReport::new(code, format!("{}, the last because {cause}", ending.message));
            return Transition::Ended(Ending { message: error.message.clone(), error: Some(error), ..ending });
        }
        let (Some(rules), Some(mut request)) = (cx.rules.model.as_ref(), self.asked.clone()) else {
            return self.look();
        };
        if self.reasks >= cx.rules.limits.reasks {
            let tries = self.reasks + 1;
            let error = ErrorReport::new(code, format!("{tries} replies in a row could not be used: {cause}"));
            return Transition::Ended(Ending::from_error(Status::Error, error.with_details(lines)));
        }
        self.reasks += 1;
        // From now on the provider is asked to hold the model to the shape, which costs tokens in each request.
        self.misshapen = true;
        request.schema.get_or_insert_with(|| schema::wire(&rules.schema));
        cx.phase(Phase::QueryingAi);
        let shape = schema::shape(&rules.schema);
        // What was said is shown as far as the prompt's budget has room for it, once it is told what is wrong.
        let sent: usize = request.messages.iter().map(|message| count(&message.text)).sum();
        let told: usize = lines.iter().chain([&shape]).map(|line| count(line)).sum();
        let left = cx.rules.context_tokens.saturating_sub(sent + told + REPAIR);
        let said = if left < 40 { clipped(said, 20) } else { within(&clipped(said, REPLY), left - 20) };
        if let Err(error) = repair(&mut request, &said, &lines, &shape) {
            return defect(error.code(), &error);
        }
        self.stage = ModelStage::Deciding;
        Transition::Need(Need::Decide(request))
    }

    pub(super) fn carry_out(
        &mut self,
        decision: Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        // Saying once more that it is done repeats no action: that is the review's to judge, and its rejections are counted.
        let claims = |command: &Command| matches!(command.action, Action::Done(_) | Action::Abort(_));
        let judged = match decision.commands.iter().all(claims) {
            true => guard::GuardDecision::Go,
            false => self.guard.judge(&decision.commands, self.page.as_deref()),
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
                // Whoever runs it again has to know what would be done twice.
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
            match action {
                action if for_the_browser(&action) => actions.push(action),
                // The others are decided once those before them are done.
                _ if !actions.is_empty() => break,
                Action::Ask(ask) => {
                    self.stage = ModelStage::Asking(ask.question.clone());
                    return Transition::Need(Need::Ask(Question { text: ask.question, secret: ask.secret }));
                }
                Action::Done(done) => return Transition::Finished { message: done.result, answer: true },
                Action::Abort(abort) => {
                    return Transition::Ended(Ending::failure(Code::CommandFailed, aborted(&abort.reason)));
                }
                action => {
                    let page = self.page.clone().unwrap_or_default();
                    let (sub_task, step) = SubTask::command(action, by, page, &task.text, notes, cx);
                    return self.on_sub_task_step(Box::new(sub_task), step, task, notes, cx);
                }
            }
        }
        cx.phase(Phase::ExecutingCommands);
        self.stage = ModelStage::Acting(actions.clone());
        Transition::Need(Need::Act(intents(actions, by)))
    }

    fn acted(
        &mut self,
        actions: Vec<Action>,
        results: &[ActionResult],
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        for (action, result) in actions.iter().zip(results) {
            notes.history.add(action, result);
        }
        notes.failed_action = actions.iter().zip(results).find_map(|(action, result)| {
            let failure = result.failure.as_ref()?;
            // A tool that refuses or fails has answered: what to make of that is the model's to say.
            let on_page = action.effect() != Effect::ReadOnly && !matches!(action, Action::Call(_));
            on_page.then(|| format!("{} failed: {failure}", action.name()))
        });
        if cx.rules.custom {
            self.last = actions.iter().cloned().zip(results.iter().cloned()).collect();
        }
        if results.len() < actions.len() {
            let left = actions.len() - results.len();
            notes.history.note(format!("({left} commands after it were not carried out; decide on them anew)"));
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
                // What it names is the model's own; what the page has instead stands in the history, quoted.
                self.unsure = match failure {
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
}

/// What an action led to, in a line's few words: that a field holds what was put there goes without saying, and what would
/// have happened anyway is left out.
fn led_to(findings: &[Finding]) -> String {
    let refused: Vec<&str> = facts(findings, |finding| finding.contradicts());
    let telling = facts(findings, |finding| finding.supports() && finding.evidence.kind != EvidenceKind::Element);
    let mut text = telling.join("; ");
    if !refused.is_empty() {
        let against = format!("speaks against success: {}", refused.join("; "));
        text = if text.is_empty() { against } else { format!("{against}; besides: {text}") };
    }
    match (text.is_empty(), findings.iter().any(Finding::supports)) {
        (false, _) => text,
        (true, true) => crate::context::DONE.to_owned(),
        (true, false) => "no visible change".to_owned(),
    }
}

fn facts(findings: &[Finding], fits: impl Fn(&Finding) -> bool) -> Vec<&str> {
    findings.iter().filter(|finding| fits(finding)).map(|finding| finding.evidence.fact.as_str()).collect()
}

/// Whether a reply ended at the limit of its length and is no whole object.
fn is_cut_off(reply: &ChatReply) -> bool {
    let cut = matches!(reply.finish.as_deref(), Some("length" | "max_tokens"));
    let text = reply.text.trim().trim_end_matches("```").trim_end();
    cut && !text.ends_with('}') && !text.ends_with(']')
}

fn too_many_errors(notes: &StepNotes, cx: &StepContext<'_>) -> Option<Ending> {
    notes.errors.too_many(&cx.rules.limits).map(|message| Ending::over(legwork_protocol::Budget::Errors, message))
}

fn aborted(message: &str) -> String {
    if message.is_empty() { "the model gave up without a word".to_owned() } else { message.to_owned() }
}

fn for_the_browser(action: &Action) -> bool {
    !matches!(action, Action::Ask(_) | Action::Done(_) | Action::Abort(_) | Action::Extract(_) | Action::Look(_))
}

fn request(messages: Vec<Message>, rules: &ModelRules, held: bool) -> ChatRequest {
    ChatRequest {
        purpose: legwork_protocol::Purpose::Act,
        tier: Default::default(),
        messages,
        schema: (rules.native_schema || held).then(|| schema::wire(&rules.schema)),
        max_reply_tokens: rules.max_reply_tokens,
    }
}

fn defect(code: Code, error: &dyn std::error::Error) -> Transition {
    Transition::Ended(Ending::from_error(Status::Error, ErrorReport::new(code, error.to_string()).caused_by(error)))
}
