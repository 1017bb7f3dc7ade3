//! Follows a started run to its exit code: shows the progress, handles questions and signals, writes the trace and
//! prints the result.

use std::{
    io::{self, BufRead, IsTerminal},
    path::{Path, PathBuf},
};

use legwork::{
    RunHandle, Runtime,
    store::{StoreError, short_id},
};
use legwork_protocol::{ErrorReport, Event, EventKind, Op, Outcome, Question};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::JoinHandle,
};

use crate::{
    command_args::{Global, Show},
    error::CliError,
    event_lines::EventLines,
    exit::{self, Exit},
    progress_lines::ProgressLines,
    report,
    screen::{Screen, Stream},
    summary::Summary,
    trace,
};

/// Whether a person can answer questions.
pub(crate) fn interactive(show: &Show) -> bool {
    !show.json && show.events.is_none() && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Follows a run to its end. A resumed run is shown from its first event.
pub(crate) async fn watch(
    runtime: &Runtime,
    handle: RunHandle,
    show: &Show,
    global: &Global,
) -> Result<Exit, CliError> {
    let run = handle.id();
    let ops = handle.ops();
    let log = runtime.log();
    let mut watcher = Watcher::new(show, global);
    let mut events = log.follow(run, 1);
    let mut signals = Signals::new()?;
    let mut answering: Option<JoinHandle<Option<String>>> = None;
    let mut outcome = std::pin::pin!(handle.outcome());
    let outcome = loop {
        tokio::select! {
            biased;
            event = events.next() => {
                let event = event.map_err(unreadable_events)?;
                if let Some(question) = watcher.see(&event).filter(|_| interactive(show)) {
                    watcher.screen.clear();
                    answering = Some(tokio::task::spawn_blocking(move || answer(&question)));
                }
            }
            answer = async { answering.as_mut().expect("checked by the guard").await }, if answering.is_some() => {
                answering = None;
                let op = match answer.ok().flatten() {
                    Some(text) => Op::Answer { text },
                    None => Op::Cancel { reason: Some("the question was not answered".to_owned()) },
                };
                send(&ops, op).await;
            }
            () = signals.next() => {
                if signals.count > 1 {
                    // The second signal ends the process at once. The browser exits when its pipe closes, and the
                    // journal is complete up to this point.
                    std::process::exit(Exit::Cancelled.code().into());
                }
                watcher.screen.clear();
                watcher.note("stopping; press Ctrl-C again to stop immediately");
                send(&ops, Op::Cancel { reason: Some("stopped at the terminal".to_owned()) }).await;
            }
            outcome = &mut outcome => break outcome,
        }
    };
    // The events that were appended after the last one read.
    let rest = log.read(run, watcher.events.len() as u64 + 1).await;
    for event in rest.map_err(unreadable_events)? {
        watcher.see(&event);
    }
    watcher.progress.unwritten_end(&outcome);
    let traced = match &show.trace {
        Some(folder) => watcher.trace(folder, runtime).await.map(Some),
        None => Ok(None),
    };
    watcher.note_playbook(runtime);
    let ended = watcher.end(show, &short_id(run), traced.as_ref().ok().and_then(Option::as_ref), outcome.error.clone());
    if let Some(error) = watcher.unwritten {
        return Err(unwritten(error, &short_id(run), &outcome));
    }
    ended?;
    traced?;
    Ok(exit::of(&outcome))
}

/// The error when the output could not be written although the run itself continued.
fn unwritten(error: io::Error, id: &str, outcome: &Outcome) -> CliError {
    CliError::from(error).details([format!("the run itself continued; its status is {}", outcome.status.name())]).hint(
        format!("free some space or write to another place; `legwork show {id} --events` prints the events again"),
    )
}

async fn send(ops: &mpsc::Sender<Op>, op: Op) {
    // A run that has ended accepts no operations; its outcome follows.
    let _ = ops.send(op).await;
}

/// Asks the person at the terminal; `None` if the terminal is closed.
fn answer(question: &Question) -> Option<String> {
    if question.secret {
        return console::Term::stderr().read_secure_line().ok();
    }
    let mut input = io::stdin().lock();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match question.answer_of(line.trim_end_matches(['\r', '\n'])) {
            Some(answer) => return Some(answer),
            // A typing error is no refusal.
            None => eprintln!("  ? the answers are: {}", question.options.join(", ")),
        }
    }
}

/// SIGINT and SIGTERM.
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    count: u32,
}

impl Signals {
    fn new() -> Result<Self, CliError> {
        let hear = |kind| signal(kind).map_err(|error| CliError::fault("cannot listen for signals").because(&error));
        Ok(Signals { interrupt: hear(SignalKind::interrupt())?, terminate: hear(SignalKind::terminate())?, count: 0 })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
        self.count += 1;
    }
}

/// Shows events and stores them.
struct Watcher {
    progress: ProgressLines,
    screen: Screen,
    events: Vec<Event>,
    lines: Option<EventLines>,
    /// The first error while writing the output. A broken pipe is not stored.
    unwritten: Option<io::Error>,
}

impl Watcher {
    fn new(show: &Show, global: &Global) -> Self {
        let screen = Screen::choose(global.quiet, show.json || show.events.is_some(), global.verbose > 0);
        let progress = ProgressLines::new(screen.style(), global.verbose > 0);
        Watcher { progress, screen, events: Vec::new(), lines: show.events.map(EventLines::new), unwritten: None }
    }

    /// Applies an event; returns the question that it asks.
    fn see(&mut self, event: &Event) -> Option<Question> {
        if event.seq != self.events.len() as u64 + 1 {
            return None;
        }
        self.events.push(event.clone());
        if let Some(lines) = &mut self.lines {
            let written = lines.of(event).map_err(io::Error::from).and_then(|lines| Stream::Out.write(&lines));
            // The run continues without a reader.
            self.lines = self.lines.take().filter(|_| written.is_ok());
            self.record_output_error(written);
        }
        let lines = self.progress.feed(event);
        let written = self.screen.lines(&lines);
        self.record_output_error(written);
        self.screen.now(self.progress.now());
        match &event.kind {
            EventKind::QuestionAsked(question) => Some(question.clone()),
            _ => None,
        }
    }

    fn note(&mut self, text: &str) {
        let written = self.screen.lines(&[format!("  {}", self.screen.style().dim(text))]);
        self.record_output_error(written);
    }

    /// Says that the run recorded a playbook.
    fn note_playbook(&mut self, runtime: &Runtime) {
        let Some(Event { run, kind: EventKind::WorkflowStarted(start), .. }) = self.events.first() else { return };
        let Some((id, version)) = runtime.playbooks().recorded_by(*run, start) else { return };
        let what = match version {
            1 => "the actions are recorded: the next run repeats them without a model where the page is the same"
                .to_owned(),
            version => format!("the recorded actions were updated to version {version}"),
        };
        self.note(&format!("{what} (legwork playbook show {id})"));
    }

    /// Stores the first error. A reader that is gone is not an error: the next program in a pipe expects a silent
    /// end.
    fn record_output_error(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.unwritten.get_or_insert(error);
        }
    }

    async fn trace(&self, folder: &Path, runtime: &Runtime) -> Result<PathBuf, CliError> {
        match self.progress.record() {
            Some(record) => trace::write(folder, record, &self.events, &*runtime.artifacts()).await,
            None => Err(CliError::fault("the run has no events")),
        }
    }

    fn end(
        &mut self,
        show: &Show,
        id: &str,
        trace: Option<&PathBuf>,
        error: Option<ErrorReport>,
    ) -> Result<(), CliError> {
        self.screen.clear();
        let Some(record) = self.progress.record() else {
            // Not even the beginning of the run could be written.
            return Err(error.map_or_else(|| CliError::fault("the run has no events"), CliError::from));
        };
        if let Screen::Lines(stream) | Screen::Live { stream, .. } = self.screen {
            let style = self.screen.style();
            let mut text = report::end(record, style);
            text += &match trace {
                Some(page) => style.dim(format!("  trace: {}\n", page.display())),
                None => style.dim(format!("  legwork show {id}, or legwork export {id} --format html -o run.html\n")),
            };
            stream.write(&text)?;
        }
        let is_quiet = matches!(self.screen, Screen::Silent) && !show.json && show.events.is_none();
        if is_quiet {
            Stream::Out.write(&report::results(record))?;
        }
        let error = record.outcome.as_ref().and_then(|outcome| outcome.error.clone());
        if let (true, Some(error)) = (is_quiet, error) {
            Stream::Err.write(&format!("{}\n", CliError::from(error)))?;
        }
        if show.json {
            let summary = Summary::of(record);
            let text = if show.events.is_some() {
                serde_json::to_string(&summary)
            } else {
                serde_json::to_string_pretty(&summary)
            };
            let text = text.map_err(|error| CliError::fault("cannot write the result").because(&error))?;
            Stream::Out.write(&(text + "\n"))?;
        }
        Ok(())
    }
}

fn unreadable_events(error: StoreError) -> CliError {
    let (code, hint) = (error.code(), error.hint());
    CliError::fault("the run's events cannot be read").because(&error).code(code).hint(hint)
}
