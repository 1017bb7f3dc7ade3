//! Selects a model for each call. Each purpose has a chain of models, and the first model that replies is used.
//!
//! The purpose of a call selects the chain ([`ModelPurpose::of`]); a purpose without its own chain uses the default
//! one. A failure that another model may not have (no connection, an overloaded provider, a refused schema, a wrong
//! key) passes the call to the next model. The reply lists the models that failed, so that the journal can record
//! them. A model that failed is called last for some time, because its next call would probably fail too, after the
//! same wait.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use legwork_protocol::{ChatReply, ChatRequest, FailedAttempt, ModelFailure, ModelTier, Purpose};
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{ChatModel, DeltaSink, ModelError};

/// How long a model that failed is called only after the others have failed.
const FAILURE_MEMORY: Duration = Duration::from_secs(60);

/// What a model is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelPurpose {
    /// Making plans.
    Plan,
    /// Choosing actions, and everything without its own purpose.
    Act,
    /// Checking answers.
    Validate,
    /// Extracting data from pages.
    Extract,
    /// Describing pictures.
    Look,
}

impl ModelPurpose {
    /// The chain for a call with this purpose.
    pub fn of(purpose: Purpose) -> ModelPurpose {
        match purpose {
            Purpose::Plan => ModelPurpose::Plan,
            Purpose::Validate => ModelPurpose::Validate,
            Purpose::Extract => ModelPurpose::Extract,
            Purpose::Look => ModelPurpose::Look,
            Purpose::Act | Purpose::Investigate | Purpose::Reflect | Purpose::Compact => ModelPurpose::Act,
        }
    }
}

/// Models by purpose.
pub struct ModelRouter {
    default: Vec<Member>,
    own: BTreeMap<ModelPurpose, Vec<Member>>,
    cheap: Vec<Member>,
}

/// A model and the time of its last failure, shared by all chains that contain it.
#[derive(Clone)]
struct Member {
    model: Arc<dyn ChatModel>,
    failed: Arc<Mutex<Option<Instant>>>,
}

impl ModelRouter {
    /// One model for all purposes, and its fallback models in order.
    pub fn new(model: Arc<dyn ChatModel>, fallbacks: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        let default = [vec![model], fallbacks].concat().into_iter().map(Member::new).collect();
        ModelRouter { default, own: BTreeMap::new(), cheap: Vec::new() }
    }

    /// Adds a chain for one purpose.
    #[must_use]
    pub fn with(mut self, purpose: ModelPurpose, chain: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        let chain = self.members(chain);
        self.own.insert(purpose, chain);
        self
    }

    /// Adds cheaper models that choose actions when a request asks for [`ModelTier::Cheap`].
    #[must_use]
    pub fn with_cheap(mut self, chain: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        self.cheap = self.members(chain);
        self
    }

    /// A model in several chains is one member, so that a failure counts in all of them.
    fn members(&self, chain: Vec<Arc<dyn ChatModel>>) -> Vec<Member> {
        let known = |name: &str| {
            let all = self.default.iter().chain(self.own.values().flatten()).chain(&self.cheap);
            all.into_iter().find(|member| member.model.name() == name).cloned()
        };
        chain.into_iter().map(|model| known(model.name()).unwrap_or_else(|| Member::new(model))).collect()
    }

    /// The models to call, in order: cheaper ones first if the request asks for them, models that failed recently
    /// last.
    fn candidates(&self, request: &ChatRequest) -> Vec<&Member> {
        let purpose = ModelPurpose::of(request.purpose);
        let chain = self.own.get(&purpose).filter(|chain| !chain.is_empty()).unwrap_or(&self.default);
        let cheap = self.cheap.iter().filter(|_| purpose == ModelPurpose::Act && request.tier == ModelTier::Cheap);
        let mut candidates: Vec<&Member> = Vec::new();
        for member in cheap.chain(chain) {
            if !candidates.iter().any(|other| Arc::ptr_eq(&other.failed, &member.failed)) {
                candidates.push(member);
            }
        }
        candidates.sort_by_key(|member| member.is_cooling_down());
        candidates
    }
}

impl Member {
    fn new(model: Arc<dyn ChatModel>) -> Member {
        Member { model, failed: Arc::default() }
    }

    fn is_cooling_down(&self) -> bool {
        self.failed.lock().is_some_and(|at| at.elapsed() < FAILURE_MEMORY)
    }

    fn record_outcome(&self, failed: bool) {
        *self.failed.lock() = failed.then(Instant::now);
    }
}

#[async_trait]
impl ChatModel for ModelRouter {
    /// The name of the first model of the default chain.
    fn name(&self) -> &str {
        self.default.first().map_or("", |member| member.model.name())
    }

    async fn chat_stream(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, ModelError> {
        let mut failed_attempts = Vec::new();
        let candidates = self.candidates(request);
        let last = candidates.len().saturating_sub(1);
        for (index, member) in candidates.into_iter().enumerate() {
            let began = Instant::now();
            let error = match member.model.chat_stream(request, cancel, sink).await {
                Ok(reply) => {
                    member.record_outcome(false);
                    return Ok(ChatReply { failed_attempts, ..reply });
                }
                Err(error) => error,
            };
            let model = member.model.name().to_owned();
            if !error.allows_failover() {
                return Err(after(failed_attempts, model, error));
            }
            member.record_outcome(true);
            if index == last {
                return Err(after(failed_attempts, model, error));
            }
            warn!(%model, %error, "the model failed; calling the next one");
            sink.reset();
            let (failure, retries) = (ModelFailure::from(&error), error.retries());
            failed_attempts.push(FailedAttempt { model, failure, latency: began.elapsed(), retries });
        }
        // Unreachable: a chain is never empty, because `new` requires a model.
        Err(ModelError::Cancelled)
    }
}

/// The error for the caller: the failure itself if one model was called, otherwise a list of all failures.
fn after(failed_attempts: Vec<FailedAttempt>, model: String, last: ModelError) -> ModelError {
    match failed_attempts.is_empty() || matches!(last, ModelError::Cancelled) {
        true => last,
        false => ModelError::AllModelsFailed { failed_attempts, model, last: Box::new(last) },
    }
}
