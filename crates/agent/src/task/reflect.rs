//! Second thoughts (000): a decision of little confidence before it changes what cannot be taken back, and failures in a
//! row. A single failure is not worth a call: the model sees it in its history anyway.
//!
//! What comes of it is honoured: PROCEED goes on, RETRY has the model decide anew, ABORT ends the task. What is doubtful
//! and cannot be undone is left to a human where somebody can be asked; where nobody can, it is not done.

use legwork_protocol::{
    ChatReply, Code, Command, Decision, Effect, EventKind, ModelFailure, Phase, Purpose, Question, Reflection, Risk,
    Verdict,
};
use serde_json::json;

use super::{
    Ending, StepNotes, Task, Transition,
    advice::{ExpectedReply, PendingModelCall, ReplyOutcome},
    advisory::{self, PendingAdvisory},
    guard::normalised,
    model::{ModelRun, ModelStage},
    plan,
    run_context::StepContext,
};
use crate::{
    Need, NeedResult,
    context::{one_line, within},
    prompt::{Reflect, quote},
    schema::{self, SchemaProblem},
};

/// Reflections of one task at most.
const MOST: u32 = 8;
/// The most characters of a thought that are kept.
const THOUGHT: usize = 300;
/// So many failures in a row are thought over, once.
const IN_A_ROW: u32 = 2;

const SHAPE: ExpectedReply = ExpectedReply {
    purpose: Purpose::Reflect,
    name: "reflection",
    example: r#"{"verdict":"PROCEED|RETRY|ABORT","risk":"LOW|MEDIUM|HIGH","thought":"…","planHolds":true}"#,
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "verdict": { "type": "string", "enum": ["PROCEED", "RETRY", "ABORT"] },
                "risk": { "type": "string", "enum": ["LOW", "MEDIUM", "HIGH"] },
                "thought": { "type": "string" },
                "planHolds": { "type": "boolean" },
            },
            "required": ["verdict", "risk", "thought", "planHolds"],
            "additionalProperties": false,
        })
    },
};

const VERDICT: &[&str] = &["verdict", "decision", "action"];
const WORDS: &[&str] = &["thought", "reasoning", "reason", "message", "suggestedmodifications"];
const RISK: &[&str] = &["risk", "risklevel", "riskassessment"];
const HOLDS: &[&str] = &["planholds"];

/// What is thought over.
pub(super) enum ReflectionSubject {
    /// A doubtful decision.
    Decision(Box<Decision>),
    /// Failures in a row: what fails, in words.
    Failures(String),
}

/// What a reflection says.
struct ReflectionReply {
    verdict: Verdict,
    risk: Risk,
    thought: String,
    plan_holds: bool,
}

impl ModelRun {
    /// Has a decision thought over before it is carried out, when it is doubtful and changes something.
    pub(super) fn reflect_on_decision(
        &mut self,
        decision: &Decision,
        task: &Task,
        notes: &StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        let thinking = &cx.rules.thinking;
        let changes = decision.commands.iter().any(|command| command.action.effect() == Effect::Mutating);
        let doubtful = decision.confidence < thinking.min_confidence && changes;
        if !doubtful {
            self.advisory.advised_against = None;
        }
        if !doubtful || notes.reflections >= MOST || !advisory::is_enabled(thinking.reflection, task) {
            return None;
        }
        let key = normalised(&decision.commands, self.page.as_deref());
        if self.advisory.advised_against.as_deref() == Some(&key) {
            self.advisory.advised_against = None;
            return None;
        }
        let doubt = format!(
            "{} (confidence {}): {}",
            self.in_words(&decision.commands),
            decision.confidence,
            one_line(
                &[&decision.message, &*decision.reasoning.analysis, &*decision.reasoning.rationale].join(" "),
                THOUGHT
            ),
        );
        let advice = self.reflection(Some(&quote("action", &doubt)), task, notes, cx)?;
        cx.phase(Phase::Reflecting);
        let subject = ReflectionSubject::Decision(Box::new(decision.clone()));
        Some(self.think(|advice| PendingAdvisory::Reflection(advice, subject), advice))
    }

    /// Remembers failures in a row; they are thought over once the page is seen again.
    pub(super) fn failed_again(&mut self, what: &str, notes: &StepNotes, cx: &StepContext<'_>) {
        if notes.errors.consecutive == IN_A_ROW {
            self.advisory.trouble = Some(one_line(what, THOUGHT));
        }
        // Advice did not help, or none could be had.
        if notes.errors.consecutive == IN_A_ROW + 1 {
            self.plan_fails(what, notes, cx);
        }
    }

    /// Has failures in a row thought over.
    pub(super) fn think_over(
        &mut self,
        trouble: String,
        task: &Task,
        notes: &StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<Transition> {
        if notes.reflections >= MOST || !advisory::is_enabled(cx.rules.thinking.reflection, task) {
            return None;
        }
        let advice = self.reflection(None, task, notes, cx)?;
        cx.phase(Phase::Reflecting);
        Some(self.think(|advice| PendingAdvisory::Reflection(advice, ReflectionSubject::Failures(trouble)), advice))
    }

    fn reflection(
        &self,
        doubt: Option<&str>,
        task: &Task,
        notes: &StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Option<PendingModelCall> {
        let budget = cx.rules.context_tokens / 16;
        let page = self.page.as_deref();
        let at = page.map(|page| format!("{} {:?}", page.url, page.title)).unwrap_or_default();
        let trail = quote("history", &[at, notes.history.lines(budget).join("\n")].join("\n"));
        let plan = notes.plan.as_ref().map(plan::in_words);
        let prompt = Reflect {
            task: &within(&task.text, budget),
            doubt,
            plan: plan.as_deref(),
            trail: &trail,
            shape: SHAPE.example,
        };
        PendingModelCall::new(&SHAPE, &prompt, None, cx)
            .map_err(|why| cx.trouble(why.code(), format!("nothing is thought over: {why}")))
            .ok()
    }

    /// Takes what a reflection says of a decision or of failures.
    pub(super) fn reflected(
        &mut self,
        advice: PendingModelCall,
        subject: ReflectionSubject,
        reply: Result<ChatReply, ModelFailure>,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let reflection_reply = match (advice.handle_response(reply, read, cx), subject) {
            (ReplyOutcome::Reply(reflection_reply), ReflectionSubject::Decision(decision)) => {
                return self.reconsidered(reflection_reply, *decision, task, notes, cx);
            }
            (ReplyOutcome::Reply(reflection_reply), ReflectionSubject::Failures(what)) => {
                self.record_reflection(&reflection_reply, what, notes, cx);
                reflection_reply
            }
            (ReplyOutcome::Retry(advice), subject) => {
                return self.think(|advice| PendingAdvisory::Reflection(advice, subject), advice);
            }
            (ReplyOutcome::Failed(why), ReflectionSubject::Decision(decision)) => {
                cx.trouble(why.code(), format!("a doubtful decision is not thought over: {why}"));
                return self.carry_out(*decision, task, notes, cx);
            }
            (ReplyOutcome::Failed(why), ReflectionSubject::Failures(_)) => {
                cx.trouble(why.code(), format!("failures are not thought over: {why}"));
                return self.go_on(task, notes, cx);
            }
        };
        match reflection_reply.verdict {
            Verdict::Abort => return aborted(reflection_reply.thought),
            Verdict::Retry => self.hint = Some(format!("On reflection: {}", reflection_reply.thought)),
            Verdict::Proceed => {}
        }
        self.go_on(task, notes, cx)
    }

    /// Does what was decided, or not, or asks a human.
    fn reconsidered(
        &mut self,
        reflection_reply: ReflectionReply,
        decision: Decision,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        let what = self.in_words(&decision.commands);
        self.record_reflection(
            &reflection_reply,
            format!("confidence {} before {what}", decision.confidence),
            notes,
            cx,
        );
        match (reflection_reply.verdict, reflection_reply.risk) {
            (Verdict::Abort, _) => aborted(reflection_reply.thought),
            (Verdict::Proceed, Risk::Low | Risk::Medium) => {
                self.advisory.advised_against = None;
                self.carry_out(decision, task, notes, cx)
            }
            (Verdict::Proceed, Risk::High) if cx.rules.thinking.attended => {
                let text = format!("This may not be undone: {what}. {} Go on? (yes / no)", reflection_reply.thought);
                self.stage = ModelStage::Thinking(Box::new(PendingAdvisory::Approval(Box::new(decision))));
                Transition::Need(Need::Ask(Question { text, secret: false }))
            }
            (_, Risk::High) if self.advisory.advised_against.is_some() => {
                aborted(format!("nobody is there to ask, and it may not be undone: {what}"))
            }
            (Verdict::Proceed | Verdict::Retry, risk) => {
                // What may not be undone is doubted again, however often it is decided.
                let key = normalised(&decision.commands, self.page.as_deref());
                self.advisory.advised_against = Some(if risk == Risk::High { String::new() } else { key });
                notes.history.note(format!("thought better of {what}: {}", reflection_reply.thought));
                self.hint =
                    Some("Your last decision was not carried out; the history's last line says why.".to_owned());
                self.go_on(task, notes, cx)
            }
        }
    }

    /// Puts a reflection on record; where it finds the plan wanting, that is made anew.
    fn record_reflection(
        &mut self,
        reflection_reply: &ReflectionReply,
        cause: String,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) {
        notes.reflections += 1;
        let ReflectionReply { verdict, risk, thought, .. } = reflection_reply;
        cx.fact(EventKind::ReflectionCompleted(Reflection {
            cause,
            verdict: *verdict,
            thought: thought.clone(),
            risk: *risk,
        }));
        if !reflection_reply.plan_holds {
            self.plan_fails(thought, notes, cx);
        }
    }

    /// A human says whether it is done.
    pub(super) fn approved(
        &mut self,
        decision: Decision,
        response: &NeedResult,
        task: &Task,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        match response {
            NeedResult::Answered(answer) if is_yes(answer) => self.carry_out(decision, task, notes, cx),
            NeedResult::Answered(answer) => {
                let what = self.in_words(&decision.commands);
                notes.history.note(format!("the user refused {what}: {}", one_line(answer, THOUGHT)));
                self.look()
            }
            _ => Transition::Ended(Ending::parked(
                Code::OutcomeUnknown,
                format!("a human has to say whether to go on: {}", self.in_words(&decision.commands)),
            )),
        }
    }

    /// `click button "Send"`: elements by what they are, not by their refs.
    fn in_words(&self, commands: &[Command]) -> String {
        let one = |command: &Command| {
            let action = &command.action;
            let element = action.target().map(|target| match (target.kind(), self.page.as_deref()) {
                (legwork_protocol::TargetKind::Ref(reference), Some(page)) => page.find_ref(reference).map_or_else(
                    || target.0.clone(),
                    |index| {
                        let node = &page.nodes[index];
                        format!("{} {:?}", node.role, one_line(&node.name, 80))
                    },
                ),
                _ => target.0.clone(),
            });
            [Some(action.name().to_owned()), element].into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        commands.iter().map(one).collect::<Vec<_>>().join(", then ")
    }
}

fn aborted(thought: String) -> Transition {
    Transition::Ended(Ending::failure(Code::CommandFailed, thought))
}

fn is_yes(answer: &str) -> bool {
    let answer = answer.trim().to_lowercase();
    matches!(answer.as_str(), "y" | "yes" | "ok" | "go on" | "do it" | "proceed")
}

fn read(text: &str) -> Result<ReflectionReply, SchemaProblem> {
    let fields = schema::object(text, &[VERDICT, WORDS].concat())?;
    let word = fields.text(VERDICT).unwrap_or_default().to_uppercase();
    let verdict = match word.as_str() {
        "PROCEED" | "CONTINUE" => Verdict::Proceed,
        "RETRY" => Verdict::Retry,
        "ABORT" | "STOP" => Verdict::Abort,
        _ => return Err(SchemaProblem::whole("verdict PROCEED, RETRY or ABORT", word)),
    };
    let risk = match fields.text(RISK).unwrap_or_default().to_uppercase().as_str() {
        "HIGH" => Risk::High,
        "LOW" => Risk::Low,
        _ => Risk::Medium,
    };
    let thought = fields.text(WORDS).unwrap_or_else(|| "no reason was given".to_owned());
    Ok(ReflectionReply {
        verdict,
        risk,
        thought: one_line(&thought, THOUGHT),
        plan_holds: fields.flag(HOLDS).unwrap_or(true),
    })
}
