//! A run as it goes, in lines: what each event adds for a person who watches. Pure; the screen decides where they go.

use legwork::record::{RunRecord, State, StepRecord, words};
use legwork_protocol::{Decider, Event, EventKind, Outcome, Status, Validation};

use crate::paint::{Paint, tame};

/// Follows a run and says what is worth a line.
#[derive(Debug)]
pub(crate) struct Live {
    record: Option<RunRecord>,
    paint: Paint,
    /// Whether every action gets a line of its own.
    actions: bool,
}

/// What is under way, for the part of the screen that is redrawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Now {
    /// The step.
    pub(crate) step: String,
    /// What it is busy with.
    pub(crate) doing: String,
    /// The number of the step, from 0.
    pub(crate) index: usize,
}

impl Live {
    pub(crate) fn new(paint: Paint, actions: bool) -> Self {
        Live { record: None, paint, actions }
    }

    /// The run as far as it is known.
    pub(crate) fn record(&self) -> Option<&RunRecord> {
        self.record.as_ref()
    }

    /// Takes in the end of a run whose journal does not tell it.
    pub(crate) fn unwritten_end(&mut self, outcome: &Outcome) {
        if let Some(record) = &mut self.record {
            record.end_unwritten(outcome);
        }
    }

    /// Takes in an event; gives the lines that it adds.
    pub(crate) fn feed(&mut self, event: &Event) -> Vec<String> {
        match &mut self.record {
            Some(record) => record.apply(event),
            None => match RunRecord::begin(event) {
                Ok(record) => self.record = Some(record),
                // Followed from the middle: nothing to show until its beginning is known.
                Err(_) => return Vec::new(),
            },
        }
        let Some(record) = &self.record else { return Vec::new() };
        lines(record, event, self.paint, self.actions)
    }

    /// What is under way.
    pub(crate) fn now(&self) -> Option<Now> {
        let record = self.record.as_ref()?;
        if record.state != State::Running {
            return None;
        }
        let Some(step) = record.steps.iter().rev().find(|step| step.state == State::Running) else {
            // Only before the first step: between two of them there is nothing to tell.
            let fresh = record.steps.iter().all(|step| step.state == State::Pending);
            return fresh.then(|| Now { step: "starts the browser".to_owned(), doing: first_page(record), index: 0 });
        };
        Some(Now {
            step: format!("{} {}", self.paint.dim(number(record, step.index)), tame(&step.text)),
            doing: doing(step),
            index: step.index,
        })
    }
}

fn lines(record: &RunRecord, event: &Event, paint: Paint, actions: bool) -> Vec<String> {
    match &event.kind {
        EventKind::WorkflowStarted(start) => {
            let url = start.workflow.url.as_deref().map_or(String::new(), |url| format!(" · {}", tame(url)));
            vec![format!("{} {}", paint.bold(tame(&record.name)), paint.dim(format!("run {}{url}", record.run)))]
        }
        EventKind::WorkflowResumed { step } => {
            vec![paint.dim(format!("goes on at step {}", step + 1))]
        }
        EventKind::WorkflowPaused { reason } => vec![format!("{} paused: {}", paint.wait("‖"), tame(reason))],
        EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
            let index = event.step.unwrap_or(result.index);
            record.steps.get(index).map_or_else(Vec::new, |step| ended(record, step, paint))
        }
        EventKind::CommandCompleted { command, .. } | EventKind::CommandFailed { command, .. } if actions => {
            let commands = record.turns().flat_map(|turn| &turn.commands);
            commands.filter(|known| known.command == *command).map(|command| action(command, paint)).collect()
        }
        // The same warning again and again tells nothing new; `show` has them all.
        EventKind::WarningIssued { message }
            if record.warnings.iter().filter(|warning| warning.message == *message).count() > 1 =>
        {
            Vec::new()
        }
        EventKind::WarningIssued { message } => vec![format!("  {} {}", paint.wait("!"), tame(message))],
        // The run goes on after it; what ends a step or the run is told with its end.
        EventKind::ErrorOccurred(error) if error.recoverable => {
            vec![format!("  {} {}", paint.wait("!"), tame(&error.message))]
        }
        EventKind::QuestionAsked(question) => vec![format!("  {} {}", paint.busy("?"), tame(&question.text))],
        _ => Vec::new(),
    }
}

/// The line of a step that ended, with its trouble below it.
fn ended(record: &RunRecord, step: &StepRecord, paint: Paint) -> Vec<String> {
    let decider = step.decider().map_or("", Decider::name);
    let facts = match step.state {
        State::Ended(Status::Skipped) => "skipped".to_owned(),
        _ => [decider, &words::took(step.duration(record.last))].join(" ").trim().to_owned(),
    };
    let mut lines = vec![format!(
        "{} {} {}  {}",
        mark(step.state, paint),
        paint.dim(number(record, step.index)),
        tame(&step.text),
        paint.dim(facts)
    )];
    let result = step.result.as_ref();
    if let Some(error) = result.and_then(|result| result.error.as_ref()) {
        lines.push(format!("      {}", paint.bad(tame(&error.to_string()))));
        lines.extend(error.details.iter().map(|detail| format!("      {}", paint.dim(tame(detail)))));
        if !error.suggested_action.is_empty() {
            lines.push(format!("      try: {}", tame(&error.suggested_action)));
        }
    } else if let Some(message) =
        result.map(|result| &result.message).filter(|m| !m.is_empty() && step.state != State::Ended(Status::Success))
    {
        lines.push(format!("      {}", tame(message)));
    }
    lines
}

/// An action that ended.
pub(crate) fn action(command: &legwork::record::CommandRecord, paint: Paint) -> String {
    let words = tame(&words::command(command));
    match &command.result {
        None => format!("      {} {words}  {}", paint.wait("?"), paint.dim("no result on record")),
        Some(result) => {
            let took = paint.dim(words::took(result.duration));
            match result.trouble() {
                None => format!("      {} {words}  {took}", paint.dim("·")),
                Some(trouble) => {
                    let sign = if result.outcome_unknown { paint.wait("?") } else { paint.bad("✗") };
                    format!("      {sign} {words}: {}  {took}", tame(&trouble))
                }
            }
        }
    }
}

/// A state as one sign.
pub(crate) fn mark(state: State, paint: Paint) -> String {
    match state {
        State::Ended(Status::Success) => paint.good("✓"),
        State::Ended(Status::Failure | Status::Error) => paint.bad("✗"),
        State::Ended(Status::Cancelled) => paint.wait("◼"),
        State::Ended(Status::Parked) | State::Paused => paint.wait("‖"),
        State::Interrupted => paint.wait("…"),
        State::Running => paint.busy("▸"),
        State::Ended(Status::Skipped) => paint.dim("-"),
        State::Pending => paint.dim("·"),
    }
}

/// As [`mark`] of what has ended: a success that nothing shows looks different from one that evidence shows.
pub(crate) fn mark_checked(state: State, validation: Option<Validation>, paint: Paint) -> String {
    match (state, validation) {
        (State::Ended(Status::Success), Some(Validation::Unvalidated)) => paint.wait("?"),
        (State::Ended(_), Some(Validation::Rejected)) => paint.bad("✗"),
        (state, _) => mark(state, paint),
    }
}

/// ` 3/12`, as wide for every step of a run.
fn number(record: &RunRecord, index: usize) -> String {
    let of = record.steps.len().to_string();
    format!("{:>width$}/{of}", index + 1, width = of.len())
}

/// What is opened before the first step; empty when nothing is.
fn first_page(record: &RunRecord) -> String {
    let commands = record.outside.iter().flat_map(|turn| &turn.commands);
    commands.last().map_or_else(String::new, |command| tame(&words::command(command)))
}

fn doing(step: &StepRecord) -> String {
    let Some(turn) = step.turns.last() else { return "looks at the page".to_owned() };
    match turn.commands.last() {
        Some(command) if command.result.is_none() => tame(&words::command(command)),
        Some(_) => "looks at what it did".to_owned(),
        None if turn.decided.is_none() && turn.observed.is_some() => "decides".to_owned(),
        None => "looks at the page".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_way_before_the_first_step_and_in_it() {
        let mut live = Live::new(Paint::PLAIN, false);
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
        assert_eq!(feed(None, started), said("starts the browser", ""));
        let open = serde_json::json!({"type": "COMMAND_STARTED", "data": {
            "command": "01938f6e-7a3c-7c11-b0de-000000000001",
            "action": {"action": "open", "parameters": {"url": "http://site.test/"}}, "decider": "literal", "effect": "idempotent"}});
        assert_eq!(feed(None, open), said("starts the browser", "open http://site.test/"));
        let step = serde_json::json!({"type": "STEP_STARTED", "data": {"text": "Click \"Go\""}});
        assert_eq!(feed(Some(0), step), said("1/1 Click \"Go\"", "looks at the page"));
        let error = legwork_protocol::StandardError::new(legwork_protocol::Code::PromptContext, "no memory");
        let event = serde_json::json!({"id": "01938f6e-7a3c-7c11-b0de-9d3a5e6f1a2b", "run": "01938f6e-7a3c-7c11-b0de-9d3a5e6f1a2b",
            "seq": 4, "time": "2026-01-01T00:00:00Z", "type": "ERROR_OCCURRED", "data": error});
        assert_eq!(live.feed(&serde_json::from_value(event).unwrap()), ["  ! no memory"]);
    }
}
