//! Records whether an action has sent a command with a possible side effect. If an action fails before that, it was
//! certainly not done; afterwards, its outcome is unknown, whatever the failure is. The driver records this where it
//! sends such commands, once for all actions.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

tokio::task_local! {
    /// The state of the action that this task carries out. Concurrent sessions share a driver, but not a task.
    static DISPATCHED: Dispatch;
}

/// The state of one action.
#[derive(Clone, Default)]
pub(crate) struct Dispatch(Arc<AtomicBool>);

impl Dispatch {
    /// Carries out an action and records what it sends. The record remains valid if the action is cancelled.
    pub(crate) async fn note<T>(&self, action: impl Future<Output = T>) -> T {
        DISPATCHED.scope(self.clone(), action).await
    }

    /// Whether such a command was sent.
    pub(crate) fn was_sent(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Records that a command with a possible side effect is sent.
pub(crate) fn mark_sent() {
    set(true);
}

/// Withdraws the record, because the page reports that the input reached none of its elements.
pub(crate) fn kept_back() {
    set(false);
}

/// Records that a script is sent to the page that acts only if its element is ready. Returns whether a command was sent
/// before, for [`restore`].
pub(crate) fn mark_attempt() -> bool {
    let before = DISPATCHED.try_with(Dispatch::was_sent).unwrap_or_default();
    mark_sent();
    before
}

/// Withdraws [`mark_attempt`], because the script reports that it did nothing.
pub(crate) fn restore(before: bool) {
    set(before);
}

fn set(value: bool) {
    // Commands outside of an action, such as closing a tab together with its session, are not recorded.
    let _ = DISPATCHED.try_with(|dispatch| dispatch.0.store(value, Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_action_that_was_broken_off_has_sent_what_it_sent() {
        let dispatch = Dispatch::default();
        let action = dispatch.note(async {
            mark_sent();
            std::future::pending::<()>().await;
        });
        let broken_off = tokio::select! {
            biased;
            () = action => false,
            () = async {} => true,
        };
        assert!(broken_off && dispatch.was_sent());
        let other = Dispatch::default();
        other.note(async { restore(mark_attempt()) }).await;
        assert!(!other.was_sent(), "the script reported that it did nothing");
        let twice = Dispatch::default();
        twice.note(async { [(); 2].map(|()| mark_attempt()).into_iter().next_back().map(restore) }).await;
        assert!(twice.was_sent(), "the first script acted");
        let other = Dispatch::default();
        other.note(async { kept_back() }).await;
        assert!(!other.was_sent() && dispatch.was_sent());
    }
}
