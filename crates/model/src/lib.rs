//! Model providers behind one trait.
//!
//! A [`ChatRequest`] goes in, a [`ChatReply`] comes out, and what lies between is in five places: `wire` turns the
//! one into a provider's JSON and back (pure, a file per wire format), `transport` sends one HTTP request and reads a
//! bounded reply, `negotiate` remembers which way of asking for JSON a model takes, `retry` decides when to send again,
//! and [`Provider`] joins them for one model. [`ModelRouter`] joins several: a chain for each thing a model is asked for.
//! [`Cassette`] records and replays the exchanges.
//!
//! The wire is spoken directly rather than through a library, because what this crate owes lies below where the
//! libraries begin: a cap on the reply's bytes while they arrive, `Retry-After`, errors that never carry the request,
//! and a step down from one way of structured output to the next.

mod cassette;
mod error;
mod limit;
mod negotiate;
mod price;
mod provider;
mod providers;
mod retry;
mod router;
mod settings;
mod streaming;
mod transport;
mod vision;
mod wire;

pub use cassette::{Cassette, CassetteError};
pub use error::{ModelError, ReplyProblem};
pub use price::Price;
pub use provider::Provider;
pub use providers::{ProviderInfo, ollama_base_url, provider_of, providers};
pub use router::{ModelPurpose, ModelRouter};
pub use settings::{ModelSettings, RateLimit, Retries, Timeouts};
pub use streaming::DeltaSink;
pub use vision::sees;

use async_trait::async_trait;
use legwork_protocol::{ChatReply, ChatRequest};
use tokio_util::sync::CancellationToken;

/// A model that can be asked.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// `provider/name`.
    fn name(&self) -> &str;

    /// Asks, and waits for the whole reply. Ends at once with [`ModelError::Cancelled`] when `cancel` is, and closes
    /// the connection then.
    async fn chat(&self, request: &ChatRequest, cancel: &CancellationToken) -> Result<ChatReply, ModelError> {
        self.chat_stream(request, cancel, &()).await
    }

    /// As [`ChatModel::chat`]; whoever listens hears the reply while it comes, where the provider sends it in pieces.
    async fn chat_stream(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, ModelError>;
}
