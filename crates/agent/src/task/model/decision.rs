//! Handles a model's reply: parses it, requests a new one if it is unusable, and applies the decision.

use legwork_observe::tokens::count;
use legwork_protocol::{
    ChatReply, Code, DecidedBy, ErrorReport, EventKind, ModelFailure, ModelTier, Phase, Status, Verdict,
};

use super::{ModelRun, ModelStage, defect, execution::aborted, too_many_errors};
use crate::{
    Need,
    context::{clipped, within},
    schema::{self, SchemaProblem},
    task::{
        Ending, StepNotes, Task, Transition,
        model_call::{REPLY, repair},
        model_tier,
        reply::UnusableReply,
        run_context::StepContext,
    },
};

/// The number of tokens of a repair prompt's fixed text.
const REPAIR: usize = 40;

impl ModelRun {
    pub(super) fn no_reply(
        &mut self,
        failure: &ModelFailure,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        // The transport has already retried. An unusable reply may be accidental, so the model is called again.
        if failure.retryable && failure.is_unusable_reply() {
            let problem = SchemaProblem::whole("a JSON object", &failure.message);
            let unusable = UnusableReply { code: failure.code, cause: failure.message.clone() };
            return self.retry("", &[problem], unusable, notes, cx);
        }
        Transition::Ended(Ending::of_model(failure))
    }

    /// Parses a reply and applies its decision.
    pub(super) fn decided(
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
        if let Some(request) = self.pending_request.as_mut()
            && let Some(doubt) = model_tier::escalation_reason(request.tier, rules, read.as_ref().ok())
        {
            request.tier = ModelTier::Strong;
            let request = request.clone();
            cx.warn(format!("{doubt}; the strong model is asked"));
            self.stage = ModelStage::Deciding;
            return Transition::Need(Need::Decide(request));
        }
        let mut decision = match read {
            // A truncated reply can be repaired to valid JSON, but the missing content is unknown.
            Ok(decision) if is_cut_off(reply) && !decision.commands.is_empty() => {
                let problem = SchemaProblem::whole("the reply is cut off", "a complete object, in fewer words");
                let unusable = UnusableReply::cut_off(rules.max_reply_tokens);
                return self.retry(&reply.text, &[problem], unusable, notes, cx);
            }
            Ok(decision) => decision,
            Err(problems) => {
                let unusable = UnusableReply::of(reply, rules.max_reply_tokens, &problems);
                return self.retry(&reply.text, &problems, unusable, notes, cx);
            }
        };
        if task.is_condition && !decision.commands.is_empty() {
            let problem = SchemaProblem::whole("no command: only a judgement is requested", "a command");
            let unusable = UnusableReply::of(reply, rules.max_reply_tokens, std::slice::from_ref(&problem));
            return self.retry(&reply.text, &[problem], unusable, notes, cx);
        }
        notes.iterations += 1;
        notes.decider = Some(DecidedBy::Model);
        cx.emit(EventKind::AiReasoning { decider: DecidedBy::Model, decision: Box::new(decision.clone()) });
        if let Some(why) = self.follow_plan(&mut decision, notes, cx) {
            self.plan_fails(&why, notes, cx);
            return self.decide(task, notes, cx);
        }
        match decision.verdict {
            Verdict::Abort => Transition::Ended(Ending::failure(Code::CommandFailed, aborted(&decision.message))),
            _ if decision.commands.is_empty() => Transition::Finished { message: decision.message, answer: true },
            _ => match (self.why_investigate(Some(&decision), cx), self.page.clone()) {
                (Some(reason), Some(page)) => self.investigate(reason, Some(decision), page, task, notes, cx),
                // A page that was already investigated leaves only a reflection.
                _ => match self.reflect_on_decision(&decision, task, notes, cx) {
                    Some(next) => next,
                    None => self.carry_out(decision, task, notes, cx),
                },
            },
        }
    }

    /// Calls the model again with the problems of its reply.
    fn retry(
        &mut self,
        said: &str,
        problems: &[SchemaProblem],
        unusable: UnusableReply,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Transition {
        notes.errors.count(false);
        let lines: Vec<String> = problems.iter().take(8).map(ToString::to_string).collect();
        let UnusableReply { code, cause } = unusable;
        cx.warn(format!("{cause} ({}): {}", code.code(), lines.join("; ")));
        if let Some(ending) = too_many_errors(notes, cx) {
            let error = ErrorReport::new(code, format!("{}, the last because {cause}", ending.message));
            return Transition::Ended(Ending { message: error.message.clone(), error: Some(error), ..ending });
        }
        let (Some(rules), Some(mut request)) = (cx.rules.model.as_ref(), self.pending_request.clone()) else {
            return self.look();
        };
        if self.reply_retries >= cx.rules.limits.reasks {
            let tries = self.reply_retries + 1;
            let error = ErrorReport::new(code, format!("{tries} replies in a row could not be used: {cause}"));
            return Transition::Ended(Ending::from_error(Status::Error, error.with_details(lines)));
        }
        self.reply_retries += 1;
        // From now on the schema is sent to the provider, which costs tokens in each request.
        self.enforce_schema = true;
        request.schema.get_or_insert_with(|| schema::wire(&rules.schema));
        cx.phase(Phase::QueryingAi);
        let shape = schema::shape(&rules.schema);
        // The unusable reply is quoted as far as the prompt's budget permits after the list of problems.
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
}

/// Whether a reply ended at its length limit and is not a complete object.
fn is_cut_off(reply: &ChatReply) -> bool {
    let cut = matches!(reply.finish.as_deref(), Some("length" | "max_tokens"));
    let text = reply.text.trim().trim_end_matches("```").trim_end();
    cut && !text.ends_with('}') && !text.ends_with(']')
}
