//! The progress of a run as lines: what each event adds for a person who watches. Pure; `screen` decides where the
//! lines are printed.

use legwork::{
    record::{RecordState, RunRecord, StepRecord, describe},
    store::short_id,
};
use legwork_protocol::{DecidedBy, ErrorReport, Event, EventKind, Outcome, RunId, Status, Validation};

use crate::{
    report::playbook_use,
    style::{Style, escape_control},
};

/// Follows a run and returns the lines to print.
#[derive(Debug)]
pub(crate) struct ProgressLines {
    record: Option<RunRecord>,
    style: Style,
    /// Whether every action gets its own line.
    actions: bool,
}

/// The current work, for the part of the screen that is redrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    /// The step.
    pub(crate) step: String,
    /// What the step is doing.
    pub(crate) doing: String,
    /// The number of the step, from 0.
    pub(crate) index: usize,
}

impl ProgressLines {
    pub(crate) fn new(style: Style, actions: bool) -> Self {
        ProgressLines { record: None, style, actions }
    }

    /// The run so far.
    pub(crate) fn record(&self) -> Option<&RunRecord> {
        self.record.as_ref()
    }

    /// Records the end of a run whose journal does not contain it.
    pub(crate) fn unwritten_end(&mut self, outcome: &Outcome) {
        if let Some(record) = &mut self.record {
            record.add_unrecorded_end(outcome);
        }
    }

    /// Applies an event and returns the lines that it adds.
    pub(crate) fn feed(&mut self, event: &Event) -> Vec<String> {
        match &mut self.record {
            Some(record) => record.apply(event),
            None => match RunRecord::begin(event) {
                Ok(record) => self.record = Some(record),
                // If the events start in the middle, nothing is shown until the beginning is known.
                Err(_) => return Vec::new(),
            },
        }
        let Some(record) = &self.record else { return Vec::new() };
        lines(record, event, self.style, self.actions)
    }

    /// The current work.
    pub(crate) fn now(&self) -> Option<Now> {
        let record = self.record.as_ref()?;
        if record.state != RecordState::Running {
            return None;
        }
        let Some(step) = record.steps.iter().rev().find(|step| step.state == RecordState::Running) else {
            // Only before the first step; between two steps nothing is shown.
            let fresh = record.steps.iter().all(|step| step.state == RecordState::Pending);
            return fresh.then(|| Now { step: "starting the browser".to_owned(), doing: first_page(record), index: 0 });
        };
        Some(Now {
            step: format!("{} {}", self.style.dim(number(record, step.index)), escape_control(&step.text)),
            doing: doing(step),
            index: step.index,
        })
    }
}

fn lines(record: &RunRecord, event: &Event, style: Style, actions: bool) -> Vec<String> {
    match &event.kind {
        EventKind::WorkflowStarted(start) => {
            let url = start.workflow.url.as_deref().map_or(String::new(), |url| format!(" · {}", escape_control(url)));
            let title = format!(
                "{} {}",
                style.bold(escape_control(&record.name)),
                style.dim(format!("run {}{url}", record.run))
            );
            let repeats = start.playbook.as_ref().map(|used| style.dim(format!("  {}", playbook_use(used))));
            std::iter::once(title).chain(repeats).collect()
        }
        EventKind::WorkflowResumed { step } => {
            vec![style.dim(format!("resumed at step {}", step + 1))]
        }
        EventKind::WorkflowPaused { reason } => vec![format!("{} paused: {}", style.wait("‖"), escape_control(reason))],
        EventKind::RunParked(outcome) => {
            let why = outcome.error.as_ref().map_or("waits for a person", |error| &error.message);
            vec![format!("{} parked: {}", style.wait("‖"), escape_control(why))]
        }
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
            let index = event.step.unwrap_or(result.index);
            record.steps.get(index).map_or_else(Vec::new, |step| ended(record, step, style))
        }
        EventKind::CommandCompleted { command_id: command, .. }
        | EventKind::CommandFailed { command_id: command, .. }
            if actions =>
        {
            let commands = record.turns().flat_map(|turn| &turn.commands);
            commands.filter(|known| known.command_id == *command).map(|command| action(command, style)).collect()
        }
        // Repeated warnings are shown once; `show` lists all of them.
        EventKind::WarningIssued { message }
            if record.warnings.iter().filter(|warning| warning.message == *message).count() > 1 =>
        {
            Vec::new()
        }
        EventKind::WarningIssued { message } => vec![format!("  {} {}", style.wait("!"), escape_control(message))],
        // The run continues after this error. An error that ends a step or the run is shown with that end.
        EventKind::ErrorOccurred(error) if error.recoverable => {
            vec![format!("  {} {}", style.wait("!"), escape_control(&error.message))]
        }
        EventKind::QuestionAsked(question) => vec![format!("  {} {}", style.busy("?"), escape_control(&question.text))],
        _ => Vec::new(),
    }
}

/// The hint of an error; a placeholder in the journal's text is replaced by the id of the run.
pub(crate) fn advice(error: &ErrorReport, run: RunId) -> String {
    escape_control(&error.suggested_action.replace("resume RUN", &format!("resume {}", short_id(run))))
}

/// The line of a step that ended, with its problems below it.
fn ended(record: &RunRecord, step: &StepRecord, style: Style) -> Vec<String> {
    let decider = step.decider().map_or("", DecidedBy::name);
    let facts = match step.state {
        RecordState::Ended(Status::Skipped) => "skipped".to_owned(),
        _ => [decider, &describe::duration(step.duration(record.last))].join(" ").trim().to_owned(),
    };
    let mut lines = vec![format!(
        "{} {} {}  {}",
        step_mark(step, style),
        style.dim(number(record, step.index)),
        escape_control(&step.text),
        style.dim(facts)
    )];
    let result = step.result.as_ref();
    if let Some(error) = result.and_then(|result| result.error.as_ref()) {
        lines.push(format!("      {}", style.bad(escape_control(&error.to_string()))));
        lines.extend(error.details.iter().map(|detail| format!("      {}", style.dim(escape_control(detail)))));
        if !error.suggested_action.is_empty() {
            lines.push(format!("      try: {}", advice(error, record.run)));
        }
    } else if let Some(message) = result
        .map(|result| &result.message)
        .filter(|m| !m.is_empty() && step.state != RecordState::Ended(Status::Success))
    {
        lines.push(format!("      {}", escape_control(message)));
    }
    lines
}

/// The line of an action that ended.
pub(crate) fn action(command: &legwork::record::CommandRecord, style: Style) -> String {
    let words = escape_control(&describe::command(command));
    match &command.result {
        None => format!("      {} {words}  {}", style.wait("?"), style.dim("no result on record")),
        Some(result) => {
            let took = style.dim(describe::duration(result.duration));
            match result.failure_text() {
                None => format!("      {} {words}  {took}", style.dim("·")),
                Some(trouble) => {
                    let sign = if result.outcome_unknown { style.wait("?") } else { style.bad("✗") };
                    format!("      {sign} {words}: {}  {took}", escape_control(&trouble))
                }
            }
        }
    }
}

/// The symbol of a state.
fn mark(state: RecordState, style: Style) -> String {
    match state {
        RecordState::Ended(Status::Success) => style.good("✓"),
        RecordState::Ended(Status::Failure | Status::Error) => style.bad("✗"),
        RecordState::Ended(Status::Cancelled) => style.wait("◼"),
        RecordState::Ended(Status::Parked) | RecordState::Paused => style.wait("‖"),
        RecordState::Interrupted => style.wait("…"),
        RecordState::Running => style.busy("▸"),
        RecordState::Ended(Status::Skipped) => style.dim("-"),
        RecordState::Pending => style.dim("·"),
    }
}

/// Like [`mark`], for a state that has ended: an unvalidated success has a different symbol than a validated one.
pub(crate) fn mark_checked(state: RecordState, validation: Option<Validation>, style: Style) -> String {
    match (state, validation) {
        (RecordState::Ended(Status::Success), Some(Validation::Unvalidated)) => style.wait("?"),
        (RecordState::Ended(_), Some(Validation::Rejected)) => style.bad("✗"),
        (state, _) => mark(state, style),
    }
}

pub(crate) fn step_mark(step: &StepRecord, style: Style) -> String {
    mark_checked(step.state, step.result.as_ref().map(|result| result.validation), style)
}

/// ` 3/12`, with the same width for every step of a run.
fn number(record: &RunRecord, index: usize) -> String {
    let of = record.steps.len().to_string();
    format!("{:>width$}/{of}", index + 1, width = of.len())
}

/// The page that is opened before the first step; empty if there is none.
fn first_page(record: &RunRecord) -> String {
    let commands = record.outside.iter().flat_map(|turn| &turn.commands);
    commands.last().map_or_else(String::new, |command| escape_control(&describe::command(command)))
}

fn doing(step: &StepRecord) -> String {
    let Some(turn) = step.turns.last() else { return "observing the page".to_owned() };
    match turn.commands.last() {
        Some(command) if command.result.is_none() => escape_control(&describe::command(command)),
        Some(_) => "observing the result".to_owned(),
        None if turn.decided.is_none() && turn.observed.is_some() => "deciding".to_owned(),
        None => "observing the page".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_before_the_first_step_and_in_it() {
        let mut live = ProgressLines::new(Style::PLAIN, false);
        let mut at = 0;
        let mut feed = |step: Option<usize>, kind: serde_json::Value| {
            at += 1;
            let run = "01938f6e-7a3c-7c11-b0de-9d3a5e6f1a2b";
            let mut event =
                serde_json::json!({"id": run, "run": run, "seq": at, "time": "2026-01-01T00:00:00Z", "step": step});
            event.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
            live.feed(&serde_json::from_value(event).unwrap());
            live.now().map(|now| (now.step, now.doing))
        };
        let said = |step: &str, doing: &str| Some((step.to_owned(), doing.to_owned()));
        let workflow = serde_json::json!({"name": "n", "url": "http://site.test/", "steps": ["Click \"Go\""]});
        let started = serde_json::json!({"type": "WORKFLOW_STARTED", "data": {"workflow": workflow, "task": false, "inputs": {}}});
        assert_eq!(feed(None, started), said("starting the browser", ""));
        let open = serde_json::json!({"type": "COMMAND_STARTED", "data": {
            "commandId": "01938f6e-7a3c-7c11-b0de-000000000001",
            "action": {"action": "open", "parameters": {"url": "http://site.test/"}}, "decider": "literal", "effect": "idempotent"}});
        assert_eq!(feed(None, open), said("starting the browser", "open http://site.test/"));
        let step = serde_json::json!({"type": "STEP_STARTED", "data": {"text": "Click \"Go\""}});
        assert_eq!(feed(Some(0), step), said("1/1 Click \"Go\"", "observing the page"));
        let error = legwork_protocol::ErrorReport::new(legwork_protocol::Code::PromptContext, "no memory");
        let event = serde_json::json!({"id": "01938f6e-7a3c-7c11-b0de-9d3a5e6f1a2b", "run": "01938f6e-7a3c-7c11-b0de-9d3a5e6f1a2b",
            "seq": 4, "time": "2026-01-01T00:00:00Z", "type": "ERROR_OCCURRED", "data": error});
        assert_eq!(live.feed(&serde_json::from_value(event).unwrap()), ["  ! no memory"]);
    }
}
