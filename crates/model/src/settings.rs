//! The settings of one model, as plain values: the caller has already read flags, files and the environment.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use crate::{Cassette, Price};

/// How to reach a model.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// `provider/name`.
    pub model: String,
    /// The base URL; by default that of the provider.
    pub base_url: Option<Url>,
    /// The provider's key.
    pub key: Option<SecretString>,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Retries.
    pub retries: Retries,
    /// Limits on the number of calls.
    pub rate: RateLimit,
    /// The maximum size of a reply in bytes.
    pub max_reply_bytes: usize,
    /// The price, if the built-in table does not contain it or is out of date.
    pub price: Option<Price>,
    /// The temperature; by default that of the model. Some models refuse any other value.
    pub temperature: Option<f32>,
    /// A file to which the exchanges are recorded, or from which they are replayed.
    pub cassette: Option<Cassette>,
}

impl ModelSettings {
    /// A model with default settings.
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

    /// The longest time that a call may take: the configured limit, or else the sum of all attempts at their limit,
    /// all waits between them with their jitter, and one connection timeout as reserve.
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

/// Time limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For one request including its complete reply.
    pub request: Duration,
    /// For a call including its retries and waits. By default, the sum of these ([`ModelSettings::call_limit`]).
    pub call: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts { connect: Duration::from_secs(10), request: Duration::from_secs(30), call: None }
    }
}

/// How often a call is retried after 429, 5xx, a failed connection or a timeout. Each wait is twice the previous one,
/// plus jitter. `Retry-After` is honoured if the remaining time of the call allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// The maximum number of retries after the first attempt.
    pub max_retries: u32,
    /// The first wait.
    pub first_delay: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Retries { max_retries: 3, first_delay: Duration::from_secs(1) }
    }
}

/// Limits on the calls of one model from this process. There are none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls at the same time.
    pub at_once: Option<u32>,
    /// Calls started within one minute.
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
