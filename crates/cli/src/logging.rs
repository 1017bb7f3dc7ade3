//! Writes logs to standard error: `[TaskLoop][INFO] [session:step] [PHASE] message` for people, or JSON.

use std::fmt;

use legwork::settings::{Log, LogFormat};
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    EnvFilter,
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

/// Starts logging. `-v` and `-q` replace the level of the settings, unless it is set in the environment. Without
/// settings, because they cannot be read, only errors are logged.
pub(crate) fn begin(verbose: u8, quiet: bool, log: Option<&Log>) {
    let is_in_environment = std::env::var_os("LEGWORK_LOG_LEVEL").is_some_and(|level| !level.is_empty());
    let set_level = log.map_or("error", |log| &log.level);
    let level = match (quiet, verbose) {
        _ if is_in_environment => set_level,
        (true, _) => "off",
        (false, 0) => set_level,
        (false, 1) => "warn,legwork=info",
        (false, 2) => "info,legwork=debug",
        (false, _) => "debug,legwork=trace",
    };
    let filter = EnvFilter::try_new(level).unwrap_or_else(|error| {
        eprintln!("log.level {level:?} is invalid ({error}); only errors are logged");
        EnvFilter::new("error")
    });
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // If the process has a subscriber already, that one stays active.
    let _ = if log.is_some_and(|log| log.format == LogFormat::Json) {
        builder.json().try_init()
    } else {
        builder.event_format(Human).try_init()
    };
}

/// The log line for people.
struct Human;

/// The fields of a line.
#[derive(Default)]
struct Parts {
    session: String,
    step: String,
    phase: String,
    message: String,
    more: String,
}

impl Visit for Parts {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}");
        match field.name() {
            "message" => self.message = value,
            "session" | "run" => self.session = value,
            "step" => self.step = value,
            "phase" => self.phase = value,
            name => self.more.push_str(&format!(" {name}={value}")),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }
}

impl<S, N> FormatEvent<S, N> for Human
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut parts = Parts::default();
        event.record(&mut parts);
        let level = match *event.metadata().level() {
            Level::WARN => "WARN",
            Level::ERROR => "ERROR",
            Level::INFO => "INFO",
            Level::DEBUG => "DEBUG",
            Level::TRACE => "TRACE",
        };
        let part = event.metadata().target().rsplit("::").next().unwrap_or("legwork");
        let part = if parts.phase.is_empty() { part } else { "TaskLoop" };
        write!(to, "[{part}][{level}]")?;
        if !parts.session.is_empty() {
            let step = if parts.step.is_empty() { "-" } else { &parts.step };
            write!(to, " [{}:{step}]", parts.session)?;
        }
        if !parts.phase.is_empty() {
            write!(to, " [{}]", parts.phase)?;
        }
        writeln!(to, " {}{}", parts.message, parts.more)
    }
}
