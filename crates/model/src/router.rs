//! Several models behind one trait: each purpose has a chain, the first that answers is the one that did.
//!
//! What a call is for says whose it is ([`ModelPurpose::of`]); a purpose without a chain of its own uses the default one. A failure
//! that another model may not have (no connection, an overloaded provider, a refused schema, a wrong key) passes the call
//! on; the reply tells who was passed over, so that the journal can. A model that failed is asked last for a while: its
//! next call would only wait for the same end.

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

/// How long a model that failed is asked only when the others have failed too.
const REST: Duration = Duration::from_secs(60);

/// What models are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelPurpose {
    /// Makes plans.
    Plan,
    /// Decides actions, and everything that has no purpose of its own.
    Act,
    /// Checks answers.
    Validate,
    /// Takes data out of pages.
    Extract,
    /// Describes pictures.
    Look,
}

impl ModelPurpose {
    /// Whose call it is.
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

/// A model and when it last failed, shared by all its places.
#[derive(Clone)]
struct Member {
    model: Arc<dyn ChatModel>,
    failed: Arc<Mutex<Option<Instant>>>,
}

impl ModelRouter {
    /// One model for everything, and those that stand in for it, in order.
    pub fn new(model: Arc<dyn ChatModel>, stand_ins: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        let default = [vec![model], stand_ins].concat().into_iter().map(Member::new).collect();
        ModelRouter { default, own: BTreeMap::new(), cheap: Vec::new() }
    }

    /// With a chain of its own for a purpose.
    #[must_use]
    pub fn with(mut self, purpose: ModelPurpose, chain: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        let chain = self.members(chain);
        self.own.insert(purpose, chain);
        self
    }

    /// With cheap models that decide actions where [`ModelTier::Cheap`] is asked for.
    #[must_use]
    pub fn with_cheap(mut self, chain: Vec<Arc<dyn ChatModel>>) -> ModelRouter {
        self.cheap = self.members(chain);
        self
    }

    /// A model that stands in several chains fails in all of them.
    fn members(&self, chain: Vec<Arc<dyn ChatModel>>) -> Vec<Member> {
        let known = |name: &str| {
            let all = self.default.iter().chain(self.own.values().flatten()).chain(&self.cheap);
            all.into_iter().find(|member| member.model.name() == name).cloned()
        };
        chain.into_iter().map(|model| known(model.name()).unwrap_or_else(|| Member::new(model))).collect()
    }

    /// Who is asked, in order: the cheap ones first where they are wanted, those that failed lately at the end.
    fn asked(&self, request: &ChatRequest) -> Vec<&Member> {
        let purpose = ModelPurpose::of(request.purpose);
        let chain = self.own.get(&purpose).filter(|chain| !chain.is_empty()).unwrap_or(&self.default);
        let cheap = self.cheap.iter().filter(|_| purpose == ModelPurpose::Act && request.tier == ModelTier::Cheap);
        let mut asked: Vec<&Member> = Vec::new();
        for member in cheap.chain(chain) {
            if !asked.iter().any(|other| Arc::ptr_eq(&other.failed, &member.failed)) {
                asked.push(member);
            }
        }
        asked.sort_by_key(|member| member.is_cooling_down());
        asked
    }
}

impl Member {
    fn new(model: Arc<dyn ChatModel>) -> Member {
        Member { model, failed: Arc::default() }
    }

    fn is_cooling_down(&self) -> bool {
        self.failed.lock().is_some_and(|at| at.elapsed() < REST)
    }

    fn record_outcome(&self, failed: bool) {
        *self.failed.lock() = failed.then(Instant::now);
    }
}

#[async_trait]
impl ChatModel for ModelRouter {
    /// The first of the default chain.
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
        let asked = self.asked(request);
        let last = asked.len().saturating_sub(1);
        for (place, member) in asked.into_iter().enumerate() {
            let began = Instant::now();
            let error = match member.model.chat_stream(request, cancel, sink).await {
                Ok(reply) => {
                    member.record_outcome(false);
                    return Ok(ChatReply { failed_attempts, ..reply });
                }
                Err(error) => error,
            };
            let model = member.model.name().to_owned();
            if !error.is_failover_worthy() {
                return Err(after(failed_attempts, model, error));
            }
            member.record_outcome(true);
            if place == last {
                return Err(after(failed_attempts, model, error));
            }
            warn!(%model, %error, "the next model is asked");
            sink.reset();
            let (failure, retries) = (ModelFailure::from(&error), error.retries());
            failed_attempts.push(FailedAttempt { model, failure, latency: began.elapsed(), retries });
        }
        // A chain has a member; `new` takes one.
        Err(ModelError::Cancelled)
    }
}

/// The failure of one model is its own; that of several names them all.
fn after(failed_attempts: Vec<FailedAttempt>, model: String, last: ModelError) -> ModelError {
    match failed_attempts.is_empty() || matches!(last, ModelError::Cancelled) {
        true => last,
        false => ModelError::NoneLeft { failed_attempts, model, last: Box::new(last) },
    }
}
