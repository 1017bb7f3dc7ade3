//! Limits concurrent calls and calls per minute. A call waits here before its own time limit begins.
//!
//! Each run opens its models anew, and the limits are about all runs of the process. So the limiters belong to the
//! process: a model that is opened again gets the limiter of its endpoint.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::Instant,
};
use url::Url;

use crate::RateLimit;

const MINUTE: Duration = Duration::from_secs(60);

/// The limiters of the process, by the name of the model and its endpoint. There are as many as models with a limit.
static LIMITERS: Mutex<BTreeMap<(String, Url), Arc<Limiter>>> = Mutex::new(BTreeMap::new());

pub(crate) struct Limiter {
    rate: RateLimit,
    at_once: Option<Semaphore>,
    per_minute: Option<usize>,
    /// When the latest calls started or will start, oldest first; at most `per_minute` entries.
    begun: Mutex<VecDeque<Instant>>,
}

impl Limiter {
    pub(crate) fn new(rate: RateLimit) -> Self {
        Limiter {
            rate,
            // Zero would wait forever. The settings reject it; here it is treated as one.
            at_once: rate.at_once.map(|most| Semaphore::new(most.max(1) as usize)),
            per_minute: rate.per_minute.map(|most| most.max(1) as usize),
            begun: Mutex::default(),
        }
    }

    /// The limiter for all calls of a model at an endpoint. After a change of the rate, calls that are opened from then
    /// on share a new one.
    pub(crate) fn shared(model: &str, endpoint: &Url, rate: RateLimit) -> Arc<Limiter> {
        if rate == RateLimit::default() {
            return Arc::new(Limiter::new(rate));
        }
        let mut limiters = LIMITERS.lock();
        let limiter =
            limiters.entry((model.to_owned(), endpoint.clone())).or_insert_with(|| Arc::new(Limiter::new(rate)));
        if limiter.rate != rate {
            *limiter = Arc::new(Limiter::new(rate));
        }
        limiter.clone()
    }

    /// Waits until a call may start. The call counts as running until the permit is dropped.
    pub(crate) async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        let permit = match &self.at_once {
            Some(places) => Some(places.acquire().await.expect("the semaphore is never closed")),
            None => None,
        };
        if let Some(most) = self.per_minute {
            tokio::time::sleep_until(self.reserve(most)).await;
        }
        permit
    }

    /// Reserves the next free start time. The reservation remains if the caller gives up, which errs on the side of
    /// fewer calls.
    fn reserve(&self, most: usize) -> Instant {
        let mut begun = self.begun.lock();
        let mut at = Instant::now();
        if begun.len() == most {
            let oldest = begun.pop_front().expect("`most` is at least one");
            at = at.max(oldest + MINUTE);
        }
        begun.push_back(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn limiter_delays_call_beyond_rate() {
        let limiter = Limiter::new(RateLimit { at_once: None, per_minute: Some(2) });
        let start = Instant::now();
        limiter.acquire().await;
        tokio::time::advance(Duration::from_secs(10)).await;
        limiter.acquire().await;
        assert_eq!(start.elapsed(), Duration::from_secs(10));
        limiter.acquire().await;
        assert_eq!(start.elapsed().as_secs(), 60);
        limiter.acquire().await;
        assert_eq!(start.elapsed().as_secs(), 70);
    }

    #[tokio::test]
    async fn one_at_a_time() {
        let limiter = Limiter::new(RateLimit { at_once: Some(1), per_minute: None });
        let first = limiter.acquire().await;
        assert!(first.is_some());
        let second = limiter.acquire();
        tokio::pin!(second);
        assert!(poll_once(second.as_mut()).await.is_none());
        drop(first);
        assert!(second.await.is_some());
    }

    /// Polls a future once.
    async fn poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(match future.as_mut().poll(cx) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
