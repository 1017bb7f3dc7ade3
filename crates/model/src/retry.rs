//! Decides when a failed call is retried. Pure: it receives the failure and the remaining time, and returns the
//! waiting time.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use crate::{ModelError, Retries};

pub(crate) struct RetrySchedule {
    delays: ExponentialBackoff,
    pub(crate) retries: u32,
}

impl RetrySchedule {
    pub(crate) fn new(retries: Retries) -> Self {
        let delays = ExponentialBuilder::default()
            .with_min_delay(retries.first_delay)
            .with_factor(2.0)
            .with_max_times(retries.max_retries as usize)
            .with_jitter()
            .build();
        RetrySchedule { delays, retries: 0 }
    }

    /// The waiting time before the next attempt. `None` if there is no further attempt: the failure is final, the
    /// attempts are used up, or the waiting time would exceed the remaining time of the call.
    pub(crate) fn after(&mut self, failure: &ModelError, left: Duration) -> Option<Duration> {
        if !failure.retryable() {
            return None;
        }
        let ours = self.delays.next()?;
        let wait = failure.retry_after().unwrap_or(ours);
        if wait >= left {
            return None;
        }
        self.retries += 1;
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1000);

    fn busy(retry_after: Option<u64>) -> ModelError {
        ModelError::RateLimited { retry_after: retry_after.map(Duration::from_secs), message: String::new() }
    }

    #[test]
    fn three_times_from_a_second_doubling_with_jitter() {
        let mut schedule = RetrySchedule::new(Retries::default());
        for least in [1, 2, 4] {
            let wait = schedule.after(&busy(None), LONG).unwrap();
            let least = Duration::from_secs(least);
            assert!(wait >= least && wait <= least * 2, "{wait:?} for {least:?}");
        }
        assert_eq!(schedule.after(&busy(None), LONG), None);
        assert_eq!(schedule.retries, 3);
    }

    #[test]
    fn the_provider_knows_better_but_cannot_outlast_the_call() {
        let mut schedule = RetrySchedule::new(Retries::default());
        assert_eq!(schedule.after(&busy(Some(20)), LONG), Some(Duration::from_secs(20)));
        assert_eq!(schedule.after(&busy(Some(20)), Duration::from_secs(20)), None);
        assert_eq!(schedule.retries, 1);
    }

    #[test]
    fn what_is_final_is_not_tried_again() {
        let refused = ModelError::Refused { status: 404, message: String::new() };
        assert_eq!(RetrySchedule::new(Retries::default()).after(&refused, LONG), None);
    }
}
