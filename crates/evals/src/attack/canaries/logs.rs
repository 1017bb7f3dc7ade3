//! Records the log lines of Legwork at the most detailed level.

use std::{
    io,
    sync::{Arc, OnceLock},
};

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

/// Begins to record, or to record anew. Fails in a process that already has another subscriber.
pub(super) fn record() -> Result<Log, String> {
    static LOG: OnceLock<Result<Log, String>> = OnceLock::new();
    let log = LOG.get_or_init(|| {
        let log = Log::default();
        let writer = log.clone();
        tracing_subscriber::fmt()
            // The names of all crates of Legwork begin with `legwork`.
            .with_env_filter("warn,legwork=trace")
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .try_init()
            .map_err(|error| error.to_string())?;
        Ok(log)
    });
    let log = log.clone()?;
    log.0.lock().clear();
    Ok(log)
}
