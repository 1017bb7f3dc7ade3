//! Executes the operations of a run: observes the page, performs actions, calls the model, and stores content that is
//! too large for an event. Every result is a value for the agent. Data that only the journal needs is returned
//! separately.

use std::{pin::pin, sync::Arc, time::Duration};

use base64::Engine as _;
use legwork_agent::{DeciderReply, DecisionContext, InspectRequest, InspectResult};
use legwork_browser::{ElementFacts, LimitedTab, RequestLimit, ScreenshotOptions, Session};
use legwork_model::{ChatModel, ModelError};
use legwork_observe::Snapshot;
use legwork_protocol::{
    Action, ActionFailure, ActionResult, AiCall, Artifact, Call, ChatReply, ChatRequest, Code, CommandId, ErrorReport,
    Image, ModelFailure, PageLog, PageObserved, Target, Usage,
};
use legwork_store::{Artifacts, Lessons};
use serde_json::{Value, json};
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    activity::ActivityCursor,
    compose::Prices,
    decider::Decider,
    error::browser_code,
    guard::RunGuard,
    lessons,
    live::LiveView,
    readable,
    restore::{STATE_MEDIA_TYPE, SavedState},
    run_policy::drop_target,
    run_session::RunSession,
    tools::Tools,
};

/// Maximum number of bytes of a page's text in an artifact.
const MAX_TEXT_BYTES: usize = 400_000;

/// The task that writes a page's text. It returns the artifact.
pub(crate) type Text = JoinHandle<Option<Artifact>>;

/// The task that takes a screenshot.
pub(crate) type PendingScreenshot = JoinHandle<CapturedScreenshot>;

/// The result of a screenshot.
pub(crate) enum CapturedScreenshot {
    /// The image with its width and height.
    Image(Artifact, u32, u32),
    /// A dialog of the page was open. The browser takes no screenshots until the dialog is answered.
    DialogOpen,
    Failed,
}

/// The browser, the model and the store of one run.
pub(crate) struct RunExecutor {
    pub(crate) run_session: RunSession,
    pub(crate) model: Option<Arc<dyn ChatModel>>,
    pub(crate) decider: Option<Arc<dyn Decider>>,
    pub(crate) live: Arc<LiveView>,
    pub(crate) artifacts: Arc<dyn Artifacts>,
    pub(crate) guard: Arc<RunGuard>,
    pub(crate) screenshots: Option<ScreenshotOptions>,
    /// Maximum number of tokens in a result of `find`.
    pub(crate) find_tokens: usize,
    /// Prices of models.
    pub(crate) prices: Prices,
    /// The user's tools.
    pub(crate) tools: Tools,
    /// Lessons from other runs, if the run may use them.
    pub(crate) lessons: Option<Arc<dyn Lessons>>,
    pub(crate) page: Option<Arc<Snapshot>>,
    /// Up to where consoles and requests were read.
    pub(crate) activity_cursor: ActivityCursor,
    /// Why the browser could not be started. It is more specific than the failure `BrowserGone`.
    pub(crate) fault: Option<ErrorReport>,
}

impl RunExecutor {
    /// Observes the page; on request, after its next change or a time limit. A page with very many frames takes long,
    /// and a cancelled run does not wait for it.
    pub(crate) async fn observe(
        &mut self,
        after_change_within: Option<Duration>,
        cancel: &CancellationToken,
    ) -> Result<(Arc<Snapshot>, PageObserved), ActionFailure> {
        let began = Instant::now();
        let session = self.session().await?.clone();
        let page = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ActionFailure::Cancelled),
            page = session.observe(after_change_within) => page?,
        };
        self.page = Some(page.clone());
        let observed = PageObserved {
            url: page.url.clone(),
            title: page.title.clone(),
            fingerprint: legwork_observe::fingerprint_text(&page),
            tokens: None,
            text: None,
            duration_ms: millis(began.elapsed()),
        };
        Ok((page, observed))
    }

    /// Calls the program's own decider.
    pub(crate) async fn call_decider(&self, situation: &DecisionContext) -> DeciderReply {
        let Some(decider) = &self.decider else { return DeciderReply::Passed };
        match decider.decide(situation).await {
            Ok(Some(decision)) => DeciderReply::Decided(Box::new(decision)),
            Ok(None) => DeciderReply::Passed,
            Err(error) => DeciderReply::Failed(error.to_string()),
        }
    }

    /// Executes one action.
    pub(crate) async fn act(&mut self, action: &Action, cancel: &CancellationToken) -> ActionResult {
        let began = Instant::now();
        let mut result = match action {
            Action::Find(find) => self.find(&find.text),
            Action::Call(call) => self.call(call, cancel).await,
            Action::Extract(_) => unavailable(action, "not available here; read or find the text instead"),
            // The screenshot is taken afterwards, as for any other action. Here it is only checked whether it is
            // possible.
            Action::Look(_) if self.screenshots.is_none() => {
                unavailable(action, "screenshots are disabled (`screenshots.enabled`)")
            }
            Action::Look(_) => match self.session().await {
                Ok(session) => ActionResult { url: session.url(), ..ActionResult::done(began.elapsed()) },
                Err(failure) => ActionResult::failed(failure, began.elapsed()),
            },
            _ => match self.session().await {
                Ok(session) => session.act(action, cancel).await,
                Err(failure) => ActionResult::failed(failure, began.elapsed()),
            },
        };
        if matches!(action, Action::Dom(_) | Action::Subdom(_)) {
            self.store_page_source(&mut result).await;
        }
        result
    }

    /// What rules must know about the element of an action, or about the focused element, and about the element on
    /// which a drag ends.
    pub(crate) async fn element_facts(
        &mut self,
        action: &Action,
    ) -> Result<(ElementFacts, Option<ElementFacts>), ActionFailure> {
        facts_for(self.session().await?, action).await
    }

    /// Sets or ends the limit for the requests of a tab. A session that is not open yet has none to end.
    pub(crate) async fn limit_requests(
        &mut self,
        tab: LimitedTab,
        limit: Option<Arc<dyn RequestLimit>>,
    ) -> Result<(), ActionFailure> {
        if limit.is_none() && self.run_session.open().is_none() {
            return Ok(());
        }
        self.session().await?.limit_requests(tab, limit).await
    }

    /// The title of the page now; empty if no page was opened.
    pub(crate) async fn title(&self) -> String {
        match self.run_session.open() {
            Some(session) => session.title().await,
            None => String::new(),
        }
    }

    /// The address of the page now; empty if no page was opened.
    pub(crate) fn url(&self) -> String {
        self.run_session.open().map(|session| session.url()).unwrap_or_default()
    }

    /// Executes one query of an investigation or of the memory.
    pub(crate) async fn inspect(&mut self, inspection: &InspectRequest) -> Result<InspectResult, ActionFailure> {
        match inspection {
            InspectRequest::Picture { target, marks } => {
                let options = ScreenshotOptions {
                    target: target.clone(),
                    marks: marks.clone(),
                    ..self.screenshots.clone().unwrap_or_default()
                };
                let picture = self.session().await?.screenshot(options).await?;
                let data = base64::engine::general_purpose::STANDARD.encode(picture.bytes);
                Ok(InspectResult::Picture(Image { media_type: picture.media_type.to_owned(), data: data.into() }))
            }
            InspectRequest::Readable => {
                let html = self.session().await?.readable().await?;
                readable::markdown(html).await.map(InspectResult::Text)
            }
            InspectRequest::Recall { site } => match &self.lessons {
                Some(store) => lessons::recall(&**store, site).await.map(InspectResult::Lessons),
                None => Ok(InspectResult::Lessons(Vec::new())),
            },
        }
    }

    /// Starts a screenshot of the page or of an element, without waiting for it.
    pub(crate) fn capture_screenshot(&self, target: Option<Target>) -> Option<PendingScreenshot> {
        let (options, session) = (self.screenshots.clone()?, self.run_session.open()?.clone());
        let options = ScreenshotOptions { target: target.or(options.target), ..options };
        let artifacts = self.artifacts.clone();
        Some(tokio::spawn(async move {
            let picture = match session.screenshot(options).await {
                Ok(picture) => picture,
                Err(ActionFailure::DialogOpen { .. }) => return CapturedScreenshot::DialogOpen,
                Err(_) => return CapturedScreenshot::Failed,
            };
            let (width, height) = (picture.width, picture.height);
            match artifacts.put(picture.bytes, picture.media_type).await {
                Ok(image) => CapturedScreenshot::Image(image, width, height),
                Err(_) => CapturedScreenshot::Failed,
            }
        }))
    }

    /// Starts writing the text of the last observation to an artifact, without waiting for it.
    pub(crate) fn save_page_text(&self) -> Option<Text> {
        let (page, artifacts, guard) = (self.page.clone()?, self.artifacts.clone(), self.guard.clone());
        Some(tokio::spawn(async move {
            let written = tokio::task::spawn_blocking(move || {
                let mut text = legwork_observe::full_text(&page, MAX_TEXT_BYTES);
                guard.mask_text(&mut text);
                text
            });
            artifacts.put(written.await.ok()?.into_bytes(), "text/plain; charset=utf-8").await.ok()
        }))
    }

    /// What pages wrote to their consoles and requested since the last call.
    pub(crate) fn activity(&mut self, command: CommandId) -> Option<PageLog> {
        self.activity_cursor.since(self.run_session.open()?, command)
    }

    /// The session, if it is open.
    pub(crate) fn session_in_use(&self) -> Option<Arc<Session>> {
        self.run_session.open().cloned()
    }

    /// Calls the model. It returns an audit record for each model that was called, whatever the result.
    pub(crate) async fn decide(
        &self,
        mut request: ChatRequest,
        cancel: &CancellationToken,
    ) -> (Result<ChatReply, ModelFailure>, Vec<AiCall>) {
        let Some(model) = &self.model else {
            let message =
                "no model is configured; write a step that needs no model (docs/steps.md), or set a model with --model"
                    .to_owned();
            return (Err(ModelFailure { code: Code::ModelConnection, message, retryable: false }), Vec::new());
        };
        if self.guard.has_secrets() {
            for message in &mut request.messages {
                let mut text = message.text.to_string();
                self.guard.mask_text(&mut text);
                message.text = text.into();
            }
        }
        let began = Instant::now();
        let live_call = self.live.call(request.purpose);
        let kept = self.keep_json(&request);
        let answer = within_limit(request.time_limit, cancel, |stop| {
            let (model, request, live_call) = (&model, &request, &live_call);
            async move { model.chat_stream(request, &stop, live_call).await }
        });
        let (kept, answer) = tokio::join!(kept, answer);
        let (failed_attempts, last) = match &answer {
            Ok(reply) => (reply.failed_attempts.clone(), reply.model.clone()),
            Err(error) => match error.tried() {
                Some((failed_attempts, last)) => (failed_attempts.to_vec(), last.to_owned()),
                None => (Vec::new(), model.name().to_owned()),
            },
        };
        let retries = answer.as_ref().map_or_else(ModelError::retries, |reply| reply.retries);
        let answer = answer.map_err(|error| ModelFailure::from(&error)).map(|mut reply| {
            estimate_missing_usage(&request, &mut reply, &self.prices);
            reply
        });
        let Some(kept) = kept else { return (answer, Vec::new()) };
        let failed = |model: String, failure: &ModelFailure, latency: Duration, retries: u32| AiCall {
            purpose: request.purpose,
            model,
            request: kept.clone(),
            reply: None,
            usage: Usage { calls: 1, ..Usage::default() },
            latency_ms: millis(latency),
            retries,
            finish: None,
            error: Some(ErrorReport::new(failure.code, failure.message.clone())),
        };
        let mut waited = Duration::ZERO;
        let mut calls = Vec::with_capacity(failed_attempts.len() + 1);
        for one in failed_attempts {
            waited += one.latency;
            calls.push(failed(one.model, &one.failure, one.latency, one.retries));
        }
        calls.push(match &answer {
            Ok(reply) => AiCall {
                purpose: request.purpose,
                model: last,
                request: kept.clone(),
                reply: self.keep_reply(reply.text.clone()).await,
                usage: reply.usage,
                latency_ms: millis(reply.latency),
                retries,
                finish: reply.finish.clone(),
                error: None,
            },
            Err(failure) => failed(last, failure, began.elapsed().saturating_sub(waited), retries),
        });
        (answer, calls)
    }

    /// Stores the reply of a model, which may repeat a secret that it worked out.
    async fn keep_reply(&self, mut text: String) -> Option<Artifact> {
        self.guard.mask_text(&mut text);
        self.artifacts.put(text.into_bytes(), "text/plain; charset=utf-8").await.ok()
    }

    /// Stores what a resumed run needs: cookies, storage and the address.
    pub(crate) async fn capture_state(&self) -> Option<(Artifact, String)> {
        let session = self.run_session.open()?;
        let storage = session.storage_state().await.ok()?;
        let url = session.url();
        let bytes = serde_json::to_vec(&SavedState { storage, url: url.clone() }).ok()?;
        let state = self.artifacts.put(bytes, STATE_MEDIA_TYPE).await.ok()?;
        Some((state, url))
    }

    async fn session(&mut self) -> Result<&Arc<Session>, ActionFailure> {
        match self.run_session.session().await {
            Ok(session) => Ok(session),
            Err(error) => {
                let code = browser_code(&error);
                self.fault.get_or_insert_with(|| ErrorReport::new(code, error.to_string()).caused_by(&*error));
                Err(ActionFailure::BrowserGone { reason: error.to_string() })
            }
        }
    }

    /// Calls one of the user's tools. Secrets are masked in its result.
    async fn call(&self, call: &Call, cancel: &CancellationToken) -> ActionResult {
        let mut result = self.tools.call(call, cancel).await;
        result.value = result.value.map(|value| self.guard.masked(value).unwrap_or_else(|rest| rest));
        if let Some(ActionFailure::ToolFailed { reason, .. }) = &mut result.failure {
            self.guard.mask_text(reason);
        }
        result
    }

    fn find(&self, pattern: &str) -> ActionResult {
        let Some(page) = &self.page else {
            return ActionResult::failed(
                ActionFailure::NotAvailable { what: "find".into(), reason: "no page has been observed yet".into() },
                Duration::ZERO,
            );
        };
        match legwork_observe::find(page, pattern, self.find_tokens) {
            Ok(found) => ActionResult {
                value: Some(json!(found.text)),
                url: page.url.clone(),
                ..ActionResult::done(Duration::ZERO)
            },
            Err(error) => ActionResult::failed(
                ActionFailure::InvalidArgument { what: "find".into(), reason: error.to_string() },
                Duration::ZERO,
            ),
        }
    }

    /// Moves a page's source into the store. The result then contains only the artifact.
    async fn store_page_source(&self, result: &mut ActionResult) {
        if let Some(Value::String(html)) = result.value.take() {
            result.dom = self.artifacts.put(html.into_bytes(), "text/html; charset=utf-8").await.ok();
        }
    }

    async fn keep_json(&self, value: &impl serde::Serialize) -> Option<Artifact> {
        let bytes = serde_json::to_vec(value).ok()?;
        self.artifacts.put(bytes, "application/json").await.ok()
    }
}

/// What rules must know about the element of an action, or about the focused element, and about the element on which a
/// drag ends.
pub(crate) async fn facts_for(
    session: &Session,
    action: &Action,
) -> Result<(ElementFacts, Option<ElementFacts>), ActionFailure> {
    let element = session.facts_for(action).await?;
    let drop = match drop_target(action) {
        Some(target) => Some(session.element_facts(Some(target)).await?),
        None => None,
    };
    Ok((element, drop))
}

/// How long a model call that was cancelled may take to end.
const CANCEL_LIMIT: Duration = Duration::from_millis(500);

/// Waits for a model call until its time limit, at which the call is cancelled.
async fn within_limit<F: Future<Output = Result<ChatReply, ModelError>>>(
    limit: Option<Duration>,
    cancel: &CancellationToken,
    call: impl FnOnce(CancellationToken) -> F,
) -> Result<ChatReply, ModelError> {
    let stop = cancel.child_token();
    let mut call = pin!(call(stop.clone()));
    let Some(limit) = limit else { return call.await };
    if let Ok(answer) = tokio::time::timeout(limit, &mut call).await {
        return answer;
    }
    stop.cancel();
    // The model may have answered meanwhile. One that ignores that it is cancelled is not waited for.
    match tokio::time::timeout(CANCEL_LIMIT, call).await {
        Ok(Err(ModelError::Cancelled)) if cancel.is_cancelled() => Err(ModelError::Cancelled),
        Ok(Err(ModelError::Cancelled)) | Err(_) => Err(ModelError::TimeLimit { after: limit }),
        Ok(answer) => answer,
    }
}

fn unavailable(action: &Action, reason: &str) -> ActionResult {
    let failure = ActionFailure::NotPerformed { action: action.name().into(), reason: reason.into() };
    ActionResult::failed(failure, Duration::ZERO)
}

/// Estimates the tokens of a call whose provider reported none. The call was not free, and a limit that ignored it
/// would have no effect.
fn estimate_missing_usage(request: &ChatRequest, reply: &mut ChatReply, prices: &Prices) {
    let usage = &mut reply.usage;
    if usage.prompt_tokens == 0 {
        let texts = request.messages.iter().map(|message| legwork_observe::tokens::count(&message.text));
        let schema = request.schema.as_ref().map(|schema| legwork_observe::tokens::count(&schema.schema.to_string()));
        usage.prompt_tokens = texts.chain(schema).sum::<usize>() as u64;
        usage.estimated = true;
    }
    if usage.completion_tokens == 0 && !reply.text.is_empty() {
        usage.completion_tokens = legwork_observe::tokens::count(&reply.text) as u64;
        usage.estimated = true;
    }
    if usage.estimated && usage.cost_usd.is_none() {
        usage.cost_usd = prices.of(&reply.model).map(|price| price.of(usage.prompt_tokens, usage.completion_tokens));
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_model_call_ends_at_its_time_limit_even_if_it_ignores_that_it_is_cancelled() {
        let limit = Duration::from_secs(3);
        let run = CancellationToken::new();
        let obeys = |stop: CancellationToken| async move {
            stop.cancelled().await;
            Err(ModelError::Cancelled)
        };
        let began = Instant::now();
        let ended = within_limit(Some(limit), &run, obeys).await;
        assert!(matches!(ended, Err(ModelError::TimeLimit { after }) if after == limit), "{ended:?}");
        assert_eq!(began.elapsed(), limit);
        let ended = within_limit(Some(limit), &run, |_| std::future::pending()).await;
        assert!(matches!(ended, Err(ModelError::TimeLimit { .. })), "{ended:?}");
        run.cancel();
        let ended = within_limit(Some(limit), &run, obeys).await;
        assert!(matches!(ended, Err(ModelError::Cancelled)), "{ended:?}");
    }
}
