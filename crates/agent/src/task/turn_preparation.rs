//! What a model's turn needs before it: what other runs learned of a site that was not seen yet, and a history that fits.
//!
//! The page that was observed is held back meanwhile and then handed on, so that the modes know nothing of it. Neither
//! can end a task: what cannot be had is warned of, and the turn begins without.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{ChatRequest, Code, Purpose};

use super::{StepNotes, model_call::request, pages::history_tokens, run_context::StepContext};
use crate::{
    InspectRequest, InspectResult, Need, NeedResult,
    context::{CompactBy, within},
    prompt::{self, quote},
};

/// The page held back, and what for.
#[derive(Default)]
pub(super) struct TurnPreparation {
    held: Option<(Arc<Snapshot>, Wait)>,
}

enum Wait {
    /// What was learned on this site.
    Lessons(String),
    /// So many of the history's lines in short.
    Summary(usize),
}

impl TurnPreparation {
    /// What is given to the mode at work, or what is needed first.
    #[expect(clippy::result_large_err, reason = "a need is moved on at once and never kept")]
    pub(super) fn give(
        &mut self,
        response: NeedResult,
        by_model: bool,
        task: &str,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Result<NeedResult, Need> {
        let page = match (self.held.take(), response) {
            (None, NeedResult::Observed(page)) if by_model => page,
            (Some((page, Wait::Lessons(site))), response) => {
                learned(site, response, cx);
                page
            }
            (Some((page, Wait::Summary(lines))), response) => {
                summarised(lines, response, notes, cx);
                page
            }
            (None, response) => return Ok(response),
        };
        if let Some((wait, need)) = next(&page, task, notes, cx) {
            self.held = Some((page, wait));
            return Err(need);
        }
        let tokens = cx.rules.memory.tokens;
        if let Some(shown) = cx.run_context.memory.recollect(&page.url, task, tokens) {
            cx.fact(shown.into_event());
        }
        Ok(NeedResult::Observed(page))
    }
}

fn next(page: &Arc<Snapshot>, task: &str, notes: &StepNotes, cx: &mut StepContext<'_>) -> Option<(Wait, Need)> {
    let rules = cx.rules;
    if rules.memory.across_runs
        && let Some(site) = cx.run_context.memory.unasked(&page.url)
    {
        return Some((Wait::Lessons(site.clone()), Need::Inspect(InspectRequest::Recall { site })));
    }
    if rules.compaction.by == CompactBy::Model {
        let tokens = history_tokens(rules);
        let (lines, text) = notes.history.excess(tokens)?;
        let request = compact(task, &text, tokens, rules.context_tokens);
        return match request {
            Ok(request) => Some((Wait::Summary(lines), Need::Decide(request))),
            Err(error) => {
                cx.trouble(error.code(), error.to_string());
                None
            }
        };
    }
    None
}

fn learned(site: String, response: NeedResult, cx: &mut StepContext<'_>) {
    let lessons = match response {
        NeedResult::Inspected(Ok(InspectResult::Lessons(lessons))) => lessons,
        NeedResult::Inspected(Err(failure)) => {
            cx.trouble(Code::PromptContext, format!("nothing is remembered of {site}: {failure}"));
            Vec::new()
        }
        _ => Vec::new(),
    };
    cx.run_context.memory.on_lessons(site, lessons);
}

/// A model that says nothing leaves the history to the rule, which needs nobody.
fn summarised(lines: usize, response: NeedResult, notes: &mut StepNotes, cx: &mut StepContext<'_>) {
    match response {
        NeedResult::Decided(Ok(reply)) => {
            cx.run_context.usage += reply.usage;
            if !reply.text.trim().is_empty() {
                return notes.history.replace(lines, &reply.text, history_tokens(cx.rules) / 3);
            }
            cx.trouble(Code::ContextGeneration, "the history was not made short by the model; a rule does it");
        }
        NeedResult::Decided(Err(failure)) => {
            let message = format!("the history was not made short by the model, a rule does it: {}", failure.message);
            cx.trouble(Code::ContextGeneration, message);
        }
        _ => {}
    }
    notes.history.fold(history_tokens(cx.rules), cx.rules.compaction.detail);
}

fn compact(task: &str, history: &str, tokens: usize, context: usize) -> Result<ChatRequest, prompt::PromptError> {
    let words = (tokens / 5).max(20);
    let text = prompt::render(&prompt::Compact {
        task: &within(task, context / 8),
        history: &quote("history", &within(history, context / 2)),
        words,
    })?;
    let room = u32::try_from(tokens / 2).unwrap_or(u32::MAX).max(64);
    Ok(request(Purpose::Compact, text, None, room))
}
