//! Where the progress of a run is shown: a live list on a terminal, plain lines in a pipe, or nothing.

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{progress_lines::Now, style::Style};

/// The interval of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// The output of the progress.
#[derive(Debug)]
pub(crate) enum Screen {
    /// No output.
    Silent,
    /// One line after the other.
    Lines(Stream),
    /// Finished steps as lines, with the current step redrawn below them.
    Live { bar: Box<ProgressBar>, step: Option<usize>, stream: Stream },
}

/// Standard output or standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

impl Stream {
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        }
    }

    /// Writes a text, without the characters that a terminal acts on and JSON leaves as they are.
    pub(crate) fn write(self, text: &str) -> io::Result<()> {
        let text = escape_terminal_controls(text);
        match self {
            Stream::Out => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            Stream::Err => io::stderr().lock().write_all(text.as_bytes()),
        }
    }
}

/// The text with each C1 control and each control of text direction as `\u009b`: a terminal obeys the former, and the
/// latter show a text in another order than it has. In JSON this is the same string; serde_json escapes only the
/// controls below U+0020.
fn escape_terminal_controls(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| matches!(c, '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_control(c) {
            escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

impl Screen {
    /// Selects the screen. `machine` means that standard output is for a program (`--json`, `--events`); `logs` means
    /// that log lines are printed in between, which would break a redrawn list.
    pub(crate) fn choose(quiet: bool, machine: bool, logs: bool) -> Screen {
        let stream = if machine { Stream::Err } else { Stream::Out };
        match (quiet, machine, stream.is_terminal()) {
            (true, ..) | (false, true, false) => Screen::Silent,
            (false, _, true) if !logs => Screen::live(stream),
            _ => Screen::Lines(stream),
        }
    }

    fn live(stream: Stream) -> Screen {
        let target = match stream {
            Stream::Out => ProgressDrawTarget::stdout(),
            Stream::Err => ProgressDrawTarget::stderr(),
        };
        let style = ProgressStyle::with_template("{spinner:.cyan} {wide_msg} {elapsed:.dim}")
            .expect("the template is a constant that a test reads")
            .tick_strings(&["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏", " "]);
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        Screen::Live { bar: Box::new(bar), step: None, stream }
    }

    /// The style for this output.
    pub(crate) fn style(&self) -> Style {
        match self {
            Screen::Silent => Style::PLAIN,
            Screen::Lines(stream) | Screen::Live { stream, .. } => Style::on(stream.is_terminal()),
        }
    }

    /// Prints permanent lines. If they cannot be written, nothing is shown any more, but the run continues.
    pub(crate) fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        let written = match self {
            Screen::Silent => return Ok(()),
            Screen::Live { bar, stream, .. } => lines.iter().try_for_each(|line| {
                // Nothing is printed above a bar that is not drawn yet.
                bar.suspend(|| stream.write(&format!("{line}\n")))
            }),
            Screen::Lines(stream) => lines.iter().try_for_each(|line| stream.write(&format!("{line}\n"))),
        };
        if written.is_err() {
            *self = Screen::Silent;
        }
        written
    }

    /// Shows the current work.
    pub(crate) fn now(&mut self, now: Option<Now>) {
        let Screen::Live { bar, step, .. } = self else { return };
        match now {
            None => bar.disable_steady_tick(),
            Some(now) => {
                if *step != Some(now.index) {
                    *step = Some(now.index);
                    bar.reset_elapsed();
                    bar.enable_steady_tick(TICK);
                }
                let doing = if now.doing.is_empty() { String::new() } else { format!("  · {}", now.doing) };
                bar.set_message(now.step + &doing);
            }
        }
    }

    /// Removes the redrawn part.
    pub(crate) fn clear(&mut self) {
        if let Screen::Live { bar, step, .. } = self {
            bar.disable_steady_tick();
            bar.finish_and_clear();
            bar.reset();
            *step = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_that_a_terminal_obeys_are_escaped_and_json_stays_the_same_value() {
        let text = "a\u{9b}31m\u{202e}b\u{2066}ü→";
        let json = serde_json::to_string(text).unwrap();
        let written = escape_terminal_controls(&json);
        assert_eq!(written, r#""a\u009b31m\u202eb\u2066ü→""#);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        assert!(matches!(escape_terminal_controls("plain ü"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_live_screen_can_be_made() {
        assert!(matches!(Screen::live(Stream::Err), Screen::Live { .. }));
    }
}
