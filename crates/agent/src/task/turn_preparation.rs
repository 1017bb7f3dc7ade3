//! What must happen before a model's turn: wait until the page shows its content, request the lessons of other runs for
//! a new site, and shorten a history that is too long.
//!
//! The observed page is held back meanwhile and then passed on, so that the modes need not know about it. Neither can
//! end a task: after a failure there is a warning, and the turn starts without the result.

use std::{sync::Arc, time::Duration};

use legwork_observe::{Snapshot, is_loading};
use legwork_protocol::{ChatRequest, Code, Purpose};

use super::{StepNotes, model_call::request, pages::history_tokens, run_context::StepContext};
use crate::{
    InspectRequest, InspectResult, Need, NeedResult, ObserveRequest,
    context::{CompactBy, within},
    prompt::{self, quote},
};

/// The page that is held back, and what it waits for.
#[derive(Default)]
pub(super) struct TurnPreparation {
    held: Option<(Arc<Snapshot>, Wait)>,
    /// The page of the previous turn.
    shown: Option<Arc<Snapshot>>,
    /// The time until which a page that is loading is observed again, and the number of observations.
    loading: Option<(Duration, u32)>,
}

/// The most observations of a page that is loading, for a page that changes all the time.
const MAX_LOOKS: u32 = 50;

enum Wait {
    /// The lessons of this site.
    Lessons(String),
    /// The summary of this number of lines of the history.
    Summary(usize),
}

impl TurnPreparation {
    /// The result to pass to the current mode, or what is needed first.
    #[expect(clippy::result_large_err, reason = "a need is moved on at once and never kept")]
    pub(super) fn handle_result(
        &mut self,
        response: NeedResult,
        by_model: bool,
        task: &str,
        notes: &mut StepNotes,
        cx: &mut StepContext<'_>,
    ) -> Result<NeedResult, Need> {
        let page = match (self.held.take(), response) {
            (None, NeedResult::Observed(page)) if by_model => match self.until_loaded(&page, cx) {
                Some(look) => return Err(Need::Observe(look)),
                None => page,
            },
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
            cx.emit(shown.into_event());
        }
        self.shown = Some(page.clone());
        Ok(NeedResult::Observed(page))
    }

    /// The next observation of a page that shows that its content is still to come. A model that sees `Loading…` after
    /// its action is tempted to repeat the action.
    fn until_loaded(&mut self, page: &Snapshot, cx: &StepContext<'_>) -> Option<ObserveRequest> {
        let (until, looks) = self.loading.take().unwrap_or((cx.now + cx.rules.limits.element_wait, 0));
        let left = until.checked_sub(cx.now).filter(|left| !left.is_zero() && looks < MAX_LOOKS)?;
        if !is_loading(page, self.shown.as_deref()) {
            return None;
        }
        self.loading = Some((until, looks + 1));
        Some(ObserveRequest { after_change_within: Some(left) })
    }
}

fn next(page: &Arc<Snapshot>, task: &str, notes: &StepNotes, cx: &mut StepContext<'_>) -> Option<(Wait, Need)> {
    let rules = cx.rules;
    if rules.memory.across_runs
        && let Some(site) = cx.run_context.memory.site_to_recall(&page.url)
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
                cx.emit_error(error.code(), error.to_string());
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
            cx.emit_error(Code::PromptContext, format!("no lessons about {site} are available: {failure}"));
            Vec::new()
        }
        _ => Vec::new(),
    };
    cx.run_context.memory.on_lessons(site, lessons);
}

/// If the model fails, the rule shortens the history, because it needs no other component.
fn summarised(lines: usize, response: NeedResult, notes: &mut StepNotes, cx: &mut StepContext<'_>) {
    match response {
        NeedResult::Decided(Ok(reply)) => {
            cx.run_context.usage += reply.usage;
            if !reply.text.trim().is_empty() {
                return notes.history.replace(lines, &reply.text, history_tokens(cx.rules) / 3);
            }
            cx.emit_error(Code::ContextGeneration, "the model did not shorten the history; a rule does");
        }
        NeedResult::Decided(Err(failure)) => {
            let message = format!("the model did not shorten the history, a rule does: {}", failure.message);
            cx.emit_error(Code::ContextGeneration, message);
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
