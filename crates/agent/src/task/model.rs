//! A step or task that a model decides, turn by turn: look, ask, act, and tell it what came of it. A program's own decider
//! is asked first, where there is one ([`super::consult`]).
//!
//! A prompt is built anew each turn from the same parts, the stable ones first: instructions, task, the page as it was
//! shown in full, then a line for each action done, then what has changed on the page since. When the changes outgrow
//! half of that page, the page is shown anew.

use std::sync::Arc;

use legwork_observe::{Snapshot, fingerprint, tokens::count};
use legwork_protocol::{
    Action, ActionFailure, ActionResult, ChatReply, ChatRequest, Code, Command, Decider, Decision, EventKind,
    EvidenceKind, Message, ModelFailure, PageEffect, Phase, Question, StandardError, Status, Tier, Verdict,
};

use super::{
    Ending, Move, Notes, Task,
    advice::{REPLY, repair},
    aside::{Aside, Step},
    consult, guard, intents,
    investigate::Investigation,
    known::Context,
    mind::{Mind, Thought, with_criteria},
    pages::Shown,
    reply::Unusable,
    tier,
};
use crate::{
    Got, InvestigationMode, Look, ModelRules, Need,
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
    pub(super) stage: Stage,
    shown: Shown,
    guard: guard::LoopGuard,
    /// Said once, with the next prompt.
    pub(super) hint: Option<String>,
    asked: Option<ChatRequest>,
    reasks: u32,
    /// A reply did not fit its shape.
    misshapen: bool,
    pub(super) page: Option<Arc<Snapshot>>,
    pub(super) mind: Mind,
    /// What the last turn did, for the program's own decider.
    pub(super) last: Vec<(Action, ActionResult)>,
    /// Why the page should be investigated before it is decided on.
    unsure: Option<String>,
    /// Fingerprints of the pages that were.
    investigated: Vec<u64>,
}

#[derive(Default)]
pub(super) enum Stage {
    /// For the page to decide on.
    #[default]
    Looking,
    /// For the program's own decider.
    Consulting,
    /// For the model.
    Deciding,
    /// For the results of these.
    Acting(Vec<Action>),
    /// For the page that shows what they did.
    Seeing(Vec<Action>, Vec<PageEffect>),
    /// For a human.
    Asking(String),
    /// For a plan, a reflection, a review.
    Thinking(Box<Thought>),
    /// For what a machine of its own needs.
    Aside(Box<Aside>),
}

impl ModelRun {
    pub(crate) fn give(&mut self, got: Got, task: &Task, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        match (std::mem::take(&mut self.stage), got) {
            (Stage::Looking, Got::Observed(page)) => self.turn(page, task, notes, cx),
            (Stage::Seeing(actions, effects), Got::Observed(page)) => {
                let findings = evidence::assess(Observed {
                    actions: &actions,
                    effects: &effects,
                    before: self.page.as_deref(),
                    after: &page,
                    is_login: false,
                    answers_dialog: notes.next_step.answers_dialog,
                    churn: &cx.known.churn,
                    disabled: &cx.rules.disabled_evidence,
                });
                notes.history.led_to(&led_to(&findings));
                // A turn that only looked says nothing of the action before it.
                if !actions.iter().all(|action| action.effect() == legwork_protocol::Effect::ReadOnly) {
                    notes.assessed(findings, &page);
                }
                self.turn(page, task, notes, cx)
            }
            (Stage::Consulting, Got::Consulted(said)) => self.consulted(said, task, notes, cx),
            (Stage::Aside(mut aside), got) => {
                let step = aside.give(got, notes, cx);
                self.beside(aside, step, task, notes, cx)
            }
            (Stage::Deciding, Got::Decided(Ok(reply))) => self.decided(&reply, task, notes, cx),
            (Stage::Deciding, Got::Decided(Err(failure))) => self.no_reply(&failure, notes, cx),
            (Stage::Acting(actions), Got::Acted(results)) => self.acted(actions, &results, notes, cx),
            (Stage::Thinking(thought), got) => self.thought(*thought, got, task, notes, cx),
            (Stage::Asking(question), Got::Answered(answer)) => {
                let (question, answer) = (one_line(&question, REPLY), one_line(&answer, REPLY));
                notes.history.note(format!("asked the human {question:?}: {answer:?}"));
                self.look()
            }
            (Stage::Asking(question), Got::Unanswered) => Move::Ended(
                Ending::parked(Code::OutcomeUnknown, format!("a human has to answer: {question}"))
                    .suggest("Take the run up again where somebody can answer: `legwork resume RUN` on a terminal."),
            ),
            _ => self.look(),
        }
    }

    /// It takes the task for done while what was observed speaks against it: it is told what, a few times.
    pub(super) fn refuted(&mut self, notes: &mut Notes, cx: &mut Context<'_>) -> Option<Move> {
        if notes.contradictions.is_empty() || notes.next_step.expects_refusal {
            return None;
        }
        if notes.reviews + 1 >= cx.rules.thinking.reviews {
            return Some(Move::Ended(Ending::contradicted(&notes.contradictions)));
        }
        let why = notes.contradictions.in_words();
        Some(self.not_as_expected(&why, notes, cx))
    }

    /// It took the task for done, and the page says otherwise.
    pub(crate) fn not_as_expected(&mut self, why: &str, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        notes.errors.count(false);
        self.failed_again(&format!("said it was done, but: {why}"), notes, cx);
        notes.reviews += 1;
        if notes.reviews >= cx.rules.thinking.reviews || too_many_errors(notes, cx).is_some() {
            let times = notes.reviews;
            return Move::Ended(Ending::rejected(format!("said {times} times that it was done, but: {why}")));
        }
        notes.history.note(format!("said it was done, but: {}", one_line(why, 300)));
        self.hint =
            Some("You said it was done, but what was expected does not hold; the history's last line says why.".into());
        self.look()
    }

    pub(super) fn look(&mut self) -> Move {
        self.stage = Stage::Looking;
        Move::Need(Need::Observe(Look::default()))
    }

    /// Goes on with what an aside came to.
    fn beside(&mut self, aside: Box<Aside>, step: Step, task: &Task, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        match step {
            Step::Need(need) => {
                self.stage = Stage::Aside(aside);
                Move::Need(need)
            }
            Step::CarryOut(decision) => self.carry_out(*decision, task, notes, cx),
            Step::Ask => match self.page.clone() {
                Some(page) => self.ask(page, task, notes, cx),
                None => self.look(),
            },
            Step::Done(_) | Step::Look => match too_many_errors(notes, cx) {
                Some(ending) => Move::Ended(ending),
                None => self.look(),
            },
        }
    }

    /// Why the page should be investigated now, if it should: once a page, and not again and again.
    fn why_investigate(&mut self, said: Option<&Decision>, cx: &Context<'_>) -> Option<String> {
        let missed = self.unsure.take();
        let rules = &cx.rules.investigation;
        let page = fingerprint(self.page.as_deref()?);
        let fresh = !self.investigated.contains(&page) && self.investigated.len() < INVESTIGATIONS;
        let low = said.filter(|said| said.confidence < rules.below && !said.commands.is_empty());
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

    pub(super) fn ask(&mut self, page: Arc<Snapshot>, task: &Task, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        self.page = Some(page.clone());
        let Some(rules) = cx.rules.model.as_ref() else {
            return Move::Ended(consult::nobody_left(cx));
        };
        if !task.judges
            && let Some(reason) = self.why_investigate(None, cx)
        {
            let (run, step) = Investigation::begin(reason, None, page, task, notes, cx);
            return self.beside(Box::new(Aside::Investigation(Box::new(run))), step, task, notes, cx);
        }
        cx.phase(Phase::GeneratingPrompt);
        if let Some(next) = self.before_deciding(&page, task, notes, cx) {
            return next;
        }
        self.reasks = 0;
        let hint = self.said_with_it(notes, task, cx);
        let task = with_criteria(task, notes);
        let messages = match self.shown.messages(&page, &task, notes, hint.as_deref(), cx) {
            Ok(messages) => messages,
            Err(error) => return defect(error.code(), &error),
        };
        notes.history.settle();
        let request = ChatRequest { tier: tier::first(rules, notes), ..request(messages, rules, self.misshapen) };
        self.asked = Some(request.clone());
        self.stage = Stage::Deciding;
        cx.phase(Phase::QueryingAi);
        Move::Need(Need::Decide(request))
    }

    fn no_reply(&mut self, failure: &ModelFailure, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        // The transport has tried again already; an unusable reply may be a matter of luck.
        if failure.retryable && failure.is_unusable_reply() {
            let problem = SchemaProblem::whole("a JSON object", &failure.message);
            let unusable = Unusable { code: failure.code, cause: failure.message.clone() };
            return self.again("", &[problem], unusable, notes, cx);
        }
        Move::Ended(Ending::of_model(failure))
    }

    fn decided(&mut self, reply: &ChatReply, task: &Task, notes: &mut Notes, cx: &mut Context<'_>) -> Move {
        cx.known.usage += reply.usage;
        cx.phase(Phase::ProcessingResponse);
        let Some(rules) = cx.rules.model.as_ref() else { return self.look() };
        let read = schema::read(&reply.text, &rules.schema);
        if let Some(request) = self.asked.as_mut()
            && let Some(doubt) = tier::doubt(request.tier, rules, read.as_ref().ok())
        {
            request.tier = Tier::Strong;
            let request = request.clone();
            cx.warn(format!("{doubt}; the strong model is asked"));
            self.stage = Stage::Deciding;
            return Move::Need(Need::Decide(request));
        }
        let mut decision = match read {
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
        notes.decider = Some(Decider::Model);
        cx.fact(EventKind::AiReasoning { decider: Decider::Model, decision: Box::new(decision.clone()) });
        if let Some(why) = self.follow_plan(&mut decision, notes, cx) {
            self.plan_fails(&why, notes, cx);
            return self.go_on(task, notes, cx);
        }
        match decision.verdict {
            Verdict::Abort => Move::Ended(Ending::failure(Code::CommandFailed, aborted(&decision.message))),
            _ if decision.commands.is_empty() => Move::Finished { message: decision.message, answer: true },
            _ => match (self.why_investigate(Some(&decision), cx), self.page.clone()) {
                (Some(reason), Some(page)) => {
                    let (run, step) = Investigation::begin(reason, Some(decision), page, task, notes, cx);
                    self.beside(Box::new(Aside::Investigation(Box::new(run))), step, task, notes, cx)
                }
                // What was looked into already can only be thought over.
                _ => match self.doubt(&decision, task, notes, cx) {
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
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Move {
        notes.errors.count(false);
        let lines: Vec<String> = problems.iter().take(8).map(ToString::to_string).collect();
        let Unusable { code, cause } = unusable;
        cx.warn(format!("{cause} ({}): {}", code.code(), lines.join("; ")));
        if let Some(ending) = too_many_errors(notes, cx) {
            let error = StandardError::new(code, format!("{}, the last because {cause}", ending.message));
            return Move::Ended(Ending { message: error.message.clone(), error: Some(error), ..ending });
        }
        let (Some(rules), Some(mut request)) = (cx.rules.model.as_ref(), self.asked.clone()) else {
            return self.look();
        };
        if self.reasks >= cx.rules.limits.reasks {
            let tries = self.reasks + 1;
            let error = StandardError::new(code, format!("{tries} replies in a row could not be used: {cause}"));
            return Move::Ended(Ending::from_error(Status::Error, error.with_details(lines)));
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
        self.stage = Stage::Deciding;
        Move::Need(Need::Decide(request))
    }

    pub(super) fn carry_out(
        &mut self,
        decision: Decision,
        task: &Task,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Move {
        // Saying once more that it is done repeats no action: that is the review's to judge, and its rejections are counted.
        let claims = |command: &Command| matches!(command.action, Action::Done(_) | Action::Abort(_));
        let judged = match decision.commands.iter().all(claims) {
            true => guard::Verdict::Go,
            false => self.guard.judge(&decision.commands, self.page.as_deref()),
        };
        match judged {
            guard::Verdict::Go => {}
            guard::Verdict::Warn => {
                cx.warn("the model repeats an action that leaves the page as it is");
                self.hint =
                    Some("This action was done before and left the page as it is. Do something else, or ABORT.".into());
            }
            guard::Verdict::Stop => {
                let what = decision.commands.first().map_or("", |command| command.action.name());
                let message = format!("the same {what} was repeated and left the page as it is");
                return Move::Ended(Ending::error(Code::LoopDetected, message));
            }
        }
        let by = notes.decider.unwrap_or(Decider::Model);
        let mut actions = Vec::new();
        for Command { action, .. } in decision.commands {
            let action = cx.resolve_action(action);
            match action {
                action if for_the_browser(&action) => actions.push(action),
                // The others are decided once those before them are done.
                _ if !actions.is_empty() => break,
                Action::Ask(ask) => {
                    self.stage = Stage::Asking(ask.question.clone());
                    return Move::Need(Need::Ask(Question { text: ask.question, secret: ask.secret }));
                }
                Action::Done(done) => return Move::Finished { message: done.result, answer: true },
                Action::Abort(abort) => {
                    return Move::Ended(Ending::failure(Code::CommandFailed, aborted(&abort.reason)));
                }
                action => {
                    let page = self.page.clone().unwrap_or_default();
                    let (aside, step) = Aside::command(action, by, page, &task.text, notes, cx);
                    return self.beside(Box::new(aside), step, task, notes, cx);
                }
            }
        }
        cx.phase(Phase::ExecutingCommands);
        self.stage = Stage::Acting(actions.clone());
        Move::Need(Need::Act(intents(actions, by)))
    }

    fn acted(
        &mut self,
        actions: Vec<Action>,
        results: &[ActionResult],
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Move {
        for (action, result) in actions.iter().zip(results) {
            notes.history.add(action, result);
        }
        if cx.rules.custom {
            self.last = actions.iter().cloned().zip(results.iter().cloned()).collect();
        }
        if results.len() < actions.len() {
            let left = actions.len() - results.len();
            notes.history.note(format!("({left} commands after it were not carried out; decide on them anew)"));
        }
        match results.iter().find_map(|result| Some((result, result.failure.as_ref()?))) {
            Some((result, failure @ (ActionFailure::BrowserGone { .. } | ActionFailure::Cancelled))) => {
                return Move::Ended(Ending::of_result(result, failure));
            }
            Some((result, failure)) => {
                if result.outcome_unknown {
                    self.hint = Some(UNKNOWN.to_owned());
                }
                self.failed_again(&failure.to_string(), notes, cx);
                if let Some(ending) = too_many_errors(notes, cx) {
                    return Move::Ended(ending);
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
        let done =
            actions.into_iter().zip(results).filter(|(_, result)| result.ok()).map(|(action, _)| action).collect();
        let effects = results.iter().flat_map(|result| result.effects.clone()).collect();
        cx.phase(Phase::GeneratingPrompt);
        self.stage = Stage::Seeing(done, effects);
        Move::Need(Need::Observe(Look::default()))
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

fn too_many_errors(notes: &Notes, cx: &Context<'_>) -> Option<Ending> {
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

fn defect(code: Code, error: &dyn std::error::Error) -> Move {
    Move::Ended(Ending::from_error(Status::Error, StandardError::new(code, error.to_string()).caused_by(error)))
}
