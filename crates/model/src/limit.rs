//! How much is asked at once and per minute. A call waits for its place before its own time begins to run.

use std::{collections::VecDeque, time::Duration};

use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::Instant,
};

use crate::RateLimit;

const MINUTE: Duration = Duration::from_secs(60);

pub(crate) struct Limiter {
    at_once: Option<Semaphore>,
    per_minute: Option<usize>,
    /// When the latest calls began or will begin, the oldest first, `per_minute` at most.
    begun: Mutex<VecDeque<Instant>>,
}

impl Limiter {
    pub(crate) fn new(rate: RateLimit) -> Self {
        Limiter {
            // Nought would be a wait without end; settings refuse it, here it means one.
            at_once: rate.at_once.map(|most| Semaphore::new(most.max(1) as usize)),
            per_minute: rate.per_minute.map(|most| most.max(1) as usize),
            begun: Mutex::default(),
        }
    }

    /// Waits until a call may begin. It counts as going on until the permit is dropped.
    pub(crate) async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        let permit = match &self.at_once {
            Some(places) => Some(places.acquire().await.expect("the semaphore is never closed")),
            None => None,
        };
        if let Some(most) = self.per_minute {
            tokio::time::sleep_until(self.book(most)).await;
        }
        permit
    }

    /// Takes the next free moment. It stays taken when the caller gives up, which errs towards asking less.
    fn book(&self, most: usize) -> Instant {
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
    async fn the_third_of_two_a_minute_waits_for_the_first_to_be_a_minute_old() {
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
        assert!(futures_poll(second.as_mut()).await.is_none());
        drop(first);
        assert!(second.await.is_some());
    }

    /// One look at a future.
    async fn futures_poll<F: Future>(mut future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(match future.as_mut().poll(cx) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
