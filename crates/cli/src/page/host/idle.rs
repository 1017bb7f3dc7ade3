//! Determines when the host ends: when no call is running and none has been for the idle timeout of its sessions.
//! Without sessions it waits only briefly, for the next command of a script.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

/// How long a host without sessions waits for a call.
const EMPTY_TIMEOUT: Duration = Duration::from_secs(10);

/// The number of running calls, and the time since which there is none.
#[derive(Clone)]
pub(super) struct Idle(Arc<Inner>);

struct Inner {
    state: Mutex<IdleState>,
    changed: Notify,
}

struct IdleState {
    calls: usize,
    since: Instant,
    keep: Duration,
    sessions: bool,
}

/// A running call. Dropping the value ends it.
pub(super) struct Busy(Idle);

impl Default for Idle {
    fn default() -> Self {
        let state = IdleState { calls: 0, since: Instant::now(), keep: EMPTY_TIMEOUT, sessions: false };
        Idle(Arc::new(Inner { state: Mutex::new(state), changed: Notify::new() }))
    }
}

impl Idle {
    /// Registers a call.
    pub(super) fn busy(&self) -> Busy {
        self.change(|state| state.calls += 1);
        Busy(self.clone())
    }

    /// Sets the idle timeout of the sessions.
    pub(super) fn keep(&self, keep: Duration) {
        self.change(|state| state.keep = keep);
    }

    /// Sets whether there are sessions.
    pub(super) fn sessions(&self, any: bool) {
        self.change(|state| state.sessions = any);
    }

    /// Resolves when the host is idle for long enough.
    pub(super) async fn expired(&self) {
        loop {
            let changed = self.0.changed.notified();
            match self.until() {
                None => changed.await,
                Some(until) => tokio::select! {
                    () = changed => {}
                    () = tokio::time::sleep_until(until) => return,
                },
            }
        }
    }

    fn until(&self) -> Option<Instant> {
        let state = self.0.state.lock();
        let keep = if state.sessions { state.keep } else { state.keep.min(EMPTY_TIMEOUT) };
        (state.calls == 0).then(|| state.since + keep)
    }

    fn change(&self, change: impl FnOnce(&mut IdleState)) {
        change(&mut self.0.state.lock());
        self.0.changed.notify_waiters();
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.change(|state| {
            state.calls -= 1;
            state.since = Instant::now();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of seconds from the last call until the host ends.
    fn seconds_left(idle: &Idle) -> Option<u64> {
        let since = idle.0.state.lock().since;
        idle.until().map(|until| until.duration_since(since).as_secs())
    }

    #[test]
    fn sessions_are_kept_for_their_time_and_nothing_only_for_a_moment() {
        let idle = Idle::default();
        assert_eq!(seconds_left(&idle), Some(10));
        idle.keep(Duration::from_secs(900));
        assert_eq!(seconds_left(&idle), Some(10));
        idle.sessions(true);
        assert_eq!(seconds_left(&idle), Some(900));
        idle.keep(Duration::from_secs(2));
        idle.sessions(false);
        assert_eq!(seconds_left(&idle), Some(2));
    }

    #[test]
    fn nothing_is_over_while_a_call_is_under_way() {
        let idle = Idle::default();
        let (one, other) = (idle.busy(), idle.busy());
        drop(one);
        assert_eq!(seconds_left(&idle), None);
        let before = Instant::now();
        drop(other);
        assert_eq!(seconds_left(&idle), Some(10));
        assert!(idle.0.state.lock().since >= before);
    }

    #[tokio::test]
    async fn it_is_told_when_it_is_over() {
        let idle = Idle::default();
        let busy = idle.busy();
        idle.keep(Duration::ZERO);
        let over = tokio::spawn({
            let idle = idle.clone();
            async move { idle.expired().await }
        });
        tokio::task::yield_now().await;
        assert!(!over.is_finished());
        drop(busy);
        over.await.unwrap();
    }
}
