//! When the host has nothing left to do: no call under way, and none for as long as its sessions are kept; without sessions
//! only for a moment, in which the next one may come.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

/// How long a host without sessions lingers.
const LINGER: Duration = Duration::from_secs(10);

/// Who is at work, and since when nobody is.
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

/// A call under way; dropped, it is over.
pub(super) struct Busy(Idle);

impl Default for Idle {
    fn default() -> Self {
        let state = IdleState { calls: 0, since: Instant::now(), keep: LINGER, sessions: false };
        Idle(Arc::new(Inner { state: Mutex::new(state), changed: Notify::new() }))
    }
}

impl Idle {
    /// A call begins.
    pub(super) fn busy(&self) -> Busy {
        self.change(|state| state.calls += 1);
        Busy(self.clone())
    }

    /// A session is kept for so long.
    pub(super) fn keep(&self, keep: Duration) {
        self.change(|state| state.keep = keep);
    }

    /// Whether there are sessions.
    pub(super) fn sessions(&self, any: bool) {
        self.change(|state| state.sessions = any);
    }

    /// Resolves when there is nothing left to do.
    pub(super) async fn over(&self) {
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
        let keep = if state.sessions { state.keep } else { state.keep.min(LINGER) };
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

    /// In how many seconds from its last call it is over.
    fn over_in(idle: &Idle) -> Option<u64> {
        let since = idle.0.state.lock().since;
        idle.until().map(|until| until.duration_since(since).as_secs())
    }

    #[test]
    fn sessions_are_kept_for_their_time_and_nothing_only_for_a_moment() {
        let idle = Idle::default();
        assert_eq!(over_in(&idle), Some(10));
        idle.keep(Duration::from_secs(900));
        assert_eq!(over_in(&idle), Some(10));
        idle.sessions(true);
        assert_eq!(over_in(&idle), Some(900));
        idle.keep(Duration::from_secs(2));
        idle.sessions(false);
        assert_eq!(over_in(&idle), Some(2));
    }

    #[test]
    fn nothing_is_over_while_a_call_is_under_way() {
        let idle = Idle::default();
        let (one, other) = (idle.busy(), idle.busy());
        drop(one);
        assert_eq!(over_in(&idle), None);
        let before = Instant::now();
        drop(other);
        assert_eq!(over_in(&idle), Some(10));
        assert!(idle.0.state.lock().since >= before);
    }

    #[tokio::test]
    async fn it_is_told_when_it_is_over() {
        let idle = Idle::default();
        let busy = idle.busy();
        idle.keep(Duration::ZERO);
        let over = tokio::spawn({
            let idle = idle.clone();
            async move { idle.over().await }
        });
        tokio::task::yield_now().await;
        assert!(!over.is_finished());
        drop(busy);
        over.await.unwrap();
    }
}
