//! Whether an action has sent anything that may change the world. A failure before that is certainly "not done"; after it
//! nobody knows, whatever the failure is. The driver notes it where such a command goes out, once for all actions.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

tokio::task_local! {
    /// Of the action that this task carries out: concurrent sessions share a driver, but no task.
    static DISPATCHED: Dispatch;
}

/// What is known of one action.
#[derive(Clone, Default)]
pub(crate) struct Dispatch(Arc<AtomicBool>);

impl Dispatch {
    /// Carries out an action, noting what it sends. What was noted outlasts an action that is broken off.
    pub(crate) async fn note<T>(&self, action: impl Future<Output = T>) -> T {
        DISPATCHED.scope(self.clone(), action).await
    }

    /// Whether anything was sent.
    pub(crate) fn was_sent(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A command goes out that may change the world.
pub(crate) fn mark_sent() {
    set(true);
}

/// The page itself says that what was sent reached none of its elements.
pub(crate) fn kept_back() {
    set(false);
}

fn set(value: bool) {
    // Commands outside of any action (a tab that is closed with its session) have nobody to note it.
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
        other.note(async { kept_back() }).await;
        assert!(!other.was_sent() && dispatch.was_sent());
    }
}
