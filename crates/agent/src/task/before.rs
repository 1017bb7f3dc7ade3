//! What a model's turn needs before it: what other runs learned of a site that was not seen yet, and a history that fits.
//!
//! The page that was observed is held back meanwhile and then handed on, so that the modes know nothing of it. Neither
//! can end a task: what cannot be had is warned of, and the turn begins without.

use std::sync::Arc;

use legwork_observe::Snapshot;
use legwork_protocol::{ChatRequest, Code, Purpose};

use super::{Notes, advice::request, known::Context, pages::history_tokens};
use crate::{
    Got, Inspection, Need, Seen,
    context::{CompactBy, within},
    prompt::{self, quote},
};

/// The page held back, and what for.
#[derive(Default)]
pub(super) struct BeforeTurn {
    held: Option<(Arc<Snapshot>, Wait)>,
}

enum Wait {
    /// What was learned on this site.
    Lessons(String),
    /// So many of the history's lines in short.
    Summary(usize),
}

impl BeforeTurn {
    /// What is given to the mode at work, or what is needed first.
    #[expect(clippy::result_large_err, reason = "a need is moved on at once and never kept")]
    pub(super) fn give(
        &mut self,
        got: Got,
        by_model: bool,
        task: &str,
        notes: &mut Notes,
        cx: &mut Context<'_>,
    ) -> Result<Got, Need> {
        let page = match (self.held.take(), got) {
            (None, Got::Observed(page)) if by_model => page,
            (Some((page, Wait::Lessons(site))), got) => {
                learned(site, got, cx);
                page
            }
            (Some((page, Wait::Summary(lines))), got) => {
                summarised(lines, got, notes, cx);
                page
            }
            (None, got) => return Ok(got),
        };
        if let Some((wait, need)) = next(&page, task, notes, cx) {
            self.held = Some((page, wait));
            return Err(need);
        }
        let tokens = cx.rules.memory.tokens;
        if let Some(shown) = cx.known.memory.recollect(&page.url, task, tokens) {
            cx.fact(shown.into_event());
        }
        Ok(Got::Observed(page))
    }
}

fn next(page: &Arc<Snapshot>, task: &str, notes: &Notes, cx: &mut Context<'_>) -> Option<(Wait, Need)> {
    let rules = cx.rules;
    if rules.memory.across_runs
        && let Some(site) = cx.known.memory.unasked(&page.url)
    {
        return Some((Wait::Lessons(site.clone()), Need::Inspect(Inspection::Recall { site })));
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

fn learned(site: String, got: Got, cx: &mut Context<'_>) {
    let lessons = match got {
        Got::Inspected(Ok(Seen::Lessons(lessons))) => lessons,
        Got::Inspected(Err(failure)) => {
            cx.trouble(Code::PromptContext, format!("nothing is remembered of {site}: {failure}"));
            Vec::new()
        }
        _ => Vec::new(),
    };
    cx.known.memory.recalled(site, lessons);
}

/// A model that says nothing leaves the history to the rule, which needs nobody.
fn summarised(lines: usize, got: Got, notes: &mut Notes, cx: &mut Context<'_>) {
    match got {
        Got::Decided(Ok(reply)) => {
            cx.known.usage += reply.usage;
            if !reply.text.trim().is_empty() {
                return notes.history.replace(lines, &reply.text, history_tokens(cx.rules) / 3);
            }
            cx.trouble(Code::ContextGeneration, "the history was not made short by the model; a rule does it");
        }
        Got::Decided(Err(failure)) => {
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
