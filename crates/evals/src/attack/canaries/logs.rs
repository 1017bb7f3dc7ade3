//! Records the log lines of Legwork at the most detailed level.

use std::{io, sync::Arc};

use parking_lot::Mutex;

/// The lines so far.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock()).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins to record. In a process that already has a subscriber, nothing is recorded.
pub(super) fn record() -> Log {
    let log = Log::default();
    let writer = log.clone();
    let began = tracing_subscriber::fmt()
        .with_env_filter(
            "warn,legwork=trace,legwork_browser=trace,legwork_server=trace,legwork_model=trace,legwork_store=trace",
        )
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .try_init();
    if let Err(error) = began {
        eprintln!("the log is not searched: {error}");
    }
    log
}
