//! The action `look`: a screenshot of the page, described by a model that accepts images.

use legwork_observe::Snapshot;
use legwork_protocol::{ActionFailure, ActionResult, ChatReply, Look, Purpose};
use std::time::Duration;

use super::{
    model_call::request,
    run_context::StepContext,
    work_step::{WorkStep, in_view, not_performed},
};
use crate::{InspectRequest, InspectResult, Need, NeedResult, context::within, prompt};

/// The maximum number of tokens of a description, and of the task in its prompt.
const MAX_TOKENS: u32 = 400;
const TASK: usize = 400;
/// The maximum number of characters of a description.
const MAX_CHARACTERS: usize = 2_000;

/// A screenshot that is being described.
#[derive(Debug, Default)]
pub(crate) struct PictureCall {
    task: String,
    marks: bool,
}

impl PictureCall {
    pub(crate) fn begin(
        look: &Look,
        page: &Snapshot,
        purpose: &str,
        cx: &StepContext<'_>,
    ) -> (PictureCall, WorkStep<ActionResult>) {
        let looking = PictureCall { task: within(purpose, TASK), marks: look.marks };
        if !cx.rules.model.as_ref().is_some_and(|model| model.vision) {
            return (looking, failed("the model cannot see pictures; read or find what you look for instead"));
        }
        let marks = if look.marks { in_view(page) } else { Vec::new() };
        let picture = InspectRequest::Picture { target: look.target.clone(), marks };
        (looking, WorkStep::Need(Need::Inspect(picture)))
    }

    pub(crate) fn handle_result(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        match (response, &cx.rules.model) {
            (NeedResult::Inspected(Ok(InspectResult::Picture(image))), Some(rules)) => {
                let asked = prompt::render(&prompt::LookAt { task: &self.task, marks: self.marks });
                let Ok(text) = asked else { return failed("the question could not be asked") };
                let request = request(Purpose::Look, text, Some(image), rules.max_reply_tokens.min(MAX_TOKENS));
                WorkStep::Need(Need::Decide(request))
            }
            (NeedResult::Inspected(Err(failure)), _) => WorkStep::Done(ActionResult::failed(failure, Duration::ZERO)),
            (NeedResult::Decided(Ok(reply)), _) => match described(&reply, cx) {
                Some(text) => {
                    let url = cx.run_context.page.as_ref().map(|page| page.url.clone()).unwrap_or_default();
                    WorkStep::Done(ActionResult { value: Some(text.into()), url, ..ActionResult::done(Duration::ZERO) })
                }
                None => failed("the screenshot was not described; use read or find instead"),
            },
            (NeedResult::Decided(Err(failure)), _) => failed(&format!(
                "the picture was not described ({}); read or find what you look for instead",
                failure.message
            )),
            _ => failed("no screenshot was captured; use read or find instead"),
        }
    }
}

/// The model's description of a screenshot.
pub(crate) fn described(reply: &ChatReply, cx: &mut StepContext<'_>) -> Option<String> {
    cx.run_context.usage += reply.usage;
    let text = crate::context::one_line(&reply.text, MAX_CHARACTERS);
    (!text.is_empty()).then_some(text)
}

fn failed(reason: &str) -> WorkStep<ActionResult> {
    let failure: ActionFailure = not_performed("look", reason);
    WorkStep::Done(ActionResult::failed(failure, Duration::ZERO))
}
