//! The action `extract`: reads the text of a page chunk by chunk, calls the model for the data in each, and continues
//! on the next page as long as there is one. The data of each chunk is checked against the schema, and every value is
//! searched for at its stated source.

use std::{sync::Arc, time::Duration};

use legwork_observe::{Snapshot, fingerprint, render, tokens::count};
use legwork_protocol::{
    Action, ActionResult, ChatReply, ChatRequest, ChatRole, Click, Code, DecidedBy, EventKind, Extract, ModelFailure,
    Purpose, View,
};

use super::{
    intents,
    model_call::{PendingModelCall, ReplyFailure, ReplyOutcome, message},
    run_context::StepContext,
    work_step::{WorkStep, not_performed},
};
use crate::{
    InspectRequest, InspectResult, Need, NeedResult, ObserveRequest,
    extract::{ExtractReply, ExtractSchema, MergedItems, Next, Text},
    prompt::{self, quote},
};

/// A chunk with at most this many lines is not split when its data does not fit into a reply.
const MIN_SPLIT_LINES: usize = 8;
/// A number of tokens that no page exceeds.
const UNLIMITED_TOKENS: usize = 10_000_000;
/// The number of values that a warning names.
const MAX_NAMED: usize = 5;

/// An extraction in progress.
pub(crate) struct Extraction {
    extract: Extract,
    shape: ExtractSchema,
    next: Next,
    page: Arc<Snapshot>,
    /// The URLs of the pages read so far, including the current one.
    urls: Vec<String>,
    text: Text,
    part: usize,
    pending_call: Option<PendingModelCall>,
    items: MergedItems,
}

impl Extraction {
    pub(crate) fn begin(
        extract: &Extract,
        page: Arc<Snapshot>,
        cx: &mut StepContext<'_>,
    ) -> (Extraction, WorkStep<ActionResult>) {
        let (shape, wrong) = match ExtractSchema::of(extract) {
            Ok(shape) => (shape, None),
            Err(reason) => {
                let reason = format!("the schema cannot be used: {reason}");
                cx.emit_error(Code::SchemaGeneration, reason.as_str());
                (ExtractSchema::default(), Some(failed(reason)))
            }
        };
        let next = Next::of(extract.next.as_ref(), &page);
        let mut extract = extract.clone();
        extract.pages = Some(extract.pages.unwrap_or(1).clamp(1, cx.rules.extract.pages));
        let run = Extraction {
            extract,
            shape,
            next,
            urls: vec![page.url.clone()],
            page,
            text: Text::default(),
            part: 0,
            pending_call: None,
            items: MergedItems::default(),
        };
        (run, wrong.unwrap_or(WorkStep::Need(Need::Inspect(InspectRequest::Readable))))
    }

    pub(crate) fn handle_result(&mut self, response: NeedResult, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        match response {
            NeedResult::Inspected(Ok(InspectResult::Text(text))) => self.read(&text, cx),
            NeedResult::Inspected(seen) => {
                let why =
                    seen.err().map(|failure| failure.to_string()).unwrap_or_else(|| "no text was returned".into());
                cx.warn(format!("the page's text is taken from its observation: {why}"));
                self.read("", cx)
            }
            NeedResult::Decided(reply) => self.replied(reply, cx),
            NeedResult::Acted(results) => match results.last().filter(|result| result.ok()) {
                Some(_) => WorkStep::Need(Need::Observe(ObserveRequest::default())),
                // On the last page, the control may be missing or disabled.
                None => self.finish(cx),
            },
            NeedResult::Observed(page) => self.turned(page, cx),
            _ => self.finish(cx),
        }
    }

    /// Starts with the text of a page.
    fn read(&mut self, text: &str, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        let whole = View { max_tokens: UNLIMITED_TOKENS, ..View::default() };
        let shown = if text.trim().is_empty() { render(&self.page, &whole).text } else { text.to_owned() };
        let rules = &cx.rules.extract;
        let room = cx.rules.context_tokens.saturating_sub(count(&self.extract.instruction) + 600).max(200);
        self.text = Text::new(&shown, rules.chunk_tokens.min(room), rules.overlap);
        self.part = 0;
        if self.text.left_out > 0 {
            let (left, all) = (self.text.left_out, self.text.lines.len());
            cx.warn(format!("{left} of {all} lines of the page were not read for `extract`: it is too long"));
        }
        self.ask(cx)
    }

    /// Calls the model for the next chunk; after the last one, continues on the next page or ends.
    fn ask(&mut self, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        if self.part >= self.text.parts.len() {
            return self.turn(cx);
        }
        let Some(rules) = cx.rules.model.as_ref() else {
            return failed("no model is configured; set one with --model");
        };
        let schema = self.shape.of_value().map(ToString::to_string);
        let system = prompt::render(&prompt::ExtractPrompt {
            instruction: &self.extract.instruction,
            list: self.shape.list,
            schema: schema.as_deref(),
            shape: self.shape.example(),
        });
        let text = quote("text", &self.text.part(self.part));
        let user =
            prompt::render(&prompt::ExtractPart { part: self.part + 1, parts: self.text.parts.len(), text: &text });
        let (Ok(system), Ok(user)) = (system, user) else { return failed("the prompt could not be made") };
        // The reply may be as long as the chunk, otherwise a long list would be truncated.
        let room = u32::try_from(cx.rules.extract.chunk_tokens).unwrap_or(u32::MAX);
        let request = ChatRequest {
            tier: Default::default(),
            purpose: Purpose::Extract,
            messages: vec![message(ChatRole::System, system), message(ChatRole::User, user)],
            schema: self.shape.wire().filter(|_| rules.native_schema),
            max_reply_tokens: rules.max_reply_tokens.max(room),
            time_limit: None,
        };
        self.put(PendingModelCall::of(
            request,
            self.shape.wire(),
            "extracted data",
            self.shape.example(),
            cx.rules.limits.reasks,
        ))
    }

    fn put(&mut self, advice: PendingModelCall) -> WorkStep<ActionResult> {
        let need = advice.need();
        self.pending_call = Some(advice);
        WorkStep::Need(need)
    }

    fn replied(&mut self, reply: Result<ChatReply, ModelFailure>, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        let Some(advice) = self.pending_call.take() else { return failed("nothing was asked") };
        let alone = self.text.parts.len() == 1 && self.extract.pages == Some(1);
        // A chunk whose data is too long for a reply is split into halves.
        if let Ok(reply) = &reply
            && matches!(reply.finish.as_deref(), Some("length" | "max_tokens" | "MAX_TOKENS"))
            && self.shape.read(&reply.text, alone).is_err()
            && self.split()
        {
            cx.run_context.usage += reply.usage;
            return self.ask(cx);
        }
        match advice.handle_response(reply, |text| self.shape.read(text, alone), cx) {
            ReplyOutcome::Reply(read) => self.take(read, cx),
            ReplyOutcome::Retry(advice) => self.put(advice),
            ReplyOutcome::Failed(ReplyFailure::UnusableReply { content, problems }) => {
                match self.shape.salvage(&content) {
                    Some((kept, lost)) => {
                        cx.warn(format!(
                            "{lost} items were left out: they do not match the schema, also after repeated requests"
                        ));
                        self.take(kept, cx)
                    }
                    None => failed(format!("no reply was of any use: {}", problems.join("; "))),
                }
            }
            ReplyOutcome::Failed(why @ ReplyFailure::Unanswered(_)) => {
                failed(format!("the model does not answer: {why}"))
            }
            ReplyOutcome::Failed(why) => failed(why.to_string()),
        }
    }

    fn take(&mut self, read: ExtractReply, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        let page = u32::try_from(self.urls.len()).unwrap_or(u32::MAX);
        self.items.add(read, page, self.part, &self.text.lines);
        self.part += 1;
        self.ask(cx)
    }

    /// Splits the chunk into halves, if it is large enough.
    fn split(&mut self) -> bool {
        let part = self.text.parts[self.part].clone();
        if part.len() <= MIN_SPLIT_LINES {
            return false;
        }
        let middle = part.start + part.len() / 2;
        self.text.parts.splice(self.part..=self.part, [part.start..middle, middle - 1..part.end]);
        true
    }

    /// Goes to the next page, if there is one and the limit is not reached.
    fn turn(&mut self, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        let read = self.urls.len();
        if read > 1 && self.items.drop_repeated(u32::try_from(read).unwrap_or(u32::MAX)) {
            cx.warn(format!("page {read} repeats earlier items; it was treated as the end of the list"));
            self.urls.pop();
            return self.finish(cx);
        }
        if self.extract.pages.is_some_and(|pages| read >= pages as usize) {
            return self.finish(cx);
        }
        let Some(target) = self.next.on(&self.page) else { return self.finish(cx) };
        let click = Click::on(target);
        WorkStep::Need(Need::Act(intents(vec![Action::Click(click)], DecidedBy::Model)))
    }

    fn turned(&mut self, page: Arc<Snapshot>, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        if fingerprint(&page) == fingerprint(&self.page) {
            cx.warn("the control for the next page did not change the page; this was treated as the end of the list");
            return self.finish(cx);
        }
        self.urls.push(page.url.clone());
        self.page = page;
        WorkStep::Need(Need::Inspect(InspectRequest::Readable))
    }

    fn finish(&mut self, cx: &mut StepContext<'_>) -> WorkStep<ActionResult> {
        let pages = u32::try_from(self.urls.len()).unwrap_or(u32::MAX);
        let whole = std::mem::take(&mut self.items).whole(self.shape.key.as_deref(), pages);
        let wrong = self.shape.wrong(&whole.data);
        if !wrong.is_empty() {
            return failed(format!("the page does not contain all requested data: {}", wrong.join("; ")));
        }
        if !whole.unverified.is_empty() {
            let some = whole.unverified.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
            let more = if whole.unverified.len() > MAX_NAMED { ", …" } else { "" };
            let many = whole.unverified.len();
            cx.warn(format!("{many} extracted values are not in the lines that the model named: {some}{more}"));
        }
        let mut urls = std::mem::take(&mut self.urls).into_iter();
        let url = urls.next().unwrap_or_default();
        cx.emit(EventKind::DataExtracted {
            data: whole.data.clone(),
            sources: whole.sources,
            url,
            instruction: self.extract.instruction.clone(),
            unverified: whole.unverified,
            pages: urls.collect(),
            variable: self.extract.variable.clone(),
        });
        let url = self.page.url.clone();
        WorkStep::Done(ActionResult { value: Some(whole.data), url, ..ActionResult::done(Duration::ZERO) })
    }
}

fn failed(reason: impl Into<String>) -> WorkStep<ActionResult> {
    WorkStep::Done(ActionResult::failed(not_performed("extract", reason), Duration::ZERO))
}
