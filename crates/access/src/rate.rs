//! A limit of requests per second.

use std::{fmt, num::NonZeroU32, time::Duration};

use governor::{
    DefaultDirectRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

/// A number of requests per second, with bursts of up to four times as many.
pub struct RequestLimiter(DefaultDirectRateLimiter);

impl RequestLimiter {
    /// A limit of this many requests per second, at least one.
    pub fn per_second(requests: u32) -> RequestLimiter {
        let requests = NonZeroU32::new(requests).unwrap_or(NonZeroU32::MIN);
        let burst = requests.saturating_mul(NonZeroU32::MIN.saturating_add(3));
        RequestLimiter(RateLimiter::direct(Quota::per_second(requests).allow_burst(burst)))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time to wait, if there are too many.
    pub fn check(&self) -> Result<(), Duration> {
        self.0.check().map_err(|until| until.wait_time_from(DefaultClock::default().now()))
    }
}

impl fmt::Debug for RequestLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestLimiter")
    }
}
