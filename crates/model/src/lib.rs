//! Model providers behind one trait, [`ChatModel`].
//!
//! A caller passes a [`ChatRequest`] and receives a [`ChatReply`]. Five modules do the work: `wire` converts the
//! request to the JSON of a provider and its reply back (pure, one file per wire format); `transport` sends one HTTP
//! request and reads a reply of limited size; `negotiate` remembers which method of structured output a server
//! accepts; `retry` decides when to send a request again; [`Provider`] combines them for one model. [`ModelRouter`]
//! combines several models: one chain for each purpose. [`Cassette`] records and replays the exchanges.
//!
//! The wire formats are implemented here instead of in a client library, because the requirements of this crate are
//! below the level of such libraries: a limit on the bytes of a reply while they arrive, `Retry-After`, errors that
//! never contain the request, and a fallback from one method of structured output to the next.

mod api_format;
mod cassette;
mod error;
mod http_exchange;
mod limit;
mod negotiate;
mod price;
mod provider;
mod provider_table;
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
pub use provider_table::{ProviderInfo, providers};
pub use providers::{ollama_base_url, provider_of};
pub use router::{ModelPurpose, ModelRouter};
pub use settings::{ModelSettings, RateLimit, Retries, Timeouts};
pub use streaming::DeltaSink;
pub use vision::accepts_images;

use async_trait::async_trait;
use legwork_protocol::{ChatReply, ChatRequest};
use tokio_util::sync::CancellationToken;

/// A model that answers chat requests.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// `provider/name`.
    fn name(&self) -> &str;

    /// Sends the request and waits for the complete reply. When `cancel` is cancelled, it closes the connection and
    /// returns [`ModelError::Cancelled`] at once.
    async fn chat(&self, request: &ChatRequest, cancel: &CancellationToken) -> Result<ChatReply, ModelError> {
        self.chat_stream(request, cancel, &()).await
    }

    /// Like [`ChatModel::chat`], but `sink` also receives the text of the reply as it arrives, if the provider
    /// supports streaming.
    async fn chat_stream(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, ModelError>;
}
