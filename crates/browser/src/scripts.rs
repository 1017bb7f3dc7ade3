//! The scripts that are put into every document and worker.

/// What is put into every document.
pub(crate) struct Scripts {
    /// The name of the task tracker's events; random, so that no page can guess it.
    pub(crate) key: String,
    /// What runs in the page's own world.
    pub(crate) task_tracker: String,
    /// What workers begin with.
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
