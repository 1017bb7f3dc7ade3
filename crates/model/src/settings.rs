//! What a model is opened with. Plain values: whoever calls has read flags, files and the environment already.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use crate::{Cassette, Price};

/// How to reach a model.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// `provider/name`.
    pub model: String,
    /// Where it listens; the provider's own address without it.
    pub base_url: Option<Url>,
    /// The provider's key.
    pub key: Option<SecretString>,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// How often to try again.
    pub retries: Retries,
    /// How much to ask at most.
    pub rate: RateLimit,
    /// The most bytes a reply may have.
    pub max_reply_bytes: usize,
    /// What it costs, when the built-in table does not know or is out of date.
    pub price: Option<Price>,
    /// Passed on to the model; its own default without it. Some models refuse every other value.
    pub temperature: Option<f32>,
    /// Record the exchanges to a file, or replay them from one.
    pub cassette: Option<Cassette>,
}

impl ModelSettings {
    /// A model with everything at its default.
    pub fn new(model: impl Into<String>) -> Self {
        ModelSettings {
            model: model.into(),
            base_url: None,
            key: None,
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            rate: RateLimit::default(),
            max_reply_bytes: 4 << 20,
            price: None,
            temperature: None,
            cassette: None,
        }
    }

    /// The longest that a call may take: as set, or every request to its limit, every wait between them with its
    /// jitter, and the time of a connection to spare.
    pub fn call_limit(&self) -> Duration {
        let Timeouts { connect, request, call } = self.timeouts;
        call.unwrap_or_else(|| {
            let waits = (0..self.retries.max_retries).fold(Duration::ZERO, |sum, nth| {
                let wait = self.retries.first_delay.saturating_mul(2u32.saturating_pow(nth));
                sum.saturating_add(wait.saturating_mul(2))
            });
            request
                .saturating_mul(self.retries.max_retries.saturating_add(1))
                .saturating_add(waits)
                .saturating_add(connect)
        })
    }
}

/// How long to wait (contract §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For one request and its whole reply.
    pub request: Duration,
    /// For a call with all its retries and waits. Without it, what these may take together
    /// ([`ModelSettings::call_limit`]).
    pub call: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { connect: Duration::from_secs(10), request: Duration::from_secs(30), call: None }
    }
}

/// How often to try again after 429, 5xx, a failed connection or a timeout: each wait is twice the one before, plus
/// jitter. `Retry-After` is honoured as far as the call's time reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often at most, after the first attempt.
    pub max_retries: u32,
    /// The first wait.
    pub first_delay: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Retries { max_retries: 3, first_delay: Duration::from_secs(1) }
    }
}

/// How much to ask of one model, from this process. Nothing is limited by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls at the same time.
    pub at_once: Option<u32>,
    /// Calls begun within any minute.
    pub per_minute: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_may_take_what_its_parts_may() {
        let mut settings = ModelSettings::new("openai/gpt-5");
        assert_eq!(settings.call_limit(), Duration::from_secs(4 * 30 + 2 * (1 + 2 + 4) + 10));
        settings.retries.max_retries = u32::MAX;
        settings.timeouts.call = Some(Duration::from_secs(60));
        assert_eq!(settings.call_limit(), Duration::from_secs(60));
    }
}
