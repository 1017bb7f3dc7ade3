//! The scripts that are put into every document and worker.

/// The scripts that are injected into every document and worker.
#[derive(Clone)]
pub(crate) struct Scripts {
    /// The name of the task tracker's events. It is random, so that no page can guess it.
    pub(crate) key: String,
    /// The script for the main world of pages.
    pub(crate) task_tracker: String,
    /// The script for workers.
    pub(crate) worker: String,
    pub(crate) bundle: &'static str,
}

impl Scripts {
    pub(crate) fn new(key: String) -> Self {
        let task_tracker = include_str!("task-tracker.js").replace("__LEGWORK_KEY__", &key);
        let worker = include_str!("worker.js").replace("__LEGWORK_KEY__", &key);
        Scripts { key, task_tracker, worker, bundle: include_str!("injected.js") }
    }
}
