//! `look`: a picture of the page, described by a model that can see.

use legwork_observe::Snapshot;
use legwork_protocol::{ActionFailure, ActionResult, ChatReply, Look, Purpose};
use std::time::Duration;

use super::{
    advice::request,
    aside::{Step, in_view, unavailable},
    known::Context,
};
use crate::{Got, Inspection, Need, Seen, context::within, prompt};

/// The most tokens of a description, and of the task that it is told for.
const WORDS: u32 = 400;
const TASK: usize = 400;
/// The most characters of a description that are kept.
const SAID: usize = 2_000;

/// A look under way.
#[derive(Debug, Default)]
pub(crate) struct Looking {
    task: String,
    marks: bool,
}

impl Looking {
    pub(crate) fn begin(look: &Look, page: &Snapshot, about: &str, cx: &Context<'_>) -> (Looking, Step) {
        let looking = Looking { task: within(about, TASK), marks: look.marks };
        if !cx.rules.model.as_ref().is_some_and(|model| model.vision) {
            return (looking, failed("the model cannot see pictures; read or find what you look for instead"));
        }
        let marks = if look.marks { in_view(page) } else { Vec::new() };
        let picture = Inspection::Picture { target: look.target.clone(), marks };
        (looking, Step::Need(Need::Inspect(picture)))
    }

    pub(crate) fn give(&mut self, got: Got, cx: &mut Context<'_>) -> Step {
        match (got, &cx.rules.model) {
            (Got::Inspected(Ok(Seen::Picture(image))), Some(rules)) => {
                let asked = prompt::render(&prompt::LookAt { task: &self.task, marks: self.marks });
                let Ok(text) = asked else { return failed("the question could not be put") };
                let request = request(Purpose::Look, text, Some(image), rules.max_reply_tokens.min(WORDS));
                Step::Need(Need::Decide(request))
            }
            (Got::Inspected(Err(failure)), _) => Step::Done(ActionResult::failed(failure, Duration::ZERO)),
            (Got::Decided(Ok(reply)), _) => match described(&reply, cx) {
                Some(text) => {
                    let url = cx.known.page.as_ref().map(|page| page.url.clone()).unwrap_or_default();
                    Step::Done(ActionResult { value: Some(text.into()), url, ..ActionResult::done(Duration::ZERO) })
                }
                None => failed("nothing was said about the picture; read or find what you look for instead"),
            },
            (Got::Decided(Err(failure)), _) => failed(&format!(
                "the picture was not described ({}); read or find what you look for instead",
                failure.message
            )),
            _ => failed("no picture came; read or find what you look for instead"),
        }
    }
}

/// What a model said of a picture.
pub(crate) fn described(reply: &ChatReply, cx: &mut Context<'_>) -> Option<String> {
    cx.known.usage += reply.usage;
    let text = crate::context::one_line(&reply.text, SAID);
    (!text.is_empty()).then_some(text)
}

fn failed(reason: &str) -> Step {
    let failure: ActionFailure = unavailable("look", reason);
    Step::Done(ActionResult::failed(failure, Duration::ZERO))
}
